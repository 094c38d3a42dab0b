/* balanced_tile.c - a part of TILE items, one block.
 *
 * Terms first: a thread loads neighbouring cells 16 bytes at a time, all its loads before any is used, from the multiple
 * of LINE cells before the part's first term on: a warp's load that straddles a line costs two requests, 10 to 30 us
 * of 500 for a sparse matrix on an H200.  Then it reads what those say, again all together, for terms of the part
 * alone; the terms go to shared memory.  Then rows: a thread folds a row where rows are many, 2 .. 32 or 64 lanes a
 * row where there are fewer, the block where there are at most eight; a row much longer than its neighbours is the
 * warp's (18 us of 690 where lengths follow a power law).  The bounds of a thread's first row are loaded with the terms.
 *
 * A term that needs its row (x[r] - x[col[e]]), or that is folded with more than its value (argmax, operators
 * without identity, structs), is computed where it is folded: the same tile without the first half. */
#include "balanced.h"

enum {
	MOST_BLOCK_ROWS = 8,             /* rows of a part, each of which the whole block folds */
	MOST_LOADS = 17,                 /* vectors a thread */
	FAR = 8,                         /* terms a lane, more than which a row is for the warp */
	FEW_WORDS = 10,                  /* of what a thread folds, at most: for more 64 registers are too few; */
	SLOW_WORDS = 4                   /* a division or a function counts for so many */
};

struct tile {
	struct balanced *b;
	struct kernel *k;
	int threads;
	bool watches;                    /* for offsets that fall: they have not been looked through */
	struct kx *part;                 /* its number */
	struct kx *row, *next;           /* its first row, and the next part's */
	struct kx *ends, *count;         /* rows that end here, and with the one that goes on: i32 */
	struct kx *term, *behind;        /* first term, and the one behind the last */
	struct kx *origin;               /* what terms are counted from inside: i32 */
	struct kx *size;                 /* so many lie behind it */
	struct kvar *shared[8];
	struct kx *fell;                 /* this thread met a row that falls */
	/* of the row that this thread folds next */
	struct kx *lo, *hi, *began;
};

static struct kx *inner(struct tile *t, struct kx *term)
{
	return x_to_i32(x_sub(term, t->origin));
}

/* ---- the part ---- */

/* Boundaries that contradict each other: Note [offsets that fall]. */
static void refuse_contradiction(struct tile *t, struct kx *next)
{
	k_if(t->k, x_or(x_lt(next, t->row), x_lt(t->behind, t->term)));
	balanced_fell(t->b, x_eq(block_thread(t->b->l), x_i32(0)));
	k_return(t->k, NULL);
	k_end(t->k);
}

static void find_part(struct tile *t)
{
	struct kx *at[4];
	t->part = x_var(k_let(t->k, "part", x_to_i64(x_id(ID_BLOCK_X))));
	balanced_boundaries(t->b, t->part, at);
	t->row = at[0], t->term = at[1], t->next = at[2], t->behind = at[3];
}

static void open_part(struct tile *t)
{
	struct balanced *b = t->b;
	struct kernel *k = t->k;
	struct kx *next = t->next;
	if (t->watches)
		refuse_contradiction(t, next);
	t->ends = x_var(k_let(k, "ends", x_to_i32(x_sub(next, t->row))));
	t->count = x_var(k_let(k, "count", x_to_i32(x_min(x_add(x_sub(next, t->row), x_i64(1)), x_sub(b->rows, t->row)))));
	struct kx *over = b->stream.n && b->staged ? x_rem(t->term, x_i64(LINE)) : x_i64(0);
	t->origin = x_var(k_let(k, "origin", x_sub(t->term, over)));
	t->size = x_var(k_let(k, "size", inner(t, t->behind)));
}

/* ---- terms ---- */

static struct kx *tile_read(struct lowering *l, const struct expr *read)
{
	const struct balanced *b = l->state;
	for (int s = 0; s < b->stream.n; s++) {
		struct kvar *held = b->stream.at[s].vector;
		if (b->stream.at[s].read->var == read->var && balanced_streams(b, read))
			return held->kind == KV_REGS ? x_at(x_var(held), b->lane) : x_lane_at(x_var(held), b->lane);
	}
	if (read->checked || read->type->kind == T_STRUCT)
		return lower_cell(l, read);
	struct kx *cell = x_cond(b->mine, lower_cell(l, read), lower_zero(read->type));
	return read->guarded ? cell : x_var(k_let(l->k, "value", cell));      /* not ahead of its condition */
}

