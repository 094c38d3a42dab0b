/* compact_gpu.c - compact on a GPU, in one pass: a block takes a tile of neighbouring items, judges and counts them
 * and leaves what stays in shared memory; when it has counted its next tile, it learns where the places of this one
 * begin (compact_places.c), and moves the items there.
 *
 * A warp takes rows of items, a lane `width` neighbours of a row, as bits of a mask.  Counts of the lanes are
 * scanned by shuffles, several rows in the bytes of one word.  So every lane knows the rank of its items in the
 * warp, and leaves at that rank, in the warp's part of shared memory, what they move by; what is rejected stands
 * behind what is kept.  Then neighbouring lanes take neighbouring ranks and store neighbouring cells.
 *
 * Values are held in registers from the load to the shared memory where that can be (compact_held.c).  Else an item
 * leaves its number in the tile, and its values are computed where they are stored, once, whatever the types and
 * expressions; what they read is mostly in L1 or L2.
 *
 * Cost per item: what the condition reads, once, and about two instructions a bit of the mask. */
#include "../block_scan.h"
#include "compact_tile.h"

enum { ROWS = 16 };                      /* of a thread that holds no values */

enum scalar tile_mask(const struct tile *t)
{
	return t->rows * t->width > 32 ? T_U64 : T_U32;
}

struct kx *tile_number(const struct tile *t, struct kx *row)
{
	int lanes = t->it->l->target->lanes;
	struct kx *lane = x_add(x_mul(x_add(x_mul(t->warp, x_i32(t->rows)), row), x_i32(lanes)), t->lane);
	return x_mul(lane, x_i32(t->width));
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
		list_add(&t->staged, ((struct staged){ nth, type, k_shared(t->it->l->k, type, "staged", t->items) }));
}

static void open_all_staged(struct tile *t)
{
	const struct equation *eq;
	if (!t->held.n)
		open_staged(t, 0, type_scalar(T_U16));
	for (int a = 0; t->held.n && a < PART_COUNT; a++)
		for (int nth = 0; (eq = tile_nth(t->it->node, (enum part)a, nth)); nth++)
			open_staged(t, nth, eq->right->type);
}

/* ---- judging, without values held ---- */

static void add_bit(struct tile *t, enum part part, struct kvar *is, struct kx *row)
{
	struct kvar *mask = t->mask[part];
	k_set(t->it->l->k, x_var(mask), x_op(OP_OR, x_var(mask), x_op(OP_SHL, x_cast(mask->type, x_var(is)), row)));
}

static void judge_rows(struct tile *t)
{
	struct items *it = t->it;
	struct kernel *k = it->l->k;
	struct kx *row = x_var(k_for(k, "row", x_i32(0), x_i32(t->rows), x_i32(1), FOR_ROLLED));
	struct kx *place = x_var(k_let(k, "place", x_add(t->first, x_to_i64(tile_number(t, row)))));
	k_if(k, x_lt(place, it->count));
	items_bind(it, place);
	items_judge(it, true);
	add_bit(t, PART_KEPT, it->kept, row);
	if (it->rejected)
		add_bit(t, PART_REJECTED, it->rejected, row);
	k_end(k);
	k_end(k);
}

/* ---- ranks ---- */

/* Of a row, counts over all lanes take so many bits; several rows stand in a word of 32. */
static int count_bits(const struct tile *t)
{
	return t->width * t->it->l->target->lanes < 256 ? 8 : 16;
}

static struct kx *row_count(const struct tile *t, struct kvar *mask, int row)
{
	struct kx *bits = x_cast(kt_scalar(T_U32), x_op(OP_SHR, x_var(mask), x_i32(row * t->width)));
	bits = x_op(OP_AND, bits, x_int(T_U32, (INT64_C(1) << t->width) - 1));
	if (t->width == 1)
		return bits;
	return x_cast(kt_scalar(T_U32), x_help(kt_scalar(T_I32), "patc_popcount_u32", 1, &bits));
}

static struct kx *shuffle(const char *how, struct kx *x, struct kx *by)
{
	return x_help(x->type, str_print("patc_shfl_%s%s", how, type_name(x->type.type)), 2, (struct kx *[]){ x, by });
}

