/* product_plain.c - tiles that came before those of matmul_gpu.c, for who pins them: the rungs that examples/sgemm climbs.
 *
 *   16 x 16    the textbook's: a cell a thread, 16 terms of both operands in shared memory
 *   128 x 16   Volkov and Demmel's (2008), as Hwu prints it (2014, Fig. 2): a row of 16 cells a thread, in registers, and
 *              8 terms of the second operand in shared memory; cells of the first are wanted by one thread each, which
 *              reads them once, straight into a register, side by side with its neighbours where the operand is transposed
 *
 * What one thread wants alone is not shared: that is all that tells them apart. A block brings a tile of terms, a cell a
 * thread, waits, folds, and waits before it brings the next. Beyond an edge cells are those of the last row, column or term,
 * read again and not used. */
#include <assert.h>
#include "product.h"

static const struct plain_form { int size[2], depth, thread[2]; } forms[PLAIN_TILES] = {
	{ { 16, 16 }, 16, { 1, 1 } },
	{ { 128, 16 }, 8, { 1, 16 } }
};

struct plain {
	const struct product *p;
	const struct plain_form *form;
	struct lowering *l;
	struct kernel *k;
	struct kx *count[2], *tiles[2], *batch, *host_terms;     /* the host's */
	struct kx *terms, *first_term, *first[2], *end[2];       /* i64; first: of the block */
	struct kx *own[2];                                       /* the thread's first row and column in the tile: i32 */
	struct kvar *shared[2], *part[2], *sum;                  /* shared: NULL, the thread reads its own */
	struct accumulator acc;
};

struct product_tile plain_tile(int which)
{
	const struct plain_form *f = &forms[which];
	return (struct product_tile){ { f->size[0], f->size[1] }, { f->thread[0], f->thread[1] } };
}

static const struct plain_form *form_of(const int *tile)
{
	for (int f = 0; f < PLAIN_TILES; f++)
		if (tile[0] == forms[f].size[0] && tile[1] == forms[f].size[1] && !tile[2])
			return &forms[f];
	return NULL;
}

bool plain_takes(const int *tile)
{
	return form_of(tile);
}

static struct kx *let(struct plain *t, const char *name, struct kx *value)
{
	return x_var(k_let(t->k, name, value));
}

static int threads_along(const struct plain *t, enum side side)
{
	return t->form->size[side] / t->form->thread[side];
}

static struct kx *number(struct plain *t, const char *name, struct kx *host)
{
	return lower_argument(t->l, name, kt_scalar(T_I64), host);
}

/* ---- which cells ---- */

static void find_tile(struct plain *t)
{
	struct kx *in, *block = x_to_i64(x_id(ID_BLOCK_X)), *tile[2];
	struct batch axes = product_axes(t->l, t->p);
	struct kx *columns = number(t, "column_tiles", t->tiles[COLUMNS]);
	if (t->batch) {
		struct kx *tiles = x_mul(number(t, "row_tiles", t->tiles[ROWS]), columns);
		product_bind(t->l, &axes, let(t, "product", product_rest(t->l, block, tiles, &block)));
	}
	tile[ROWS] = product_rest(t->l, block, columns, &in);
	tile[COLUMNS] = in;
	for (int side = ROWS; side <= COLUMNS; side++) {
		struct kx *lo = lower_index(host_lowering(t->l->plan), t->p->node->lo.at[t->p->index[side]]);
		struct kx *begin = x_add(x_mul(tile[side], x_i64(t->form->size[side])), product_first(t->l, t->p, side));
		t->end[side] = number(t, side ? "end_column" : "end_row", x_add(lo, t->count[side]));
		t->first[side] = let(t, side ? "tile_column" : "tile_row", begin);
	}
}

static void find_own(struct plain *t)
{
	struct kx *thread = block_thread(t->l), *across = x_i32(threads_along(t, COLUMNS));
	struct kx *at[2] = { x_div(thread, across), x_rem(thread, across) };
	for (int side = ROWS; side <= COLUMNS; side++)
		t->own[side] = let(t, side ? "own_column" : "own_row", x_mul(at[side], x_i32(t->form->thread[side])));
}

