/* wave_tiles.c - a wavefront by anti-diagonals of tiles: any equations, no law needed.
 *
 * The last two axes of the order are rows and columns.  With column' = column + slope * row (wave_slope) no cell
 * waits for one of a larger row or column', so tiles of rows x columns' whose numbers add up to the same wait for none
 * of each other.  The host launches one kernel a diagonal; its tiles are blocks, on a CPU turns of a parallel loop.
 * In a tile a thread has a row and is one column' behind the thread of the row before, a barrier a step; on a CPU
 * the cells of a tile run in order.
 *
 * Axes before these two: one along which nothing waits is a grid of independent problems, any other a loop of the
 * host around all diagonals. */
#include <assert.h>
#include "wave.h"

enum { CPU_ROWS = 64, CPU_COLUMNS = 512, GPU_COLUMNS = 64 };

struct tiles {
	struct plan *plan;
	const struct node *node;
	struct lowering *l;
	struct kernel *k;
	int n;                               /* axes */
	int64_t slope, rows, columns;        /* of a tile: columns' */
	struct kx *host_lo[MAX_RANK], *host_size[MAX_RANK];      /* per position in the order */
	struct kx *host_turn[MAX_RANK];      /* the host's loop variable of a serial axis, else NULL */
	struct kx *host_batch;               /* independent problems */
	struct kx *host_tile_rows, *host_tile_columns, *diagonal;
};

/* Position in the order: which index. */
static int index_at(const struct tiles *t, int d)
{
	return t->node->wave->order[d];
}

static bool waits_along(const struct tiles *t, int d)
{
	struct wave_vectors v = wave_vectors(t->node);
	for (int i = 0; i < v.n; i++)
		if (v.at[i][d])
			return true;
	return false;
}

/* ---- the host's numbers ---- */

static void host_ranges(struct tiles *t)
{
	struct cells domain = { .node = t->node, .rank = t->n };
	struct lowering *host = host_lowering(t->plan);
	for (int d = 0; d < t->n; d++) {
		int k = index_at(t, d);
		const char *name = t->node->index.at[k]->name;
		struct kx *lo = cells_range_lo(&domain, k, host), *hi = cells_range_hi(&domain, k, host);
		t->host_lo[d] = x_is_int(lo, 0) ? lo : plan_let(t->plan, str_print("%s_first", name), lo);
		t->host_size[d] = plan_let(t->plan, str_print("%s_cells", name), plan_range(t->plan, t->host_lo[d], hi));
	}
}

static struct kx *size_of(const struct tiles *t, int d)
{
	return d >= 0 ? t->host_size[d] : x_i64(1);
}

/* Columns' of all rows: those of the last one reach farthest. */
static struct kx *sheared(const struct tiles *t)
{
	struct kx *rows = size_of(t, t->n - 2), *more = x_mul(x_i64(t->slope), x_sub(rows, x_i64(1)));
	return t->slope ? x_add(size_of(t, t->n - 1), more) : size_of(t, t->n - 1);
}

static void host_tiles(struct tiles *t)
{
	t->host_tile_rows = plan_let(t->plan, "tile_rows", x_div_up(size_of(t, t->n - 2), x_i64(t->rows)));
	t->host_tile_columns = plan_let(t->plan, "tile_columns", x_div_up(sheared(t), x_i64(t->columns)));
	t->host_batch = x_i64(1);
	for (int d = 0; d < t->n - 2; d++)
		if (!waits_along(t, d))
			t->host_batch = x_mul(t->host_batch, t->host_size[d]);
}

/* ---- the kernel ---- */

static struct kx *argument(struct tiles *t, const char *name, struct kx *host)
{
	int64_t known;
	return x_constant(host, &known) ? x_i64(known) : lower_argument(t->l, name, kt_scalar(T_I64), host);
}

