/* scatter_lower.c - a scatter is lowered as all statements whose items meet in cells: meet.c. */
#include "../cells.h"
#include "../lowerings.h"
#include "../meet.h"

void scatter_shape(const struct node *node, const struct target *target, struct shape *s)
{
	bool in_order = meeting_way(node, target) == MEET_OWNED;
	cells_shape(node, target, s);
	s->meet = meeting_text(node, target);
	s->owned = in_order;
	if (!target->gpu)
		return;
	s->no_vector = in_order ? "items are taken one by one, in their order"
	                        : "neighbouring lanes take neighbouring items, so that what goes to near cells meets in few accesses";
	if (!in_order)
		return;
	s->pieces = 1;
	s->no_pieces = "every warp takes the items of its cells";
}

void scatter_lower(struct plan *plan, const struct group *group)
{
	meet_lower(plan, group);
}
