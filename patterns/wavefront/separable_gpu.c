/* separable_gpu.c - a separable wavefront on a GPU, in one pass over memory (Note [separable]).
 *
 * A block takes a strip of rows and marches over it, a chunk of columns at a time: a warp has some rows, a lane some
 * columns of them, neighbouring lanes neighbouring vectors.  In a chunk
 *   1. the cells' rests come in; a thread folds them down its rows, and the block down its warps: the chunk's totals,
 *      a value a column, which the strip publishes (words that tell whether they are there: state_words.c)
 *   2. what comes from above: the strips stand in groups; of those before in its group a strip joins the totals,
 *      onto what comes before the group, which the last strip of the group before publishes for all of it
 *   3. down the rows of a thread, then along them: lanes by shuffles, and from chunk to chunk in a register
 * All orders of joins depend on places only, so results repeat bit for bit.  Strips are drawn from a counter in the
 * order of rows, so whoever is waited for has begun.
 *
 * Where a block may ask for much shared memory, three chunks are on their way to it, and 1 is done a chunk ahead of 2
 * and 3 (separable_stages.c): tall strips where there are rows enough for all multiprocessors, else low ones.  By hand
 * on an H200, f32 and 16384 x 16384: strips of 128 rows reached 441 G cells/s, two blocks of 64 rows 418, where copies
 * move 527; at 4096 x 4096 strips of 32 rows 166.  Everywhere else a chunk lies in registers, as below. */
#include "separable_march.h"
#include "../block_scan.h"

enum {
	UNIT_BYTES = 216 * 1024,         /* of the shared memory of a multiprocessor */
	DATA_WORDS = 64,                 /* registers of a thread for the cells of a chunk ... */
	FEWER_WORDS = 40,                /* ... where nothing is staged, and others are wanted */
	LEAST_COLUMNS = 8,               /* that a lane takes, there */
	LOW_ROWS = 4,                    /* of a thread, where rows are few */
	GROUP = 16, STAGED_GROUP = 12,   /* strips of a group */
	MOST_BLOCKS = 1 << 22            /* of a launch; more strips take turns */
};

struct kx *marching_slot(const struct march *m, struct kx *row, struct kx *vector, struct kx *cell)
{
	struct kx *at = x_add(x_mul(row, x_i32(m->vectors)), vector);
	return x_at(x_var(m->value), x_add(x_mul(at, x_i32(m->width)), cell));
}

/* A lane's first column of a vector, in the chunk. */
struct kx *marching_place(const struct march *m, struct kx *vector)
{
	return x_mul(x_add(x_mul(vector, x_i32(m->lanes)), m->lane), x_i32(m->width));
}

struct kx *marching_join(struct march *m, struct kx *a, struct kx *b)
{
	return separable_join(m->l, m->s, a, b);
}

struct kx *marching_scale(struct march *m, struct kx *x, struct kx *weight)
{
	return separable_scale(m->l, m->s, x, weight);
}

struct kx *marching_zero(struct march *m)
{
	return separable_zero(m->l, m->s);
}

struct kx *marching_each(struct march *m, const char *name, int n)
{
	if (n == 1) {
		k_scope(m->k);
		return x_i32(0);
	}
	return x_var(k_for(m->k, name, x_i32(0), x_i32(n), x_i32(1), FOR_UNROLL));
}

/* ---- 1: the cells ---- */

void marching_bind(struct march *m, int d, struct kx *turn)
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
	k_set(k, marching_slot(m, r, u, c), separable_rest(m->l, m->s));
	k_end(k);
	m->cells->mode = CELL_PLAIN;
}

static void take_chunk(struct march *m)
{
	struct kernel *k = m->k;
	struct kx *r = marching_each(m, "r", m->rows), *u = marching_each(m, "u", m->vectors);
	struct kx *row = x_var(k_let(k, "row", x_add(m->row_first, x_to_i64(r))));
	struct kx *column = x_var(k_let(k, "column", x_add(m->column_first, x_to_i64(marching_place(m, u)))));
	k_if(k, vector_inside(m, row, column));
	marching_bind(m, m->axes.n - 2, row);
	take_vector(m, r, u, column);
	k_else(k);
	struct kx *c = marching_each(m, "c", m->width);
	k_set(k, marching_slot(m, r, u, c), marching_zero(m));
	k_end(k);
	k_end(k);
	k_end(k);
	k_end(k);
}

