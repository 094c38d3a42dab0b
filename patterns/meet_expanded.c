/* meet_expanded.c - items of ranges that data decide, which meet in cells in any order.
 *
 * On a GPU the items of all ranges are shared out evenly: neighbouring lanes take neighbouring
 * items, each finds its range (expand.c) and combines by atomic operations, if need be (meet.c).
 * On a CPU, where no two items meet, threads take chunks of items, and go from range to range. */
#include "expand.h"
#include "meet.h"

enum {
	UNIT_BLOCKS = 8,                 /* of a multiprocessor: all that it holds */
	CHUNKS = 1024,                   /* of a CPU, at most */
	CHUNK = 1024                     /* items of one, at least */
};

struct expanded { const struct node *node; struct meeting m; struct kvar *range; };

static struct kx *items(struct lowering *l, const void *expanded, struct kx *const *none)
{
	(void)none;
	return expand_items(l, ((const struct expanded *)expanded)->node);
}

static struct kx *begin(struct lowering *l, const void *expanded, struct kx *const *first)
{
	struct expanded *x = (struct expanded *)expanded;
	x->range = expand_open(l, x->node, first[0]);
	return NULL;
}

static struct kx *take(struct lowering *l, const void *expanded, struct kx *const *item)
{
	const struct expanded *x = expanded;
	(l->target->gpu ? expand_bind(l, x->node, item[0])
	                : expand_next(l, x->node, x->range, item[0]));
	int loops = expand_open_others(l, x->node);
	meet_item(l, x->node, &x->m);
	while (loops--)
		k_end(l->k);
	return NULL;
}

void meet_expanded(struct plan *plan, const struct group *group)
{
	const struct node *node = group->anchor;
	struct lowering *l = lowering_new(plan, node->name);
	struct expanded x = { node, { .way = meeting_way(node, plan->target) }, NULL };
	lowering_writes(l, node);
	if (plan->target->gpu)
		block_launch_bounds(l);
	l->k->note = "Takes the items of all ranges, whose lengths data decide.";
	k_numbers(l->k, "THREADS, CHUNKS, CHUNK", l->k->block[0], CHUNKS, CHUNK);
	k_bind_calls(l->k, &x, { "items", items }, { "begin", begin }, { "take", take });
	k_text(l->k, plan->target->gpu ? "expanded_items" : "expanded_chunks");
	lowering_launch(l, x_i64(plan->target->gpu ? UNIT_BLOCKS * plan->target->units : 1),
	                x_i64(1), x_i64(1));
}
