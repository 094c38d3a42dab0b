/* product_load.c - what a block brings of a product's operands: from memory to registers, from
 * there to shared memory.
 *
 * Neighbouring threads take what lies one after another, up to 16 bytes each where the host finds
 * every row of an operand at a multiple of them. An operand's value is computed here: scales,
 * conversions.
 *
 * Where there are enough rows and columns, as the host has seen, the last tiles are moved back
 * until they are whole. Then the cells of a thread lie as far from one another in every tile, and
 * it walks from tile to tile: a pointer an operand. Else rows and columns after the last are those
 * of the last, loaded again and not used, which takes an address a load, too many for the registers
 * of a large tile. Terms after the last are always those of the last.
 *
 * Or copies that need no registers (cp.async) bring operands straight to shared memory, one or two
 * steps ahead: one cell each where the terms of an operand lie one after another in memory, for in
 * shared memory the cells of a term do; else 16 bytes, where rows are aligned. Threads walk then;
 * beyond the last row or column, the last one is copied again. Of the last terms, which make no
 * whole step, those that are there are copied. The registers that are free hold the share of the
 * term to come, so that no thread waits for shared memory, and lanes are neighbours by pairs along
 * columns, which reads it in fewer turns. */
#include <assert.h>
#include <string.h>
#include "tiled.h"

enum {
	VECTOR = 16,                         /* bytes */
	TURNED = 4                           /* cells that are stored one by one */
};

/* ---- the host: what may be loaded at a time ---- */

/* Cells of an operand's main array that make 16 bytes of shared memory, or as many as are chosen.
 * */
static int load_width(const struct product *p, const struct operand *o)
{
	const struct expr *lo = o->deep ? p->fold->fold->lo.at[p->deep_index]
	                                : p->node->lo.at[p->index[o == &p->operand[COLUMNS]]];
	int width = VECTOR / (int)type_size(o->e->type), chosen = p->node->choice.vector;
	if (!o->main || var_home(o->main->var) || o->main->var->type->kind == T_STRUCT
	    || !affine_is(lo, 0))
		return 1;
	width = chosen && chosen < width ? chosen : width;
	return width * type_size(o->main->var->type) <= VECTOR ? width : 1;
}

int product_width(const struct product *p)
{
	struct node open = *p->node;
	struct product any = *p;
	open.choice.vector = 0;
	any.node = &open;
	int left = load_width(&any, &any.operand[ROWS]),
	    right = load_width(&any, &any.operand[COLUMNS]);
	return left > right ? left : right;
}

/* Host: all rows of the operand begin at a multiple of what is loaded at a time, and are whole
 * ones. */
struct kx *product_rows_aligned(struct plan *plan, const struct product *p,
                                const struct operand *o, struct kx *cells)
{
	int width = load_width(p, o);
	const struct var *v = width > 1 ? o->main->var : NULL;
	if (!v)
		return NULL;
	struct kx *ok = plan_aligned(plan, v, width), *w = x_i64(width);
	if (v->rank > 1)
		ok = x_and(ok, x_eq(x_rem(lower_pitch(host_lowering(plan), v, v->rank - 1), w),
		                    x_i64(0)));
	return x_and(ok, x_eq(x_rem(cells, w), x_i64(0)));
}

struct kx *product_vectors_allowed(struct plan *plan, const struct product *p,
                                   struct kx *const *count, struct kx *terms)
{
	struct kx *all = NULL;
	bool window = p->window && p->unit && product_copied(p, plan->target);
	if (p->window && !window)
		return NULL;
	terms = window ? sliding_channels(plan, p) : terms;
	for (int side = ROWS; side <= COLUMNS; side++) {
		const struct operand *o = &p->operand[side];
		all = x_and(all, product_rows_aligned(plan, p, o, o->deep ? terms : count[side]));
	}
	return window && all ? x_and(all, sliding_near(plan, p)) : all;
}

/* ---- may a thread walk? ---- */

static bool is_box(const struct var *v)
{
	return !var_home(v) && !v->ring && v->type->kind != T_STRUCT;
}

/* All that the value uses of the two indices is the cell of the operand's main array. */
static bool is_of_main(const struct expr *e, const struct operand *o, const struct var *depth)
{
	bool is = product_same(e, o->main)
	          || (e->kind != E_READ && e->kind != E_FOLD && e->var != o->along
	              && e->var != depth);
	for (int a = 0; is && !product_same(e, o->main) && a < e->arg.n; a++)
		is = is_of_main(e->arg.at[a], o, depth);
	return is;
}

bool product_walks(const struct product *p, enum side side)
{
	const struct operand *o = &p->operand[side];
	struct affine place;
	if (p->window)
		return false;
	bool walks = o->main && is_box(o->main->var) && is_of_main(o->e, o, p->depth);
	for (int a = 0; walks && a < o->main->arg.n; a++)
		walks = affine_of(o->main->arg.at[a], &place);
	return walks;
}

/* ---- which cells a thread loads ---- */

/* From a line of shared memory to the next: cells of a column are stored to different banks. */
static int pitch_of(const struct product *p, enum side side, const struct tile_form *f)
{
	const struct operand *o = &p->operand[side];
	if (p->unit)
		return unit_pitch(p, side, f);
	return f->size[side] + (o->deep ? tiled_wide(p, side) : 0);
}

static bool term_lines(const struct product *p, enum side side)
{
	return !p->unit || unit_term_lines(p, side);
}

int64_t operands_shared(const struct product *p, const struct tile_form *f)
{
	int64_t bytes = 0;
	for (int side = ROWS; side <= COLUMNS; side++) {
		const struct operand *o = &p->operand[side];
		int lines = term_lines(p, side) ? f->depth : f->size[side];
		bytes += (int64_t)f->stages * lines * pitch_of(p, side, f) * type_size(o->e->type);
	}
	return bytes + (p->window ? sliding_shared(p, f) : 0);
}

