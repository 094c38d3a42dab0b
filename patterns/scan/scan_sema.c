/* scan_sema.c - statements that run along an axis (running.h): scan.
 *
 * In such a statement every fold is the running one (R35): its bracket names the index that runs,
 * one of the statement's own, and may be left out where there is no choice; an operator called with
 * one argument is that fold too.  What is no fold and reads the target at a neighbour is a
 * recurrence.
 *
 * open_scan reads the clauses that need no types, before the equations; fold_check each fold;
 * close_scan settles the rest, when the equations are typed: which axis runs, what comes before a
 * sequence, and what cuts it. */
#include <string.h>

#include "ask.h"
#include "legal.h"
#include "../lowerings.h"
#include "running.h"
#include "scan_sema.h"

/* ---- words ---- */

static bool no_mask(const struct ast_stmt *a)
{
	if (!a->where)
		return true;
	diag_error(a->where->at, D_RUNNING_WHERE,
	           "`%s` has no `where`: the cells of a sequence cannot be left out", a->name);
	diag_cure("mask the terms, inside the fold: `sum[i where ...](...)`");
	return false;
}

static bool open_scan(struct sema *s, const struct ast_stmt *a, struct node *node)
{
	if (!no_mask(a) || !cuts_agree(node) || !signs_check(s, a)
	    || !clauses_agree(node, "inclusive", "exclusive",
	                      "`exclusive` leaves out the term at the cell"))
		return false;
	s->fresh.n = 0;
	node->running = NEW(struct running);
	node->running->axis = -1;
	node->running->from_right = node_clause(node, "from right");
	node->running->exclusive = node_clause(node, "exclusive");
	return true;
}

/* ---- folds ---- */

static int index_named(const struct node *node, const char *name)
{
	for (int k = 0; k < node->index.n; k++)
		if (node->index.at[k]->name == name)
			return k;
	return -1;
}

static bool axis_settle(struct node *node, int axis, struct loc at)
{
	struct running *r = node->running;

	if (r->axis >= 0 && r->axis != axis) {
		diag_error(at, D_RUNNING_AXIS,
		           "this runs along `%s`, but another fold or recurrence of the statement "
		           "along `%s`",
		           node->index.at[axis]->name, node->index.at[r->axis]->name);
		diag_cure("write two statements, one for each axis; if a cell depends on cells "
		          "along both axes, write a wavefront");
		return false;
	}
	r->axis = axis;
	return true;
}

/* `sum(e)` */
static bool axis_only(struct node *node, const struct ast *a)
{
	int last = node->index.n - 1;

	if (node->index.n == 1)
		return axis_settle(node, 0, a->at);
	if (!node->index.n) {
		diag_error(a->at, D_RUNNING_AXIS,
		           "a `%s` runs along an index of its target, but this target has none",
		           node->pattern->name);
		diag_cure("to fold an array to one value, write `reduce`");
		return false;
	}
	diag_error(a->at, D_RUNNING_AXIS,
	           "the axis of this fold is ambiguous: the target has %d indices", node->index.n);
	diag_cure("name it in brackets: `%s[%s](...)`", a->name, node->index.at[last]->name);
	return false;
}

/* `sum[j](e)` */
static bool axis_named(struct node *node, const struct ast *a)
{
	const struct ast_range *r = a->sub.at[0];
	const char *name = r->hi ? r->name : r->lo && r->lo->kind == A_NAME ? r->lo->name : NULL;
	int axis = name ? index_named(node, name) : -1;

	if (axis < 0 && name) {
		diag_error(r->at, D_RUNNING_AXIS,
		           "`%s` is not an index of the target, but a fold of a `%s` must run "
		           "along one",
		           name, node->pattern->name);
		sema_instead("reduce");
		sema_cure("to fold over another index, `reduce` to a temporary first");
		return false;
	}
	if (axis < 0 || a->sub.n > 1 || r->hi) {
		diag_error(r->at, D_RUNNING_AXIS,
		           "the brackets of a running fold must contain only the index along which "
		           "it runs");
		diag_cure(r->hi ? "give a smaller range to the statement: `for %s in ...`"
		                : "`sum[i](...)`",
		          name);
		return false;
	}
	return axis_settle(node, axis, r->at);
}

static bool fold_check(struct sema *s, struct fold *fold, const struct ast *a)
{
	fold->running = true;
	if (s->in_fold) {
		diag_error(a->at, D_RUNNING_AXIS, "a running fold cannot be inside another one");
		diag_cure("write two statements, the inner fold first");
		return false;
	}
	return a->sub.n ? axis_named(s->running, a) : axis_only(s->running, a);
}

