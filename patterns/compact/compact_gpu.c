/* compact_gpu.c - compact on a GPU, in one pass: a block takes a tile of neighbouring items, judges
 * and counts them and leaves what stays in shared memory; when it has counted its next tile, it
 * learns where the places of this one begin (compact_places.c), and moves the items there.
 *
 * A warp takes rows of items, a lane `width` neighbours of a row, as bits of a mask.  Counts of the
 * lanes are scanned by shuffles, several rows in the bytes of one word.  So every lane knows the
 * rank of its items in the warp, and leaves at that rank, in the warp's part of shared memory, what
 * they move by; what is rejected comes after what is kept.  Then neighbouring lanes take
 * neighbouring ranks and store neighbouring cells.
 *
 * Values are held in registers from the load to the shared memory where that can be
 * (compact_held.c).  Else an item leaves its number in the tile, and its values are computed where
 * they are stored, once, whatever the types and expressions; what they read is mostly in L1 or L2.
 *
 * Cost per item: what the condition reads, once, and about two instructions a bit of the mask. */
#include "compact_tile.h"

enum { MOST_LISTED = 8 };

static enum scalar tile_mask(const struct tile *t)
{
	return t->rows * t->width > 32 ? T_U64 : T_U32;
}

const struct equation *tile_nth(const struct node *node, enum part part, int nth)
{
	for (int q = 0; q < node->equation.n; q++)
		if (selected_part(node, node->equation.at[q]) == part && nth-- == 0)
			return node->equation.at[q];
	return NULL;
}

struct kvar *tile_staged(const struct tile *t, int nth, const struct type *type)
{
	for (int s = 0; s < t->staged.n; s++)
		if (t->staged.at[s].nth == nth && t->staged.at[s].type == type)
			return t->staged.at[s].memory;
	return NULL;
}

static void open_staged(struct tile *t, int nth, const struct type *type)
{
	if (!tile_staged(t, nth, type))
		list_add(&t->staged,
		         ((struct staged){ nth, type,
		                           k_shared(t->it->l->k, type, "staged", t->items) }));
}

/* By the text, after what it declares first. */
static struct kx *open_all_staged(struct lowering *l, const void *tile, struct kx *const *none)
{
	struct tile *t = (struct tile *)tile;
	const struct equation *eq;
	if (!t->held.n)
		open_staged(t, 0, type_scalar(T_U16));
	for (int a = 0; t->held.n && a < PART_COUNT; a++)
		for (int nth = 0; (eq = tile_nth(t->it->node, (enum part)a, nth)); nth++)
			open_staged(t, nth, eq->right->type);
	if (!t->held.n)
		k_bind(l->k, "staged", tile_staged(t, 0, type_scalar(T_U16)));
	(void)none;
	return NULL;
}

/* ---- the functions of compact.kernel ---- */

static struct kx *judge(struct lowering *l, const void *tile, struct kx *const *place)
{
	const struct tile *t = tile;
	(void)l;
	items_bind(t->it, place[0]);
	items_judge(t->it, true);
	return NULL;
}

static struct kx *is_of_part(struct lowering *l, const void *tile, struct kx *const *none)
{
	const struct items *it = ((const struct tile *)tile)->it;
	(void)none;
	return x_var(l->k->each == PART_KEPT ? it->kept : it->rejected);
}

static struct kx *bind_place(struct lowering *l, const void *tile, struct kx *const *place)
{
	(void)l;
	items_bind(((const struct tile *)tile)->it, place[0]);
	return NULL;
}

static struct kx *move(struct lowering *l, const void *tile, struct kx *const *at)
{
	items_move(((const struct tile *)tile)->it, (enum part)l->k->each, at[0]);
	return NULL;
}

static struct kx *ticket(struct lowering *l, const void *none, struct kx *const *arg)
{
	(void)none, (void)arg;
	struct kx *host = x_var(plan_ticket(l->plan, 0, NULL));
	return lower_argument(l, "ticket", kt_pointer(type_scalar(T_U32), false), host);
}

static struct kx *done(struct lowering *l, const void *tile, struct kx *const *all)
{
	const struct tile *t = tile;
	(void)l;
	items_note_outside(t->it);
	items_finish(t->it, all[PART_KEPT], all[PART_REJECTED]);
	return NULL;
}

/* ---- ranks ---- */

/* Of a row, counts over all lanes take so many bits; several rows share a word of 32. */
static int count_bits(const struct tile *t)
{
	return t->width * t->it->l->target->lanes < 256 ? 8 : 16;
}

static struct kx *row_count(const struct tile *t, struct kx *mask, int row)
{
	struct kx *bits = x_cast(kt_scalar(T_U32), x_op(OP_SHR, mask, x_i32(row * t->width)));
	bits = x_op(OP_AND, bits, x_int(T_U32, (INT64_C(1) << t->width) - 1));
	if (t->width == 1)
		return bits;
	return x_cast(kt_scalar(T_U32), x_help(kt_scalar(T_I32), "patc_popcount_u32", 1, &bits));
}

