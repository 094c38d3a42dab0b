/* cell_read.c - how a kernel over cells reads its arrays: plain, from a vector's registers, or
 * through the edge that a boundary clause gives an access outside.
 *
 * The edges extend an array periodically (R43), so any offset is legal, extent 1 included.
 * `constant v` is evaluated at the outside index, `keep` leaves the cell alone (cells.c). */
#include <assert.h>
#include "cells.h"

enum { NEAR = 1 << 6 };                 /* cells: farther reads are rare and take the general way */

/* An axis whose index has an edge, whatever the offset: axis_own() tells when it cannot leave. */
static bool axis_edged(const struct node *node, const struct expr *read, int axis, int *k)
{
	struct shift s;
	bool shifted = access_shift(node, read->arg.at[axis], &s);
	*k = s.k;
	return shifted && node->edge[s.k].kind != B_NONE;
}

bool cells_index_inside(const struct node *node, int k, const struct affine *extent)
{
	struct affine lo, hi;
	return affine_of(node->hi.at[k], &hi) && affine_add(&hi, extent, -1) && hi.n == 0
	       && hi.constant <= 0 && affine_of(node->lo.at[k], &lo) && lo.n == 0
	       && lo.constant >= 0;
}

/* index k itself, in an array whose extent is the domain's: no edge can be needed */
static bool axis_own(const struct node *node, const struct expr *read, int axis)
{
	int k;
	int64_t offset;
	return access_offset(node, read, axis, &k, &offset) && offset == 0
	    && cells_index_inside(node, k, &read->var->extent[axis]);
}

bool cell_edged_along(const struct node *node, const struct expr *read, int axis)
{
	int k;
	return axis_edged(node, read, axis, &k) && !axis_own(node, read, axis);
}

bool cell_edged(const struct node *node, const struct expr *read)
{
	for (int a = 0; a < read->var->rank; a++)
		if (cell_edged_along(node, read, a))
			return true;
	return false;
}

/* ---- edges ---- */

static struct kx *period_help(const char *name, bool near, struct kx *s, struct kx *extent)
{
	struct kx *arg[] = { s, extent };
	return x_help(kt_scalar(T_I64), near ? str_print("%s_near", name) : name, 2, arg);
}

struct kx *edge_position(enum boundary kind, struct kx *s, struct kx *extent, bool near)
{
	switch (kind) {
	case B_CLAMP:   return x_min(x_max(s, x_i64(0)), x_sub(extent, x_i64(1)));
	case B_WRAP:    return period_help("patc_wrap", near, s, extent);
	case B_MIRROR:  return period_help("patc_mirror", near, s, extent);
	case B_REFLECT: return period_help("patc_reflect", near, s, extent);
	case B_NONE: case B_VALUE: case B_KEEP: return s;
	}
	assert(!"a boundary");
	return s;
}

bool leads_far(enum boundary b)
{
	return b == B_WRAP || b == B_MIRROR || b == B_REFLECT;
}

bool node_leads_far(const struct node *node)
{
	bool far = false;
	for (int k = 0; k < node->index.n; k++)
		far |= leads_far(node->edge[k].kind);
	return far;
}

/* Does the range of index k begin and end no farther than NEAR outside of an axis of this extent?
 * */
static bool near_range(const struct node *node, int k, const struct affine *extent)
{
	struct affine lo, beyond;
	if (!affine_of(node->lo.at[k], &lo) || lo.n || lo.constant < -NEAR
	    || !affine_of(node->hi.at[k], &beyond) || !affine_add(&beyond, extent, -1))
		return false;
	for (int t = 0; t < beyond.n; t++)
		if (beyond.term[t].var->kind != VAR_SIZE || beyond.term[t].coef > 0)
			return false;
	return beyond.constant <= NEAR;
}

bool cell_index_near(const struct node *node, const struct expr *read, int axis)
{
	struct shift s;
	return access_shift(node, read->arg.at[axis], &s)
	       && near_range(node, s.k, &read->var->extent[axis]);
}

/* So near to the array that periods may be taken off one by one, even from one of a cell. */
static bool cell_near(const struct node *node, const struct expr *read, int axis)
{
	int k;
	int64_t offset;
	return access_offset(node, read, axis, &k, &offset) && offset >= -NEAR && offset <= NEAR
	       && cell_index_near(node, read, axis);
}

