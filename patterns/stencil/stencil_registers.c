/* stencil_registers.c - a stencil whose near cells stand in registers: the third level beside L1 and shared
 * memory (GPU-UniCache, CF'17), and 2.5D streaming in space.
 *
 * A lane takes a vector of cells of a row and marches along the axis before it (a plane) or before those two
 * (space).  Rows that differ along the march only form a chain: the farthest comes from memory, the others
 * are the windows of the step before, handed on in registers.  Neighbours along the row that another lane
 * holds come by shuffle; the lanes at the ends of a row, or of the warp, fetch theirs from memory.  Edges
 * are applied where a row or a cell is brought in, so that a cell at an edge is computed like every other.
 *
 * Why: through L1 a 27-point cell of f32 costs 108 passes of the load unit a warp; here 18, and from memory
 * each cell still comes once.  Measured on an H200, 640^3 f32 (bench/RESULTS.md): 7 points 486 Gcell/s (374
 * through L1), 27 points 406 (187); copying as many bytes 530.  Fewer lanes along the row lose up to 7 % (the
 * halo grows), 4 cells a lane gain 25 % over 2 and 75 % over 1.
 *
 * Rows must be whole vectors; a second instance through L1 takes the others. */
#include <assert.h>

#include "stencil_march.h"

enum {
	MOST_STEPS = 32, FEWEST_STEPS = 4,       /* 640^3: 10 to 40 steps are equal within 2 %, 64 lose 2, 160 lose 9 */
	MANY_WORDS = 32,                         /* more windows leave room for three blocks and less */
	WANTED_BLOCKS = 8192                     /* 60 a multiprocessor of an H200: the last ones don't show */
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

/* Steps of the march: so many that about WANTED_BLOCKS blocks remain; by the shape only. */
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
	struct kx *steps = x_div(units, x_i64(WANTED_BLOCKS));
	return plan_let(m->c->l->plan, "steps", x_min(x_max(steps, x_i64(FEWEST_STEPS)), x_i64(MOST_STEPS)));
}

static struct kx *domain_argument(struct march *m, const char *format, int d, struct kx *host)
{
	const char *name = str_print(format, m->c->node->index.at[d]->name);
	return x_is_int(host, 0) ? host : lower_argument(m->c->l, name, kt_scalar(T_I64), host);
}

static void find_blocks(struct march *m)
{
	struct cells *c = m->c;
	struct lowering *host = host_lowering(c->l->plan);
	struct kx *size[MAX_RANK];
	int column = c->rank - 1;
	for (int d = 0; d < c->rank; d++) {
		struct kx *lo = cells_range_lo(c, d, host), *hi = cells_range_hi(c, d, host), *first = lo;
		if (d == column && c->width > 1 && !x_is_int(lo, 0))
			first = plan_let(c->l->plan, "aligned_first", x_sub(lo, x_rem(lo, x_i64(c->width))));
		size[d] = plan_let(c->l->plan, str_print("%s_cells", c->node->index.at[d]->name), plan_range(c->l->plan, first, hi));
		m->lo[d] = domain_argument(m, "%s_first", d, lo);
		m->end[d] = domain_argument(m, "%s_end", d, hi);
		if (d == column)
			m->column = first == lo ? m->lo[d] : lower_argument(c->l, "aligned_first", kt_scalar(T_I64), first);
	}
	struct kx *steps = m->plan->march < 0 ? x_i64(1) : choose_steps(m, size);
	m->steps = m->plan->march < 0 ? steps : lower_argument(c->l, "steps", kt_scalar(T_I64), steps);
	for (int d = 0; d < c->rank; d++) {
		struct kx *tiles = x_div_up(size[d], block_cells(m, d, steps));
		/* a fold over nothing has an identity to store */
		tiles = c->folds.n ? x_max(tiles, x_i64(1)) : tiles;
		tiles = plan_let(c->l->plan, str_print("%s_tiles", c->node->index.at[d]->name), tiles);
		m->blocks = d ? x_mul(m->blocks, tiles) : tiles;
		if (d)
			m->tiles[d] = lower_argument(c->l, str_print("%s_tiles", c->node->index.at[d]->name), kt_scalar(T_I64), tiles);
	}
	m->blocks = plan_let(c->l->plan, "blocks", m->blocks);
}

