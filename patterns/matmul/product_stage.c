/* product_stage.c - the tiles of a product's operands: its part of pass_stage.c and pass_tile.c. */
#include "remark.h"
#include "product.h"
#include "work.h"

/* ---- the level ---- */

static const char *why_not(const struct node *node, const struct shape *s, const struct options *o)
{
	const struct product_tiles *tiles = s->staged;
	if (tiles->none)
		return tiles->none;
	if (o->target->gpu)
		return stage_no_tiles(node,
		                      "the tiles of its operands are for all threads of a block",
		                      o);
	return node->pin.stage == STAGE_REGISTERS ? "the panels of its operands are for all threads"
	                                          : NULL;
}

/* Both operands are read again for each column, or row, of a tile of the result: on a CPU they are
 * packed. */
static void stage(struct node *node, const struct shape *s, const struct options *o)
{
	const struct product_tiles *tiles = s->staged;
	if (!stage_settles(node, STAGE_SHARED, why_not(node, s, o), o))
		return;
	if (o->target->gpu)
		remark_did(node, PASS_STAGE, BANDWIDTH, "shared memory%s: %s",
		           stage_as_pinned(node), tiles->what);
	else
		remark_did(
			node, PASS_STAGE, BANDWIDTH,
			"packed panels%s, where the host finds enough rows, columns and terms: %s",
			stage_as_pinned(node), tiles->what);
}

/* ---- the tile ---- */

static void small_products(struct node *node, const struct product_tiles *tiles)
{
	if (node->pin.tile[0]
	    && pin_refused(node, PIN_TILE, D_PIN_UNFIT,
	                   "a block takes whole products of `%s`: they are small", node->name))
		diag_cure("remove the tile");
	tile_set(node, NULL);
	remark_did(node, PASS_TILE, BANDWIDTH, "%d products a block, %d x %d cells a thread",
	           tiles->few.products, tiles->few.thread[0], tiles->few.thread[1]);
}

static bool is_tile(const int *pin, const struct product_tile *tile)
{
	return pin[0] == tile->size[0] && pin[1] == tile->size[1] && !pin[2];
}

static bool fits_product(const int *pin, const struct product_tiles *tiles)
{
	bool fits = false;
	for (int f = 0; f < 2; f++)
		fits |= is_tile(pin, &tiles->tile[f]);
	for (int f = 0; f < PLAIN_TILES; f++)
		fits |= is_tile(pin, &tiles->plain[f]);
	return fits;
}

static const char *size_text(const struct node *node, const struct product_tile *tile)
{
	return tile_pair(node, tile->size[0], tile->size[1]);
}

/* Operations for each byte that comes to the chip, if cells of both operands are as large. */
static const char *density_text(const struct node *node, int rows, int columns)
{
	struct node untiled = *node;
	untiled.choice.stage = STAGE_L1;
	const struct work w = work_of(&untiled);
	double operations = w.f32 + w.f64 + w.integer,
	       bytes = (double)w.widest / rows + (double)w.widest / columns;
	if (w.cached != 2 * (double)w.widest)
		return "";
	return str_print(", %s operations for each byte that is loaded",
	                 remark_number(operations / bytes));
}

static void tile_product(struct node *node, const struct product_tiles *tiles)
{
	const int *pin = node->pin.tile;
	const struct product_tile *large = &tiles->tile[0], *small = &tiles->tile[1];
	bool fits = fits_product(pin, tiles);
	if (pin[0] && !fits
	    && pin_refused(node, PIN_TILE, D_PIN_UNFIT,
	                   "a tile of the product `%s` has %s cells, or %s", node->name,
	                   size_text(node, large), size_text(node, small)))
		diag_cure("pin `tile %s` or `tile %s`, or leave the choice to the host, which "
		          "knows the sizes; plainer ones, to compare with, are "
		          "`tile %s` and `tile %s`",
		          size_text(node, large), size_text(node, small),
		          size_text(node, &tiles->plain[0]), size_text(node, &tiles->plain[1]));
	tile_set(node, fits ? pin : NULL);
	if (fits)
		remark_did(node, PASS_TILE, BANDWIDTH, "%s cells a block, as pinned%s",
		           tile_pair(node, pin[0], pin[1]), density_text(node, pin[0], pin[1]));
	else
		remark_did(node, PASS_TILE, BANDWIDTH,
		           "%s cells a block, %s a thread, if they keep the machine busy, else %s: "
		           "so often a loaded cell of an operand is read%s%s",
		           size_text(node, large),
		           tile_pair(node, large->thread[0], large->thread[1]),
		           size_text(node, small),
		           density_text(node, large->size[0], large->size[1]),
		           tiles->few.sized
		                   ? "; a block takes several products if the host finds them small"
		                   : "");
	if (tiles->parts.blocks)
		remark_did(node, PASS_TILE, BALANCE,
		           "if there are fewer than %d tiles, blocks share the terms of one, at "
		           "least %d each: a second kernel folds their sums",
		           tiles->parts.blocks, tiles->parts.terms);
}

/* Of a CPU the C compiler knows more than patc. */
static void panel_product(struct node *node)
{
	if (node->pin.tile[0]
	    && pin_refused(node, PIN_TILE, D_PIN_UNFIT,
	                   "on a CPU the panels of `%s` are as wide as the vectors of the C "
	                   "compiler",
	                   node->name))
		diag_cure("remove the tile; -march=native makes panels as wide as the machine's "
		          "vectors");
	tile_set(node, NULL);
	remark_did(node, PASS_TILE, BANDWIDTH,
	           "panels of 6 rows, or 12 where there are 32 vector registers, and of two "
	           "vectors of columns: all "
	           "their sums are in registers");
}

static void tile(struct node *node, const struct shape *s, const struct options *o)
{
	const struct product_tiles *tiles = s->staged;
	if (tiles->few.products)
		small_products(node, tiles);
	else if (o->target->gpu)
		tile_product(node, tiles);
	else
		panel_product(node);
}

static bool fits(const struct node *node, const struct shape *s, const struct options *o)
{
	const struct product_tiles *tiles = s->staged;
	return o->target->gpu && !tiles->few.products && fits_product(node->pin.tile, tiles);
}

const struct staging product_staging = { why_not, stage, tile, fits };
