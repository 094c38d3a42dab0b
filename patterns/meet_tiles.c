/* meet_tiles.c - items that meet in cells of a grid at places that data decide, by tiles of it:
 *
 *     scatter rho[i32(x[p]) + a, i32(y[p]) + b] += ... for p in 0..n, a in 0..2, b in 0..2;
 *
 * The items of one value of the indices but the last few ones (here p) are a bunch.  They go to
 * cells near one another: the first cell of a bunch says which tile of the grid it belongs to.
 *
 *   _count    counts the bunches of each tile, in shared memory of each block first
 *   _begins   one block: where in the sorted order the bunches of each tile begin
 *   _sort     writes the numbers of the bunches, sorted by their tiles
 *   _tiles    each block takes a part of the sorted order, as long as those of the others.  It goes
 *             from tile to tile: items of its bunches are combined in shared memory, in cells of
 *             the tile and of the halo after it, which are then combined with those of memory.
 *
 * Blocks have parts of the order, and not tiles, so that they have equal work wherever the bunches
 * are.  A tile in two parts is combined with memory twice.  An item outside its bunch's tile and
 * halo (of a torus, say) is combined in memory, so the result does not depend on how well tiles and
 * halo are chosen.  Items that are left out are recorded by _tiles alone, but for a `where` that
 * does not depend on an item: bunches that it leaves out are not sorted.
 *
 * What it saves: with K items a bunch and G cells, K atomic operations a bunch in memory become
 * about G for all, on neighbouring cells.  What it costs: the places are computed three times, and
 * the words of a bunch (meet_carried.c) are written and read.  On an H200, 2^26 bodies at random:
 *
 *     cells             of a body   tiles     in memory
 *     2048^2 (16 MiB)   4           3.37 ms   1.94
 *     8192^2            4           4.32      7.73
 *     256^3 (64 MiB)    8           4.68      9.09
 *     512^3             8           5.77      16.5
 *
 * So it pays where the L2 cache does not hold the array. */
#include <string.h>

#include "atomic.h"
#include "meet.h"
#include "merge_items.h"
#include "meet_tiles.h"
#include "privatise.h"

enum {
	MOST_AXES = 3,
	MOST_TILES = 8192,                   /* counters of a block: 32 KiB */
	BUNCHES = 16,                        /* that a thread sorts at once, ... */
	BUNCHES_DIVIDED = 8,                 /* ... of several indices, found by divisions */
	UNROLLED = 9                         /* items of a bunch whose code is written out */
};

/* ---- the shape of tiles ---- */

struct array { const struct var *var; const struct op *op; const struct type *of; };
struct tiles {
	const struct node *node;             /* with the indices that the program gives it */
	int first_few;                       /* the indices from there on are those of a bunch */
	int64_t items;                       /* of a bunch */
	LIST(struct array) array;            /* that items go to: each has a tile */
	int axes;
	int bits[MOST_AXES];                 /* a tile has 2^bits cells along an axis, */
	int64_t halo[MOST_AXES];             /* and so many more after it */
	struct carried carried;
	/* kernels */
	struct plan *plan;
	struct kvar *order, *places;         /* host */
	struct kx *host_bunches, *host_tiles;
	LIST(struct kvar *) own;             /* shared: the cells of each array */
};

static const struct expr *cell_of(const struct node *node, int q)
{
	return target_read(node->equation.at[q]->target.at[0]);
}

/* How far the value moves with one step of the index, about: only the speed depends on it. */
static int64_t step_of(const struct expr *e, const struct var *index)
{
	if (!expr_uses(e, index))
		return 0;
	if (e->kind == E_CAST)
		return step_of(e->arg.at[0], index);
	if (e->kind == E_BINARY && e->op == OP_ADD)
		return step_of(e->arg.at[0], index) + step_of(e->arg.at[1], index);
	if (e->kind == E_BINARY && e->op == OP_SUB)
		return step_of(e->arg.at[0], index) - step_of(e->arg.at[1], index);
	if (e->kind == E_BINARY && e->op == OP_REM)
		return step_of(e->arg.at[0], index);
	return 1;
}

static int64_t values_of(const struct node *node, int k)
{
	return affine_cells(node->lo.at[k], node->hi.at[k]);
}

