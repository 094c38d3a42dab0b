/* product_parts.c - few tiles of many terms: blocks share the terms of a tile.
 *
 * The host cuts the terms into parts, so many that tiles and parts together keep a machine busy,
 * each of so many terms that they are worth a block. What a block finds it stores in the workspace,
 * and a second kernel folds the parts of a cell in their order, a thread a cell, and computes the
 * equation. How many parts depends on the sizes alone: the same bits on every run. Nothing is cut
 * where terms must be folded one by one (strict), or rows or columns are folded after the product.
 * */
#include "tiled.h"

enum { LEAST = 256 };                        /* terms of a part */

/* Blocks that keep a machine busy: three a multiprocessor, fewer so that a power of two divides
 * them. */
static int busy(const struct target *t)
{
	return 3 * t->units / 32 * 32;
}

/* Terms, and cells of the result, that are constants may be too few, or too many. */
static bool may_pay(const struct product *p)
{
	const struct fold *fold = p->fold->fold;
	int64_t terms = affine_cells(fold->lo.at[0], fold->hi.at[0]);
	return terms < 0 || terms >= 2 * LEAST;
}

struct sharing product_sharing(const struct product *p, const struct target *t,
                               const struct group *group)
{
	bool shares = !p->window && !(group && group->epilogue.n) && !fold_in_order(p->fold)
	              && product_takes(p, t, p->node->choice.tile, 1) && may_pay(p);
	return shares ? (struct sharing){ busy(t), LEAST } : (struct sharing){ 0, 0 };
}

/* Blocks that a tile may have; and the cells of the result. */
static struct kx *most_parts(const struct tiled *t, struct plan *plan, struct kx **cells)
{
	const struct tile_form f = product_form(t->p, plan->target, 1);
	struct kx *tiles = NULL;
	*cells = NULL;
	for (int d = 0; d < t->p->node->index.n; d++) {
		struct kx *size = product_cells(plan, t->p, d), *along = size;
		for (int side = ROWS; side <= COLUMNS; side++)
			along = d == t->p->index[side] ? x_div_up(size, x_i64(f.size[side]))
			                               : along;
		*cells = *cells ? x_mul(*cells, size) : size;
		tiles = tiles ? x_mul(tiles, along) : along;
	}
	return x_div(x_i64(busy(plan->target)), x_max(tiles, x_i64(1)));
}

/* What they store, over sizes alone: where more than sizes decide how many cells there are, as much
 * as tiles hold that have several blocks, of no more cells than there can be. */
static struct kx *room_of(const struct tiled *t, struct plan *plan, struct kx *cells,
                          struct kx *most)
{
	if (node_by_sizes(t->p->node))
		return x_cond(x_lt(x_i64(1), most), x_mul(cells, most), x_i64(0));
	const struct tile_form f = product_form(t->p, plan->target, 1);
	struct kx *tile = x_i64((int64_t)f.size[ROWS] * f.size[COLUMNS]),
		  *all = plan_most_cells(plan, t->p->node);
	return x_mul(all ? x_min(all, tile) : tile, x_i64(busy(plan->target)));
}

struct parts *parts_open(const struct tiled *t, struct plan *plan)
{
	const struct product *p = t->p;
	if (!product_sharing(p, plan->target, p->node->group).blocks)
		return NULL;
	struct parts *parts = NEW(struct parts);
	struct kx *cells, *most = most_parts(t, plan, &cells),
			  *depth = x_i64(product_form(p, plan->target, 1).depth);
	struct kx *room = room_of(t, plan, cells, most);
	parts->slot = x_var(plan_slot(plan, "partial", p->fold->type, 1, &room));
	parts->cells = cells;
	struct kx *wanted = x_max(x_min(most, x_div(t->host_terms, x_i64(LEAST))), x_i64(1));
	struct kx *share = x_mul(x_div_up(x_div_up(t->host_terms, wanted), depth), depth);
	parts->share = plan_let(plan, "part_terms", x_max(share, depth));
	parts->host = plan_let(plan, "parts",
	                       x_max(x_div_up(t->host_terms, parts->share), x_i64(1)));
	return parts;
}

