/* scan_cpu.c - scans on a CPU.
 *
 * A row is all cells along the axis at fixed other indices.  Threads share rows; where those are few, each row is cut
 * into chunks of fixed length and three functions run (the work is 1.5 times that of one pass over memory):
 *   NAME_totals   every chunk but the last: the total of what follows its last head (carry.h)
 *   NAME_carry    a row's totals in order: each becomes that of all cells before it, back to a head
 *   NAME          every chunk: its cells, from what came before it
 * How a row is cut depends on the sizes only, never on the number of threads, so the result repeats bit for bit.
 * What cannot be joined (strict floats) runs a row in one go.
 *
 * Heads and keys are looked at cell by cell; of offsets and a length the segments that reach into a chunk are run one
 * after another.  NAME_totals reads only the last segment of a chunk: of many short ones it is for free. */
#include <assert.h>
#include "../cells.h"
#include "carry.h"
#include "cut.h"
#include "scan.h"

enum {
	CHUNK = 1 << 15,                 /* cells: their bytes fit a usual L2 */
	MANY_ROWS = 64                   /* as many as threads want */
};

struct scan {
	struct plan *plan;
	const struct node *node;
	const struct running *r;
	bool chunked;                        /* a row may be cut */
	struct kx *rows, *cells, *chunks, *step;         /* the host's numbers: all rows, cells of the longest, ... */
	struct kx *host_lo[MAX_RANK], *host_size[MAX_RANK];
	struct kx *slot[8], *begins_slot;
	/* of the function under construction */
	struct lowering *l;
	struct kernel *k;
	struct carry *c;
	struct accumulators kinds;
	struct kx *total[8], *begins;        /* what the slots hold: [row * chunks + chunk] */
	struct kx *place;                    /* this chunk's there */
	struct kx *chunk;                    /* NULL: a row is one */
	struct kx *lo, *hi;                  /* the row's cells */
	struct kx *from, *to;                /* those of the chunk */
};

static struct var *axis_index(const struct scan *s)
{
	return s->node->index.at[s->r->axis];
}

/* ---- the host's numbers ---- */

static bool target_checked(const struct node *node)
{
	for (int t = 0; node_target(node, t); t++)
		if (node_target(node, t)->checked || target_read(node_target(node, t))->checked)
			return true;
	return false;
}

static void host_ranges(struct scan *s)
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
			s->rows = x_mul(s->rows, s->host_size[d]);
	}
	if (s->node->index.n > 1)
		s->rows = plan_let(s->plan, "rows", s->rows);
	s->cells = s->host_size[s->r->axis];
}

/* At most, over sizes alone: cells are no more than those of the target's axis. */
static struct kx *most_of(const struct scan *s, int d)
{
	const struct expr *target = target_read(node_target(s->node, 0));
	for (int a = 0; a < target->var->rank; a++)
		if (expr_uses(target->arg.at[a], s->node->index.at[d]))
			return lower_extent(host_lowering(s->plan), target->var, a);
	assert(!"every index is in a subscript of the target");
	return NULL;
}

static void find_slots(struct scan *s)
{
	struct kx *rows = x_i64(1), *chunks = x_div_up(most_of(s, s->r->axis), x_i64(CHUNK));
	for (int d = 0; d < s->node->index.n; d++)
		if (d != s->r->axis)
			rows = x_mul(rows, most_of(s, d));
	struct kx *count[] = { s->node->index.n > 1 ? x_min(rows, x_i64(MANY_ROWS)) : rows, chunks };
	for (int a = 0; a < s->kinds.n; a++)
		s->slot[a] = x_var(plan_slot(s->plan, "totals", s->kinds.at[a].type, 2, count));
	if (s->r->segment != SEGMENT_NONE)
		s->begins_slot = x_var(plan_slot(s->plan, "begins", type_scalar(T_BOOL), 2, count));
}

static void host_chunks(struct scan *s)
{
	s->chunks = x_i64(1);
	s->step = s->cells;
	if (!s->chunked)
		return;
	struct kx *few = x_lt(s->rows, x_i64(MANY_ROWS)), *cut = x_div_up(s->cells, x_i64(CHUNK));
	s->chunks = plan_let(s->plan, "chunks", s->node->index.n > 1 ? x_cond(few, cut, x_i64(1)) : cut);
	s->step = plan_let(s->plan, "step", x_cond(x_lt(x_i64(1), s->chunks), x_i64(CHUNK), s->cells));
}

