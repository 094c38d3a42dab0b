/* sort_units.c - which sequences the groups of lanes of a GPU take.
 *
 * Where lengths are data, one pass puts the numbers of the sequences into queues, one for each class of lengths (powers
 * of two), and lists the tiles of the long ones.  A block counts what it has of each class and takes room for all
 * of it by one atomic.  Queues stand one behind the other: at most total / 2^(k-1) sequences have more than 2^(k-1)
 * cells, so room for that many of each is enough whatever the lengths are.
 *
 * A block then takes as many sequences of one class as have lanes in it.  How many blocks a class needs is counted on
 * the device, from the queues' lengths: the host asks for as many blocks as keep a machine busy, and they stride. */
#include "sort_gpu.h"
#include "../block_scan.h"

enum { EACH = 8, MOST_BLOCKS = 4096 };       /* sequences a thread bins; blocks that stride */

/* ---- kernels ---- */

struct lowering *sort_kernel(const struct sorter *s, const char *suffix, const char *note)
{
	struct lowering *l = lowering_new(s->plan, str_print("%s%s", s->node->name, suffix));
	l->k->note = note;
	lowering_writes(l, s->node);
	l->k->block[0] = SORT_THREADS;
	l->k->block[1] = l->k->block[2] = 1;
	l->k->min_blocks = 1;                /* registers for all elements */
	if (s->fallen) {
		struct kx *fallen = lower_argument(l, "fallen", kt_pointer(type_scalar(T_I32), true), s->fallen);
		k_if(l->k, x_ne(x_at(fallen, x_i32(0)), x_i32(0)));
		k_return(l->k, NULL);
		k_end(l->k);
	}
	return l;
}

struct kx *sort_pointer(const struct sorter *s, struct lowering *l, struct kvar *slot, bool is_const)
{
	(void)s;
	return lower_argument(l, slot->name, kt_pointer(slot->type.type, is_const), x_var(slot));
}

/* ---- sequences ---- */

static struct kx *let(struct lowering *l, const char *name, struct kx *x)
{
	return x_var(k_let(l->k, name, x));
}

void sort_bind_cell(const struct sorter *s, struct lowering *l, struct kx *cell)
{
	const struct var *index = sort_index(s->node);
	lower_bind(l, index, let(l, index->name, cell));
}

struct kx *sort_sequences(const struct sorter *s, struct lowering *l)
{
	struct kx *rows = sort_rows(l, s->node), *segments = sort_segments(l, s->node);
	return let(l, "sequences", x_is_int(rows, 1) ? segments : x_mul(rows, segments));
}

struct sequence sort_sequence(const struct sorter *s, struct lowering *l, struct kx *number)
{
	struct kx *segment = number, *row = NULL, *first, *end;
	if (s->node->index.n > 1) {
		bool whole = s->node->running->segment == SEGMENT_NONE;
		struct kx *segments = whole ? NULL : let(l, "segments", sort_segments(l, s->node));
		row = whole ? number : let(l, "row_number", x_div(number, segments));
		segment = whole ? x_i64(0) : let(l, "segment", x_rem(number, segments));
		sort_bind_row(l, s->node, row);
	}
	sort_range(l, s->node, segment, &first, &end);
	struct sequence q = { .first = first };
	q.n = let(l, "cells", x_is_int(first, 0) ? end : x_sub(end, first));
	q.base = row ? let(l, "base", x_add(x_mul(row, sort_cells(l, s->node)), first)) : first;
	return q;
}

/* ---- classes ---- */

int sort_classes(const struct sorter *s)
{
	return s->block_bits + SORT_LANE_BITS - s->short_bits + 1;
}

int64_t sort_class_cells(const struct sorter *s, int c)
{
	return INT64_C(1) << (s->short_bits + c);
}

/* To be added to a class for the bits of its lanes. */
static int lane_bits_more(const struct sorter *s, int bits)
{
	return s->short_bits - bits;
}

