/* separable_gpu.c - a separable wavefront on a GPU, in one pass over memory (Note [separable]).
 *
 * A block takes a strip of rows and marches over it, a chunk of columns at a time that lies in registers: a warp has
 * some rows, a lane some columns of them, neighbouring lanes neighbouring vectors.  In a chunk
 *   1. the cells' rests come in; a thread folds them down its rows, and the block down its warps: the chunk's totals,
 *      a value a column, which the strip publishes (words that tell whether they are there: state_words.c)
 *   2. what comes from above: the strips stand in groups; of those before in its group a strip joins the totals,
 *      onto what comes before the group, which the last strip of the group before publishes for all of it
 *   3. down the rows of a thread, then along them: lanes by shuffles, and from chunk to chunk in a register
 * All orders of joins depend on places only, so results repeat bit for bit.  Strips are drawn from a counter in the
 * order of rows, so whoever is waited for has begun.
 *
 * On an H200 a prototype with strips of 128 rows, staged in shared memory, reached 0.82 of what copies memory (f32, 16384 x 16384), and 0.92 without
 * the wait: strips high enough that totals are a few per cent of the bytes, and enough chunks in flight, decide. */
#include "separable_march.h"
#include "../block_scan.h"

enum {
	DATA_WORDS = 64,                 /* registers of a thread for the cells of a chunk ... */
	FEWER_WORDS = 40,                /* ... of two registers each, or with weights: against spills */
	LEAST_COLUMNS = 8,               /* that a lane takes */
	MOST_BLOCKS = 1 << 22            /* of a launch; more strips take turns */
};

static struct kx *slot(const struct march *m, struct kx *row, struct kx *vector, struct kx *cell)
{
	struct kx *at = x_add(x_mul(row, x_i32(m->vectors)), vector);
	return x_at(x_var(m->value), x_add(x_mul(at, x_i32(m->width)), cell));
}

/* A lane's first column of a vector, in the chunk. */
static struct kx *place(const struct march *m, struct kx *vector)
{
	return x_mul(x_add(x_mul(vector, x_i32(m->lanes)), m->lane), x_i32(m->width));
}

/* ---- 1: the cells ---- */

static void bind_index(struct march *m, int d, struct kx *turn)
{
	cells_bind(m->cells, axis_index(&m->axes, d), x_var(k_let(m->k, "at", axis_at(&m->axes, d, turn))));
}

static struct kx *vector_inside(struct march *m, struct kx *row, struct kx *column)
{
	return x_and(x_lt(row, m->row_count), x_lt(column, m->column_count));
}

static void take_vector(struct march *m, struct kx *r, struct kx *u, struct kx *column)
{
	struct kernel *k = m->k;
	struct kx *first = x_var(k_let(k, "first", axis_at(&m->axes, m->axes.n - 1, column)));
	m->cells->mode = m->width > 1 ? CELL_VECTOR : CELL_PLAIN;
	if (m->width > 1)
		cells_load(m->cells, first);
	struct kx *c = marching_each(m, "c", m->width);
	m->cells->lane = c;
	if (m->width > 1)
		cells_bind(m->cells, axis_index(&m->axes, m->axes.n - 1), x_add(first, x_to_i64(c)));
	else
		cells_bind(m->cells, axis_index(&m->axes, m->axes.n - 1), first);
	k_set(k, slot(m, r, u, c), separable_rest(m->l, m->s));
	k_end(k);
	m->cells->mode = CELL_PLAIN;
}

static void take_chunk(struct march *m)
{
	struct kernel *k = m->k;
	struct kx *r = marching_each(m, "r", m->rows), *u = marching_each(m, "u", m->vectors);
	struct kx *row = x_var(k_let(k, "row", x_add(m->row_first, x_to_i64(r))));
	struct kx *column = x_var(k_let(k, "column", x_add(m->column_first, x_to_i64(place(m, u)))));
	k_if(k, vector_inside(m, row, column));
	bind_index(m, m->axes.n - 2, row);
	take_vector(m, r, u, column);
	k_else(k);
	struct kx *c = marching_each(m, "c", m->width);
	k_set(k, slot(m, r, u, c), marching_zero(m));
	k_end(k);
	k_end(k);
	k_end(k);
	k_end(k);
}