static void find_halo(struct tiles *t)
{
	const struct expr *cell = cell_of(t->node, 0);
	for (int a = 0; a < t->axes; a++)
		for (int k = t->first_few; k < t->node->index.n; k++) {
			int64_t step = step_of(cell->arg.at[a], t->node->index.at[k]);
			t->halo[a] += (step < 0 ? -step : step) * (values_of(t->node, k) - 1);
		}
}

static int64_t along(const struct tiles *t, int a)
{
	return (INT64_C(1) << t->bits[a]) + t->halo[a];
}

static int64_t cells_of(const struct tiles *t)
{
	int64_t cells = 1;
	for (int a = 0; a < t->axes; a++)
		cells *= along(t, a);
	return cells;
}

static int64_t cell_bytes(const struct tiles *t)
{
	int64_t bytes = 0;
	for (int i = 0; i < t->array.n; i++)
		bytes += type_size(t->array.at[i].var->type);
	return bytes;
}

/* 16 bytes an array: each begins at a multiple of that. */
static int64_t tile_bytes(const struct tiles *t)
{
	return cells_of(t) * cell_bytes(t) + 16 * t->array.n;
}

/* The side doubles that is the shortest, of those the last, as long as a block has room. */
static void find_sides(struct tiles *t, const struct target *target)
{
	for (;;) {
		int shortest = t->axes - 1;
		for (int a = t->axes - 1; a >= 0; a--)
			if (t->bits[a] < t->bits[shortest])
				shortest = a;
		t->bits[shortest]++;
		if (tile_bytes(t) > target->asked_bytes) {
			t->bits[shortest]--;
			return;
		}
	}
}

static void add_array(struct tiles *t, const struct equation *eq)
{
	const struct var *var = target_read(eq->target.at[0])->var;
	for (int i = 0; i < t->array.n; i++)
		if (t->array.at[i].var == var)
			return;
	list_add(&t->array, ((struct array){ var, eq->combine, eq->right->type }));
}

static struct tiles tiles_of(const struct node *merged, const struct target *target)
{
	const struct node *node = merged->unmerged ? merged->unmerged : merged;
	struct tiles t = { .node = node, .axes = cell_of(node, 0)->arg.n };
	t.first_few = first_of_few(node, &t.items);
	t.carried = carried_of(node, t.first_few);
	for (int q = 0; q < node->equation.n; q++)
		add_array(&t, node->equation.at[q]);
	find_halo(&t);
	find_sides(&t, target);
	return t;
}

static const char *cannot_meet(const struct equation *eq, const struct expr *first)
{
	const struct expr *cell = eq->target.at[0];
	if (cell->kind != E_READ)
		return "the fields of its structs are combined one by one";
	if (cell->type->kind == T_STRUCT)
		return "shared memory has no words for structs";
	if (cell->arg.n != first->arg.n)
		return "its arrays have different numbers of axes";
	return op_identity(eq->combine, cell->type)
	               ? NULL
	               : str_print("`%s` has no identity, which the cells of a tile need",
	                           eq->combine->name);
}

const char *tiles_cannot(const struct node *merged, const struct target *target)
{
	const struct node *node = merged->unmerged ? merged->unmerged : merged;
	int64_t items;
	if (!target->gpu)
		return "only blocks of a GPU have tiles";
	if (meeting_way(node, target) == MEET_ALONE)
		return "no two items have the same cell, as `unique` says";
	if (meet_counted_late(node))
		return "the number of items depends on data";
	if (meeting_way(node, target) == MEET_OWNED)
		return "every warp already owns its cells";
	if (cell_of(node, 0)->arg.n > MOST_AXES)
		return str_print("tiles have %d axes at most", MOST_AXES);
	if (!node_is_box(node) || !first_of_few(node, &items))
		return "its items are not groups of equal size";
	for (int q = 0; q < node->equation.n; q++) {
		const char *why = cannot_meet(node->equation.at[q], cell_of(node, 0));
		if (why)
			return why;
	}
	struct tiles t = tiles_of(node, target);
	return tile_bytes(&t) <= target->asked_bytes
	               ? NULL
	               : "a block has no room for the cells of one group of items";
}

