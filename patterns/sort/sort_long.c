/* sort_long.c - sequences longer than a block sorts.
 *
 * They are cut into tiles, which blocks sort into the workspace.  Pass after pass merges pairs of runs, from one half of
 * the workspace into the other: a block makes a tile of the result.  Where that tile begins in both runs a warp
 * searches, as many places a step as it has lanes.  What rises from one run and falls from the other is then merged by
 * the last steps of a network: no lane takes another way than its neighbours, whatever the keys are.
 *
 * The host asks for as many passes as the longest sequence there may be needs; a sequence that needs fewer is left
 * alone by the others, and lies in the half where its last pass put it.  At the end each array is moved by tags:
 * through the workspace, since blocks fetch what others store.
 *
 * Note [cuts that rise].  Each block finds the two ends of its tile by itself.  Where a function of the program
 * orders, which may be no order, they must not fall (see Note [some permutation]): so the cut in the middle of the pair is
 * found first, then that in the middle of the half that has the tile's end, between the cuts around it, and so on.
 * Every block that looks for a cut goes the same way to it. */
#include "sort_gpu.h"

enum {
	MOST_BLOCKS = 1056,                  /* where lengths are data: they stride, or find nothing to do; two rounds of an H200 */
	BLOCKS = 4                           /* whose registers a multiprocessor is to have */
};

/* Left alone, compilers load all elements of a thread with their addresses at once. */
static void bound_registers(const struct sorter *s, struct lowering *l)
{
	if (sort_word_bits(s->node))
		l->k->min_blocks = BLOCKS;
}

static struct kx *let(struct lowering *l, const char *name, struct kx *x)
{
	return x_var(k_let(l->k, name, x));
}

static struct kx *var(struct lowering *l, const char *name, struct kx *x)
{
	return x_var(k_var(l->k, x->type, name, x));
}

/* ---- tiles ---- */

struct tile { struct kx *sequence, *first; };            /* its first place in the sequence */

static struct kx *tiles_each(const struct sorter *s)
{
	return x_div_up(s->longest, x_i64(s->tile));
}

static struct kx *most_tiles(const struct sorter *s)
{
	return s->binned ? x_div(s->total, x_i64(s->tile / 2)) : x_mul(s->sequences, tiles_each(s));
}

static struct kx *open_loop(struct lowering *l, struct kx *count)
{
	return x_var(k_for(l->k, "t", x_to_i64(x_id(ID_BLOCK_X)), count, x_to_i64(x_id(ID_GRID_X)), FOR_ROLLED));
}

static struct tile open_binned(const struct sorter *s, struct lowering *l)
{
	struct kx *counts = sort_pointer(s, l, s->counts, true);
	struct kx *sequence = sort_pointer(s, l, s->tile_sequence, true), *number = sort_pointer(s, l, s->tile_number, true);
	struct kx *count = let(l, "tiles", x_cast(kt_scalar(T_I64), x_at(counts, x_i32(sort_classes(s)))));
	struct kx *t = open_loop(l, count);
	struct tile tile = { .sequence = let(l, "sequence", x_cast(kt_scalar(T_I64), x_at(sequence, t))) };
	tile.first = let(l, "begin", x_mul(x_cast(kt_scalar(T_I64), x_at(number, t)), x_i64(s->tile)));
	return tile;
}

static struct tile open_even(const struct sorter *s, struct lowering *l)
{
	struct kx *each = lower_argument(l, "each", kt_scalar(T_I64), tiles_each(s));
	struct kx *t = open_loop(l, lower_argument(l, "tiles", kt_scalar(T_I64), most_tiles(s)));
	struct tile tile = { .sequence = let(l, "sequence", x_div(t, each)) };
	tile.first = let(l, "begin", x_mul(x_rem(t, each), x_i64(s->tile)));
	return tile;
}

static struct tile open_tiles(const struct sorter *s, struct lowering *l)
{
	return (s->binned ? open_binned : open_even)(s, l);
}

static void launch(const struct sorter *s, struct lowering *l)
{
	k_end(l->k);
	struct kx *most = x_i64(s->binned ? MOST_BLOCKS : s->plan->target->max_grid_x);
	lowering_launch(l, x_min(most_tiles(s), most), x_i64(1), x_i64(1));
}

