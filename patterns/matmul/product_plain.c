/* product_plain.c - tiles that came before those of matmul_gpu.c, for who pins them: the rungs that
 * examples/sgemm climbs.
 *
 *   16 x 16    the textbook's: a cell a thread, 16 terms of both operands in shared memory
 *   128 x 16   Volkov and Demmel's (2008), as Hwu prints it (2014, Fig. 2): a row of 16 cells a
 *              thread, in registers, and 8 terms of the second operand in shared memory; cells of
 *              the first are wanted by one thread each, which reads them once, straight into a
 *              register, side by side with its neighbours where the operand is transposed
 *
 * What one thread needs alone is not shared: that is all that tells them apart. A block brings a
 * tile of terms, a cell a thread, waits, folds, and waits before it brings the next. Beyond an edge
 * cells are those of the last row, column or term, read again and not used. */
#include <assert.h>
#include "ktext.h"
#include "product.h"

static const struct plain_form { int size[2], depth, thread[2]; } forms[PLAIN_TILES] = {
	{ { 16, 16 }, 16, { 1, 1 } },
	{ { 128, 16 }, 8, { 1, 16 } }
};

struct plain {
	const struct product *p;
	const struct plain_form *form;
	struct lowering *l;
	struct kx *count[2], *tiles[2], *batch, *host_terms;     /* the host's */
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

static int threads_along(const struct plain *t, enum side side)
{
	return t->form->size[side] / t->form->thread[side];
}

/* ---- the kernel: plain.kernel ---- */

static void bind_sides(const struct plain *t)
{
	static const char *const name[] = { "SIZE", "THREAD", "PITCH", "DEEP", "SHARED" };
	const struct plain_form *f = t->form;
	struct kx *number[5][2];
	const struct type *type[2];
	for (int side = ROWS; side <= COLUMNS; side++) {
		const struct operand *o = &t->p->operand[side];
		const int is[5] = { f->size[side], f->thread[side], f->size[side] + o->deep,
			            o->deep, threads_along(t, !side) > 1 };
		for (int i = 0; i < 5; i++)
			number[i][side] = x_int(T_INT_LIT, is[i]);
		assert((!is[4] || f->size[side] * f->depth == t->l->k->block[0])
		       && "a cell a thread");
		type[side] = o->e->type;
	}
	for (int i = 0; i < 5; i++)
		bind_values(t->l->k, name[i], 2, number[i]);
	bind_types(t->l->k, "CELL", 2, type);
}

/* What variables are called. */
static void bind_words_of(struct kernel *k)
{
	bind_words(k, "tile", 2, (const char *[]){ "left_tile", "right_tile" });
	bind_words(k, "part", 2, (const char *[]){ "left", "right" });
	bind_words(k, "first", 2, (const char *[]){ "tile_row", "tile_column" });
	bind_words(k, "own", 2, (const char *[]){ "own_row", "own_column" });
	k_bind(k, "right", "rest");
}

static void compute_tile(const struct plain *t)
{
	struct product_text *text = product_text(t->l, t->p);
	struct kx *tiles[2] = { t->batch ? t->tiles[ROWS] : NULL, t->tiles[COLUMNS] };
	product_text_terms(text, t->host_terms);
	product_text_tiles(text, COLUMNS, tiles, t->count);
	bind_sides(t);
	bind_words_of(t->l->k);
	k_numbers(t->l->k, "THREAD_ROWS, THREAD_COLUMNS, STEP_TERMS, BATCH",
	          t->form->thread[ROWS],
	          t->form->thread[COLUMNS], t->form->depth, t->batch != NULL);
	k_text(t->l->k, "plain");
}

static void count_host(struct plain *t, struct plan *plan)
{
	for (int side = ROWS; side <= COLUMNS; side++) {
		t->count[side] = plan_let(plan, side ? "columns" : "rows",
		                          product_cells(plan, t->p, t->p->index[side]));
		struct kx *tiles = x_div_up(t->count[side], x_i64(t->form->size[side]));
		t->tiles[side] = plan_let(plan, side ? "column_tiles" : "row_tiles", tiles);
	}
	t->host_terms = product_terms(plan, t->p);
}

void product_plain(const struct product *p, struct plan *plan)
{
	struct plain *t = NEW(struct plain);
	*t = (struct plain){ .p = p,
		             .form = form_of(p->node->choice.tile),
		             .batch = product_batch(plan, p) };
	count_host(t, plan);
	t->l = lowering_new(plan, str_print("%s_%dx%d", p->node->name, t->form->size[0],
	                                    t->form->size[1]));
	lowering_writes(t->l, p->node);
	t->l->k->block[0] = threads_along(t, ROWS) * threads_along(t, COLUMNS);
	t->l->k->block[1] = t->l->k->block[2] = 1;
	compute_tile(t);
	struct kx *blocks = x_mul(t->tiles[ROWS], t->tiles[COLUMNS]);
	lowering_launch(t->l, t->batch ? x_mul(blocks, t->batch) : blocks, x_i64(1), x_i64(1));
}
