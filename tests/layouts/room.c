/* room.c - tables that nobody reads but those who compute them: what the workspaces of room.pat
 * have of 10^5 x 10^5 cells, of 10^5 x 1000 x 100, and of 10^4 problems of 1000 x 1000, is some
 * rows or planes, whatever the order. */
#include <stdio.h>
#include "room.h"

enum { LONG = 100000, SHORT = 1000 };

static int too_large(const char *name, size_t bytes, size_t rows, size_t row)
{
	/* and parts of what is folded */
	const size_t room = (rows * row + (1 << 21)) * sizeof(int);
	if (bytes > room)
		printf("%s: %zu bytes, more than %zu\n", name, bytes, room);
	return bytes > room;
}

/* On a CPU all but planes run by tiles: any argument says that this is a GPU. */
int main(int n, char **arg)
{
	(void)arg;
	int wrong = too_large("tiles", tiles_workspace(LONG, LONG), 512, LONG);
	wrong += too_large("hybrid", hybrid_workspace(LONG, LONG), n > 1 ? 128 : 512, LONG);
	wrong += too_large("rows", rows_workspace(LONG, LONG), n > 1 ? 2 : 512, LONG);
	wrong += too_large("strips", strips_workspace(LONG, LONG), n > 1 ? 2 : 512, LONG);
	wrong += too_large("last_row", last_row_workspace(LONG, LONG), 513, LONG);
	wrong += too_large("planes", planes_workspace(LONG, SHORT), 2, SHORT * 100);
	wrong += too_large("batch", batch_workspace(SHORT, LONG / 10, SHORT), 2, LONG / 10 * SHORT);
	return wrong > 0;
}
