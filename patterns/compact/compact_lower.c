/* compact_lower.c - compact on a CPU or a GPU. */
#include "../lowerings.h"
#include "../pairs/near.h"
#include "../ways.h"
#include "compact_tile.h"
#include "expansion.h"

enum { ROWS = 16 };              /* of a thread that holds no values: the bits of a mask */

static bool lists_bodies(const struct node *node)
{
	return node->cutoff && node->cutoff->binned;
}

void compact_shape(const struct node *node, const struct target *target, struct shape *s)
{
	if (lists_bodies(node)) {
		near_shape(s);
		return;
	}
	s->vector = 1;
	s->no_vector = target->gpu ? "lanes take neighbouring items, as vectors if registers can "
	                             "hold their values"
	                           : "the C compiler makes vectors of the loop that counts";
	s->piece = "item";
	s->pieces = 1;
	s->no_pieces =
		target->gpu ? "a thread takes as many items as keep memory busy and fit in a mask"
			    : "threads share the chunks, as many as OpenMP gives";
}

/* ---- the ways ---- */

static void lower_chunks(const struct task *c)
{
	compact_cpu(((const struct tile *)c->found)->box);
}

static bool counts_itself(const struct task *c)
{
	return c->node->expand && c->node->expand->own;
}

static void lower_rows(const struct task *c)
{
	compact_rows((struct box *)((const struct tile *)c->found)->box);
}

static bool expands(const struct task *c)
{
	return c->node->expand;
}

static void lower_ranges(const struct task *c)
{
	compact_ranges((struct box *)((const struct tile *)c->found)->box);
}

static bool holds_values(const struct task *c)
{
	return held_find(c->found);
}

static void lower_tiles(const struct task *c)
{
	compact_tiles(c->found);
}

static const struct way ways[] = {
	/* compact_cpu.c */
	{ "chunks", "threads count the items of their chunks, then move them",
	  .lower = lower_chunks, .on = ON_CPU },
	/* compact_rows.c */
	{ "rows", "a block counts the items of a tile of ranges, then moves them",
	  .fits = counts_itself, .lower = lower_rows, .on = ON_GPU },
	/* compact_ranges.c */
	{ "ranges", "a warp counts the items of a chunk of all ranges, then moves them",
	  .fits = expands, .lower = lower_ranges, .on = ON_GPU },
	/* compact_held.c */
	{ "held", "a block's tile of items, in registers",
	  .no = "registers cannot hold what it reads of an item", .fits = holds_values,
	  .lower = lower_tiles },
	/* compact_gpu.c */
	{ "numbers",
	  "a block's tile of numbers of items, whose values are computed as they are stored",
	  .lower = lower_tiles }
};

void compact_lower(struct plan *plan, const struct group *group)
{
	struct box box;
	struct tile t = { .box = &box, .rows = ROWS, .width = 1 };
	if (lists_bodies(group->anchor))
		near_list(plan, group);
	else if (box_find(&box, plan, group->anchor))
		ways_lower(ways, plan, group, &t);
}
