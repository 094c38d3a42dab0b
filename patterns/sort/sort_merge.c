/* sort_merge.c - sorted tiles of long sequences become sorted sequences: pass after pass merges pairs of runs, in one launch.
 *
 * A block makes a tile of what a pair of runs comes to.  Where that tile begins in both runs a warp searches, as many places
 * a step as it has lanes.  What rises from one run and falls from the other is then merged by the last steps of a
 * network: no lane takes another way than its neighbours, whatever the keys are.
 *
 * Note [turns].  Blocks draw what they do from a counter: tile after tile, pass after pass.  A tile waits until all tiles of
 * its sequence have done the pass before: those were drawn earlier, so somebody is at them, and nobody waits for a block
 * that has not begun.  A pass needs all of the one before for its runs, and also since it writes where that one read.
 * How many passes the longest sequence needs is on the device where lengths are data; a launch a pass, of as many as
 * there might be, took 14 times 3 us of an H200 where nothing was long.  A sequence that needs fewer is left alone by
 * the others, and lies in the half of the workspace where its last pass put it; the first one has all of them.
 *
 * Note [cuts that rise].  Each block finds the two ends of its tile by itself.  Where a function of the program
 * orders, which may be no order, they must not fall (see Note [some permutation]): so the cut in the middle of the pair is
 * found first, then that in the middle of the half that has the tile's end, between the cuts around it, and so on.
 * Every block that looks for a cut goes the same way to it. */
#include "sort_gpu.h"

enum { PASSES = 32 };                    /* more than any sequence needs where lengths are data: it has below 2^32 cells */

static struct kx *var(struct lowering *l, const char *name, struct kx *x)
{
	return x_var(k_var(l->k, x->type, name, x));
}

struct merge {
	const struct sorter *s;
	struct lowering *l;
	struct elements *items;
	struct kx *a, *b;                    /* where the two runs begin in the workspace */
	struct kx *n_a, *n_b;                /* how long they are */
	struct kx *d0, *d1;                  /* the tile's ends in what they make */
	struct kx *to;                       /* where that goes */
	struct kvar *where;                  /* of the block, i64 */
	struct kx *counts;                   /* with its counters from sort_progress() on */
	bool stores;                         /* the last pass of a sequence stores it */
};

/* What the block is to do, and the two cuts. */
enum { WHERE_TURNS, WHERE_PASS, WHERE_SEQUENCE, WHERE_BEGIN, WHERE_BASE, WHERE_CELLS, WHERE_ARRIVALS, WHERE_CUT, WHERE_COUNT = WHERE_CUT + 2 };

/* ---- counters: of turns drawn; of sequences that need so many passes; for the first tile of each, of tiles done ---- */

enum { PROGRESS_TURNS, PROGRESS_PASSES, PROGRESS_DONE = PROGRESS_PASSES + PASSES };

static struct kx *progress(const struct sorter *s, int at)
{
	return x_i32((s->binned ? sort_classes(s) + 1 : 0) + at);
}

/* Over sizes alone: the last tile of a sequence, and the last sequence of a row, may be nearly empty. */
struct kx *sort_counts(const struct sorter *s)
{
	struct kx *tiles = x_div(s->room, x_i64(s->tile / (s->binned ? 2 : 4)));
	return kx_fold(x_add(x_to_i64(progress(s, PROGRESS_DONE)), x_add(tiles, x_i64(1))));
}

/* Of a sequence of so many tiles, two or more: below 32. */
static struct kx *passes_of(struct lowering *l, struct kx *tiles)
{
	struct kernel *k = l->k;
	struct kx *passes = var(l, "passes", x_i32(0)), *run = var(l, "run", x_i64(1));
	k_while(k, x_lt(run, tiles));
	k_set(k, run, x_mul(run, x_i64(2)));
	k_set(k, passes, x_add(passes, x_i32(1)));
	k_end(k);
	return passes;
}

