/* sort_cpu.c - sorts on a CPU: a stable merge sort in the workspace.
 *
 * A sequence is loaded run by run, RUN cells each, whose keys are put in order as they come (insertion).  Runs are
 * merged in pairs, from one half of the workspace to the other and back, then all is stored.  With a key goes what
 * moves along, if that is one scalar; of more, or of structs, the number of its cell, by which they are fetched at
 * the end.  So 4 + 2 log2(n / RUN) passes over keys, and 3 over each array that is fetched.
 *
 * Threads take parts of the sequences as they come to them: parts are as many as one can be slow without the others
 * waiting.  A sequence of LONG cells or more, of which there may be one, is left to NAME_long (and is all there is to
 * `sort`): there threads sort its chunks, and merge pairs of runs in tiles: where the tile begins in both runs is
 * found by binary search.  What is sorted how depends on lengths only, so the result is the same for every number of
 * threads.
 *
 * See Note [some permutation] in sort.h: a tile ends where the next one begins, and for a function of the program
 * those places are made to rise. */
#include <assert.h>
#include "sort.h"

enum {
	RUN = 16,                            /* cells sorted by insertion */
	CHUNK = 1 << 14,                     /* of a long sequence: its keys fit L2; an even number of doublings from RUN */
	TILE = 1 << 13,                      /* divides CHUNK */
	LONG = 1 << 15,                      /* cells from which on threads share a sequence */
	PARTS = 1024                         /* of the sequences */
};

struct fetched { const struct equation *eq; struct kvar *slot; struct kx *at; };
struct cpu_sort {
	struct plan *plan;
	const struct node *node;
	struct lowering *l;
	struct kernel *k;
	struct kx *host_cells, *host_total;  /* of the running axis, of the array */
	const struct type *with;             /* what goes with a key; NULL: nothing */
	const struct equation *direct;       /* whose value that is; NULL: the number of the cell */
	LIST(struct fetched) fetched;
	struct kvar *key_slot, *with_slot, *cut_slot, *long_slot;
	struct kx *fallen;                   /* host, or NULL */
	/* in a function */
	struct kx *keys, *withs, *total, *cells, *segments, *sequences;
};
/* A sequence, or a part of one: its first cell along the axis, how many, its first place in the workspace. */
struct piece { struct kx *origin, *n, *base; };

static struct kx *let(const struct cpu_sort *s, const char *name, struct kx *x)
{
	return x_var(k_let(s->k, name, x));
}

static struct kx *var(const struct cpu_sort *s, const char *name, struct kx *x)
{
	return x_var(k_var(s->k, kt_scalar(T_I64), name, x));
}

static void bind(const struct cpu_sort *s, struct kx *cell)
{
	const struct var *index = sort_index(s->node);
	lower_bind(s->l, index, let(s, index->name, cell));
}

/* ---- the workspace ---- */

static void choose_with(struct cpu_sort *s)
{
	int others = 0;
	for (int q = 0; q < s->node->equation.n; q++) {
		const struct equation *eq = s->node->equation.at[q];
		if (sort_is_key(s->node, eq))
			continue;
		s->direct = others++ ? NULL : eq;
	}
	if (!others)
		return;
	if (s->direct && s->direct->right->type->kind == T_STRUCT)
		s->direct = NULL;
	s->with = s->direct ? s->direct->right->type : type_scalar(T_I64);
}

