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
 * On an H200 a prototype of this structure reached 0.82 of what copies memory (f32, 16384 x 16384), and 0.92 without
 * the wait: strips high enough that totals are a few per cent of the bytes, and enough chunks in flight, decide. */
#include "separable.h"
#include "../block_scan.h"
#include "../state_words.h"

enum {
	DATA_WORDS = 64,                 /* registers of a thread for the cells of a chunk ... */
	FEWER_WORDS = 40,                /* ... of two registers each, or with weights: against spills */
	LEAST_COLUMNS = 8,               /* that a lane takes */
	GROUP = 16,                      /* strips */
	ASKED = 4,                       /* of their totals a thread waits for so many at a time */
	MOST_BLOCKS = 1 << 22            /* of a launch; more strips take turns */
};

struct march {
	struct axes axes;
	const struct separable *s;
	const struct type *type;
	struct lowering *l;
	struct kernel *k;
	struct cells *cells;
	int width, vectors, columns, rows;   /* cells of a vector; vectors, columns and rows of a thread */
	int lanes, warps, words;         /* of a total */
	int64_t height, chunk;           /* of a strip; columns */
	struct kx *left, *up, *left_vector, *step[8], *up_rows, *up_height;      /* weights, and their powers; NULL: bare */
	struct kx *lane, *warp, *thread;
	struct kx *row_count, *column_count, *strips, *groups, *chunks, *state;
	struct kx *problem, *strip, *row_first, *column_first, *chunk_number;
	struct kvar *value, *carry;      /* registers: of a chunk's cells; at the end of each row before it */
	struct kvar *part;               /* the block's memory: of each warp and column the total, then what comes before */
	struct kx *host_strips, *host_groups, *host_chunks, *host_all, *host_blocks, *host_state;
};

static struct kx *join(struct march *m, struct kx *a, struct kx *b)
{
	return separable_join(m->l, m->s, a, b);
}

static struct kx *scale(struct march *m, struct kx *x, struct kx *weight)
{
	return separable_scale(m->l, m->s, x, weight);
}

static struct kx *zero(struct march *m)
{
	return separable_zero(m->l, m->s);
}

/* ---- loops over what a thread has ---- */

static struct kx *each(struct march *m, const char *name, int n)
{
	if (n == 1) {
		k_scope(m->k);
		return x_i32(0);
	}
	return x_var(k_for(m->k, name, x_i32(0), x_i32(n), x_i32(1), FOR_UNROLL));
}

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
	struct kx *c = each(m, "c", m->width);
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
	struct kx *r = each(m, "r", m->rows), *u = each(m, "u", m->vectors);
	struct kx *row = x_var(k_let(k, "row", x_add(m->row_first, x_to_i64(r))));
	struct kx *column = x_var(k_let(k, "column", x_add(m->column_first, x_to_i64(place(m, u)))));
	k_if(k, vector_inside(m, row, column));
	bind_index(m, m->axes.n - 2, row);
	take_vector(m, r, u, column);
	k_else(k);
	struct kx *c = each(m, "c", m->width);
	k_set(k, slot(m, r, u, c), zero(m));
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
		struct kx *r = each(m, "r", m->rows), *row = x_var(k_let(k, "row", x_add(m->row_first, x_to_i64(r))));
		k_if(k, x_and(x_lt(none, row), x_lt(row, m->row_count)));
		border_cell(m, row, none, slot(m, r, zero32, zero32));
		k_end(k);
		k_end(k);
		k_end(k);
	}
	if (separable_has_border(m->s, true) || separable_has_border(m->s, false)) {
		k_if(k, x_eq(m->row_first, none));
		struct kx *u = each(m, "u", m->vectors), *c = each(m, "c", m->width);
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
	struct kx *u = each(m, "u", m->vectors), *c = each(m, "c", m->width);
	struct kx *sum = x_var(k_var(k, kt(m->type), "sum", slot(m, x_i32(0), u, c)));
	for (int r = 1; r < m->rows; r++)
		k_set(k, sum, join(m, scale(m, sum, m->up), slot(m, x_i32(r), u, c)));
	struct kx *at = x_add(x_mul(m->warp, x_i32(m->chunk)), x_add(place(m, u), c));
	k_set(k, x_at(x_var(m->part), at), sum);
	k_end(k);
	k_end(k);
}

/* ---- 2: what comes from above ---- */

static struct accumulators one_total(struct march *m, const char *name, struct kx *value)
{
	struct accumulators acc = { .n = 1 };
	acc.at[0] = (struct accumulator){ .op = m->s->form->acc, .of = m->type, .type = m->type,
	                                  .var = k_var(m->k, kt(m->type), name, value) };
	return acc;
}

