/* wave_tiles.c - a wavefront by anti-diagonals of tiles: any equations, no law needed; by laws, whole rows at once.
 *
 * The last two axes of the order are rows and columns.  With column' = column + slope * row (wave_slope) no cell
 * waits for one of a larger row or column', so tiles of rows x columns' whose numbers add up to the same wait for none
 * of each other.  The host launches one kernel a diagonal; its tiles are blocks, on a CPU turns of a parallel loop.
 * In a tile a thread has a row and is one column' behind the thread of the row before, a barrier a step; on a CPU
 * the cells of a tile run in order (wave_cpu.c), and where there are problems enough for all cores each is one tile.
 *
 * Hybrid (Hou et al. IPDPS 2018): where a row is a scan (wave_stretch.c), a tile is a warp's, which solves a stretch of
 * HYBRID_CELLS cells a lane after the other, row by row.  A row costs its shuffles and one look at the row above,
 * whatever its length: lanes want many cells.  A block has one warp, since a diagonal has fewer tiles than a GPU
 * has warps, and they are apart on as many multiprocessors as there are.
 *
 * Axes before these two: one along which nothing waits is a grid of independent problems, any other a loop of the
 * host around all diagonals. */
#include <assert.h>
#include "wave_stretch.h"

enum {
	CPU_ROWS = 128, CPU_COLUMNS = 256, GPU_COLUMNS = 64, CPU_PROBLEMS = 64,
	HYBRID_ROWS = 32, HYBRID_CELLS = 8,
	HYBRID_WORDS = 16                    /* registers of a lane for the values of a stretch */
};

struct tiles {
	struct axes axes;
	int cells;                           /* hybrid: of a lane; else 0 */
	struct kx *host_rows, *host_columns; /* of a tile: columns' */
	struct kx *host_tile_rows, *host_tile_columns, *diagonal;
	struct kx *tile_rows;                /* argument of the kernel, once asked for */
};

/* ---- the host's numbers ---- */

static bool is_hybrid(const struct node *node, const struct target *target)
{
	return target->gpu && node->choice.sweep == SWEEP_HYBRID;
}

/* Of a lane. */
static int hybrid_cells(const struct node *node)
{
	int most = stretch_cells(node, HYBRID_WORDS);
	return most < HYBRID_CELLS ? most : HYBRID_CELLS;
}

struct tile tile_of(const struct node *node, const struct target *target)
{
	if (!target->gpu)
		return (struct tile){ CPU_ROWS, CPU_COLUMNS, CPU_PROBLEMS };
	if (is_hybrid(node, target))
		return (struct tile){ node->index.n > 1 ? HYBRID_ROWS : 1, (int64_t)hybrid_cells(node) * target->lanes, 0 };
	return (struct tile){ target->block / 2, GPU_COLUMNS, 0 };
}

/* Columns' of all rows: those of the last one reach farthest. */
static struct kx *sheared(const struct axes *a)
{
	struct kx *rows = axis_size(a, a->n - 2), *more = x_mul(x_i64(a->slope), x_sub(rows, x_i64(1)));
	return a->slope ? x_add(axis_size(a, a->n - 1), more) : axis_size(a, a->n - 1);
}

/* Not as many problems that each is a tile; what is kept of a table hangs on that, too. */
static struct kx *are_few(const struct axes *a)
{
	for (int q = 0; q < a->node->equation.n; q++) {
		const struct ring *ring = wave_table(a->node, q)->var->ring;
		if (ring && ring->many)
			return kx_fold(x_unary(OP_NOT, lower_many(host_lowering(a->plan), ring)));
	}
	return kx_fold(x_lt(a->host_problems, x_i64(CPU_PROBLEMS)));
}

/* A single row is a tile. */
static void cpu_tile(struct tiles *t)
{
	struct axes *a = &t->axes;
	struct kx *rows = x_max(x_i64(1), axis_size(a, a->n - 2)), *few = are_few(a);
	int64_t known;
	if (a->n == 1)
		t->host_columns = x_max(x_i64(1), axis_size(a, 0));
	if (x_constant(few, &known) && known)
		return;
	struct kx *columns = x_max(x_i64(1), sheared(a));
	t->host_rows = plan_let(a->plan, "tile_height", x_cond(few, t->host_rows, rows));
	t->host_columns = plan_let(a->plan, "tile_width", x_cond(few, t->host_columns, columns));
}

static void host_tiles(struct tiles *t)
{
	struct plan *plan = t->axes.plan;
	struct tile tile = tile_of(t->axes.node, plan->target);
	t->cells = is_hybrid(t->axes.node, plan->target) ? hybrid_cells(t->axes.node) : 0;
	t->host_rows = x_i64(tile.rows);
	t->host_columns = x_i64(tile.columns);
	if (!plan->target->gpu)
		cpu_tile(t);
	t->host_tile_rows = plan_let(plan, "tile_rows", x_div_up(axis_size(&t->axes, t->axes.n - 2), t->host_rows));
	t->host_tile_columns = plan_let(plan, "tile_columns", x_div_up(sheared(&t->axes), t->host_columns));
}