/* The bound cell's neighbours outside join it. */
static void border_cell(struct march *m, struct kx *row, struct kx *column, struct kx *value)
{
	struct kx *none = x_i64(0);
	bind_index(m, m->axes.n - 2, row);
	bind_index(m, m->axes.n - 1, column);
	separable_border(m->l, m->s, x_eq(row, none), x_eq(column, none), value);
}

/* The first row is the first one of the first warp; the first column the first cell of the first lane. */
static void take_border(struct march *m)
{
	struct kernel *k = m->k;
	struct kx *none = x_i64(0), *zero32 = x_i32(0);
	if (separable_has_border(m->s, false)) {
		k_if(k, x_and(x_eq(m->column_first, none), x_eq(m->lane, zero32)));
		struct kx *r = marching_each(m, "r", m->rows), *row = x_var(k_let(k, "row", x_add(m->row_first, x_to_i64(r))));
		k_if(k, x_and(x_lt(none, row), x_lt(row, m->row_count)));
		border_cell(m, row, none, slot(m, r, zero32, zero32));
		k_end(k);
		k_end(k);
		k_end(k);
	}
	if (separable_has_border(m->s, true) || separable_has_border(m->s, false)) {
		k_if(k, x_eq(m->row_first, none));
		struct kx *u = marching_each(m, "u", m->vectors), *c = marching_each(m, "c", m->width);
		struct kx *column = x_var(k_let(k, "column", x_add(x_add(m->column_first, x_to_i64(place(m, u))), x_to_i64(c))));
		k_if(k, x_lt(column, m->column_count));
		border_cell(m, none, column, slot(m, zero32, u, c));
		k_end(k);
		k_end(k);
		k_end(k);
		k_end(k);
	}
}

static void share_parts(struct march *m)
{
	struct kernel *k = m->k;
	struct kx *u = marching_each(m, "u", m->vectors), *c = marching_each(m, "c", m->width);
	struct kx *sum = x_var(k_var(k, kt(m->type), "sum", slot(m, x_i32(0), u, c)));
	for (int r = 1; r < m->rows; r++)
		k_set(k, sum, marching_join(m, marching_scale(m, sum, m->up), slot(m, x_i32(r), u, c)));
	struct kx *at = x_add(x_mul(m->warp, x_i32(m->chunk)), x_add(place(m, u), c));
	k_set(k, x_at(x_var(m->part), at), sum);
	k_end(k);
	k_end(k);
}

/* ---- 3: down, and along ---- */

static void down(struct march *m)
{
	struct kernel *k = m->k;
	struct kx *u = marching_each(m, "u", m->vectors), *c = marching_each(m, "c", m->width);
	struct kx *at = x_add(x_mul(m->warp, x_i32(m->chunk)), x_add(place(m, u), c));
	struct kx *above = x_var(k_var(k, kt(m->type), "above", x_at(x_var(m->part), at)));
	struct kx *r = marching_each(m, "r", m->rows);
	k_set(k, above, marching_join(m, marching_scale(m, above, m->up), slot(m, r, u, c)));
	k_set(k, slot(m, r, u, c), above);
	k_end(k);
	k_end(k);
	k_end(k);
}

static struct kx *shuffled(struct march *m, struct kx *value, const char *how, struct kx *by)
{
	struct accumulator a = { .op = m->s->form->acc, .of = m->type, .type = m->type };
	return x_var(accumulator_shuffle(m->l, &a, value, how, by)->var);
}

