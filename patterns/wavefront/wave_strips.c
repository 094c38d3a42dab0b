/* wave_strips.c - a wavefront in strips of rows, a warp each: any equations, no law needed.
 *
 * A lane has some neighbouring rows of its strip and computes some columns of them in a step; it is a step behind the
 * lane above, which sends what its last rows came to by a shuffle.  What a lane looks back at it keeps in registers
 * (wave_window.c), so the tables are written and not read again.
 *
 * The last lane hands the rows at the strip's end to the next strip place by place (wave_hand.c; Note [one row of words]): no fence, and the
 * next strip is behind by little more than its lanes.
 *
 * Every strip waits for the one above, so the time of all is that of a row of steps and as many lags as there are
 * strips.  Steps at the beginning of a strip are as quick as those inside: a lane that is left of the table computes,
 * too, and nothing of it is stored.  So do lanes behind the last column and below the last row, unless cells may not
 * be computed where there are none (reads_free).
 *
 * A strip is a ticket drawn from a counter, row after row of strips, so whoever is waited for has begun: no order of
 * blocks can deadlock.  Independent problems have their strips of the same number one after another.
 *
 * Where strips move vectors and nothing must be asked of cells, other warps do all that waits for memory: wave_serve.c.
 *
 * With more than a step along columns for a row (slope) the cells of a strip are sheared: wave_strips.h. */
#include "wave_strips.h"

enum { MOST_BLOCKS = 1 << 22 };          /* of a launch: more strips take turns */
enum { FIRST_WORD = 2, MOST_BEFORE = 16 };

int64_t strip_rows(const struct strips *s)
{
	return (int64_t)s->lanes * s->rows;
}

bool table_stored(const struct strips *s, int q)
{
	return !wave_table(s->axes.node, q)->var->on_chip;
}

/* ---- the host's numbers ---- */

/* Places that a strip hands on, of so many columns: whole steps. */
static struct kx *handed_places(const struct strips *s, struct kx *columns, struct kx *before)
{
	int64_t more = s->right - s->axes.slope + s->columns - 1;
	struct kx *places = x_max(x_add(columns, x_add(before, x_i64(more))), x_i64(0));
	return x_mul(x_div(places, x_i64(s->columns)), x_i64(s->columns));
}

/* Words of a problem: loose strips hand on to the last step of their last part. */
static struct kx *handed_words(const struct strips *s, struct kx *places)
{
	return x_mul(x_add(places, x_i64(s->loose ? 2 * PART : 0)), x_i64(s->words));
}

static void host_strips(struct strips *s)
{
	const struct axes *a = &s->axes;
	s->host_strips = plan_let(a->plan, "strips", x_div_up(axis_size(a, a->n - 2), x_i64(strip_rows(s))));
	s->most_columns = axis_most(a, a->n - 1);
	s->most_strips = x_mul(x_div_up(axis_most(a, a->n - 2), x_i64(strip_rows(s))), axes_most_problems(a));
}

/* Note [one row of words]
 * All strips of a problem hand on through one row of words.  A strip stores a place long behind the chunk that it has
 * taken, so nobody but itself wanted what stood there; and who waits for the word sees by the number of the strip in
 * it whether it has come. */
static struct kx *all_words(const struct strips *s, struct kx *problems, struct kx *columns)
{
	struct kx *before = s->filled ? x_i64(MOST_BEFORE) : s->before;
	return x_add(x_mul(problems, handed_words(s, handed_places(s, columns, before))), x_i64(FIRST_WORD));
}

/* The counter and, from a multiple of 16 bytes on, the words of all problems, nothing known. */
static struct kvar *state_open(struct strips *s)
{
	struct axes *a = &s->axes;
	struct kx *most = all_words(s, axes_most_problems(a), s->most_columns);
	struct kvar *state = plan_slot(a->plan, "state", type_scalar(T_U64), 1, &most);
	k_clear(a->plan->host, x_var(state), x_mul(all_words(s, a->host_problems, axis_size(a, a->n - 1)), x_i64(8)));
	return state;
}

/* ---- a strip ---- */

void warp_sync(struct lowering *l)
{
	k_do(l->k, x_help(kt_scalar(T_I32), "patc_warp_sync", 0, NULL));
}

