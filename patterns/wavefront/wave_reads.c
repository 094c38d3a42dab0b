/* wave_reads.c - what the cells of a strip read of other arrays at their own row, column or both, and old values of
 * the tables: loaded once, neighbouring lanes neighbouring cells, long before it is used.
 *
 *   q[i]       registers of the lane that has the row, filled when the strip begins
 *   d[j]       comes from lane to lane as the row above does: the first lane finds a part of it in shared memory
 *   p[i, j]    a ring of RING places of each row in shared memory: in the step that completes a piece of a row
 *              (wave_segments.c), the piece RING places on takes its room.  Old values of a table likewise, with the
 *              rows below the strip, which wave_below.c has copied.
 *
 * Everything else is read where it is needed. */
#include <string.h>
#include "../access.h"
#include "wave_strips.h"

enum { RING = 4 * PART };

/* ---- which reads ---- */

/* Of the node's indices, which subscript a is; -1: none, or not always inside. */
static int bare_index(const struct node *node, const struct expr *read, int a)
{
	for (int d = 0; d < node->index.n; d++)
		if (read->arg.at[a]->kind == E_VAR && read->arg.at[a]->var == node->index.at[d])
			return cells_index_inside(node, d, &read->var->extent[a]) ? d : -1;
	return -1;
}

static struct strip_read *read_find(const struct strips *s, const struct expr *read)
{
	for (int i = 0; i < s->read.n; i++)
		if (access_same(s->read.at[i]->read, read))
			return s->read.at[i];
	return NULL;
}

static bool find_read(struct expr *e, void *strips)
{
	struct strips *s = strips;
	const struct node *node = s->axes.node;
	struct strip_read found = { .read = e, .column = node->index.at[axis_index(&s->axes, node->index.n - 1)] };
	if (e->kind != E_READ || e->checked || type_words(e->type) > 2 || read_find(s, e))
		return true;
	for (int a = 0; a < e->var->rank; a++) {
		int d = bare_index(node, e, a);
		if (d < 0)
			return true;
		found.rows |= d == axis_index(&s->axes, node->index.n - 2);
		found.columns |= d == axis_index(&s->axes, node->index.n - 1);
	}
	if (found.rows || found.columns)
		list_add(&s->read, memcpy(NEW(struct strip_read), &found, sizeof found));
	return true;
}

/* Is what the neighbour looks at, if it is old, still in a ring? */
static bool old_fits(const struct strips *s, const struct neighbour *n)
{
	struct step step = step_of(s->axes.node, n);
	return n->fresh || (step.here && step.column >= 0 && step.column <= PART && step.row <= s->rows);
}

static bool old_any(const struct strips *s, int q)
{
	bool any = false;
	for (int r = 0; r < s->axes.node->wave->read.n; r++) {
		const struct neighbour *n = s->axes.node->wave->read.at[r];
		if (n->equation != q)
			continue;
		if (!old_fits(s, n))
			return false;
		any |= !n->fresh;
	}
	return any;
}

void reads_find(struct strips *s)
{
	const struct node *node = s->axes.node;
	for (int q = 0; q < node->equation.n; q++)
		expr_walk(node->equation.at[q]->right, find_read, s);
	if (node->where)
		expr_walk(node->where, find_read, s);
}

static int64_t ring_rows(const struct strips *s, bool old)
{
	return strip_rows(s) + (old ? s->below : 0);
}

static bool has_ring(const struct strip_read *r)
{
	const struct expr *read = r->read, *last = read->arg.at[read->arg.n - 1];
	return r->rows && r->columns && last->var == r->column && read->type->kind != T_STRUCT && !var_home(read->var);
}

static bool old_ring(const struct strips *s, int q)
{
	return s->table[q].type->kind != T_STRUCT && old_any(s, q);
}

int64_t reads_bytes(const struct strips *s)
{
	int64_t bytes = 0;
	for (int i = 0; i < s->read.n; i++)
		if (has_ring(s->read.at[i]))
			bytes += type_size(s->read.at[i]->read->type) * ring_rows(s, false) * RING;
	for (int q = 0; q < s->axes.node->equation.n; q++)
		if (old_ring(s, q))
			bytes += type_size(s->table[q].type) * ring_rows(s, true) * RING;
	return bytes;
}

/* Host: the rows of all rings are whole vectors at multiples of 16 bytes; NULL: always. */
struct kx *reads_aligned(const struct strips *s)
{
	const struct axes *a = &s->axes;
	struct lowering *host = host_lowering(a->plan);
	struct kx *all = NULL;
	for (int i = 0; i < s->read.n && s->rings; i++) {
		const struct var *var = s->read.at[i]->read->var;
		if (!has_ring(s->read.at[i]))
			continue;
		struct kx *width = x_i64(16 / type_size(var->type)), *arg[] = { host_var_x(a->plan, var), x_i64(16) };
		all = x_and(all, x_help(kt_scalar(T_BOOL), "patc_aligned", 2, arg));
		all = x_and(all, x_eq(x_rem(lower_pitch(host, var, var->rank - 1), width), x_i64(0)));
		all = x_and(all, x_eq(x_rem(a->host_lo[a->n - 1], width), x_i64(0)));
	}
	return all;
}

