/* compact_ranges.c - compact on a GPU where only the device knows how many items there are: ranges
 * that data decide (expansion.h).
 *
 * The items are cut into as many chunks of one length as there are warps, however many items that
 * is.  Each warp counts what its chunk keeps.  Then it adds up the counts of the chunks before it
 * and moves its items, row after row of its lanes: the rank of an item in a row is the number of
 * lanes before it that keep one.
 *
 * Items are judged twice, and found twice: a word for each of them would need workspace that no
 * size bounds. */
#include "../expand.h"
#include "compact_tile.h"

enum { UNIT_BLOCKS = 8 };        /* of a multiprocessor: all that it holds */

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

struct ranges { struct box *box; struct kvar *counts; int parts; int64_t blocks; };

static void bind_parts(const struct ranges *r, struct lowering *l)
{
	struct kx *number[PART_COUNT], *step[8];
	int steps = 0;
	for (int part = 0; part < r->parts; part++)
		number[part] = x_int(T_INT_LIT, part);
	for (int by = 1; by < l->target->lanes; by *= 2)
		step[steps++] = x_int(T_INT_LIT, by);
	bind_values(l->k, "PART", r->parts, number);
	bind_values(l->k, "LANE_STEP", steps, step);
	k_bind(l->k, "counts", lower_argument(l, "counts", kt_pointer(type_scalar(T_I64), false),
	                                      x_var(r->counts)));
	bind_words(l->k, "sum", PART_COUNT, (const char *const[]){ "keeps", "rejects" });
	bind_words(l->k, "stays", PART_COUNT, (const char *const[]){ "stays", "leaves" });
	bind_words(l->k, "at", PART_COUNT, (const char *const[]){ "at", "at_rejected" });
}

static void ranges_kernel(const struct ranges *r, const char *name, const char *note,
                          const char *text)
{
	struct items *it = items_open(r->box, name);
	struct lowering *l = it->l;
	block_launch_bounds(l);
	l->k->min_blocks = 1;                    /* as in cells_gpu.c, against spills */
	int warps = l->k->block[0] / l->target->lanes;
	l->k->note = note;
	k_numbers(l->k, "WARPS, CHUNKS, PARTS, REJECTS", warps, (int)(r->blocks * warps), r->parts,
	          r->parts == PART_COUNT);
	expand_bind_ranges(l, it->node);
	bind_parts(r, l);
	k_bind(l->k, "items", it->count);
	items_bind_calls(it);
	k_bind_calls(l->k, it, { "find", find }, { "done", done });
	k_text(l->k, text);
	lowering_launch(l, x_i64(r->blocks), x_i64(1), x_i64(1));
}

void compact_ranges(struct box *box)
{
	const struct target *target = box->plan->target;
	struct ranges r = { .box = box,
		            .parts = 1 + selection_has(box->node, PART_REJECTED),
		            .blocks = (int64_t)UNIT_BLOCKS * target->units };
	struct kx *most = x_i64(r.parts * r.blocks * target->block / target->lanes);
	r.counts = plan_slot(box->plan, "counts", type_scalar(T_I64), 1, &most);
	ranges_kernel(&r, "_count", "Counts the items of every chunk that are kept.",
	              "count_ranges");
	ranges_kernel(&r, "", "Moves the items of every chunk to their places.", "move_ranges");
}
