/* product_sized.c - batches of small products whose sizes the host knows when it is called: 10^5 of
 * 16 x 16, say.
 *
 * A tile of 64 x 64 would be mostly empty, and a block of its own for each product mostly waiting.
 * So, where the host finds sizes small, a block takes as many whole products as fit into its shared
 * memory, and its threads take tiles of 4 x 4 cells of them in turn. Rows and columns of such a
 * tile lie apart by as many as there are tiles: neighbouring threads have neighbouring columns, of
 * which they read and store cells that lie one after another. Rows and columns after the last are
 * those of the last, computed again and not stored.
 *
 * Operands that are nothing but an array whose products lie one after another are copied, 16 bytes
 * at a time where they may be; others are brought cell by cell, in the order of memory
 * (product_sheet.c). */
#include "../reduce/reduce.h"
#include "ktext.h"
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
	return !large && !p->window && p->node->index.n > 2 && !p->node->choice.tile[0]
	    && !(group && group->epilogue.n);
}

/* ---- the host ---- */

static struct kx *host_sizes(struct sized *z, struct plan *plan)
{
	const struct product *p = z->few.p;
	struct kx *small = NULL;
	for (int side = ROWS; side <= COLUMNS; side++)
		z->host[side] = plan_let(plan, side ? "columns" : "rows",
		                         product_cells(plan, p, p->index[side]));
	z->host[2] = product_terms(plan, p);
	for (int s = 0; s < 2; s++) {
		small = x_and(small, x_le(z->host[s], x_i64(MOST)));
		small = x_and(small,
		              x_le(z->host[2], x_div(x_i64(ROOM), x_max(z->host[s], x_i64(1)))));
	}
	return small;
}

/* As many products as fit, and not more than threads have tiles of. */
static struct kx *share_of(const struct sized *z, struct plan *plan)
{
	struct kx *share = x_i64(THREADS);
	for (int s = 0; s < 2; s++)
		share = x_min(share,
		              x_div(x_i64(ROOM), x_max(x_mul(z->host[s], z->host[2]), x_i64(1))));
	struct kx *down = x_div_up(z->host[ROWS], x_i64(SIDE)),
		  *across = x_div_up(z->host[COLUMNS], x_i64(SIDE));
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

/* ---- what sized.kernel leaves open ---- */

static struct sheet *sheet_at(const void *few)
{
	struct few *t = (struct few *)few;
	return &t->sheet[t->k->each];
}

static struct kx *memory(struct lowering *l, const void *few, struct kx *const *none)
{
	struct sheet *h = sheet_at(few);
	(void)none;
	h->shared = k_shared(l->k, h->type, l->k->each ? "right_cells" : "left_cells", ROOM);
	h->shared->align = VECTOR;
	return x_var(h->shared);
}

static struct kx *array(struct lowering *l, const void *few, struct kx *const *none)
{
	(void)none;
	return lower_pointer(l, sheet_at(few)->flat.at[0]->var);
}

static struct kx *bring_cells(struct lowering *l, const void *few, struct kx *const *none)
{
	(void)l, (void)none;
	sheet_bring_cells((struct few *)few, sheet_at(few));
	return NULL;
}

static struct kx *finish_at(struct lowering *l, const void *few, struct kx *const *arg)
{
	struct place p = { .product = arg[0], .cell = { arg[1], arg[2] } };
	(void)l;
	sheet_finish_cell((struct few *)few, &p, arg[3]);
	return NULL;
}

/* What product_sheet.c uses. */
static struct kx *known(struct lowering *l, const void *few, struct kx *const *none)
{
	struct few *t = (struct few *)few;
	(void)none;
	t->first = k_get(l->k, "first");
	t->left = k_get(l->k, "left");
	for (int s = 0; s < SHEETS; s++) {
		l->k->each = s;
		t->sheet[s].each = k_get(l->k, "size");
	}
	return NULL;
}

/* ---- the kernel ---- */

static struct kx *argument(struct few *t, const char *name, struct kx *host)
{
	return lower_argument(t->l, name, kt_scalar(T_I32), x_to_i32(host));
}

static void bind_sizes(struct sized *z)
{
	static const char *const name[] = { "rows", "columns", "terms" };
	struct few *t = &z->few;
	struct kx *count[3], *high[SHEETS], *wide[SHEETS];
	for (int s = 0; s < 3; s++)
		k_bind(t->k, name[s], count[s] = argument(t, name[s], z->host[s]));
	for (int s = 0; s < SHEETS; s++) {
		struct sheet *h = &t->sheet[s];
		for (int side = 0; side < 2; side++)
			h->extent[side] = count[s == (side ? LEFT : RIGHT) ? 2 : side];
		high[s] = h->extent[0];
		wide[s] = h->extent[1];
	}
	bind_values(t->k, "count", 2, count);
	bind_values(t->k, "sheet", SHEETS, high);
	bind_values(t->k, "high", SHEETS, high);
	bind_values(t->k, "wide", SHEETS, wide);
}

static void bind_operands(const struct few *t)
{
	struct kx *single[2], *copied[2], *width[2], *terms[2];
	const struct type *type[2];
	int many = VECTOR / (int)type_size(t->sheet[LEFT].type);
	for (int s = LEFT; s <= RIGHT; s++) {
		const struct sheet *h = &t->sheet[s];
		single[s] = x_int(T_INT_LIT, h->single);
		copied[s] = x_int(T_INT_LIT, is_copy(h));
		width[s] = x_int(T_INT_LIT, t->vectors ? width_of(t, h) : 1);
		terms[s] = x_int(T_INT_LIT, s == LEFT ? many : 1);
		type[s] = h->type;
	}
	bind_values(t->k, "SINGLE", 2, single);
	bind_values(t->k, "COPIED", 2, copied);
	bind_values(t->k, "WIDTH", 2, width);
	bind_values(t->k, "TERMS", 2, terms);
	bind_types(t->k, "CELL", 2, type);
	k_numbers(t->k, "SIDE, ROOM, THREADS, WIDE", SIDE, ROOM, THREADS, many);
}

/* What variables are called. */
static void bind_words_of(struct kernel *k)
{
	bind_words(k, "part", 2, (const char *[]){ "left_part", "right_part" });
	bind_words(k, "at", 2, (const char *[]){ "left_at", "right_at" });
	bind_words(k, "own_first", 2, (const char *[]){ "first_row", "first_column" });
	k_bind(k, "size", "each");
	k_bind(k, "moved", "cells");
	k_bind(k, "place", "part");
}

static void compute_tiles(struct sized *z, struct kx *products)
{
	struct few *t = &z->few;
	struct product_text *text = product_text(t->l, t->p);
	t->share = argument(t, "share", z->host_share);
	k_bind(t->k, "share", t->share);
	k_bind(t->k, "products", lower_argument(t->l, "products", kt_scalar(T_I64), products));
	t->axes = text->axes = product_axes(t->l, t->p);
	bind_sizes(z);
	struct kx *vectors = host_vectors(z, t->l->plan);
	t->vectors = vectors ? lower_argument(t->l, "aligned", kt_scalar(T_BOOL), vectors) : NULL;
	if (vectors)
		k_bind(t->k, "aligned", t->vectors);
	bind_operands(t);
	bind_words_of(t->k);
	k_bind_calls(t->k, t, { "memory", memory }, { "array", array },
	             { "bring_cells", bring_cells }, { "finish_at", finish_at },
	             { "known", known });
	k_text(t->k, "sized");
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
	compute_tiles(z, products);
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
	product_large(p, group, plan);
	k_end(plan->host);
}
