/* product_sized.c - batches of small products whose sizes the host knows when it is called: 10^5 of 16 x 16, say.
 *
 * A tile of 64 x 64 would be mostly empty, and a block of its own for each product mostly waiting. So, where the host finds
 * sizes small, a block takes as many whole products as fit into its shared memory, and its threads take tiles of 4 x 4
 * cells of them in turn. Rows and columns of such a tile lie apart by as many as there are tiles: neighbouring threads have
 * neighbouring columns, of which they read and store cells that lie one behind another. Rows and columns behind the last are
 * those of the last, computed again and not stored.
 *
 * Operands that are nothing but an array whose products lie one behind another are copied, 16 bytes at a time where they may
 * be; others are brought cell by cell, in the order of memory (product_sheet.c). */
#include "../reduce/reduce.h"
#include "product_small.h"

enum {
	ROOM = 2048,                         /* cells of an operand in a block */
	THREADS = 128,
	SIDE = 4,                            /* of a thread's tile */
	MOST = 40,                           /* rows, and columns */
	VECTOR = 16                          /* bytes */
};

struct sized {
	struct few few;
	struct kx *host[3];                  /* rows, columns, terms: i64 */
	struct kx *host_share;
	struct kx *count[3];                 /* the same in the kernel: i32 */
	struct kx *down, *across, *tiles;    /* of a product: i32 */
	struct kx *from[2];                  /* where the tile's rows, or columns, begin in shared memory */
	struct kvar *at[2];
};

static bool too_large(const struct expr *lo, const struct expr *hi)
{
	return affine_cells(lo, hi) > MOST;
}

bool product_may_be_small(const struct product *p, const struct group *group)
{
	bool large = false;
	for (int side = ROWS; side <= COLUMNS; side++)
		large |= too_large(p->node->lo.at[p->index[side]], p->node->hi.at[p->index[side]]);
	return !large && p->node->index.n > 2 && !p->node->choice.tile[0]
	    && !(group && group->epilogue.n);
}

/* ---- the host ---- */

static struct kx *host_sizes(struct sized *z, struct plan *plan)
{
	const struct product *p = z->few.p;
	struct kx *small = NULL;
	for (int side = ROWS; side <= COLUMNS; side++)
		z->host[side] = plan_let(plan, side ? "columns" : "rows", product_cells(plan, p, p->index[side]));
	z->host[2] = product_terms(plan, p);
	for (int s = 0; s < 2; s++) {
		small = x_and(small, x_le(z->host[s], x_i64(MOST)));
		small = x_and(small, x_le(z->host[2], x_div(x_i64(ROOM), x_max(z->host[s], x_i64(1)))));
	}
	return small;
}

/* As many products as fit, and not more than threads have tiles of. */
static struct kx *share_of(const struct sized *z, struct plan *plan)
{
	struct kx *share = x_i64(THREADS);
	for (int s = 0; s < 2; s++)
		share = x_min(share, x_div(x_i64(ROOM), x_max(x_mul(z->host[s], z->host[2]), x_i64(1))));
	struct kx *down = x_div_up(z->host[ROWS], x_i64(SIDE)), *across = x_div_up(z->host[COLUMNS], x_i64(SIDE));
	struct kx *wanted = x_div_up(x_i64(THREADS), x_max(x_mul(down, across), x_i64(1)));
	return plan_let(plan, "share", x_min(share, wanted));
}

/* The operand is nothing but an array, in the order of shared memory. */
static bool is_copy(const struct sheet *h)
{
	return h->e->kind == E_READ && h->flat.n && !h->turned;
}

static int width_of(const struct few *t, const struct sheet *h)
{
	int width = VECTOR / (int)type_size(h->type), chosen = t->p->node->choice.vector;
	return chosen && chosen < width ? chosen : width;
}