void tile_scan_lanes(struct kernel *k, struct kx *word, struct kx *lane, int lanes)
{
	for (int distance = 1; distance < lanes; distance *= 2) {
		struct kx *other = x_var(k_let(k, "other", shuffle("up_", word, x_i32(distance))));
		k_if(k, x_le(x_i32(distance), lane));
		k_set(k, word, x_add(word, other));
		k_end(k);
	}
}

static struct ranks ranks_new(const struct tile *t)
{
	struct kernel *k = t->it->l->k;
	struct ranks r = { .bits = count_bits(t), .rows = 32 / count_bits(t) };
	r.words = (t->rows + r.rows - 1) / r.rows;
	r.before = k_regs(k, type_scalar(T_U32), "before", r.words);
	r.whole = k_regs(k, type_scalar(T_U32), "whole", r.words);
	return r;
}

/* Counts of the rows of a word, side by side. */
static struct kx *packed_counts(const struct tile *t, const struct ranks *r, struct kvar *mask, int word)
{
	struct kx *sum = row_count(t, mask, word * r->rows);
	for (int i = 1; i < r->rows && word * r->rows + i < t->rows; i++)
		sum = x_op(OP_OR, sum, x_op(OP_SHL, row_count(t, mask, word * r->rows + i), x_i32(i * r->bits)));
	return sum;
}

static void find_ranks(const struct tile *t, const struct ranks *r, struct kvar *mask)
{
	struct kernel *k = t->it->l->k;
	int lanes = t->it->l->target->lanes;
	for (int w = 0; w < r->words; w++) {
		struct kx *own = x_var(k_let(k, "counts", packed_counts(t, r, mask, w)));
		struct kx *word = x_var(k_var(k, kt_scalar(T_U32), "scanned", own));
		tile_scan_lanes(k, word, t->lane, lanes);
		k_set(k, x_at(x_var(r->before), x_i32(w)), x_sub(word, own));
		k_set(k, x_at(x_var(r->whole), x_i32(w)), shuffle("", word, x_i32(lanes - 1)));
	}
}

struct kx *tile_row_rank(const struct ranks *r, struct kvar *words, struct kx *row)
{
	struct kx *rows = x_i32(r->rows), *word = x_at(x_var(words), x_div(row, rows));
	struct kx *bits = x_op(OP_SHR, word, x_mul(x_rem(row, rows), x_i32(r->bits)));
	return x_cast(kt_scalar(T_I32), x_op(OP_AND, bits, x_int(T_U32, (INT64_C(1) << r->bits) - 1)));
}

/* Of all rows of the warp. */
static struct kx *warp_count(const struct tile *t, const struct ranks *r)
{
	struct kx *sum = tile_row_rank(r, r->whole, x_i32(0));
	for (int row = 1; row < t->rows; row++)
		sum = x_add(sum, tile_row_rank(r, r->whole, x_i32(row)));
	return sum;
}

/* ---- moving, by numbers ---- */

static struct kvar *numbers(const struct tile *t)
{
	return tile_staged(t, 0, type_scalar(T_U16));
}

static void note_numbers(const struct tile *t, const struct ranks *r, struct kvar *mask, struct kx *begin)
{
	struct kernel *k = t->it->l->k;
	struct kx *staged = x_var(numbers(t));
	struct kvar *row_begin = k_var(k, kt_scalar(T_I32), "row_begin", begin);
	struct kx *row = x_var(k_for(k, "row", x_i32(0), x_i32(t->rows), x_i32(1), FOR_UNROLL));
	struct kx *rank = x_add(x_var(row_begin), tile_row_rank(r, r->before, row));
	struct kx *bit = x_op(OP_AND, x_op(OP_SHR, x_var(mask), row), x_int(T_U32, 1));
	k_if(k, x_ne(bit, x_int(T_U32, 0)));
	k_set(k, x_at(staged, rank), x_cast(kt_scalar(T_U16), tile_number(t, row)));
	k_end(k);
	k_set(k, x_var(row_begin), x_add(x_var(row_begin), tile_row_rank(r, r->whole, row)));
	k_end(k);
}

static void move_numbers(struct tile *t, enum part part, struct kx *begin, struct kx *count, struct kx *to)
{
	struct items *it = t->it;
	struct kernel *k = it->l->k;
	struct kx *rank = x_var(k_for(k, "rank", t->lane, count, x_i32(it->l->target->lanes), 0));
	struct kx *number = x_to_i64(x_at(x_var(numbers(t)), x_add(begin, rank)));
	items_bind(it, x_var(k_let(k, "place", x_add(t->first, number))));
	items_move(it, part, x_var(k_let(k, "at", x_add(to, x_to_i64(rank)))));
	k_end(k);
}