/* R36: the shifted index is the one that runs, and the sign says from where. */
static bool clauses_fit(const struct node *node, bool right)
{
	const char *name = target_read(node_target(node, 0))->var->name;
	static const char *const of_folds[] = { "exclusive", "from right" };

	for (int k = 0; k < 2; k++) {
		const struct clause_use *use = node_clause(node, of_folds[k]);
		if (!use)
			continue;
		diag_error(use->at, D_CLAUSE_CLASH,
		           "`%s` applies to folds, but this is a recurrence", of_folds[k]);
		if (k && right) {
			struct loc words = use->at;
			words.end = words.col + (int)strlen(of_folds[k]);
			diag_cure("remove it: `%s[i+1]` already gives the direction", name);
			if (!strcmp(source_span(words), of_folds[k]))
				fix_leave_out(words);
			return false;
		}
		diag_cure(k ? "to run from the right, read the next cell: `y[i+1]`"
		            : "write to a second array that is one cell longer, `p[i+1] = ...`, or "
		              "shift the statements that read it");
		return false;
	}
	return true;
}

bool scan_runs_along(struct node *node, int axis, bool right, struct loc at)
{
	struct running *r = node->running;
	bool first = r->axis < 0;

	if (!clauses_fit(node, right) || !axis_settle(node, axis, at))
		return false;
	if (first)
		r->from_right = right;
	if (r->from_right == right)
		return true;
	diag_error(at, D_RUNNING_AXIS,
	           "this runs from the %s, but another fold or recurrence of the statement from "
	           "the %s",
	           right ? "right" : "left", right ? "left" : "right");
	diag_cure("write two statements, one for each direction");
	return false;
}

/* The first cell of an exclusive fold, and cells before which all terms are masked. */
static bool may_be_empty(const struct node *node, const struct fold *fold)
{
	return !node->running->froms && (node->running->exclusive || fold->where);
}

/* ---- from: what comes before a sequence ---- */

struct kinds { const struct type *type, *other; const struct op *places; int order; };

static void note_type(struct kinds *kinds, const struct type *type)
{
	kinds->type = kinds->type ? kinds->type : type;
	kinds->other = type == kinds->type ? kinds->other : type;
}

static bool visit_fold(struct expr *e, void *what)
{
	struct kinds *kinds = what;

	if (!expr_folds(e))
		return true;
	note_type(kinds, e->type);
	kinds->places = op_is_arg(e->fold->op) ? e->fold->op : kinds->places;
	return true;
}

static struct kinds what_runs(const struct node *node)
{
	struct kinds kinds = { .order = 1 };

	for (int q = 0; q < node->equation.n; q++) {
		const struct recurrence *r = node->equation.at[q]->recurrence;
		expr_walk(node->equation.at[q]->right, visit_fold, &kinds);
		if (r)
			note_type(&kinds, r->type);
		kinds.order = r && r->order > kinds.order ? r->order : kinds.order;
	}
	return kinds;
}

static bool takes_values(const struct kinds *kinds, const struct clause_use *use)
{
	if (use->value.n > kinds->order) {
		diag_error(use->at, D_RUNNING_FROM,
		           kinds->order > 1 ? "a recurrence of order 2 has at most two initial "
		                              "values, but there are %d"
		                            : "a sequence has one initial value, but there are %d",
		           use->value.n);
		return false;
	}
	if (kinds->other) {
		diag_error(use->at, D_RUNNING_FROM,
		           "`from` has one value, but the folds or recurrences here are %s and %s",
		           type_name(kinds->type), type_name(kinds->other));
		diag_cure("write two statements");
		return false;
	}
	if (!kinds->places)
		return true;
	diag_error(use->at, D_RUNNING_FROM,
	           "`%s` folds values with their positions, but `from` has only a value",
	           kinds->places->name);
	diag_cure("remove `from`: the initial value loses to every value, and its position is -1");
	fix_leave_out_rest(use->at, use->value.at[use->value.n - 1]->at);
	return false;
}

