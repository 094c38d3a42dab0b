/* meet_expanded.c - items that only the device can count, which meet in cells in any order: those
 * of ranges that data decide, and those of a box whose ends are device scalars.
 *
 * On a GPU the items of all ranges are shared out evenly: warps take pieces of them, row after row,
 * and combine them by atomic operations, if need be (meet.c).
 * Where data decide how many cells an item has, of an index after that of its range, a warp adds up
 * the cells of its lanes' items and shares them out: lane after lane takes the next one, and finds
 * its item by halving over the lanes.
 * In a loop, lanes that look for others with the same cell come back together where operations of a
 * warp name the lanes; where they do not, no lane looks for others.
 * On a CPU, where no two items meet, threads take chunks of items, and go from range to range. */
#include "ask.h"
#include "expand.h"
#include "meet.h"

enum {
	/* Left alone, ptxas spills a word to get 32 registers; for one block it takes 40, and not
	 * all eight are there at once: 1.13 ms instead of 0.91 for 2^26 items (H100). */
	MIN_BLOCKS = 4,
	ROWS = 16,                       /* of a warp's piece, at most */
	CHUNKS = 1024,                   /* of a CPU, at most */
	CHUNK = 1024                     /* items of one, at least */
};

struct expanded {
	const struct node *node;
	struct meeting m;
	int shared;                          /* an index, or -1: expand_shared */
	/* of a box: where each index begins, and how many values it has */
	struct kx *first[MAX_RANK], *size[MAX_RANK];
};

/* Of a box, all of whose ranges are known when the statement runs. */
static struct kx *box_items(struct lowering *l, struct expanded *x)
{
	struct kx *all = NULL;
	for (int d = 0; d < x->node->index.n; d++) {
		const char *name = x->node->index.at[d]->name;
		struct kx *lo = lower_index(l, x->node->lo.at[d]);
		struct kx *size = x_max(x_sub(lower_index(l, x->node->hi.at[d]), lo), x_i64(0));
		x->first[d] = lo;
		x->size[d] = x_var(k_let(l->k, str_print("%s_cells", name), kx_fold(size)));
		all = all ? x_mul(all, x->size[d]) : x->size[d];
	}
	return x_var(k_let(l->k, "items", all));
}

static void box_bind(struct lowering *l, const struct expanded *x, struct kx *item)
{
	struct kx *rest = item;
	for (int d = x->node->index.n - 1; d >= 0; d--) {
		const struct var *index = x->node->index.at[d];
		struct kx *at = x_add(x->first[d], d ? x_rem(rest, x->size[d]) : rest);
		lower_bind(l, index, x_var(k_let(l->k, index->name, kx_fold(at))));
		if (d)
			rest = x_var(k_let(l->k, "rest", x_div(rest, x->size[d])));
	}
}

static struct kx *items(struct lowering *l, const void *expanded, struct kx *const *none)
{
	struct expanded *x = (struct expanded *)expanded;
	(void)none;
	return x->node->expand ? expand_items(l, x->node) : box_items(l, x);
}

static void take_bound(struct lowering *l, const struct expanded *x, int bound)
{
	int loops = x->node->expand ? expand_open_others(l, x->node, bound) : 0;
	meet_item(l, x->node, &x->m);
	while (loops--)
		k_end(l->k);
}

static struct kx *take(struct lowering *l, const void *expanded, struct kx *const *item)
{
	const struct expanded *x = expanded;
	if (!x->node->expand)
		box_bind(l, x, item[0]);
	else
		expand_bind(l, x->node, item[0]);
	take_bound(l, x, -1);
	return NULL;
}

/* The item's range of the index that is shared out: where it begins, and how many cells it has. */
static struct kx *measure(struct lowering *l, const void *expanded, struct kx *const *arg)
{
	const struct expanded *x = expanded;
	struct kx *from, *to;
	expand_bind(l, x->node, arg[0]);
	expand_range(l, x->node, x->shared, &from, &to);
	k_set(l->k, arg[1], from);
	k_set(l->k, arg[2], x_max(x_sub(to, from), x_i64(0)));
	return NULL;
}

static struct kx *take_cell(struct lowering *l, const void *expanded, struct kx *const *arg)
{
	const struct expanded *x = expanded;
	const struct var *index = x->node->index.at[x->shared];
	expand_bind(l, x->node, arg[0]);
	lower_bind(l, index, x_var(k_let(l->k, index->name, arg[1])));
	take_bound(l, x, x->shared);
	return NULL;
}

/* Does what is done with a cell that is shared out use index k? */
static bool cell_uses(const struct expanded *x, int k)
{
	const struct node *node = x->node;
	const struct var *index = node->index.at[k];
	bool uses = node->where && expr_uses(node->where, index);
	for (int j = node->expand->inner + 1; j < node->index.n; j++)
		uses |= j != x->shared && bounds_use(node, j, index);
	for (int t = 0; node_target(node, t); t++)
		uses |= expr_uses(node_target(node, t), index);
	for (int q = 0; q < node->equation.n; q++)
		uses |= expr_uses(node->equation.at[q]->right, index);
	return uses;
}

/* SHARES: items have cells, which a warp shares out; OF_RANGE, OF_CELL: they use indices of the
 * item, and their own. */
static void bind_shared(struct lowering *l, struct expanded *x)
{
	const struct node *node = x->node;
	x->shared = node->expand ? expand_shared(l, node) : -1;
	bool shares = x->shared >= 0, of_range = shares && cell_uses(x, node->expand->inner);
	for (int d = 0; shares && d < node->expand->outer.n; d++)
		of_range |= cell_uses(x, node->expand->outer.at[d]);
	k_numbers(l->k, "SHARES, OF_RANGE, OF_CELL", shares,
	          of_range && node->expand->outer.n, shares && cell_uses(x, x->shared));
}

void meet_expanded(struct plan *plan, const struct group *group)
{
	const struct node *node = group->anchor;
	struct lowering *l = lowering_new(plan, node->name);
	struct expanded x = { .node = node, .m = { .way = meeting_way(node, plan->target),
	                                           .each_alone = !plan->target->masks } };
	lowering_writes(l, node);
	if (plan->target->gpu) {
		block_launch_bounds(l);
		l->k->min_blocks = MIN_BLOCKS;
	}
	l->k->note = node->expand ? "Takes the items of all ranges, whose lengths data decide."
	                          : "Takes the items, whose number is on the device.";
	k_numbers(l->k, "WARPS, ROWS, CHUNKS, CHUNK", l->k->block[0] / l->target->lanes, ROWS,
	          CHUNKS, CHUNK);
	expand_bind_ranges(l, node);
	bind_shared(l, &x);
	k_bind_calls(l->k, &x, { "items", items }, { "take", take },
	             { "measure", measure }, { "take_cell", take_cell });
	k_text(l->k, plan->target->gpu ? "expanded_items" : "expanded_chunks");
	lowering_launch(l, x_i64(plan->target->gpu ? block_most(plan->target) : 1), x_i64(1),
	                x_i64(1));
}
