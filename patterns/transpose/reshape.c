/* reshape.c - an array T[n, m] that is not square becomes T[m, n] in the same memory.
 *
 * Method: B. Catanzaro, A. Keller and M. Garland, "A decomposition for in-place matrix
 * transposition" (PPoPP 2014).  With c = gcd(n, m), a = n / c and b = m / c, the cells of n rows
 * and m columns go to their places by passes that permute every column, or every row, for itself:
 *
 *   1. column j is rotated up by j / b rows (none is if c = 1);
 *   2. in row i, each cell goes to the column that its place has: after pass 1 these are different;
 *   3. column j is rotated up by j rows, and then row (i m - i / a) % n becomes row i.
 *
 * Of pass 2: with j = q b + r, cell j of row i goes to (c (r a % b) + q + i) % m, or, where
 * i + q >= n, (c (r a % b) + q + i - n) % m.  A thread that steps along rows steps r a % b by sums.
 * Of pass 3: with k = -x modulo c, row x becomes row k a + ((x + k) / c) b' % a, where b' is the
 * inverse of b modulo a.
 *
 * Rows that a block can hold are permuted in its shared memory, a read and a write a cell.  Longer
 * ones, and all columns, go to the workspace and back, as many at a time as it has room for: a
 * quarter of the array, at most 32 MiB, but always a row, and a column.  A tile of a strip of
 * columns brings rows to shared memory and is read along the diagonals that become rows, so that
 * both sides are accessed by rows; of few columns strips are narrow, and tiles tall.  An array that
 * a block can hold is transposed there.
 *
 * On an H100, about, twice the bytes of the array over the time: f32 8192 x 8193 600 GB/s (0.9 ms;
 * a copy 0.19), 10000 x 10007 580, 7200 x 1800 (three passes) 300, 10^7 x 3 300, 3 x 10^7 140 (rows
 * go to the workspace); f64 8192 x 8193 520; u8 8192 x 8193 240. */
#include "../ways.h"
#include "ask.h"
#include "turn.h"

enum {
	WIDE = 32,                           /* columns of a strip, at most, and ... */
	WIDE_BYTES = 256,                    /* ... bytes of them */
	HELD = 3 << 14,                      /* bytes of rows that a block holds, at most */
	TILE = 1 << 15, TALL = 1024,         /* bytes of a tile, and its rows at most */
	ROOM = 1 << 25,                      /* bytes of the workspace, unless a row has more, */
	SHARE = 4,                           /* and this part of the array */
	SMALL = 16,                          /* bytes of a cell: loops take eight at once */
	LONGEST = 1 << 30                    /* extent: sums of two are i32 */
};

struct reshape {
	const struct task *task;
	const struct var *var;
	/* of the host: extents, and parts of them without their common divisor */
	struct kx *rows, *columns, *cells, *common, *row_part, *column_part, *inverse;
	struct kvar *room;
	struct kx *room_cells, *first, *width, *lines, *divisor, *permutes;
	int held;                            /* cells that a block can hold */
};

static int64_t cell_bytes(const struct reshape *r)
{
	return type_size(r->var->type);
}

static bool on_gpu(const struct reshape *r)
{
	return r->task->plan->target->gpu;
}

/* ---- the numbers of the host ---- */

static struct kx *host_call(const char *name, struct kx *a, struct kx *b)
{
	struct kx *arg[] = { a, b };
	return x_help(kt_scalar(T_I64), name, 2, arg);
}

/* A product of sizes and constants, for the workspace is told before the call. */
static struct kx *room_for(const struct reshape *r)
{
	struct kx *part = x_min(x_div(r->cells, x_i64(SHARE)), x_i64(ROOM / cell_bytes(r)));
	return kx_fold(x_max(part, x_max(r->rows, r->columns)));
}

static void find_numbers(struct reshape *r)
{
	struct plan *plan = r->task->plan;
	struct lowering *host = host_lowering(plan);
	r->rows = lower_extent(host, r->var, 0);
	r->columns = lower_extent(host, r->var, 1);
	r->cells = x_mul(r->rows, r->columns);
	const int64_t most = plan->target->shared_bytes;
	r->held = (int)((most < HELD ? most : HELD) / cell_bytes(r));
}

static void find_parts(struct reshape *r)
{
	struct plan *plan = r->task->plan;
	r->common = plan_let(plan, "common", host_call("patc_gcd", r->rows, r->columns));
	r->row_part = plan_let(plan, "row_part", x_div(r->rows, r->common));
	r->column_part = plan_let(plan, "column_part", x_div(r->columns, r->common));
	r->inverse = plan_let(plan, "inverse",
	                      host_call("patc_inverse", r->column_part, r->row_part));
	struct kx *room = room_for(r);
	r->room = plan_slot(plan, "room", r->var->type, 1, &room);
	r->room_cells = plan_let(plan, "room_cells", room);
}

/* ---- the kernels: reshape.kernel ---- */