void sort_need_passes(const struct sorter *s, struct lowering *l, struct kx *counts, struct kx *tiles)
{
	struct kx *at = x_add(progress(s, PROGRESS_PASSES), passes_of(l, tiles));
	k_do(l->k, x_help(kt_scalar(T_I64), "patc_deal", 2, (struct kx *[]){ x_offset(counts, at), x_i64(1) }));
}

/* ---- where a tile begins in two runs ---- */

static struct kx *where_at(const struct merge *m, struct kx *at)
{
	return x_at(x_var(m->where), at);
}

static struct kx *where(const struct merge *m, int at)
{
	return where_at(m, x_i32(at));
}

static struct kx *in_lanes(const struct merge *m, struct kx *is)
{
	struct kx *mask = x_help(kt_scalar(T_U64), "patc_ballot", 1, &is);
	return let(m->l, "more", x_cast(kt_scalar(T_I64), x_help(kt_scalar(T_I32), "patc_popcount_u64", 1, &mask)));
}

/* By a warp: how many of the first d are of run a, low .. high of them; low becomes it.  Of what is probed, in
 * order, the first ones are followed by more. */
static void search(const struct merge *m, struct kx *d, struct kx *low, struct kx *high)
{
	struct lowering *l = m->l;
	struct kernel *k = l->k;
	k_while(k, x_lt(low, high));
	struct kx *step = let(l, "step", x_div_up(x_sub(high, low), x_i64(l->target->lanes)));
	struct kx *probe = let(l, "probe", x_add(low, x_mul(x_to_i64(m->items->lane), step)));
	struct kx *is = x_var(k_var(k, kt_scalar(T_BOOL), "is_more", x_int(T_BOOL, 0)));
	k_if(k, x_lt(probe, high));
	struct kx *other = x_sub(x_sub(d, x_i64(1)), probe);
	k_set(k, is, x_unary(OP_NOT, elements_before(m->items, let(l, "at_b", x_add(m->b, other)), let(l, "at_a", x_add(m->a, probe)))));
	k_end(k);
	struct kx *more = in_lanes(m, is), *some = x_lt(x_i64(0), more);
	k_set(k, high, x_min(high, x_add(low, x_mul(more, step))));
	k_set(k, low, x_cond(some, x_add(x_add(low, x_mul(x_sub(more, x_i64(1)), step)), x_i64(1)), low));
	k_end(k);
}

static void search_all(const struct merge *m, struct kx *d, struct kx *cut)
{
	struct kx *high = var(m->l, "high", x_min(d, m->n_a));
	k_set(m->l->k, cut, x_max(x_sub(d, m->n_b), x_i64(0)));
	search(m, d, cut, high);
}

/* See Note [cuts that rise].  Tiles below .. above of the pair have the cut, which is known at both. */
static void search_between(const struct merge *m, struct kx *d, struct kx *cut)
{
	struct lowering *l = m->l;
	struct kernel *k = l->k;
	struct kx *all = let(l, "all", x_add(m->n_a, m->n_b)), *tile = x_i64(m->s->tile);
	struct kx *below = var(l, "below", x_i64(0)), *above = var(l, "above", x_div_up(all, tile));
	struct kx *cut_below = var(l, "cut_below", x_i64(0)), *cut_above = var(l, "cut_above", m->n_a);
	k_while(k, x_lt(x_i64(1), x_sub(above, below)));
	struct kx *middle = let(l, "middle", x_div(x_add(above, below), x_i64(2))), *at = let(l, "at", x_mul(middle, tile));
	struct kx *b_below = x_sub(x_mul(below, tile), cut_below), *b_above = x_sub(x_min(x_mul(above, tile), all), cut_above);
	struct kx *low = var(l, "low", x_max(cut_below, x_sub(at, b_above)));
	struct kx *high = var(l, "high", x_min(cut_above, x_sub(at, b_below)));
	search(m, at, low, high);
	k_if(k, x_lt(d, at));
	k_set(k, above, middle);
	k_set(k, cut_above, low);
	k_else(k);
	k_set(k, below, middle);
	k_set(k, cut_below, low);
	k_end(k);
	k_end(k);
	k_set(k, cut, x_cond(x_eq(d, all), m->n_a, cut_below));
}

