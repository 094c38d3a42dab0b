/* separable_cpu.c - a separable wavefront on a CPU (Note [separable]).
 *
 * Threads share bands of rows of fixed height, and of many problems each is a band:
 *   NAME_totals   every band but the last folds its rows down the columns: a row of totals
 *   NAME_above    what comes from above each band: the totals before it, joined in order
 *   NAME          every band goes down its rows: the row of what comes from above takes in the
 *   next row, a simd
 *                 loop, and is scanned along
 * How rows are cut depends on the sizes only, so the result repeats bit for bit whatever the
 * number of threads. */
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
	struct kx *left, *up, *up_band;  /* weights: of a step, of as many as a band has rows; NULL: bare */
	struct kx *host_height, *host_bands, *host_above;
};

static struct kx *argument(struct bands *b, const char *name, struct kx *host)
{
	return axes_argument(&b->axes, name, host);
}

static struct kx *weight(struct bands *b, const struct wave_term *t, const char *name)
{
	return t->weight ? x_var(k_let(b->k, name, lower_expr(b->l, t->weight))) : NULL;
}

/* ---- what the text leaves open ---- */

static struct kx *join(struct lowering *l, const void *bands, struct kx *const *arg)
{
	return separable_join(l, ((const struct bands *)bands)->s, arg[0], arg[1]);
}

static struct kx *scaled_up(struct lowering *l, const void *bands, struct kx *const *x)
{
	const struct bands *b = bands;
	return separable_scale(l, b->s, x[0], b->up);
}

static struct kx *scaled_left(struct lowering *l, const void *bands, struct kx *const *x)
{
	const struct bands *b = bands;
	return separable_scale(l, b->s, x[0], b->left);
}

static struct kx *scaled_by_band(struct lowering *l, const void *bands, struct kx *const *x)
{
	const struct bands *b = bands;
	return separable_scale(l, b->s, x[0], b->up_band);
}

static struct kx *zero(struct lowering *l, const void *bands, struct kx *const *none)
{
	(void)none;
	return separable_zero(l, ((const struct bands *)bands)->s);
}

static struct kx *rest_of(struct lowering *l, const void *bands, struct kx *const *none)
{
	(void)none;
	return separable_rest(l, ((const struct bands *)bands)->s);
}

static struct kx *add_border(struct lowering *l, const void *bands, struct kx *const *arg)
{
	separable_border(l, ((const struct bands *)bands)->s, arg[0], arg[1], arg[2]);
	return NULL;
}

static struct kx *problems(struct lowering *l, const void *bands, struct kx *const *none)
{
	struct bands *b = (struct bands *)bands;
	(void)l, (void)none;
	return argument(b, "problems", b->axes.host_problems);
}

static struct kx *bind_outer(struct lowering *l, const void *bands, struct kx *const *problem)
{
	(void)l;
	axes_bind_outer(&((struct bands *)bands)->axes, problem[0]);
	return NULL;
}

static struct kx *bind_row(struct lowering *l, const void *bands, struct kx *const *row)
{
	struct bands *b = (struct bands *)bands;
	(void)l;
	axis_bind(&b->axes, b->axes.n - 2, row[0]);
	return NULL;
}

static struct kx *bind_column(struct lowering *l, const void *bands, struct kx *const *column)
{
	struct bands *b = (struct bands *)bands;
	(void)l;
	axis_bind(&b->axes, b->axes.n - 1, column[0]);
	return NULL;
}

static struct kx *store_cell(struct lowering *l, const void *bands, struct kx *const *run)
{
	struct bands *b = (struct bands *)bands;
	const struct expr *table = wave_table(b->s->node, 0);
	struct kx *value = separable_stored(l, b->s, run[0]);
	if (b->axes.births)
		value = x_var(k_let(l->k, "value", value));
	if (!table->var->on_chip)
		lower_store(l, table, value);
	if (b->axes.births)
		births_value(&b->axes, value);
	return NULL;
}

static struct kx *start_folds(struct lowering *l, const void *bands, struct kx *const *none)
{
	(void)l, (void)none;
	births_start(&((struct bands *)bands)->axes);
	return NULL;
}

static struct kx *open_run(struct lowering *l, const void *bands, struct kx *const *none)
{
	(void)l, (void)none;
	births_open_run(&((struct bands *)bands)->axes);
	return NULL;
}

static struct kx *close_run(struct lowering *l, const void *bands, struct kx *const *none)
{
	(void)l, (void)none;
	births_close_run(&((struct bands *)bands)->axes);
	return NULL;
}

static struct kx *store_folds(struct lowering *l, const void *bands, struct kx *const *part)
{
	struct bands *b = (struct bands *)bands;
	(void)l;
	if (births_fold(&b->axes))
		births_store(&b->axes, part[0], NULL);
	return NULL;
}

/* ---- kernels: separable_cpu.kernel ---- */

static void bind_text(struct bands *b, struct kernel *k)
{
	bool borders = separable_has_border(b->s, true) || separable_has_border(b->s, false);
	k_numbers(k, "STRIP, BORDERS", STRIP, borders);
	k_bind(k, "TYPE", b->type);
	k_bind_calls(k, b, { "join", join }, { "scaled_up", scaled_up },
	             { "scaled_left", scaled_left },
	             { "scaled_by_band", scaled_by_band }, { "zero", zero }, { "rest_of",
	                                                                       rest_of });
	k_bind_calls(k, b, { "add_border", add_border }, { "problems", problems },
	             { "bind_outer", bind_outer },
	             { "bind_row", bind_row }, { "bind_column", bind_column });
	k_bind_calls(k, b, { "store_cell", store_cell }, { "start_folds", start_folds },
	             { "open_run", open_run },
	             { "close_run", close_run }, { "store_folds", store_folds });
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
	k_bind(b->k, "height", argument(b, "height", b->host_height));
	k_bind(b->k, "bands", argument(b, "bands", b->host_bands));
	k_bind(b->k, "rows", axes_rows(&b->axes));
	k_bind(b->k, "columns", axes_columns(&b->axes));
	k_bind(b->k, "above", lower_argument(b->l, "above", kt_pointer(b->type, false), b->host_above));
	b->left = weight(b, b->s->left, "left");
	b->up = weight(b, b->s->up, "up");
	bind_text(b, b->k);
}

static void close_kernel(struct bands *b, const char *text)
{
	k_text(b->k, text);
	lowering_launch(b->l, x_i64(1), x_i64(1), x_i64(1));
}

static void lower_totals(struct bands *b)
{
	open_kernel(b, "_totals", "Every band but the last, down its columns.");
	close_kernel(b, "bands_totals");
}

static void lower_above(struct bands *b)
{
	open_kernel(b, "_above", "What comes from above each band.");
	b->up_band = separable_power(b->l, b->s, "up_height", b->up, BAND);
	close_kernel(b, "bands_above");
}

static void lower_cells(struct bands *b)
{
	open_kernel(b, "", "Every band: down its rows, and along each.");
	close_kernel(b, "bands_cells");
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
	struct kx *rows = axis_size(&b.axes,
	                            b.axes.n - 2), *columns = lower_extent(host_lowering(plan), table, table->rank - 1);
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
