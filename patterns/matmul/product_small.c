/* product_small.c - many products of few cells, whose sizes are constants: 10^6 of 4 x 4, say.
 *
 * Such products are as fast as their cells come and go. A block takes several whole ones: their
 * operands are brought to shared memory (product_sheet.c), then each thread computes a tile of one
 * product, of one or several rows and a vector of columns, term by term: a row of the right
 * operand, and of the left one as many terms as a vector holds. Neighbouring threads take
 * neighbouring vectors of a row, then rows, so what a warp stores lies one after another; and a
 * tile with more than one row takes rows that lie apart. Where rows are no whole vectors the sums
 * go back through shared memory and leave it as operands came.
 *
 * Shared memory is not padded: of 16 bytes a thread eight threads are served at a time, and these
 * read neighbouring rows on the left, and the same few places on the right. */
#include "ktext.h"
#include "product_small.h"

enum {
	VECTOR = 16,                         /* bytes */
	CELLS = 256,                         /* of a result: more are for tiles */
	SUMS = 16,                           /* of a thread */
	WORTH = 32,                 /* cells of a result that are worth a tile, if terms are many */
	LEAST = 8,                    /* threads of a product, before they take several rows each */
	WORDS = 32,                       /* of operands that wait in a thread's registers, about */
	TURNS = 4,                           /* tiles of a thread, at most */
	UNROLLED = 256                       /* steps of a tile: more stay a loop */
};

/* ---- how a block shares them ---- */

static int divisor(int n, int most)
{
	int d = most < n ? most : n;
	while (n % d)
		d--;
	return d;
}

/* Vectors of columns where rows are whole ones; rows, as long as a product keeps threads enough. */
static void share_tile(struct small_form *f, int64_t bytes)
{
	int width = VECTOR / (int)bytes;
	f->thread[COLUMNS] = f->cells[COLUMNS] % width ? divisor(f->cells[COLUMNS], SUMS) : width;
	int across = f->cells[COLUMNS] / f->thread[COLUMNS],
	    most = SUMS / f->thread[COLUMNS] < 4 ? SUMS / f->thread[COLUMNS] : 4;
	int rows = f->cells[ROWS] * across / LEAST;
	rows = rows < most ? rows : most;
	f->thread[ROWS] = divisor(f->cells[ROWS], rows > 1 ? rows : 1);
	f->tiles = across * (f->cells[ROWS] / f->thread[ROWS]);
}

/* Products that pass through shared memory twice have smaller blocks: more of them run at a time,
 * in different phases.  10^6 of 3 x 3 f32 on an H200 0.0299 ms with 256 threads, 0.0282 with 128;
 * others the same, or a little slower (4 x 4 0.0469 and 0.0471). */
static void share_block(struct small_form *f, const struct target *t, int64_t bytes)
{
	bool whole = f->cells[COLUMNS] % f->thread[COLUMNS] == 0 && f->thread[COLUMNS] % 2 == 0;
	f->products = (whole ? t->block : t->block / 2) / f->tiles;
	while (f->products > 1 && f->products * bytes > t->batch_most)
		f->products /= 2;
	f->products = f->products > 4 ? f->products / 4 * 4 : f->products;
	int words = (int)bytes * f->products / 4, least = f->products * f->tiles;
	least = words / WORDS > least ? words / WORDS : least;
	f->threads = (least + t->lanes - 1) / t->lanes * t->lanes;
	f->turns = 1;
	while (f->turns < TURNS && 2 * f->turns * f->products * bytes <= t->batch_few)
		f->turns *= 2;
	f->products *= f->turns;
}

static int64_t cells_of(const struct expr *lo, const struct expr *hi)
{
	int64_t n = affine_cells(lo, hi);
	return n > 0 && n <= CELLS ? n : 0;
}

