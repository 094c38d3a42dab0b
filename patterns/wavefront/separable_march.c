/* separable_march.c - what separable_march.kernel leaves open: the cells of a wavefront, and their
 * algebra. */
#include "separable_march.h"
#include "../state_words.h"

enum { ASKED = 4 };                      /* totals that a thread waits for at a time */

/* ---- weights ---- */

static struct kx *power(struct march *m, const char *name, enum steps of, int64_t times)
{
	return separable_power(m->l, m->s, name, m->weight[of], times);
}

static void find_weights(struct march *m)
{
	m->weight[LEFT] = separable_weight(m->l, m->s->left, "left");
	m->weight[UP] = separable_weight(m->l, m->s->up, "up");
	m->weight[LEFT_VECTOR] = power(m, "left_vector", LEFT, m->width);
	for (int n = 0; 1 << n < m->lanes; n++)
		m->weight[LEFT_LANES + n] = power(m, "left_step", LEFT_VECTOR, (int64_t)1 << n);
	m->weight[UP_ROWS] = power(m, "up_rows", UP, m->rows);
	m->weight[UP_HEIGHT] = power(m, "up_height", UP_ROWS, m->warps);
}

static struct kx *joined(struct march *m, struct kx *a, const struct kx *steps, struct kx *b)
{
	struct kx *there = separable_scale(m->l, m->s, a, m->weight[steps->i]);
	return separable_join(m->l, m->s, there, b);
}

/* ---- the problem, and its indices ---- */

static void bind_problem(struct march *m, struct kx *problem)
{
	axes_bind_outer(&m->axes, problem);
	for (int d = 0; d < m->axes.n - 2; d++) {
		int index = axis_index(&m->axes, d);
		m->cells->index[index] = lower_var(m->l, m->s->node->index.at[index]);
	}
}

/* d counts from the slowest axis: rows are before columns, which are the last. */
static void bind_axis(struct march *m, int d, struct kx *turn)
{
	struct kvar *at = k_let(m->l->k, "at", axis_at(&m->axes, d, turn));
	cells_bind(m->cells, axis_index(&m->axes, d), x_var(at));
}

static void bind_cell(struct march *m, struct kx *row, struct kx *column)
{
	bind_axis(m, m->axes.n - 2, row);
	bind_axis(m, m->axes.n - 1, column);
}

/* The neighbours outside of a cell of the first row or column join it. */
static void add_border(struct march *m, struct kx *row, struct kx *column, struct kx *value)
{
	bind_cell(m, row, column);
	separable_border(m->l, m->s, x_eq(row, x_i64(0)), x_eq(column, x_i64(0)), value);
}

/* ---- what a cell is computed from, where it is not staged ---- */

static void load_vector(struct march *m, struct kx *first)
{
	m->cells->mode = m->width > 1 ? CELL_VECTOR : CELL_PLAIN;
	if (m->width > 1)
		cells_load(m->cells, first);
}

static struct kx *rest(struct march *m, struct kx *first, struct kx *c)
{
	bool vector = m->width > 1;
	m->cells->lane = c;
	m->cells->mode = vector ? CELL_VECTOR : CELL_PLAIN;
	struct kx *column = vector ? x_add(first, x_to_i64(c)) : first;
	cells_bind(m->cells, axis_index(&m->axes, m->axes.n - 1), column);
	struct kx *value = separable_rest(m->l, m->s);
	m->cells->mode = CELL_PLAIN;
	return value;
}

/* ---- the table ---- */

static const struct expr *table(const struct march *m)
{
	return wave_table(m->s->node, 0);
}

static struct kx *place_of_cell(struct march *m, struct kx *row, struct kx *column)
{
	bind_cell(m, row, column);
	struct kx *cell = lower_cell(m->l, table(m));
	return x_offset(cell->arg[0], cell->arg[1]);
}

static void store_one(struct march *m, struct kx *row, struct kx *column, struct kx *value)
{
	bind_cell(m, row, column);
	lower_store(m->l, table(m), separable_stored(m->l, m->s, value));
}

struct kx *march_stride(struct march *m, const struct expr *cell)
{
	const struct node *node = m->s->node;
	int a = 0, row = axis_index(&m->axes, m->axes.n - 2);
	while (!expr_uses(cell->arg.at[a], node->index.at[row]))
		a++;
	struct kx *stride = cells_stride(m->cells, cell->var, a);
	return node->wave->back[row] ? x_sub(x_i64(0), stride) : stride;
}

static struct kx *all_turns(struct march *m)
{
	struct kx *turns = x_div_up(m->host_all, x_max(m->host_blocks, x_i64(1)));
	return axes_argument(&m->axes, "turns", turns);
}