static void find_slots(struct cpu_sort *s)
{
	struct lowering *host = host_lowering(s->plan);
	struct kx *rows = sort_rows(host, s->node), *cells = sort_cells(host, s->node);
	struct kx *two[] = { rows, cells, x_i64(2) }, *parts = x_i64(PARTS);
	struct kx *tiles = x_add(x_div_up(cells, x_i64(TILE)), x_i64(1));
	s->key_slot = plan_slot(s->plan, "keys", sort_key_type(s->node), 3, two);
	if (s->with)
		s->with_slot = plan_slot(s->plan, s->direct ? "with" : "places", s->with, 3, two);
	for (int q = 0; q < s->node->equation.n && s->with && !s->direct; q++) {
		struct fetched f = { .eq = s->node->equation.at[q] };
		if (sort_is_key(s->node, f.eq))
			continue;
		f.slot = plan_slot(s->plan, "fetched", f.eq->right->type, 2, two);
		list_add(&s->fetched, f);
	}
	s->cut_slot = plan_slot(s->plan, "cuts", type_scalar(T_I64), 1, &tiles);
	s->long_slot = plan_slot(s->plan, "longs", type_scalar(T_BOOL), 1, &parts);
	s->host_cells = cells;
	s->host_total = plan_let(s->plan, "total", kx_fold(x_mul(rows, cells)));
}

static struct kx *pointer(struct cpu_sort *s, struct kvar *slot)
{
	return lower_argument(s->l, slot->name, kt_pointer(slot->type.type, false), x_var(slot));
}

static void open_function(struct cpu_sort *s, const char *suffix, const char *note)
{
	s->l = lowering_new(s->plan, str_print("%s%s", s->node->name, suffix));
	s->k = s->l->k;
	s->k->note = note;
	lowering_writes(s->l, s->node);
	s->keys = pointer(s, s->key_slot);
	s->withs = s->with ? pointer(s, s->with_slot) : NULL;
	for (int f = 0; f < s->fetched.n; f++)
		s->fetched.at[f].at = pointer(s, s->fetched.at[f].slot);
	s->total = lower_argument(s->l, "total", kt_scalar(T_I64), s->host_total);
	if (s->fallen) {
		struct kx *fallen = lower_argument(s->l, "fallen", kt_pointer(type_scalar(T_I32), true), s->fallen);
		k_if(s->k, x_ne(x_at(fallen, x_i32(0)), x_i32(0)));
		k_return(s->k, NULL);
		k_end(s->k);
	}
}

static void close_function(struct cpu_sort *s)
{
	lowering_launch(s->l, x_i64(1), x_i64(1), x_i64(1));
}

/* A key and what goes with it, from one place of the workspace to another. */
static void copy(const struct cpu_sort *s, struct kx *to, struct kx *from)
{
	k_set(s->k, x_at(s->keys, to), x_at(s->keys, from));
	if (s->with)
		k_set(s->k, x_at(s->withs, to), x_at(s->withs, from));
}

/* ---- runs ---- */

/* The cell i of the piece goes to its place among those of its run before it. */
static void insert(const struct cpu_sort *s, const struct piece *p, struct kx *run, struct kx *i)
{
	struct kernel *k = s->k;
	bind(s, x_add(p->origin, i));
	struct kx *key = let(s, "key", sort_key(s->l, s->node)), *with = NULL;
	if (s->with)
		with = let(s, "with", s->direct ? sort_value(s->l, s->direct) : lower_var(s->l, sort_index(s->node)));
	struct kx *at = var(s, "at", x_add(p->base, i)), *before = x_sub(at, x_i64(1));
	k_while(k, x_and(x_lt(x_add(p->base, run), at), sort_before(s->l, s->node, key, x_at(s->keys, before))));
	copy(s, at, before);
	k_set(k, at, before);
	k_end(k);
	k_set(k, x_at(s->keys, at), key);
	if (with)
		k_set(k, x_at(s->withs, at), with);
}

static void load_runs(const struct cpu_sort *s, const struct piece *p)
{
	struct kernel *k = s->k;
	struct kx *run = x_var(k_for(k, "run", x_i64(0), p->n, x_i64(RUN), 0));
	struct kx *end = let(s, "run_end", x_min(x_add(run, x_i64(RUN)), p->n));
	insert(s, p, run, x_var(k_for(k, "next", run, end, x_i64(1), 0)));
	k_end(k);
	k_end(k);
}

/* ---- merging ---- */

