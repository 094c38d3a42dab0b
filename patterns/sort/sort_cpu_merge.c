/* sort_cpu_merge.c - sorting by merging, on a CPU: a piece by one thread, a long sequence by all of them.
 *
 * Cells are loaded as sorted runs: side by side (sort_cpu_lanes.c), or for a function of the program RUN each, whose
 * keys are put in order as they come (insertion).  Runs are merged in pairs, from one half of the workspace to the
 * other and back: 2 log2(n / run) passes over keys, and what goes with them.
 *
 * Threads sort the chunks of a long sequence so, then merge pairs of runs in tiles: where a tile begins in both runs is
 * found by binary search.  See Note [some permutation] in sort.h: a tile ends where the next one begins, and for a
 * function of the program those places are made to rise. */
#include "sort_cpu.h"

/* ---- runs ---- */

/* The cell i of the piece goes to its place among those of its run before it. */
static void insert(const struct cpu_sort *s, const struct piece *p, struct kx *run, struct kx *i)
{
	struct kernel *k = s->k;
	struct kx *with, *key = cpu_load(s, p, i, &with);
	struct kx *at = cpu_var(s, "at", x_add(p->base, i)), *before = x_sub(at, x_i64(1));
	k_while(k, x_and(x_lt(x_add(p->base, run), at), sort_code_before(s->l, s->node, key, x_at(s->keys, before))));
	cpu_copy(s, at, before);
	k_set(k, at, before);
	k_end(k);
	cpu_put(s, at, key, with);
}

static void load_runs(const struct cpu_sort *s, const struct piece *p)
{
	struct kernel *k = s->k;
	k_note(k, "runs, whose keys are put in order as they come");
	struct kx *run = x_var(k_for(k, "run", x_i64(0), p->n, x_i64(RUN), 0));
	struct kx *end = cpu_let(s, "run_end", x_min(x_add(run, x_i64(RUN)), p->n));
	insert(s, p, run, cpu_for(s, "next", run, end, 0));
	k_end(k);
	k_end(k);
}

/* ---- merging ---- */

/* Two sorted runs, a .. a_end and b .. b_end, to place `to` and behind it; of equal keys that of a goes first. */
struct runs { struct kx *a, *a_end, *b, *b_end, *to; };

static void merge_rest(const struct cpu_sort *s, const struct runs *r, struct kx *from, struct kx *end)
{
	k_while(s->k, x_lt(from, end));
	cpu_copy(s, r->to, from);
	k_set(s->k, from, x_add(from, x_i64(1)));
	k_set(s->k, r->to, x_add(r->to, x_i64(1)));
	k_end(s->k);
}

static void merge(const struct cpu_sort *s, const struct runs *r)
{
	struct kernel *k = s->k;
	k_while(k, x_and(x_lt(r->a, r->a_end), x_lt(r->b, r->b_end)));
	struct kx *key_a = cpu_let(s, "key_a", x_at(s->keys, r->a)), *key_b = cpu_let(s, "key_b", x_at(s->keys, r->b));
	struct kx *second = cpu_let(s, "second", sort_code_before(s->l, s->node, key_b, key_a));
	k_set(k, x_at(s->keys, r->to), x_cond(second, key_b, key_a));
	if (s->with)
		k_set(k, x_at(s->withs, r->to), x_at(s->withs, x_cond(second, r->b, r->a)));
	k_set(k, r->a, x_add(r->a, x_cast(kt_scalar(T_I64), x_unary(OP_NOT, second))));
	k_set(k, r->b, x_add(r->b, x_cast(kt_scalar(T_I64), second)));
	k_set(k, r->to, x_add(r->to, x_i64(1)));
	k_end(k);
	merge_rest(s, r, r->a, r->a_end);
	merge_rest(s, r, r->b, r->b_end);
}

/* Two places of the workspace: `from` holds runs of so many cells, `to` gets those of twice as many. */
struct passes { struct kx *from, *to, *width; };

static struct passes passes_start(const struct cpu_sort *s, const struct piece *p, struct kx *width)
{
	struct passes t;
	t.from = cpu_var(s, "from", p->base);
	t.to = cpu_var(s, "to", x_add(p->base, s->total));
	t.width = cpu_var(s, "width", width);
	return t;
}

