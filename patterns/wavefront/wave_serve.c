/* wave_serve.c - strips of rows whose warp does nothing but compute: four other warps of its block serve it.
 *
 * The strips wait for each other, so what counts is how long a step takes the warp that computes, and how many steps a
 * strip is behind the one above.  So that warp loads from shared memory, computes and stores there; all that waits for
 * memory is done by the others, for half a piece of steps at a time, between two barriers:
 *
 *   computes   the steps of half h: cells go where rings of old values have theirs, or to a ring of two pieces
 *   moves      (two warps) the pieces of rows that half h - 1 completed to memory, and what comes RING places on to where
 *              they were
 *   hands      (two warps, by turns) takes what the strip above hands on for half h + 1, and asks for that of half h + 3,
 *              since a way through memory takes longer than a half; columns and rows below the strip likewise
 *
 * The first step is one before that of the first lane's first place: so a half completes the pieces of neighbouring lanes,
 * those of an even half of the lanes that are the first ones of as many as a piece has steps, those of an odd one of the others.
 *
 * Pieces that are not whole in the domain go cell by cell.  When what is moved is wanted: Note [moved in time]. */
#include "wave_strips.h"

enum { COMPUTES, MOVES, MOVERS = 2, HANDS = MOVES + MOVERS, HANDERS = 2 };       /* which warps */

int threads_of(const struct strips *s)
{
	return s->lanes * (s->served ? HANDS + HANDERS : 1);
}

void strips_sync(struct strips *s)
{
	if (s->served)
		k_barrier(s->axes.l->k);
	else
		warp_sync(s->axes.l);
}

int chunks_apart(const struct strips *s)
{
	return s->served ? HANDERS : 1;
}

/* ---- may they? ---- */

static int steps_of_half(const struct strips *s)
{
	return PART / 4 / s->columns;
}

/* Of pieces that have no ring of old values to go to; and all else. */
static int64_t bytes_served(const struct strips *s)
{
	int64_t bytes = other_bytes(s) + (s->rings ? reads_bytes(s) : 0);
	for (int q = 0; q < s->axes.node->equation.n; q++)
		if (table_stored(s, q) && !(s->rings && old_ring(s, q)))
			bytes += strip_rows(s) * PART * type_size(s->table[q].type);
	return bytes;
}

bool can_serve(const struct strips *s)
{
	if (!s->loose || s->axes.births || steps_of_half(s) < 2 || s->lanes % (2 * steps_of_half(s)))
		return false;
	for (int q = 0; q < s->axes.node->equation.n; q++)
		if (s->rings && old_ring(s, q) && old_ahead(s, q) + s->columns > PART / 4)
			return false;
	return bytes_served(s) <= s->axes.plan->target->shared_bytes;
}

/* ---- the warp that computes ---- */

struct kx *serve_ahead(const struct strips *s, struct kx *at)
{
	return s->served ? x_min(at, x_i32((steps_of_half(s) - 1) * s->columns)) : at;
}

static void compute_half(struct strips *s, struct kx *half, enum strip_mode mode)
{
	struct kernel *k = s->axes.l->k;
	struct kx *at = x_sub(x_mul(half, x_i64(s->chunk)), x_i64(s->shift));
	s->part_at = x_var(k_let(k, "half_at", x_to_i32(at)));
	s->part_first = x_var(k_let(k, "half_first", x_sub(at, s->before)));
	struct kx *first = x_sub(s->part_first, x_to_i64(x_mul(s->lane, x_i32(s->columns))));
	first = x_var(k_let(k, "first", first));
	columns_near(s, x_sub(s->part_at, x_mul(s->lane, x_i32(s->columns))));
	s->round = x_i32(0);
	windows_ask(s, x_i32(0));
	reads_ask_columns(s, x_i32(0));
	coming_take(s);
	struct kx *steps = x_i32(steps_of_half(s));
	struct kx *u = x_var(k_for(k, "u", x_i32(0), steps, x_i32(1), is_rolled(s, mode) ? FOR_ROLLED : FOR_UNROLL));
	strip_step(s, first, u, mode);
	k_end(k);
}

/* ---- the warps that hand on ---- */

