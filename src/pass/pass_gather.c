/* pass_gather.c - turns a scatter into a statement that computes each of its cells
 * (owner-computes).
 *
 * Needs: pins.  Leaves: such statements as maps, stencils, products and reduces, for all passes
 * after it; choice.gather.  Rule (Hwu's scatter to gather): where every index of the domain is
 * alone in a subscript of the target, no two items have one cell, so each is its cell's owner.
 * Other affine subscripts are solved for the items that reach a cell, which folds them
 * (gather_cells.c).  Then nothing is atomic, vectors of cells are read and written whole, and the
 * statement fuses as others do.  What items bring is combined with what the cell holds.
 *
 * Where data say where items go they meet: how, the remark says.  On a GPU those of near cells are
 * sorted by tiles of the cells first (patterns/meet_tiles.c; choice.tiles), which makes most of
 * them meet in shared memory.  Structs meet part by part where
 * their operator works so (op_parts.c). */
#include <string.h>

#include "ask.h"
#include "gather_cells.h"
#include "merge_items.h"
#include "op_parts.h"
#include "pass.h"
#include "privatise.h"
#include "remark.h"

/* The subscript moves with this index of the domain, and with no other index. */
static bool alone(const struct affine *sub, const struct var *index)
{
	bool own = false;
	for (int t = 0; t < sub->n; t++) {
		if (sub->term[t].var->kind == VAR_INDEX && sub->term[t].var != index)
			return false;
		own |= sub->term[t].var == index;
	}
	return own;
}

/* Each index is alone in some subscript of the cell, so that no two items have one. */
static bool owns(const struct node *node, const struct expr *cell)
{
	for (int a = 0; a < cell->arg.n; a++)
		if (cell->affine[a].n < 0)
			return false;
	for (int k = 0; k < node->index.n; k++) {
		bool own = false;
		for (int a = 0; a < cell->arg.n; a++)
			own |= alone(&cell->affine[a], node->index.at[k]);
		if (!own)
			return false;
	}
	return true;
}

static bool all_own(const struct node *node)
{
	for (int q = 0; q < node->equation.n; q++) {
		const struct expr *cell = target_read(node->equation.at[q]->target.at[0]);
		if (!owns(node, cell))
			return false;
		for (int p = 0; p < q; p++)
			if (target_read(node->equation.at[p]->target.at[0])->var == cell->var)
				return false;
	}
	return !node->expand;
}

/* y[i] op= e is y[i] = y[i] op e. */
static void own(struct equation *eq)
{
	if (!eq->combine)
		return;
	eq->right = cell_combined(eq->combine, eq->target.at[0], eq->right);
	eq->combine = NULL;
}

static bool lies_apart(const struct equation *eq)
{
	const struct expr *cell = eq->target.at[0];
	return cell->kind == E_READ && cell->var->layout && cell->var->layout->block;
}

/* What machines combine as wholes in order, they combine in any order by parts. */
static bool split(struct node *node, const struct options *o)
{
	struct equations out = { { NULL, 0, 0 } };
	int wholes = node->equation.n;
	bool any_order = o->target->gpu && !node_clause(node, "strict");
	for (int q = 0; q < node->equation.n; q++) {
		struct equation *eq = node->equation.at[q];
		if (eq->combine && op_in_parts(eq->combine) && (any_order || lies_apart(eq)))
			op_split(eq, &out);
		else
			list_add(&out.at, eq);
	}
	node->equation.at = out.at.at, node->equation.n = out.at.n,
	node->equation.room = out.at.room;
	return out.at.n > wholes;
}

/* Items of the statement, as the program writes their ranges: "n * 5". */
static const char *items_text(const struct node *node)
{
	const char *text = "";
	for (int k = 0; k < node->index.n; k++) {
		const struct expr *lo = node->lo.at[k], *hi = node->hi.at[k];
		int64_t cells = affine_cells(lo, hi);
		const char *count = cells >= 0          ? str_print("%lld", (long long)cells)
		                    : affine_is(lo, 0) && hi->kind == E_VAR
		                      ? expr_text(hi)
		                    : affine_is(lo, 0) ? str_print("(%s)", expr_text(hi))
		                      : str_print("(%s - (%s))", expr_text(hi), expr_text(lo));
		text = str_print("%s%s%s", text, k ? " * " : "", count);
	}
	if (node->equation.n > 1)
		text = str_print("%d * %s", node->equation.n, text);
	return text;
}

static const char *no_tiles(const struct node *node, const struct options *o)
{
	return node->pin.privatise > 0 ? "`privatise` is pinned" : shape_of(node, o).no_tiles;
}

