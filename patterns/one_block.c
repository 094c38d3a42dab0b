/* one_block.c - statements in a loop that one block runs (src/lower/plan_one_block.c).
 *
 * Cells are shared in strides: the lanes of a warp take neighbours along the last index, the warps
 * of the block take rows, and all threads go through the indices before together.  A range may
 * depend on the indices before it.  Each cell is computed as by patterns/cells.c.
 *
 * Of a reduce to a scalar the threads share the terms; of one to rows whose terms lie side by side
 * in memory the lanes of a warp do.  A fold that must be in order, or whose terms depend on the
 * cell, is one thread's. */
#include "cells.h"
#include "lowerings.h"
#include "reduce/reduce.h"

/* ---- cells ---- */

/* The values of an index that a thread takes: every `step`-th from the first on; NULL: all. */
struct stride { struct kx *first; int64_t step; };

/* left: indices after this one; lanes: threads along the last index, 1 where a warp shares the
 * terms of a cell. */
static struct stride stride_of(const struct lowering *l, int left, int lanes)
{
	struct kx *thread = x_id(ID_THREAD_X);
	int threads = l->k->block[0], warps = threads / l->target->lanes;
	if (left == 0 && lanes == threads)
		return (struct stride){ x_to_i64(thread), threads };
	if (left == 0 && lanes > 1)
		return (struct stride){ x_to_i64(x_rem(thread, x_i32(lanes))), lanes };
	if (left == (lanes > 1))
		return (struct stride){ x_to_i64(x_div(thread, x_i32(l->target->lanes))), warps };
	return (struct stride){ NULL, 1 };
}

/* Loops over all indices; the caller ends as many. */
static void open_indices(struct lowering *l, const struct node *node, int lanes,
                         struct cells *c)
{
	for (int d = 0; d < node->index.n; d++) {
		struct stride s = stride_of(l, node->index.n - 1 - d, lanes);
		struct kx *lo = lower_index(l, node->lo.at[d]);
		struct kvar *index = k_for(l->k, node->index.at[d]->name,
		                           s.first ? x_add(lo, s.first) : lo,
		                           lower_index(l, node->hi.at[d]), x_i64(s.step),
		                           FOR_ROLLED);
		if (c)
			cells_bind(c, d, x_var(index));
		else
			lower_bind(l, node->index.at[d], x_var(index));
	}
}

static void close_indices(struct lowering *l, const struct node *node)
{
	for (int d = 0; d < node->index.n; d++)
		k_end(l->k);
}

static bool edged_read(struct expr *e, void *state)
{
	return e->kind != E_READ || !cell_edged(state, e);
}

static void one_thread(struct lowering *l, const struct node *node)
{
	k_if(l->k, x_eq(x_id(ID_THREAD_X), x_i32(0)));
	lower_equations(l, node);
	k_end(l->k);
}

void block_cells(struct lowering *l, const struct node *node)
{
	if (!node->index.n) {
		one_thread(l, node);
		return;
	}
	struct cells *c = cells_beside(l, node);
	c->edged = !cells_each_read(c, edged_read, (void *)node);
	open_indices(l, node, node->index.n > 1 ? l->target->lanes : l->k->block[0], c);
	cells_body(c, c->edged ? CELL_BORDER : CELL_PLAIN);
	close_indices(l, node);
}

/* ---- folds: one_block.kernel ---- */

KTEXT_HOLE(terms)
{
	const struct reduction *r = state;
	struct kx *all = NULL;
	for (int d = 0; d < r->domain->index.n; d++) {
		struct kx *size = reduce_size(l, r->domain->lo.at[d], r->domain->hi.at[d]);
		all = all ? x_mul(all, size) : size;
	}
	return all;
}

/* What is added to has as many cells as the state of the loop, and a thread a cell is faster than a
 * warp: an LSTM of 16 cells takes 0.22 ms of an H100 for 100 steps, by warps 0.36. */
void block_reduce(struct lowering *l, const struct node *node)
{
	struct reduction *r = NEW(struct reduction);
	r->node = node;
	bool shares = reduce_can_share(r)
	              && !(node->index.n && (reduce_along_cells(r) || reduce_adds(node)));
	if (!shares) {
		block_cells(l, node);
		return;
	}
	struct kernel *k = l->k;
	int names = k_names(k);
	reduce_enter(r, l);
	k_bind(k, "ORDERED", r->ordered);
	k_bind_call(k, "terms", terms, r);
	open_indices(l, node, 1, NULL);
	k_text(k, node->index.n ? "block_row" : "block_total");
	close_indices(l, node);
	k_forget(k, names);
	l->term = NULL;
}
