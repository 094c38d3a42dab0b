/* wave_serve.c - strips of rows whose warp only computes; other warps of its block do all that
 * waits for memory (serve.kernel).
 *
 * The strips wait for each other, so the time is that of a step in the warp that computes, and of
 * the steps that a strip is after the one above.  So that warp loads from shared memory, computes
 * and stores there.
 *
 * The first step is one before that of the first lane's first place: so a half completes the
 * pieces of neighbouring lanes, those of an even half of the lanes that are the first ones of as
 * many as a piece has steps, those of an odd one of the others.  A way through memory takes
 * longer than a half: what the strip above hands on is loaded two halves ahead. Pieces that are
 * not whole in the domain go cell by cell.  When what is moved is needed: Note [moved in time]. */
#include "wave_strips.h"

enum { COMPUTES, MOVES, MOVERS = 2, HANDS = MOVES + MOVERS, HANDERS = 2 };       /* which warps */

int threads_of(const struct strips *s)
{
	return s->shape->lanes * (s->kind->served ? HANDS + HANDERS : 1);
}

void strips_sync(struct strips *s)
{
	if (s->kind->served)
		k_barrier(s->axes.l->k);
	else
		warp_sync(s->axes.l);
}

int chunks_apart(const struct strips *s)
{
	return s->kind->served ? HANDERS : 1;
}

/* ---- may they? ---- */

static int steps_of_half(const struct strips *s)
{
	return PART / 4 / s->shape->columns;
}

static int rows_of_half(const struct strips *s)
{
	return steps_of_half(s) * s->shape->rows;
}

/* Of pieces that have no ring of old values to go to; and all else. */
static int64_t bytes_served(const struct strips *s)
{
	int64_t bytes = other_bytes(s) + (s->kind->rings ? reads_bytes(s) : 0);
	for (int q = 0; q < s->axes.node->equation.n; q++)
		if (table_stored(s, q) && !(s->kind->rings && old_ring(s, q)))
			bytes += strip_rows(s) * PART * type_size(s->table[q].type);
	return bytes;
}

bool can_serve(const struct strips *s)
{
	if (!s->kind->overruns || s->axes.births || steps_of_half(s) < 2
	    || s->shape->lanes % (2 * steps_of_half(s)))
		return false;
	for (int q = 0; q < s->axes.node->equation.n; q++)
		if (s->kind->rings && old_ring(s, q)
		    && old_ahead(s, q) + s->shape->columns > PART / 4)
			return false;
	return bytes_served(s) <= s->axes.plan->target->shared_bytes;
}

/* ---- rows below ---- */

void below_half(struct strips *s, struct kx *half)
{
	struct kernel *k = s->axes.l->k;
	for (int q = 0; q < s->axes.node->equation.n; q++)
		if (s->table[q].below_x && s->table[q].ring) {
			int names = k_names(k);
			bind_old(s, q);
			k_text(k, "hand_below", half);
			k_forget(k, names);
		}
}

/* ---- the warps that move ---- */

static struct kx *rows_left(struct strips *s, const struct moved *m, struct kx *row, bool old)
{
	k_text(s->axes.l->k, "count_lines", rows_from(s, m->cell, row, old));
	return get(s, "lines");
}

static void moved_open(struct strips *s, struct moved *m)
{
	struct kernel *k = s->axes.l->k;
	int names = k_names(k);
	k_bind(k, "WIDTH", m->width);
	struct kx *row = k_value(k, "row_of"),
		  *column = x_sub(x_to_i64(k_value(k, "within")), s->now.before);
	struct kx *below = cell_at(s, m->cell, x_add(row, x_i32(1)), column),
		  *first = cell_at(s, m->cell, row, column);
	m->array = first->arg[0];
	k_text(k, "open_moved", first->arg[1], below->arg[1]);
	m->line = get(s, "line");
	m->pitch = get(s, "line_pitch");
	m->rows = rows_left(s, m, row, false);
	m->rows_in = m->old ? rows_left(s, m, row, true) : m->rows;
	m->columns = m->old ? columns_from(s, m->cell) : get(s, "all_columns");
	m->all = x_var(
		k_let(k, "all_rows",
	              x_le(x_add(get(s, "first_row"), x_i64(strip_rows(s))), get(s, "all_rows"))));
	k_forget(k, names);
}