/* Where a class's queue begins; c: i32, not 0. */
static struct kx *queue_begin(const struct sorter *s, struct kx *sequences, struct kx *total, struct kx *c)
{
	struct kx *all = x_op(OP_SHR, total, x_i32(s->short_bits - 1));
	struct kx *rest = x_op(OP_SHR, total, x_add(c, x_i32(s->short_bits - 2)));
	return x_cond(x_eq(c, x_i32(0)), x_i64(0), x_sub(x_add(sequences, all), rest));
}

/* ---- bins ---- */

struct bins {
	const struct sorter *s;
	struct lowering *l;
	struct kx *lane, *warp, *count;      /* of sequences */
	struct kx *queue, *counts, *tile_sequence, *tile_number, *sequences, *total;
	struct kvar *class, *counted, *begin;        /* registers; of the block: by warp and class */
	struct kx *first;                    /* sequence of the block */
};

static struct kx *number_of(const struct bins *b, struct kx *e)
{
	struct kx *place = x_add(x_mul(e, x_i32(SORT_THREADS)), block_thread(b->l));
	return x_add(b->first, x_to_i64(place));
}

static struct kx *open_each(const struct bins *b)
{
	return x_var(k_for(b->l->k, "e", x_i32(0), x_i32(EACH), x_i32(1), FOR_UNROLL));
}

/* By one thread: the tiles of a long sequence. */
static void list_tiles(const struct bins *b, struct kx *number, struct kx *n)
{
	struct kernel *k = b->l->k;
	struct kx *tiles = let(b->l, "tiles", x_div_up(n, x_i64(b->s->tile)));
	struct kx *arg[] = { x_offset(b->counts, x_i32(sort_classes(b->s))), tiles };
	struct kx *at = let(b->l, "at", x_help(kt_scalar(T_I64), "patc_deal", 2, arg));
	struct kx *tile = x_var(k_for(k, "tile", x_i64(0), tiles, x_i64(1), FOR_ROLLED));
	k_set(k, x_at(b->tile_sequence, x_add(at, tile)), x_cast(kt_scalar(T_U32), number));
	k_set(k, x_at(b->tile_number, x_add(at, tile)), x_cast(kt_scalar(T_U32), tile));
	k_end(k);
}

/* -1: nothing is to be done with it. */
static void classify(const struct bins *b, struct kx *e)
{
	struct kernel *k = b->l->k;
	struct kx *class = x_at(x_var(b->class), e), *c = x_i32(0);
	struct kx *number = let(b->l, "number", number_of(b, e));
	k_set(k, class, x_i32(-1));
	k_if(k, x_lt(number, b->count));
	struct kx *n = sort_sequence(b->s, b->l, number).n;
	for (int i = 0; i < sort_classes(b->s) - 1; i++)
		c = x_add(c, x_cast(kt_scalar(T_I32), x_lt(x_i64(sort_class_cells(b->s, i)), n)));
	k_if(k, x_lt(x_i64(b->s->tile), n));
	list_tiles(b, number, n);
	k_else(k);
	k_if(k, x_lt(x_i64(b->s->node->sorting->into ? 0 : 1), n));
	k_set(k, class, c);
	k_end(k);
	k_end(k);
	k_end(k);
}

static struct kx *count_lanes(const struct bins *b, struct kx *mask)
{
	(void)b;
	const char *name = str_print("patc_popcount_%s", type_name(mask->type.type));
	return x_cast(kt_scalar(T_I32), x_help(kt_scalar(T_I32), name, 1, &mask));
}

static struct kx *lanes_of_class(const struct bins *b, struct kx *e, struct kx *c)
{
	return let(b->l, "lanes", lanes_where(b->l, x_eq(x_at(x_var(b->class), e), c)));
}

static struct kx *open_classes(const struct bins *b)
{
	return x_var(k_for(b->l->k, "c", x_i32(0), x_i32(sort_classes(b->s)), x_i32(1), FOR_ROLLED));
}

