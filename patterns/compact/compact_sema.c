/* compact_sema.c - statements that keep a selection of their cells (R33, R41): their targets are
 * arrays without subscripts, filled from the first place on, and a number of cells.
 *
 *   y, count = e, z = f where c else (v, w)        becomes, for each cell of the domain,
 *   y[kept] = e, z[kept] = f                        where c
 *   v[rejected] = e, w[rejected] = f                where !c
 *   count = total                                   once
 *   start[row] = kept                               rows start: compact_begins.c
 *
 * Every target is checked before any counts as written, so that no right side reads a result. */
#include <string.h>

#include "../lowerings.h"
#include "compact_begins.h"
#include "sema_impl.h"
#include "selection.h"

struct selecting {
	struct sema *s;
	const struct ast_stmt *stmt;
	struct node *node;
	struct bindings { struct binding **at; int n, room; } root;     /* of every target */
};

static const char *name_of(const struct selecting *w)
{
	return w->node->pattern->name;
}

static bool met_before(struct selecting *w, const struct ast *a, struct binding *b)
{
	for (int k = 0; k < w->root.n; k++)
		if (w->root.at[k] == b) {
			diag_error(a->at, D_WRITE_TWICE, "`%s` is a target twice", b->name);
			diag_cure("give each part of the cells its own array");
			return true;
		}
	list_add(&w->root, b);
	return false;
}

/* The variable of a target that is a name alone; NULL: reported. */
static struct var *target_var(struct selecting *w, const struct ast *a)
{
	struct binding *b = target_binding(w->s, a);

	if (!b || met_before(w, a, b))
		return NULL;
	if (a->kind == A_NAME)
		return b->var;
	diag_error(a->at, D_SELECTION_TARGET,
	           "`%s` fills `%s` from its first cell on: a target has neither a subscript nor a "
	           "field",
	           name_of(w), b->name);
	diag_cure("write `%s`", b->name);
	diag_fix(a->at, b->name);
	return NULL;
}

static struct expr *place_at(struct var *array, struct var *place, struct loc at)
{
	struct expr *e = expr_new(E_READ, array->type, at);

	e->var = array;
	list_add(&e->arg, expr_var(place, at));
	e->affine = mem_new(sizeof *e->affine);
	e->affine[0] = affine_var(place);
	return e;
}

static struct expr *array_target(struct selecting *w, const struct ast *a, struct var *place)
{
	struct var *v = target_var(w, a);

	if (!v || v->rank == 1)
		return v ? place_at(v, place, a->at) : NULL;
	if (v->rank)
		diag_error(a->at, D_SELECTION_TARGET,
		           "`%s` has %d axes: the selected cells are stored one after another",
		           v->name, v->rank);
	else
		diag_error(a->at, D_SELECTION_TARGET,
		           "`%s` is a scalar, but the selected cells need an array", v->name);
	diag_cure("use an array of one axis; its extent limits the number of selected cells");
	return NULL;
}

static struct expr *count_target(struct selecting *w, const struct ast *a)
{
	struct var *v = target_var(w, a);

	if (!v)
		return NULL;
	if (!v->rank && (v->type == type_scalar(T_I64) || v->type == type_scalar(T_I32)))
		return expr_var(v, a->at);
	diag_error(a->at, D_SELECTION_TARGET,
	           "the number of cells needs a scalar of type i64 or i32, but `%s` is %s", v->name,
	           v->rank ? "an array" : type_name(v->type));
	diag_cure(v->rank ? "for several arrays, write one equation for each: `y = x[i], z = w[i]`"
	                  : "declare it i64");
	return NULL;
}

/* One equation for target and place; the right side is checked anew for each type it goes to. */
static bool add_moved(struct selecting *w, const struct ast *target, const struct ast_equation *q,
                      struct var *place)
{
	struct expr *to = array_target(w, target, place),
		    *right = to ? expr_check(w->s, q->right) : NULL;

	if (right)
		right = expr_convert(right, to->type, str_print("`%s`", ast_text(target)));
	if (right)
		equation_add(w->node, to, right);
	return right;
}

static bool equation_fits(const struct selecting *w, const struct ast_equation *q)
{
	if (!q->right || strcmp(q->assign, "=")) {
		diag_error(q->at, D_EQUATION_FORM,
		           "`%s` needs equations of the form `array = expression`", name_of(w));
		return false;
	}
	if (q->target.n <= 2)
		return true;
	diag_error(q->target.at[2]->at, D_EQUATION_FORM,
	           "an equation has one array, and one of them also the number of cells");
	diag_cure("for several arrays, write one equation for each: `y, count = x[i], z = w[i]`");
	return false;
}

static bool equations_fit(const struct selecting *w)
{
	if (w->stmt->equation.n > MAX_EQUATIONS) {
		diag_error(w->stmt->at, D_TOO_MANY, "a statement has at most %d equations",
		           MAX_EQUATIONS);
		return false;
	}
	for (int k = 0; k < w->stmt->equation.n; k++)
		if (!equation_fits(w, w->stmt->equation.at[k]))
			return false;
	return true;
}

