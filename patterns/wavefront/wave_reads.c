/* wave_reads.c - what the cells of a strip read of other arrays, and old values of the tables:
 * loaded long before use.
 *
 *   q[i]       in registers of the lane that has the row, filled when the strip begins
 *   d[j]       in shared memory, with the columns of all lanes (Note [columns near])
 *   p[i, j]    a ring of RING places of each row in shared memory (rings.kernel); old values of a
 *              table likewise, with the rows below the strip, which wave_below.c has copied
 *
 * What a step reads of them is in registers before it begins.  Everything else is read where it
 * is needed. */
#include <string.h>
#include "../access.h"
#include "wave_strips.h"

enum { MOST_OLD = 48 };                  /* registers for old values */

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
	struct strip_read found = {
		.read = e, .column = node->index.at[axis_index(&s->axes, node->index.n - 1)]
	};
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
	return n->fresh
	       || (step.here && step.column >= 0 && step.column <= PART / 2
	           && step.row <= s->shape->rows);
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
	return strip_rows(s) + (old ? s->shape->below : 0);
}

static bool has_ring(const struct strip_read *r)
{
	const struct expr *read = r->read, *last = read->arg.at[read->arg.n - 1];
	return r->rows && r->columns && last->var == r->column && read->type->kind != T_STRUCT
	       && !var_home(read->var);
}

bool old_ring(const struct strips *s, int q)
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

/* Host: the rows of all rings are whole vectors at multiples of 16 bytes, as many as they have
 * columns; NULL: always. */
static struct kx *ring_aligned(const struct strips *s, const struct var *var, struct kx *first)
{
	struct lowering *host = host_lowering(s->axes.plan);
	struct kx *width = x_i64(16 / type_size(var->type)),
		  *all = plan_aligned(s->axes.plan, var, 16 / type_size(var->type));
	all = x_and(all, x_eq(x_rem(lower_pitch(host, var, var->rank - 1), width), x_i64(0)));
	all = x_and(all, x_eq(x_rem(lower_extent(host, var, var->rank - 1), width), x_i64(0)));
	return x_and(all, x_eq(x_rem(x_sub(first, s->host.before), width), x_i64(0)));
}

struct kx *reads_aligned(const struct strips *s)
{
	const struct axes *a = &s->axes;
	struct kx *all = NULL;
	for (int i = 0; i < s->read.n && s->kind->rings; i++)
		if (has_ring(s->read.at[i]))
			all = x_and(all, ring_aligned(s, s->read.at[i]->read->var,
			                              a->host_lo[a->n - 1]));
	for (int q = 0; q < a->node->equation.n && s->kind->rings; q++) {
		const struct expr *cell = wave_table(a->node, q);
		if (old_ring(s, q))
			all = x_and(
				all,
				ring_aligned(s, cell->var,
			                     x_add(a->host_lo[a->n - 1],
			                           x_i64(cell->affine[cell->arg.n - 1].constant))));
	}
	return all;
}

/* ---- cells where there are none ---- */

/* A value that is any: no address, no division by it. */
static bool is_harmless(struct expr *e, void *strips)
{
	const struct strips *s = strips;
	if (e->kind == E_READ) {
		const struct strip_read *r = read_find(s, e);
		return !e->checked && r
		       && (!r->rows || !r->columns || (has_ring(r) && s->kind->rings));
	}
	bool divides = e->kind == E_BINARY
	               && (e->op == OP_DIV || e->op == OP_REM || e->op == OP_SHL
	                   || e->op == OP_SHR);
	if (divides && type_class(e->type) != 'F' && e->arg.at[1]->kind != E_CONST)
		return false;
	return e->kind != E_CALL && e->kind != E_FOLD && !(e->kind == E_ELEM && e->var);
}