/* Are they copied straight into shared memory?  Nothing is computed on the way then. */
static bool is_copied(const struct product *p, enum side side)
{
	const struct operand *o = &p->operand[side];
	bool whole = p->unit ? o->deep != unit_term_lines(p, side)
	                     : type_size(o->e->type) == type_size(p->fold->type);
	bool walks = p->window ? sliding_walks(p, side) : product_walks(p, side);
	return o->main == o->e && whole && is_box(o->main->var) && walks;
}

bool product_copied(const struct product *p, const struct target *target)
{
	return target->copies && is_copied(p, ROWS) && is_copied(p, COLUMNS);
}

/* ---- what tiled.kernel leaves open ---- */

static const struct operand *operand_of(const struct tiled *t)
{
	return &t->p->operand[t->k->each];
}

/* Shared memory of an operand, of so many cells. */
static struct kx *memory(struct lowering *l, const void *tiled, struct kx *const *cells)
{
	const struct tiled *t = tiled;
	const struct type *type = operand_of(t)->e->type;
	const char *name = product_names_columns(t->p, l->k->each) ? "right_tile" : "left_tile";
	bool asked = t->copied || t->p->unit;
	struct kvar *v = (asked ? k_shared_asked : k_shared)(l->k, type, name, cells[0]->i);
	v->align = unit_swizzles(t->p, l->k->each, &t->form) ? 1024 : VECTOR;
	return x_var(v);
}

static struct kx *source(struct lowering *l, const void *tiled, struct kx *const *none)
{
	struct kx *cell = lower_cell(l, operand_of(tiled)->main);
	(void)none;
	return x_offset(cell->arg[0], cell->arg[1]);
}

/* Cells of memory between two of the main array: the index that counts a thread's loads is so much
 * higher for one of them. */
static struct kx *distance(struct lowering *l, const void *tiled, struct kx *const *higher)
{
	const struct tiled *t = tiled;
	const struct expr *main = operand_of(t)->main;
	const struct var *index = operand_of(t)->deep ? operand_of(t)->along : t->p->depth;
	struct kx *sub[MAX_RANK];
	for (int a = 0; a < main->arg.n; a++) {
		struct affine place;
		int64_t by = 0;
		affine_of(main->arg.at[a], &place);
		for (int n = 0; n < place.n; n++)
			by += place.term[n].var == index ? place.term[n].coef : 0;
		sub[a] = kx_fold(x_mul(x_i64(by), x_to_i64(higher[0])));
	}
	return lower_linear(l, main->var, sub);
}

/* The numbers of an operand, in the order of these names. */
static const char *const shape[] = { "WIDTH", "EITHER", "SIZE",  "THREAD", "ALONG",      "WIDE",
	                             "PITCH", "HELD",   "DEEP",  "MOVES",  "TERM_LINES", "TURNED",
	                             "BYTES" };
enum { WIDTH, SHAPE = sizeof shape / sizeof *shape };

static void numbers_of(const struct tiled *t, enum side side, int64_t n[SHAPE])
{
	const struct operand *o = &t->p->operand[side];
	const struct tile_form *f = &t->form;
	int held = f->size[side] * f->depth / f->threads;
	bool turned = o->deep == term_lines(t->p, side);
	int most = t->vectors && !(t->copied && turned) ? load_width(t->p, o) : 1;
	most = t->p->unit && turned && most > TURNED ? TURNED : most;
	int width = most < held ? most : held;
	assert(f->threads % ((o->deep ? f->depth : f->size[side]) / width) == 0
	       && "the threads take whole rows of loads");
	const int64_t number[SHAPE] = { width,
		                        t->either && width > 1,
		                        f->size[side],
		                        f->thread[side],
		                        f->lanes[side],
		                        tiled_wide(t->p, side),
		                        pitch_of(t->p, side, f),
		                        held,
		                        o->deep,
		                        o->main && expr_uses(o->main, t->p->depth),
		                        term_lines(t->p, side),
		                        turned,
		                        type_size(o->e->type) };
	memcpy(n, number, sizeof number);
}

static void bind_types_of(const struct tiled *t, const int64_t n[2][SHAPE])
{
	const struct type *cell[2];
	struct ktype vector[2], pointer[2];
	for (int side = ROWS; side <= COLUMNS; side++) {
		const struct operand *o = &t->p->operand[side];
		cell[side] = o->e->type;
		int width = (int)n[side][WIDTH];
		vector[side] = width > 1 ? kt_vector(cell[side], width) : kt(cell[side]);
		pointer[side] = o->main ? kt_pointer(o->main->var->type, true) : kt(cell[side]);
	}
	bind_types(t->k, "CELL", 2, cell);
	bind_ktypes(t->k, "VECTOR", 2, vector);
	bind_ktypes(t->k, "POINTER", 2, pointer);
}

void operands_bind(const struct tiled *t)
{
	int64_t n[2][SHAPE];
	numbers_of(t, ROWS, n[ROWS]);
	numbers_of(t, COLUMNS, n[COLUMNS]);
	for (int i = 0; i < SHAPE; i++)
		bind_values(t->k, shape[i], 2, (struct kx *[]){ x_int(T_INT_LIT, n[ROWS][i]),
		                                                x_int(T_INT_LIT, n[COLUMNS][i]) });
	bind_types_of(t, n);
	if (t->either)
		k_bind(t->k, "vectors", k_choice(t->k, "vectors", t->either));
	k_bind_calls(t->k, t, { "memory", memory }, { "source", source }, { "distance", distance });
}