static void passes_turn(const struct cpu_sort *s, const struct passes *t)
{
	struct kx *held = cpu_let(s, "held", t->from);
	k_set(s->k, t->from, t->to);
	k_set(s->k, t->to, held);
	k_set(s->k, t->width, x_mul(t->width, x_i64(2)));
}

/* Of a run, no more than is wanted of the whole. */
static struct kx *run_end(struct kx *wanted, struct kx *lo, struct kx *hi)
{
	return wanted ? x_min(x_add(lo, wanted), hi) : hi;
}

/* Runs of `width` cells become one, or as long as `until` (an even number of passes: they end where they began).
 * wanted: so many cells at most are looked at behind; NULL: all. */
static struct passes merge_runs(const struct cpu_sort *s, const struct piece *p, struct kx *width, struct kx *until,
                                struct kx *wanted)
{
	struct kernel *k = s->k;
	struct passes t = passes_start(s, p, width);
	k_note(k, "pairs of runs become one");
	k_while(k, x_lt(t.width, until));
	struct kx *lo = x_var(k_for(k, "lo", x_i64(0), p->n, x_mul(t.width, x_i64(2)), 0));
	struct kx *middle = cpu_let(s, "middle", x_min(x_add(lo, t.width), p->n));
	struct kx *hi = cpu_let(s, "hi", x_min(x_add(middle, t.width), p->n));
	struct runs r = { .a_end = cpu_let(s, "a_end", x_add(t.from, run_end(wanted, lo, middle))) };
	r.b_end = cpu_let(s, "b_end", x_add(t.from, run_end(wanted, middle, hi)));
	r.a = cpu_var(s, "a", x_add(t.from, lo));
	r.b = cpu_var(s, "b", x_add(t.from, middle));
	r.to = cpu_var(s, "place", x_add(t.to, lo));
	merge(s, &r);
	k_end(k);
	passes_turn(s, &t);
	k_end(k);
	return t;
}

struct kx *cpu_merge_sort(const struct cpu_sort *s, const struct piece *p)
{
	struct kx *width = cpu_lanes_can(s) ? cpu_lanes_runs(s, p) : x_i64(RUN);
	if (!cpu_lanes_can(s))
		load_runs(s, p);
	struct kx *wanted = s->node->sorting->first ? cpu_let(s, "wanted", sort_wanted(s->l, s->node, p->n)) : NULL;
	return merge_runs(s, p, width, p->n, wanted).from;
}

/* ---- by all threads ---- */

static void sort_chunks(const struct cpu_sort *s, const struct piece *p)
{
	struct kernel *k = s->k;
	struct kx *chunks = x_div_up(p->n, x_i64(CHUNK));
	struct kx *chunk = cpu_for(s, "chunk", x_i64(0), chunks, FOR_PARALLEL);
	struct kx *skip = cpu_let(s, "skip", x_mul(chunk, x_i64(CHUNK)));
	struct piece part = { cpu_let(s, "origin", x_add(p->origin, skip)),
	                      cpu_let(s, "chunk_cells", x_min(x_sub(p->n, skip), x_i64(CHUNK))),
	                      cpu_let(s, "chunk_base", x_add(p->base, skip)) };
	load_runs(s, &part);
	merge_runs(s, &part, x_i64(RUN), x_i64(CHUNK), NULL);
	k_end(k);
}

/* A tile of the pair of runs lo .. middle .. hi, its places in the sequence. */
struct tile { struct kx *first, *lo, *middle, *hi; };

static struct tile open_tile(const struct cpu_sort *s, const struct piece *p, const struct passes *t, struct kx *tile)
{
	struct tile at;
	at.first = cpu_let(s, "tile_first", x_mul(tile, x_i64(TILE)));
	at.lo = cpu_let(s, "lo", x_sub(at.first, x_rem(at.first, x_mul(t->width, x_i64(2)))));
	at.middle = cpu_let(s, "middle", x_min(x_add(at.lo, t->width), p->n));
	at.hi = cpu_let(s, "hi", x_min(x_add(at.middle, t->width), p->n));
	return at;
}