/* ---- the kernel: separable_march.kernel ---- */

#define CALLS(DO, GET) \
	DO(find_weights, find_weights(s)) \
	DO(bind_problem, bind_problem(s, arg[0])) \
	DO(bind_row, bind_axis(s, s->axes.n - 2, arg[0])) \
	DO(bind_column, bind_axis(s, s->axes.n - 1, arg[0])) \
	DO(add_border, add_border(s, arg[0], arg[1], arg[2])) \
	DO(load_vector, load_vector(s, arg[0])) \
	DO(store_one, store_one(s, arg[0], arg[1], arg[2])) \
	DO(start_births, births_start(&s->axes)) \
	DO(open_run, births_open_run(&s->axes)) \
	DO(close_run, births_close_run(&s->axes)) \
	DO(use_value, births_value(&s->axes, arg[0])) \
	DO(fold_block, block_fold(l, &s->axes.births->acc)) \
	DO(store_births, births_store(&s->axes, arg[0], NULL)) \
	GET(all_strips, axes_argument(&s->axes, "all_strips", s->host_all)) \
	GET(all_turns, all_turns(s)) \
	GET(zero, separable_zero(l, s->s)) \
	GET(join, separable_join(l, s->s, arg[0], arg[1])) \
	GET(joined, joined(s, arg[0], arg[1], arg[2])) \
	GET(index_of, axis_at(&s->axes, s->axes.n - 1, arg[0])) \
	GET(rest, rest(s, arg[0], arg[1])) \
	GET(stored, separable_stored(l, s->s, arg[0])) \
	GET(place_of_cell, place_of_cell(s, arg[0], arg[1])) \
	GET(table_stride, march_stride(s, table(s))) \
	GET(bits_of, state_bits(arg[0])) \
	GET(of_bits, state_of_bits(s->type, arg[0]))

#define HOLE_DO(name, call) KTEXT_CALL(struct march, s, name, call; return NULL;)
#define HOLE_GET(name, value) KTEXT_CALL(struct march, s, name, return value;)

CALLS(HOLE_DO, HOLE_GET)

static void bind_arguments(struct march *m)
{
	struct kernel *k = m->l->k;
	struct axes *a = &m->axes;
	k_bind(k, "strips", axes_argument(a, "strips", m->host_strips));
	k_bind(k, "groups", axes_argument(a, "groups", m->host_groups));
	k_bind(k, "chunks", axes_argument(a, "chunks", m->host_chunks));
	k_bind(k, "rows", axes_rows(a));
	k_bind(k, "columns", axes_columns(a));
	struct ktype words = kt_pointer(type_scalar(T_U64), false);
	k_bind(k, "state", lower_argument(m->l, "state", words, m->host_state));
}

static void bind_shape(struct march *m)
{
	struct kernel *k = m->l->k;
	bool row = separable_has_border(m->s, true), column = separable_has_border(m->s, false);
	k_numbers(k, "ROWS, VECTORS, WIDTH, WARPS", m->rows, m->vectors, m->width, m->warps);
	k_numbers(k, "THREADS, HEIGHT, CHUNK", m->lanes * m->warps, m->height, m->chunk);
	k_numbers(k, "GROUP, WORDS, ASKED", m->group, m->words, ASKED);
	k_numbers(k, "STAGED, WEIGHED", m->arrays > 0, m->s->left->weight != NULL);
	k_numbers(k, "FIRST_COLUMN, FIRST_ROW", column, row || column);
	k_numbers(k, "BIRTHS, FOLDS", m->axes.births != NULL, births_fold(&m->axes));
	k_numbers(k, "LEFT, LEFT_VECTOR, LEFT_LANES", LEFT, LEFT_VECTOR, LEFT_LANES);
	k_numbers(k, "UP, UP_ROWS, UP_HEIGHT", UP, UP_ROWS, UP_HEIGHT);
}

static void bind_table(struct march *m)
{
	struct kernel *k = m->l->k;
	const struct var *var = table(m)->var;
	k_bind(k, "STORED", !var->on_chip);
	k_bind(k, "TYPE", m->type);
	k_bind(k, "PLACE", kt_pointer(table(m)->type, false));
	k_bind(k, "VECTOR", kt_vector(table(m)->type, m->width));
	k_bind(k, "in_block", "thread");
	k_bind(k, "out", (const char *)str_print("%s%d", var->name, m->width));
}

void march_kernel(struct march *m)
{
	bind_arguments(m);
	bind_shape(m);
	bind_table(m);
	k_bind_calls(m->l->k, m, CALLS(KTEXT_ROW, KTEXT_ROW));
	if (m->arrays)
		stages_bind(m);
	k_text(m->l->k, "separable_strips");
}
