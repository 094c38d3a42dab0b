/* transpose_lower.c - a transpose moves tiles (turn.c finds them) where rows of what it reads are
 * columns of what it writes; else it computes its cells as a map does. */
#include "../cells.h"
#include "../lowerings.h"
#include "../ways.h"
#include "turn.h"

/* Tiles go through shared memory: then they say what a thread loads. */
static void tiles_shape(const struct turn *t, const struct target *target, struct turn_tiles *tiles,
                        struct shape *s)
{
	tiles->form = turn_form(t, target, t->node->pin.tile);
	tiles->what = str_print("rows of `%s` become columns of `%s`", t->read[0]->var->name,
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
	s->no_vector = t->node->where ? "a mask excludes single cells"
	                              : "cells are not numbers of 1, 2, 4 or 8 bytes, or the range "
	                                "does not begin at the first cell";
	s->vectors = true;
	s->pieces = 0;
	s->no_pieces = "its tile says how many cells a thread moves";
}

void transpose_shape(const struct node *node, const struct target *target, struct shape *s)
{
	static const char permutes[] = "its rows and columns are permuted, each for itself";
	struct turn t;
	struct turn_tiles *tiles = NEW(struct turn_tiles);
	cells_shape(node, target, s);
	tiles->none = !target->gpu     ? "the caches of a CPU hold what is read again"
	              : node->reshapes ? permutes
	                               : turn_find(&t, node);
	if (node->reshapes)
		s->no_vector = s->no_pieces = permutes;
	s->staging = &turn_staging;
	s->staged = tiles;
	if (!tiles->none)
		tiles_shape(&t, target, tiles, s);
}

bool transpose_turns(const struct node *node)
{
	struct turn t;
	bool rows = node->group && (node->group->mate.n || node->group->epilogue.n);
	return node->index.n > 1 && !rows && !node->reshapes && !turn_find(&t, node);
}

/* ---- the ways ---- */

static bool turns(const struct task *c)
{
	return c->found;
}

static void lower_cpu(const struct task *c)
{
	turn_cpu(c->found, c->plan);
}

static bool has_tiles(const struct task *c)
{
	return c->found && c->node->choice.stage == STAGE_SHARED;
}

static bool has_pairs(const struct task *c)
{
	return has_tiles(c) && turn_pairs(c->found);
}

static bool has_planes(const struct task *c)
{
	return has_tiles(c) && ((const struct turn *)c->found)->axes > 2;
}

static struct kx *planes_small(const struct task *c)
{
	return kx_fold(turn_planes_small(c->plan, c->found));
}

static bool reshapes(const struct task *c)
{
	return c->node->reshapes;
}

static const struct way ways[] = {
	/* reshape.c */
	{ "reshape", "rows become columns in the same memory", .fits = reshapes,
	  .lower = reshape_lower },
	/* turn_cpu.c */
	{ "blocks", "threads move blocks of both sides", .fits = turns,
	  .lower = lower_cpu, .on = ON_CPU },
	/* ../cells.c */
	{ "planes", "a thread computes a cell, and the L1 cache holds a plane", "planes are small",
	  .fits = has_planes, .when = planes_small, .lower = ways_cells, .on = ON_GPU },
	/* turn_pairs.c */
	{ "pairs", "a block turns two tiles in shared memory, each to the place of the other",
	  .fits = has_pairs, .lower = turn_pairs_gpu, .on = ON_GPU },
	/* turn_gpu.c */
	{ "tiles", "a block turns a tile in shared memory", .no = "`stage` is not shared",
	  .fits = has_tiles, .lower = turn_gpu, .on = ON_GPU },
	/* ../cells.c */
	{ "cells", "a thread computes a cell, or some neighbours", .lower = ways_cells }
};

void transpose_lower(struct plan *plan, const struct group *group)
{
	struct turn t;
	bool turns = !group->anchor->reshapes && !turn_find(&t, group->anchor)
	             && !group->epilogue.n;
	ways_lower(ways, plan, group, turns ? &t : NULL);
}
