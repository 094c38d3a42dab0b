/* scan_tile.c - the cells of a tile: scan_tile.h.
 *
 * Cells are numbered in the order of the scan: from right the last cell is number 0, or a few numbers later, so
 * that vectors stay whole.  Many sequences side by side are one long one, in which a cell may begin a sequence. */
#include <assert.h>
#include "scan_tile.h"

/* ---- the arrays ---- */

static bool hold(struct expr *e, void *state)
{
	struct holding *h = state;
	if (!scan_own(h->node, e))
		return true;
	for (int i = 0; i < h->at.n; i++)
		if (h->at.at[i] == e->var)
			return true;
	list_add(&h->at, e->var);
	return true;
}

struct holding held_arrays(const struct scan *s)
{
	struct holding h = { .node = s->node };
	if (s->flat)
		scan_each(s->node, hold, &h);
	return h;
}

struct holding flat_arrays(const struct scan *s)
{
	struct holding h = held_arrays(s);
	for (int i = 0; node_target(s->node, i); i++)
		hold(target_read(node_target(s->node, i)), &h);
	return h;
}

/* ---- where a cell lies ---- */

struct kx *vector_number(const struct tiles *t, struct kx *v)
{
	if (t->strips && !t->moves)
		return x_add(x_mul(t->back->lane, x_i32(t->vectors)), v);
	return x_add(x_mul(v, x_i32(t->s->l->target->lanes)), t->back->lane);
}

struct kx *cell_number(const struct tiles *t, struct kx *v, struct kx *c)
{
	struct kx *at = x_mul(vector_number(t, v), x_i32(t->s->width));
	return x_add(t->first, x_to_i64(c ? x_add(at, c) : at));
}

struct kx *lane_of_cell(const struct tiles *t, struct kx *c)
{
	return t->s->running->from_right ? x_sub(x_i32(t->s->width - 1), c) : c;
}

/* In registers v by v; in shared memory as the cells lie in the array. */
struct kx *cell_slot(const struct tiles *t, struct kx *v, struct kx *c)
{
	int vectors = t->vectors * t->s->l->target->lanes;
	struct kx *vector = v;
	if (t->strips) {
		vector = vector_number(t, v);
		vector = t->last ? x_sub(x_i32(vectors - 1), vector) : vector;
		vector = x_add(x_mul(t->back->warp, x_i32(vectors)), vector);
	}
	return x_add(x_mul(vector, x_i32(t->s->width)), c ? lane_of_cell(t, c) : x_i32(0));
}

struct kx *tile_padding(const struct tiles *t)
{
	return t->last && t->s->width > 1 ? x_sub(x_add(t->last, x_i64(1)), scan_count(t->s)) : x_i64(0);
}

bool tile_counts(const struct tiles *t)
{
	return t->s->node->index.n > 1;
}

/* Place `at` of sequences of that length, counted from the begin of one: the place in its own.  Cheap where it can
 * be: a tile reaches into the next sequence at most, or fits 32 bits. */
static struct kx *place_in(struct kx *at, struct kx *length)
{
	struct ktype u32 = kt_scalar(T_U32);
	struct kx *small = x_to_i64(x_op(OP_REM, x_cast(u32, at), x_cast(u32, length)));
	struct kx *far = x_cond(x_lt(length, x_i64(INT64_C(1) << 31)), small, x_sub(at, length));
	return x_cond(x_lt(at, length), at, far);
}

/* The marks of a vector's cells lie in one word, whose bits it divides; in the tile's own all are there. */
void open_marks(struct tiles *t, struct kx *v)
{
	struct scan *s = t->s;
	bool global = s->marks && !tile_counts(t) && t->held && !t->last && s->width > 1 && x_is_int(scan_lo(s, s->axis), 0);
	if (!global && !t->marks)
		return;
	struct kx *first = x_var(k_let(s->l->k, "start", cell_number(t, v, NULL)));
	struct kx *at = x_min(first, x_sub(scan_count(s), x_i64(1))), *bit = x_to_i32(x_op(OP_AND, first, x_i64(31)));
	struct kx *word = t->marks ? NULL : x_at(s->marks, x_op(OP_SHR, at, x_i32(5)));
	if (t->marks) {
		struct kx *slot = cell_slot(t, v, NULL);
		word = x_at(x_var(t->marks), x_op(OP_SHR, slot, x_i32(5)));
		bit = x_op(OP_AND, slot, x_i32(31));
	}
	struct kx *very_first = x_cond(x_eq(first, x_i64(0)), x_int(T_U32, 1), x_int(T_U32, 0));
	s->mark_bits = x_var(k_let(s->l->k, "marks", x_op(OP_OR, x_op(OP_SHR, word, bit), very_first)));
}

