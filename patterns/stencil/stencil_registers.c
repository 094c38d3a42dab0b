/* stencil_registers.c - a stencil whose near cells are in registers (march.kernel): the third level
 * beside L1 and shared memory (GPU-UniCache, CF'17), and 2.5D streaming in space.
 *
 * A lane takes a vector of cells of a row and marches along the axis before it (a plane) or before
 * those two (space).  Rows that differ along the march only form a chain: the farthest comes from
 * memory, the others are the windows of the step before.  Edges are applied where a row or a cell
 * is loaded, so that a cell at an edge is computed like every other.
 *
 * Why: through L1 a 27-point cell of f32 costs 108 passes of the load unit a warp; here 18, and
 * from memory each cell still comes once.  Measured on an H200, 640^3 f32 (bench/RESULTS.md): 7
 * points 486 Gcell/s (374 through L1), 27 points 460 (187); copying as many bytes 530.  Fewer lanes
 * along the row lose up to 7 % (the halo grows), 4 cells a lane gain 25 % over 2 and 75 % over 1.
 *
 * Rows must be whole vectors; a second instance through L1 takes the others. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "stencil_march.h"

enum {
	MOST_STEPS = 32, FEWEST_STEPS = 4,   /* 640^3: 10 to 40 within 2 %, 64 lose 2, 160 lose 9 */
	MANY_WORDS = 28                      /* of windows that leave room for few blocks */
};

/* ---- which cells a lane takes ---- */

/* Cells a block takes along axis d; march and columns by the lanes and steps. */
static struct kx *block_cells(struct march *m, int d, struct kx *steps)
{
	int rank = m->c->rank, groups = m->c->l->target->block / m->lanes;
	if (d == rank - 1)
		return x_i64((int64_t)m->lanes * m->c->width * (rank == 1 ? groups : 1));
	if (d == m->plan->march)
		return rank == 2 ? x_mul(steps, x_i64(groups)) : steps;
	return x_i64(d == rank - 2 ? groups : 1);
}

/* Steps of the march: so many that about march_blocks remain; by the shape only. */
static struct kx *choose_steps(struct march *m, struct kx *const *size)
{
	int most = m->c->node->choice.coarsen;
	struct kx *units = NULL;
	if (most)
		return x_i64(most);
	for (int d = 0; d < m->c->rank; d++) {
		struct kx *n = x_div_up(size[d], block_cells(m, d, x_i64(1)));
		units = units ? x_mul(units, n) : n;
	}
	struct kx *steps = x_div(units, x_i64(m->c->l->target->march_blocks));
	steps = x_min(x_max(steps, x_i64(FEWEST_STEPS)), x_i64(MOST_STEPS));
	return plan_let(m->c->l->plan, "steps", steps);
}

/* Columns begin at a whole vector. */
static struct kx *first_of(struct march *m, int d, struct kx *lo)
{
	struct kx *width = x_i64(m->c->width);
	if (d < m->c->rank - 1 || m->c->width == 1 || x_is_int(lo, 0))
		return lo;
	return plan_let(m->c->l->plan, "aligned_first", x_sub(lo, x_rem(lo, width)));
}

static void find_range(struct march *m, int d, struct kx **size)
{
	struct cells *c = m->c;
	struct lowering *host = host_lowering(c->l->plan);
	struct kx *lo = cells_range_lo(c, d, host), *hi = cells_range_hi(c, d, host);
	struct kx *first = first_of(m, d, lo), *cells = plan_range(c->l->plan, first, hi);
	*size = plan_let(c->l->plan, str_print("%s_cells", c->node->index.at[d]->name), cells);
	m->lo[d] = cells_argument(c, "%s_first", d, lo);
	m->end[d] = cells_argument(c, "%s_end", d, hi);
	if (d < c->rank - 1)
		return;
	first = first == lo ? m->lo[d] : cells_argument(c, "aligned_first", d, first);
	k_bind(c->l->k, "column_first", first);
}

static void find_blocks(struct march *m)
{
	struct cells *c = m->c;
	struct plan *plan = c->l->plan;
	struct kx *size[MAX_RANK], *steps = x_i64(1);
	for (int d = 0; d < c->rank; d++)
		find_range(m, d, &size[d]);
	if (m->plan->march >= 0) {
		steps = choose_steps(m, size);
		k_bind(c->l->k, "steps", lower_argument(c->l, "steps", steps->type, steps));
	}
	for (int d = 0; d < c->rank; d++) {
		struct kx *tiles = x_div_up(size[d], block_cells(m, d, steps));
		/* a fold over nothing has an identity to store */
		tiles = c->folds.n ? x_max(tiles, x_i64(1)) : tiles;
		tiles = plan_let(plan, str_print("%s_tiles", c->node->index.at[d]->name), tiles);
		m->blocks = d ? x_mul(m->blocks, tiles) : tiles;
		m->tiles[d] = d ? cells_argument(c, "%s_tiles", d, tiles) : NULL;
	}
	m->blocks = plan_let(plan, "blocks", m->blocks);
}

