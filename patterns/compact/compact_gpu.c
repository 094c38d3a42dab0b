/* compact_gpu.c - compact on a GPU, in one pass: a block takes a tile of neighbouring items, judges them, learns
 * from the tiles before where its places begin (look_back.c), and moves its items there.
 *
 * A warp takes rows of items, a lane `width` neighbours of a row, as bits of a mask.  Counts of the lanes are
 * scanned by shuffles, several rows in the bytes of one word.  So every lane knows the rank of its items in the
 * warp, and leaves at that rank, in the warp's part of shared memory, what they move by; what is rejected stands
 * behind what is kept.  Then neighbouring lanes take neighbouring ranks and store neighbouring cells.
 *
 * Values are held in registers from the load to the shared memory where that can be (compact_held.c).  Else an item
 * leaves its number in the tile, and its values are computed where they are stored, once, whatever the types and
 * expressions; what they read is mostly in L1.
 *
 * `unordered` asks no tile before: compact_deal.c.
 *
 * Cost per item: what the condition reads, once, and about two instructions a bit of the mask. */
#include "../look_back.h"
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

struct kvar *tile_staged(struct tile *t, const struct type *type)
{
	for (int s = 0; s < t->staged.n; s++)
		if (t->staged.at[s]->type.type == type)
			return t->staged.at[s];
	list_add(&t->staged, k_shared(t->it->l->k, type, "staged", t->items));
	return t->staged.at[t->staged.n - 1];
}

static const struct op adds = { .name = "sum", .kind = OPK_SUM, .associative = true, .commutative = true };

/* What tiles tell one another: the number of items of each part; where none is skipped, in order, of those kept. */
static struct total counts_like(const struct tile *t)
{
	static struct kvar keeps = { .name = "keeps" }, rejects = { .name = "rejects" };
	const struct type *i64 = type_scalar(T_I64);
	const struct node *node = t->it->node;
	struct total like = { .begins = NULL };
	like.acc.at[like.acc.n++] = (struct accumulator){ .op = &adds, .of = i64, .type = i64, .var = &keeps };
	if (selection_has(node, PART_REJECTED) && (!t->held.n || node->selection->unordered))
		like.acc.at[like.acc.n++] = (struct accumulator){ .op = &adds, .of = i64, .type = i64, .var = &rejects };
	return like;
}