/* Of copies: the share of a block is whole vectors, at multiples of them. */
static struct kx *host_vectors(struct sized *z, struct plan *plan)
{
	struct kx *all = NULL;
	for (int s = LEFT; s <= RIGHT; s++) {
		const struct sheet *h = &z->few.sheet[s];
		int width = width_of(&z->few, h);
		if (!is_copy(h) || width == 1)
			continue;
		all = x_and(all, plan_aligned(plan, h->flat.at[0]->var, width));
		struct kx *cells = x_mul(x_mul(z->host[s], z->host[2]), z->host_share);
		all = h->single ? all : x_and(all, x_eq(x_rem(cells, x_i64(width)), x_i64(0)));
	}
	return all;
}

/* ---- operands ---- */

static void copy_cells(struct few *t, const struct sheet *h, struct kx *from, struct kx *end, struct kx *base)
{
	struct kx *first = x_add(from, block_thread(t->l));
	struct kx *n = x_var(k_for(t->k, "number", first, end, x_i32(THREADS), 0));
	k_set(t->k, x_at(x_var(h->shared), n), x_at(base, n));
	k_end(t->k);
}

static void copy_vectors(struct few *t, const struct sheet *h, struct kx *vectors, struct kx *base)
{
	struct kx *n = x_var(k_for(t->k, "number", block_thread(t->l), vectors, x_i32(THREADS), 0));
	struct kx *at = x_mul(n, x_i32(width_of(t, h)));
	struct kx *v = few_let(t, "cells", x_vload(x_offset(base, at), width_of(t, h)));
	k_vstore(t->k, x_offset(x_var(h->shared), at), v);
	k_end(t->k);
}

static void copy_sheet(struct few *t, const struct sheet *h)
{
	struct kx *base = lower_pointer(t->l, h->flat.at[0]->var), *end = h->single ? h->each : x_mul(t->left, h->each);
	int width = width_of(t, h);
	end = few_let(t, "end", end);
	base = h->single ? base : few_let(t, "block", x_offset(base, x_mul(t->first, x_to_i64(h->each))));
	if (!t->vectors || width == 1) {
		copy_cells(t, h, x_i32(0), end, base);
		return;
	}
	struct kx *vectors = few_let(t, "vectors", x_cond(t->vectors, x_div(end, x_i32(width)), x_i32(0)));
	copy_vectors(t, h, vectors, base);
	copy_cells(t, h, x_mul(vectors, x_i32(width)), end, base);
}

static void bring(struct sized *z)
{
	struct few *t = &z->few;
	for (int s = LEFT; s <= RIGHT; s++) {
		struct sheet *h = &t->sheet[s];
		h->shared = k_shared(t->k, h->type, s ? "right_cells" : "left_cells", ROOM);
		h->shared->align = VECTOR;
		if (is_copy(h))
			copy_sheet(t, h);
		else
			sheet_bring_cells(t, h);
	}
	k_barrier(t->k);
}

/* ---- a tile ---- */

struct tile { struct kx *product, *first[2]; };  /* row and column */

static struct kx *own(const struct sized *z, const struct tile *at, enum side side, struct kx *i)
{
	return x_add(at->first[side], x_mul(i, side == ROWS ? z->down : z->across));
}

/* Where the first terms of the tile's rows, or columns, are. */
static void find_strips(struct sized *z, const struct tile *at, enum side side)
{
	struct few *t = &z->few;
	const struct sheet *h = &t->sheet[side];
	struct kx *i = few_each(t, "i", SIDE), *cell = x_min(own(z, at, side, i), x_sub(z->count[side], x_i32(1)));
	cell = side == ROWS ? x_mul(cell, z->count[2]) : cell;
	cell = h->single ? cell : x_add(x_mul(at->product, h->each), cell);
	k_set(t->k, x_at(x_var(z->at[side]), i), cell);
	few_close(t, SIDE);
}

