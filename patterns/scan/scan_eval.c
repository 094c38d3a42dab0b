/* scan_eval.c - what runs along an axis, in the interpreter: running.h says what it is.
 *
 * All other indices are bound first.  The axis, as far as the statement's `for` lets it, is then
 * cut into sequences, each is started anew, and its cells are computed one after another, from its
 * low end or from its high one.  At a cell all running folds take their terms first, so that these
 * see what was in memory before the cell is written.  Then the equations go from left to right
 * (R30); a recurrence is recur_eval.c's.
 *
 * Sequences (R38).  Positions are those of the running index: a sequence is what `for` leaves of a
 * segment, and what lies in none keeps its value.  From the right, a sequence is the same cells,
 * begun at its high end.  A head or a key whose own value is open leaves open whether there is a
 * border: so are the cells on both sides of it then.
 *
 * Offsets that fall or that lie outside 0 .. n, where the index ends, are recorded, a length below
 * 1 too (R34).  With such offsets it is open which cells are in which segment: the statement writes
 * any of its cells or none, and computes them from any others; so they are all open.  A statement
 * without a cell runs nothing and records nothing. */
#include <assert.h>
#include <string.h>

#include "eval_impl.h"
#include "../lowerings.h"
#include "recur_eval.h"
#include "running.h"

struct running_fold {
	struct code *code;
	struct folding state;
	unsigned char *now;                      /* a struct's value at the cell */
};
struct running_code {
	const struct running *running;
	struct cell_code *cells;
	struct place *axis, *cut;
	struct code *from[MAX_ORDER], *length;
	struct running_sum { struct running_fold *at; int n, room; } *fold;   /* of each equation */
	struct recur **recur;                    /* of each equation, or NULL */
};

/* ---- compiling ---- */

static void find_folds(struct running_code *rc, struct code *c, struct running_sum *found)
{
	for (int i = 0; i < c->n; i++)
		find_folds(rc, c->arg[i], found);
	if (!c->fold || !c->expr->fold->running)
		return;
	c->fold->leftward = rc->running->from_right;
	c->fold->n = 1;
	c->fold->index = &rc->axis;
	struct running_fold f = { .code = c };
	if (in_memory(c->type))
		f.now = array_new(1, (size_t)type_size(c->type));
	list_add(found, f);
}

static struct running_code *compile(struct eval *ev, const struct node *node)
{
	const struct running *r = node->running;
	struct running_code *rc = known_add(&ev->node, node->running, NEW(struct running_code));
	rc->running = r;
	rc->cells = compile_cells(ev, node);
	rc->axis = rc->cells->index[r->axis];
	rc->cut = r->cut ? place_of(ev, r->cut) : NULL;
	rc->length = r->length ? code_of(ev, r->length) : NULL;
	for (int k = 0; k < r->froms; k++)
		rc->from[k] = code_of(ev, r->from[k]);
	rc->fold = array_new(node->equation.n, sizeof *rc->fold);
	rc->recur = array_new(node->equation.n, sizeof *rc->recur);
	for (int q = 0; q < node->equation.n; q++) {
		const struct equation *eq = node->equation.at[q];
		if (eq->recurrence)
			rc->recur[q] = recur_compile(ev, eq->recurrence,
			                             node_clause(node, "strict"));
		else
			find_folds(rc, rc->cells->right[q], &rc->fold[q]);
	}
	return rc;
}

/* ---- a sequence ---- */

/* What comes before the first term, as the fold's first one. */
static void fold_from(struct eval *ev, struct running_fold *f, const struct code *from)
{
	struct num v = run(ev, from);
	struct total *t = &f->state.total;
	assert(from->type == f->code->type && !op_is_arg(f->code->fold->op)
	       && "`from` is of the type of what runs");
	t->started = false;
	if (!f->code->fold->user) {
		total_add(t, f->code->fold->op, f->code->type, v);
		return;
	}
	folded_value(ev, f->code->fold->op, v, from->expr->at);
	total_user(t, f->code->type, v);
	t->value = kept(f->code, v);
	t->started = true;
}

