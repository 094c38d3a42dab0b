/* product_small.c - many products of few cells, whose sizes are constants: 10^6 of 4 x 4, say.
 *
 * Such products are as fast as their cells come and go. A block takes several whole ones: their operands are brought to shared
 * memory (product_sheet.c), then each thread computes a tile of one product, of one or several rows and a vector of columns,
 * term by term: a row of the right operand, and of the left one as many terms as a vector holds. Neighbouring threads take
 * neighbouring vectors of a row, then rows, so what a warp stores lies one behind another; and a tile with more than one row
 * takes rows that lie apart. Where rows are no whole vectors the sums go back through shared memory and leave it
 * as operands came.
 *
 * Shared memory is not padded: of 16 bytes a thread eight threads are served at a time, and these read
 * neighbouring rows on the left, and the same few places on the right. */
#include "product_small.h"

enum {
	VECTOR = 16,                         /* bytes */
	CELLS = 256,                         /* of a result: more are for tiles */
	SUMS = 16,                           /* of a thread */
	WORTH = 32,                          /* cells of a result that are worth a tile, if terms are many */
	LEAST = 8,                           /* threads of a product, before they take several rows each */
	FEW_BYTES = 8192, MANY_BYTES = 24576,        /* of a block's operands: so much at least, and at most */
	WORDS = 32,                          /* of operands that wait in a thread's registers, about */
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
	int across = f->cells[COLUMNS] / f->thread[COLUMNS], most = SUMS / f->thread[COLUMNS] < 4 ? SUMS / f->thread[COLUMNS] : 4;
	int rows = f->cells[ROWS] * across / LEAST;
	rows = rows < most ? rows : most;
	f->thread[ROWS] = divisor(f->cells[ROWS], rows > 1 ? rows : 1);
	f->tiles = across * (f->cells[ROWS] / f->thread[ROWS]);
}

/* What goes through shared memory once more has smaller blocks, of which more stand at different places: 10^6 of 3 x 3 f32 on an
 * H200 0.0299 ms with 256 threads, 0.0282 with 128; others the same, or a little slower (4 x 4 0.0469 and 0.0471). */