/* Lanes and steps behind the domain repeat its last cells, so that loads need no guard; they store nothing. */
static struct kx *not_behind(struct march *m, int d, struct kx *at)
{
	return x_min(at, x_sub(m->end[d], x_i64(1)));
}

static void place_columns(struct march *m, struct kx *at)
{
	struct cells *c = m->c;
	int d = c->rank - 1;
	struct kx *begin = m->column, *width = x_i64(c->width);
	struct kx *wanted = x_var(k_let(c->l->k, str_print("%s_wanted", c->node->index.at[d]->name), x_add(begin, at)));
	struct kx *last = x_sub(x_sub(m->end[d], x_i64(1)), begin);
	last = x_add(begin, x_mul(x_div(last, width), width));
	m->inside = x_lt(wanted, m->end[d]);
	m->column = x_var(k_let(c->l->k, c->node->index.at[d]->name, x_min(wanted, last)));
}

/* Which cells this lane takes: blocks follow each other along rows first, whose halos then meet in L2. */
static void find_place(struct march *m)
{
	struct cells *c = m->c;
	struct kernel *k = c->l->k;
	int rank = c->rank, warp = c->l->target->lanes;
	struct kx *thread = block_thread(c->l), *rest = x_to_i64(x_id(ID_BLOCK_X));
	m->lane_x = x_var(k_let(k, m->lanes == warp ? "lane" : "lane_x", x_rem(thread, x_i32(m->lanes))));
	m->group = rank == 1 ? x_to_i64(thread) : x_to_i64(x_var(k_let(k, "group", x_div(thread, x_i32(m->lanes)))));
	for (int d = rank - 1; d >= 0; d--) {
		const char *name = c->node->index.at[d]->name;
		struct kx *tile = d ? x_rem(rest, m->tiles[d]) : rest;
		struct kx *at = x_mul(tile, block_cells(m, d, m->steps));
		if (d == rank - 1) {
			place_columns(m, x_add(at, x_mul(rank == 1 ? m->group : x_to_i64(m->lane_x), x_i64(c->width))));
		} else if (d == m->plan->march) {
			at = rank == 2 ? x_add(at, x_mul(m->group, m->steps)) : at;
			m->first = x_var(k_let(k, str_print("%s_begin", name), x_add(m->lo[d], at)));
		} else {
			at = x_add(m->lo[d], d == rank - 2 ? x_add(at, m->group) : at);
			at = d == rank - 2 ? x_var(k_let(k, str_print("%s_wanted", name), at)) : at;
			if (d == rank - 2)
				m->inside = x_and(m->inside, x_lt(at, m->end[d]));
			cells_bind(c, d, x_var(k_let(k, name, d == rank - 2 ? not_behind(m, d, at) : at)));
		}
		if (d)
			rest = x_var(k_let(k, "rest", x_div(rest, m->tiles[d])));
	}
	m->inside = x_var(k_let(k, "inside", m->inside));
	cells_bind(c, rank - 1, m->column);
}

/* ---- the march ---- */

/* a_ip1_jm1: of a, one ahead along i and one back along j */
static const char *window_name(const struct march *m, const struct chain *chain, int64_t step)
{
	char *name = str_print("%s_row", chain->var->name);
	for (int d = 0; d < m->c->rank - 1; d++) {
		int64_t offset = d == m->plan->march ? step : chain->across[d];
		if (offset)
			name = str_print("%s_%s%s%lld", name, m->c->node->index.at[d]->name, offset < 0 ? "m" : "p",
			                 (long long)(offset < 0 ? -offset : offset));
	}
	return name;
}