static struct kx *number(struct lowering *l, const char *name, struct kx *host)
{
	return lower_number(l, name, x_to_i32(host));
}

static struct lowering *open_kernel(const struct reshape *r, const char *name, const char *note)
{
	const struct node *node = r->task->node;
	struct plan *plan = r->task->plan;
	struct lowering *l = lowering_new(plan, str_print("%s%s", node->name, name));
	lowering_writes(l, node);
	l->k->note = note;
	k_bind(l->k, "THREADS", plan->target->block);
	k_bind(l->k, "CELL", r->var->type);
	k_bind(l->k, "CELLS", r->held);
	k_bind(l->k, "SMALL", (bool)(cell_bytes(r) <= SMALL));
	k_bind(l->k, "array", lower_pointer(l, r->var));
	k_bind(l->k, "rows", number(l, "rows", r->rows));
	k_bind(l->k, "columns", number(l, "columns", r->columns));
	if (on_gpu(r))
		block_launch_bounds(l);
	return l;
}

static void bind_room(const struct reshape *r, struct lowering *l)
{
	k_bind(l->k, "room", lower_argument(l, "room", kt_pointer(r->var->type, false),
	                                    x_var(r->room)));
}

static void bind_parts(const struct reshape *r, struct lowering *l)
{
	k_bind(l->k, "common", number(l, "common", r->common));
	k_bind(l->k, "row_part", number(l, "row_part", r->row_part));
}

static void bind_rows(const struct reshape *r, struct lowering *l)
{
	k_bind(l->k, "lines", number(l, "lines", r->lines));
	if (r->first)
		k_bind(l->k, "first", number(l, "first", r->first));
}

static void bind_columns(const struct reshape *r, struct lowering *l)
{
	k_bind(l->k, "first", number(l, "first", r->first));
	k_bind(l->k, "width", number(l, "width", r->width));
}

static struct kx *blocks_of(const struct reshape *r, struct kx *cells)
{
	const struct target *target = r->task->plan->target;
	return x_min(x_div_up(cells, x_i64(target->block)), x_i64(block_most(target)));
}

static void launch(const struct reshape *r, struct lowering *l, const char *text,
                   struct kx *blocks)
{
	k_text(l->k, text);
	lowering_launch(l, on_gpu(r) ? kx_fold(blocks) : x_i64(1), x_i64(1), x_i64(1));
}

/* ---- rows ---- */

static void shuffle_held(struct reshape *r)
{
	struct reshape own = *r;
	struct plan *plan = r->task->plan;
	own.lines = plan_let(plan, "lines", x_div(x_i64(r->held), r->columns));
	struct lowering *l = open_kernel(&own, "_rows", "Permutes rows: a block has some.");
	bind_parts(&own, l);
	k_bind(l->k, "column_part", number(l, "column_part", r->column_part));
	bind_rows(&own, l);
	launch(&own, l, "shuffle_held", x_div_up(r->rows, own.lines));
}

static void shuffle_long(struct reshape *r)
{
	struct reshape own = *r;
	struct plan *plan = r->task->plan;
	own.lines = plan_let(plan, "lines", x_div(r->room_cells, r->columns));
	own.first = x_var(k_for(plan->host, "first", x_i64(0), r->rows, own.lines, 0));
	struct kx *cells = x_mul(own.lines, r->columns);
	struct lowering *l = open_kernel(&own, "_long", "Permutes rows, into the workspace.");
	bind_room(&own, l);
	bind_parts(&own, l);
	k_bind(l->k, "column_part", number(l, "column_part", r->column_part));
	bind_rows(&own, l);
	launch(&own, l, on_gpu(r) ? "shuffle_rows" : "shuffle_on_cpu", blocks_of(r, cells));
	l = open_kernel(&own, "_back", "Moves rows back from the workspace.");
	bind_room(&own, l);
	bind_rows(&own, l);
	launch(&own, l, on_gpu(r) ? "put_rows" : "put_rows_on_cpu", blocks_of(r, cells));
	k_end(plan->host);
}

static void shuffle(struct reshape *r)
{
	struct kernel *host = r->task->plan->host;
	if (!on_gpu(r)) {
		shuffle_long(r);
		return;
	}
	k_if(host, x_le(r->columns, x_i64(r->held)));
	shuffle_held(r);
	k_else(host);
	shuffle_long(r);
	k_end(host);
}

/* ---- columns ---- */

static int widest_strip(const struct reshape *r)
{
	int width = WIDE;
	while (width > 1 && width * cell_bytes(r) > WIDE_BYTES)
		width /= 2;
	return width;
}

/* As many as there is room for, whole strips if it is more than one. */
static struct kx *group_of(const struct reshape *r, int strip)
{
	struct kx *most = plan_let(r->task->plan, "most", x_div(r->room_cells, r->rows));
	struct kx *strips = x_sub(most, x_rem(most, x_i64(strip)));
	return plan_let(r->task->plan, "group", x_max(strips, x_min(most, x_i64(strip - 1))));
}

