/* turn_move.c - what every kernel that turns tiles has: its numbers, the place of a tile, the value of a cell. */
#include <string.h>
#include "turn.h"

/* ---- numbers ---- */

static const char *axis_name(const struct turn *t, int axis)
{
	const char *name = "";
	for (int k = 0; k < t->axis[axis].n; k++)
		name = str_print("%s%s%s", name, k ? "_" : "", t->node->index.at[t->axis[axis].index[k]]->name);
	return name;
}

static struct kx *let(struct mover *m, const char *name, struct kx *value)
{
	value = kx_fold(value);
	return value->kind == KX_INT || value->kind == KX_VAR ? value : x_var(k_let(m->k, name, value));
}

/* Of read r, or of the target, which comes behind them. */
static struct kx *step(struct mover *m, int r, int axis)
{
	const struct turn *t = m->turn;
	const struct expr *cell = r < t->reads ? t->read[r] : t->target;
	if (!m->step[r][axis])
		m->step[r][axis] = lower_number(m->l, str_print("%s_%s", cell->var->name, axis_name(t, axis)),
		                         turn_step(host_lowering(m->l->plan), t, cell, axis));
	return m->step[r][axis];
}

struct mover mover_open(const struct turn *t, struct plan *plan, struct turn_form form, const char *suffix)
{
	struct mover m = { .turn = t, .form = form };
	m.l = lowering_new(plan, str_print("%s%s", t->node->name, suffix));
	m.k = m.l->k;
	lowering_writes(m.l, t->node);
	for (int d = 0; d < t->node->index.n; d++)
		m.lo[d] = lower_number(m.l, str_print("%s_first", t->node->index.at[d]->name),
		                kx_fold(lower_index(host_lowering(plan), t->node->lo.at[d])));
	return m;
}

int turn_axis(const struct turn *t, int side)
{
	return side == FROM ? t->from : t->to;
}

struct kx *mover_tiles(const struct mover *m, struct kx *const *size)
{
	struct plan *plan = m->l->plan;
	struct kx *tiles = x_i64(1);
	for (int x = 0; x < m->turn->axes; x++) {
		struct kx *count = turn_count(plan, m->turn, x);
		bool cut = x == m->turn->from || x == m->turn->to;
		bool to = x == m->turn->to;
		tiles = x_mul(tiles, cut ? x_div_up(x_add(count, x_i64(to ? m->form.halo : 0)), size[to]) : count);
	}
	return kx_fold(tiles);
}

struct kx *mover_let(struct mover *m, const char *name, struct kx *value)
{
	return x_var(k_let(m->k, name, value));
}

/* ---- the place of a tile ---- */

static void bind(struct mover *m, int axis, struct kx *at)
{
	const struct axis *x = &m->turn->axis[axis];
	if (x->n == 1)
		lower_bind(m->l, m->turn->node->index.at[x->index[0]], x_add(m->lo[x->index[0]], at));
}

static void advance(struct mover *m, int axis, struct kx *at)
{
	for (int r = 0; r < m->turn->reads; r++)
		m->in[r] = x_offset(m->in[r], x_mul(at, step(m, r, axis)));
	m->out = x_offset(m->out, x_mul(at, step(m, m->turn->reads, axis)));
}

/* Of the type in which tiles are counted: no grid has more than an i32 says. */
static struct kx *counted(const struct mover *m, struct kx *x)
{
	return m->l->target->gpu ? x_to_i32(x) : x;
}

static struct kx *counts(struct mover *m, const char *what, int axis, struct kx *host)
{
	return lower_number(m->l, str_print("%s_%s", axis_name(m->turn, axis), what), counted(m, host));
}

/* Indices that count planes, the last one fastest. */
static void place_outer(struct mover *m, struct kx *plane)
{
	const struct turn *t = m->turn;
	int first = 0;
	while (first == t->from || first == t->to)
		first++;
	for (int x = t->axes - 1; x >= first; x--) {
		struct kx *at = plane;
		if (x == t->from || x == t->to)
			continue;
		if (x > first) {
			struct kx *count = counts(m, "cells", x, turn_count(m->l->plan, t, x));
			at = x_rem(plane, count);
			plane = let(m, "rest", x_div(plane, count));
		}
		at = let(m, t->axis[x].n == 1 ? t->node->index.at[t->axis[x].index[0]]->name : "outer", x_to_i64(at));
		bind(m, x, at);
		advance(m, x, at);
	}
}

