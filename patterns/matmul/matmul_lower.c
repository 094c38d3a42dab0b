/* matmul_lower.c - products: by tiles on a GPU, by packed panels on a CPU, where product.c finds
 * two operands; all others as a reduce.
 *
 * On a GPU a tile of the result is computed by a block; how many cells, and how they are shared, is
 * in product_form(). The host takes the large tile if it makes enough blocks for a machine, unless
 * one of them is pinned; plainer ones are there to be pinned (product_plain.c). Of small products a
 * block computes several (product_small.c, product_sized.c). With `stage l1` a thread computes a
 * cell. */
#include "../lowerings.h"
#include "legal.h"
#include "../ways.h"
#include "chain.h"
#include "product.h"

static void tiles_shape(const struct product *found, const struct target *target,
                        struct product_tiles *tiles, struct shape *s)
{
	struct product unit;
	const struct product *p = product_unit(&unit, found, target) ? found : &unit;
	tiles->what = str_print("a product over `%s` of `%s`, by rows, and `%s`, by columns",
	                        p->depth->name, expr_text(p->operand[ROWS].e),
	                        expr_text(p->operand[COLUMNS].e));
	for (int f = 0; target->gpu && f < FORMS && !p->small.products; f++) {
		const struct tile_form form = product_form(p, target, f);
		tiles->tile[f] = (struct product_tile){ { form.size[0], form.size[1] },
			                                { form.thread[0], form.thread[1] } };
	}
	for (int f = 0; target->gpu && f < PLAIN_TILES && !p->small.products; f++)
		tiles->plain[f] = plain_tile(f);
	for (int side = ROWS; side <= COLUMNS; side++)
		tiles->few.thread[side] = p->small.thread[side];
	tiles->few.products = p->small.products;
	const struct sharing sharing = product_sharing(p, target, p->node->group);
	if (target->gpu && !p->small.products)
		tiles->parts.blocks = sharing.blocks, tiles->parts.terms = sharing.terms;
	tiles->few.sized = target->gpu && product_may_be_small(p, p->node->group);
	if (p->node->choice.stage != STAGE_SHARED || !target->gpu)
		return;
	bool plain = plain_takes(p->node->choice.tile);
	s->vector = plain ? 1 : p->small.products ? small_width(p) : product_width(p);
	s->no_vector = plain ? "a thread loads its cells one by one"
	                     : "rows of its operands are not adjacent in memory";
	s->vectors = !plain;
	s->pieces = 0;
	s->no_pieces = "its tile says how many cells a thread computes";
}

static const char *no_births(const struct product *p, const struct target *target)
{
	if (!target->gpu)
		return "on a CPU a tile of panels folds no rows or columns";
	if (plain_takes(p->node->pin.tile))
		return "the tile that is pinned folds no rows or columns";
	if (p->window)
		return "several indices count its rows, or its terms";
	if (unit_folds_none(p, target))
		return "the unit of a group of warps is faster, and folds none of such f32";
	return p->small.products ? "its products are small: a block has several, whole" : NULL;
}

/* Tiles could compute it, but are not to: then a thread folds a cell. */
static bool is_cell_by_cell(const struct product *p, const struct target *target)
{
	return target->gpu && p->node->choice.stage == STAGE_L1 && !p->small.products;
}

void matmul_shape(const struct node *node, const struct target *target, struct shape *s)
{
	struct product p;
	struct product_tiles *tiles = NEW(struct product_tiles);
	if (node->group && node->group->chain.n) {
		chain_shape(node, target, s);
		return;
	}
	reduce_shape(node, target, s);
	tiles->none = product_find(&p, node, target);
	s->staging = &product_staging;
	s->staged = tiles;
	s->births_staged = true;
	if (tiles->none)
		return;
	if (is_cell_by_cell(&p, target)) {
		cells_shape(node, target, s);
		s->no_vector = "a thread folds the terms of a cell in order";
	}
	tiles_shape(&p, target, tiles, s);
	s->lines = p.small.products || p.window || !target->gpu ? 0 : 2;
	s->no_births = no_births(&p, target);
	for (int side = ROWS; side <= COLUMNS; side++)
		s->line[side] = p.index[side];
}

