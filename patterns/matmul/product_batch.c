/* product_batch.c - what all forms of a product share: how many cells and terms it has, its sums,
 * and the product at hand among those of a batch, which all indices of the result but two count. */
#include "product.h"

struct kx *product_cells(struct plan *plan, const struct product *p, int d)
{
	const struct node *node = p->node;
	return plan_range(plan, lower_index(host_lowering(plan), node->lo.at[d]),
	                  lower_index(host_lowering(plan), node->hi.at[d]));
}

struct kx *product_along(struct plan *plan, const struct product *p, enum side side)
{
	struct kx *cells = NULL;
	for (int d = 0; d < p->node->index.n; d++)
		if (p->part[d] == side)
			cells = cells ? x_mul(cells, product_cells(plan, p, d))
			              : product_cells(plan, p, d);
	return cells;
}

struct kx *product_terms(struct plan *plan, const struct product *p)
{
	if (p->window)
		return plan_let(plan, "terms", sliding_terms(plan, p, 1));
	const struct fold *fold = p->fold->fold;
	struct kx *lo = lower_index(host_lowering(plan), fold->lo.at[0]),
		  *hi = lower_index(host_lowering(plan), fold->hi.at[0]);
	return plan_let(plan, "terms", plan_range(plan, lo, hi));
}

struct kx *product_first(struct lowering *l, const struct product *p, enum side side)
{
	if (p->window)
		return x_i64(0);
	struct kx *lo = lower_index(host_lowering(l->plan), p->node->lo.at[p->index[side]]);
	return x_is_int(lo, 0) ? lo
	                       : lower_argument(l, side ? "first_column" : "first_row",
	                                        kt_scalar(T_I64), lo);
}

struct accumulator product_accumulator(const struct product *p)
{
	const struct expr *fold = p->term;
	return (struct accumulator){
		.op = fold->fold->op, .of = fold->type, .type = fold->type, .strict = fold->strict
	};
}

void product_finish(struct lowering *l, const struct product *p, struct kx *sum)
{
	list_add(&l->folded, ((struct folded){ p->fold, product_sum(p, sum) }));
	lower_equations(l, p->node);
	l->folded.n = 0;
}

struct kx *product_value(struct lowering *l, const struct product *p, struct kx *sum)
{
	const struct equation *eq = p->node->equation.at[0];
	list_add(&l->folded, ((struct folded){ p->fold, product_sum(p, sum) }));
	struct kx *value = lower_result(eq, 0, lower_expr(l, eq->right));
	l->folded.n = 0;
	return value;
}

bool product_counts(const struct product *p, int d)
{
	return p->part[d] == PRODUCTS;
}

struct kx *product_batch(struct plan *plan, const struct product *p)
{
	struct kx *batch = NULL;
	for (int d = 0; d < p->node->index.n; d++)
		if (product_counts(p, d))
			batch = batch ? x_mul(batch, product_cells(plan, p, d))
			              : product_cells(plan, p, d);
	return batch ? plan_let(plan, "products", batch) : NULL;
}

struct kx *product_rest(struct lowering *l, struct kx *x, struct kx *by, struct kx **rest)
{
	*rest = x_var(k_let(l->k, "rest", x_rem(x, by)));
	return x_div(x, by);
}

static bool slower_ones(const struct product *p, int d, enum side side)
{
	while (--d >= 0)
		if (p->part[d] == side)
			return true;
	return false;
}

struct batch product_side_axes(struct lowering *l, const struct product *p, enum side side)
{
	struct batch b = { 0 };
	for (int d = p->node->index.n - 1; d >= 0; d--) {
		const char *name = p->node->index.at[d]->name;
		struct kx *lo = lower_index(host_lowering(l->plan), p->node->lo.at[d]),
			  *size = product_cells(l->plan, p, d);
		if (p->part[d] != side)
			continue;
		b.index[b.n] = p->node->index.at[d];
		b.size[b.n] = slower_ones(p, d, side)
		                      ? lower_argument(l, str_print("%s_cells", name),
		                                       kt_scalar(T_I64), size)
		                      : NULL;
		b.lo[b.n++] = x_is_int(lo, 0) ? lo
		                              : lower_argument(l, str_print("%s_first", name),
		                                               kt_scalar(T_I64), lo);
	}
	return b;
}

struct batch product_axes(struct lowering *l, const struct product *p)
{
	return product_side_axes(l, p, PRODUCTS);
}

void product_bind(struct lowering *l, const struct batch *b, struct kx *number)
{
	for (int d = 0; d < b->n; d++) {
		struct kx *at = number;
		if (b->size[d])
			number = x_var(
				k_let(l->k, "others", product_rest(l, number, b->size[d], &at)));
		lower_bind(l, b->index[d],
		           x_var(k_let(l->k, b->index[d]->name, x_add(b->lo[d], at))));
	}
}