static void bind_cell(struct plain *t, enum side side, struct kx *place)
{
	const struct var *along = t->p->operand[side].along;
	struct kx *cell = x_min(x_add(t->first[side], x_to_i64(place)), x_sub(t->end[side], x_i64(1)));
	lower_bind(t->l, along, let(t, along->name, cell));
}

static void bind_term(struct plain *t, struct kx *term)
{
	lower_bind(t->l, t->p->depth, let(t, t->p->depth->name, x_add(t->first_term, term)));
}

/* ---- operands ---- */

static int pitch_of(const struct plain *t, enum side side)
{
	return t->form->size[side] + t->p->operand[side].deep;
}

static void open_operand(struct plain *t, enum side side)
{
	const struct type *type = t->p->operand[side].e->type;
	const char *name = side ? "right" : "left";
	if (threads_along(t, !side) > 1)
		t->shared[side] = k_shared(t->k, type, str_print("%s_tile", name), (int64_t)t->form->depth * pitch_of(t, side));
	t->part[side] = k_regs(t->k, type, name, t->form->thread[side]);
}

/* Neighbouring threads bring what lies one behind another. */
static void bring(struct plain *t, enum side side, struct kx *from)
{
	bool deep = t->p->operand[side].deep;
	int across = deep ? t->form->depth : t->form->size[side];
	assert(t->form->size[side] * t->form->depth == threads_along(t, ROWS) * threads_along(t, COLUMNS) && "a cell a thread");
	struct kx *fast = x_rem(block_thread(t->l), x_i32(across)), *slow = x_div(block_thread(t->l), x_i32(across));
	struct kx *cell = deep ? slow : fast, *term = deep ? fast : slow;
	bind_cell(t, side, cell);
	bind_term(t, x_min(x_add(from, x_to_i64(term)), x_sub(t->terms, x_i64(1))));
	struct kx *to = x_at(x_var(t->shared[side]), x_add(x_mul(term, x_i32(pitch_of(t, side))), cell));
	k_set(t->k, to, lower_expr(t->l, t->p->operand[side].e));
}

/* The thread's cells of a term, from shared memory or, if they are no one else's, from where they are. */
static void take(struct plain *t, enum side side, struct kx *from, struct kx *term)
{
	struct kx *i = x_var(k_for(t->k, "i", x_i32(0), x_i32(t->form->thread[side]), x_i32(1), FOR_UNROLL));
	struct kx *place = x_add(t->own[side], i), *value;
	if (t->shared[side]) {
		value = x_at(x_var(t->shared[side]), x_add(x_mul(term, x_i32(pitch_of(t, side))), place));
	} else {
		bind_cell(t, side, place);
		bind_term(t, x_add(from, x_to_i64(term)));
		value = lower_expr(t->l, t->p->operand[side].e);
	}
	k_set(t->k, x_at(x_var(t->part[side]), i), value);
	k_end(t->k);
}

/* ---- terms ---- */

static struct kx *sum_at(const struct plain *t, struct kx *i, struct kx *j)
{
	return x_at(x_var(t->sum), x_add(x_mul(i, x_i32(t->form->thread[COLUMNS])), j));
}

static struct kx *each(struct plain *t, enum side side)
{
	return x_var(k_for(t->k, side ? "j" : "i", x_i32(0), x_i32(t->form->thread[side]), x_i32(1), FOR_UNROLL));
}

static void fold_terms(struct plain *t, struct kx *from, struct kx *terms, int flags)
{
	struct kx *term = x_var(k_for(t->k, "term", x_i32(0), terms, x_i32(1), flags));
	take(t, ROWS, from, term);
	take(t, COLUMNS, from, term);
	struct kx *i = each(t, ROWS), *j = each(t, COLUMNS);
	lower_bind(t->l, t->p->operand[ROWS].stand, x_at(x_var(t->part[ROWS]), i));
	lower_bind(t->l, t->p->operand[COLUMNS].stand, x_at(x_var(t->part[COLUMNS]), j));
	accumulate_term(t->l, t->p->term, &t->acc, sum_at(t, i, j));
	for (int loops = 0; loops < 3; loops++)
		k_end(t->k);
}