/* Which of them, as the chunks are shared out; i64. */
static struct kx *hander(const struct strips *s)
{
	return x_to_i64(x_sub(s->warp, x_i32(HANDS)));
}

/* Rows below: behind what the last lane has read in the half before. */
static void hand_below(struct strips *s, int q, struct kx *half)
{
	struct kernel *k = s->axes.l->k;
	struct kx *begin = x_sub(x_mul(x_sub(half, x_i64(1)), x_i64(s->chunk)), x_i64((int64_t)s->lanes * s->columns));
	begin = x_var(k_let(k, "below_begin", begin));
	k_if(k, x_le(x_i64(0), begin));
	fill_below(s, q, x_sub(x_add(begin, x_i64(RING)), s->before), s->chunk);
	k_end(k);
}

static void hand(struct strips *s, struct kx *half)
{
	struct kernel *k = s->axes.l->k;
	struct kx *chunk = x_add(half, x_i64(1));
	k_if(k, x_eq(x_rem(chunk, x_i64(HANDERS)), hander(s)));
	next_chunk(s, chunk);
	for (int q = 0; q < s->axes.node->equation.n; q++)
		if (s->table[q].below_x && s->table[q].ring)
			hand_below(s, q, half);
	copies(s, "end");
	copies(s, "but_one");
	k_end(k);
}

/* ---- the warps that move ---- */

/* An array whose cells they move: pieces of it out of a ring, or RING places on into it, or both. */
struct moved {
	const struct expr *cell;
	struct kvar *ring;
	int places, width;                   /* of a row of the ring; elements of a vector */
	bool out, in, old;                   /* old: what is there is what the array has, not the domain */
	struct kx *array, *line, *pitch;     /* line: the index of this thread's first vector, were its piece the first one */
	struct kx *rows, *rows_in;           /* from this thread's row on, to take out and to bring in: i32 */
	struct kx *all;                      /* are all rows of the strip there? */
	struct kx *columns;                  /* that can be brought in, i64 */
};

static int rows_of_half(const struct strips *s)
{
	return steps_of_half(s) * s->rows;
}

static int vectors_of_row(const struct strips *s, const struct moved *m)
{
	return s->piece / m->width;
}

/* Rows that all movers move at once, of neighbouring lanes. */
static int rows_at_once(const struct strips *s, const struct moved *m)
{
	return s->lanes * MOVERS / vectors_of_row(s, m);
}

static struct kx *mover(const struct strips *s)
{
	return x_sub(s->thread, x_i32(s->lanes * MOVES));
}

static struct kx *row_of(const struct strips *s, const struct moved *m)
{
	return x_div(mover(s), x_i32(vectors_of_row(s, m)));
}

static struct kx *within(const struct strips *s, const struct moved *m)
{
	return x_mul(x_rem(mover(s), x_i32(vectors_of_row(s, m))), x_i32(m->width));
}

static struct kx *rows_left(struct strips *s, const struct moved *m, struct kx *row, bool old)
{
	struct kx *rows = x_min(rows_from(s, m->cell, row, old), x_i64(strip_rows(s)));
	return x_var(k_let(s->axes.l->k, "lines", x_to_i32(rows)));
}

static void moved_open(struct strips *s, struct moved *m)
{
	struct kernel *k = s->axes.l->k;
	struct kx *row = row_of(s, m), *column = x_sub(x_to_i64(within(s, m)), s->before);
	struct kx *below = cell_at(s, m->cell, x_add(row, x_i32(1)), column), *first = cell_at(s, m->cell, row, column);
	m->array = first->arg[0];
	m->line = x_var(k_let(k, "line", first->arg[1]));
	m->pitch = x_var(k_let(k, "line_pitch", x_sub(below->arg[1], m->line)));
	m->rows = rows_left(s, m, row, false);
	m->rows_in = m->old ? rows_left(s, m, row, true) : m->rows;
	m->columns = m->old ? columns_from(s, m->cell) : s->all_columns;
	m->all = x_var(k_let(k, "all_rows", x_le(x_add(s->first_row, x_i64(strip_rows(s))), s->all_rows)));
}

/* Of the pieces at hand: those of the first lanes begin here, counted from where lanes begin. */
struct pieces {
	struct kx *begin, *at;               /* i64; i32, no more than FAR */
	struct kx *row;                      /* of the strip, where those of the first lanes are: i32 */
	struct kx *left;                     /* columns of the domain from there on: i32 */
};

