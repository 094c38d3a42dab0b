/* separable_rows.c - the cells of a chunk that a thread holds in registers: down its rows, then along them
 * (separable_gpu.c, 3). */
#include "separable_march.h"

void marching_down(struct march *m, struct kx *vector, struct kvar *above)
{
	struct kernel *k = m->k;
	struct kx *c = marching_each(m, "c", m->width), *value = x_at(x_var(above), c);
	struct kx *r = marching_each(m, "r", m->rows), *slot = marching_slot(m, r, vector, c);
	k_set(k, value, marching_join(m, marching_scale(m, value, m->up), slot));
	k_set(k, slot, value);
	k_end(k);
	k_end(k);
}

/* ---- along ---- */

static struct kx *shuffled(struct march *m, struct kx *value, const char *how, struct kx *by)
{
	struct accumulator a = { .op = m->s->form->acc, .of = m->type, .type = m->type };
	return x_var(accumulator_shuffle(m->l, &a, value, how, by)->var);
}

/* Of each row the total of a lane's vector.  Weighted, what came before the row goes in front; else it joins when the
 * lanes are added up, once a chunk, so that sums of floats round at its size no more often than that. */
static void lane_totals(struct march *m, struct kx *u, struct kvar *total)
{
	struct kernel *k = m->k;
	struct kx *r = marching_each(m, "r", m->rows), *sum = x_at(x_var(total), r);
	k_set(k, sum, marching_slot(m, r, u, x_i32(0)));
	for (int c = 1; c < m->width; c++)
		k_set(k, sum, marching_join(m, marching_scale(m, sum, m->left), marching_slot(m, r, u, x_i32(c))));
	if (m->left) {
		k_if(k, x_eq(m->lane, x_i32(0)));
		k_set(k, sum, marching_join(m, marching_scale(m, x_at(x_var(m->carry), r), m->left_vector), sum));
		k_end(k);
	}
	k_end(k);
}

/* Rows go step by step together, so that their shuffles overlap. */
static void scan_lanes(struct march *m, struct kvar *total)
{
	struct kernel *k = m->k;
	for (int step = 0; 1 << step < m->lanes; step++) {
		struct kx *r = marching_each(m, "r", m->rows), *sum = x_at(x_var(total), r);
		struct kx *before = shuffled(m, sum, "up_", x_i32(1 << step));
		k_if(k, x_le(x_i32(1 << step), m->lane));
		k_set(k, sum, marching_join(m, marching_scale(m, before, m->step[step]), sum));
		k_end(k);
		k_end(k);
	}
}

/* ---- to memory ---- */

static struct kx *place_of(struct march *m, struct kx *row, struct kx *column)
{
	marching_bind(m, m->axes.n - 2, row);
	marching_bind(m, m->axes.n - 1, column);
	struct kx *cell = lower_cell(m->l, wave_table(m->s->node, 0));
	return x_offset(cell->arg[0], cell->arg[1]);
}

static void store_cell(struct march *m, struct kx *row, struct kx *column, struct kx *value)
{
	marching_bind(m, m->axes.n - 2, row);
	marching_bind(m, m->axes.n - 1, column);
	lower_store(m->l, wave_table(m->s->node, 0), separable_stored(m->l, m->s, value));
}

static void store_vector(struct march *m, struct kx *r, struct kx *u, struct kx *to)
{
	struct kernel *k = m->k;
	const struct expr *table = wave_table(m->s->node, 0);
	struct kvar *out = k_var(k, kt_vector(table->type, m->width), str_print("%s%d", table->var->name, m->width), NULL);
	struct kx *c = marching_each(m, "c", m->width);
	k_set(k, x_lane_at(x_var(out), c), separable_stored(m->l, m->s, marching_slot(m, r, u, c)));
	k_end(k);
	k_vstore(k, to, x_var(out));
}

/* ---- folded where they are born ---- */

static void fold_vector(struct march *m, struct kx *r, struct kx *u, struct kx *row, struct kx *column)
{
	struct kernel *k = m->k;
	if (!m->axes.births)
		return;
	struct kx *c = marching_each(m, "c", m->width);
	marching_bind(m, m->axes.n - 2, row);
	marching_bind(m, m->axes.n - 1, x_add(column, x_to_i64(c)));
	births_value(&m->axes, x_var(k_let(k, "value", separable_stored(m->l, m->s, marching_slot(m, r, u, c)))));
	k_end(k);
}

static bool is_stored(const struct march *m)
{
	return !wave_table(m->s->node, 0)->var->on_chip;
}

/* to: where the row's vector goes; NULL: known by its row, or nowhere. */
static void store_row(struct march *m, struct kx *r, struct kx *u, struct kx *column, struct kvar *to)
{
	struct kernel *k = m->k;
	struct kx *row = x_var(k_let(k, "row", x_add(m->row_first, x_to_i64(r))));
	k_if(k, x_and(to ? x_lt(r, m->rows_here) : x_lt(row, m->row_count), m->inside));
	if (is_stored(m) && m->width == 1)
		store_cell(m, row, column, marching_slot(m, r, u, x_i32(0)));
	else if (is_stored(m))
		store_vector(m, r, u, to ? x_var(to) : place_of(m, row, column));
	fold_vector(m, r, u, row, column);
	k_end(k);
	if (to)
		k_set(k, x_var(to), x_offset(x_var(to), marching_stride(m, wave_table(m->s->node, 0))));
}

/* Where cells are staged, a row's place is a stride from the one before: an addition. */
static struct kvar *first_place(struct march *m, struct kx *column)
{
	const struct type *type = wave_table(m->s->node, 0)->type;
	bool runs = m->arrays && is_stored(m);
	return runs ? k_var(m->k, kt_pointer(type, false), "to", place_of(m, m->row_first, column)) : NULL;
}

static void finish_rows(struct march *m, struct kx *u, struct kvar *total, struct kx *column)
{
	struct kernel *k = m->k;
	struct kvar *to = first_place(m, column);
	struct kx *r = marching_each(m, "r", m->rows), *sum = x_at(x_var(total), r), *carry = x_at(x_var(m->carry), r);
	struct kx *before = shuffled(m, sum, "up_", x_i32(1));
	struct kx *joined = m->left ? before : marching_join(m, carry, before);
	before = x_var(k_var(k, kt(m->type), "before", x_cond(x_eq(m->lane, x_i32(0)), carry, joined)));
	struct kx *all = shuffled(m, sum, "", x_i32(m->lanes - 1));
	k_set(k, carry, m->left ? all : marching_join(m, carry, all));
	struct kx *c = marching_each(m, "c", m->width), *slot = marching_slot(m, r, u, c);
	k_set(k, before, marching_join(m, marching_scale(m, before, m->left), slot));
	k_set(k, slot, before);
	k_end(k);
	store_row(m, r, u, column, to);
	k_end(k);
}

void marching_along(struct march *m)
{
	struct kernel *k = m->k;
	struct kx *u = marching_each(m, "u", m->vectors);
	struct kvar *total = k_regs(k, m->type, "total", m->rows);
	struct kx *column = x_var(k_let(k, "column", x_add(m->column_first, x_to_i64(marching_place(m, u)))));
	m->inside = x_var(k_let(k, "inside", x_lt(column, m->column_count)));
	lane_totals(m, u, total);
	scan_lanes(m, total);
	births_open_run(&m->axes);
	finish_rows(m, u, total, column);
	births_close_run(&m->axes);
	k_end(k);
}
