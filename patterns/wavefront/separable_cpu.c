/* separable_cpu.c - a separable wavefront on a CPU (Note [separable]).
 *
 * Threads share bands of rows of fixed height, and of many problems each is a band:
 *   NAME_totals   every band but the last folds its rows down the columns: a row of totals
 *   NAME_above    what comes from above each band: the totals before it, joined in order
 *   NAME          every band goes down its rows: the row of what comes from above takes in the next row, a simd
 *                 loop, and is scanned along
 * How rows are cut depends on the sizes only, so the result repeats bit for bit whatever the number of threads. */
#include <string.h>
#include "separable.h"

enum {
	BAND = 64,                       /* rows */
	MANY = 64,                       /* problems: as many as threads want */
	STRIP = 256                      /* columns that a thread joins down all bands */
};

struct bands {
	struct axes axes;
	const struct separable *s;
	const struct type *type;
	struct lowering *l;
	struct kernel *k;
	struct kx *left, *up;            /* weights; NULL: bare */
	struct kx *host_height, *host_bands, *host_above;
	struct kx *height, *bands, *rows, *columns, *above;      /* above: a row a band, of what comes into it */
	struct kx *problem, *band, *row;
};

static struct kx *argument(struct bands *b, const char *name, struct kx *host)
{
	return axes_argument(&b->axes, name, host);
}

static struct kx *weight(struct bands *b, const struct wave_term *t, const char *name)
{
	return t->weight ? x_var(k_let(b->k, name, lower_expr(b->l, t->weight))) : NULL;
}

static void open_kernel(struct bands *b, const char *suffix, const char *note)
{
	const struct node *node = b->s->node;
	b->l = b->axes.l = lowering_new(b->axes.plan, str_print("%s%s", node->name, suffix));
	b->k = b->l->k;
	b->k->note = note;
	memset(b->axes.lo, 0, sizeof b->axes.lo);
	memset(b->axes.size, 0, sizeof b->axes.size);
	lowering_writes(b->l, node);
	b->height = argument(b, "height", b->host_height);
	b->bands = argument(b, "bands", b->host_bands);
	b->rows = axes_rows(&b->axes);
	b->columns = axes_columns(&b->axes);
	b->above = lower_argument(b->l, "above", kt_pointer(b->type, false), b->host_above);
	b->left = weight(b, b->s->left, "left");
	b->up = weight(b, b->s->up, "up");
}

/* The row of what comes into that band of the problem, at a column. */
static struct kx *above_at(struct bands *b, struct kx *band, struct kx *column)
{
	struct kx *row = x_add(x_mul(b->problem, b->bands), band);
	return x_at(b->above, x_add(x_mul(row, b->columns), column));
}

/* into, what comes from above, takes in the cells of the row in columns lo .. hi. */
static void take_cells(struct bands *b, struct kx *into, struct kx *lo, struct kx *hi, bool border)
{
	struct kernel *k = b->k;
	struct kx *column = x_var(k_for(k, "column", lo, hi, x_i64(1), border ? 0 : FOR_SIMD)), *none = x_i64(0);
	axis_bind(&b->axes, b->axes.n - 1, column);
	struct kx *rest = x_var(k_var(k, kt(b->type), "rest", separable_rest(b->l, b->s)));
	if (border)
		separable_border(b->l, b->s, x_eq(b->row, none), x_eq(column, none), rest);
	struct kx *place = above_at(b, into, column);
	k_set(k, place, separable_join(b->l, b->s, separable_scale(b->l, b->s, place, b->up), rest));
	k_end(k);
}

static void take_row(struct bands *b, struct kx *into)
{
	struct kx *none = x_i64(0), *one = x_i64(1);
	axis_bind(&b->axes, b->axes.n - 2, b->row);
	if (!separable_has_border(b->s, true) && !separable_has_border(b->s, false)) {
		take_cells(b, into, none, b->columns, false);
		return;
	}
	k_if(b->k, x_eq(b->row, none));
	take_cells(b, into, none, b->columns, true);
	k_else(b->k);
	take_cells(b, into, none, one, true);
	take_cells(b, into, one, b->columns, false);
	k_end(b->k);
}

static void clear_row(struct bands *b, struct kx *band)
{
	struct kernel *k = b->k;
	struct kx *column = x_var(k_for(k, "column", x_i64(0), b->columns, x_i64(1), FOR_SIMD));
	k_set(k, above_at(b, band, column), separable_zero(b->l, b->s));
	k_end(k);
}

/* A loop over bands that threads share: all, or all but the last of each problem. */
static void open_bands(struct bands *b, bool last)
{
	struct kernel *k = b->k;
	struct kx *each = last ? b->bands : x_sub(b->bands, x_i64(1)), *problems = argument(b, "problems", b->axes.host_problems);
	struct kx *part = x_var(k_for(k, "part", x_i64(0), x_mul(each, problems), x_i64(1), FOR_PARALLEL));
	b->problem = x_var(k_let(k, "problem", x_div(part, each)));
	b->band = x_var(k_let(k, "band", x_rem(part, each)));
	axes_bind_outer(&b->axes, b->problem);
}

static void open_rows(struct bands *b)
{
	struct kx *first = x_mul(b->band, b->height);
	struct kx *end = x_var(k_let(b->k, "row_end", x_min(x_add(first, b->height), b->rows)));
	b->row = x_var(k_for(b->k, "row", first, end, x_i64(1), 0));
}