/* Only for terms of the part: calls of what the program never calls with may not end, and cells that nobody has
 * proved to exist.  Single cells are selected by tile_read. */
static bool is_open(struct expr *e, void *unused)
{
	(void)unused;
	bool cell = (e->kind == E_READ && e->type->kind == T_STRUCT) || e->kind == E_ELEM;
	return e->kind != E_CALL && !(cell && !e->checked);
}

/* Where every vector of a tile lies in all arrays, a thread's loads are one behind another. */
static void load_whole(struct tile *t, const struct tile_stream *s, struct kx *at, struct kx *e)
{
	struct kernel *k = t->k;
	k_if(k, x_lt(at, t->size));
	k_set(k, x_var(s->vector), x_vload(x_offset(lower_pointer(t->b->l, s->read->var), e), t->b->width));
	k_end(k);
}

/* Else cell by cell. */
static void load_cells(struct tile *t, const struct tile_stream *s, struct kx *at, struct kx *e)
{
	struct kernel *k = t->k;
	struct kx *pointer = lower_pointer(t->b->l, s->read->var), *end = lower_extent(t->b->l, s->read->var, 0);
	struct kx *c = x_var(k_for(k, "c", x_i32(0), x_i32(t->b->width), x_i32(1), FOR_UNROLL));
	k_if(k, x_and(x_lt(at, t->size), x_lt(x_add(e, x_to_i64(c)), end)));
	k_set(k, x_lane_at(x_var(s->vector), c), x_at(pointer, x_add(e, x_to_i64(c))));
	k_end(k);
	k_end(k);
}

static void clear_vector(struct tile *t, struct tile_stream *s)
{
	const struct type *type = s->read->var->type;
	s->vector = k_var(t->k, kt_vector(type, t->b->width), s->read->var->name, NULL);
	for (int c = 0; c < t->b->width; c++)
		k_set(t->k, x_lane(x_var(s->vector), c), lower_zero(type));
}

/* The term of one fold at the bound index, or its identity where it is skipped.  Cells that data place are read
 * for terms of the part alone: each costs a request, and nobody looks at the others. */
static struct kx *term_of(struct balanced *b, const struct expr *fold)
{
	struct lowering *l = b->l;
	const struct expr *where = fold->fold->where;
	struct kx *taken = NULL;
	bool checked = expr_checked(fold->arg.at[0]) || (where && expr_checked(where));
	l->bad = checked ? k_var(l->k, kt_scalar(T_BOOL), "bad", x_int(T_BOOL, 0)) : NULL;
	l->asked = b->mine;
	if (where) {
		taken = lower_expr(l, where);
		taken = x_var(k_let(l->k, "taken", checked ? x_and(x_unary(OP_NOT, x_var(l->bad)), taken) : taken));
		l->asked = x_and(b->mine, taken);
	}
	bool only = taken && expr_guarded(fold->arg.at[0]);      /* what the mask leaves out may lie outside */
	struct kvar *value = only ? k_var(l->k, kt(fold->type), "value", lower_identity(l, fold->fold->op, fold->type)) : NULL;
	if (only)
		k_if(l->k, taken);
	struct kx *term = lower_expr(l, fold->arg.at[0]);
	if (fold->fold->op->kind == OPK_COUNT)
		term = x_cast(kt_scalar(T_I64), term);
	if (only) {
		k_set(l->k, x_var(value), term);
		k_end(l->k);
		term = x_var(value);
	}
	if (checked) {
		k_set(l->k, b->bad, x_or(b->bad, x_var(l->bad)));
		taken = x_and(taken, x_unary(OP_NOT, x_var(l->bad)));
	}
	l->bad = NULL;
	l->asked = NULL;
	return taken ? x_cond(taken, term, lower_identity(l, fold->fold->op, fold->type)) : term;
}

