/* cells.c - kernels that compute cells: map, stencil through L1, and the folds fused behind them.
 *
 * The domain is rows x columns: the last index runs along columns, all others together are rows.  On a GPU
 * a block of lanes_x x lanes_y threads takes one vector of cells (16 bytes of the widest type) a thread
 * and `tiles` bands of rows one after another; the host chooses lanes_x by the length of a row, so short
 * rows share a warp.  One row of cells a thread and a small block measured best on an H200 for the
 * five-point stencil: neighbours come from L1 (algorithms 13; taller thread tiles lost 20 to 40 %).
 * A map whose arrays are all read and written at their own index is one long row (flat).
 *
 * Three ways through a row, chosen for a whole strip of columns so that no lane disagrees: full vectors
 * where every neighbour is inside and the rows are aligned; else cells one by one, strided so that lanes
 * stay neighbours, and there edges are applied cell by cell.  A flat map first handles the cells before
 * the first 16-byte boundary when all its arrays share it.
 *
 * On a CPU rows are shared among threads, the inner loop over inside columns is simd, and borders are
 * handled before and behind it.  A row is cut into chunks where there is only one. */
#include <assert.h>
#include "cells.h"

enum {
	CPU_CHUNK = 8192,                /* cells: 64 KiB of f64, half a usual L2 for two arrays */
	CPU_FOLDS = 16,                  /* cells that each fold an axis of their own */
	FOLD_BLOCKS = 8192               /* 16384^2 f32 on an H200: 460 Gcell/s; 262,144 blocks: 296 */
};

/* ---- the domain ---- */

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

/* The extent that bounds an index the host cannot: of the target axis it subscripts (as index + offset). */
static bool bounding_axis(const struct node *node, int k, const struct affine **extent, int64_t *offset)
{
	for (int q = 0; q < node->equation.n; q++) {
		const struct expr *t = target_read(node->equation.at[q]->target.at[0]);
		for (int a = 0; t->kind == E_READ && a < t->var->rank; a++) {
			struct affine f;
			if (affine_of(t->arg.at[a], &f) && f.n == 1 && f.term[0].coef == 1
			    && f.term[0].var == node->index.at[k]) {
				*extent = &t->var->extent[a];
				*offset = f.constant;
				return true;
			}
		}
	}
	return false;
}

static struct kx *bound(struct lowering *l, const struct expr *e)
{
	bool was = l->index;
	l->index = true;
	struct kx *x = x_to_i64(lower_expr(l, e));
	l->index = was;
	return x;
}

static bool exact_range(struct cells *c, int k)
{
	return host_knows(c->node, c->node->lo.at[k]) && host_knows(c->node, c->node->hi.at[k]);
}

struct kx *cells_range_lo(struct cells *c, int k, struct lowering *l)
{
	const struct affine *extent;
	int64_t offset = 0;
	if (exact_range(c, k))
		return bound(l, c->node->lo.at[k]);
	bool known = bounding_axis(c->node, k, &extent, &offset);
	assert(known && "sema lets only target subscripts have bounds the host does not know");
	return x_i64(-offset);
}

struct kx *cells_range_hi(struct cells *c, int k, struct lowering *l)
{
	const struct affine *extent;
	int64_t offset;
	if (exact_range(c, k))
		return bound(l, c->node->hi.at[k]);
	bounding_axis(c->node, k, &extent, &offset);
	struct kx *hi = lower_affine(l, extent);
	return offset ? x_sub(hi, x_i64(offset)) : hi;
}

struct kx *cells_guard(struct cells *c)
{
	struct kx *inside = NULL;
	for (int k = 0; k < c->rank; k++)
		if (!exact_range(c, k))
			inside = x_and(inside, x_and(x_le(bound(c->l, c->node->lo.at[k]), c->index[k]),
			                             x_lt(c->index[k], bound(c->l, c->node->hi.at[k]))));
	return inside;
}

void cells_bind(struct cells *c, int k, struct kx *index)
{
	c->index[k] = index;
	lower_bind(c->l, c->node->index.at[k], index);
}

/* ---- flat: every array at its own index, no index used for anything else ---- */

