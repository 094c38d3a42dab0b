/* scan_cpu.c - scans on a CPU.
 *
 * A row is all cells along the axis at fixed other indices; where the axis is not the one along which neighbours lie
 * in memory, it is a strip of STRIP such sequences side by side, whose cells are a simd loop.  Threads share rows;
 * where those are few, each is cut into chunks of fixed length and three functions run (1.5 times the work of one pass
 * over memory):
 *   NAME_totals   every chunk but the last: the total of what follows its last head (carry.h)
 *   NAME_carry    a row's totals in order: each becomes that of all cells before it, back to a head
 *   NAME          every chunk: its cells, from what came before it
 * How a row is cut depends on the sizes only, never on the number of threads, so the result repeats bit for bit.
 * What cannot be joined (strict floats) runs a row in one go, or where it has segments each of them: by the chunk in
 * which it begins.
 *
 * Heads and keys are looked at cell by cell; of offsets and a length the segments that reach into a chunk are run one
 * after another.  NAME_totals reads only the last segment of a chunk: of many short ones it is for free. */
#include <assert.h>
#include "scan_cpu.h"

enum {
	MOST_BYTES = 512,                /* that a column of a strip carries: all of them lie on a thread's stack */
	CHUNK = 1 << 15,                 /* cells of all columns: their bytes fit a usual L2 */
	MANY_ROWS = 64                   /* as many as threads want */
};

struct var *cpu_axis(const struct cpu_scan *s)
{
	return s->node->index.at[s->r->axis];
}

static int64_t width_of(const struct cpu_scan *s)
{
	return s->fast < 0 ? 1 : STRIP;
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
		if (expr_uses(s->node->lo.at[d], index) || expr_uses(s->node->hi.at[d], index))
			return -1;
	return fast;
}

/* ---- the host's numbers ---- */

static void host_ranges(struct cpu_scan *s)
{
	struct cells domain = { .node = s->node, .rank = s->node->index.n };
	struct lowering *host = host_lowering(s->plan);
	s->rows = x_i64(1);
	for (int d = 0; d < s->node->index.n; d++) {
		const char *name = s->node->index.at[d]->name;
		struct kx *lo = cells_range_lo(&domain, d, host), *hi = cells_range_hi(&domain, d, host);
		s->host_lo[d] = x_is_int(lo, 0) ? lo : plan_let(s->plan, str_print("%s_first", name), lo);
		s->host_size[d] = plan_let(s->plan, str_print("%s_cells", name), plan_range(s->plan, s->host_lo[d], hi));
		if (d != s->r->axis)
			s->rows = x_mul(s->rows, d == s->fast ? x_div_up(s->host_size[d], x_i64(STRIP)) : s->host_size[d]);
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
	return x_i64(CHUNK / width_of(s));
}

static void find_slots(struct cpu_scan *s)
{
	struct kx *rows = x_i64(1), *chunks = x_div_up(most_of(s, s->r->axis), chunk_cells(s));
	for (int d = 0; d < s->node->index.n; d++)
		if (d != s->r->axis)
			rows = x_mul(rows, d == s->fast ? x_div_up(most_of(s, d), x_i64(STRIP)) : most_of(s, d));
	struct kx *count[] = { s->node->index.n > 1 ? x_min(rows, x_i64(MANY_ROWS)) : rows, chunks, x_i64(width_of(s)) };
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
	struct kx *few = x_lt(s->rows, x_i64(MANY_ROWS)), *cut = x_div_up(s->cells, chunk_cells(s));
	s->chunks = plan_let(s->plan, "chunks", s->node->index.n > 1 ? x_cond(few, cut, x_i64(1)) : cut);
	s->step = plan_let(s->plan, "step", x_cond(x_lt(x_i64(1), s->chunks), chunk_cells(s), s->cells));
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
		s->total[a] = lower_argument(s->l, "totals", kt_pointer(s->kinds.at[a].type, false), s->slot[a]);
	if (s->begins_slot)
		s->begins = lower_argument(s->l, "begins", kt_pointer(type_scalar(T_BOOL), false), s->begins_slot);
}

static struct kx *argument(struct cpu_scan *s, const char *name, struct kx *host)
{
	int64_t known;
	return x_constant(host, &known) ? x_i64(known) : lower_argument(s->l, name, kt_scalar(T_I64), host);
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
		struct kx *size = size_at(s, s->fast), *strips = x_div_up(size, x_i64(STRIP));
		struct kx *skip = x_mul(outer ? digit(s, &row, x_var(k_let(s->k, "strips", strips))) : row, x_i64(STRIP));
		skip = x_var(k_let(s->k, "skip", skip));
		s->columns = x_var(k_let(s->k, "columns", x_min(x_sub(size, skip), x_i64(STRIP))));
		s->first_column = x_var(k_let(s->k, "first_column", x_add(first_at(s, s->fast), skip)));
	}
	for (int d = s->node->index.n - 1; d >= first; d--) {
		if (!is_outer(s, d))
			continue;
		struct kx *here = d > first ? digit(s, &row, size_at(s, d)) : row;
		lower_bind(s->l, s->node->index.at[d], x_var(k_let(s->k, s->node->index.at[d]->name, x_add(first_at(s, d), here))));
	}
}

/* The row's own range: what bounds it may be known to the device only, or be another index.  Behind all targets
 * nothing depends on its cells. */