/* ---- functions: the row, the chunk ---- */

static void open_function(struct scan *s, const char *suffix)
{
	s->l = lowering_new(s->plan, str_print("%s%s", s->node->name, suffix));
	s->k = s->l->k;
	lowering_writes(s->l, s->node);
	s->c = carry_open(s->l, s->node);
	s->kinds = carry_kinds(s->c);
}

static void find_totals(struct scan *s)
{
	for (int a = 0; a < s->kinds.n; a++)
		s->total[a] = lower_argument(s->l, "totals", kt_pointer(s->kinds.at[a].type, false), s->slot[a]);
	if (s->begins_slot)
		s->begins = lower_argument(s->l, "begins", kt_pointer(type_scalar(T_BOOL), false), s->begins_slot);
}

static struct kx *argument(struct scan *s, const char *name, struct kx *host)
{
	int64_t known;
	return x_constant(host, &known) ? x_i64(known) : lower_argument(s->l, name, kt_scalar(T_I64), host);
}

/* row = ((r0 * n1) + r1) * n2 + r2 ... over every index but the axis */
static void bind_row(struct scan *s, struct kx *row)
{
	const struct node *node = s->node;
	int first = s->r->axis == 0 ? 1 : 0;
	for (int d = node->index.n - 1; d >= first; d--) {
		if (d == s->r->axis)
			continue;
		const char *name = node->index.at[d]->name;
		struct kx *lo = argument(s, str_print("%s_first", name), s->host_lo[d]), *here = row;
		if (d > first) {
			struct kx *size = argument(s, str_print("%s_cells", name), s->host_size[d]);
			here = x_rem(row, size);
			row = x_var(k_let(s->k, "rest", x_div(row, size)));
		}
		lower_bind(s->l, node->index.at[d], x_var(k_let(s->k, name, x_add(lo, here))));
	}
}

/* The row's own range: what bounds it may be known to the device only, or be another index. */
static void find_range(struct scan *s)
{
	const struct node *node = s->node;
	struct cells domain = { .node = node, .rank = node->index.n, .l = s->l };
	int axis = s->r->axis;
	struct kx *lo = cells_range_lo(&domain, axis, s->l), *hi = cells_range_hi(&domain, axis, s->l);
	if (!cells_exact(node, axis)) {
		lo = x_max(lo, lower_index(s->l, node->lo.at[axis]));
		hi = x_min(hi, lower_index(s->l, node->hi.at[axis]));
	}
	s->lo = x_is_int(lo, 0) ? lo : x_var(k_let(s->k, "first", lo));
	s->hi = x_var(k_let(s->k, "end", hi));
}

/* The other indices are in the domain, and a length is one. */
static struct kx *row_guard(struct scan *s)
{
	struct kx *inside = NULL;
	for (int d = 0; d < s->node->index.n; d++)
		if (d != s->r->axis && !cells_exact(s->node, d)) {
			struct kx *i = lower_var(s->l, s->node->index.at[d]);
			inside = x_and(inside, x_and(x_le(lower_index(s->l, s->node->lo.at[d]), i),
			                             x_lt(i, lower_index(s->l, s->node->hi.at[d]))));
		}
	if (s->r->segment == SEGMENT_LENGTH && s->r->length->kind != E_CONST)
		inside = x_and(inside, x_le(x_i64(1), lower_index(s->l, s->r->length)));
	return inside;
}

/* Chunks follow one another as the scan goes. */
static void find_chunk(struct scan *s)
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

