/* scan_cpu_cells.c - the cells of a chunk on a CPU, once for their total and once for good.
 *
 * Of a strip every column has its own total and state, elements of arrays on the stack; the loop over columns is
 * inside that over cells, and what cuts sequences is asked outside of it, once for all of them. */
#include <assert.h>
#include "scan_cpu.h"

/* ---- columns ---- */

static int simd(const struct cpu_scan *s)
{
	return node_checked(s->node) ? 0 : FOR_SIMD;
}

static void open_columns(struct cpu_scan *s, struct kx *count, int flags)
{
	if (s->fast < 0)
		return;
	s->column = x_var(k_for(s->k, "column", x_i64(0), count, x_i64(1), flags));
	const struct var *index = s->node->index.at[s->fast];
	lower_bind(s->l, index, x_add(s->first_column, s->column));
}

static void close_columns(struct cpu_scan *s)
{
	if (s->fast >= 0)
		k_end(s->k);
}

/* The bound column's of a total of every column. */
static struct kx *of_column(const struct cpu_scan *s, const struct accumulator *a)
{
	return s->fast < 0 ? x_var(a->var) : x_at(x_var(a->var), s->column);
}

static struct kx *in_slot(const struct cpu_scan *s, struct kx *place)
{
	return s->fast < 0 ? place : x_add(x_mul(place, x_i64(STRIP)), s->column);
}

/* ---- cells ---- */

/* Cells from .. to in the order of the scan, each bound. */
static struct kx *open_cells(struct cpu_scan *s, struct kx *from, struct kx *to)
{
	const char *name = cpu_axis(s)->name;
	struct kx *i;
	if (s->r->from_right) {
		struct kx *back = x_var(k_for(s->k, "back", x_i64(1), x_add(x_sub(to, from), x_i64(1)), x_i64(1), 0));
		i = x_var(k_let(s->k, name, x_sub(to, back)));
	} else {
		i = x_var(k_for(s->k, name, from, to, x_i64(1), 0));
	}
	lower_bind(s->l, cpu_axis(s), i);
	return i;
}

static struct kx *first_of(const struct cpu_scan *s, struct kx *from, struct kx *to)
{
	return s->r->from_right ? x_sub(to, x_i64(1)) : from;
}

/* ---- the total of a chunk's last segment ---- */

/* The cells behind the chunk's last head, which is the first of them if begins. */
struct tail { struct kx *from, *to, *begins; };

static struct tail tail_by_cells(struct cpu_scan *s)
{
	bool right = s->r->from_right;
	struct kx *last = right ? s->from : x_sub(s->to, x_i64(1));
	struct kx *at = x_var(k_var(s->k, kt_scalar(T_I64), "head", last));
	struct kx *begins = x_var(k_var(s->k, kt_scalar(T_BOOL), "found", x_int(T_BOOL, 0)));
	struct kx *inside = right ? x_lt(at, s->to) : x_le(s->from, at), *one = x_i64(1);
	k_while(s->k, x_and(x_unary(OP_NOT, begins), inside));
	k_set(s->k, begins, cut_head(s->l, s->node, at, s->lo, s->hi));
	k_set(s->k, at, right ? x_add(at, one) : x_sub(at, one));
	k_end(s->k);
	return (struct tail){ right ? s->from : x_add(at, one), right ? at : s->to, begins };
}

static struct kx *within(struct kx *x, struct kx *lo, struct kx *hi)
{
	return x_min(x_max(x, lo), hi);
}

