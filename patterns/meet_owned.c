/* meet_owned.c - items that meet in cells, by parts: each runs over all items in their order and
 * takes those of the cells that it owns.
 *
 * Nothing is atomic, cells may be of any type, and each gets its items in the order of the domain,
 * whatever the number of parts: the same bits on every run.  What that costs is every item's place
 * in every part: an index a thread of a CPU; on a GPU an index a lane of each of up to 1024 warps,
 * mostly from L1 and L2, and then, one after another by lane 0, the items that are the warp's.
 * Neighbouring cells are different warps' there; on a CPU a cache line of them is one thread's. */
#include "cells.h"
#include "expand.h"
#include "meet.h"

enum {
	ROWS = 4,                        /* of lanes, looked at together */
	MOST_BITS = 10,                  /* of the number of warps: 1024 */
	OPEN_WARPS = 64,                 /* for items that only the device can count */
	LEAST_ITEMS = 32                 /* worth a warp of their own */
};

struct owned { const struct node *node; struct meeting m; };

/* ---- the functions of meet_owned.kernel ---- */

/* The loops over all indices but the last; its range. */
static struct kx *open_outer(struct lowering *l, const void *owned, struct kx *const *none)
{
	const struct node *node = ((const struct owned *)owned)->node;
	int last = node->index.n - 1;
	struct kx *from, *to;
	(void)none;
	for (int d = 0; d < last; d++) {
		expand_range(l, node, d, &from, &to);
		struct kvar *at = k_for(l->k, node->index.at[d]->name, from, to, x_i64(1), 0);
		lower_bind(l, node->index.at[d], x_var(at));
	}
	from = x_i64(0), to = x_i64(1);
	if (last >= 0) {
		expand_range(l, node, last, &from, &to);
		from = x_var(k_let(l->k, "from", from));
		to = x_var(k_let(l->k, "to", to));
	}
	k_bind(l->k, "from", from);
	k_bind(l->k, "to", to);
	return NULL;
}

static struct kx *close_outer(struct lowering *l, const void *owned, struct kx *const *none)
{
	(void)none;
	for (int d = 0; d < ((const struct owned *)owned)->node->index.n - 1; d++)
		k_end(l->k);
	return NULL;
}

static void bind_item(struct lowering *l, struct owned *o, struct kx *item)
{
	int last = o->node->index.n - 1;
	o->m.part = k_get(l->k, "part");
	if (last >= 0)
		lower_bind(l, o->node->index.at[last], item);
}

static struct kx *is_mine(struct lowering *l, const void *owned, struct kx *const *item)
{
	struct owned *o = (struct owned *)owned;
	bind_item(l, o, item[0]);
	return meet_wanted(l, o->node, &o->m);
}

static struct kx *take(struct lowering *l, const void *owned, struct kx *const *item)
{
	struct owned *o = (struct owned *)owned;
	bind_item(l, o, item[0]);
	meet_item(l, o->node, &o->m);
	return NULL;
}

static void bind(struct lowering *l, struct owned *o, struct kx *host_parts)
{
	int last = o->node->index.n - 1;
	o->m.parts = lower_argument(l, "parts", kt_scalar(T_I64), host_parts);
	k_bind(l->k, "parts", o->m.parts);
	k_bind(l->k, "item", last < 0 ? "once" : o->node->index.at[last]->name);
	k_bind_calls(l->k, o, { "open_outer", open_outer }, { "close_outer", close_outer },
	             { "is_mine", is_mine }, { "take", take });
}

/* ---- the kernels ---- */

static void owned_cpu(struct lowering *l, const struct node *node)
{
	struct kx *threads = x_help(kt_scalar(T_I64), "patc_threads", 0, NULL);
	struct owned o = { node, { .way = MEET_OWNED } };
	bind(l, &o, plan_let(l->plan, "parts", threads));
	k_text(l->k, "owned_by_threads");
	lowering_launch(l, x_i64(1), x_i64(1), x_i64(1));
}

/* Warps that have something to do: by the number of items, if the host knows it, and of cells. */
static struct kx *host_bits(struct plan *plan, const struct node *node)
{
	bool exact = true;
	for (int d = 0; d < node->index.n; d++)
		exact &= cells_exact(node, d);
	struct kx *items = exact ? meet_items(plan, node) : NULL, *cells = meet_cells(plan, node);
	cells = x_min(cells, items ? x_div(items, x_i64(LEAST_ITEMS)) : x_i64(OPEN_WARPS));
	cells = plan_let(plan, "busy", cells);
	struct kx *bits = x_i32(0);
	for (int b = 1; b <= MOST_BITS; b++)
		bits = x_cond(x_lt(x_i64(INT64_C(1) << (b - 1)), cells), x_i32(b), bits);
	return bits;
}

static void owned_gpu(struct lowering *l, const struct node *node)
{
	struct owned o = { node, { .way = MEET_OWNED, .even = true } };
	struct kx *host = plan_let(l->plan, "parts",
	                           x_op(OP_SHL, x_i64(1), host_bits(l->plan, node)));
	block_launch_bounds(l);
	int warps = l->k->block[0] / l->target->lanes;
	k_numbers(l->k, "WARPS, ROWS", warps, ROWS);
	bind(l, &o, host);
	k_text(l->k, "owned_by_warps");
	lowering_launch(l, x_div_up(host, x_i64(warps)), x_i64(1), x_i64(1));
}

/* Without an index there is one item. */
static void owned_single(struct lowering *l, const struct node *node)
{
	const struct meeting m = {
		.way = MEET_OWNED, .part = x_i64(0), .parts = x_i64(1), .even = true
	};
	for (int d = 0; d < 3; d++)
		l->k->block[d] = 1;
	meet_item(l, node, &m);
	lowering_launch(l, x_i64(1), x_i64(1), x_i64(1));
}

void meet_owned(struct plan *plan, const struct group *group)
{
	const struct node *node = group->anchor;
	struct lowering *l = lowering_new(plan, node->name);
	lowering_writes(l, node);
	if (!plan->target->gpu)
		owned_cpu(l, node);
	else if (node->index.n)
		owned_gpu(l, node);
	else
		owned_single(l, node);
}
