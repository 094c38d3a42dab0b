/* cells.c - kernels that compute cells: map, stencil through L1, and the folds fused after them.
 *
 * Here is what both kinds of machine share: whether arrays can be seen as one long row, the
 * equations of one cell, and the terms of the folds after it.  cells_domain.c says which cells;
 * cells_gpu.c and cells_cpu.c organise the work; cell_read.c answers reads. */
#include <assert.h>
#include "cells.h"
#include "meet.h"

void cells_bind(struct cells *c, int k, struct kx *index)
{
	c->index[k] = index;
	lower_bind(c->l, c->node->index.at[k], index);
}

void cells_bind_row(struct cells *c, struct kx *row, struct kx *const *lo, struct kx *const *size,
                    uint64_t others)
{
	struct kernel *k = c->l->k;
	struct kx *rest = row;
	int slowest = 0;
	while (others >> slowest & 1)
		slowest++;
	for (int d = c->rank - 1; d >= slowest; d--) {
		if (others >> d & 1)
			continue;
		struct kx *r = d == slowest ? rest : x_rem(rest, size[d]);
		cells_bind(c, d, x_var(k_let(k, c->node->index.at[d]->name, x_add(lo[d], r))));
		if (d != slowest)
			rest = x_var(k_let(k, "rest", x_div(rest, size[d])));
	}
}

void cells_words(struct cells *c, const char *name, const char *format)
{
	const char *word[MAX_RANK];
	for (int d = 0; d < c->rank; d++)
		word[d] = str_print(format, c->node->index.at[d]->name);
	bind_words(c->l->k, name, c->rank, word);
}

struct kx *cells_argument(struct cells *c, const char *format, int d, struct kx *host)
{
	const char *name = str_print(format, c->node->index.at[d]->name);
	return x_is_int(host, 0) ? host : lower_argument(c->l, name, kt_scalar(T_I64), host);
}

/* ---- flat: every array at its own index, no index used for anything else ---- */

static bool flat_expr(struct expr *e, void *state)
{
	const struct node *node = state;
	if (e->kind == E_FOLD)
		return false;
	if (e->kind == E_READ)
		return access_own(node, e) && e->var->rank == node->index.n;
	return true;
}

static bool uses_index(const struct node *node, const struct expr *e)
{
	if (!e)
		return false;
	if (e->kind == E_READ && access_own(node, e))
		return false;
	for (int d = 0; e->kind == E_VAR && d < node->index.n; d++)
		if (e->var == node->index.at[d])
			return true;
	for (int a = 0; a < e->arg.n; a++)
		if (uses_index(node, e->arg.at[a]))
			return true;
	return false;
}

static bool same_shape(const struct node *node, const struct var *v)
{
	const struct var *first = target_read(node->equation.at[0]->target.at[0])->var;
	for (int a = 0; a < v->rank; a++)
		if (!affine_equal(&v->extent[a], &first->extent[a]))
			return false;
	return v->rank == first->rank;
}

static bool flat_arrays(struct expr *e, void *state)
{
	return e->kind != E_READ || (is_dense(e->var) && same_shape(state, e->var));
}

/* E_READ with subscripts index 0, index 1, ... in order */
static bool in_order(struct expr *e, void *state)
{
	const struct node *node = state;
	for (int a = 0; e->kind == E_READ && a < e->var->rank; a++)
		if (e->arg.at[a]->kind != E_VAR || e->arg.at[a]->var != node->index.at[a])
			return false;
	return true;
}

bool cells_flat(const struct node *node)
{
	struct node *n = (struct node *)node;
	if (!node->whole || node_checked(node) || (node->group && node->group->epilogue.n)
	    || uses_index(node, node->where) || node_edged(node))
		return false;
	for (int q = 0; q < node->equation.n; q++)
		if (uses_index(node, node->equation.at[q]->right))
			return false;
	return node_walk(n, flat_expr, n) && node_walk(n, flat_arrays, n)
	       && node_walk(n, in_order, n);
}

/* ---- how wide a vector ---- */

struct widest { const struct var *column; int64_t bytes, most; bool records; };

