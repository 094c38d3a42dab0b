/* sema_running.c - statements that run along an axis (running.h): scan.
 *
 * In such a statement every fold is the running one (R35): its bracket names the index that runs, one of the
 * statement's own, and may be left out where there is no choice; an operator called with one argument is
 * that fold too.  What is no fold and reads the target at a neighbour is a recurrence.
 *
 * running_open takes the words that need no types, before the equations; running_fold is asked for each
 * fold; running_close settles the rest, when the equations are typed: which axis runs, what comes before a
 * sequence, and what cuts it. */
#include <string.h>

#include "running.h"
#include "sema_impl.h"

/* ---- words ---- */

static bool clash(const struct node *node, const char *a, const char *b)
{
	const struct clause_use *one = node_clause(node, a), *other = node_clause(node, b);

	if (!one || !other)
		return false;
	diag_error(other->at, D_CLAUSE_CLASH, "`%s` and `%s` contradict each other", b, a);
	diag_note(one->at, "the other one");
	return true;
}

static const struct { const char *name; enum segment_kind kind; } cuts[] = {
	{ "segments", SEGMENT_OFFSETS }, { "heads", SEGMENT_HEADS }, { "keys", SEGMENT_KEYS },
	{ "of", SEGMENT_LENGTH },
};

/* One clause at most says where sequences begin. */
static bool cut_once(const struct node *node)
{
	for (size_t k = 0; k < sizeof cuts / sizeof *cuts; k++)
		for (size_t j = 0; j < k; j++)
			if (clash(node, cuts[j].name, cuts[k].name))
				return false;
	return true;
}

static bool no_mask(const struct ast_stmt *a)
{
	if (!a->where)
		return true;
	diag_error(a->where->at, D_RUNNING_WHERE, "`%s` has no `where`: what would run over a cell that is left out?",
	           a->name);
	diag_cure("mask the terms, inside the fold: `sum[i where ...](...)`");
	return false;
}

bool running_open(const struct ast_stmt *a, struct node *node)
{
	if (!no_mask(a) || clash(node, "exclusive", "inclusive") || !cut_once(node))
		return false;
	node->running = NEW(struct running);
	node->running->axis = -1;
	node->running->from_right = node_clause(node, "from right");
	node->running->exclusive = node_clause(node, "exclusive");
	return true;
}

/* ---- folds ---- */

bool running_is_fold(struct sema *s, const struct ast *a)
{
	return a->arg.n == 1 && fold_find(s, a->name);
}

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
		diag_error(at, D_RUNNING_AXIS, "this runs along `%s`, and what stands before it along `%s`",
		           node->index.at[axis]->name, node->index.at[r->axis]->name);
		diag_cure("one statement runs along one axis: write two");
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
		diag_error(a->at, D_RUNNING_AXIS, "a `%s` runs along an index of its target, and this target has none",
		           node->pattern->name);
		diag_cure("`reduce` folds all of an array into one value");
		return false;
	}
	diag_error(a->at, D_RUNNING_AXIS, "along which of %d indices does this fold run?", node->index.n);
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
		diag_error(r->at, D_RUNNING_AXIS, "`%s` is no index of the targets, and a fold of a `%s` runs along one",
		           name, node->pattern->name);
		diag_cure("what is folded over another index, `reduce` it into a temporary first");
		return false;
	}
	if (axis < 0 || a->sub.n > 1 || r->hi) {
		diag_error(r->at, D_RUNNING_AXIS, "the brackets of a running fold hold the one index along which it runs");
		diag_cure(r->hi ? "a smaller range is the statement's: `for %s in ...`" : "`sum[i](...)`", name);
		return false;
	}
	return axis_settle(node, axis, r->at);
}

bool running_fold(struct sema *s, struct fold *fold, const struct ast *a)
{
	fold->running = true;
	if (s->in_fold) {
		diag_error(a->at, D_RUNNING_AXIS, "a running fold cannot stand in the terms of another");
		diag_cure("write two statements, the inner fold first");
		return false;
	}
	return a->sub.n ? axis_named(s->running, a) : axis_only(s->running, a);
}

