/* sort_radix_pass.c - one pass of a radix sort on a GPU: every cell goes to its place by one digit of its key.
 *
 * A block draws the number of its tile.  A warp takes neighbouring cells of it, in rows of a cell a lane.
 *   1  Each warp counts its digits in shared memory; a thread a digit adds them up, and publishes what the tile has.
 *   2  From these the thread knows where in the tile the digit's cells of each warp go.  A warp takes row by row: the
 *      lanes with the same digit (patc_match) are ranked by their bits, from where the row before has left off.
 *   3  Cells are put in shared memory at their ranks, so that those of a digit lie together.
 *   4  Meanwhile a thread a digit looks back, tile by tile, until one knows what all before it have: where the digit's
 *      cells of this tile go.
 *   5  Neighbouring threads store neighbouring ranks, which are mostly neighbours in the result.
 * What moves along takes steps 3 and 5 by itself, through the same memory.
 *
 * Cells behind the last one have the highest digit, and come last in the last tile: nobody looks at its counts.
 *
 * What a tile publishes is a word a digit: the count in 32 bits (sort_gpu.c refuses more cells) and, above, 2 pass + 1, or
 * 2 pass + 2 for one of all tiles up to it.  A lower number is of a pass before: no pass need clear what the last one has
 * left.
 *
 * Costs.  A cell takes some 60 instructions, half of them for 2, so registers must allow blocks enough: on an H200, u32
 * * keys alone, 384 threads of 22 cells in two blocks reach 48 G/s, in one block 30, 256 threads of 16 cells in four blocks 42; a
 * match by shared memory 32, by the instruction of that name 20, by ballots from C 38.  It pays to have large tiles: a digit's
 * run is a 256th of one. */
#include "sort_radix.h"
#include "../block_scan.h"
#include "../state_words.h"

enum {
	BLOCKS = 2,                          /* at a time on a multiprocessor */
	HELD_BYTES = 88,                     /* of keys, or of what moves along, in a thread's registers: more are spilled; */
	MORE_BYTES = 8,                      /* less where more than one thing moves along */
	RANK_BITS = 16
};

struct pass {
	const struct radix *r;
	struct lowering *l;
	struct kx *words, *number, *shift;   /* the pass: i64; i32 */
	struct kx *known;                    /* its mark on what tiles publish, u32 */
	struct kx *second;                   /* bool: it finds the cells in the second memory */
	struct kx *thread, *lane, *warp;
	struct kx *tile, *left, *count;      /* i64; cells of the tile, i32: from this thread's first on; all */
	struct kx *mine;                     /* this thread's first cell, in the tile */
	struct kvar *counts, *base, *part, *staged, *drawn;      /* of the block */
	struct kvar *key;                    /* registers */
	struct kvar *placed;                 /* likewise: the rank of what is staged, with RANK_BITS, and ... */
                                             /* ... above the digit of what is stored */
};

static struct kx *var(struct lowering *l, const char *name, struct kx *x)
{
	return x_var(k_var(l->k, x->type, name, x));
}

static struct kx *as_u32(struct kx *x)
{
	return x_cast(kt_scalar(T_U32), x);
}

/* ---- the shape of a tile ---- */

static int64_t fixed_bytes(int lanes)
{
	return (int64_t)RADIX_THREADS / lanes * DIGITS * 4 + DIGITS * 4 + 128;
}

int radix_each(const struct radix *r, const struct target *t, const struct type **staged)
{
	bool wide = type_size(r->key.type) > 4;
	for (int w = 0; w < r->n; w++)
		wide |= type_size(r->with[w].type) > 4;
	int64_t room = t->unit_shared / BLOCKS < t->shared_bytes ? t->unit_shared / BLOCKS : t->shared_bytes;
	*staged = type_scalar(wide ? T_U64 : T_U32);
	int64_t each = (room - fixed_bytes(t->lanes)) / (RADIX_THREADS * type_size(*staged));
	int64_t held = (HELD_BYTES - (r->n > 1 ? MORE_BYTES : 0)) / type_size(*staged);
	return (int)(each < held ? each : held);
}

static struct kx *open_each(const struct pass *p)
{
	return x_var(k_for(p->l->k, "e", x_i32(0), x_i32(p->r->each), x_i32(1), FOR_UNROLL));
}

