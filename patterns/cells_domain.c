/* cells_domain.c - over which cells a kernel runs.
 *
 * A range that sizes and parameters give is known to the host.  One that another index bounds (a
 * triangle) or a device scalar (R23) is not: the host takes the range in which some target has a
 * cell, and every cell tests whether it is in the domain (cells_guard).  Cells of the domain
 * outside that range are written nowhere; where sema could not exclude them, a kernel of one thread
 * looks whether there are some and records that (cells_check_ranges).  Its loops run to the first
 * such cell only. */
#include <assert.h>
#include "cells.h"
#include "ragged.h"
#include "wavefront.h"

static bool host_knows_term(struct expr *e, void *state)
{
	const struct node *node = state;
	for (int d = 0; d < node->index.n; d++)
		if (e->kind == E_VAR && e->var == node->index.at[d])
			return false;
	return e->kind != E_READ && !(e->kind == E_VAR && var_on_device(e->var));
}

static bool host_knows(const struct node *node, const struct expr *bound)
{
	return expr_walk((struct expr *)bound, host_knows_term, (void *)node);
}

bool cells_exact(const struct node *node, int k)
{
	return host_knows(node, node->lo.at[k]) && host_knows(node, node->hi.at[k]);
}

/* Data may make it anything. */
static struct kx *bound(struct lowering *l, const struct expr *e)
{
	return (has_data(e) ? lower_wrapping : lower_index)(l, e);
}

/* ---- the range in which a target has a cell ---- */

/* An axis of a target that one index alone moves: coef * index + rest in 0 .. extent. */
struct axis { int64_t coef; struct affine rest, extent; };

static bool axis_of(const struct node *node, const struct var *index, const struct expr *sub,
                    struct axis *axis)
{
	axis->coef = 0;
	if (!affine_of(sub, &axis->rest))
		return false;
	for (int t = 0; t < axis->rest.n; t++) {
		if (axis->rest.term[t].var == index)
			axis->coef = axis->rest.term[t].coef;
		for (int d = 0; d < node->index.n; d++)
			if (axis->rest.term[t].var == node->index.at[d]
			    && node->index.at[d] != index)
				return false;
	}
	struct affine own = affine_var((struct var *)index);
	return axis->coef && affine_add(&axis->rest, &own, -axis->coef);
}

static bool target_axis(const struct node *node, int k, const struct expr *target,
                        struct axis *axis)
{
	const struct expr *cell = target_read((struct expr *)target);
	const struct type *fixed = target->kind == E_ELEM ? target->arg.at[0]->type : NULL;
	for (int a = 0; cell->kind == E_READ && a < cell->var->rank; a++) {
		axis->extent = cell->var->extent[a];
		if (axis_of(node, node->index.at[k], cell->arg.at[a], axis))
			return true;
	}
	for (int a = 0; fixed && a < fixed->rank; a++) {
		axis->extent = affine_constant(fixed->extent[a]);
		if (axis_of(node, node->index.at[k], target->arg.at[a + 1], axis))
			return true;
	}
	return false;
}

/* Divisions round towards zero: a range may be larger by a cell, which is tested like every other.
 * */
static struct kx *axis_lo(struct lowering *l, const struct axis *axis)
{
	struct kx *rest = lower_affine(l, &axis->rest);
	if (axis->coef == 1)
		return x_sub(x_i64(0), rest);
	if (axis->coef > 0)
		return x_div(x_sub(x_i64(0), rest), x_i64(axis->coef));
	return x_div(x_sub(rest, lower_affine(l, &axis->extent)), x_i64(-axis->coef));
}

static struct kx *axis_hi(struct lowering *l, const struct axis *axis)
{
	struct kx *rest = lower_affine(l, &axis->rest), *extent = lower_affine(l, &axis->extent);
	if (axis->coef == 1)
		return x_is_int(rest, 0) ? extent : x_sub(extent, rest);
	if (axis->coef > 0)
		return x_add(x_div(x_sub(extent, rest), x_i64(axis->coef)), x_i64(1));
	return x_add(x_div(rest, x_i64(-axis->coef)), x_i64(1));
}

/* Of all targets together: from the smallest, to the largest. */
static struct kx *target_range(const struct node *node, int k, struct lowering *l, bool high)
{
	struct kx *range = NULL;
	for (int t = 0; node_target(node, t); t++) {
		struct axis axis;
		bool known = target_axis(node, k, node_target(node, t), &axis);
		assert(known && "access_writes_once wants every index alone in some axis");
		struct kx *one = high ? axis_hi(l, &axis) : axis_lo(l, &axis);
		range = !range ? one : high ? x_max(range, one) : x_min(range, one);
	}
	return kx_fold(range);
}

