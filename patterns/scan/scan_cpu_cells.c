/* scan_cpu_cells.c - the cells of a chunk on a CPU, once for their total and once for good.
 *
 * Of a strip every column has its own total and state, elements of arrays on the stack; the loop
 * over columns is inside that over cells, and what cuts sequences is asked outside of it, once for
 * all of them. */
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
	return s->fast < 0 ? place : x_add(x_mul(place, x_i64(s->width)), s->column);
}

/* ---- totals ---- */

KTEXT_HOLE(start_totals)
{
	struct cpu_scan *s = (struct cpu_scan *)state;
	s->totals = s->kinds;
	if (s->fast < 0) {
		s->totals = carry_total(s->c);
		return NULL;
	}
	for (int a = 0; a < s->kinds.n; a++)
		s->totals.at[a].var = k_regs(s->k, s->kinds.at[a].type, "total", s->width);
	open_columns(s, x_i64(s->width), simd(s));
	for (int a = 0; a < s->kinds.n; a++)
		k_set(s->k, of_column(s, &s->totals.at[a]),
		      accumulator_start(s->l, &s->totals.at[a]));
	close_columns(s);
	return NULL;
}

/* A head, told once for all columns. */
static struct kx *head_of_all(struct cpu_scan *s, struct kx *head, const char *name)
{
	head = kx_unless_known(head);
	return head && s->fast >= 0 ? x_var(k_let(s->k, name, head)) : head;
}

KTEXT_HOLE(add_cell)
{
	struct cpu_scan *s = (struct cpu_scan *)state;
	struct accumulators one = s->totals;
	struct kx *head = head_of_all(s, arg[0], "is_first");
	open_columns(s, s->columns, simd(s));
	for (int a = 0; s->column && a < one.n; a++)
		one.at[a].var = k_var(s->k, kt(one.at[a].type), "sum",
		                      of_column(s, &s->totals.at[a]));
	carry_add(s->c, &one, head);
	for (int a = 0; s->column && a < one.n; a++)
		k_set(s->k, of_column(s, &s->totals.at[a]), x_var(one.at[a].var));
	close_columns(s);
	return NULL;
}

static void bind_term(void *state, struct kx *i)
{
	struct cpu_scan *s = state;
	lower_bind(s->l, cpu_axis(s), i);
}

static const struct folds *free_folds(const struct cpu_scan *s)
{
	return s->fast < 0 ? carry_any_order(s->c) : NULL;
}

KTEXT_HOLE(fold_lanes)
{
	struct cpu_scan *s = (struct cpu_scan *)state;
	lanes_fold(l, free_folds(s), &s->totals, arg[0], arg[1], bind_term, s);
	return NULL;
}

KTEXT_HOLE(store_totals)
{
	struct cpu_scan *s = (struct cpu_scan *)state;
	open_columns(s, x_i64(s->width), FOR_SIMD);
	for (int a = 0; a < s->totals.n; a++)
		k_set(s->k, x_at(s->total[a], in_slot(s, arg[0])), of_column(s, &s->totals.at[a]));
	close_columns(s);
	return NULL;
}

/* With those of the chunk before.  Columns that are not there join too: they are of no cells. */
KTEXT_HOLE(join_totals)
{
	struct cpu_scan *s = (struct cpu_scan *)state;
	struct kx *before = x_sub(arg[0], x_i64(1));
	if (s->fast >= 0)
		s->column = x_var(k_for(s->k, "column", x_i64(0), x_i64(s->width), x_i64(1), 0));
	for (int a = 0; a < s->kinds.n; a++) {
		struct accumulator all = s->kinds.at[a];
		struct kx *here = x_at(s->total[a], in_slot(s, arg[0]));
		all.var = k_var(s->k, kt(all.type), "total", x_at(s->total[a], in_slot(s, before)));
		accumulate(s->l, &all, here);
		k_set(s->k, here, x_var(all.var));
	}
	close_columns(s);
	return NULL;
}

/* ---- cells for good ---- */

static void store(void *state, const struct equation *eq, struct kx *value)
{
	struct cpu_scan *s = state;
	for (int t = 0; t < eq->target.n; t++)
		lower_store(s->l, eq->target.at[t], lower_result(eq, t, value));
}

/* The states of a strip's columns: each part is an array. */
static void open_states(struct cpu_scan *s)
{
	s->parts = s->fast < 0 ? 0 : carry_parts(s->c, s->part_type);
	for (int p = 0; p < s->parts; p++)
		s->part[p] = k_regs(s->k, s->part_type[p], "state", s->width);
}

static void save_states(struct cpu_scan *s)
{
	for (int p = 0; p < s->parts; p++)
		k_set(s->k, x_at(x_var(s->part[p]), s->column), carry_part(s->c, p));
}

/* What the chunk before has carried up to this one. */
static void resume_one(struct cpu_scan *s, struct kx *carried)
{
	if (!s->chunked) {
		carry_resume(s->c, NULL);
		return;
	}
	struct accumulators before = carry_total(s->c);
	k_if(s->k, x_and(x_lt(x_i64(0), k_get(s->k, "chunk")), carried));
	for (int a = 0; a < before.n; a++)
		k_set(s->k, x_var(before.at[a].var),
		      x_at(s->total[a], in_slot(s, x_sub(k_get(s->k, "place"), x_i64(1)))));
	k_end(s->k);
	carry_resume(s->c, &before);
}

