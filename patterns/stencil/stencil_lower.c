/* stencil_lower.c - a stencil computes each cell from cells near it.
 *
 * Level L1: neighbours are loaded from memory, and most loads hit the cache; cells.c.
 * Level registers: lanes march with their near cells in registers; stencil_registers.c.
 * Level shared: a block first loads the tile of every array that is read at several offsets, with
 * its halo, into shared memory, and applies the edges there, so that cells need no test of their
 * own (tile.kernel).  Windows that stay loops take it, and whoever pins it (stencil_stage.c says
 * why).  If the call gives their ranges the host computes the halo, and asks for as much shared
 * memory; where it does not fit, cells come through L1.  Arrays read otherwise always do.  Tiles
 * are row-major with odd pitch when the halo makes it so; lanes run along the last axis, so neither
 * loads nor reads conflict in banks. */
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

/* Near along every axis, in an array the node leaves alone. */
static bool window_near(const struct node *node, const struct expr *read, int64_t reach,
                        struct cell_span *span)
{
	if (read->var->rank != node->index.n || read->checked || node_writes(node, read->var)
	    || answers_tested(node))
		return false;
	for (int a = 0; a < read->var->rank; a++) {
		if (!cell_span(node, read, a, &span[a]) || !cell_index_near(node, read, a))
			return false;
		bool far = span[a].least.sum.constant < -reach
		           || span[a].most.sum.constant > reach;
		if (span_number(&span[a]) ? far : !span_given(&span[a]))
			return false;
	}
	return true;
}

bool stencil_near(const struct node *node, const struct expr *read, int64_t *offset)
{
	struct cell_span span[MAX_RANK];
	if (!window_near(node, read, REACH, span))
		return false;
	for (int a = 0; a < read->var->rank; a++) {
		if (span[a].rest.n)
			return false;
		offset[a] = span[a].rest.constant;
	}
	return true;
}

static struct tile_need *need_of(struct tile_plan *plan, const struct var *var)
{
	for (int i = 0; i < plan->need.n; i++)
		if (plan->need.at[i].var == var)
			return &plan->need.at[i];
	list_add(&plan->need, ((struct tile_need){ .var = var }));
	return &plan->need.at[plan->need.n - 1];
}

static bool same_end(const struct shift_end *a, const struct shift_end *b)
{
	bool same = a->n == b->n && affine_equal(&a->sum, &b->sum);
	for (int i = 0; same && i < a->n; i++)
		same = a->at[i].times == b->at[i].times
		       && expr_same(a->at[i].bound, b->at[i].bound);
	return same;
}

static void add_given(struct tile_plan *plan, int axis, const struct cell_span *span)
{
	struct tile_given own = { axis, shift_end_back(&span->least), span->most };
	for (int i = 0; i < plan->given.n; i++) {
		const struct tile_given *g = &plan->given.at[i];
		if (g->axis == axis && same_end(&g->before, &own.before)
		    && same_end(&g->after, &own.after))
			return;
	}
	list_add(&plan->given, own);
}

static bool add_need(struct expr *e, void *state)
{
	struct tile_search *s = state;
	struct cell_span span[MAX_RANK];
	if (e->kind != E_READ || !window_near(s->node, e, s->reach, span))
		return true;
	struct tile_need *need = need_of(s->plan, e->var);
	int64_t cells = 1;
	for (int a = 0; a < e->var->rank; a++) {
		s->plan->loops |= span[a].rest.n > 0;
		if (!span_number(&span[a])) {
			add_given(s->plan, a, &span[a]);
			need->given = true;
			continue;
		}
		int64_t lo = span[a].least.sum.constant, hi = span[a].most.sum.constant;
		need->lo[a] = lo < need->lo[a] ? lo : need->lo[a];
		need->hi[a] = hi > need->hi[a] ? hi : need->hi[a];
		cells *= hi - lo + 1;
	}
	need->reads += (int)cells;
	return true;
}

static bool worth_staging(const struct tile_need *need)
{
	for (int a = 0; a < need->var->rank; a++)
		if (need->lo[a] || need->hi[a])
			return need->reads > 0;
	return need->given;
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
	/* host, i64: the halo before the tile, its extents with the halo, their product */
	struct kx *before[MAX_RANK], *size[MAX_RANK], *halo_cells;
	struct kx *room, *bytes;         /* cells of an array, with what aligns the next; of all */
};

