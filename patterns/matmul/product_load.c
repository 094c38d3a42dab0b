/* product_load.c - what a block brings of a product's operands: from memory to registers, from there to shared memory.
 *
 * Neighbouring threads take what lies one behind another, up to 16 bytes each where the host finds every row of an operand
 * at a multiple of them. An operand's value is computed here: scales, conversions.
 *
 * Where there are enough rows and columns, as the host has seen, the last tiles are moved back until they are whole. Then the
 * cells of a thread lie as far from one another in every tile, and it walks from tile to tile: a pointer an operand. Else
 * rows and columns behind the last are those of the last, loaded again and not used, which takes an address a load, too many
 * for the registers of a large tile. Terms behind the last are always those of the last. */
#include <assert.h>
#include "tiled.h"

enum { VECTOR = 16 };                    /* bytes */

/* ---- the host: what may be loaded at a time ---- */

/* Cells of an operand's main array that make 16 bytes of shared memory, or as many as are chosen. */
static int load_width(const struct product *p, const struct operand *o)
{
	const struct expr *lo = o->deep ? p->fold->fold->lo.at[0] : p->node->lo.at[p->index[o == &p->operand[COLUMNS]]];
	int width = VECTOR / (int)type_size(o->e->type), chosen = p->node->choice.vector;
	if (!o->main || var_home(o->main->var) || o->main->var->type->kind == T_STRUCT || !affine_is(lo, 0))
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
	int left = load_width(&any, &any.operand[ROWS]), right = load_width(&any, &any.operand[COLUMNS]);
	return left > right ? left : right;
}

/* Host: all rows of the operand begin at a multiple of what is loaded at a time, and are whole ones. */
static struct kx *rows_aligned(struct plan *plan, const struct product *p, const struct operand *o, struct kx *cells)
{
	int width = load_width(p, o);
	const struct var *v = width > 1 ? o->main->var : NULL;
	if (!v)
		return NULL;
	struct kx *ok = plan_aligned(plan, v, width), *w = x_i64(width);
	if (v->rank > 1)
		ok = x_and(ok, x_eq(x_rem(lower_pitch(host_lowering(plan), v, v->rank - 1), w), x_i64(0)));
	return x_and(ok, x_eq(x_rem(cells, w), x_i64(0)));
}

struct kx *product_vectors_allowed(struct plan *plan, const struct product *p, struct kx *const *count, struct kx *terms)
{
	struct kx *all = NULL;
	for (int side = ROWS; side <= COLUMNS; side++) {
		const struct operand *o = &p->operand[side];
		all = x_and(all, rows_aligned(plan, p, o, o->deep ? terms : count[side]));
	}
	return all;
}

/* ---- may a thread walk? ---- */

static bool is_box(const struct var *v)
{
	return !var_home(v) && !v->ring && v->type->kind != T_STRUCT;
}

/* All that the value uses of the two indices is the cell of the operand's main array. */
static bool is_of_main(const struct expr *e, const struct operand *o, const struct var *depth)
{
	bool is = product_same(e, o->main) || (e->kind != E_READ && e->kind != E_FOLD && e->var != o->along && e->var != depth);
	for (int a = 0; is && !product_same(e, o->main) && a < e->arg.n; a++)
		is = is_of_main(e->arg.at[a], o, depth);
	return is;
}

bool product_walks(const struct product *p, enum side side)
{
	const struct operand *o = &p->operand[side];
	struct affine place;
	bool walks = o->main && is_box(o->main->var) && is_of_main(o->e, o, p->depth);
	for (int a = 0; walks && a < o->main->arg.n; a++)
		walks = affine_of(o->main->arg.at[a], &place);
	return walks;
}

/* ---- which cells a thread loads ---- */

static int wide_of(const struct operand *o)
{
	return VECTOR / (int)type_size(o->e->type);
}