void tiles_shape(const struct node *node, const struct target *target, struct shape *s)
{
	s->no_tiles = tiles_cannot(node, target);
	if (s->no_tiles)
		return;
	struct tiles t = tiles_of(node, target);
	const char *sides = "";
	for (int a = 0; a < t.axes; a++)
		sides = str_print("%s%s%d", sides, a ? " x " : "", 1 << t.bits[a]);
	s->tiles = sides;
	s->tile_bytes = tile_bytes(&t);
	s->bunch = t.items;
}

/* ---- the indices ---- */

static struct kx *let(struct lowering *l, const char *name, struct kx *value)
{
	value = kx_fold(value);
	return value->kind == KX_INT ? value : x_var(k_let(l->k, name, value));
}

/* Binds the indices of a bunch. */
static void bind_bunch(struct lowering *l, const struct tiles *t, struct kx *number)
{
	struct lowering *host = host_lowering(t->plan);
	struct kx *rest = number;
	for (int d = t->first_few - 1; d >= 0; d--) {
		const char *name = t->node->index.at[d]->name;
		struct kx *lo = lower_index(host, t->node->lo.at[d]), *at = rest;
		if (d) {
			struct kx *count = lower_number(l, str_print("%s_cells", name),
			                                meet_count(t->plan, t->node, d));
			at = x_rem(rest, count);
			rest = let(l, "rest", x_div(rest, count));
		}
		lo = lower_number(l, str_print("%s_first", name), lo);
		lower_bind(l, t->node->index.at[d], let(l, name, x_add(lo, at)));
	}
}

/* ---- the tile of a bunch ---- */

/* Its first item along an axis, of those with the smallest subscript. */
static void bind_first(struct lowering *l, const struct tiles *t, const struct expr *sub)
{
	for (int k = t->first_few; k < t->node->index.n; k++) {
		struct kx *lo = lower_index(l, t->node->lo.at[k]);
		if (step_of(sub, t->node->index.at[k]) < 0)
			lo = x_add(lo, x_i64(values_of(t->node, k) - 1));
		lower_bind(l, t->node->index.at[k], kx_fold(lo));
	}
}

static struct kx *host_along(const struct tiles *t, int a)
{
	struct kx *extent = lower_extent(host_lowering(t->plan), t->array.at[0].var, a);
	return kx_fold(x_div_up(extent, x_i64(INT64_C(1) << t->bits[a])));
}

static struct kx *tiles_along(struct lowering *l, const struct tiles *t, int a)
{
	return lower_number(l, str_print("tiles_%d", a), x_to_i32(host_along(t, a)));
}

static struct kx *tile_number(struct lowering *l, const struct tiles *t)
{
	const struct expr *cell = cell_of(t->node, 0);
	struct kx *number = NULL;
	for (int a = 0; a < t->axes; a++) {
		const struct expr *sub = cell->arg.at[a];
		bind_first(l, t, sub);
		struct kx *at = cell->checked ? lower_wrapping(l, sub) : lower_index(l, sub);
		struct kx *last = x_sub(lower_extent(l, cell->var, a), x_i64(1));
		at = x_min(x_max(at, x_i64(0)), last);
		at = x_to_i32(x_op(OP_SHR, at, x_i64(t->bits[a])));
		number = number ? x_add(x_mul(number, tiles_along(l, t, a)), at) : at;
	}
	return number;
}

static bool where_of_item(const struct tiles *t)
{
	for (int k = t->first_few; t->node->where && k < t->node->index.n; k++)
		if (expr_uses(t->node->where, t->node->index.at[k]))
			return true;
	return false;
}

/* -1: no item of the bunch is taken */
KTEXT_HOLE(tile_of)
{
	const struct tiles *t = state;
	struct lower_context before = l->now;
	bool masked = t->node->where && !where_of_item(t);
	struct kvar *tile = k_var(l->k, kt_scalar(T_I32), "tile", x_i32(-1));
	bind_bunch(l, t, arg[0]);
	l->now.outside = NULL;
	if (node_skips(t->node))
		lower_flag(l, "bad");
	if (masked)
		k_if(l->k, lower_mask(l, t->node->where));
	lower_unmark(l, t->node, 0);
	k_set(l->k, x_var(tile), tile_number(l, t));
	if (masked)
		k_end(l->k);
	l->now = before;
	return x_var(tile);
}

/* ---- the cells of a block ---- */

static int array_at(const struct tiles *t, const struct var *var)
{
	int i = 0;
	while (t->array.at[i].var != var)
		i++;
	return i;
}

