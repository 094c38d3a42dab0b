/* histogram.c - histogram h[bin(x[i])] += 1: items are combined in bins.
 *
 * It means what a scatter means, and its checks are a scatter's (R39): any right side is a weight,
 * any operator that is associative and commutes combines, bins are integers of any expression, what
 * falls outside is left out and recorded, under `drop` without a word. The name says that there are
 * many items and few bins: then each block has bins of its own (pass_privatise.c, meet_private.c).
 * */
#include "eval.h"
#include "../lowerings.h"
#include "pass.h"

static const struct clause clauses[] = {
	{ .name = "drop" },
	{ .name = "trusted" },
	{ .name = "strict" },
	{ .name = "approx" },
	{ 0 }
};

static void shape(const struct node *node, const struct target *target, struct shape *s)
{
	meet_shape(node, target, s);
	s->few_cells = true;
}

const struct pattern pattern_histogram = { .name = "histogram",
	                                   .summary = "counts or combines items in bins",
	                                   .clauses = clauses,
	                                   .check = scatter_fits,
	                                   .lower = meet_lower,
	                                   .eval = eval_cells,
	                                   .fuse = FUSE_READS,
	                                   .shape = shape,
	                                   .combines = true,
	                                   .expands = true };
