/* cells_gpu.c - cells on a GPU, by rows; cells_flat.c has those that are one long row.
 *
 * The grid follows the domain: x strips of the last index, y bands of the one before, z all
 * others.  A block of 2^lane_bits x the rest threads takes one vector of cells a thread.  The host
 * chooses lane_bits by the length of a row, so short rows share a warp.  One row of cells a thread
 * and neighbours through L1 measured best on an H200 for the five-point stencil (taller thread
 * tiles lost 20 to 40 %; two rows, a band apart, gained 2 % where the cells come from memory, and
 * lost up to 18 % where they are in L2).  Since a thread computes only four cells, what it spends
 * on indices decides: no divisions, one base pointer an array, no loop over rows.
 *
 * Two ways through a strip of a row, chosen for all its lanes together: full vectors where every
 * neighbour is inside, and cells one by one with their edges, a lane's cells apart by the number of
 * lanes.
 *
 * Three instances: for rows that are whole vectors, for rows that begin anywhere (cells_shifted.c),
 * and of single cells for what neither can take.  All in one kernel cost registers and with them
 * blocks in flight (7-point stencil: spills; 5-point with `for`: 64 registers and 385 Gcell/s
 * instead of 485). */
#include "cells_merge.h"
#include "cells_structs.h"

enum {
	WINDOW_BLOCKS = 3,               /* of a multiprocessor */
	HELD_WORDS = 60,     /* of what a vector of cells reads: more, and ptxas would spill, ... */
	SHIFTED_WORDS = 16,              /* beside those that they are shifted out of, */
	MANY_WORDS = 104,                /* ... or needs more than 128 registers */
	/* a cell that reads more has loads enough in flight: of several at a time ptxas spills */
	UNROLLED_WORDS = 32
};

/* ---- a vector of cells: load, compute lane by lane, store ---- */

static const struct expr *target_of(const struct cells *c, int q)
{
	return c->node->equation.at[q]->target.at[0];
}

static void declare_vectors(struct cells *c)
{
	c->out.n = 0;
	for (int q = 0; q < c->node->equation.n; q++) {
		const struct expr *t = target_of(c, q);
		bool whole = c->width > 1 && !c->meeting && !c->node->where
		             && (!node_checked(c->node) || cells_tested(c));
		const char *name = whole ? str_print("%s%d", t->var->name, c->width) : NULL;
		list_add(&c->out,
		         whole ? k_var(c->l->k, kt_vector(t->type, c->width), name, NULL) : NULL);
	}
	if (cells_tested(c))
		cells_declare_tested(c);
}

void cells_set_column(struct cells *c, struct kx *column)
{
	if (c->flat)
		c->position = column;
	else
		cells_bind(c, c->column, column);
}

/* Note [address of a store].  Of a flat row the vectors are counted from the start of the strip:
 * cuda's compiler for sm_90 and before splits *(vector *)(y + i) into its elements, where i is a
 * sum of more than two terms and nothing was loaded there. */
void cells_store_vector(struct cells *c, struct kx *first)
{
	cells_set_column(c, first);
	for (int q = 0; q < c->out.n; q++) {
		if (!c->out.at[q])
			continue;
		const struct expr *t = target_of(c, q);
		struct kx *vector = x_var(c->out.at[q]);
		if (c->flat) {
			k_vstore_at(c->l->k, x_offset(lower_pointer(c->l, t->var), c->strip),
			            c->strip_lane, vector);
			continue;
		}
		struct kx *cell = c->march < 0 ? lower_cell(c->l, t) : NULL;
		struct kx *pointer = cell ? x_offset(cell->arg[0], cell->arg[1])
		                          : cells_row(c, t, first);
		if (cells_tested(c))
			cells_store_tested(c, q, pointer, vector);
		else
			k_vstore(c->l->k, pointer, vector);
	}
}

void cells_load(struct cells *c, struct kx *first)
{
	c->stream.n = c->held;
	cells_set_column(c, first);
	cells_find_streams(c);
	cells_load_streams(c, first);
}

