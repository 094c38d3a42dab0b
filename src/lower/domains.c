/* domains.c - limits domains to 2^62 cells: a call with a larger domain is refused.
 *
 * Texts multiply the extents of a domain, or of a fold's ranges, in 64 bits: how many cells, terms
 * or strips there are, and from these the workspace.  Every size of a call is 2^48 at most
 * (rt/host.h), and the bytes of an array are 2^62, so most domains fit by what is checked anyhow:
 * those whose extents lie within an array's axes, an axis each, and those too small to overflow
 * whatever the sizes are.  The others are n * m of arrays of n and of m; for them the call has a
 * limit of its own.
 *
 * Rule: an extent is the upper end less the lower where both are affine in sizes.  Ends that data,
 * scalars or indices around decide count as one cell; what data cut lies in an array. */
#include "legal.h"
#include "lower.h"

struct extents { const struct affine *at[MAX_RANK]; int n; };

static bool is_of_sizes(const struct affine *a)
{
	for (int i = 0; i < a->n; i++)
		if (a->term[i].var->kind != VAR_SIZE)
			return false;
	return true;
}

static void add_extent(struct extents *x, const struct expr *lo, const struct expr *hi)
{
	struct affine from, *to = NEW(struct affine);
	if (!affine_of(lo, &from) || !affine_of(hi, to) || !affine_add(to, &from, -1)
	    || !is_of_sizes(to))
		return;
	if (x->n < MAX_RANK)
		x->at[x->n++] = to;
}

/* The most it can be, and what is computed on the way to it. */
static double most_of(const struct affine *a)
{
	double most = a->constant < 0 ? -(double)a->constant : (double)a->constant;
	for (int i = 0; i < a->n; i++)
		most += (a->term[i].coef < 0 ? -(double)a->term[i].coef : (double)a->term[i].coef)
		        * (double)SIZE_LIMIT;
	return most < 1 ? 1 : most;
}

static bool always_fits(const struct extents *x)
{
	double most = 1;
	for (int i = 0; i < x->n; i++)
		most *= most_of(x->at[i]);
	return most <= (double)CELLS_LIMIT;
}

static bool is_within(const struct affine *extent, const struct affine *axis)
{
	struct affine rest = *axis;
	return affine_add(&rest, extent, -1) && rest.n == 0 && rest.constant >= 0;
}

/* Each extent within an axis, the first that no other has taken. */
static bool covers(const struct var *array, const struct extents *x)
{
	bool taken[MAX_RANK] = { false };
	for (int i = 0; i < x->n; i++) {
		int a = 0;
		while (a < array->rank && (taken[a] || !is_within(x->at[i], &array->extent[a])))
			a++;
		if (a == array->rank)
			return false;
		taken[a] = true;
	}
	return true;
}

static bool is_covered(const struct entry *e, const struct extents *x)
{
	for (int i = 0; i < e->param.n; i++)
		if (covers(e->param.at[i], x))
			return true;
	for (int i = 0; i < e->let.n; i++)
		if (covers(e->let.at[i], x))
			return true;
	return false;
}

static void limit(struct plan *plan, const struct extents *x)
{
	if (!always_fits(x) && !is_covered(plan->entry, x))
		plan_limit(plan, x->n, x->at, CELLS_LIMIT);
}

static bool limit_fold(struct expr *e, void *plan)
{
	struct extents x = { .n = 0 };
	if (e->kind != E_FOLD)
		return true;
	for (int d = 0; d < e->fold->index.n; d++)
		add_extent(&x, e->fold->lo.at[d], e->fold->hi.at[d]);
	limit(plan, &x);
	return true;
}

void domains_limit(struct plan *plan, struct node *const *node, int n)
{
	for (int i = 0; i < n; i++) {
		struct extents x = { .n = 0 };
		for (int d = 0; d < node[i]->index.n; d++)
			add_extent(&x, node[i]->lo.at[d], node[i]->hi.at[d]);
		limit(plan, &x);
		if (node[i]->kind == NODE_PATTERN)
			node_walk(node[i], limit_fold, plan);
		domains_limit(plan, node[i]->body.at, node[i]->body.n);
	}
}
