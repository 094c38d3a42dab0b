/* transpose_lower.c - a transpose computes each cell from its own indices, as a map does, which share cells.c. */
#include "../lowerings.h"
#include "../cells.h"

void transpose_shape(const struct node *node, const struct target *target, struct shape *s)
{
	cells_shape(node, target, s);
}

void transpose_lower(struct plan *plan, const struct group *group)
{
	cells_lower(plan, group);
}
