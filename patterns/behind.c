/* behind.c - reductions fused into the statement that computes their cells: epilogues.
 *
 * Whoever computes the cells folds their terms as he goes, part by part, each part in an order that
 * only places decide.  Their indices are the cells', so that what a term reads at its cell is
 * recognised as what has just been computed.  What parts have stored is folded in their order; then
 * the equations get their results.  A reduce that keeps cells has a result for each of the
 * wavefront's problems, which are told apart by the indices that it keeps. */
#include <assert.h>
#include <string.h>
#include "lower.h"
#include "ragged.h"

struct search { const struct node *cells; struct expr *read, *target; };

static bool not_target(struct expr *e, void *state)
{
	struct search *s = state;
	for (int t = 0; e->kind == E_READ && node_target(s->cells, t); t++)
		if (node_target(s->cells, t)->var == e->var) {
			s->target = (struct expr *)node_target(s->cells, t);
			s->read = e;
			return false;
		}
	return true;
}

/* The index that a subscript is, `i` or `i+0`; or NULL. */
static struct var *index_of(const struct expr *subscript)
{
	struct affine f;
	bool bare = affine_of(subscript, &f) && f.n == 1 && f.term[0].coef == 1 && f.constant == 0;
	return bare ? f.term[0].var : NULL;
}

/* What a fold, or the reduce it is in, calls the indices of the cells: it reads some target, and at
 * that very cell. */
static void names_of(const struct node *cells, const struct expr *fold, struct var **name)
{
	struct search s = { .cells = cells };
	if (expr_walk(fold->arg.at[0], not_target, &s))
		expr_walk(fold->fold->where, not_target, &s);
	assert(s.read && "pass_fuse has seen a read");
	for (int k = 0; k < cells->index.n; k++)
		for (int a = 0; a < s.target->arg.n; a++)
			if (index_of(s.target->arg.at[a]) == cells->index.at[k])
				name[k] = index_of(s.read->arg.at[a]);
}

static void ranges_here(struct fold *here, const struct node *cells, struct var *const *name,
                        struct expr *const *index)
{
	struct fold was = *here;
	memset(&here->index, 0, sizeof here->index);
	memset(&here->lo, 0, sizeof here->lo);
	memset(&here->hi, 0, sizeof here->hi);
	for (int d = 0; d < was.index.n; d++) {
		int k = 0;
		while (name[k] != was.index.at[d])
			k++;
		list_add(&here->index, cells->index.at[k]);
		list_add(&here->lo, expr_substitute(was.lo.at[d], name, index, cells->index.n));
		list_add(&here->hi, expr_substitute(was.hi.at[d], name, index, cells->index.n));
	}
}

static struct expr *fold_here(const struct node *cells, const struct expr *fold)
{
	struct expr *index[MAX_RANK], *here = NEW(struct expr);
	struct var *name[MAX_RANK];
	names_of(cells, fold, name);
	for (int k = 0; k < cells->index.n; k++)
		index[k] = expr_var(cells->index.at[k], fold->at);
	*here = *fold;
	here->fold = NEW(struct fold);
	*here->fold = *fold->fold;
	ranges_here(here->fold, cells, name, index);
	here->arg.at = mem_new(sizeof *here->arg.at);
	here->arg.at[0] = expr_substitute(fold->arg.at[0], name, index, cells->index.n);
	if (fold->fold->where)
		here->fold->where = expr_substitute(fold->fold->where, name, index, cells->index.n);
	if (fold->fold->asked)
		here->fold->asked = expr_substitute(fold->fold->asked, name, index, cells->index.n);
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

void behind_terms(struct lowering *l, const struct folds *folds, const struct accumulators *acc)
{
	for (int f = 0; f < folds->n; f++) {
		bool is_arg = op_is_arg(folds->at[f]->fold->op);
		l->term = is_arg ? fold_number(l, folds->at[f]->fold) : NULL;
		fold_step(l, folds->at[f], &acc->at[f]);
	}
}

void behind_bind(struct lowering *l, const struct node *cells, const struct node *r)
{
	struct var *name[MAX_RANK];
	names_of(cells, folds_of_node(r).at[0], name);
	for (int k = 0; k < cells->index.n; k++)
		for (int d = 0; d < r->index.n; d++)
			if (name[k] == r->index.at[d])
				lower_bind(l, name[k], lower_var(l, cells->index.at[k]));
}

/* What the data have of its ranges outside the arrays is recorded (R34), as if it ran here. */
static void record_ranges(struct lowering *l, const struct expr *e)
{
	const struct fold *fold = e->fold;
	bool records = false;
	for (int d = 0; d < fold->index.n; d++)
		records |= fold_cut(fold, d) && !fold_cut(fold, d)->trusted;
	for (int d = 0; records && d < fold->index.n; d++) {
		struct kx *lo, *hi;
		lower_range(l, fold, d, &lo, &hi);
		if (d + 1 < fold->index.n)
			k_if(l->k, x_lt(lo, hi));
	}
	for (int d = 1; records && d < fold->index.n; d++)
		k_end(l->k);
}

static void finish_one(struct lowering *l, const struct node *cells, const struct node *r,
                       const struct folds *folds, const struct accumulators *acc)
{
	struct lower_context before = l->now;
	l->now.drops = node_clause(r, "drop");
	behind_bind(l, cells, r);
	for (int f = 0; f < folds->n; f++)
		record_ranges(l, folds->at[f]);
	fold_finish(l, r, folds, acc);
	l->now = before;
}

void behind_finish(struct lowering *l, const struct group *group, const struct accumulators *all)
{
	int at = 0;
	l->now.read = NULL;
	for (int e = 0; e < group->epilogue.n; e++) {
		struct folds folds = folds_of_node(group->epilogue.at[e]);
		struct accumulators acc = { .n = folds.n };
		for (int f = 0; f < folds.n; f++)
			acc.at[f] = all->at[at++];
		finish_one(l, group->anchor, group->epilogue.at[e], &folds, &acc);
	}
}

static void join_in_order(struct lowering *l, const struct accumulators *acc,
                          struct kx *const *partial, struct kx *parts)
{
	struct kx *part = x_var(k_for(l->k, "part", x_i64(0), parts, x_i64(1), 0));
	for (int f = 0; f < acc->n; f++)
		accumulate(l, &acc->at[f], x_at(partial[f], part));
	k_end(l->k);
}

void behind_join(struct plan *plan, const struct group *group, const struct folds *folds,
                 struct kx *const *slot, struct kx *host_parts)
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
		partial[f] = lower_argument(l, "partial",
		                            kt_pointer(accumulator_type(folds->at[f]), true),
		                            slot[f]);
	struct accumulators acc = folds_start(l, folds);
	(gpu ? block_fold_partials : join_in_order)(l, &acc, partial, parts);
	if (gpu)
		k_if(l->k, x_eq(block_thread(l), x_i32(0)));
	behind_finish(l, group, &acc);
	if (gpu)
		k_end(l->k);
	lowering_launch(l, x_i64(1), x_i64(1), x_i64(1));
}