void cells_compute_vector(struct cells *c, struct kx *first, enum cell_mode mode)
{
	struct kernel *k = c->l->k;
	declare_vectors(c);
	if (c->width > 1) {
		c->lane = x_var(k_for(k, "c", x_i32(0), x_i32(c->width), x_i32(1), FOR_UNROLL));
		cells_set_column(c, x_add(first, x_to_i64(c->lane)));
	}
	cells_body(c, mode);
	if (c->width > 1)
		k_end(k);
	c->lane = NULL;
}

static void vector_cells(struct cells *c, struct kx *first)
{
	c->mode = CELL_VECTOR;
	cells_load(c, first);
	cells_compute_vector(c, first, CELL_VECTOR);
	cells_store_vector(c, first);
}

/* ---- cells of a strip one by one ---- */

void cells_singles(struct cells *c, const struct strip *s, enum cell_mode mode, int flags)
{
	struct kernel *k = c->l->k;
	struct kvar *n = c->width > 1 ? k_for(k, "c", x_i32(0), x_i32(c->width), x_i32(1), flags)
	                              : NULL;
	struct kx *lane = n ? x_add(s->lane, x_mul(x_var(n), s->lanes)) : s->lane;
	const char *name = c->flat ? "i" : c->node->index.at[c->column]->name;
	struct kx *at = x_var(k_let(k, name, x_add(s->first, x_to_i64(lane))));
	cells_set_column(c, at);
	struct kx *inside = x_lt(at, s->end);
	if (s->lo && (c->shifted || !x_is_int(s->lo, 0)))
		inside = x_and(x_le(s->lo, at), inside);
	k_if(k, inside);
	cells_body_guarded(c, mode);
	k_end(k);
	if (n)
		k_end(k);
}

/* ---- host: may vectors be used ---- */

struct aligned {
	struct cells *c;
	struct lowering *host;
	struct kx *all;
	LIST(const struct var *) seen;
};

static bool same_row_length(const struct var *a, const struct var *b)
{
	bool dense = is_dense(a) && is_dense(b);
	return dense && a->rank > 1 && b->rank > 1
	       && affine_equal(&a->extent[a->rank - 1], &b->extent[b->rank - 1]);
}

/* The array starts at a multiple of a vector of its cells, and its rows are whole vectors. */
static bool aligned_array(struct expr *e, void *state)
{
	struct aligned *a = state;
	struct cells *c = a->c;
	if (e->kind != E_READ || !is_abreast(e->var, c->width) || e->var->on_chip
	    || !expr_uses(e, c->node->index.at[c->column]))
		return true;                         /* cells in blocks are loaded one by one */
	for (int s = 0; s < a->seen.n; s++)
		if (a->seen.at[s] == e->var)
			return true;
	list_add(&a->seen, e->var);
	a->all = x_and(a->all, plan_aligned(c->l->plan, e->var, c->width));
	for (int s = 0; s < a->seen.n - 1; s++)
		if (same_row_length(a->seen.at[s], e->var))
			return true;
	if (e->var->rank > 1 && !var_home(e->var)) {
		struct kx *row = lower_extent(a->host, e->var, e->var->rank - 1),
			  *width = x_i64(c->width);
		a->all = x_and(a->all, x_eq(x_rem(row, width), x_i64(0)));
		if (!is_dense(e->var))
			a->all = x_and(a->all,
			               x_eq(x_rem(lower_pitch(a->host, e->var, e->var->rank - 1),
			                          width),
			                    x_i64(0)));
	}
	return true;
}

/* Host: the instance with vectors may run. */
struct kx *cells_aligned(struct cells *c)
{
	struct aligned a = { .c = c, .host = host_lowering(c->l->plan) };
	node_walk((struct node *)c->node, aligned_array, &a);
	return a.all;
}

struct kx *cells_before_vector(struct cells *c, const struct var *var)
{
	int64_t size = type_size(var->type);
	struct kx *arg[] = { host_var_x(c->l->plan, var), x_i64(size), x_i64(size * c->width) };
	return x_help(kt_scalar(T_I64), "patc_head", 3, arg);
}