/* ---- a tile ---- */

/* Of each part: ranks in the tile at hand, and how many the warp has of the tile that waits. */
struct parts { int n; struct ranks rank[PART_COUNT]; struct kvar *waits[PART_COUNT]; };

/* Where values are held, no item is skipped: ranks of the ones give those of the others. */
static bool is_ranked(const struct tile *t, int part)
{
	return !part || !t->held.n;
}

static struct kx *warp_items(const struct tile *t)
{
	return x_mul(t->warp, x_i32(t->rows * t->width * t->it->l->target->lanes));
}

/* Of the warp, those that there are but are not kept. */
static struct kx *others(const struct tile *t, struct kx *kept)
{
	struct kx *left = x_sub(t->it->count, x_add(t->first, x_to_i64(warp_items(t))));
	struct kx *most = x_i64(t->rows * t->width * t->it->l->target->lanes);
	return x_sub(x_to_i32(x_min(x_max(left, x_i64(0)), most)), kept);
}

/* Where the items of the tile that waits stand in shared memory. */
static void find_begins(const struct tile *t, const struct parts *p, struct kx **begin)
{
	for (int a = 0; a < p->n; a++) {
		struct kx *from = a ? x_add(begin[0], x_var(p->waits[0])) : warp_items(t);
		begin[a] = x_var(k_let(t->it->l->k, "begin", from));
	}
}

/* Variables of the tile at hand. */
static void open_tile(struct tile *t, struct parts *p)
{
	static const char *const mask[] = { "keep", "reject" };
	struct kernel *k = t->it->l->k;
	struct ktype word = kt_scalar(tile_mask(t));
	if (t->held.n)
		held_open(t);
	for (int a = 0; a < p->n; a++) {
		t->mask[a] = k_var(k, word, mask[a], x_int(word.type->kind, 0));
		if (is_ranked(t, a))
			p->rank[a] = ranks_new(t);
	}
}

static void count_tile(struct tile *t, const struct parts *p)
{
	static const char *const name[] = { "keeps", "rejects" };
	struct kernel *k = t->it->l->k;
	struct kx *count[PART_COUNT];
	if (t->held.n) {
		held_load(t);
		held_judge(t);
	} else {
		judge_rows(t);
	}
	for (int a = 0; a < p->n; a++) {
		if (is_ranked(t, a))
			find_ranks(t, &p->rank[a], t->mask[a]);
		if (a < t->places.parts)
			count[a] = x_var(k_let(k, name[a], is_ranked(t, a) ? warp_count(t, &p->rank[a]) : others(t, count[0])));
	}
	places_count(t->it->l, &t->places, count);
}

/* The tile at hand is the one that waits from now on. */
static void stage_tile(struct tile *t, const struct parts *p, struct kx *tile)
{
	struct kernel *k = t->it->l->k;
	struct kx *begin[PART_COUNT];
	for (int a = 0; a < p->n; a++) {
		bool counted = a < t->places.parts;      /* a register less than where that is kept from then on */
		struct kx *count = counted ? x_to_i32(x_at(x_var(t->places.counts[a]), t->warp)) : others(t, x_var(p->waits[0]));
		k_set(k, x_var(p->waits[a]), count);
	}
	find_begins(t, p, begin);
	if (t->held.n)
		held_stage(t, &p->rank[0], begin);
	for (int a = 0; a < p->n && !t->held.n; a++)
		note_numbers(t, &p->rank[a], t->mask[a], begin[a]);
	places_wait(t->it->l, &t->places, tile);
}

static void move_part(struct tile *t, enum part part, struct kx *begin, struct kx *count, struct kx *to)
{
	if (!t->held.n)
		move_numbers(t, part, begin, count, to);
	for (int nth = 0; t->held.n && tile_nth(t->it->node, part, nth); nth++)
		held_move(t, part, nth, begin, count, to);
}