static void find_range(struct cpu_scan *s)
{
	const struct node *node = s->node;
	struct cells domain = { .node = node, .rank = node->index.n, .l = s->l };
	int axis = s->r->axis;
	struct kx *lo = cells_range_lo(&domain, axis, s->l), *hi = cells_range_hi(&domain, axis, s->l);
	if (!cells_exact(node, axis)) {
		struct kx *own_lo = lower_index(s->l, node->lo.at[axis]), *own_hi = lower_index(s->l, node->hi.at[axis]);
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
			inside = x_and(inside, x_and(x_le(lower_index(s->l, s->node->lo.at[d]), i),
			                             x_lt(i, lower_index(s->l, s->node->hi.at[d]))));
		}
	if (s->r->segment == SEGMENT_LENGTH && s->r->length->kind != E_CONST)
		inside = x_and(inside, x_le(x_i64(1), lower_index(s->l, s->r->length)));
	return inside;
}

/* Chunks follow one another as the scan goes. */
static void find_chunk(struct cpu_scan *s)
{
	s->from = s->lo;
	s->to = s->hi;
	if (!s->chunk)
		return;
	struct kx *step = argument(s, "step", s->step), *skip = x_mul(s->chunk, step);
	if (s->r->from_right) {
		s->to = x_var(k_let(s->k, "to", x_sub(s->hi, skip)));
		s->from = x_var(k_let(s->k, "from", x_max(x_sub(s->to, step), s->lo)));
	} else {
		s->from = x_var(k_let(s->k, "from", x_add(s->lo, skip)));
		s->to = x_var(k_let(s->k, "to", x_min(x_add(s->from, step), s->hi)));
	}
}

/* The loop over rows and chunks, the last `left` of each row left out; one body is open. */
static void open_chunks(struct cpu_scan *s, int64_t left)
{
	bool one = s->node->index.n == 1;
	struct kx *rows = argument(s, "rows", s->rows), *chunks = argument(s, "chunks", s->chunks);
	struct kx *taken = left ? x_sub(chunks, x_i64(left)) : chunks;
	struct kx *count = !is_cut(s) ? rows : one ? taken : x_mul(rows, taken);
	struct kx *row = x_i64(0);
	s->chunk = NULL;
	if (one && !is_cut(s))
		k_scope(s->k);
	else
		row = x_var(k_for(s->k, one ? "chunk" : is_cut(s) ? "part" : "row", x_i64(0), count, x_i64(1), FOR_PARALLEL));
	if (is_cut(s))
		s->chunk = one ? row : x_var(k_let(s->k, "chunk", x_rem(row, taken)));
	if (is_cut(s) && !one)
		row = x_var(k_let(s->k, "row", x_div(row, taken)));
	s->place = one ? s->chunk : s->chunk ? x_var(k_let(s->k, "place", x_add(x_mul(row, chunks), s->chunk))) : NULL;
	bind_row(s, row);
	find_range(s);
	find_chunk(s);
}

/* What follows is done where there are cells: one more body. */
static void if_cells(struct cpu_scan *s)
{
	k_if(s->k, x_and(row_guard(s), x_lt(s->from, s->to)));
}

static void launch(struct cpu_scan *s)
{
	lowering_launch(s->l, x_i64(1), x_i64(1), x_i64(1));
}

/* ---- the three ---- */

static void lower_totals(struct cpu_scan *s)
{
	open_function(s, "_totals");
	s->k->note = "What each chunk comes to, behind its last head.";
	find_totals(s);
	open_chunks(s, 1);
	struct accumulators total = cpu_start_totals(s);
	struct kx *begins = s->begins ? x_var(k_var(s->k, kt_scalar(T_BOOL), "is_head", x_int(T_BOOL, 1))) : NULL;
	if_cells(s);
	cpu_add_totals(s, &total, begins);
	k_end(s->k);
	cpu_store_totals(s, &total);
	if (begins)
		k_set(s->k, x_at(s->begins, s->place), begins);
	k_end(s->k);
	launch(s);
}

static void lower_joins(struct cpu_scan *s)
{
	struct kernel *k;
	struct kx *rows, *chunks, *row = NULL;
	open_function(s, "_carry");
	k = s->k;
	k->note = "What comes before each chunk but the first.";
	find_totals(s);
	chunks = argument(s, "chunks", s->chunks);
	if (s->node->index.n > 1) {
		rows = argument(s, "rows", s->rows);
		row = x_var(k_for(k, "row", x_i64(0), rows, x_i64(1), FOR_PARALLEL));
	}
	s->chunk = x_var(k_for(k, "chunk", x_i64(1), x_sub(chunks, x_i64(1)), x_i64(1), 0));
	s->place = row ? x_var(k_let(k, "place", x_add(x_mul(row, chunks), s->chunk))) : s->chunk;
	if (s->begins)
		k_if(k, x_unary(OP_NOT, x_at(s->begins, s->place)));
	cpu_join_totals(s);
	if (s->begins)
		k_end(k);
	k_end(k);
	if (row)
		k_end(k);
	launch(s);
}

static void lower_cells(struct cpu_scan *s)
{
	open_function(s, "");
	if (s->chunked)
		find_totals(s);
	open_chunks(s, 0);
	if_cells(s);
	cpu_run_cells(s);
	k_end(s->k);
	k_end(s->k);
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
