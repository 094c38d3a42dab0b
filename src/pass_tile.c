/* pass_tile.c - the tile of a stencil staged in shared memory.
 *
 * Needs: choice.stage.  Leaves: choice.tile, cells a block along each axis; for a stencil staged in registers,
 * rows x lanes of a warp, if that was pinned.
 * Rule: four cells a thread of a block; a warp or more along the last axis, so that rows load whole
 * sectors; the rest as square as the rank allows, since the halo grows with the surface (1 row: all along
 * the axis; 2: 8 x 128; 3: 4 x 8 x 32).  Cells too far for
 * shared memory are read through L1; a pinned tile that does not fit even then is refused. */
#include "pass.h"
#include "../patterns/stencil/stencil_tile.h"

static const int shape[3][3] = { { 1024 }, { 8, 128 }, { 4, 8, 32 } };

static void default_tile(struct node *node)
{
	int rank = node->index.n;
	for (int d = 0; d < rank; d++)
		node->choice.tile[d] = rank <= 3 ? shape[rank - 1][d] : d < rank - 3 ? 1 : shape[2][d - rank + 3];
}

static struct tile_plan *plan_of(const struct node *node, const struct options *o)
{
	return tile_plan_of(node, node->choice.tile, o->target->shared_bytes - FOLD_BYTES);
}

static bool fits(const struct node *node, const struct options *o)
{
	const struct tile_plan *plan = plan_of(node, o);
	return plan && plan->bytes <= o->target->shared_bytes - FOLD_BYTES;
}

static void refuse(const struct node *node, const struct options *o)
{
	const struct tile_plan *plan = plan_of(node, o);
	if (!plan && !node->label)
		return;                              /* a pin for the whole kernel: where it applies */
	if (!plan) {
		diag_error(node->at, D_PIN_STAGE, "nothing can be staged: no array is read at a constant "
		           "offset from the cell");
		diag_cure("pin `stage l1`, or leave the level to the compiler");
		return;
	}
	diag_error(node->at, D_PIN_STAGE, "the tile with its halo takes %lld bytes of shared memory; a block "
	           "of %s has %lld", (long long)plan->bytes, o->target->name, (long long)o->target->shared_bytes - FOLD_BYTES);
	diag_cure("pin a smaller tile, or `stage l1`");
}

/* Halves the longest axis of a tile that nobody pinned until it fits. */
static void shrink(struct node *node, const struct options *o)
{
	while (!fits(node, o)) {
		int longest = 0;
		for (int d = 1; d < node->index.n; d++)
			if (node->choice.tile[d] > node->choice.tile[longest])
				longest = d;
		if (node->choice.tile[longest] <= 1)
			return;
		node->choice.tile[longest] /= 2;
	}
}

/* Staged in registers, the tile is that of a warp's lanes: rows x lanes along a row. */
static void check_lanes(struct node *node, const struct options *o)
{
	const int *tile = node->choice.tile;
	int lanes = o->target->lanes;
	if (!tile[0] || (tile[1] && !tile[2] && tile[0] * tile[1] == lanes))
		return;
	if (node->label) {
		diag_error(node->at, D_PIN_STAGE, "with `stage registers`, `tile ROWS x LANES` shares out the %d lanes of a warp", lanes);
		diag_cure("pin `tile 1 x %d`, or `tile %d x 8`", lanes, lanes / 8);
	}
	node->choice.tile[0] = 0;
}

static void choose(struct node *node, const struct options *o)
{
	if (o->target->gpu && node->choice.stage == STAGE_REGISTERS)
		check_lanes(node, o);
	if (!o->target->gpu || node->choice.stage != STAGE_SHARED || node->index.n == 0)
		return;
	if (!node->choice.tile[0]) {
		default_tile(node);
		shrink(node, o);
	}
	if (fits(node, o))
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
