/* sort_bins.c - sequences whose lengths are data: short ones are sorted where they lie, the
 * others put into queues.
 *
 * A block takes SORT_THREADS neighbouring sequences, a thread each, and bins them by classes of
 * lengths (powers of two).  What fits the registers of a thread it sorts at once, before
 * anything is counted.  Of the others the lanes of a warp with the same class draw places in it
 * together, from a counter of the block.  What fits the registers of a warp's lanes is listed in
 * the block's memory, class by class, and sorted by its warps at once: so neighbouring lanes
 * mostly load neighbouring sequences, and nothing of a short sequence but its cells is moved. Of
 * the longer classes the block takes room in queues on the device, by one atomic each; a warp
 * lists the tiles of those longer than a block sorts.
 *
 * Queues stand one after the other: at most total / 2^(k-1) sequences have more than 2^(k-1)
 * cells, so room for that many of each is enough whatever the lengths are. */
#include "sort_gpu.h"

void sort_find_queues(struct sorter *s)
{
	struct kx *room = x_add(x_op(OP_SHR, s->total,
	                             x_i32(sort_warp_classes(s) + s->short_bits - 2)),
	                        x_i64(1));
	struct kx *counts = sort_counts(s);
	struct kx *tiles = x_add(x_div(s->total, x_i64(s->tile / 2)), x_i64(1));
	s->queue = plan_slot(s->plan, "queue", type_scalar(T_U32), 1, &room);
	s->counts = plan_slot(s->plan, "counts", type_scalar(T_U64), 1, &counts);
	s->tile_sequence = plan_slot(s->plan, "tile_sequence", type_scalar(T_U32), 1, &tiles);
	s->tile_number = plan_slot(s->plan, "tile_number", type_scalar(T_U32), 1, &tiles);
	k_clear(s->plan->host, x_var(s->counts), x_mul(counts, x_i64(8)));
}

/* ---- the kernel: sort_bins.kernel ---- */

static struct kx *class_of(struct lowering *l, const void *sorter, struct kx *const *n)
{
	const struct sorter *s = sorter;
	struct kx *c = x_i32(0);
	(void)l;
	for (int i = 0; i < sort_classes(s) - 1; i++)
		c = x_add(c, x_cast(kt_scalar(T_I32), x_lt(x_i64(sort_class_cells(s, i)), n[0])));
	return c;
}

static struct kx *sequences_of(struct lowering *l, const void *sorter, struct kx *const *none)
{
	(void)none;
	return sort_sequences(sorter, l);
}

/* No block goes on to other sequences: of what a loop over them left unchanged compilers would
 * keep more in registers than they save, which cost one block of five on a multiprocessor. */
void sort_bin_sequences(const struct sorter *s, struct lowering *l)
{
	struct kernel *k = l->k;
	k_bind(k, "queue", sort_pointer(s, l, s->queue, false));
	k_bind(k, "counts", sort_pointer(s, l, s->counts, false));
	k_bind(k, "tile_sequence", sort_pointer(s, l, s->tile_sequence, false));
	k_bind(k, "tile_number", sort_pointer(s, l, s->tile_number, false));
	k_bind(k, "total", lower_argument(l, "total", kt_scalar(T_I64), s->total));
	k_numbers(k, "WARPS, INTO, UNROLLS", SORT_THREADS / l->target->lanes,
	          s->node->sorting->into, l->target->unrolls);
	k_bind_calls(k, s, { "class_of", class_of }, { "sequences_of", sequences_of });
	sort_bind_counters(s, k);
	k_text(k, "sort_bins");
	lowering_launch(l, x_div_up(s->sequences, x_i64(SORT_THREADS)), x_i64(1), x_i64(1));
}