/* ---- sorting tiles ---- */

static void load_tile(const struct elements *it, const struct sequence *q, struct kx *first, struct kx *count)
{
	struct lowering *l = it->l;
	struct kx *e = elements_open(it), *at = let(l, "at", x_add(x_mul(e, x_i32(SORT_THREADS)), block_thread(l)));
	elements_pad(it, e);
	k_if(l->k, x_lt(at, count));
	struct kx *i = let(l, "i", x_add(first, x_to_i64(at)));
	sort_bind_cell(it->s, l, x_add(q->first, i));
	elements_load(it, e, x_cast(kt_scalar(T_U32), i));
	k_end(l->k);
	k_end(l->k);
}

static void sort_tiles(const struct sorter *s)
{
	struct lowering *l = sort_kernel(s, "_tiles", "Sorts the tiles of long sequences.");
	struct elements *it = elements_new(s, l, s->block_bits, true);
	bound_registers(s, l);
	struct kx *lane_bits = x_i32(SORT_LANE_BITS), *thread = let(l, "thread", block_thread(l));
	elements_workspace(it);
	struct tile tile = open_tiles(s, l);
	struct sequence q = sort_sequence(s, l, tile.sequence);
	it->n = let(l, "elements", x_cast(kt_scalar(T_U32), q.n));
	struct kx *count = let(l, "count", x_to_i32(x_min(x_sub(q.n, tile.first), x_i64(s->tile))));
	struct kx *to = let(l, "to", x_add(q.base, tile.first));
	load_tile(it, &q, tile.first, count);
	elements_sort(it, lane_bits, thread);
	struct kx *lane_rank = network_lane_rank(l->k, it->bits, lane_bits, false, thread, FOR_ROLLED);
	struct kx *e = elements_open(it);
	struct kx *i = let(l, "i", elements_rank(it, e, lane_rank, lane_bits, false));
	k_if(l->k, x_lt(i, count));
	elements_put(it, e, x_add(to, x_to_i64(i)));
	k_end(l->k);
	k_end(l->k);
	launch(s, l);
}

/* ---- merging ---- */

struct merge {
	const struct sorter *s;
	struct lowering *l;
	struct elements *items;
	struct kx *a, *b;                    /* where the two runs begin in the workspace */
	struct kx *n_a, *n_b;                /* how long they are */
	struct kx *d0, *d1;                  /* the tile's ends in what they make */
	struct kx *to;                       /* where that goes */
	struct kvar *where;                  /* of the block, i64: the sequence's place and cells, the two cuts */
};

enum { WHERE_BASE, WHERE_CELLS, WHERE_CUT, WHERE_COUNT = 4 };

static struct kx *where(const struct merge *m, struct kx *at)
{
	return x_at(x_var(m->where), at);
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
	k_set(l->k, where(m, x_add(second, x_i32(WHERE_CUT))), cut);
	k_end(l->k);
	k_end(l->k);
	k_barrier(l->k);
}