void balanced_terms(struct balanced *b, struct kvar *const *regs, struct kx *at, struct kx *lane, struct kx *mine)
{
	struct kernel *k = b->l->k;
	b->lane = lane;
	b->mine = x_var(k_let(k, "mine", mine));
	b->l->read = tile_read;
	b->l->state = b;
	b->l->selects = true;
	for (int f = 0; f < b->folds.n; f++) {
		const struct expr *fold = b->folds.at[f];
		struct kx *to = x_at(x_var(regs[f]), at);
		bool guarded = !expr_walk((struct expr *)fold, is_open, NULL);
		if (guarded) {
			k_set(k, to, lower_identity(b->l, fold->fold->op, fold->type));
			k_if(k, b->mine);
		}
		k_set(k, to, term_of(b, fold));
		if (guarded)
			k_end(k);
	}
	b->l->read = NULL;
	b->l->selects = false;
}

static void vector_of_terms(struct tile *t, struct kvar *const *regs, int v, struct kx *at)
{
	struct balanced *b = t->b;
	struct kernel *k = t->k;
	struct kx *c = x_var(k_for(k, "c", x_i32(0), x_i32(b->width), x_i32(1), FOR_UNROLL));
	struct kx *place = x_var(k_let(k, "place", x_add(at, c)));
	struct kx *mine = x_and(x_le(inner(t, t->term), place), x_lt(place, t->size));
	balanced_bind_term(b, x_var(k_let(k, b->domain->index.at[0]->name, x_add(t->origin, x_to_i64(place)))));
	balanced_terms(b, regs, x_add(x_i32((int64_t)v * b->width), c), c, mine);
	k_end(k);
}

/* Terms that go to shared memory at a time: what the loads bring, at most 16 bytes. */
static int vector_width(const struct balanced *b, const struct type *type)
{
	int64_t most = 16 / type_size(type);
	return most < b->width ? (int)most : b->width;
}

static void store_terms(struct tile *t, struct kvar *const *regs, int v, struct kx *at)
{
	struct balanced *b = t->b;
	struct kernel *k = t->k;
	k_if(k, x_lt(at, t->size));
	for (int f = 0; f < b->folds.n; f++) {
		const struct type *type = b->folds.at[f]->type;
		int step = vector_width(b, type);
		for (int c = 0; c < b->width; c += step) {
			struct kx *place = c ? x_add(at, x_i32(c)) : at;
			struct kvar *held = step > 1 ? k_var(k, kt_vector(type, step), "held", NULL) : NULL;
			for (int i = 0; i < step && held; i++)
				k_set(k, x_lane(x_var(held), i), x_at(x_var(regs[f]), x_i32((int64_t)v * b->width + c + i)));
			if (held)
				k_vstore(k, x_offset(x_var(t->shared[f]), place), x_var(held));
			else
				k_set(k, x_at(x_var(t->shared[f]), place), x_at(x_var(regs[f]), x_i32((int64_t)v * b->width + c)));
		}
	}
	k_end(k);
}

static struct kx *vectors_allowed(struct balanced *b)
{
	struct kx *all = NULL;
	for (int s = 0; s < b->stream.n; s++)
		all = x_and(all, plan_aligned(b->l->plan, b->stream.at[s].read->var, b->width));
	return all ? lower_argument(b->l, "vectors", kt_scalar(T_BOOL), all) : x_int(T_BOOL, 0);
}

static void row_bounds(struct tile *t, struct kx *i);

/* A thread's vectors. */
struct loads { int n; struct kx *at[MOST_LOADS], *from[MOST_LOADS]; struct tile_stream *stream[MOST_LOADS]; struct kvar *regs[8]; };

static void turn_to(struct tile *t, const struct loads *loads, int v)
{
	for (int s = 0; s < t->b->stream.n; s++)
		t->b->stream.at[s] = loads->stream[v][s];
}

static void declare_loads(struct tile *t, struct loads *loads)
{
	struct balanced *b = t->b;
	loads->n = SLOTS / b->width / t->threads;
	for (int v = 0; v < loads->n; v++) {
		struct kx *vector = x_add(block_thread(b->l), x_i32((int64_t)v * t->threads));
		loads->at[v] = x_var(k_let(t->k, "at", x_mul(vector, x_i32(b->width))));
		loads->from[v] = x_var(k_let(t->k, "from", x_add(t->origin, x_to_i64(loads->at[v]))));
		loads->stream[v] = mem_new(sizeof **loads->stream * (size_t)(b->stream.n + 1));
		for (int s = 0; s < b->stream.n; s++) {
			clear_vector(t, &b->stream.at[s]);
			loads->stream[v][s] = b->stream.at[s];
		}
	}
	for (int f = 0; f < b->folds.n; f++)
		loads->regs[f] = k_regs(t->k, b->folds.at[f]->type, "terms", (int64_t)loads->n * b->width);
}

