/* transpose_lower.c - a transpose moves tiles (turn.c finds them) where rows of what it reads are
 * columns of what it writes; else it computes its cells as a map does. */
#include "../cells.h"
#include "../lowerings.h"
#include "turn.h"

/* Tiles go through shared memory: then they say what a thread loads. */
static void tiles_shape(const struct turn *t, const struct target *target, struct turn_tiles *tiles,
                        struct shape *s)
{
	tiles->form = turn_form(t, target, t->node->pin.tile);
	tiles->what = str_print("rows of `%s` become rows of `%s`", t->read[0]->var->name,
	                        t->target->var->name);
	tiles->unfit = turn_unfit(t, target, t->node->pin.tile);
	tiles->thin = turn_thin_rows(t, target);
	if (t->node->choice.stage != STAGE_SHARED)
		return;
	struct node open = *t->node;
	struct turn any = *t;
	open.choice.vector = 0;
	any.node = &open;
	s->vector = turn_vector(&any, target);
	s->no_vector = t->node->where ? "a mask leaves out single cells"
	               : "cells are no numbers of 1, 2, 4 or 8 bytes, or do not begin at the first";
	s->pieces = 0;
	s->no_pieces = "its tile says how many cells a thread moves";
}

void transpose_shape(const struct node *node, const struct target *target, struct shape *s)
{
	struct turn t;
	struct turn_tiles *tiles = NEW(struct turn_tiles);
	cells_shape(node, target, s);
	tiles->none = target->gpu ? turn_find(&t, node)
	                          : "the caches of a CPU hold what is read again";
	s->staging = &turn_staging;
	s->staged = tiles;
	if (!tiles->none)
		tiles_shape(&t, target, tiles, s);
}

bool transpose_turns(const struct node *node)
{
	struct turn t;
	bool rows = node->group && (node->group->mate.n || node->group->epilogue.n);
	return node->index.n > 1 && !rows && !turn_find(&t, node);
}

void transpose_lower(struct plan *plan, const struct group *group)
{
	struct turn t;
	bool tiles = !turn_find(&t, group->anchor) && !group->epilogue.n;
	if (tiles && !plan->target->gpu)
		turn_cpu(&t, plan);
	else if (tiles && group->anchor->choice.stage == STAGE_SHARED)
		turn_gpu(&t, plan, group);
	else
		cells_lower(plan, group);
}