/* The loop over rows and chunks: `last` of each row left out.  Opens bodies; close_chunks ends them. */
static int open_chunks(struct scan *s, int64_t last)
{
	struct kx *rows = argument(s, "rows", s->rows), *chunks = argument(s, "chunks", s->chunks);
	struct kx *taken = last ? x_sub(chunks, x_i64(last)) : chunks, *row = NULL;
	bool one = s->node->index.n == 1;
	struct kx *unit = x_var(k_for(s->k, s->chunked ? one ? "chunk" : "unit" : "row", x_i64(0),
	                              !s->chunked ? rows : one ? taken : x_mul(rows, taken), x_i64(1), FOR_PARALLEL));
	s->chunk = s->chunked ? unit : NULL;
	row = s->chunked ? x_i64(0) : unit;
	if (s->chunked && !one) {
		row = x_var(k_let(s->k, "row", x_div(unit, taken)));
		s->chunk = x_var(k_let(s->k, "chunk", x_rem(unit, taken)));
	}
	s->place = s->chunked && !one ? x_add(x_mul(row, chunks), s->chunk) : s->chunk;
	bind_row(s, row);
	find_range(s);
	struct kx *guard = x_and(row_guard(s), x_lt(s->lo, s->hi));
	k_if(s->k, guard);
	find_chunk(s);
	if (s->chunk && (!cells_exact(s->node, s->r->axis))) {
		k_if(s->k, x_lt(s->from, s->to));
		return 3;
	}
	return 2;
}

static void close_bodies(struct scan *s, int bodies)
{
	while (bodies--)
		k_end(s->k);
}

static void launch(struct scan *s)
{
	lowering_launch(s->l, x_i64(1), x_i64(1), x_i64(1));
}

/* Cells from .. to in the order of the scan, each bound. */
static struct kx *open_cells(struct scan *s, struct kx *from, struct kx *to)
{
	const char *name = axis_index(s)->name;
	struct kx *i;
	if (s->r->from_right) {
		struct kx *back = x_var(k_for(s->k, "back", x_i64(1), x_add(x_sub(to, from), x_i64(1)), x_i64(1), 0));
		i = x_var(k_let(s->k, name, x_sub(to, back)));
	} else {
		i = x_var(k_for(s->k, name, from, to, x_i64(1), 0));
	}
	lower_bind(s->l, axis_index(s), i);
	return i;
}

static struct kx *first_of(const struct scan *s, struct kx *from, struct kx *to)
{
	return s->r->from_right ? x_sub(to, x_i64(1)) : from;
}

/* ---- the total of a chunk's last segment ---- */

/* from .. to become the cells behind the chunk's last head, which is the first of them if begins. */
struct tail { struct kx *from, *to, *begins; };

static struct tail tail_by_cells(struct scan *s)
{
	bool right = s->r->from_right;
	struct kx *start = x_sub(right ? s->from : s->to, x_i64(right ? 0 : 1));
	struct kx *at = x_var(k_var(s->k, kt_scalar(T_I64), "head", start));
	struct kx *inside = right ? x_lt(at, x_sub(s->to, x_i64(1))) : x_lt(s->from, at);
	k_while(s->k, x_and(inside, x_unary(OP_NOT, cut_head(s->l, s->node, at, s->lo, s->hi))));
	k_set(s->k, at, right ? x_add(at, x_i64(1)) : x_sub(at, x_i64(1)));
	k_end(s->k);
	struct tail t = { right ? s->from : at, right ? x_add(at, x_i64(1)) : s->to, NULL };
	t.begins = x_var(k_let(s->k, "is_head", cut_head(s->l, s->node, at, s->lo, s->hi)));
	return t;
}

static struct kx *within(struct kx *x, struct kx *lo, struct kx *hi)
{
	return x_min(x_max(x, lo), hi);
}

/* The segment of the last cell, none if that is in none. */
static struct tail tail_by_segment(struct scan *s)
{
	struct kernel *k = s->k;
	bool right = s->r->from_right;
	struct kx *last = right ? s->from : x_sub(s->to, x_i64(1));
	struct kx *segment = cut_segment(s->l, s->node, last), *count = cut_segments(s->l, s->node);
	struct tail t = { x_var(k_var(k, kt_scalar(T_I64), "tail_from", right ? s->from : s->to)),
	                  x_var(k_var(k, kt_scalar(T_I64), "tail_to", right ? s->from : s->to)),
	                  x_var(k_var(k, kt_scalar(T_BOOL), "begin", x_int(T_BOOL, 1))) };
	if (count)
		k_if(k, x_and(x_le(x_i64(0), segment), x_lt(segment, count)));
	if (right) {
		struct kx *end = x_var(k_let(k, "segment_end", x_min(cut_end(s->l, s->node, segment), s->hi)));
		k_set(k, t.to, within(end, s->from, s->to));
		k_set(k, t.begins, x_le(end, s->to));
	} else {
		struct kx *begin = x_var(k_let(k, "segment_begin", x_max(cut_begin(s->l, s->node, segment), s->lo)));
		k_set(k, t.from, within(begin, s->from, s->to));
		k_set(k, t.begins, x_le(s->from, begin));
	}
	if (count)
		k_end(k);
	return t;
}

