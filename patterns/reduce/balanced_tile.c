/* balanced_tile.c - a part of TILE items, one block.
 *
 * Terms first: a thread loads neighbouring cells 16 bytes at a time, from the multiple of a vector before the
 * part's first term on, all its loads before any is used; then it reads what those say, again all together; the
 * terms go to shared memory.  Then rows: a thread folds a row where rows are many, 2 .. 32 or 64 lanes a row
 * where there are fewer, the block where there are at most eight.  The bounds of a thread's first row are
 * loaded with the terms.
 *
 * A term that needs its row (x[r] - x[col[e]]), or that is folded with more than its value (argmax, operators
 * without identity, structs), is computed where it is folded: the same tile without the first half. */
#include "balanced.h"

enum {
	MOST_BLOCK_ROWS = 8,             /* rows of a part, each of which the whole block folds */
	MOST_LOADS = 17                  /* vectors a thread */
};

struct tile {
	struct balanced *b;
	struct kernel *k;
	int threads;
	bool watches;                    /* for offsets that fall: they have not been looked through */
	struct kx *part;                 /* its number */
	struct kx *row, *ends, *count;   /* first row; rows that end here, and with the one that goes on: i32 */
	struct kx *term, *behind;        /* first term, and the one behind the last */
	struct kx *origin;               /* what terms are counted from inside: i32 */
	struct kx *size;                 /* so many lie behind it */
	struct kvar *shared[8];
	struct kx *bad, *fell;           /* this thread met a term outside, a row that falls */
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

static void open_part(struct tile *t)
{
	struct balanced *b = t->b;
	struct kernel *k = t->k;
	t->part = x_var(k_let(k, "part", x_to_i64(x_id(ID_BLOCK_X))));
	struct kx *at[4];
	balanced_boundaries(b, t->part, at);
	struct kx *next = at[2];
	t->row = at[0], t->term = at[1], t->behind = at[3];
	if (t->watches)
		refuse_contradiction(t, next);
	t->ends = x_var(k_let(k, "ends", x_to_i32(x_sub(next, t->row))));
	t->count = x_var(k_let(k, "count", x_to_i32(x_min(x_add(x_sub(next, t->row), x_i64(1)), x_sub(b->rows, t->row)))));
	struct kx *over = b->staged ? x_rem(t->term, x_i64(b->width)) : x_i64(0);
	t->origin = x_var(k_let(k, "origin", x_sub(t->term, over)));
	t->size = x_var(k_let(k, "size", inner(t, t->behind)));
}

/* ---- terms ---- */

static struct kx *tile_read(struct lowering *l, const struct expr *read)
{
	const struct balanced *b = l->state;
	for (int s = 0; s < b->stream.n; s++)
		if (b->stream.at[s].read->var == read->var && balanced_streams(b, read))
			return x_lane_at(x_var(b->stream.at[s].vector), b->lane);
	if (read->checked || read->type->kind == T_STRUCT)
		return lower_cell(l, read);
	return x_var(k_let(l->k, "value", x_cond(b->mine, lower_cell(l, read), lower_zero(read->type))));
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

/* The term of one fold at the bound index, or its identity where it is skipped.  What lies before or behind the
 * part is computed too, as nobody looks at it; it is not recorded. */
static struct kx *term_of(struct tile *t, const struct expr *fold, struct kx *mine)
{
	struct lowering *l = t->b->l;
	const struct expr *where = fold->fold->where;
	struct kx *taken = NULL;
	bool checked = expr_checked(fold->arg.at[0]) || (where && expr_checked(where));
	l->bad = checked ? k_var(t->k, kt_scalar(T_BOOL), "bad", x_int(T_BOOL, 0)) : NULL;
	if (where) {
		taken = lower_expr(l, where);
		taken = x_var(k_let(t->k, "taken", checked ? x_and(x_unary(OP_NOT, x_var(l->bad)), taken) : taken));
	}
	struct kx *term = lower_expr(l, fold->arg.at[0]);
	if (fold->fold->op->kind == OPK_COUNT)
		term = x_cast(kt_scalar(T_I64), term);
	if (checked) {
		k_set(t->k, t->bad, x_or(t->bad, x_and(x_var(l->bad), mine)));
		taken = x_and(taken, x_unary(OP_NOT, x_var(l->bad)));
	}
	l->bad = NULL;
	return taken ? x_cond(taken, term, lower_identity(l, fold->fold->op, fold->type)) : term;
}

static void vector_of_terms(struct tile *t, struct kvar *const *regs, int v, struct kx *at)
{
	struct balanced *b = t->b;
	struct kernel *k = t->k;
	struct kx *c = x_var(k_for(k, "c", x_i32(0), x_i32(b->width), x_i32(1), FOR_UNROLL));
	struct kx *place = x_var(k_let(k, "place", x_add(at, c)));
	struct kx *mine = x_and(x_le(inner(t, t->term), place), x_lt(place, t->size));
	b->mine = mine = x_var(k_let(k, "mine", mine));
	b->lane = c;
	balanced_bind_term(b, x_var(k_let(k, b->domain->index.at[0]->name, x_add(t->origin, x_to_i64(place)))));
	for (int f = 0; f < b->folds.n; f++) {
		const struct expr *fold = b->folds.at[f];
		struct kx *to = x_at(x_var(regs[f]), x_add(x_i32((int64_t)v * b->width), c));
		bool guarded = !expr_walk((struct expr *)fold, is_open, NULL);
		if (guarded) {
			k_set(k, to, lower_identity(b->l, fold->fold->op, fold->type));
			k_if(k, mine);
		}
		k_set(k, to, term_of(t, fold, mine));
		if (guarded)
			k_end(k);
	}
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
	for (int s = 0; s < b->stream.n; s++) {
		const struct var *var = b->stream.at[s].read->var;
		struct kx *arg[] = { host_var_x(b->l->plan, var), x_i64(type_size(var->type) * b->width) };
		all = x_and(all, x_help(kt_scalar(T_BOOL), "patc_aligned", 2, arg));
	}
	return all ? lower_argument(b->l, "vectors", kt_scalar(T_BOOL), all) : x_int(T_BOOL, 0);
}

static void row_bounds(struct tile *t, struct kx *i);

/* A thread's vectors; one more, of the first thread alone, since the first may begin before the part does. */
struct loads { int n; struct kx *at[MOST_LOADS], *from[MOST_LOADS]; struct tile_stream *stream[MOST_LOADS]; struct kvar *regs[8]; };

static void open_load(struct tile *t, const struct loads *loads, int v)
{
	struct balanced *b = t->b;
	for (int s = 0; s < b->stream.n; s++)
		b->stream.at[s] = loads->stream[v][s];
	if (v * b->width * t->threads >= TILE)
		k_if(t->k, x_eq(block_thread(b->l), x_i32(0)));
}

static void close_load(struct tile *t, int v)
{
	if (v * t->b->width * t->threads >= TILE)
		k_end(t->k);
}

static void declare_loads(struct tile *t, struct loads *loads)
{
	struct balanced *b = t->b;
	loads->n = TILE / b->width / t->threads + (b->width > 1);
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
		open_load(t, loads, v);
		for (int s = 0; s < t->b->stream.n; s++)
			load(t, &loads->stream[v][s], loads->at[v], loads->from[v]);
		close_load(t, v);
	}
}

static void load_terms(struct tile *t, const struct loads *loads)
{
	struct balanced *b = t->b;
	struct kx *whole = vectors_allowed(b);
	if (!b->stream.n)
		return;
	for (int s = 0; s < b->stream.n; s++)
		whole = x_and(whole, x_le(x_add(t->origin, x_i64(TILE + b->width)), lower_extent(b->l, b->stream.at[s].read->var, 0)));
	k_if(t->k, whole);
	load_all(t, loads, load_whole);
	k_else(t->k);
	load_all(t, loads, load_cells);
	k_end(t->k);
}

static void stage_terms(struct tile *t, struct kx *first)
{
	struct balanced *b = t->b;
	struct loads loads;
	declare_loads(t, &loads);
	load_terms(t, &loads);
	row_bounds(t, first);
	b->l->read = tile_read;
	b->l->state = b;
	b->l->selects = true;
	for (int v = 0; v < loads.n; v++) {
		open_load(t, &loads, v);
		vector_of_terms(t, loads.regs, v, loads.at[v]);
		close_load(t, v);
	}
	b->l->read = NULL;
	b->l->selects = false;
	for (int v = 0; v < loads.n; v++) {
		open_load(t, &loads, v);
		store_terms(t, loads.regs, v, loads.at[v]);
		close_load(t, v);
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
	k_set(k, t->bad, x_or(t->bad, x_or(x_lt(hi, lo), outside)));
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
static void fold_lanes(struct tile *t, struct kx *group)
{
	struct balanced *b = t->b;
	struct kernel *k = t->k;
	struct kx *distance = x_var(k_var(k, kt_scalar(T_I32), "distance", x_i32(1)));
	k_while(k, x_lt(distance, group));
	for (int f = 0; f < b->folds.n; f++)
		accumulate(b->l, &b->acc.at[f], accumulator_down(b->l, &b->acc.at[f], distance));
	k_set(k, distance, x_mul(distance, x_i32(2)));
	k_end(k);
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
	k_if(k, x_lt(i, t->count));
	balanced_bind(b, x_add(t->row, x_to_i64(i)));
	fold_row(t, lane, group);
	k_end(k);
	k_if(k, x_eq(group, x_i32(t->threads)));
	block_fold(b->l, &b->acc);
	k_else(k);
	fold_lanes(t, group);
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
	if (t->bad)
		lower_record_if(b->l, t->bad);
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
		t->bad = x_var(k_var(k, kt_scalar(T_BOOL), "outside", x_int(T_BOOL, 0)));
	for (int f = 0; f < b->folds.n && b->staged; f++)
		(t->shared[f] = k_shared(k, b->folds.at[f]->type, "tile", TILE + b->width))->align = 16;
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

void balanced_tiles(struct balanced *b, struct plan *plan, const char *suffix, int threads)
{
	balanced_open(b, plan, suffix);
	struct tile t = { .b = b, .k = b->l->k, .threads = threads, .watches = b->checks && !b->after };
	t.k->block[0] = threads;
	t.k->block[1] = t.k->block[2] = 1;
	for (int f = 0; f < b->folds.n; f++)
		if (reads_deep(b->folds.at[f]->arg.at[0]) > 2)
			t.k->min_blocks = 1;             /* as in cells_gpu.c, against spills */
	b->own_path = lower_argument(b->l, "path", kt_pointer(type_scalar(T_I64), true), b->path);
	balanced_slots(b, true);
	if (b->checks)
		b->own_falls = lower_argument(b->l, "falls", kt_pointer(type_scalar(T_I32), !t.watches), b->falls);
	if (b->checks && !t.watches)
		leave_if_fallen(&t);
	open_part(&t);
	declare(&t);
	struct kx *bits = x_var(k_let(t.k, "group_bits", group_bits(&t)));
	struct kx *first = x_var(k_let(t.k, "mine", x_op(OP_SHR, block_thread(b->l), bits)));
	if (b->staged)
		stage_terms(&t, first);
	else
		row_bounds(&t, first);
	b->acc = folds_start(b->l, &b->folds);
	fold_rows(&t, bits, first);
	tell(&t);
	lowering_launch(b->l, b->host_parts, x_i64(1), x_i64(1));
}
