/* behind.c - reductions folded where the cells of another statement are born: a group's epilogue.
 *
 * Whoever computes the cells folds their terms as he goes, part by part, each part in an order that only places
 * decide.  Their indices are the cells', so that what a term reads at its cell is recognised as what has just been
 * computed.  What parts have stored is folded in their order; then the equations get their results. */
#include "lower.h"

static struct expr *fold_here(const struct node *cells, const struct expr *fold)
{
	struct expr *index[MAX_RANK], *here = NEW(struct expr);
	for (int k = 0; k < cells->index.n; k++)
		index[k] = expr_var(cells->index.at[k], fold->at);
	*here = *fold;
	here->fold = NEW(struct fold);
	*here->fold = *fold->fold;
	here->arg.at = mem_new(sizeof *here->arg.at);
	here->arg.at[0] = expr_substitute(fold->arg.at[0], fold->fold->index.at, index, cells->index.n);
	if (fold->fold->where)
		here->fold->where = expr_substitute(fold->fold->where, fold->fold->index.at, index, cells->index.n);
	return here;
}

static struct folds folds_of_node(const struct node *node)
{
	struct folds folds = { .n = 0 };
	for (int q = 0; q < node->equation.n; q++)
		folds_of(node->equation.at[q]->right, &folds);
	return folds;
}

struct folds behind_folds(const struct group *group)
{
	struct folds all = { .n = 0 };
	for (int e = 0; e < group->epilogue.n; e++) {
		struct folds folds = folds_of_node(group->epilogue.at[e]);
		for (int f = 0; f < folds.n; f++)
			all.at[all.n++] = fold_here(group->anchor, folds.at[f]);
	}
	return all;
}

void behind_finish(struct lowering *l, const struct group *group, const struct accumulators *all)
{
	int at = 0;
	l->read = NULL;
	for (int e = 0; e < group->epilogue.n; e++) {
		struct folds folds = folds_of_node(group->epilogue.at[e]);
		struct accumulators acc = { .n = folds.n };
		for (int f = 0; f < folds.n; f++)
			acc.at[f] = all->at[at++];
		fold_finish(l, group->epilogue.at[e], &folds, &acc);
	}
}

static void join_in_order(struct lowering *l, const struct accumulators *acc, struct kx *const *partial, struct kx *parts)
{
	struct kx *part = x_var(k_for(l->k, "part", x_i64(0), parts, x_i64(1), 0));
	for (int f = 0; f < acc->n; f++)
		accumulate(l, &acc->at[f], x_at(partial[f], part));
	k_end(l->k);
}

void behind_join(struct plan *plan, const struct group *group, const struct folds *folds, struct kx *const *slot, struct kx *host_parts)
{
	struct lowering *l = lowering_new(plan, str_print("%s_fold", group->anchor->name));
	bool gpu = plan->target->gpu;
	struct kx *partial[8];
	for (int e = 0; e < group->epilogue.n; e++)
		lowering_writes(l, group->epilogue.at[e]);
	if (gpu)
		block_launch_bounds(l);
	struct kx *parts = lower_argument(l, "parts", kt_scalar(T_I64), host_parts);
	for (int f = 0; f < folds->n; f++)
		partial[f] = lower_argument(l, "partial", kt_pointer(accumulator_type(folds->at[f]), true), slot[f]);
	struct accumulators acc = folds_start(l, folds);
	(gpu ? block_fold_partials : join_in_order)(l, &acc, partial, parts);
	if (gpu)
		k_if(l->k, x_eq(block_thread(l), x_i32(0)));
	behind_finish(l, group, &acc);
	if (gpu)
		k_end(l->k);
	lowering_launch(l, x_i64(1), x_i64(1), x_i64(1));
}