const char *product_few(struct product *p, const struct target *t)
{
	const struct fold *fold = p->fold->fold;
	struct small_form f = { .cells = { 0 } };
	for (int side = ROWS; side <= COLUMNS; side++)
		f.cells[side] = (int)cells_of(p->node->lo.at[p->index[side]],
		                              p->node->hi.at[p->index[side]]);
	f.cells[2] = (int)cells_of(fold->lo.at[0], fold->hi.at[0]);
	if (!f.cells[ROWS] || !f.cells[COLUMNS] || f.cells[ROWS] * f.cells[COLUMNS] > CELLS)
		return NULL;
	int64_t bytes = 0;
	for (int side = ROWS; side <= COLUMNS; side++)
		bytes += type_size(p->operand[side].e->type) * f.cells[side] * f.cells[2];
	if (t->gpu && !f.cells[2] && f.cells[ROWS] * f.cells[COLUMNS] >= WORTH)
		return NULL;
	if (!t->gpu || p->node->index.n < 3 || !f.cells[2] || bytes > t->batch_most / 2)
		return str_print("results of %d x %d would use a small part of a tile",
		                 f.cells[ROWS], f.cells[COLUMNS]);
	share_tile(&f, type_size(p->term->type));
	share_block(&f, t, bytes);
	p->small = f;
	return NULL;
}

int small_width(const struct product *p)
{
	struct node open = *p->node;
	struct product any = *p;
	int width = 1;
	open.choice.vector = 0;
	any.node = &open;
	for (int s = 0; s < SHEETS; s++) {
		const struct sheet h = sheet_of(&any, s);
		width = h.width > width ? h.width : width;
	}
	return width;
}

/* ---- what small.kernel leaves open ---- */

/* Cells that a thread reads at a time from rows of so many. */
static int strip(const struct sheet *h, int cells)
{
	int width = VECTOR / (int)type_size(h->type);
	while (cells % width)
		width /= 2;
	return width;
}

/* The same, of `cells` that it takes. */
static int strip_of(const struct sheet *h, int cells)
{
	int width = strip(h, cells % h->size[1] ? cells : h->size[1]);
	return cells % width ? strip(h, cells) : width;
}

/* What product_sheet.c uses. */
static struct kx *known(struct lowering *l, const void *few, struct kx *const *none)
{
	struct few *t = (struct few *)few;
	(void)none;
	t->first = k_get(l->k, "first");
	t->left = k_get(l->k, "left");
	t->whole = t->vectors ? k_get(l->k, "whole") : NULL;
	return NULL;
}

static struct kx *open_sheet(struct lowering *l, const void *few, struct kx *const *none)
{
	struct few *t = (struct few *)few;
	struct sheet *h = &t->sheet[l->k->each];
	(void)none;
	sheet_open(t, h);
	return h->shared ? x_var(h->shared) : NULL;
}

static struct kx *bring(struct lowering *l, const void *few, struct kx *const *none)
{
	(void)l, (void)none;
	sheets_bring((struct few *)few);
	return NULL;
}

static struct kx *finish_row(struct lowering *l, const void *few, struct kx *const *at)
{
	struct few *t = (struct few *)few;
	t->sums = k_get(l->k, "sum");
	sheet_finish_row(t, at[0], at[1], at[2], at[3]);
	return NULL;
}

static struct kx *finish_sheet(struct lowering *l, const void *few, struct kx *const *none)
{
	(void)l, (void)none;
	sheet_finish((struct few *)few);
	return NULL;
}

/* ---- the kernel ---- */

/* Rows of the result are vectors of a thread's columns. */
static bool is_direct(const struct few *t)
{
	const struct sheet *h = &t->sheet[RESULT];
	return h->width > 1 && !h->turned && h->width == t->form.thread[COLUMNS]
	       && h->size[1] % h->width == 0;
}

/* Operands that are not moved by vectors, or that several indices address: addresses take
 * registers, and ptxas would spill a few to fit one more block. */
static bool is_roomy(const struct few *t)
{
	bool flat = t->p->node->index.n == 3 && !expr_slow(t->p->node->equation.at[0]->right);
	for (int s = 0; s < SHEETS; s++)
		flat &= t->sheet[s].width > 1;
	return !flat;
}