/* A warp each finds where the tile begins and ends. */
static void find_cuts(const struct merge *m)
{
	struct lowering *l = m->l;
	struct kx *lanes = x_i32(l->target->lanes), *thread = block_thread(l);
	k_if(l->k, x_lt(thread, x_mul(lanes, x_i32(2))));
	struct kx *second = let(l, "second", x_div(thread, lanes)), *cut = var(l, "cut", x_i64(0));
	struct kx *d = let(l, "d", x_cond(x_eq(second, x_i32(0)), m->d0, m->d1));
	(m->s->node->sorting->order == ORDER_LESS ? search_between : search_all)(m, d, cut);
	k_if(l->k, x_eq(m->items->lane, x_i32(0)));
	k_set(l->k, where_at(m, x_add(second, x_i32(WHERE_CUT))), cut);
	k_end(l->k);
	k_end(l->k);
	k_barrier(l->k);
}

/* Element p of the tile: of run a from its first on, from the end those of run b. */
static void load_runs(const struct merge *m)
{
	struct lowering *l = m->l;
	struct kernel *k = l->k;
	struct kx *cut0 = let(l, "cut", where(m, WHERE_CUT)), *cut1 = let(l, "cut", where(m, WHERE_CUT + 1));
	struct kx *of_a = let(l, "of_a", x_to_i32(x_sub(cut1, cut0)));
	struct kx *of_b = let(l, "of_b", x_sub(x_to_i32(x_sub(m->d1, m->d0)), of_a));
	struct kx *a = let(l, "from_a", x_add(m->a, cut0)), *b = let(l, "from_b", x_add(m->b, x_sub(m->d0, cut0)));
	struct kx *e = elements_open(m->items);
	struct kx *p = let(l, "p", x_add(x_mul(e, x_i32(SORT_THREADS)), block_thread(l)));
	struct kx *back = let(l, "back", x_sub(x_i32(m->s->tile - 1), p));
	struct kx *is_a = let(l, "is_a", x_lt(p, of_a));
	elements_pad(m->items, e);
	k_if(k, x_or(is_a, x_lt(back, of_b)));
	elements_get(m->items, e, let(l, "at", x_cond(is_a, x_add(a, x_to_i64(p)), x_add(b, x_to_i64(back)))));
	k_end(k);
	k_end(k);
}

/* ---- a tile ---- */

/* Opens the loop over those of a thread's elements that are of the tile: where it goes in it, i32. */
static struct kx *open_merged(const struct merge *m, struct kx **e)
{
	struct lowering *l = m->l;
	struct kx *lane_bits = x_i32(SORT_LANE_BITS), *thread = let(l, "thread", block_thread(l));
	struct kx *count = let(l, "count", x_to_i32(x_sub(m->d1, m->d0)));
	struct kx *lane_rank = network_lane_rank(l->k, m->items->bits, lane_bits, true, thread, FOR_ROLLED);
	*e = elements_open(m->items);
	struct kx *i = let(l, "i", elements_rank(m->items, *e, lane_rank, lane_bits, true));
	k_if(l->k, x_lt(i, count));
	return x_to_i64(i);
}

static void put_merged(const struct merge *m)
{
	struct kx *e, *i = open_merged(m, &e);
	elements_put(m->items, e, x_add(m->to, i));
	k_end(m->l->k);
	k_end(m->l->k);
}