enum { ALIGNED = 16 };                   /* cells, and bytes, from which an array may begin */

/* A halo of so many cells fits nowhere; their squares are numbers. */
static const int64_t far = INT64_C(1) << 20;

/* How far tiles reach along an axis, by the constants and by the windows of the call. */
static void find_reach(struct staged *s, struct plan *plan, int d, const char *name)
{
	struct lowering *host = host_lowering(plan);
	struct kx *before = x_i64(s->plan->before[d]), *after = x_i64(s->plan->after[d]);
	for (int i = 0; i < s->plan->given.n; i++) {
		const struct tile_given *g = &s->plan->given.at[i];
		if (g->axis != d)
			continue;
		before = x_max(before, shift_end_value(host, x_i64(0), &g->before));
		after = x_max(after, shift_end_value(host, x_i64(0), &g->after));
	}
	before = plan_number(plan, str_print("%s_before", name), x_min(before, x_i64(far)));
	after = x_add(x_i64(s->tile[d]), x_min(after, x_i64(far)));
	s->before[d] = before;
	s->size[d] = plan_number(plan, str_print("%s_size", name), x_add(before, after));
}

static void find_halo(struct staged *s, struct plan *plan, const struct node *node)
{
	int64_t bytes = 0;
	s->halo_cells = x_i64(1);
	s->cells = 1;
	for (int d = 0; d < node->index.n; d++) {
		s->cells *= s->tile[d] = node->choice.tile[d];
		find_reach(s, plan, d, node->index.at[d]->name);
		struct kx *cells = x_mul(s->halo_cells, s->size[d]);
		s->halo_cells = d ? x_min(cells, x_i64(INT32_MAX)) : cells;
	}
	s->halo_cells = plan_number(plan, "halo_cells", s->halo_cells);
	for (int i = 0; i < s->plan->need.n; i++)
		bytes += type_size(s->plan->need.at[i].var->type);
	s->room = s->halo_cells;
	if (s->plan->need.n > 1)
		s->room = x_mul(x_div_up(s->halo_cells, x_i64(ALIGNED)), x_i64(ALIGNED));
	s->room = plan_number(plan, "room", s->room);
	s->bytes = x_mul(s->room, x_i64(bytes));
}

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

