/* stencil_lower.c - a stencil computes each cell from cells near it.
 *
 * Level L1: neighbours are loaded from memory and met again in the cache; cells.c.
 * Level registers: lanes march with their near cells in registers; stencil_registers.c.
 * Level shared: a block first brings the tile of every array that is read at several offsets, with its
 * halo, into shared memory, applying the edges there, so that cells need no test of their own.  Only a
 * pin takes it (pass_stage.c says why).  Arrays read otherwise still come through L1.
 * Tiles are row-major with odd pitch when the halo makes it so; lanes run along the last axis, so neither
 * loads nor reads conflict in banks. */
#include <assert.h>
#include "../cells.h"
#include "../lowerings.h"
#include "stencil_march.h"

/* ---- what can be staged ---- */

enum { REACH = 1 << 6 };                 /* the widest halo tried */

struct tile_search { const struct node *node; struct tile_plan *plan; int64_t reach; };

/* Where a thread brings cells for others, it would record for them what a test finds. */
static bool answers_tested(const struct node *node)
{
	for (int d = 0; d < node->index.n; d++)
		if (node->edge[d].kind == B_VALUE && expr_checked(node->edge[d].value))
			return true;
	return false;
}

bool stencil_near(const struct node *node, const struct expr *read, int64_t reach, int64_t *offset)
{
	if (read->var->rank != node->index.n || read->checked || node_writes(node, read->var)
	    || answers_tested(node))
		return false;
	for (int a = 0; a < read->var->rank; a++) {
		int k;
		if (!access_offset(node, read, a, &k, &offset[a]) || k != a)
			return false;
		if (offset[a] < -reach || offset[a] > reach || !cell_near(node, read, a))
			return false;
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

static bool add_need(struct expr *e, void *state)
{
	struct tile_search *s = state;
	int64_t offset[MAX_RANK];
	if (e->kind != E_READ || !stencil_near(s->node, e, s->reach, offset))
		return true;
	struct tile_need *need = need_of(s->plan, e->var);
	for (int a = 0; a < e->var->rank; a++) {
		need->lo[a] = offset[a] < need->lo[a] ? offset[a] : need->lo[a];
		need->hi[a] = offset[a] > need->hi[a] ? offset[a] : need->hi[a];
	}
	need->reads++;
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
			plan->before[a] = -need->lo[a] > plan->before[a] ? -need->lo[a] : plan->before[a];
			plan->after[a] = need->hi[a] > plan->after[a] ? need->hi[a] : plan->after[a];
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
		plan->cells = plan->size[a] > INT32_MAX / plan->cells ? INT32_MAX : plan->cells * plan->size[a];
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

/* ---- the kernel ---- */

struct staged {
	struct cells *c;
	struct tile_plan *plan;
	int tile[MAX_RANK];
	struct kx *lo[MAX_RANK], *hi[MAX_RANK], *tiles[MAX_RANK];
};

/* Ranges and tile counts; returns the host's number of blocks. */
static struct kx *staged_ranges(struct staged *s)
{
	struct lowering *l = s->c->l, *host = host_lowering(l->plan);
	struct kx *blocks = x_i64(1);
	for (int d = 0; d < s->c->rank; d++) {
		const char *name = s->c->node->index.at[d]->name;
		struct kx *lo = cells_range_lo(s->c, d, host), *hi = cells_range_hi(s->c, d, host);
		s->lo[d] = x_is_int(lo, 0) ? lo : lower_argument(l, str_print("%s_first", name), kt_scalar(T_I64), lo);
		s->hi[d] = lower_argument(l, str_print("%s_end", name), kt_scalar(T_I64), hi);
		struct kx *size = plan_range(l->plan, lo, hi);
		struct kx *tiles = x_div_up(size, x_i64(s->tile[d]));
		/* a fold over nothing has an identity to store */
		tiles = s->c->group->epilogue.n ? x_max(tiles, x_i64(1)) : tiles;
		tiles = plan_let(s->c->l->plan, str_print("%s_tiles", name), tiles);
		if (d)
			s->tiles[d] = lower_argument(l, str_print("%s_tiles", name), kt_scalar(T_I64), tiles);
		blocks = d ? x_mul(blocks, tiles) : tiles;
	}
	return plan_let(s->c->l->plan, "blocks", blocks);
}

static void tile_origins(struct staged *s)
{
	struct kernel *k = s->c->l->k;
	struct kx *rest = x_var(k_let(k, "block", x_to_i64(x_id(ID_BLOCK_X))));
	for (int d = s->c->rank - 1; d >= 0; d--) {
		struct kx *t = d ? x_rem(rest, s->tiles[d]) : rest;
		const char *name = str_print("%s_tile", s->c->node->index.at[d]->name);
		s->c->tile_origin[d] = x_var(k_let(k, name, x_add(s->lo[d], x_mul(t, x_i64(s->tile[d])))));
		if (d)
			rest = x_var(k_let(k, "rest", x_div(rest, s->tiles[d])));
	}
}

/* Coordinates (i32) of cell number `at` of a box of constant size. */
static void decode(struct staged *s, struct kx *at, const int64_t *size, struct kx **coordinate)
{
	struct kernel *k = s->c->l->k;
	for (int d = s->c->rank - 1; d >= 0; d--) {
		coordinate[d] = d ? x_rem(at, x_i32(size[d])) : at;
		coordinate[d] = x_var(k_let(k, str_print("%s_in", s->c->node->index.at[d]->name), coordinate[d]));
		if (d)
			at = x_var(k_let(k, "rest", x_div(at, x_i32(size[d]))));
	}
}

/* The cell of `var` at the bound position, through the edges: the first axis along which it is outside
 * answers with its value; zero where nothing will read it. */
static struct kx *staged_cell(struct staged *s, const struct var *var, struct kx *const *position)
{
	struct lowering *l = s->c->l;
	struct kx *sub[MAX_RANK], *inside[MAX_RANK] = { NULL };
	for (int d = 0; d < s->c->rank; d++) {
		struct kx *extent = lower_extent(l, var, d);
		enum boundary edge = s->c->node->edge[d].kind;
		sub[d] = edge_position(edge, position[d], extent, true);
		if (edge == B_VALUE || edge == B_KEEP || edge == B_NONE)
			inside[d] = x_and(x_le(x_i64(0), position[d]), x_lt(position[d], extent));
	}
	struct kx *x = lower_place(l, var, sub);
	for (int nth = s->c->rank - 1; nth >= 0; nth--) {
		int d = edge_axis(var, nth);
		if (!inside[d])
			continue;
		const struct edge *edge = &s->c->node->edge[d];
		const struct expr *value = edge->kind == B_VALUE ? edge_value(var, NULL, edge->value) : NULL;
		x = x_cond(inside[d], x, value ? x_cast(kt(var->type), lower_expr(l, value)) : lower_zero(var->type));
	}
	return x;
}

/* The block that only stores the identity of a fold over nothing has no cell to bring, nor an array. */
static struct kx *tile_has_cells(struct staged *s)
{
	struct kx *some = NULL;
	for (int d = 0; d < s->c->rank && s->c->group->epilogue.n; d++)
		some = x_and(some, x_lt(s->c->tile_origin[d], s->hi[d]));
	return some;
}

static void load_tile(struct staged *s)
{
	struct lowering *l = s->c->l;
	struct kernel *k = l->k;
	struct kx *coordinate[MAX_RANK], *position[MAX_RANK];
	struct kx *some = tile_has_cells(s);
	k_note(k, "the tile with its halo, edges applied");
	if (some)
		k_if(k, some);
	struct kx *at = x_var(k_for(k, "s", block_thread(l), x_i32(s->plan->cells), x_i32(l->target->block), 0));
	decode(s, at, s->plan->size, coordinate);
	for (int d = 0; d < s->c->rank; d++) {
		struct kx *first = x_sub(s->c->tile_origin[d], x_i64(s->plan->before[d]));
		position[d] = x_var(k_let(k, s->c->node->index.at[d]->name, x_add(first, x_to_i64(coordinate[d]))));
		cells_bind(s->c, d, position[d]);
	}
	s->c->mode = CELL_BORDER;
	for (int t = 0; t < s->c->tile.n; t++)
		k_set(k, x_at(x_var(s->c->tile.at[t].shared), at), staged_cell(s, s->c->tile.at[t].var, position));
	k_end(k);
	if (some)
		k_end(k);
	k_barrier(k);
}

static void compute_tile(struct staged *s)
{
	struct lowering *l = s->c->l;
	struct kernel *k = l->k;
	struct kx *inside = NULL;
	int64_t size[MAX_RANK], cells = 1;
	for (int d = 0; d < s->c->rank; d++)
		cells *= size[d] = s->tile[d];
	k_note(k, "the cells of the tile");
	struct kx *at = x_var(k_for(k, "s", block_thread(l), x_i32(cells), x_i32(l->target->block), 0));
	decode(s, at, size, s->c->tile_at);
	for (int d = 0; d < s->c->rank; d++) {
		struct kx *i = x_add(s->c->tile_origin[d], x_to_i64(s->c->tile_at[d]));
		i = x_var(k_let(k, s->c->node->index.at[d]->name, i));
		cells_bind(s->c, d, i);
		inside = x_and(inside, x_lt(i, s->hi[d]));
	}
	k_if(k, inside);
	cells_body(s->c, CELL_TILE);
	k_end(k);
	k_end(k);
}

static void staged_lower(struct plan *plan, const struct group *group, struct tile_plan *tiles)
{
	struct staged *s = NEW(struct staged);
	s->plan = tiles;
	s->c = cells_open(plan, group, false, "");
	for (int d = 0; d < s->c->rank; d++) {
		s->tile[d] = group->anchor->choice.tile[d];
		s->c->tile_lo[d] = tiles->before[d];
		s->c->tile_hi[d] = tiles->after[d];
		s->c->tile_size[d] = tiles->size[d];
	}
	block_launch_bounds(s->c->l);
	struct kx *blocks = staged_ranges(s);
	cells_find_folds(s->c);
	cells_start_folds(s->c);
	tile_origins(s);
	for (int i = 0; i < tiles->need.n; i++) {
		const struct var *var = tiles->need.at[i].var;
		struct kvar *shared = k_shared(s->c->l->k, var->type, str_print("%s_tile", var->name), tiles->cells);
		list_add(&s->c->tile, ((struct tile_array){ var, shared }));
	}
	load_tile(s);
	compute_tile(s);
	struct kx *parts = s->c->folds.n ? lower_argument(s->c->l, "blocks", kt_scalar(T_I64), blocks) : NULL;
	cells_finish(s->c, x_to_i64(x_id(ID_BLOCK_X)), parts, blocks);
	lowering_launch(s->c->l, blocks, x_i64(1), x_i64(1));
}

void stencil_shape(const struct node *node, const struct target *target, struct shape *s)
{
	cells_shape(node, target, s);
	s->staging = target->gpu && node->index.n ? &stencil_staging : NULL;
}

void stencil_lower(struct plan *plan, const struct group *group)
{
	const struct node *node = group->anchor;
	struct tile_plan *tiles = NULL;
	if (plan->target->gpu && node->choice.stage == STAGE_REGISTERS) {
		registers_lower(plan, group);
		return;
	}
	if (plan->target->gpu && node->choice.stage == STAGE_SHARED)
		tiles = tile_plan_of(node, node->choice.tile, plan->target->shared_bytes - FOLD_BYTES);
	if (tiles)
		staged_lower(plan, group, tiles);
	else
		cells_lower(plan, group);
}
