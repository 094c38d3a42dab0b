/* stencil_rows.c - how rows come into the windows of a stencil in registers (march.kernel): where a
 * row, and a cell beside the lane's own, is through the edges, and which rows a step loads. */
#include <stdlib.h>
#include <string.h>

#include "stencil_march.h"

/* ---- what stays the same while the march goes ---- */

/* Where index d + offset leads in the array, through the edge (no cell reads what `keep`, or a
 * guard, leaves out: any place will do).  *fits: whether it is inside, where `constant v` answers;
 * else NULL.  The index itself is inside (register_plan_of), so it can leave on one side only. */
static struct kx *through_edge(struct march *m, const struct var *var, int d, int64_t offset,
                               struct kx **fits)
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

/* The lane's first cell of a chain's row, at index 0 of the march. */
KTEXT_HOLE(first_cell)
{
	struct march *m = (struct march *)state;
	struct cells *c = m->c;
	const struct chain *chain = &m->plan->chain.at[l->k->each];
	struct line *line = &m->line[l->k->each];
	struct kx *sub[MAX_RANK];
	for (int d = 0; d < c->rank - 1; d++) {
		sub[d] = x_i64(0);
		if (d == m->plan->march)
			continue;
		sub[d] = through_edge(m, chain->var, d, chain->across[d], &line->fits[d]);
		line->position[d] = x_add(c->index[d], x_i64(chain->across[d]));
	}
	sub[c->rank - 1] = c->index[c->rank - 1];
	struct kx *first = kx_fold(lower_linear(l, chain->var, sub));
	return x_offset(lower_pointer(l, chain->var), first);
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

/* Offsets of the cells beside the lane's own: lo .. -1, then width .. hi + width - 1. */
static int64_t beside_offset(const struct march *m, const struct chain *chain, int64_t n)
{
	return n < -chain->lo ? chain->lo + n : m->c->width + n + chain->lo;
}

static int64_t lanes_away(const struct march *m, int64_t offset)
{
	int width = m->c->width;
	return offset < 0 ? -((-offset + width - 1) / width) : offset / width;
}

KTEXT_HOLE(place_beside)
{
	struct march *m = (struct march *)state;
	struct side *s = &m->side.at[m->side.n - 1];
	const struct var *var = m->plan->chain.at[l->k->each].var;
	return through_edge(m, var, m->c->rank - 1, s->offset, &s->fits);
}

static void find_side(struct march *m, const struct chain *chain, int64_t offset)
{
	struct kernel *k = m->c->l->k;
	struct side *s = side_of(m, chain, offset);
	if (s->distance)
		return;
	const char *name = str_print("%s_%s%lld", m->c->node->index.at[m->c->rank - 1]->name,
	                             offset < 0 ? "m" : "p", llabs((long long)offset));
	k_bind(k, "alone", str_print("%s_alone", name));
	k_bind(k, "distance", name);
	k_numbers(k, "AWAY", lanes_away(m, offset));
	k_text(k, "find_side");
	s->alone = k_get(k, "alone");
	s->distance = k_get(k, "distance");
}

KTEXT_HOLE(find_sides)
{
	struct march *m = (struct march *)state;
	const struct chain *chain = &m->plan->chain.at[l->k->each];
	for (int64_t n = 0; n < chain->hi - chain->lo; n++)
		find_side(m, chain, beside_offset(m, chain, n));
	return NULL;
}

/* ---- rows come in ---- */

/* Where the march's index leads for a row. */
KTEXT_HOLE(place)
{
	struct march *m = (struct march *)state;
	struct row *r = &m->row.at[l->k->each];
	int d = m->plan->march;
	int64_t offset = r->chain->from + r->window - r->before;
	r->position[d] = x_add(m->c->index[d], x_i64(offset));
	return through_edge(m, r->chain->var, d, offset, &r->fits[d]);
}

/* A cell that may be outside: the first axis along which it is answers. */
static struct kx *edge_cell(struct march *m, struct row *r, struct kx *column, struct kx *fits,
                            struct kx *x)
{
	struct cells *c = m->c;
	const struct chain *chain = r->chain;
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
		int d = edge_axis(chain->var, nth);
		if (!r->fits[d])
			continue;
		struct expr *const *sub = chain->sample[chain->to - chain->from]->arg.at;
		const struct expr *value = edge_value(chain->var, sub, c->node->edge[d].value);
		x = x_cond(r->fits[d], x, x_cast(kt(chain->var->type), lower_expr(c->l, value)));
	}
	for (int d = 0; d <= last; d++)
		cells_bind(c, d, held[d]);
	c->mode = mode;
	return x;
}

