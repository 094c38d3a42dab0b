/* sort_gpu.c - sort and segsort on a GPU: what is launched.
 *
 * Sequences of one length, as the host knows it, take one of three ways: in the registers of a
 * warp's lanes, in those of a block, or by tiles that are merged; one long array goes by the digits
 * of its keys (sort_radix.c).  Where lengths are data all three are launched: the first also bins
 * the sequences; the others find what they have to do in counts on the device.  No launch waits for
 * the host, and the workspace is as large as sizes alone say. */
#include <assert.h>

#include "sort_radix.h"

/* ---- the workspace ---- */

/* Memory for what equation q moves, a cell for each; the same one whoever asks. */
struct kvar *sort_fetched(const struct sorter *s, int q)
{
	if (!s->fetched[q])
		s->fetched[q] = plan_slot(s->plan, "fetched", s->node->equation.at[q]->right->type,
		                          1, &s->room);
	return s->fetched[q];
}

static struct kvar **new_fetched(const struct node *node)
{
	return mem_new((size_t)node->equation.n * sizeof(struct kvar *));
}

static void find_slots(struct sorter *s)
{
	struct kx *two = x_mul(s->room, x_i64(2));
	s->keys = plan_slot(s->plan, "keys", s->key, 1, &two);
	if (s->tag)
		s->tags = plan_slot(s->plan, "tags", s->tag, 1, &two);
	if (s->binned)
		return;
	struct kx *counts = sort_counts(s);
	s->counts = plan_slot(s->plan, "counts", type_scalar(T_U64), 1, &counts);
	k_clear(s->plan->host, x_var(s->counts), x_mul(counts, x_i64(8)));
}

/* ---- sequences ---- */

static void find_sequences(struct sorter *s)
{
	struct lowering *host = host_lowering(s->plan);
	const struct running *r = s->node->running;
	bool known = sort_host_segments(s->node);
	struct kx *rows = sort_rows(host, s->node);
	s->cells = sort_cells(host, s->node);
	s->total = s->room = plan_let(s->plan, "total", kx_fold(x_mul(rows, s->cells)));
	s->binned = r->segment == SEGMENT_OFFSETS || !known;
	s->sequences = known ? kx_fold(x_mul(rows, sort_segments(host, s->node))) : s->total;
	s->sequences = plan_let(s->plan, "sequences", s->sequences);
	s->longest = s->cells;
	if (r->segment == SEGMENT_LENGTH && known)
		s->longest = x_min(lower_index(host, r->length), s->cells);
	s->longest = kx_fold(s->longest);
}

/* So many cells a sequence has at most, if sizes or lengths in the program say so. */
static int64_t most_cells(const struct sorter *s)
{
	const struct running *r = s->node->running;
	int64_t cells;
	if (x_constant(s->longest, &cells))
		return cells;
	bool known = r->segment == SEGMENT_LENGTH
	             && x_constant(lower_index(host_lowering(s->plan), r->length), &cells);
	return known ? cells : INT64_MAX;
}

/* Are there sequences of more than so many cells? */
static bool may_exceed(const struct sorter *s, int64_t cells)
{
	return most_cells(s) > cells;
}

static bool may_stay_below(const struct sorter *s, int64_t cells)
{
	int64_t longest;
	return s->binned || !x_constant(s->longest, &longest) || longest <= cells;
}

/* ---- limits ---- */

static const struct affine *axis_extent(const struct node *node, int axis)
{
	struct affine *a = NEW(struct affine);
	bool known = affine_of(node->hi.at[axis], a);
	assert(known && "an array's axis has the extent it was declared with");
	(void)known;
	return a;
}

/* Numbers of cells within a sequence are u32, and the last one is none.  Where data or arguments
 * cut an axis, nobody can promise that no piece is too long. */
static void limit_cells(const struct sorter *s)
{
	const struct affine *cells = axis_extent(s->node, s->node->running->axis);
	if (may_exceed(s, UINT32_MAX))
		plan_limit(s->plan, 1, &cells, UINT32_MAX);
}