static void declare_windows(struct march *m)
{
	struct kernel *k = m->c->l->k;
	for (int i = 0; i < m->plan->chain.n; i++) {
		struct chain *chain = &m->plan->chain.at[i];
		for (int w = 0; w <= chain->to - chain->from; w++)
			chain->window[w] = k_regs(k, chain->var->type, window_name(m, chain, chain->from + w),
			                          window_size(m->plan, chain));
	}
}

static void bind_march(struct march *m, struct kx *at)
{
	int d = m->plan->march;
	if (at->kind != KX_VAR)
		at = x_var(k_let(m->c->l->k, m->c->node->index.at[d]->name, at));
	cells_bind(m->c, d, at);
}

/* Is what lies beside handed on from window w to the one before? */
static bool hands_beside(const struct chain *chain, int w)
{
	return chain->nearest < w && w <= chain->beside;
}

/* Windows that the first step finds: all but those that it brings in itself. */
static struct rows first_rows(struct march *m)
{
	struct rows rows = { .at = { NULL } };
	for (int i = 0; i < m->plan->chain.n; i++) {
		const struct chain *chain = &m->plan->chain.at[i];
		for (int w = 0; w < chain->to - chain->from; w++)
			march_row(m, &rows, i, w, true, hands_beside(chain, w + 1));
	}
	return rows;
}

/* The farthest windows; what lies beside where it is read first, which may be a step later. */
static struct rows next_rows(struct march *m)
{
	struct rows rows = { .at = { NULL } };
	for (int i = 0; i < m->plan->chain.n; i++) {
		const struct chain *chain = &m->plan->chain.at[i];
		int far = (int)(chain->to - chain->from);
		march_row(m, &rows, i, far, true, chain->beside == far);
		if (chain->beside >= 0 && chain->beside < far)
			march_row(m, &rows, i, chain->beside, false, true);
	}
	return rows;
}

static void hand_over(struct march *m, const struct chain *chain, int w, int64_t from, int64_t to)
{
	struct kernel *k = m->c->l->k;
	struct kx *e = x_var(k_for(k, "e", x_i32(from), x_i32(to), x_i32(1), FOR_UNROLL));
	k_set(k, x_at(x_var(chain->window[w]), e), x_at(x_var(chain->window[w + 1]), e));
	k_end(k);
}

static void hand_on(struct march *m)
{
	for (int i = 0; i < m->plan->chain.n; i++) {
		const struct chain *chain = &m->plan->chain.at[i];
		for (int w = 0; w < chain->to - chain->from; w++) {
			if (hands_beside(chain, w + 1))
				hand_over(m, chain, w, 0, window_size(m->plan, chain));
			else
				hand_over(m, chain, w, -chain->lo, m->c->width - chain->lo);
		}
	}
}

/* Rows that come in some steps from now are asked for, so that they are in L2 then.  Few blocks fit a
 * multiprocessor where windows are many: then it is asked earlier. */
static void ask_ahead(struct march *m, struct kx *at)
{
	struct cells *c = m->c;
	int d = m->plan->march, steps = m->plan->words > MANY_WORDS ? 3 : 1;
	for (int i = 0; i < m->plan->chain.n; i++) {
		const struct chain *chain = &m->plan->chain.at[i];
		if (!chain_is_own(chain))
			continue;
		struct kx *last = x_sub(lower_extent(c->l, chain->var, d), x_i64(1));
		struct kx *ahead = x_min(x_add(at, x_i64(chain->to + steps)), last);
		struct kx *arg[] = { x_offset(m->line[i].base, x_mul(ahead, cells_stride(c, chain->var, d))) };
		k_do(c->l->k, x_help(kt_scalar(T_I32), "patc_prefetch", 1, arg));
	}
}

