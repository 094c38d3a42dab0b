/* separable_cpu.c - a separable wavefront on a CPU (Note [separable]).
 *
 * Threads share bands of rows of fixed height, and of many problems each is a band:
 *   NAME_totals   every band but the last folds its rows down the columns: a row of totals
 *   NAME_above    what comes from above each band: the totals before it, joined in order
 *   NAME          every band goes down its rows: the row of what comes from above takes in the next
 *                 row, a simd loop, and is scanned along
 * How rows are cut depends on the sizes only, so the result repeats bit for bit whatever the
 * number of threads. */
#include <string.h>
#include "separable.h"

enum {
	BAND = 64,                       /* rows */
	MANY = 64,                       /* problems: enough for all threads */
	STRIP = 256                      /* columns that a thread joins down all bands */
};

struct bands {
	struct axes axes;
	const struct separable *s;
	const struct type *type;
	struct lowering *l;
	struct kx *left, *up, *up_band;  /* weights of a step, of a band's steps; NULL: bare */
	struct kx *host_height, *host_bands, *host_above;
};

static struct kx *argument(struct bands *b, const char *name, struct kx *host)
{
	return axes_argument(&b->axes, name, host);
}

static void store_cell(struct bands *b, struct kx *run)
{
	const struct expr *table = wave_table(b->s->node, 0);
	struct kx *value = separable_stored(b->l, b->s, run);
	if (b->axes.births)
		value = x_var(k_let(b->l->k, "value", value));
	if (!table->var->on_chip)
		lower_store(b->l, table, value);
	if (b->axes.births)
		births_value(&b->axes, value);
}

static void store_folds(struct bands *b, struct kx *part)
{
	if (births_fold(&b->axes))
		births_store(&b->axes, part, NULL);
}

/* ---- kernels: separable_cpu.kernel ---- */

#define CALLS(DO, GET) \
	DO(bind_outer, axes_bind_outer(&s->axes, arg[0])) \
	DO(bind_row, axis_bind(&s->axes, s->axes.n - 2, arg[0])) \
	DO(bind_column, axis_bind(&s->axes, s->axes.n - 1, arg[0])) \
	DO(add_border, separable_border(l, s->s, arg[0], arg[1], arg[2])) \
	DO(store_cell, store_cell(s, arg[0])) \
	DO(start_folds, births_start(&s->axes)) \
	DO(open_run, births_open_run(&s->axes)) \
	DO(close_run, births_close_run(&s->axes)) \
	DO(store_folds, store_folds(s, arg[0])) \
	GET(problems, argument(s, "problems", s->axes.host_problems)) \
	GET(join, separable_join(l, s->s, arg[0], arg[1])) \
	GET(scaled_up, separable_scale(l, s->s, arg[0], s->up)) \
	GET(scaled_left, separable_scale(l, s->s, arg[0], s->left)) \
	GET(scaled_by_band, separable_scale(l, s->s, arg[0], s->up_band)) \
	GET(zero, separable_zero(l, s->s)) \
	GET(rest_of, separable_rest(l, s->s))

#define HOLE_DO(name, call) KTEXT_CALL(struct bands, s, name, call; return NULL;)
#define HOLE_GET(name, value) KTEXT_CALL(struct bands, s, name, return value;)

CALLS(HOLE_DO, HOLE_GET)

static void bind_text(struct bands *b, struct kernel *k)
{
	bool borders = separable_has_border(b->s, true) || separable_has_border(b->s, false);
	k_numbers(k, "STRIP, BORDERS", STRIP, borders);
	k_bind(k, "TYPE", b->type);
	k_bind_calls(k, b, CALLS(KTEXT_ROW, KTEXT_ROW));
}

static void open_kernel(struct bands *b, const char *suffix, const char *note)
{
	const struct node *node = b->s->node;
	b->l = b->axes.l = lowering_new(b->axes.plan, str_print("%s%s", node->name, suffix));
	struct kernel *k = b->l->k;
	k->note = note;
	memset(b->axes.lo, 0, sizeof b->axes.lo);
	memset(b->axes.size, 0, sizeof b->axes.size);
	lowering_writes(b->l, node);
	k_bind(k, "height", argument(b, "height", b->host_height));
	k_bind(k, "bands", argument(b, "bands", b->host_bands));
	k_bind(k, "rows", axes_rows(&b->axes));
	k_bind(k, "columns", axes_columns(&b->axes));
	struct ktype rows = kt_pointer(b->type, false);
	k_bind(k, "above", lower_argument(b->l, "above", rows, b->host_above));
	b->left = separable_weight(b->l, b->s->left, "left");
	b->up = separable_weight(b->l, b->s->up, "up");
	bind_text(b, k);
}

static void close_kernel(struct bands *b, const char *text)
{
	k_text(b->l->k, text);
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

static struct kx *most_bands(const struct bands *b)
{
	struct kx *bands = x_div_up(axis_most(&b->axes, b->axes.n - 2), x_i64(BAND));
	return x_mul(bands, axes_most_problems(&b->axes));
}

void separable_cpu(struct plan *plan, const struct separable *s)
{
	struct bands b = { .s = s, .type = s->form->type };
	axes_open(&b.axes, plan, s->node);
	struct kx *rows = axis_size(&b.axes, b.axes.n - 2);
	struct kx *most = x_mul(most_bands(&b), axis_most(&b.axes, b.axes.n - 1));
	b.host_above = x_var(plan_slot(plan, "above", b.type, 1, &most));
	struct kvar *parts = births_open_later(&b.axes, most_bands(&b));
	k_if(plan->host, axes_some(&b.axes));
	struct kx *many = x_le(x_i64(MANY), b.axes.host_problems);
	b.host_height = plan_let(plan, "height", x_cond(many, rows, x_i64(BAND)));
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