/* Of a neighbour that is in no window: where it is read, and what it is outside. */
static bool neighbour_harmless(const struct strips *s, const struct neighbour *n)
{
	int64_t row, place;
	bool at_cell = true;
	for (int k = 0; k < s->axes.node->index.n; k++)
		at_cell &= n->step[k] == 0;
	if (neighbour_near(s, n, &row, &place) || (n->fresh && at_cell))
		return true;
	if (n->outside && !expr_walk(n->outside, is_harmless, (void *)s))
		return false;
	return !n->fresh && step_of(s->axes.node, n).here && s->kind->rings
	       && old_ring(s, n->equation);
}

bool reads_harmless(struct strips *s)
{
	const struct node *node = s->axes.node;
	for (int q = 0; q < node->equation.n; q++)
		if (!expr_walk(node->equation.at[q]->right, is_harmless, s))
			return false;
	for (int r = 0; r < node->wave->read.n; r++)
		if (!neighbour_harmless(s, node->wave->read.at[r]))
			return false;
	return true;
}

/* ---- rings ---- */

static struct kx *ring_place(const struct strips *s, struct kx *row, struct kx *place)
{
	return k_value(s->axes.l->k, "ring_at", row, place);
}

void bind_cell(struct strips *s, struct kx *row, struct kx *column)
{
	struct axes *a = &s->axes;
	axis_bind(a, a->n - 2, x_add(get(s, "first_row"), x_to_i64(row)));
	axis_bind(a, a->n - 1, column);
}

struct kx *cell_address(struct strips *s)
{
	struct kx *cell = lower_cell(s->axes.l, s->now.cell);
	return x_offset(cell->arg[0], cell->arg[1]);
}

static int ring_width(const struct strips *s, const struct expr *cell)
{
	return s->kind->vectors ? (int)(16 / type_size(cell->type)) : 1;
}

static void bind_ring(struct strips *s, const struct expr *cell, struct kvar *ring, bool old)
{
	bind_array(s, cell, ring_width(s, cell));
	k_bind(s->axes.l->k, "ring", ring);
	k_numbers(s->axes.l->k, "OLD, BYTES", old, type_size(cell->type));
}

void bind_old(struct strips *s, int q)
{
	const struct strip_table *t = &s->table[q];
	bind_ring(s, wave_table(s->axes.node, q), t->ring, true);
	if (t->below_x)
		k_bind(s->axes.l->k, "below", t->below_x);
	if (t->below_rows)
		k_bind(s->axes.l->k, "rows_below", t->below_rows);
}

/* ---- a strip begins ---- */

/* Rows of old values that a lane looks at. */
static int64_t old_rows(const struct strips *s)
{
	return s->shape->rows + s->shape->below;
}

/* Columns of a row of the ring, so many after the lane's first of the next step. */
static struct kx *ring_columns(struct strips *s, int64_t row, int64_t column)
{
	struct kx *place = x_sub(get(s, "next_place"),
	                         x_mul(x_to_i64(get(s, "lane")), x_i64(s->shape->columns)));
	place = x_to_i32(x_add(x_add(place, x_i64(column)), s->now.before));
	struct kx *first = x_op(OP_OR, x_mul(get(s, "lane"), x_i32(s->shape->rows * RING)),
	                        x_op(OP_AND, place, x_i32(RING - 1)));
	return x_add(first, x_i32((int32_t)row * RING));
}

static void ask_rings(struct strips *s)
{
	for (int i = 0; i < s->read.n; i++)
		for (int x = 0; x < s->shape->rows && s->read.at[i]->ring; x++)
			coming_ask(s, s->read.at[i]->held, x_i32(x * s->shape->columns),
			           s->read.at[i]->ring, ring_columns(s, x, 0));
}

/* Some columns of the next step and after it, a step's at a time. */
static void ask_old(struct strips *s, int q, int64_t from, int64_t to)
{
	const struct strip_table *t = &s->table[q];
	for (int64_t x = 0; x < old_rows(s); x++)
		for (int64_t column = from; column <= to; column += s->shape->columns)
			coming_ask(s, t->old,
			           x_i32((int32_t)(x * (s->shape->columns + t->ahead) + column)),
			           t->ring, ring_columns(s, x, column));
}

