/* meet_owned.c - items that meet in cells, by parts: each runs over all items in their order and takes those of the cells
 * that it owns.
 *
 * Nothing is atomic, cells may be of any type, and each gets its items in the order of the domain, whatever the number of
 * parts: the same bits on every run.  What that costs is every item's place in every part: an index a thread of a CPU; on
 * a GPU an index a lane of each of up to 1024 warps, mostly from L1 and L2, and then, one after another by lane 0, the items
 * that are the warp's.  Neighbouring cells are different warps' there; on a CPU a cache line of them is one thread's. */
#include "block_scan.h"
#include "cells.h"
#include "meet.h"

enum {
	ROWS = 4,                        /* of lanes, looked at together */
	MOST_BITS = 10,                  /* of the number of warps: 1024 */
	OPEN_WARPS = 64,                 /* for items that only the device can count */
	LEAST_ITEMS = 32                 /* worth a warp of their own */
};

static void bind_index(struct lowering *l, const struct node *node, int k, struct kx *x)
{
	lower_bind(l, node->index.at[k], x);
}

/* The loops over all indices but the last; its range. */
static void open_outer(struct lowering *l, const struct node *node, struct kx **lo, struct kx **hi)
{
	int last = node->index.n - 1;
	for (int d = 0; d < last; d++) {
		struct kx *from = lower_index(l, node->lo.at[d]), *to = lower_index(l, node->hi.at[d]);
		bind_index(l, node, d, x_var(k_for(l->k, node->index.at[d]->name, from, to, x_i64(1), 0)));
	}
	*lo = last < 0 ? x_i64(0) : x_var(k_let(l->k, "from", lower_index(l, node->lo.at[last])));
	*hi = last < 0 ? x_i64(1) : x_var(k_let(l->k, "to", lower_index(l, node->hi.at[last])));
}

static void close_outer(struct lowering *l, const struct node *node)
{
	for (int d = 0; d < node->index.n - 1; d++)
		k_end(l->k);
}

/* ---- on a CPU ---- */

static void owned_cpu(struct lowering *l, const struct node *node)
{
	struct kernel *k = l->k;
	int last = node->index.n - 1;
	struct kx *lo, *hi, *host = plan_let(l->plan, "parts", x_help(kt_scalar(T_I64), "patc_threads", 0, NULL));
	struct meeting m = { .way = MEET_OWNED, .parts = lower_argument(l, "parts", kt_scalar(T_I64), host) };
	m.part = x_var(k_for(k, "part", x_i64(0), m.parts, x_i64(1), FOR_PARALLEL));
	open_outer(l, node, &lo, &hi);
	struct kvar *at = k_for(k, last < 0 ? "once" : node->index.at[last]->name, lo, hi, x_i64(1), 0);
	if (last >= 0)
		bind_index(l, node, last, x_var(at));
	meet_item(l, node, &m);
	k_end(k);
	close_outer(l, node);
	k_end(k);
	lowering_launch(l, x_i64(1), x_i64(1), x_i64(1));
}

/* ---- on a GPU ---- */

/* The lanes of a warp look at neighbouring items: a word of those whose items are the warp's, for each of so many rows of
 * lanes, whose loads are under way together. */
static struct kx *rows_wanted(struct lowering *l, const struct node *node, const struct meeting *m, struct kx *first, struct kx *hi)
{
	struct kernel *k = l->k;
	struct kx *word = x_var(k_regs(k, no_lanes(l)->type.type, "lanes", ROWS));
	struct kx *row = x_var(k_for(k, "row", x_i32(0), x_i32(ROWS), x_i32(1), FOR_UNROLL));
	struct kx *at = x_var(k_let(k, "ahead", x_add(first, x_to_i64(x_mul(row, x_i32(l->target->lanes))))));
	struct kvar *mine = k_var(k, kt_scalar(T_BOOL), "mine", x_int(T_BOOL, 0));
	k_if(k, x_lt(at, hi));
	bind_index(l, node, node->index.n - 1, at);
	k_set(k, x_var(mine), meet_wanted(l, node, m));
	k_end(k);
	k_set(k, x_at(word, row), lanes_where(l, x_var(mine)));
	k_end(k);
	return word;
}

/* Lane 0 takes them one after another. */
static void take_wanted(struct lowering *l, const struct node *node, const struct meeting *m, struct kx *rows, struct kx *base)
{
	struct kernel *k = l->k;
	int last = node->index.n - 1;
	const char *name = str_print("patc_ctz_%s", type_name(no_lanes(l)->type.type));
	struct kx *row = x_var(k_for(k, "row", x_i32(0), x_i32(ROWS), x_i32(1), FOR_ROLLED));
	struct kx *word = x_at(rows, x_i32(0));
	k_while(k, x_ne(word, no_lanes(l)));
	struct kx *first = x_add(x_mul(row, x_i32(l->target->lanes)), x_help(kt_scalar(T_I32), name, 1, &word));
	bind_index(l, node, last, x_var(k_let(k, node->index.at[last]->name, x_add(base, x_to_i64(first)))));
	k_set(k, word, x_op(OP_AND, word, x_sub(word, x_int(word->type.type->kind, 1))));
	meet_item(l, node, m);
	k_end(k);
	for (int r = 1; r < ROWS; r++)           /* registers have no numbers that a loop could compute */
		k_set(k, x_at(rows, x_i32(r - 1)), x_at(rows, x_i32(r)));
	k_end(k);
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
	struct kernel *k = l->k;
	struct kx *lo, *hi, *warp;
	block_launch_bounds(l);
	int warps = k->block[0] / l->target->lanes;
	struct kx *lane = lane_of(l, &warp);
	struct kx *part = x_add(x_mul(x_to_i64(x_id(ID_BLOCK_X)), x_i64(warps)), x_to_i64(warp));
	struct kx *host = plan_let(l->plan, "parts", x_op(OP_SHL, x_i64(1), host_bits(l->plan, node)));
	struct meeting m = { .way = MEET_OWNED, .part = x_var(k_let(k, "part", part)), .even = true };
	m.parts = lower_argument(l, "parts", kt_scalar(T_I64), host);
	k_if(k, x_le(m.parts, m.part));          /* of the last block */
	k_return(k, NULL);
	k_end(k);
	open_outer(l, node, &lo, &hi);
	struct kx *base = x_var(k_for(k, "base", lo, hi, x_i64(ROWS * l->target->lanes), FOR_ROLLED));
	struct kx *rows = rows_wanted(l, node, &m, x_var(k_let(k, "first", x_add(base, x_to_i64(lane)))), hi);
	k_if(k, x_eq(lane, x_i32(0)));
	take_wanted(l, node, &m, rows, base);
	k_end(k);
	k_end(k);
	close_outer(l, node);
	lowering_launch(l, x_div_up(host, x_i64(warps)), x_i64(1), x_i64(1));
}

/* Without an index there is one item. */
static void owned_single(struct lowering *l, const struct node *node)
{
	const struct meeting m = { .way = MEET_OWNED, .part = x_i64(0), .parts = x_i64(1), .even = true };
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