/* From one term to the next: cells of a column are stored to different banks. */
static int pitch_of(const struct operand *o, int size)
{
	return size + (o->deep ? wide_of(o) : 0);
}

int64_t operands_shared(const struct product *p, const struct tile_form *f)
{
	int64_t bytes = 0;
	for (int side = ROWS; side <= COLUMNS; side++) {
		const struct operand *o = &p->operand[side];
		bytes += (int64_t)f->stages * f->depth * pitch_of(o, f->size[side]) * type_size(o->e->type);
	}
	return bytes;
}

void operand_open(struct tiled *t, enum side side)
{
	struct staged *s = &t->staged[side];
	const char *name = side ? "right" : "left";
	s->o = &t->p->operand[side];
	s->size = t->form.size[side];
	int share = s->size * t->form.depth / t->form.threads;
	int width = t->vectors && !(t->copied && s->o->deep) ? load_width(t->p, s->o) : 1;
	s->width = width < share ? width : share;
	s->wide = wide_of(s->o);
	s->pitch = pitch_of(s->o, s->size);
	struct kvar *(*shared)(struct kernel *, const struct type *, const char *, int64_t) = t->copied ? k_shared_asked : k_shared;
	s->shared = shared(t->k, s->o->e->type, str_print("%s_tile", name), (int64_t)t->form.stages * t->form.depth * s->pitch);
	s->shared->align = VECTOR;
	s->next = t->copied ? NULL : k_regs(t->k, s->o->e->type, str_print("%s_next", name), share);
	s->part = k_regs(t->k, s->o->e->type, name, t->form.thread[side] * (1 + t->copied));
}

/* Loads that lie one behind another: neighbouring threads have them. */
static int loads_across(const struct tiled *t, const struct staged *s)
{
	return s->o->deep ? t->form.depth / s->width : s->size / s->width;
}

/* From one load of a thread to its next one, along the other way. */
static int loads_apart(const struct tiled *t, const struct staged *s)
{
	int across = loads_across(t, s);
	assert(t->form.threads % across == 0 && "the threads take whole rows of loads");
	return t->form.threads / across;
}

struct place operand_place(struct tiled *t, const struct staged *s, struct kx *load)
{
	struct kx *across = x_i32(loads_across(t, s)), *thread = block_thread(t->l);
	struct kx *fast = x_mul(x_rem(thread, across), x_i32(s->width));
	struct kx *slow = x_add(x_div(thread, across), x_mul(load, x_i32(loads_apart(t, s))));
	return s->o->deep ? (struct place){ slow, fast } : (struct place){ fast, slow };
}

struct kx *operand_loads(struct tiled *t, const struct staged *s)
{
	int loads = s->size * t->form.depth / t->form.threads / s->width;
	return x_var(k_for(t->k, "load", x_i32(0), x_i32(loads), x_i32(1), FOR_UNROLL));
}

/* The last place of a tile where a load may begin, i32: behind it, it is loaded once more. */
static struct kx *last_place(struct tiled *t, const char *name, int places, int width, struct kx *from, struct kx *end)
{
	return tiled_let(t, name, x_to_i32(x_min(x_i64(places - width), x_sub(x_sub(end, x_i64(width)), from))));
}

void operand_last(struct tiled *t, enum side side)
{
	struct staged *s = &t->staged[side];
	if (!t->inside)
		s->last = last_place(t, side ? "last_column" : "last_row", s->size, s->o->deep ? 1 : s->width, s->first, s->end);
}

/* ---- loads ---- */

struct loaded { const struct expr *main; struct kx *cell; };

static struct kx *loaded_reader(struct lowering *l, const struct expr *read)
{
	const struct loaded *v = l->state;
	return product_same(read, v->main) ? v->cell : lower_cell(l, read);
}

