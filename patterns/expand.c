/* expand.c - items of ranges that data decide: which item has a number (expansion.h).
 *
 * A thread finds the range of its item by halving over `ends`, log2 of the ranges looks, of which
 * neighbouring lanes mostly share the cells: it costs less than what an item moves, and all threads
 * have as many items, whatever the lengths. */
#include "expand.h"
#include "ask.h"

struct kx *expand_items(struct lowering *l, const struct node *node)
{
	return x_var(k_let(l->k, "items", lower_expr(l, node->expand->items)));
}

static void bind(struct lowering *l, const struct var *index, const struct expr *value)
{
	lower_bind(l, index, x_var(k_let(l->k, index->name, lower_index(l, value))));
}

void expand_bind(struct lowering *l, const struct node *node, struct kx *number)
{
	const struct expansion *x = node->expand;
	lower_bind(l, x->item, number);
	if (x->outer >= 0)
		bind(l, node->index.at[x->outer], x->owner);
	bind(l, node->index.at[x->inner], x->cell);
}

struct kvar *expand_open(struct lowering *l, const struct node *node, struct kx *first)
{
	const struct expansion *x = node->expand;
	if (x->outer < 0)
		return NULL;
	lower_bind(l, x->item, first);
	return k_var(l->k, kt_scalar(T_I64), "range", lower_index(l, x->owner));
}

void expand_next(struct lowering *l, const struct node *node, struct kvar *range, struct kx *number)
{
	const struct expansion *x = node->expand;
	lower_bind(l, x->item, number);
	if (range) {
		struct kx *ends = lower_pointer(l, searched_cell(x->owner)->var);
		k_while(l->k, x_le(x_at(ends, x_var(range)), number));
		k_set(l->k, x_var(range), x_add(x_var(range), x_i64(1)));
		k_end(l->k);
		lower_bind(l, node->index.at[x->outer], x_var(range));
	}
	bind(l, node->index.at[x->inner], x->cell);
}

static void cut_range(struct lowering *l, const struct node *node, struct kx **from, struct kx **to)
{
	const struct fold *fold = node->expand->count->fold;
	struct lower_context before = l->now;
	bool tested = expr_checked(fold->lo.at[0]) || expr_checked(fold->hi.at[0]);
	if (tested)
		lower_flag(l, "bad");
	*from = x_var(k_let(l->k, "from", lower_end(l, fold, 0, false)));
	*to = lower_end(l, fold, 0, true);
	if (tested)
		*to = x_cond(lower_inside_all(l), *to, *from);
	*to = x_var(k_let(l->k, "to", *to));
	l->now = before;
}

void expand_range(struct lowering *l, const struct node *node, int k, struct kx **from,
                  struct kx **to)
{
	if (node->expand && node->expand->inner == k) {
		cut_range(l, node, from, to);
		return;
	}
	*from = lower_index(l, node->lo.at[k]);
	*to = lower_index(l, node->hi.at[k]);
}

int expand_open_others(struct lowering *l, const struct node *node)
{
	int loops = 0;
	for (int k = 0; k < node->index.n; k++) {
		struct kx *from, *to;
		if (k == node->expand->inner || k == node->expand->outer)
			continue;
		expand_range(l, node, k, &from, &to);
		lower_bind(l, node->index.at[k],
		           x_var(k_for(l->k, node->index.at[k]->name, from, to, x_i64(1), 0)));
		loops++;
	}
	return loops;
}