/* A value a row of the lane. */
static void open_rows(struct strips *s, struct strip_read *r)
{
	struct axes *a = &s->axes;
	struct lowering *l = a->l;
	struct kernel *k = l->k;
	const struct type *type = r->read->type;
	r->held = k_regs(k, type, str_print("%s_held", r->read->var->name), s->shape->rows);
	struct kx *i = x_var(k_for(k, "r", x_i32(0), x_i32(s->shape->rows), x_i32(1), FOR_UNROLL));
	struct kx *row = x_add(get(s, "lane_row"), x_to_i64(i));
	axis_bind(a, a->n - 2, row);
	accumulator_copy(l, x_at(x_var(r->held), i), lower_zero(type));
	k_if(k, x_lt(row, get(s, "all_rows")));
	accumulator_copy(l, x_at(x_var(r->held), i), lower_cell(l, r->read));
	k_end(k);
	k_end(k);
}

/* Note [columns near]
 * A ring with the columns of all lanes, a chunk further in each part.  Behind its end its first
 * places stand again, so that where a lane finds the columns of a part is a place and what
 * follows. */
int near_ring(const struct strips *s)
{
	int places = PART;
	while (places < s->shape->lanes * s->shape->columns + PART)
		places *= 2;
	return places;
}

static int near_places(const struct strips *s)
{
	return near_ring(s) + PART + s->shape->columns;
}

int64_t reads_near_bytes(const struct strips *s)
{
	int64_t bytes = 0;
	for (int i = 0; i < s->read.n; i++)
		if (s->read.at[i]->columns && !s->read.at[i]->rows)
			bytes += near_places(s) * type_size(s->read.at[i]->read->type) + 16;
	return bytes;
}

static void open_columns(struct strips *s, struct strip_read *r)
{
	struct kernel *k = s->axes.l->k;
	const struct type *type = r->read->type;
	const char *name = r->read->var->name;
	int places = near_places(s);
	r->held = k_regs(k, type, str_print("%s_held", name), s->shape->columns);
	r->near = k_shared(k, type, str_print("%s_near", name), places);
	r->near->align = 16;
	r->asked = k_var(k, kt(type), str_print("%s_asked", name), lower_zero(type));
	shared_clear(s, r->near, places);
}

/* The places that a lane's vectors go to, where all move them together. */
static void ring_lines_open(struct strips *s, struct lines *line, bool old)
{
	struct kernel *k = s->axes.l->k;
	int width = ring_width(s, s->now.cell);
	if (!s->kind->vectors || s->kind->served)
		return;
	lines_open(s, line, s->now.cell, width, old);
	for (int x = 0; x < piece_turns(s, width); x++) {
		k_text(k, "find_line_ring", x_i32(x));
		line->rings[x] = get(s, "line_ring");
	}
}

static void open_ring(struct strips *s, struct strip_read *r)
{
	struct kernel *k = s->axes.l->k;
	const char *name = r->read->var->name;
	int names = k_names(k);
	r->held = k_regs(k, r->read->type, str_print("%s_held", name),
	                 s->shape->rows * s->shape->columns);
	r->ring = k_shared(k, r->read->type, str_print("%s_ring", name),
	                   ring_rows(s, false) * RING);
	r->ring->align = 16;
	bind_ring(s, r->read, r->ring, false);
	k_text(k, "fill_ring");
	ring_lines_open(s, &r->line, false);
	k_forget(k, names);
}

int64_t old_ahead(const struct strips *s, int q)
{
	const struct wavefront *w = s->axes.node->wave;
	int columns = s->shape->columns;
	int64_t ahead = 0;
	for (int r = 0; r < w->read.n; r++) {
		int64_t right = step_of(s->axes.node, w->read.at[r]).column;
		if (w->read.at[r]->equation == q && !w->read.at[r]->fresh && right > ahead)
			ahead = (right + columns - 1) / columns * columns;
	}
	return ahead;
}