static void load_all(struct tile *t, const struct loads *loads, void (*load)(struct tile *, const struct tile_stream *,
                     struct kx *, struct kx *))
{
	for (int v = 0; v < loads->n; v++) {
		turn_to(t, loads, v);
		for (int s = 0; s < t->b->stream.n; s++)
			load(t, &loads->stream[v][s], loads->at[v], loads->from[v]);
	}
}

static void load_terms(struct tile *t, const struct loads *loads)
{
	struct balanced *b = t->b;
	struct kx *whole = b->vectors;
	if (!b->stream.n)
		return;
	for (int s = 0; s < b->stream.n; s++)
		whole = x_and(whole, x_le(x_add(t->origin, x_i64(SLOTS)), lower_extent(b->l, b->stream.at[s].read->var, 0)));
	k_if(t->k, whole);
	load_all(t, loads, load_whole);
	k_else(t->k);
	load_all(t, loads, load_cells);
	k_end(t->k);
}

static void stage_terms(struct tile *t, struct kx *first)
{
	struct loads loads;
	declare_loads(t, &loads);
	load_terms(t, &loads);
	row_bounds(t, first);
	for (int v = 0; v < loads.n; v++) {
		turn_to(t, &loads, v);
		vector_of_terms(t, loads.regs, v, loads.at[v]);
	}
	for (int v = 0; v < loads.n; v++) {
		turn_to(t, &loads, v);
		store_terms(t, loads.regs, v, loads.at[v]);
	}
	k_barrier(t->k);
}

/* ---- rows ---- */

static struct kx *natural_le(struct kx *a, struct kx *b)
{
	return x_le(x_cast(kt_scalar(T_U64), a), x_cast(kt_scalar(T_U64), b));
}

/* What is wrong with a row's two offsets, or with the boundaries; in the end both lie in the part. */
static void mend_row(struct tile *t, struct kx *lo, struct kx *hi)
{
	struct balanced *b = t->b;
	struct kernel *k = t->k;
	struct kx *end = lower_index(b->l, b->domain->cut->end);
	k_if(k, x_unary(OP_NOT, x_and(x_and(natural_le(hi, end), natural_le(lo, hi)), x_and(x_le(lo, t->behind), x_le(t->term, hi)))));
	struct kx *outside = x_and(x_lt(lo, hi), x_or(x_lt(lo, x_i64(0)), x_lt(end, hi)));
	k_set(k, b->bad, x_or(b->bad, lower_if_asked(b->l, b->domain, x_or(x_lt(hi, lo), outside))));
	k_set(k, lo, x_min(x_max(lo, x_i64(0)), end));
	k_set(k, hi, x_min(x_max(hi, x_i64(0)), end));
	if (t->watches)
		k_set(k, t->fell, x_or(t->fell, x_lt(hi, lo)));
	k_set(k, hi, x_max(hi, t->term));
	k_set(k, lo, x_min(lo, t->behind));
	k_end(k);
}

/* Of row i of the part: its terms in it, counted from the origin, and whether it began in it. */
static void row_bounds(struct tile *t, struct kx *i)
{
	struct balanced *b = t->b;
	struct kernel *k = t->k;
	k_if(k, x_lt(i, t->count));
	balanced_bind(b, x_add(t->row, x_to_i64(i)));
	struct kx *lo = x_var(k_var(k, kt_scalar(T_I64), "lo", lower_given_end(b->l, b->domain, 0, false)));
	struct kx *hi = x_var(k_var(k, kt_scalar(T_I64), "hi", lower_given_end(b->l, b->domain, 0, true)));
	if (b->checks)
		mend_row(t, lo, hi);
	k_set(k, t->began, x_le(t->term, lo));
	k_set(k, t->lo, inner(t, x_max(lo, t->term)));
	k_set(k, t->hi, inner(t, x_min(hi, t->behind)));
	k_end(k);
}