/* Word of a column's total, of a strip or of a group: numbers count on over both. */
static struct kx *word_place(struct march *m, struct kx *number, struct kx *column, int word)
{
	struct kx *row = x_add(x_mul(number, x_i64(m->words)), x_i64(word));
	struct kx *pitch = x_mul(m->chunks, x_i64(m->chunk));
	return x_offset(m->state, x_add(x_add(x_mul(row, pitch), column), x_i64(1)));
}

static struct kx *strip_number(struct march *m, struct kx *strip)
{
	return x_add(x_mul(m->problem, x_add(m->strips, m->groups)), strip);
}

static struct kx *group_number(struct march *m, struct kx *group)
{
	return strip_number(m, x_add(m->strips, group));
}

static void publish(struct march *m, struct kx *number, struct kx *column, const struct accumulators *acc)
{
	struct kx *at[STATE_WORDS];
	for (int w = 0; w < m->words; w++)
		at[w] = word_place(m, number, column, w);
	state_store(m->l, at, acc, x_int(T_U32, 1));
}

static struct kx *word_at(struct march *m, struct kvar *asked, struct kx *x, int w)
{
	return x_at(x_var(asked), x_add(x_mul(x, x_i32(m->words)), x_i32(w)));
}

static void ask(struct march *m, struct kvar *asked, struct kx *x, struct kx *number, struct kx *column)
{
	for (int w = 0; w < m->words; w++)
		k_set(m->k, word_at(m, asked, x, w), state_load(word_place(m, number, column, w)));
}

/* Asks again until it is there. */
static void await(struct march *m, struct kvar *asked, struct kx *x, struct kx *number, struct kx *column, const struct accumulators *to)
{
	struct kx *missing = NULL, *word[STATE_WORDS];
	for (int w = 0; w < m->words; w++) {
		word[w] = word_at(m, asked, x, w);
		missing = x_or(missing, x_eq(state_known(word[w]), x_int(T_U32, 0)));
	}
	k_while(m->k, missing);
	ask(m, asked, x, number, column);
	k_end(m->k);
	state_take(m->l, word, to);
}

/* above, of nothing yet, becomes what comes into the strip at the column. */
static void look_back(struct march *m, struct kx *column, const struct accumulators *above)
{
	struct kernel *k = m->k;
	struct kvar *asked = k_regs(k, type_scalar(T_U64), "asked", ASKED * m->words);
	struct kx *group = x_var(k_let(k, "group", x_div(m->strip, x_i64(GROUP)))), *none = x_i32(0);
	struct kx *rank = x_var(k_let(k, "rank", x_to_i32(x_rem(m->strip, x_i64(GROUP)))));
	struct accumulators total = one_total(m, "total", zero(m));
	struct kx *value = x_var(above->at[0].var);
	k_if(k, x_lt(x_i64(0), group));
	ask(m, asked, none, group_number(m, group), column);
	await(m, asked, none, group_number(m, group), column, above);
	k_end(k);
	struct kx *base = x_var(k_for(k, "base", none, rank, x_i32(ASKED), FOR_ROLLED));
	struct kx *first = x_add(x_mul(group, x_i64(GROUP)), x_to_i64(base));
	struct kx *x = each(m, "x", ASKED);
	k_if(k, x_lt(x_add(base, x), rank));
	ask(m, asked, x, strip_number(m, x_add(first, x_to_i64(x))), column);
	k_end(k);
	k_end(k);
	x = each(m, "x", ASKED);
	k_if(k, x_lt(x_add(base, x), rank));
	await(m, asked, x, strip_number(m, x_add(first, x_to_i64(x))), column, &total);
	k_set(k, value, join(m, scale(m, value, m->up_height), x_var(total.at[0].var)));
	k_end(k);
	k_end(k);
	k_end(k);
}

/* Of the last strip of a group: what comes before the next one. */
static void publish_group(struct march *m, struct kx *column, const struct accumulators *above, struct kx *own)
{
	struct kernel *k = m->k;
	struct kx *next = x_var(k_let(k, "next", x_add(m->strip, x_i64(1))));
	k_if(k, x_and(x_eq(x_rem(next, x_i64(GROUP)), x_i64(0)), x_lt(next, m->strips)));
	struct accumulators all = one_total(m, "all", join(m, scale(m, x_var(above->at[0].var), m->up_height), own));
	publish(m, group_number(m, x_div(next, x_i64(GROUP))), column, &all);
	k_end(k);
}