bool matmul_slides(const struct node *node, const struct target *target)
{
	struct product p;
	return target->gpu && !product_find(&p, node, target);
}

/* Its fold multiplies two values that both differ from cell to cell. */
static bool multiplies(const struct node *node, const struct expr *fold)
{
	const struct expr *e = fold->arg.at[0];
	while (e->kind == E_CAST)
		e = e->arg.at[0];
	if (e->kind != E_BINARY || e->op != OP_MUL)
		return false;
	for (int a = 0; a < 2; a++) {
		bool cells = false;
		for (int d = 0; d < node->index.n; d++)
			cells |= expr_uses(e->arg.at[a], node->index.at[d]);
		if (!cells)
			return false;
	}
	return true;
}

const char *matmul_slides_not(const struct node *node, const struct target *target)
{
	struct product p;
	struct folds folds = { .n = 0 };
	folds_of(node->equation.at[0]->right, &folds);
	return target->gpu && folds.n && multiplies(node, folds.at[0])
	               ? product_find(&p, node, target)
	               : NULL;
}

/* ---- the ways ---- */

static bool is_by_cells(const struct task *c)
{
	return c->found && is_cell_by_cell(c->found, c->plan->target);
}

static bool is_fold(const struct task *c)
{
	return !c->found || c->node->choice.stage != STAGE_SHARED;
}

static void lower_fold(const struct task *c)
{
	reduce_lower(c->plan, c->group);
}

static void lower_panels(const struct task *c)
{
	product_panels(c->found, c->plan, c->group);
}

static bool is_small(const struct task *c)
{
	return ((const struct product *)c->found)->small.products;
}

static void lower_small(const struct task *c)
{
	product_small(c->found, c->plan);
}

static bool is_plain(const struct task *c)
{
	return plain_takes(c->node->choice.tile);
}

static void lower_plain(const struct task *c)
{
	product_plain(c->found, c->plan);
}

static bool may_be_small(const struct task *c)
{
	return product_may_be_small(c->found, c->group);
}

static void lower_sized(const struct task *c)
{
	product_sized(c->found, c->group, c->plan);
}

static void lower_tiles(const struct task *c)
{
	product_large(c->found, c->group, c->plan);
}

static const struct way ways[] = {
	/* `stage l1`: ../cells.c */
	{ "cells", "a thread computes a cell", .fits = is_by_cells, .lower = ways_cells },
	/* no product of two operands, or not to be tiled: ../reduce/reduce_lower.c */
	{ "fold", "as a reduction", .fits = is_fold, .lower = lower_fold },
	/* product_cpu.c */
	{ "panels", "threads pack panels of the operands", .lower = lower_panels,
	  .on = ON_CPU },
	/* product_small.c */
	{ "small", "a block computes several products",
	  .no = "its sizes are not known, or too large", .fits = is_small, .lower = lower_small },
	/* a tile of the simpler kernels is pinned: product_plain.c */
	{ "plain", "the tile that is pinned", .fits = is_plain, .lower = lower_plain },
	/* product_sized.c */
	{ "sized", "the host finds whether products are small",
	  .no = "there is one product, it is large for certain, or its tile is pinned",
	  .fits = may_be_small, .lower = lower_sized },
	/* product_unit.c */
	{ "tiles", "a block computes a tile of the result", .lower = lower_tiles }
};

void matmul_lower(struct plan *plan, const struct group *group)
{
	struct product p;
	struct chain chain;
	if (group->chain.n && !chain_find(&chain, group, plan->target)) {
		chain_lower(&chain, plan, group);
		return;
	}
	bool is_product = !product_find(&p, group->anchor, plan->target);
	ways_lower(ways, plan, group, is_product ? &p : NULL);
}