/* Of each row the total of a lane's vector, what came before the row in front. */
static void lane_totals(struct march *m, struct kx *u, struct kvar *total)
{
	struct kernel *k = m->k;
	struct kx *r = marching_each(m, "r", m->rows), *sum = x_at(x_var(total), r);
	k_set(k, sum, slot(m, r, u, x_i32(0)));
	for (int c = 1; c < m->width; c++)
		k_set(k, sum, marching_join(m, marching_scale(m, sum, m->left), slot(m, r, u, x_i32(c))));
	k_if(k, x_eq(m->lane, x_i32(0)));
	k_set(k, sum, marching_join(m, marching_scale(m, x_at(x_var(m->carry), r), m->left_vector), sum));
	k_end(k);
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

static void store_vector(struct march *m, struct kx *row, struct kx *column, struct kx *r, struct kx *u)
{
	struct kernel *k = m->k;
	const struct expr *table = wave_table(m->s->node, 0);
	k_if(k, vector_inside(m, row, column));
	bind_index(m, m->axes.n - 2, row);
	bind_index(m, m->axes.n - 1, column);
	if (m->width == 1) {
		lower_store(m->l, table, separable_stored(m->l, m->s, slot(m, r, u, x_i32(0))));
	} else {
		struct kvar *out = k_var(k, kt_vector(table->type, m->width), str_print("%s%d", table->var->name, m->width), NULL);
		struct kx *c = marching_each(m, "c", m->width);
		k_set(k, x_lane_at(x_var(out), c), separable_stored(m->l, m->s, slot(m, r, u, c)));
		k_end(k);
		struct kx *cell = lower_cell(m->l, table);
		k_vstore(k, x_offset(cell->arg[0], cell->arg[1]), x_var(out));
	}
	k_end(k);
}

static void finish_row(struct march *m, struct kx *u, struct kvar *total, struct kx *column)
{
	struct kernel *k = m->k;
	struct kx *r = marching_each(m, "r", m->rows), *sum = x_at(x_var(total), r), *carry = x_at(x_var(m->carry), r);
	struct kx *before = shuffled(m, sum, "up_", x_i32(1));
	before = x_var(k_var(k, kt(m->type), "before", x_cond(x_eq(m->lane, x_i32(0)), carry, before)));
	k_set(k, carry, shuffled(m, sum, "", x_i32(m->lanes - 1)));
	struct kx *c = marching_each(m, "c", m->width);
	k_set(k, before, marching_join(m, marching_scale(m, before, m->left), slot(m, r, u, c)));
	k_set(k, slot(m, r, u, c), before);
	k_end(k);
	struct kx *row = x_var(k_let(k, "row", x_add(m->row_first, x_to_i64(r))));
	store_vector(m, row, column, r, u);
	k_end(k);
}

static void along(struct march *m)
{
	struct kernel *k = m->k;
	struct kx *u = marching_each(m, "u", m->vectors);
	struct kvar *total = k_regs(k, m->type, "total", m->rows);
	struct kx *column = x_var(k_let(k, "column", x_add(m->column_first, x_to_i64(place(m, u)))));
	lane_totals(m, u, total);
	scan_lanes(m, total);
	finish_row(m, u, total, column);
	k_end(k);
}

/* ---- the march ---- */

static void march(struct march *m)
{
	struct kernel *k = m->k;
	struct kx *r = marching_each(m, "r", m->rows);
	k_set(k, x_at(x_var(m->carry), r), marching_zero(m));
	k_end(k);
	m->chunk_number = x_var(k_for(k, "chunk", x_i64(0), m->chunks, x_i64(1), FOR_ROLLED));
	m->column_first = x_var(k_let(k, "column_first", x_mul(m->chunk_number, x_i64(m->chunk))));
	take_chunk(m);
	take_border(m);
	share_parts(m);
	k_barrier(k);
	marching_above(m);
	k_barrier(k);
	down(m);
	along(m);
	k_end(k);
}

/* ---- the kernel ---- */

static struct kx *weight(struct march *m, const struct wave_term *t, const char *name)
{
	return t->weight ? x_var(k_let(m->k, name, lower_expr(m->l, t->weight))) : NULL;
}

static void weights(struct march *m)
{
	m->left = weight(m, m->s->left, "left");
	m->up = weight(m, m->s->up, "up");
	m->left_vector = separable_power(m->l, m->s, "left_vector", m->left, m->width);
	for (int step = 0; 1 << step < m->lanes; step++)
		m->step[step] = separable_power(m->l, m->s, "left_step", m->left_vector, (int64_t)1 << step);
	m->up_rows = separable_power(m->l, m->s, "up_rows", m->up, m->rows);
	m->up_height = separable_power(m->l, m->s, "up_height", m->up_rows, m->warps);
}

static struct kx *argument(struct march *m, const char *name, struct kx *host)
{
	return axes_argument(&m->axes, name, host);
}

static struct kx *div_up(struct kx *cells, int64_t by)
{
	return x_div_up(cells, x_i64(by));
}

static struct kx *state_size(struct march *m, struct kx *problems, struct kx *strips, struct kx *chunks)
{
	struct kx *numbers = x_mul(problems, x_add(strips, div_up(strips, MARCHING_GROUP)));
	return x_add(x_mul(x_mul(numbers, x_mul(chunks, x_i64(m->chunk))), x_i64(m->words)), x_i64(1));
}

/* Over the extents of the table, which no range leaves. */
static struct kx *most_state(struct march *m)
{
	struct lowering *host = host_lowering(m->axes.plan);
	const struct var *table = wave_table(m->s->node, 0)->var;
	struct kx *problems = x_i64(1);
	for (int d = 0; d < table->rank - 2; d++)
		problems = x_mul(problems, lower_extent(host, table, d));
	struct kx *strips = div_up(lower_extent(host, table, table->rank - 2), m->height);
	return state_size(m, problems, strips, div_up(lower_extent(host, table, table->rank - 1), m->chunk));
}

static void host_numbers(struct march *m)
{
	struct plan *plan = m->axes.plan;
	struct kx *most = most_state(m);
	int n = m->axes.n;
	m->host_strips = plan_let(plan, "strips", div_up(axis_size(&m->axes, n - 2), m->height));
	m->host_groups = plan_let(plan, "groups", div_up(m->host_strips, MARCHING_GROUP));
	m->host_chunks = plan_let(plan, "chunks", div_up(axis_size(&m->axes, n - 1), m->chunk));
	m->host_all = plan_let(plan, "all_strips", x_mul(m->axes.host_problems, m->host_strips));
	m->host_blocks = plan_let(plan, "blocks", x_min(m->host_all, x_i64(MOST_BLOCKS)));
	m->host_state = x_var(plan_slot(plan, "state", type_scalar(T_U64), 1, &most));
	k_if(plan->host, x_lt(x_i64(1), m->host_strips));
	k_clear(plan->host, m->host_state, x_mul(state_size(m, m->axes.host_problems, m->host_strips, m->host_chunks), x_i64(8)));
	k_end(plan->host);
}

static void arguments(struct march *m)
{
	m->strips = argument(m, "strips", m->host_strips);
	m->groups = argument(m, "groups", m->host_groups);
	m->chunks = argument(m, "chunks", m->host_chunks);
	m->row_count = axes_rows(&m->axes);
	m->column_count = axes_columns(&m->axes);
	m->state = lower_argument(m->l, "state", kt_pointer(type_scalar(T_U64), false), m->host_state);
}

/* The strip of the block: drawn, where strips wait for each other. */
static void open_strip(struct march *m)
{
	struct kernel *k = m->k;
	struct kx *every = argument(m, "all_strips", m->host_all);
	struct kx *turns = argument(m, "turns", x_div_up(m->host_all, x_max(m->host_blocks, x_i64(1))));
	struct kvar *drawn = k_shared(k, type_scalar(T_I64), "drawn", 1);
	struct kx *turn = x_var(k_for(k, "turn", x_i64(0), turns, x_i64(1), FOR_ROLLED)), *arg[] = { m->state };
	struct kx *own = x_add(x_mul(turn, x_to_i64(x_id(ID_GRID_X))), x_to_i64(x_id(ID_BLOCK_X)));
	struct kx *number = x_var(k_var(k, kt_scalar(T_I64), "number", own));
	k_if(k, x_lt(x_i64(1), m->strips));
	k_barrier(k);
	k_if(k, x_eq(m->thread, x_i32(0)));
	k_set(k, x_at(x_var(drawn), x_i32(0)), x_help(kt_scalar(T_I64), "patc_draw", 1, arg));
	k_end(k);
	k_barrier(k);
	k_set(k, number, x_at(x_var(drawn), x_i32(0)));
	k_end(k);
	k_if(k, x_le(every, number));
	k_break(k);
	k_end(k);
	m->problem = x_var(k_let(k, "problem", x_div(number, m->strips)));
	m->strip = x_var(k_let(k, "strip", x_rem(number, m->strips)));
	struct kx *rows = x_add(x_mul(m->strip, x_i64(m->height)), x_to_i64(x_mul(m->warp, x_i32(m->rows))));
	m->row_first = x_var(k_let(k, "row_first", rows));
	axes_bind_outer(&m->axes, m->problem);
	for (int d = 0; d < m->axes.n - 2; d++) {
		int index = axis_index(&m->axes, d);
		m->cells->index[index] = lower_var(m->l, m->s->node->index.at[index]);
	}
}

/* By the widest vector: instances of narrower ones have the same chunks. */
static void choose(struct march *m, int widest)
{
	const struct target *target = m->axes.plan->target;
	int columns = widest > LEAST_COLUMNS ? widest : LEAST_COLUMNS;
	m->lanes = target->lanes;
	m->warps = target->block / target->lanes;
	m->words = (int)type_words(m->type);
	m->columns = columns / m->words > 4 ? columns / m->words : 4;
	m->columns = m->columns < widest ? widest : m->columns;
	m->rows = (m->words > 1 || m->s->form->dist ? FEWER_WORDS : DATA_WORDS) / (m->words * m->columns);
	m->height = (int64_t)m->warps * m->rows;
	m->chunk = (int64_t)m->lanes * m->columns;
}

static void open_kernel(struct march *m, int width)
{
	const struct node *node = m->s->node;
	struct lowering *l = m->l = m->axes.l = lowering_new(m->axes.plan, str_print("%s%s", node->name, width > 1 ? "_vectors" : ""));
	m->k = l->k;
	m->width = width;
	m->vectors = m->columns / width;
	l->k->note = "A strip of rows a block, chunk after chunk: totals of columns, what comes from above, then its cells.";
	lowering_writes(l, node);
	m->cells = cells_beside(l, node);
	m->cells->width = m->width;
	l->k->block[0] = m->lanes * m->warps;
	l->k->block[1] = l->k->block[2] = 1;
	l->k->min_blocks = width > 1 ? 2 : 1;     /* against spills */
}

static void instance(const struct march *of, int width)
{
	struct march here = *of, *m = &here;
	open_kernel(m, width);
	arguments(m);
	m->thread = x_var(k_let(m->k, "thread", block_thread(m->l)));
	m->lane = lane_of(m->l, &m->warp);
	weights(m);
	m->value = k_regs(m->k, m->type, "cell", (int64_t)m->rows * m->columns);
	m->carry = k_regs(m->k, m->type, "carry", m->rows);
	m->part = k_shared(m->k, m->type, "part", (int64_t)m->warps * m->chunk);
	open_strip(m);
	march(m);
	k_end(m->k);
	lowering_launch(m->l, m->host_blocks, x_i64(1), x_i64(1));
}

/* ---- vectors ---- */

int separable_width(const struct node *node)
{
	for (int d = 0; d < node->index.n; d++)
		if (node->wave->order[d] != d)
			return 1;
	return node->wave->back[node->index.n - 1] ? 1 : cells_vector(node);
}

/* Host: every row begins at a vector and is whole ones. */
static struct kx *rows_aligned(const struct march *m, int width)
{
	struct cells *c = cells_beside(host_lowering(m->axes.plan), m->s->node);
	int last = m->axes.n - 1;
	c->width = width;
	struct kx *whole = x_eq(x_rem(m->axes.host_size[last], x_i64(width)), x_i64(0));
	if (!x_is_int(m->axes.host_lo[last], 0))
		whole = x_and(x_eq(x_rem(m->axes.host_lo[last], x_i64(width)), x_i64(0)), whole);
	return x_and(whole, cells_aligned(c));
}

void separable_gpu(struct plan *plan, const struct separable *s)
{
	struct march m = { .s = s, .type = s->form->type };
	int width = separable_width(s->node);
	axes_open(&m.axes, plan, s->node);
	choose(&m, width);
	k_if(plan->host, axes_some(&m.axes));
	host_numbers(&m);
	if (width > 1) {
		k_if(plan->host, rows_aligned(&m, width));
		instance(&m, width);
		k_else(plan->host);
	}
	instance(&m, 1);
	if (width > 1)
		k_end(plan->host);
	k_end(plan->host);
}
