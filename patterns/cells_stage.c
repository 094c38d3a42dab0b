/* cells_stage.c - structs that come to the chip whole, and what a block computes in a step where
 * cells are in registers: their part of pass_stage.c and pass_tile.c. */
#include "remark.h"
#include "cells.h"
#include "cells_structs.h"

/* ---- registers: a tile is rows x columns of a step, a vector a thread ---- */

void tile_registers(struct node *node, const struct shape *s, const struct options *o)
{
	(void)s;
	const int *tile = node->pin.tile;
	int width = cells_width(node), lanes = tile[1] / width, cells = o->target->block * width;
	bool fits = tile[1] && !tile[2] && tile[0] * tile[1] == cells && tile[1] % width == 0
	         && lanes <= o->target->lanes && (lanes & (lanes - 1)) == 0;
	if (fits) {
		remark_did(node, PASS_TILE, REGULARITY,
		           "%d lanes along a row, %d rows a step, as pinned", lanes, tile[0]);
		return;
	}
	if (tile[0]
	    && pin_refused(node, PIN_TILE, D_PIN_STAGE,
	                   "with `stage registers` a tile is what the %d threads of a block "
	                   "compute in a step, %d cells each, and a row of it is at most a warp",
	                   o->target->block, width))
		diag_cure("pin `tile %s`, or `tile %s`",
		          tile_pair(node, cells / (o->target->lanes * width),
		                    o->target->lanes * width),
		          tile_pair(node, cells / (8 * width), 8 * width));
	tile_none(node, "in registers all lanes of a warp are along a row");
}

/* ---- structs that lanes would load and store each for its own cell ---- */

/* What map_shape says of them: struct whole_structs. */
static const char *why_not(const struct node *node, const struct shape *s, const struct options *o)
{
	const struct whole_structs *structs = s->staged;
	(void)o;
	return !structs->at.n                       ? structs->why
	       : node->pin.stage == STAGE_REGISTERS ? "structs are copied whole to shared memory"
	                                            : NULL;
}

static void stage(struct node *node, const struct shape *s, const struct options *o)
{
	const struct whole_structs *structs = s->staged;
	if (stage_settles(node, STAGE_SHARED, why_not(node, s, o), o))
		remark_did(node, PASS_STAGE, BANDWIDTH, "shared memory%s: %s",
		           stage_as_pinned(node), whole_structs_text(structs));
}

static void tile(struct node *node, const struct shape *s, const struct options *o)
{
	static const char own[] = "a warp loads the structs of its own cells";
	(void)s, (void)o;
	if (node->pin.tile[0]
	    && pin_refused(node, PIN_TILE, D_PIN_UNFIT, "`%s` cannot have a tile: %s", node->name,
	                   own))
		diag_cure("pin `coarsen` for more cells a thread");
	tile_none(node, own);
}

static bool fits(const struct node *node, const struct shape *s, const struct options *o)
{
	(void)node, (void)s, (void)o;
	return false;
}

const struct staging structs_staging = { why_not, stage, tile, fits };
