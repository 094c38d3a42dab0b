/* expand.c - items of ranges that data decide: which item has a number (expansion.h).
 *
 * All threads have as many items, whatever the lengths.  A warp of a GPU takes rows of neighbouring
 * items.  Its lanes together find the range of the first one in `ends` (find.kernel), and then, row
 * after row, the range of each by halving over the lanes, which hold the ends of the next ranges
 * (expand.kernel).  An H100 stores a value for each of 2^26 items in ranges of 16 in 0.47 ms; where
 * each lane halves over memory it takes 2.18.  A thread of a CPU goes from range to range. */
#include "expand.h"
#include "running.h"

static bool ends_in_use(const struct expansion *x)
{
	return x->ends->running->counts;
}

/* Of them the last end, if there is one. */
static struct kx *last_end(struct lowering *l, const struct expansion *x)
{
	struct kvar *used = k_let(l->k, "used", expand_in_use(l, x->ends));
	struct kx *ends = lower_pointer(l, expansion_ends(x));
	return x_cond(x_lt(x_i64(0), x_var(used)), x_at(ends, x_sub(x_var(used), x_i64(1))),
	              x_i64(0));
}

struct kx *expand_items(struct lowering *l, const struct node *node)
{
	const struct expansion *x = node->expand;
	return x_var(k_let(l->k, "items",
	                   ends_in_use(x) ? last_end(l, x) : lower_expr(l, x->items)));
}

static void bind(struct lowering *l, const struct var *index, const struct expr *value)
{
	lower_bind(l, index, x_var(k_let(l->k, index->name, lower_index(l, value))));
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
	bool several = x && x->outer >= 0;
	int bits = 0;
	while (1 << bits < l->target->lanes)
		bits++;
	k_numbers(l->k, "OUTER, LANE_BITS", several, bits);
	if (!several)
		return;
	const struct var *ends = expansion_ends(x);
	k_bind(l->k, "ends", lower_pointer(l, ends));
	k_bind(l->k, "ranges", ends_in_use(x)
	                               ? x_var(k_let(l->k, "ranges", expand_in_use(l, x->ends)))
	                               : lower_extent(l, ends, 0));
	k_bind_call(l->k, "is_passed", is_passed, NULL);
}

void expand_bind(struct lowering *l, const struct node *node, struct kx *number)
{
	const struct expansion *x = node->expand;
	lower_bind(l, x->item, number);
	if (x->outer >= 0) {
		struct var *outer = node->index.at[x->outer];
		lower_bind(l, outer, x_var(k_let(l->k, outer->name, k_get(l->k, "range"))));
	}
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
		struct kx *ends = lower_pointer(l, expansion_ends(x));
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