static void lower_totals(struct bands *b)
{
	open_kernel(b, "_totals", "Every band but the last, down its columns.");
	open_bands(b, false);
	struct kx *next = x_var(k_let(b->k, "next", x_add(b->band, x_i64(1))));
	clear_row(b, next);
	open_rows(b);
	take_row(b, next);
	k_end(b->k);
	k_end(b->k);
	lowering_launch(b->l, x_i64(1), x_i64(1), x_i64(1));
}

/* Totals of bands before the last one: all of the same height. */
static void lower_above(struct bands *b)
{
	open_kernel(b, "_above", "What comes from above each band.");
	struct kernel *k = b->k;
	struct kx *height = separable_power(b->l, b->s, "up_height", b->up, BAND), *strip = x_i64(STRIP);
	struct kx *strips = x_var(k_let(k, "strips", x_div_up(b->columns, strip)));
	struct kx *problems = argument(b, "problems", b->axes.host_problems);
	struct kx *part = x_var(k_for(k, "part", x_i64(0), x_mul(strips, problems), x_i64(1), FOR_PARALLEL));
	b->problem = x_var(k_let(k, "problem", x_div(part, strips)));
	struct kx *first = x_var(k_let(k, "first", x_mul(x_rem(part, strips), strip)));
	struct kx *end = x_var(k_let(k, "end", x_min(x_add(first, strip), b->columns)));
	struct kx *band = x_var(k_for(k, "band", x_i64(2), b->bands, x_i64(1), 0));
	struct kx *column = x_var(k_for(k, "column", first, end, x_i64(1), FOR_SIMD));
	struct kx *place = above_at(b, band, column), *before = above_at(b, x_sub(band, x_i64(1)), column);
	k_set(k, place, separable_join(b->l, b->s, separable_scale(b->l, b->s, before, height), place));
	k_end(k);
	k_end(k);
	k_end(k);
	lowering_launch(b->l, x_i64(1), x_i64(1), x_i64(1));
}

static void scan_row(struct bands *b)
{
	struct kernel *k = b->k;
	const struct expr *table = wave_table(b->s->node, 0);
	births_open_run(&b->axes);
	struct kx *run = x_var(k_var(k, kt(b->type), "run", separable_zero(b->l, b->s)));
	struct kx *column = x_var(k_for(k, "column", x_i64(0), b->columns, x_i64(1), 0));
	axis_bind(&b->axes, b->axes.n - 1, column);
	k_set(k, run, separable_join(b->l, b->s, separable_scale(b->l, b->s, run, b->left), above_at(b, b->band, column)));
	struct kx *value = separable_stored(b->l, b->s, run);
	if (b->axes.births)
		value = x_var(k_let(k, "value", value));
	if (!table->var->on_chip)
		lower_store(b->l, table, value);
	if (b->axes.births)
		births_value(&b->axes, value);
	k_end(k);
	births_close_run(&b->axes);
}

static void lower_cells(struct bands *b)
{
	open_kernel(b, "", "Every band: down its rows, and along each.");
	open_bands(b, true);
	births_start(&b->axes);
	k_if(b->k, x_eq(b->band, x_i64(0)));
	clear_row(b, b->band);
	k_end(b->k);
	open_rows(b);
	take_row(b, b->band);
	scan_row(b);
	k_end(b->k);
	if (births_fold(&b->axes))
		births_store(&b->axes, x_add(x_mul(b->problem, b->bands), b->band), NULL);
	k_end(b->k);
	lowering_launch(b->l, x_i64(1), x_i64(1), x_i64(1));
}

/* Over the extents of the table, which no range leaves. */
static struct kx *most_bands(struct bands *b)
{
	struct lowering *host = host_lowering(b->axes.plan);
	const struct var *table = wave_table(b->s->node, 0)->var;
	struct kx *most = x_div_up(lower_extent(host, table, table->rank - 2), x_i64(BAND));
	for (int d = 0; d < table->rank - 2; d++)
		most = x_mul(most, lower_extent(host, table, d));
	return most;
}

void separable_cpu(struct plan *plan, const struct separable *s)
{
	struct bands b = { .s = s, .type = s->form->type };
	axes_open(&b.axes, plan, s->node);
	const struct var *table = wave_table(s->node, 0)->var;
	struct kx *rows = axis_size(&b.axes, b.axes.n - 2), *columns = lower_extent(host_lowering(plan), table, table->rank - 1);
	struct kx *most = x_mul(most_bands(&b), columns);
	b.host_above = x_var(plan_slot(plan, "above", b.type, 1, &most));
	struct kvar *parts = births_open_later(&b.axes, most_bands(&b));
	k_if(plan->host, axes_some(&b.axes));
	b.host_height = plan_let(plan, "height", x_cond(x_le(x_i64(MANY), b.axes.host_problems), rows, x_i64(BAND)));
	b.host_bands = plan_let(plan, "bands", x_div_up(rows, b.host_height));
	if (parts)
		k_set(plan->host, x_var(parts), x_mul(b.axes.host_problems, b.host_bands));
	k_if(plan->host, x_lt(x_i64(1), b.host_bands));
	lower_totals(&b);
	lower_above(&b);
	k_end(plan->host);
	lower_cells(&b);
	k_end(plan->host);
	births_close(&b.axes);
}