/* Where they come from is where the table's pieces go, so many columns on. */
static void share_line(struct strip_table *t)
{
	if (!t->line.array || !t->old_line.array)
		return;
	memcpy(t->old_line.at, t->line.at, sizeof t->line.at);
	memcpy(t->old_line.cursor, t->line.cursor, sizeof t->line.cursor);
	t->old_line.step = t->line.step;
}

/* From what was copied, by the lanes of a warp. */
static void open_below(struct strips *s, int q)
{
	struct kernel *k = s->axes.l->k;
	struct kx *below = x_i32((int32_t)strip_rows(s));
	k_text(k, "clear_below");
	strips_sync(s);
	bind_cell(s, below, x_i64(0));
	k_text(k, "open_below", rows_from(s, s->now.cell, below, true));
	s->table[q].below_rows = get(s, "below_rows");
	k_bind(k, "rows_below", s->table[q].below_rows);
	k_text(k, "begin_below");
}

static void open_old(struct strips *s, int q)
{
	struct kernel *k = s->axes.l->k;
	struct strip_table *t = &s->table[q];
	const char *name = wave_table(s->axes.node, q)->var->name;
	int names = k_names(k);
	t->ahead = old_ahead(s, q);
	int64_t registers = old_rows(s) * (s->shape->columns + t->ahead);
	if (registers * type_words(t->type) <= MOST_OLD)
		t->old = k_regs(k, t->type, str_print("%s_old", name), registers);
	t->ring = k_shared(k, t->type, str_print("%s_ring", name), ring_rows(s, true) * RING);
	t->ring->align = 16;
	bind_old(s, q);
	k_text(k, "fill_ring");
	ring_lines_open(s, &t->old_line, true);
	share_line(t);
	if (t->below_x)
		open_below(s, q);
	k_forget(k, names);
}

static void rings_open(struct strips *s)
{
	for (int i = 0; i < s->read.n; i++)
		if (has_ring(s->read.at[i]) && s->kind->rings)
			open_ring(s, s->read.at[i]);
	for (int q = 0; q < s->axes.node->equation.n; q++)
		if (s->kind->rings && old_ring(s, q))
			open_old(s, q);
	if (s->kind->rings)
		k_text(s->axes.l->k, "await_copies", x_int(T_INT_LIT, 0));
}

void reads_open(struct strips *s)
{
	rings_open(s);
	for (int i = 0; i < s->read.n; i++) {
		struct strip_read *r = s->read.at[i];
		if (!r->columns)
			open_rows(s, r);
		else if (!r->rows)
			open_columns(s, r);
	}
	strips_sync(s);
	k_bind(s->axes.l->k, "next_place",
	       x_sub(x_unary(OP_NEG, s->now.before), x_i64(s->shape->shift)));
	for (int q = 0; q < s->axes.node->equation.n; q++)
		if (s->table[q].old)
			ask_old(s, q, 0, s->table[q].ahead);
	ask_rings(s);
	coming_take(s);
}

bool reads_by_column(const struct strips *s)
{
	for (int i = 0; i < s->read.n; i++)
		if (s->read.at[i]->columns && !s->read.at[i]->rows)
			return true;
	return false;
}

/* ---- a chunk ---- */

/* Lanes that want nothing ask for the first or the last column, if there is any. */
void reads_ask(struct strips *s, struct kx *place)
{
	struct axes *a = &s->axes;
	bool none = axis_own(a->node, a->n - 1);
	if (none)
		k_if(a->l->k, x_lt(place, get(s, "all_columns")));
	else
		place = x_min(place, x_sub(get(s, "all_columns"), x_i64(1)));
	axis_bind(a, a->n - 1,
	          x_is_int(s->now.before, 0) && !s->shape->shift ? place : x_max(place, x_i64(0)));
	for (int i = 0; i < s->read.n; i++)
		if (s->read.at[i]->near)
			accumulator_copy(a->l, x_var(s->read.at[i]->asked),
			                 lower_cell(a->l, s->read.at[i]->read));
	if (none)
		k_end(a->l->k);
}

