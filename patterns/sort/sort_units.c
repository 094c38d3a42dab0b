/* sort_units.c - which sequences the groups of lanes of a GPU take.
 *
 * Those of one length, as the host knows it, are of one class.  Where lengths are data, sort_bins.c puts the longer ones
 * into queues, one for each class.  A block then takes as many sequences of one class as have lanes in it.  How many
 * blocks a class needs is counted on the device, from the queues' lengths: the host asks for as many blocks as keep a
 * machine busy, and they stride. */
#include "sort_gpu.h"

enum { UNIT_BLOCKS = 16 };                   /* a multiprocessor, that stride */

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

int sort_warp_classes(const struct sorter *s)
{
	return s->binned ? SHORT_LANE_BITS + 1 : SHORT_LANE_BITS;
}

/* ---- units ---- */

/* Blocks stride over so many. */
static struct kx *open_stride(struct lowering *l, const char *name, struct kx *count)
{
	return x_var(k_for(l->k, name, x_to_i64(x_id(ID_BLOCK_X)), count, x_to_i64(x_id(ID_GRID_X)), FOR_ROLLED));
}

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
	struct kx *at = x_add(sort_queue_begin(s, total, class), x_min(number, x_sub(count, x_i64(1))));
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
		return x_i64(UNIT_BLOCKS * s->plan->target->units);
	struct kx *blocks = blocks_of(s->sequences, even_lane_bits(s, first, end, bits));
	return x_min(blocks, x_i64(s->plan->target->max_grid_x));
}
