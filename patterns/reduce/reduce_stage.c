/* reduce_stage.c - rows that statements share, in registers or shared memory: their part of
 * pass_stage.c and pass_tile.c. */
#include "remark.h"
#include "../cells.h"
#include "reduce.h"

static const char *why_not(const struct node *node, const struct shape *s, const struct options *o)
{
	(void)s, (void)o;
	return node->pin.stage == STAGE_SHARED ? "registers hold its rows, or a cache has them"
	                                       : NULL;
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