/* The states are those before the chunk's cells where `carried`, else those before a sequence. */
KTEXT_HOLE(resume)
{
	struct cpu_scan *s = (struct cpu_scan *)state;
	open_states(s);
	open_columns(s, s->columns, 0);
	resume_one(s, kx_unless_known(arg[0]));
	save_states(s);
	close_columns(s);
	return NULL;
}

KTEXT_HOLE(run_cell)
{
	struct cpu_scan *s = (struct cpu_scan *)state;
	struct kx *value[CARRY_PARTS], *head = head_of_all(s, arg[0], "is_head");
	open_columns(s, s->columns, simd(s));
	for (int p = 0; p < s->parts; p++)
		value[p] = x_at(x_var(s->part[p]), s->column);
	if (s->column)
		carry_enter(s->c, value);
	carry_cell(s->c, head, store, s);
	save_states(s);
	close_columns(s);
	return NULL;
}

KTEXT_HOLE(begin_apart)
{
	carry_apart(((const struct cpu_scan *)state)->c);
	return NULL;
}

KTEXT_HOLE(end_apart)
{
	carry_joined(((const struct cpu_scan *)state)->c);
	return NULL;
}

/* ---- parts abreast ---- */

KTEXT_HOLE(open_states_of_lanes)
{
	struct cpu_scan *s = (struct cpu_scan *)state;
	const struct type *type[CARRY_PARTS];
	s->held = carry_parts(s->c, type);
	for (int p = 0; p < s->held; p++)
		s->lane[p] = k_regs(s->k, type[p], "state", ABREAST);
	return NULL;
}

KTEXT_HOLE(take_state)
{
	struct cpu_scan *s = (struct cpu_scan *)state;
	struct kx *value[CARRY_PARTS];
	for (int p = 0; p < s->held; p++)
		value[p] = x_at(x_var(s->lane[p]), arg[0]);
	carry_enter(s->c, value);
	return NULL;
}

KTEXT_HOLE(keep_state)
{
	struct cpu_scan *s = (struct cpu_scan *)state;
	for (int p = 0; p < s->held; p++)
		k_set(s->k, x_at(x_var(s->lane[p]), arg[0]), carry_part(s->c, p));
	return NULL;
}

KTEXT_HOLE(open_totals_of_lanes)
{
	struct cpu_scan *s = (struct cpu_scan *)state;
	s->held = s->kinds.n;
	for (int a = 0; a < s->held; a++)
		s->lane[a] = k_regs(s->k, s->kinds.at[a].type, "lane_total", ABREAST);
	return NULL;
}

KTEXT_HOLE(take_total)
{
	struct cpu_scan *s = (struct cpu_scan *)state;
	s->totals = s->kinds;
	for (int a = 0; a < s->held; a++)
		s->totals.at[a].var = k_var(s->k, kt(s->kinds.at[a].type), "total",
		                            x_at(x_var(s->lane[a]), arg[0]));
	return NULL;
}

KTEXT_HOLE(keep_total)
{
	struct cpu_scan *s = (struct cpu_scan *)state;
	for (int a = 0; a < s->held; a++)
		k_set(s->k, x_at(x_var(s->lane[a]), arg[0]), x_var(s->totals.at[a].var));
	return NULL;
}

KTEXT_HOLE(are_numbers)
{
	const struct cpu_scan *s = state;
	return carry_numbers(s->c, &s->totals);
}

KTEXT_HOLE(restart_totals)
{
	const struct cpu_scan *s = state;
	for (int a = 0; a < s->totals.n; a++)
		k_set(l->k, x_var(s->totals.at[a].var), accumulator_start(l, &s->totals.at[a]));
	return NULL;
}

KTEXT_HOLE(guard_products)
{
	carry_guard(((const struct cpu_scan *)state)->c, arg[0]->i);
	return NULL;
}

/* ---- where sequences begin ---- */

KTEXT_HOLE(bind_axis)
{
	lower_bind(l, cpu_axis(state), arg[0]);
	return NULL;
}

KTEXT_HOLE(begins_at)
{
	const struct cpu_scan *s = state;
	return cut_head(l, s->node, arg[0], s->lo, s->hi);
}

void cpu_bind_cells(struct cpu_scan *s, bool totals)
{
	bool offsets = s->r->segment == SEGMENT_OFFSETS, length = s->r->segment == SEGMENT_LENGTH;
	bool cells = s->r->segment == SEGMENT_HEADS || s->r->segment == SEGMENT_KEYS;
	k_numbers(s->k, "OWNED, MARKS, FREE", s->owned, carry_marks(s->c), free_folds(s) != NULL);
	k_numbers(s->k, "BY_CELLS, BY_SEGMENT, COUNTED", cells, offsets || length, offsets);
	k_numbers(s->k, "GUARDED, FOURS", totals && carry_guards(s->c), s->fours);
	k_bind(s->k, "i", cpu_axis(s)->name);
	k_bind_calls(s->k, s, { "start_totals", start_totals }, { "add_cell", add_cell },
	             { "fold_lanes", fold_lanes }, { "store_totals", store_totals },
	             { "join_totals", join_totals }, { "resume", resume }, { "run_cell", run_cell },
	             { "begin_apart", begin_apart }, { "end_apart", end_apart },
	             { "bind_axis", bind_axis }, { "begins_at", begins_at });
	k_bind_calls(s->k, s,
	             { "open_lanes", totals ? open_totals_of_lanes : open_states_of_lanes },
	             { "take_lane", totals ? take_total : take_state },
	             { "keep_lane", totals ? keep_total : keep_state },
	             { "are_numbers", are_numbers }, { "restart_totals", restart_totals },
	             { "guard_products", guard_products });
	cut_bind(s->l, s->node);
}
