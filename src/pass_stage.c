/* pass_stage.c - which level of the memory hierarchy holds the cells a stencil reads again.
 *
 * Needs: pins (schedule.c).  Leaves: choice.stage.
 * Rule: registers where a march saves loads, if the windows fit: in space (three axes and more) from one row
 * held on, in a plane from four; else L1.  On an H200, f32, Gcell/s through registers and L1: 7 points of 640^3 484
 * and 374, 27 points 432 and 187; in a plane of 16384^2 5 points 448 and 495, 9 points 446 and 467 (the
 * cache already answers the neighbours), 25 points 386 and 311.  Shared memory, which adds a barrier and an
 * extra copy (5 points: 410), is taken when it is pinned; a tile that does not fit is an error (pass_tile). */
#include "pass.h"
#include "../patterns/stencil/stencil_march.h"

/* Rows of an array that a step finds in registers, at most. */
static int64_t rows_held(const struct register_plan *plan)
{
	int64_t most = 0;
	for (int i = 0; plan && i < plan->chain.n; i++) {
		int64_t rows = plan->chain.at[i].to - plan->chain.at[i].from;
		most = rows > most ? rows : most;
	}
	return most;
}

static void refuse(struct node *node, const char *why)
{
	node->choice.stage = STAGE_L1;
	if (!node->label)
		return;                              /* a pin for the whole kernel: where it applies */
	diag_error(node->at, D_PIN_STAGE, "this statement can't be staged in registers: %s", why);
	diag_cure("pin `stage l1`, or leave the level to the compiler");
}

static void choose(struct node *node, const struct options *o)
{
	const char *why = NULL;
	bool stencil = node->pattern->fuse & FUSE_FRONT && node->index.n;
	struct register_plan *plan = o->target->gpu && stencil ? register_plan_of(node, &why) : NULL;
	if (node->choice.stage == STAGE_REGISTERS && o->target->gpu && !plan)
		refuse(node, why ? why : "it is no stencil");
	else if (node->choice.stage == STAGE_AUTO)
		node->choice.stage = rows_held(plan) >= (node->index.n >= 3 ? 1 : 4) ? STAGE_REGISTERS : STAGE_L1;
}

void pass_stage(struct entry *entry, const struct options *o)
{
	if (pass_enabled(o, "stage"))
		pass_each(entry, choose, o);
}