/* The parts of a column become what comes before each warp. */
static void place_parts(struct march *m)
{
	struct kernel *k = m->k;
	int64_t block = (int64_t)m->lanes * m->warps;
	struct kx *at = x_var(k_for(k, "at", m->thread, x_i32(m->chunk), x_i32(block), m->chunk > block ? FOR_ROLLED : 0));
	struct kvar *part = k_regs(k, m->type, "of_warp", m->warps);
	struct kx *w = each(m, "w", m->warps);
	k_set(k, x_at(x_var(part), w), x_at(x_var(m->part), x_add(x_mul(w, x_i32(m->chunk)), at)));
	k_end(k);
	struct accumulators above = one_total(m, "above", zero(m));
	struct kx *value = x_var(above.at[0].var);
	k_if(k, x_lt(x_i64(1), m->strips));
	struct accumulators own = one_total(m, "own", x_at(x_var(part), x_i32(0)));
	for (int n = 1; n < m->warps; n++)
		k_set(k, x_var(own.at[0].var), join(m, scale(m, x_var(own.at[0].var), m->up_rows), x_at(x_var(part), x_i32(n))));
	struct kx *column = x_var(k_let(k, "column", x_add(m->column_first, x_to_i64(at))));
	publish(m, strip_number(m, m->strip), column, &own);
	look_back(m, column, &above);
	publish_group(m, column, &above, x_var(own.at[0].var));
	k_end(k);
	w = each(m, "w", m->warps);
	k_set(k, x_at(x_var(m->part), x_add(x_mul(w, x_i32(m->chunk)), at)), value);
	k_set(k, value, join(m, scale(m, value, m->up_rows), x_at(x_var(part), w)));
	k_end(k);
	k_end(k);
}

/* ---- 3: down, and along ---- */

static void down(struct march *m)
{
	struct kernel *k = m->k;
	struct kx *u = each(m, "u", m->vectors), *c = each(m, "c", m->width);
	struct kx *at = x_add(x_mul(m->warp, x_i32(m->chunk)), x_add(place(m, u), c));
	struct kx *above = x_var(k_var(k, kt(m->type), "above", x_at(x_var(m->part), at)));
	struct kx *r = each(m, "r", m->rows);
	k_set(k, above, join(m, scale(m, above, m->up), slot(m, r, u, c)));
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
	struct kx *r = each(m, "r", m->rows), *sum = x_at(x_var(total), r);
	k_set(k, sum, slot(m, r, u, x_i32(0)));
	for (int c = 1; c < m->width; c++)
		k_set(k, sum, join(m, scale(m, sum, m->left), slot(m, r, u, x_i32(c))));
	k_if(k, x_eq(m->lane, x_i32(0)));
	k_set(k, sum, join(m, scale(m, x_at(x_var(m->carry), r), m->left_vector), sum));
	k_end(k);
	k_end(k);
}

/* Rows go step by step together, so that their shuffles overlap. */
static void scan_lanes(struct march *m, struct kvar *total)
{
	struct kernel *k = m->k;
	for (int step = 0; 1 << step < m->lanes; step++) {
		struct kx *r = each(m, "r", m->rows), *sum = x_at(x_var(total), r);
		struct kx *before = shuffled(m, sum, "up_", x_i32(1 << step));
		k_if(k, x_le(x_i32(1 << step), m->lane));
		k_set(k, sum, join(m, scale(m, before, m->step[step]), sum));
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
		struct kx *c = each(m, "c", m->width);
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
	struct kx *r = each(m, "r", m->rows), *sum = x_at(x_var(total), r), *carry = x_at(x_var(m->carry), r);
	struct kx *before = shuffled(m, sum, "up_", x_i32(1));
	before = x_var(k_var(k, kt(m->type), "before", x_cond(x_eq(m->lane, x_i32(0)), carry, before)));
	k_set(k, carry, shuffled(m, sum, "", x_i32(m->lanes - 1)));
	struct kx *c = each(m, "c", m->width);
	k_set(k, before, join(m, scale(m, before, m->left), slot(m, r, u, c)));
	k_set(k, slot(m, r, u, c), before);
	k_end(k);
	struct kx *row = x_var(k_let(k, "row", x_add(m->row_first, x_to_i64(r))));
	store_vector(m, row, column, r, u);
	k_end(k);
}

static void along(struct march *m)
{
	struct kernel *k = m->k;
	struct kx *u = each(m, "u", m->vectors);
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
	struct kx *r = each(m, "r", m->rows);
	k_set(k, x_at(x_var(m->carry), r), zero(m));
	k_end(k);
	m->chunk_number = x_var(k_for(k, "chunk", x_i64(0), m->chunks, x_i64(1), FOR_ROLLED));
	m->column_first = x_var(k_let(k, "column_first", x_mul(m->chunk_number, x_i64(m->chunk))));
	take_chunk(m);
	take_border(m);
	share_parts(m);
	k_barrier(k);
	place_parts(m);
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
	struct kx *numbers = x_mul(problems, x_add(strips, div_up(strips, GROUP)));
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
	m->host_groups = plan_let(plan, "groups", div_up(m->host_strips, GROUP));
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
