/* sort_radix_pass.c - one pass of a radix sort on a GPU: every cell goes to its place by one digit
 * of its key.  The kernel is radix_pass in radix.kernel.
 *
 * A block draws the number of its tile.  A warp takes neighbouring cells of it, in rows of a cell a
 * lane.
 *   1  Each warp counts its digits in shared memory; a thread a digit adds them up, and publishes
 *      what the tile has.
 *   2  From these the thread knows where in the tile the digit's cells of each warp go.  A warp
 *      takes row by row: the lanes with the same digit (patc_match) are ranked by their bits, from
 *      where the row before has left off.
 *   3  Cells are put in shared memory at their ranks, so that those of a digit lie together.
 *   4  Meanwhile a thread a digit looks back, tile by tile, until one knows what all before it
 *      have: where the digit's cells of this tile go.
 *   5  Neighbouring threads store neighbouring ranks, which are mostly neighbours in the result.
 * What moves along takes steps 3 and 5 by itself, through the same memory.
 *
 * Cells after the last one have the highest digit, and come last in the last tile: nobody looks at
 * its counts.
 *
 * What a tile publishes is a word a digit: the count in 32 bits (sort_gpu.c refuses more cells)
 * and, above, 2 pass + 1, or 2 pass + 2 for one of all tiles up to it.  A lower number is of a pass
 * before: no pass need clear what the last one has left.
 *
 * Costs.  A cell takes some 60 instructions, half of them for 2, so registers must allow blocks
 * enough: on an H200, u32
 * * keys alone, 384 threads of 22 cells in two blocks reach 48 G/s, in one block 30, 256 threads of
 *   16 cells in four blocks 42; a
 * match by shared memory 32, by the instruction of that name 20, by ballots from C 38.  It pays to
 * have large tiles: a digit's run is a 256th of one. */
#include "sort_radix.h"
#include "../block_scan.h"
#include "../state_words.h"

enum {
	BLOCKS = 2,                          /* at a time on a multiprocessor */
	/* of keys, or of what moves along, in a thread's registers: more are spilled; */
	HELD_BYTES = 88,
	MORE_BYTES = 8,                      /* less where more than one thing moves along */
	RANK_BITS = 16
};

struct pass {
	const struct radix *r;
	struct lowering *l;
	struct kx *keys[2], *values[MOST_MOVED][2];      /* the two memories of each */
};

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
	int64_t room = t->unit_shared / BLOCKS < t->shared_bytes ? t->unit_shared / BLOCKS
	                                                         : t->shared_bytes;
	*staged = type_scalar(wide ? T_U64 : T_U32);
	int64_t each = (room - fixed_bytes(t->lanes)) / (RADIX_THREADS * type_size(*staged));
	int64_t held = (HELD_BYTES - (r->n > 1 ? MORE_BYTES : 0)) / type_size(*staged);
	return (int)(each < held ? each : held);
}

/* ---- what the text leaves open ---- */

/* That has the highest digit in every pass; else the key of none (find_digit). */
static struct kx *padding(struct lowering *l, const void *pass, struct kx *const *arg)
{
	const struct pass *p = pass;
	const struct node *node = p->r->s->node;
	(void)arg;
	if (!sort_word_tells(node))
		return lower_zero(p->r->key.type);
	struct kx *ones = x_int(sort_word_type(node)->kind,
	                        (int64_t)(UINT64_MAX >> (64 - sort_word_bits(node))));
	return sort_from_word(l, node, ones);
}

static struct kx *bits(struct lowering *l, const void *none, struct kx *const *x)
{
	(void)l, (void)none;
	return state_bits(x[0]);
}

/* What is staged, as the type it has. */
static struct kx *unstaged(struct lowering *l, const void *type, struct kx *const *staged)
{
	(void)l;
	struct kx *bits = x_cast(kt_scalar(type_size(type) > 4 ? T_U64 : T_U32), staged[0]);
	return state_of_bits(type, bits);
}

/* ---- what moves along ---- */

static void memories(struct lowering *l, const char *name, const struct moved *m, struct kx *to[2])
{
	to[0] = radix_pointer(l, str_print("%s_a", name), m->memory[0]);
	to[1] = radix_pointer(l, str_print("%s_b", name), m->memory[1]);
}

static void load(const struct pass *p, int w)
{
	const struct type *type = p->r->with[w].type;
	k_bind(p->l->k, "VALUE", type);
	k_bind_call(p->l->k, "value_of", unstaged, type);
	k_text(p->l->k, "load_values", p->values[w][0], p->values[w][1], lower_zero(type));
}

/* While the block looks back. */
static struct kx *load_first(struct lowering *l, const void *pass, struct kx *const *arg)
{
	const struct pass *p = pass;
	(void)l, (void)arg;
	if (p->r->n)
		load(p, 0);
	return NULL;
}

static struct kx *store_moved(struct lowering *l, const void *pass, struct kx *const *arg)
{
	const struct pass *p = pass;
	(void)arg;
	for (int w = 0; w < p->r->n; w++) {
		if (w)
			load(p, w);
		k_text(l->k, "store_values", k_get(l->k, "value"), p->values[w][0],
		       p->values[w][1]);
	}
	return NULL;
}

/* ---- the kernel ---- */

void radix_pass(const struct radix *r, struct kx *host_pass)
{
	struct lowering *l = sort_kernel(r->s, "_pass",
	                                 "Moves all cells to their places by one digit.");
	struct pass p = { .r = r, .l = l };
	l->k->block[0] = RADIX_THREADS;
	l->k->min_blocks = BLOCKS;
	k_bind(l->k, "words", radix_words(r, l));
	k_bind(l->k, "pass", lower_argument(l, "pass", kt_scalar(T_I64), host_pass));
	k_bind(l->k, "course", sort_pointer(r->s, l, r->course, true));
	memories(l, "keys", &r->key, p.keys);
	for (int w = 0; w < r->n; w++)
		memories(l, "values", &r->with[w], p.values[w]);
	k_bind(l->k, "keys_a", p.keys[0]);
	k_bind(l->k, "keys_b", p.keys[1]);
	k_bind(l->k, "total", lower_argument(l, "total", kt_scalar(T_I64), r->s->total));
	radix_bind(r, l);
	k_bind(l->k, "THREADS", RADIX_THREADS);
	k_bind(l->k, "WARPS", RADIX_THREADS / l->target->lanes);
	k_bind(l->k, "EACH", r->each);
	k_bind(l->k, "TILE", r->tile);
	k_bind(l->k, "MOVED", r->n > 0);
	k_bind(l->k, "TELLS", sort_word_tells(r->s->node));
	k_bind(l->k, "RANK_BITS", RANK_BITS);
	k_bind(l->k, "RANK_MASK", (1 << RANK_BITS) - 1);
	k_bind(l->k, "STAGED", r->staged);
	k_bind_call(l->k, "padding", padding, &p);
	k_bind_call(l->k, "bits", bits, NULL);
	k_bind_call(l->k, "key_of", unstaged, r->key.type);
	k_bind_call(l->k, "load_first", load_first, &p);
	k_bind_call(l->k, "store_moved", store_moved, &p);
	k_text(l->k, "radix_pass");
	lowering_launch(l, x_div_up(r->s->total, x_i64(r->tile)), x_i64(1), x_i64(1));
}