KTEXT_HOLE(own_through_edges)
{
	struct march *m = (struct march *)state;
	return edge_cell(m, &m->row.at[l->k->each], arg[0], NULL, arg[1]);
}

KTEXT_HOLE(beside_through_edges)
{
	struct march *m = (struct march *)state;
	const struct beside *b = &m->beside.at[l->k->each];
	return edge_cell(m, &m->row.at[b->row], arg[0], m->side.at[b->side].fits, arg[1]);
}

static const struct type *beside_type(const struct march *m, const struct lowering *l)
{
	return m->row.at[m->beside.at[l->k->each].row].chain->var->type;
}

KTEXT_HOLE(zero)
{
	return lower_zero(beside_type(state, l));
}

/* The same of the lane that has the cell beside. */
KTEXT_HOLE(of_neighbour)
{
	int64_t away = ((const struct march *)state)->beside.at[l->k->each].away;
	const struct type *type = beside_type(state, l);
	const char *shuffle = str_print("patc_shfl_%s_%s", away < 0 ? "up" : "down", kt_word(type));
	return x_help(kt(type), shuffle, 2, (struct kx *[]){ arg[0], x_i32(llabs(away)) });
}

/* ---- which rows come in ---- */

/* Window w of a chain: its own cells, those beside.  They are those of a row that is so many steps
 * of the march before the window's. */
static void add_earlier_row(struct march *m, int i, int w, int64_t before, bool own, bool beside)
{
	const struct chain *chain = &m->plan->chain.at[i];
	struct row r = { .chain = chain, .number = i, .window = w, .before = before, .own = own };
	memcpy(r.position, m->line[i].position, sizeof r.position);
	memcpy(r.fits, m->line[i].fits, sizeof r.fits);
	list_add(&m->row, r);
	for (int64_t n = 0; beside && n < chain->hi - chain->lo; n++) {
		struct beside b = { .row = m->row.n - 1, .offset = beside_offset(m, chain, n) };
		b.side = (int)(side_of(m, chain, b.offset) - m->side.at);
		b.away = lanes_away(m, b.offset);
		list_add(&m->beside, b);
	}
}

static void add_row(struct march *m, int i, int w, bool own, bool beside)
{
	add_earlier_row(m, i, w, 0, own, beside);
}

static void bind_row_list(struct march *m)
{
	struct kernel *k = m->c->l->k;
	int n = m->row.n;
	int64_t (*is)[3] = mem_new((size_t)n * sizeof *is);
	const char **word = mem_new(2 * (size_t)n * sizeof *word);
	for (int i = 0; i < n; i++) {
		const struct row *r = &m->row.at[i];
		int64_t window = r->chain->first_window + r->window;
		memcpy(is[i], (int64_t[]){ r->number, window, r->own }, sizeof *is);
		word[i] = str_print("%s_at", r->chain->var->name);
		word[n + i] = str_print("%s%d", r->chain->var->name, m->c->width);
	}
	bind_listed(k, "CHAIN, INTO, OWN", n, is[0]);
	bind_words(k, "cells", n, word);
	bind_words(k, "own", n, word + n);
}