/* In the kernel: how many. */
struct kx *parts_of(struct lowering *l, const void *tiled, struct kx *const *none)
{
	(void)none;
	return lower_argument(l, "parts", kt_scalar(T_I64),
	                      ((const struct tiled *)tiled)->parts->host);
}

/* A cell's number among all of them: its product, row and column. */
static struct kx *number_of(const struct tiled *t)
{
	struct kx *number = t->text->product;
	for (int side = ROWS; side <= COLUMNS; side++) {
		struct kx *first = product_first(t->l, t->p, side);
		struct kx *cell = x_sub(lower_var(t->l, t->p->operand[side].along), first);
		struct kx *size = lower_argument(t->l, side ? "columns" : "rows", kt_scalar(T_I64),
		                                 t->count[side]);
		number = number ? x_add(x_mul(number, size), cell) : cell;
	}
	return number;
}

/* The value at the bound cell is one of a part. */
struct kx *parts_store(struct lowering *l, const void *tiled, struct kx *const *value)
{
	const struct tiled *t = tiled;
	struct kx *cells = lower_argument(l, "cells", kt_scalar(T_I64), t->parts->cells);
	struct kx *partial = lower_argument(l, "partial", kt_pointer(t->p->fold->type, false),
	                                    t->parts->slot);
	struct kx *at = x_add(x_mul(x_to_i64(x_id(ID_BLOCK_Y)), cells), number_of(t));
	k_set(l->k, x_at(partial, at), product_sum(t->p, value[0]));
	return NULL;
}

/* ---- the second kernel ---- */

static void bind_cell(struct lowering *l, const struct tiled *t, struct kx *cell)
{
	struct batch axes = product_axes(l, t->p);
	for (int side = COLUMNS; side >= ROWS; side--) {
		const struct var *along = t->p->operand[side].along;
		struct kx *at = cell;
		struct kx *size = lower_argument(l, side ? "columns" : "rows", kt_scalar(T_I64),
		                                 t->count[side]);
		if (side == COLUMNS || t->batch)
			cell = x_var(k_let(l->k, "others", product_rest(l, cell, size, &at)));
		lower_bind(l, along,
		           x_var(k_let(l->k, along->name,
		                       x_add(at, product_first(l, t->p, side)))));
	}
	if (t->batch)
		product_bind(l, &axes, cell);
}

static void fold_parts(struct lowering *l, const struct tiled *t, const struct folds *folds,
                       struct kx *cell, struct kx *cells)
{
	struct kx *parts = lower_argument(l, "parts", kt_scalar(T_I64), t->parts->host);
	struct kx *partial = lower_argument(l, "partial", kt_pointer(t->p->fold->type, true),
	                                    t->parts->slot);
	struct accumulators acc = folds_start(l, folds);
	struct kx *p = x_var(k_for(l->k, "p", x_i64(0), parts, x_i64(1), 0));
	accumulate(l, &acc.at[0], x_at(partial, x_add(x_mul(p, cells), cell)));
	k_end(l->k);
	bind_cell(l, t, cell);
	fold_finish(l, t->p->node, folds, &acc);
}

/* Behind the tiles: where they had parts, these are folded. */
void parts_close(const struct tiled *t, struct plan *plan)
{
	struct folds folds = { .n = 0 };
	folds_of(t->p->node->equation.at[0]->right, &folds);
	k_if(plan->host, x_lt(x_i64(1), t->parts->host));
	struct lowering *l = lowering_new(plan, str_print("%s_fold", t->p->node->name));
	struct kx *block = x_i64(l->target->block);
	lowering_writes(l, t->p->node);
	block_launch_bounds(l);
	struct kx *cells = lower_argument(l, "cells", kt_scalar(T_I64), t->parts->cells);
	struct kx *cell = x_add(x_mul(x_to_i64(x_id(ID_BLOCK_X)), block),
	                        x_to_i64(block_thread(l)));
	cell = x_var(k_let(l->k, "cell", cell));
	k_if(l->k, x_lt(cell, cells));
	fold_parts(l, t, &folds, cell, cells);
	k_end(l->k);
	lowering_launch(l, x_div_up(t->parts->cells, block), x_i64(1), x_i64(1));
	k_end(plan->host);
}
