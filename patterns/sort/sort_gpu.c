/* sort_gpu.c - sort and segsort on a GPU: what is launched, a table of ways at the end.
 *
 * Sequences of one length, as the host knows it, take one way: in the registers of a warp's lanes,
 * in those of a block, or by tiles that are merged; one long array goes by the digits of its keys.
 * Where lengths are data all but the digits are launched: the first way also bins the sequences;
 * the others find what they have to do in counts on the device.  No launch waits for the host, and
 * the workspace is as large as sizes alone say. */
#include <assert.h>

#include "../ways.h"
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

static void find_halves(struct sorter *s, int halves)
{
	struct kx *room = kx_fold(x_mul(s->room, x_i64(halves)));
	s->keys = plan_slot(s->plan, "keys", s->key, 1, &room);
	if (s->tag)
		s->tags = plan_slot(s->plan, "tags", s->tag, 1, &room);
}

static void find_slots(struct sorter *s)
{
	find_halves(s, 2);
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

/* ---- the ways ---- */

static struct sorter *sorter_of(const struct task *c)
{
	return c->found;
}

static struct kx *has_more(const struct sorter *s, int64_t cells)
{
	return x_lt(x_i64(cells), s->longest);
}

static struct kx *has_at_most(const struct sorter *s, int64_t cells)
{
	return x_le(s->longest, x_i64(cells));
}

static bool may_fit_warps(const struct task *c)
{
	return may_stay_below(sorter_of(c), sort_most(sorter_of(c), false));
}

static struct kx *fit_warps(const struct task *c)
{
	const struct sorter *s = sorter_of(c);
	return s->binned ? NULL : has_at_most(s, sort_most(s, false));
}

static void lower_warps(const struct task *c)
{
	if (sorter_of(c)->binned)
		sort_bins(sorter_of(c));
	else
		sort_short(sorter_of(c), false);
}

static bool may_fit_blocks(const struct task *c)
{
	const struct sorter *s = sorter_of(c);
	return may_exceed(s, sort_most(s, false)) && may_stay_below(s, sort_most(s, true));
}

static struct kx *fit_blocks(const struct task *c)
{
	const struct sorter *s = sorter_of(c);
	struct kx *more = has_more(s, sort_most(s, false));
	return s->binned ? more : x_and(more, has_at_most(s, sort_most(s, true)));
}

static void lower_blocks(const struct task *c)
{
	sort_short(sorter_of(c), true);
}

static bool may_be_long(const struct task *c)
{
	return may_exceed(sorter_of(c), sort_most(sorter_of(c), true));
}

static struct kx *are_long(const struct task *c)
{
	return has_more(sorter_of(c), sort_most(sorter_of(c), true));
}

/* Long ones: which of them are merged, radix_merges() says. */

static bool may_merge(const struct task *c)
{
	const struct sorter *s = sorter_of(c);
	int64_t merges = radix_merges(s);
	return sort_most(s, true) < merges && may_stay_below(s, merges);
}

static struct kx *merge_pays(const struct task *c)
{
	int64_t merges = radix_merges(sorter_of(c));
	return merges == INT64_MAX ? NULL : has_at_most(sorter_of(c), merges);
}

static void lower_merge(const struct task *c)
{
	struct sorter *s = sorter_of(c);
	int64_t merges = radix_merges(s);
	s->room = merges == INT64_MAX ? s->total : x_min(s->total, x_i64(merges));
	find_slots(s);
	sort_long(s);
}

static bool may_use_digits(const struct task *c)
{
	return may_exceed(sorter_of(c), radix_merges(sorter_of(c)));
}

static struct kx *digits_pay(const struct task *c)
{
	const struct sorter *s = sorter_of(c);
	int64_t merges = radix_merges(s);
	return merges <= sort_most(s, true) ? NULL : has_more(s, merges);
}

static void lower_digits(const struct task *c)
{
	struct sorter *s = sorter_of(c);
	s->room = s->total;
	s->fetched = new_fetched(s->node);
	radix_sort(s);
}

static const struct way long_ways[] = {
	/* sort_long.c, sort_merge.c */
	{ "merge", "sorted tiles, whose runs are merged in passes",
	  "passes over its digits would cost more", "passes over its digits cost less",
	  .fits = may_merge, .when = merge_pays, .lower = lower_merge },
	/* sort_radix.c */
	{ "digits", "a pass for each digit of its keys", "the array is long enough",
	  "its keys have no digits, or no array is long enough", .fits = may_use_digits,
	  .when = digits_pay, .lower = lower_digits },
	{ 0 }
};

static void lower_all_long(const struct task *c)
{
	ways_each(long_ways, c->plan, c->group, c->found);
}

static bool first_is_known(const struct sorter *s)
{
	return !expr_on_device(s->node->sorting->first) && sort_first_fits(s);
}

static bool may_keep_parts(const struct task *c)
{
	return sorter_of(c)->binned && first_is_known(sorter_of(c));
}

static struct kx *parts_pay(const struct task *c)
{
	const struct sorter *s = sorter_of(c);
	struct kx *wanted = lower_index(host_lowering(s->plan), s->node->sorting->first);
	return kx_fold(x_le(wanted, x_i64(sort_first_most(s))));
}

static void lower_parts(const struct task *c)
{
	struct sorter s = *sorter_of(c);
	find_halves(&s, 1);
	sort_first_parts(&s);
}

static const struct way long_first_ways[] = {
	/* sort_first.c */
	{ "parts", "blocks keep the first ones of parts, then those of all parts",
	  "few are wanted", "lengths are known, the device computes how many, or keys are large",
	  .fits = may_keep_parts, .when = parts_pay, .lower = lower_parts },
	/* the ways above */
	{ "whole", "all of a long sequence is sorted", .lower = lower_all_long },
};

static void lower_long(const struct task *c)
{
	if (c->node->sorting->first)
		ways_lower(long_first_ways, c->plan, c->group, c->found);
	else
		lower_all_long(c);
}

static const struct way ways[] = {
	/* where lengths are data, also the bins of all others: sort_short.c, sort_bins.c */
	{ "warps", "in the registers of a warp", "sequences fit them", "no sequence fits them",
	  .fits = may_fit_warps, .when = fit_warps, .lower = lower_warps },
	/* sort_short.c */
	{ "blocks", "in the registers of a block", "they fit those and no warp's",
	  "no sequence fits those and no warp's", .fits = may_fit_blocks, .when = fit_blocks,
	  .lower = lower_blocks },
	/* the two ways above */
	{ "long", "in memory", "they fit no block", "every sequence fits a block",
	  .fits = may_be_long, .when = are_long, .lower = lower_long },
	{ 0 }
};

/* ---- the first ones of long sequences ---- */

enum {
	/* cells of a sequence, from which on it is not sorted for its first ones, by a warp and by
	 * a block; nor where they are a larger part of it */
	WARP_CELLS = 256, BLOCK_CELLS = 4096, FIRST_SHARE = 8,
	WARP_UNITS = 8,                      /* sequences a multiprocessor, that keep it busy */
	PICK_CELLS = 1 << 15,                /* from which on candidates are picked, */
	PICK_UNITS = 2,                      /* of fewer sequences a multiprocessor */
	PICK_SHARE = 1024,                   /* where they are no larger part of a sequence */
	PART_SHARE = 32                      /* likewise, where blocks share sequences */
};

static bool may_keep(const struct task *c, int64_t cells)
{
	const struct sorter *s = sorter_of(c);
	return !s->binned && first_is_known(s) && may_exceed(s, cells);
}

static struct kx *few_wanted(const struct sorter *s, int64_t most, int64_t share, int64_t cells)
{
	struct kx *wanted = kx_fold(sort_wanted(host_lowering(s->plan), s->node, s->longest));
	struct kx *few = x_le(wanted, x_min(x_i64(most), x_div(s->longest, x_i64(share))));
	return kx_fold(x_and(has_more(s, cells), few));
}

static struct kx *sequences_of_units(const struct sorter *s, int each)
{
	return x_i64((int64_t)each * s->plan->target->units);
}

static bool may_pick(const struct task *c)
{
	return may_keep(c, PICK_CELLS) && c->node->running->segment == SEGMENT_NONE;
}

static struct kx *picking_pays(const struct task *c)
{
	const struct sorter *s = sorter_of(c);
	struct kx *fewer = x_lt(s->sequences, sequences_of_units(s, PICK_UNITS));
	return kx_fold(x_and(fewer, few_wanted(s, sort_first_most(s), PICK_SHARE,
	                                          PICK_CELLS)));
}

static void lower_pick(const struct task *c)
{
	struct sorter s = *sorter_of(c);
	s.tagged = true;
	s.fetched = new_fetched(s.node);
	sorter_types(&s);
	sort_pick(&s, PICK_CELLS, (int64_t)PICK_UNITS * c->plan->target->units, PICK_SHARE);
}

/* So many are wanted, if the program says so. */
static bool may_want(const struct sorter *s, int64_t more, int64_t most)
{
	int64_t n;
	return !x_constant(lower_index(host_lowering(s->plan), s->node->sorting->first), &n)
	       || (more < n && n <= most);
}

static int64_t wide_more(int wide)
{
	return wide ? sort_first_warps_most(wide - 1) : INT64_MIN;
}

static int64_t wide_cells(const struct sorter *s, int wide)
{
	return wide ? sort_first_warps_cells(s, wide) : WARP_CELLS;
}

static bool may_keep_by_warps(const struct task *c)
{
	const struct sorter *s = sorter_of(c);
	int wide = c->way->form;
	return may_keep(c, wide_cells(s, wide)) && sort_first_warps_fit(s, wide)
	       && may_want(s, wide_more(wide), sort_first_warps_most(wide));
}

static struct kx *warps_pay(const struct task *c)
{
	const struct sorter *s = sorter_of(c);
	int wide = c->way->form;
	struct kx *many = x_le(sequences_of_units(s, WARP_UNITS), s->sequences);
	return kx_fold(x_and(many, few_wanted(s, sort_first_warps_most(wide), FIRST_SHARE,
	                                      wide_cells(s, wide))));
}

static void lower_first_warps(const struct task *c)
{
	sort_first_warps(sorter_of(c), c->way->form);
}

static bool may_keep_by_blocks(const struct task *c)
{
	return may_keep(c, BLOCK_CELLS);
}

static struct kx *blocks_pay(const struct task *c)
{
	const struct sorter *s = sorter_of(c);
	int64_t most = sort_first_most(s);
	struct kx *busy = x_or(x_le(sequences_of_units(s, 1), s->sequences),
	                       has_at_most(s, PICK_CELLS));
	return kx_fold(x_and(busy, few_wanted(s, most, FIRST_SHARE, BLOCK_CELLS)));
}

static void lower_first_blocks(const struct task *c)
{
	sort_first_blocks(sorter_of(c));
}

static bool may_share(const struct task *c)
{
	return may_keep(c, sort_first_part(sorter_of(c)));
}

/* Sequences too few for a block each have parts enough. */
static struct kx *sharing_pays(const struct task *c)
{
	const struct sorter *s = sorter_of(c);
	struct kx *parts = x_mul(s->sequences, x_div(s->longest, x_i64(sort_first_part(s))));
	struct kx *busy = x_le(sequences_of_units(s, 1), x_mul(parts, x_i64(2)));
	return kx_fold(x_and(busy, few_wanted(s, sort_first_most(s), PART_SHARE,
	                                      sort_first_part(s))));
}

static void lower_all(const struct task *c)
{
	ways_each(ways, c->plan, c->group, c->found);
}

static const struct way first_ways[] = {
	/* sort_pick.c */
	{ "picked", "a sample bounds the first ones, blocks pick what is not after the bound",
	  "few are wanted of few long sequences", "lengths are data, keys large, or none is long",
	  .fits = may_pick, .when = picking_pays, .lower = lower_pick },
	/* sort_first.c */
	{ "kept_by_warps", "a warp goes over a sequence and keeps the first ones",
	  "few are wanted of many sequences", "lengths are data, keys large, or all are short",
	  .fits = may_keep_by_warps, .when = warps_pay, .lower = lower_first_warps },
	{ "kept_by_warps_64", "a warp goes over a sequence and keeps up to 64",
	  "some more are wanted of many sequences", .fits = may_keep_by_warps, .when = warps_pay,
	  .lower = lower_first_warps, .form = 1 },
	{ "kept_by_warps_128", "a warp goes over a sequence and keeps up to 128",
	  "more are wanted of many sequences", .fits = may_keep_by_warps, .when = warps_pay,
	  .lower = lower_first_warps, .form = 2 },
	{ "kept_by_warps_256", "a warp goes over a sequence and keeps up to 256",
	  "still more are wanted of many sequences", .fits = may_keep_by_warps, .when = warps_pay,
	  .lower = lower_first_warps, .form = 3 },
	{ "kept", "a block goes over a sequence and keeps the first ones",
	  "some are wanted of long sequences", "lengths are data, keys large, or none is long",
	  .fits = may_keep_by_blocks, .when = blocks_pay, .lower = lower_first_blocks },
	{ "kept_by_parts", "blocks keep the first ones of parts, then those of all parts",
	  "some are wanted of few long sequences", "lengths are data, keys large, or none is long",
	  .fits = may_share, .when = sharing_pays, .lower = lower_parts },
	/* the ways above */
	{ "all", "all of a sequence is sorted", .lower = lower_all },
};

void sort_gpu(struct plan *plan, const struct group *group)
{
	const struct node *node = group->anchor;
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
	if (node->sorting->first)
		ways_lower(first_ways, plan, group, s);
	else
		ways_each(ways, plan, group, s);
	k_end(host);
}
