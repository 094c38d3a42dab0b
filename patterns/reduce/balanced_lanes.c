/* balanced_lanes.c - rows of nearly one length, a few lanes each.
 *
 * Where rows are even, parts of equal work are as many rows each: no boundary need be looked for, no term goes
 * through shared memory, no thread waits for its block, and no row is cut.  That matters where terms look cells up:
 * those requests are the limit (on an H200 2^26 cells at random and 0.5 GB of the rest take 477 us), and anything
 * that leaves them idle is seen.
 *
 *   short rows   a thread a row, PER_THREAD terms at a time: neighbours meet in the cache
 *   others       2 .. 32 lanes a row by its mean length, a vector of terms each at a time
 *
 * Whether rows are even is judged on the device, as the boundaries of parts are found: by the least number of rows
 * that end in a part, which also says that no row is longer than a part.  It depends on the offsets alone, so results
 * repeat bit for bit.  A row's two offsets are all that is used of them: none can lead others astray.
 *
 * H200, f32, with all kernels of the call: 32 a row at random 488 us (tiles 497, cuSPARSE 491 .. 504), the five points
 * of a 4096^2 grid 216 .. 240 us (tiles 297, cuSPARSE 309).  4 lanes of 32 terms: 530, 16: 497; 2 lanes of 5: 357.
 * A thread with 4, 5, 6, 8 terms at a time: 253, 237, 238, 272. */
#include "balanced.h"

enum {
	PER_THREAD = 5                   /* terms of a short row at a time */
};

struct lane_loop {
	struct balanced *b;
	struct kernel *k;
	bool vectors;                    /* else cell by cell */
	int width;                       /* terms at a time */
	struct kx *lo, *hi;              /* of the row */
	struct kx *at;                   /* the first of these */
	struct kvar *regs[8];
};

/* ---- are they even? ---- */

struct kx *balanced_is_even(struct balanced *b)
{
	struct kx *uneven = lower_argument(b->l, "uneven", kt_pointer(type_scalar(T_I32), true), b->uneven);
	return x_var(k_let(b->l->k, "even", x_eq(x_at(uneven, x_i32(0)), x_i32(0))));
}

/* Too few rows end in part t, if it is whole: its boundaries are those of this lane and of the next.  A warp tells
 * it once: 46000 threads at one word took 20 us. */
void balanced_judge(struct balanced *b, struct kx *t, struct kx *parts, struct kx *row)
{
	struct lowering *l = b->l;
	struct kernel *k = l->k;
	struct kx *uneven = lower_argument(l, "uneven", kt_pointer(type_scalar(T_I32), false), b->uneven);
	struct kx *fewest = lower_argument(l, "fewest", kt_scalar(T_I64), b->host_fewest);
	struct kx *next = x_help(kt_scalar(T_I64), "patc_shfl_down_i64", 2, (struct kx *[]){ row, x_i32(1) });
	next = x_var(k_let(k, "next", next));
	struct kx *lane = x_rem(block_thread(l), x_i32(l->target->lanes));
	struct kx *known = x_and(x_lt(lane, x_i32(l->target->lanes - 1)), x_lt(x_add(t, x_i64(1)), parts));
	struct kx *few = x_var(k_let(k, "few", x_and(known, x_lt(x_sub(next, row), fewest))));
	struct kx *those = x_var(k_let(k, "those", x_help(kt_scalar(T_U64), "patc_ballot", 1, &few)));
	k_if(k, x_and(x_eq(lane, x_i32(0)), x_ne(those, x_int(T_U64, 0))));
	k_do(k, x_help(kt_scalar(T_I32), "patc_record", 2, (struct kx *[]){ uneven, x_i32(1) }));
	k_end(k);
}

/* ---- terms of a row ---- */

static void clear(struct lane_loop *p, struct kvar *held, const struct type *type)
{
	for (int c = 0; c < p->width; c++)
		k_set(p->k, p->vectors ? x_lane(x_var(held), c) : x_at(x_var(held), x_i32(c)), lower_zero(type));
}

static void declare(struct lane_loop *p)
{
	struct balanced *b = p->b;
	for (int s = 0; s < b->stream.n; s++) {
		const struct var *var = b->stream.at[s].read->var;
		struct kvar *held = p->vectors ? k_var(p->k, kt_vector(var->type, p->width), var->name, NULL)
		                               : k_regs(p->k, var->type, var->name, p->width);
		clear(p, held, var->type);
		b->stream.at[s].vector = held;
	}
	for (int f = 0; f < b->folds.n; f++)
		p->regs[f] = k_regs(p->k, b->folds.at[f]->type, "terms", p->width);
}

