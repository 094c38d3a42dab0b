/* scan_cpu.c - scans on a CPU.
 *
 * A row is all cells along the axis at fixed other indices; where the axis is not the one along
 * which neighbours lie in memory, it is a strip of `width` such sequences side by side, whose cells
 * are a simd loop.  Threads share rows; where those are few, each is cut into chunks of fixed
 * length and three functions run (1.5 times the work of one pass over memory):
 *   NAME_totals   every chunk but the last: the total of what follows its last head (carry.h)
 *   NAME_carry    a row's totals in order: each becomes that of all cells before it, back to a head
 *   NAME          every chunk: its cells, from what came before it
 *
 * A cell waits for the one before it.  So that a processor always has something to compute,
 *   abreast   of a recurrence a thread runs ABREAST rows or chunks, STEPS cells of each in turn.
 *             Each is computed as it would be alone.
 *   by fours  of a fold the terms of four neighbouring cells are folded first, then join what the
 *             cell before them has.
 * A strip does not need it: its columns are independent.
 *
 * How a row is cut depends on the sizes only, never on the number of threads, so the result repeats
 * bit for bit. What cannot be joined (strict floats) runs a row in one go, or where it has segments
 * each of them: by the chunk in which it begins.
 *
 * Heads and keys are looked at cell by cell; of offsets and a length the segments that reach into a
 * chunk are run one after another.  NAME_totals reads only the last segment of a chunk: of many
 * short ones it is for free. */
#include <assert.h>
#include "scan_cpu.h"

enum {
	/* that a column of a strip carries: all of them lie on a thread's stack */
	MOST_BYTES = 512,
	/* cells of all columns of a strip, or of all parts abreast: their bytes fit a usual L2; the
	 * parts begin in lines of different sets of a cache */
	CHUNK = 1 << 15,
	APART = 64,
	MANY_ROWS = 64,                  /* as many as threads want, */
	GROUPS = 16,                     /* and of wide strips, or of parts abreast at least */
	SHORT = 1000                     /* cells: memory is fetched ahead in longer runs only */
};

struct var *cpu_axis(const struct cpu_scan *s)
{
	return s->node->index.at[s->r->axis];
}

/* The rows count over it. */
static bool is_outer(const struct cpu_scan *s, int d)
{
	return d != s->r->axis && d != s->fast;
}

/* ---- which cells are neighbours ---- */

static int only_index(const struct node *node, const struct expr *sub)
{
	for (int d = 0; d < node->index.n; d++)
		if (sub->kind == E_VAR && sub->var == node->index.at[d])
			return d;
	return -1;
}

static int64_t carried_bytes(const struct cpu_scan *s)
{
	int64_t bytes = 0;
	for (int a = 0; a < s->kinds.n; a++)
		bytes += type_size(s->kinds.at[a].type);
	return bytes;
}

/* Columns of a strip have one range along the axis. */
static int fast_index(const struct cpu_scan *s)
{
	const struct expr *target = target_read(node_target(s->node, 0));
	int axis = s->r->axis, fast = only_index(s->node, target->arg.at[target->var->rank - 1]);
	if (fast < 0 || fast == axis || var_home(target->var) || carried_bytes(s) > MOST_BYTES)
		return -1;
	const struct var *index = s->node->index.at[fast];
	for (int d = 0; d < s->node->index.n; d++)
		if (bounds_use(s->node, d, index))
			return -1;
	return fast;
}

/* ---- the host's numbers ---- */

/* Of so many cells along d. */
static struct kx *strips_of(const struct cpu_scan *s, int d, struct kx *cells)
{
	return d == s->fast ? x_div_up(cells, x_i64(s->width)) : cells;
}

