/* wave_fold.c - what is done as cells of a wavefront are computed: reductions are folded
 * (behind.c), so that the tables are not read again, and lines of tables that are not stored go to
 * memory.
 *
 * Every order cuts its cells into parts: a strip, a row of tiles, a block's problems.  A part folds
 * its cells in an order of their places, whoever computes it, and stores what they come to at its
 * own place of the workspace; one that goes on in a later launch (the next diagonal, the next turn
 * of an outer axis) joins that to what it has stored.  A last launch folds the parts in order.  So
 * results repeat bit for bit, whatever the order of blocks.
 *
 * Where a reduce keeps cells, a result for each problem (or for all at some of the slowest
 * indices), no part has cells of two problems.  The parts of a result lie one after another, and
 * in a launch of its own a warp folds those of each; but where the whole problem is a part, whoever
 * has computed it has the result (births_final).
 *
 * A chain of float additions as long as a part loses digits: some cells are folded by themselves,
 * then joined to those before them (births_open_run).
 *
 * Of argmin and argmax the term's number is its place in the fold's order, so ties are settled at
 * any time. */
#include <string.h>
#include "wave.h"

struct births *births_of(const struct node *node)
{
	bool folds = node->group && node->group->epilogue.n;
	if (!folds && !node->wave->line.n)
		return NULL;
	struct births *b = NEW(struct births);
	b->group = folds ? node->group : NULL;
	if (!folds)
		return b;
	b->folds = behind_folds(node->group);
	for (int e = 0; e < node->group->epilogue.n; e++)
		b->each |= node->group->epilogue.at[e]->index.n > 0;
	return b;
}

bool births_fold(const struct axes *a)
{
	return a->births && a->births->folds.n;
}

void births_open(struct axes *a, struct kx *most, struct kx *parts)
{
	struct births *b = a->births;
	if (!births_fold(a))
		return;
	b->host_parts = plan_let(a->plan, "parts", x_cond(axes_some(a), parts, x_i64(0)));
	for (int f = 0; f < b->folds.n; f++)
		b->slot[f] = x_var(
			plan_slot(a->plan, "partial", accumulator_type(b->folds.at[f]), 1, &most));
}

struct kvar *births_open_later(struct axes *a, struct kx *most)
{
	struct births *b = a->births;
	if (!births_fold(a))
		return NULL;
	struct kvar *parts = k_var(a->plan->host, kt_scalar(T_I64), "parts", x_i64(0));
	b->host_parts = x_var(parts);
	for (int f = 0; f < b->folds.n; f++)
		b->slot[f] = x_var(
			plan_slot(a->plan, "partial", accumulator_type(b->folds.at[f]), 1, &most));
	return parts;
}

/* ---- what the parts come to ---- */

/* Those that keep so many indices, and where their parts are. */
struct results { struct group group; struct folds folds; struct kx *slot[8]; };

static struct results results_of(const struct births *b, int kept)
{
	struct results r = { .group = { .anchor = b->group->anchor } };
	int at = 0, n = 0;
	for (int e = 0; e < b->group->epilogue.n; e++) {
		struct node *node = b->group->epilogue.at[e];
		struct folds folds = { .n = 0 };
		for (int q = 0; q < node->equation.n; q++)
			folds_of(node->equation.at[q]->right, &folds);
		for (int f = 0; node->index.n == kept && f < folds.n; f++)
			r.slot[n++] = b->slot[at + f];
		at += folds.n;
		if (node->index.n == kept)
			list_add(&r.group.epilogue, node);
	}
	r.folds = behind_folds(&r.group);
	return r;
}

/* The slowest axes along which nothing waits: as many as are kept. */
static int kept_axes(const struct axes *a, int kept, int *axis)
{
	int n = 0;
	for (int d = 0; n < kept; d++)
		if (!axis_waits(a->node, d))
			axis[n++] = d;
	return n;
}

static struct kx *results_cells(const struct axes *a, int kept)
{
	int axis[MAX_RANK], n = kept_axes(a, kept, axis);
	struct kx *cells = x_i64(1);
	for (int i = 0; i < n; i++)
		cells = x_mul(cells, axis_size(a, axis[i]));
	return cells;
}

static void bind_result(struct axes *a, int kept, struct kx *cell)
{
	int axis[MAX_RANK], n = kept_axes(a, kept, axis);
	for (int i = n - 1; i >= 0; i--) {
		struct kx *size = i ? axis_count(a, axis[i]) : NULL;
		axis_bind(a, axis[i], i ? x_rem(cell, size) : cell);
		if (i)
			cell = x_var(k_let(a->l->k, "rest", x_div(cell, size)));
	}
}