/* ---- functions of march.kernel ---- */

static void hold_streams(struct march *m)
{
	struct cells *c = m->c;
	c->stream.n = 0;
	for (int i = 0; i < m->plan->chain.n; i++) {
		const struct chain *chain = &m->plan->chain.at[i];
		struct stream s = { .var = chain->var, .lo = chain->lo, .hi = chain->hi };
		for (int w = 0; w <= chain->to - chain->from; w++) {
			s.sample = chain->sample[w];
			s.window = chain->window[w];
			if (s.sample)
				list_add(&c->stream, s);
		}
	}
	c->held = c->stream.n;
}

static void load_cells(struct march *m, struct kx *column)
{
	hold_streams(m);
	m->c->mode = CELL_HELD;
	cells_load(m->c, column);
}

/* A cell of a term, from the rows that have come in. */
static void compute_term(struct march *m, int nth, struct kx *lane, struct kx *window)
{
	struct cells *c = m->c;
	hold_streams(m);
	c->mode = CELL_HELD;
	c->lane = c->width > 1 ? lane : NULL;
	k_set(c->l->k, x_at(window, lane),
	      lower_expr(c->l, m->plan->chain.at[m->carried.at[nth]].term));
	c->lane = NULL;
}

static void hold_window(struct march *m, int number, struct kvar *window)
{
	int i = 0;
	while (i + 1 < m->plan->chain.n && m->plan->chain.at[i + 1].first_window <= number)
		i++;
	m->plan->chain.at[i].window[number - m->plan->chain.at[i].first_window] = window;
}

/* Values are computed as if no edge kept a cell: which ones are stored is known apart. */
static void compute_cells(struct march *m, struct kx *column)
{
	cells_compute_vector(m->c, column, node_keeps(m->c->node) ? CELL_VECTOR : CELL_HELD);
}

static void bind_lane(struct cells *c, struct kx *lane, struct kx *column)
{
	c->lane = c->width > 1 ? lane : NULL;
	cells_bind(c, c->rank - 1, column);
}

static void compute_cell(struct cells *c, struct kx *lane, struct kx *column)
{
	c->out.n = 0;
	bind_lane(c, lane, column);
	cells_body(c, CELL_HELD);
	c->lane = NULL;
}

static void store_cell(struct cells *c, struct kx *lane, struct kx *column)
{
	bind_lane(c, lane, column);
	for (int q = 0; q < c->out.n; q++)
		k_set(c->l->k, lower_cell(c->l, c->node->equation.at[q]->target.at[0]),
		      x_lane_at(x_var(c->out.at[q]), lane));
	c->lane = NULL;
}

static struct kx *or_true(struct kx *x)
{
	return x ? x : x_int(T_BOOL, 1);
}

/* Does no edge across the march keep the cell of that column? */
static struct kx *is_kept_not(struct march *m, struct kx *column)
{
	struct cells *c = m->c;
	struct kx *bound = c->index[c->rank - 1];
	cells_bind(c, c->rank - 1, column);
	struct kx *kept = cells_kept(c, m->plan->march, false);
	cells_bind(c, c->rank - 1, bound);
	return or_true(kept);
}

/* Are all neighbours of the vector inside, if edges keep cells? */
static struct kx *are_inside(struct cells *c, struct kx *column)
{
	struct kx *end = x_add(column, x_i64(c->width));
	return or_true(node_keeps(c->node) ? cells_inside(c, column, x_sub(end, x_i64(1))) : NULL);
}

static const struct var *chain_var(const struct march *m, const struct kx *number)
{
	return m->plan->chain.at[number->i].var;
}

static void prefetch(struct lowering *l, struct kx *const *pointer)
{
	k_do(l->k, x_help(kt_scalar(T_I32), "patc_prefetch", 1, (struct kx **)pointer));
}

