/* stencil_lower.c - a stencil computes each cell from cells near it.
 *
 * Level L1: neighbours are loaded from memory, and most loads hit the cache; cells.c.
 * Level registers: lanes march with their near cells in registers; stencil_registers.c.
 * Level shared: a block first loads the tile of every array that is read at several offsets, with
 * its halo, into shared memory, and applies the edges there, so that cells need no test of their
 * own (tile.kernel).  Windows of constant ranges that stay loops take it, and whoever pins it
 * (stencil_stage.c says why).  Arrays read otherwise still
 * come through L1.  Tiles are row-major with odd pitch when the halo makes it so; lanes run along
 * the last axis, so neither loads nor reads conflict in banks. */
#include <string.h>
#include "../cells.h"
#include "../lowerings.h"
#include "../ways.h"
#include "stencil_march.h"
#include "stencil_runs.h"

/* ---- what can be staged ---- */

enum {
	REACH = 1 << 6,                      /* the widest halo tried */
	WINDOW_BLOCKS = 4                    /* of a multiprocessor, where windows stay loops */
};

struct tile_search { const struct node *node; struct tile_plan *plan; int64_t reach; };

/* Where a thread brings cells for others, it would record for them what a test finds. */
static bool answers_tested(const struct node *node)
{
	for (int d = 0; d < node->index.n; d++)
		if (node->edge[d].kind == B_VALUE && expr_checked(node->edge[d].value))
			return true;
	return false;
}

/* Near along every axis, in an array the node leaves alone; loop: some window stays a loop. */
static bool window_near(const struct node *node, const struct expr *read, int64_t reach,
                        int64_t *lo, int64_t *hi, bool *loop)
{
	if (read->var->rank != node->index.n || read->checked || node_writes(node, read->var)
	    || answers_tested(node))
		return false;
	for (int a = 0; a < read->var->rank; a++) {
		struct shift s;
		if (!cell_window(node, read, a, &s, &lo[a], &hi[a]) || lo[a] < -reach
		    || hi[a] > reach || !cell_index_near(node, read, a))
			return false;
		*loop = *loop || s.rest.n;
	}
	return true;
}

bool stencil_near(const struct node *node, const struct expr *read, int64_t *offset)
{
	int64_t last[MAX_RANK];
	bool loop = false;
	return window_near(node, read, REACH, offset, last, &loop) && !loop;
}

static struct tile_need *need_of(struct tile_plan *plan, const struct var *var)
{
	for (int i = 0; i < plan->need.n; i++)
		if (plan->need.at[i].var == var)
			return &plan->need.at[i];
	list_add(&plan->need, ((struct tile_need){ .var = var }));
	return &plan->need.at[plan->need.n - 1];
}

static bool add_need(struct expr *e, void *state)
{
	struct tile_search *s = state;
	int64_t lo[MAX_RANK], hi[MAX_RANK];
	bool loop = false;
	if (e->kind != E_READ || !window_near(s->node, e, s->reach, lo, hi, &loop))
		return true;
	s->plan->loops |= loop;
	struct tile_need *need = need_of(s->plan, e->var);
	int64_t cells = 1;
	for (int a = 0; a < e->var->rank; a++) {
		need->lo[a] = lo[a] < need->lo[a] ? lo[a] : need->lo[a];
		need->hi[a] = hi[a] > need->hi[a] ? hi[a] : need->hi[a];
		cells *= hi[a] - lo[a] + 1;
	}
	need->reads += (int)cells;
	return true;
}

static bool worth_staging(const struct tile_need *need)
{
	for (int a = 0; a < need->var->rank; a++)
		if (need->lo[a] || need->hi[a])
			return need->reads > 0;
	return false;
}

/* One halo for all staged arrays keeps the index arithmetic one. */
static void add_halo(struct tile_plan *plan)
{
	int n = 0;
	for (int i = 0; i < plan->need.n; i++) {
		struct tile_need *need = &plan->need.at[i];
		if (!worth_staging(need))
			continue;
		for (int a = 0; a < plan->rank; a++) {
			if (-need->lo[a] > plan->before[a])
				plan->before[a] = -need->lo[a];
			if (need->hi[a] > plan->after[a])
				plan->after[a] = need->hi[a];
		}
		plan->need.at[n++] = *need;
	}
	plan->need.n = n;
}

