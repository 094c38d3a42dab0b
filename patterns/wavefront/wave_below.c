/* wave_below.c - strips whose cells read old values of rows below (SOR).
 *
 * Those below the last row of each strip are copied before any strip begins (copy_below in
 * rings.kernel), since the next strip may overwrite them.  Rows of its own a strip reads in
 * time, since lanes below are some steps later. */
#include "wave_strips.h"

static bool reads_below(const struct strips *s, int q)
{
	const struct wavefront *w = s->axes.node->wave;
	for (int r = 0; r < w->read.n; r++) {
		struct step step = step_of(s->axes.node, w->read.at[r]);
		if (w->read.at[r]->equation == q && !w->read.at[r]->fresh && step.here
		    && step.row > 0)
			return true;
	}
	return false;
}

/* Columns that are copied: those of the domain, and beside them as far as cells look. */
static struct kx *pitch(const struct strips *s, struct kx *columns)
{
	return x_add(columns, x_i64(s->shape->below_left + s->shape->below_right));
}

static void copy_tables(struct strips *s, struct kx *cell)
{
	struct lowering *l = s->axes.l;
	for (int q = 0; q < s->axes.node->equation.n; q++) {
		if (!s->table[q].below)
			continue;
		struct ktype pointer = kt_pointer(s->table[q].type, false);
		s->now.cell = wave_table(s->axes.node, q);
		k_bind(l->k, "below",
		       lower_argument(l, "below", pointer, x_var(s->table[q].below)));
		k_text(l->k, "copy_old", cell);
	}
}

/* The functions that the texts call: the name in the text, and the C function. */
#define CALLS(DO, GET) \
	DO(bind_problem, axes_bind_outer(&s->axes, arg[0])) \
	DO(bind_row, axis_bind(&s->axes, s->axes.n - 2, arg[0])) \
	DO(bind_column, axis_bind(&s->axes, s->axes.n - 1, arg[0])) \
	DO(copy_tables, copy_tables(s, arg[0])) \
	DO(copy, accumulator_copy(l, arg[0], arg[1])) \
	GET(old_cell, lower_cell(l, s->now.cell)) \
	GET(cell_inside, wave_inside(l, s->axes.node, s->now.cell)) \
	GET(zero, lower_zero(s->now.cell->type))

#define HOLE_DO(name, call) KTEXT_CALL(struct strips, s, name, call; return NULL;)
#define HOLE_GET(name, value) KTEXT_CALL(struct strips, s, name, return value;)

CALLS(HOLE_DO, HOLE_GET)

/* A thread a cell. */
static void copy_kernel(struct strips *of, struct kx *host_cells)
{
	struct strips own = *of, *s = &own;
	struct axes *a = &s->axes;
	struct lowering *l = a->l = lowering_new(a->plan, str_print("%s_below", a->node->name));
	struct kernel *k = l->k;
	k->note = "Old values of the rows below each strip.";
	k->at = a->node->at;
	block_launch_bounds(l);
	k_bind(k, "cells", axes_argument(a, "cells", host_cells));
	k_bind(k, "columns", axes_columns(a));
	k_bind(k, "strips", axes_argument(a, "strips", s->host.strips));
	k_numbers(k, "BLOCK, BELOW, BELOW_LEFT, BELOW_RIGHT", l->target->block, s->shape->below,
	          s->shape->below_left, s->shape->below_right);
	k_bind(k, "STRIP_ROWS", strip_rows(s));
	k_bind_calls(k, s, CALLS(KTEXT_ROW, KTEXT_ROW));
	k_text(k, "copy_below");
	lowering_launch(l, x_div_up(host_cells, x_i64(l->target->block)), x_i64(1), x_i64(1));
}

void below_open(struct strips *s)
{
	struct plan *plan = s->axes.plan;
	if (!s->shape->below)
		return;
	struct kx *most[] = { s->host.most_strips, x_i64(s->shape->below),
		              pitch(s, s->host.most_columns) };
	for (int q = 0; q < s->axes.node->equation.n; q++)
		if (reads_below(s, q))
			s->table[q].below = plan_slot(
				plan, str_print("%s_below", wave_table(s->axes.node, q)->var->name),
				s->table[q].type, 3, most);
	struct kx *units = x_mul(s->axes.host_problems, s->host.strips);
	copy_kernel(s, x_mul(x_mul(units, x_i64(s->shape->below)),
	                     pitch(s, axis_size(&s->axes, s->axes.n - 1))));
}

/* The row of the neighbour, counted from the end of the strip. */
static struct kx *row_below(const struct strips *s, int64_t row)
{
	struct kx *mine = x_add(x_mul(get(s, "lane"), x_i32(s->shape->rows)), get(s, "r"));
	return x_add(mine, x_i32((int32_t)(row - strip_rows(s))));
}

struct kx *below_cell(struct strips *s, const struct neighbour *n, struct kx *memory)
{
	struct step step = step_of(s->axes.node, n);
	struct strip_table *t = &s->table[n->equation];
	if (n->fresh || !step.here || step.row <= 0)
		return memory;
	struct kx *row = row_below(s, step.row);
	struct kx *at = k_value(s->axes.l->k, "below_place", x_to_i64(row),
	                        x_add(get(s, "column"), x_i64(step.column)));
	return x_cond(x_le(x_i32(0), row), x_at(t->below_x, at), memory);
}