static struct kx *is_mine(const struct lane_loop *p, struct kx *c)
{
	struct kx *e = x_add(p->at, x_to_i64(c)), *before = x_lt(e, p->hi);
	return p->vectors ? x_and(x_le(p->lo, e), before) : before;
}

static void load_cells(struct lane_loop *p, struct kx *c)
{
	struct balanced *b = p->b;
	k_if(p->k, is_mine(p, c));
	for (int s = 0; s < b->stream.n; s++) {
		struct kx *held = x_var(b->stream.at[s].vector);
		struct kx *cell = x_at(lower_pointer(b->l, b->stream.at[s].read->var), x_add(p->at, x_to_i64(c)));
		k_set(p->k, p->vectors ? x_lane_at(held, c) : x_at(held, c), cell);
	}
	k_end(p->k);
}

static void load_vectors(struct lane_loop *p)
{
	struct balanced *b = p->b;
	for (int s = 0; s < b->stream.n; s++) {
		struct kx *from = x_offset(lower_pointer(b->l, b->stream.at[s].read->var), p->at);
		k_set(p->k, x_var(b->stream.at[s].vector), x_vload(from, p->width));
	}
}

static void load(struct lane_loop *p)
{
	struct balanced *b = p->b;
	struct kx *whole = b->vectors;
	if (p->vectors) {
		for (int s = 0; s < b->stream.n; s++)
			whole = x_and(whole, x_le(x_add(p->at, x_i64(p->width)), lower_extent(b->l, b->stream.at[s].read->var, 0)));
		k_if(p->k, whole);
		load_vectors(p);
		k_else(p->k);
	}
	load_cells(p, x_var(k_for(p->k, "c", x_i32(0), x_i32(p->width), x_i32(1), FOR_UNROLL)));
	k_end(p->k);
	if (p->vectors)
		k_end(p->k);
}

/* Some terms of the row: all are known before the first is folded. */
static void fold_some(struct lane_loop *p)
{
	struct balanced *b = p->b;
	struct kernel *k = p->k;
	declare(p);
	load(p);
	struct kx *c = x_var(k_for(k, "c", x_i32(0), x_i32(p->width), x_i32(1), FOR_UNROLL));
	struct kx *mine = is_mine(p, c);
	balanced_bind_term(b, x_var(k_let(k, b->domain->index.at[0]->name, x_add(p->at, x_to_i64(c)))));
	balanced_terms(b, p->regs, c, c, mine);
	k_end(k);
	c = x_var(k_for(k, "c", x_i32(0), x_i32(p->width), x_i32(1), FOR_UNROLL));
	k_if(k, is_mine(p, c));
	for (int f = 0; f < b->folds.n; f++)
		accumulate(b->l, &b->acc.at[f], x_at(x_var(p->regs[f]), c));
	k_end(k);
	k_end(k);
}

/* ---- rows ---- */

static void row_ends(struct lane_loop *p, struct kx *row, struct kx *last)
{
	struct balanced *b = p->b;
	struct kernel *k = p->k;
	struct kx *lo, *hi;
	p->lo = x_var(k_var(k, kt_scalar(T_I64), "lo", x_i64(0)));
	p->hi = x_var(k_var(k, kt_scalar(T_I64), "hi", x_i64(0)));
	k_if(k, x_lt(row, last));
	balanced_bind(b, row);
	lower_range(b->l, b->domain, 0, &lo, &hi);
	k_set(k, p->lo, lo);
	k_set(k, p->hi, hi);
	k_end(k);
}

static void finish(struct balanced *b, struct kx *row, struct kx *last)
{
	k_if(b->l->k, x_lt(row, last));
	balanced_bind(b, row);
	balanced_finish(b);
	k_end(b->l->k);
}

static void fold_row(struct lane_loop *p, struct kx *from, struct kx *step)
{
	p->at = x_var(k_for(p->k, "at", from, p->hi, step, FOR_ROLLED));
	fold_some(p);
	k_end(p->k);
}

static void row_a_thread(struct lane_loop *p, int threads, struct kx *share)
{
	struct balanced *b = p->b;
	struct kernel *k = p->k;
	struct kx *first = x_var(k_let(k, "first", x_mul(x_to_i64(x_id(ID_BLOCK_X)), share)));
	struct kx *last = x_var(k_let(k, "last", x_min(x_add(first, share), b->rows)));
	b->acc = folds_start(b->l, &b->folds);
	struct kx *strip = x_var(k_for(k, "strip", first, last, x_i64(threads), FOR_ROLLED));
	struct kx *row = x_var(k_let(k, "nth", x_add(strip, x_to_i64(block_thread(b->l)))));
	balanced_clear(b);
	row_ends(p, row, last);
	fold_row(p, p->lo, x_i64(p->width));
	finish(b, row, last);
	k_end(k);
}

