/* wave_tiles.c - a wavefront by anti-diagonals of tiles (tiles.kernel): any equations, no law
 * needed; by laws, whole rows.
 *
 * The last two axes of the order are rows and columns.  With column' = column + slope * row
 * (wave_slope) no cell waits for one of a larger row or column', so tiles of rows x columns' whose
 * numbers add up to the same do not wait for each other. On a CPU the rows of a tile go on
 * together (wave_band.c), or its cells run in order (wave_cpu.c); where there are problems enough
 * for all cores each is one tile.
 *
 * Where cells fold others of their tables, lanes of a GPU's block share the folds (wave_folds.c).
 *
 * Hybrid (Hou et al. IPDPS 2018): where a row is a scan (wave_stretch.c), a warp has a tile and
 * solves a stretch of HYBRID_CELLS cells a lane after the other, row by row.  A block has one
 * warp, since a diagonal has fewer tiles than a GPU has warps.  An axis before these two is a
 * grid of independent problems, or a loop of the host around all diagonals. */
#include <assert.h>
#include "wave_band.h"
#include "wave_folds.h"
#include "wave_stretch.h"

enum {
	CPU_ROWS = 128, CPU_COLUMNS = 256, CPU_PLACES = 512, GPU_COLUMNS = 64, CPU_PROBLEMS = 64,
	HYBRID_ROWS = 32, HYBRID_CELLS = 8,
	HYBRID_WORDS = 16                    /* registers of a lane for the values of a stretch */
};

struct tiles {
	struct axes axes;
	int cells;                           /* hybrid: of a lane; else 0 */
	struct kx *host_rows, *host_columns; /* of a tile: columns' */
	struct kx *host_tile_rows, *host_tile_columns, *diagonal;
	struct kx *tile_rows;                /* argument of the kernel, once asked for */
	struct stretch stretch;              /* hybrid */
	bool shares;                         /* groups of lanes share folds */
	struct wave_folds folds;
	bool abreast;                        /* rows go on together: band */
	struct band band;
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
		return (struct tile){ node->index.n > 1 ? HYBRID_ROWS : 1,
			              (int64_t)hybrid_cells(node) * target->lanes, 0 };
	if (folds_shared(node, target))
		return (struct tile){ node->index.n > 1 ? FOLDS_TILE : 1, FOLDS_TILE, 0 };
	return (struct tile){ target->block / 2, GPU_COLUMNS, 0 };
}

/* Columns' of all rows: those of the last one reach farthest. */
static struct kx *sheared(const struct axes *a)
{
	struct kx *rows = axis_size(a, a->n - 2),
		  *more = x_mul(x_i64(a->slope), x_sub(rows, x_i64(1)));
	return a->slope ? x_add(axis_size(a, a->n - 1), more) : axis_size(a, a->n - 1);
}

/* Not as many problems that each is a tile; what is kept of a table depends on that, too. */
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
	t->host_columns = x_i64(t->abreast ? CPU_PLACES : tile.columns);
	if (!plan->target->gpu)
		cpu_tile(t);
	t->host_tile_rows = plan_let(plan, "tile_rows",
	                             x_div_up(axis_size(&t->axes, t->axes.n - 2), t->host_rows));
	t->host_tile_columns = plan_let(plan, "tile_columns",
	                                x_div_up(sheared(&t->axes), t->host_columns));
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

static bool problems_fit(const struct tiles *t)
{
	int64_t known;
	return x_constant(t->axes.host_problems, &known)
	       && known <= t->axes.plan->target->max_grid_y;
}

static void compute_cell(struct tiles *t)
{
	wave_cell(t->axes.l, t->axes.node);
	births_cell(&t->axes);
}

static void compute_row(struct tiles *t, struct kx *first, struct kx *end)
{
	births_open_run(&t->axes);
	wave_row(&t->axes, first, end);
	births_close_run(&t->axes);
}

static void solve_row(struct tiles *t, struct kx *first, struct kx *end)
{
	stretch_solve(&t->stretch, first, end);
	births_columns(&t->axes, first, end);
}

static struct kx *is_cell(struct tiles *t)
{
	struct kx *guard = axes_guard(&t->axes);
	return guard ? guard : x_int(T_BOOL, 1);
}