static void start(struct eval *ev, struct running_code *rc)
{
	struct num from[MAX_ORDER];
	ev->outside = false;
	for (int q = 0; q < rc->cells->equations; q++) {
		for (int k = 0; k < rc->fold[q].n; k++) {
			folding_start(ev, rc->fold[q].at[k].code, &rc->fold[q].at[k].state);
			if (rc->running->froms)
				fold_from(ev, &rc->fold[q].at[k], rc->from[0]);
		}
		if (!rc->recur[q])
			continue;
		for (int k = 0; k < rc->running->froms; k++)
			from[k] = run(ev, rc->from[k]);
		recur_start(rc->recur[q], rc->running->froms, from);
	}
	if (ev->outside)                         /* of what comes before: 0 */
		record(ev);
}

static void note_now(struct eval *ev, struct running_fold *f)
{
	struct num v = folding_end(ev, f->code, &f->state);
	if (f->now && v.i) {
		memcpy(f->now, (const void *)(intptr_t)v.i, (size_t)type_size(f->code->type));
		v.i = (int64_t)(intptr_t)f->now;
	}
	f->code->fold->now = v;
}

static void step_folds(struct eval *ev, const struct running_code *rc, struct running_sum *fold)
{
	for (int k = 0; k < fold->n; k++) {
		if (rc->running->exclusive)
			note_now(ev, &fold->at[k]);
		folding_term(ev, fold->at[k].code, &fold->at[k].state);
		if (!rc->running->exclusive)
			note_now(ev, &fold->at[k]);
	}
}

/* The value of equation q at the bound cell. */
static struct num step_equation(struct eval *ev, struct running_code *rc, int q,
                                const struct type **type)
{
	const struct equation *eq = rc->cells->node->equation.at[q];
	if (rc->recur[q]) {
		*type = eq->recurrence->type;
		return recur_step(ev, rc->recur[q]);
	}
	*type = eq->right->type;
	return run(ev, rc->cells->right[q]);
}

static void run_cell(struct eval *ev, struct running_code *rc, bool open)
{
	for (int q = 0; q < rc->cells->equations; q++)
		step_folds(ev, rc, &rc->fold[q]);
	for (int q = 0; q < rc->cells->equations; q++) {
		const struct type *type;
		ev->outside = false;
		struct num v = step_equation(ev, rc, q, &type);
		if (!ev->outside)
			write_cells(ev, &rc->cells->target[q], type, v, open);
		if (ev->outside)
			record(ev);
	}
}

/* Cells lo .. hi are a sequence. */
static void run_sequence(struct eval *ev, struct running_code *rc, int64_t lo, int64_t hi,
                         bool open)
{
	bool right = rc->running->from_right;
	for (int64_t i = lo; i < hi && step_on(ev, rc->cells->node->at); i++) {
		rc->axis->value = num_int(right ? hi - 1 - (i - lo) : i);
		if (i == lo)
			start(ev, rc);
		run_cell(ev, rc, open);
	}
}

/* ---- segments ---- */

/* Of the cells lo .. hi that `for` leaves, those of first .. behind. */
static void run_part(struct eval *ev, struct running_code *rc, int64_t lo, int64_t hi,
                     int64_t first, int64_t behind)
{
	run_sequence(ev, rc, first > lo ? first : lo, behind < hi ? behind : hi, false);
}

static void run_open(struct eval *ev, struct running_code *rc, int64_t lo, int64_t hi)
{
	for (int64_t i = lo; i < hi && step_on(ev, rc->cells->node->at); i++) {
		rc->axis->value = num_int(i);
		mark_open(ev, rc->cells);
	}
}

static void run_offsets(struct eval *ev, struct running_code *rc, int64_t lo, int64_t hi)
{
	bool open = false, rise = offsets_rise(ev, rc->cells->node, rc->cut, hi, &open);
	if (!rise)
		record(ev);
	if (!rise || open) {
		run_open(ev, rc, lo, hi);
		return;
	}
	for (int64_t k = 0; k + 1 < rc->cut->cells && step_on(ev, rc->cells->node->at); k++)
		run_part(ev, rc, lo, hi, cut_at(rc->cut, k).i, cut_at(rc->cut, k + 1).i);
}