/* The same for the whole sequence: other indices may be in it, the running one may not. */
static struct expr *value_before(struct sema *s, const struct node *node, const struct ast *a,
                                 const struct type *type)
{
	struct expr *e = expr_typed(s, a, type, "the initial value of a sequence");
	struct var *index = node->index.at[node->running->axis];

	if (!e || (!expr_uses(e, index) && !expr_has_fold(e)))
		return e;
	if (expr_has_fold(e))
		diag_error(e->at, D_RUNNING_FROM,
		           "the initial value of a sequence cannot contain a fold");
	else
		diag_error(e->at, D_RUNNING_FROM,
		           "the initial value of a sequence cannot use `%s`, the index along which "
		           "it runs",
		           index->name);
	return NULL;
}

/* R37: without `from` the first cell is the equation without its recurrence term. */
static bool first_has_value(const struct node *node)
{
	for (int q = 0; q < node->equation.n; q++) {
		const struct equation *eq = node->equation.at[q];
		const struct recurrence *r = eq->recurrence;
		bool known = !r || r->rest;
		for (int k = 0; !known && k < node->running->froms; k++)
			known = r->weight[k] || r->bare[k];
		if (known)
			continue;
		diag_error(eq->at, D_RUNNING_FROM,
		           "the first cell has no previous cell, so it has no value");
		diag_cure(r->order > 1
		                  ? "give the initial values, the nearest one first: `from (1, 0)`"
		                  : "give the initial value: `from 1`");
		return false;
	}
	return true;
}

static bool from_settle(struct sema *s, struct node *node)
{
	const struct clause_use *use = node_clause(node, "from");
	struct running *r = node->running;
	const struct kinds kinds = what_runs(node);
	bool fine = true;

	if (!use)
		return first_has_value(node);
	if (!takes_values(&kinds, use))
		return false;
	for (; fine && r->froms < use->value.n; r->froms++)
		fine = (r->from[r->froms] = value_before(s, node, use->value.at[r->froms],
		                                         kinds.type));
	return fine && first_has_value(node);
}

/* ---- the axis ---- */

/* A sequence is all cells at the same other indices: what these are must not depend on the running
 * one. */
static bool axis_fits(const struct node *node)
{
	int axis = node->running->axis;

	for (int k = 0; k < node->index.n; k++) {
		if (!bounds_use(node, k, node->index.at[axis]))
			continue;
		diag_error(node->index.at[k]->at, D_FORM_NOT_BUILT,
		           "the range of `%s` depends on `%s`, the index along which "
		           "the statement runs: that is not supported yet",
		           node->index.at[k]->name, node->index.at[axis]->name);
		diag_cure("let `%s` run over its whole axis, and mask the terms",
		          node->index.at[k]->name);
		return false;
	}
	return true;
}

/* ---- equations ---- */

static bool same_cell(const struct expr *a, const struct expr *b)
{
	if (a->var != b->var)
		return false;
	for (int k = 0; k < a->var->rank; k++)
		if (a->affine[k].n < 0 || b->affine[k].n < 0
		    || !affine_equal(&a->affine[k], &b->affine[k]))
			return false;
	return true;
}

/* The result that an earlier equation than q writes to this very cell, or NULL; whole: not to a
 * part of it. */
static const struct expr *written_before(const struct node *node, int q, const struct expr *read,
                                         int *by, int *result)
{
	for (*by = 0; *by < q; ++*by)
		for (*result = 0; *result < node->equation.at[*by]->target.n; ++*result) {
			struct expr *target = node->equation.at[*by]->target.at[*result];
			if (same_cell(target_read(target), read))
				return target;
		}
	return NULL;
}

struct terms { const struct node *node; int q; const struct expr *fold; };

static bool coupled(const struct expr *read, const char *why)
{
	diag_error(read->at, D_RUNNING_COUPLED, "this reads `%s`, %s", read->var->name, why);
	diag_cure("write two statements, one after the other");
	return false;
}

/* Terms are folded before any target is written. */
static bool term_fits(struct expr *e, void *what)
{
	struct terms *t = what;
	int axis = t->node->running->axis, by, result, k;
	int64_t offset;

	if (e->kind != E_READ)
		return true;
	if (written_before(t->node, t->q, e, &by, &result)) {
		coupled(e, "which an earlier equation computes: that would need a second pass");
		fix_statements(t->node);
		return false;
	}
	for (int j = 0; node_target(t->node, j); j++)
		for (int d = 0; target_read(node_target(t->node, j))->var == e->var && d < e->arg.n;
		     d++)
			if (access_offset(t->node, e, d, &k, &offset) && k == axis
			    && !same_cell(target_read(node_target(t->node, j)), e)) {
				diag_error(e->at, D_RUNNING_COUPLED,
				           "the terms of `%s` read other cells of `%s`, which this "
				           "statement writes",
				           t->fold->fold->op->name, e->var->name);
				diag_cure("write to a second array");
				return false;
			}
	return true;
}

