/* cell_reach.c - which cells have all their neighbours inside: how far the reads of a statement
 * reach along each axis, by constants, sizes, parameters and the ranges of windows.
 *
 * Those cells are computed without a test; cell_read.c has the edges of the others. */
#include <assert.h>
#include "cells.h"

bool cells_each_read(struct cells *c, bool (*visit)(struct expr *, void *), void *state)
{
	for (int q = 0; q < c->node->equation.n; q++)
		if (!expr_walk(c->node->equation.at[q]->right, visit, state))
			return false;
	return !c->node->where || expr_walk(c->node->where, visit, state);
}

/* How far accesses reach along one axis of one extent: from coef * index + lo to coef * index + hi,
 * which is below lo where a window has no cells.  No index plus FAR is safe. */
#define FAR (INT64_C(1) << 62)
struct reach {
	int k;
	int64_t coef;
	struct affine extent;
	struct shift_end lo, hi;
	const struct window *window;     /* the innermost one around it; NULL: none */
};
/* A fold that may have no term. */
struct window { const struct fold *fold; const struct window *around; };
struct reaches { struct cells *c; LIST(struct reach) at; bool simple; };

static bool is_before(const struct shift_end *a, const struct shift_end *b)
{
	return a->sum.constant < b->sum.constant;
}

/* Apart by a number, which may be 0. */
static bool is_near(const struct shift_end *a, const struct shift_end *b)
{
	struct affine sum = a->sum;
	return !a->n && !b->n && affine_add(&sum, &b->sum, -1) && !sum.n;
}

/* Of these, one is inside where the other is, or the other way round. */
static bool joins(const struct reach *a, const struct reach *b)
{
	return a->k == b->k && a->coef == b->coef && a->window == b->window
	       && affine_equal(&a->extent, &b->extent) && is_near(&a->lo, &b->lo)
	       && is_near(&a->hi, &b->hi);
}

static void add_reach(struct reaches *r, const struct reach *reach)
{
	for (int i = 0; i < r->at.n; i++) {
		struct reach *x = &r->at.at[i];
		if (!joins(x, reach))
			continue;
		x->lo = is_before(&reach->lo, &x->lo) ? reach->lo : x->lo;
		x->hi = is_before(&x->hi, &reach->hi) ? reach->hi : x->hi;
		return;
	}
	list_add(&r->at, *reach);
}

static bool is_far(const struct shift_end *end)
{
	return end->sum.constant <= -FAR || end->sum.constant >= FAR;
}

static bool is_near_enough(const struct reach *r)
{
	return r->coef >= -FAR_FACTOR && r->coef <= FAR_FACTOR && !is_far(&r->lo)
	       && !is_far(&r->hi);
}

/* Along an axis of the read that has an edge; false: bounds cannot tell. */
static bool reach_along(const struct node *node, const struct expr *read, int axis, struct reach *r)
{
	struct shift s;
	access_shift(node, read->arg.at[axis], &s);
	*r = (struct reach){ .k = s.k, .coef = s.coef, .extent = read->var->extent[axis] };
	return shift_ends(node, &s.rest, &r->lo, &r->hi);
}

static bool reach_of_read(struct expr *e, void *state)
{
	struct reaches *r = state;
	const struct node *node = r->c->node;
	for (int a = 0; e->kind == E_READ && a < e->var->rank; a++) {
		struct reach reach;
		if (!cell_edged_along(node, e, a))
			continue;
		if (reach_along(node, e, a, &reach) && reach.coef > 0 && is_near_enough(&reach))
			add_reach(r, &reach);
		else
			r->simple = false;           /* the edge decides cell by cell */
	}
	return true;
}

static struct reaches reaches_of(struct cells *c)
{
	struct reaches r = { .c = c, .simple = true };
	cells_each_read(c, reach_of_read, &r);
	return r;
}

/* A range may begin below zero, where the target is shifted too, or where only the caller knows. */
static bool reaches_below(const struct cells *c, const struct reach *r)
{
	struct affine from, least = r->lo.sum;
	return r->coef < 0 || r->lo.n || !affine_of(c->node->lo.at[r->k], &from)
	       || !affine_add(&least, &from, r->coef) || !affine_never_negative(&least);
}