static struct kx *reg(struct kvar *of, struct kx *e)
{
	return x_at(x_var(of), e);
}

/* ---- loading ---- */

/* Of a thread's cells the e-th is so far behind the first. */
static struct kx *row_of(const struct pass *p, struct kx *e)
{
	return x_mul(e, x_i32(p->l->target->lanes));
}

/* That has the highest digit in every pass; else the key of none (digit_of). */
static struct kx *padding(const struct pass *p)
{
	const struct node *node = p->r->s->node;
	if (!sort_word_tells(node))
		return lower_zero(p->r->key.type);
	struct kx *ones = x_int(sort_word_type(node)->kind, (int64_t)(UINT64_MAX >> (64 - sort_word_bits(node))));
	return sort_from_word(p->l, node, ones);
}

/* The two memories of what moves, as parameters.  Which is which in this pass is found where they are used: pointers held
 * for long cost registers. */
struct memories { struct kx *a, *b; };

static struct memories memories(const struct pass *p, const char *name, const struct moved *m)
{
	struct kx *a = radix_pointer(p->l, str_print("%s_a", name), m->memory[0]);
	return (struct memories){ a, radix_pointer(p->l, str_print("%s_b", name), m->memory[1]) };
}

static void load_cells(const struct pass *p, struct kvar *to, const struct memories *m, struct kx *pad)
{
	struct kernel *k = p->l->k;
	struct kx *from = let(p->l, "from", x_cond(p->second, m->b, m->a));
	struct kx *first = x_add(x_mul(p->tile, x_i64(p->r->tile)), x_to_i64(p->mine));
	struct kx *cells = let(p->l, "cells", x_offset(from, first)), *e = open_each(p);
	k_set(k, reg(to, e), pad);
	k_if(k, x_lt(row_of(p, e), p->left));
	k_set(k, reg(to, e), x_at(cells, row_of(p, e)));
	k_end(k);
	k_end(k);
}

/* Of a key in a register, or of one staged: that is one of the tile. */
static struct kx *digit_of(const struct pass *p, struct kx *key)
{
	struct kx *word = sort_word(p->l, p->r->s->node, key);
	return radix_digit(p->r, word, p->shift);
}

static struct kx *digit_at(const struct pass *p, struct kx *e)
{
	struct kx *digit = digit_of(p, let(p->l, "own", reg(p->key, e)));
	if (!sort_word_tells(p->r->s->node))
		digit = x_cond(x_lt(row_of(p, e), p->left), digit, x_i32(DIGITS - 1));
	return let(p->l, "digit", digit);
}

/* ---- counting ---- */

static struct kx *count_at(struct kx *warp, struct kx *digit)
{
	return x_add(x_mul(warp, x_i32(DIGITS)), digit);
}

static void clear_counts(const struct pass *p)
{
	struct kernel *k = p->l->k;
	struct kx *d = x_var(k_for(k, "d", p->lane, x_i32(DIGITS), x_i32(p->l->target->lanes), FOR_UNROLL));
	k_set(k, x_at(x_var(p->counts), count_at(p->warp, d)), x_i32(0));
	k_end(k);
}

static void count_keys(const struct pass *p)
{
	struct kernel *k = p->l->k;
	struct kx *e = open_each(p);
	struct kx *at = x_offset(x_var(p->counts), count_at(p->warp, digit_at(p, e)));
	k_do(k, x_help(kt_scalar(T_I32), "patc_count", 1, &at));
	k_end(k);
}

static struct kx *open_warps(const struct pass *p)
{
	int warps = RADIX_THREADS / p->l->target->lanes;
	return x_var(k_for(p->l->k, "w", x_i32(0), x_i32(warps), x_i32(1), FOR_UNROLL));
}

/* In a thread a digit. */
static struct kx *add_warps(const struct pass *p)
{
	struct kernel *k = p->l->k;
	struct kx *sum = var(p->l, "sum", x_i32(0)), *w = open_warps(p);
	k_set(k, sum, x_add(sum, x_at(x_var(p->counts), count_at(w, p->thread))));
	k_end(k);
	return sum;
}

/* ---- what tiles publish ---- */

static struct kx *place_of(const struct pass *p, struct kx *tile)
{
	return x_offset(p->words, x_add(radix_tile(p->r, tile), x_to_i64(p->thread)));
}