/* Counts of the rows of a word, side by side. */
static struct kx *packed_counts(struct lowering *l, const void *tile, struct kx *const *arg)
{
	const struct tile *t = tile;
	int bits = count_bits(t), rows = 32 / bits, first = (int)arg[1]->i * rows;
	struct kx *sum = row_count(t, arg[0], first);
	(void)l;
	for (int i = 1; i < rows && first + i < t->rows; i++)
		sum = x_op(OP_OR, sum,
		           x_op(OP_SHL, row_count(t, arg[0], first + i), x_i32(i * bits)));
	return sum;
}

/* Of all rows of the warp. */
static struct kx *warp_count(struct lowering *l, const void *tile, struct kx *const *whole)
{
	struct kx *sum = NULL;
	for (int row = 0; row < ((const struct tile *)tile)->rows; row++) {
		struct kx *count = k_value(l->k, "row_rank", whole[0], x_i32(row));
		sum = sum ? x_add(sum, count) : count;
	}
	return sum;
}

/* ---- the kernel ---- */

static void bind_steps(struct kernel *k, const char *name, int lanes)
{
	struct kx *step[MOST_LISTED];
	int n = 0;
	for (int by = 1; by < lanes; by *= 2)
		step[n++] = x_int(T_INT_LIT, by);
	bind_values(k, name, n, step);
}

static void bind_count(struct kernel *k, const char *name, int n)
{
	struct kx *number[64];
	for (int i = 0; i < n; i++)
		number[i] = x_int(T_INT_LIT, i);
	bind_values(k, name, n, number);
}

static void bind_words_of_parts(struct kernel *k)
{
	bind_words(k, "warp_counts", 2, (const char *const[]){ "kept_of", "rejected_of" });
	bind_words(k, "warp_to", 2, (const char *const[]){ "kept_to", "rejected_to" });
	bind_words(k, "mask", 2, (const char *const[]){ "keep", "reject" });
	bind_words(k, "count", 2, (const char *const[]){ "keeps", "rejects" });
	bind_words(k, "waits", 2, (const char *const[]){ "keeps_waiting", "rejects_waiting" });
}

static void bind_tile(struct tile *t)
{
	struct kernel *k = t->it->l->k;
	int lanes = k->target->lanes, warps = k->block[0] / lanes, bits = count_bits(t),
	    rows = 32 / bits;
	int words = (t->rows + rows - 1) / rows;
	k_numbers(k, "BLOCK, WARPS, ROWS, WIDTH", k->block[0], warps, t->rows, t->width);
	k_numbers(k, "TILE, PARTS", t->items, t->counted);
	k_numbers(k, "WORDS, WORD_ROWS, BITS, WORD_BITS", words, rows, bits,
	          tile_mask(t) == T_U64 ? 64 : 32);
	k_bind(k, "ANY", t->any);
	k_bind(k, "HELD", t->held.n > 0);
	k_bind(k, "REJECTS", t->parts == PART_COUNT);
	k_bind(k, "WORD", type_scalar(tile_mask(t)));
	k_bind(k, "items", t->it->count);
	bind_count(k, "PART", t->parts);
	bind_count(k, "COUNTED", t->counted);
	bind_count(k, "RANK_WORD", words);
	bind_steps(k, "LANE_STEP", lanes);
	bind_steps(k, "WARP_STEP", warps);
	bind_words_of_parts(k);
	k_bind_calls(k, t, { "open_staged", open_all_staged }, { "judge", judge },
	             { "is_of_part", is_of_part }, { "move", move }, { "bind_place", bind_place },
	             { "ticket", ticket }, { "done", done }, { "packed_counts", packed_counts },
	             { "warp_count", warp_count });
	held_bind(t);
}

static struct kx *tiles_of(struct kx *items, int64_t tile)
{
	return x_max(x_div(x_add(items, x_i64(tile - 1)), x_i64(tile)), x_i64(1));
}

void compact_tiles(struct tile *t)
{
	const struct box *box = t->box;
	t->it = items_open(box, "");
	struct lowering *l = t->it->l;
	t->any = box->node->selection->unordered;
	block_launch_bounds(l);
	l->k->note = t->any ? "Moves the items that satisfy the condition, in any order."
	                    : "Moves the items that satisfy the condition, in their order.";
	if (t->held.n)
		held_bound(t);
	else
		/* left alone, ptxas spills a few bytes to fit one block more */
		l->k->min_blocks = 1;
	t->items = (int64_t)t->rows * t->width * l->k->block[0];
	t->parts = 1 + selection_has(box->node, PART_REJECTED);
	t->counted = t->parts == 2 && t->held.n && !t->any ? 1 : t->parts;
	struct kx *tiles = plan_let(box->plan, "tiles", tiles_of(box->count, t->items));
	struct kx *blocks = places_open(t, tiles, tiles_of(box->most, t->items));
	bind_tile(t);
	k_text(l->k, "compact");
	lowering_launch(l, blocks, x_i64(1), x_i64(1));
}