/* Items of places that data decide: they are sorted by tiles of the cells, if that may pay. */
static bool by_tiles(struct node *node, const char *why, const struct options *o)
{
	const struct shape s = shape_of(node, o);
	bool pinned = node->pin.gather > 0;
	bool wanted = node->pin.gather ? pinned : pass_enabled(o, "gather");
	bool pays = s.bunch >= TILES_ITEMS && places_by_data(node);
	if (!why || !wanted || no_tiles(node, o) || !(pinned || pays))
		return false;
	node->choice.tiles = 1;
	remark_did(node, PASS_GATHER, CONTENTION,
	           "%s, but %lld item%s to near cells: they are sorted by tiles of %s cells, and a "
	           "block combines those of a tile in %s of shared memory; of `%s` atomic "
	           "operations one for each cell of a tile is left, %s",
	           why, (long long)s.bunch, s.bunch == 1 ? " goes" : "s go", s.tiles,
	           remark_bytes((double)s.tile_bytes), items_text(node),
	           pinned ? "as pinned"
	                  : str_print("if there are at least %d such groups of items, as many "
	                              "items as cells, and %d MiB of cells",
	                              TILES_BUNCHES, TILES_BYTES >> 20));
	return true;
}

static void refuse(struct node *node, const char *why, const struct options *o)
{
	if (by_tiles(node, why, o))
		return;
	const char *by = split(node, o) ? "field by field " : "", *meet = shape_of(node, o).meet;
	if (node->pin.gather > 0 && why)
		pin_unfit(node, PIN_GATHER, "the cells of `%s` are not computed from the items "
		          "that reach them: %s; nor are these sorted by tiles: %s", node->name,
		          why, no_tiles(node, o));
	(node_clause(node, "unique") ? remark_none : remark_not)(
		node, PASS_GATHER, "%s; %s%s",
		why                    ? why
		: node->pin.gather < 0 ? "pinned"
		                       : "--no-pass=gather",
		by, meet);
}

/* ---- the statements of its cells ---- */

/* The node becomes the statement of its last array. */
static void become(struct node *node, const struct node *made)
{
	node->pattern = made->pattern;
	node->index.at = made->index.at, node->index.n = made->index.n;
	node->lo.at = made->lo.at, node->lo.n = made->lo.n;
	node->hi.at = made->hi.at, node->hi.n = made->hi.n;
	node->index.room = node->lo.room = node->hi.room = 0;
	node->whole = made->whole;
	node->where = made->where;
	node->equation.at = made->equation.at, node->equation.n = made->equation.n;
	node->equation.room = 0;
	memcpy(node->edge, made->edge, sizeof node->edge);
}

static void told(struct node *node, const struct cells *c, const char *items, bool pinned)
{
	const char *along = *c->along ? str_print(" along `%s`", c->along) : "";
	remark_did(node, PASS_GATHER, CONTENTION,
	           "each cell of `%s` %s the items%s that reach it: `%s` of them need no atomic "
	           "operation%s", c->array->name, *c->along ? "folds" : "takes", along, items,
	           pinned ? ", as pinned" : "");
}

static void put_cells(struct node *node, const struct cells_made *cells, struct insertion *b)
{
	const char *items = items_text(node);
	for (int k = 0; k < cells->of.n; k++) {
		const struct cells *c = &cells->of.at[k];
		struct node *made = c->node;
		if (k == cells->of.n - 1) {
			become(node, made);
			made = node;
		} else {
			made->name = insertion_name(b, str_print("%s_%s", node->name,
			                                         c->array->name));
			pins_inherit(made, node);
			list_add(&b->made, made);
		}
		made->choice.gather = 1;
		told(made, c, items, node->pin.gather > 0);
	}
}

/* ---- the decision ---- */

static void own_cells(struct node *node)
{
	node->choice.gather = 1;
	for (int q = 0; q < node->equation.n; q++)
		own(node->equation.at[q]);
	node->pattern = pattern_assign;
	remark_did(node, PASS_GATHER, CONTENTION,
	           "no two items have the same cell: each is computed where it is written%s",
	           node->pin.gather ? ", as pinned" : "");
}

static void choose(struct node *node, struct insertion *b)
{
	if (!node->pattern->combines) {
		if (node->pin.gather)
			pin_unfit(node, PIN_GATHER,
			          "`%s` computes its own cells, so no items are combined",
			          node->name);
		return;
	}
	const struct options *o = b->o;
	bool wanted = node->pin.gather ? node->pin.gather > 0 : pass_enabled(o, "gather");
	bool owners = all_own(node);
	struct cells_made cells = { 0 };
	const char *why = owners ? NULL : gather_cells(node, &cells);
	if (!owners && !why && node->pin.privatise > 0 && !node->pin.gather)
		why = "`privatise` is pinned";
	if (why || !wanted)
		refuse(node, why, o);
	else if (owners)
		own_cells(node);
	else
		put_cells(node, &cells, b);
}

void pass_gather(struct entry *entry, const struct options *o)
{
	pass_insert(entry, choose, o);
}