static bool flat_expr(struct expr *e, void *state)
{
	const struct node *node = state;
	if (e->kind == E_FOLD)
		return false;
	if (e->kind == E_READ)
		return access_own(node, e) && e->var->rank == node->index.n && !e->checked;
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
	return e->kind != E_READ || same_shape(state, e->var);
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

static bool is_flat(const struct node *node, const struct group *group)
{
	struct node *n = (struct node *)node;
	if (!node->whole || group->epilogue.n || uses_index(node, node->where))
		return false;
	for (int d = 0; d < node->index.n; d++)
		if (node->edge[d].kind != B_NONE)
			return false;
	for (int q = 0; q < node->equation.n; q++)
		if (uses_index(node, node->equation.at[q]->right))
			return false;
	return node_walk(n, flat_expr, n) && node_walk(n, flat_arrays, n) && node_walk(n, in_order, n);
}

/* ---- how wide a vector ---- */

struct widest { struct cells *c; int64_t bytes; bool records; };

static bool widest_of(struct expr *e, void *state)
{
	struct widest *w = state;
	int last = e->kind == E_READ ? e->var->rank - 1 : -1;
	if (last < 0 || !expr_uses(e->arg.at[last], w->c->node->index.at[w->c->column]))
		return true;
	w->records |= e->var->type->kind == T_STRUCT;
	int64_t bytes = type_size(e->var->type);
	w->bytes = bytes > w->bytes ? bytes : w->bytes;
	return true;
}

/* Whole vectors are written only where every target is column + 0 of a scalar array. */
static bool vector_target(const struct cells *c, const struct expr *t)
{
	int k;
	int64_t offset;
	int last = t->kind == E_READ ? t->var->rank - 1 : -1;
	return last >= 0 && !t->checked && access_offset(c->node, t, last, &k, &offset) && k == c->column && offset == 0;
}

static bool no_fold(struct expr *e, void *state)
{
	(void)state;
	return e->kind != E_FOLD;
}

static int vector_width(struct cells *c)
{
	struct widest w = { c, 1, false };
	node_walk((struct node *)c->node, widest_of, &w);
	if (w.records || w.bytes > 8 || !node_walk((struct node *)c->node, no_fold, NULL))
		return 1;
	for (int q = 0; q < c->node->equation.n; q++)
		if (!vector_target(c, c->node->equation.at[q]->target.at[0]))
			return 1;
	int64_t width = c->node->choice.vector ? c->node->choice.vector : 16 / w.bytes;
	return (int)(width * w.bytes > 16 ? 16 / w.bytes : width);
}

/* ---- opening, body, closing ---- */

static bool edged_read(struct expr *e, void *state)
{
	return e->kind != E_READ || !cell_edged(state, e);
}

void cells_open(struct cells *c, struct plan *plan, const struct group *group)
{
	const struct node *node = group->anchor;
	*c = (struct cells){ .group = group, .node = node, .rank = node->index.n, .column = node->index.n - 1 };
	c->l = lowering_new(plan, node->name);
	c->l->read = cell_read;
	c->l->state = c;
	lowering_writes(c->l, node);
	for (int e = 0; e < group->epilogue.n; e++)
		lowering_writes(c->l, group->epilogue.at[e]);
	c->flat = is_flat(node, group);
	c->edged = !cells_each_read(c, edged_read, (void *)node);
	c->width = plan->target->gpu ? vector_width(c) : 1;
}

/* The epilogue's folds run over the same cells: their indices become this node's, so that what the fold
 * reads at a cell is recognised as what the cell's computation holds in registers. */
static struct expr *fold_here(const struct cells *c, const struct expr *fold)
{
	struct expr *index[MAX_RANK], *here = NEW(struct expr);
	for (int k = 0; k < c->rank; k++)
		index[k] = expr_var(c->node->index.at[k], fold->at);
	*here = *fold;
	here->fold = NEW(struct fold);
	*here->fold = *fold->fold;
	here->arg.at = mem_new(sizeof *here->arg.at);
	here->arg.at[0] = expr_substitute(fold->arg.at[0], fold->fold->index.at, index, c->rank);
	if (fold->fold->where)
		here->fold->where = expr_substitute(fold->fold->where, fold->fold->index.at, index, c->rank);
	return here;
}

static void find_folds(struct cells *c)
{
	for (int e = 0; e < c->group->epilogue.n; e++)
		for (int q = 0; q < c->group->epilogue.at[e]->equation.n; q++)
			folds_of(c->group->epilogue.at[e]->equation.at[q]->right, &c->folds);
	for (int f = 0; f < c->folds.n; f++)
		c->folds.at[f] = fold_here(c, c->folds.at[f]);
}

void cells_start_folds(struct cells *c)
{
	find_folds(c);
	c->acc = folds_start(c->l, &c->folds);
}

static void epilogue_terms(struct cells *c)
{
	for (int f = 0; f < c->folds.n; f++)
		fold_step(c->l, c->folds.at[f], &c->acc.at[f]);
}

static bool keeps(const struct node *node)
{
	for (int d = 0; d < node->index.n; d++)
		if (node->edge[d].kind == B_KEEP)
			return true;
	return false;
}

/* keep: a cell with a neighbour outside along such an axis is left alone */
struct keep_search { struct cells *c; struct kx *inside; };

static bool keep_read(struct expr *e, void *state)
{
	struct keep_search *s = state;
	for (int a = 0; e->kind == E_READ && a < e->var->rank; a++) {
		int k;
		int64_t offset;
		if (access_offset(s->c->node, e, a, &k, &offset) && s->c->node->edge[k].kind == B_KEEP) {
			struct kx *at = offset ? x_add(s->c->index[k], x_i64(offset)) : s->c->index[k];
			s->inside = x_and(s->inside, x_and(x_le(x_i64(0), at), x_lt(at, lower_extent(s->c->l, e->var, a))));
		}
	}
	return true;
}

static bool later_use(const struct cells *c, int q, const struct var *var)
{
	for (int r = q + 1; r < c->node->equation.n; r++)
		if (expr_uses(c->node->equation.at[r]->right, var))
			return true;
	for (int e = 0; e < c->group->epilogue.n; e++)
		if (node_reads(c->group->epilogue.at[e], var))
			return true;
	return false;
}

/* One equation at the bound cell, kept in a register for what reads the new value behind it. */
static void cell_equation(struct cells *c, int q)
{
	struct lowering *l = c->l;
	const struct expr *target = c->node->equation.at[q]->target.at[0];
	const struct expr *under = target_read((struct expr *)target);
	struct kx *value = x_cast(kt(target->type), lower_expr(l, c->node->equation.at[q]->right));
	bool scalar_cell = target == under && target->kind == E_READ;
	if (scalar_cell && later_use(c, q, under->var)) {
		value = x_var(k_let(l->k, str_print("new_%s", under->var->name), value));
		list_add(&c->fresh, ((struct fresh){ under, value }));
	}
	if (c->mode == CELL_VECTOR && c->out.n && c->out.at[q]) {
		k_set(l->k, x_lane_at(x_var(c->out.at[q]), c->lane), value);
		return;
	}
	struct kx *cell = c->flat ? x_at(lower_pointer(l, under->var), c->position) : lower_cell(l, under);
	k_set(l->k, lower_path(l, target, cell), value);
}

void cells_body(struct cells *c, enum cell_mode mode)
{
	struct lowering *l = c->l;
	c->mode = mode;
	c->fresh.n = 0;
	if (node_checked(c->node)) {
		lower_equations(l, c->node);
		epilogue_terms(c);
		return;
	}
	struct kx *mask = NULL;
	if (keeps(c->node) && mode != CELL_VECTOR && mode != CELL_PLAIN) {
		struct keep_search s = { c, NULL };
		cells_each_read(c, keep_read, &s);
		mask = s.inside;
	}
	if (mask)
		k_if(l->k, mask);
	if (c->node->where)
		k_if(l->k, lower_expr(l, c->node->where));
	for (int q = 0; q < c->node->equation.n; q++)
		cell_equation(c, q);
	if (c->node->where)
		k_end(l->k);
	if (mask)
		k_end(l->k);
	if (mask || c->node->where)
		c->fresh.n = 0;                      /* not every cell has a new value: look into memory */
	epilogue_terms(c);
}

static void finish_all(struct lowering *l, const void *state)
{
	const struct cells *c = state;
	int at = 0;
	l->read = NULL;
	for (int e = 0; e < c->group->epilogue.n; e++) {
		const struct node *node = c->group->epilogue.at[e];
		struct folds folds = { .n = 0 };
		for (int q = 0; q < node->equation.n; q++)
			folds_of(node->equation.at[q]->right, &folds);
		struct accumulators acc = { .n = folds.n };
		for (int f = 0; f < folds.n; f++)
			acc.at[f] = c->acc.at[at++];
		fold_finish(l, node, &folds, &acc);
	}
}

void cells_finish(struct cells *c, struct kx *part, struct kx *parts, struct kx *host_parts)
{
	if (c->folds.n)
		grid_fold(c->l, &c->acc, part, parts, host_parts, finish_all, c);
}

/* ---- GPU ---- */

/* One vector of cells: load, compute lane by lane, store. */
static void vector_cells(struct cells *c, struct kx *first)
{
	struct kernel *k = c->l->k;
	c->stream.n = c->out.n = 0;
	if (c->flat)
		c->position = first;
	else
		cells_bind(c, c->column, first);
	cells_find_streams(c);
	c->mode = CELL_VECTOR;
	cells_load_streams(c, first);
	bool whole_vectors = c->width > 1 && !c->node->where && !node_checked(c->node);
	for (int q = 0; q < c->node->equation.n; q++) {
		const struct expr *t = c->node->equation.at[q]->target.at[0];
		struct kvar *v = whole_vectors ? k_var(k, kt_vector(t->type, c->width), str_print("%s%d", t->var->name, c->width), NULL) : NULL;
		list_add(&c->out, v);
	}
	struct kvar *lane = NULL;
	if (c->width > 1) {
		lane = k_for(k, "c", x_i32(0), x_i32(c->width), x_i32(1), FOR_UNROLL);
		c->lane = x_var(lane);
		struct kx *at = x_add(first, x_to_i64(c->lane));
		if (c->flat)
			c->position = at;
		else
			cells_bind(c, c->column, at);
	}
	cells_body(c, CELL_VECTOR);
	if (lane)
		k_end(k);
	for (int q = 0; q < c->out.n; q++)
		if (c->out.at[q]) {
			const struct expr *t = c->node->equation.at[q]->target.at[0];
			struct kx *p;
			if (c->flat) {
				p = x_offset(lower_pointer(c->l, t->var), first);
			} else {
				cells_bind(c, c->column, first);
				struct kx *cell = lower_cell(c->l, t);
				p = x_offset(cell->arg[0], cell->arg[1]);
			}
			k_vstore(k, p, x_var(c->out.at[q]));
		}
	c->lane = NULL;
}

/* Cells of a strip one by one; a lane's cells are lanes_x apart. */
static void single_cells(struct cells *c, struct kx *strip, struct kx *lane_x, struct kx *lanes_x, struct kx *end)
{
	struct kernel *k = c->l->k;
	struct kvar *n = c->width > 1 ? k_for(k, "c", x_i32(0), x_i32(c->width), x_i32(1), 0) : NULL;
	struct kx *lane = n ? x_add(lane_x, x_mul(x_var(n), lanes_x)) : lane_x;
	const char *name = c->flat ? "i" : c->node->index.at[c->column]->name;
	struct kx *at = x_var(k_let(k, name, x_add(strip, x_to_i64(lane))));
	struct kx *inside = x_lt(at, end);
	if (c->flat)
		c->position = at;
	else
		cells_bind(c, c->column, at);
	k_if(k, inside);
	struct kx *guard = c->flat ? NULL : cells_guard(c);
	if (guard)
		k_if(k, guard);
	cells_body(c, c->edged ? CELL_BORDER : CELL_PLAIN);
	if (guard)
		k_end(k);
	k_end(k);
	if (n)
		k_end(k);
}

/* Host: all arrays a vector access touches are aligned for it, with rows of whole vectors. */
struct aligned { struct cells *c; struct lowering *host; struct kx *all; LIST(const struct var *) seen; };

static bool same_row_length(const struct var *a, const struct var *b)
{
	return a->rank > 1 && b->rank > 1 && affine_equal(&a->extent[a->rank - 1], &b->extent[b->rank - 1]);
}

static bool aligned_array(struct expr *e, void *state)
{
	struct aligned *a = state;
	struct cells *c = a->c;
	if (e->kind != E_READ || !expr_uses(e, c->node->index.at[c->column]))
		return true;
	for (int s = 0; s < a->seen.n; s++)
		if (a->seen.at[s] == e->var)
			return true;
	list_add(&a->seen, e->var);
	struct kx *pointer = host_var_x(c->l->plan, e->var);
	struct kx *arg[] = { pointer, x_i64(type_size(e->var->type) * c->width) };
	a->all = x_and(a->all, x_help(kt_scalar(T_BOOL), "patc_aligned", 2, arg));
	for (int s = 0; s < a->seen.n - 1; s++)
		if (same_row_length(a->seen.at[s], e->var))
			return true;
	if (e->var->rank > 1) {
		struct kx *row = lower_extent(a->host, e->var, e->var->rank - 1);
		a->all = x_and(a->all, x_eq(x_rem(row, x_i64(c->width)), x_i64(0)));
	}
	return true;
}

/* Whether vectors may be used, as a kernel argument; NULL when the width is 1 or the domain is uneven. */
static struct kx *vectors_allowed(struct cells *c, struct lowering *host, struct kx *host_lo)
{
	struct aligned a = { .c = c, .host = host };
	for (int k = 0; k < c->rank; k++)
		if (!exact_range(c, k))
			return x_int(T_BOOL, 0);
	if (c->width == 1)
		return NULL;
	node_walk((struct node *)c->node, aligned_array, &a);
	if (!x_is_int(host_lo, 0))
		a.all = x_and(a.all, x_eq(x_rem(host_lo, x_i64(c->width)), x_i64(0)));
	return lower_argument(c->l, "vectors", kt_scalar(T_BOOL), a.all);
}

static struct kx *host_let(struct cells *c, const char *name, struct kx *value)
{
	return x_var(k_let(c->l->plan->host, name, value));
}

static struct kx *ceil_div(struct kx *a, struct kx *b)
{
	return x_div(x_add(a, x_sub(b, x_i64(1))), b);
}

static struct kx *ceil_div_by(struct kx *a, int64_t b)
{
	return b == 1 ? a : x_div(x_add(a, x_i64(b - 1)), x_i64(b));
}

/* Host: cells before the first boundary that every array shares, at most count; -1 if they share none. */
static struct kx *cells_head(struct cells *c, const struct var *const *array, int n, struct kx *count)
{
	struct kx *head = NULL, *agree = NULL;
	for (int a = 0; a < n; a++) {
		int64_t size = type_size(array[a]->type);
		struct kx *arg[] = { host_var_x(c->l->plan, array[a]), x_i64(size), x_i64(size * c->width) };
		struct kx *own = x_help(kt_scalar(T_I64), "patc_head", 3, arg);
		if (!head)
			head = x_var(k_let(c->l->plan->host, "unaligned", own));
		else
			agree = x_and(agree, x_eq(own, head));
	}
	struct kx *some = x_min(head, count);
	return agree ? x_cond(agree, some, x_i64(-1)) : some;
}

/* Flat: the head before the first boundary, full tiles of vectors, the rest cell by cell. */
static void flat_gpu(struct cells *c)
{
	struct lowering *l = c->l, *host = host_lowering(l->plan);
	const struct var *first = target_read(c->node->equation.at[0]->target.at[0])->var;
	int64_t block = l->target->block, tile = block * c->width;
	struct kx *count = NULL;
	for (int a = 0; a < first->rank; a++)
		count = count ? x_mul(count, lower_extent(host, first, a)) : lower_extent(host, first, a);
	count = host_let(c, "cells", count);
	struct kx *n = lower_argument(l, "cells", kt_scalar(T_I64), count);
	block_launch_bounds(l);
	struct kx *thread = x_var(k_let(l->k, "lane", block_thread(l)));
	struct kx *head = x_i64(0), *host_head = x_i64(0), *vectors = NULL;
	if (c->width > 1) {
		struct aligned a = { .c = c, .host = host };
		node_walk((struct node *)c->node, aligned_array, &a);
		host_head = host_let(c, "head", cells_head(c, a.seen.at, a.seen.n, count));
		vectors = lower_argument(l, "vectors", kt_scalar(T_BOOL), x_le(x_i64(0), host_head));
		head = lower_argument(l, "head", kt_scalar(T_I64), x_max(host_head, x_i64(0)));
		k_note(l->k, "cells before the first 16-byte boundary");
		k_if(l->k, x_and(x_eq(x_id(ID_BLOCK_X), x_i32(0)), x_lt(x_to_i64(thread), head)));
		c->position = x_to_i64(thread);
		cells_body(c, CELL_PLAIN);
		k_end(l->k);
	}
	struct kx *strip = x_add(head, x_mul(x_to_i64(x_id(ID_BLOCK_X)), x_i64(tile)));
	strip = x_var(k_let(l->k, "strip", strip));
	if (vectors) {
		k_if(l->k, x_and(vectors, x_le(x_add(strip, x_i64(tile)), n)));
		k_note(l->k, "full vectors");
		struct kx *at = x_add(strip, x_to_i64(x_mul(thread, x_i32(c->width))));
		vector_cells(c, x_var(k_let(l->k, "i", at)));
		k_else(l->k);
	}
	single_cells(c, strip, thread, x_i32(block), n);
	if (vectors)
		k_end(l->k);
	lowering_launch(l, ceil_div_by(count, tile), x_i64(1), x_i64(1));
}

/* Binds the outer indices of a row number; returns nothing: row = ((r0 * n1) + r1) * n2 + r2 ... */
static void decode_row(struct cells *c, struct kx *row, struct kx *const *lo, struct kx *const *size)
{
	struct kernel *k = c->l->k;
	struct kx *rest = row;
	for (int d = c->column - 1; d >= 0; d--) {
		struct kx *r = d ? x_rem(rest, size[d]) : rest;
		cells_bind(c, d, x_var(k_let(k, c->node->index.at[d]->name, x_add(lo[d], r))));
		if (d)
			rest = x_var(k_let(k, "rest", x_div(rest, size[d])));
	}
}

/* The host's view of the domain, passed to the kernel: lo and size per index. */
struct ranges { struct kx *lo[MAX_RANK], *size[MAX_RANK], *host_lo[MAX_RANK], *host_size[MAX_RANK]; struct kx *rows, *host_rows; };

static void find_ranges(struct cells *c, struct ranges *r)
{
	struct lowering *l = c->l, *host = host_lowering(l->plan);
	r->host_rows = x_i64(1);
	for (int d = 0; d < c->rank; d++) {
		const char *name = c->node->index.at[d]->name;
		r->host_lo[d] = cells_range_lo(c, d, host);
		struct kx *hi = cells_range_hi(c, d, host), *size = hi;
		if (!x_is_int(r->host_lo[d], 0)) {
			r->host_lo[d] = host_let(c, str_print("%s_first", name), r->host_lo[d]);
			size = x_max(x_sub(hi, r->host_lo[d]), x_i64(0));
		}
		r->host_size[d] = host_let(c, str_print("%s_cells", name), size);
		r->lo[d] = x_is_int(r->host_lo[d], 0) ? r->host_lo[d]
		         : lower_argument(l, str_print("%s_first", name), kt_scalar(T_I64), r->host_lo[d]);
		if (d == c->column || d > 0)
			r->size[d] = lower_argument(l, str_print("%s_cells", name), kt_scalar(T_I64), r->host_size[d]);
		if (d != c->column)
			r->host_rows = d ? x_mul(r->host_rows, r->host_size[d]) : r->host_size[d];
	}
	if (c->rank > 1) {
		r->host_rows = host_let(c, "rows", r->host_rows);
		r->rows = lower_argument(l, "rows", kt_scalar(T_I64), r->host_rows);
	}
}

/* Threads of a block along columns: a warp, or fewer when a row has fewer vectors; all in one dimension. */
static struct kx *choose_lanes(struct cells *c, struct kx *columns)
{
	int lanes = c->l->target->lanes;
	struct kx *x = x_i64(1);
	if (c->rank == 1)
		return x_i64(c->l->target->block);       /* no rows for the others to take */
	for (int at = 2; at <= lanes; at *= 2)
		x = x_cond(x_lt(x_i64((int64_t)at / 2 * c->width), columns), x_i64(at), x);
	return x;
}

/* Bands of rows a block takes one after another: one where nothing is folded (more blocks hide the tail),
 * several where each block pays for a fold, so that about FOLD_BLOCKS do; by the shape only. */
static struct kx *choose_tiles(struct cells *c, struct kx *bands, struct kx *strips)
{
	struct kx *least = ceil_div_by(bands, c->l->target->max_grid_y);
	if (c->node->choice.coarsen)
		return x_max(least, x_i64(c->node->choice.coarsen));
	if (!c->folds.n)
		return x_max(least, x_i64(1));
	return x_max(least, x_max(ceil_div_by(x_mul(bands, strips), FOLD_BLOCKS), x_i64(1)));
}

static void row_cells(struct cells *c, const struct ranges *r, struct kx *strip, struct kx *strip_end,
                      struct kx *lane_x, struct kx *lanes_x, struct kx *vectors)
{
	struct kernel *k = c->l->k;
	struct kx *end = x_add(r->lo[c->column], r->size[c->column]);
	bool fast = vectors || c->width == 1;
	bool two_ways = (c->width > 1 || c->edged) && !(vectors && x_is_int(vectors, 0));
	if (!two_ways || !fast) {
		single_cells(c, strip, lane_x, lanes_x, end);
		return;
	}
	struct kx *inside = c->edged ? cells_inside(c, strip, x_sub(strip_end, x_i64(1))) : NULL;
	k_if(k, x_and(x_and(vectors, x_le(strip_end, end)), inside));
	struct kx *at = x_add(strip, x_to_i64(c->width > 1 ? x_mul(lane_x, x_i32(c->width)) : lane_x));
	vector_cells(c, x_var(k_let(k, c->node->index.at[c->column]->name, at)));
	k_else(k);
	single_cells(c, strip, lane_x, lanes_x, end);
	k_end(k);
}

/* Without cells nothing is launched, unless a fold over nothing has an identity to store. */
static struct kx *some_blocks(const struct cells *c, struct kx *blocks)
{
	return c->folds.n ? x_max(blocks, x_i64(1)) : blocks;
}

static void rows_gpu(struct cells *c)
{
	struct lowering *l = c->l;
	struct kernel *k = l->k;
	struct ranges r = { .rows = NULL };
	find_ranges(c, &r);
	block_launch_bounds(l);
	cells_start_folds(c);
	struct kx *host_lanes = host_let(c, "lanes", choose_lanes(c, r.host_size[c->column]));
	struct kx *host_strips = ceil_div(r.host_size[c->column], x_mul(host_lanes, x_i64(c->width)));
	host_strips = host_let(c, "strips", some_blocks(c, host_strips));
	struct kx *lanes_x = x_to_i32(lower_argument(l, "lanes", kt_scalar(T_I64), host_lanes));
	lanes_x = x_var(k_let(k, "lanes_x", lanes_x));
	struct kx *vectors = vectors_allowed(c, host_lowering(l->plan), r.host_lo[c->column]);
	struct kx *thread = block_thread(l);
	struct kx *lane_x = x_var(k_let(k, "lane_x", x_rem(thread, lanes_x)));
	struct kx *width = x_to_i64(x_mul(lanes_x, x_i32(c->width)));
	struct kx *strip = x_add(r.lo[c->column], x_mul(x_to_i64(x_id(ID_BLOCK_X)), width));
	strip = x_var(k_let(k, "strip", strip));
	struct kx *strip_end = x_add(strip, width);
	struct kx *host_bands = x_i64(1), *host_blocks_y = x_i64(1);
	if (c->rank > 1) {
		struct kx *host_rows_a_band = x_div(x_i64(l->target->block), host_lanes);
		host_bands = host_let(c, "bands", ceil_div(r.host_rows, host_rows_a_band));
		struct kx *host_tiles = host_let(c, "tiles", choose_tiles(c, host_bands, host_strips));
		host_blocks_y = host_let(c, "blocks_y", some_blocks(c, ceil_div(host_bands, host_tiles)));
		struct kx *tiles = lower_argument(l, "tiles", kt_scalar(T_I64), host_tiles);
		struct kx *lanes_y = x_var(k_let(k, "lanes_y", x_div(x_i32(l->target->block), lanes_x)));
		struct kx *lane_y = x_var(k_let(k, "lane_y", x_div(thread, lanes_x)));
		struct kvar *t = k_for(k, "tile", x_i64(0), tiles, x_i64(1), 0);
		struct kx *band = x_add(x_mul(x_to_i64(x_id(ID_BLOCK_Y)), tiles), x_var(t));
		struct kx *row = x_add(x_mul(band, x_to_i64(lanes_y)), x_to_i64(lane_y));
		row = x_var(k_let(k, "row", row));
		k_if(k, x_lt(row, r.rows));
		decode_row(c, row, r.lo, r.size);
	}
	row_cells(c, &r, strip, strip_end, lane_x, lanes_x, vectors);
	if (c->rank > 1) {
		k_end(k);
		k_end(k);
	}
	if (c->folds.n) {
		struct kx *blocks_x = lower_argument(l, "blocks_x", kt_scalar(T_I64), host_strips);
		struct kx *parts = lower_argument(l, "parts", kt_scalar(T_I64), x_mul(host_strips, host_blocks_y));
		struct kx *part = x_add(x_mul(x_to_i64(x_id(ID_BLOCK_Y)), blocks_x), x_to_i64(x_id(ID_BLOCK_X)));
		/* strips x (bands / tiles + 1) <= FOLD_BLOCKS + columns */
		cells_finish(c, part, parts, x_add(r.host_size[c->column], x_i64(FOLD_BLOCKS)));
	}
	lowering_launch(l, host_strips, host_blocks_y, x_i64(1));
}

/* ---- CPU ---- */

static void cpu_columns(struct cells *c, struct kx *lo, struct kx *hi, int flags, enum cell_mode mode)
{
	struct kernel *k = c->l->k;
	struct kvar *j = k_for(k, c->node->index.at[c->column]->name, lo, hi, x_i64(1), flags);
	cells_bind(c, c->column, x_var(j));
	struct kx *guard = cells_guard(c);
	if (guard)
		k_if(k, guard);
	cells_body(c, mode);
	if (guard)
		k_end(k);
	k_end(k);
}

static int simd_flag(const struct cells *c)
{
	bool plain = node_walk((struct node *)c->node, no_fold, NULL);
	return !plain || c->folds.n || node_checked(c->node) ? 0 : FOR_SIMD;
}

/* Border columns left and right of the inside ones, in one loop that is written once. */
static void cpu_border(struct cells *c, struct kx *lo, struct kx *hi, struct kx *first, struct kx *last)
{
	struct kernel *k = c->l->k;
	struct kvar *side = k_for(k, "side", x_i32(0), x_i32(2), x_i32(1), 0);
	struct kx *left = x_eq(x_var(side), x_i32(0));
	struct kx *from = x_var(k_let(k, "from", x_cond(left, lo, last)));
	struct kx *to = x_var(k_let(k, "to", x_cond(left, first, hi)));
	cpu_columns(c, from, to, 0, CELL_BORDER);
	k_end(k);
}

static void cpu_row(struct cells *c, struct kx *lo, struct kx *hi)
{
	struct kernel *k = c->l->k;
	if (!c->edged) {
		cpu_columns(c, lo, hi, simd_flag(c), CELL_PLAIN);
		return;
	}
	struct kx *first = lo, *last = hi, *rows = cells_inside_rows(c);
	cells_column_range(c, &first, &last);
	/* first <= last, both within lo .. hi; both hi when the row itself is at an edge */
	first = x_min(first, hi);
	if (rows)
		first = x_cond(rows, first, hi);
	first = x_var(k_let(k, "inside_first", first));
	last = x_var(k_let(k, "inside_last", rows ? x_cond(rows, x_max(last, first), hi) : x_max(last, first)));
	cpu_border(c, lo, hi, first, last);
	cpu_columns(c, first, last, simd_flag(c), CELL_PLAIN);
}

/* The folds of a row go to its place in `partial`; a second loop folds those in order. */
static void cpu_fold_rows(struct cells *c, struct plan *plan, struct kx *const *slot, struct kx *host_rows)
{
	struct lowering *l = lowering_new(plan, str_print("%s_fold", c->node->name));
	for (int e = 0; e < c->group->epilogue.n; e++)
		lowering_writes(l, c->group->epilogue.at[e]);
	struct kx *rows = lower_argument(l, "rows", kt_scalar(T_I64), host_rows);
	struct kx *partial[8];
	for (int f = 0; f < c->folds.n; f++)
		partial[f] = lower_argument(l, "partial", kt_pointer(c->acc.at[f].type, true), slot[f]);
	struct accumulators all = folds_start(l, &c->folds);
	struct kvar *row = k_for(l->k, "row", x_i64(0), rows, x_i64(1), 0);
	for (int f = 0; f < c->folds.n; f++)
		k_set(l->k, x_var(all.at[f].var), lower_apply(l, all.at[f].op, all.at[f].type,
		      x_var(all.at[f].var), x_at(partial[f], x_var(row))));
	k_end(l->k);
	c->acc = all;
	finish_all(l, c);
	lowering_launch(l, x_i64(1), x_i64(1), x_i64(1));
}

static void rows_cpu(struct cells *c)
{
	struct lowering *l = c->l;
	struct kernel *k = l->k;
	struct ranges r = { .rows = NULL };
	find_ranges(c, &r);
	bool chunked = c->rank == 1;
	int64_t chunk = node_walk((struct node *)c->node, no_fold, NULL) ? CPU_CHUNK : CPU_FOLDS;
	struct kx *host_rows = chunked ? ceil_div_by(r.host_size[0], chunk) : r.host_rows;
	if (chunked) {
		host_rows = host_let(c, "chunks", host_rows);
		r.rows = lower_argument(l, "chunks", kt_scalar(T_I64), host_rows);
	}
	struct kx *slot[8], *partial[8];
	find_folds(c);
	for (int f = 0; f < c->folds.n; f++) {
		slot[f] = x_var(plan_slot(l->plan, "partial", c->folds.at[f]->type, 1, &host_rows));
		partial[f] = lower_argument(l, "partial", kt_pointer(c->folds.at[f]->type, false), slot[f]);
	}
	struct kx *row = x_var(k_for(k, chunked ? "chunk" : "row", x_i64(0), r.rows, x_i64(1), FOR_PARALLEL));
	struct kx *lo = r.lo[c->column], *hi = x_add(lo, r.size[c->column]);
	if (chunked) {
		lo = x_var(k_let(k, "lo", x_add(lo, x_mul(row, x_i64(chunk)))));
		hi = x_var(k_let(k, "hi", x_min(x_add(lo, x_i64(chunk)), hi)));
	} else {
		decode_row(c, row, r.lo, r.size);
	}
	c->acc = folds_start(l, &c->folds);
	cpu_row(c, lo, hi);
	for (int f = 0; f < c->folds.n; f++)
		k_set(k, x_at(partial[f], row), x_var(c->acc.at[f].var));
	k_end(k);
	lowering_launch(l, x_i64(1), x_i64(1), x_i64(1));
	if (c->folds.n)
		cpu_fold_rows(c, l->plan, slot, host_rows);
}

static void flat_cpu(struct cells *c)
{
	struct lowering *l = c->l, *host = host_lowering(l->plan);
	const struct var *first = target_read(c->node->equation.at[0]->target.at[0])->var;
	struct kx *count = NULL;
	for (int a = 0; a < first->rank; a++)
		count = count ? x_mul(count, lower_extent(host, first, a)) : lower_extent(host, first, a);
	struct kx *n = lower_argument(l, "cells", kt_scalar(T_I64), count);
	struct kvar *i = k_for(l->k, "i", x_i64(0), n, x_i64(1), FOR_PARALLEL | FOR_SIMD);
	c->position = x_var(i);
	cells_body(c, CELL_PLAIN);
	k_end(l->k);
	lowering_launch(l, x_i64(1), x_i64(1), x_i64(1));
}

/* ---- entry points ---- */

void cells_uniform(struct plan *plan, const struct node *node)
{
	struct lowering *l = lowering_new(plan, node->name);
	lowering_writes(l, node);
	l->k->block[0] = l->k->block[1] = l->k->block[2] = plan->target->gpu ? 1 : 0;
	lower_equations(l, node);
	lowering_launch(l, x_i64(1), x_i64(1), x_i64(1));
}

void cells_lower(struct plan *plan, const struct group *group)
{
	struct cells *c = NEW(struct cells);
	if (group->anchor->index.n == 0) {
		cells_uniform(plan, group->anchor);
		return;
	}
	cells_open(c, plan, group);
	if (plan->target->gpu) {
		if (c->flat)
			flat_gpu(c);
		else
			rows_gpu(c);
	} else if (c->flat) {
		flat_cpu(c);
	} else {
		rows_cpu(c);
	}
}