/* Down the tiles of a column first: what blocks that run together write lies in a few whole rows of the target. */
static void place_tile(struct mover *m, struct kx *tile, struct kx *const *tiles, struct kx *const *size)
{
	struct kx *at[2] = { x_div(tile, tiles[TO]), x_rem(tile, tiles[TO]) };
	for (int side = FROM; side <= TO; side++) {
		struct kx *first = x_mul(x_to_i64(at[side]), x_to_i64(size[side]));
		m->first[side] = let(m, str_print("%s_tile", axis_name(m->turn, turn_axis(m->turn, side))), first);
	}
}

static void find_numbers(struct mover *m, struct kx *const *host_size, struct kx **tiles)
{
	for (int side = FROM; side <= TO; side++) {
		int axis = turn_axis(m->turn, side);
		struct kx *count = turn_count(m->l->plan, m->turn, axis);
		m->count[side] = lower_number(m->l, str_print("%s_cells", axis_name(m->turn, axis)), count);
		if (side == TO || m->turn->axes > 2)
			tiles[side] = counts(m, "tiles", axis, x_div_up(x_add(count, x_i64(side == TO ? m->form.halo : 0)), host_size[side]));
	}
}

void mover_place(struct mover *m, struct kx *tile, struct kx *const *size, struct kx *const *host_size)
{
	const struct turn *t = m->turn;
	struct kx *tiles[2];
	for (int r = 0; r < t->reads; r++)
		m->in[r] = turn_start(m->l, t, t->read[r]);
	m->out = turn_start(m->l, t, t->target);
	find_numbers(m, host_size, tiles);
	if (t->axes > 2) {
		struct kx *plane = let(m, "plane_tiles", x_mul(tiles[FROM], tiles[TO]));
		place_outer(m, let(m, "plane", x_div(tile, plane)));
		tile = let(m, "tile", x_rem(tile, plane));
	}
	place_tile(m, tile, tiles, size);
	for (int side = FROM; side <= TO; side++)
		advance(m, turn_axis(t, side), m->first[side]);
	for (int r = 0; r < t->reads; r++) {
		m->in[r] = let(m, str_print("%s_at", t->read[r]->var->name), m->in[r]);
		m->in_step[r] = step(m, r, t->to);
	}
	m->out = let(m, str_print("%s_at", t->target->var->name), m->out);
	m->out_step = step(m, t->reads, t->from);
}

/* ---- the tile ---- */

void mover_tile(struct mover *m, int64_t cells)
{
	for (int r = 0; r < m->turn->reads; r++) {
		const struct expr *read = m->turn->read[r];
		m->tile[r] = k_shared(m->k, read->type, str_print("%s_tile", read->var->name), cells);
		m->tile[r]->align = TURN_ACCESS;
	}
}

struct kx *mover_last(struct mover *m, int side, const char *name, struct kx *size, int cells)
{
	struct kx *left = x_sub(x_sub(m->count[side], m->first[side]), x_i64(cells));
	return x_var(k_let(m->k, name, x_to_i32(x_min(x_sub(x_to_i64(size), x_i64(cells)), left))));
}

/* ---- the value of a cell ---- */

struct held { const struct mover *m; struct kx *old; };

/* What the text that is being read calls so, of array r. */
static struct kx *named(struct kernel *k, const char *name, int r)
{
	int each = k->each;
	k->each = r;
	struct kx *x = k_get(k, name);
	k->each = each;
	return x;
}

static struct kx *held_cell(struct lowering *l, const struct expr *read)
{
	const struct held *h = l->state;
	int r = turn_read(h->m->turn, read);
	if (r >= 0)
		return h->m->host_size ? x_at(named(l->k, "tile", r), named(l->k, "place", r)) : x_at(x_var(h->m->tile[r]), h->m->place[r]);
	if (!turn_own(h->m->turn, read))
		return lower_cell(l, read);
	return h->m->host_size ? named(l->k, "before", 0) : h->old;
}