static void host_ranges(struct cpu_scan *s)
{
	struct cells domain = { .node = s->node, .rank = s->node->index.n };
	struct lowering *host = host_lowering(s->plan);
	s->rows = x_i64(1);
	for (int d = 0; d < s->node->index.n; d++) {
		const char *name = s->node->index.at[d]->name;
		struct kx *lo = cells_range_lo(&domain, d, host),
			  *hi = cells_range_hi(&domain, d, host);
		s->host_lo[d] = x_is_int(lo, 0)
		                        ? lo
		                        : plan_let(s->plan, str_print("%s_first", name), lo);
		s->host_size[d] = plan_let(s->plan, str_print("%s_cells", name),
		                           plan_range(s->plan, s->host_lo[d], hi));
		if (d != s->r->axis)
			s->rows = x_mul(s->rows, strips_of(s, d, s->host_size[d]));
	}
	if (s->node->index.n > 1)
		s->rows = plan_let(s->plan, "rows", kx_fold(s->rows));
	s->cells = s->host_size[s->r->axis];
}

/* At most, over sizes alone: cells are no more than those of the target's axis. */
static struct kx *most_of(const struct cpu_scan *s, int d)
{
	const struct expr *target = target_read(node_target(s->node, 0));
	for (int a = 0; a < target->var->rank; a++)
		if (expr_uses(target->arg.at[a], s->node->index.at[d]))
			return lower_extent(host_lowering(s->plan), target->var, a);
	assert(!"every index is in a subscript of the target");
	return NULL;
}

static struct kx *chunk_cells(const struct cpu_scan *s)
{
	return x_i64(s->abreast ? CHUNK / ABREAST + APART : CHUNK / s->width);
}

static void find_slots(struct cpu_scan *s)
{
	struct kx *rows = x_i64(1), *chunks = x_div_up(most_of(s, s->r->axis), chunk_cells(s));
	for (int d = 0; d < s->node->index.n; d++)
		if (d != s->r->axis)
			rows = x_mul(rows, strips_of(s, d, most_of(s, d)));
	struct kx *count[] = { s->node->index.n > 1 ? x_min(rows, x_i64(MANY_ROWS)) : rows, chunks,
		               x_i64(s->width) };
	for (int a = 0; a < s->kinds.n; a++)
		s->slot[a] = x_var(plan_slot(s->plan, "totals", s->kinds.at[a].type, 3, count));
	if (s->r->segment != SEGMENT_NONE)
		s->begins_slot = x_var(plan_slot(s->plan, "begins", type_scalar(T_BOOL), 2, count));
}

static bool is_cut(const struct cpu_scan *s)
{
	return s->chunked || s->owned;
}

static void host_chunks(struct cpu_scan *s)
{
	s->chunks = x_i64(1);
	s->step = s->cells;
	if (!is_cut(s))
		return;
	struct kx *cut = x_div_up(s->cells, chunk_cells(s)), *worth = NULL;
	if (s->node->index.n > 1)
		worth = x_lt(s->rows, x_i64(s->width == WIDE ? GROUPS : MANY_ROWS));
	if (s->abreast)
		worth = x_and(worth, x_lt(x_i64(CHUNK), s->cells));
	s->chunks = plan_let(s->plan, "chunks", worth ? x_cond(worth, cut, x_i64(1)) : cut);
	s->step = plan_let(s->plan, "step",
	                   x_cond(x_lt(x_i64(1), s->chunks), chunk_cells(s), s->cells));
}

/* ---- functions: the row, the chunk ---- */

static void open_function(struct cpu_scan *s, const char *suffix)
{
	s->l = lowering_new(s->plan, str_print("%s%s", s->node->name, suffix));
	s->k = s->l->k;
	lowering_writes(s->l, s->node);
	s->c = carry_open(s->l, s->node);
	s->kinds = carry_kinds(s->c);
	s->column = NULL;
}

static void find_totals(struct cpu_scan *s)
{
	for (int a = 0; a < s->kinds.n; a++)
		s->total[a] = lower_argument(s->l, "totals", kt_pointer(s->kinds.at[a].type, false),
		                             s->slot[a]);
	if (s->begins_slot)
		s->begins = lower_argument(s->l, "begins", kt_pointer(type_scalar(T_BOOL), false),
		                           s->begins_slot);
}

static struct kx *argument(struct cpu_scan *s, const char *name, struct kx *host)
{
	int64_t known;
	return x_constant(host, &known) ? x_i64(known)
	                                : lower_argument(s->l, name, kt_scalar(T_I64), host);
}