static struct pieces pieces_of(struct strips *s, struct kx *half)
{
	struct kernel *k = s->axes.l->k;
	struct kx *pairs = x_div(x_add(half, x_i64(1)), x_i64(2)), *odd = x_rem(x_add(half, x_i64(1)), x_i64(2));
	struct pieces p;
	p.begin = x_var(k_let(k, "begin", x_mul(x_sub(pairs, x_i64(2)), x_i64(s->piece))));
	p.at = x_var(k_let(k, "at", x_to_i32(x_min(p.begin, x_i64(FAR)))));
	p.row = x_var(k_let(k, "half_row", x_mul(x_to_i32(odd), x_i32(rows_of_half(s)))));
	p.left = x_var(k_let(k, "left", part_left(s->all_columns, x_sub(p.begin, s->before))));
	return p;
}

/* Of lanes whose pieces a half completes, neighbours each. */
static int groups_of(const struct strips *s)
{
	return s->lanes / (2 * steps_of_half(s));
}

/* A vector of this thread: of the lanes so many groups further down, in a turn. */
struct vector { struct kx *row, *back, *slot, *at; };       /* row, places back: i32; in the ring; in the array, i64 */

static struct vector vector_of(struct strips *s, const struct moved *m, const struct pieces *p, struct kx *line,
                               struct kx *group, struct kx *turn)
{
	struct vector v;
	struct kx *rows = x_add(x_mul(group, x_i32(2 * rows_of_half(s))), x_mul(turn, x_i32(rows_at_once(s, m))));
	v.back = x_mul(group, x_i32(s->piece));
	v.row = x_add(rows, p->row);
	struct kx *place = x_op(OP_AND, x_sub(x_add(x_to_i32(p->begin), within(s, m)), v.back), x_i32(m->places - 1));
	v.slot = x_add(x_mul(x_add(row_of(s, m), v.row), x_i32(m->places)), place);
	v.at = x_sub(x_add(line, x_mul(x_to_i64(rows), m->pitch)), x_to_i64(v.back));
	return v;
}

static struct kx *ring_vector(const struct moved *m, const struct vector *v)
{
	return x_vload(x_offset(x_var(m->ring), v->slot), m->width);
}

static void bring_in(struct strips *s, const struct moved *m, const struct vector *v, struct kx *is)
{
	struct kx *arg[] = { x_offset(x_var(m->ring), v->slot), x_offset(m->array, x_add(v->at, x_i64(RING))), is };
	k_do(s->axes.l->k, x_help(kt_scalar(T_I32), "patc_copy_16_if", 3, arg));
}

/* One that is whole. */
static void move_vector(struct strips *s, const struct moved *m, const struct vector *v, bool out)
{
	if (out)
		k_vstore(s->axes.l->k, x_offset(m->array, v->at), ring_vector(m, v));
	else
		bring_in(s, m, v, x_int(T_BOOL, 1));
}

/* Those of its elements that are in the domain: so many are left from it on. */
static void move_elements(struct strips *s, const struct moved *m, const struct vector *v, struct kx *place, struct kx *left)
{
	struct kernel *k = s->axes.l->k;
	struct kx *e = x_var(k_for(k, "e", x_i32(0), x_i32(m->width), x_i32(1), FOR_ROLLED));
	k_if(k, x_and(x_le(x_to_i32(s->before), x_add(place, e)), x_lt(e, left)));
	k_set(k, x_at(m->array, x_add(v->at, x_to_i64(e))), x_at(x_var(m->ring), x_add(v->slot, e)));
	k_end(k);
	k_end(k);
}

/* What is not in the domain is not moved, nor pieces of lanes that have not begun.  Some element of a vector at a multiple of its
 * bytes is in the row of the array that it is copied from; so are all. */