/* Note [moved in time]
 * In places along a row a half is 8, a piece 16, a ring of what is read 64, one of what only goes
 * out 32.  Let half H complete a lane's piece a .. a + 15 in its first step, for none completes it
 * earlier.  Behind the barrier that ends H the movers take it out and ask for a + 64 .. a + 79,
 * which go where it was:
 *
 *   half                    H         H + 1     H + 2    H + 3    H + 4    H + 5    H + 6
 *   begins with the step of a + 15    a + 23    a + 31   a + 39   a + 47   a + 55   a + 63
 *   movers                            out, ask                    wait
 *
 * Going out: a + 32 takes the room of a in H + 2 at the earliest, and movers have read that
 * before the barrier that ends H + 1. Coming in: a + 64 is computed in H + 6 at the earliest,
 * but old values are wanted up to 8 places before, with the columns that cells look to the right
 * (can_serve): it has to be there when H + 5 begins.  Each half movers ask for one group of
 * copies, and then wait until three are on their way at most: at the end of H + 4 those of H +
 * 2, H + 3 and H + 4.  So that of H + 1 has landed, and the barrier shows it to the warp that
 * computes.  Four on their way would be one too many. */

static void bind_moved(struct strips *s, const struct moved *m)
{
	struct kernel *k = s->axes.l->k;
	k_numbers(k, "OUT, IN, WIDTH, RING_PLACES", m->out, m->in, m->width, m->places);
	k_bind(k, "ring", m->ring);
	k_bind(k, "array", m->array);
	k_bind(k, "line_start", m->line);
	k_bind(k, "line_stride", m->pitch);
	k_bind(k, "rows", m->rows);
	k_bind(k, "rows_in", m->rows_in);
	k_bind(k, "all_rows_there", m->all);
	k_bind(k, "columns", m->columns);
}

void move_arrays(struct strips *s)
{
	struct kernel *k = s->axes.l->k;
	for (int i = 0; i < s->moved.n; i++) {
		int names = k_names(k);
		bind_moved(s, &s->moved.at[i]);
		k_text(k, "move_array");
		k_forget(k, names);
	}
}

/* ---- a strip ---- */

static void find_moved(struct strips *s)
{
	for (int q = 0; q < s->axes.node->equation.n; q++) {
		const struct strip_table *t = &s->table[q];
		struct moved m = { .cell = wave_table(s->axes.node, q),
			           .ring = t->out ? t->out : t->ring,
			           .places = out_ring(s, q) };
		m.out = table_stored(s, q);
		m.in = m.old = t->ring;
		if (m.ring)
			list_add(&s->moved, m);
	}
	for (int i = 0; i < s->read.n; i++)
		if (s->read.at[i]->ring)
			list_add(&s->moved, ((struct moved){ .cell = s->read.at[i]->read,
			                                     .ring = s->read.at[i]->ring,
			                                     .places = RING,
			                                     .in = true }));
	for (int i = 0; i < s->moved.n; i++) {
		struct moved *m = &s->moved.at[i];
		m->width = (int)(16 / type_size(m->cell->type));
		moved_open(s, m);
	}
}

void serve_open(struct strips *s)
{
	segments_open(s);
	find_moved(s);
}

void serve_bind(struct strips *s)
{
	struct kernel *k = s->axes.l->k;
	k_numbers(k, "COMPUTES, MOVES, MOVERS, HANDS, HANDERS", COMPUTES, MOVES, MOVERS, HANDS,
	          HANDERS);
	k_numbers(k, "HALF_STEPS, HALF_ROWS", steps_of_half(s), rows_of_half(s));
	k_bind(k, "GROUPS", s->shape->lanes / (2 * steps_of_half(s)));
}