/* Of those parts a lane folds a run, and then the warp. */
static void join_run(struct lowering *l, const struct accumulators *acc, const struct results *r,
                     struct kx *first, struct kx *run)
{
	struct kx *lo = first, *end = x_add(first, run), *partial[8];
	for (int f = 0; f < r->folds.n; f++)
		partial[f] = lower_argument(l, "partial",
		                            kt_pointer(accumulator_type(r->folds.at[f]), true),
		                            r->slot[f]);
	if (l->target->gpu) {
		struct kx *lane = x_to_i64(x_rem(block_thread(l), x_i32(l->target->lanes)));
		struct kx *each = x_var(
			k_let(l->k, "each", x_div_up(run, x_i64(l->target->lanes))));
		lo = x_var(k_let(l->k, "lo", x_add(first, x_mul(lane, each))));
		end = x_min(x_add(lo, each), end);
	}
	struct kx *part = x_var(
		k_for(l->k, "part", lo, x_var(k_let(l->k, "end", end)), x_i64(1), FOR_ROLLED));
	for (int f = 0; f < acc->n; f++)
		accumulate(l, &acc->at[f], x_at(partial[f], part));
	k_end(l->k);
}

static void finish_result(struct axes *a, const struct results *r, const struct accumulators *acc,
                          int kept, struct kx *cell)
{
	struct lowering *l = a->l;
	if (l->target->gpu) {
		warp_fold(l, acc);
		k_if(l->k, x_eq(x_rem(block_thread(l), x_i32(l->target->lanes)), x_i32(0)));
	}
	bind_result(a, kept, cell);
	behind_finish(l, &r->group, acc);
	if (l->target->gpu)
		k_end(l->k);
}

/* A warp has a result, on a CPU a thread: its parts are neighbours. */
static void join_each(const struct axes *of, const struct results *r, int kept)
{
	struct axes own = { .plan = of->plan, .node = of->node, .n = of->n }, *a = &own;
	struct lowering *l = a->l = lowering_new(a->plan,
	                                         str_print("%s_fold%d", a->node->name, kept));
	struct kernel *k = l->k;
	bool gpu = l->target->gpu;
	int warps = gpu ? l->target->block / l->target->lanes : 1;
	memcpy(a->host_lo, of->host_lo, sizeof a->host_lo);
	memcpy(a->host_size, of->host_size, sizeof a->host_size);
	k->note = "What the parts of each problem come to.";
	for (int e = 0; e < r->group.epilogue.n; e++)
		lowering_writes(l, r->group.epilogue.at[e]);
	if (gpu)
		block_launch_bounds(l);
	struct kx *host_cells = results_cells(a, kept),
		  *cells = axes_argument(a, "cells", host_cells);
	struct kx *run = axes_argument(a, "run",
	                               x_div(of->births->host_parts, x_max(host_cells, x_i64(1))));
	struct kx *cell = gpu ? x_add(x_mul(x_to_i64(x_id(ID_BLOCK_X)), x_i64(warps)),
	                              x_to_i64(x_div(block_thread(l), x_i32(l->target->lanes))))
	                      : x_var(k_for(k, "cell", x_i64(0), cells, x_i64(1), FOR_PARALLEL));
	if (gpu)
		k_if(k, x_lt(cell = x_var(k_let(k, "cell", cell)), cells));
	struct accumulators acc = folds_start(l, &r->folds);
	join_run(l, &acc, r, x_var(k_let(k, "first", x_mul(cell, run))), run);
	finish_result(a, r, &acc, kept, cell);
	k_end(k);
	lowering_launch(l, gpu ? x_div_up(host_cells, x_i64(warps)) : x_i64(1), x_i64(1), x_i64(1));
}

void births_close(struct axes *a)
{
	struct births *b = a->births;
	for (int kept = 0; births_fold(a) && kept < a->n; kept++) {
		struct results r = results_of(b, kept);
		if (kept && r.folds.n)
			join_each(a, &r, kept);
		else if (r.folds.n)
			behind_join(a->plan, &r.group, &r.folds, r.slot, b->host_parts);
	}
}

/* Is what a problem comes to a result, for which nothing else is asked? */
static bool reads_apart(const struct axes *a, const struct expr *e)
{
	bool found = e->kind == E_READ && (births_table(a, e) >= 0 || node_writes(a->node, e->var));
	for (int i = 0; e->kind != E_FOLD && !found && i < e->arg.n; i++)
		found = reads_apart(a, e->arg.at[i]);
	return found;
}

bool births_final(const struct axes *a)
{
	const struct births *b = a->births;
	for (int e = 0; births_fold(a) && e < b->group->epilogue.n; e++) {
		const struct node *node = b->group->epilogue.at[e];
		if (node->index.n != a->n - 2)
			return false;
		for (int q = 0; q < node->equation.n; q++)
			if (reads_apart(a, node->equation.at[q]->right))
				return false;
	}
	return births_fold(a);
}

void births_finish(struct axes *a)
{
	behind_finish(a->l, a->births->group, &a->births->acc);
}

void births_written(struct axes *a)
{
	for (int e = 0; e < a->births->group->epilogue.n; e++)
		lowering_writes(a->l, a->births->group->epilogue.at[e]);
}