/* Two sorted runs, a .. a_end and b .. b_end, to place `to` and behind it; of equal keys that of a goes first. */
struct runs { struct kx *a, *a_end, *b, *b_end, *to; };

static void merge_rest(const struct cpu_sort *s, const struct runs *r, struct kx *from, struct kx *end)
{
	k_while(s->k, x_lt(from, end));
	copy(s, r->to, from);
	k_set(s->k, from, x_add(from, x_i64(1)));
	k_set(s->k, r->to, x_add(r->to, x_i64(1)));
	k_end(s->k);
}

static void merge(const struct cpu_sort *s, const struct runs *r)
{
	struct kernel *k = s->k;
	k_while(k, x_and(x_lt(r->a, r->a_end), x_lt(r->b, r->b_end)));
	struct kx *key_a = let(s, "key_a", x_at(s->keys, r->a)), *key_b = let(s, "key_b", x_at(s->keys, r->b));
	struct kx *second = let(s, "second", sort_before(s->l, s->node, key_b, key_a));
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

static struct passes passes_start(const struct cpu_sort *s, const struct piece *p, int64_t width)
{
	struct passes t;
	t.from = var(s, "from", p->base);
	t.to = var(s, "to", x_add(p->base, s->total));
	t.width = var(s, "width", x_i64(width));
	return t;
}

static void passes_turn(const struct cpu_sort *s, const struct passes *t)
{
	struct kx *held = let(s, "held", t->from);
	k_set(s->k, t->from, t->to);
	k_set(s->k, t->to, held);
	k_set(s->k, t->width, x_mul(t->width, x_i64(2)));
}

/* Runs of the piece become one, or as long as `until` (an even number of passes: they end where they began). */
static struct passes merge_runs(const struct cpu_sort *s, const struct piece *p, struct kx *until)
{
	struct kernel *k = s->k;
	struct passes t = passes_start(s, p, RUN);
	k_while(k, x_lt(t.width, until));
	struct kx *lo = x_var(k_for(k, "lo", x_i64(0), p->n, x_mul(t.width, x_i64(2)), 0));
	struct kx *middle = let(s, "middle", x_min(x_add(lo, t.width), p->n));
	struct kx *hi = let(s, "hi", x_min(x_add(middle, t.width), p->n));
	struct runs r = { .a_end = let(s, "a_end", x_add(t.from, middle)), .b_end = let(s, "b_end", x_add(t.from, hi)) };
	r.a = var(s, "a", x_add(t.from, lo));
	r.b = var(s, "b", r.a_end);
	r.to = var(s, "place", x_add(t.to, lo));
	merge(s, &r);
	k_end(k);
	passes_turn(s, &t);
	k_end(k);
	return t;
}

/* ---- storing ---- */

static void store_cell(const struct cpu_sort *s, const struct piece *p, struct kx *sorted, struct kx *i)
{
	int f = 0;
	bind(s, x_add(p->origin, i));
	for (int q = 0; q < s->node->equation.n; q++) {
		const struct equation *eq = s->node->equation.at[q];
		struct kx *from = x_add(sorted, i);
		if (sort_is_key(s->node, eq))
			sort_store(s->l, eq, x_at(s->keys, from));
		else if (s->direct)
			sort_store(s->l, eq, x_at(s->withs, from));
		else
			sort_store(s->l, eq, x_at(s->fetched.at[f++].at, x_add(p->base, i)));
	}
}

/* The sorted cells, from place `sorted` on, to their arrays. */
static void store(const struct cpu_sort *s, const struct piece *p, struct kx *sorted, int flags)
{
	struct kernel *k = s->k;
	struct kx *wanted = let(s, "wanted", sort_wanted(s->l, s->node, p->n));
	if (s->fetched.n) {
		struct kx *i = x_var(k_for(k, "next", x_i64(0), wanted, x_i64(1), flags));
		bind(s, x_at(s->withs, x_add(sorted, i)));
		for (int f = 0; f < s->fetched.n; f++)
			k_set(k, x_at(s->fetched.at[f].at, x_add(p->base, i)), sort_value(s->l, s->fetched.at[f].eq));
		k_end(k);
	}
	store_cell(s, p, sorted, x_var(k_for(k, "next", x_i64(0), wanted, x_i64(1), flags)));
	k_end(k);
}

/* ---- sequences by the part ---- */

static void open_parts(struct cpu_sort *s)
{
	s->cells = let(s, "cells", sort_cells(s->l, s->node));
	s->segments = let(s, "segments", sort_segments(s->l, s->node));
	struct kx *rows = sort_rows(s->l, s->node);
	s->sequences = x_is_int(rows, 1) ? s->segments : let(s, "sequences", x_mul(rows, s->segments));
}

/* Opens the loop over the sequences of a part. */
static struct piece open_sequences(struct cpu_sort *s, struct kx *part, struct kx *parts)
{
	struct kernel *k = s->k;
	struct kx *begin = let(s, "begin", x_div(x_mul(part, s->sequences), parts));
	struct kx *behind = let(s, "behind", x_div(x_mul(x_add(part, x_i64(1)), s->sequences), parts));
	struct kx *number = x_var(k_for(k, "sequence", begin, behind, x_i64(1), 0)), *segment = number, *row = NULL;
	struct kx *first, *end;
	if (s->node->index.n > 1) {
		bool whole = s->node->running->segment == SEGMENT_NONE;
		row = whole ? number : let(s, "row_number", x_div(number, s->segments));
		segment = whole ? x_i64(0) : let(s, "segment", x_rem(number, s->segments));
		sort_bind_row(s->l, s->node, row);
	}
	sort_range(s->l, s->node, segment, &first, &end);
	struct piece p = { .origin = first };
	p.n = x_is_int(first, 0) ? end : let(s, "count", x_sub(end, first));
	p.base = row ? let(s, "base", x_add(x_mul(row, s->cells), first)) : first;
	return p;
}

static void sort_short(struct cpu_sort *s)
{
	struct kernel *k;
	open_function(s, "", "Sorts every sequence that is not long.");
	k = s->k;
	struct kx *longs = pointer(s, s->long_slot);
	open_parts(s);
	struct kx *parts = let(s, "parts", x_min(s->sequences, x_i64(PARTS)));
	struct kx *part = x_var(k_for(k, "part", x_i64(0), parts, x_i64(1), FOR_PARALLEL | FOR_DYNAMIC));
	struct kvar *some = k_var(k, kt_scalar(T_BOOL), "some_long", x_int(T_BOOL, 0));
	struct piece p = open_sequences(s, part, parts);
	k_if(k, x_lt(p.n, x_i64(LONG)));
	load_runs(s, &p);
	store(s, &p, merge_runs(s, &p, p.n).from, 0);
	k_else(k);
	k_set(k, x_var(some), x_int(T_BOOL, 1));
	k_end(k);
	k_end(k);
	k_set(k, x_at(longs, part), x_var(some));
	k_end(k);
	close_function(s);
}

/* ---- long sequences ---- */

static void sort_chunks(const struct cpu_sort *s, const struct piece *p)
{
	struct kernel *k = s->k;
	struct kx *chunks = x_div_up(p->n, x_i64(CHUNK));
	struct kx *chunk = x_var(k_for(k, "chunk", x_i64(0), chunks, x_i64(1), FOR_PARALLEL));
	struct kx *skip = let(s, "skip", x_mul(chunk, x_i64(CHUNK)));
	struct piece part = { let(s, "origin", x_add(p->origin, skip)),
	                      let(s, "chunk_cells", x_min(x_sub(p->n, skip), x_i64(CHUNK))),
	                      let(s, "chunk_base", x_add(p->base, skip)) };
	load_runs(s, &part);
	merge_runs(s, &part, x_i64(CHUNK));
	k_end(k);
}

/* A tile of the pair of runs lo .. middle .. hi, its places in the sequence. */
struct tile { struct kx *first, *lo, *middle, *hi; };

static struct tile open_tile(const struct cpu_sort *s, const struct piece *p, const struct passes *t, struct kx *tile)
{
	struct tile at;
	at.first = let(s, "tile_first", x_mul(tile, x_i64(TILE)));
	at.lo = let(s, "lo", x_sub(at.first, x_rem(at.first, x_mul(t->width, x_i64(2)))));
	at.middle = let(s, "middle", x_min(x_add(at.lo, t->width), p->n));
	at.hi = let(s, "hi", x_min(x_add(at.middle, t->width), p->n));
	return at;
}

/* Of the cells before the tile, how many are of the first run: found between those that the second one leaves. */
static void find_cuts(const struct cpu_sort *s, const struct piece *p, const struct passes *t, struct kx *cuts, struct kx *tiles)
{
	struct kernel *k = s->k;
	struct kx *number = x_var(k_for(k, "tile", x_i64(0), tiles, x_i64(1), FOR_PARALLEL));
	struct tile at = open_tile(s, p, t, number);
	struct kx *ahead = let(s, "ahead", x_sub(at.first, at.lo));
	struct kx *low = var(s, "low", x_max(x_sub(ahead, x_sub(at.hi, at.middle)), x_i64(0)));
	struct kx *high = var(s, "high", x_min(ahead, x_sub(at.middle, at.lo)));
	k_while(k, x_lt(low, high));
	struct kx *probe = let(s, "probe", x_div(x_add(low, high), x_i64(2)));
	struct kx *key_a = let(s, "key_a", x_at(s->keys, x_add(x_add(t->from, at.lo), probe)));
	struct kx *other = x_add(x_add(t->from, at.middle), x_sub(x_sub(ahead, x_i64(1)), probe));
	struct kx *key_b = let(s, "key_b", x_at(s->keys, other));
	k_if(k, sort_before(s->l, s->node, key_b, key_a));
	k_set(k, high, probe);
	k_else(k);
	k_set(k, low, x_add(probe, x_i64(1)));
	k_end(k);
	k_end(k);
	k_set(k, x_at(cuts, number), low);
	k_end(k);
}

static void make_cuts_rise(const struct cpu_sort *s, const struct passes *t, struct kx *cuts, struct kx *tiles)
{
	struct kernel *k = s->k;
	k_note(k, "whatever the function says, a tile takes what others leave");
	struct kx *tile = x_var(k_for(k, "tile", x_i64(1), tiles, x_i64(1), 0));
	struct kx *last = let(s, "last", x_at(cuts, x_sub(tile, x_i64(1)))), *cut = x_at(cuts, tile);
	k_if(k, x_ne(x_rem(x_mul(tile, x_i64(TILE)), x_mul(t->width, x_i64(2))), x_i64(0)));
	k_set(k, cut, x_min(x_max(cut, last), x_add(last, x_i64(TILE))));
	k_end(k);
	k_end(k);
}

static void merge_tiles(const struct cpu_sort *s, const struct piece *p, const struct passes *t, struct kx *cuts, struct kx *tiles)
{
	struct kernel *k = s->k;
	struct kx *number = x_var(k_for(k, "tile", x_i64(0), tiles, x_i64(1), FOR_PARALLEL));
	struct tile at = open_tile(s, p, t, number);
	struct kx *end = let(s, "tile_end", x_min(x_add(at.first, x_i64(TILE)), at.hi));
	struct kx *all = x_sub(at.middle, at.lo), *next = x_at(cuts, x_add(number, x_i64(1)));
	struct kx *taken = let(s, "taken", x_at(cuts, number));
	struct kx *left = let(s, "left", x_cond(x_eq(end, at.hi), all, next));
	struct kx *a = x_add(t->from, at.lo), *b = x_add(t->from, at.middle);
	struct runs r = { .a_end = let(s, "a_end", x_add(a, left)),
	                  .b_end = let(s, "b_end", x_add(b, x_sub(x_sub(end, at.lo), left))) };
	r.a = var(s, "a", x_add(a, taken));
	r.b = var(s, "b", x_add(b, x_sub(x_sub(at.first, at.lo), taken)));
	r.to = var(s, "place", x_add(t->to, at.first));
	merge(s, &r);
	k_end(k);
}

/* All threads sort one sequence. */
static void sort_long(const struct cpu_sort *s, const struct piece *p, struct kx *cuts)
{
	struct kernel *k = s->k;
	sort_chunks(s, p);
	struct passes t = passes_start(s, p, CHUNK);
	k_while(k, x_lt(t.width, p->n));
	struct kx *tiles = let(s, "tiles", x_div_up(p->n, x_i64(TILE)));
	find_cuts(s, p, &t, cuts, tiles);
	if (s->node->sorting->order == ORDER_LESS)
		make_cuts_rise(s, &t, cuts, tiles);
	merge_tiles(s, p, &t, cuts, tiles);
	passes_turn(s, &t);
	k_end(k);
	store(s, p, t.from, FOR_PARALLEL);
}

static void sort_longs(struct cpu_sort *s)
{
	struct kernel *k;
	open_function(s, "_long", "Sorts the long sequences one after another, with all threads.");
	k = s->k;
	struct kx *longs = pointer(s, s->long_slot), *cuts = pointer(s, s->cut_slot);
	open_parts(s);
	struct kx *parts = let(s, "parts", x_min(s->sequences, x_i64(PARTS)));
	struct kx *part = x_var(k_for(k, "part", x_i64(0), parts, x_i64(1), 0));
	k_if(k, x_unary(OP_NOT, x_at(longs, part)));
	k_continue(k);
	k_end(k);
	struct piece p = open_sequences(s, part, parts);
	k_if(k, x_le(x_i64(LONG), p.n));
	sort_long(s, &p, cuts);
	k_end(k);
	k_end(k);
	k_end(k);
	close_function(s);
}

static void sort_one(struct cpu_sort *s)
{
	open_function(s, "", "Sorts the array with all threads.");
	struct kx *cuts = pointer(s, s->cut_slot);
	struct piece p = { x_i64(0), let(s, "cells", sort_cells(s->l, s->node)), x_i64(0) };
	sort_long(s, &p, cuts);
	close_function(s);
}

/* `into` has no room for the places: that is recorded, and nothing else is done. */
static void record_too_many(struct cpu_sort *s)
{
	struct lowering *l = lowering_new(s->plan, str_print("%s_full", s->node->name));
	struct kx *status = lower_argument(l, "status", kt_pointer(type_scalar(T_I32), false), plan_status(s->plan));
	l->k->note = "Records that there are more places than the result's type has numbers.";
	k_do(l->k, x_help(kt_scalar(T_I32), "patc_record", 2, (struct kx *[]){ status, x_i32(ST_FULL) }));
	lowering_launch(l, x_i64(1), x_i64(1), x_i64(1));
}

void sort_cpu(struct plan *plan, const struct node *node)
{
	struct cpu_sort *s = NEW(struct cpu_sort);
	struct kernel *host = plan->host;
	struct kx *full = sort_too_many(host_lowering(plan), node);
	*s = (struct cpu_sort){ .plan = plan, .node = node };
	choose_with(s);
	find_slots(s);
	struct kx *some = x_lt(x_i64(0), s->host_total);
	s->fallen = sort_check(plan, node, some);
	if (full) {
		k_if(host, x_and(some, full));
		record_too_many(s);
		k_else(host);
	}
	k_if(host, some);
	if (node->index.n == 1 && node->running->segment == SEGMENT_NONE) {
		sort_one(s);
	} else {
		sort_short(s);
		k_if(host, x_le(x_i64(LONG), s->host_cells));
		sort_longs(s);
		k_end(host);
	}
	k_end(host);
	if (full)
		k_end(host);
}
