/* pass_tile.c - decides the tile of a statement that is staged.
 *
 * Needs: choice.stage, pins.  Leaves: choice.tile, cells a block along each axis; in registers, the
 * cells of a step, if that was pinned.  The pattern decides (struct staging in pass.h); its files
 * NAME_stage.c have the rules. */
#include "pass.h"
#include "remark.h"

/* ---- what the patterns share ---- */

const char *tile_text(const struct node *node, const int64_t *size, int rank)
{
	const char *text = "";
	for (int d = 0; d < rank; d++)
		text = str_print("%s%s%lld", text, d ? " x " : "",
		                 (long long)size[node->turned ? rank - 1 - d : d]);
	return text;
}

const char *tile_pair(const struct node *node, int rows, int columns)
{
	return tile_text(node, (int64_t[]){ rows, columns }, 2);
}

void tile_set(struct node *node, const int *tile)
{
	for (int d = 0; d < MAX_RANK; d++)
		node->choice.tile[d] = tile ? tile[d] : 0;
}

void tile_none(struct node *node, const char *why)
{
	tile_set(node, NULL);
	remark_none(node, PASS_TILE, "%s", why);
}

/* ---- the pass ---- */

/* Would the pinned tile hold with `stage shared`? */
static bool holds_shared(const struct node *node, const struct options *o)
{
	struct node staged = *node;
	staged.pin.stage = staged.choice.stage = STAGE_SHARED;
	const struct shape s = shape_of(&staged, o);
	return !no_shared(node, o) && s.staging && s.staging->fits(&staged, &s, o);
}

static void refuse_unstaged(const struct node *node, const struct options *o)
{
	if (!node->pin.tile[0]
	    || !pin_refused(node, PIN_TILE, D_PIN_UNFIT,
	                    "a tile is kept in shared memory, but `%s` keeps %s there", node->name,
	                    node->choice.stage == STAGE_RUNS ? "runs" : "nothing"))
		return;
	if (holds_shared(node, o) && node->pin.stage)
		diag_cure("pin `stage shared` instead of `stage %s`, or remove the tile",
		          stage_text[node->pin.stage]);
	else if (holds_shared(node, o))
		diag_cure("pin `stage shared` too, or remove the tile");
	else
		diag_cure("remove the tile");
}

static void choose(struct node *node, const struct options *o)
{
	if (node->choice.stage == STAGE_SHARED || node->choice.stage == STAGE_REGISTERS) {
		const struct shape s = shape_of(node, o);
		s.staging->tile(node, &s, o);
		return;
	}
	refuse_unstaged(node, o);
	tile_none(node, node->choice.stage == STAGE_RUNS
	                        ? "the lengths of the windows determine the tile"
	                        : "nothing is kept in shared memory");
}

void pass_tile(struct entry *entry, const struct options *o)
{
	pass_each(entry, choose, o);
}
