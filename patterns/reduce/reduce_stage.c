/* reduce_stage.c - rows that statements share, in registers or shared memory, and terms that the
 * results of a block share: their part of pass_stage.c and pass_tile.c. */
#include "remark.h"
#include "../cells.h"
#include "reduce.h"

static const char *why_not(const struct node *node, const struct shape *s, const struct options *o)
{
	(void)s, (void)o;
	return node->pin.stage == STAGE_SHARED ? "its rows are in registers, or in a cache" : NULL;
}

static void stage(struct node *node, const struct shape *s, const struct options *o)
{
	if (stage_settles(node, STAGE_REGISTERS, why_not(node, s, o), o))
		remark_did(node, PASS_STAGE, BANDWIDTH, "registers%s: %s", stage_as_pinned(node),
		           (const char *)s->staged);
}

static bool fits(const struct node *node, const struct shape *s, const struct options *o)
{
	(void)node, (void)s, (void)o;
	return false;
}

const struct staging rows_staging = { why_not, stage, tile_registers, fits };

/* ---- pairs ---- */

static const char *pairs_not(const struct node *node, const struct shape *s,
                             const struct options *o)
{
	const struct pairs_shape *pairs = s->staged;
	return pairs->why ? pairs->why
	       : node->pin.stage == STAGE_REGISTERS
	               ? "its terms are in shared memory, or in a cache"
	               : stage_no_tiles(node, NULL, o);
}

static void stage_pairs(struct node *node, const struct shape *s, const struct options *o)
{
	if (stage_settles(node, STAGE_SHARED, pairs_not(node, s, o), o))
		remark_did(node, PASS_STAGE, BANDWIDTH,
		           "shared memory%s: a block shares the terms of its results",
		           stage_as_pinned(node));
}

static void tile_pairs(struct node *node, const struct shape *s, const struct options *o)
{
	const struct pairs_shape *pairs = s->staged;
	(void)o;
	if (node->pin.tile[0]
	    && pin_refused(node, PIN_TILE, D_PIN_UNFIT,
	                   "the tile of `%s` has a term for each thread of a block", node->name))
		diag_cure("remove the tile");
	tile_set(node, NULL);
	remark_did(node, PASS_TILE, BANDWIDTH,
	           "%d terms at a time in shared memory, and %d result%s a thread: %s a block",
	           pairs->terms, pairs->results, pairs->results == 1 ? "" : "s",
	           remark_bytes((double)pairs->bytes));
}

const struct staging pairs_staging = { pairs_not, stage_pairs, tile_pairs, fits };