static void hold_streams(struct march *m)
{
	struct cells *c = m->c;
	c->stream.n = 0;
	for (int i = 0; i < m->plan->chain.n; i++) {
		struct chain *chain = &m->plan->chain.at[i];
		for (int w = 0; w <= chain->to - chain->from; w++)
			if (chain->sample[w])
				list_add(&c->stream, ((struct stream){ chain->var, chain->sample[w], chain->lo, chain->hi,
				                                       NULL, chain->window[w] }));
	}
	c->held = c->stream.n;
}

static void open_lanes(struct march *m)
{
	struct cells *c = m->c;
	int last = c->rank - 1;
	struct kx *at = m->column;
	if (c->width > 1) {
		c->lane = x_var(k_for(c->l->k, "c", x_i32(0), x_i32(c->width), x_i32(1), FOR_UNROLL));
		at = x_var(k_let(c->l->k, c->node->index.at[last]->name, x_add(m->column, x_to_i64(c->lane))));
	}
	cells_bind(c, last, at);
}

static void close_lanes(struct march *m)
{
	if (m->c->width > 1)
		k_end(m->c->l->k);
	m->c->lane = NULL;
}

/* The cells of a vector that a range ends within, or that the edges keep, are computed one by one. */
static void single_cells(struct march *m)
{
	struct cells *c = m->c;
	struct kernel *k = c->l->k;
	int last = c->rank - 1;
	c->out.n = 0;
	open_lanes(m);
	k_if(k, x_and(x_le(m->lo[last], c->index[last]), x_lt(c->index[last], m->end[last])));
	cells_body(c, CELL_HELD);
	k_end(k);
	close_lanes(m);
}

/* Bit c: an edge across the march does not keep cell c of the vector. */
static struct kx *stored_cells(struct march *m)
{
	struct cells *c = m->c;
	struct kx *stored = NULL;
	for (int e = 0; e < c->width; e++) {
		cells_bind(c, c->rank - 1, x_add(m->column, x_i64(e)));
		struct kx *kept = cells_kept(c, m->plan->march, false);
		struct kx *bit = kept ? x_cond(kept, x_i32(1 << e), x_i32(0)) : x_i32(1 << e);
		stored = stored ? x_op(OP_OR, stored, bit) : bit;
	}
	cells_bind(c, c->rank - 1, m->column);
	return x_var(k_let(c->l->k, "stored", stored));
}

/* All cells of the vector are there and computed; those that an edge keeps are not stored. */
static void store_unless_kept(struct march *m)
{
	struct cells *c = m->c;
	struct kernel *k = c->l->k;
	struct kx *along = cells_kept(c, m->plan->march, true);
	k_if(k, x_and(along, x_eq(m->stored, x_i32((1 << c->width) - 1))));
	cells_store_vector(c, m->column);
	k_else(k);
	if (along)
		k_if(k, along);
	open_lanes(m);
	k_if(k, x_ne(x_op(OP_AND, m->stored, x_op(OP_SHL, x_i32(1), c->lane)), x_i32(0)));
	for (int q = 0; q < c->out.n; q++)
		k_set(k, lower_cell(c->l, c->node->equation.at[q]->target.at[0]), x_lane_at(x_var(c->out.at[q]), c->lane));
	k_end(k);
	close_lanes(m);
	if (along)
		k_end(k);
	k_end(k);
}

/* Whatever a vector at an edge reads stands in windows, and its values wait in vectors. */
static bool waits(const struct march *m)
{
	const struct cells *c = m->c;
	return node_keeps(c->node) && c->width > 1 && c->node->whole && !c->node->where && !c->folds.n && m->plan->all_near;
}

static void compute(struct march *m)
{
	struct cells *c = m->c;
	struct kernel *k = c->l->k;
	int last = c->rank - 1;
	struct kx *end = x_add(m->column, x_i64(c->width)), *full = NULL;
	bool keeps = node_keeps(c->node);
	if (!c->node->whole)
		full = x_and(x_le(m->lo[last], m->column), x_le(end, m->end[last]));
	c->mode = CELL_HELD;
	cells_load(c, m->column);
	if (m->stored) {
		cells_compute_vector(c, m->column, CELL_VECTOR);
		store_unless_kept(m);
		return;
	}
	if (keeps)
		full = x_and(full, cells_inside(c, m->column, x_sub(end, x_i64(1))));
	if (full)
		k_if(k, full);
	cells_compute_vector(c, m->column, keeps ? CELL_VECTOR : CELL_HELD);
	cells_store_vector(c, m->column);
	if (full) {
		k_else(k);
		single_cells(m);
		k_end(k);
	}
}

