/* calls.c - the workspace is written, so it overlaps no array: neither one that is written nor one
 * that is read, at either end.  What lies behind the bytes that a call uses is the caller's.  What
 * only the data show is no status of NAME(): NAME_status() tells it, and NAME_host(). */
#include <stdint.h>
#include <stdio.h>
#include "calls.h"

enum { N = 1000, ROOM = 1 << 16, OVERLAP = 4, WORKSPACE = 5, OUTSIDE = 9 };
static int64_t memory[3 * ROOM / 8];
static float x[N], y[N];
static int32_t at[N];

static int differs(const char *what, int got, int want)
{
	if (got != want)
		printf("%s: status %d, expected %d\n", what, got, want);
	return got != want;
}

/* Any argument says that this is a GPU, where only what is refused can be called with this memory.
 * */
int main(int n, char **arg)
{
	const size_t bytes = f_workspace(N), whole = (bytes + 7) / 8 * 8;
	unsigned char *middle = (unsigned char *)memory + ROOM;
	int wrong = differs("the output begins it",
	                    f(N, x, at, (float *)(void *)middle, middle, bytes, NULL), OVERLAP);
	(void)arg;
	wrong += differs("the output ends in it",
	                 f(N, x, at, (float *)(void *)(middle + 8) - N, middle, bytes, NULL),
	                 OVERLAP);
	wrong += differs("an input begins in it",
	                 f(N, (float *)(void *)(middle + whole - 8), at, y, middle, bytes, NULL),
	                 OVERLAP);
	wrong += differs("an input holds it",
	                 f(N, x, (int32_t *)(void *)middle, y, middle + 8, bytes, NULL), OVERLAP);
	wrong += differs("one too small",
	                 f(N, x, at, (float *)(void *)middle, middle, bytes - 1, NULL), WORKSPACE);
	wrong += differs("none", f(N, x, at, y, NULL, bytes, NULL), WORKSPACE);
	if (n > 1)
		return wrong > 0;
	wrong += differs("one beside the output",
	                 f(N, x, at, (float *)(void *)(middle + whole), middle, ROOM, NULL), 0);
	wrong += differs("one behind it",
	                 f(N, x, at, (float *)(void *)middle - N, middle, bytes, NULL), 0);
	at[7] = N;
	wrong += differs("a call with an index outside", f(N, x, at, y, middle, bytes, NULL), 0);
	wrong += differs("its status", f_status(middle, NULL), OUTSIDE);
	wrong += differs("the same by f_host", f_host(N, x, at, y), OUTSIDE);
	at[7] = 0;
	wrong += differs("the next call", f_host(N, x, at, y), 0);
	return wrong > 0;
}