/* Places of a part: from the last lane's first to behind the first lane's last. */
static struct kx *part_first(const struct strips *s, struct kx *part)
{
	return x_sub(x_sub(x_mul(part, x_i64(PART)), x_i64((int64_t)(s->lanes - 1) * s->columns)), s->before);
}

static struct kx *part_end(const struct strips *s, struct kx *part)
{
	return x_sub(x_mul(x_add(part, x_i64(1)), x_i64(PART)), s->before);
}

/* How far cells look along rows and columns. */
struct reach { int64_t up, down, left, right; bool here; };

static struct reach reach_of(const struct strips *s)
{
	struct reach reach = { .here = true };
	for (int r = 0; r < s->axes.node->wave->read.n; r++) {
		struct step step = step_of(s->axes.node, s->axes.node->wave->read.at[r]);
		reach.here &= step.here;
		reach.up = -step.row > reach.up ? -step.row : reach.up;
		reach.down = step.row > reach.down ? step.row : reach.down;
		reach.left = -step.column > reach.left ? -step.column : reach.left;
		reach.right = step.column > reach.right ? step.column : reach.right;
	}
	return reach;
}

int64_t reach_left(const struct strips *s)
{
	return reach_of(s).left;
}

/* Are all rows there? */
static struct kx *rows_inside(struct strips *s, const struct reach *reach)
{
	struct kx *rows = x_le(x_add(s->first_row, x_i64(strip_rows(s) + reach->down)), s->all_rows);
	if (!s->filled)
		rows = x_and(rows, x_le(x_i64(reach->up), s->first_row));
	return rows;
}

/* And all columns up to the last one in the part? */
static struct kx *inside_end(struct strips *s, struct kx *part, const struct reach *reach)
{
	return x_and(rows_inside(s, reach), x_le(x_add(part_end(s, part), x_i64(reach->right)), s->all_columns));
}

/* The last lane's columns are there in the whole part, and in all pieces of rows that it completes. */
static struct kx *inside_begin(struct strips *s, struct kx *part, const struct reach *reach)
{
	int64_t first = s->axes.slope * (strip_rows(s) - 1) + reach->left;
	if (!x_is_int(s->before, 0) && s->filled && first < s->piece)
		first = s->piece;
	return x_le(x_i64(first), part_first(s, part));
}

/* When a mode better than STRIP_EDGE holds for a part; NULL: never. */
static struct kx *mode_holds(struct strips *s, struct kx *part, enum strip_mode mode)
{
	struct reach reach = reach_of(s);
	bool folds = s->loose && s->axes.births;
	if (!axes_even(s->axes.node) || !reach.here || (mode == STRIP_START && !s->filled) || (mode == STRIP_END && !s->free))
		return NULL;
	struct kx *begin = mode == STRIP_START ? NULL : inside_begin(s, part, &reach);
	if (folds && mode == STRIP_START)        /* which asks each cell that is folded for its column */
		return rows_inside(s, &reach);
	return mode == STRIP_END || (s->loose && !folds) ? begin : x_and(inside_end(s, part, &reach), begin);
}

/* Number u of those that complete a piece of every row, behind so many steps of the part.  What the next step wants of
 * shared memory is asked for first, so that it is there when that step begins. */
void strip_step(struct strips *s, struct kx *first, struct kx *u, enum strip_mode mode)
{
	struct kernel *k = s->axes.l->k;
	struct kx *in_part = x_add(s->round, u), *place = x_mul(in_part, x_i32(s->columns));
	struct kx *next = x_mul(x_add(in_part, x_i32(1)), x_i32(s->columns));
	s->place = x_var(k_let(k, "place", x_add(first, x_to_i64(place))));
	s->next_place = x_add(s->part_first, x_to_i64(next));
	if (!s->served) {
		s->in_part = x_op(OP_AND, x_sub(place, x_mul(s->lane, x_i32(s->columns))), x_i32(s->piece - 1));
		s->in_part = x_var(k_let(k, "in_part", s->in_part));
	}
	s->in_step = place;
	windows_ask(s, serve_ahead(s, next));
	reads_ask_columns(s, serve_ahead(s, next));
	reads_ask_rings(s);
	windows_move(s, mode);
	windows_fill(s, mode);
	hand_on(s, mode);
	reads_move(s);
	coming_take(s);
	warp_sync(s->axes.l);
	if (!s->staged || s->served)
		return;
	segments_store(s, u, mode);
	reads_fill(s, u, mode);
}

