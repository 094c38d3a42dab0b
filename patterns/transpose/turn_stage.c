/* turn_stage.c - the tiles of a transpose: its part of pass_stage.c and pass_tile.c. */
#include "remark.h"
#include "turn.h"

static const char *why_not(const struct node *node, const struct shape *s, const struct options *o)
{
	const struct turn_tiles *tiles = s->staged;
	if (tiles->none)
		return tiles->none;
	return stage_no_tiles(node, "its tiles are for all threads of a block", o);
}

/* Rows of what a transpose reads are columns of what it writes. */
static void stage(struct node *node, const struct shape *s, const struct options *o)
{
	const struct turn_tiles *tiles = s->staged;
	if (stage_settles(node, STAGE_SHARED, why_not(node, s, o), o))
		remark_did(node, PASS_STAGE, BANDWIDTH, "shared memory%s: %s",
		           stage_as_pinned(node), tiles->what);
}

static void tile(struct node *node, const struct shape *s, const struct options *o)
{
	const struct turn_tiles *tiles = s->staged;
	const char *size = tile_pair(node, tiles->form.size[0], tiles->form.size[1]);
	const int *pin = node->pin.tile;
	int vector = tiles->form.vector;
	bool pinned = pin[0] && !tiles->unfit;
	if (pin[0] && tiles->unfit
	    && pin_refused(node, PIN_TILE, D_PIN_UNFIT,
	                   "the tile of the transpose `%s` cannot be that: %s", node->name,
	                   tiles->unfit))
		diag_cure(vector > 1 ? "pin `tile %s`, or leave the choice to the compiler"
		          : "leave the tile out%.0s", size);
	(void)o;
	tile_set(node, pinned ? pin : NULL);
	if (tiles->thin)
		remark_did(node, PASS_TILE, BANDWIDTH, "%s", tiles->thin);
	else if (vector > 1)
		remark_did(node, PASS_TILE, BANDWIDTH,
		           "%s cells a block%s, read by rows and written by "
		           "rows, %d cells an access where they are aligned",
		           size, pinned ? ", as pinned" : "", vector);
	else
		remark_did(node, PASS_TILE, BANDWIDTH,
		           "a block reads by rows and writes by rows, cell by "
		           "cell; the host chooses the sides of its tile");
}

static bool fits(const struct node *node, const struct shape *s, const struct options *o)
{
	(void)node, (void)o;
	return !((const struct turn_tiles *)s->staged)->unfit;
}

const struct staging turn_staging = { why_not, stage, tile, fits };
