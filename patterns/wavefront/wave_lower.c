/* wave_lower.c - which schedule a wavefront takes. */
#include "../lowerings.h"
#include "wave.h"

void wavefront_lower(struct plan *plan, const struct group *group)
{
	cells_check_ranges(plan, group->anchor);
	if (group->anchor->choice.sweep == SWEEP_STRIPS)
		wave_strips(plan, group->anchor);
	else
		wave_tiles(plan, group->anchor);
}

void wavefront_shape(const struct node *node, const struct target *target, struct shape *s)
{
	s->no_sweep[SWEEP_STRIPS] = no_strips(node, target);
	s->sweep = s->no_sweep[SWEEP_STRIPS] ? SWEEP_DIAGONAL : SWEEP_STRIPS;
	s->vector = 1;
	s->no_vector = target->gpu ? "a thread takes the cells of a row one after another"
	                           : "a cell waits for the one before it in its row";
	s->piece = "row";
	s->pieces = 1;
	s->no_pieces = "a row of a tile is one thread's";
}