void open_place(struct tiles *t, struct kx *v)
{
	struct scan *s = t->s;
	struct kernel *k = s->l->k;
	if (!tile_counts(t))
		return;
	struct kx *length = scan_size(s, s->axis);
	struct kx *at = x_mul(x_add(vector_number(t, v), x_mul(t->back->warp, x_i32((int)(t->stretch / s->width)))), x_i32(s->width));
	at = x_var(k_let(k, "at", x_add(t->offset, x_to_i64(at))));
	t->column = x_var(k_let(k, "start", place_in(at, length)));
	s->column = k_var(k, kt_scalar(T_I64), "column", t->column);
	s->row = NULL;
	if (scan_uses_row(s, false))
		s->row = k_var(k, kt_scalar(T_I64), "row", x_add(t->outer, x_div(at, length)));
}

void next_cell(struct tiles *t)
{
	struct scan *s = t->s;
	struct kernel *k = s->l->k;
	if (!tile_counts(t) || s->width == 1)
		return;
	k_set(k, x_var(s->column), x_add(x_var(s->column), x_i64(1)));
	k_if(k, x_eq(x_var(s->column), scan_size(s, s->axis)));
	k_set(k, x_var(s->column), x_i64(0));
	if (s->row)
		k_set(k, x_var(s->row), x_add(x_var(s->row), x_i64(1)));
	k_end(k);
}

struct kx *row_there(struct tiles *t)
{
	struct scan *s = t->s;
	struct kx *row = s->row ? x_var(s->row) : NULL;
	if (row && t->held)
		row = x_min(row, x_sub(t->all_rows, x_i64(1)));
	if (row && t->last)
		row = x_sub(x_sub(t->all_rows, x_i64(1)), t->held ? x_max(row, x_i64(0)) : row);
	return row;
}

/* Its number, and its indices if something asks for them. */
void set_cell(struct tiles *t, struct kx *v, struct kx *c)
{
	struct scan *s = t->s;
	struct kx *number = cell_number(t, v, c), *column = tile_counts(t) ? x_var(s->column) : x_sub(number, tile_padding(t));
	if (t->held && !tile_counts(t))
		column = x_min(column, x_sub(scan_count(s), x_i64(1)));
	s->slot = t->held ? cell_slot(t, v, c) : NULL;
	s->lane = s->mark = c ? lane_of_cell(t, c) : x_i32(0);
	s->number = t->last ? x_sub(t->last, number) : number;
	scan_bind(s, column, row_there(t));
}

static struct kx *begins_here(struct tiles *t, struct kx *v, struct kx *c)
{
	struct scan *s = t->s;
	if (tile_counts(t) || !s->even || s->cuts)
		return scan_head(s, tile_counts(t) ? x_var(s->column) : NULL);
	if (!carry_marks(s->carry))
		return NULL;
	struct kx *first = x_eq(cell_number(t, v, c), tile_padding(t));
	return t->held ? x_and(x_eq(v, x_i32(0)), first) : first;
}

struct kx *head_of(struct tiles *t, struct kx *v, struct kx *c)
{
	struct kx *head = begins_here(t, v, c);
	return head ? x_var(k_let(t->s->l->k, "head", head)) : NULL;
}

struct kx *is_there(struct tiles *t)
{
	struct scan *s = t->s;
	struct kx *there = x_lt(s->number, scan_count(s));
	there = t->last ? x_and(x_le(x_i64(0), s->number), there) : there;
	there = x_and(there, s->even ? NULL : cells_guard(s->cells));
	return x_and(there, scan_inside(s));
}

/* ---- loops over cells ---- */