void put_columns(struct strips *s, struct kx *at)
{
	for (int i = 0; i < s->read.n; i++)
		if (s->read.at[i]->near)
			accumulator_copy(s->axes.l, x_at(x_var(s->read.at[i]->near), at),
			                 x_var(s->read.at[i]->asked));
}

/* ---- a step ---- */

void reads_ask_columns(struct strips *s, struct kx *at)
{
	for (int i = 0; i < s->read.n; i++)
		if (s->read.at[i]->near)
			coming_ask(s, s->read.at[i]->held, x_i32(0), s->read.at[i]->near,
			           x_add(get(s, "near_at"), at));
}

void reads_ask_rings(struct strips *s)
{
	for (int q = 0; q < s->axes.node->equation.n; q++)
		if (s->table[q].old)
			ask_old(s, q, s->table[q].ahead, s->table[q].ahead);
	ask_rings(s);
}

/* Old values, before what was loaded is taken. */
void reads_move(struct strips *s)
{
	struct kernel *k = s->axes.l->k;
	for (int q = 0; q < s->axes.node->equation.n; q++) {
		if (!s->table[q].old)
			continue;
		int names = k_names(k);
		k_bind(k, "old", s->table[q].old);
		k_numbers(k, "OLD_ROWS, AHEAD", old_rows(s), s->table[q].ahead);
		k_text(k, "move_old_table");
		k_forget(k, names);
	}
}

static void fill_pieces(struct strips *s, const struct lines *line, struct kx *step,
                        enum strip_mode mode)
{
	struct kernel *k = s->axes.l->k;
	for (int x = 0; x < piece_turns(s, ring_width(s, s->now.cell)); x++) {
		int names = k_names(k);
		bind_line(s, line, x);
		k_text(k, "fill_piece", step, x_int(T_INT_LIT, mode));
		k_forget(k, names);
	}
}

/* The piece that a step completed is read no more: the one RING places on takes its room. */
void reads_fill(struct strips *s, struct kx *step, enum strip_mode mode)
{
	struct kernel *k = s->axes.l->k;
	int names = k_names(k);
	for (int i = 0; i < s->read.n; i++)
		if (s->read.at[i]->ring) {
			bind_ring(s, s->read.at[i]->read, s->read.at[i]->ring, false);
			fill_pieces(s, &s->read.at[i]->line, step, mode);
		}
	for (int q = 0; q < s->axes.node->equation.n; q++)
		if (s->table[q].ring) {
			bind_old(s, q);
			fill_pieces(s, &s->table[q].old_line, step, mode);
			if (s->table[q].below_x)
				k_text(k, "fill_below_piece", step);
		}
	k_forget(k, names);
}

/* ---- a cell ---- */

struct kx *old_held(struct strips *s, const struct neighbour *n)
{
	struct strip_table *t = &s->table[n->equation];
	struct step step = step_of(s->axes.node, n);
	if (n->fresh || !step.here || !t->ring)
		return NULL;
	struct kx *row = x_add(get(s, "r"), x_i32((int32_t)step.row));
	if (t->old)
		return x_at(x_var(t->old),
		            x_add(x_mul(row, x_i32((int32_t)(s->shape->columns + t->ahead))),
		                  x_add(get(s, "c"), x_i32((int32_t)step.column))));
	row = x_add(x_mul(get(s, "lane"), x_i32(s->shape->rows)), row);
	return x_at(x_var(t->ring),
	            ring_place(s, row, x_add(get(s, "column"), x_i64(step.column))));
}

struct kx *strip_read(struct lowering *l, const struct expr *e)
{
	struct strips *s = (struct strips *)l->now.state;
	const struct strip_read *r = e->checked ? NULL : read_find(s, e);
	if (r && r->ring)
		return x_at(x_var(r->held),
		            x_add(x_mul(get(s, "r"), x_i32(s->shape->columns)), get(s, "c")));
	if (r && r->held)
		return x_at(x_var(r->held), r->rows ? get(s, "r") : get(s, "c"));
	return lower_cell(l, e);
}
