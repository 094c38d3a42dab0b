/* turn_move.c - what every kernel that turns tiles has: its parameters, and the holes of
 * turn.kernel. */
#include "turn.h"

/* ---- numbers ---- */

static const char *axis_name(const struct turn *t, int axis)
{
	const char *name = "";
	for (int k = 0; k < t->axis[axis].n; k++)
		name = str_print("%s%s%s", name, k ? "_" : "",
		                 t->node->index.at[t->axis[axis].index[k]]->name);
	return name;
}

/* What read r reads; the target comes after the reads. */
static const struct expr *cell_of(const struct mover *m, int r)
{
	return r < m->turn->reads ? m->turn->read[r] : m->turn->target;
}

/* Of read r, or of the target, which comes after them. */
static struct kx *step(struct mover *m, int r, int axis)
{
	const struct turn *t = m->turn;
	const struct expr *cell = cell_of(m, r);
	struct kx **known = &m->step[r][axis];
	if (!*known)
		*known = lower_number(m->l, str_print("%s_%s", cell->var->name, axis_name(t, axis)),
		                      turn_step(host_lowering(m->l->plan), t, cell, axis));
	return *known;
}

struct mover mover_open(const struct turn *t, struct plan *plan, struct turn_form form,
                        const char *suffix)
{
	struct mover m = { .turn = t, .form = form };
	for (int side = FROM; side <= TO; side++)
		m.size[side] = x_i64(form.size[side]);
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

/* Host: of so many cells along a side. */
static struct kx *tiles_along(const struct mover *m, int side, struct kx *cells)
{
	return x_div_up(x_add(cells, x_i64(side == TO ? m->form.halo : 0)), m->size[side]);
}

/* Of so many tiles along both sides: n (n + 1) / 2. */
static struct kx *pairs_of(struct kx *n)
{
	struct kx *odd = x_op(OP_OR, n, x_i64(1));
	return x_mul(odd, x_div(x_add(n, x_i64(1)), x_i64(2)));
}

struct kx *mover_tiles(const struct mover *m)
{
	struct kx *tiles = x_i64(1);
	for (int x = 0; x < m->turn->axes; x++) {
		struct kx *count = turn_count(m->l->plan, m->turn, x);
		if (x == m->turn->from || x == m->turn->to)
			count = tiles_along(m, x == m->turn->to ? TO : FROM, count);
		if (turn_pairs(m->turn) && x == m->turn->from)
			count = x_i64(1);
		else if (turn_pairs(m->turn) && x == m->turn->to)
			count = pairs_of(count);
		tiles = x_mul(tiles, count);
	}
	return kx_fold(tiles);
}

static const char *array_name(const struct mover *m, int r)
{
	return cell_of(m, r)->var->name;
}

/* Of the type in which tiles are counted: no grid has more than an i32 says. */
static struct kx *counts(const struct mover *m, const char *what, int axis, struct kx *host)
{
	return lower_number(m->l, str_print("%s_%s", axis_name(m->turn, axis), what),
	                    m->l->target->gpu ? x_to_i32(host) : host);
}

/* ---- the place of a tile ---- */

static void bind_index(struct mover *m, int axis, struct kx *at)
{
	const struct axis *x = &m->turn->axis[axis];
	const int d = x->index[0];
	if (x->n == 1)
		lower_bind(m->l, m->turn->node->index.at[d], x_add(m->lo[d], at));
}

KTEXT_HOLE(advance)
{
	struct mover *m = (struct mover *)state;
	const int axis = (int)arg[0]->i, reads = m->turn->reads;
	bind_index(m, axis, arg[1]);
	for (int r = 0; r <= reads; r++)
		m->start[r] = x_offset(m->start[r], x_mul(arg[1], step(m, r, axis)));
	return NULL;
}

KTEXT_HOLE(axis_cells)
{
	const struct mover *m = state;
	const int axis = (int)arg[0]->i;
	return counts(m, "cells", axis, turn_count(l->plan, m->turn, axis));
}

KTEXT_HOLE(start_of)
{
	return ((const struct mover *)state)->start[arg[0]->i];
}

KTEXT_HOLE(step_of)
{
	return step((struct mover *)state, (int)arg[0]->i, (int)arg[1]->i);
}

/* A constant, unless the value is known, or has a name already. */
static struct kx *settle(struct kernel *k, const char *name, struct kx *value)
{
	value = kx_fold(value);
	bool plain = value->kind == KX_INT || value->kind == KX_VAR;
	return plain ? value : x_var(k_let(k, name, value));
}

KTEXT_HOLE(settled)
{
	return settle(l->k, state, arg[0]);
}

KTEXT_HOLE(along)
{
	const struct turn *t = ((const struct mover *)state)->turn;
	const int axis = (int)arg[0]->i;
	const bool cut = axis == t->from || axis == t->to;
	const char *name = axis_name(t, axis);
	if (cut)
		name = str_print("%s_tile", name);
	return settle(l->k, cut || t->axis[axis].n == 1 ? name : "outer", arg[1]);
}

/* ---- the tile ---- */

KTEXT_HOLE(memory)
{
	const struct mover *m = state;
	struct kvar *tile = k_shared(m->k, cell_of(m, m->k->each)->type,
	                             str_print("%s_tile", array_name(m, m->k->each)), arg[0]->i);
	tile->align = TURN_ACCESS;
	return x_var(tile);
}

KTEXT_HOLE(quotient)
{
	return x_op(OP_SHR, arg[0], x_i32(log2_of((int)arg[1]->i)));
}

KTEXT_HOLE(store_streaming)
{
	k_do(l->k, x_help(kt_scalar(T_I32), "patc_pass", 2, (struct kx **)arg));
	return NULL;
}

/* ---- the value of a cell ---- */

/* What the text calls so, of array r. */
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
	const struct mover *m = l->now.state;
	int r = turn_read(m->turn, read);
	if (r >= 0)
		return x_at(named(l->k, "tile", r), named(l->k, "place", r));
	return turn_own(m->turn, read) ? k_get(l->k, "before") : lower_cell(l, read);
}