/* The first cell of an exclusive fold, and cells before which all terms are masked. */
bool running_empty(const struct node *node, const struct fold *fold)
{
	return !node->running->froms && (node->running->exclusive || fold->where);
}

static bool is_no_fold(struct expr *e, void *unused)
{
	(void)unused;
	return e->kind != E_FOLD;
}

static bool has_fold(struct expr *e)
{
	return !expr_walk(e, is_no_fold, NULL);
}

static bool is_uniform(struct expr *e, void *unused)
{
	(void)unused;
	return e->kind != E_READ && e->kind != E_FOLD && !(e->kind == E_VAR && e->var->kind == VAR_INDEX);
}

static bool is_other(struct expr *e, void *index)
{
	return e->kind != E_VAR || e->var != index;
}

static bool uses(struct expr *e, struct var *index)
{
	return !expr_walk(e, is_other, index);
}

/* ---- from: what comes before a sequence ---- */

struct folds_seen { struct expr *first, *other; };

static bool visit_fold(struct expr *e, void *what)
{
	struct folds_seen *seen = what;

	if (e->kind != E_FOLD)
		return true;
	seen->first = seen->first ? seen->first : e;
	if (seen->first->type != e->type)
		seen->other = e;
	return true;
}

static bool takes_value(const struct folds_seen *seen, const struct clause_use *use)
{
	if (use->value.n != 1) {
		diag_error(use->at, D_RUNNING_FROM, "one value comes before a fold, and here are %d", use->value.n);
		return false;
	}
	if (seen->other) {
		diag_error(use->at, D_RUNNING_FROM, "`from` is one value, and the folds here are of types %s and %s",
		           type_name(seen->first->type), type_name(seen->other->type));
		diag_cure("write two statements");
		return false;
	}
	if (!op_is_arg(seen->first->fold->op))
		return true;
	diag_error(use->at, D_RUNNING_FROM, "`%s` folds values with their places, and `from` gives a value alone",
	           seen->first->fold->op->name);
	diag_cure("leave `from` out: what comes first is beaten by every value, and its place is -1");
	return false;
}

/* The same for the whole sequence: other indices may be in it, the running one may not. */
static struct expr *value_before(struct sema *s, const struct node *node, const struct ast *a,
                                 const struct type *type)
{
	struct expr *e = expr_typed(s, a, type, "what comes before a sequence");
	struct var *index = node->index.at[node->running->axis];

	if (!e || (!uses(e, index) && !has_fold(e)))
		return e;
	if (has_fold(e))
		diag_error(e->at, D_RUNNING_FROM, "what comes before a sequence folds nothing");
	else
		diag_error(e->at, D_RUNNING_FROM, "what comes before a sequence has no `%s`, the index along which it "
		           "runs", index->name);
	return NULL;
}

static bool from_settle(struct sema *s, struct node *node)
{
	const struct clause_use *use = node_clause(node, "from");
	struct running *r = node->running;
	struct folds_seen seen = { 0 };

	if (!use)
		return true;
	for (int q = 0; q < node->equation.n; q++)
		expr_walk(node->equation.at[q]->right, visit_fold, &seen);
	if (!takes_value(&seen, use))
		return false;
	r->froms = 1;
	return (r->from[0] = value_before(s, node, use->value.at[0], seen.first->type));
}

/* ---- where sequences are cut ---- */

/* The cell of the array `name` at this subscript, as if it had been written. */
static struct expr *cell_of(struct sema *s, const struct ast *name, enum ast_kind kind, const char *text)
{
	struct ast *sub = NEW(struct ast), *cell = NEW(struct ast);
	struct ast_range *range = NEW(struct ast_range);

	*sub = (struct ast){ .kind = kind, .at = name->at, .name = text };
	*range = (struct ast_range){ .at = name->at, .lo = sub };
	*cell = (struct ast){ .kind = A_SUBSCRIPT, .at = name->at, .name = name->name };
	list_add(&cell->sub, range);
	return expr_check(s, cell);
}