static void open_kernel(struct few *t, struct plan *plan)
{
	t->l = lowering_new(plan, t->p->node->name);
	t->k = t->l->k;
	lowering_writes(t->l, t->p->node);
	t->k->block[0] = t->form.threads;
	t->k->block[1] = t->k->block[2] = 1;
	t->k->min_blocks = is_roomy(t);
}

static void bind_sheets(const struct few *t, int terms)
{
	static const char *const name[] = { "PITCH",  "SIZE", "SINGLE", "STRIP",
		                            "STRIPS", "ROOM", "sheet" };
	enum { NAMES = sizeof name / sizeof *name };
	const int taken[SHEETS] = { terms, t->form.thread[COLUMNS], 1 };
	struct kx *number[NAMES][SHEETS];
	const struct type *type[SHEETS];
	for (int s = 0; s < SHEETS; s++) {
		const struct sheet *h = &t->sheet[s];
		const int wide = s == RESULT ? 1 : strip_of(h, taken[s]),
			  room = s ? taken[s] : terms * t->form.thread[ROWS];
		const int is[NAMES] = { h->size[1],      h->cells, h->single, wide,
			                taken[s] / wide, room,     s };
		for (int i = 0; i < NAMES; i++)
			number[i][s] = x_int(T_INT_LIT, is[i]);
		type[s] = h->type;
	}
	for (int i = 0; i < NAMES; i++)
		bind_values(t->k, name[i], SHEETS, number[i]);
	bind_types(t->k, "CELL", SHEETS, type);
}

static void bind_shape(const struct few *t, int terms)
{
	const struct small_form *f = &t->form;
	bool unrolls = f->cells[2] * f->thread[ROWS] * f->thread[COLUMNS] <= UNROLLED;
	k_numbers(t->k,
	          "PRODUCTS, TILES, ACROSS, TURNS, AT_ONCE, THREADS, THREAD_ROWS, "
	          "THREAD_COLUMNS, RISE, PRODUCT_TERMS, "
	          "TERMS",
	          f->products, f->tiles, f->cells[COLUMNS] / f->thread[COLUMNS], f->turns,
	          f->products / f->turns * f->tiles, f->threads, f->thread[ROWS],
	          f->thread[COLUMNS], f->cells[ROWS] / f->thread[ROWS], f->cells[2], terms);
	k_numbers(t->k, "VECTORS, DIRECT, UNROLLS", t->vectors != NULL, t->direct, unrolls);
	bind_words(t->k, "part", 2, (const char *[]){ "left_part", "right_part" });
	k_bind(t->k, "moved", "cells");
	k_bind(t->k, "place", "part");
}

static void compute_tiles(struct few *t, struct kx *products)
{
	struct product_text *text = product_text(t->l, t->p);
	int terms = strip(&t->sheet[LEFT], t->form.cells[2]);
	t->share = x_i32(t->form.products);
	k_bind(t->k, "products", lower_argument(t->l, "products", kt_scalar(T_I64), products));
	t->axes = text->axes = product_axes(t->l, t->p);
	struct kx *vectors = sheets_aligned(t, t->l->plan);
	t->vectors = vectors ? lower_argument(t->l, "vectors", kt_scalar(T_BOOL), vectors) : NULL;
	if (vectors)
		k_bind(t->k, "vectors", t->vectors);
	bind_sheets(t, terms);
	bind_shape(t, terms);
	k_bind_calls(t->k, t, { "known", known }, { "open_sheet", open_sheet }, { "bring", bring },
	             { "finish_row", finish_row }, { "finish_sheet", finish_sheet });
	k_text(t->k, "small");
}

void product_small(const struct product *p, struct plan *plan)
{
	struct few *t = NEW(struct few);
	t->p = p;
	t->form = p->small;
	struct kx *products = product_batch(plan, p);
	for (int s = 0; s < SHEETS; s++)
		t->sheet[s] = sheet_of(p, s);
	open_kernel(t, plan);
	t->direct = is_direct(t);
	compute_tiles(t, products);
	lowering_launch(t->l, x_div_up(products, x_i64(t->form.products)), x_i64(1), x_i64(1));
}