/* Element p of the tile: of run a from its first on, from the end those of run b. */
static void load_runs(const struct merge *m)
{
	struct lowering *l = m->l;
	struct kernel *k = l->k;
	struct kx *cut0 = let(l, "cut", where(m, x_i32(WHERE_CUT))), *cut1 = let(l, "cut", where(m, x_i32(WHERE_CUT + 1)));
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

static void store_merged(const struct merge *m)
{
	struct lowering *l = m->l;
	struct kx *lane_bits = x_i32(SORT_LANE_BITS), *thread = let(l, "thread", block_thread(l));
	struct kx *count = let(l, "count", x_to_i32(x_sub(m->d1, m->d0)));
	elements_merge(m->items, lane_bits, thread);
	struct kx *lane_rank = network_lane_rank(l->k, m->items->bits, lane_bits, true, thread, FOR_ROLLED);
	struct kx *e = elements_open(m->items);
	struct kx *i = let(l, "i", elements_rank(m->items, e, lane_rank, lane_bits, true));
	k_if(l->k, x_lt(i, count));
	elements_put(m->items, e, x_add(m->to, x_to_i64(i)));
	k_end(l->k);
	k_end(l->k);
}

/* All threads learn where the sequence lies from one of them: then they are known to agree. */
static void find_sequence(const struct merge *m, struct kx *number)
{
	struct lowering *l = m->l;
	k_barrier(l->k);
	k_if(l->k, x_eq(block_thread(l), x_i32(0)));
	struct sequence q = sort_sequence(m->s, l, number);
	k_set(l->k, where(m, x_i32(WHERE_BASE)), q.base);
	k_set(l->k, where(m, x_i32(WHERE_CELLS)), q.n);
	k_end(l->k);
	k_barrier(l->k);
}

static void merge_tile(struct merge *m, const struct tile *tile, struct kx *run, struct kx *half)
{
	struct lowering *l = m->l;
	struct kx *total = lower_argument(l, "total", kt_scalar(T_I64), m->s->total);
	struct kx *n = let(l, "n", where(m, x_i32(WHERE_CELLS))), *base = let(l, "base", where(m, x_i32(WHERE_BASE)));
	k_if(l->k, x_and(x_lt(run, n), x_lt(tile->first, n)));
	struct kx *pair = let(l, "pair", x_sub(tile->first, x_rem(tile->first, x_mul(run, x_i64(2)))));
	m->n_a = let(l, "n_a", x_min(run, x_sub(n, pair)));
	m->n_b = let(l, "n_b", x_min(run, x_sub(x_sub(n, pair), m->n_a)));
	m->d0 = let(l, "d_begin", x_sub(tile->first, pair));
	m->d1 = let(l, "d_end", x_min(x_add(m->d0, x_i64(m->s->tile)), x_add(m->n_a, m->n_b)));
	m->a = let(l, "a", x_add(x_add(x_mul(half, total), base), pair));
	m->b = let(l, "b", x_add(m->a, m->n_a));
	m->to = let(l, "to", x_add(x_add(x_mul(x_sub(x_i64(1), half), total), base), tile->first));
	m->items->n = let(l, "elements", x_cast(kt_scalar(T_U32), n));
	find_cuts(m);
	load_runs(m);
	store_merged(m);
	k_end(l->k);
}

/* One pass: runs of `run` cells, in that half of the workspace; both host variables. */
static void merge_pass(const struct sorter *s, struct kx *host_run, struct kx *host_half)
{
	struct lowering *l = sort_kernel(s, "_merge", "Merges pairs of sorted runs of long sequences.");
	struct merge m = { .s = s, .l = l };
	struct kx *run = lower_argument(l, "run", kt_scalar(T_I64), host_run);
	struct kx *half = lower_argument(l, "half", kt_scalar(T_I64), host_half);
	m.items = elements_new(s, l, s->block_bits, true);
	bound_registers(s, l);
	elements_workspace(m.items);
	m.where = k_shared(l->k, type_scalar(T_I64), "where", WHERE_COUNT);
	struct tile tile = open_tiles(s, l);
	find_sequence(&m, tile.sequence);
	merge_tile(&m, &tile, run, half);
	launch(s, l);
}

static void merge_passes(const struct sorter *s)
{
	struct kernel *host = s->plan->host;
	struct kx *run = x_var(k_var(host, kt_scalar(T_I64), "run", x_i64(s->tile)));
	struct kx *half = x_var(k_var(host, kt_scalar(T_I64), "half", x_i64(0)));
	k_while(host, x_lt(run, s->longest));
	merge_pass(s, run, half);
	k_set(host, run, x_mul(run, x_i64(2)));
	k_set(host, half, x_sub(x_i64(1), half));
	k_end(host);
}

/* ---- moving ---- */

struct mover { const struct sorter *s; struct lowering *l; struct elements *items; struct sequence q; struct kx *rank; };

/* The half in which the passes have left a sequence of n cells. */
static struct kx *last_half(const struct mover *m)
{
	struct kernel *k = m->l->k;
	struct kx *half = var(m->l, "half", x_i64(0)), *run = var(m->l, "run", x_i64(m->s->tile));
	k_while(k, x_lt(run, m->q.n));
	k_set(k, run, x_mul(run, x_i64(2)));
	k_set(k, half, x_sub(x_i64(1), half));
	k_end(k);
	return half;
}

/* Opens the loop over the cells of tiles that are wanted. */
static void open_cells(struct mover *m, struct kx **base)
{
	struct lowering *l = m->l;
	struct kernel *k = l->k;
	struct kx *total = base ? lower_argument(l, "total", kt_scalar(T_I64), m->s->total) : NULL;
	struct tile tile = open_tiles(m->s, l);
	m->q = sort_sequence(m->s, l, tile.sequence);
	if (base)
		*base = let(l, "from", x_add(x_mul(last_half(m), total), m->q.base));
	struct kx *wanted = let(l, "wanted", sort_wanted(l, m->s->node, m->q.n));
	struct kx *end = let(l, "tile_end", x_min(x_add(tile.first, x_i64(m->s->tile)), wanted));
	struct kx *first = x_add(tile.first, x_to_i64(block_thread(l)));
	m->rank = x_var(k_for(k, "rank", first, end, x_i64(SORT_THREADS), 0));
}

/* Of elements in the workspace only the tags, or only the keys. */
static struct elements *parts_only(const struct sorter *s, struct lowering *l, bool tags)
{
	struct elements *it = NEW(struct elements);
	*it = (struct elements){ .s = s, .l = l };
	it->keys = tags && s->tag ? NULL : sort_pointer(s, l, s->keys, false);
	it->tags = tags && s->tag ? sort_pointer(s, l, s->tags, false) : NULL;
	return it;
}

static struct kx *fetch(const struct mover *m, const struct equation *eq, struct kx *base)
{
	struct kx *tag = elements_tag_at(m->items, x_add(base, m->rank));
	sort_bind_cell(m->s, m->l, x_add(m->q.first, let(m->l, "tag", tag)));
	return sort_value(m->l, eq);
}

static void put(const struct mover *m, const struct equation *eq, struct kx *value)
{
	sort_bind_cell(m->s, m->l, x_add(m->q.first, m->rank));
	sort_store(m->l, eq, value);
}

/* `into` stores what it fetches: cells are not written. */
static void fetch_values(const struct sorter *s, const struct equation *eq, struct kvar *fetched)
{
	struct mover m = { .s = s, .l = sort_kernel(s, "_fetch", "Fetches what moves with the long sequences' keys.") };
	struct kx *base, *to = fetched ? sort_pointer(s, m.l, fetched, false) : NULL;
	m.items = parts_only(s, m.l, true);
	open_cells(&m, &base);
	struct kx *value = fetch(&m, eq, base);
	if (to)
		k_set(m.l->k, x_at(to, x_add(m.q.base, m.rank)), value);
	else
		put(&m, eq, let(m.l, "value", value));
	k_end(m.l->k);
	launch(s, m.l);
}

/* All that follows from the elements alone, which are loaded once. */
static void store_held(const struct sorter *s)
{
	struct mover m = { .s = s, .l = sort_kernel(s, "_held", "Stores what the long sequences' elements hold.") };
	const struct node *node = s->node;
	struct kx *base;
	m.items = parts_only(s, m.l, false);
	open_cells(&m, &base);
	for (int q = 0; q < node->equation.n; q++) {
		const struct equation *eq = node->equation.at[q];
		if (sort_holds(s, eq))
			put(&m, eq, let(m.l, "value", elements_value_at(m.items, eq, x_add(base, m.rank))));
	}
	k_end(m.l->k);
	launch(s, m.l);
}

static void store_values(const struct sorter *s, const struct equation *eq, struct kvar *fetched)
{
	struct mover m = { .s = s, .l = sort_kernel(s, "_store", "Stores what was fetched.") };
	struct kx *from = sort_pointer(s, m.l, fetched, false);
	open_cells(&m, NULL);
	put(&m, eq, x_at(from, x_add(m.q.base, m.rank)));
	k_end(m.l->k);
	launch(s, m.l);
}

static void move_fetched(const struct sorter *s, int q)
{
	const struct equation *eq = s->node->equation.at[q];
	struct kvar *fetched = s->node->sorting->into ? NULL : sort_fetched(s, q);
	fetch_values(s, eq, fetched);
	if (fetched)
		store_values(s, eq, fetched);
}

void sort_long(const struct sorter *s)
{
	const struct node *node = s->node;
	int held = 0;
	sort_tiles(s);
	merge_passes(s);
	for (int q = 0; q < node->equation.n; q++) {
		if (sort_holds(s, node->equation.at[q]))
			held++;
		else
			move_fetched(s, q);
	}
	if (held)
		store_held(s);
}