static void fold_all(struct plain *t)
{
	int depth = t->form->depth;
	struct kx *from = x_var(k_for(t->k, "from", x_i64(0), t->terms, x_i64(depth), FOR_ROLLED));
	for (int side = ROWS; side <= COLUMNS; side++)
		if (t->shared[side])
			bring(t, side, from);
	k_barrier(t->k);
	struct kx *left = let(t, "terms_left", x_sub(t->terms, from));
	k_if(t->k, x_le(x_i64(depth), left));
	fold_terms(t, from, x_i32(depth), FOR_UNROLL);
	k_else(t->k);
	fold_terms(t, from, x_to_i32(left), FOR_ROLLED);
	k_end(t->k);
	k_barrier(t->k);
	k_end(t->k);
}

/* ---- the result ---- */

static void start_sums(struct plain *t)
{
	int cells = t->form->thread[ROWS] * t->form->thread[COLUMNS];
	t->acc = product_accumulator(t->p);
	t->sum = k_regs(t->k, t->acc.type, "sum", cells);
	product_start(t->l, &t->acc, t->sum, cells);
}

static struct kx *open_cells(struct plain *t, enum side side)
{
	const struct var *along = t->p->operand[side].along;
	struct kx *i = each(t, side), *cell = let(t, along->name, x_add(t->first[side], x_to_i64(x_add(t->own[side], i))));
	lower_bind(t->l, along, cell);
	k_if(t->k, x_lt(cell, t->end[side]));
	return i;
}

static void finish_cells(struct plain *t)
{
	struct kx *i = open_cells(t, ROWS), *j = open_cells(t, COLUMNS);
	product_finish(t->l, t->p, sum_at(t, i, j));
	for (int ends = 0; ends < 4; ends++)
		k_end(t->k);
}

/* ---- the kernel ---- */

static void count_host(struct plain *t, struct plan *plan)
{
	for (int side = ROWS; side <= COLUMNS; side++) {
		t->count[side] = plan_let(plan, side ? "columns" : "rows", product_cells(plan, t->p, t->p->index[side]));
		struct kx *tiles = x_div_up(t->count[side], x_i64(t->form->size[side]));
		t->tiles[side] = plan_let(plan, side ? "column_tiles" : "row_tiles", tiles);
	}
	t->host_terms = product_terms(plan, t->p);
}

void product_plain(const struct product *p, struct plan *plan)
{
	struct plain *t = NEW(struct plain);
	*t = (struct plain){ .p = p, .form = form_of(p->node->choice.tile), .batch = product_batch(plan, p) };
	count_host(t, plan);
	t->l = lowering_new(plan, str_print("%s_%dx%d", p->node->name, t->form->size[0], t->form->size[1]));
	t->k = t->l->k;
	lowering_writes(t->l, p->node);
	t->k->block[0] = threads_along(t, ROWS) * threads_along(t, COLUMNS);
	t->k->block[1] = t->k->block[2] = 1;
	t->terms = number(t, "terms", t->host_terms);
	struct kx *lo = lower_index(host_lowering(plan), p->fold->fold->lo.at[0]);
	t->first_term = x_is_int(lo, 0) ? lo : number(t, "first_term", lo);
	for (int side = ROWS; side <= COLUMNS; side++)
		open_operand(t, side);
	find_tile(t);
	find_own(t);
	start_sums(t);
	fold_all(t);
	finish_cells(t);
	struct kx *blocks = x_mul(t->tiles[ROWS], t->tiles[COLUMNS]);
	lowering_launch(t->l, t->batch ? x_mul(blocks, t->batch) : blocks, x_i64(1), x_i64(1));
}