/* The segment of the last cell; none, if that is in none. */
static struct tail tail_by_segment(struct cpu_scan *s)
{
	struct kernel *k = s->k;
	bool right = s->r->from_right;
	struct kx *last = right ? s->from : x_sub(s->to, x_i64(1)), *behind = right ? s->from : s->to;
	struct kx *segment = cut_segment(s->l, s->node, last), *count = cut_segments(s->l, s->node);
	struct tail t = { x_var(k_var(k, kt_scalar(T_I64), "tail_from", behind)),
	                  x_var(k_var(k, kt_scalar(T_I64), "tail_to", behind)),
	                  x_var(k_var(k, kt_scalar(T_BOOL), "begins_here", x_int(T_BOOL, 1))) };
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

static struct tail chunk_tail(struct cpu_scan *s)
{
	switch (s->r->segment) {
	case SEGMENT_NONE:
		return (struct tail){ s->from, s->to, x_eq(s->chunk, x_i64(0)) };
	case SEGMENT_HEADS: case SEGMENT_KEYS:
		return tail_by_cells(s);
	case SEGMENT_OFFSETS: case SEGMENT_LENGTH:
		return tail_by_segment(s);
	}
	assert(!"a way to cut");
	return (struct tail){ NULL };
}

/* ---- totals ---- */

struct accumulators cpu_start_totals(struct cpu_scan *s)
{
	if (s->fast < 0)
		return carry_total(s->c);
	struct accumulators total = s->kinds;
	for (int a = 0; a < total.n; a++)
		total.at[a].var = k_regs(s->k, total.at[a].type, "total", STRIP);
	open_columns(s, x_i64(STRIP), simd(s));
	for (int a = 0; a < total.n; a++)
		k_set(s->k, of_column(s, &total.at[a]), accumulator_start(s->l, &total.at[a]));
	close_columns(s);
	return total;
}

static void add_cell(struct cpu_scan *s, const struct accumulators *total, struct kx *head)
{
	struct accumulators one = *total;
	open_columns(s, s->columns, simd(s));
	for (int a = 0; s->column && a < one.n; a++)
		one.at[a].var = k_var(s->k, kt(one.at[a].type), "sum", of_column(s, &total->at[a]));
	carry_add(s->c, &one, head);
	for (int a = 0; s->column && a < one.n; a++)
		k_set(s->k, of_column(s, &total->at[a]), x_var(one.at[a].var));
	close_columns(s);
}

static void bind_term(void *state, struct kx *i)
{
	struct cpu_scan *s = state;
	lower_bind(s->l, cpu_axis(s), i);
}

void cpu_add_totals(struct cpu_scan *s, const struct accumulators *total, struct kx *begins)
{
	const struct folds *free = s->fast < 0 ? carry_any_order(s->c) : NULL;
	struct tail t = chunk_tail(s);
	bool marks = carry_marks(s->c);
	if (begins)
		k_set(s->k, begins, t.begins);
	t.begins = begins ? begins : t.begins;
	if (free) {
		lanes_fold(s->l, free, total, t.from, t.to, bind_term, s);
		return;
	}
	struct kx *first = marks ? x_var(k_let(s->k, "start", first_of(s, t.from, t.to))) : NULL;
	struct kx *i = open_cells(s, t.from, t.to);
	struct kx *head = marks ? x_and(t.begins, x_eq(i, first)) : NULL;
	add_cell(s, total, head && s->fast >= 0 ? x_var(k_let(s->k, "is_first", head)) : head);
	k_end(s->k);
}

void cpu_store_totals(struct cpu_scan *s, const struct accumulators *total)
{
	open_columns(s, x_i64(STRIP), FOR_SIMD);
	for (int a = 0; a < total->n; a++)
		k_set(s->k, x_at(s->total[a], in_slot(s, s->place)), of_column(s, &total->at[a]));
	close_columns(s);
}

/* Columns that are not there join too: they are of no cells. */
void cpu_join_totals(struct cpu_scan *s)
{
	struct kx *before = x_sub(s->place, x_i64(1));
	if (s->fast >= 0)
		s->column = x_var(k_for(s->k, "column", x_i64(0), x_i64(STRIP), x_i64(1), 0));
	for (int a = 0; a < s->kinds.n; a++) {
		struct accumulator all = s->kinds.at[a];
		struct kx *here = x_at(s->total[a], in_slot(s, s->place));
		all.var = k_var(s->k, kt(all.type), "total", x_at(s->total[a], in_slot(s, before)));
		accumulate(s->l, &all, here);
		k_set(s->k, here, x_var(all.var));
	}
	close_columns(s);
}

/* ---- cells for good ---- */

static void store(void *state, const struct equation *eq, struct kx *value)
{
	struct cpu_scan *s = state;
	for (int t = 0; t < eq->target.n; t++)
		lower_store(s->l, eq->target.at[t], lower_result(eq, t, value));
}

/* The states of a strip's columns, each part an array. */
struct states { int n; const struct type *type[CARRY_PARTS]; struct kvar *part[CARRY_PARTS]; };

static struct states open_states(struct cpu_scan *s)
{
	struct states states = { .n = 0 };
	if (s->fast >= 0)
		states.n = carry_parts(s->c, states.type);
	for (int p = 0; p < states.n; p++)
		states.part[p] = k_regs(s->k, states.type[p], "state", STRIP);
	return states;
}

static void save_states(struct cpu_scan *s, const struct states *states)
{
	for (int p = 0; p < states->n; p++)
		k_set(s->k, x_at(x_var(states->part[p]), s->column), carry_part(s->c, p));
}

/* What the chunk before has carried up to this one. */
static void resume_one(struct cpu_scan *s, struct kx *carried)
{
	if (!s->chunked) {
		carry_resume(s->c, NULL);
		return;
	}
	struct accumulators before = carry_total(s->c);
	k_if(s->k, x_and(x_lt(x_i64(0), s->chunk), carried));
	for (int a = 0; a < before.n; a++)
		k_set(s->k, x_var(before.at[a].var), x_at(s->total[a], in_slot(s, x_sub(s->place, x_i64(1)))));
	k_end(s->k);
	carry_resume(s->c, &before);
}

/* The states are those before the chunk's cells, if `carried` (NULL: always); else those before a sequence. */
static struct states resume(struct cpu_scan *s, struct kx *carried)
{
	struct states states = open_states(s);
	open_columns(s, s->columns, 0);
	resume_one(s, carried);
	save_states(s, &states);
	close_columns(s);
	return states;
}

static void run_cell(struct cpu_scan *s, const struct states *states, struct kx *head)
{
	struct kx *value[CARRY_PARTS];
	if (head && s->fast >= 0)
		head = x_var(k_let(s->k, "is_head", head));
	open_columns(s, s->columns, simd(s));
	for (int p = 0; p < states->n; p++)
		value[p] = x_at(x_var(states->part[p]), s->column);
	if (s->column)
		carry_enter(s->c, value);
	carry_cell(s->c, head, store, s);
	save_states(s, states);
	close_columns(s);
}

/* Cells of one sequence; begins: its first is the first of them, NULL: nobody asks. */
static void run_sequence(struct cpu_scan *s, const struct states *states, struct kx *from, struct kx *to, struct kx *begins)
{
	struct kx *first = begins ? x_var(k_let(s->k, "start", first_of(s, from, to))) : NULL;
	struct kx *i = open_cells(s, from, to);
	run_cell(s, states, begins ? x_and(begins, x_eq(i, first)) : NULL);
	k_end(s->k);
}

static void run_whole(struct cpu_scan *s)
{
	struct states states = resume(s, NULL);
	struct kx *begins = s->chunk ? x_eq(s->chunk, x_i64(0)) : x_int(T_BOOL, 1);
	run_sequence(s, &states, s->from, s->to, carry_marks(s->c) ? begins : NULL);
}

/* Heads and keys: from the chunk's first head to the one behind the chunk. */
static void run_own_heads(struct cpu_scan *s)
{
	struct kernel *k = s->k;
	bool right = s->r->from_right;
	struct states states = resume(s, NULL);
	struct kx *i = x_var(k_var(k, kt_scalar(T_I64), cpu_axis(s)->name, first_of(s, s->from, s->to)));
	struct kx *owns = x_var(k_var(k, kt_scalar(T_BOOL), "owns", x_int(T_BOOL, 0)));
	k_while(k, right ? x_le(s->lo, i) : x_lt(i, s->hi));
	struct kx *head = x_var(k_let(k, "begins_here", cut_head(s->l, s->node, i, s->lo, s->hi)));
	k_if(k, x_and(right ? x_lt(i, s->from) : x_le(s->to, i), x_or(head, x_unary(OP_NOT, owns))));
	k_break(k);
	k_end(k);
	k_set(k, owns, x_or(owns, head));
	k_if(k, owns);
	lower_bind(s->l, cpu_axis(s), i);
	run_cell(s, &states, head);
	k_end(k);
	k_set(k, i, right ? x_sub(i, x_i64(1)) : x_add(i, x_i64(1)));
	k_end(k);
}

/* Heads and keys: the cells tell. */
static void run_heads(struct cpu_scan *s)
{
	struct states states = resume(s, NULL);
	struct kx *i = open_cells(s, s->from, s->to);
	struct kx *head = x_var(k_let(s->k, "begins_here", cut_head(s->l, s->node, i, s->lo, s->hi)));
	run_cell(s, &states, head);
	k_end(s->k);
}

/* Of a segment: the cells of the chunk, or all if it is the chunk's own. */
static void run_segment(struct cpu_scan *s, struct kx *begin, struct kx *end)
{
	struct kernel *k = s->k;
	struct kx *begins = s->r->from_right ? x_le(end, s->to) : x_le(s->from, begin), *from = begin, *to = end;
	begins = x_var(k_let(k, "begins_here", s->owned ? x_and(begins, x_lt(s->from, end)) : begins));
	if (s->owned)
		k_if(k, begins);
	if (!s->owned) {
		from = x_var(k_let(k, "cells_from", x_max(begin, s->from)));
		to = x_var(k_let(k, "cells_to", x_min(end, s->to)));
	}
	struct states states = resume(s, x_unary(OP_NOT, begins));
	run_sequence(s, &states, from, to, carry_marks(s->c) ? begins : NULL);
	if (s->owned)
		k_end(k);
}

/* Every segment that reaches into the chunk. */
static void run_segments(struct cpu_scan *s)
{
	struct kernel *k = s->k;
	struct kx *first = cut_segment(s->l, s->node, s->from), *count = cut_segments(s->l, s->node);
	struct kx *segment = x_var(k_var(k, kt_scalar(T_I64), "of", count ? x_max(first, x_i64(0)) : first));
	k_while(k, x_and(count ? x_lt(segment, count) : NULL, x_lt(cut_begin(s->l, s->node, segment), s->to)));
	struct kx *begin = x_var(k_let(k, "begin", x_max(cut_begin(s->l, s->node, segment), s->lo)));
	struct kx *end = x_var(k_let(k, "segment_end", x_min(cut_end(s->l, s->node, segment), s->hi)));
	k_set(k, segment, x_add(segment, x_i64(1)));
	run_segment(s, begin, end);
	k_end(k);
}

void cpu_run_cells(struct cpu_scan *s)
{
	switch (s->r->segment) {
	case SEGMENT_NONE:
		run_whole(s);
		return;
	case SEGMENT_HEADS: case SEGMENT_KEYS:
		(s->owned ? run_own_heads : run_heads)(s);
		return;
	case SEGMENT_OFFSETS: case SEGMENT_LENGTH:
		run_segments(s);
		return;
	}
}