/* ---- rings ---- */

static struct kx *ring_place(const struct strips *s, struct kx *row, struct kx *place)
{
	(void)s;
	return x_add(x_mul(row, x_i32(RING)), x_op(OP_AND, x_to_i32(place), x_i32(RING - 1)));
}

/* What an element of an array is copied with: nothing waits for it but the next turn of the ring. */
static void copy(struct strips *s, struct kx *to, struct kx *from, int64_t bytes)
{
	struct kernel *k = s->axes.l->k;
	if (bytes == 4 || bytes == 8 || bytes == 16)
		k_do(k, x_help(kt_scalar(T_I32), str_print("patc_copy_%d", (int)bytes), 2, (struct kx *[]){ x_offset(to->arg[0], to->arg[1]), x_offset(from->arg[0], from->arg[1]) }));
	else
		k_set(k, to, from);
}

static void bind_cell(struct strips *s, struct kx *row, struct kx *column)
{
	struct axes *a = &s->axes;
	axis_bind(a, a->n - 2, x_add(s->first_row, x_to_i64(row)));
	axis_bind(a, a->n - 1, column);
}

/* Is the bound cell in its array, and of what is not a table, in the domain? */
static struct kx *cell_inside(struct strips *s, const struct expr *cell, bool old, struct kx *row, struct kx *column)
{
	if (old)
		return wave_inside(s->axes.l, s->axes.node, cell);
	return x_and(x_lt(x_add(s->first_row, x_to_i64(row)), s->all_rows), x_lt(column, s->all_columns));
}

static void fill_cells(struct strips *s, struct kvar *ring, const struct expr *cell, bool old, struct kx *row, struct kx *place, int width)
{
	struct kernel *k = s->axes.l->k;
	struct kx *e = width > 1 ? x_var(k_for(k, "e", x_i32(0), x_i32(width), x_i32(1), FOR_ROLLED)) : x_i32(0);
	struct kx *column = x_var(k_let(k, "column", x_add(place, x_to_i64(e))));
	bind_cell(s, row, column);
	k_if(k, cell_inside(s, cell, old, row, column));
	copy(s, x_at(x_var(ring), ring_place(s, row, column)), lower_cell(s->axes.l, cell), type_size(cell->type));
	k_end(k);
	if (width > 1)
		k_end(k);
}

/* Some places of a row, a vector at most; where rows are not known to exist, one by one. */
static void fill(struct strips *s, struct kvar *ring, const struct expr *cell, bool old, struct kx *row, struct kx *place, enum strip_mode mode)
{
	struct kernel *k = s->axes.l->k;
	int width = s->vectors ? (int)(16 / type_size(cell->type)) : 1;
	place = x_var(k_let(k, "place", place));
	if (width == 1 || mode == STRIP_EDGE) {
		fill_cells(s, ring, cell, old, row, place, width);
		return;
	}
	k_if(k, x_le(x_add(place, x_i64(width)), s->all_columns));
	bind_cell(s, row, place);
	copy(s, x_at(x_var(ring), ring_place(s, row, place)), lower_cell(s->axes.l, cell), 16);
	k_else(k);
	fill_cells(s, ring, cell, old, row, place, width);
	k_end(k);
}

/* A row below the strip, from what was copied: all lanes, a place each. */
static void fill_below(struct strips *s, int q, struct kx *first, int64_t places)
{
	struct kernel *k = s->axes.l->k;
	struct strip_table *t = &s->table[q];
	struct kx *b = x_var(k_for(k, "below_row", x_i32(0), x_i32((int32_t)s->below), x_i32(1), FOR_ROLLED));
	struct kx *i = x_var(k_for(k, "i", s->lane, x_i32((int32_t)places), x_i32(s->lanes), FOR_ROLLED));
	struct kx *place = x_var(k_let(k, "place", x_add(first, x_to_i64(i))));
	k_if(k, x_and(x_lt(x_add(s->strip, x_i64(1)), s->strips), x_lt(place, x_add(s->all_columns, x_i64(s->below_right)))));
	struct kx *row = x_add(b, x_i32((int32_t)strip_rows(s)));
	copy(s, x_at(x_var(t->ring), ring_place(s, row, place)), x_at(t->below_x, below_place(s, x_to_i64(b), place)), type_size(t->type));
	k_end(k);
	k_end(k);
	k_end(k);
}

