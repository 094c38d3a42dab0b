/* pass_tile.c - the tile of a stencil staged in shared memory.
 *
 * Needs: choice.stage, pins.  Leaves: choice.tile, cells a block along each axis; for a stencil staged in
 * registers, the cells of a step, if that was pinned.
 * Rule: four cells a thread of a block, or as many as `coarsen` pins; a warp or more along the last axis, so
 * that rows load whole sectors; the rest as square as the rank allows, since the halo grows with the surface
 * (1 row: all along the axis; 2: 8 x 128; 3: 4 x 8 x 32).  Cells too far for shared memory are read through
 * L1; a pinned tile that does not fit even then is refused. */
#include "pass.h"
#include "remark.h"
#include "../patterns/cells.h"
#include "../patterns/stencil/stencil_tile.h"

static const int shape[3][3] = { { 256 }, { 2, 128 }, { 1, 8, 32 } };   /* of a cell a thread */

static void default_tile(struct node *node)
{
	int rank = node->index.n, first = rank > 3 ? rank - 3 : 0;
	for (int d = 0; d < rank; d++)
		node->choice.tile[d] = d < first ? 1 : shape[rank > 3 ? 2 : rank - 1][d - first];
	node->choice.tile[first] *= node->pin.coarsen ? node->pin.coarsen : 4;
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

/* ---- pins ---- */

/* As it is pinned: along the indices as written. */
static const char *box_text(const struct node *node, const int64_t *size, int rank)
{
	const char *text = "";
	for (int d = 0; d < rank; d++)
		text = str_print("%s%s%lld", text, d ? " x " : "", (long long)size[node->turned ? rank - 1 - d : d]);
	return text;
}

static const char *pair_text(const struct node *node, int rows, int columns)
{
	return box_text(node, (int64_t[]){ rows, columns }, 2);
}

static const char *tile_text(const struct node *node)
{
	int64_t tile[MAX_RANK];
	for (int d = 0; d < node->index.n; d++)
		tile[d] = node->choice.tile[d];
	return box_text(node, tile, node->index.n);
}

/* What the compiler would take of a stencil, with this coarsening; NULL: no tile fits. */
static const char *fitting_tile(const struct node *node, const struct options *o)
{
	struct node open = *node;
	default_tile(&open);
	shrink(&open, o);
	return fits(&open, o) ? tile_text(&open) : NULL;
}

static int64_t cells_of(const struct node *node, const int *tile)
{
	int64_t cells = 1;
	for (int d = 0; d < node->index.n && cells <= INT32_MAX; d++)
		cells *= tile[d];
	return cells;
}

/* A pinned tile has the axes of the statement. */
static int axes_of(const struct node *node)
{
	int axes = 0;
	while (axes < MAX_RANK && node->pin.tile[axes])
		axes++;
	return axes;
}

static bool pinned_axes(const struct node *node, const struct options *o)
{
	int axes = axes_of(node);
	if (axes && axes != node->index.n
	    && pin_refused(node, PIN_TILE, D_PIN_UNFIT, "a tile of `%s` has %d ax%s, not %d", node->name,
	                   node->index.n, node->index.n == 1 ? "is" : "es", axes)) {
		const char *tile = fitting_tile(node, o);
		diag_cure(tile ? "a number for each index, in their order: `tile %s`" : "leave the tile out%s", tile ? tile : "");
	}
	return axes == node->index.n;
}

static void check_coarsen(const struct node *node, const struct options *o)
{
	int64_t cells = cells_of(node, node->choice.tile), threads = o->target->block;
	if (node->pin.coarsen && node->pin.coarsen * threads != cells
	    && pin_refused(node, PIN_COARSEN, D_PIN_UNFIT, "a tile of %lld cells is %lld a thread of %lld threads, not %d",
	                   (long long)cells, (long long)((cells + threads - 1) / threads), (long long)threads,
	                   node->pin.coarsen))
		diag_cure("pin one of `tile` and `coarsen`: the other follows");
}

/* A tile goes with shared memory only. */
static void cure_size(const struct node *node, const struct options *o, enum pin pin)
{
	const char *tile = pin == PIN_TILE ? fitting_tile(node, o) : NULL;
	if (tile)
		diag_cure("pin a smaller tile, `tile %s`, or `stage l1` and no tile", tile);
	else
		diag_cure("pin `stage l1`%s", node->pin.tile[0] ? " and no tile" : "");
}

static void refuse(const struct node *node, const struct options *o, int64_t bytes)
{
	long long most = o->target->shared_bytes - FOLD_BYTES;
	enum pin pin = node->pinned[PIN_TILE].own ? PIN_TILE : PIN_STAGE;
	if (pin_refused(node, pin, D_PIN_STAGE, "the tile with its halo takes %lld bytes of shared memory; a block "
	                        "of %s has %lld", (long long)bytes, o->target->name, most))
		cure_size(node, o, pin);
}

/* ---- remarks ---- */

static void tell(struct node *node, bool pinned, const struct options *o)
{
	const struct tile_plan *plan = plan_of(node, o);
	int reads = 0;
	for (int i = 0; i < plan->need.n; i++)
		reads += plan->need.at[i].reads;
	double reuse = (double)cells_of(node, node->choice.tile) * reads / ((double)plan->cells * plan->need.n);
	remark_did(node, PASS_TILE, BANDWIDTH, "%s cells%s, with the halo %s: each cell brought is read %s times; %s a block, "
	           "%d blocks of %d threads a multiprocessor, by threads and shared memory", tile_text(node),
	           pinned ? ", as pinned" : "", box_text(node, plan->size, node->index.n), remark_number(reuse),
	           remark_bytes((double)plan->bytes), blocks_of_unit(o->target, o->target->block, plan->bytes + FOLD_BYTES),
	           o->target->block);
}

static void no_tile(struct node *node, const char *why)
{
	for (int d = 0; d < MAX_RANK; d++)
		node->choice.tile[d] = 0;
	remark_not(node, PASS_TILE, "%s", why);
}

/* Staged in registers, the tile is what a block computes in a step: rows x columns, a vector a thread. */
static void share_lanes(struct node *node, const struct options *o)
{
	const int *tile = node->pin.tile;
	int width = cells_width(node), lanes = tile[1] / width, cells = o->target->block * width;
	bool fits = tile[1] && !tile[2] && tile[0] * tile[1] == cells && tile[1] % width == 0
	         && lanes <= o->target->lanes && (lanes & (lanes - 1)) == 0;
	if (fits) {
		remark_did(node, PASS_TILE, REGULARITY, "%d lanes along a row, %d rows a step, as pinned", lanes, tile[0]);
		return;
	}
	if (tile[0] && pin_refused(node, PIN_TILE, D_PIN_STAGE, "with `stage registers` a tile is what the %d threads of a block "
	                           "compute in a step, %d cells each, and a row of it is at most a warp",
	                           o->target->block, width))
		diag_cure("pin `tile %s`, or `tile %s`", pair_text(node, cells / (o->target->lanes * width), o->target->lanes * width),
		          pair_text(node, cells / (8 * width), 8 * width));
	no_tile(node, "in registers all lanes of a warp lie along a row");
}

/* ---- products ---- */

static void small_products(struct node *node, const struct shape *s)
{
	if (node->pin.tile[0] && pin_refused(node, PIN_TILE, D_PIN_UNFIT, "a block takes whole products of `%s`: they are small", node->name))
		diag_cure("leave the tile out");
	for (int d = 0; d < MAX_RANK; d++)
		node->choice.tile[d] = 0;
	remark_did(node, PASS_TILE, BANDWIDTH, "%d products a block, %d x %d cells a thread", s->few.products, s->few.thread[0],
	           s->few.thread[1]);
}

static bool is_tile(const int *pin, const struct tile_of_product *tile)
{
	return pin[0] == tile->size[0] && pin[1] == tile->size[1] && !pin[2];
}

static bool fits_product(const int *pin, const struct shape *s)
{
	bool fits = false;
	for (int f = 0; f < 2; f++)
		fits |= is_tile(pin, &s->tile[f]);
	for (int f = 0; f < PLAIN_TILES; f++)
		fits |= is_tile(pin, &s->plain[f]);
	return fits;
}

static const char *size_text(const struct node *node, const struct tile_of_product *tile)
{
	return pair_text(node, tile->size[0], tile->size[1]);
}

static void tile_product(struct node *node, const struct shape *s)
{
	const int *pin = node->pin.tile;
	const struct tile_of_product *large = &s->tile[0], *small = &s->tile[1];
	bool fits = fits_product(pin, s);
	if (pin[0] && !fits && pin_refused(node, PIN_TILE, D_PIN_UNFIT, "a tile of the product `%s` has %s cells, or %s", node->name,
	                                   size_text(node, large), size_text(node, small)))
		diag_cure("pin `tile %s` or `tile %s`, or leave the choice to the host, which knows the sizes; plainer ones, to compare with, are "
		          "`tile %s` and `tile %s`", size_text(node, large), size_text(node, small), size_text(node, &s->plain[0]),
		          size_text(node, &s->plain[1]));
	for (int d = 0; d < MAX_RANK; d++)
		node->choice.tile[d] = fits ? pin[d] : 0;
	if (fits)
		remark_did(node, PASS_TILE, BANDWIDTH, "%s cells a block, as pinned", pair_text(node, pin[0], pin[1]));
	else
		remark_did(node, PASS_TILE, BANDWIDTH, "%s cells a block, %s a thread, where they keep the machine busy, else %s: "
		           "so often a cell of an operand that is brought is read%s", size_text(node, large),
		           pair_text(node, large->thread[0], large->thread[1]), size_text(node, small),
		           s->few.sized ? "; of products that the host finds small a block takes several" : "");
	if (s->parts.blocks)
		remark_did(node, PASS_TILE, BALANCE, "where tiles are fewer than %d, blocks share the terms of one, %d each at least: a second kernel "
		           "folds what they find", s->parts.blocks, s->parts.terms);
}

/* Of a CPU the C compiler knows more than patc. */
static void panel_product(struct node *node)
{
	if (node->pin.tile[0] && pin_refused(node, PIN_TILE, D_PIN_UNFIT, "on a CPU the panels of `%s` are as wide as the vectors that the "
	                                     "C compiler may use", node->name))
		diag_cure("leave the tile out; -march=native makes panels as wide as the machine's vectors");
	for (int d = 0; d < MAX_RANK; d++)
		node->choice.tile[d] = 0;
	remark_did(node, PASS_TILE, BANDWIDTH, "panels of 6 rows, or 12 where there are 32 vector registers, and of two vectors of columns: all "
	           "their sums are in registers");
}

/* ---- transposes ---- */

static void tile_turned(struct node *node, const struct shape *s)
{
	const int *pin = node->pin.tile;
	const struct tile_of_product *tile = &s->tile[0];
	bool pinned = pin[0] && !s->unfit;
	if (pin[0] && s->unfit && pin_refused(node, PIN_TILE, D_PIN_UNFIT, "the tile of the transpose `%s` cannot be that: %s", node->name, s->unfit))
		diag_cure(tile->thread[0] > 1 ? "pin `tile %s`, or leave the choice to the compiler" : "leave the tile out%.0s",
		          size_text(node, tile));
	for (int d = 0; d < MAX_RANK; d++)
		node->choice.tile[d] = pinned ? pin[d] : 0;
	if (s->thin)
		remark_did(node, PASS_TILE, BANDWIDTH, "%s", s->thin);
	else if (tile->thread[0] > 1)
		remark_did(node, PASS_TILE, BANDWIDTH, "%s cells a block%s, read by rows and written by rows, %d cells an access where they are "
		           "aligned", size_text(node, tile), pinned ? ", as pinned" : "", tile->thread[0]);
	else
		remark_did(node, PASS_TILE, BANDWIDTH, "a block reads by rows and writes by rows, cell by cell; the host chooses the sides of its tile");
}

/* ---- structs ---- */

static void tile_moved(struct node *node)
{
	static const char own[] = "a warp brings the structs of its own cells";
	if (node->pin.tile[0] && pin_refused(node, PIN_TILE, D_PIN_UNFIT, "`%s` has no tile: %s", node->name, own))
		diag_cure("pin `coarsen` for more cells a thread");
	no_tile(node, own);
}

/* ---- the pass ---- */

/* Would the pinned tile hold with `stage shared`? */
static bool holds_shared(const struct node *node, const struct options *o)
{
	struct node staged = *node;
	staged.pin.stage = staged.choice.stage = STAGE_SHARED;
	const struct shape s = shape_of(&staged, o);
	if (no_shared(node, o) || s.moved)
		return false;
	if (s.product)
		return o->target->gpu && !s.few.products && fits_product(node->pin.tile, &s);
	if (s.turned)
		return !s.unfit;
	return axes_of(node) == node->index.n && fits(&staged, o);
}

static void refuse_unstaged(const struct node *node, const struct options *o)
{
	if (!node->pin.tile[0] || !pin_refused(node, PIN_TILE, D_PIN_UNFIT, "a tile is kept in shared memory, and `%s` keeps nothing there",
	                                       node->name))
		return;
	if (holds_shared(node, o))
		diag_cure("pin `stage shared` %s, or leave the tile out", node->pin.stage ? "instead of `stage l1`" : "too");
	else
		diag_cure("leave the tile out");
}

static void choose(struct node *node, const struct options *o)
{
	if (node->choice.stage == STAGE_REGISTERS) {
		share_lanes(node, o);
		return;
	}
	if (node->choice.stage != STAGE_SHARED) {
		refuse_unstaged(node, o);
		no_tile(node, "nothing is kept in shared memory");
		return;
	}
	const struct shape s = shape_of(node, o);
	if (s.product && s.few.products) {
		small_products(node, &s);
		return;
	}
	if (s.product) {
		if (o->target->gpu)
			tile_product(node, &s);
		else
			panel_product(node);
		return;
	}
	if (s.turned) {
		tile_turned(node, &s);
		return;
	}
	if (s.moved) {
		tile_moved(node);
		return;
	}
	bool pinned = pinned_axes(node, o);
	if (!pinned) {
		default_tile(node);
		shrink(node, o);
	}
	if (!fits(node, o)) {
		const struct tile_plan *plan = plan_of(node, o);
		refuse(node, o, plan ? plan->bytes : 0);
		node->choice.stage = STAGE_L1;
		no_tile(node, "the tile does not fit: cells come through l1 after all");
		return;
	}
	check_coarsen(node, o);
	tell(node, pinned, o);
}

void pass_tile(struct entry *entry, const struct options *o)
{
	pass_each(entry, choose, o);
}