/* ---- for the kernels ---- */

struct kx *cells_range_lo(struct cells *c, int k, struct lowering *l)
{
	return cells_exact(c->node, k) ? bound(l, c->node->lo.at[k])
	                               : target_range(c->node, k, l, false);
}

struct kx *cells_range_hi(struct cells *c, int k, struct lowering *l)
{
	return cells_exact(c->node, k) ? bound(l, c->node->hi.at[k])
	                               : target_range(c->node, k, l, true);
}

bool cells_even(struct cells *c)
{
	for (int k = 0; k < c->rank; k++)
		if (!cells_exact(c->node, k))
			return false;
	return true;
}

struct kx *cells_guard_index(struct cells *c, int k)
{
	if (cells_exact(c->node, k))
		return NULL;
	struct kx *hi = bound(c->l, c->node->hi.at[k]);
	return x_and(x_le(bound(c->l, c->node->lo.at[k]), c->index[k]), x_lt(c->index[k], hi));
}

struct kx *cells_guard(struct cells *c)
{
	struct kx *inside = NULL;
	for (int k = 0; k < c->rank; k++)
		inside = x_and(inside, cells_guard_index(c, k));
	return inside;
}

/* Where targets have a cell, and arrays that each cell reads at the index plus an offset. */
static void room_of(struct lowering *l, const struct node *node, int k, struct kx **from,
                    struct kx **to)
{
	*from = target_range(node, k, l, false);
	*to = target_range(node, k, l, true);
	for (int i = 0; node->wave && i < node->wave->within.n; i++) {
		const struct cut_read *cut = &node->wave->within.at[i];
		if (cut->index != k)
			continue;
		struct kx *offset = x_var(k_let(l->k, "offset", lower_wrapping(l, cut->offset)));
		*from = x_max(*from, x_wrapping(OP_SUB, x_i64(0), offset));
		*to = x_min(*to, x_wrapping(OP_SUB, lower_extent(l, cut->read->var, 0), offset));
	}
}

void cells_own_range(struct lowering *l, const struct node *node, int k, struct kx **lo,
                     struct kx **hi)
{
	struct kx *from, *to;
	room_of(l, node, k, &from, &to);
	*lo = kx_fold(x_max(bound(l, node->lo.at[k]), from));
	*hi = kx_fold(x_min(bound(l, node->hi.at[k]), to));
}

/* ---- cells of the domain that no target has ---- */

static bool leans(const struct node *node, int k)
{
	for (int i = 0; node->wave && i < node->wave->within.n; i++)
		for (int d = 0; node->wave->within.at[i].index == k && d < node->index.n; d++)
			if (expr_uses(node->wave->within.at[i].offset, node->index.at[d]))
				return true;
	for (int d = 0; d < node->index.n; d++)
		if (bounds_use(node, k, node->index.at[d]))
			return true;
	return false;
}

static void open_range(struct lowering *l, const struct node *node, int d, struct kx *lo,
                       struct kx *hi, struct kx *step)
{
	lower_bind(l, node->index.at[d],
	           x_var(k_for(l->k, node->index.at[d]->name, lo, hi, step, 0)));
}

/* Index k from its range's begin to the targets', then from the targets' end to its own. */
static void open_outside(struct lowering *l, const struct node *node, int k)
{
	struct kx *lo = x_var(k_let(l->k, "first", bound(l, node->lo.at[k])));
	struct kx *hi = x_var(k_let(l->k, "end", bound(l, node->hi.at[k])));
	struct kx *from, *to;
	room_of(l, node, k, &from, &to);
	struct kx *below = x_eq(x_var(k_for(l->k, "side", x_i32(0), x_i32(2), x_i32(1), 0)),
	                        x_i32(0));
	open_range(l, node, k, x_cond(below, lo, x_max(lo, to)), x_cond(below, x_min(hi, from), hi),
	           x_i64(1));
}

/* Threads of a grid share the range out among them. */
static void open_inside(struct lowering *l, const struct node *node, int d, bool shared)
{
	struct kx *lo = bound(l, node->lo.at[d]), *hi = bound(l, node->hi.at[d]), *step = x_i64(1);
	if (!cells_exact(node, d))
		cells_own_range(l, node, d, &lo, &hi);
	if (shared) {
		struct kx *block = x_to_i64(x_id(ID_BLOCK_X)), *threads = x_i64(l->k->block[0]);
		lo = x_add(lo, x_add(x_mul(block, threads), x_to_i64(x_id(ID_THREAD_X))));
		step = x_mul(x_to_i64(x_id(ID_GRID_X)), threads);
	}
	open_range(l, node, d, lo, hi, step);
}