static struct kx *count_of(const struct total *t, int part)
{
	return x_var(t->acc.at[part].var);
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
	struct ktype mask = kt_scalar(tile_mask(t));
	t->mask[PART_KEPT] = k_var(k, mask, "keep", x_int(mask.type->kind, 0));
	if (selection_has(it->node, PART_REJECTED))
		t->mask[PART_REJECTED] = k_var(k, mask, "reject", x_int(mask.type->kind, 0));
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

static void scan_lanes(const struct tile *t, struct kx *word)
{
	struct kernel *k = t->it->l->k;
	for (int distance = 1; distance < t->it->l->target->lanes; distance *= 2) {
		struct kx *other = x_var(k_let(k, "other", shuffle("up_", word, x_i32(distance))));
		k_if(k, x_le(x_i32(distance), t->lane));
		k_set(k, word, x_add(word, other));
		k_end(k);
	}
}

static struct ranks ranks_of(const struct tile *t, struct kvar *mask)
{
	struct kernel *k = t->it->l->k;
	struct ranks r = { .bits = count_bits(t), .rows = 32 / count_bits(t) };
	int words = (t->rows + r.rows - 1) / r.rows;
	r.before = k_regs(k, type_scalar(T_U32), "before", words);
	r.whole = k_regs(k, type_scalar(T_U32), "whole", words);
	for (int w = 0; w < words; w++) {
		struct kx *sum = row_count(t, mask, w * r.rows);
		for (int i = 1; i < r.rows && w * r.rows + i < t->rows; i++)
			sum = x_op(OP_OR, sum, x_op(OP_SHL, row_count(t, mask, w * r.rows + i), x_i32(i * r.bits)));
		struct kx *own = x_var(k_let(k, "counts", sum));
		struct kx *word = x_var(k_var(k, kt_scalar(T_U32), "scanned", own));
		scan_lanes(t, word);
		k_set(k, x_at(x_var(r.before), x_i32(w)), x_sub(word, own));
		k_set(k, x_at(x_var(r.whole), x_i32(w)), shuffle("", word, x_i32(t->it->l->target->lanes - 1)));
	}
	return r;
}

struct kx *tile_row_rank(const struct ranks *r, struct kvar *words, int row)
{
	struct kx *word = x_at(x_var(words), x_i32(row / r->rows));
	struct kx *bits = x_op(OP_SHR, word, x_i32(row % r->rows * r->bits));
	return x_cast(kt_scalar(T_I32), x_op(OP_AND, bits, x_int(T_U32, (INT64_C(1) << r->bits) - 1)));
}

/* Of all rows of the warp. */
static struct kx *warp_count(const struct tile *t, const struct ranks *r)
{
	struct kx *sum = tile_row_rank(r, r->whole, 0);
	for (int row = 1; row < t->rows; row++)
		sum = x_add(sum, tile_row_rank(r, r->whole, row));
	return sum;
}

/* ---- moving, by numbers ---- */

static struct kvar *numbers(struct tile *t)
{
	return tile_staged(t, type_scalar(T_U16));
}

static void note_numbers(struct tile *t, const struct ranks *r, struct kvar *mask, struct kx *begin)
{
	struct kernel *k = t->it->l->k;
	struct kx *staged = x_var(numbers(t));
	struct kvar *row_begin = k_var(k, kt_scalar(T_I32), "row_begin", begin);
	for (int row = 0; row < t->rows; row++) {
		struct kx *rank = x_add(x_var(row_begin), tile_row_rank(r, r->before, row));
		struct kx *bit = x_op(OP_AND, x_op(OP_SHR, x_var(mask), x_i32(row)), x_int(T_U32, 1));
		k_if(k, x_ne(bit, x_int(T_U32, 0)));
		k_set(k, x_at(staged, rank), x_cast(kt_scalar(T_U16), tile_number(t, x_i32(row))));
		k_end(k);
		if (row + 1 < t->rows)
			k_set(k, x_var(row_begin), x_add(x_var(row_begin), tile_row_rank(r, r->whole, row)));
	}
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

/* Where the items of each part stand in shared memory, how many the warp has, and where they go. */
struct parts { int n; struct ranks rank[PART_COUNT]; struct kx *begin[PART_COUNT], *count[PART_COUNT], *to[PART_COUNT]; };

static struct kx *warp_items(const struct tile *t)
{
	return x_mul(t->warp, x_i32(t->rows * t->width * t->it->l->target->lanes));
}

/* Of the warp, those that there are but are not kept: none is skipped. */
static struct kx *others(const struct tile *t, struct kx *kept)
{
	struct kx *left = x_sub(t->it->count, x_add(t->first, x_to_i64(warp_items(t))));
	struct kx *most = x_i64(t->rows * t->width * t->it->l->target->lanes);
	return x_sub(x_to_i32(x_min(x_max(left, x_i64(0)), most)), kept);
}

static struct parts parts_of(struct tile *t, const struct total *like, struct total *own)
{
	static const char *const name[] = { "keeps", "rejects" };
	struct kernel *k = t->it->l->k;
	struct parts p = { .n = 1 + selection_has(t->it->node, PART_REJECTED) };
	struct kx *begin = warp_items(t);
	*own = *like;
	for (int a = 0; a < p.n; a++) {
		bool ranked = !a || !t->held.n;
		if (ranked)
			p.rank[a] = ranks_of(t, t->mask[a]);
		p.count[a] = x_var(k_let(k, name[a], ranked ? warp_count(t, &p.rank[a]) : others(t, p.count[0])));
		p.begin[a] = x_var(k_let(k, "begin", a ? x_add(begin, p.count[0]) : begin));
		if (a < own->acc.n)
			own->acc.at[a].var = k_let(k, "in_warp", x_to_i64(p.count[a]));
	}
	return p;
}

/* What comes before the warp is known. */
static void find_places(struct tile *t, struct parts *p, const struct total *before)
{
	for (int a = 0; a < p->n; a++)
		p->to[a] = a < before->acc.n ? count_of(before, a)
		         : x_var(k_let(t->it->l->k, "others", x_sub(x_add(t->first, x_to_i64(warp_items(t))), p->to[0])));
}

/* The nth equation of a part; NULL behind the last. */
static const struct equation *nth_of(const struct node *node, enum part part, int nth)
{
	for (int q = 0; q < node->equation.n; q++)
		if (selected_part(node, node->equation.at[q]) == part && nth-- == 0)
			return node->equation.at[q];
	return NULL;
}

static void stage(struct tile *t, const struct parts *p, int nth)
{
	const struct node *node = t->it->node;
	for (int a = 0; a < p->n && !t->held.n; a++)
		note_numbers(t, &p->rank[a], t->mask[a], p->begin[a]);
	if (t->held.n)
		held_stage(t, nth_of(node, PART_KEPT, nth), nth_of(node, PART_REJECTED, nth), &p->rank[0], p->begin);
}

static void move(struct tile *t, const struct parts *p, int nth)
{
	for (int a = 0; a < p->n; a++) {
		if (t->held.n)
			held_move(t, nth_of(t->it->node, (enum part)a, nth), p->begin[a], p->count[a], p->to[a]);
		else
			move_numbers(t, (enum part)a, p->begin[a], p->count[a], p->to[a]);
	}
}

/* The last warp of the last tile knows how many there are. */
static void finish(struct tile *t, struct kx *tile, const struct look_back *b, const struct total *before, const struct total *own)
{
	struct lowering *l = t->it->l;
	struct kernel *k = l->k;
	struct kx *sum[PART_COUNT] = { NULL };
	struct kx *last = x_eq(block_thread(l), x_i32(k->block[0] - l->target->lanes));
	k_if(k, x_and(last, x_eq(x_add(tile, x_i64(1)), b->tiles)));
	for (int a = 0; a < own->acc.n; a++)
		sum[a] = x_var(k_let(k, "all", x_add(count_of(before, a), count_of(own, a))));
	if (!sum[PART_REJECTED])
		sum[PART_REJECTED] = x_sub(t->it->count, sum[PART_KEPT]);
	items_note_outside(t->it);
	items_finish(t->it, sum[PART_KEPT], sum[PART_REJECTED]);
	k_end(k);
}

/* b NULL: in any order */
static void tile_body(struct tile *t, const struct look_back *b, struct kx *tile, const struct total *like)
{
	struct kernel *k = t->it->l->k;
	struct total own;
	t->first = x_var(k_let(k, "first", x_mul(tile, x_i64(t->items))));
	if (t->held.n) {
		held_load(t);
		held_judge(t);
	} else {
		judge_rows(t);
	}
	struct parts p = parts_of(t, like, &own);
	stage(t, &p, 0);
	/* what was staged is seen behind the barriers of these */
	struct total before = b ? look_back(t->it->l, b, tile, &own) : deal_places(t, &own);
	find_places(t, &p, &before);
	move(t, &p, 0);
	for (int nth = 1; t->held.n && nth_of(t->it->node, PART_KEPT, nth); nth++) {
		k_barrier(k);
		stage(t, &p, nth);
		k_barrier(k);
		move(t, &p, nth);
	}
	if (b)
		finish(t, tile, b, &before, &own);
}

static struct kx *tiles_of(struct kx *items, int64_t tile)
{
	return x_max(x_div(x_add(items, x_i64(tile - 1)), x_i64(tile)), x_i64(1));
}

static struct kx *stable_tiles(struct tile *t, const struct total *like, struct kx *tiles)
{
	struct lowering *l = t->it->l;
	struct kx *blocks, *tile, *most = tiles_of(t->it->box->most, t->items);
	struct look_back *b = look_back_open(l, like, tiles, most, &blocks, &tile);
	t->lane = b->lane;
	t->warp = b->warp;
	tile_body(t, b, tile, like);
	look_back_close(l);
	return blocks;
}

static struct kx *unordered_tiles(struct tile *t, const struct total *like, struct kx *tiles)
{
	struct kx *tile;
	deal_open(t, like, tiles, &tile);
	tile_body(t, NULL, tile, like);
	return tiles;
}

void compact_gpu(const struct box *box)
{
	struct tile t = { .it = items_open(box, ""), .rows = ROWS, .width = 1 };
	struct lowering *l = t.it->l;
	bool unordered = box->node->selection->unordered;
	block_launch_bounds(l);
	l->k->note = unordered ? "Moves the items that satisfy the condition, in any order."
	                       : "Moves the items that satisfy the condition, in their order.";
	if (!held_find(&t))
		l->k->min_blocks = 1;            /* left alone, ptxas spills a few bytes to fit one block more */
	t.items = (int64_t)t.rows * t.width * l->k->block[0];
	struct total like = counts_like(&t);
	struct kx *tiles = plan_let(box->plan, "tiles", tiles_of(box->count, t.items));
	struct kx *blocks = (unordered ? unordered_tiles : stable_tiles)(&t, &like, tiles);
	lowering_launch(l, blocks, x_i64(1), x_i64(1));
}