static void step(struct march *m, struct kx *active)
{
	k_if(m->c->l->k, active);
	hold_streams(m);
	compute(m);
	k_end(m->c->l->k);
}

/* Lanes of one warp march together; those whose stretch ends earlier repeat its last step, and store nothing. */
static void march(struct march *m)
{
	struct kernel *k = m->c->l->k;
	int d = m->plan->march;
	bool ragged = m->c->rank == 2 && m->lanes < m->c->l->target->lanes;
	struct rows rows;
	if (d < 0) {
		rows = next_rows(m);
		march_fetch(m, &rows);
		march_join(m, &rows);
		step(m, m->inside);
		return;
	}
	bind_march(m, not_behind(m, d, m->first));
	rows = first_rows(m);
	march_fetch(m, &rows);
	march_join(m, &rows);
	struct kx *stop = x_min(x_add(m->first, m->steps), m->end[d]), *active = m->inside;
	if (ragged)
		stop = x_add(m->first, m->steps);
	const char *name = m->c->node->index.at[d]->name;
	stop = x_var(k_let(k, str_print("%s_stop", name), stop));
	struct kx *at = x_var(k_for(k, name, m->first, stop, x_i64(1), FOR_ROLLED));
	if (ragged) {
		active = x_and(active, x_lt(at, m->end[d]));
		at = not_behind(m, d, at);
	}
	bind_march(m, at);
	rows = next_rows(m);
	march_fetch(m, &rows);
	ask_ahead(m, at);
	march_join(m, &rows);
	step(m, active);
	hand_on(m);
	k_end(k);
}

/* Folds run over no cells too. */
static struct kx *some_cells_at_all(const struct march *m)
{
	struct kx *some = NULL;
	for (int d = 0; d < m->c->rank; d++)
		some = x_and(some, x_lt(m->lo[d], m->end[d]));
	return some;
}

static void march_rows(struct cells *c)
{
	const char *why;
	struct march m = { .c = c, .plan = register_plan_of(c->node, &why), .lanes = c->l->target->lanes };
	assert(m.plan && "pass_stage asked before");
	assert(m.plan->width == c->width && "one rule for the width");
	c->march = m.plan->march;
	if (c->node->choice.tile[0])
		m.lanes = c->node->choice.tile[1] / c->width;
	cells_find_folds(m.c);
	find_blocks(&m);
	block_launch_bounds(m.c->l);
	cells_start_folds(m.c);
	struct kx *some = m.c->folds.n ? some_cells_at_all(&m) : NULL;
	if (some)
		k_if(m.c->l->k, some);
	find_place(&m);
	march_lines(&m);
	declare_windows(&m);
	if (waits(&m))
		m.stored = stored_cells(&m);
	march(&m);
	if (some)
		k_end(m.c->l->k);
	struct kx *parts = m.c->folds.n ? lower_argument(m.c->l, "blocks", kt_scalar(T_I64), m.blocks) : NULL;
	cells_finish(m.c, x_to_i64(x_id(ID_BLOCK_X)), parts, m.blocks);
	lowering_launch(m.c->l, m.blocks, x_i64(1), x_i64(1));
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
	if (c->rank == 1)
		whole = x_eq(x_rem(cells_range_hi(c, 0, host_lowering(plan)), x_i64(c->width)), x_i64(0));
	k_if(plan->host, x_and(cells_aligned(c), whole));
	march_rows(c);
	k_else(plan->host);
	cells_rows(cells_open(plan, group, false, "_single"));
	k_end(plan->host);
}