/* A field of a struct array answers with that field of the boundary's value. */
const struct expr *edge_value(const struct var *var, struct expr *const *sub,
                              const struct expr *value)
{
	return var->part ? expr_part((struct expr *)value, var->part, sub) : value;
}

/* Axes in the order of the program, in which the first one outside answers. */
int edge_axis(const struct var *var, int nth)
{
	return var->layout && var->layout->col ? var->rank - 1 - nth : nth;
}

/* A subscript whose size no constant bounds. */
static bool may_wrap(const struct node *node, const struct expr *sub)
{
	struct shift s;
	if (!access_shift(node, sub, &s))
		return false;
	for (int t = 0; t < s.rest.n; t++)
		if (s.rest.term[t].var->kind != VAR_SIZE && s.rest.term[t].var->kind != VAR_INDEX)
			return true;
	return s.coef < -FAR_FACTOR || s.coef > FAR_FACTOR;
}

struct kx *cell_place(struct cells *c, const struct expr *read, int axis)
{
	const struct expr *sub = read->arg.at[axis];
	return (may_wrap(c->node, sub) ? lower_wrapping : lower_index)(c->l, sub);
}

/* The value outside: its indices are those of the access.  What it reads has no edge, stands in no
 * tile and is no value of this cell. */
static struct kx *outside_value(struct cells *c, const struct expr *read, const struct expr *value)
{
	struct lowering *l = c->l;
	struct kx *held[MAX_RANK];
	enum cell_mode mode = c->mode;
	int fresh = c->fresh.n;
	for (int d = 0; d < c->rank; d++)
		held[d] = c->index[d];
	for (int a = 0; a < read->var->rank; a++) {
		int k;
		if (axis_edged(c->node, read, a, &k))
			lower_bind(l, c->node->index.at[k], cell_place(c, read, a));
	}
	/* the subscripts above may use indices already rebound: edges shift one index an axis, so
	 * they do not */
	c->mode = CELL_PLAIN;
	c->fresh.n = 0;
	struct kx *x = lower_expr(l, edge_value(read->var, read->arg.at, value));
	c->mode = mode;
	c->fresh.n = fresh;
	for (int d = 0; d < c->rank; d++)
		if (held[d])
			lower_bind(l, c->node->index.at[d], held[d]);
	return x;
}

/* A checked read at the border: where no value answers, the edges need a cell to go on from, and
 * the other subscripts lie inside. */
static struct kx *tested_border(struct cells *c, const struct expr *read, struct kx *const *inside,
                                struct kx *cell)
{
	struct lowering *l = c->l;
	struct kx *asked = NULL, *ok = NULL;
	for (int a = 0; a < read->var->rank; a++) {
		int k;
		struct kx *extent = lower_extent(l, read->var, a);
		if (inside[a])
			asked = x_and(asked, inside[a]);
		else if (axis_edged(c->node, read, a, &k))
			ok = x_and(ok, x_lt(x_i64(0), extent));
		else
			ok = x_and(ok, lower_inside(lower_index(l, read->arg.at[a]), extent));
	}
	return lower_tested(l, read, asked, ok, cell);
}

/* What is tested is asked for only where it answers. */
static struct kx *answer_in_branches(struct cells *c, const struct expr *read, struct kx *x,
                                     struct kx *const *inside, const struct expr *const *value)
{
	struct kernel *k = c->l->k;
	struct kvar *answer = k_var(k, kt(read->type), "answer", NULL);
	for (int nth = 0; nth < read->var->rank; nth++)
		if (value[edge_axis(read->var, nth)])
			k_if(k, inside[edge_axis(read->var, nth)]);
	k_set(k, x_var(answer), x);
	for (int nth = read->var->rank - 1; nth >= 0; nth--) {
		int a = edge_axis(read->var, nth);
		if (!value[a])
			continue;
		k_else(k);
		k_set(k, x_var(answer), x_cast(kt(read->type), outside_value(c, read, value[a])));
		k_end(k);
	}
	return x_var(answer);
}

static bool some_tested(const struct expr *read, const struct expr *const *value)
{
	for (int a = 0; a < read->var->rank; a++)
		if (value[a] && expr_checked(value[a]))
			return true;
	return false;
}