/* What stands around folds sees the values that equations before it gave to this cell (R30): they
 * are put in the place of the read. */
static struct expr *seen_by(const struct node *node, int q, struct expr *e, bool *fine)
{
	struct expr *copy;
	const struct expr *target;
	int by, result;

	if (expr_folds(e)) {
		struct terms t = { node, q, e };
		*fine = *fine && expr_walk(e->fold->where, term_fits, &t)
		        && expr_walk(e->arg.at[0], term_fits, &t);
		return e;
	}
	if (e->kind == E_READ && (target = written_before(node, q, e, &by, &result))) {
		struct expr *right = node->equation.at[by]->right;
		if (!right)
			*fine = coupled(e, "which an earlier recurrence computes");
		else if (target->kind != E_READ)
			*fine = coupled(e, "some of whose fields an earlier equation writes");
		else
			return expr_cast(node->equation.at[by]->target.n > 1
			                         ? fold_result(right, result)
			                         : right,
			                 e->type);
	}
	copy = expr_bare(e);
	for (int k = 0; k < e->arg.n && *fine; k++)
		list_add(&copy->arg, seen_by(node, q, e->arg.at[k], fine));
	return copy;
}

/* What a recurrence joins is known before any of the statement's targets is written. */
static bool visit_recurrence(struct expr *e, void *what)
{
	struct terms *t = what;
	const struct var *own = target_read(t->node->equation.at[t->q]->target.at[0])->var;
	int by, result;

	if (e->kind != E_READ)
		return true;
	if (written_before(t->node, t->q, e, &by, &result))
		return coupled(e, "which an earlier equation computes");
	for (int j = 0; node_target(t->node, j); j++) {
		const struct expr *cell = target_read(node_target(t->node, j));
		if (cell->var == e->var && e->var != own && !same_cell(cell, e))
			return coupled(e, "which another equation of the statement writes");
	}
	return true;
}

struct fresh_read { struct sema *s; const struct var *own; };

static bool reads_fresh(struct expr *e, void *what)
{
	struct fresh_read *f = what;

	if (e->kind != E_READ || e->var != f->own || earlier_presume(f->s, e, false))
		return true;
	out_unwritten(e->at, e->var, false);
	return false;
}

/* R22: of its own target a recurrence reads what it has computed, and nothing else of it that is
 * `out`. */
static bool out_unread(struct sema *s, struct equation *eq)
{
	struct fresh_read f = { s, target_read(eq->target.at[0])->var };

	for (int k = 0; k < s->fresh.n; k++)
		if (s->fresh.at[k] == f.own)
			return equation_walk(eq, reads_fresh, &f);
	return true;
}

static bool recurs(struct sema *s, struct node *node, int q)
{
	struct equation *eq = node->equation.at[q];
	struct terms t = { node, q, NULL };

	if (expr_has_fold(eq->right)) {
		diag_error(eq->at, D_RECURRENCE, "a recurrence and a running fold in one equation");
		diag_cure("write two statements: first the fold, to a temporary");
		return false;
	}
	return expr_walk(eq->right, visit_recurrence, &t) && recurrence_settle(s, node, eq);
}

static bool folds(struct node *node, int q)
{
	struct equation *eq = node->equation.at[q];
	bool fine = true;

	eq->right = seen_by(node, q, eq->right, &fine);
	if (fine && !expr_has_fold(eq->right)) {
		diag_error(eq->at, D_NOT_RUNNING,
		           "this equation has no running fold and no recurrence: that is a map, "
		           "not a %s",
		           node->pattern->name);
		sema_instead("map");
		sema_cure("a running fold has the form `sum(x[i])`, a recurrence the form `a * "
		          "y[i-1] + x[i]`");
		return false;
	}
	return fine;
}

static bool close_scan(struct sema *s, struct node *node)
{
	bool fine = true;

	for (int q = 0; q < node->equation.n && fine; q++) {
		struct equation *eq = node->equation.at[q];
		fine = (recurrence_is(eq, node) ? recurs(s, node, q) : folds(node, q))
		       && out_unread(s, eq);
	}
	return fine && axis_fits(node) && from_settle(s, node) && cuts_settle(s, node);
}

const struct front scan_front = { .open = open_scan,
	                          .fold = fold_check,
	                          .may_be_empty = may_be_empty,
	                          .close = close_scan };
