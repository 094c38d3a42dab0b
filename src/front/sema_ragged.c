/* sema_ragged.c - which ranges data decide, and which array they are cut to: ragged.h. */
#include "front.h"
#include "ragged.h"

static const struct expr *under_casts(const struct expr *e)
{
	while (e->kind == E_CAST)
		e = e->arg.at[0];
	return e;
}

static bool one_array(const struct expr *lo, const struct expr *hi)
{
	lo = under_casts(lo);
	hi = under_casts(hi);
	return lo->kind == E_READ && hi->kind == E_READ && lo->var == hi->var;
}

/* The extent that `index` subscripts bare in an access which every evaluation of e comes to. */
static bool always_inside(const struct expr *e, const struct var *index, struct affine *extent)
{
	for (int a = 0; e->kind == E_READ && a < e->var->rank; a++)
		if (e->arg.at[a]->kind == E_VAR && e->arg.at[a]->var == index) {
			*extent = e->var->extent[a];
			return true;
		}
	bool lazy = expr_lazy(e);
	int n = lazy ? 1 : e->kind == E_FOLD ? 0 : e->arg.n;
	for (int a = 0; a < n; a++)
		if (always_inside(e->arg.at[a], index, extent))
			return true;
	return false;
}

struct cut *cuts_of(const struct fold *fold, const struct expr *term)
{
	struct cut *cut = mem_new(sizeof *cut * (size_t)(fold->index.n + 1));
	const struct expr *first = fold->where ? fold->where : term;
	struct affine extent;
	bool some = false;

	for (int d = 0; d < fold->index.n; d++) {
		const struct expr *lo = fold->lo.at[d], *hi = fold->hi.at[d];
		cut[d].data = has_data(lo) || has_data(hi);
		some |= cut[d].data;
		cut[d].rises = cut[d].data && one_array(lo, hi);
		if (cut[d].data && always_inside(first, fold->index.at[d], &extent))
			cut[d].end = extent_expr(&extent, fold->index.at[d]->at);
	}
	return some ? cut : NULL;
}

static bool leave_out(struct expr *e, void *unused)
{
	(void)unused;
	e->checked = false;
	for (int d = 0; e->fold && e->fold->cut && d < e->fold->index.n; d++)
		e->fold->cut[d].trusted = true;
	return true;
}

void checks_left_out(struct node *node)
{
	node_walk(node, leave_out, NULL);
}
