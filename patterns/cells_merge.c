/* cells_merge.c - cells on a GPU that search a sorted array, search(x, v), a tile of cells a block:
 * search_tile.c finds the places. */
#include "cells_merge.h"
#include "block_scan.h"
#include "search_tile.h"

enum { FEWER = 8 };

struct merge { struct cells *c; struct tile_search search; };

/* ---- which statements ---- */

static struct tile_search searches_of(const struct node *node)
{
	struct tile_search ts = { 0 };
	for (int q = 0; q < node->equation.n; q++)
		tile_search_find(&ts, node, node->index.at, 1, node->equation.at[q]->right);
	return ts;
}

bool merge_fits(const struct task *task)
{
	const struct cells *c = task->found;
	const struct node *node = task->node;
	return node->index.n == 1 && cells_exact(node, 0) && !targets_checked(node) && !c->edged
	       && !c->meeting && !task->group->epilogue.n && !task->group->mate.n
	       && searches_of(node).array;
}

/* ---- how many cells ---- */

static struct kx *cells_of(struct cells *c)
{
	struct lowering *host = host_lowering(c->l->plan);
	struct kx *lo = cells_range_lo(c, 0, host);
	return x_max(x_sub(cells_range_hi(c, 0, host), lo), x_i64(0));
}

/* It is used up to FEWER cells of x for each one: then a search in the segment, in memory if it is
 * long, is still shorter than one in all of x. */
struct kx *merge_pays(const struct task *task)
{
	struct cells *c = task->found;
	struct tile_search ts = searches_of(task->node);
	struct kx *all = lower_extent(host_lowering(task->plan), ts.array, 0);
	return x_and(x_lt(x_i64(tile_search_cells(&ts)), all),
	             x_le(all, x_mul(cells_of(c), x_i64(FEWER))));
}

/* ---- the kernel ---- */

static void bind_cell(struct lowering *l, const void *node, struct kx *cell)
{
	lower_bind(l, ((const struct node *)node)->index.at[0], cell);
}

KTEXT_HOLE(take)
{
	const struct merge *m = state;
	struct lower_context before = l->now;
	struct tile_row row = tile_search_row(&m->search, arg[1]);
	cells_bind(m->c, 0, x_var(k_let(l->k, m->c->node->index.at[0]->name, arg[0])));
	l->now.fold = tile_search_place;
	l->now.fold_state = &row;
	cells_body(m->c, CELL_PLAIN);
	l->now = before;
	return NULL;
}

void merge_lower(const struct task *task)
{
	struct merge m = { .search = searches_of(task->node) };
	struct tile_search *ts = &m.search;
	struct cells *c = m.c = cells_open(task->plan, task->group, false, "_merge");
	struct lowering *l = c->l;
	struct kx *warp, *lane = lane_of(l, &warp), *cells = cells_of(c);
	block_launch_bounds(l);
	ts->bind = bind_cell;
	ts->state = c->node;
	ts->first = c->index[0] = cells_range_lo(c, 0, host_lowering(task->plan));
	struct kx *tiles = plan_let(task->plan, "tiles",
	                            x_div_up(cells, x_i64((int64_t)ts->each * l->k->block[0])));
	struct kvar *places = tile_search_places(task->plan, ts, c->node->name, cells, tiles);
	l->k->min_blocks = 1;            /* as in cells_gpu.c, against spills */
	l->k->note = "Searches the segment of the array that all searches of a block end in.";
	tile_search_shape(l, ts);
	k_bind(l->k, "rows", lower_argument(l, "cells", kt_scalar(T_I64), cells));
	k_bind(l->k, "lane", lane);
	k_bind(l->k, "warp", warp);
	tile_search_bind(l, ts, places);
	k_bind_call(l->k, "take", take, &m);
	k_text(l->k, "merge_cells");
	lowering_launch(l, tiles, x_i64(1), x_i64(1));
}