static struct kx *tile_height(struct tiles *t)
{
	return axes_argument(&t->axes, "tile_height", t->host_rows);
}

static struct kx *tile_rows(struct tiles *t)
{
	if (!t->tile_rows)
		t->tile_rows = axes_argument(&t->axes, "tile_rows", t->host_tile_rows);
	return t->tile_rows;
}

static struct kx *tile_width(struct tiles *t)
{
	return axes_argument(&t->axes, "tile_width", t->host_columns);
}

/* ---- the kernel ---- */

/* Of the tiles on a diagonal the first is in the last column that has one. */
static struct kx *first_tile_row(struct kx *diagonal, struct kx *tile_columns)
{
	return x_max(x_i64(0), x_add(x_sub(diagonal, tile_columns), x_i64(1)));
}

static struct kx *tiles_on(struct kx *diagonal, struct kx *tile_rows, struct kx *tile_columns)
{
	struct kx *last = x_min(diagonal, x_sub(tile_rows, x_i64(1)));
	return x_sub(x_add(last, x_i64(1)), first_tile_row(diagonal, tile_columns));
}

static bool problems_fit(const struct tiles *t)
{
	int64_t known;
	return x_constant(t->axes.host_problems, &known) && known <= t->axes.plan->target->max_grid_y;
}

/* A block's problem, or several where there are more than a grid has blocks along y. */
static struct kx *open_problems(struct tiles *t)
{
	struct kx *first = x_to_i64(x_id(ID_BLOCK_Y)), *step = x_to_i64(x_id(ID_GRID_Y));
	if (problems_fit(t))
		return first;
	return x_var(k_for(t->axes.l->k, "problem", first, axes_argument(&t->axes, "problems", t->axes.host_problems), step, 0));
}

/* The cell at row and column' of the domain: tests and equations. */
static void cell(struct tiles *t, struct kx *row, struct kx *sheared_column, struct kx *inside)
{
	struct axes *a = &t->axes;
	struct kernel *k = a->l->k;
	struct kx *columns = axes_columns(a), *column = sheared_column;
	if (a->slope)
		column = x_var(k_let(k, "column", x_sub(sheared_column, x_mul(x_i64(a->slope), row))));
	if (a->slope)
		inside = x_and(inside, x_le(x_i64(0), column));
	k_if(k, x_and(inside, x_lt(column, columns)));
	if (a->n > 1)
		axis_bind(a, a->n - 2, row);
	axis_bind(a, a->n - 1, column);
	struct kx *guard = axes_guard(a);
	if (guard)
		k_if(k, guard);
	wave_cell(a->l, a->node);
	births_cell(a);
	if (guard)
		k_end(k);
	k_end(k);
}

/* Opens the loop over the rows of a tile; the columns that it has of one: first, and behind the last. */
static void open_rows(struct tiles *t, struct kx *row0, struct kx *place0, struct kx **first, struct kx **end)
{
	struct axes *a = &t->axes;
	struct kernel *k = a->l->k;
	struct kx *last = x_var(k_let(k, "row_end", x_min(x_add(row0, tile_height(t)), axes_rows(a))));
	struct kx *row = x_var(k_for(k, "row", row0, last, x_i64(1), t->cells ? FOR_ROLLED : 0));
	struct kx *column0 = a->slope ? x_sub(place0, x_mul(x_i64(a->slope), row)) : place0;
	*first = a->slope ? x_var(k_let(k, "first", x_max(x_i64(0), column0))) : place0;
	*end = x_var(k_let(k, "last", x_min(x_add(column0, tile_width(t)), axes_columns(a))));
	if (a->n > 1)
		axis_bind(a, a->n - 2, row);
}

static void tile_cpu(struct tiles *t, struct kx *row0, struct kx *place0)
{
	struct kx *first, *end;
	open_rows(t, row0, place0, &first, &end);
	births_open_run(&t->axes);
	wave_row(&t->axes, first, end);
	births_close_run(&t->axes);
	k_end(t->axes.l->k);
}

static void tile_hybrid(struct tiles *t, struct kx *row0, struct kx *place0)
{
	struct kx *first, *end;
	struct stretch s;
	stretch_open(&s, &t->axes, t->cells);
	open_rows(t, row0, place0, &first, &end);
	stretch_solve(&s, first, end);
	births_columns(&t->axes, first, end);
	k_end(t->axes.l->k);
}