bool births_read(const struct axes *a, int q)
{
	const struct births *b = a->births;
	for (int e = 0; births_fold(a) && e < b->group->epilogue.n; e++)
		if (node_reads(b->group->epilogue.at[e], wave_table(a->node, q)->var))
			return true;
	for (int i = 0; i < a->node->wave->line.n; i++)
		if (a->node->wave->line.at[i].equation == q)
			return true;
	return false;
}

int births_table(const struct axes *a, const struct expr *read)
{
	for (int q = 0; q < a->node->equation.n; q++)
		if (wave_table(a->node, q)->var == read->var)
			return q;
	return -1;
}

/* ---- in the kernel ---- */

void births_start(struct axes *a)
{
	if (a->births)
		a->births->acc = folds_start(a->l, &a->births->folds);
}

/* Does the length of a chain of joins cost digits? */
static bool rounds(const struct op *op, const struct type *of)
{
	bool exact = op_is_arg(op) || op->kind == OPK_MIN || op->kind == OPK_MAX;
	return !exact && (of->kind == T_STRUCT || type_class(of) == 'F');
}

bool births_round(const struct node *node)
{
	const struct births *b = births_of(node);
	for (int f = 0; b && f < b->folds.n; f++)
		if (rounds(b->folds.at[f]->fold->op, b->folds.at[f]->type))
			return true;
	return false;
}

void births_open_run(struct axes *a)
{
	struct births *b = a->births;
	if (!b)
		return;
	b->all = b->acc;
	for (int f = 0; f < b->acc.n; f++) {
		struct accumulator *one = &b->acc.at[f];
		if (rounds(one->op, one->of))
			one->var = k_var(a->l->k, kt(one->type), "run",
			                 accumulator_start(a->l, one));
	}
}

void births_close_run(struct axes *a)
{
	struct births *b = a->births;
	if (!b)
		return;
	for (int f = 0; f < b->acc.n; f++)
		if (rounds(b->acc.at[f].op, b->acc.at[f].of))
			accumulate(a->l, &b->all.at[f], x_var(b->acc.at[f].var));
	b->acc = b->all;
}

/* wavefront.h, Note [lines] */
void births_lines(struct axes *a)
{
	const struct wavefront *w = a->node->wave;
	struct lowering *l = a->l;
	for (int i = 0; i < w->line.n; i++) {
		const struct wave_line *line = &w->line.at[i];
		const struct expr *table = wave_table(a->node, line->equation);
		struct kx *is = NULL;
		for (int d = 0; d < table->arg.n; d++)
			if (line->at[d]) {
				struct kx *at = lower_index(l, line->at[d]);
				is = x_and(is, x_eq(lower_index(l, table->arg.at[d]), at));
			}
		k_if(l->k, is);
		struct kx *from = lower_expr(l, table);
		accumulator_copy(l, lower_cell(l, line->cell), from);
		k_end(l->k);
	}
}

void births_cell(struct axes *a)
{
	struct births *b = a->births;
	if (!b)
		return;
	births_lines(a);
	behind_terms(a->l, &b->folds, &b->acc);
}

struct born { const struct axes *axes; struct kx *value; };

static struct kx *read_born(struct lowering *l, const struct expr *e)
{
	const struct born *b = l->now.state;
	return births_table(b->axes, e) < 0 ? lower_cell(l, e) : b->value;
}

void births_value(struct axes *a, struct kx *value)
{
	struct lowering *l = a->l;
	struct lower_context before = l->now;
	struct born born = { a, value };
	l->now.read = read_born;
	l->now.state = &born;
	births_cell(a);
	l->now = before;
}

void births_columns(struct axes *a, struct kx *first, struct kx *end)
{
	struct kernel *k = a->l->k;
	if (!a->births)
		return;
	struct kx *column = x_add(first, x_to_i64(block_thread(a->l)));
	axis_bind(a, a->n - 1,
	          x_var(k_for(k, "column", column, end, x_i64(k->block[0]), FOR_ROLLED)));
	births_cell(a);
	k_end(k);
}

/* A turn of an outer axis that waits is behind. */
static struct kx *later_turn(struct axes *a)
{
	struct kx *later = NULL;
	for (int d = 0; d < a->n - 2; d++)
		if (a->host_turn[d])
			later = x_or(later,
			             x_lt(x_i64(0), axes_argument(a, "turn", a->host_turn[d])));
	return later;
}

void births_store(struct axes *a, struct kx *part, struct kx *goes_on)
{
	struct births *b = a->births;
	struct lowering *l = a->l;
	struct kx *partial[8], *some = x_or(later_turn(a), goes_on);
	for (int f = 0; f < b->acc.n; f++)
		partial[f] = lower_argument(l, "partial", kt_pointer(b->acc.at[f].type, false),
		                            b->slot[f]);
	part = x_var(k_let(l->k, "part", part));
	if (some)
		k_if(l->k, some);
	for (int f = 0; some && f < b->acc.n; f++)
		accumulate(l, &b->acc.at[f], x_at(partial[f], part));
	if (some)
		k_end(l->k);
	for (int f = 0; f < b->acc.n; f++)
		k_set(l->k, x_at(partial[f], part), x_var(b->acc.at[f].var));
}