static void move_some(struct strips *s, const struct moved *m, const struct pieces *p, const struct vector *v, bool out)
{
	struct kernel *k = s->axes.l->k;
	k_if(k, x_and(x_le(v->back, p->at), x_lt(v->row, out ? m->rows : m->rows_in)));
	if (out) {
		struct kx *place = x_add(x_sub(p->at, v->back), within(s, m)), *left = x_sub(x_add(p->left, v->back), within(s, m));
		k_if(k, x_and(x_le(x_to_i32(s->before), place), x_le(x_i32(m->width), left)));
		move_vector(s, m, v, true);
		k_else(k);
		move_elements(s, m, v, place, left);
		k_end(k);
	} else {
		struct kx *left = part_left(m->columns, x_sub(x_add(p->begin, x_i64(RING)), s->before));
		bring_in(s, m, v, x_lt(x_sub(within(s, m), v->back), left));
	}
	k_end(k);
}

static void move_groups(struct strips *s, const struct moved *m, const struct pieces *p, struct kx *line, bool whole, bool out)
{
	struct kernel *k = s->axes.l->k;
	int turns = rows_of_half(s) / rows_at_once(s, m);
	struct kx *g = x_var(k_for(k, "group", x_i32(0), x_i32(groups_of(s)), x_i32(1), FOR_UNROLL)), *x = x_i32(0);
	if (turns > 1)
		x = x_var(k_for(k, "x", x_i32(0), x_i32(turns), x_i32(1), FOR_UNROLL));
	struct vector v = vector_of(s, m, p, line, g, x);
	if (whole)
		move_vector(s, m, &v, out);
	else
		move_some(s, m, p, &v, out);
	if (turns > 1)
		k_end(k);
	k_end(k);
}

/* Are the pieces of all groups of lanes whole, and all that takes their places? */
static struct kx *all_whole(struct strips *s, const struct moved *m, const struct pieces *p)
{
	struct kx *back = x_i32((groups_of(s) - 1) * s->piece), *whole = x_and(m->all, x_le(x_add(x_to_i32(s->before), back), p->at));
	if (m->out)
		whole = x_and(whole, x_le(x_i32(s->piece), p->left));
	if (m->in) {
		struct kx *end = x_add(p->begin, x_i64(RING + s->piece));
		whole = x_and(whole, x_le(x_sub(end, s->before), m->columns));
	}
	return whole;
}

static void move_all(struct strips *s, const struct moved *m, const struct pieces *p, struct kx *line, bool whole)
{
	if (m->out)
		move_groups(s, m, p, line, whole, true);
	if (m->in)
		move_groups(s, m, p, line, whole, false);
}

/* Movers that no row is for do nothing. */
static void move(struct strips *s, const struct moved *m, const struct pieces *p)
{
	struct kernel *k = s->axes.l->k;
	bool some = rows_at_once(s, m) > rows_of_half(s);
	if (some)
		k_if(k, x_lt(row_of(s, m), x_i32(rows_of_half(s))));
	struct kx *line = x_add(x_add(m->line, p->begin), x_mul(x_to_i64(p->row), m->pitch));
	line = x_var(k_let(k, "from", line));
	k_if(k, all_whole(s, m, p));
	move_all(s, m, p, line, true);
	k_else(k);
	move_all(s, m, p, line, false);
	k_end(k);
	if (some)
		k_end(k);
}

/* ---- a strip ---- */

struct moves { LIST(struct moved) list; };

static void find_moved(struct strips *s, struct moves *all)
{
	for (int q = 0; q < s->axes.node->equation.n; q++) {
		const struct strip_table *t = &s->table[q];
		struct moved m = { .cell = wave_table(s->axes.node, q), .ring = t->out ? t->out : t->ring, .places = out_ring(s, q) };
		m.out = table_stored(s, q);
		m.in = m.old = t->ring;
		if (m.ring)
			list_add(&all->list, m);
	}
	for (int i = 0; i < s->read.n; i++)
		if (s->read.at[i]->ring)
			list_add(&all->list, ((struct moved){ .cell = s->read.at[i]->read, .ring = s->read.at[i]->ring, .places = RING, .in = true }));
	for (int i = 0; i < all->list.n; i++) {
		struct moved *m = &all->list.at[i];
		m->width = (int)(16 / type_size(m->cell->type));
		moved_open(s, m);
	}
}