/* Does a segment begin at cell i?  Its e: that is open.  Where `for` leaves the array, none does.
 * */
static struct num border(struct eval *ev, const struct running_code *rc, int64_t i)
{
	bool keys = rc->running->segment == SEGMENT_KEYS;
	if (i < keys || i >= rc->cut->cells) {
		record(ev);
		return (struct num){ .i = 0 };
	}
	struct num here = cut_at(rc->cut, i);
	if (keys) {
		struct num same = equal_values(rc->cut->type, here, cut_at(rc->cut, i - 1));
		same.i = !same.i;
		return same;
	}
	here.i = here.i != 0;
	return here;
}

/* The border before cell i, none at the ends of the sequence's cells: they end there in any case.
 * */
static struct num border_within(struct eval *ev, const struct running_code *rc, int64_t i,
                                int64_t lo, int64_t hi)
{
	return i > lo && i < hi ? border(ev, rc, i) : (struct num){ .i = 1 };
}

/* Heads and keys: every part ends where the next begins. */
static void run_borders(struct eval *ev, struct running_code *rc, int64_t lo, int64_t hi)
{
	bool open = false;
	for (int64_t first = lo, i = lo + 1; i <= hi && step_on(ev, rc->cells->node->at); i++) {
		struct num b = border_within(ev, rc, i, lo, hi);
		open |= b.e > 0;
		if (!b.i)
			continue;
		run_sequence(ev, rc, first, i, open);
		open = b.e > 0;
		first = i;
	}
}

static void run_lengths(struct eval *ev, struct running_code *rc, int64_t lo, int64_t hi)
{
	struct num c = run(ev, rc->length);
	if (c.e > 0) {
		run_open(ev, rc, lo, hi);
		return;
	}
	if (c.i < 1) {
		record(ev);
		return;
	}
	for (int64_t first = lo; first < hi && !ev->stopped;) {
		int64_t left = c.i - first % c.i, behind = left < hi - first ? first + left : hi;
		run_sequence(ev, rc, first, behind, false);
		first = behind;
	}
}

static void run_row(struct eval *ev, struct running_code *rc, int64_t lo, int64_t hi)
{
	if (lo >= hi)
		return;
	switch (rc->running->segment) {
	case SEGMENT_NONE: run_sequence(ev, rc, lo, hi, false); return;
	case SEGMENT_OFFSETS: run_offsets(ev, rc, lo, hi); return;
	case SEGMENT_HEADS: case SEGMENT_KEYS: run_borders(ev, rc, lo, hi); return;
	case SEGMENT_LENGTH: run_lengths(ev, rc, lo, hi); return;
	}
}

/* ---- the statement ---- */

/* Binds every index but the axis, then runs along that. */
static void run_rows(struct eval *ev, struct running_code *rc, int k)
{
	const struct cell_code *cells = rc->cells;
	bool last = k == cells->n;
	int axis = rc->running->axis;
	if (k == axis) {
		run_rows(ev, rc, k + 1);
		return;
	}
	struct num lo = run(ev, cells->lo[last ? axis : k]),
		   hi = run(ev, cells->hi[last ? axis : k]);
	ev->all_open |= lo.e > 0 || hi.e > 0;
	if (last) {
		run_row(ev, rc, lo.i, hi.i);
		return;
	}
	for (int64_t i = lo.i; i < hi.i && step_on(ev, cells->node->at); i++) {
		cells->index[k]->value = num_int(i);
		run_rows(ev, rc, k + 1);
	}
}

void scan_eval(struct eval *ev, const struct node *node)
{
	if (node->running->counts)           /* loops over the items themselves need no ends */
		return;
	struct running_code *rc = known_find(ev->node, node->running);  /* compile_cells has node */
	run_rows(ev, rc ? rc : compile(ev, node), 0);
}
