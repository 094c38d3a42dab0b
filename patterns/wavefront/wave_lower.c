/* wave_lower.c - which schedule a wavefront takes. */
#include "../lowerings.h"
#include "wave.h"

void wavefront_lower(struct plan *plan, const struct group *group)
{
	cells_check_ranges(plan, group->anchor);
	wave_tiles(plan, group->anchor);
}

void wavefront_shape(const struct node *node, const struct target *target, struct shape *s)
{
	(void)node;
	s->sweep = SWEEP_DIAGONAL;
	s->vector = 1;
	s->no_vector = target->gpu ? "a thread takes the cells of a row one after another"
	                           : "a cell waits for the one before it in its row";
	s->piece = "row";
	s->pieces = 1;
	s->no_pieces = "a row of a tile is one thread's";
}