/* Every lanes-th term from the lane's own on, or a run of neighbours where their order matters. */
static void fold_row(struct tile *t, struct kx *lane, struct kx *group)
{
	struct balanced *b = t->b;
	struct lowering *l = b->l;
	struct kernel *k = t->k;
	struct kx *from = x_add(t->lo, lane), *to = t->hi, *step = group;
	if (b->ordered) {
		struct kx *run = x_var(k_let(k, "run", x_div(x_add(x_sub(t->hi, t->lo), x_sub(group, x_i32(1))), group)));
		from = x_var(k_let(k, "from", x_add(t->lo, x_mul(lane, run))));
		to = x_min(x_add(from, run), t->hi);
		step = x_i32(1);
	}
	struct kx *p = x_var(k_for(k, "p", from, x_var(k_let(k, "to", to)), step, 0));
	if (!b->staged)
		balanced_bind_term(b, x_var(k_let(k, b->domain->index.at[0]->name, x_add(t->origin, x_to_i64(p)))));
	for (int f = 0; f < b->folds.n; f++) {
		if (b->staged)
			accumulate(l, &b->acc.at[f], x_at(x_var(t->shared[f]), p));
		else
			fold_step(l, b->folds.at[f], &b->acc.at[f]);
	}
	k_end(k);
}

/* log2 of the threads a row. */
static struct kx *group_bits(struct tile *t)
{
	struct kx *bits = x_i32(0);
	for (int n = 1; 1 << n <= t->b->l->target->lanes; n++)
		bits = x_cond(x_le(x_op(OP_SHL, t->count, x_i32(n)), x_i32(t->threads)), x_i32(n), bits);
	return x_cond(x_le(t->count, x_i32(MOST_BLOCK_ROWS)), x_i32(log2_of(t->threads)), bits);
}

/* Lanes of a row fold in order, neighbours first; its first lane holds the result. */
void balanced_fold_lanes(struct balanced *b, struct kx *group)
{
	struct kernel *k = b->l->k;
	struct kx *distance = x_var(k_var(k, kt_scalar(T_I32), "distance", x_i32(1)));
	k_while(k, x_lt(distance, group));
	for (int f = 0; f < b->folds.n; f++)
		accumulate(b->l, &b->acc.at[f], accumulator_down(b->l, &b->acc.at[f], distance));
	k_set(k, distance, x_mul(distance, x_i32(2)));
	k_end(k);
}

/* Rows much longer than those beside them, one after another by the whole warp: a lane whose row is so long would
 * keep the others waiting for microseconds. */
static void fold_far(struct tile *t, struct kx *far, struct kx *lane)
{
	struct balanced *b = t->b;
	struct kernel *k = t->k;
	struct kx *lo = t->lo, *hi = t->hi, *lanes = x_i32(b->l->target->lanes);
	struct kx *own = x_var(k_let(k, "own", x_rem(block_thread(b->l), lanes)));
	struct accumulators near = b->acc;
	struct kx *ask = x_var(k_let(k, "ask", x_and(far, x_eq(lane, x_i32(0)))));
	struct kx *left = x_var(k_var(k, kt_scalar(T_U64), "left", x_help(kt_scalar(T_U64), "patc_ballot", 1, &ask)));
	k_while(k, x_ne(left, x_int(T_U64, 0)));
	struct kx *who = x_var(k_let(k, "who", x_help(kt_scalar(T_I32), "patc_ctz_u64", 1, &left)));
	k_set(k, left, x_op(OP_AND, left, x_sub(left, x_int(T_U64, 1))));
	b->acc = folds_start(b->l, &b->folds);
	t->lo = x_var(k_let(k, "far_lo", x_help(kt_scalar(T_I32), "patc_shfl_i32", 2, (struct kx *[]){ lo, who })));
	t->hi = x_var(k_let(k, "far_hi", x_help(kt_scalar(T_I32), "patc_shfl_i32", 2, (struct kx *[]){ hi, who })));
	fold_row(t, own, lanes);
	balanced_fold_lanes(b, lanes);
	for (int a = 0; a < near.n; a++) {
		struct kx *found = accumulator_shuffle(b->l, &b->acc.at[a], x_var(b->acc.at[a].var), "", x_i32(0));
		k_if(k, x_eq(own, who));
		accumulator_copy(b->l, x_var(near.at[a].var), found);
		k_end(k);
	}
	k_end(k);
	b->acc = near;
	t->lo = lo;
	t->hi = hi;
}

