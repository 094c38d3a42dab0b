/* scatter_lower.c - a scatter is lowered as all statements whose items meet in cells: meet.c. */
#include "../cells.h"
#include "../lowerings.h"
#include "../meet.h"

void scatter_shape(const struct node *node, const struct target *target, struct shape *s)
{
	cells_shape(node, target, s);
	if (!target->gpu || meeting_way(node, target) != MEET_OWNED)
		return;
	s->vector = s->pieces = 1;
	s->no_vector = "items are taken one by one, in their order";
	s->no_pieces = "every warp takes the items of its cells";
}

void scatter_lower(struct plan *plan, const struct group *group)
{
	meet_lower(plan, group);
}