static bool cut_type(enum segment_kind kind, const struct expr *cell)
{
	char class = type_class(cell->type);
	const char *wants = kind == SEGMENT_OFFSETS ? "integers, where each segment begins and the last one ends"
	                                            : "bool or integers: where it is not 0 a sequence begins";

	if (kind == SEGMENT_KEYS || strchr("IU", class) || (kind == SEGMENT_HEADS && class == 'B'))
		return true;
	diag_error(cell->at, D_RUNNING_CUT, "`%s` holds %s, and these are %s", cell->var->name, type_name(cell->type),
	           wants);
	return false;
}

static bool cut_array(const struct node *node, const struct ast *a, const struct expr *cell)
{
	if (cell->kind != E_READ) {
		diag_error(a->at, D_RUNNING_CUT, "`%s` is a table, and sequences are cut by an array", a->name);
		diag_cure("copy it into a `let` with a map");
		return false;
	}
	for (int j = 0; node_target(node, j); j++)
		if (target_read(node_target(node, j))->var == cell->var) {
			diag_error(a->at, D_RUNNING_CUT, "`%s` says where sequences begin, and is written by the same statement",
			           a->name);
			diag_cure("write to a second array");
			return false;
		}
	if (!cell->var->layout || !cell->var->layout->block)
		return true;
	diag_error(a->at, D_LAYOUT_NOT_BUILT, "keys whose fields lie apart are not built yet");
	diag_cure("leave the fields together: `layout aos`");
	return false;
}

static bool cut_settle(struct sema *s, struct node *node, enum segment_kind kind, const struct clause_use *use)
{
	struct running *r = node->running;
	const struct ast *a = use->value.at[0];

	if (a->kind != A_NAME) {
		diag_error(a->at, D_RUNNING_CUT, "`%s` names an array with one axis", use->clause->name);
		diag_cure("compute it first: `let h: bool[n]; map h[i] = ...;`");
		return false;
	}
	r->cell = kind == SEGMENT_OFFSETS ? cell_of(s, a, A_NUMBER, "0")
	          : cell_of(s, a, A_NAME, node->index.at[r->axis]->name);
	if (!r->cell || !cut_array(node, a, r->cell) || !cut_type(kind, r->cell))
		return false;
	r->cut = r->cell->var;
	return true;
}

static bool length_settle(struct sema *s, struct node *node, const struct clause_use *use)
{
	struct expr *e = expr_index(s, use->value.at[0]);

	if (!e)
		return false;
	if (!expr_walk(e, is_uniform, NULL)) {
		diag_error(e->at, D_RUNNING_CUT, "all segments of `of` are of one length, and this is not one value");
		diag_cure("segments of many lengths are `segments off`");
		return false;
	}
	if (e->kind == E_CONST && e->value.i < 1) {
		diag_error(e->at, D_RUNNING_CUT, "a segment has at least one cell, not %lld", (long long)e->value.i);
		return false;
	}
	node->running->length = e;
	return true;
}

/* Offsets count from the first cell of the axis. */
static bool starts_at_zero(const struct node *node, const struct clause_use *use)
{
	struct affine lo;

	if (affine_of(node->lo.at[node->running->axis], &lo) && !lo.n && !lo.constant)
		return true;
	diag_error(use->at, D_FORM_NOT_BUILT, "segments of a range that does not begin at 0 are not built yet");
	diag_cure("the offsets may begin anywhere: leave `for` out");
	return false;
}

static bool cuts_settle(struct sema *s, struct node *node)
{
	for (size_t k = 0; k < sizeof cuts / sizeof *cuts; k++) {
		const struct clause_use *use = node_clause(node, cuts[k].name);
		if (!use)
			continue;
		node->running->segment = cuts[k].kind;
		if (cuts[k].kind == SEGMENT_OFFSETS && !starts_at_zero(node, use))
			return false;
		return cuts[k].kind == SEGMENT_LENGTH ? length_settle(s, node, use)
		                                      : cut_settle(s, node, cuts[k].kind, use);
	}
	return true;
}