static void fold_near(struct tile *t, struct kx *i, struct kx *lane, struct kx *group, struct kx *far)
{
	struct kernel *k = t->k;
	struct kx *known = x_lt(i, t->count);
	k_if(k, far ? x_and(known, x_unary(OP_NOT, far)) : known);
	balanced_bind(t->b, x_add(t->row, x_to_i64(i)));
	fold_row(t, lane, group);
	k_end(k);
}

/* Where terms look cells up and rows are even, this is not run. */
static struct kx *is_far(struct tile *t, struct kx *i, struct kx *group)
{
	struct kx *many = x_lt(x_mul(group, x_i32(FAR)), x_sub(t->hi, t->lo));
	if (!t->b->uneven)
		return NULL;
	return x_var(k_let(t->k, "far", x_and(x_and(x_lt(i, t->count), x_lt(group, x_i32(t->threads))), many)));
}

static void fold_rows(struct tile *t, struct kx *bits, struct kx *first)
{
	struct balanced *b = t->b;
	struct kernel *k = t->k;
	struct kx *group = x_var(k_let(k, "group", x_op(OP_SHL, x_i32(1), bits)));
	struct kx *lane = x_var(k_let(k, "lane", x_op(OP_AND, block_thread(b->l), x_sub(group, x_i32(1)))));
	struct kx *groups = x_var(k_let(k, "groups", x_op(OP_SHR, x_i32(t->threads), bits)));
	struct kx *strip = x_var(k_for(k, "strip", x_i32(0), t->count, groups, FOR_ROLLED));
	struct kx *i = x_var(k_let(k, "i", x_add(strip, first)));
	balanced_clear(b);
	struct kx *far = is_far(t, i, group);
	fold_near(t, i, lane, group, far);
	k_if(k, x_eq(group, x_i32(t->threads)));
	block_fold(b->l, &b->acc);
	k_else(k);
	balanced_fold_lanes(b, group);
	if (far)
		fold_far(t, far, lane);
	k_end(k);
	k_if(k, x_and(x_eq(lane, x_i32(0)), x_lt(i, t->count)));
	balanced_bind(b, x_add(t->row, x_to_i64(i)));
	balanced_finish_part(b, t->part, x_eq(i, t->ends), t->began);
	k_end(k);
	row_bounds(t, x_add(i, groups));
	k_if(k, x_eq(group, x_i32(t->threads)));
	k_barrier(k);
	k_end(k);
	k_end(k);
}

/* ---- the kernel ---- */

static void tell(struct tile *t)
{
	struct balanced *b = t->b;
	if (b->bad)
		lower_record_if(b->l, b->bad);
	if (t->watches)
		balanced_fell(b, t->fell);
}

static void declare(struct tile *t)
{
	struct balanced *b = t->b;
	struct kernel *k = t->k;
	t->lo = x_var(k_var(k, kt_scalar(T_I32), "lo", x_i32(0)));
	t->hi = x_var(k_var(k, kt_scalar(T_I32), "hi", x_i32(0)));
	t->began = x_var(k_var(k, kt_scalar(T_BOOL), "began", x_int(T_BOOL, 0)));
	if (t->watches)
		t->fell = x_var(k_var(k, kt_scalar(T_BOOL), "fell", x_int(T_BOOL, 0)));
	if (b->checks)
		b->bad = x_var(k_var(k, kt_scalar(T_BOOL), "outside", x_int(T_BOOL, 0)));
	for (int f = 0; f < b->folds.n && b->staged; f++)
		(t->shared[f] = k_shared(k, b->folds.at[f]->type, "tile", SLOTS))->align = 16;
}

static void leave_if_fallen(struct tile *t)
{
	k_if(t->k, x_ne(x_at(t->b->own_falls, x_i32(0)), x_i32(0)));
	k_return(t->k, NULL);
	k_end(t->k);
}

