/* wave_strips.c - a wavefront in strips of rows, a warp each (strips.kernel): any equations, no law
 * needed.
 *
 * The host cuts the rows into strips of LANES * ROWS rows.  A warp draws the number of its strip
 * from a counter, so each strip that is waited for has begun, and no order of blocks can deadlock.
 * The time of all strips is that of one row of steps, and of a delay of about LANES steps for each
 * strip.
 *
 * wave_window.c: registers of a lane; wave_hand.c: from strip to strip; wave_segments.c: to
 * memory; wave_reads.c: other arrays; wave_edge.c, wave_below.c: places outside; wave_serve.c:
 * warps that move memory.  What the texts call is CALLS. */
#include <string.h>
#include "wave_strips.h"

enum { FIRST_WORD = 2, MOST_BEFORE = 16 };

int64_t strip_rows(const struct strips *s)
{
	return (int64_t)s->shape->lanes * s->shape->rows;
}

bool table_stored(const struct strips *s, int q)
{
	return !wave_table(s->axes.node, q)->var->on_chip;
}

/* ---- the host's numbers ---- */

/* Places that a strip hands on, of so many columns: whole steps. */
static struct kx *handed_places(const struct strips *s, struct kx *columns, struct kx *before)
{
	int64_t more = s->shape->right - s->axes.slope + s->shape->columns - 1;
	struct kx *places = x_max(x_add(columns, x_add(before, x_i64(more))), x_i64(0));
	return x_mul(x_div(places, x_i64(s->shape->columns)), x_i64(s->shape->columns));
}

/* Words of a problem: strips that overrun hand on to the last step of their last part. */
static struct kx *handed_words(const struct strips *s, struct kx *places)
{
	struct kx *all = x_add(places, x_i64(s->kind->overruns ? 2 * PART : 0));
	return x_mul(all, x_i64(s->shape->words));
}

static void host_strips(struct strips *s)
{
	const struct axes *a = &s->axes;
	s->host.strips = plan_let(a->plan, "strips",
	                          x_div_up(axis_size(a, a->n - 2), x_i64(strip_rows(s))));
	s->host.most_columns = axis_most(a, a->n - 1);
	s->host.most_strips = x_mul(x_div_up(axis_most(a, a->n - 2), x_i64(strip_rows(s))),
	                       axes_most_problems(a));
}

/* Note [one row of words]
 * All strips of a problem hand on through one row of words.  A strip stores a place only after it
 * has taken the chunk that held it, and no other strip reads that old word.  A strip that waits
 * for a word compares the strip's number in it, so it does not take an older word for the new. */
static struct kx *all_words(const struct strips *s, struct kx *problems, struct kx *columns)
{
	struct kx *before = s->kind->filled ? x_i64(MOST_BEFORE) : s->host.before;
	return x_add(x_mul(problems, handed_words(s, handed_places(s, columns, before))),
	             x_i64(FIRST_WORD));
}

/* The counter and, from a multiple of 16 bytes on, the words of all problems, nothing known. */
static struct kvar *state_open(const struct strips *s)
{
	const struct axes *a = &s->axes;
	struct kx *most = all_words(s, axes_most_problems(a), s->host.most_columns);
	struct kvar *state = plan_slot(a->plan, "state", type_scalar(T_U64), 1, &most);
	k_clear(a->plan->host, x_var(state),
	        x_mul(all_words(s, a->host_problems, axis_size(a, a->n - 1)), x_i64(8)));
	return state;
}

/* ---- a strip ---- */

struct kx *get(const struct strips *s, const char *name)
{
	return k_get(s->axes.l->k, name);
}