struct kx *cells_head(struct cells *c, struct kx *count)
{
	struct aligned a = { .c = c, .host = host_lowering(c->l->plan) };
	struct kx *head = NULL, *agree = NULL;
	node_walk((struct node *)c->node, aligned_array, &a);
	for (int i = 0; i < a.seen.n; i++) {
		struct kx *own = cells_before_vector(c, a.seen.at[i]);
		if (!head)
			head = plan_let(c->l->plan, "unaligned", own);
		else
			agree = x_and(agree, x_eq(own, head));
	}
	struct kx *some = x_min(head, count);
	return agree ? x_cond(agree, some, x_i64(-1)) : some;
}

/* ---- rows ---- */

/* The launch as the host computes it, and what the kernel is told of it. */
struct grid {
	/* of the columns: rounded down to a vector; cells */
	struct kx *host_first, *host_size[MAX_RANK];
	struct kx *first, *lo[MAX_RANK], *end[MAX_RANK], *size[MAX_RANK];
	struct kx *host_lanes;                           /* threads along columns */
	struct kx *line;                 /* bytes at whose multiples shifted strips begin */
	struct kx *strips, *bands, *blocks_y, *blocks_z;
};

static struct kx *named_argument(struct cells *c, const char *format, int d, struct kx *host)
{
	const char *name = str_print(format, c->node->index.at[d]->name);
	return lower_argument(c->l, name, kt_scalar(T_I64), host);
}

static void find_domain(struct cells *c, struct grid *g)
{
	struct lowering *host = host_lowering(c->l->plan);
	for (int d = 0; d < c->rank; d++) {
		const char *name = c->node->index.at[d]->name;
		struct kx *lo = cells_range_lo(c, d, host), *hi = cells_range_hi(c, d, host),
			  *first = lo;
		if (!x_is_int(lo, 0))
			lo = first = plan_let(c->l->plan, str_print("%s_first", name), lo);
		if (d == c->column && c->width > 1 && !c->shifted && !x_is_int(lo, 0))
			first = plan_let(c->l->plan, "aligned_first",
			                 x_sub(lo, x_rem(lo, x_i64(c->width))));
		if (d == c->column)
			g->host_first = first;
		struct kx *size = plan_range(c->l->plan, first, hi);
		g->host_size[d] = plan_let(c->l->plan, str_print("%s_cells", name), size);
		bool inner = d >= c->column - 1;
		g->lo[d] = x_is_int(lo, 0) ? lo : named_argument(c, "%s_first", d, lo);
		g->end[d] = inner ? named_argument(c, "%s_end", d, hi) : NULL;
		g->size[d] = !inner && d > 0 ? named_argument(c, "%s_cells", d, g->host_size[d])
		                             : NULL;
		if (d == c->column)
			g->first = first == lo ? g->lo[d]
			                       : lower_argument(c->l, "aligned_first",
			                                        kt_scalar(T_I64), first);
	}
}

/* Does a thread take several rows, one after another?  Where a `repeat until` is one launch, its
 * blocks have one size, and numbers of blocks take registers; where a cell reads much, nvcc spills
 * without the loop. */
static bool is_looped(const struct cells *c)
{
	bool curve = !node_walk((struct node *)c->node, cells_no_curve, NULL);
	bool many = cells_words_read(c->node, c->width) > MANY_WORDS;
	return c->rank > 2 || c->folds.n || c->node->choice.coarsen > 1 || curve || many
	       || plan_in_until(c->l->plan);
}

/* Threads of a block.  Where each takes one row, blocks of half the threads follow each other more
 * evenly: five points of 16384^2 f32 take 529 us of an H200 with 128, 540 with 256, 567 with 512
 * and 643 with 64, where blocks are too few; 2048^2 13.2, 13.6, 14.9 and 17.2. */
static int64_t threads_of(const struct cells *c)
{
	bool rows = c->rank == 2 && !is_looped(c);
	return rows ? c->l->target->block / 2 : c->l->target->block;
}

/* 8 x 4 cells are side by side along a curve; bands of rows that a block takes there, and where
 * each block pays for a fold */
enum { CURVE_LANES = 8, CURVE_BANDS = 4, FOLD_BANDS = 4 };