/* What a word has above its count, u32; of all tiles up to one: 1 more. */
static struct kx *known(const struct pass *p, int more)
{
	return x_add(p->known, x_int(T_U32, more));
}

static void publish(const struct pass *p, struct kx *count, int more)
{
	struct kx *arg[] = { place_of(p, p->tile), count, known(p, more) };
	k_do(p->l->k, x_help(kt_scalar(T_I32), "patc_state_store", 3, arg));
}

/* What all tiles before have of the thread's digit, u32. */
static struct kx *look_back_digit(const struct pass *p)
{
	struct kernel *k = p->l->k;
	struct kx *before = var(p->l, "before", x_int(T_U32, 0)), *at = var(p->l, "at", x_sub(p->tile, x_i64(1)));
	k_while(k, x_le(x_i64(0), at));
	struct kx *word = let(p->l, "word", state_load(place_of(p, at))), *is = let(p->l, "is", state_known(word));
	k_if(k, x_le(known(p, 0), is));
	k_set(k, before, x_add(before, x_cast(before->type, word)));
	k_set(k, at, x_cond(x_eq(is, known(p, 1)), x_i64(-1), x_sub(at, x_i64(1))));
	k_end(k);
	k_end(k);
	return before;
}

/* ---- ranks ---- */

/* Counts become where in the tile the digit's cells of each warp begin. */
static void spread(const struct pass *p, struct kx *start)
{
	struct kernel *k = p->l->k;
	struct kx *next = var(p->l, "next", start), *w = open_warps(p);
	struct kx *place = x_at(x_var(p->counts), count_at(w, p->thread)), *held = let(p->l, "held", place);
	k_set(k, place, next);
	k_set(k, next, x_add(next, held));
	k_end(k);
}

static struct kx *bits_in(struct kx *mask)
{
	const char *name = str_print("patc_popcount_%s", type_name(mask->type.type));
	return x_cast(kt_scalar(T_I32), x_help(kt_scalar(T_I32), name, 1, &mask));
}

static void warp_sync(const struct pass *p)
{
	k_do(p->l->k, x_help(kt_scalar(T_I32), "patc_warp_sync", 0, NULL));
}

static void stage(const struct pass *p, struct kx *rank, struct kx *x)
{
	k_set(p->l->k, x_at(x_var(p->staged), rank), x_cast(kt(p->r->staged), state_bits(x)));
}

static struct kx *unstage(const struct pass *p, const struct type *type, struct kx *rank)
{
	struct kx *bits = x_at(x_var(p->staged), rank);
	return let(p->l, "moved", state_of_bits(type, x_cast(kt_scalar(type_size(type) > 4 ? T_U64 : T_U32), bits)));
}

/* Row by row, keys are staged at their ranks. */
static void rank_keys(const struct pass *p)
{
	struct kernel *k = p->l->k;
	struct kx *before_lane = let(p->l, "lanes_before", lanes_before(p->l, p->lane, 0));
	struct kx *e = open_each(p), *digit = digit_at(p, e);
	struct kx *match = x_cast(before_lane->type, x_help(kt_scalar(T_U64), "patc_match", 1, &digit));
	struct kx *same = let(p->l, "same", match), *place = x_at(x_var(p->counts), count_at(p->warp, digit));
	struct kx *before = let(p->l, "before", bits_in(x_op(OP_AND, same, before_lane)));
	struct kx *first = let(p->l, "first", place);
	warp_sync(p);
	k_if(k, x_eq(before, x_i32(0)));
	k_set(k, place, x_add(first, bits_in(same)));
	k_end(k);
	warp_sync(p);
	struct kx *rank = let(p->l, "place", x_add(first, before));
	if (p->placed)
		k_set(k, reg(p->placed, e), rank);
	stage(p, rank, reg(p->key, e));
	k_end(k);
}

static void stage_values(const struct pass *p, struct kvar *value)
{
	struct kernel *k = p->l->k;
	k_barrier(k);
	struct kx *e = open_each(p);
	struct kx *rank = x_op(OP_AND, reg(p->placed, e), x_i32((1 << RANK_BITS) - 1));
	stage(p, rank, reg(value, e));
	k_end(k);
	k_barrier(k);
}