static void tile_gpu(struct tiles *t, struct kx *row0, struct kx *column0)
{
	struct kernel *k = t->axes.l->k;
	struct kx *thread = block_thread(t->axes.l), *rows = axes_rows(&t->axes);
	struct kx *row = x_var(k_let(k, "row", x_add(row0, x_to_i64(thread))));
	int64_t steps = k->block[0] + GPU_COLUMNS - 1;
	struct kx *step = x_var(k_for(k, "step", x_i32(0), x_i32((int32_t)steps), x_i32(1), FOR_ROLLED));
	struct kx *place = x_var(k_let(k, "place", x_sub(step, thread)));
	struct kx *inside = x_and(x_lt(row, rows), x_and(x_le(x_i32(0), place), x_lt(place, x_i32(GPU_COLUMNS))));
	cell(t, row, x_add(column0, x_to_i64(place)), inside);
	k_barrier(k);
	k_end(k);
}

/* The tiles of a row, one a diagonal, are a part of what is folded. */
static void store_births(struct tiles *t, struct kx *problem, struct kx *tile_row, struct kx *diagonal)
{
	struct axes *a = &t->axes;
	struct lowering *l = a->l;
	if (!births_fold(a))
		return;
	struct kx *part = x_add(x_mul(problem, tile_rows(t)), tile_row);
	if (l->target->gpu) {
		block_fold(l, &a->births->acc);
		k_if(l->k, x_eq(block_thread(l), x_i32(0)));
	}
	births_store(a, part, x_lt(tile_row, diagonal));
	if (l->target->gpu)
		k_end(l->k);
}

static void kernel(struct tiles *t)
{
	struct axes *a = &t->axes;
	struct lowering *l = a->l = lowering_new(a->plan, a->node->name);
	struct kernel *k = l->k;
	bool gpu = l->target->gpu;
	k->note = t->cells ? "The tiles of one anti-diagonal, a warp each: row after row, each by a scan." : "The tiles of one anti-diagonal.";
	lowering_writes(l, a->node);
	if (gpu) {
		k->block[0] = t->cells ? l->target->lanes : l->target->block / 2;
		k->block[1] = k->block[2] = 1;
	}
	struct kx *diagonal = axes_argument(a, "diagonal", t->diagonal);
	struct kx *tile_columns = axes_argument(a, "tile_columns", t->host_tile_columns);
	struct kx *number, *problem = gpu ? open_problems(t) : NULL;
	if (gpu) {
		number = x_to_i64(x_id(ID_BLOCK_X));
	} else {
		struct kx *tiles = x_var(k_let(k, "tiles", tiles_on(diagonal, tile_rows(t), tile_columns)));
		struct kx *all = x_var(k_for(k, "part", x_i64(0), x_mul(tiles, axes_argument(a, "problems", a->host_problems)), x_i64(1), FOR_PARALLEL));
		number = x_var(k_let(k, "number", x_rem(all, tiles)));
		problem = x_var(k_let(k, "problem", x_div(all, tiles)));
	}
	axes_bind_outer(a, problem);
	struct kx *tile_row = x_var(k_let(k, "tile_row", x_add(first_tile_row(diagonal, tile_columns), number)));
	struct kx *row0 = x_var(k_let(k, "row_first", x_mul(tile_row, tile_height(t))));
	struct kx *column0 = x_var(k_let(k, "place_first", x_mul(x_sub(diagonal, tile_row), tile_width(t))));
	births_start(a);
	(!gpu ? tile_cpu : t->cells ? tile_hybrid : tile_gpu)(t, row0, column0);
	store_births(t, problem, tile_row, diagonal);
	if (!gpu || !problems_fit(t))
		k_end(k);
}

/* Rows of tiles of all problems: none is lower than these. */
static struct kx *most_parts(const struct tiles *t)
{
	const struct axes *a = &t->axes;
	struct kx *rows = a->n > 1 ? axis_most(a, a->n - 2) : x_i64(1);
	int64_t least = CPU_ROWS;
	x_constant(t->host_rows, &least);
	return x_mul(x_div_up(rows, x_i64(least)), axes_most_problems(a));
}

void wave_tiles(struct plan *plan, const struct node *node)
{
	struct tiles *t = NEW(struct tiles);
	bool gpu = plan->target->gpu;
	axes_open(&t->axes, plan, node);
	host_tiles(t);
	births_open(&t->axes, most_parts(t), x_mul(t->axes.host_problems, t->host_tile_rows));
	k_if(plan->host, axes_some(&t->axes));
	axes_open_loops(&t->axes);
	struct kx *diagonals = x_sub(x_add(t->host_tile_rows, t->host_tile_columns), x_i64(1));
	t->diagonal = x_var(k_for(plan->host, "diagonal", x_i64(0), diagonals, x_i64(1), 0));
	kernel(t);
	struct kx *tiles = tiles_on(t->diagonal, t->host_tile_rows, t->host_tile_columns);
	struct kx *problems = x_min(t->axes.host_problems, x_i64(plan->target->max_grid_y));
	lowering_launch(t->axes.l, gpu ? tiles : x_i64(1), gpu ? problems : x_i64(1), x_i64(1));
	k_end(plan->host);
	axes_close_loops(&t->axes);
	k_end(plan->host);
	births_close(&t->axes);
}
