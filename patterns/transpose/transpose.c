/* transpose.c - transpose B[j, i] = A[i, j]
 *
 * Known by name, with its clauses, so that programs that use it are told that it is not built yet. */
#include "patc.h"

static const struct clause clauses[] = {
	{ 0 }
};

const struct pattern pattern_transpose = { .name = "transpose", .summary = "permutes axes", .clauses = clauses };