/* Along a row of a block's vectors, in a plane, but of at least so many threads.  Of an H200 five
 * points of f32 take 530 us on 16384^2 cells with 32 threads and 526 with 16, 14.7 and 14.0 on
 * 2048^2; nine points of u8 take 321, 301 and 296 with 16, 8 and 4, 24.7, 19.7 and 20.8 on
 * 2048^2. */
enum { ROW_CELLS = 64, FEWEST_LANES = 8 };

/* Rows of tiles that are less than memory gives to a request: the least of them, in bytes of a
 * thread's access. */
struct slivers { const struct cells *c; const struct var *column; int64_t access; bool curve; };

static bool find_sliver(struct expr *e, void *state)
{
	struct slivers *s = state;
	int64_t bytes = type_size(e->type);
	bool tiles = e->kind == E_READ && var_tiled(e->var);
	s->curve |= e->kind == E_READ && var_curved(e->var);
	if (tiles && expr_uses(e->arg.at[e->arg.n - 1], s->column)
	    && e->var->layout->tile[1] * bytes < s->c->l->target->piece)
		s->access = s->access && s->access < bytes * s->c->width ? s->access
		                                                         : bytes * s->c->width;
	return true;
}

/* A warp that takes cells one by one takes as many side by side as it can. */
static int vector_lanes(const struct cells *c)
{
	int lanes = c->l->target->lanes, wanted = ROW_CELLS / c->width;
	if (!c->vectors)
		return lanes;
	return wanted < FEWEST_LANES ? FEWEST_LANES : wanted < lanes ? wanted : lanes;
}

/* Of threads along columns, the most.  Where a tile's row is less than a piece, the threads of a
 * warp take so many rows that both sides are whole pieces: of u8 in tiles of 8 x 8, 8 rows of 32
 * bytes.  Along a curve squares lie together, and neither side is a row. */
static int lanes_along(const struct cells *c)
{
	if (cells_windows(c->node))
		return c->l->target->lanes;          /* whole rows of a window's cells */
	int lanes = c->l->target->lanes, most = lanes / (c->rank == 2 ? 2 : 4);
	if (c->rank == 2 && c->width > 1)
		most = vector_lanes(c);
	struct slivers s = { c, c->node->index.at[c->column], 0, false };
	node_walk((struct node *)c->node, find_sliver, &s);
	most = s.curve && most > CURVE_LANES ? CURVE_LANES : most;
	int few = s.access ? (int)((c->l->target->piece + s.access - 1) / s.access) : most;
	return few < most ? few : most;
}

/* log2 of the threads of a block along columns: fewer when a row has fewer vectors, a quarter of a
 * warp in space at most.  8 x 32 threads have a smaller halo there than 32 x 8 and fewer strips at
 * an edge: 7 points of 640^3 315, 348, 374 Gcell/s of an H200 with 32, 16, 8 lanes. */
static struct kx *choose_lane_bits(struct cells *c, struct kx *columns)
{
	int most = lanes_along(c);
	struct kx *bits = x_i32(0);
	for (int b = 1; 1 << b <= most; b++)
		bits = x_cond(x_lt(x_i64((int64_t)(1 << b) / 2 * c->width), columns), x_i32(b),
		              bits);
	return bits;
}

/* How many planes (outer indices) a block takes one after another: up to 16, as long as enough
 * blocks remain, since the plane before is still in L1; where each block pays for a fold, so many
 * that about fold_blocks do.  By the shape only. */
static struct kx *choose_depth(struct cells *c, const struct grid *g, struct kx *outers)
{
	struct kx *least = x_max(x_div_up(outers, x_i64(c->l->target->max_grid_y)), x_i64(1));
	struct kx *all = x_mul(x_mul(g->strips, g->bands), outers);
	struct kx *blocks = x_i64(c->l->target->fold_blocks);
	struct kx *wanted = c->folds.n ? x_min(x_div_up(all, blocks), outers)
	                               : x_min(x_div(all, blocks), x_i64(16));
	return x_max(least, wanted);
}