/* The first axis along which the access is outside answers with its value. */
static struct kx *read_border(struct cells *c, const struct expr *read)
{
	struct lowering *l = c->l;
	struct kx *sub[MAX_RANK], *inside[MAX_RANK] = { NULL };
	const struct expr *value[MAX_RANK] = { NULL };
	for (int a = 0; a < read->var->rank; a++) {
		int k;
		sub[a] = cell_place(c, read, a);
		if (!axis_edged(c->node, read, a, &k) || axis_own(c->node, read, a))
			continue;
		struct kx *extent = lower_extent(l, read->var, a);
		if (c->node->edge[k].kind == B_VALUE) {
			value[a] = c->node->edge[k].value;
			inside[a] = lower_inside(sub[a], extent);
		}
		bool near = cell_near(c->node, read, a);
		sub[a] = edge_position(c->node->edge[k].kind, sub[a], extent, near);
	}
	struct kx *x = lower_place(l, read->var, sub);
	if (read->checked)
		x = tested_border(c, read, inside, x);
	if (some_tested(read, value))
		return answer_in_branches(c, read, x, inside, value);
	for (int nth = read->var->rank - 1; nth >= 0; nth--) {
		int a = edge_axis(read->var, nth);
		if (value[a])
			x = x_cond(inside[a], x,
			           x_cast(kt(read->type), outside_value(c, read, value[a])));
	}
	return x;
}

/* ---- tiles in shared memory ---- */

static const struct tile_array *tile_of(const struct cells *c, const struct var *var)
{
	for (int t = 0; t < c->tile.n; t++)
		if (c->tile.at[t].var == var)
			return &c->tile.at[t];
	return NULL;
}

bool cell_span(const struct node *node, const struct expr *read, int axis, struct cell_span *span)
{
	struct shift s;
	bool near = access_shift(node, read->arg.at[axis], &s) && s.k == axis && s.coef == 1;
	span->rest = s.rest;
	return near && shift_ends(node, &s.rest, &span->least, &span->most);
}

bool span_number(const struct cell_span *span)
{
	return shift_end_number(&span->least) && shift_end_number(&span->most);
}

enum { APART = 4 };      /* from one cell of a window to the next; farther, tiles are unused */

bool span_given(const struct cell_span *span)
{
	for (int t = 0; t < span->rest.n; t++)
		if (span->rest.term[t].var->kind == VAR_INDEX
		    && (span->rest.term[t].coef < -APART || span->rest.term[t].coef > APART))
			return false;
	bool window = !affine_equal(&span->least.sum, &span->most.sum) || span->least.n
	              || span->most.n;
	return window && shift_end_fixed(&span->least) && shift_end_fixed(&span->most);
}

/* The host has tested that places are small; the sums on the way may wrap. */
static struct kx *given_offset(struct cells *c, const struct expr *sub, const struct affine *rest,
                               struct kx *before)
{
	const struct shift_end end = { .sum = *rest };
	return x_to_i32(may_wrap(c->node, sub) ? shift_end_value(c->l, before, &end)
	                                       : x_add(lower_affine(c->l, rest), before));
}

static struct kx *constant_offset(struct cells *c, const struct affine *rest, int64_t before)
{
	struct kx *x = NULL;
	for (int t = 0; t < rest->n; t++) {
		struct kx *at = x_to_i32(lower_var(c->l, rest->term[t].var));
		if (rest->term[t].coef != 1)
			at = x_mul(x_i32(rest->term[t].coef), at);
		x = x ? x_add(x, at) : at;
	}
	struct kx *from = x_i32(rest->constant + before);
	return x ? x_add(x, from) : from;
}

static struct kx *offset_in_tile(struct cells *c, const struct expr *read, int axis,
                                 const struct cell_span *span)
{
	int64_t before;
	if (span_number(span) && x_constant(c->tile_before[axis], &before))
		return constant_offset(c, &span->rest, before);
	return given_offset(c, read->arg.at[axis], &span->rest, c->tile_before[axis]);
}

/* Is it inside of the halo? */
static bool in_tile(const struct cells *c, const struct cell_span *span, int axis)
{
	if (!span_number(span))
		return span_given(span);
	return span->least.sum.constant >= -c->tile_lo[axis]
	       && span->most.sum.constant <= c->tile_hi[axis];
}