/* ---- storing ---- */

static struct kx *stored_to(const struct pass *p, const struct memories *m)
{
	return let(p->l, "to", x_cond(p->second, m->a, m->b));
}

/* Opens the loop over what a thread stores. */
static struct kx *open_stores(const struct pass *p, struct kx **rank)
{
	struct kx *e = open_each(p);
	*rank = let(p->l, "rank", x_add(x_mul(e, x_i32(RADIX_THREADS)), p->thread));
	k_if(p->l->k, x_lt(*rank, p->count));
	return e;
}

static void store_at(const struct pass *p, struct kx *to, struct kx *digit, struct kx *rank, struct kx *moved)
{
	struct kx *at = x_add(x_at(x_var(p->base), digit), as_u32(rank));
	k_set(p->l->k, x_at(to, x_cast(kt_scalar(T_I64), at)), moved);
	k_end(p->l->k);
	k_end(p->l->k);
}

static void store_keys(const struct pass *p, const struct memories *m)
{
	struct kx *to = stored_to(p, m), *rank, *e = open_stores(p, &rank), *key = unstage(p, p->r->key.type, rank);
	struct kx *digit = let(p->l, "digit", digit_of(p, key));
	if (p->placed)
		k_set(p->l->k, reg(p->placed, e), x_op(OP_OR, reg(p->placed, e), x_op(OP_SHL, digit, x_i32(RANK_BITS))));
	store_at(p, to, digit, rank, key);
}

static void store_values(const struct pass *p, const struct type *type, const struct memories *m)
{
	struct kx *to = stored_to(p, m), *rank, *e = open_stores(p, &rank), *value = unstage(p, type, rank);
	store_at(p, to, x_op(OP_SHR, reg(p->placed, e), x_i32(RANK_BITS)), rank, value);
}

/* ---- the kernel ---- */

/* Is its digit the same in all keys?  Gives bool: cells are in the second memory. */
static struct kx *follow_course(const struct pass *p)
{
	struct kernel *k = p->l->k;
	struct kx *course = let(p->l, "this_course", radix_course(p->r, p->l, p->number));
	k_if(k, x_le(x_i32(2), course));
	k_return(k, NULL);
	k_end(k);
	return let(p->l, "second", x_eq(course, x_i32(1)));
}

static void open_memory(struct pass *p)
{
	struct kernel *k = p->l->k;
	int lanes = p->l->target->lanes;
	p->counts = k_shared(k, type_scalar(T_I32), "counts", (int64_t)RADIX_THREADS / lanes * DIGITS);
	p->base = k_shared(k, type_scalar(T_U32), "base", DIGITS);
	p->part = k_shared(k, type_scalar(T_I32), "part", DIGITS / lanes);
	p->staged = k_shared(k, p->r->staged, "staged", p->r->tile);
	p->drawn = k_shared(k, type_scalar(T_I64), "drawn", 1);
	p->key = k_regs(k, p->r->key.type, "key", p->r->each);
	if (p->r->n)
		p->placed = k_regs(k, type_scalar(T_I32), "placed", p->r->each);
}

static void draw(struct pass *p)
{
	struct kernel *k = p->l->k;
	struct kx *total = lower_argument(p->l, "total", kt_scalar(T_I64), p->r->s->total);
	struct kx *place = x_at(x_var(p->drawn), x_i32(0)), *ticket = x_offset(p->words, radix_ticket(p->r, p->number));
	k_if(k, x_eq(p->thread, x_i32(0)));
	k_set(k, place, x_help(kt_scalar(T_I64), "patc_draw", 1, &ticket));
	k_end(k);
	clear_counts(p);
	k_barrier(k);
	p->tile = let(p->l, "tile", place);
	struct kx *rest = x_sub(total, x_mul(p->tile, x_i64(p->r->tile)));
	p->count = let(p->l, "count", x_to_i32(x_min(rest, x_i64(p->r->tile))));
	p->mine = let(p->l, "mine", x_add(x_mul(p->warp, x_i32(p->r->each * p->l->target->lanes)), p->lane));
	p->left = let(p->l, "left", x_sub(p->count, p->mine));
}

static struct kx *is_digit(const struct pass *p)
{
	return x_lt(p->thread, x_i32(DIGITS));
}