static void store_merged(const struct merge *m)
{
	struct lowering *l = m->l;
	const struct node *node = m->s->node;
	struct sequence q = sort_sequence(m->s, l, where(m, WHERE_SEQUENCE));
	struct kx *wanted = let(l, "wanted", sort_wanted(l, node, q.n)), *begin = let(l, "begin", where(m, WHERE_BEGIN));
	struct kx *e, *i = open_merged(m, &e), *place = let(l, "place", x_add(begin, i));
	k_if(l->k, x_lt(place, wanted));
	sort_bind_cell(m->s, l, x_add(q.first, place));
	for (int c = 0; c < node->equation.n; c++)
		sort_store(l, node->equation.at[c], let(l, "value", elements_value(m->items, node->equation.at[c], e)));
	k_end(l->k);
	k_end(l->k);
	k_end(l->k);
}

static void store(const struct merge *m, struct kx *run)
{
	struct kernel *k = m->l->k;
	if (m->stores) {
		k_if(k, x_le(where(m, WHERE_CELLS), x_mul(run, x_i64(2))));
		store_merged(m);
		k_else(k);
	}
	put_merged(m);
	if (m->stores)
		k_end(k);
}

static void merge_tile(struct merge *m, struct kx *run, struct kx *begin, struct kx *n)
{
	struct lowering *l = m->l;
	struct kx *total = lower_argument(l, "total", kt_scalar(T_I64), m->s->total);
	struct kx *base = let(l, "base", where(m, WHERE_BASE)), *half = x_op(OP_AND, where(m, WHERE_PASS), x_i64(1));
	half = let(l, "half", half);
	struct kx *pair = let(l, "pair", x_sub(begin, x_rem(begin, x_mul(run, x_i64(2)))));
	m->n_a = let(l, "n_a", x_min(run, x_sub(n, pair)));
	m->n_b = let(l, "n_b", x_min(run, x_sub(x_sub(n, pair), m->n_a)));
	m->d0 = let(l, "d_begin", x_sub(begin, pair));
	m->d1 = let(l, "d_end", x_min(x_add(m->d0, x_i64(m->s->tile)), x_add(m->n_a, m->n_b)));
	m->a = let(l, "a", x_add(x_add(x_mul(half, total), base), pair));
	m->b = let(l, "b", x_add(m->a, m->n_a));
	m->to = let(l, "to", x_add(x_add(x_mul(x_sub(x_i64(1), half), total), base), begin));
	m->items->n = let(l, "elements", x_cast(kt_scalar(T_U32), n));
	find_cuts(m);
	load_runs(m);
	elements_merge(m->items, x_i32(SORT_LANE_BITS), let(l, "place", block_thread(l)));
	store(m, run);
}

/* ---- turns ---- */

static void say(const struct merge *m, int at, struct kx *value)
{
	k_set(m->l->k, where(m, at), value);
}

static struct kx *run_of(const struct merge *m, struct kx *pass)
{
	return x_op(OP_SHL, x_i64(m->s->tile), x_to_i32(pass));
}

/* Is there anything to do in this pass? */
static struct kx *takes_part(struct kx *run, struct kx *begin, struct kx *n, struct kx *pass)
{
	return x_and(x_lt(begin, n), x_or(x_lt(run, n), x_eq(pass, x_i64(0))));
}

/* By one thread: then all are known to agree.  See Note [turns]. */
static void draw_turn(const struct merge *m, const struct tiles *t)
{
	struct lowering *l = m->l;
	struct kernel *k = l->k;
	struct kx *turns = x_offset(m->counts, progress(m->s, PROGRESS_TURNS));
	struct kx *drawn = let(l, "drawn", x_help(kt_scalar(T_I64), "patc_draw", 1, &turns));
	struct kx *pass = let(l, "pass", x_div(drawn, t->count)), *at = let(l, "at", x_rem(drawn, t->count));
	struct tile tile = sort_tile(t, at);
	struct sequence q = sort_sequence(m->s, l, tile.sequence);
	struct kx *first = x_add(x_to_i64(progress(m->s, PROGRESS_DONE)), x_sub(at, tile.number));
	struct kx *tiles = x_div_up(q.n, x_i64(m->s->tile)), *done = let(l, "done", first);
	say(m, WHERE_PASS, pass);
	say(m, WHERE_SEQUENCE, tile.sequence);
	say(m, WHERE_BEGIN, tile.first);
	say(m, WHERE_BASE, q.base);
	say(m, WHERE_CELLS, q.n);
	say(m, WHERE_ARRIVALS, done);
	k_if(k, takes_part(run_of(m, pass), tile.first, q.n, pass));
	k_do(k, x_help(kt_scalar(T_I32), "patc_await", 2, (struct kx *[]){ x_offset(m->counts, done), x_mul(pass, tiles) }));
	k_end(k);
}