static struct kx *by_warp(const struct bins *b, struct kvar *memory, struct kx *warp, struct kx *c)
{
	return x_at(x_var(memory), x_add(x_mul(warp, x_i32(sort_classes(b->s))), c));
}

static void count_classes(const struct bins *b)
{
	struct kernel *k = b->l->k;
	struct kx *c = open_classes(b), *sum = x_var(k_var(k, kt_scalar(T_I32), "sum", x_i32(0)));
	struct kx *e = open_each(b);
	k_set(k, sum, x_add(sum, count_lanes(b, lanes_of_class(b, e, c))));
	k_end(k);
	k_if(k, x_eq(b->lane, x_i32(0)));
	k_set(k, by_warp(b, b->counted, b->warp, c), sum);
	k_end(k);
	k_end(k);
}

/* A thread a class: room for what the block has of it. */
static void take_room(const struct bins *b)
{
	struct kernel *k = b->l->k;
	int warps = SORT_THREADS / b->l->target->lanes;
	struct kx *c = block_thread(b->l);
	k_if(k, x_lt(c, x_i32(sort_classes(b->s))));
	struct kx *sum = x_var(k_var(k, kt_scalar(T_I32), "sum", x_i32(0)));
	struct kx *w = x_var(k_for(k, "w", x_i32(0), x_i32(warps), x_i32(1), FOR_ROLLED));
	k_set(k, sum, x_add(sum, by_warp(b, b->counted, w, c)));
	k_end(k);
	struct kx *at = x_var(k_var(k, kt_scalar(T_I64), "at", x_i64(0)));
	struct kx *arg[] = { x_offset(b->counts, c), x_to_i64(sum) };
	k_if(k, x_lt(x_i32(0), sum));
	k_set(k, at, x_help(kt_scalar(T_I64), "patc_deal", 2, arg));
	k_end(k);
	k_set(k, at, x_add(at, queue_begin(b->s, b->sequences, b->total, c)));
	w = x_var(k_for(k, "w", x_i32(0), x_i32(warps), x_i32(1), FOR_ROLLED));
	k_set(k, by_warp(b, b->begin, w, c), at);
	k_set(k, at, x_add(at, x_to_i64(by_warp(b, b->counted, w, c))));
	k_end(k);
	k_end(k);
}

static void enqueue(const struct bins *b)
{
	struct kernel *k = b->l->k;
	struct kx *c = open_classes(b);
	struct kx *at = x_var(k_var(k, kt_scalar(T_I64), "at", by_warp(b, b->begin, b->warp, c)));
	struct kx *e = open_each(b), *mask = lanes_of_class(b, e, c);
	k_if(k, x_eq(x_at(x_var(b->class), e), c));
	struct kx *before = count_lanes(b, x_op(OP_AND, mask, lanes_before(b->l, b->lane, 0)));
	k_set(k, x_at(b->queue, x_add(at, x_to_i64(before))), x_cast(kt_scalar(T_U32), number_of(b, e)));
	k_end(k);
	k_set(k, at, x_add(at, x_to_i64(count_lanes(b, mask))));
	k_end(k);
	k_end(k);
}

static void bin_block(struct bins *b)
{
	struct kernel *k = b->l->k;
	k_barrier(k);
	struct kx *e = open_each(b);
	classify(b, e);
	k_end(k);
	count_classes(b);
	k_barrier(k);
	take_room(b);
	k_barrier(k);
	enqueue(b);
}

static void find_slots(struct sorter *s)
{
	struct kx *room = x_add(s->sequences, x_op(OP_SHR, s->total, x_i32(s->short_bits - 1)));
	struct kx *counts = x_i64(sort_classes(s) + 1);
	struct kx *tiles = x_add(x_div(s->total, x_i64(s->tile / 2)), x_i64(1));
	s->queue = plan_slot(s->plan, "queue", type_scalar(T_U32), 1, &room);
	s->counts = plan_slot(s->plan, "counts", type_scalar(T_U64), 1, &counts);
	s->tile_sequence = plan_slot(s->plan, "tile_sequence", type_scalar(T_U32), 1, &tiles);
	s->tile_number = plan_slot(s->plan, "tile_number", type_scalar(T_U32), 1, &tiles);
	k_clear(s->plan->host, x_var(s->counts), x_mul(counts, x_i64(8)));
}

