/* expand.c - items of ranges that data decide: which item has a number (expansion.h).
 *
 * All threads have as many items, whatever the lengths.  A warp of a GPU takes rows of neighbouring
 * items.  Its lanes together find the range of the first one in `ends` (find.kernel), and then, row
 * after row, the range of each by halving over the lanes, which hold the ends of the next ranges
 * (expand.kernel).  An H100 stores a value for each of 2^26 items in ranges of 16 in 0.47 ms; where
 * each lane halves over memory it takes 2.18.  A thread of a CPU goes from range to range. */
#include "ask.h"
#include "expand.h"

/* The last end, if there is one. */
struct kx *expand_items(struct lowering *l, const struct node *node)
{
	const struct expansion *x = node->expand;
	struct kx *used = x_var(k_let(l->k, "used", kx_fold(expand_in_use(l, x->ends))));
	struct kx *ends = lower_pointer(l, expansion_ends(x));
	struct kx *last = x_cond(x_lt(x_i64(0), used), x_at(ends, x_sub(used, x_i64(1))), x_i64(0));
	return x_var(k_let(l->k, "items", last));
}

/* Of find.kernel: does the range of that number end up to the item? */
KTEXT_HOLE(is_passed)
{
	(void)state;
	return x_le(x_at(k_get(l->k, "ends"), arg[0]), arg[2]);
}

void expand_bind_ranges(struct lowering *l, const struct node *node)
{
	const struct expansion *x = node->expand;
	bool several = x && x->outer.n;
	k_bind(l->k, "OUTER", several);
	if (!several)
		return;
	k_bind(l->k, "ends", lower_pointer(l, expansion_ends(x)));
	k_bind(l->k, "ranges", x_var(k_let(l->k, "ranges", kx_fold(expand_in_use(l, x->ends)))));
	k_bind_call(l->k, "is_passed", is_passed, NULL);
}

static void bind(struct lowering *l, const struct var *index, struct kx *value)
{
	lower_bind(l, index, x_var(k_let(l->k, index->name, kx_fold(value))));
}

static struct kx *rest_of(struct lowering *l, struct kx *number, struct kx *size)
{
	return x_var(k_let(l->k, "rest", x_div(number, size)));
}

void expand_decode(struct lowering *l, const struct var *ends, struct var *const *index,
                   struct kx *range)
{
	for (int d = ends->rank - 1; d > 0; d--) {
		struct kx *size = lower_extent(l, ends, d);
		bind(l, index[d], x_rem(range, size));
		range = rest_of(l, range, size);
	}
	bind(l, index[0], range);
}

void expand_bind_outer(struct lowering *l, const struct node *node, struct kx *range)
{
	struct var *index[MAX_RANK];
	expansion_outer(node, index);
	expand_decode(l, expansion_ends(node->expand), index, range);
}

/* The number of an item in the range at hand. */
static struct kx *in_range(struct lowering *l, const struct node *node, struct kx *number)
{
	const struct expansion *x = node->expand;
	if (!x->outer.n)
		return number;
	struct kx *range = k_get(l->k, "range"), *ends = k_get(l->k, "ends");
	expand_bind_outer(l, node, range);
	return x_sub(number, x_cond(x_lt(x_i64(0), range), x_at(ends, x_sub(range, x_i64(1))),
	                            x_i64(0)));
}

void expand_bind(struct lowering *l, const struct node *node, struct kx *number)
{
	const struct expansion *x = node->expand;
	struct kx *rest = in_range(l, node, number);
	for (int d = x->after.n - 1; d >= 0; d--) {
		int k = x->after.at[d];
		struct kx *lo = lower_index(l, node->lo.at[k]);
		struct kx *hi = lower_index(l, node->hi.at[k]);
		struct kx *size = kx_fold(x_max(x_sub(hi, lo), x_i64(1)));
		rest = d == x->after.n - 1 ? x_var(k_let(l->k, "place", rest)) : rest;
		bind(l, node->index.at[k], x_add(lo, x_rem(rest, size)));
		rest = rest_of(l, rest, size);
	}
	bind(l, node->index.at[x->inner], x_add(lower_index(l, x->from), rest));
}

static void cut_range(struct lowering *l, const struct fold *fold, struct kx **from, struct kx **to)
{
	struct lower_context before = l->now;
	bool tested = expr_checked(fold->lo.at[0]) || expr_checked(fold->hi.at[0]);
	if (tested)
		lower_flag(l, "bad");
	lower_range(l, fold, 0, from, to);
	*from = x_var(k_let(l->k, "from", *from));
	if (tested)
		*to = x_cond(lower_inside_all(l), *to, *from);
	*to = x_var(k_let(l->k, "to", *to));
	if (tested)
		lower_record(l);
	l->now = before;
}

void expand_range(struct lowering *l, const struct node *node, int k, struct kx **from,
                  struct kx **to)
{
	struct expr *count = node->expand ? node->expand->count[k] : NULL;
	bool drops = l->now.drops;
	if (!count) {
		*from = lower_index(l, node->lo.at[k]);
		*to = lower_index(l, node->hi.at[k]);
		return;
	}
	l->now.drops |= k == node->expand->inner;
	cut_range(l, count->fold, from, to);
	l->now.drops = drops;
}

/* Its bounds use no index that is a loop over each item. */
static bool is_of_items(const struct node *node, int k)
{
	const struct expansion *x = node->expand;
	for (int j = 0; j < k; j++)
		if (j != x->inner && !axes_have(&x->outer, j)
		    && bounds_use(node, k, node->index.at[j]))
			return false;
	return true;
}

int expand_shared(const struct lowering *l, const struct node *node)
{
	const struct expansion *x = node->expand;
	for (int k = x->inner + 1; l->target->gpu && k < node->index.n; k++)
		if (x->count[k] && is_of_items(node, k))
			return k;
	return -1;
}

int expand_open_others(struct lowering *l, const struct node *node, int bound)
{
	int loops = 0;
	for (int k = 0; k < node->index.n; k++) {
		struct kx *from, *to;
		if (k == node->expand->inner || k == bound || axes_have(&node->expand->outer, k))
			continue;
		expand_range(l, node, k, &from, &to);
		lower_bind(l, node->index.at[k],
		           x_var(k_for(l->k, node->index.at[k]->name, from, to, x_i64(1), 0)));
		loops++;
	}
	return loops;
}
