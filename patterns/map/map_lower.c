/* map_lower.c - a map computes each cell from its own index: cells.c without neighbours. */
#include "../lowerings.h"
#include "../../src/lower.h"

void map_lower(struct plan *plan, const struct group *group)
{
	cells_lower(plan, group);
}