/* NULL when the read is farther than the halo. */
static struct kx *read_tile(struct cells *c, const struct expr *read, const struct tile_array *tile)
{
	struct kx *x = NULL;
	for (int a = 0; a < read->var->rank; a++) {
		struct cell_span span;
		if (read->checked || !cell_span(c->node, read, a, &span) || !in_tile(c, &span, a))
			return NULL;
		struct kx *at = x_add(c->tile_at[a], offset_in_tile(c, read, a, &span));
		x = x ? x_add(x_mul(x, c->tile_size[a]), at) : at;
	}
	return x_at(x_var(tile->shared), x);
}

/* ---- vectors along the last axis ---- */

/* The read runs along the column: last axis index + offset, the others without it, and the same for
 * all terms of folds. */
static bool runs_along(const struct cells *c, const struct expr *read, int64_t *offset)
{
	int last = read->var->rank - 1, k;
	if (read->checked || read->type->kind == T_STRUCT || !is_abreast(read->var, c->width))
		return false;
	if (!access_offset(c->node, read, last, &k, offset) || k != c->column
	    || (*offset && var_home(read->var)))
		return false;
	for (int a = 0; a < last; a++) {
		struct affine f;
		if (!affine_of(read->arg.at[a], &f) || affine_folded(c->node, &f)
		    || expr_uses(read->arg.at[a], c->node->index.at[c->column]))
			return false;
	}
	return *offset > -NEAR && *offset < NEAR;    /* windows are registers */
}

bool cells_same_row(const struct expr *a, const struct expr *b)
{
	for (int x = 0; x < a->var->rank - 1; x++) {
		struct affine f, g;
		if (!affine_of(a->arg.at[x], &f) || !affine_of(b->arg.at[x], &g)
		    || !affine_equal(&f, &g))
			return false;
	}
	return true;
}

static struct stream *stream_of(struct cells *c, const struct expr *read)
{
	for (int k = 0; k < c->stream.n; k++) {
		struct stream *s = &c->stream.at[k];
		if (s->var == read->var && cells_same_row(s->sample, read))
			return s;
	}
	return NULL;
}

/* May be loaded whatever guards it: an edge or the inside test keeps it inside, or it is its own
 * cell. */
static bool always_inside(const struct cells *c, const struct expr *read)
{
	for (int a = 0; a < read->var->rank; a++) {
		int k;
		bool edged = axis_edged(c->node, read, a, &k);
		if (!edged && !axis_own(c->node, read, a))
			return false;
	}
	return true;
}

/* An earlier equation may have written it, or not: what reads outside an array keeps its value, and
 * only memory knows. */
static bool maybe_new(const struct node *node, const struct var *var)
{
	return node->equation.n > 1 && node_checked(node) && node_writes(node, var);
}

static void add_stream(struct cells *c, const struct expr *read, bool guarded)
{
	int64_t offset;
	if (!runs_along(c, read, &offset) || (guarded && !always_inside(c, read))
	    || maybe_new(c->node, read->var))
		return;
	struct stream *s = stream_of(c, read);
	if (!s) {
		list_add(&c->stream, ((struct stream){
			.var = read->var, .sample = read, .lo = offset, .hi = offset
		}));
		return;
	}
	s->lo = offset < s->lo ? offset : s->lo;
	s->hi = offset > s->hi ? offset : s->hi;
}

static void find_streams(struct cells *c, const struct expr *e, bool guarded)
{
	if (!e)
		return;
	bool lazy = expr_lazy(e);
	for (int a = 0; a < e->arg.n; a++)
		find_streams(c, e->arg.at[a], guarded || e->kind == E_FOLD || (lazy && a > 0));
	if (e->kind == E_READ)
		add_stream(c, e, guarded);
}

/* Cells the node itself writes may be loaded before too: other cells it reads are proved unwritten
 * (R45), and what an earlier equation wrote at this cell is found in c->fresh (cells.c), if it is
 * known to have. */