static bool kept_check(struct selecting *w)
{
	bool fine = true;

	for (int k = 0; fine && k < w->stmt->equation.n; k++) {
		const struct ast_equation *q = w->stmt->equation.at[k];

		fine = add_moved(w, q->target.at[0], q, w->node->selection->kept);
	}
	return fine;
}

/* else z, or else (z, v): one for each equation */
static bool rejected_check(struct selecting *w)
{
	const struct ast *a = w->stmt->otherwise;
	struct ast *one[1] = { (struct ast *)a }, *const *target = one;
	int n = 1;
	bool fine = true;

	if (!a)
		return true;
	if (a->kind == A_LIST || a->kind == A_GROUP) {
		target = a->arg.at;
		n = a->arg.n;
	}
	if (n != w->stmt->equation.n) {
		diag_error(a->at, D_CLAUSE_VALUE, "`else` has %d target%s for %d equation%s", n,
		           n == 1 ? "" : "s", w->stmt->equation.n,
		           w->stmt->equation.n == 1 ? "" : "s");
		diag_cure("write one for each equation: `else (z, v)`");
		return false;
	}
	for (int k = 0; fine && k < n; k++)
		fine = add_moved(w, target[k], w->stmt->equation.at[k],
		                 w->node->selection->rejected);
	return fine;
}

static bool total_check(struct selecting *w)
{
	const struct ast *count = NULL;

	for (int k = 0; k < w->stmt->equation.n; k++) {
		const struct ast_equation *q = w->stmt->equation.at[k];

		if (q->target.n < 2)
			continue;
		if (count) {
			diag_error(q->target.at[1]->at, D_EQUATION_FORM,
			           "the number of cells has two targets");
			diag_cure("it is the same for all equations");
			if (q->target.at[1]->kind == A_NAME && count->kind == A_NAME
			    && q->target.at[1]->name == count->name)
				fix_between(q->target.at[0]->at, q->target.at[1]->at, "", true);
			return false;
		}
		count = q->target.at[1];
	}
	if (!count)
		return true;
	struct expr *to = count_target(w, count);
	if (to)
		equation_add(w->node, to, expr_var(w->node->selection->total, count->at));
	return to;
}

/* rows start: start[row] = kept */
static bool begins_check(struct selecting *w)
{
	const struct clause_use *rows = node_clause(w->node, "rows");
	struct selection *selection = w->node->selection;

	if (!rows)
		return true;
	const struct ast *a = rows->value.at[0];
	struct expr *to = array_target(w, a, selection->row);
	if (!to)
		return false;
	equation_add(w->node, to, expr_var(selection->kept, a->at));
	if (to->type == type_scalar(T_I64) || to->type == type_scalar(T_I32))
		return true;
	diag_error(a->at, D_SELECTION_TARGET,
	           "the begins of rows must be i64 or i32, but the cells of `%s` are %s",
	           to->var->name, type_name(to->type));
	diag_cure("declare it i64");
	return false;
}

static bool where_check(struct selecting *w)
{
	const struct ast_stmt *a = w->stmt;

	if (!a->where && node_clause(w->node, "within")) {
		w->node->where = expr_new(E_CONST, type_scalar(T_BOOL), w->stmt->at);
		w->node->where->value.i = 1;
		return true;
	}
	if (a->where)
		return (w->node->where = expr_bool(w->s, a->where, "`where`"));
	diag_error(a->at, D_SELECTION_WHERE,
	           "`%s` keeps the cells that satisfy a condition, but there is none", name_of(w));
	diag_cure("add a condition, `where x[i] > 0`; to copy all cells, use a map");
	return false;
}

static bool runs_over(const struct selecting *w)
{
	if (w->node->index.n)
		return true;
	diag_error(w->stmt->at, D_DOMAIN, "`%s` selects cells, but no subscript here has an index",
	           name_of(w));
	diag_cure("declare one: `for i in 0..n`");
	return false;
}

static struct var *own_var(struct sema *s, const char *name, struct loc at)
{
	return var_new(s, VAR_INDEX, str_name(name), type_scalar(T_I64), at);
}

static bool selection_check(struct sema *s, const struct ast_stmt *a, struct node *node)
{
	struct selecting w = { s, a, node, { 0 } };
	bool fine;

	node->selection = NEW(struct selection);
	*node->selection = (struct selection){ own_var(s, "kept", a->at),
		                               own_var(s, "rejected", a->at),
		                               own_var(s, "total", a->at),
		                               own_var(s, "row", a->at),
		                               node_clause(node, "unordered"), NULL };
	fine = equations_fit(&w) && where_check(&w) && runs_over(&w) && kept_check(&w)
	       && rejected_check(&w) && total_check(&w) && begins_check(&w);
	for (int k = 0; k < w.root.n; k++)
		w.root.at[k]->written = true;
	return fine;
}

const struct front compact_front = { .equations = selection_check, .made = begins_made };
