/* map_lower.c - a map computes each cell from its own index: cells.c without neighbours. */
#include "../lowerings.h"
#include "../cells.h"

/* A flat row is cut into vectors, of which a thread may load several before it computes. */
void map_shape(const struct node *node, const struct target *target, struct shape *s)
{
	cells_shape(node, target, s);
	if (!target->gpu || !node->index.n || !cells_flat(node))
		return;
	s->piece = s->vector > 1 ? "vector" : "cell";
	s->pieces = FLAT_VECTORS;
	s->at_once = true;
}

void map_lower(struct plan *plan, const struct group *group)
{
	cells_lower(plan, group);
}