/* In the last strip there is memory below, if anything. */
static void fill_last(struct strips *s, int q, struct kx *first, int64_t places)
{
	struct kernel *k = s->axes.l->k;
	struct kx *b = x_var(k_for(k, "below_row", x_i32(0), x_i32((int32_t)s->below), x_i32(1), FOR_ROLLED));
	struct kx *i = x_var(k_for(k, "i", s->lane, x_i32((int32_t)places), x_i32(s->lanes), FOR_ROLLED));
	struct kx *row = x_add(b, x_i32((int32_t)strip_rows(s)));
	k_if(k, x_eq(x_add(s->strip, x_i64(1)), s->strips));
	fill_cells(s, s->table[q].ring, wave_table(s->axes.node, q), true, row, x_add(first, x_to_i64(i)), 1);
	k_end(k);
	k_end(k);
	k_end(k);
}

static void prime(struct strips *s, struct kvar *ring, const struct expr *cell, bool old)
{
	struct kernel *k = s->axes.l->k;
	int width = s->vectors ? (int)(16 / type_size(cell->type)) : 1, lanes_of_row = RING / width;
	struct kx *cells = x_i32((int32_t)(strip_rows(s) * lanes_of_row));
	struct kx *i = x_var(k_for(k, "i", s->lane, cells, x_i32(s->lanes), FOR_ROLLED));
	struct kx *row = x_div(i, x_i32(lanes_of_row)), *place = x_to_i64(x_mul(x_rem(i, x_i32(lanes_of_row)), x_i32(width)));
	k_if(k, x_le(x_add(s->first_row, x_i64(strip_rows(s))), s->all_rows));
	fill(s, ring, cell, old, row, place, STRIP_START);
	k_else(k);
	fill(s, ring, cell, old, row, place, STRIP_EDGE);
	k_end(k);
	k_end(k);
}

/* ---- a strip begins ---- */

static void copies(struct strips *s, const char *what)
{
	if (s->rings)
		k_do(s->axes.l->k, x_help(kt_scalar(T_I32), str_print("patc_copies_%s", what), 0, NULL));
}

static void open_read(struct strips *s, struct strip_read *r)
{
	struct axes *a = &s->axes;
	struct lowering *l = a->l;
	struct kernel *k = l->k;
	const struct type *type = r->read->type;
	const char *name = r->read->var->name;
	if (has_ring(r) && s->rings) {
		r->ring = k_shared(k, type, str_print("%s_ring", name), ring_rows(s, false) * RING);
		r->ring->align = 16;
		prime(s, r->ring, r->read, false);
	} else if (!r->columns) {
		r->held = k_regs(k, type, str_print("%s_held", name), s->rows);
		struct kx *i = x_var(k_for(k, "r", x_i32(0), x_i32(s->rows), x_i32(1), FOR_UNROLL));
		struct kx *row = x_add(s->lane_row, x_to_i64(i));
		axis_bind(a, a->n - 2, row);
		accumulator_copy(l, x_at(x_var(r->held), i), lower_zero(type));
		k_if(k, x_lt(row, s->all_rows));
		accumulator_copy(l, x_at(x_var(r->held), i), lower_cell(l, r->read));
		k_end(k);
		k_end(k);
	} else if (!r->rows) {
		r->held = k_regs(k, type, str_print("%s_held", name), s->columns);
		r->top = k_shared(k, type, str_print("%s_next", name), PART);
		r->asked = k_var(k, kt(type), str_print("%s_asked", name), lower_zero(type));
		struct kx *c = x_var(k_for(k, "c", x_i32(0), x_i32(s->columns), x_i32(1), FOR_UNROLL));
		accumulator_copy(l, x_at(x_var(r->held), c), lower_zero(type));
		k_end(k);
	}
}

void reads_open(struct strips *s)
{
	bool any = false;
	for (int i = 0; i < s->read.n; i++) {
		open_read(s, s->read.at[i]);
		any |= s->read.at[i]->ring != NULL;
	}
	for (int q = 0; q < s->axes.node->equation.n && s->rings; q++) {
		struct strip_table *t = &s->table[q];
		if (!old_ring(s, q))
			continue;
		any = true;
		t->ring = k_shared(s->axes.l->k, t->type, str_print("%s_ring", wave_table(s->axes.node, q)->var->name), ring_rows(s, true) * RING);
		t->ring->align = 16;
		prime(s, t->ring, wave_table(s->axes.node, q), true);
		if (t->below_x) {
			fill_below(s, q, x_i64(0), RING);
			fill_last(s, q, x_i64(0), RING);
		}
	}
	s->rings = any;
	if (any) {
		copies(s, "all");
		warp_sync(s->axes.l);
	}
}

bool reads_by_column(const struct strips *s)
{
	for (int i = 0; i < s->read.n; i++)
		if (s->read.at[i]->top)
			return true;
	return false;
}

