/* status.c - the statuses that a generated function returns. */
#include "base.h"

#include <assert.h>

const char *status_text(int status)
{
	static const char *const text[] = {
#define STATUS(id, number, text) [number] = text,
#include "status.def"
#undef STATUS
	};
	assert(status >= 0 && status < STATUS_COUNT_ && "a status of the table");
	return text[status];
}

bool status_stands(int status)
{
	return status == ST_OK || status == ST_INDEX || status == ST_FULL || status == ST_BOX
	       || status == ST_ENDLESS || status == ST_PIVOT;
}
