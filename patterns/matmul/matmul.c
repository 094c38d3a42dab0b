/* matmul.c - matmul C[i, j] = sum[k](A[i, k] * B[k, j])
 *
 * Known by name, with its clauses, so that programs that use it are told that it is not built yet. */
#include "patc.h"

static const struct clause clauses[] = {
	{ .name = "strict" }, { .name = "approx" }, { 0 }
};

const struct pattern pattern_matmul = { .name = "matmul", .summary = "sums of products over any semiring", .clauses = clauses };