static struct tail chunk_tail(struct scan *s)
{
	switch (s->r->segment) {
	case SEGMENT_NONE:
		return (struct tail){ s->from, s->to, carry_marks(s->c) ? x_eq(s->chunk, x_i64(0)) : NULL };
	case SEGMENT_HEADS: case SEGMENT_KEYS:
		return tail_by_cells(s);
	case SEGMENT_OFFSETS: case SEGMENT_LENGTH:
		return tail_by_segment(s);
	}
	assert(!"a way to cut");
	return (struct tail){ NULL };
}

static void lower_totals(struct scan *s)
{
	open_function(s, "_totals");
	s->k->note = "What each chunk comes to, behind its last head.";
	find_totals(s);
	int bodies = open_chunks(s, 1);
	struct accumulators total = carry_total(s->c);
	struct tail t = chunk_tail(s);
	struct kx *first = x_var(k_let(s->k, "start", first_of(s, t.from, t.to)));
	struct kx *i = open_cells(s, t.from, t.to);
	carry_add(s->c, &total, carry_marks(s->c) ? x_and(t.begins, x_eq(i, first)) : NULL);
	k_end(s->k);
	for (int a = 0; a < total.n; a++)
		k_set(s->k, x_at(s->total[a], s->place), x_var(total.at[a].var));
	if (s->begins)
		k_set(s->k, x_at(s->begins, s->place), t.begins);
	close_bodies(s, bodies);
	launch(s);
}

/* ---- the totals of a row, one after another ---- */

static void join_before(struct scan *s, struct kx *place)
{
	struct kx *before = x_sub(place, x_i64(1));
	if (s->begins)
		k_if(s->k, x_unary(OP_NOT, x_at(s->begins, place)));
	for (int a = 0; a < s->kinds.n; a++) {
		struct accumulator all = s->kinds.at[a];
		all.var = k_var(s->k, kt(all.type), "total", x_at(s->total[a], before));
		accumulate(s->l, &all, x_at(s->total[a], place));
		k_set(s->k, x_at(s->total[a], place), x_var(all.var));
	}
	if (s->begins)
		k_end(s->k);
}

static void lower_joins(struct scan *s)
{
	open_function(s, "_carry");
	s->k->note = "What comes before each chunk but the first.";
	find_totals(s);
	struct kx *rows = argument(s, "rows", s->rows), *chunks = argument(s, "chunks", s->chunks);
	struct kx *row = NULL;
	if (s->node->index.n > 1)
		row = x_var(k_for(s->k, "row", x_i64(0), rows, x_i64(1), FOR_PARALLEL));
	struct kx *chunk = x_var(k_for(s->k, "chunk", x_i64(1), x_sub(chunks, x_i64(1)), x_i64(1), 0));
	join_before(s, row ? x_var(k_let(s->k, "place", x_add(x_mul(row, chunks), chunk))) : chunk);
	k_end(s->k);
	if (row)
		k_end(s->k);
	launch(s);
}

/* ---- cells ---- */

static void store(void *state, const struct equation *eq, struct kx *value)
{
	struct scan *s = state;
	for (int t = 0; t < eq->target.n; t++)
		lower_store(s->l, eq->target.at[t], lower_result(eq, t, value));
}

