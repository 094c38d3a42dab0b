/* separable_gpu.c - a separable wavefront on a GPU, in one pass over memory (Note [separable]): its
 * shapes, and the host's numbers.
 *
 * A block takes a strip of rows and marches over it, a chunk of columns at a time: a warp has some
 * rows, a lane some columns of them, neighbouring lanes neighbouring vectors.  In a chunk
 *   1. the cells' rests come in; a thread folds them down its rows, and the block down its warps:
 *      the chunk's totals, a value a column, which the strip publishes (words that tell whether
 *      they are there: state_words.c)
 *   2. what comes from above: strips come in groups; a strip joins the totals of those before it in
 *      its group, onto what comes before the group, which the last strip of the group before
 *      publishes for all of it
 *   3. down the rows of a thread, then along them: lanes by shuffles, and from chunk to chunk in a
 *      register
 * All orders of joins depend on places only, so results repeat bit for bit.  Strips are drawn from
 * a counter in the order of rows, so a strip that others wait for has begun.
 *
 * Where a block may have much shared memory, three chunks are on their way to it, and 1 is done a
 * chunk ahead of 2 and 3 (separable_stages.c): tall strips where there are rows enough for all
 * multiprocessors, else low ones.  By hand on an H200, f32 and 16384 x 16384: strips of 128 rows
 * reached 441 G cells/s, two blocks of 64 rows 418, where copies move 527; at 4096 x 4096 strips of
 * 32 rows 166.  Everywhere else a chunk lies in registers. */
#include "../ways.h"
#include "separable_march.h"

enum {
	DATA_WORDS = 64,                 /* registers of a thread for the cells of a chunk ... */
	FEWER_WORDS = 40,                /* ... where nothing is staged, and others are needed */
	LEAST_COLUMNS = 8,               /* that a lane takes, there */
	LOW_ROWS = 4,                    /* of a thread, where rows are few */
	GROUP = 16, STAGED_GROUP = 12    /* strips of a group */
};

/* ---- the host's numbers ---- */

static struct kx *div_up(struct kx *cells, int64_t by)
{
	return x_div_up(cells, x_i64(by));
}

static struct kx *state_size(const struct march *m, struct kx *problems, struct kx *strips,
                             struct kx *chunks)
{
	struct kx *numbers = x_mul(problems, x_add(strips, div_up(strips, m->group)));
	return x_add(x_mul(x_mul(numbers, x_mul(chunks, x_i64(m->chunk))), x_i64(m->words)),
	             x_i64(1));
}

static struct kx *most_strips(const struct march *m)
{
	return div_up(axis_most(&m->axes, m->axes.n - 2), m->height);
}

static struct kx *most_state(const struct march *m)
{
	struct kx *chunks = div_up(axis_most(&m->axes, m->axes.n - 1), m->chunk);
	return state_size(m, axes_most_problems(&m->axes), most_strips(m), chunks);
}

static void host_numbers(struct march *m)
{
	struct plan *plan = m->axes.plan;
	int n = m->axes.n;
	m->host_strips = plan_let(plan, "strips", div_up(axis_size(&m->axes, n - 2), m->height));
	m->host_groups = plan_let(plan, "groups", div_up(m->host_strips, m->group));
	m->host_chunks = plan_let(plan, "chunks", div_up(axis_size(&m->axes, n - 1), m->chunk));
	m->host_all = plan_let(plan, "all_strips", x_mul(m->axes.host_problems, m->host_strips));
	m->host_blocks = plan_let(plan, "blocks",
	                          x_min(m->host_all, x_i64(plan->target->turn_blocks)));
	struct kx *words = state_size(m, m->axes.host_problems, m->host_strips, m->host_chunks);
	k_if(plan->host, x_lt(x_i64(1), m->host_strips));
	k_clear(plan->host, m->host_state, x_mul(words, x_i64(8)));
	k_end(plan->host);
}

/* Of a multiprocessor, as far as their registers do not spill. */
static int blocks_held(const struct march *m)
{
	bool few = m->columns * m->words <= 4 && !m->s->form->dist, folds = m->axes.births;
	if (m->arrays)
		return m->tall ? 1 : (few ? 3 : 2) - folds;
	return m->width > 1 && !folds ? 2 : 1;
}

static void open_kernel(struct march *m, const char *suffix)
{
	const struct node *node = m->s->node;
	const char *name = str_print("%s%s", node->name, suffix);
	struct lowering *l = m->l = m->axes.l = lowering_new(m->axes.plan, name);
	l->k->note = "A strip of rows a block, chunk after chunk: totals of columns, what comes "
	             "from "
		     "above, then its cells.";
	lowering_writes(l, node);
	m->cells = cells_beside(l, node);
	m->cells->width = m->width;
	l->k->block[0] = m->lanes * m->warps;
	l->k->block[1] = l->k->block[2] = 1;
	l->k->min_blocks = blocks_held(m);
}

/* ---- shapes ---- */

/* Besides those of its cells, or where small ones are packed: against spills. */
static bool needs_registers(const struct march *m)
{
	bool packed = type_size(wave_table(m->s->node, 0)->type) < 4
	              && !m->axes.plan->target->unrolls;
	return m->words > 1 || m->s->form->dist || packed;
}

