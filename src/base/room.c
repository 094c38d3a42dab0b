/* room.c - the memory that one program may take, from its tree to its kernels: more is refused with
 * a code. */
#include "base.h"

enum { MOST_MIB = 192 };

static size_t begun;
static bool told;

void program_begin(size_t bytes)
{
	begun = mem_used() - bytes;
	told = false;
}

bool program_fits(struct loc at)
{
	bool fits = mem_used() - begun <= (size_t)MOST_MIB << 20;
	if (!fits && !told) {
		diag_error(at, D_TOO_LARGE,
		           "up to here patc takes more than %d MiB for the program", MOST_MIB);
		diag_cure("what other files hold is compiled apart: give some of the kernels, or "
		          "of the statements, files of their own");
	}
	told = told || !fits;
	return fits;
}
