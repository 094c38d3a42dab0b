/* product_batch.c - the indices of a product's result: how many cells each has, and the product at hand among those of a
 * batch, which all indices but two count. */
#include "product.h"

struct kx *product_cells(struct plan *plan, const struct product *p, int d)
{
	const struct node *node = p->node;
	return plan_range(plan, lower_index(host_lowering(plan), node->lo.at[d]), lower_index(host_lowering(plan), node->hi.at[d]));
}

static bool counts_products(const struct product *p, int d)
{
	return d != p->index[ROWS] && d != p->index[COLUMNS];
}

struct kx *product_batch(struct plan *plan, const struct product *p)
{
	struct kx *batch = NULL;
	for (int d = 0; d < p->node->index.n; d++)
		if (counts_products(p, d))
			batch = batch ? x_mul(batch, product_cells(plan, p, d)) : product_cells(plan, p, d);
	return batch ? plan_let(plan, "products", batch) : NULL;
}

struct kx *product_rest(struct lowering *l, struct kx *x, struct kx *by, struct kx **rest)
{
	*rest = x_var(k_let(l->k, "rest", x_rem(x, by)));
	return x_div(x, by);
}

void product_bind(struct lowering *l, const struct product *p, struct kx *number)
{
	struct plan *plan = l->plan;
	for (int d = p->node->index.n - 1; d >= 0; d--) {
		const struct var *index = p->node->index.at[d];
		struct kx *lo = lower_index(host_lowering(plan), p->node->lo.at[d]), *at = number;
		if (!counts_products(p, d))
			continue;
		struct kx *size = lower_argument(l, str_print("%s_cells", index->name), kt_scalar(T_I64), product_cells(plan, p, d));
		number = x_var(k_let(l->k, "others", product_rest(l, number, size, &at)));
		if (!x_is_int(lo, 0))
			at = x_add(at, lower_argument(l, str_print("%s_first", index->name), kt_scalar(T_I64), lo));
		lower_bind(l, index, x_var(k_let(l->k, index->name, at)));
	}
}
