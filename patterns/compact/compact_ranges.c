/* compact_ranges.c - compact on a GPU where only the device knows how many items there are: ranges
 * that data decide (expansion.h).
 *
 * The items are cut into as many chunks of one length as there are warps, however many items that
 * is; where they are few, chunks have one row of the lanes, and most blocks none.  Each warp counts
 * what its chunk keeps, and finds what the chunks before it keep (look_back.c).  Then it moves its
 * items, row after row of its lanes: the rank of an item in a row is the number of lanes before it
 * that keep one.
 *
 * Items are found twice.  Shared memory holds which ones of a chunk are kept, a bit an item, for so
 * many rows that few chunks are longer: 2^26 items of an H100 have 497.  The rows after those are
 * judged twice: a bit for each item would need workspace that no size bounds. */
#include "../expand.h"
#include "../look_back.h"
#include "compact_tile.h"

enum {
	UNIT_BLOCKS = 4,         /* of a multiprocessor: what it holds, of 64 registers a thread */
	MIN_BLOCKS = 3,          /* it holds that many where parts take 70, and by shared memory */
	HELD_ROWS = 512          /* of a chunk; 16 KB a block */
};

static struct kx *find(struct lowering *l, const void *items, struct kx *const *place)
{
	items_bind((struct items *)items, x_var(k_let(l->k, "place", place[0])));
	return NULL;
}

static struct kx *done(struct lowering *l, const void *items, struct kx *const *all)
{
	(void)l;
	items_finish((struct items *)items, all[PART_KEPT], all[PART_REJECTED]);
	return NULL;
}

struct ranges {
	struct lowering *l;
	int parts;
	struct total sum;                    /* of the parts, in variables of a lane */
	const struct look_back *back;
	struct kx *tile;
};

KTEXT_HOLE(look_back_parts)
{
	const struct ranges *r = state;
	struct total before = look_back(l, r->back, r->tile, &r->sum);
	total_copy(l, &r->sum, &before);
	return NULL;
}

static void open_sums(struct ranges *r)
{
	static const char *const name[] = { "keeps", "rejects" };
	struct kx *sum[PART_COUNT], *number[PART_COUNT];
	r->sum.acc.n = r->parts;
	for (int part = 0; part < r->parts; part++) {
		struct kvar *var = k_var(r->l->k, kt_scalar(T_I64), name[part], x_i64(0));
		r->sum.acc.at[part] = accumulator_sum(var);
		sum[part] = x_var(var);
		number[part] = x_int(T_INT_LIT, part);
	}
	bind_values(r->l->k, "sum", r->parts, sum);
	bind_values(r->l->k, "PART", r->parts, number);
}

static void open_tile(struct ranges *r, struct items *it, int64_t blocks)
{
	struct kernel *k = r->l->k;
	int warps = k->block[0] / r->l->target->lanes;
	k_numbers(k, "WARPS, CHUNKS, PARTS", warps, (int64_t)warps * blocks, r->parts);
	k_numbers(k, "REJECTS, HELD", r->parts == PART_COUNT, HELD_ROWS / r->parts);
	k_bind(k, "items", it->count);
	open_sums(r);
	k_text(k, "cut_items");
	r->back = look_back_late(r->l, &r->sum, k_get(k, "tiles"), blocks, &r->tile);
	k_bind(k, "tile", r->tile);
	k_bind(k, "lane", r->back->lane);
	k_bind(k, "warp", r->back->warp);
}

void compact_ranges(struct box *box)
{
	struct items *it = items_open(box, "");
	struct lowering *l = it->l;
	struct ranges r = { .l = l, .parts = 1 + selection_has(box->node, PART_REJECTED) };
	int64_t blocks = (int64_t)UNIT_BLOCKS * l->target->units;
	block_launch_bounds(l);
	l->k->min_blocks = MIN_BLOCKS;
	l->k->note = "Counts the items of every chunk that are kept, and moves them.";
	open_tile(&r, it, blocks);
	expand_bind_ranges(l, it->node);
	items_bind_calls(it);
	k_bind_calls(l->k, it, { "find", find }, { "done", done });
	k_bind_call(l->k, "look_back_parts", look_back_parts, &r);
	k_text(l->k, "move_ranges");
	look_back_leave(l, r.back);
	lowering_launch(l, x_i64(blocks), x_i64(1), x_i64(1));
}
