/* expand_ends.c - the ends of ranges that data decide (expansion.h), on a GPU: one launch counts
 * the cells of each range and adds them up.
 *
 * The kernel reads only the ranges in use, whose number may be a device scalar; the array has an
 * element for every range there may be, as a queue has for every vertex.  They are cut into as many
 * pieces of one length as the grid has warps.  A warp adds up the lengths of its piece, and its
 * block finds the sum of the pieces before it (look_back.c).  Then the warp counts the lengths once
 * more and stores the sums: what it reads again is in a cache, and lengths need no memory.
 *
 * One thread records a range of the outer index that the array has no elements for. */
#include "ask.h"
#include "expand.h"
#include "look_back.h"

struct adding { const struct node *node; const struct look_back *back; struct kx *tile; };

static struct kx *most_ranges(struct lowering *l, const struct node *scan)
{
	return lower_extent(l, target_read(node_target(scan, 0))->var, 0);
}

struct kx *expand_in_use(struct lowering *l, const struct node *scan)
{
	struct kx *most = most_ranges(l, scan);
	if (scan->whole)
		return most;
	return x_min(x_max(lower_index(l, scan->hi.at[0]), x_i64(0)), most);
}

/* Before anything returns. */
static void record_outside(struct lowering *l, const struct node *scan)
{
	if (!targets_checked(scan) || l->now.drops)
		return;
	struct kx *lo = x_var(k_let(l->k, "low", lower_index(l, scan->lo.at[0])));
	struct kx *hi = x_var(k_let(l->k, "high", lower_index(l, scan->hi.at[0])));
	struct kx *outside = x_or(x_lt(lo, x_i64(0)), x_lt(most_ranges(l, scan), hi));
	struct kx *first = x_and(x_eq(x_id(ID_BLOCK_X), x_i32(0)),
	                         x_eq(x_id(ID_THREAD_X), x_i32(0)));
	lower_status(l, x_and(first, x_and(x_lt(lo, hi), outside)), ST_INDEX);
}

/* The cells of the range at the bound index; told: what is wrong is recorded. */
KTEXT_HOLE(length)
{
	const struct adding *a = state;
	const struct expr *count = a->node->equation.at[0]->right->arg.at[0];
	struct lower_context before = l->now;
	l->now.drops |= !arg[1]->i;
	lower_bind(l, a->node->index.at[0], arg[0]);
	struct kvar *cells = k_var(l->k, kt_scalar(T_I64), "cells", x_i64(0));
	struct kx *lo = kx_fold(lower_index(l, a->node->lo.at[0]));
	k_if(l->k, x_is_int(lo, 0) ? x_int(T_BOOL, 1) : x_le(lo, arg[0]));
	lower_flag(l, "bad");
	struct kx *all = x_var(k_let(l->k, "all", lower_expr(l, count)));
	struct kx *inside = lower_inside_all(l);
	k_set(l->k, x_var(cells), inside ? x_cond(inside, all, x_i64(0)) : all);
	lower_record(l);
	k_end(l->k);
	l->now = before;
	return x_var(cells);
}

static struct total sum_of(struct kvar *var)
{
	return (struct total){ .acc = { .n = 1, .at = { accumulator_sum(var) } } };
}

KTEXT_HOLE(before_warp)
{
	const struct adding *a = state;
	struct total warp = sum_of(k_let(l->k, "of_warp", arg[0]));
	return x_var(look_back(l, a->back, a->tile, &warp).acc.at[0].var);
}

static void open_pieces(struct lowering *l, struct adding *a, int64_t blocks)
{
	struct total like = sum_of(NULL);
	int warps = l->k->block[0] / l->target->lanes;
	k_numbers(l->k, "WARPS, PIECES", warps, (int64_t)warps * blocks);
	k_bind(l->k, "ends", lower_pointer(l, target_read(node_target(a->node, 0))->var));
	k_bind(l->k, "ranges", x_var(k_let(l->k, "ranges", expand_in_use(l, a->node))));
	k_text(l->k, "cut_ranges");
	a->back = look_back_late(l, &like, k_get(l->k, "tiles"), blocks, &a->tile);
	k_bind(l->k, "tile", a->tile);
	k_bind(l->k, "lane", a->back->lane);
	k_bind(l->k, "warp", a->back->warp);
}

void expand_ends(struct plan *plan, const struct node *scan)
{
	struct lowering *l = lowering_new(plan, scan->name);
	struct adding a = { .node = scan };
	int64_t blocks = block_most(plan->target);
	lowering_writes(l, scan);
	block_launch_bounds(l);
	l->k->min_blocks = 1;            /* as in cells_gpu.c, against spills */
	l->k->note = "Counts the cells of each range in use, and adds them up.";
	record_outside(l, scan);
	open_pieces(l, &a, blocks);
	k_bind_calls(l->k, &a, { "length", length }, { "before_warp", before_warp });
	k_text(l->k, "add_up_ranges");
	look_back_leave(l, a.back);
	lowering_launch(l, x_i64(blocks), x_i64(1), x_i64(1));
}
