/* gather.c - gather y[i] = x[idx[i]]: every cell from cells anywhere.
 *
 * What a subscript may be is open: affine (x[2*i+1], x[n-1-i]), permuted, an array's cell, an
 * array's cell at an array's cell.  legal.c proves of the affine ones that they stay inside; what
 * data decide is tested when it runs (R34): a cell that would read outside keeps its value and is
 * recorded, `drop` leaves it without a word, `trusted` leaves out the test.  Cells are computed on
 * map's road (patterns/cells.c): along the last index a thread takes a vector of them, so that its
 * indices come in one access and all that it gathers is under way at once. */
#include "ask.h"
#include "eval.h"
#include "front.h"
#include "../access.h"
#include "../lowerings.h"

static const struct clause clauses[] = {
	{ .name = "strict" },
	{ .name = "approx" },
	{ .name = "drop" },
	{ .name = "trusted" },
	{ .name = "unique" },
	{ 0 }
};

static bool folds_nothing(const struct expr *e)
{
	if (!expr_has_fold(e))
		return true;
	diag_error(e->at, D_NOT_GATHER, "this folds over an index: that is a reduce, not a gather");
	sema_instead("reduce");
	sema_cure("write `reduce` instead of `gather`");
	return false;
}

static bool check(struct node *node)
{
	for (int k = 0; k < node->equation.n; k++)
		if (!folds_nothing(node->equation.at[k]->right))
			return false;
	return folds_nothing(node->where) && access_writes_once(node);
}

const struct pattern pattern_gather = { .name = "gather",
	                                .summary = "reads at computed indices",
	                                .clauses = clauses,
	                                .check = check,
	                                .lower = map_lower,
	                                .block = block_cells,
	                                .eval = eval_cells,
	                                .expands = true,
	                                .fuse = FUSE_INTO | FUSE_READS,
	                                .shape = map_shape };