struct kx *open_lanes(struct tiles *t)
{
	struct scan *s = t->s;
	return s->width > 1 ? x_var(k_for(s->l->k, "c", x_i32(0), x_i32(s->width), x_i32(1), FOR_UNROLL)) : NULL;
}

void close_lanes(struct tiles *t)
{
	if (t->s->width > 1)
		k_end(t->s->l->k);
}

/* Note [cells that are not there]: whoever has a number outside the array holds the cell nearest to it instead, so
 * that a tile is computed in one way whether it is whole or not.  Such cells come behind all others, and are not
 * stored; only from right those of a first vector come before, and are left out. */
void load_cells(struct tiles *t, const struct held *h, struct kx *v)
{
	struct scan *s = t->s;
	struct kernel *k = s->l->k;
	struct kx *c = open_lanes(t), *number = cell_number(t, v, c);
	struct kx *at = number;
	if (t->last)
		at = x_max(x_sub(t->last, number), x_i64(0));
	at = x_min(at, x_sub(scan_count(s), x_i64(1)));
	k_set(k, x_at(x_var(h->cells), cell_slot(t, v, c)), x_at(lower_pointer(s->l, h->var), at));
	close_lanes(t);
}

struct kx *open_cells(struct tiles *t, struct kx *v)
{
	struct scan *s = t->s;
	struct kernel *k = s->l->k;
	struct kx *c = s->width > 1 ? x_var(k_for(k, "c", x_i32(0), x_i32(s->width), x_i32(1), t->held ? FOR_UNROLL : FOR_ROLLED)) : NULL;
	set_cell(t, v, c);
	if (!t->held)
		k_if(k, is_there(t));
	else if (t->last && s->width > 1)
		k_if(k, x_or(x_lt(x_i32(0), v), x_le(tile_padding(t), cell_number(t, v, c))));
	return c;
}

void close_cells(struct tiles *t)
{
	if (!t->held || (t->last && t->s->width > 1))
		k_end(t->s->l->k);
	next_cell(t);
	close_lanes(t);
}

void set_stored(struct tiles *t, struct kx *v, struct kx *c)
{
	struct scan *s = t->s;
	struct kx *number = cell_number(t, v, c);
	s->number = t->last ? x_sub(t->last, number) : number;
	if (s->first_offset)
		scan_bind(s, tile_counts(t) ? x_var(s->column) : x_sub(number, tile_padding(t)), NULL);
}

void store_cell(struct tiles *t, int target, struct kx *v, struct kx *c, struct kx *value)
{
	struct scan *s = t->s;
	const struct var *var = target_read(node_target(s->node, target))->var;
	struct kx *number = cell_number(t, v, c);
	k_set(s->l->k, x_at(lower_pointer(s->l, var), t->last ? x_sub(t->last, number) : number), value);
}

/* ---- the two passes ---- */

void tile_first(struct tiles *t, struct total *total, struct kx *v)
{
	struct scan *s = t->s;
	open_marks(t, v);
	struct kx *c = open_cells(t, v), *head = head_of(t, v, c);
	if (total->begins && head)
		k_set(s->l->k, x_var(total->begins), x_or(x_var(total->begins), head));
	carry_add(s->carry, &total->acc, head);
	close_cells(t);
}

void declare_out(struct tiles *t)
{
	struct scan *s = t->s;
	s->out.n = 0;
	for (int i = 0; t->held && s->width > 1 && node_target(s->node, i); i++) {
		const struct var *var = target_read(node_target(s->node, i))->var;
		list_add(&s->out, k_var(s->l->k, kt_vector(var->type, s->width), str_print("%s%d", var->name, s->width), NULL));
	}
}

void tile_resume(struct tiles *t, const struct total *up_to)
{
	struct scan *s = t->s;
	if (s->running->froms && s->row)
		scan_bind_row(s, row_there(t));
	carry_resume(s->carry, &up_to->acc);
}

void tile_second(struct tiles *t, struct kx *v)
{
	struct scan *s = t->s;
	open_marks(t, v);
	struct kx *c = open_cells(t, v), *head = head_of(t, v, c);
	s->stores = t->held ? x_or(x_and(t->whole, scan_all_inside(s)), is_there(t)) : NULL;
	carry_cell(s->carry, head, scan_store, s);
	close_cells(t);
}