/* ---- a part begins ---- */

void reads_ask(struct strips *s, struct kx *place)
{
	struct axes *a = &s->axes;
	struct kernel *k = a->l->k;
	k_if(k, x_and(x_lt(s->lane, x_i32(PART)), x_lt(place, s->all_columns)));
	axis_bind(a, a->n - 1, place);
	for (int i = 0; i < s->read.n; i++)
		if (s->read.at[i]->top)
			accumulator_copy(a->l, x_var(s->read.at[i]->asked), lower_cell(a->l, s->read.at[i]->read));
	k_end(k);
}

void reads_take(struct strips *s)
{
	for (int i = 0; i < s->read.n; i++)
		if (s->read.at[i]->top)
			accumulator_copy(s->axes.l, x_at(x_var(s->read.at[i]->top), s->lane), x_var(s->read.at[i]->asked));
}

/* What was asked for until the part before the last has come. */
void reads_wait(struct strips *s)
{
	copies(s, "but_one");
}

void reads_close(struct strips *s)
{
	copies(s, "end");
}

/* ---- a step ---- */

void reads_move(struct strips *s, struct kx *at)
{
	struct lowering *l = s->axes.l;
	for (int i = 0; i < s->read.n; i++) {
		struct strip_read *r = s->read.at[i];
		if (!r->top)
			continue;
		struct accumulator one = { .of = r->read->type, .type = r->read->type };
		struct kx *c = x_var(k_for(l->k, "c", x_i32(0), x_i32(s->columns), x_i32(1), FOR_UNROLL));
		struct kx *to = x_at(x_var(r->held), c), *got = accumulator_shuffle(l, &one, to, "up_", x_i32(1));
		accumulator_copy(l, to, got);
		k_if(l->k, x_eq(s->lane, x_i32(0)));
		accumulator_copy(l, to, x_at(x_var(r->top), x_add(at, c)));
		k_end(l->k);
		k_end(l->k);
	}
}

static void fill_piece(struct strips *s, struct kvar *ring, const struct expr *cell, bool old, struct kx *step, enum strip_mode mode)
{
	int width = s->vectors ? (int)(16 / type_size(cell->type)) : 1;
	struct piece p = piece_open(s, step, width, mode);
	fill(s, ring, cell, old, p.row, x_add(x_add(p.begin, x_i64(RING)), x_to_i64(p.within)), mode);
	piece_close(s, &p);
}

/* When the last lane completes a piece. */
static void fill_below_piece(struct strips *s, int q, struct kx *step)
{
	struct kernel *k = s->axes.l->k;
	int last = s->lanes - 1, steps = steps_of_piece(s);
	k_if(k, x_eq(step, x_i32((last - 1) % steps)));
	struct kx *begin = x_sub(s->next_place, x_i64((int64_t)last * s->columns + PART));
	k_if(k, x_le(x_i64(0), begin));
	fill_below(s, q, x_add(begin, x_i64(RING)), PART);
	fill_last(s, q, x_add(begin, x_i64(RING)), PART);
	k_end(k);
	k_end(k);
}

/* The piece that a step completed is read no more: the one RING places on takes its room. */
void reads_fill(struct strips *s, struct kx *step, enum strip_mode mode)
{
	for (int i = 0; i < s->read.n; i++)
		if (s->read.at[i]->ring)
			fill_piece(s, s->read.at[i]->ring, s->read.at[i]->read, false, step, mode);
	for (int q = 0; q < s->axes.node->equation.n; q++)
		if (s->table[q].ring) {
			fill_piece(s, s->table[q].ring, wave_table(s->axes.node, q), true, step, mode);
			if (s->table[q].below_x)
				fill_below_piece(s, q, step);
		}
}

struct kx *old_held(struct strips *s, const struct neighbour *n)
{
	struct strip_table *t = &s->table[n->equation];
	struct step step = step_of(s->axes.node, n);
	if (n->fresh || !step.here || !t->ring)
		return NULL;
	struct kx *row = x_add(x_add(x_mul(s->lane, x_i32(s->rows)), s->r), x_i32((int32_t)step.row));
	return x_at(x_var(t->ring), ring_place(s, row, x_add(s->column, x_i64(step.column))));
}

struct kx *strip_read(struct lowering *l, const struct expr *e)
{
	struct strips *s = (struct strips *)l->state;
	const struct strip_read *r = e->checked ? NULL : read_find(s, e);
	if (r && r->ring)
		return x_at(x_var(r->ring), ring_place(s, x_add(x_mul(s->lane, x_i32(s->rows)), s->r), s->column));
	if (r && r->held)
		return x_at(x_var(r->held), r->rows ? s->r : s->c);
	return lower_cell(l, e);
}
