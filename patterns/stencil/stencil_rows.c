/* stencil_rows.c - how rows come into the windows of a stencil staged in registers.
 *
 * A lane's own cells of a row are one vector from memory.  Cells beside them are another lane's, by shuffle; the
 * lanes at the ends of the row, or of the warp's part of it, are alone there and fetch theirs.  Edges are applied
 * to the row as a whole and to what lies beside, so that cells at an edge are computed like all others. */
#include <string.h>

#include "stencil_march.h"

/* ---- what stays the same while the march goes ---- */

/* A place outside leads to another far inside the array. */
static bool leads_far(enum boundary b)
{
	return b == B_WRAP || b == B_MIRROR || b == B_REFLECT;
}

/* Where index d + offset leads in the array, through the edge (no cell reads what `keep`, or a guard, leaves
 * out: any place will do).  *fits: whether it is inside, where `constant v` answers; else NULL.  The index
 * itself is inside (register_plan_of), so it can leave on one side only. */
static struct kx *through_edge(struct march *m, const struct var *var, int d, int64_t offset, struct kx **fits)
{
	struct cells *c = m->c;
	struct kx *at = x_add(c->index[d], x_i64(offset)), *extent = lower_extent(c->l, var, d);
	enum boundary edge = c->node->edge[d].kind;
	*fits = NULL;
	if (offset == 0)
		return at;
	if (edge == B_VALUE) {
		struct kx *in = offset < 0 ? x_le(x_i64(0), at) : x_lt(at, extent);
		*fits = x_var(k_let(c->l->k, str_print("%s_fits", c->node->index.at[d]->name), in));
	}
	if (leads_far(edge))
		return edge_position(edge, at, extent, true);
	return offset < 0 ? x_max(at, x_i64(0)) : x_min(at, x_sub(extent, x_i64(1)));
}

static struct line find_line(struct march *m, const struct chain *chain)
{
	struct cells *c = m->c;
	struct line l = { .base = NULL };
	struct kx *sub[MAX_RANK];
	for (int d = 0; d < c->rank - 1; d++) {
		sub[d] = x_i64(0);
		if (d == m->plan->march)
			continue;
		sub[d] = through_edge(m, chain->var, d, chain->across[d], &l.fits[d]);
		l.position[d] = x_add(c->index[d], x_i64(chain->across[d]));
	}
	sub[c->rank - 1] = m->column;
	struct kx *p = x_offset(lower_pointer(c->l, chain->var), kx_fold(lower_linear(c->l, chain->var, sub)));
	l.base = x_var(k_let(c->l->k, str_print("%s_column", chain->var->name), p));
	return l;
}

static struct side *side_of(struct march *m, const struct chain *chain, int64_t offset)
{
	const struct affine *extent = &chain->var->extent[m->c->rank - 1];
	for (int i = 0; i < m->side.n; i++)
		if (m->side.at[i].offset == offset && affine_equal(&m->side.at[i].extent, extent))
			return &m->side.at[i];
	list_add(&m->side, ((struct side){ .extent = *extent, .offset = offset }));
	return &m->side.at[m->side.n - 1];
}

static int64_t lanes_away(const struct march *m, int64_t offset)
{
	int width = m->c->width;
	return offset < 0 ? -((-offset + width - 1) / width) : offset / width;
}

static void find_side(struct march *m, const struct chain *chain, int64_t offset)
{
	struct cells *c = m->c;
	struct kernel *k = c->l->k;
	struct side *s = side_of(m, chain, offset);
	int last = c->rank - 1;
	if (s->at)
		return;
	int64_t away = lanes_away(m, offset);
	const char *name = str_print("%s_%s%lld", c->node->index.at[last]->name, offset < 0 ? "m" : "p",
	                             (long long)(offset < 0 ? -offset : offset));
	struct kx *alone = x_lt(m->lane_x, x_i32(-away));
	if (away > 0)
		alone = x_or(x_le(x_i32(m->lanes - away), m->lane_x),
		             x_le(m->end[last], x_add(m->column, x_i64(away * c->width))));
	s->alone = x_var(k_let(k, str_print("%s_alone", name), alone));
	struct kx *at = x_sub(through_edge(m, chain->var, last, offset, &s->fits), m->column);
	s->at = x_var(k_let(k, name, leads_far(c->node->edge[last].kind) ? at : x_to_i32(at)));
}

void march_lines(struct march *m)
{
	m->line = mem_new(sizeof *m->line * (size_t)m->plan->chain.n);
	for (int i = 0; i < m->plan->chain.n; i++) {
		const struct chain *chain = &m->plan->chain.at[i];
		m->line[i] = find_line(m, chain);
		for (int64_t o = chain->lo; o < 0; o++)
			find_side(m, chain, o);
		for (int64_t o = m->c->width; o < chain->hi + m->c->width; o++)
			find_side(m, chain, o);
	}
}

/* ---- rows come in ---- */

static struct row find_row(struct march *m, int i, int w)
{
	struct cells *c = m->c;
	const struct chain *chain = &m->plan->chain.at[i];
	struct row r = { .chain = chain, .window = chain->window[w], .cells = m->line[i].base };
	int d = m->plan->march;
	memcpy(r.position, m->line[i].position, sizeof r.position);
	memcpy(r.fits, m->line[i].fits, sizeof r.fits);
	if (d >= 0) {
		struct kx *at = through_edge(m, chain->var, d, chain->from + w, &r.fits[d]);
		r.position[d] = x_add(c->index[d], x_i64(chain->from + w));
		r.cells = x_offset(r.cells, x_mul(at, cells_stride(c, chain->var, d)));
		r.cells = x_var(k_let(c->l->k, str_print("%s_at", chain->var->name), r.cells));
	}
	return r;
}