/* Bands of rows a block takes one after another: one where nothing is folded (more blocks hide the
 * tail), up to four, as long as enough blocks remain, where a column's place along a curve is
 * computed once for them: of 16384^2 f32 from rows to Morton's curve 0.37 of a copy, 0.50 and 0.55
 * with two and four.  Where each block pays for a fold, up to four while the device is full: a pass
 * of the five-point stencil and a maximum over 2048^2 cells took 19.5 us of an H200 with one band,
 * 15.8 with four, over 4096^2 73 and 57. */
static struct kx *choose_tiles(struct cells *c, const struct grid *g)
{
	struct kx *least = x_max(x_div_up(g->bands, x_i64(c->l->target->max_grid_y)), x_i64(1));
	if (c->node->choice.coarsen)
		return x_max(least, x_i64(c->node->choice.coarsen));
	bool curve = !node_walk((struct node *)c->node, cells_no_curve, NULL);
	if (!c->folds.n && c->rank == 2 && curve) {
		struct kx *all = x_mul(g->strips, g->bands);
		struct kx *many = x_div(all, x_i64(c->l->target->fold_blocks));
		return x_max(least, x_min(many, x_i64(CURVE_BANDS)));
	}
	if (!c->folds.n)
		return least;
	const struct target *target = c->l->target;
	struct kx *columns = g->blocks_z ? x_mul(g->strips, g->blocks_z) : g->strips;
	struct kx *all = x_mul(g->bands, columns);
	int64_t resident = (int64_t)target->units * (target->unit_threads / target->block);
	least = x_max(least, x_div_up(all, x_i64(target->fold_blocks)));
	return x_max(least, x_min(x_div(all, x_i64(resident)), x_i64(FOLD_BANDS)));
}

/* Without cells nothing is launched, unless a fold over nothing has an identity to store. */
static struct kx *some_blocks(const struct cells *c, struct kx *blocks)
{
	return c->folds.n ? x_max(blocks, x_i64(1)) : blocks;
}

static struct kx *outer_count(struct cells *c, const struct grid *g)
{
	struct kx *count = NULL;
	for (int d = 0; d < c->column - 1; d++)
		count = count ? x_mul(count, g->host_size[d]) : g->host_size[d];
	return count;
}

/* A row may begin anywhere in a line, and so have some columns before it. */
static struct kx *shift_columns(struct cells *c, struct grid *g, struct kx *columns)
{
	const struct type *type = target_of(c, 0)->type;
	struct kx *line = plan_let(c->l->plan, "line", cells_line(c, g->host_lanes));
	g->line = lower_argument(c->l, "line", kt_scalar(T_I32), x_to_i32(line));
	return x_add(columns, x_sub(x_div(line, x_i64(type_size(type))), x_i64(1)));
}

/* Bands along y, and along z where a grid has fewer. */
static void number_bands(struct cells *c, struct grid *g)
{
	struct kx *most = x_i64(c->l->target->max_grid_y);
	g->blocks_y = plan_let(c->l->plan, "blocks_y", x_min(g->bands, most));
	g->blocks_z = plan_let(c->l->plan, "blocks_z", x_div_up(g->bands, most));
}