/* The innermost place: a cell that no target has.  If the mask takes it, that is recorded. */
static void outside_cell(struct lowering *l, const struct node *node)
{
	if (node->where) {
		lower_mark(l, x_int(T_BOOL, 0));
		struct kx *taken = lower_expr(l, node->where);
		k_if(l->k, taken);
	}
	lower_mark(l, x_int(T_BOOL, 1));
	if (node->where)
		k_end(l->k);
	lower_record(l);
	k_if(l->k, x_var(l->now.outside));
	k_return(l->k, NULL);
	k_end(l->k);
}

/* Must the loops run over index d?  Of the others it is enough that they have a value. */
static bool matters(const struct node *node, int k, int d)
{
	if (leans(node, d) || expr_uses(node->where, node->index.at[d]))
		return d != k;
	for (int i = 0; node->wave && i < node->wave->within.n; i++)
		if (expr_uses(node->wave->within.at[i].offset, node->index.at[d]))
			return d != k;
	for (int e = 0; e < node->index.n; e++)
		if (bounds_use(node, e, node->index.at[d]))
			return d != k;
	return false;
}

static struct kx *others_have_values(struct lowering *l, const struct node *node, int k)
{
	struct kx *some = NULL;
	for (int d = 0; d < node->index.n; d++)
		if (d != k && !leans(node, d)) {
			struct kx *hi = bound(l, node->hi.at[d]);
			some = x_and(some, x_lt(bound(l, node->lo.at[d]), hi));
		}
	return some;
}

/* All loops but that over the cells outside; how many. */
static int open_others(struct lowering *l, const struct node *node, int k, bool shared)
{
	int loops = 0;
	for (int d = 0; d < node->index.n; d++) {
		if (d == k && leans(node, k))
			open_outside(l, node, k);
		if (!matters(node, k, d))
			continue;
		open_inside(l, node, d, shared && loops == 0);
		loops++;
	}
	return loops;
}

/* Blocks for the values of the first index that matters. */
static struct kx *blocks_for(struct plan *plan, const struct node *node, int k)
{
	enum { MOST_BLOCKS = 256 };          /* a check is short and need not fill a machine */
	struct lowering *host = host_lowering(plan);
	int d = 0;
	while (!matters(node, k, d))
		d++;
	if (!cells_exact(node, d))
		return x_i64(MOST_BLOCKS);
	struct kx *values = plan_range(plan, bound(host, node->lo.at[d]),
	                               bound(host, node->hi.at[d]));
	return x_max(x_i64(1),
	             x_min(x_div_up(values, x_i64(plan->target->block)), x_i64(MOST_BLOCKS)));
}

/* Its indices come first, unless others bound it: then they do, and on a GPU the values of the
 * first one are many threads' to look at. */
static void check_range(struct plan *plan, const struct node *node, int k)
{
	struct lowering *l = lowering_new(plan, str_print("%s_range", node->name));
	bool first = !leans(node, k), shared = plan->target->gpu && !first;
	l->k->note = "Records cells of the range that no target has.";
	l->k->at = node->at;
	l->k->block[0] = shared ? plan->target->block : plan->target->gpu;
	l->k->block[1] = l->k->block[2] = plan->target->gpu;
	struct kx *some = others_have_values(l, node, k);
	if (some)
		k_if(l->k, some);
	lower_flag(l, "bad");
	if (first)
		open_outside(l, node, k);
	int loops = open_others(l, node, k, shared);
	outside_cell(l, node);
	for (int d = 0; d < loops + 2; d++)
		k_end(l->k);
	if (some)
		k_end(l->k);
	lowering_launch(l, shared ? blocks_for(plan, node, k) : x_i64(1), x_i64(1), x_i64(1));
}

static bool is_cut(const struct node *node, int k)
{
	return node->wave && node->wave->cut[k].lo && !node_clause(node, "trusted");
}

void cells_check_ranges(struct plan *plan, const struct node *node)
{
	bool checked = targets_checked(node);
	for (int k = 0; k < node->index.n; k++)
		if (is_cut(node, k) || (checked && !cells_exact(node, k)))
			check_range(plan, node, k);
}