/* A cell that may be outside: the first axis along which it is answers. */
static struct kx *edge_cell(struct march *m, struct row *r, struct kx *column, struct kx *fits, struct kx *x)
{
	struct cells *c = m->c;
	int last = c->rank - 1;
	struct kx *held[MAX_RANK];
	enum cell_mode mode = c->mode;
	c->mode = CELL_PLAIN;
	r->position[last] = column;
	r->fits[last] = fits;
	for (int d = 0; d <= last; d++) {
		held[d] = c->index[d];
		cells_bind(c, d, r->position[d]);
	}
	for (int nth = last; nth >= 0; nth--) {
		int d = edge_axis(r->chain->var, nth);
		if (!r->fits[d])
			continue;
		const struct expr *value = edge_value(r->chain->var, r->chain->sample[r->chain->to - r->chain->from]->arg.at,
		                                      c->node->edge[d].value);
		x = x_cond(r->fits[d], x, x_cast(kt(r->chain->var->type), lower_expr(c->l, value)));
	}
	for (int d = 0; d <= last; d++)
		cells_bind(c, d, held[d]);
	c->mode = mode;
	return x;
}

static struct kx *open_own(struct march *m)
{
	int width = m->c->width;
	return width > 1 ? x_var(k_for(m->c->l->k, "e", x_i32(0), x_i32(width), x_i32(1), FOR_UNROLL)) : x_i32(0);
}

static void close_own(struct march *m)
{
	if (m->c->width > 1)
		k_end(m->c->l->k);
}

static struct kx *window_cell(const struct row *r, struct kx *e)
{
	return x_at(x_var(r->window), x_add(e, x_i32(-r->chain->lo)));
}

static void fetch_own(struct march *m, struct row *r)
{
	int width = m->c->width;
	struct kx *v = width > 1 ? x_vload(r->cells, width) : x_at(r->cells, x_i64(0));
	r->vector = x_var(k_let(m->c->l->k, str_print("%s%d", r->chain->var->name, width), v));
}

static void keep_own(struct march *m, struct row *r)
{
	struct kx *e = open_own(m), *cell = m->c->width > 1 ? x_lane_at(r->vector, e) : r->vector;
	k_set(m->c->l->k, window_cell(r, e), edge_cell(m, r, x_add(m->column, x_to_i64(e)), NULL, cell));
	close_own(m);
}

/* Offsets of the cells beside the lane's own: lo .. -1, then width .. hi + width - 1. */
static int64_t beside_offset(const struct march *m, const struct chain *chain, int64_t n)
{
	return n < -chain->lo ? chain->lo + n : m->c->width + n + chain->lo;
}

static int64_t beside_count(const struct chain *chain)
{
	return chain->hi - chain->lo;
}

/* What no other lane can give. */
static void fetch_beside(struct march *m, struct row *r)
{
	struct kernel *k = m->c->l->k;
	for (int64_t n = 0; n < beside_count(r->chain); n++) {
		int64_t o = beside_offset(m, r->chain, n);
		const struct side *s = side_of(m, r->chain, o);
		struct kx *cell = edge_cell(m, r, x_add(m->column, x_i64(o)), s->fits, x_at(r->cells, s->at));
		cell = x_cond(s->alone, cell, lower_zero(r->chain->var->type));
		const char *name = str_print("%s_%s", r->chain->var->name, o < 0 ? "before" : "behind");
		list_add(&r->alone, x_var(k_let(k, name, cell)));
	}
}

static void join_beside(struct march *m, struct row *r)
{
	struct kernel *k = m->c->l->k;
	const struct type *type = r->chain->var->type;
	for (int64_t n = 0; n < beside_count(r->chain); n++) {
		int64_t o = beside_offset(m, r->chain, n), away = lanes_away(m, o);
		struct kx *theirs = window_cell(r, x_i32(o - away * m->c->width));
		struct kx *arg[] = { theirs, x_i32(away < 0 ? -away : away) };
		const char *shuffle = str_print("patc_shfl_%s_%s", away < 0 ? "up" : "down", kt_word(type));
		struct kx *got = x_help(kt(type), shuffle, 2, arg);
		got = x_var(k_let(k, away < 0 ? "left" : "right", got));
		k_set(k, window_cell(r, x_i32(o)), x_cond(side_of(m, r->chain, o)->alone, r->alone.at[n], got));
	}
}

/* All loads are under way before the first value is needed. */
void march_fetch(struct march *m, struct rows *rows)
{
	for (int i = 0; i < rows->at.n; i++)
		if (rows->at.at[i].own)
			fetch_own(m, &rows->at.at[i]);
	for (int i = 0; i < rows->at.n; i++)
		if (rows->at.at[i].beside)
			fetch_beside(m, &rows->at.at[i]);
}

void march_join(struct march *m, struct rows *rows)
{
	for (int i = 0; i < rows->at.n; i++)
		if (rows->at.at[i].own)
			keep_own(m, &rows->at.at[i]);
	for (int i = 0; i < rows->at.n; i++)
		if (rows->at.at[i].beside)
			join_beside(m, &rows->at.at[i]);
}

void march_row(struct march *m, struct rows *rows, int chain, int w, bool own, bool beside)
{
	struct row r = find_row(m, chain, w);
	r.own = own;
	r.beside = beside;
	list_add(&rows->at, r);
}