static void open_first_thread(const struct merge *m)
{
	k_barrier(m->l->k);
	k_if(m->l->k, x_eq(block_thread(m->l), x_i32(0)));
}

/* As many passes as the longest sequence needs. */
static struct kx *turns_needed(const struct merge *m, const struct tiles *t)
{
	struct lowering *l = m->l;
	struct kx *at = x_add(progress(m->s, PROGRESS_PASSES), x_rem(m->items->lane, x_i32(PASSES)));
	struct kx *is = let(l, "is_needed", x_ne(x_at(m->counts, at), x_int(T_U64, 0)));
	struct kx *mask = x_cast(kt_scalar(T_U32), x_help(kt_scalar(T_U64), "patc_ballot", 1, &is));
	struct kx *zeros = x_help(kt_scalar(T_I32), "patc_clz_u32", 1, (struct kx *[]){ let(l, "needed", mask) });
	struct kx *passes = let(l, "passes", x_to_i64(x_max(x_sub(x_i32(31), zeros), x_i32(0))));
	open_first_thread(m);
	say(m, WHERE_TURNS, x_mul(t->count, passes));
	k_end(l->k);
	k_barrier(l->k);
	return where(m, WHERE_TURNS);
}

static void take_turn(struct merge *m, const struct tiles *t)
{
	struct lowering *l = m->l;
	struct kernel *k = l->k;
	open_first_thread(m);
	draw_turn(m, t);
	k_end(k);
	k_barrier(k);
	struct kx *pass = let(l, "pass", where(m, WHERE_PASS)), *begin = let(l, "begin", where(m, WHERE_BEGIN));
	struct kx *n = let(l, "n", where(m, WHERE_CELLS)), *run = let(l, "run", run_of(m, pass));
	k_if(k, takes_part(run, begin, n, pass));
	merge_tile(m, run, begin, n);
	open_first_thread(m);
	struct kx *done = x_offset(m->counts, where(m, WHERE_ARRIVALS));
	k_do(k, x_help(kt_scalar(T_I32), "patc_arrive", 1, &done));
	k_end(k);
	k_end(k);
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
	struct lowering *l = sort_kernel(s, "_merge", "Merges pairs of sorted runs of long sequences.");
	struct merge m = { .s = s, .l = l, .stores = stores };
	struct kx *passes = s->binned ? NULL : lower_argument(l, "passes", kt_scalar(T_I64), passes_of_longest(s));
	m.counts = sort_pointer(s, l, s->counts, false);
	m.items = elements_new(s, l, s->block_bits, true);
	sort_bound_registers(s, l);
	elements_workspace(m.items);
	m.where = k_shared(l->k, type_scalar(T_I64), "where", WHERE_COUNT);
	struct tiles t = sort_tiles_of(s, l, m.counts);
	struct kx *turns = let(l, "turns", passes ? x_mul(t.count, passes) : turns_needed(&m, &t));
	k_for(l->k, "turn", x_to_i64(x_id(ID_BLOCK_X)), turns, x_to_i64(x_id(ID_GRID_X)), FOR_ROLLED);
	take_turn(&m, &t);
	k_end(l->k);
	sort_launch_long(s, l);
}