static void find_grid(struct cells *c, struct grid *g)
{
	struct lowering *l = c->l;
	int64_t block = threads_of(c);
	find_domain(c, g);
	if (c->rank > 1) {
		struct kx *bits = plan_let(c->l->plan, "lane_bits",
		                           choose_lane_bits(c, g->host_size[c->column]));
		k_bind(l->k, "lane_bits", lower_argument(l, "lane_bits", kt_scalar(T_I32), bits));
		g->host_lanes = plan_let(c->l->plan, "lanes", x_op(OP_SHL, x_i64(1), bits));
	} else {
		g->host_lanes = x_i64(block);
	}
	struct kx *columns = g->host_size[c->column];
	if (c->shifted)
		columns = shift_columns(c, g, columns);
	struct kx *strips = x_div_up(columns, x_mul(g->host_lanes, x_i64(c->width)));
	g->strips = plan_let(c->l->plan, "strips", some_blocks(c, strips));
	if (c->rank > 1) {
		struct kx *rows = g->host_size[c->column - 1];
		g->bands = plan_let(c->l->plan, "bands",
		                    x_div_up(rows, x_div(x_i64(block), g->host_lanes)));
	}
	if (c->rank > 2) {
		struct kx *outers = plan_let(c->l->plan, "outers", outer_count(c, g));
		struct kx *depth = plan_let(c->l->plan, "depth", choose_depth(c, g, outers));
		g->blocks_z = plan_let(c->l->plan, "blocks_z",
		                       some_blocks(c, x_div_up(outers, depth)));
		k_bind(l->k, "outers", lower_argument(l, "outers", kt_scalar(T_I64), outers));
		k_bind(l->k, "depth", lower_argument(l, "depth", kt_scalar(T_I64), depth));
	}
	if (c->rank > 1 && !is_looped(c))
		number_bands(c, g);
	else if (c->rank > 1) {
		struct kx *tiles = plan_let(c->l->plan, "tiles", choose_tiles(c, g));
		k_bind(l->k, "tiles", lower_argument(l, "tiles", kt_scalar(T_I64), tiles));
		g->blocks_y = plan_let(c->l->plan, "blocks_y",
		                       some_blocks(c, x_div_up(g->bands, tiles)));
	}
}

/* Indices before the last two, from their common number. */
static void bind_outer(struct cells *c, const struct grid *g, struct kx *outer)
{
	struct kernel *k = c->l->k;
	struct kx *rest = outer;
	for (int d = c->column - 2; d >= 0; d--) {
		struct kx *at = x_add(g->lo[d], d ? x_rem(rest, g->size[d]) : rest);
		cells_bind(c, d, x_var(k_let(k, c->node->index.at[d]->name, at)));
		if (d)
			rest = x_var(k_let(k, "rest", x_div(rest, g->size[d])));
	}
}

/* ---- the functions of cells.kernel ---- */

struct rows { struct cells *c; const struct grid *g; };

/* The cells of a strip, as the text has found it. */
static struct strip strip_of(struct lowering *l, const struct rows *r)
{
	struct strip s = { .first = k_get(l->k, "strip"), .lane = k_get(l->k, "lane_x") };
	s.lanes = r->c->rank > 1 ? k_get(l->k, "lanes_x") : x_i32(l->k->block[0]);
	s.width = x_to_i64(x_mul(s.lanes, x_i32(r->c->width)));
	s.lo = r->g->lo[r->c->column];
	s.end = r->g->end[r->c->column];
	return s;
}

static struct kx *outer_indices(struct lowering *l, const void *rows, struct kx *const *outer)
{
	const struct rows *r = rows;
	(void)l;
	bind_outer(r->c, r->g, outer[0]);
	return NULL;
}

static struct kx *bind_row(struct lowering *l, const void *rows, struct kx *const *row)
{
	const struct rows *r = rows;
	(void)l;
	cells_bind(r->c, r->c->column - 1, row[0]);
	return NULL;
}

/* Every access of the cells first .. last is inside. */
static struct kx *are_inside(struct lowering *l, const void *rows, struct kx *const *arg)
{
	struct kx *inside = cells_inside(((const struct rows *)rows)->c, arg[0], arg[1]);
	(void)l;
	return inside ? inside : x_int(T_BOOL, 1);
}

static struct kx *past_line(struct lowering *l, const void *rows, struct kx *const *none)
{
	const struct rows *r = rows;
	(void)none;
	(void)l;
	return cells_past_line(r->c, r->g->first, r->g->line);
}

/* All vectors that are read for the cells first .. end - 1 are. */
static struct kx *are_readable(struct lowering *l, const void *rows, struct kx *const *arg)
{
	struct kx *readable = cells_readable(((const struct rows *)rows)->c, arg[0], arg[1]);
	(void)l;
	return readable ? readable : x_int(T_BOOL, 1);
}

static struct kx *take_vector(struct lowering *l, const void *rows, struct kx *const *first)
{
	(void)l;
	vector_cells(((const struct rows *)rows)->c, first[0]);
	return NULL;
}