void warp_sync(struct lowering *l)
{
	k_do(l->k, x_help(kt_scalar(T_I32), "patc_warp_sync", 0, NULL));
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

/* Is there much in each step, or would registers not do for several, as with rings of 8-byte
 * cells? */
static bool is_rolled(const struct strips *s, enum strip_mode mode)
{
	bool wide = false;
	for (int q = 0; q < s->axes.node->equation.n; q++)
		wide |= s->kind->rings && s->table[q].old && type_size(s->table[q].type) == 8;
	bool much = wide || s->kind->slow
	            || (!s->kind->overrun_safe && s->axes.node->equation.n > 1);
	return mode < (s->kind->overrun_safe ? STRIP_START : STRIP_PLAIN) || much
	       || !s->axes.plan->target->unrolls || !s->kind->vectors;
}

/* ---- the kernel: strips.kernel ---- */

/* Of the problem, which may be smaller than those that strips and words are shared out for. */
static void bind_problem(struct strips *s, struct kx *problem)
{
	struct axes *a = &s->axes;
	struct kernel *k = a->l->k;
	axes_bind_outer(a, problem);
	if (axis_own(a->node, a->n - 1)) {
		k_bind(k, "all_columns", axes_columns(a));
		struct kx *places = handed_places(s, get(s, "all_columns"), s->now.before);
		k_bind(k, "places", k_let(k, "own_places", places));
	}
	if (axis_own(a->node, a->n - 2)) {
		k_bind(k, "all_rows", axes_rows(a));
		k_bind(k, "strips",
		       k_let(k, "own_strips", x_div_up(get(s, "all_rows"), x_i64(strip_rows(s)))));
	}
}

static void open_strip(struct strips *s)
{
	edges_open(s);
	windows_open(s);
	handed_open(s);
	if (s->kind->staged && !s->kind->served)
		segments_open(s);
	reads_open(s);
	if (s->kind->served)
		serve_open(s);
}

static void start_births(struct strips *s)
{
	births_start(&s->axes);
}

static void fold_lanes(struct strips *s)
{
	warp_fold(s->axes.l, &s->axes.births->acc);
}

/* A strip is a part of what is folded. */
static void store_births(struct strips *s)
{
	births_store(&s->axes, get(s, "unit"), NULL);
}

static enum strip_mode mode_of(const struct kx *x)
{
	return (enum strip_mode)x->i;
}

static struct kx *rolled_steps(struct strips *s, enum strip_mode mode)
{
	return x_int(T_BOOL, is_rolled(s, mode));
}

/* The functions that the texts call: the name in the text, and the C function. */
#define CALLS(DO, GET)                                                                             \
	DO(open_strip, open_strip(s))                                                              \
	DO(bind_problem, bind_problem(s, arg[0]))                                                  \
	DO(start_births, start_births(s))                                                          \
	DO(fold_lanes, fold_lanes(s))                                                              \
	DO(store_births, store_births(s))                                                          \
	DO(load_windows, windows_ask(s, arg[0]))                                                   \
	DO(move_each_window, for_windows(s, "move_window"))                                        \
	DO(reset_each_window, for_edges(s, "reset_window", NULL, NULL))                            \
	DO(show_edges, for_edges(s, "show_edge", arg[0], arg[1]))                                  \
	DO(show_memory, show_memory(s))                                                            \
	DO(ask_outside, ask_outside(s, arg[0], arg[1], arg[2]))                                    \
	DO(bind_row, axis_bind(&s->axes, s->axes.n - 2, arg[0]))                                   \
	DO(bind_column, axis_bind(&s->axes, s->axes.n - 1, arg[0]))                                \
	DO(open_values, values_open(s))                                                            \
	DO(keep_values, for_windows(s, "keep_value"))                                              \
	DO(keep_old, keep_old(s))                                                                  \
	DO(bind_neighbours, bind_neighbours(s, mode_of(arg[0])))                                   \
	DO(compute_equations, compute_equations(s))                                                \
	DO(fold_cell, fold_strip_cell(s))                                                          \
	DO(begin_pieces, segments_begin(s))                                                        \
	DO(keep_pieces, segments_cell(s, mode_of(arg[0])))                                         \
	DO(end_pieces, segments_end(s, mode_of(arg[0])))                                           \
	DO(load_columns, reads_ask_columns(s, arg[0]))                                             \
	DO(load_rings, reads_ask_rings(s))                                                         \
	DO(take_loaded, coming_take(s))                                                            \
	DO(ask_columns, reads_ask(s, arg[0]))                                                      \
	DO(move_old, reads_move(s))                                                                \
	DO(fill_rings, reads_fill(s, arg[0], mode_of(arg[1])))                                     \
	DO(open_lines_of_part, lines_part(s))                                                      \
	DO(begin_lines, lines_move(s, NULL))                                                       \
	DO(move_lines, lines_move(s, arg[0]))                                                      \
	DO(store_words, store_words(s, arg[0], arg[1]))                                            \
	DO(load_words, load_words(s, arg[0]))                                                      \
	DO(decode_words, decode_words(s))                                                          \
	DO(show_above, rows_before(s, arg[0]))                                                     \
	DO(store_late_turns, for_turns(s, "store_late", NULL, NULL))                               \
	DO(forget_late_turns, for_turns(s, "forget_late", NULL, NULL))                             \
	DO(take_late_turns, for_turns(s, "take_late", arg[0], arg[1]))                             \
	DO(store_vector_turns, for_turns(s, "store_vector", arg[0], arg[1]))                       \
	DO(store_tables, store_tables(s, arg[0], arg[1]))                                          \
	DO(store_if,                                                                               \
	   k_do(l->k, x_help(kt_scalar(T_I32), "patc_store_16_if", 3, (struct kx **)arg)))         \
	DO(store_cuts, store_cuts(s))                                                              \
	DO(copy, accumulator_copy(s->axes.l, arg[0], arg[1]))                                      \
	DO(put_columns, put_columns(s, arg[0]))                                                    \
	DO(bind_cell, bind_cell(s, arg[0], arg[1]))                                                \
	DO(put_top, put_top(s, arg[0]))                                                            \
	DO(below_half, below_half(s, arg[0]))                                                      \
	DO(move_arrays, move_arrays(s))                                                            \
	GET(from_above, from_above(s, arg[0]))                                                     \
	GET(edge_at, edge_at(s, (int)get(s, "TABLE")->i, arg[0], arg[1]))                          \
	GET(is_cell, is_cell(s))                                                                   \
	GET(cell_at, cell_at(s, s->now.cell, arg[0], arg[1]))                                      \
	GET(cell, lower_cell(s->axes.l, s->now.cell))                                              \
	GET(cell_address, cell_address(s))                                                         \
	GET(cell_inside, wave_inside(s->axes.l, s->axes.node, s->now.cell))                        \
	GET(zero, lower_zero(s->now.cell->type))                                                   \
	GET(words_known, words_known(s))                                                           \
	GET(rolled_steps, rolled_steps(s, mode_of(arg[0])))

#define HOLE_DO(name, call) KTEXT_CALL(struct strips, s, name, call; return NULL;)
#define HOLE_GET(name, value) KTEXT_CALL(struct strips, s, name, return value;)

CALLS(HOLE_DO, HOLE_GET)

static void bind_shape(struct strips *s)
{
	struct kernel *k = s->axes.l->k;
	const struct strip_shape *shape = s->shape;
	struct reach reach = reach_of(s);
	int64_t slope = s->axes.slope, rows = strip_rows(s),
		begun = slope * (rows - 1) + reach.left;
	if (!x_is_int(s->now.before, 0) && s->kind->filled && begun < shape->piece)
		begun = shape->piece;
	k_numbers(k, "ROWS, COLUMNS, STRIP_ROWS, SLOPE, RIGHT", shape->rows, shape->columns, rows,
	          slope, shape->right);
	k_numbers(k, "UP, DOWN, REACH_LEFT, REACH_RIGHT, BEGUN", reach.up, reach.down, reach.left,
	          reach.right, begun);
	k_numbers(k, "PART, FAR, PIECE, PIECE_STEPS", PART, FAR, shape->piece, steps_of_piece(s));
	k_numbers(k, "CHUNK, SHIFT, CHUNKS_APART", shape->chunk, shape->shift, chunks_apart(s));
	k_numbers(k, "BELOW, BELOW_LEFT, BELOW_RIGHT", shape->below, shape->below_left,
	          shape->below_right);
	k_numbers(k, "WORDS, FIRST_WORD, MORE_PLACES", shape->words, FIRST_WORD,
	          s->kind->overruns ? 2 * PART : 0);
	k_numbers(k, "EDGE, END, START, PLAIN", STRIP_EDGE, STRIP_END, STRIP_START, STRIP_PLAIN);
	k_bind(k, "KNOWN", axes_even(s->axes.node) && reach.here);
}

static void bind_kind(struct strips *s)
{
	struct axes *a = &s->axes;
	struct kernel *k = a->l->k;
	const struct strip_kind *kind = s->kind;
	k_numbers(k, "OVERRUNS, OVERRUN_SAFE", kind->overruns, kind->overrun_safe);
	k_numbers(k, "FILLED, STAGED, SERVED", kind->filled, kind->staged, kind->served);
	k_numbers(k, "HANDED, RINGS, BY_COLUMN, VECTORS, LATE", s->shape->words > 0, kind->rings,
	          reads_by_column(s), kind->vectors, stores_late(s));
	k_numbers(k, "RING, NEAR_RING, THREADS", RING, near_ring(s), threads_of(s));
	k_bind(k, "BEFORE", !x_is_int(s->now.before, 0));
	k_bind(k, "RECORDS", has_records(s));
	segments_bind(s);
	k_numbers(k, "BIRTHS, FOLDS", a->births != NULL, births_fold(a));
	k_numbers(k, "OWN_ROWS, OWN_COLUMNS", axis_own(a->node, a->n - 2),
	          axis_own(a->node, a->n - 1));
	k_bind_calls(k, s, CALLS(KTEXT_ROW, KTEXT_ROW));
}

static void bind_arguments(struct strips *s, struct kvar *state, struct kx *host_units,
                           struct kx *blocks)
{
	struct axes *a = &s->axes;
	struct lowering *l = a->l;
	struct kernel *k = l->k;
	k_bind(k, "lane", block_thread(l));
	k_bind(k, "state",
	       lower_argument(l, "state", kt_pointer(type_scalar(T_U64), false), x_var(state)));
	k_bind(k, "all_rows", axes_rows(a));
	k_bind(k, "all_columns", axes_columns(a));
	k_bind(k, "most", axes_columns(a));
	for (int q = 0; q < a->node->equation.n; q++)
		if (s->table[q].below)
			s->table[q].below_x = lower_argument(l, "below",
			                                     kt_pointer(s->table[q].type, true),
			                                     x_var(s->table[q].below));
	s->now.before = s->kind->filled ? axes_argument(a, "before", s->host.before)
	                                : s->host.before;
	k_bind(k, "before", s->now.before);
	struct kx *host_places = handed_places(s, axis_size(a, a->n - 1), s->host.before);
	k_bind(k, "places", axes_argument(a, "places", plan_let(a->plan, "places", host_places)));
	k_bind(k, "turns",
	       axes_argument(a, "turns", x_div_up(host_units, x_max(blocks, x_i64(1)))));
	k_bind(k, "units", axes_argument(a, "units", host_units));
	k_bind(k, "problems", axes_argument(a, "problems", a->host_problems));
	k_bind(k, "strips", axes_argument(a, "strips", s->host.strips));
}

/* The same strips, and no variable of another kernel. */
static struct strips strips_anew(const struct strips *of)
{
	struct strips s = *of;
	size_t bytes = sizeof *s.table * (size_t)s.axes.node->equation.n;
	s.table = memcpy(mem_new(bytes), of->table, bytes);
	memset(&s.read, 0, sizeof s.read);
	for (int i = 0; i < of->read.n; i++)
		list_add(&s.read,
		         memcpy(NEW(struct strip_read), of->read.at[i], sizeof **s.read.at));
	return s;
}

static void kernel(const struct strips *of, struct kvar *state, struct kx *host_units,
                   const char *suffix)
{
	struct strips own = strips_anew(of), *s = &own;
	struct axes *a = &s->axes;
	struct lowering *l = a->l = lowering_new(a->plan, str_print("%s%s", a->node->name, suffix));
	struct kernel *k = l->k;
	struct kx *blocks = x_min(host_units, x_i64(l->target->turn_blocks));
	k->note = s->kind->served
	                  ? "Strips of rows, a block each: a warp computes, its lanes a step "
	                    "apart, the others move memory."
	                  : "Strips of rows, a warp each, its lanes a step apart.";
	k->block[0] = threads_of(s);
	k->block[1] = k->block[2] = 1;
	k->min_blocks = 1;
	lowering_writes(l, a->node);
	bind_arguments(s, state, host_units, blocks);
	bind_shape(s);
	bind_kind(s);
	if (s->kind->served)
		serve_bind(s);
	k_text(k, "strips");
	lowering_launch(l, blocks, x_i64(1), x_i64(1));
}

/* Bytes of shared memory for what a strip hands on and for its columns. */
int64_t other_bytes(const struct strips *s)
{
	int64_t bytes = 16 + reads_near_bytes(s), places = PART + s->shape->columns;
	for (int q = 0; q < s->axes.node->equation.n; q++)
		bytes += s->table[q].above * places * type_size(s->table[q].type) + 16;
	const int64_t least = s->axes.plan->target->strip_bytes;
	return bytes > least ? bytes : least;
}

static int64_t staged_bytes(const struct strips *s)
{
	int64_t bytes = 0;
	for (int q = 0; q < s->axes.node->equation.n; q++)
		if (table_stored(s, q))
			bytes += type_size(s->table[q].type) * segment_cells(s)
			         + (s->axes.plan->target->unrolls ? 16 * strip_rows(s) : 0);
	return bytes;
}

/* Does anything go to memory or come from it by pieces of rows? */
static bool has_pieces(const struct strips *s)
{
	return staged_bytes(s) + reads_bytes(s) > 0;
}

/* The strips that move vectors. */
static struct strips with_vectors(const struct strips *s)
{
	struct strip_shape *shape = memcpy(NEW(struct strip_shape), s->shape, sizeof *shape);
	struct strip_kind *kind = memcpy(NEW(struct strip_kind), s->kind, sizeof *kind);
	struct strips v = *s;
	v.shape = shape;
	v.kind = kind;
	v.host.before = segments_before(s);
	kind->vectors = true;
	kind->served = can_serve(&v);
	if (kind->served) {
		shape->piece = PART / 2;
		shape->chunk = PART / 4;
		shape->shift = shape->columns;
	}
	return v;
}

/* A kernel that moves vectors, where rows allow it, and one that moves cell by cell. */
static void instances(const struct strips *s)
{
	struct kernel *host = s->axes.plan->host;
	struct kvar *state = state_open(s);
	struct kx *units = plan_let(s->axes.plan, "units",
	                            x_mul(s->axes.host_problems, s->host.strips));
	/* places along a curve, for each cell of a vector, leave no registers */
	bool curve = !node_walk((struct node *)s->axes.node, cells_no_curve, NULL);
	bool both = s->kind->staged && has_pieces(s) && segments_have_vectors(s) && !curve;
	if (both) {
		struct strips vectors = with_vectors(s);
		k_if(host, segments_aligned(&vectors));
		kernel(&vectors, state, units, "_vectors");
		k_else(host);
	}
	kernel(s, state, units, "");
	if (both)
		k_end(host);
}

static bool is_quick(struct expr *e, void *unused)
{
	(void)unused;
	bool division = e->kind == E_BINARY && (e->op == OP_DIV || e->op == OP_REM)
	                && e->arg.at[1]->kind != E_CONST;
	bool function = e->kind == E_MATH && e->math != M_min && e->math != M_max
	                && e->math != M_abs;
	return e->kind != E_CALL && e->kind != E_FOLD && !division && !function;
}

static bool is_slow(const struct node *node)
{
	bool slow = node->equation.n > 4;
	for (int q = 0; q < node->equation.n; q++)
		slow |= !expr_walk(node->equation.at[q]->right, is_quick, NULL);
	return slow;
}

static bool fits_shared(const struct strips *s, bool rings)
{
	return other_bytes(s) + staged_bytes(s) + (rings ? reads_bytes(s) : 0)
	       <= s->axes.plan->target->shared_bytes;
}

/* The largest lanes whose rows and rings fit into shared memory; else, without rings, those that
 * come first. */
static void fit_lanes(const struct strips *s, struct strip_shape *shape, struct strip_kind *kind)
{
	int from = 0;
	while (from >= 0 && !fits_shared(s, true))
		from = lane_shape(s, shape, s->axes.plan->target, from + 1);
	kind->rings = from >= 0 && reads_bytes(s) > 0;
	if (from < 0)
		lane_shape(s, shape, s->axes.plan->target, 0);
}

/* One table, and nothing beside it in shared memory: pieces of whole lines.  More steps of
 * others are much code, and many places to know. */
static int piece_of(const struct strips *s)
{
	bool alone = s->kind->overrun_safe && s->axes.node->equation.n == 1 && s->shape->rows <= 4
	             && !reads_bytes(s);
	return alone && fits_shared(s, false) ? PART : PART / 2;
}

/* May the last row or column have neighbours beyond the table that are not old values? */
static bool reads_beyond(const struct strips *s)
{
	const struct node *node = s->axes.node;
	for (int r = 0; r < node->wave->read.n; r++) {
		struct step step = step_of(node, node->wave->read.at[r]);
		if (!step.here
		    || (node->wave->read.at[r]->outside && (step.row > 0 || step.column > 0)))
			return true;
	}
	return false;
}

/* What of a strip is in shared memory: Note [kinds of strips]. */
static void fit_memory(struct strips *s, struct strip_shape *shape, struct strip_kind *kind)
{
	if (!kind->filled || s->axes.node->where || node_skips(s->axes.node))
		return;
	reads_find(s);
	fit_lanes(s, shape, kind);
	kind->staged = fits_shared(s, kind->rings) && (has_pieces(s) || s->read.n);
	if (!kind->staged) {
		kind->rings = false;
		s->read.n = 0;
		return;
	}
	kind->overrun_safe = reads_harmless(s);
	kind->overruns = kind->overrun_safe && s->axes.plan->target->unrolls && !reads_beyond(s);
	kind->vectors = !has_pieces(s);
	shape->piece = piece_of(s);
}

/* All of s->shape and s->kind, but for what with_vectors changes. */
static void shape_strips(struct strips *s, struct strip_shape *shape, struct strip_kind *kind)
{
	int64_t left = 0;
	s->kind = kind;
	shape->lanes = s->axes.plan->target->lanes;
	shape->chunk = PART;
	shape->piece = PART / 2;
	kind->filled = edges_fill(s);
	kind->slow = is_slow(s->axes.node);
	fit_memory(s, shape, kind);
	for (int q = 0; q < s->axes.node->equation.n; q++) {
		left = s->table[q].left > left ? s->table[q].left : left;
		for (int64_t x = 0; x < s->table[q].above; x++)
			shape->words += (int)type_words(s->table[q].type);
	}
	left = (left + shape->columns - 1) / shape->columns * shape->columns;
	s->host.before = x_i64(kind->filled ? 0 : left);
}

void wave_strips(struct plan *plan, const struct node *node, struct kx *most_problems)
{
	struct strips *s = NEW(struct strips);
	struct strip_shape *shape = NEW(struct strip_shape);
	axes_open(&s->axes, plan, node);
	s->axes.most_problems = most_problems;
	lanes_measure(s, shape, node, plan->target);
	shape_strips(s, shape, NEW(struct strip_kind));
	host_strips(s);
	births_open(&s->axes, s->host.most_strips, x_mul(s->axes.host_problems, s->host.strips));
	k_if(plan->host, axes_some(&s->axes));
	axes_open_loops(&s->axes);
	below_open(s);
	instances(s);
	axes_close_loops(&s->axes);
	k_end(plan->host);
	births_close(&s->axes);
}

/* Only the mask keeps cells of the range inside: strips of all the range would not fit what is
 * kept for them. */
static bool mask_cuts(const struct node *node, const struct expr *table)
{
	for (int k = 0; node->where && k < node->index.n; k++)
		if (cells_exact(node, k)
		    && !cells_index_inside(node, k,
		                           &table->var->extent[wave_subscript(node, table, k)]))
			return true;
	return false;
}

const char *no_strips(const struct node *node, const struct target *target)
{
	struct strips s = { .shape = NULL };
	if (!target->gpu)
		return "a CPU has no warps";
	if (node->index.n < 2)
		return "its cells are a single row";
	for (int q = 0; q < node->equation.n; q++)
		if (wave_table(node, q)->checked || mask_cuts(node, wave_table(node, q)))
			return "its range may leave the tables";
	return lanes_measure(&s, NEW(struct strip_shape), node, target)
	               ? NULL
	               : "a lane does not have enough registers for all cells that are read";
}