struct at_tile { const struct tiles *t; struct kx *origin[MOST_AXES]; };

static struct kx *own_cell(struct lowering *l, const struct expr *cell, struct kx *const *sub,
                           struct kx **own, const void *state)
{
	const struct at_tile *at = state;
	const struct tiles *t = at->t;
	struct kx *number = NULL, *inside = NULL;
	for (int a = 0; a < t->axes; a++) {
		struct kx *place = let(l, "place", x_sub(sub[a], at->origin[a]));
		inside = x_and(inside, lower_inside(place, x_i64(along(t, a))));
		place = x_to_i32(place);
		number = number ? x_add(x_mul(number, x_i32((int)along(t, a))), place) : place;
	}
	*own = x_at(x_var(t->own.at[array_at(t, cell->var)]), number);
	return inside;
}

static int open_items(struct lowering *l, const struct tiles *t)
{
	int64_t items = 1;
	int loops = 0, unrolled = t->node->index.n;
	while (unrolled > t->first_few && items * values_of(t->node, unrolled - 1) <= UNROLLED)
		items *= values_of(t->node, --unrolled);
	for (int k = t->first_few; k < t->node->index.n; k++, loops++) {
		const struct var *index = t->node->index.at[k];
		struct kx *lo = kx_fold(lower_index(l, t->node->lo.at[k]));
		struct kx *hi = kx_fold(x_add(lo, x_i64(values_of(t->node, k))));
		lower_bind(l, index, x_var(k_for(l->k, index->name, lo, hi, x_i64(1),
		                                 k < unrolled ? 0 : FOR_UNROLL)));
	}
	return loops;
}

KTEXT_HOLE(put)
{
	const struct tiles *t = state;
	bind_bunch(l, t, arg[1]);
	carried_store(l, &t->carried, k_get(l->k, "order"), arg[0], arg[1]);
	return NULL;
}

KTEXT_HOLE(take)
{
	struct tiles *t = (struct tiles *)state;
	struct at_tile at = { .t = t };
	struct lower_context before = l->now;
	const struct meeting m = { .way = MEET_AT_ONCE, .each_alone = true, .own = own_cell,
		                   .state = &at };
	for (int a = 0; a < at.t->axes; a++)
		at.origin[a] = k_get(l->k, str_print("origin_%d", a));
	struct kx *number = carried_load(l, &t->carried, k_get(l->k, "order"), arg[0]);
	if (number)
		bind_bunch(l, t, number);
	l->now.read = carried_read;
	l->now.state = &t->carried;
	int loops = open_items(l, t);
	meet_item(l, t->node, &m);
	while (loops--)
		k_end(l->k);
	l->now = before;
	return NULL;
}

static struct kx *identity(struct lowering *l, const struct array *a)
{
	return x_cast(kt(a->var->type), lower_identity(l, a->op, a->var->type));
}

KTEXT_HOLE(clear_cell)
{
	const struct tiles *t = state;
	for (int i = 0; i < t->array.n; i++)
		k_set(l->k, x_at(x_var(t->own.at[i]), arg[0]), identity(l, &t->array.at[i]));
	return NULL;
}

/* Cells that no item has gone to are left as they are: they may be outside the array. */
KTEXT_HOLE(join_cell)
{
	const struct tiles *t = state;
	struct kx *sub[MOST_AXES], *rest = arg[0];
	for (int a = t->axes - 1; a >= 0; a--) {
		struct kx *side = x_i32((int)along(t, a));
		struct kx *place = x_to_i64(a ? x_rem(rest, side) : rest);
		sub[a] = x_add(k_get(l->k, str_print("origin_%d", a)), place);
		if (a)
			rest = let(l, "rest", x_div(rest, side));
	}
	for (int i = 0; i < t->array.n; i++) {
		const struct array *a = &t->array.at[i];
		const struct ktype compared = kt(type_compute(a->var->type));
		struct kx *all = let(l, "all", x_at(x_var(t->own.at[i]), arg[0]));
		k_if(l->k, x_op(OP_NE, x_cast(compared, all), x_cast(compared, identity(l, a))));
		all = x_cast(kt(a->of), all);
		atomic_combine(l, a->op, a->of, lower_place(l, a->var, sub), all);
		k_end(l->k);
	}
	return NULL;
}