/* One by one: inside, or with whatever edges a cell may have. */
static struct kx *inside_singles(struct lowering *l, const void *rows, struct kx *const *none)
{
	const struct rows *r = rows;
	struct strip s = strip_of(l, r);
	bool many = cells_words_read(r->c->node, 1) > UNROLLED_WORDS;
	(void)none;
	cells_singles(r->c, &s, CELL_PLAIN, many ? FOR_ROLLED : FOR_UNROLL);
	return NULL;
}

static struct kx *any_singles(struct lowering *l, const void *rows, struct kx *const *whole)
{
	const struct rows *r = rows;
	struct strip s = strip_of(l, r);
	cells_singles(r->c, &s, r->c->edged ? CELL_BORDER : CELL_PLAIN,
	              whole[0]->i ? 0 : FOR_ROLLED);
	return NULL;
}

static void bind_grid(struct cells *c, const struct grid *g)
{
	struct kernel *k = c->l->k;
	k_bind(k, "first_column", g->first);
	k_bind(k, "column_lo", g->lo[c->column]);
	k_bind(k, "column_end", g->end[c->column]);
	k_bind(k, "vector_at", c->node->index.at[c->column]->name);
	if (c->rank == 1)
		return;
	const char *name = c->node->index.at[c->column - 1]->name;
	k_bind(k, "own_row", name);
	k_bind(k, "row_block", str_print("%s_block", name));
	k_bind(k, "row_stop", str_print("%s_stop", name));
	k_bind(k, "row_lo", g->lo[c->column - 1]);
	k_bind(k, "row_end", g->end[c->column - 1]);
}

static void take_rows(struct cells *c, const struct grid *g)
{
	struct kernel *k = c->l->k;
	struct rows r = { c, g };
	bool vectors = c->vectors && (c->width > 1 || cells_fit(c->node, 1));
	bind_grid(c, g);
	k_numbers(k, "BLOCK, WIDTH, VECTORS", k->block[0], c->width, vectors);
	k_bind(k, "LOOPED", is_looped(c));
	k_numbers(k, "ROWS, PLANES, EDGED", c->rank > 1, c->rank > 2, c->edged);
	k_numbers(k, "SINGLES, FROM_0", !cells_even(c) || (c->width == 1 && !c->edged),
	          !c->shifted && x_is_int(g->lo[c->column], 0));
	k_numbers(k, "SHIFTED, PARTS", c->shifted, vectors && (c->shifted || c->rank == 1));
	k_bind_calls(k, &r, { "bind_outer", outer_indices }, { "bind_row", bind_row },
	             { "are_inside", are_inside }, { "past_line", past_line },
	             { "are_readable", are_readable }, { "take_vector", take_vector },
	             { "inside_singles", inside_singles }, { "any_singles", any_singles });
	k_text(k, "cells_rows");
}

/* The block's number among all, for the fold after the cells. */
static void finish_folds(struct cells *c, const struct grid *g)
{
	struct kx *parts = g->strips, *part = x_to_i64(x_id(ID_BLOCK_X));
	if (g->blocks_y) {
		struct kx *y = x_to_i64(x_id(ID_BLOCK_Y)), *blocks_y = x_to_i64(x_id(ID_GRID_Y));
		if (g->blocks_z)
			y = x_add(x_mul(x_to_i64(x_id(ID_BLOCK_Z)), blocks_y), y);
		part = x_add(x_mul(y, x_to_i64(x_id(ID_GRID_X))), part);
		parts = x_mul(parts, g->blocks_y);
		parts = g->blocks_z ? x_mul(parts, g->blocks_z) : parts;
	}
	/* depth and tiles leave fold_blocks, twice that where one of them rounds, a row of strips
	 * more */
	struct lowering *host = host_lowering(c->l->plan);
	struct kx *columns = cells_range_hi(c, c->column, host);
	struct kx *most = x_add(x_max(columns, x_i64(0)), x_i64(2 * c->l->target->fold_blocks));
	cells_finish(c, part, lower_argument(c->l, "parts", kt_scalar(T_I64), parts), most);
}

/* Tiles and curves take registers to find their cells. */
static bool in_rows(struct expr *e, void *unused)
{
	(void)unused;
	return e->kind != E_READ || (!var_tiled(e->var) && !var_curved(e->var));
}