static struct kx *first_at(struct cpu_scan *s, int d)
{
	return argument(s, str_print("%s_first", s->node->index.at[d]->name), s->host_lo[d]);
}

static struct kx *size_at(struct cpu_scan *s, int d)
{
	return argument(s, str_print("%s_cells", s->node->index.at[d]->name), s->host_size[d]);
}

/* row % size, of which `row` keeps the rest */
static struct kx *digit(struct cpu_scan *s, struct kx **row, struct kx *size)
{
	struct kx *here = x_rem(*row, size);
	*row = x_var(k_let(s->k, "rest", x_div(*row, size)));
	return here;
}

/* row = ((r0 * n1) + r1) * strips + strip, over every index but the axis */
static void bind_row(struct cpu_scan *s, struct kx *row)
{
	int first = 0;
	while (first < s->node->index.n && !is_outer(s, first))
		first++;
	bool outer = first < s->node->index.n;
	if (s->fast >= 0) {
		struct kx *size = size_at(s, s->fast), *strips = strips_of(s, s->fast, size);
		struct kx *skip = x_mul(outer ? digit(s, &row, x_var(k_let(s->k, "strips", strips)))
		                              : row,
		                        x_i64(s->width));
		skip = x_var(k_let(s->k, "skip", skip));
		struct kx *columns = x_min(x_sub(size, skip), x_i64(s->width));
		s->columns = x_var(k_let(s->k, "columns", columns));
		s->first_column = x_var(
			k_let(s->k, "first_column", x_add(first_at(s, s->fast), skip)));
	}
	for (int d = s->node->index.n - 1; d >= first; d--) {
		if (!is_outer(s, d))
			continue;
		struct kx *here = d > first ? digit(s, &row, size_at(s, d)) : row;
		lower_bind(s->l, s->node->index.at[d],
		           x_var(k_let(s->k, s->node->index.at[d]->name,
		                       x_add(first_at(s, d), here))));
	}
}

/* The row's own range: what bounds it may be known to the device only, or be another index.  Behind
 * all targets nothing depends on its cells. */
static void find_range(struct cpu_scan *s)
{
	const struct node *node = s->node;
	struct cells domain = { .node = node, .rank = node->index.n, .l = s->l };
	int axis = s->r->axis;
	struct kx *lo = cells_range_lo(&domain, axis, s->l),
		  *hi = cells_range_hi(&domain, axis, s->l);
	if (!cells_exact(node, axis)) {
		struct kx *own_lo = lower_index(s->l, node->lo.at[axis]),
			  *own_hi = lower_index(s->l, node->hi.at[axis]);
		lo = s->r->from_right ? x_max(lo, own_lo) : own_lo;
		hi = s->r->from_right ? own_hi : x_min(hi, own_hi);
	}
	s->lo = x_is_int(lo, 0) ? lo : x_var(k_let(s->k, "first", lo));
	s->hi = hi->kind == KX_VAR ? hi : x_var(k_let(s->k, "end", hi));
}

/* The other indices are in the domain, and a length is one. */
static struct kx *row_guard(struct cpu_scan *s)
{
	struct kx *inside = NULL;
	for (int d = 0; d < s->node->index.n; d++)
		if (is_outer(s, d) && !cells_exact(s->node, d)) {
			struct kx *i = lower_var(s->l, s->node->index.at[d]);
			inside = x_and(inside,
			               x_and(x_le(lower_index(s->l, s->node->lo.at[d]), i),
			                     x_lt(i, lower_index(s->l, s->node->hi.at[d]))));
		}
	if (s->r->segment == SEGMENT_LENGTH && s->r->length->kind != E_CONST)
		inside = x_and(inside, x_le(x_i64(1), lower_index(s->l, s->r->length)));
	return inside;
}

/* ---- for the texts of scan_cpu.kernel ---- */

KTEXT_HOLE(text_bind_row)
{
	bind_row((struct cpu_scan *)state, arg[0]);
	return NULL;
}

KTEXT_HOLE(text_find_range)
{
	struct cpu_scan *s = (struct cpu_scan *)state;
	find_range(s);
	k_bind(s->k, "lo", s->lo);
	k_bind(s->k, "hi", s->hi);
	return NULL;
}

