/* wavefront.c - wavefront A[i, j] = p[i, j] + A[i-1, j] + A[i, j-1] - A[i-1, j-1] boundary 0
 *
 * Known by name, with its clauses, so that programs that use it are told that it is not built yet. */
#include "patc.h"

static const struct clause clauses[] = {
	{ .name = "boundary", .values = -1 },
	{ .name = "from", .values = 1, .words = "right below" }, { .name = "using" },
	{ .name = "strict" }, { 0 }
};

const struct pattern pattern_wavefront = { .name = "wavefront", .summary = "recurrences over neighbours already reached", .clauses = clauses };