/* Is there much in each step, or would registers not do for several, as with rings of 8-byte cells? */
bool is_rolled(const struct strips *s, enum strip_mode mode)
{
	bool wide = false;
	for (int q = 0; q < s->axes.node->equation.n; q++)
		wide |= s->rings && s->table[q].old && type_size(s->table[q].type) == 8;
	bool much = wide || s->slow || (!s->free && s->axes.node->equation.n > 1);
	return mode < (s->free ? STRIP_START : STRIP_PLAIN) || much || !s->axes.plan->target->unrolls || !s->vectors;
}

/* The steps of a part, as many as complete a piece of every row together. */
static void part_steps(struct strips *s, struct kx *part, enum strip_mode mode)
{
	struct kernel *k = s->axes.l->k;
	struct kx *steps = x_i32(steps_of_piece(s));
	segments_flush(s, mode);
	s->part_first = x_var(k_let(k, "part_first", x_sub(x_mul(part, x_i64(PART)), s->before)));
	struct kx *first = x_sub(s->part_first, x_to_i64(x_mul(s->lane, x_i32(s->columns))));
	first = x_var(k_let(k, "first", first));
	s->left = x_var(k_let(k, "left", part_left(s->all_columns, first)));
	s->part_at = x_var(k_let(k, "part_at", x_to_i32(x_min(x_mul(part, x_i64(PART)), x_i64(FAR)))));
	s->part_left = x_var(k_let(k, "part_left", part_left(s->all_columns, s->part_first)));
	s->part_turn = x_var(k_let(k, "part_turn", x_mul(x_to_i32(x_op(OP_AND, part, x_i64(15))), x_i32(PART))));
	lines_part(s);
	s->round = x_i32(0);
	if (PART > s->piece)
		s->round = x_mul(x_var(k_for(k, "round", x_i32(0), x_i32(PART / s->piece), x_i32(1), FOR_ROLLED)), steps);
	reads_wait(s);
	if (mode != STRIP_EDGE)
		lines_move(s, NULL);
	struct kx *u = x_var(k_for(k, "u", x_i32(0), steps, x_i32(1), is_rolled(s, mode) ? FOR_ROLLED : FOR_UNROLL));
	strip_step(s, first, u, mode);
	if (mode != STRIP_EDGE)
		lines_move(s, u);
	k_end(k);
	reads_close(s);
	if (PART > s->piece)
		k_end(k);
}

/* The best mode that holds, of those from this one down. */
static void part_in(struct strips *s, struct kx *part, enum strip_mode mode)
{
	struct kernel *k = s->axes.l->k;
	bool last = mode == STRIP_EDGE || (s->loose && !s->axes.births && mode == STRIP_START);
	struct kx *holds = last ? NULL : mode_holds(s, part, mode);
	if (holds)
		k_if(k, holds);
	if (holds || last)
		part_steps(s, part, mode);
	if (holds)
		k_else(k);
	if (!last)
		part_in(s, part, mode - 1);
	if (holds)
		k_end(k);
}

/* From the first step of the first lane to the last one of the last, whose pieces are whole. */
static struct kx *parts_of(const struct strips *s)
{
	struct kx *more = x_add(s->before, x_i64(s->right + s->axes.slope * (strip_rows(s) - 1)));
	struct kx *places = x_mul(x_div_up(x_add(s->all_columns, more), x_i64(PART)), x_i64(PART));
	return x_div_up(x_add(places, x_i64((int64_t)(s->lanes - 1) * s->columns)), x_i64(PART));
}

/* A strip is a part of what is folded. */
static void store_births(struct strips *s)
{
	struct lowering *l = s->axes.l;
	if (!births_fold(&s->axes))
		return;
	warp_fold(l, &s->axes.births->acc);
	k_if(l->k, x_eq(s->lane, x_i32(0)));
	births_store(&s->axes, s->unit, NULL);
	k_end(l->k);
}