static bool widest_of(struct expr *e, void *state)
{
	struct widest *w = state;
	int last = e->kind == E_READ ? e->var->rank - 1 : -1;
	if (last < 0 || !expr_uses(e->arg.at[last], w->column))
		return true;
	w->records |= e->var->type->kind == T_STRUCT;
	int64_t bytes = type_size(e->var->type);
	w->bytes = bytes > w->bytes ? bytes : w->bytes;
	if (var_curved(e->var))
		w->most = 1;
	while (w->most > 1 && e->var->layout && e->var->layout->tile[1] % w->most)
		w->most /= 2;                        /* a vector stays in a tile's row */
	return true;
}

/* Whole vectors are written only where every target is column + 0 of a scalar array. */
static bool vector_target(const struct node *node, const struct expr *t)
{
	int k;
	int64_t offset;
	int last = t->kind == E_READ ? t->var->rank - 1 : -1;
	return last >= 0 && !t->checked && (!var_home(t->var) || var_tiled(t->var))
	       && access_offset(node, t, last, &k, &offset) && k == node->index.n - 1
	       && offset == 0;
}

bool cells_no_curve(struct expr *e, void *state)
{
	(void)state;
	return e->kind != E_READ || !var_curved(e->var);
}

bool cells_no_struct(struct expr *e, void *state)
{
	(void)state;
	return e->kind != E_READ || e->var->type->kind != T_STRUCT;
}

bool cells_no_fold(struct expr *e, void *state)
{
	(void)state;
	return e->kind != E_FOLD;
}

bool cells_windows(const struct node *node)
{
	return node_edged(node) && !node_walk((struct node *)node, cells_no_fold, NULL);
}

int cells_width(const struct node *node)
{
	return node_walk((struct node *)node, cells_no_fold, NULL) ? cells_vector(node) : 1;
}

int cells_vector(const struct node *node)
{
	struct widest w = { node->index.at[node->index.n - 1], 1, 16, false };
	node_walk((struct node *)node, widest_of, &w);
	if (w.records || w.bytes > 8 || node->mirror[0])
		return 1;
	for (int q = 0; q < node->equation.n; q++) {
		const struct equation *eq = node->equation.at[q];
		if (eq->target.n
		    && (node->pattern->combines || !vector_target(node, eq->target.at[0])))
			return 1;
	}
	int64_t width = node->choice.vector ? node->choice.vector : 16 / w.bytes;
	width = width < w.most ? width : w.most;
	return (int)(width * w.bytes > 16 ? 16 / w.bytes : width);
}

/* ---- opening, body, closing ---- */

static bool edged_read(struct expr *e, void *state)
{
	return e->kind != E_READ || !cell_edged(state, e);
}

static struct cells *cells_enter(struct lowering *l, const struct group *group)
{
	const struct node *node = group->anchor;
	struct cells *c = NEW(struct cells);
	*c = (struct cells){ .l = l,
		             .group = group,
		             .node = node,
		             .rank = node->index.n,
		             .column = node->index.n - 1,
		             .march = -1 };
	l->now.read = cell_read;
	l->now.state = c;
	if (node->pattern->combines) {
		struct meeting *m = NEW(struct meeting);
		m->way = meeting_way(node, l->target);
		c->meeting = m;
	}
	c->width = l->target->gpu && node->index.n && cells_even(c) ? cells_width(node) : 1;
	return c;
}

struct cells *cells_beside(struct lowering *l, const struct node *node)
{
	struct group *alone = NEW(struct group);
	alone->anchor = (struct node *)node;
	return cells_enter(l, alone);
}

struct cells *cells_open(struct plan *plan, const struct group *group, bool vectors,
                         const char *suffix)
{
	const struct node *node = group->anchor;
	struct cells *c = cells_enter(lowering_new(plan, str_print("%s%s", node->name, suffix)),
	                              group);
	lowering_writes(c->l, node);
	for (int e = 0; e < group->epilogue.n; e++)
		lowering_writes(c->l, group->epilogue.at[e]);
	c->flat = !c->meeting && cells_flat(node)
	          && (plan->target->gpu || !node_uneven(node));
	c->edged = !cells_each_read(c, edged_read, (void *)node);
	c->vectors = vectors;
	return c;
}

void cells_find_folds(struct cells *c)
{
	c->folds = behind_folds(c->group);
}

void cells_start_folds(struct cells *c)
{
	c->acc = folds_start(c->l, &c->folds);
}