static bool is_given(const struct tile_plan *plan, int axis)
{
	for (int i = 0; i < plan->given.n; i++)
		if (plan->given.at[i].axis == axis)
			return true;
	return false;
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

/* What the cell outside of axis d is: zero where nothing will read it. */
static struct kx *outside_tile(const struct cells *c, const struct var *var, int d)
{
	const struct edge *edge = &c->node->edge[d];
	struct kx *other = lower_zero(var->type);
	if (edge->kind == B_VALUE)
		other = lower_expr(c->l, edge_value(var, NULL, edge->value));
	return x_cast(kt(var->type), other);
}

/* Selecting between structs would put them into memory. */
static void fill_in_branches(const struct cells *c, const struct var *var, struct kx *cell,
                             struct kx *x, struct kx *const *inside)
{
	struct kernel *k = c->l->k;
	for (int nth = 0; nth < c->rank; nth++)
		if (inside[edge_axis(var, nth)])
			k_if(k, inside[edge_axis(var, nth)]);
	k_set(k, cell, x);
	for (int nth = c->rank - 1; nth >= 0; nth--) {
		int d = edge_axis(var, nth);
		if (!inside[d])
			continue;
		k_else(k);
		k_set(k, cell, outside_tile(c, var, d));
		k_end(k);
	}
}

/* The cell of an array at the bound position, through the edges: the first axis along which it is
 * outside answers with its value. */
KTEXT_HOLE(fill)
{
	const struct staged *s = state;
	struct cells *c = s->c;
	const struct var *var = c->tile.at[l->k->each].var;
	struct kx *sub[MAX_RANK], *inside[MAX_RANK] = { NULL };
	c->mode = CELL_BORDER;
	for (int d = 0; d < c->rank; d++) {
		struct kx *extent = lower_extent(l, var, d);
		enum boundary edge = c->node->edge[d].kind;
		sub[d] = edge_position(edge, c->index[d], extent, !is_given(s->plan, d));
		if (edge == B_VALUE || edge == B_KEEP || edge == B_NONE)
			inside[d] = lower_inside(c->index[d], extent);
	}
	struct kx *x = lower_place(l, var, sub);
	if (var->type->kind == T_STRUCT) {
		fill_in_branches(c, var, arg[0], x, inside);
		return NULL;
	}
	for (int nth = c->rank - 1; nth >= 0; nth--) {
		int d = edge_axis(var, nth);
		x = inside[d] ? x_cond(inside[d], x, outside_tile(c, var, d)) : x;
	}
	k_set(l->k, arg[0], x);
	return NULL;
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
	int64_t is[MAX_RANK][2];
	for (int d = 0; d < c->rank; d++)
		memcpy(is[d], (int64_t[]){ s->tile[d], d == 0 }, sizeof is[d]);
	bind_values(k, "lo", c->rank, s->lo);
	bind_values(k, "end", c->rank, s->end);
	bind_values(k, "tiles", c->rank, s->tiles);
	bind_values(k, "before", c->rank, c->tile_before);
	bind_values(k, "size", c->rank, c->tile_size);
	bind_listed(k, "TILE, FIRST", c->rank, is[0]);
	cells_words(c, "origin", "%s_tile");
	cells_words(c, "place", "%s_in");
	cells_words(c, "index", "%s");
}

/* One after the other, if the call says how many cells they have. */
static struct kvar *tile_array(struct staged *s, const struct var *var, struct kx *room,
                               int64_t before)
{
	struct kernel *k = s->c->l->k;
	const char *name = str_print("%s_tile", var->name);
	if (!s->plan->given.n)
		return k_shared(k, var->type, name, s->plan->cells);
	return k_shared_from(k, var->type, name, kx_fold(x_mul(room, x_i32(before))));
}

static void bind_arrays(struct staged *s)
{
	struct cells *c = s->c;
	int n = s->plan->need.n;
	struct kx **array = mem_new((size_t)n * sizeof *array);
	struct kx *room = n > 1 ? lower_number(c->l, "room", x_to_i32(s->room)) : x_i32(0);
	int64_t before = 0;
	if (s->plan->given.n)
		c->l->k->asks = x_to_i32(s->bytes);
	for (int i = 0; i < n; i++) {
		const struct var *var = s->plan->need.at[i].var;
		struct kvar *tile = tile_array(s, var, room, before);
		list_add(&c->tile, ((struct tile_array){ var, tile }));
		array[i] = x_var(tile);
		before += type_size(var->type);
	}
	bind_values(c->l->k, "array", n, array);
}

void stencil_launch(struct cells *c, struct kx *blocks)
{
	struct kx *parts = c->folds.n ? lower_argument(c->l, "blocks", blocks->type, blocks) : NULL;
	cells_finish(c, x_to_i64(x_id(ID_BLOCK_X)), parts, blocks);
	lowering_launch(c->l, blocks, x_i64(1), x_i64(1));
}

static struct kx *tile_number(struct staged *s, const char *format, int d, struct kx *host)
{
	return lower_number(s->c->l, str_print(format, s->c->node->index.at[d]->name), host);
}

static void lower_tile(const struct task *task)
{
	struct plan *plan = task->plan;
	const struct group *group = task->group;
	struct staged *s = task->found;
	const struct tile_plan *tiles = s->plan;
	struct cells *c = s->c = cells_open(plan, group, false, tiles->given.n ? "_tile" : "");
	struct kernel *k = c->l->k;
	int names = k_names(k);
	block_launch_bounds(c->l);
	if (tiles->loops) {
		int64_t bytes = tiles->bytes + (group->epilogue.n > 0 ? FOLD_BYTES : 0);
		block_fewest(c->l, bytes, WINDOW_BLOCKS);
	}
	for (int d = 0; d < c->rank; d++) {
		c->tile_lo[d] = tiles->before[d];
		c->tile_hi[d] = tiles->after[d];
		c->tile_before[d] = tile_number(s, "%s_before", d, s->before[d]);
		c->tile_size[d] = tile_number(s, "%s_size", d, x_to_i32(s->size[d]));
		find_axis(s, d);
	}
	s->blocks = plan_let(plan, "blocks", s->blocks);
	cells_find_folds(c);
	cells_start_folds(c);
	bind_axes(s);
	bind_arrays(s);
	k_bind(k, "halo_cells", lower_number(c->l, "halo_cells", x_to_i32(s->halo_cells)));
	k_numbers(k, "BLOCK, CELLS, FOLDED", c->l->target->block, s->cells, group->epilogue.n > 0);
	k_bind_calls(k, s, { "bind_origin", bind_origin }, { "bind_index", bind_index },
	             { "fill", fill }, { "compute", compute });
	c->l->now.few_terms = tiles->given.n;
	k_text(k, "tile");
	k_forget(k, names);
	stencil_launch(c, s->blocks);
}

/* Some value outside depends on where it is. */
static bool edges_move(const struct node *node)
{
	for (int d = 0; d < node->index.n; d++)
		for (int k = 0; node->edge[d].kind == B_VALUE && k < node->index.n; k++)
			if (expr_uses(node->edge[d].value, node->index.at[k]))
				return true;
	return false;
}

void stencil_shape(const struct node *node, const struct target *target, struct shape *s)
{
	if (matmul_slides(node, target)) {
		matmul_shape(node, target, s);
		s->onto = !edges_move(node) && node_in_order(node);
		return;
	}
	cells_shape(node, target, s);
	s->staging = node->index.n ? &stencil_staging : NULL;
	s->no_births = node->index.n ? runs_no_births(node) : NULL;
}

/* ---- the ways ---- */

static bool is_product(const struct task *c)
{
	return c->node->choice.stage == STAGE_SHARED && matmul_slides(c->node, c->plan->target);
}

static void lower_product(const struct task *c)
{
	matmul_lower(c->plan, c->group);
}

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

/* The halo of the call: numbers are small, the memory of a block is enough, and what windows read
 * pays for it: a cell brought costs about two that are read through L1. */
static struct kx *tile_when(const struct task *c)
{
	const struct staged *s = c->found;
	struct plan *plan = c->plan;
	struct kx *fits = NULL;
	if (!s->plan->given.n)
		return NULL;
	for (int i = 0; i < s->plan->given.n; i++) {
		const struct tile_given *g = &s->plan->given.at[i];
		fits = x_and(fits, shift_end_small(host_lowering(plan), &g->before));
		fits = x_and(fits, shift_end_small(host_lowering(plan), &g->after));
	}
	struct few_terms few = lower_few_terms(plan, c->node);
	struct kx *bytes = x_add(s->bytes, x_i64(c->group->epilogue.n ? FOLD_BYTES : 0));
	fits = x_and(fits, x_and(few.are, x_le(bytes, block_may_ask())));
	if (!few.all)
		return fits;
	return x_and(fits, x_le(s->halo_cells, x_mul(x_i64(s->cells / 2), few.all)));
}

static const struct way ways[] = {
	/* ../matmul/product_window.c */
	{ "product", "as a product of matrices whose rows overlap", .fits = is_product,
	  .lower = lower_product, .on = ON_GPU },
	/* stencil_runs_lower.c */
	{ "runs",
	  "a window is folded from the end of a segment of terms and the beginning of the next",
	  .where = "windows are neither short nor too long for a piece", .fits = runs_fit,
	  .when = runs_when, .lower = runs_lower },
	/* stencil_registers.c */
	{ "march", "neighbouring cells stay in registers while lanes march along an axis",
	  .no = "`stage` is not registers", .fits = marches, .lower = lower_march, .on = ON_GPU },
	/* above */
	{ "tile", "a block keeps its cells and their halo in shared memory",
	  "windows are small enough for shared memory", "`stage` is not shared", .fits = has_tile,
	  .when = tile_when, .lower = lower_tile, .on = ON_GPU },
	/* ../cells.c */
	{ "cells", "neighbours are read through the caches", .lower = ways_cells }
};

void stencil_lower(struct plan *plan, const struct group *group)
{
	const struct node *node = group->anchor;
	bool staged = plan->target->gpu && node->choice.stage == STAGE_SHARED;
	int64_t bytes = plan->target->shared_bytes - FOLD_BYTES;
	struct staged s = { .plan = NULL };
	if (staged && !matmul_slides(node, plan->target))
		s.plan = tile_plan_of(node, node->choice.tile, bytes);
	if (s.plan)
		find_halo(&s, plan, node);
	ways_lower(ways, plan, group, s.plan ? &s : NULL);
}