KTEXT_HOLE(store_cell)
{
	struct mover *m = (struct mover *)state;
	const struct node *node = m->turn->node;
	for (int side = FROM; side <= TO; side++)
		bind_index(m, turn_axis(m->turn, side),
		           x_add(named(m->k, "origin", side), arg[side]));
	struct lower_context before = l->now;
	l->now.read = held_cell;
	l->now.state = m;
	if (node->where)
		k_if(m->k, lower_expr(l, node->where));
	lower_whole(l, node, 0);
	k_set(m->k, arg[2], lower_expr(l, node->equation.at[0]->right));
	if (node->where)
		k_end(m->k);
	l->now = before;
	return NULL;
}

/* ---- the kernels' texts: turn.kernel ---- */

/* Elements of the list `read`: of a pair its two tiles, the second one at the target. */
static int lists_of(const struct mover *m)
{
	return turn_pairs(m->turn) ? 2 : m->turn->reads;
}

void mover_words(struct mover *m, const char *name, const char *target, const char *after)
{
	const char *word[TURN_READS];
	for (int r = 0; r < lists_of(m); r++)
		word[r] = str_print("%s%s", array_name(m, r), after);
	bind_words(m->k, name, lists_of(m), word);
	if (target)
		k_bind(m->k, target, str_print("%s%s", array_name(m, m->turn->reads), after));
}

static void bind_sides(struct mover *m)
{
	struct kx *number[2], *axes[2], *count[2], *tiles[2] = { NULL };
	for (int side = FROM; side <= TO; side++) {
		int axis = turn_axis(m->turn, side);
		const char *name = axis_name(m->turn, axis);
		struct kx *host = turn_count(m->l->plan, m->turn, axis);
		number[side] = x_int(T_INT_LIT, side);
		axes[side] = x_int(T_INT_LIT, axis);
		count[side] = lower_number(m->l, str_print("%s_cells", name), host);
		if (side == TO || (m->turn->axes > 2 && !turn_pairs(m->turn)))
			tiles[side] = counts(m, "tiles", axis, tiles_along(m, side, host));
	}
	bind_values(m->k, "side", 2, number);
	bind_values(m->k, "axis", 2, axes);
	bind_values(m->k, "count", 2, count);
	bind_values(m->k, "tiles", 2, tiles);
}

static void bind_outer(struct mover *m)
{
	struct kx *outer[MAX_RANK];
	int n = 0;
	for (int x = 0; x < m->turn->axes; x++)
		if (x != m->turn->from && x != m->turn->to)
			outer[n++] = x_int(T_INT_LIT, x);
	bind_values(m->k, "outer", n, outer);
	k_numbers(m->k, "PLANES, SLOWEST", n > 0, n ? outer[0]->i : 0);
}

static void bind_arrays(struct mover *m)
{
	struct kx *read[TURN_READS];
	const struct type *cell[TURN_READS];
	for (int r = 0; r < m->turn->reads; r++)
		m->start[r] = turn_start(m->l, m->turn, m->turn->read[r]);
	m->start[m->turn->reads] = turn_start(m->l, m->turn, m->turn->target);
	for (int r = 0; r < lists_of(m); r++) {
		read[r] = x_int(T_INT_LIT, r);
		cell[r] = cell_of(m, r)->type;
	}
	bind_values(m->k, "read", lists_of(m), read);
	bind_types(m->k, "CELL", lists_of(m), cell);
	k_bind(m->k, "PAIRS", turn_pairs(m->turn));
	k_bind(m->k, "TURNED", kt_vector(m->turn->target->type, m->form.vector));
	k_bind(m->k, "OWN", turn_reads_own(m->turn));
}

/* What variables of the texts are called in the kernel. */
static void bind_names(struct mover *m)
{
	mover_words(m, "in", "out", "_at");
	mover_words(m, "held", "turned", str_print("%d", m->form.vector));
	mover_words(m, "tile", NULL, "_tile");
	mover_words(m, "next", NULL, "_next");
	mover_words(m, "word", NULL, "_word");
}

void mover_kernel(struct mover *m, const char *text)
{
	const struct turn_form *f = &m->form;
	bind_arrays(m);
	bind_names(m);
	bind_sides(m);
	bind_outer(m);
	k_numbers(m->k, "FROM, TO, COLUMNS, ROWS", FROM, TO, f->size[FROM], f->size[TO]);
	k_numbers(m->k, "TARGET, THREADS, VECTOR, CHUNKS", m->turn->reads, f->threads, f->vector,
	          TURN_CHUNKS);
	k_bind_call(m->k, "plane_tiles", settled, "plane_tiles");
	k_bind_call(m->k, "plane_of", settled, "plane");
	k_bind_call(m->k, "tile_in_plane", settled, "tile");
	k_bind_calls(m->k, m, { "along", along }, { "advance", advance }, { "start", start_of },
	             { "step", step_of }, { "axis_cells", axis_cells }, { "memory", memory },
	             { "div", quotient }, { "store_cell", store_cell },
	             { "store_streaming", store_streaming });
	k_text(m->k, text);
	if (m->l->target->gpu)
		block_launch_bounds(m->l);
	lowering_launch(m->l, m->l->target->gpu ? mover_tiles(m) : x_i64(1), x_i64(1), x_i64(1));
}