KTEXT_HOLE(find_origin)
{
	const struct tiles *t = state;
	struct kx *rest = arg[0];
	for (int a = t->axes - 1; a >= 0; a--) {
		struct kx *tiles = a ? tiles_along(l, t, a) : NULL;
		struct kx *number = a ? x_rem(rest, tiles) : rest;
		struct kx *origin = x_op(OP_SHL, x_to_i64(number), x_i64(t->bits[a]));
		const char *name = str_print("origin_%d", a);
		k_bind(l->k, name, k_let(l->k, name, origin));
		if (a)
			rest = let(l, "rest", x_div(rest, tiles));
	}
	return NULL;
}

/* ---- the kernels ---- */

/* A thread sorts at once. */
static int bunches_of(const struct tiles *t)
{
	return t->first_few > 1 ? BUNCHES_DIVIDED : BUNCHES;
}

static struct kx *words(struct lowering *l, const char *name, struct kx *host, bool is_const)
{
	return lower_argument(l, name, kt_pointer(type_scalar(T_U32), is_const), host);
}

static struct lowering *open_kernel(struct tiles *t, const char *suffix, const char *note,
                                    int threads)
{
	struct lowering *l = lowering_new(t->plan, str_print("%s%s", t->node->name, suffix));
	lowering_writes(l, t->node);
	block_launch_bounds(l);
	l->k->note = note;
	l->k->block[0] = threads;
	l->k->min_blocks = 1;
	k_bind(l->k, "tiles", lower_number(l, "tiles", x_to_i32(t->host_tiles)));
	k_numbers(l->k, "THREADS, MOST_TILES, BUNCHES, WORDS", threads, MOST_TILES, bunches_of(t),
	          t->carried.words);
	k_bind_calls(l->k, t, { "tile_of", tile_of }, { "put", put }, { "take", take },
	             { "clear_cell", clear_cell }, { "join_cell", join_cell },
	             { "find_origin", find_origin });
	return l;
}

static void bind_bunches(const struct tiles *t, struct lowering *l)
{
	k_bind(l->k, "bunches", lower_argument(l, "bunches", kt_scalar(T_I64), t->host_bunches));
}

static void bind_begins(const struct tiles *t, struct lowering *l, bool is_const)
{
	k_bind(l->k, "begins", words(l, "begins", x_var(t->places), is_const));
}

static void bind_next(const struct tiles *t, struct lowering *l)
{
	struct kx *after = x_add(t->host_tiles, x_i64(1));
	k_bind(l->k, "next", words(l, "next", x_offset(x_var(t->places), after), false));
}

static void bind_order(const struct tiles *t, struct lowering *l, bool is_const)
{
	k_bind(l->k, "order", words(l, "order", x_var(t->order), is_const));
}

static struct kx *host_units(void)
{
	return x_max(x_help(kt_scalar(T_I64), "patc_units", 0, NULL), x_i64(1));
}

/* So many for each multiprocessor, unless there are fewer bunches. */
static void launch(const struct tiles *t, struct lowering *l, int64_t bunches, int a_unit)
{
	struct kx *most = x_mul(host_units(), x_i64(a_unit));
	lowering_launch(l, x_min(x_div_up(t->host_bunches, x_i64(bunches)), most), x_i64(1),
	                x_i64(1));
}

static void count(struct tiles *t, int threads)
{
	struct lowering *l = open_kernel(t, "_count", "Counts what goes to each tile of the cells.",
	                                 threads);
	bind_bunches(t, l);
	bind_begins(t, l, false);
	k_text(l->k, "count_bunches");
	launch(t, l, (int64_t)threads * bunches_of(t), 2);
}

static void find_begins(struct tiles *t, int threads)
{
	struct lowering *l = open_kernel(t, "_begins", "Finds where that of each tile begins.",
	                                 threads);
	bind_begins(t, l, false);
	bind_next(t, l);
	k_numbers(l->k, "STEPS", log2_of(threads));
	k_text(l->k, "find_begins");
	lowering_launch(l, x_i64(1), x_i64(1), x_i64(1));
}

static void sort(struct tiles *t, int threads)
{
	struct lowering *l = open_kernel(t, "_sort", "Sorts by the tiles.", threads);
	bind_bunches(t, l);
	bind_next(t, l);
	bind_order(t, l, false);
	k_text(l->k, "sort_bunches");
	launch(t, l, (int64_t)threads * bunches_of(t), 2);
}