static struct tile_plan *plan_within(const struct node *node, const int *tile, int64_t reach)
{
	struct tile_plan *plan = NEW(struct tile_plan);
	struct tile_search s = { node, plan, reach };
	for (int q = 0; q < node->equation.n; q++)
		expr_walk(node->equation.at[q]->right, add_need, &s);
	if (node->where)
		expr_walk(node->where, add_need, &s);
	plan->rank = node->index.n;
	add_halo(plan);
	plan->cells = 1;
	for (int a = 0; a < plan->rank; a++) {
		plan->size[a] = tile[a] + plan->before[a] + plan->after[a];
		bool many = plan->size[a] > INT32_MAX / plan->cells;
		plan->cells = many ? INT32_MAX : plan->cells * plan->size[a];
	}
	for (int i = 0; i < plan->need.n; i++)
		plan->bytes += plan->cells * type_size(plan->need.at[i].var->type);
	return plan->need.n ? plan : NULL;
}

/* What lies farther than the tile can reach is read through L1. */
struct tile_plan *tile_plan_of(const struct node *node, const int *tile, int64_t bytes)
{
	struct tile_plan *plan = NULL;
	for (int64_t reach = REACH; reach > 0; reach /= 2) {
		plan = plan_within(node, tile, reach);
		if (!plan || plan->bytes <= bytes)
			return plan;
	}
	return plan;
}

/* ---- the kernel: tile.kernel ---- */

struct staged {
	struct cells *c;
	struct tile_plan *plan;
	int64_t tile[MAX_RANK], cells;
	struct kx *lo[MAX_RANK], *end[MAX_RANK], *tiles[MAX_RANK];
	struct kx *blocks;                   /* host */
};

/* The range of an axis, and its tiles. */
static void find_axis(struct staged *s, int d)
{
	struct plan *plan = s->c->l->plan;
	struct lowering *host = host_lowering(plan);
	struct kx *lo = cells_range_lo(s->c, d, host), *end = cells_range_hi(s->c, d, host);
	s->lo[d] = cells_argument(s->c, "%s_first", d, lo);
	s->end[d] = cells_argument(s->c, "%s_end", d, end);
	struct kx *tiles = x_div_up(plan_range(plan, lo, end), x_i64(s->tile[d]));
	/* a fold over nothing has an identity to store */
	tiles = s->c->group->epilogue.n ? x_max(tiles, x_i64(1)) : tiles;
	tiles = plan_let(plan, str_print("%s_tiles", s->c->node->index.at[d]->name), tiles);
	s->tiles[d] = d ? cells_argument(s->c, "%s_tiles", d, tiles) : NULL;
	s->blocks = d ? x_mul(s->blocks, tiles) : tiles;
}

KTEXT_HOLE(bind_origin)
{
	((const struct staged *)state)->c->tile_origin[l->k->each] = arg[0];
	return NULL;
}

KTEXT_HOLE(bind_index)
{
	struct cells *c = ((const struct staged *)state)->c;
	cells_bind(c, l->k->each, arg[0]);
	c->tile_at[l->k->each] = arg[1];
	return NULL;
}

KTEXT_HOLE(hold)
{
	const struct staged *s = state;
	const struct var *var = s->plan->need.at[l->k->each].var;
	list_add(&s->c->tile, ((struct tile_array){ var, arg[0]->var }));
	return NULL;
}

/* The cell of an array at the bound position, through the edges: the first axis along which it is
 * outside answers with its value; zero where nothing will read it. */
KTEXT_HOLE(loaded)
{
	struct cells *c = ((const struct staged *)state)->c;
	const struct var *var = c->tile.at[l->k->each].var;
	struct kx *sub[MAX_RANK], *inside[MAX_RANK] = { NULL };
	c->mode = CELL_BORDER;
	for (int d = 0; d < c->rank; d++) {
		struct kx *extent = lower_extent(l, var, d);
		enum boundary edge = c->node->edge[d].kind;
		sub[d] = edge_position(edge, c->index[d], extent, true);
		if (edge == B_VALUE || edge == B_KEEP || edge == B_NONE)
			inside[d] = lower_inside(c->index[d], extent);
	}
	struct kx *x = lower_place(l, var, sub);
	for (int nth = c->rank - 1; nth >= 0; nth--) {
		int d = edge_axis(var, nth);
		const struct edge *edge = &c->node->edge[d];
		if (!inside[d])
			continue;
		struct kx *other = lower_zero(var->type);
		if (edge->kind == B_VALUE)
			other = lower_expr(l, edge_value(var, NULL, edge->value));
		x = x_cond(inside[d], x, x_cast(kt(var->type), other));
	}
	return x;
}

KTEXT_HOLE(compute)
{
	cells_body(((const struct staged *)state)->c, CELL_TILE);
	return NULL;
}

