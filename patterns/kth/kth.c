/* kth.c - reduce v[i] = kth[j](x[i, j], k): of the terms the one that would come to place k if they
 * were sorted (sorting.h).  A `reduce` by its word; sema_stmt.c sees that it is this one. */
#include "eval.h"
#include "sorting.h"
#include "kth.h"

static const struct clause clauses[] = {
	{ .name = "strict" },
	{ .name = "approx" },
	{ 0 }
};

/* kth_sema.c has looked at all of it. */
static bool check(struct node *node)
{
	(void)node;
	return true;
}

const struct pattern pattern_kth = { .name = "kth",
	                             .summary = "the k-th value in sorted order",
	                             .clauses = clauses,
	                             .front = &kth_front,
	                             .check = check,
	                             .lower = kth_lower,
	                             .eval = kth_eval,
	                             .fuse = FUSE_READS,
	                             .shape = kth_shape };
