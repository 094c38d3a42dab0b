/* product_batch.c - the indices of a product's result: how many cells each has, and the product at hand among those of a
 * batch, which all indices but two count. */
#include "product.h"

struct kx *product_cells(struct plan *plan, const struct product *p, int d)
{
	const struct node *node = p->node;
	return plan_range(plan, lower_index(host_lowering(plan), node->lo.at[d]), lower_index(host_lowering(plan), node->hi.at[d]));
}

bool product_counts(const struct product *p, int d)
{
	return d != p->index[ROWS] && d != p->index[COLUMNS];
}

struct kx *product_batch(struct plan *plan, const struct product *p)
{
	struct kx *batch = NULL;
	for (int d = 0; d < p->node->index.n; d++)
		if (product_counts(p, d))
			batch = batch ? x_mul(batch, product_cells(plan, p, d)) : product_cells(plan, p, d);
	return batch ? plan_let(plan, "products", batch) : NULL;
}

struct kx *product_rest(struct lowering *l, struct kx *x, struct kx *by, struct kx **rest)
{
	*rest = x_var(k_let(l->k, "rest", x_rem(x, by)));
	return x_div(x, by);
}

static bool slower_ones(const struct product *p, int d)
{
	while (--d >= 0)
		if (product_counts(p, d))
			return true;
	return false;
}

struct batch product_axes(struct lowering *l, const struct product *p)
{
	struct batch b = { 0 };
	for (int d = p->node->index.n - 1; d >= 0; d--) {
		const char *name = p->node->index.at[d]->name;
		struct kx *lo = lower_index(host_lowering(l->plan), p->node->lo.at[d]), *size = product_cells(l->plan, p, d);
		if (!product_counts(p, d))
			continue;
		b.index[b.n] = p->node->index.at[d];
		b.size[b.n] = slower_ones(p, d) ? lower_argument(l, str_print("%s_cells", name), kt_scalar(T_I64), size) : NULL;
		b.lo[b.n++] = x_is_int(lo, 0) ? lo : lower_argument(l, str_print("%s_first", name), kt_scalar(T_I64), lo);
	}
	return b;
}

void product_bind(struct lowering *l, const struct batch *b, struct kx *number)
{
	for (int d = 0; d < b->n; d++) {
		struct kx *at = number;
		if (b->size[d])
			number = x_var(k_let(l->k, "others", product_rest(l, number, b->size[d], &at)));
		lower_bind(l, b->index[d], x_var(k_let(l->k, b->index[d]->name, x_add(b->lo[d], at))));
	}
}