/* times * x is added. */
static struct kx *add_times(struct kx *sum, int64_t times, struct kx *x)
{
	if (times == -1)
		return x_wrapping(OP_SUB, sum, x);
	return x_wrapping(OP_ADD, sum,
	                times == 1 ? x : x_wrapping(OP_MUL, x_i64(times), x));
}

struct kx *shift_end_value(struct lowering *l, struct kx *from, const struct shift_end *end)
{
	for (int t = 0; t < end->sum.n; t++)
		from = add_times(from, end->sum.term[t].coef,
		                 x_to_i64(lower_var(l, end->sum.term[t].var)));
	for (int b = 0; b < end->n; b++)
		from = add_times(from, end->at[b].times, lower_wrapping(l, end->at[b].bound));
	return end->sum.constant ? x_wrapping(OP_ADD, from, x_i64(end->sum.constant)) : from;
}

static struct kx *is_small(const struct type *type, struct kx *x)
{
	struct kx *most = x_i64(INT64_C(1) << 40);
	if (type_size(type) < 8)
		return NULL;
	return x_and(x_le(x_sub(x_i64(0), most), x), x_le(x, most));
}

/* Sizes are below 2^48. */
struct kx *shift_end_small(struct lowering *l, const struct shift_end *end)
{
	struct kx *small = NULL;
	for (int t = 0; t < end->sum.n; t++) {
		const struct var *var = end->sum.term[t].var;
		if (var->kind != VAR_SIZE)
			small = x_and(small, is_small(var->type, x_to_i64(lower_var(l, var))));
	}
	for (int b = 0; b < end->n; b++) {
		const struct expr *bound = end->at[b].bound;
		small = x_and(small, is_small(bound->type, lower_wrapping(l, bound)));
	}
	return small;
}

static struct kx *end_of(struct cells *c, const struct reach *r, struct kx *index,
                         const struct shift_end *end)
{
	bool near = is_near_enough(r);
	struct kx *at = r->coef == 1 ? index
	                : near       ? x_mul(x_i64(r->coef), index)
	                             : x_wrapping(OP_MUL, x_i64(r->coef), index);
	if (shift_end_number(end) && near)
		return end->sum.constant ? x_add(at, x_i64(end->sum.constant)) : at;
	return shift_end_value(c->l, at, end);
}

/* Ends that parameters decide must be in order, too. */
static struct kx *reach_inside(struct cells *c, const struct reach *r, struct kx *first,
                               struct kx *last)
{
	const struct shift_end none = { .n = 0 };
	struct kx *inside = NULL, *end = end_of(c, r, last, &r->hi);
	if (!shift_end_number(&r->lo) || !shift_end_number(&r->hi) || !is_near_enough(r)) {
		struct kx *from = x_var(k_let(c->l->k, "from", end_of(c, r, first, &r->lo)));
		end = x_var(k_let(c->l->k, "to", end));
		inside = x_and(x_le(x_i64(0), from), x_le(from, end));
	} else if (reaches_below(c, r)) {
		inside = x_le(x_i64(-r->lo.sum.constant), end_of(c, r, first, &none));
	}
	return x_and(inside, x_lt(end, lower_affine(c->l, &r->extent)));
}

struct kx *cells_inside_rows(struct cells *c)
{
	struct reaches r = reaches_of(c);
	struct kx *inside = r.simple ? NULL : x_int(T_BOOL, 0);
	for (int i = 0; i < r.at.n; i++)
		if (r.at.at[i].k != c->column)
			inside = x_and(inside, reach_inside(c, &r.at.at[i], c->index[r.at.at[i].k],
			                                    c->index[r.at.at[i].k]));
	return inside;
}

struct kx *cells_inside(struct cells *c, struct kx *first, struct kx *last)
{
	struct reaches r = reaches_of(c);
	struct kx *inside = cells_inside_rows(c);
	for (int i = 0; i < r.at.n; i++)
		if (r.at.at[i].k == c->column)
			inside = x_and(inside, reach_inside(c, &r.at.at[i], first, last));
	return inside;
}

/* ---- boundary keep ---- */