/* Three quarters of a full block: a thread has 80 registers, which 27 items of three axes need. */
static void take_tiles(struct tiles *t, int threads)
{
	struct lowering *l = open_kernel(t, "_tiles", "Combines items in tiles of the cells.",
	                                 threads);
	bind_begins(t, l, true);
	bind_order(t, l, true);
	for (int i = 0; i < t->array.n; i++) {
		const struct var *var = t->array.at[i].var;
		list_add(&t->own, k_shared_asked(l->k, var->type, str_print("own_%s", var->name),
		                                 cells_of(t)));
		if (type_size(var->type) < 4)
			t->own.at[i]->align = 4;
	}
	k_numbers(l->k, "CELLS", cells_of(t));
	k_text(l->k, "take_tiles");
	launch(t, l, threads, 1);
}

/* ---- when ---- */

static struct kx *all_bunches(struct plan *plan, const struct tiles *t)
{
	struct kx *bunches = x_i64(1);
	for (int d = 0; d < t->first_few; d++)
		bunches = x_mul(bunches, meet_count(plan, t->node, d));
	return kx_fold(bunches);
}

static struct kx *all_tiles(const struct tiles *t)
{
	struct kx *tiles = x_i64(1);
	for (int a = 0; a < t->axes; a++)
		tiles = x_mul(tiles, host_along(t, a));
	return kx_fold(tiles);
}

bool tiles_fit(const struct task *c)
{
	return c->node->choice.tiles > 0 && !tiles_cannot(c->node, c->plan->target);
}

/* Of the sizes of a call. */
static struct kx *sizes_fit(const struct task *c, const struct tiles *t)
{
	struct plan *plan = c->plan;
	struct kx *bunches = all_bunches(plan, t), *cells = meet_cells(plan, t->node);
	struct kx *tiles = all_tiles(t);
	bool pinned = c->node->pin.gather > 0;
	struct kx *least = x_i64(pinned ? 1 : TILES_BUNCHES);
	struct kx *when = x_and(x_le(least, bunches), x_lt(bunches, x_i64(INT64_C(1) << 32)));
	when = x_and(when, x_and(x_lt(x_i64(0), tiles), x_le(tiles, x_i64(MOST_TILES))));
	if (!pinned) {
		struct kx *bytes = x_mul(cells, x_i64(cell_bytes(t)));
		when = x_and(when, x_le(cells, x_mul(bunches, x_i64(t->items))));
		when = x_and(when, x_le(x_i64(TILES_BYTES), bytes));
	}
	return when;
}

struct kx *tiles_when(const struct task *c)
{
	struct tiles t = tiles_of(c->node, c->plan->target);
	t.plan = c->plan;
	struct kx *when = sizes_fit(c, &t);
	if (t.plan->target->asked_bytes > t.plan->target->shared_bytes)
		when = x_and(when, x_le(x_i64(tile_bytes(&t)), block_may_ask()));
	return kx_fold(when);
}

void tiles_lower(const struct task *c)
{
	struct tiles t = tiles_of(c->node, c->plan->target);
	struct plan *plan = t.plan = c->plan;
	struct kx *fit = sizes_fit(c, &t);
	t.host_bunches = plan_let(plan, "bunches", all_bunches(plan, &t));
	t.host_tiles = plan_let(plan, "tiles", all_tiles(&t));
	struct kx *places = x_add(x_mul(t.host_tiles, x_i64(2)), x_i64(1));
	struct kx *words = x_mul(t.host_bunches, x_i64(t.carried.words));
	struct kx *room[] = { kx_fold(x_cond(fit, words, x_i64(0))),
		              kx_fold(x_cond(fit, places, x_i64(0))) };
	t.order = plan_slot(plan, "order", type_scalar(T_U32), 1, &room[0]);
	t.places = plan_slot(plan, "places", type_scalar(T_U32), 1, &room[1]);
	k_clear(plan->host, x_var(t.places), x_mul(places, x_i64(4)));
	count(&t, plan->target->max_block);
	find_begins(&t, plan->target->max_block);
	sort(&t, plan->target->max_block);
	take_tiles(&t, plan->target->max_block / 4 * 3);
}