void cells_find_streams(struct cells *c)
{
	const struct node *node = c->node;
	find_streams(c, node->where, false);
	for (int q = 0; q < node->equation.n; q++)
		find_streams(c, node->equation.at[q]->right, node->where != NULL);
	for (int q = 0; c->meeting && q < node->equation.n; q++) {
		const struct expr *cell = target_read(node->equation.at[q]->target.at[0]);
		for (int a = 0; a < cell->arg.n; a++)
			find_streams(c, cell->arg.at[a], node->where != NULL);
	}
}

struct kx *cells_stride(struct cells *c, const struct var *var, int axis)
{
	struct kx *stride = lower_pitch(c->l, var, axis + 1);
	for (int a = axis + 2; a < var->rank; a++)
		stride = x_mul(stride, lower_pitch(c->l, var, a));
	return stride;
}

/* The array's cell at the bound indices, once an array; rows near it are a few strides away. */
static struct kx *base_pointer(struct cells *c, const struct var *var, struct kx *column)
{
	for (int b = 0; b < c->base.n; b++)
		if (c->base.at[b].var == var)
			return x_var(c->base.at[b].pointer);
	struct kx *sub[MAX_RANK];
	bool marches = c->march >= 0 && c->march < var->rank - 1;
	for (int a = 0; a < var->rank; a++)
		sub[a] = a == var->rank - 1         ? column
		         : marches && a == c->march ? x_i64(0)
		                                    : c->index[a];
	struct kx *first = c->flat ? column : kx_fold(lower_linear(c->l, var, sub));
	struct kx *p = x_offset(lower_pointer(c->l, var), first);
	if (marches)                  /* apart, so that a compiler takes the rest out of the loop */
		p = x_offset(p, x_mul(c->index[c->march], cells_stride(c, var, c->march)));
	struct kvar *base = k_let(c->l->k, str_print("%s_at", var->name), p);
	list_add(&c->base, ((struct base){ var, base }));
	return x_var(base);
}

/* Distance of the read's row from the cell's own; false if its subscripts are not index a +
 * constant. */
static bool row_distance(struct cells *c, const struct expr *read, struct kx **distance)
{
	int last = read->var->rank - 1;
	*distance = NULL;
	if (read->var->rank != c->rank)
		return false;
	for (int a = 0; a < last; a++) {
		int k;
		int64_t offset;
		if (!access_offset(c->node, read, a, &k, &offset) || k != a)
			return false;
		if (!offset)
			continue;
		struct kx *stride = cells_stride(c, read->var, a);
		if (offset != 1 && offset != -1)
			stride = x_mul(x_i64(offset < 0 ? -offset : offset), stride);
		struct kx *zero = *distance ? *distance : x_i64(0);
		*distance = offset < 0  ? x_sub(zero, stride)
		            : *distance ? x_add(*distance, stride)
		                        : stride;
	}
	return true;
}

struct kx *cells_row(struct cells *c, const struct expr *read, struct kx *column)
{
	struct kx *sub[MAX_RANK], *distance = NULL;
	int last = read->var->rank - 1;
	if (!var_home(read->var) && (c->flat || row_distance(c, read, &distance))) {
		struct kx *base = base_pointer(c, read->var, column);
		return c->flat || !distance ? base : x_offset(base, distance);
	}
	for (int a = 0; a < last; a++)
		sub[a] = lower_index(c->l, read->arg.at[a]);
	sub[last] = column;
	struct kx *cell = lower_place(c->l, read->var, sub),
		  *p = x_offset(cell->arg[0], cell->arg[1]);
	return x_var(k_let(c->l->k, str_print("%s_at", read->var->name), p));
}

static struct kvar *vector_by(struct cells *c, const struct stream *s, const char *help,
                              struct kx *at)
{
	const char *name = str_print("%s%d", s->var->name, c->width);
	struct kvar *v = k_var(c->l->k, kt_vector(s->var->type, c->width), name, NULL);
	k_do(c->l->k, x_help(kt_scalar(T_I32), help, 2, (struct kx *[]){ x_var(v), at }));
	return v;
}

/* What is read through a vector may find its cells in the caches, if the vectors themselves do not
 * stay there: of 2^26 floats of 2^24 an H200 gathers 69.4 G/s instead of 68.0, with stores that do
 * not stay either (cells_gpu.c). */