/* On a GPU; a CPU folds row by row. */
static void epilogue_terms(struct cells *c)
{
	bool few = c->l->now.few_terms;
	c->l->now.few_terms = false;          /* that was tested of the cells' own folds */
	if (c->l->target->gpu)
		behind_terms(c->l, &c->folds, &c->acc);
	c->l->now.few_terms = few;
}

static bool later_use(const struct cells *c, int q, const struct var *var)
{
	for (int r = q + 1; r < c->node->equation.n; r++)
		if (!same_whole(c->node, r) && expr_uses(c->node->equation.at[r]->right, var))
			return true;
	for (int e = 0; e < c->group->epilogue.n; e++)
		if (node_reads(c->group->epilogue.at[e], var))
			return true;
	return false;
}

/* Another part of it than the whole is written: what is in registers is no longer its value. */
static void forget_fresh(struct cells *c, const struct var *var)
{
	int kept = 0;
	for (int f = 0; f < c->fresh.n; f++)
		if (c->fresh.at[f].target->var != var)
			c->fresh.at[kept++] = c->fresh.at[f];
	c->fresh.n = kept;
}

static struct kx *out_cell(const struct cells *c, struct kvar *out)
{
	if (out->type.pointer)
		return x_at(x_var(out), c->lane);
	return out->type.lanes > 1 ? x_lane_at(x_var(out), c->lane) : x_var(out);
}

/* A target of equation q gets its value, kept in a register for what reads the new value after it.
 * */
static void cell_store(struct cells *c, int q, const struct expr *target, struct kx *value)
{
	struct lowering *l = c->l;
	const struct expr *under = target_read((struct expr *)target);
	bool scalar_cell = target == under && target->kind == E_READ;
	if (!scalar_cell)
		forget_fresh(c, under->var);
	if (scalar_cell && later_use(c, q, under->var)) {
		value = x_var(k_let(l->k, str_print("new_%s", under->var->name), value));
		list_add(&c->fresh, ((struct fresh){ under, value }));
	}
	if ((c->mode == CELL_VECTOR || c->mode == CELL_HELD) && c->out.n && c->out.at[q]) {
		k_set(l->k, out_cell(c, c->out.at[q]), value);
		return;
	}
	struct kx *cell = c->flat ? cells_flat_place(c, under->var) : lower_cell(l, under);
	lower_set(l, target, cell, value);
}

static void cell_equation(struct cells *c, int q)
{
	const struct equation *eq = c->node->equation.at[q];
	lower_whole(c->l, c->node, q);
	struct kx *value = lower_right(c->l, eq->right);
	for (int t = 0; t < eq->target.n; t++)
		cell_store(c, q, eq->target.at[t], lower_result(eq, t, value));
}

static void cell_equations(struct cells *c)
{
	struct lowering *l = c->l;
	struct lower_context before = l->now;
	if (c->node->where)
		k_if(l->k, lower_expr(l, c->node->where));
	for (int q = 0; q < c->node->equation.n; q++)
		cell_equation(c, q);
	l->now = before;
	if (c->node->where)
		k_end(l->k);
}

/* ---- a pair of cells, in place ---- */

enum { PAIR_VALUES = 64 };               /* fields of a struct: relay.c has no more */
struct half { struct kx *mask, *value[PAIR_VALUES]; };

static void exchange_indices(struct cells *c)
{
	struct kx *index[2];
	int d[2];
	for (int s = 0; s < 2; s++) {
		d[s] = 0;
		while (c->node->index.at[d[s]] != c->node->mirror[s])
			d[s]++;
		index[s] = c->index[d[s]];
	}
	cells_bind(c, d[0], index[1]);
	cells_bind(c, d[1], index[0]);
}

/* Its values; after a mask none is computed where it leaves out the cell. */
static void half_values(struct cells *c, struct half *h)
{
	struct lowering *l = c->l;
	const struct node *node = c->node;
	struct lower_context before = l->now;
	struct kvar *kept[PAIR_VALUES] = { NULL };
	assert(node->equation.n <= PAIR_VALUES && "relay.c has no more");
	if (node->where) {
		for (int q = 0; q < node->equation.n; q++)
			kept[q] = k_var(l->k, kt(node->equation.at[q]->right->type), "value",
			                lower_zero(node->equation.at[q]->right->type));
		h->mask = x_var(k_let(l->k, "is_taken", lower_expr(l, node->where)));
		k_if(l->k, h->mask);
	}
	for (int q = 0; q < node->equation.n; q++) {
		lower_whole(l, node, q);
		h->value[q] = lower_right(l, node->equation.at[q]->right);
		if (kept[q])
			k_set(l->k, x_var(kept[q]), h->value[q]);
		h->value[q] = x_var(kept[q] ? kept[q] : k_let(l->k, "value", h->value[q]));
	}
	l->now = before;
	if (node->where)
		k_end(l->k);
}