/* Numbers of sequences are u32 where they are kept in queues. */
static void limit_sequences(const struct sorter *s)
{
	const struct affine *extent[MAX_RANK];
	const struct running *r = s->node->running;
	int n = 0;
	if (!s->binned)
		return;
	for (int d = 0; d < s->node->index.n; d++)
		if (d != r->axis)
			extent[n++] = axis_extent(s->node, d);
	extent[n++] = r->segment == SEGMENT_OFFSETS ? &r->cut->extent[0]
	                                            : axis_extent(s->node, r->axis);
	plan_limit(s->plan, n, extent, UINT32_MAX);
}

/* ---- launches ---- */

static void merge(struct sorter *s, struct kx *room)
{
	s->room = room;
	find_slots(s);
	sort_long(s);
}

static void sort_by_digits(struct sorter *s)
{
	s->room = s->total;
	s->fetched = new_fetched(s->node);
	radix_sort(s);
}

/* By digits, if there are more than so many cells. */
static void merge_or_digits(struct sorter *s, int64_t merges)
{
	struct kernel *host = s->plan->host;
	bool merged = may_stay_below(s, merges), by_digits = may_exceed(s, merges);
	if (merged) {
		k_if(host, x_le(s->longest, x_i64(merges)));
		merge(s, x_min(s->total, x_i64(merges)));
		k_end(host);
	}
	if (by_digits) {
		k_if(host, x_lt(x_i64(merges), s->longest));
		sort_by_digits(s);
		k_end(host);
	}
}

static void sort_beyond_blocks(struct sorter *s)
{
	struct kernel *host = s->plan->host;
	int64_t block = sort_most(s, true), merges = radix_merges(s);
	if (!may_exceed(s, block))
		return;
	k_if(host, x_lt(x_i64(block), s->longest));
	if (merges == INT64_MAX)
		merge(s, s->total);
	else if (merges <= block)
		sort_by_digits(s);
	else
		merge_or_digits(s, merges);
	k_end(host);
}

static void sort_even(struct sorter *s)
{
	struct kernel *host = s->plan->host;
	int64_t warp = sort_most(s, false), block = sort_most(s, true);
	if (may_stay_below(s, warp)) {
		k_if(host, x_le(s->longest, x_i64(warp)));
		sort_short(s, false);
		k_end(host);
	}
	if (may_exceed(s, warp) && may_stay_below(s, block)) {
		k_if(host, x_and(x_lt(x_i64(warp), s->longest), x_le(s->longest, x_i64(block))));
		sort_short(s, true);
		k_end(host);
	}
	sort_beyond_blocks(s);
}

static void sort_binned(struct sorter *s)
{
	struct kernel *host = s->plan->host;
	int64_t warp = sort_most(s, false);
	sort_bins(s);
	if (may_exceed(s, warp)) {
		k_if(host, x_lt(x_i64(warp), s->longest));
		sort_short(s, true);
		k_end(host);
	}
	sort_beyond_blocks(s);
}

void sort_gpu(struct plan *plan, const struct node *node)
{
	struct sorter *s = NEW(struct sorter);
	struct kernel *host = plan->host;
	struct kx *full = sort_too_many(host_lowering(plan), node);
	*s = (struct sorter){ .plan = plan, .node = node };
	s->fetched = new_fetched(node);
	sorter_types(s);
	find_sequences(s);
	limit_cells(s);
	limit_sequences(s);
	struct kx *some = x_lt(x_i64(0), s->total);
	s->fallen = sort_check(plan, node, some);
	if (full) {
		k_if(host, x_and(some, full));
		sort_record_full(plan, node);
		k_end(host);
		some = x_and(some, x_unary(OP_NOT, full));
	}
	k_if(host, x_and(some, x_lt(x_i64(0), s->sequences)));
	(s->binned ? sort_binned : sort_even)(s);
	k_end(host);
}