/* Of the cells before the tile, how many are of the first run: found between those that the second one leaves. */
static void find_cuts(const struct cpu_sort *s, const struct piece *p, const struct passes *t, struct kx *tiles)
{
	struct kernel *k = s->k;
	k_note(k, "how many of the cells before a tile are of the first run");
	struct kx *number = cpu_for(s, "tile", x_i64(0), tiles, FOR_PARALLEL);
	struct tile at = open_tile(s, p, t, number);
	struct kx *ahead = cpu_let(s, "ahead", x_sub(at.first, at.lo));
	struct kx *low = cpu_var(s, "low", x_max(x_sub(ahead, x_sub(at.hi, at.middle)), x_i64(0)));
	struct kx *high = cpu_var(s, "high", x_min(ahead, x_sub(at.middle, at.lo)));
	k_while(k, x_lt(low, high));
	struct kx *probe = cpu_let(s, "probe", x_div(x_add(low, high), x_i64(2)));
	struct kx *key_a = cpu_let(s, "key_a", x_at(s->keys, x_add(x_add(t->from, at.lo), probe)));
	struct kx *other = x_add(x_add(t->from, at.middle), x_sub(x_sub(ahead, x_i64(1)), probe));
	struct kx *key_b = cpu_let(s, "key_b", x_at(s->keys, other));
	k_if(k, sort_code_before(s->l, s->node, key_b, key_a));
	k_set(k, high, probe);
	k_else(k);
	k_set(k, low, x_add(probe, x_i64(1)));
	k_end(k);
	k_end(k);
	k_set(k, x_at(s->cuts, number), low);
	k_end(k);
}

static void make_cuts_rise(const struct cpu_sort *s, const struct passes *t, struct kx *tiles)
{
	struct kernel *k = s->k;
	k_note(k, "whatever the function says, a tile takes what others leave");
	struct kx *tile = cpu_for(s, "tile", x_i64(1), tiles, 0);
	struct kx *last = cpu_let(s, "last", x_at(s->cuts, x_sub(tile, x_i64(1)))), *cut = x_at(s->cuts, tile);
	k_if(k, x_ne(x_rem(x_mul(tile, x_i64(TILE)), x_mul(t->width, x_i64(2))), x_i64(0)));
	k_set(k, cut, x_min(x_max(cut, last), x_add(last, x_i64(TILE))));
	k_end(k);
	k_end(k);
}

static void merge_tiles(const struct cpu_sort *s, const struct piece *p, const struct passes *t, struct kx *tiles)
{
	struct kernel *k = s->k;
	struct kx *number = cpu_for(s, "tile", x_i64(0), tiles, FOR_PARALLEL);
	struct tile at = open_tile(s, p, t, number);
	struct kx *end = cpu_let(s, "tile_end", x_min(x_add(at.first, x_i64(TILE)), at.hi));
	struct kx *all = x_sub(at.middle, at.lo), *next = x_at(s->cuts, x_add(number, x_i64(1)));
	struct kx *taken = cpu_let(s, "taken", x_at(s->cuts, number));
	struct kx *left = cpu_let(s, "left", x_cond(x_eq(end, at.hi), all, next));
	struct kx *a = x_add(t->from, at.lo), *b = x_add(t->from, at.middle);
	struct runs r = { .a_end = cpu_let(s, "a_end", x_add(a, left)),
	                  .b_end = cpu_let(s, "b_end", x_add(b, x_sub(x_sub(end, at.lo), left))) };
	r.a = cpu_var(s, "a", x_add(a, taken));
	r.b = cpu_var(s, "b", x_add(b, x_sub(x_sub(at.first, at.lo), taken)));
	r.to = cpu_var(s, "place", x_add(t->to, at.first));
	merge(s, &r);
	k_end(k);
}

struct kx *cpu_merge_tiles(const struct cpu_sort *s, const struct piece *p)
{
	struct kernel *k = s->k;
	sort_chunks(s, p);
	struct passes t = passes_start(s, p, x_i64(CHUNK));
	k_note(k, "pairs of runs become one, tile by tile");
	k_while(k, x_lt(t.width, p->n));
	struct kx *tiles = cpu_let(s, "tiles", x_div_up(p->n, x_i64(TILE)));
	find_cuts(s, p, &t, tiles);
	if (s->node->sorting->order == ORDER_LESS)
		make_cuts_rise(s, &t, tiles);
	merge_tiles(s, p, &t, tiles);
	passes_turn(s, &t);
	k_end(k);
	return t.from;
}