KTEXT_HOLE(step)
{
	struct cpu_scan *s = (struct cpu_scan *)state;
	return argument(s, "step", s->step);
}

KTEXT_HOLE(text_row_guard)
{
	struct kx *guard = row_guard((struct cpu_scan *)state);
	return guard ? guard : x_int(T_BOOL, 1);
}

static void bind_texts(struct cpu_scan *s, bool totals)
{
	cpu_bind_cells(s, totals);
	k_numbers(s->k, "ABREAST, STEPS, GROUPS, SHORT", ABREAST, STEPS, GROUPS, SHORT);
	k_numbers(s->k, "ONE, CUT, TOTALS, HAS_BEGINS", s->node->index.n == 1, is_cut(s), totals,
	          s->begins != NULL);
	if (s->begins)
		k_bind(s->k, "begins", s->begins);
	k_bind_calls(s->k, s, { "bind_row", text_bind_row }, { "find_range", text_find_range },
	             { "step", step }, { "row_guard", text_row_guard });
}

/* The rows, or the chunks of all of them. */
static void run_rows(struct cpu_scan *s, bool totals)
{
	struct kx *rows = argument(s, "rows", s->rows), *chunks = argument(s, "chunks", s->chunks);
	bind_texts(s, totals);
	k_bind(s->k, "rows", rows);
	k_bind(s->k, "chunks", chunks);
	if (s->node->index.n > 1 || is_cut(s)) {
		k_text(s->k, s->abreast ? "run_abreast" : "run_rows");
		return;
	}
	k_scope(s->k);
	k_text(s->k, "run_chunk", x_i64(0));
	k_end(s->k);
}

static void launch(struct cpu_scan *s)
{
	lowering_launch(s->l, x_i64(1), x_i64(1), x_i64(1));
}

/* ---- the three ---- */

static void lower_totals(struct cpu_scan *s)
{
	open_function(s, "_totals");
	s->k->note = "The fold of each chunk, from its last head on.";
	find_totals(s);
	run_rows(s, true);
	launch(s);
}

static void lower_joins(struct cpu_scan *s)
{
	open_function(s, "_carry");
	s->k->note = "What comes before each chunk but the first.";
	find_totals(s);
	bind_texts(s, false);
	k_bind(s->k, "chunks", argument(s, "chunks", s->chunks));
	if (s->node->index.n > 1)
		k_bind(s->k, "rows", argument(s, "rows", s->rows));
	k_text(s->k, "join_chunks");
	launch(s);
}

static void lower_cells(struct cpu_scan *s)
{
	open_function(s, "");
	if (s->chunked)
		find_totals(s);
	run_rows(s, false);
	launch(s);
}

void scan_cpu(struct plan *plan, const struct group *group)
{
	struct cpu_scan *s = NEW(struct cpu_scan);
	*s = (struct cpu_scan){ .plan = plan, .node = group->anchor, .r = group->anchor->running };
	const struct carry *asked = carry_open(NULL, s->node);
	s->kinds = carry_kinds(asked);
	s->chunked = carry_joins(asked) && !targets_checked(s->node);
	s->owned = !s->chunked && s->r->segment != SEGMENT_NONE;
	s->fast = fast_index(s);
	s->width = s->fast < 0 ? 1 : carried_bytes(s) <= LITTLE ? WIDE : NARROW;
	bool whole = s->fast < 0 && s->r->segment == SEGMENT_NONE;
	s->abreast = whole && carry_recurs(asked) && carried_bytes(s) <= MOST_BYTES / ABREAST;
	s->fours = whole && s->chunked && !carry_recurs(asked) && carry_branchless(asked);
	cells_check_ranges(plan, s->node);
	host_ranges(s);
	host_chunks(s);
	cut_check(plan, s->node, x_lt(x_i64(0), x_mul(s->rows, s->cells)), NULL);
	if (s->chunked) {
		find_slots(s);
		k_if(plan->host, x_lt(x_i64(1), s->chunks));
		lower_totals(s);
		lower_joins(s);
		k_end(plan->host);
	}
	lower_cells(s);
}