static struct kx *of_lane(struct kernel *k, struct kx *value, struct kx *lane)
{
	return x_var(k_let(k, "of_lane", x_help(kt_scalar(T_I64), "patc_shfl_i64", 2, (struct kx *[]){ value, lane })));
}

/* What the first lane of each group found goes to the lane whose row that was. */
static void hand_over(struct balanced *b, const struct accumulators *kept, struct kx *from, struct kx *own)
{
	for (int a = 0; a < b->acc.n; a++) {
		const struct accumulator *acc = &b->acc.at[a];
		struct kx *found = accumulator_shuffle(b->l, acc, x_var(acc->var), "", from);
		k_if(b->l->k, own);
		accumulator_copy(b->l, x_var(kept->at[a].var), found);
		k_end(b->l->k);
	}
}

/* Of a warp's rows, each the lane of its number loads the ends and stores the result: requests for the rows of a
 * strip alone would cost as much as 4 us of 480. */
static void row_some_lanes(struct lane_loop *p, int threads, struct kx *bits, struct kx *share)
{
	struct balanced *b = p->b;
	struct kernel *k = p->k;
	int lanes = b->l->target->lanes;
	struct kx *thread = block_thread(b->l), *warp = x_div(thread, x_i32(lanes));
	struct kx *lane = x_var(k_let(k, "lane", x_rem(thread, x_i32(lanes))));
	struct kx *group = x_var(k_let(k, "group", x_op(OP_SHL, x_i32(1), bits)));
	struct kx *groups = x_var(k_let(k, "groups", x_op(OP_SHR, x_i32(lanes), bits)));
	struct kx *nth_warp = x_add(x_mul(x_to_i64(x_id(ID_BLOCK_X)), x_i64(threads / lanes)), x_to_i64(warp));
	struct kx *first = x_var(k_let(k, "first", x_mul(nth_warp, share)));
	struct kx *last = x_var(k_let(k, "last", x_min(x_add(first, share), b->rows)));
	struct kx *row = x_var(k_let(k, "nth", x_add(first, x_to_i64(lane))));
	struct accumulators kept = folds_start(b->l, &b->folds);
	b->acc = folds_start(b->l, &b->folds);
	row_ends(p, row, last);
	struct kx *lo = p->lo, *hi = p->hi;
	struct kx *strip = x_var(k_for(k, "strip", x_i32(0), x_to_i32(share), groups, FOR_ROLLED));
	struct kx *whose = x_var(k_let(k, "whose", x_add(strip, x_op(OP_SHR, lane, bits))));
	balanced_clear(b);
	p->lo = of_lane(k, lo, whose);
	p->hi = of_lane(k, hi, whose);
	struct kx *part = x_mul(x_to_i64(x_op(OP_AND, lane, x_sub(group, x_i32(1)))), x_i64(p->width));
	fold_row(p, x_add(x_sub(p->lo, x_rem(p->lo, x_i64(p->width))), part), x_op(OP_SHL, x_i64(p->width), bits));
	balanced_fold_lanes(b, group);
	struct kx *from = x_op(OP_SHL, x_op(OP_AND, lane, x_sub(groups, x_i32(1))), bits);
	hand_over(b, &kept, from, x_and(x_le(strip, lane), x_lt(lane, x_add(strip, groups))));
	k_end(k);
	b->acc = kept;
	finish(b, row, last);
}

static struct kx *up_to(struct kx *n, struct kx *step)
{
	return x_mul(x_div_up(n, step), step);
}

/* As many rows a block as there are blocks for, rounded up to what its threads take in turn. */
void balanced_lanes(struct balanced *b, int threads, struct kx *host_bits)
{
	struct lowering *l = b->l;
	struct kx *rows = x_div_up(b->host_rows, b->host_parts);
	bool vectors = host_bits && b->width > 1;
	struct lane_loop p = { .b = b, .k = l->k, .vectors = vectors, .width = vectors ? b->width : PER_THREAD };
	k_note(l->k, "even rows: as many a block, whole");
	b->bad = b->checks ? x_var(k_var(l->k, kt_scalar(T_BOOL), "outside", x_int(T_BOOL, 0))) : NULL;
	if (vectors) {
		int lanes = l->target->lanes;
		struct kx *bits = lower_argument(l, "lane_bits", kt_scalar(T_I32), host_bits);
		struct kx *share = up_to(x_div_up(rows, x_i64(threads / lanes)), x_op(OP_SHR, x_i64(lanes), host_bits));
		row_some_lanes(&p, threads, bits, lower_argument(l, "share", kt_scalar(T_I64), share));
	} else {
		row_a_thread(&p, threads, lower_argument(l, "share", kt_scalar(T_I64), up_to(rows, x_i64(threads))));
	}
	if (b->bad)
		lower_record_if(l, b->bad);
}
