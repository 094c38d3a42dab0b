/* reduce.c - reduce y[i] = sum[k](e): folds, to a scalar or along axes.
 *
 * Every equation folds; arithmetic around the folds is fine.  Any cell may be read: legal.c proves
 * of affine subscripts that they stay inside, what data decide is tested when it runs (R34), and so
 * are ranges (ragged.h). */
#include "ask.h"
#include "eval.h"
#include "front.h"
#include "../access.h"
#include "reduce.h"
#include "../lowerings.h"

static const struct clause clauses[] = {
	{ .name = "strict" },
	{ .name = "approx" },
	{ .name = "drop" },
	{ .name = "trusted" },
	{ 0 }
};

static bool check(struct node *node)
{
	for (int k = 0; k < node->equation.n; k++)
		if (!expr_has_fold(node->equation.at[k]->right)) {
			diag_error(node->equation.at[k]->at, D_NOT_REDUCE,
			           "this equation folds nothing: that is a map, "
			           "not a reduce");
			sema_instead("map");
			sema_instead("stencil");
			sema_instead("transpose");
			sema_instead("gather");
			sema_instead("scan");
			sema_cure("a fold has the form `sum[k](x[k])`");
			return false;
		}
	return access_writes_once(node);
}

static const struct row_folds rows = { rows_unfit, rows_in_one_pass };

const struct pattern pattern_reduce = { .name = "reduce",
	                                .summary = "folds to a scalar or along axes",
	                                .clauses = clauses,
	                                .check = check,
	                                .lower = reduce_lower,
	                                .block = block_reduce,
	                                .eval = eval_cells,
	                                .fuse = FUSE_READS | FUSE_BEHIND | FUSE_ROWS | FUSE_BESIDE,
	                                .shape = reduce_shape,
	                                .rows = &rows };
