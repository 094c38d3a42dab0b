/* reduce.c - reduce y[i] = sum[k](e): folds, to a scalar or along axes.
 *
 * Every equation folds; arithmetic around the folds is fine.  Inside a fold any affine
 * subscript of the indices may be read, and affine.c proves that it stays inside.  Subscripts
 * that data decide are not built yet. */
#include "../access.h"
#include "../lowerings.h"

static const struct clause clauses[] = {
	{ .name = "strict", .built = true }, { .name = "approx", .built = true }, { .name = "drop" }, { .name = "trusted" }, { 0 }
};

static bool fits(const struct node *node, const struct expr *read)
{
	enum access kind = access_kind(node, read);

	if (kind < ACCESS_COMPUTED)
		return true;
	diag_error(read->at, D_INDIRECT_NOT_BUILT, "reduce: reading %s, where %s, is not built yet",
	           access_text(read), kind == ACCESS_INDIRECT ? "another array says where"
	                                                      : "the subscript is computed");
	diag_cure("subscripts are sums of indices, sizes and constants");
	return false;
}

static bool check(struct node *node)
{
	for (int k = 0; k < node->equation.n; k++)
		if (!access_has_fold(node->equation.at[k]->right)) {
			diag_error(node->equation.at[k]->at, D_NOT_REDUCE,
			           "this equation folds nothing: that is a map, "
			           "not a reduce");
			diag_cure("a fold looks like `sum[k](x[k])`");
			return false;
		}
	return access_each(node, fits) && access_writes_once(node);
}

const struct pattern pattern_reduce = {
	.name = "reduce", .summary = "folds to a scalar or along axes", .clauses = clauses, .built = true,
	.check = check, .lower = reduce_lower, .eval = eval_cells,
	.fuse = FUSE_READS | FUSE_BEHIND | FUSE_ROWS, .shape = reduce_shape
};