static void strip(struct strips *s)
{
	struct kernel *k = s->axes.l->k;
	edges_open(s);
	windows_open(s);
	handed_open(s);
	if (s->staged)
		segments_open(s);
	reads_open(s);
	first_chunk(s, x_i64(0));
	struct kx *part = x_var(k_for(k, "part", x_i64(0), parts_of(s), x_i64(1), FOR_ROLLED));
	take_chunk(s, part);
	part_in(s, part, STRIP_PLAIN);
	k_end(k);
	segments_close(s);
}

/* ---- the kernel ---- */

/* The next strip's number; behind the last one the loop ends. */
static struct kx *draw(struct strips *s, struct kx *units)
{
	struct kernel *k = s->axes.l->k;
	struct kvar *drawn = k_shared(k, type_scalar(T_I64), "drawn", 1);
	struct kx *place = x_at(x_var(drawn), x_i32(0)), *arg[] = { s->state };
	k_barrier(k);
	k_if(k, x_eq(s->thread, x_i32(0)));
	k_set(k, place, x_help(kt_scalar(T_I64), "patc_draw", 1, arg));
	k_end(k);
	k_barrier(k);
	struct kx *number = x_var(k_let(k, "number", place));
	k_if(k, x_le(units, number));
	k_break(k);
	k_end(k);
	return number;
}

/* Of the problem, which may be smaller than those that strips and words are shared out for. */
static void own_numbers(struct strips *s)
{
	struct axes *a = &s->axes;
	if (axis_own(a->node, a->n - 1)) {
		s->all_columns = axes_columns(a);
		s->places = x_var(k_let(a->l->k, "own_places", handed_places(s, s->all_columns, s->before)));
	}
	if (axis_own(a->node, a->n - 2)) {
		s->all_rows = axes_rows(a);
		s->strips = x_var(k_let(a->l->k, "own_strips", x_div_up(s->all_rows, x_i64(strip_rows(s)))));
	}
}

static void place_of(struct strips *s, struct kx *number)
{
	struct axes *a = &s->axes;
	struct kernel *k = a->l->k;
	struct kx *problems = axes_argument(a, "problems", a->host_problems);
	s->strips = axes_argument(a, "strips", s->host_strips);
	s->strip = x_var(k_let(k, "strip", x_div(number, problems)));
	struct kx *problem = x_var(k_let(k, "problem", x_rem(number, problems)));
	s->unit = x_var(k_let(k, "unit", x_add(x_mul(problem, s->strips), s->strip)));
	s->stride = x_var(k_let(k, "stride", handed_words(s, s->places)));
	s->own_at = x_var(k_let(k, "own", x_add(x_mul(problem, s->stride), x_i64(FIRST_WORD))));
	s->first_row = x_var(k_let(k, "first_row", x_mul(s->strip, x_i64(strip_rows(s)))));
	s->lane_row = x_var(k_let(k, "lane_row", x_add(s->first_row, x_to_i64(x_mul(s->lane, x_i32(s->rows))))));
	if (s->below)
		s->below_at = x_var(k_let(k, "below_at", below_first(s)));
	axes_bind_outer(a, problem);
	own_numbers(s);
}

