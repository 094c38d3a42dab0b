/* room.c - limits the memory that one program may take in the compiler, from its tree to its
 * kernels: a larger program is refused with a code. */
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
		           "compiling the program up to here takes more than %d MiB", MOST_MIB);
		diag_cure("move some of the kernels or statements to other files, which are "
		          "compiled separately");
	}
	told = told || !fits;
	return fits;
}
