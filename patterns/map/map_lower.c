/* map_lower.c - a map computes each cell from its own index: cells.c without neighbours; where
 * layouts differ, that is a transpose. */
#include "../cells_structs.h"
#include "../lowerings.h"
#include "../walks.h"
#include "../ways.h"

static void structs_shape(const struct node *node, const struct target *target, struct shape *s)
{
	struct whole_structs *structs = NEW(struct whole_structs);
	*structs = whole_structs(node, target);
	if (!structs->at.n && !structs->why)
		return;
	s->staging = &structs_staging;
	s->staged = structs;
	s->whole = structs->at.n && node->choice.stage == STAGE_SHARED;
	if (!s->whole)
		return;
	s->piece = "cell";
	s->pieces = whole_structs_pieces(structs, target);
	s->at_once = true;
}

/* A flat row is cut into vectors, of which a thread may load several before it computes. */
void map_shape(const struct node *node, const struct target *target, struct shape *s)
{
	if (node->expand) {
		meet_shape(node, target, s);
		return;
	}
	if (transpose_turns(node)) {             /* some array is stored the other way round */
		transpose_shape(node, target, s);
		return;
	}
	cells_shape(node, target, s);
	walks_shape(node, target, s);
	if (walks_scheduled(node)) {
		s->vector = s->pieces = 1;
		s->no_vector = s->no_pieces = "a lane takes one walk after the other";
		return;
	}
	if (target->gpu && node->index.n && cells_flat(node)) {
		s->piece = s->vector > 1 ? "vector" : "cell";
		s->pieces = FLAT_VECTORS;
		s->at_once = true;
	}
	structs_shape(node, target, s);
}

/* ---- the ways ---- */

static bool turns(const struct task *c)
{
	return transpose_turns(c->node);
}

static void lower_turns(const struct task *c)
{
	transpose_lower(c->plan, c->group);
}

static bool expands(const struct task *c)
{
	return c->node->expand;
}

static void lower_items(const struct task *c)
{
	meet_lower(c->plan, c->group);
}

static const struct way ways[] = {
	/* the ways of ../meet.c, where no two items meet */
	{ "items", "the items of all ranges are distributed evenly", .fits = expands,
	  .lower = lower_items },
	/* the ways of ../transpose/transpose_lower.c */
	{ "transpose", "an array is stored in the other order", .fits = turns,
	  .lower = lower_turns },
	/* ../walks.c */
	{ "refill", "lanes whose walks have ended take the next cells", .fits = walks_refill,
	  .lower = walks_lower_refill },
	{ "packet", "lanes with the same cursor make a pass together", .fits = walks_packet,
	  .lower = walks_lower_packet },
	/* ../cells_gpu.c, ../cells_cpu.c */
	{ "cells", "a thread computes a cell, or some neighbours", .lower = ways_cells }
};

void map_lower(struct plan *plan, const struct group *group)
{
	ways_lower(ways, plan, group, NULL);
}