static void kernel(struct strips *s, struct kvar *state, struct kx *host_units, const char *suffix)
{
	struct axes *a = &s->axes;
	struct lowering *l = a->l = lowering_new(a->plan, str_print("%s%s", a->node->name, suffix));
	struct kernel *k = l->k;
	struct kx *blocks = x_min(host_units, x_i64(MOST_BLOCKS));
	k->note = s->served ? "Strips of rows, a block each: a warp computes, its lanes a step apart, the others move memory."
	                    : "Strips of rows, a warp each, its lanes a step apart.";
	k->block[0] = threads_of(s);
	k->block[1] = k->block[2] = 1;
	k->min_blocks = 1;
	lowering_writes(l, a->node);
	s->lane = s->thread = block_thread(l);
	if (s->served) {
		s->warp = x_var(k_let(k, "warp", x_div(s->thread, x_i32(s->lanes))));
		s->lane = x_var(k_let(k, "lane", x_rem(s->thread, x_i32(s->lanes))));
	}
	s->state = lower_argument(l, "state", kt_pointer(type_scalar(T_U64), false), x_var(state));
	s->all_rows = axes_rows(a);
	s->all_columns = s->most = axes_columns(a);
	for (int q = 0; q < a->node->equation.n; q++)
		if (s->table[q].below)
			s->table[q].below_x = lower_argument(l, "below", kt_pointer(s->table[q].type, true), x_var(s->table[q].below));
	if (s->filled)
		s->before = axes_argument(a, "before", s->host_before);
	struct kx *host_places = handed_places(s, axis_size(a, a->n - 1), s->host_before);
	s->places = axes_argument(a, "places", plan_let(a->plan, "places", host_places));
	struct kx *turns = axes_argument(a, "turns", x_div_up(host_units, x_max(blocks, x_i64(1)))), *units = axes_argument(a, "units", host_units);
	k_for(k, "unit_turn", x_i64(0), turns, x_i64(1), FOR_ROLLED);
	bool own = axis_own(a->node, a->n - 2);
	place_of(s, draw(s, units));
	births_start(a);
	if (own)
		k_if(k, x_lt(s->strip, s->strips));
	if (s->served)
		serve_strip(s);
	else
		strip(s);
	if (own)
		k_end(k);
	store_births(s);
	k_end(k);
	lowering_launch(l, blocks, x_i64(1), x_i64(1));
}

enum { OTHER_BYTES = 3072 };             /* of shared memory: what most strips hand on, columns */

int64_t other_bytes(const struct strips *s)
{
	int64_t bytes = 16 + reads_near_bytes(s);
	for (int q = 0; q < s->axes.node->equation.n; q++)
		bytes += s->table[q].above * (PART + s->columns) * type_size(s->table[q].type) + 16;
	return bytes > OTHER_BYTES ? bytes : OTHER_BYTES;
}

static int64_t staged_bytes(const struct strips *s)
{
	int64_t bytes = 0;
	for (int q = 0; q < s->axes.node->equation.n; q++)
		if (table_stored(s, q))
			bytes += type_size(s->table[q].type) * segment_cells(s) + (s->axes.plan->target->unrolls ? 16 * strip_rows(s) : 0);
	return bytes;
}

/* Does anything go to memory or come from it by pieces of rows? */
static bool has_pieces(const struct strips *s)
{
	return staged_bytes(s) + reads_bytes(s) > 0;
}

/* One that moves vectors, where rows allow it, and one that moves cell by cell. */
static void instances(struct strips *s)
{
	struct kernel *host = s->axes.plan->host;
	struct kvar *state = state_open(s);
	struct kx *units = plan_let(s->axes.plan, "units", x_mul(s->axes.host_problems, s->host_strips));
	struct strips with_vectors = *s;
	bool both = s->staged && has_pieces(s) && segments_have_vectors(s);
	s->vectors = s->staged && !has_pieces(s);
	if (both) {
		with_vectors.vectors = true;
		with_vectors.host_before = segments_before(s);
		with_vectors.served = can_serve(&with_vectors);
		if (with_vectors.served) {
			with_vectors.piece = PART / 2;
			with_vectors.chunk = PART / 4;
			with_vectors.shift = s->columns;
		}
		k_if(host, segments_aligned(&with_vectors));
		kernel(&with_vectors, state, units, "_vectors");
		k_else(host);
	}
	kernel(s, state, units, "");
	if (both)
		k_end(host);
}

static bool is_quick(struct expr *e, void *unused)
{
	(void)unused;
	bool division = e->kind == E_BINARY && (e->op == OP_DIV || e->op == OP_REM) && e->arg.at[1]->kind != E_CONST;
	bool function = e->kind == E_MATH && e->math != M_min && e->math != M_max && e->math != M_abs;
	return e->kind != E_CALL && e->kind != E_FOLD && !division && !function;
}

static bool is_slow(const struct node *node)
{
	bool slow = node->equation.n > 4;
	for (int q = 0; q < node->equation.n; q++)
		slow |= !expr_walk(node->equation.at[q]->right, is_quick, NULL);
	return slow;
}