static void share_block(struct small_form *f, const struct target *t, int64_t bytes)
{
	bool whole = f->cells[COLUMNS] % f->thread[COLUMNS] == 0 && f->thread[COLUMNS] % 2 == 0;
	f->products = (whole ? t->block : t->block / 2) / f->tiles;
	while (f->products > 1 && f->products * bytes > MANY_BYTES)
		f->products /= 2;
	f->products = f->products > 4 ? f->products / 4 * 4 : f->products;
	int words = (int)bytes * f->products / 4, least = f->products * f->tiles;
	least = words / WORDS > least ? words / WORDS : least;
	f->threads = (least + t->lanes - 1) / t->lanes * t->lanes;
	f->turns = 1;
	while (f->turns < TURNS && 2 * f->turns * f->products * bytes <= FEW_BYTES)
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
		f.cells[side] = (int)cells_of(p->node->lo.at[p->index[side]], p->node->hi.at[p->index[side]]);
	f.cells[2] = (int)cells_of(fold->lo.at[0], fold->hi.at[0]);
	if (!f.cells[ROWS] || !f.cells[COLUMNS] || f.cells[ROWS] * f.cells[COLUMNS] > CELLS)
		return NULL;
	int64_t bytes = 0;
	for (int side = ROWS; side <= COLUMNS; side++)
		bytes += type_size(p->operand[side].e->type) * f.cells[side] * f.cells[2];
	if (t->gpu && !f.cells[2] && f.cells[ROWS] * f.cells[COLUMNS] >= WORTH)
		return NULL;
	if (!t->gpu || p->node->index.n < 3 || !f.cells[2] || bytes > MANY_BYTES / 2)
		return str_print("results of %d x %d would leave most of a tile empty", f.cells[ROWS], f.cells[COLUMNS]);
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

/* ---- a tile ---- */

struct tile { struct kx *product, *row, *column; };      /* of the block; the first of the tile: i32 */

static struct tile find_tile(struct few *t, struct kx *tile)
{
	const struct small_form *f = &t->form;
	int across = f->cells[COLUMNS] / f->thread[COLUMNS];
	struct tile at = { .product = few_let(t, "product", x_div(tile, x_i32(f->tiles))) };
	struct kx *part = few_let(t, "part", x_rem(tile, x_i32(f->tiles)));
	at.row = few_let(t, "own_row", x_div(part, x_i32(across)));
	at.column = few_let(t, "own_column", x_mul(x_rem(part, x_i32(across)), x_i32(f->thread[COLUMNS])));
	return at;
}

/* Row number r of the tile. */
static struct kx *row_at(const struct few *t, const struct tile *at, struct kx *r)
{
	return x_add(at->row, x_mul(r, x_i32(t->form.cells[ROWS] / t->form.thread[ROWS])));
}

static struct kx *sum_at(const struct few *t, struct kx *r, struct kx *c)
{
	return x_at(x_var(t->sum), x_add(x_mul(r, x_i32(t->form.thread[COLUMNS])), c));
}

/* Cells that a thread reads at a time from rows of so many. */
static int strip(const struct sheet *h, int cells)
{
	int width = VECTOR / (int)type_size(h->type);
	while (cells % width)
		width /= 2;
	return width;
}

/* Cells of shared memory, from `from` on, to registers from `to` on. */
static void take(struct few *t, int which, struct kx *from, struct kx *to, int cells)
{
	const struct sheet *h = &t->sheet[which];
	int width = strip(h, cells % h->size[1] ? cells : h->size[1]);
	width = cells % width ? strip(h, cells) : width;
	for (int c = 0; c < cells; c += width) {
		struct kx *at = x_add(from, x_i32(c));
		struct kx *v = width > 1 ? few_let(t, "cells", x_vload(x_offset(x_var(h->shared), at), width)) : NULL;
		for (int w = 0; w < width; w++)
			k_set(t->k, x_at(x_var(t->part[which]), x_add(to, x_i32(c + w))), v ? x_lane(v, w) : x_at(x_var(h->shared), at));
	}
}

static struct kx *cells_from(const struct sheet *h, const struct tile *at, struct kx *row, struct kx *column)
{
	struct kx *cell = x_add(x_mul(row, x_i32(h->size[1])), column);
	return h->single ? cell : x_add(x_mul(at->product, x_i32(h->cells)), cell);
}

static void fold_term(struct few *t, struct kx *term, int terms)
{
	struct kx *r = few_each(t, "r", t->form.thread[ROWS]), *c = few_each(t, "c", t->form.thread[COLUMNS]);
	lower_bind(t->l, t->p->operand[ROWS].stand, x_at(x_var(t->part[ROWS]), x_add(x_mul(r, x_i32(terms)), term)));
	lower_bind(t->l, t->p->operand[COLUMNS].stand, x_at(x_var(t->part[COLUMNS]), c));
	accumulate_term(t->l, t->p->term, &t->acc, sum_at(t, r, c));
	few_close(t, t->form.thread[COLUMNS]);
	few_close(t, t->form.thread[ROWS]);
}

static void fold_terms(struct few *t, const struct tile *at, int terms)
{
	const struct small_form *f = &t->form;
	bool few = f->cells[2] * f->thread[ROWS] * f->thread[COLUMNS] <= UNROLLED;
	struct kx *from = x_var(k_for(t->k, "from", x_i32(0), x_i32(f->cells[2]), x_i32(terms), few ? FOR_UNROLL : FOR_ROLLED));
	struct kx *r = few_each(t, "r", f->thread[ROWS]);
	take(t, LEFT, cells_from(&t->sheet[LEFT], at, row_at(t, at, r), from), x_mul(r, x_i32(terms)), terms);
	few_close(t, f->thread[ROWS]);
	struct kx *term = few_each(t, "term", terms);
	take(t, RIGHT, cells_from(&t->sheet[RIGHT], at, x_add(from, term), at->column), x_i32(0), f->thread[COLUMNS]);
	fold_term(t, term, terms);
	few_close(t, terms);
	k_end(t->k);
}

static void keep_sums(struct few *t, const struct tile *at)
{
	const struct sheet *h = &t->sheet[RESULT];
	struct kx *r = few_each(t, "r", t->form.thread[ROWS]), *c = few_each(t, "c", t->form.thread[COLUMNS]);
	struct kx *cell = cells_from(h, at, row_at(t, at, r), x_add(at->column, c));
	k_set(t->k, x_at(x_var(h->shared), cell), sum_at(t, r, c));
	few_close(t, t->form.thread[COLUMNS]);
	few_close(t, t->form.thread[ROWS]);
}

static void store_sums(struct few *t, const struct tile *at)
{
	struct kx *r = few_each(t, "r", t->form.thread[ROWS]);
	sheet_finish_row(t, at->product, row_at(t, at, r), at->column, x_mul(r, x_i32(t->form.thread[COLUMNS])));
	few_close(t, t->form.thread[ROWS]);
}

static void compute_tiles(struct few *t, int terms)
{
	const struct small_form *f = &t->form;
	int at_once = f->products / f->turns * f->tiles;
	struct kx *turn = few_each(t, "turn", f->turns);
	struct kx *tile = few_let(t, "tile", x_add(block_thread(t->l), x_mul(turn, x_i32(at_once))));
	struct kx *mine = f->threads == at_once ? NULL : x_lt(block_thread(t->l), x_i32(at_once));
	k_if(t->k, x_and(mine, x_lt(tile, x_mul(t->left, x_i32(f->tiles)))));
	struct tile at = find_tile(t, tile);
	product_start(t->l, &t->acc, t->sum, f->thread[ROWS] * f->thread[COLUMNS]);
	fold_terms(t, &at, terms);
	if (t->direct)
		store_sums(t, &at);
	else
		keep_sums(t, &at);
	k_end(t->k);
	few_close(t, f->turns);
}

/* ---- the kernel ---- */

/* Rows of the result are vectors of a thread's columns. */
static bool is_direct(const struct few *t)
{
	const struct sheet *h = &t->sheet[RESULT];
	return h->width > 1 && !h->turned && h->width == t->form.thread[COLUMNS] && h->size[1] % h->width == 0;
}

/* What comes and goes otherwise than in vectors, or by several indices: its addresses take registers, of which ptxas would spill
 * a few to fit one block more. */
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

static void find_share(struct few *t, struct kx *host_products)
{
	struct kx *all = lower_argument(t->l, "products", kt_scalar(T_I64), host_products);
	struct kx *share = x_i64(t->form.products);
	t->share = x_i32(t->form.products);
	t->first = few_let(t, "first", x_mul(x_to_i64(x_id(ID_BLOCK_X)), share));
	t->left = few_let(t, "left", x_to_i32(x_min(x_sub(all, t->first), share)));
	t->axes = product_axes(t->l, t->p);
	struct kx *vectors = sheets_aligned(t, t->l->plan);
	t->vectors = vectors ? lower_argument(t->l, "vectors", kt_scalar(T_BOOL), vectors) : NULL;
	t->whole = vectors ? few_let(t, "whole", x_and(t->vectors, x_eq(t->left, x_i32(t->form.products)))) : NULL;
}

static void open_registers(struct few *t, int terms)
{
	t->acc = product_accumulator(t->p);
	t->sum = k_regs(t->k, t->acc.type, "sum", t->form.thread[ROWS] * t->form.thread[COLUMNS]);
	t->part[ROWS] = k_regs(t->k, t->sheet[LEFT].type, "left_part", t->form.thread[ROWS] * terms);
	t->part[COLUMNS] = k_regs(t->k, t->sheet[RIGHT].type, "right_part", t->form.thread[COLUMNS]);
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
	find_share(t, products);
	for (int s = 0; s < SHEETS; s++)
		sheet_open(t, &t->sheet[s]);
	int terms = strip(&t->sheet[LEFT], t->form.cells[2]);
	open_registers(t, terms);
	sheets_bring(t);
	compute_tiles(t, terms);
	if (!t->direct)
		sheet_finish(t);
	lowering_launch(t->l, x_div_up(products, x_i64(t->form.products)), x_i64(1), x_i64(1));
}
