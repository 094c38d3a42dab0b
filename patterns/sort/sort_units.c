/* sort_units.c - which sequences the groups of lanes of a GPU take.
 *
 * Those of one length, as the host knows it, are of one class.  Where lengths are data,
 * sort_bins.c puts the longer ones into queues, one for each class.  A block then takes as many
 * sequences of one class as have lanes in it.  How many blocks a class needs is counted on the
 * device, from the queues' lengths: the host requests as many blocks as keep a machine busy, and
 * they stride. */
#include "sort_gpu.h"

enum { UNIT_BLOCKS = 16 };                   /* a multiprocessor, that stride */

/* ---- kernels ---- */

static struct kx *bind_cell(struct lowering *l, const void *sorter, struct kx *const *cell)
{
	sort_bind_cell(l, ((const struct sorter *)sorter)->node, cell[0]);
	return NULL;
}

static struct kx *wanted_of(struct lowering *l, const void *sorter, struct kx *const *n)
{
	return sort_wanted(l, ((const struct sorter *)sorter)->node, n[0]);
}

static struct kx *find_sequence(struct lowering *l, const void *sorter, struct kx *const *number)
{
	struct sequence q = sort_sequence(sorter, l, number[0]);
	k_bind(l->k, "first", q.first);
	k_bind(l->k, "cells", q.n);
	k_bind(l->k, "base", q.base);
	return NULL;
}

/* What several texts know. */
static void bind_kernel(const struct sorter *s, struct kernel *k)
{
	k_numbers(k, "THREADS, BLOCK_BITS, TILE, BINNED", SORT_THREADS, SORT_LANE_BITS, s->tile,
	          s->binned);
	k_numbers(k, "CLASSES, WARP_CLASSES, SHORT_BITS", sort_classes(s), sort_warp_classes(s),
	          s->short_bits);
	k_bind_calls(k, s, { "bind_cell", bind_cell }, { "wanted_of", wanted_of },
	             { "find_sequence", find_sequence });
}

struct lowering *sort_kernel(const struct sorter *s, const char *suffix, const char *note)
{
	struct lowering *l = lowering_new(s->plan, str_print("%s%s", s->node->name, suffix));
	l->k->note = note;
	lowering_writes(l, s->node);
	l->k->block[0] = SORT_THREADS;
	l->k->block[1] = l->k->block[2] = 1;
	l->k->min_blocks = 1;                /* registers for all elements */
	bind_kernel(s, l->k);
	if (s->fallen) {
		k_bind(l->k, "fallen",
		       lower_argument(l, "fallen", kt_pointer(type_scalar(T_I32), true),
		                      s->fallen));
		k_text(l->k, "sort_leave_if_fallen");
	}
	return l;
}

struct kx *sort_pointer(const struct sorter *s, struct lowering *l, struct kvar *slot,
                        bool is_const)
{
	(void)s;
	return lower_argument(l, slot->name, kt_pointer(slot->type.type, is_const), x_var(slot));
}

/* ---- sequences ---- */

struct kx *sort_sequences(const struct sorter *s, struct lowering *l)
{
	struct kx *rows = sort_rows(l, s->node), *segments = sort_segments(l, s->node);
	return let(l, "sequences", x_is_int(rows, 1) ? segments : x_mul(rows, segments));
}

struct sequence sort_sequence(const struct sorter *s, struct lowering *l, struct kx *number)
{
	struct kx *segment = number, *row = NULL, *first, *end;
	if (sort_has_rows(s->node)) {
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

/* ---- units: sort_short.kernel ---- */

/* Host: of the one class of all sequences. */
static struct kx *even_lane_bits(const struct sorter *s, int first, int end, int bits)
{
	struct kx *class = x_i32(first + lane_bits_more(s, bits));
	for (int c = first; c < end - 1; c++)
		class = x_add(class, x_cast(kt_scalar(T_I32),
		                            x_lt(x_i64(sort_class_cells(s, c)), s->longest)));
	return kx_fold(class);
}

/* The kernel sorts them by visit(lane_bits, number, is). */
void sort_units(const struct sorter *s, struct lowering *l, int first, int end, int bits)
{
	k_numbers(l->k, "FIRST_CLASS, END_CLASS, MORE", first, end, lane_bits_more(s, bits));
	if (s->binned) {
		k_bind(l->k, "counts", sort_pointer(s, l, s->counts, true));
		k_bind(l->k, "queue", sort_pointer(s, l, s->queue, true));
		k_bind(l->k, "total", lower_argument(l, "total", kt_scalar(T_I64), s->total));
		k_text(l->k, "sort_queued");
		return;
	}
	k_bind(l->k, "lane_bits",
	       lower_argument(l, "lane_bits", kt_scalar(T_I32),
	                      even_lane_bits(s, first, end, bits)));
	k_bind(l->k, "count", lower_argument(l, "count", kt_scalar(T_I64), s->sequences));
	k_text(l->k, "sort_even");
}

/* So many sequences: powers of two need no division. */
static struct kx *blocks_of(struct kx *count, struct kx *lane_bits)
{
	struct kx *each = x_op(OP_SHR, x_i64(SORT_THREADS), lane_bits);
	return x_op(OP_SHR, x_sub(x_add(count, each), x_i64(1)),
	            x_sub(x_i32(SORT_LANE_BITS), lane_bits));
}

struct kx *sort_blocks(const struct sorter *s, int first, int end, int bits)
{
	if (s->binned)
		return x_i64(UNIT_BLOCKS * s->plan->target->units);
	struct kx *blocks = blocks_of(s->sequences, even_lane_bits(s, first, end, bits));
	return x_min(blocks, x_i64(s->plan->target->max_grid_x));
}