/* So many terms of each row. */
static void take_rows(struct sized *z, struct kx *term, int terms)
{
	struct few *t = &z->few;
	struct kx *r = few_each(t, "r", SIDE), *at = x_add(x_at(x_var(z->at[ROWS]), r), term);
	struct kx *cells = x_var(t->sheet[LEFT].shared);
	struct kx *v = terms > 1 ? few_let(t, "cells", x_vload(x_offset(cells, at), terms)) : NULL;
	for (int w = 0; w < terms; w++)
		k_set(t->k, x_at(x_var(t->part[ROWS]), x_add(x_mul(r, x_i32(terms)), x_i32(w))), v ? x_lane(v, w) : x_at(cells, at));
	few_close(t, SIDE);
}

static void take_columns(struct sized *z, struct kx *term)
{
	struct few *t = &z->few;
	struct kx *c = few_each(t, "c", SIDE), *at = x_add(x_at(x_var(z->at[COLUMNS]), c), x_mul(term, z->count[COLUMNS]));
	k_set(t->k, x_at(x_var(t->part[COLUMNS]), c), x_at(x_var(t->sheet[RIGHT].shared), at));
	few_close(t, SIDE);
}

static void fold_terms(struct sized *z, int terms)
{
	struct few *t = &z->few;
	struct kx *from = x_var(k_for(t->k, "from", x_i32(0), z->count[2], x_i32(terms), 0));
	take_rows(z, from, terms);
	struct kx *term = few_each(t, "term", terms);
	take_columns(z, x_add(from, term));
	struct kx *r = few_each(t, "r", SIDE), *c = few_each(t, "c", SIDE);
	lower_bind(t->l, t->p->operand[ROWS].stand, x_at(x_var(t->part[ROWS]), x_add(x_mul(r, x_i32(terms)), term)));
	lower_bind(t->l, t->p->operand[COLUMNS].stand, x_at(x_var(t->part[COLUMNS]), c));
	accumulate_term(t->l, t->p->term, &t->acc, x_at(x_var(t->sum), x_add(x_mul(r, x_i32(SIDE)), c)));
	few_close(t, SIDE);
	few_close(t, SIDE);
	few_close(t, terms);
	k_end(t->k);
}

/* By vectors of terms, where rows of the left operand are whole ones: neighbouring rows often begin in the same bank. */
static void fold_all(struct sized *z)
{
	struct few *t = &z->few;
	int width = VECTOR / (int)type_size(t->sheet[LEFT].type);
	k_if(t->k, x_eq(x_rem(z->count[2], x_i32(width)), x_i32(0)));
	fold_terms(z, width);
	k_else(t->k);
	fold_terms(z, 1);
	k_end(t->k);
}

static void store_tile(struct sized *z, const struct tile *at)
{
	struct few *t = &z->few;
	struct kx *i[2], *own_cell[2];
	for (int side = ROWS; side <= COLUMNS; side++) {
		i[side] = few_each(t, side ? "c" : "r", SIDE);
		own_cell[side] = few_let(t, side ? "own_column" : "own_row", own(z, at, side, i[side]));
		k_if(t->k, x_lt(own_cell[side], z->count[side]));
	}
	struct place p = { .product = at->product, .cell = { own_cell[ROWS], own_cell[COLUMNS] } };
	sheet_finish_cell(t, &p, x_at(x_var(t->sum), x_add(x_mul(i[ROWS], x_i32(SIDE)), i[COLUMNS])));
	for (int level = 0; level < 4; level++)
		k_end(t->k);
}

static void compute_tiles(struct sized *z)
{
	struct few *t = &z->few;
	struct kx *end = x_mul(t->left, z->tiles);
	struct kx *n = x_var(k_for(t->k, "tile", block_thread(t->l), end, x_i32(THREADS), FOR_ROLLED));
	struct tile at = { .product = few_let(t, "product", x_div(n, z->tiles)) };
	struct kx *part = few_let(t, "part", x_rem(n, z->tiles));
	at.first[ROWS] = few_let(t, "first_row", x_div(part, z->across));
	at.first[COLUMNS] = few_let(t, "first_column", x_rem(part, z->across));
	for (int side = ROWS; side <= COLUMNS; side++)
		find_strips(z, &at, side);
	product_start(t->l, &t->acc, t->sum, SIDE * SIDE);
	fold_all(z);
	store_tile(z, &at);
	k_end(t->k);
}