#define CALLS(DO, GET) \
	DO(bind_index, cells_bind(m->c, (int)arg[0]->i, arg[1])) \
	DO(hold, hold_window(m, l->k->each, arg[0]->var)) \
	DO(load_cells, load_cells(m, arg[0])) \
	DO(compute_term, compute_term(m, l->k->each, arg[0], arg[1])) \
	DO(compute_cells, compute_cells(m, arg[0])) \
	DO(store_cells, cells_store_vector(m->c, arg[0])) \
	DO(compute_cell, compute_cell(m->c, arg[0], arg[1])) \
	DO(store_cell, store_cell(m->c, arg[0], arg[1])) \
	DO(prefetch, prefetch(l, arg)) \
	GET(is_kept_not, is_kept_not(m, arg[0])) \
	GET(kept_along, or_true(cells_kept(m->c, m->plan->march, true))) \
	GET(are_inside, are_inside(m->c, arg[0])) \
	GET(extent, lower_extent(l, chain_var(m, arg[0]), m->plan->march)) \
	GET(stride, cells_stride(m->c, chain_var(m, arg[0]), m->plan->march))

#define HOLE_DO(name, call) KTEXT_CALL(struct march, m, name, call; return NULL;)
#define HOLE_GET(name, value) KTEXT_CALL(struct march, m, name, return value;)

CALLS(HOLE_DO, HOLE_GET)

/* ---- what march.kernel is told ---- */

/* A variable of the text has the name of an index, in this form. */
static void bind_name(struct march *m, const char *name, const char *format, int d)
{
	if (d >= 0)
		k_bind(m->c->l->k, name, str_print(format, m->c->node->index.at[d]->name));
}

static void bind_names(struct march *m)
{
	int rank = m->c->rank, march = m->plan->march;
	k_bind(m->c->l->k, "lane_x", m->lanes == m->c->l->target->lanes ? "lane" : "lane_x");
	bind_name(m, "column_wanted", "%s_wanted", rank - 1);
	bind_name(m, "column", "%s", rank - 1);
	bind_name(m, "own_column", "%s", rank - 1);
	bind_name(m, "row_wanted", "%s_wanted", rank - 2);
	bind_name(m, "row", "%s", rank - 2);
	bind_name(m, "begin", "%s_begin", march);
	bind_name(m, "stop", "%s_stop", march);
	bind_name(m, "step", "%s", march);
	bind_name(m, "march_index", "%s", march);
	cells_words(m->c, "index", "%s");
}

/* Whatever a vector at an edge reads is in windows, and its values wait in vectors. */
static bool waits(const struct march *m)
{
	const struct cells *c = m->c;
	bool simple = c->node->whole && !c->node->where && !c->folds.n && m->plan->all_near;
	return node_keeps(c->node) && c->width > 1 && simple;
}

static void bind_shape(struct march *m)
{
	struct cells *c = m->c;
	struct kernel *k = c->l->k;
	int rank = c->rank, march = m->plan->march, groups = c->l->target->block / m->lanes;
	const int64_t axis[MAX_RANK] = { 0, 1, 2, 3, 4, 5, 6, 7 };
	k_numbers(k, "RANK, COLUMN, ROW, MARCH, WIDTH", rank, rank - 1, rank - 2, march, c->width);
	k_numbers(k, "ROW_LANES, GROUPS, BLOCK_COLUMNS", m->lanes, groups,
	          block_cells(m, rank - 1, NULL)->i);
	k_numbers(k, "RAGGED, FOLDED", rank == 2 && m->lanes < c->l->target->lanes, c->folds.n > 0);
	k_numbers(k, "WHOLE, MASKED_STORES, FAR_EDGE", c->node->whole, waits(m),
	          leads_far(c->node->edge[rank - 1].kind));
	bind_values(k, "lo", rank, m->lo);
	bind_values(k, "end", rank, m->end);
	bind_values(k, "tiles", rank, m->tiles);
	bind_listed(k, "AXIS", march < 0 ? 0 : march, axis);
}

/* a_ip1_jm1: of a, one ahead along i and one back along j */
static const char *window_name(const struct march *m, const struct chain *chain, int64_t step)
{
	char *name = str_print(chain->term ? "%s" : "%s_row", chain->var->name);
	for (int d = 0; d < m->c->rank - 1; d++) {
		int64_t offset = d == m->plan->march ? step : chain->across[d];
		if (offset)
			name = str_print("%s_%s%s%lld", name, m->c->node->index.at[d]->name,
			                 offset < 0 ? "m" : "p", llabs((long long)offset));
	}
	return name;
}

/* Steps that a row is prefetched before it comes in.  Few blocks fit a multiprocessor where windows
 * are many: then it is earlier.  640^3 f32 take with one, two and three steps on an H200: 7 points
 * 541, 556, 585 us, 27 points 647, 569, 562.  With one and two in a plane: 25 points of 16384^2 591
 * and 597, of 4096^2 52.6 and 45.0; 9 points of a star 593 and 597, 47.2 and 47.2. */
static int steps_ahead(const struct march *m)
{
	return m->c->rank == 2 ? 2 : m->plan->words > MANY_WORDS ? 3 : 1;
}