static struct bins *bins_open(const struct sorter *s)
{
	struct bins *b = NEW(struct bins);
	struct lowering *l = sort_kernel(s, "_bins", "Puts the sequences into queues by their lengths.");
	int64_t room = (int64_t)SORT_THREADS / l->target->lanes * sort_classes(s);
	*b = (struct bins){ .s = s, .l = l };
	b->queue = sort_pointer(s, l, s->queue, false);
	b->counts = sort_pointer(s, l, s->counts, false);
	b->tile_sequence = sort_pointer(s, l, s->tile_sequence, false);
	b->tile_number = sort_pointer(s, l, s->tile_number, false);
	b->sequences = lower_argument(l, "most", kt_scalar(T_I64), s->sequences);
	b->total = lower_argument(l, "total", kt_scalar(T_I64), s->total);
	b->counted = k_shared(l->k, type_scalar(T_I32), "counted", room);
	b->begin = k_shared(l->k, type_scalar(T_I64), "begin", room);
	b->lane = lane_of(l, &b->warp);
	b->class = k_regs(l->k, type_scalar(T_I32), "class", EACH);
	b->count = sort_sequences(s, l);
	return b;
}

/* Blocks that stride over so many. */
static struct kx *striding(struct kx *count)
{
	return x_min(count, x_i64(MOST_BLOCKS));
}

static struct kx *open_stride(struct lowering *l, const char *name, struct kx *count)
{
	return x_var(k_for(l->k, name, x_to_i64(x_id(ID_BLOCK_X)), count, x_to_i64(x_id(ID_GRID_X)), FOR_ROLLED));
}

void sort_bin(struct sorter *s)
{
	const int64_t chunk = (int64_t)SORT_THREADS * EACH;
	find_slots(s);
	struct bins *b = bins_open(s);
	struct kx *at = open_stride(b->l, "chunk", x_div_up(b->count, x_i64(chunk)));
	b->first = let(b->l, "from", x_mul(at, x_i64(chunk)));
	bin_block(b);
	k_end(b->l->k);
	lowering_launch(b->l, striding(x_div_up(s->sequences, x_i64(chunk))), x_i64(1), x_i64(1));
}

/* ---- units ---- */

static struct kx *units_a_block(struct kx *lane_bits)
{
	return x_op(OP_SHR, x_i64(SORT_THREADS), lane_bits);
}

/* How many blocks so many sequences need: powers of two need no division. */
static struct kx *blocks_of(struct kx *count, struct kx *lane_bits)
{
	struct kx *up = x_sub(x_add(count, units_a_block(lane_bits)), x_i64(1));
	return x_op(OP_SHR, up, x_sub(x_i32(SORT_LANE_BITS), lane_bits));
}

static struct kx *unit_of_thread(struct lowering *l, struct kx *block, struct kx *lane_bits)
{
	struct kx *first = x_op(OP_SHL, block, x_sub(x_i32(SORT_LANE_BITS), lane_bits));
	return x_add(first, x_to_i64(x_op(OP_SHR, block_thread(l), lane_bits)));
}

/* Host: of the one class of all sequences. */
static struct kx *even_lane_bits(const struct sorter *s, int first, int end, int bits)
{
	struct kx *class = x_i32(first + lane_bits_more(s, bits));
	for (int c = first; c < end - 1; c++)
		class = x_add(class, x_cast(kt_scalar(T_I32), x_lt(x_i64(sort_class_cells(s, c)), s->longest)));
	return kx_fold(class);
}