/* How many; of these, those at whose beginning some lane has not begun, or looks at what is before the first column. */
static struct kx *count_halves(struct strips *s)
{
	struct kx *pieces = x_div_up(x_add(s->all_columns, x_add(s->before, x_i64(s->right))), x_i64(s->piece));
	return x_var(k_let(s->axes.l->k, "halves", x_add(x_mul(pieces, x_i64(2)), x_i64(s->lanes / steps_of_half(s)))));
}

static struct kx *count_starts(struct strips *s, struct kx *halves)
{
	struct kx *late = x_add(s->before, x_i64(reach_left(s) + (int64_t)s->lanes * s->columns));
	return x_var(k_let(s->axes.l->k, "starts", x_min(x_div_up(late, x_i64(s->chunk)), halves)));
}

/* Each warp has loops of its own, and all meet behind each half; the movers are one behind. */
static struct kx *open_halves(struct strips *s, struct kx *from, struct kx *to)
{
	return x_var(k_for(s->axes.l->k, "half", from, to, x_i64(1), FOR_ROLLED));
}

static void meet(struct strips *s)
{
	struct kx *threads = x_i32(threads_of(s));
	k_do(s->axes.l->k, x_help(kt_scalar(T_I32), "patc_meet", 1, &threads));
}

static void close_halves(struct strips *s)
{
	meet(s);
	k_end(s->axes.l->k);
}

static void compute(struct strips *s, struct kx *halves)
{
	struct kx *starts = count_starts(s, halves);
	compute_half(s, open_halves(s, x_i64(0), starts), STRIP_START);
	close_halves(s);
	compute_half(s, open_halves(s, starts, halves), STRIP_PLAIN);
	close_halves(s);
	meet(s);
}

/* Note [moved in time]
 * In places along a row a half is 8, a piece 16, a ring of what is read 64, one of what only goes out 32.  Let half H complete
 * a lane's piece a .. a + 15 in its first step, for none completes it earlier.  Behind the barrier that ends H the movers
 * take it out and ask for a + 64 .. a + 79, which go where it was:
 *
 *   half                    H         H + 1     H + 2    H + 3    H + 4    H + 5    H + 6
 *   begins with the step of a + 15    a + 23    a + 31   a + 39   a + 47   a + 55   a + 63
 *   movers                            out, ask                    wait
 *
 * Going out: a + 32 takes the room of a in H + 2 at the earliest, and movers have read that before the barrier that ends H + 1.
 * Coming in: a + 64 is computed in H + 6 at the earliest, but old values are wanted up to 8 places before, with the columns that
 * cells look to the right (can_serve): it has to be there when H + 5 begins.  Each half movers ask for one group of copies, and
 * then wait until three are on their way at most: at the end of H + 4 those of H + 2, H + 3 and H + 4.  So that of H + 1 has
 * landed, and the barrier shows it to the warp that computes.  Four on their way would be one too many. */
static void move_half(struct strips *s, const struct moves *all, struct kx *half)
{
	struct pieces p = pieces_of(s, half);
	for (int i = 0; i < all->list.n; i++)
		move(s, &all->list.at[i], &p);
	copies(s, "end");
	copies(s, "but_three");
}

static void serve(struct strips *s, const struct moves *all)
{
	struct kernel *k = s->axes.l->k;
	struct kx *halves = count_halves(s);
	k_if(k, x_eq(s->warp, x_i32(COMPUTES)));
	compute(s, halves);
	k_else(k);
	k_if(k, x_le(x_i32(HANDS), s->warp));
	hand(s, open_halves(s, x_i64(0), x_add(halves, x_i64(1))));
	close_halves(s);
	k_else(k);
	move_half(s, all, open_halves(s, x_i64(0), x_add(halves, x_i64(1))));
	close_halves(s);
	k_end(k);
	k_end(k);
	copies(s, "all");
}

void serve_strip(struct strips *s)
{
	struct kernel *k = s->axes.l->k;
	struct moves all = { { NULL, 0, 0 } };
	edges_open(s);
	windows_open(s);
	handed_open(s);
	reads_open(s);
	segments_open(s);
	find_moved(s, &all);
	k_if(k, x_le(x_i32(HANDS), s->warp));
	first_chunk(s, hander(s));
	k_if(k, x_eq(s->warp, x_i32(HANDS)));
	next_chunk(s, x_i64(0));
	k_end(k);
	k_end(k);
	k_barrier(k);
	serve(s, &all);
}