/* The index at `turn` of axis d, counted from where it begins. */
static void bind_axis(struct tiles *t, int d, struct kx *turn)
{
	int k = index_at(t, d);
	const char *name = t->node->index.at[k]->name;
	struct kx *lo = argument(t, str_print("%s_first", name), t->host_lo[d]);
	if (t->node->wave->back[k])
		turn = x_sub(x_sub(argument(t, str_print("%s_cells", name), t->host_size[d]), x_i64(1)), turn);
	lower_bind(t->l, t->node->index.at[k], x_var(k_let(t->k, name, x_add(lo, turn))));
}

static void bind_outer(struct tiles *t, struct kx *problem)
{
	for (int d = t->n - 3; d >= 0; d--) {
		const char *name = t->node->index.at[index_at(t, d)]->name;
		if (t->host_turn[d]) {
			bind_axis(t, d, argument(t, str_print("%s_turn", name), t->host_turn[d]));
			continue;
		}
		struct kx *size = argument(t, str_print("%s_cells", name), t->host_size[d]);
		bind_axis(t, d, x_rem(problem, size));
		problem = x_var(k_let(t->k, "rest", x_div(problem, size)));
	}
}

/* Of the tiles on a diagonal the first is in the last column that has one. */
static struct kx *first_tile_row(struct kx *diagonal, struct kx *tile_columns)
{
	return x_max(x_i64(0), x_add(x_sub(diagonal, tile_columns), x_i64(1)));
}

/* The cell at row and column' of the domain: tests and equations. */
static void cell(struct tiles *t, struct kx *row, struct kx *sheared_column, struct kx *inside)
{
	struct kernel *k = t->k;
	struct kx *columns = argument(t, "columns", size_of(t, t->n - 1)), *column = sheared_column;
	if (t->slope)
		column = x_var(k_let(k, "column", x_sub(sheared_column, x_mul(x_i64(t->slope), row))));
	if (t->slope)
		inside = x_and(inside, x_le(x_i64(0), column));
	k_if(k, x_and(inside, x_lt(column, columns)));
	if (t->n > 1)
		bind_axis(t, t->n - 2, row);
	bind_axis(t, t->n - 1, column);
	struct cells domain = { .node = t->node, .rank = t->n, .l = t->l };
	for (int d = 0; d < t->n; d++)
		domain.index[d] = lower_var(t->l, t->node->index.at[d]);
	struct kx *guard = cells_guard(&domain);
	if (guard)
		k_if(k, guard);
	wave_cell(t->l, t->node);
	if (guard)
		k_end(k);
	k_end(k);
}

static void tile_cpu(struct tiles *t, struct kx *row0, struct kx *column0)
{
	struct kernel *k = t->k;
	struct kx *rows = argument(t, "rows", size_of(t, t->n - 2));
	struct kx *last = x_var(k_let(k, "row_end", x_min(x_add(row0, x_i64(t->rows)), rows)));
	struct kx *row = x_var(k_for(k, "row", row0, last, x_i64(1), 0));
	struct kx *end = x_add(column0, x_i64(t->columns));
	cell(t, row, x_var(k_for(k, "place", column0, end, x_i64(1), 0)), NULL);
	k_end(k);
	k_end(k);
}

static void tile_gpu(struct tiles *t, struct kx *row0, struct kx *column0)
{
	struct kernel *k = t->k;
	struct kx *thread = block_thread(t->l), *rows = argument(t, "rows", size_of(t, t->n - 2));
	struct kx *row = x_var(k_let(k, "row", x_add(row0, x_to_i64(thread))));
	int64_t steps = t->rows + t->columns - 1;
	struct kx *step = x_var(k_for(k, "step", x_i32(0), x_i32((int32_t)steps), x_i32(1), FOR_ROLLED));
	struct kx *place = x_var(k_let(k, "place", x_sub(step, thread)));
	struct kx *inside = x_and(x_lt(row, rows), x_and(x_le(x_i32(0), place), x_lt(place, x_i32((int32_t)t->columns))));
	cell(t, row, x_add(column0, x_to_i64(place)), inside);
	k_barrier(k);
	k_end(k);
}