/* ---- the kernel ---- */

static struct kx *argument(struct few *t, const char *name, struct kx *host)
{
	return lower_argument(t->l, name, kt_scalar(T_I32), x_to_i32(host));
}

static void open_sizes(struct sized *z)
{
	static const char *const name[] = { "rows", "columns", "terms" };
	struct few *t = &z->few;
	for (int s = 0; s < 3; s++)
		z->count[s] = argument(t, name[s], z->host[s]);
	for (int s = 0; s < SHEETS; s++) {
		struct sheet *h = &t->sheet[s];
		for (int side = 0; side < 2; side++)
			h->extent[side] = z->count[s == (side ? LEFT : RIGHT) ? 2 : side];
		h->each = few_let(t, "each", x_mul(h->extent[0], h->extent[1]));
	}
	struct kx *side = x_i32(SIDE), *more = x_i32(SIDE - 1);
	z->down = few_let(t, "down", x_div(x_add(z->count[ROWS], more), side));
	z->across = few_let(t, "across", x_div(x_add(z->count[COLUMNS], more), side));
	z->tiles = few_let(t, "tiles", x_mul(z->down, z->across));
}

static void open_registers(struct sized *z)
{
	struct few *t = &z->few;
	t->acc = product_accumulator(t->p);
	t->sum = k_regs(t->k, t->acc.type, "sum", SIDE * SIDE);
	for (int side = ROWS; side <= COLUMNS; side++) {
		int terms = side ? 1 : VECTOR / (int)type_size(t->sheet[LEFT].type);
		t->part[side] = k_regs(t->k, t->sheet[side].type, side ? "right_part" : "left_part", SIDE * terms);
		z->at[side] = k_regs(t->k, type_scalar(T_I32), side ? "right_at" : "left_at", SIDE);
	}
}

static void kernel_of(struct sized *z, struct plan *plan)
{
	struct few *t = &z->few;
	struct kx *products = product_batch(plan, t->p);
	z->host_share = share_of(z, plan);
	t->l = lowering_new(plan, str_print("%s_small", t->p->node->name));
	t->k = t->l->k;
	lowering_writes(t->l, t->p->node);
	t->k->block[0] = THREADS;
	t->k->block[1] = t->k->block[2] = t->k->min_blocks = 1;
	t->share = argument(t, "share", z->host_share);
	struct kx *all = lower_argument(t->l, "products", kt_scalar(T_I64), products);
	t->first = few_let(t, "first", x_mul(x_to_i64(x_id(ID_BLOCK_X)), x_to_i64(t->share)));
	t->left = few_let(t, "left", x_to_i32(x_min(x_sub(all, t->first), x_to_i64(t->share))));
	t->axes = product_axes(t->l, t->p);
	open_sizes(z);
	struct kx *vectors = host_vectors(z, plan);
	t->vectors = vectors ? lower_argument(t->l, "aligned", kt_scalar(T_BOOL), vectors) : NULL;
	bring(z);
	open_registers(z);
	compute_tiles(z);
	lowering_launch(t->l, x_div_up(products, z->host_share), x_i64(1), x_i64(1));
}

void product_sized(const struct product *p, const struct group *group, struct plan *plan)
{
	struct sized *z = NEW(struct sized);
	z->few.p = p;
	z->few.form.threads = THREADS;
	for (int s = 0; s < SHEETS; s++)
		z->few.sheet[s] = sheet_lies(p, s);
	k_if(plan->host, host_sizes(z, plan));
	kernel_of(z, plan);
	k_else(plan->host);
	product_tiles(p, group, plan);
	k_end(plan->host);
}