/* Does it update a target from what stands there? */
static bool updates(const struct node *node)
{
	for (int q = 0; q < node->equation.n; q++)
		for (int t = 0; t < node->equation.at[q]->target.n; t++)
			if (node_reads(node, target_read(node->equation.at[q]->target.at[t])->var))
				return true;
	return false;
}

/* Blocks of all threads of a target's that a multiprocessor must hold; 0: as many as ptxas likes.
 * Left alone, ptxas spills a few bytes of these to fit one block more; without that bound it loses
 * 8 % on the five-point stencil, with it 5 % on the seven-point.  Windows would take 90 registers
 * and keep few loads in flight: 80 are enough, and with 64 it spills those of some. */
static int fewest_blocks(const struct cells *c)
{
	struct node *node = (struct node *)c->node;
	if (cells_windows(node))
		return WINDOW_BLOCKS;
	if (c->rank > 2 || updates(node) || !node_walk(node, in_rows, NULL))
		return 1;
	if (!c->vectors)
		return node_slow(node) || node_branches(node) || node_leads_far(node);
	int64_t words = cells_words_read(node, c->width);
	return words > MANY_WORDS ? 1
	       : words > (c->shifted ? SHIFTED_WORDS : HELD_WORDS) ? 2 : 0;
}

void cells_rows(struct cells *c)
{
	struct grid g = { .strips = NULL };
	cells_find_folds(c);
	find_grid(c, &g);
	block_launch_bounds(c->l);
	c->l->k->block[0] = (int)threads_of(c);
	c->l->k->min_blocks = fewest_blocks(c) * (c->l->target->block / c->l->k->block[0]);
	cells_start_folds(c);
	take_rows(c, &g);
	if (c->folds.n)
		finish_folds(c, &g);
	lowering_launch(c->l, g.strips, g.blocks_y ? g.blocks_y : x_i64(1),
	                g.blocks_z ? g.blocks_z : x_i64(1));
}

/* ---- the ways ---- */

static bool is_flat(const struct task *task)
{
	const struct cells *c = task->found;
	return c->flat || whole_structs_of(c).at.n;
}

static void lower_flat(const struct task *task)
{
	cells_flat_gpu(task->found);
}

static bool has_vectors(const struct task *task)
{
	return ((const struct cells *)task->found)->width > 1;
}

static struct kx *are_aligned(const struct task *task)
{
	return cells_aligned(task->found);
}

static void lower_rows(const struct task *task)
{
	cells_rows(task->found);
}

static bool may_shift(const struct task *task)
{
	return has_vectors(task) && cells_shift(task->found);
}

static struct kx *do_agree(const struct task *task)
{
	return cells_agree(task->found);
}

static void lower_shifted(const struct task *task)
{
	struct cells *c = cells_open(task->plan, task->group, true, "_shifted");
	c->shifted = true;
	cells_rows(c);
}

static void lower_single(const struct task *task)
{
	cells_rows(has_vectors(task) ? cells_open(task->plan, task->group, false, "_single")
	                             : task->found);
}

static const struct way ways[] = {
	/* cells_merge.c */
	{ "merge", "a block finds the segment of the array that its searches end in",
	  "the array is long, with at most 8 cells for each search", .fits = merge_fits,
	  .when = merge_pays, .lower = merge_lower },
	/* cells_flat.c */
	{ "flat", "all cells as one row", .no = "its cells are not one row in memory",
	  .fits = is_flat, .lower = lower_flat },
	/* above */
	{ "vectors", "several neighbours an access", "rows begin at multiples of a vector",
	  "`vectorise` has chosen one element an access", .fits = has_vectors, .when = are_aligned,
	  .lower = lower_rows },
	/* cells_shifted.c */
	{ "shifted", "vectors of other rows are assembled from two words each",
	  "the arrays have the same alignment", .fits = may_shift, .when = do_agree,
	  .lower = lower_shifted },
	/* above */
	{ "single", "a cell at a time", .lower = lower_single }
};

void cells_gpu(struct plan *plan, const struct group *group)
{
	ways_lower(ways, plan, group, cells_open(plan, group, true, ""));
}