/* Number w of the cells of a load; cell NULL: read where the bound indices say. */
static void take_cell(struct tiled *t, const struct staged *s, struct kx *load, int w, struct kx *cell)
{
	struct loaded loaded = { s->o->main, cell };
	t->l->read = cell ? loaded_reader : NULL;
	t->l->state = &loaded;
	k_set(t->k, x_at(x_var(s->next), x_add(x_mul(load, x_i32(s->width)), x_i32(w))), lower_expr(t->l, s->o->e));
	t->l->read = NULL;
}

/* The cells of one load, at indices that are bound to the first of them. */
static void load_cells(struct tiled *t, const struct staged *s, struct kx *load, struct kx *cell, struct kx *term)
{
	struct kx *v = NULL;
	if (s->width > 1) {
		struct kx *at = lower_cell(t->l, s->o->main);
		v = tiled_let(t, "cells", x_vload(x_offset(at->arg[0], at->arg[1]), s->width));
	}
	for (int w = 0; w < s->width; w++) {
		lower_bind(t->l, s->o->along, s->o->deep ? cell : x_add(cell, x_i64(w)));
		lower_bind(t->l, t->p->depth, s->o->deep ? x_add(term, x_i64(w)) : term);
		take_cell(t, s, load, w, v ? x_lane(v, w) : NULL);
	}
}

/* The indices of a load. */
static void bind_load(struct tiled *t, const struct staged *s, struct kx *load, struct kx *from, struct kx *last_term)
{
	struct place p = operand_place(t, s, load);
	struct kx *cell = s->last ? x_min(p.cell, s->last) : p.cell, *term = last_term ? x_min(p.term, last_term) : p.term;
	lower_bind(t->l, s->o->along, tiled_let(t, s->o->along->name, x_add(s->first, x_to_i64(cell))));
	lower_bind(t->l, t->p->depth, tiled_let(t, t->p->depth->name, x_add(from, x_to_i64(term))));
}

static void load_tile(struct tiled *t, const struct staged *s, struct kx *from, struct kx *last_term)
{
	struct kx *load = operand_loads(t, s);
	bind_load(t, s, load, from, last_term);
	load_cells(t, s, load, lower_var(t->l, s->o->along), lower_var(t->l, t->p->depth));
	k_end(t->k);
}

void operands_load(struct tiled *t, struct kx *from, bool whole)
{
	struct kx *end = x_add(t->first_term, t->terms);
	for (int side = ROWS; side <= COLUMNS; side++) {
		const struct staged *s = &t->staged[side];
		int width = s->o->deep ? s->width : 1;
		load_tile(t, s, from, whole ? NULL : last_place(t, "last_term", t->form.depth, width, from, end));
	}
}

/* ---- from tile to tile ---- */

/* Cells of memory between two of the main array, of which one has an index that is so much higher. */
static struct kx *distance(struct tiled *t, const struct expr *main, const struct var *index, int64_t higher)
{
	struct kx *sub[MAX_RANK];
	for (int a = 0; a < main->arg.n; a++) {
		struct affine place;
		int64_t by = 0;
		affine_of(main->arg.at[a], &place);
		for (int n = 0; n < place.n; n++)
			by += place.term[n].var == index ? place.term[n].coef * higher : 0;
		sub[a] = x_i64(by);
	}
	return lower_linear(t->l, main->var, sub);
}

void operand_walk(struct tiled *t, enum side side)
{
	struct staged *s = &t->staged[side];
	const struct var *slow = s->o->deep ? s->o->along : t->p->depth;
	bind_load(t, s, x_i32(0), t->first_term, NULL);
	struct kx *cell = lower_cell(t->l, s->o->main), *at = x_offset(cell->arg[0], cell->arg[1]);
	s->at = k_var(t->k, kt_pointer(s->o->main->var->type, true), side ? "right_at" : "left_at", at);
	s->apart = tiled_let(t, side ? "right_apart" : "left_apart", distance(t, s->o->main, slow, loads_apart(t, s)));
	if (s->last && s->o->deep)
		s->stride = tiled_let(t, side ? "right_stride" : "left_stride", distance(t, s->o->main, slow, 1));
}