/* The functions that the texts call: the name in the text, and the C function. */
#define CALLS(DO, GET) \
	DO(bind_problem, axes_bind_outer(&s->axes, arg[0])) \
	DO(bind_row, axis_bind(&s->axes, s->axes.n - 2, arg[0])) \
	DO(bind_column, axis_bind(&s->axes, s->axes.n - 1, arg[0])) \
	DO(start_births, births_start(&s->axes)) \
	DO(fold_block, block_fold(l, &s->axes.births->acc)) \
	DO(store_births, births_store(&s->axes, arg[0], arg[1])) \
	DO(compute_cell, compute_cell(s)) \
	DO(compute_row, compute_row(s, arg[0], arg[1])) \
	DO(open_early, folds_declare(&s->folds, arg[0], arg[1])) \
	DO(fold_early, folds_early(&s->folds, arg[0])) \
	DO(fold_late, folds_late(&s->folds, arg[0], arg[1])) \
	DO(open_stretch, stretch_open(&s->stretch, &s->axes, s->cells)) \
	DO(solve_row, solve_row(s, arg[0], arg[1])) \
	GET(is_cell, is_cell(s)) \
	GET(rows, axes_rows(&s->axes)) \
	GET(columns, axes_columns(&s->axes)) \
	GET(problems, axes_argument(&s->axes, "problems", s->axes.host_problems)) \
	GET(tile_rows, tile_rows(s)) \
	GET(tile_height, tile_height(s)) \
	GET(tile_width, tile_width(s))

#define HOLE_DO(name, call) KTEXT_CALL(struct tiles, s, name, call; return NULL;)
#define HOLE_GET(name, value) KTEXT_CALL(struct tiles, s, name, return value;)

CALLS(HOLE_DO, HOLE_GET)

static void kernel(struct tiles *t)
{
	struct axes *a = &t->axes;
	struct lowering *l = a->l = lowering_new(a->plan, a->node->name);
	struct kernel *k = l->k;
	bool gpu = l->target->gpu;
	t->shares = folds_shared(a->node, l->target);
	k->note = t->shares ? "The tiles of one anti-diagonal, a block each: its lanes share folds."
	          : t->abreast
	                  ? "The tiles of one anti-diagonal: their rows go on together, by vectors."
	          : t->cells
	                  ? "The tiles of one anti-diagonal, a warp each: row after row, each by "
	                    "a scan."
	                  : "The tiles of one anti-diagonal.";
	lowering_writes(l, a->node);
	if (gpu) {
		k->block[0] = t->cells    ? l->target->lanes
		              : t->shares ? folds_block(l->target)
		                          : l->target->block / 2;
		k->block[1] = k->block[2] = 1;
	}
	k_bind(k, "diagonal", axes_argument(a, "diagonal", t->diagonal));
	k_bind(k, "tile_columns", axes_argument(a, "tile_columns", t->host_tile_columns));
	k_numbers(k, "GPU, HYBRID, MANY_ROWS, PROBLEMS_FIT", gpu, t->cells > 0, a->n > 1,
	          problems_fit(t));
	k_numbers(k, "SLOPE, STEPS, TILE_COLUMNS", a->slope, k->block[0] + GPU_COLUMNS - 1,
	          GPU_COLUMNS);
	if (t->shares)
		folds_open(&t->folds, a);
	k_numbers(k, "SHARES, EARLY, EARLY_WARPS, TILE", t->shares, t->folds.early, a->n == 1,
	          FOLDS_TILE);
	k_numbers(k, "TILE_ROWS, BLOCK, WARPS", a->n > 1 ? FOLDS_TILE : 1, k->block[0],
	          k->block[0] / l->target->lanes);
	k_numbers(k, "GROUP", t->shares ? folds_lanes(&t->folds) : 1);
	k_bind(k, "FOLDS", births_fold(a));
	k_bind(k, "ABREAST", t->abreast);
	k_bind_calls(k, t, CALLS(KTEXT_ROW, KTEXT_ROW));
	if (t->abreast)
		band_bind(&t->band, a);
	k_text(k, gpu ? "tiles_on_gpu" : "tiles_on_cpu");
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
	t->abreast = !no_band(node, plan->target);
	t->axes.slope += t->abreast;
	host_tiles(t);
	births_open(&t->axes, most_parts(t), x_mul(t->axes.host_problems, t->host_tile_rows));
	k_if(plan->host, axes_some(&t->axes));
	axes_open_loops(&t->axes);
	struct kx *diagonals = x_sub(x_add(t->host_tile_rows, t->host_tile_columns), x_i64(1));
	t->diagonal = x_var(k_for(plan->host, "diagonal", x_i64(0), diagonals, x_i64(1), 0));
	kernel(t);
	struct kx *tiles = k_value(plan->host, "tiles_on", t->diagonal, t->host_tile_rows,
	                           t->host_tile_columns);
	struct kx *problems = x_min(t->axes.host_problems, x_i64(plan->target->max_grid_y));
	lowering_launch(t->axes.l, gpu ? tiles : x_i64(1), gpu ? problems : x_i64(1), x_i64(1));
	k_end(plan->host);
	axes_close_loops(&t->axes);
	k_end(plan->host);
	births_close(&t->axes);
}