static void half_stores(struct cells *c, const struct half *h)
{
	struct lowering *l = c->l;
	if (h->mask)
		k_if(l->k, h->mask);
	for (int q = 0; q < c->node->equation.n; q++) {
		const struct expr *target = c->node->equation.at[q]->target.at[0];
		struct kx *cell = lower_cell(l, target_read((struct expr *)target));
		lower_set(l, target, cell, h->value[q]);
	}
	if (h->mask)
		k_end(l->k);
}

/* One of the two cells takes both: both have their values before either is stored. */
static void cell_pair(struct cells *c)
{
	struct half half[2] = { { NULL } };
	struct kx *first = lower_var(c->l, c->node->mirror[0]);
	k_if(c->l->k, x_le(first, lower_var(c->l, c->node->mirror[1])));
	for (int h = 0; h < 2; h++, exchange_indices(c))
		half_values(c, &half[h]);
	for (int h = 0; h < 2; h++, exchange_indices(c))
		half_stores(c, &half[h]);
	k_end(c->l->k);
}

void cells_body(struct cells *c, enum cell_mode mode)
{
	struct lowering *l = c->l;
	c->mode = mode;
	c->fresh.n = 0;
	bool inside = mode == CELL_VECTOR || mode == CELL_PLAIN;
	struct kx *mask = inside ? NULL : cells_kept(c, -1, false);
	l->now.all_inside = inside && c->edged;
	if (mask)
		k_if(l->k, mask);
	if (c->meeting)
		meet_item(l, c->node, c->meeting);
	else if (mode == CELL_VECTOR && cells_tested(c))
		cells_compute_tested(c);
	else if (c->node->mirror[0])
		cell_pair(c);
	else if (node_checked(c->node))
		lower_equations(l, c->node);
	else
		cell_equations(c);
	if (mask)
		k_end(l->k);
	if (mask || c->node->where)
		c->fresh.n = 0;               /* not every cell has a new value: look into memory */
	l->now.all_inside = false;
	epilogue_terms(c);
}

void cells_body_guarded(struct cells *c, enum cell_mode mode)
{
	struct kx *guard = c->flat ? NULL : cells_guard(c);
	if (guard)
		k_if(c->l->k, guard);
	cells_body(c, mode);
	if (guard)
		k_end(c->l->k);
}

void cells_store_folds(struct lowering *l, const void *state)
{
	const struct cells *c = state;
	behind_finish(l, c->group, &c->acc);
}

void cells_finish(struct cells *c, struct kx *part, struct kx *parts, struct kx *host_parts)
{
	if (c->folds.n)
		grid_fold(c->l, &c->acc, part, parts, host_parts, cells_store_folds, c);
}

/* Host: cells of a flat node. */
struct kx *cells_count(struct cells *c)
{
	struct lowering *host = host_lowering(c->l->plan);
	const struct var *first = target_read(c->node->equation.at[0]->target.at[0])->var;
	struct kx *count = lower_extent(host, first, 0);
	for (int a = 1; a < first->rank; a++)
		count = x_mul(count, lower_extent(host, first, a));
	return count;
}

/* ---- entry points ---- */

static void cells_uniform(struct plan *plan, const struct node *node)
{
	struct lowering *l = lowering_new(plan, node->name);
	lowering_writes(l, node);
	l->k->block[0] = l->k->block[1] = l->k->block[2] = plan->target->gpu ? 1 : 0;
	lower_equations(l, node);
	plan_tail(l, node);
	lowering_launch(l, x_i64(1), x_i64(1), x_i64(1));
}

void cells_lower(struct plan *plan, const struct group *group)
{
	cells_check_ranges(plan, group->anchor);
	if (group->anchor->index.n == 0)
		cells_uniform(plan, group->anchor);
	else if (plan->target->gpu)
		cells_gpu(plan, group);
	else
		cells_cpu(plan, group);
}