/* How many reads deep the places of a term are looked up. */
static int reads_deep(const struct expr *e)
{
	int deepest = 0;
	for (int a = 0; a < e->arg.n; a++) {
		int deep = reads_deep(e->arg.at[a]);
		deepest = deep > deepest ? deep : deepest;
	}
	return deepest + (e->kind == E_READ);
}

static bool count_words(struct expr *e, void *words)
{
	if (e->kind == E_READ)
		*(int64_t *)words += type_words(e->type);
	return true;
}

/* Is every row the sum of products of what lies one behind another, the numbers of 4 bytes or the floats of 8? */
static bool is_product(const struct balanced *b)
{
	const struct node *node = b->node;
	bool is = b->stream.n == 2;
	for (int s = 0; s < b->stream.n; s++)
		is &= type_size(b->stream.at[s].read->type) >= 4;
	for (int q = 0; is && q < node->equation.n; q++) {
		const struct expr *e = node->equation.at[q]->right;
		is = e->kind == E_FOLD && e->fold->op->kind == OPK_SUM && !e->fold->where
		  && (type_class(e->type) == 'F' || type_words(e->type) == 1);
	}
	return is;
}

/* So few registers that as many blocks run as hide the latency of what terms look up, where a term needs few: the
 * product of a sparse matrix takes 32 of a thread with a short row, 48 of one of several lanes, both without spills.
 * What is more takes 40 to 64, or up to 100; with fewer, or left alone, ptxas spills 4 to 160 bytes of it. */
static int fewest_blocks(const struct balanced *b, const struct target *target, bool short_rows)
{
	int64_t words = 0;
	for (int f = 0; f < b->folds.n; f++) {
		const struct expr *fold = b->folds.at[f];
		if (reads_deep(fold->arg.at[0]) > 2)
			return 1;                        /* as in cells_gpu.c, against spills */
		words += type_words(fold->type) + (expr_slow(fold->arg.at[0]) ? SLOW_WORDS : 0);
		expr_walk(fold->arg.at[0], count_words, &words);
		if (fold->fold->where)
			expr_walk(fold->fold->where, count_words, &words);
	}
	if (!b->gathers || target->lanes != 32)
		return 0;
	if (is_product(b) && words <= FEW_WORDS)
		return short_rows && words <= 4 ? 8 : 5;
	return words <= FEW_WORDS ? 4 : 2;
}

static void part_of_terms(struct tile *t)
{
	struct balanced *b = t->b;
	open_part(t);
	declare(t);
	struct kx *bits = x_var(k_let(t->k, "group_bits", group_bits(t)));
	struct kx *first = x_var(k_let(t->k, "mine", x_op(OP_SHR, block_thread(b->l), bits)));
	if (b->staged)
		stage_terms(t, first);
	else
		row_bounds(t, first);
	b->acc = folds_start(b->l, &b->folds);
	fold_rows(t, bits, first);
	tell(t);
}

void balanced_tiles(struct balanced *b, struct plan *plan, const char *suffix, int threads, struct kx *host_bits)
{
	balanced_open(b, plan, suffix);
	struct tile t = { .b = b, .k = b->l->k, .threads = threads, .watches = b->checks && !b->after };
	t.k->block[0] = threads;
	t.k->block[1] = t.k->block[2] = 1;
	t.k->min_blocks = fewest_blocks(b, plan->target, b->uneven && !host_bits);
	b->own_path = lower_argument(b->l, "path", kt_pointer(type_scalar(T_I64), true), b->path);
	balanced_slots(b, true);
	if (b->checks)
		b->own_falls = lower_argument(b->l, "falls", kt_pointer(type_scalar(T_I32), !t.watches), b->falls);
	if (b->checks && !t.watches)
		leave_if_fallen(&t);
	b->vectors = b->staged ? vectors_allowed(b) : NULL;
	struct kx *even = b->uneven ? balanced_is_even(b) : NULL;
	find_part(&t);                           /* loaded together with the flag */
	if (even) {
		k_if(t.k, even);
		balanced_lanes(b, threads, host_bits);
		k_else(t.k);
	}
	part_of_terms(&t);
	if (b->uneven)
		k_end(t.k);
	lowering_launch(b->l, b->host_parts, x_i64(1), x_i64(1));
}