static bool fits_shared(const struct strips *s, const struct target *target, bool rings)
{
	return other_bytes(s) + staged_bytes(s) + (rings ? reads_bytes(s) : 0) <= target->shared_bytes;
}

/* The largest lanes whose rows and rings fit into shared memory; else, without rings, those that come first. */
static void fit_lanes(struct strips *s, const struct target *target)
{
	int from = 0;
	for (s->rings = true; from >= 0 && !fits_shared(s, target, true); )
		from = lane_shape(s, target, from + 1);
	if (from < 0) {
		s->rings = false;
		lane_shape(s, target, 0);
	}
}

/* One table, and nothing beside it in shared memory: pieces of whole lines.  More steps of others are much code, and
 * many places to know. */
static void fit_pieces(struct strips *s, const struct target *target)
{
	s->piece = PART;
	if (!s->free || s->axes.node->equation.n > 1 || s->rows > 4 || reads_bytes(s) || !fits_shared(s, target, false))
		s->piece = PART / 2;
}

/* May the last row or column have neighbours beyond the table that are not old values? */
static bool asks_beyond(const struct strips *s)
{
	const struct node *node = s->axes.node;
	for (int r = 0; r < node->wave->read.n; r++) {
		struct step step = step_of(node, node->wave->read.at[r]);
		if (!step.here || (node->wave->read.at[r]->outside && (step.row > 0 || step.column > 0)))
			return true;
	}
	return false;
}

static void fit_memory(struct strips *s, const struct target *target)
{
	s->piece = PART / 2;
	if (!s->filled || s->axes.node->where || node_skips(s->axes.node))
		return;
	reads_find(s);
	fit_lanes(s, target);
	s->staged = fits_shared(s, target, s->rings) && (has_pieces(s) || s->read.n);
	if (s->staged) {
		s->free = reads_free(s);
		s->loose = s->free && target->unrolls && !asks_beyond(s);
		fit_pieces(s, target);
		return;
	}
	s->rings = false;
	s->read.n = 0;
}

static void shape_strips(struct strips *s, const struct target *target)
{
	int64_t left = 0;
	s->lanes = target->lanes;
	s->chunk = PART;
	s->filled = edges_fill(s);
	fit_memory(s, target);
	for (int q = 0; q < s->axes.node->equation.n; q++) {
		left = s->table[q].left > left ? s->table[q].left : left;
		for (int64_t x = 0; x < s->table[q].above; x++)
			s->words += (int)type_words(s->table[q].type);
	}
	s->host_before = s->before = x_i64(s->filled ? 0 : (left + s->columns - 1) / s->columns * s->columns);
	s->slow = is_slow(s->axes.node);
}

void wave_strips(struct plan *plan, const struct node *node, struct kx *most_problems)
{
	struct strips *s = NEW(struct strips);
	axes_open(&s->axes, plan, node);
	s->axes.most_problems = most_problems;
	lanes_measure(s, node, plan->target);
	shape_strips(s, plan->target);
	host_strips(s);
	births_open(&s->axes, s->most_strips, x_mul(s->axes.host_problems, s->host_strips));
	k_if(plan->host, axes_some(&s->axes));
	axes_open_loops(&s->axes);
	below_open(s);
	instances(s);
	axes_close_loops(&s->axes);
	k_end(plan->host);
	births_close(&s->axes);
}

/* Only the mask keeps cells of the range inside: strips of all the range would not fit what is kept for them. */
static bool mask_cuts(const struct node *node, const struct expr *table)
{
	for (int k = 0; node->where && k < node->index.n; k++)
		if (cells_exact(node, k) && !cells_index_inside(node, k, &table->var->extent[wave_subscript(node, table, k)]))
			return true;
	return false;
}

const char *no_strips(const struct node *node, const struct target *target)
{
	struct strips s = { .lanes = 0 };
	if (!target->gpu)
		return "a CPU has no warps";
	if (node->index.n < 2)
		return "its cells are a single row";
	for (int q = 0; q < node->equation.n; q++)
		if (wave_table(node, q)->checked || mask_cuts(node, wave_table(node, q)))
			return "its range may leave the tables";
	return lanes_measure(&s, node, target) ? NULL : "a lane has not registers enough for all cells that are looked at";
}
