/* pass_tile.c - the tile of a stencil staged in shared memory.
 *
 * Needs: choice.stage.  Leaves: choice.tile, cells a block along each axis.
 * Rule: four cells a thread of a block; a warp or more along the last axis, so that rows load whole
 * sectors; the rest as square as the rank allows, since the halo grows with the surface (1 row: all along
 * the axis; 2: 8 x 128; 3: 4 x 8 x 32).  A pinned tile whose halo does not fit shared memory is refused. */
#include "pass.h"
#include "../patterns/stencil/stencil_tile.h"

static const int shape[3][3] = { { 1024 }, { 8, 128 }, { 4, 8, 32 } };

static void default_tile(struct node *node)
{
	int rank = node->index.n;
	for (int d = 0; d < rank; d++)
		node->choice.tile[d] = rank <= 3 ? shape[rank - 1][d] : d < rank - 3 ? 1 : shape[2][d - rank + 3];
}

static bool fits(const struct node *node, const struct target *target)
{
	/* some room is left for the folds of an epilogue */
	const struct tile_plan *plan = tile_plan_of(node, node->choice.tile);
	return plan && plan->bytes <= target->shared_bytes - 1024;
}

static void refuse(const struct node *node, const struct options *o)
{
	const struct tile_plan *plan = tile_plan_of(node, node->choice.tile);
	if (!plan) {
		diag_error(node->at, D_PIN_STAGE, "nothing can be staged: no array is read at several constant "
		           "offsets from the cell");
		diag_cure("pin `stage l1`, or leave the level to the compiler");
		return;
	}
	diag_error(node->at, D_PIN_STAGE, "the tile with its halo takes %lld bytes of shared memory; a block "
	           "of %s has %lld", (long long)plan->bytes, o->target->name, (long long)o->target->shared_bytes - 1024);
	diag_cure("pin a smaller tile, or `stage l1`");
}

static void choose(struct node *node, const struct options *o)
{
	if (!o->target->gpu || node->choice.stage != STAGE_SHARED || node->index.n == 0)
		return;
	if (!node->choice.tile[0])
		default_tile(node);
	if (fits(node, o->target))
		return;
	if (node->pin.stage == STAGE_SHARED)
		refuse(node, o);
	node->choice.stage = STAGE_L1;
}

void pass_tile(struct entry *entry, const struct options *o)
{
	if (pass_enabled(o, "tile"))
		pass_each(entry, choose, o);
}