/* Variables of the thread of a digit, else 0: the tile's cells that have it; those of a lower one. */
struct digit { struct kx *count, *start; };

static struct digit count_tile(const struct pass *p)
{
	struct kernel *k = p->l->k;
	int last = p->l->target->lanes - 1;
	struct digit d = { var(p->l, "cells_of", x_i32(0)), var(p->l, "start", x_i32(0)) };
	count_keys(p);
	k_barrier(k);
	k_if(k, is_digit(p));
	k_set(k, d.count, add_warps(p));
	publish(p, as_u32(d.count), 0);
	struct kx *up_to = var(p->l, "up_to", d.count);
	lanes_sum(p->l, up_to, p->lane);
	k_set(k, d.start, x_sub(up_to, d.count));
	k_if(k, x_eq(p->lane, x_i32(last)));
	k_set(k, x_at(x_var(p->part), p->warp), up_to);
	k_end(k);
	k_end(k);
	k_barrier(k);
	return d;
}

static void find_starts(const struct pass *p, const struct digit *d)
{
	struct kernel *k = p->l->k;
	k_if(k, is_digit(p));
	struct kx *w = x_var(k_for(k, "w", x_i32(0), p->warp, x_i32(1), FOR_ROLLED));
	k_set(k, d->start, x_add(d->start, x_at(x_var(p->part), w)));
	k_end(k);
	spread(p, d->start);
	k_end(k);
	k_barrier(k);
}

static void find_bases(const struct pass *p, const struct digit *d)
{
	struct kernel *k = p->l->k;
	k_if(k, is_digit(p));
	k_note(k, "look back: what comes before this tile");
	struct kx *before = look_back_digit(p);
	publish(p, x_add(before, as_u32(d->count)), 1);
	struct kx *lower = x_at(p->words, x_add(radix_digits(p->number), x_to_i64(p->thread)));
	struct kx *begin = x_add(as_u32(lower), before);
	k_set(k, x_at(x_var(p->base), p->thread), x_sub(begin, as_u32(d->start)));
	k_end(k);
	k_barrier(k);
}

static struct kvar *load_values(const struct pass *p, int w, const struct memories *m)
{
	const struct type *type = p->r->with[w].type;
	struct kvar *value = k_regs(p->l->k, type, "value", p->r->each);
	load_cells(p, value, m, lower_zero(type));
	return value;
}

/* What moves along first is loaded while the block looks back. */
static void take_tile(const struct pass *p, const struct memories *keys, const struct memories *values)
{
	load_cells(p, p->key, keys, padding(p));
	struct digit d = count_tile(p);
	find_starts(p, &d);
	rank_keys(p);
	struct kvar *value = p->r->n ? load_values(p, 0, &values[0]) : NULL;
	find_bases(p, &d);
	store_keys(p, keys);
	for (int w = 0; w < p->r->n; w++) {
		if (w)
			value = load_values(p, w, &values[w]);
		stage_values(p, value);
		store_values(p, p->r->with[w].type, &values[w]);
	}
}

void radix_pass(const struct radix *r, struct kx *host_pass)
{
	struct lowering *l = sort_kernel(r->s, "_pass", "Moves all cells to their places by one digit.");
	struct pass p = { .r = r, .l = l, .words = radix_words(r, l) };
	struct memories keys, values[MOST_MOVED];
	l->k->block[0] = RADIX_THREADS;
	l->k->min_blocks = BLOCKS;
	p.number = lower_argument(l, "pass", kt_scalar(T_I64), host_pass);
	p.second = follow_course(&p);
	keys = memories(&p, "keys", &r->key);
	for (int w = 0; w < r->n; w++)
		values[w] = memories(&p, "values", &r->with[w]);
	p.known = let(l, "known", as_u32(x_add(x_mul(p.number, x_i64(2)), x_i64(1))));
	p.shift = let(l, "shift", x_to_i32(x_mul(p.number, x_i64(DIGIT_BITS))));
	p.thread = let(l, "thread", block_thread(l));
	p.lane = lane_of(l, &p.warp);
	open_memory(&p);
	draw(&p);
	take_tile(&p, &keys, values);
	lowering_launch(l, x_div_up(r->s->total, x_i64(r->tile)), x_i64(1), x_i64(1));
}