static void bind_chains(struct march *m)
{
	int n = m->plan->arrays;
	int64_t (*is)[4] = mem_new((size_t)n * sizeof *is);
	const char **line = mem_new((size_t)n * sizeof *line);
	for (int i = 0; i < n; i++) {
		const struct chain *chain = &m->plan->chain.at[i];
		bool asked = chain_is_own(chain);
		int64_t ahead = chain->to + steps_ahead(m);
		memcpy(is[i], (int64_t[]){ i, -chain->lo, ahead, asked }, sizeof *is);
		line[i] = str_print("%s_column", chain->var->name);
	}
	bind_listed(m->c->l->k, "NTH, BEFORE, AHEAD, ASKED", n, is[0]);
	bind_words(m->c->l->k, "base", n, line);
}

/* What window `at` of all gets from the next one, of the same chain. */
static void list_handed(struct march *m, const struct chain *chain, int at, int64_t *is)
{
	bool beside = hands_beside(chain, at - chain->first_window + 1);
	int64_t from = beside ? 0 : -chain->lo;
	int64_t to = beside ? window_size(m->plan, chain) : from + m->c->width;
	memcpy(is, (int64_t[]){ at, at + 1, from, to }, 4 * sizeof *is);
}

/* What the first step finds of terms: those of the farthest window but one come last. */
static void bind_earlier(struct march *m)
{
	int64_t most = 0, before[MAX_WINDOWS];
	for (int i = m->plan->arrays; i < m->plan->chain.n; i++) {
		const struct chain *chain = &m->plan->chain.at[i];
		most = chain->to - chain->from > most ? chain->to - chain->from : most;
	}
	for (int64_t n = 0; n < most; n++)
		before[n] = most - n;
	bind_listed(m->c->l->k, "EARLIER", (int)most, before);
}

static void bind_windows(struct march *m)
{
	struct kernel *k = m->c->l->k;
	int n = 0, handed = 0, most = m->plan->chain.n * MAX_WINDOWS;
	const struct type **type = mem_new((size_t)most * sizeof *type);
	const char **word = mem_new((size_t)most * sizeof *word);
	int64_t *size = mem_new((size_t)most * sizeof *size);
	int64_t (*is)[4] = mem_new((size_t)most * sizeof *is);
	for (int i = 0; i < m->plan->chain.n; i++) {
		struct chain *chain = &m->plan->chain.at[i];
		for (int64_t step = chain->from; step <= chain->to; step++) {
			chain->first_window = step == chain->from ? n : chain->first_window;
			type[n] = chain->var->type;
			word[n] = window_name(m, chain, step);
			size[n] = window_size(m->plan, chain);
			if (step < chain->to)
				list_handed(m, chain, n, is[handed++]);
			n++;
		}
	}
	bind_types(k, "CELL", n, type);
	bind_words(k, "window", n, word);
	bind_listed(k, "SIZE", n, size);
	bind_listed(k, "NEAR, FAR, FROM, TO", handed, is[0]);
	k_bind(k, "HANDED", handed > 0);
	bind_earlier(m);
}

static void march_rows(struct cells *c)
{
	const char *why;
	struct march m = { .c = c, .plan = register_plan_of(c->node, &why) };
	assert(m.plan && "pass_stage asked before");
	assert(m.plan->width == c->width && "one rule for the width");
	int names = k_names(c->l->k);
	c->node = m.plan->node;
	c->march = m.plan->march;
	m.lanes = c->l->target->lanes;
	if (c->node->choice.tile[0])
		m.lanes = c->node->choice.tile[1] / c->width;
	cells_find_folds(c);
	find_blocks(&m);
	block_launch_bounds(c->l);
	cells_start_folds(c);
	bind_shape(&m);
	bind_names(&m);
	bind_chains(&m);
	bind_windows(&m);
	march_bind_rows(&m);
	k_bind_calls(c->l->k, &m, CALLS(KTEXT_ROW, KTEXT_ROW));
	k_text(c->l->k, "march");
	k_forget(c->l->k, names);
	stencil_launch(c, m.blocks);
}

void registers_lower(struct plan *plan, const struct group *group)
{
	cells_check_ranges(plan, group->anchor);
	struct cells *c = cells_open(plan, group, true, "");
	if (c->width == 1) {
		march_rows(c);
		return;
	}
	struct kx *whole = NULL;
	if (c->rank == 1) {
		struct kx *cells = cells_range_hi(c, 0, host_lowering(plan));
		whole = x_eq(x_rem(cells, x_i64(c->width)), x_i64(0));
	}
	k_if(plan->host, x_and(cells_aligned(c), whole));
	march_rows(c);
	k_else(plan->host);
	cells_rows(cells_open(plan, group, false, "_single"));
	k_end(plan->host);
}