/* The bound cell's neighbours outside join it. */
static void border_cell(struct march *m, struct kx *row, struct kx *column, struct kx *value)
{
	struct kx *none = x_i64(0);
	marching_bind(m, m->axes.n - 2, row);
	marching_bind(m, m->axes.n - 1, column);
	separable_border(m->l, m->s, x_eq(row, none), x_eq(column, none), value);
}

/* The first row is the first one of the first warp; the first column the first cell of the first lane. */
void marching_borders(struct march *m)
{
	struct kernel *k = m->k;
	struct kx *none = x_i64(0), *zero32 = x_i32(0);
	if (separable_has_border(m->s, false)) {
		k_if(k, x_and(x_eq(m->column_first, none), x_eq(m->lane, zero32)));
		struct kx *r = marching_each(m, "r", m->rows), *row = x_var(k_let(k, "row", x_add(m->row_first, x_to_i64(r))));
		k_if(k, x_and(x_lt(none, row), x_lt(row, m->row_count)));
		border_cell(m, row, none, marching_slot(m, r, zero32, zero32));
		k_end(k);
		k_end(k);
		k_end(k);
	}
	if (separable_has_border(m->s, true) || separable_has_border(m->s, false)) {
		k_if(k, x_eq(m->row_first, none));
		struct kx *u = marching_each(m, "u", m->vectors), *c = marching_each(m, "c", m->width);
		struct kx *column = x_var(k_let(k, "column", x_add(x_add(m->column_first, x_to_i64(marching_place(m, u))), x_to_i64(c))));
		k_if(k, x_lt(column, m->column_count));
		border_cell(m, none, column, marching_slot(m, zero32, u, c));
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
	struct kx *sum = x_var(k_var(k, kt(m->type), "sum", marching_slot(m, x_i32(0), u, c)));
	for (int r = 1; r < m->rows; r++)
		k_set(k, sum, marching_join(m, marching_scale(m, sum, m->up), marching_slot(m, x_i32(r), u, c)));
	struct kx *at = x_add(x_mul(m->warp, x_i32(m->chunk)), x_add(marching_place(m, u), c));
	k_set(k, x_at(x_var(m->part), at), sum);
	k_end(k);
	k_end(k);
}

/* ---- 3: down ---- */

static void down(struct march *m)
{
	struct kernel *k = m->k;
	struct kx *u = marching_each(m, "u", m->vectors);
	struct kvar *above = k_regs(k, m->type, "above", m->width);
	struct kx *c = marching_each(m, "c", m->width);
	struct kx *at = x_add(x_mul(m->warp, x_i32(m->chunk)), x_add(marching_place(m, u), c));
	k_set(k, x_at(x_var(above), c), x_at(x_var(m->part), at));
	k_end(k);
	marching_down(m, u, above);
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
	marching_borders(m);
	share_parts(m);
	k_barrier(k);
	marching_above(m);
	k_barrier(k);
	down(m);
	marching_along(m);
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
	struct kx *numbers = x_mul(problems, x_add(strips, div_up(strips, m->group)));
	return x_add(x_mul(x_mul(numbers, x_mul(chunks, x_i64(m->chunk))), x_i64(m->words)), x_i64(1));
}

/* Over the extents of the table, which no range leaves. */
static struct kx *most_problems(const struct march *m)
{
	const struct var *table = wave_table(m->s->node, 0)->var;
	struct kx *problems = x_i64(1);
	for (int d = 0; d < table->rank - 2; d++)
		problems = x_mul(problems, lower_extent(host_lowering(m->axes.plan), table, d));
	return problems;
}

static struct kx *most_strips(const struct march *m)
{
	const struct var *table = wave_table(m->s->node, 0)->var;
	return div_up(lower_extent(host_lowering(m->axes.plan), table, table->rank - 2), m->height);
}

static struct kx *most_state(struct march *m)
{
	const struct var *table = wave_table(m->s->node, 0)->var;
	struct kx *columns = lower_extent(host_lowering(m->axes.plan), table, table->rank - 1);
	return state_size(m, most_problems(m), most_strips(m), div_up(columns, m->chunk));
}

static void host_numbers(struct march *m)
{
	struct plan *plan = m->axes.plan;
	int n = m->axes.n;
	m->host_strips = plan_let(plan, "strips", div_up(axis_size(&m->axes, n - 2), m->height));
	m->host_groups = plan_let(plan, "groups", div_up(m->host_strips, m->group));
	m->host_chunks = plan_let(plan, "chunks", div_up(axis_size(&m->axes, n - 1), m->chunk));
	m->host_all = plan_let(plan, "all_strips", x_mul(m->axes.host_problems, m->host_strips));
	m->host_blocks = plan_let(plan, "blocks", x_min(m->host_all, x_i64(MOST_BLOCKS)));
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

static const char *suffix_of(const struct march *m)
{
	return m->arrays ? m->tall ? "_tall" : "_low" : m->width > 1 ? "_vectors" : "";
}

/* Of a multiprocessor, as far as their registers do not spill. */
static int blocks_held(const struct march *m)
{
	bool few = m->columns * m->words <= 4 && !m->s->form->dist, folds = m->axes.births;
	if (m->arrays)
		return m->tall ? 1 : (few ? 3 : 2) - folds;
	return m->width > 1 && !folds ? 2 : 1;
}

static void open_kernel(struct march *m)
{
	const struct node *node = m->s->node;
	struct lowering *l = m->l = m->axes.l = lowering_new(m->axes.plan, str_print("%s%s", node->name, suffix_of(m)));
	m->k = l->k;
	l->k->note = "A strip of rows a block, chunk after chunk: totals of columns, what comes from above, then its cells.";
	lowering_writes(l, node);
	m->cells = cells_beside(l, node);
	m->cells->width = m->width;
	l->k->block[0] = m->lanes * m->warps;
	l->k->block[1] = l->k->block[2] = 1;
	l->k->min_blocks = blocks_held(m);
}

/* A strip is a part of what is folded. */
static void store_births(struct march *m)
{
	if (!births_fold(&m->axes))
		return;
	block_fold(m->l, &m->axes.births->acc);
	k_if(m->k, x_eq(m->thread, x_i32(0)));
	births_store(&m->axes, x_add(x_mul(m->problem, m->strips), m->strip), NULL);
	k_end(m->k);
	k_barrier(m->k);                         /* the next strip folds in the same memory */
}

static void instance(struct march *m)
{
	host_numbers(m);
	if (m->host_parts)
		k_set(m->axes.plan->host, x_var(m->host_parts), m->host_all);
	open_kernel(m);
	arguments(m);
	m->thread = x_var(k_let(m->k, "thread", block_thread(m->l)));
	m->lane = lane_of(m->l, &m->warp);
	weights(m);
	m->value = k_regs(m->k, m->type, "cell", (int64_t)m->rows * m->columns);
	m->carry = k_regs(m->k, m->type, "carry", m->rows);
	if (m->arrays) {
		stages_open(m);
		ahead_open(m);
	} else
		m->part = k_shared(m->k, m->type, "part", (int64_t)m->warps * m->chunk);
	open_strip(m);
	births_start(&m->axes);
	m->arrays ? stages_march(m) : march(m);
	store_births(m);
	k_end(m->k);
	lowering_launch(m->l, m->host_blocks, x_i64(1), x_i64(1));
}

/* ---- shapes ---- */

/* Besides those of its cells, or where small ones are packed: against spills. */
static bool wants_registers(const struct march *m)
{
	bool packed = type_size(wave_table(m->s->node, 0)->type) < 4 && !m->axes.plan->target->unrolls;
	return m->words > 1 || m->s->form->dist || packed;
}

/* By the widest vector: instances of narrower ones have the same chunks. */
static struct march registers(const struct march *of, int widest, int width)
{
	struct march m = *of;
	int columns = widest > LEAST_COLUMNS ? widest : LEAST_COLUMNS;
	m.columns = columns / m.words > 4 ? columns / m.words : 4;
	m.columns = m.columns < widest ? widest : m.columns;
	m.rows = (wants_registers(of) ? FEWER_WORDS : DATA_WORDS) / (m.words * m.columns);
	m.height = (int64_t)m.warps * m.rows;
	m.chunk = (int64_t)m.lanes * m.columns;
	m.width = width;
	m.vectors = m.columns / width;
	m.group = GROUP;
	return m;
}

static void stages_shape(struct march *m, int rows)
{
	m->rows = rows;
	m->height = (int64_t)m->warps * rows;
	m->chunk = (int64_t)m->lanes * m->columns;
	m->pitch = m->chunk + 16 / type_size(m->type);
	m->sharers = (int)(m->lanes * m->warps / m->chunk);
	m->asks = (int)m->group / m->sharers;
}

/* As many rows as fit, from so many on downwards; .arrays 0: none. */
static struct march staged(const struct march *of, int widest, bool tall)
{
	struct march m = *of;
	const struct target *target = m.axes.plan->target;
	m.tall = tall;
	m.width = m.columns = widest < m.warps ? widest : m.warps;
	m.vectors = 1;
	m.group = STAGED_GROUP;
	if (target->lanes != 32 || target->unit_shared < UNIT_BYTES || m.width < 2 || !stages_find(&m)) {
		m.arrays = 0;
		return m;
	}
	stages_shape(&m, tall ? DATA_WORDS / (m.columns * m.words) : LOW_ROWS);
	while (m.rows > 1 && stages_bytes(&m) > UNIT_BYTES)
		stages_shape(&m, m.rows / 2);
	return m;
}

int separable_width(const struct node *node)
{
	for (int d = 0; d < node->index.n; d++)
		if (node->wave->order[d] != d)
			return 1;
	return node->wave->back[node->index.n - 1] ? 1 : cells_vector(node);
}

/* Host: every row begins at a vector and is whole ones. */
static struct kx *rows_aligned(const struct march *m)
{
	struct cells *c = cells_beside(host_lowering(m->axes.plan), m->s->node);
	int last = m->axes.n - 1, width = m->width;
	c->width = width;
	struct kx *whole = x_eq(x_rem(m->axes.host_size[last], x_i64(width)), x_i64(0));
	if (!x_is_int(m->axes.host_lo[last], 0))
		whole = x_and(x_eq(x_rem(m->axes.host_lo[last], x_i64(width)), x_i64(0)), whole);
	return x_and(whole, cells_aligned(c));
}

/* Host: there are blocks for six of seven multiprocessors: fewer, and strips of fewer rows are faster. */
static struct kx *are_many(const struct march *m)
{
	struct kx *strips = x_mul(m->axes.host_problems, div_up(axis_size(&m->axes, m->axes.n - 2), m->height));
	return x_le(x_mul(x_help(kt_scalar(T_I64), "patc_units", 0, NULL), x_i64(6)), x_mul(strips, x_i64(7)));
}

/* Host: cells lie as it takes them, and a block may ask for what it needs. */
static struct kx *may_be(const struct march *m)
{
	struct kx *may = rows_aligned(m);
	if (m->arrays)
		may = x_and(may, x_le(x_i64(stages_bytes(m)), block_may_ask()));
	return m->tall ? x_and(may, are_many(m)) : may;
}

/* The shapes that the host chooses from, the best first; the last one is always right. */
static int shapes(const struct march *of, struct march *shape)
{
	int n = 0, width = separable_width(of->s->node);
	struct march low = staged(of, width, false), tall = staged(of, width, true);
	if (low.arrays && tall.rows > low.rows)
		shape[n++] = tall;
	if (low.arrays)
		shape[n++] = low;
	else if (width > 1)
		shape[n++] = registers(of, width, width);
	shape[n++] = registers(of, width, 1);
	return n;
}

void separable_gpu(struct plan *plan, const struct separable *s)
{
	struct march m = { .s = s, .type = s->form->type }, shape[3];
	axes_open(&m.axes, plan, s->node);
	m.lanes = plan->target->lanes;
	m.warps = plan->target->block / plan->target->lanes;
	m.words = (int)type_words(m.type);
	int n = shapes(&m, shape);
	struct kx *most = most_state(&shape[0]), *strips = most_strips(&shape[0]);
	for (int i = 1; i < n; i++) {
		most = x_max(most, most_state(&shape[i]));
		strips = x_max(strips, most_strips(&shape[i]));
	}
	struct kx *state = x_var(plan_slot(plan, "state", type_scalar(T_U64), 1, &most));
	struct kvar *parts = births_open_later(&m.axes, x_mul(most_problems(&m), strips));
	k_if(plan->host, axes_some(&m.axes));
	for (int i = 0; i < n; i++) {
		shape[i].host_state = state;
		shape[i].host_parts = parts;
		if (i < n - 1)
			k_if(plan->host, may_be(&shape[i]));
		instance(&shape[i]);
		if (i < n - 1)
			k_else(plan->host);
	}
	for (int i = 0; i < n; i++)
		k_end(plan->host);
	births_close(&m.axes);
}