static void bind_axes(struct staged *s)
{
	struct cells *c = s->c;
	struct kernel *k = c->l->k;
	int64_t is[MAX_RANK][4];
	for (int d = 0; d < c->rank; d++) {
		int64_t own[] = { s->tile[d], c->tile_lo[d], c->tile_hi[d], d == 0 };
		memcpy(is[d], own, sizeof own);
	}
	bind_values(k, "lo", c->rank, s->lo);
	bind_values(k, "end", c->rank, s->end);
	bind_values(k, "tiles", c->rank, s->tiles);
	bind_listed(k, "TILE, BEFORE, AFTER, FIRST", c->rank, is[0]);
	cells_words(c, "origin", "%s_tile");
	cells_words(c, "place", "%s_in");
	cells_words(c, "index", "%s");
}

static void bind_arrays(struct staged *s)
{
	int n = s->plan->need.n;
	const struct type **type = mem_new((size_t)n * sizeof *type);
	const char **word = mem_new((size_t)n * sizeof *word);
	for (int i = 0; i < n; i++) {
		type[i] = s->plan->need.at[i].var->type;
		word[i] = str_print("%s_tile", s->plan->need.at[i].var->name);
	}
	bind_types(s->c->l->k, "CELL", n, type);
	bind_words(s->c->l->k, "array", n, word);
}

void stencil_launch(struct cells *c, struct kx *blocks)
{
	struct kx *parts = c->folds.n ? lower_argument(c->l, "blocks", blocks->type, blocks) : NULL;
	cells_finish(c, x_to_i64(x_id(ID_BLOCK_X)), parts, blocks);
	lowering_launch(c->l, blocks, x_i64(1), x_i64(1));
}

static void lower_tile(const struct task *task)
{
	struct plan *plan = task->plan;
	const struct group *group = task->group;
	struct tile_plan *tiles = task->found;
	struct staged s = { .c = cells_open(plan, group, false, ""), .plan = tiles, .cells = 1 };
	struct cells *c = s.c;
	struct kernel *k = c->l->k;
	int names = k_names(k);
	block_launch_bounds(c->l);
	if (tiles->loops) {
		int64_t bytes = tiles->bytes + (group->epilogue.n > 0 ? FOLD_BYTES : 0);
		block_fewest(c->l, bytes, WINDOW_BLOCKS);
	}
	for (int d = 0; d < c->rank; d++) {
		s.cells *= s.tile[d] = group->anchor->choice.tile[d];
		c->tile_lo[d] = tiles->before[d];
		c->tile_hi[d] = tiles->after[d];
		c->tile_size[d] = tiles->size[d];
		find_axis(&s, d);
	}
	s.blocks = plan_let(plan, "blocks", s.blocks);
	cells_find_folds(c);
	cells_start_folds(c);
	bind_axes(&s);
	bind_arrays(&s);
	k_numbers(k, "BLOCK, CELLS, HALO_CELLS, FOLDED", c->l->target->block, s.cells, tiles->cells,
	          group->epilogue.n > 0);
	k_bind_calls(k, &s, { "bind_origin", bind_origin }, { "bind_index", bind_index },
	             { "hold", hold }, { "loaded", loaded }, { "compute", compute });
	k_text(k, "tile");
	k_forget(k, names);
	stencil_launch(c, s.blocks);
}

void stencil_shape(const struct node *node, const struct target *target, struct shape *s)
{
	cells_shape(node, target, s);
	s->staging = node->index.n ? &stencil_staging : NULL;
	s->no_births = node->index.n ? runs_no_births(node) : NULL;
}

/* ---- the ways ---- */

static bool marches(const struct task *c)
{
	return c->node->choice.stage == STAGE_REGISTERS;
}

static void lower_march(const struct task *c)
{
	registers_lower(c->plan, c->group);
}

static bool has_tile(const struct task *c)
{
	return c->found;
}

static const struct way ways[] = {
	/* stencil_runs_lower.c */
	{ "runs", "a window is the end of a segment of terms and the beginning of the next",
	  .where = "windows are neither short nor too long for a piece", .fits = runs_fit,
	  .when = runs_when, .lower = runs_lower },
	/* stencil_registers.c */
	{ "march", "near cells stay in registers while lanes go along an axis",
	  .no = "`stage` is not registers", .fits = marches, .lower = lower_march, .on = ON_GPU },
	/* above */
	{ "tile", "a block has its cells and their halo in shared memory",
	  .no = "`stage` is not shared", .fits = has_tile, .lower = lower_tile, .on = ON_GPU },
	/* ../cells.c */
	{ "cells", "neighbours come through the caches", .lower = ways_cells }
};

void stencil_lower(struct plan *plan, const struct group *group)
{
	const struct node *node = group->anchor;
	bool staged = plan->target->gpu && node->choice.stage == STAGE_SHARED;
	int64_t bytes = plan->target->shared_bytes - FOLD_BYTES;
	ways_lower(ways, plan, group,
	           staged ? tile_plan_of(node, node->choice.tile, bytes) : NULL);
}