/* From the thread's first load to that one, in cells of memory. */
struct kx *operand_distance(struct tiled *t, const struct staged *s, struct kx *load)
{
	if (!s->stride)
		return x_mul(x_to_i64(load), s->apart);
	struct kx *first = x_min(operand_place(t, s, x_i32(0)).cell, s->last), *cell = x_min(operand_place(t, s, load).cell, s->last);
	return x_mul(x_to_i64(x_sub(cell, first)), s->stride);
}

/* To the cell of the tile to come: terms lie one behind another, or so many loads apart, or all are the same cell. */
void operand_ahead(struct tiled *t, const struct staged *s)
{
	struct kx *by = s->o->deep ? x_i64(t->form.depth) : x_mul(s->apart, x_i64(t->form.depth / loads_apart(t, s)));
	if (expr_uses(s->o->main, t->p->depth))
		k_set(t->k, x_var(s->at), x_offset(x_var(s->at), by));
}

static void walk_tile(struct tiled *t, const struct staged *s)
{
	struct kx *load = operand_loads(t, s), *step = operand_distance(t, s, load), *v = NULL;
	if (s->width > 1)
		v = tiled_let(t, "cells", x_vload(x_offset(x_var(s->at), step), s->width));
	for (int w = 0; w < s->width; w++)
		take_cell(t, s, load, w, v ? x_lane(v, w) : x_at(x_var(s->at), step));
	k_end(t->k);
}

void operands_start(struct tiled *t)
{
	for (int side = ROWS; t->inside && side <= COLUMNS; side++)
		operand_walk(t, side);
	for (int side = ROWS; t->inside && side <= COLUMNS; side++)
		walk_tile(t, &t->staged[side]);
	if (!t->inside)
		operands_load(t, t->first_term, true);
}

/* Behind the last tile that is the last once more: under a condition nvcc would put the loads off until their values are
 * stored. */
void operands_next(struct tiled *t, struct kx *from, struct kx *whole)
{
	if (!t->inside) {
		struct kx *next = tiled_let(t, "next", x_min(from, x_sub(whole, x_i64(t->form.depth))));
		operands_load(t, x_add(t->first_term, next), true);
		return;
	}
	k_if(t->k, x_lt(from, whole));
	for (int side = ROWS; side <= COLUMNS; side++)
		operand_ahead(t, &t->staged[side]);
	k_end(t->k);
	for (int side = ROWS; side <= COLUMNS; side++)
		walk_tile(t, &t->staged[side]);
}

/* ---- into shared memory ---- */

struct kx *operand_row(const struct tiled *t, const struct staged *s, struct kx *buffer, struct kx *term)
{
	return x_mul(x_add(x_mul(buffer, x_i32(t->form.depth)), term), x_i32(s->pitch));
}

static void store_tile(struct tiled *t, const struct staged *s)
{
	struct kx *load = operand_loads(t, s);
	struct place p = operand_place(t, s, load);
	struct kvar *v = s->o->deep || s->width == 1 ? NULL : k_var(t->k, kt_vector(s->o->e->type, s->width), "cells", NULL);
	for (int w = 0; w < s->width; w++) {
		struct kx *value = x_at(x_var(s->next), x_add(x_mul(load, x_i32(s->width)), x_i32(w)));
		if (v)
			k_set(t->k, x_lane(x_var(v), w), value);
		else
			k_set(t->k, x_at(x_var(s->shared), x_add(operand_row(t, s, x_var(t->buffer), x_add(p.term, x_i32(w))), p.cell)), value);
	}
	if (v)
		k_vstore(t->k, x_offset(x_var(s->shared), x_add(operand_row(t, s, x_var(t->buffer), p.term), p.cell)), x_var(v));
	k_end(t->k);
}

void operands_store(struct tiled *t)
{
	for (int side = ROWS; side <= COLUMNS; side++)
		store_tile(t, &t->staged[side]);
}