static void bind_beside_list(struct march *m)
{
	struct kernel *k = m->c->l->k;
	int n = m->beside.n;
	int64_t (*is)[5] = mem_new((size_t)n * sizeof *is);
	const char **word = mem_new(2 * (size_t)n * sizeof *word);
	struct kx **side = mem_new(2 * (size_t)n * sizeof *side);
	for (int i = 0; i < n; i++) {
		const struct beside *b = &m->beside.at[i];
		const struct row *r = &m->row.at[b->row];
		int64_t window = r->chain->first_window + r->window;
		int64_t slot = b->offset - r->chain->lo, taken = slot - b->away * m->c->width;
		memcpy(is[i], (int64_t[]){ b->row, b->offset, window, slot, taken }, sizeof *is);
		const char *where = b->away < 0 ? "before" : "behind";
		word[i] = str_print("%s_%s", r->chain->var->name, where);
		word[n + i] = b->away < 0 ? "left" : "right";
		side[i] = m->side.at[b->side].alone;
		side[n + i] = m->side.at[b->side].distance;
	}
	bind_listed(k, "LINE, OFFSET, SIDE_INTO, SLOT, TAKEN", n, is[0]);
	bind_words(k, "found", n, word);
	bind_words(k, "got", n, word + n);
	bind_values(k, "alone", n, side);
	bind_values(k, "distance", n, side + n);
}

bool hands_beside(const struct chain *chain, int w)
{
	return chain->nearest < w && w <= chain->beside;
}

/* Before the first step: the windows but those that it loads itself.  In a step: the farthest ones,
 * and what is beside where it is read first, which may be a step later. */
static struct kx *choose_rows(struct march *m, bool first)
{
	m->row.n = m->beside.n = 0;
	for (int i = 0; i < m->plan->arrays; i++) {
		const struct chain *chain = &m->plan->chain.at[i];
		int far = (int)(chain->to - chain->from);
		for (int w = 0; first && w < far; w++)
			add_row(m, i, w, true, hands_beside(chain, w + 1));
		if (!first)
			add_row(m, i, far, true, chain->beside == far);
		if (!first && chain->beside >= 0 && chain->beside < far)
			add_row(m, i, chain->beside, false, true);
	}
	bind_row_list(m);
	bind_beside_list(m);
	return NULL;
}

/* ---- terms that the march carries ---- */

/* Those that are computed now, from the rows of the plane `far`: the windows that they go to,
 * `before` windows before the farthest. */
static void bind_carried_list(struct march *m, int64_t before)
{
	int most = m->plan->chain.n;
	int64_t *window = mem_new((size_t)most * sizeof *window);
	m->carried.n = 0;
	for (int i = m->plan->arrays; i < m->plan->chain.n; i++) {
		const struct chain *chain = &m->plan->chain.at[i];
		if (before > chain->to - chain->from)
			continue;
		window[m->carried.n] = chain->first_window + chain->to - chain->from - before;
		list_add(&m->carried, i);
	}
	bind_listed(m->c->l->k, "CARRIED", m->carried.n, window);
}

/* Cells of the plane `far` that some term reads are in windows; those of an earlier plane come
 * there. */
KTEXT_HOLE(choose_earlier_rows)
{
	struct march *m = (struct march *)state;
	int64_t before = arg[0]->i;
	m->row.n = m->beside.n = 0;
	for (int i = 0; i < m->plan->arrays; i++) {
		const struct chain *chain = &m->plan->chain.at[i];
		int64_t w = m->plan->carries->far - chain->from;
		if (0 <= w && w <= chain->to - chain->from && chain->sample[w])
			add_earlier_row(m, i, (int)w, before, true, chain->wide[w]);
	}
	bind_row_list(m);
	bind_beside_list(m);
	bind_carried_list(m, before);
	return NULL;
}

KTEXT_HOLE(choose_first_rows)
{
	return choose_rows((struct march *)state, true);
}

KTEXT_HOLE(choose_step_rows)
{
	struct march *m = (struct march *)state;
	bind_carried_list(m, 0);
	return choose_rows(m, false);
}

void march_bind_rows(struct march *m)
{
	m->line = mem_new(sizeof *m->line * (size_t)m->plan->chain.n);
	k_bind_calls(m->c->l->k, m, { "first_cell", first_cell }, { "find_sides", find_sides },
	             { "place_beside", place_beside }, { "place", place }, { "zero", zero },
	             { "own_through_edges", own_through_edges }, { "of_neighbour", of_neighbour },
	             { "beside_through_edges", beside_through_edges },
	             { "choose_earlier_rows", choose_earlier_rows },
	             { "choose_first_rows", choose_first_rows },
	             { "choose_step_rows", choose_step_rows });
}
