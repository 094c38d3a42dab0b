/* matmul_lower.c - products: by tiles on a GPU, by packed panels on a CPU, where product.c finds two operands; all others as a
 * reduce.
 *
 * On a GPU a tile of the result is computed by a block; how many cells, and how they are shared, is in product_form(). The
 * host takes the large tile if it makes enough blocks for a machine, unless one of them is pinned. Of small products a
 * block computes several (product_small.c). */
#include "../lowerings.h"
#include "../../src/legal.h"
#include "product.h"

static void tiles_shape(const struct product *p, const struct target *target, struct shape *s)
{
	s->product = str_print("a product over `%s` of `%s`, by rows, and `%s`, by columns", p->depth->name,
	                       legal_text(p->operand[ROWS].e), legal_text(p->operand[COLUMNS].e));
	for (int f = 0; target->gpu && f < FORMS && !p->small.products; f++) {
		const struct tile_form form = product_form(p, target, f);
		s->tile[f] = (struct tile_of_product){ { form.size[0], form.size[1] }, { form.thread[0], form.thread[1] } };
	}
	for (int side = ROWS; side <= COLUMNS; side++)
		s->few.thread[side] = p->small.thread[side];
	s->few.products = p->small.products;
	if (p->node->choice.stage != STAGE_SHARED || !target->gpu)
		return;
	s->vector = p->small.products ? small_width(p) : product_width(p);
	s->no_vector = "rows of its operands do not lie one behind another";
	s->pieces = 0;
	s->no_pieces = "its tile says how many cells a thread computes";
}

void matmul_shape(const struct node *node, const struct target *target, struct shape *s)
{
	struct product p;
	reduce_shape(node, target, s);
	s->no_product = product_find(&p, node, target);
	if (s->no_product)
		return;
	tiles_shape(&p, target, s);
	s->lines = p.small.products || !target->gpu ? 0 : 2;
	s->no_births = !target->gpu ? "on a CPU a tile of panels folds no rows or columns"
	             : p.small.products ? "its products are small: a block has several, whole" : NULL;
	for (int side = ROWS; side <= COLUMNS; side++)
		s->line[side] = p.index[side];
}

void matmul_lower(struct plan *plan, const struct group *group)
{
	struct product p;
	if (group->anchor->choice.stage != STAGE_SHARED || product_find(&p, group->anchor, plan->target))
		reduce_lower(plan, group);
	else if (plan->target->gpu)
		p.small.products ? product_small(&p, plan) : product_tiles(&p, group, plan);
	else
		product_panels(&p, plan, group);
}
