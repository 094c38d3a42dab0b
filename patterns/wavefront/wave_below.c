/* wave_below.c - strips whose cells read old values of rows below (SOR): those behind its last row are
 * copied before any strip begins, since the next strip may overwrite them meanwhile.  Rows of its own a strip reads in
 * time: lanes below are behind. */
#include "wave_strips.h"

static bool reads_below(const struct strips *s, int q)
{
	const struct wavefront *w = s->axes.node->wave;
	for (int r = 0; r < w->read.n; r++) {
		struct step step = step_of(s->axes.node, w->read.at[r]);
		if (w->read.at[r]->equation == q && !w->read.at[r]->fresh && step.here && step.row > 0)
			return true;
	}
	return false;
}

/* Columns that are copied: those of the domain, and beside them as far as cells look. */
static struct kx *pitch(const struct strips *s, struct kx *columns)
{
	return x_add(columns, x_i64(s->below_left + s->below_right));
}

static void copy_cell(struct strips *s, struct axes *a, struct kx *cell)
{
	struct lowering *l = a->l;
	for (int q = 0; q < a->node->equation.n; q++) {
		const struct expr *table = wave_table(a->node, q);
		if (!s->table[q].below)
			continue;
		struct kx *to = lower_argument(l, "below", kt_pointer(table->type, false), x_var(s->table[q].below));
		k_if(l->k, wave_inside(l, a->node, table));
		accumulator_copy(l, x_at(to, cell), lower_cell(l, table));
		k_else(l->k);
		accumulator_copy(l, x_at(to, cell), lower_zero(table->type));    /* copied on, and not looked at */
		k_end(l->k);
	}
}

/* A thread a cell. */
static void copy_kernel(struct strips *s, struct kx *host_cells)
{
	struct axes a = s->axes;
	struct lowering *l = a.l = lowering_new(a.plan, str_print("%s_below", a.node->name));
	struct kernel *k = l->k;
	k->note = "Old values of the rows below each strip.";
	k->line = a.node->at.line;
	block_launch_bounds(l);
	struct kx *block = x_mul(x_to_i64(x_id(ID_BLOCK_X)), x_i64(l->target->block));
	struct kx *cell = x_var(k_let(k, "cell", x_add(block, x_to_i64(block_thread(l)))));
	k_if(k, x_lt(cell, axes_argument(&a, "cells", host_cells)));
	struct kx *width = x_var(k_let(k, "width", pitch(s, axes_columns(&a)))), *strips = axes_argument(&a, "strips", s->host_strips);
	struct kx *row = x_var(k_let(k, "below_row", x_div(cell, width)));
	struct kx *unit = x_var(k_let(k, "unit", x_div(row, x_i64(s->below))));
	axes_bind_outer(&a, x_div(unit, strips));
	struct kx *first = x_mul(x_add(x_rem(unit, strips), x_i64(1)), x_i64(strip_rows(s)));
	axis_bind(&a, a.n - 2, x_add(first, x_rem(row, x_i64(s->below))));
	axis_bind(&a, a.n - 1, x_sub(x_rem(cell, width), x_i64(s->below_left)));
	copy_cell(s, &a, cell);
	k_end(k);
	lowering_launch(l, x_div_up(host_cells, x_i64(l->target->block)), x_i64(1), x_i64(1));
}

void below_open(struct strips *s)
{
	struct plan *plan = s->axes.plan;
	if (!s->below)
		return;
	struct kx *most[] = { s->most_strips, x_i64(s->below), pitch(s, s->most_columns) };
	for (int q = 0; q < s->axes.node->equation.n; q++)
		if (reads_below(s, q))
			s->table[q].below = plan_slot(plan, str_print("%s_below", wave_table(s->axes.node, q)->var->name), s->table[q].type, 3, most);
	struct kx *units = x_mul(s->axes.host_problems, s->host_strips);
	copy_kernel(s, x_mul(x_mul(units, x_i64(s->below)), pitch(s, axis_size(&s->axes, s->axes.n - 1))));
}

/* The row of the neighbour, counted from the end of the strip. */
static struct kx *row_below(const struct strips *s, int64_t row)
{
	struct kx *mine = x_add(x_mul(get(s, "lane"), x_i32(s->rows)), get(s, "r"));
	return x_add(mine, x_i32((int32_t)(row - strip_rows(s))));
}

struct kx *below_cell(struct strips *s, const struct neighbour *n, struct kx *memory)
{
	struct step step = step_of(s->axes.node, n);
	struct strip_table *t = &s->table[n->equation];
	if (n->fresh || !step.here || step.row <= 0)
		return memory;
	struct kx *row = row_below(s, step.row);
	struct kx *at = k_value(s->axes.l->k, "below_place", x_to_i64(row), x_add(get(s, "column"), x_i64(step.column)));
	return x_cond(x_le(x_i32(0), row), x_at(t->below_x, at), memory);
}