/* By the widest vector: instances of narrower ones have the same chunks. */
static struct march registers(const struct march *of, int widest, int width)
{
	struct march m = *of;
	int columns = widest > LEAST_COLUMNS ? widest : LEAST_COLUMNS;
	m.columns = columns / m.words > 4 ? columns / m.words : 4;
	m.columns = m.columns < widest ? widest : m.columns;
	m.rows = (needs_registers(of) ? FEWER_WORDS : DATA_WORDS) / (m.words * m.columns);
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
	if (target->held_bytes == 0 || m.width < 2 || !stages_find(&m)) {
		m.arrays = 0;
		return m;
	}
	stages_shape(&m, tall ? DATA_WORDS / (m.columns * m.words) : LOW_ROWS);
	while (m.rows > 1 && stages_bytes(&m) > target->held_bytes)
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

/* Host: there are blocks for six of seven multiprocessors.  Are there fewer, then strips of fewer
 * rows are faster. */
static struct kx *are_many(const struct march *m)
{
	struct kx *strips = div_up(axis_size(&m->axes, m->axes.n - 2), m->height);
	struct kx *units = x_help(kt_scalar(T_I64), "patc_units", 0, NULL);
	strips = x_mul(m->axes.host_problems, strips);
	return x_le(x_mul(units, x_i64(6)), x_mul(strips, x_i64(7)));
}

/* ---- the ways: a shape each ---- */

enum { TALL, LOW, VECTORS, SINGLE, SHAPES };

static struct march *march_of(const struct task *c)
{
	return (struct march *)c->found + c->way->form;
}

static bool has_shape(const struct task *c)
{
	return march_of(c)->s;
}

/* Host: cells lie as it takes them, and a block may have the shared memory that it needs. */
static struct kx *may_be(const struct task *c)
{
	const struct march *m = march_of(c);
	struct kx *may = rows_aligned(m);
	if (m->arrays)
		may = x_and(may, x_le(x_i64(stages_bytes(m)), block_may_ask()));
	return m->tall ? x_and(may, are_many(m)) : may;
}

static void lower_shape(const struct task *c)
{
	struct march *m = march_of(c);
	host_numbers(m);
	if (m->host_parts)
		k_set(c->plan->host, x_var(m->host_parts), m->host_all);
	open_kernel(m, c->way->when ? str_print("_%s", c->way->name) : "");
	march_kernel(m);
	lowering_launch(m->l, m->host_blocks, x_i64(1), x_i64(1));
}

static const struct way ways[] = {
	/* separable_stages.c */
	{ "tall", "strips of many rows, staged in shared memory",
	  "rows begin at multiples of 16 bytes and strips are enough for the machine",
	  "shared memory has no room for strips of more rows", .fits = has_shape, .when = may_be,
	  .lower = lower_shape, .form = TALL },
	/* separable_stages.c */
	{ "low", "strips of few rows, staged in shared memory",
	  "rows begin at multiples of 16 bytes", "what it reads cannot be staged",
	  .fits = has_shape, .when = may_be, .lower = lower_shape, .form = LOW },
	/* where nothing can be staged: separable_march.c */
	{ "vectors", "16 bytes an access, to registers", "rows begin at multiples of 16 bytes",
	  .fits = has_shape, .when = may_be, .lower = lower_shape, .form = VECTORS },
	/* separable_march.c */
	{ "single", "a cell an access", .lower = lower_shape, .form = SINGLE }
};

static void find_shapes(const struct march *of, struct march *shape)
{
	int width = separable_width(of->s->node);
	struct march low = staged(of, width, false), tall = staged(of, width, true);
	if (low.arrays && tall.rows > low.rows)
		shape[TALL] = tall;
	if (low.arrays)
		shape[LOW] = low;
	else if (width > 1)
		shape[VECTORS] = registers(of, width, width);
	shape[SINGLE] = registers(of, width, 1);
}

/* What all shapes share: workspace for the one that needs most. */
static void share_state(struct march *m, struct march *shape)
{
	struct kx *most = NULL, *strips = NULL;
	for (int i = 0; i < SHAPES; i++) {
		if (!shape[i].s)
			continue;
		most = most ? x_max(most, most_state(&shape[i])) : most_state(&shape[i]);
		strips = strips ? x_max(strips, most_strips(&shape[i])) : most_strips(&shape[i]);
	}
	struct kx *state = x_var(plan_slot(m->axes.plan, "state", type_scalar(T_U64), 1, &most));
	struct kx *parts = x_mul(axes_most_problems(&m->axes), strips);
	struct kvar *host_parts = births_open_later(&m->axes, parts);
	for (int i = 0; i < SHAPES; i++) {
		shape[i].host_state = state;
		shape[i].host_parts = host_parts;
	}
}

void separable_gpu(const struct task *c, const struct separable *s)
{
	struct plan *plan = c->plan;
	struct march m = { .s = s, .type = s->form->type }, shape[SHAPES] = { { .s = NULL } };
	axes_open(&m.axes, plan, s->node);
	m.lanes = plan->target->lanes;
	m.warps = plan->target->block / plan->target->lanes;
	m.words = (int)type_words(m.type);
	find_shapes(&m, shape);
	share_state(&m, shape);
	k_if(plan->host, axes_some(&m.axes));
	ways_lower(ways, plan, c->group, shape);
	k_end(plan->host);
	births_close(&m.axes);
}
