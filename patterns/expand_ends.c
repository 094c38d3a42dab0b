/* expand_ends.c - the ends of ranges that data decide (expansion.h): one kernel counts the items of
 * each range and adds them up.
 *
 * The kernel reads only the ranges in use, whose number may be a device scalar; the array has an
 * element for every range there may be, as a queue has for every vertex.  On a GPU they are cut
 * into as many pieces of one length as the grid has warps.  A warp adds up the lengths of its
 * piece, and its block finds the sum of the pieces before it (look_back.c).  Then the warp counts
 * the lengths once more and stores the sums: what it reads again is in a cache, and lengths need no
 * memory.  Threads of a CPU do the same with chunks, whose sums one thread adds up.
 *
 * One thread records ranges of the outer indices that the array has no elements for. */
#include "ask.h"
#include "expand.h"
#include "look_back.h"
#include "ways.h"

enum {
	CHUNKS = 1024,                   /* of a CPU, at most */
	CHUNK = 1024                     /* ranges of one, at least */
};

struct adding { const struct node *node; const struct look_back *back; struct kx *tile; };

static const struct var *ends_of(const struct node *scan)
{
	return target_read(node_target(scan, 0))->var;
}

struct kx *expand_in_use(struct lowering *l, const struct node *scan)
{
	struct kx *all = lower_extent(l, ends_of(scan), 0);
	if (!scan->whole)
		all = x_min(x_max(lower_index(l, scan->hi.at[0]), x_i64(0)), all);
	for (int d = 1; d < scan->index.n; d++)
		all = x_mul(all, lower_extent(l, ends_of(scan), d));
	return all;
}

/* In one thread, before anything returns. */
static void record_outside(struct lowering *l, const struct node *scan, struct kx *once)
{
	struct kx *any = NULL, *outside = NULL;
	if (!targets_checked(scan) || l->now.drops)
		return;
	for (int d = 0; d < scan->index.n; d++) {
		struct kx *lo = x_var(k_let(l->k, "low", lower_index(l, scan->lo.at[d])));
		struct kx *hi = x_var(k_let(l->k, "high", lower_index(l, scan->hi.at[d])));
		struct kx *out = x_or(x_lt(lo, x_i64(0)),
		                      x_lt(lower_extent(l, ends_of(scan), d), hi));
		any = x_and(any, x_lt(lo, hi));
		outside = outside ? x_or(outside, out) : out;
	}
	lower_status(l, kx_fold(x_and(once, x_and(any, outside))), ST_INDEX);
}

/* The bound indices are in their ranges.  That the first one is not too large follows from the
 * number of ranges in use. */
static struct kx *in_domain(struct lowering *l, const struct node *scan)
{
	struct kx *in = NULL;
	for (int d = 0; d < scan->index.n && !scan->whole; d++) {
		struct kx *at = lower_index(l, expr_var(scan->index.at[d], scan->at));
		struct kx *lo = kx_fold(lower_index(l, scan->lo.at[d]));
		if (!x_is_int(lo, 0))
			in = x_and(in, x_le(lo, at));
		if (d)
			in = x_and(in, x_lt(at, lower_index(l, scan->hi.at[d])));
	}
	return in ? in : x_int(T_BOOL, 1);
}

struct kx *expand_count(struct lowering *l, const struct expr *count)
{
	struct lower_context before = l->now;
	lower_flag(l, "bad");
	struct kx *all = x_var(k_let(l->k, "all", lower_expr(l, count)));
	struct kx *inside = lower_inside_all(l);
	struct kx *cells = inside ? x_cond(inside, all, x_i64(0)) : all;
	lower_record(l);
	l->now = before;
	return cells;
}

