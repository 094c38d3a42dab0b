/* sort_merge.c - sorted tiles of long sequences become sorted sequences: pass after pass merges
 * pairs of runs, in one launch.
 *
 * A block makes a tile of what a pair of runs comes to.  Where that tile begins in both runs a
 * warp searches, as many places a step as it has lanes.  What rises from one run and falls from
 * the other is then merged by the last steps of a network: no lane takes another way than its
 * neighbours, whatever the keys are.
 *
 * Note [turns].  Blocks draw what they do from a counter: tile after tile, pass after pass.  A
 * tile waits until all tiles of its sequence have done the pass before: those were drawn
 * earlier, so somebody is at them, and nobody waits for a block that has not begun.  A pass
 * needs all of the one before for its runs, and also since it writes where that one read. How
 * many passes the longest sequence needs is on the device where lengths are data; a launch a
 * pass, of as many as there might be, took 14 times 3 us of an H200 where nothing was long.  A
 * sequence that needs fewer is left alone by the others, and lies in the half of the workspace
 * where its last pass put it; the first one has all of them.
 *
 * Note [cuts that rise].  Each block finds the two ends of its tile by itself.  Where a function
 * of the program orders, which may be no order, they must not fall (see Note [some
 * permutation]): so the cut in the middle of the pair is found first, then that in the middle of
 * the half that has the tile's end, between the cuts around it, and so on. Every block that
 * looks for a cut goes the same way to it. */
#include "sort_gpu.h"

/* more than any sequence needs where lengths are data: it has below 2^32 cells */
enum { PASSES = 32 };

/* ---- counters: sort_merge.kernel ---- */

enum { PROGRESS_TURNS, PROGRESS_PASSES, PROGRESS_DONE = PROGRESS_PASSES + PASSES };

static int progress(const struct sorter *s, int at)
{
	return (s->binned ? sort_classes(s) + 1 : 0) + at;
}

void sort_bind_counters(const struct sorter *s, struct kernel *k)
{
	k_numbers(k, "TURNS_AT, PASSES_AT, DONE_AT", progress(s, PROGRESS_TURNS),
	          progress(s, PROGRESS_PASSES), progress(s, PROGRESS_DONE));
}

/* Over sizes alone: the last tile of a sequence, and the last sequence of a row, may be nearly
 * empty. */
struct kx *sort_counts(const struct sorter *s)
{
	struct kx *tiles = x_div(s->room, x_i64(s->tile / (s->binned ? 2 : 4)));
	return kx_fold(x_add(x_i64(progress(s, PROGRESS_DONE)), x_add(tiles, x_i64(1))));
}

/* ---- the kernel ---- */

static struct kx *all_cells(struct lowering *l, const void *sorter, struct kx *const *none)
{
	(void)none;
	return lower_argument(l, "total", kt_scalar(T_I64), ((const struct sorter *)sorter)->total);
}

static struct kx *store_element(struct lowering *l, const void *elements, struct kx *const *e)
{
	const struct elements *it = elements;
	const struct node *node = it->s->node;
	for (int q = 0; q < node->equation.n; q++)
		sort_store(l, node->equation.at[q],
		           let(l, "value", elements_value(it, node->equation.at[q], e[0])));
	return NULL;
}

/* On the host. */
static struct kx *passes_of_longest(const struct sorter *s)
{
	struct kernel *host = s->plan->host;
	struct kx *passes = x_var(k_var(host, kt_scalar(T_I64), "passes", x_i64(0)));
	struct kx *run = x_var(k_var(host, kt_scalar(T_I64), "run", x_i64(s->tile)));
	k_while(host, x_lt(run, s->longest));
	k_set(host, run, x_mul(run, x_i64(2)));
	k_set(host, passes, x_add(passes, x_i64(1)));
	k_end(host);
	return passes;
}

void sort_merge(const struct sorter *s, bool stores)
{
	struct lowering *l = sort_kernel(s, "_merge",
	                                 "Merges pairs of sorted runs of long sequences.");
	struct kernel *k = l->k;
	if (!s->binned)
		k_bind(k, "passes",
		       lower_argument(l, "passes", kt_scalar(T_I64), passes_of_longest(s)));
	struct kx *counts = sort_pointer(s, l, s->counts, false);
	struct elements *it = elements_new(s, l, "", s->block_bits, true);
	sort_bound_registers(s, l);
	elements_workspace(it);
	sort_bind_tiles(s, l, counts);
	k_bind(k, "counts", counts);
	k_numbers(k, "STORES, FUNCTION, PASSES", stores, s->node->sorting->order == ORDER_LESS,
	          PASSES);
	k_bind_call(k, "all_cells", all_cells, s);
	k_bind_call(k, "store_element", store_element, it);
	sort_bind_counters(s, k);
	elements_bind(it, true);
	k_text(k, "sort_merge");
	sort_launch_long(s, l);
}