/* All sequences are of one class, which the host knows. */
static struct unit open_even(const struct sorter *s, struct lowering *l, int first, int end, int bits)
{
	struct unit u;
	u.lane_bits = lower_argument(l, "lane_bits", kt_scalar(T_I32), even_lane_bits(s, first, end, bits));
	struct kx *count = lower_argument(l, "count", kt_scalar(T_I64), s->sequences);
	struct kx *blocks = let(l, "blocks", blocks_of(count, u.lane_bits));
	struct kx *number = let(l, "unit", unit_of_thread(l, open_stride(l, "chunk", blocks), u.lane_bits));
	u.is = let(l, "is", x_lt(number, count));
	u.number = let(l, "number", x_min(number, x_sub(count, x_i64(1))));
	return u;
}

static struct kx *class_blocks(struct kx *counts, struct kx *c, int more)
{
	struct kx *count = x_cast(kt_scalar(T_I64), x_at(counts, c));
	return blocks_of(count, x_add(c, x_i32(more)));
}

/* Of a block's number: its class, and its number among those of that class. */
static struct kx *find_class(struct lowering *l, struct kx *counts, struct kx *block, int first, int end, int more)
{
	struct kernel *k = l->k;
	struct kx *class = x_var(k_var(k, kt_scalar(T_I32), "class", x_i32(first)));
	struct kx *c = x_var(k_for(k, "c", x_i32(first), x_i32(end - 1), x_i32(1), FOR_ROLLED));
	struct kx *blocks = let(l, "blocks", class_blocks(counts, c, more));
	k_if(k, x_and(x_eq(class, c), x_le(blocks, block)));
	k_set(k, block, x_sub(block, blocks));
	k_set(k, class, x_add(c, x_i32(1)));
	k_end(k);
	k_end(k);
	return class;
}

static struct unit open_queued(const struct sorter *s, struct lowering *l, int first, int end, int bits)
{
	struct unit u;
	struct kernel *k = l->k;
	int more = lane_bits_more(s, bits);
	struct kx *counts = sort_pointer(s, l, s->counts, true), *queue = sort_pointer(s, l, s->queue, true);
	struct kx *most = lower_argument(l, "most", kt_scalar(T_I64), s->sequences);
	struct kx *total = lower_argument(l, "total", kt_scalar(T_I64), s->total);
	struct kx *all = x_var(k_var(k, kt_scalar(T_I64), "all_blocks", x_i64(0)));
	struct kx *c = x_var(k_for(k, "c", x_i32(first), x_i32(end), x_i32(1), FOR_ROLLED));
	k_set(k, all, x_add(all, class_blocks(counts, c, more)));
	k_end(k);
	struct kx *block = x_var(k_var(k, kt_scalar(T_I64), "block", open_stride(l, "chunk", all)));
	struct kx *class = find_class(l, counts, block, first, end, more);
	u.lane_bits = let(l, "lane_bits", x_add(class, x_i32(more)));
	struct kx *number = let(l, "unit", unit_of_thread(l, block, u.lane_bits));
	struct kx *count = let(l, "count", x_cast(kt_scalar(T_I64), x_at(counts, class)));
	u.is = let(l, "is", x_lt(number, count));
	struct kx *at = x_add(queue_begin(s, most, total, class), x_min(number, x_sub(count, x_i64(1))));
	u.number = let(l, "number", x_cast(kt_scalar(T_I64), x_at(queue, at)));
	return u;
}

struct unit sort_open_units(const struct sorter *s, struct lowering *l, int first, int end, int bits)
{
	return (s->binned ? open_queued : open_even)(s, l, first, end, bits);
}

struct kx *sort_blocks(const struct sorter *s, int first, int end, int bits)
{
	if (s->binned)
		return x_i64(MOST_BLOCKS);
	struct kx *blocks = blocks_of(s->sequences, even_lane_bits(s, first, end, bits));
	return x_min(blocks, x_i64(s->plan->target->max_grid_x));
}