/* ---- the axis ---- */

/* A sequence is all cells at the same other indices: what these are must not hang on the running one. */
static bool axis_fits(const struct node *node)
{
	int axis = node->running->axis;

	for (int k = 0; k < node->index.n; k++) {
		if (!uses(node->lo.at[k], node->index.at[axis]) && !uses(node->hi.at[k], node->index.at[axis]))
			continue;
		diag_error(node->index.at[k]->at, D_FORM_NOT_BUILT, "the range of `%s` depends on `%s`, the index along which "
		           "the statement runs: that is not built yet", node->index.at[k]->name, node->index.at[axis]->name);
		diag_cure("let `%s` run over all of its axis and mask the terms", node->index.at[k]->name);
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
		if (a->affine[k].n < 0 || b->affine[k].n < 0 || !affine_equal(&a->affine[k], &b->affine[k]))
			return false;
	return true;
}

/* The result that an earlier equation than q writes to this very cell, or NULL; whole: not to a part of it. */
static const struct expr *written_before(const struct node *node, int q, const struct expr *read, int *by, int *result)
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
	if (written_before(t->node, t->q, e, &by, &result))
		return coupled(e, "which an equation before it computes: that is folded in a second pass");
	for (int j = 0; node_target(t->node, j); j++)
		for (int d = 0; target_read(node_target(t->node, j))->var == e->var && d < e->arg.n; d++)
			if (access_offset(t->node, e, d, &k, &offset) && k == axis && !same_cell(target_read(node_target(t->node, j)), e)) {
				diag_error(e->at, D_RUNNING_COUPLED, "the terms of `%s` read other cells of `%s`, which this statement writes",
				           t->fold->fold->op->name, e->var->name);
				diag_cure("write to a second array");
				return false;
			}
	return true;
}

/* What stands around folds sees the values that equations before it gave to this cell (R30): they are put
 * in the place of the read. */
static struct expr *seen_by(const struct node *node, int q, struct expr *e, bool *fine)
{
	struct expr *copy;
	const struct expr *target;
	int by, result;

	if (e->kind == E_FOLD) {
		struct terms t = { node, q, e };
		*fine = *fine && expr_walk(e->fold->where, term_fits, &t) && expr_walk(e->arg.at[0], term_fits, &t);
		return e;
	}
	if (e->kind == E_READ && (target = written_before(node, q, e, &by, &result))) {
		struct expr *right = node->equation.at[by]->right;
		if (target->kind != E_READ)
			*fine = coupled(e, "of which an equation before it writes a part");
		else
			return expr_cast(node->equation.at[by]->target.n > 1 ? fold_result(right, result) : right, e->type);
	}
	copy = NEW(struct expr);
	*copy = *e;
	copy->arg.at = NULL;
	copy->arg.n = copy->arg.room = 0;
	for (int k = 0; k < e->arg.n && *fine; k++)
		list_add(&copy->arg, seen_by(node, q, e->arg.at[k], fine));
	return copy;
}

static bool equation_settle(struct node *node, int q)
{
	struct equation *eq = node->equation.at[q];
	bool fine = true;

	if (!has_fold(eq->right)) {
		diag_error(eq->at, D_NOT_RUNNING, "this equation folds nothing along an axis: that is a map, not a %s",
		           node->pattern->name);
		diag_cure("a running fold looks like `sum(x[i])`");
		return false;
	}
	eq->right = seen_by(node, q, eq->right, &fine);
	return fine;
}

bool running_close(struct sema *s, struct node *node)
{
	bool fine = true;

	for (int q = 0; q < node->equation.n && fine; q++)
		fine = equation_settle(node, q);
	return fine && axis_fits(node) && from_settle(s, node) && cuts_settle(s, node);
}