/* log2 of the columns of a strip: of few columns it is narrow, and a tile of it tall. */
static struct kx *strip_bits(const struct reshape *r)
{
	struct kx *bits = x_i32(log2_of(widest_strip(r)));
	for (int b = log2_of(widest_strip(r)) - 1; b >= 0; b--)
		bits = x_cond(x_le(r->width, x_i64(INT64_C(1) << b)), x_i32(b), bits);
	return plan_let(r->task->plan, "strip_bits", bits);
}

static struct kx *tiles_of(const struct reshape *r, struct kx *bits, int cells)
{
	struct kx *wide = x_op(OP_SHL, x_i64(1), bits);
	struct kx *tall = x_min(x_op(OP_SHR, x_i64(cells), bits), x_i64(TALL));
	return x_mul(x_div_up(r->rows, x_sub(tall, wide)), x_div_up(r->width, wide));
}

static void rotate(const struct reshape *r)
{
	const int cells = TILE / (int)cell_bytes(r);
	struct lowering *l = open_kernel(r, "", "Rotates columns, into the workspace.");
	bind_room(r, l);
	bind_parts(r, l);
	bind_columns(r, l);
	k_bind(l->k, "divisor", number(l, "divisor", r->divisor));
	k_bind(l->k, "permutes", lower_argument(l, "permutes", kt_scalar(T_BOOL), r->permutes));
	if (!on_gpu(r)) {
		launch(r, l, "rotate_on_cpu", NULL);
		return;
	}
	struct kx *bits = strip_bits(r);
	k_bind(l->k, "inverse", number(l, "inverse", r->inverse));
	k_bind(l->k, "strip_bits", lower_argument(l, "strip_bits", kt_scalar(T_I32), bits));
	k_numbers(l->k, "TILE_CELLS, TALL", cells, TALL);
	launch(r, l, "rotate_columns", tiles_of(r, bits, cells));
}

static void put(const struct reshape *r)
{
	struct lowering *l = open_kernel(r, "_put", "Moves columns back from the workspace.");
	bind_room(r, l);
	bind_columns(r, l);
	launch(r, l, on_gpu(r) ? "put_columns" : "put_columns_on_cpu",
	       blocks_of(r, x_mul(r->rows, r->width)));
}

static void rotate_all(struct reshape *r)
{
	struct plan *plan = r->task->plan;
	struct kx *group = group_of(r, widest_strip(r));
	r->first = x_var(k_for(plan->host, "first", x_i64(0), r->columns, group, 0));
	r->width = plan_let(plan, "width", x_min(group, x_sub(r->columns, r->first)));
	rotate(r);
	put(r);
	k_end(plan->host);
}

/* ---- the ways ---- */

static struct reshape reshape_of(const struct task *c)
{
	struct reshape r = { .task = c, .var = node_target(c->node, 0)->var };
	find_numbers(&r);
	return r;
}

static struct kx *fits_block(const struct task *c)
{
	struct reshape r = reshape_of(c);
	return kx_fold(x_le(r.cells, x_i64(r.held)));
}

static void lower_in_block(const struct task *c)
{
	struct reshape r = reshape_of(c);
	struct lowering *l = open_kernel(&r, "_whole", "A block has the array.");
	launch(&r, l, "whole", x_i64(1));
}

/* The columns are rotated before the rows are permuted, and after it.  On a GPU a block has had an
 * array without cells. */
static void lower_passes(const struct task *c)
{
	struct reshape r = reshape_of(c);
	struct kernel *host = c->plan->host;
	if (!on_gpu(&r))
		k_if(host, x_lt(x_i64(0), r.cells));
	find_parts(&r);
	struct kx *begin = x_cond(x_lt(x_i64(1), r.common), x_i64(0), x_i64(1));
	struct kx *pass = x_var(k_for(host, "pass", begin, x_i64(2), x_i64(1), 0));
	r.permutes = x_eq(pass, x_i64(1));
	r.divisor = x_cond(r.permutes, x_i64(1), r.column_part);
	k_if(host, r.permutes);
	shuffle(&r);
	k_end(host);
	rotate_all(&r);
	k_end(host);
	if (!on_gpu(&r))
		k_end(host);
}

static const struct way ways[] = {
	/* above */
	{ "whole", "a block holds the array", "its cells fit the shared memory of a block",
	  .when = fits_block, .lower = lower_in_block, .on = ON_GPU },
	{ "passes", "rows and columns are permuted, each for itself", .lower = lower_passes }
};

void reshape_lower(const struct task *c)
{
	const struct var *var = node_target(c->node, 0)->var;
	for (int a = 0; a < 2; a++) {
		const struct affine *extent = &var->extent[a];
		plan_limit(c->plan, 1, &extent, LONGEST);
	}
	ways_lower(ways, c->plan, c->group, NULL);
}