static struct kvar *load_vector(struct cells *c, const struct stream *s, struct kx *at)
{
	if (c->shifted && !cells_own_row(c, s->sample))
		return vector_by(c, s, "patc_shifted", at);
	if (cells_tested(c) && s->lo == 0 && s->hi == 0)
		return vector_by(c, s, "patc_once", at);
	return k_let(c->l->k, str_print("%s%d", s->var->name, c->width), x_vload(at, c->width));
}

/* Registers for offsets lo .. hi + width - 1: whole vectors where two or more of their cells are
 * needed. */
static void load_window(struct cells *c, struct stream *s, struct kx *row)
{
	struct kernel *k = c->l->k;
	int w = c->width;
	int64_t from = s->lo, to = s->hi + w;        /* cells from .. to - 1 */
	s->window = k_regs(k, s->var->type, str_print("%s_row", s->var->name), to - from);
	struct kx *window = x_var(s->window);
	for (int64_t at = from; at < to;) {
		int64_t slot = at < 0 ? -((-at + w - 1) / w) : at / w;
		int64_t end = (slot + 1) * w < to ? (slot + 1) * w : to;
		if (end - at < 2 || w == 1) {
			k_set(k, x_at(window, x_i32(at - from)), x_at(row, x_i64(at)));
			at++;
			continue;
		}
		struct kx *p = slot ? x_offset(row, x_i64(slot * w)) : row;
		struct kvar *v = load_vector(c, s, p);
		for (; at < end; at++)
			k_set(k, x_at(window, x_i32(at - from)),
			      x_lane(x_var(v), (int)(at - slot * w)));
	}
}

void cells_load_streams(struct cells *c, struct kx *column)
{
	c->base.n = 0;
	for (int s = c->held; s < c->stream.n; s++) {
		struct stream *st = &c->stream.at[s];
		struct kx *row = cells_row(c, st->sample, column);
		if (st->lo == st->hi && c->width == 1)
			st->cell = k_let(c->l->k, str_print("%s_cell", st->var->name),
			                 x_at(row, x_i64(st->lo)));
		else if (st->lo == 0 && st->hi == 0)
			st->vector = load_vector(c, st, row);
		else
			load_window(c, st, row);
	}
}

static struct kx *read_vector(struct cells *c, const struct expr *read)
{
	int64_t offset;
	struct stream *s = runs_along(c, read, &offset) ? stream_of(c, read) : NULL;
	if (!s || offset < s->lo || offset > s->hi)
		return NULL;
	if (s->cell)
		return x_var(s->cell);
	if (s->vector)
		return x_lane_at(x_var(s->vector), c->lane);
	if (!s->window)
		return NULL;
	struct kx *lane = c->lane ? c->lane : x_i32(0);
	return x_at(x_var(s->window), x_add(lane, x_i32(s->row ? offset : offset - s->lo)));
}

static bool same_cell(const struct expr *a, const struct expr *b)
{
	struct affine f, g;
	for (int x = 0; a->var == b->var && x < a->var->rank; x++)
		if (!affine_of(a->arg.at[x], &f) || !affine_of(b->arg.at[x], &g)
		    || !affine_equal(&f, &g))
			return false;
	return a->var == b->var;
}

struct kx *cells_flat_place(struct cells *c, const struct var *var)
{
	for (int h = 0; h < c->l->held.n; h++)
		if (c->l->held.at[h].var == var)
			return c->l->held.at[h].x;
	return x_at(lower_pointer(c->l, var), c->position);
}

struct kx *cell_read(struct lowering *l, const struct expr *read)
{
	struct cells *c = (struct cells *)l->now.state;
	for (int f = c->fresh.n - 1; f >= 0; f--)    /* the last equation that wrote it */
		if (same_cell(c->fresh.at[f].target, read))
			return c->fresh.at[f].value;
	const struct tile_array *tile = c->mode == CELL_TILE ? tile_of(c, read->var) : NULL;
	bool vector = c->mode == CELL_VECTOR || c->mode == CELL_HELD;
	struct kx *x = tile ? read_tile(c, read, tile) : vector ? read_vector(c, read) : NULL;
	if (x)
		return x;
	if (c->flat)
		return cells_flat_place(c, read->var);
	if (c->mode != CELL_PLAIN && c->mode != CELL_VECTOR && cell_edged(c->node, read))
		return read_border(c, read);
	return lower_cell(l, read);
}