/* The state is that before the chunk's cells, `carried` (NULL: always) of the chunk before; else of no cells. */
static void resume(struct scan *s, struct kx *carried)
{
	if (!s->chunked) {
		carry_resume(s->c, NULL);
		return;
	}
	struct accumulators before = carry_total(s->c);
	k_if(s->k, x_and(x_lt(x_i64(0), s->chunk), carried));
	for (int a = 0; a < before.n; a++)
		k_set(s->k, x_var(before.at[a].var), x_at(s->total[a], x_sub(s->place, x_i64(1))));
	k_end(s->k);
	carry_resume(s->c, &before);
}

static void run_cells(struct scan *s, struct kx *from, struct kx *to, struct kx *head)
{
	struct kx *first = head ? x_var(k_let(s->k, "start", first_of(s, from, to))) : NULL;
	struct kx *i = open_cells(s, from, to);
	carry_cell(s->c, head ? x_and(head, x_eq(i, first)) : NULL, store, s);
	k_end(s->k);
}

/* Heads and keys: the cells tell. */
static void run_heads(struct scan *s)
{
	resume(s, NULL);
	struct kx *i = open_cells(s, s->from, s->to);
	struct kx *head = x_var(k_let(s->k, "is_head", cut_head(s->l, s->node, i, s->lo, s->hi)));
	lower_bind(s->l, axis_index(s), i);
	carry_cell(s->c, head, store, s);
	k_end(s->k);
}

/* Every segment that reaches into the chunk. */
static void run_segments(struct scan *s)
{
	struct kernel *k = s->k;
	struct kx *first = cut_segment(s->l, s->node, s->from), *count = cut_segments(s->l, s->node);
	struct kx *segment = x_var(k_var(k, kt_scalar(T_I64), "of", count ? x_max(first, x_i64(0)) : first));
	k_while(k, x_and(count ? x_lt(segment, count) : NULL, x_lt(cut_begin(s->l, s->node, segment), s->to)));
	struct kx *begin = x_var(k_let(k, "begin", x_max(cut_begin(s->l, s->node, segment), s->lo)));
	struct kx *end = x_var(k_let(k, "segment_end", x_min(cut_end(s->l, s->node, segment), s->hi)));
	struct kx *here = s->r->from_right ? x_le(end, s->to) : x_le(s->from, begin);
	here = x_var(k_let(k, "begins_here", here));
	k_set(k, segment, x_add(segment, x_i64(1)));
	struct kx *from = x_var(k_let(k, "cells_from", x_max(begin, s->from)));
	struct kx *to = x_var(k_let(k, "cells_to", x_min(end, s->to)));
	resume(s, x_unary(OP_NOT, here));
	run_cells(s, from, to, carry_marks(s->c) ? here : NULL);
	k_end(k);
}

static void lower_cells(struct scan *s)
{
	open_function(s, "");
	if (s->chunked)
		find_totals(s);
	int bodies = open_chunks(s, 0);
	switch (s->r->segment) {
	case SEGMENT_NONE:
		resume(s, NULL);
		run_cells(s, s->from, s->to, !carry_marks(s->c) ? NULL : s->chunk ? x_eq(s->chunk, x_i64(0)) : x_int(T_BOOL, 1));
		break;
	case SEGMENT_HEADS: case SEGMENT_KEYS:
		run_heads(s);
		break;
	case SEGMENT_OFFSETS: case SEGMENT_LENGTH:
		run_segments(s);
		break;
	}
	close_bodies(s, bodies);
	launch(s);
}

/* ---- entry point ---- */

void scan_cpu(struct plan *plan, const struct group *group)
{
	struct scan *s = NEW(struct scan);
	*s = (struct scan){ .plan = plan, .node = group->anchor, .r = group->anchor->running };
	cells_check_ranges(plan, s->node);
	struct carry *asked = carry_open(NULL, s->node);
	s->kinds = carry_kinds(asked);
	s->chunked = carry_joins(asked) && !target_checked(s->node);
	host_ranges(s);
	host_chunks(s);
	cut_check(plan, s->node, x_lt(x_i64(0), x_mul(s->rows, s->cells)));
	if (s->chunked) {
		find_slots(s);
		k_if(plan->host, x_lt(x_i64(1), s->chunks));
		lower_totals(s);
		lower_joins(s);
		k_end(plan->host);
	}
	lower_cells(s);
}