/* The items of a range; told: what is wrong is recorded. */
KTEXT_HOLE(length)
{
	const struct adding *a = state;
	const struct expr *count = a->node->equation.at[0]->right->arg.at[0];
	struct lower_context before = l->now;
	l->now.drops |= !arg[1]->i;
	struct kvar *cells = k_var(l->k, kt_scalar(T_I64), "cells", x_i64(0));
	expand_decode(l, ends_of(a->node), a->node->index.at, arg[0]);
	k_if(l->k, in_domain(l, a->node));
	k_set(l->k, x_var(cells), expand_count(l, count));
	k_end(l->k);
	l->now = before;
	return x_var(cells);
}

KTEXT_HOLE(before_warp)
{
	const struct adding *a = state;
	struct total warp = total_sum(k_let(l->k, "of_warp", arg[0]));
	return x_var(look_back(l, a->back, a->tile, &warp).acc.at[0].var);
}

static void bind_ranges(struct lowering *l, const struct node *scan)
{
	k_bind(l->k, "ends", lower_pointer(l, ends_of(scan)));
	k_bind(l->k, "ranges", x_var(k_let(l->k, "ranges", kx_fold(expand_in_use(l, scan)))));
}

static void open_pieces(struct lowering *l, struct adding *a, int64_t blocks)
{
	struct total like = total_sum(NULL);
	int warps = l->k->block[0] / l->target->lanes;
	k_numbers(l->k, "WARPS, PIECES", warps, (int64_t)warps * blocks);
	bind_ranges(l, a->node);
	k_text(l->k, "cut_ranges");
	a->back = look_back_late(l, &like, k_get(l->k, "tiles"), blocks, &a->tile);
	k_bind(l->k, "tile", a->tile);
	k_bind(l->k, "lane", a->back->lane);
	k_bind(l->k, "warp", a->back->warp);
}

static struct lowering *open_kernel(struct plan *plan, const struct node *scan)
{
	struct lowering *l = lowering_new(plan, scan->name);
	lowering_writes(l, scan);
	l->k->note = "Counts the items of each range in use, and adds them up.";
	return l;
}

static void lower_pieces(const struct task *c)
{
	struct lowering *l = open_kernel(c->plan, c->node);
	struct adding a = { .node = c->node };
	int64_t blocks = block_most(l->target);
	block_launch_bounds(l);
	l->k->min_blocks = 1;            /* as in cells_gpu.c, against spills */
	record_outside(l, c->node, x_and(x_eq(x_id(ID_BLOCK_X), x_i32(0)),
	                                 x_eq(x_id(ID_THREAD_X), x_i32(0))));
	open_pieces(l, &a, blocks);
	k_bind_calls(l->k, &a, { "length", length }, { "before_warp", before_warp });
	k_text(l->k, "add_up_ranges");
	look_back_leave(l, a.back);
	lowering_launch(l, x_i64(blocks), x_i64(1), x_i64(1));
}

static void lower_chunks(const struct task *c)
{
	struct lowering *l = open_kernel(c->plan, c->node);
	struct adding a = { .node = c->node };
	struct kx *most = x_i64(CHUNKS);
	struct kvar *slot = plan_slot(c->plan, "before", type_scalar(T_I64), 1, &most);
	record_outside(l, c->node, x_int(T_BOOL, 1));
	bind_ranges(l, c->node);
	k_numbers(l->k, "CHUNKS, CHUNK", CHUNKS, CHUNK);
	k_bind(l->k, "before", lower_argument(l, "before", kt_pointer(type_scalar(T_I64), false),
	                                      x_var(slot)));
	k_bind_call(l->k, "length", length, &a);
	k_text(l->k, "add_up_chunks");
	lowering_launch(l, x_i64(1), x_i64(1), x_i64(1));
}

static const struct way ways[] = {
	{ "ranges", "a warp counts the items of a piece of the ranges in use, and adds them up",
	  .lower = lower_pieces, .on = ON_GPU },
	{ "ranges", "threads count the items of chunks of the ranges in use, and add them up",
	  .lower = lower_chunks, .on = ON_CPU }
};

void expand_ends(struct plan *plan, const struct group *group)
{
	ways_lower(ways, plan, group, NULL);
}