static void kernel(struct tiles *t)
{
	struct lowering *l = t->l = lowering_new(t->plan, t->node->name);
	struct kernel *k = t->k = l->k;
	bool gpu = t->plan->target->gpu;
	k->note = "The tiles of one anti-diagonal.";
	lowering_writes(l, t->node);
	if (gpu) {
		k->block[0] = (int)t->rows;
		k->block[1] = k->block[2] = 1;
	}
	struct kx *diagonal = argument(t, "diagonal", t->diagonal);
	struct kx *tile_columns = argument(t, "tile_columns", t->host_tile_columns);
	struct kx *tiles = x_sub(x_add(x_min(diagonal, x_sub(argument(t, "tile_rows", t->host_tile_rows), x_i64(1))), x_i64(1)),
	                         first_tile_row(diagonal, tile_columns));
	struct kx *number, *problem = x_i64(0);
	if (gpu) {
		number = x_to_i64(x_id(ID_BLOCK_X));
		problem = x_to_i64(x_id(ID_BLOCK_Y));
	} else {
		tiles = x_var(k_let(k, "tiles", tiles));
		struct kx *all = x_var(k_for(k, "part", x_i64(0), x_mul(tiles, argument(t, "problems", t->host_batch)), x_i64(1), FOR_PARALLEL));
		number = x_var(k_let(k, "number", x_rem(all, tiles)));
		problem = x_var(k_let(k, "problem", x_div(all, tiles)));
	}
	bind_outer(t, problem);
	struct kx *tile_row = x_var(k_let(k, "tile_row", x_add(first_tile_row(diagonal, tile_columns), number)));
	struct kx *row0 = x_var(k_let(k, "row_first", x_mul(tile_row, x_i64(t->rows))));
	struct kx *column0 = x_var(k_let(k, "place_first", x_mul(x_sub(diagonal, tile_row), x_i64(t->columns))));
	(gpu ? tile_gpu : tile_cpu)(t, row0, column0);
	if (!gpu)
		k_end(k);
}

/* ---- the host's loops ---- */

static void open_serial_axes(struct tiles *t)
{
	for (int d = 0; d < t->n - 2; d++)
		if (waits_along(t, d))
			t->host_turn[d] = x_var(k_for(t->plan->host, str_print("%s_turn", t->node->index.at[index_at(t, d)]->name),
			                              x_i64(0), t->host_size[d], x_i64(1), 0));
}

static void close_serial_axes(struct tiles *t)
{
	for (int d = 0; d < t->n - 2; d++)
		if (t->host_turn[d])
			k_end(t->plan->host);
}

void wave_tiles(struct plan *plan, const struct node *node)
{
	struct tiles *t = NEW(struct tiles);
	bool gpu = plan->target->gpu;
	*t = (struct tiles){ .plan = plan, .node = node, .n = node->index.n, .slope = wave_slope(node),
	                     .rows = gpu ? plan->target->block / 2 : CPU_ROWS, .columns = gpu ? GPU_COLUMNS : CPU_COLUMNS };
	host_ranges(t);
	host_tiles(t);
	struct kx *some = x_lt(x_i64(0), x_mul(t->host_batch, x_mul(size_of(t, t->n - 1), size_of(t, t->n - 2))));
	k_if(plan->host, some);
	open_serial_axes(t);
	struct kx *diagonals = x_sub(x_add(t->host_tile_rows, t->host_tile_columns), x_i64(1));
	t->diagonal = x_var(k_for(plan->host, "diagonal", x_i64(0), diagonals, x_i64(1), 0));
	kernel(t);
	struct kx *tiles = x_sub(x_add(x_min(t->diagonal, x_sub(t->host_tile_rows, x_i64(1))), x_i64(1)),
	                         first_tile_row(t->diagonal, t->host_tile_columns));
	lowering_launch(t->l, gpu ? tiles : x_i64(1), gpu ? t->host_batch : x_i64(1), x_i64(1));
	k_end(plan->host);
	close_serial_axes(t);
	k_end(plan->host);
}