static void add_kept(struct reaches *r, const struct expr *read, const struct window *window)
{
	const struct node *node = r->c->node;
	for (int a = 0; a < read->var->rank; a++) {
		struct reach reach;
		if (!cell_edged_along(node, read, a))
			continue;
		bool known = reach_along(node, read, a, &reach);
		if (node->edge[reach.k].kind != B_KEEP)
			continue;
		assert(known && "stencil.c refuses other windows");
		reach.window = window;
		add_reach(r, &reach);
	}
}

static void find_kept(struct reaches *r, const struct expr *e, const struct window *window)
{
	if (e->kind == E_READ)
		add_kept(r, e, window);
	if (e->fold && !fold_constant(e->fold)) {
		struct window *inner = NEW(struct window);
		*inner = (struct window){ e->fold, window };
		window = inner;
	}
	if (e->fold && e->fold->where)
		find_kept(r, e->fold->where, window);
	for (int i = 0; i < e->arg.n; i++)
		find_kept(r, e->arg.at[i], window);
}

/* A window without cells reads nothing, and keeps no cell. */
static struct kx *is_empty(struct cells *c, const struct window *window)
{
	struct kx *empty = NULL;
	for (; window; window = window->around)
		for (int k = 0; k < window->fold->index.n; k++) {
			struct kx *lo = lower_index(c->l, window->fold->lo.at[k]);
			empty = x_or(empty, x_le(lower_index(c->l, window->fold->hi.at[k]), lo));
		}
	return empty;
}

struct kx *cells_kept(struct cells *c, int axis, bool alone)
{
	struct reaches r = { .c = c };
	struct kx *inside = NULL;
	for (int q = 0; q < c->node->equation.n; q++)
		find_kept(&r, c->node->equation.at[q]->right, NULL);
	if (c->node->where)
		find_kept(&r, c->node->where, NULL);
	for (int i = 0; i < r.at.n; i++) {
		const struct reach *at = &r.at.at[i];
		struct kx *index = c->index[at->k];
		if ((at->k == axis) == alone)
			inside = x_and(inside, x_or(is_empty(c, at->window),
			                            reach_inside(c, at, index, index)));
	}
	return inside;
}

/* ---- columns ---- */

/* The columns whose accesses from least to most along the axis are all inside. */
static void narrow(struct cells *c, const struct reach *r, struct kx *least, struct kx *most,
                   struct kx **lo, struct kx **hi)
{
	struct kx *extent = lower_affine(c->l, &r->extent), *coef = x_i64(r->coef);
	struct kx *before = x_sub(x_i64(0), least), *end = x_sub(extent, most);
	if (reaches_below(c, r))
		*lo = x_max(*lo, r->coef == 1 ? kx_fold(before) : x_div_up(before, coef));
	*hi = x_min(*hi, r->coef == 1 ? kx_fold(end) : x_div_up(x_max(end, x_i64(0)), coef));
}

/* The same where parameters decide: no column, if that leads far away. */
static void narrow_by_values(struct cells *c, const struct reach *r, struct kx **lo, struct kx **hi)
{
	struct kx *far = x_i64(INT64_C(1) << 48), *from = *lo, *to = *hi;
	struct kx *least = x_var(k_let(c->l->k, "least", end_of(c, r, x_i64(0), &r->lo)));
	struct kx *most = x_var(k_let(c->l->k, "most", end_of(c, r, x_i64(0), &r->hi)));
	struct kx *near = x_and(x_lt(x_sub(x_i64(0), far), least),
	                        x_and(x_le(least, most), x_lt(most, far)));
	near = x_var(k_let(c->l->k, "near", near));
	narrow(c, r, least, most, &from, &to);
	*lo = x_cond(near, from, *hi);
	*hi = x_cond(near, to, *hi);
}

void cells_column_range(struct cells *c, struct kx **lo, struct kx **hi)
{
	struct reaches r = reaches_of(c);
	for (int i = 0; i < r.at.n; i++) {
		const struct reach *at = &r.at.at[i];
		if (at->k != c->column)
			continue;
		if (shift_end_number(&at->lo) && shift_end_number(&at->hi))
			narrow(c, at, x_i64(at->lo.sum.constant), x_i64(at->hi.sum.constant), lo,
			       hi);
		else
			narrow_by_values(c, at, lo, hi);
	}
}