void mover_place_all(struct mover *m, struct kx *place)
{
	for (int r = 0; r < m->turn->reads; r++)
		m->place[r] = place;
}

void mover_store(struct mover *m, struct kx *from, struct kx *to, struct kx *old, struct kx *into)
{
	const struct node *node = m->turn->node;
	struct held held = { m, old };
	bind(m, m->turn->from, x_add(m->first[FROM], from));
	bind(m, m->turn->to, x_add(m->first[TO], to));
	m->l->read = held_cell;
	m->l->state = &held;
	if (node->where)
		k_if(m->k, lower_expr(m->l, node->where));
	lower_whole(m->l, node, 0);
	k_set(m->k, into, lower_expr(m->l, node->equation.at[0]->right));
	m->l->whole = NULL;
	if (node->where)
		k_end(m->k);
	m->l->read = NULL;
}

/* ---- the kernels' texts: turn.kernel ---- */

KTEXT_HOLE(find_tile)
{
	struct mover *m = (struct mover *)state;
	mover_place(m, arg[0], &arg[1], m->host_size);
	bind_values(m->k, "count", 2, m->count);
	bind_values(m->k, "first", 2, m->first);
	bind_values(m->k, "in", m->turn->reads, m->in);
	bind_values(m->k, "in_step", m->turn->reads, m->in_step);
	k_bind(m->k, "out", m->out);
	k_bind(m->k, "out_step", m->out_step);
	return NULL;
}

static const char *array_name(const struct mover *m, int r)
{
	return (r < m->turn->reads ? m->turn->read[r] : m->turn->target)->var->name;
}

KTEXT_HOLE(memory)
{
	const struct mover *m = state;
	struct kvar *tile = k_shared(m->k, m->turn->read[m->k->each]->type, str_print("%s_tile", array_name(m, m->k->each)), arg[0]->i);
	tile->align = TURN_ACCESS;
	return x_var(tile);
}

KTEXT_HOLE(high)
{
	return x_op(OP_SHR, arg[0], x_i32(log2_of((int)arg[1]->i)));
}

KTEXT_HOLE(store_cell)
{
	mover_store((struct mover *)state, arg[0], arg[1], NULL, arg[2]);
	return NULL;
}

KTEXT_HOLE(pass)
{
	k_do(l->k, x_help(kt_scalar(T_I32), "patc_pass", 2, (struct kx **)arg));
	return NULL;
}

/* What is stored at a time. */
static void bind_turned(struct mover *m)
{
	const int cells = m->form.vector;
	k_bind(m->k, "TURNED", kt_vector(m->turn->target->type, cells));
	k_bind(m->k, "turned", str_print("%s%d", m->turn->target->var->name, cells));
	k_bind(m->k, "OWN", turn_reads_own(m->turn));
}

void mover_words(struct mover *m, const char *name, const char *after)
{
	const char *word[TURN_READS];
	for (int r = 0; r < m->turn->reads; r++)
		word[r] = str_print("%s%s", array_name(m, r), after);
	bind_words(m->k, name, m->turn->reads, word);
}

static void bind_reads(struct mover *m)
{
	struct kx *read[TURN_READS];
	const struct type *cell[TURN_READS];
	for (int r = 0; r < m->turn->reads; r++) {
		read[r] = x_i32(r);
		cell[r] = m->turn->read[r]->type;
	}
	bind_values(m->k, "read", m->turn->reads, read);
	bind_types(m->k, "CELL", m->turn->reads, cell);
	mover_words(m, "held", str_print("%d", m->form.vector));
	mover_words(m, "next", "_next");
	mover_words(m, "word", "_word");
}

void mover_kernel(struct mover *m, const char *text, struct kx *const *size)
{
	m->host_size = size;
	block_launch_bounds(m->l);
	bind_reads(m);
	bind_turned(m);
	k_numbers(m->k, "FROM, TO, THREADS, VECTOR", FROM, TO, m->form.threads, m->form.vector);
	k_bind_calls(m->k, m, { "find_tile", find_tile }, { "memory", memory }, { "high", high },
	             { "store_cell", store_cell }, { "pass", pass });
	k_text(m->k, text);
	lowering_launch(m->l, mover_tiles(m, size), x_i64(1), x_i64(1));
}