/* The last warp of the last tile knows how many there are; in any order, whoever finds that all have counted. */
static void finish(struct tile *t, const struct parts *p, struct kx *tile, struct kx *const *to)
{
	struct kernel *k = t->it->l->k;
	struct kx *all[PART_COUNT] = { NULL };
	struct kx *is_last = x_eq(x_add(x_var(t->places.waiting), x_i64(1)), t->places.tiles);
	struct kx *thread = x_eq(block_thread(t->it->l), x_i32(k->block[0] - t->it->l->target->lanes));
	k_if(k, x_and(thread, t->places.any ? x_le(t->places.tiles, tile) : is_last));
	for (int a = 0; a < p->n; a++) {
		bool counted = a < t->places.parts;      /* else what is behind the last item would seem to be rejected */
		struct kx *sum = counted ? x_add(to[a], x_to_i64(x_var(p->waits[a]))) : x_sub(t->it->count, all[PART_KEPT]);
		all[a] = x_var(k_var(k, kt_scalar(T_I64), "all", sum));
	}
	if (t->places.any)
		places_all(t->it->l, &t->places, all);
	items_note_outside(t->it);
	items_finish(t->it, all[PART_KEPT], all[PART_REJECTED]);
	if (t->places.any)
		k_end(k);
	k_end(k);
}

static struct kx *first_of(const struct tile *t, struct kx *tile, const char *name)
{
	return x_var(k_let(t->it->l->k, name, x_mul(tile, x_i64(t->items))));
}

static void move_tile(struct tile *t, const struct parts *p, struct kx *tile)
{
	struct kernel *k = t->it->l->k;
	struct kx *begin[PART_COUNT], *to[PART_COUNT];
	t->first = first_of(t, x_var(t->places.waiting), "from");
	find_begins(t, p, begin);
	for (int a = 0; a < p->n; a++)
		to[a] = x_var(k_let(k, "to", a < t->places.parts ? x_at(x_var(t->places.to[a]), t->warp)
		                           : x_sub(x_add(t->first, x_to_i64(warp_items(t))), to[0])));
	for (int a = 0; a < p->n; a++)
		move_part(t, (enum part)a, begin[a], x_var(p->waits[a]), to[a]);
	finish(t, p, tile, to);
}

/* The loop over the tiles of a block. */
static void take_tiles(struct tile *t, struct parts *p)
{
	struct lowering *l = t->it->l;
	struct kernel *k = l->k;
	for (int a = 0; a < p->n; a++)
		p->waits[a] = k_var(k, kt_scalar(T_I32), a ? "rejects_waiting" : "keeps_waiting", x_i32(0));
	k_while(k, x_int(T_BOOL, 1));
	struct kx *tile = places_draw(l, &t->places), *first = first_of(t, tile, "first");
	t->first = first;
	open_tile(t, p);
	k_if(k, x_lt(tile, t->places.tiles));
	count_tile(t, p);
	k_end(k);
	places_exchange(l, &t->places, tile);
	k_if(k, places_waits(&t->places));
	move_tile(t, p, tile);
	k_barrier(k);
	k_end(k);
	k_if(k, x_le(t->places.tiles, tile));
	k_break(k);
	k_end(k);
	t->first = first;
	stage_tile(t, p, tile);
	k_end(k);
}

static struct kx *tiles_of(struct kx *items, int64_t tile)
{
	return x_max(x_div(x_add(items, x_i64(tile - 1)), x_i64(tile)), x_i64(1));
}

void compact_gpu(const struct box *box)
{
	struct tile t = { .it = items_open(box, ""), .rows = ROWS, .width = 1 };
	struct lowering *l = t.it->l;
	struct parts p = { .n = 1 + selection_has(box->node, PART_REJECTED) };
	bool unordered = box->node->selection->unordered;
	block_launch_bounds(l);
	l->k->note = unordered ? "Moves the items that satisfy the condition, in any order."
	                       : "Moves the items that satisfy the condition, in their order.";
	if (!held_find(&t))
		l->k->min_blocks = 1;            /* left alone, ptxas spills a few bytes to fit one block more */
	t.items = (int64_t)t.rows * t.width * l->k->block[0];
	struct kx *tiles = plan_let(box->plan, "tiles", tiles_of(box->count, t.items));
	t.lane = lane_of(l, &t.warp);
	open_all_staged(&t);
	t.places = (struct places){ .any = unordered, .lanes = l->target->lanes, .lane = t.lane, .warp = t.warp };
	t.places.parts = p.n == 2 && t.held.n && !unordered ? 1 : p.n;
	struct kx *blocks = places_open(l, &t.places, tiles, tiles_of(box->most, t.items));
	take_tiles(&t, &p);
	lowering_launch(l, blocks, x_i64(1), x_i64(1));
}
