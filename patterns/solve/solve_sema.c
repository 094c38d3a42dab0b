/* solve_sema.c - solve x[i] in left = right: how it is read.
 *
 * The left side must be linear in the unknown.  It is taken apart from the leaves up: a form has a
 * coefficient for each neighbour that is read, and a rest, which moves to the right side.  A read
 * of the unknown under a condition makes a coefficient under that condition, so a guard at the end
 * of an axis is a coefficient of 0 there, and `boundary (0)` is that guard.
 *
 * Without that clause the left side stays in the statement until all reads of the unknown are
 * proved to be inside (settle).
 *
 * Neighbours two cells away make a band: a row of more coefficients.
 *
 * A sum over the axis makes a dense system: the coefficient ENTRY of a form is that of x[j], j the
 * sum's index, and one of the own cell is added to it where j == i. */
#include <stdlib.h>
#include <string.h>

#include "ask.h"
#include "running.h"
#include "sema_impl.h"
#include "solve.h"

/* coef[NEAR + steps] is that of the unknown so many cells away */
enum { NEAR = BAND_REACH, ENTRY = 2 * BAND_REACH + 1, FORM_PARTS };
/* what an expression is: a sum of coef[NEAR + k] * x[i + k], of sum[j](coef[ENTRY] * x[j]), and
 * rest; NULL is 0 */
struct form { struct expr *coef[FORM_PARTS], *rest; };
struct solver {
	struct sema *s;
	const struct expr *target;
	int axis;                            /* of the target's subscripts, or -1 */
	struct expr *sum;                    /* the first one over the unknown, or NULL */
	struct var *inside;                  /* the index of the sum that is read, or NULL */
	bool bounded, clamped, ring;         /* `boundary`; `clamp`; `wrap` */
	struct expr *outside;                /* the value; NULL: 0, or clamped */
	bool failed;
};

static bool refused(struct loc at, const char *what, const char *cure)
{
	diag_error(at, D_FORM_NOT_BUILT, "%s is not supported yet", what);
	diag_cure("%s", cure);
	return false;
}

static struct form no_form(struct solver *v, struct loc at, const char *why, const char *cure)
{
	if (!v->failed) {
		diag_error(at, D_NOT_SOLVE, "%s", why);
		diag_cure("%s", cure);
	}
	v->failed = true;
	return (struct form){ 0 };
}

/* ---- the unknown ---- */

static bool visit_unknown(struct expr *e, void *var)
{
	return e->kind != E_READ || e->var != var;
}

static bool has_unknown(const struct solver *v, struct expr *e)
{
	return !expr_walk(e, visit_unknown, v->target->var);
}

/* How many cells the read is away from the target; sets the axis. */
static bool distance(struct solver *v, const struct expr *read, int64_t *steps)
{
	*steps = 0;
	for (int d = 0; d < read->arg.n; d++) {
		struct affine by = read->affine[d];
		if (by.n < 0 || !affine_add(&by, &v->target->affine[d], -1) || by.n) {
			no_form(v, read->at,
			        str_print("%s is not a fixed number of cells from %s",
			                  expr_text(read), expr_text(v->target)),
			        "read the unknown at its own cell and its two neighbours");
			return false;
		}
		if (!by.constant)
			continue;
		if (v->axis >= 0 && v->axis != d) {
			no_form(v, read->at,
			        str_print(*steps ? "%s differs from %s along two axes"
			                         : "%s is a neighbour of %s along another axis "
			                           "than the earlier reads",
			                  expr_text(read), expr_text(v->target)),
			        "a `solve` has neighbours along one axis; the other axes are a "
			        "batch: alternate directions, or repeat sweeps");
			return false;
		}
		v->axis = d;
		*steps = by.constant;
	}
	return true;
}

/* In a sum: x[j] along one axis, and at the same other indices.  Sets the axis. */
static struct form form_summed(struct solver *v, struct expr *read)
{
	struct form f = { 0 };
	const struct affine own = affine_var(v->inside);
	int axis = -1;

	for (int d = 0; d < read->arg.n; d++) {
		if (affine_equal(&read->affine[d], &v->target->affine[d]))
			continue;
		if (axis >= 0 || !affine_equal(&read->affine[d], &own)
		    || (v->axis >= 0 && v->axis != d))
			return no_form(v, read->at,
			               str_print("%s is not the unknown at a summed index along "
			                         "one axis of %s",
			                         expr_text(read), expr_text(v->target)),
			               "a dense system sums over one index of the unknown: "
			               "`sum[j](A[k, i, j] * x[k, j])`");
		axis = d;
	}
	if (axis < 0)
		return no_form(v, read->at,
		               str_print("%s does not depend on the index `%s` of the sum",
		                         expr_text(read), v->inside->name),
		               "put it outside of the sum: `sum[j](A[i, j] * x[j]) + b[i] * x[i]`");
	v->axis = axis;
	f.coef[ENTRY] = expr_float(read->type, 1, read->at);
	return f;
}

static struct form form_read(struct solver *v, struct expr *e)
{
	int64_t steps;
	struct form f = { 0 };

	if (v->inside)
		return form_summed(v, e);
	if (!distance(v, e, &steps))
		return f;
	if (steps < -BAND_REACH || steps > BAND_REACH) {
		refused(e->at, str_print("an unknown %lld cells away", (long long)llabs(steps)),
		        "an equation can contain the unknown at its own cell and at two cells on "
		        "each side");
		v->failed = true;
		return f;
	}
	f.coef[NEAR + steps] = expr_float(e->type, 1, e->at);
	return f;
}

/* ---- linear forms ---- */

static bool is_one(const struct expr *e)
{
	return e->kind == E_CONST && type_class(e->type) == 'F' && e->value.f == 1;
}

static struct expr *times(struct expr *a, struct expr *b)
{
	return !a ? NULL : is_one(a) ? b : make_binary(OP_MUL, a, b, a->at);
}

static struct expr *over(struct expr *a, struct expr *b)
{
	return a ? make_binary(OP_DIV, a, b, a->at) : NULL;
}

static struct expr *minus(struct expr *a)
{
	return a ? make_unary(OP_NEG, a, a->at) : NULL;
}

static struct expr *sum(struct expr *a, struct expr *b, enum operation op)
{
	if (a && b)
		return make_binary(op, a, b, a->at);
	return a ? a : op == OP_SUB ? minus(b) : b;
}

static struct form form_of(struct solver *, struct expr *);

static struct form form_sum(struct solver *v, struct expr *e)
{
	struct form a = form_of(v, e->arg.at[0]), b = form_of(v, e->arg.at[1]);

	for (int k = 0; k < FORM_PARTS; k++)
		a.coef[k] = sum(a.coef[k], b.coef[k], e->op);
	a.rest = sum(a.rest, b.rest, e->op);
	return a;
}

static struct form form_scaled(struct solver *v, struct expr *e)
{
	bool left = has_unknown(v, e->arg.at[0]), both = left && has_unknown(v, e->arg.at[1]);
	struct expr *by = e->arg.at[left];
	struct form f;

	if (both || (!left && e->op == OP_DIV))
		return no_form(v, e->at,
		               str_print("%s is not linear in `%s`", expr_text(e),
		                         v->target->var->name),
		               "an equation is a sum of coefficients times the unknown: `a[i] * "
		               "x[i-1] + b[i] * x[i]`");
	f = form_of(v, e->arg.at[!left]);
	for (int k = 0; k < FORM_PARTS; k++)
		f.coef[k] = e->op == OP_DIV ? over(f.coef[k], by) : times(f.coef[k], by);
	f.rest = e->op == OP_DIV ? over(f.rest, by) : times(f.rest, by);
	return f;
}

static struct expr *chosen(struct expr *c, struct expr *a, struct expr *b)
{
	struct expr *zero;

	if (!a && !b)
		return NULL;
	zero = expr_float((a ? a : b)->type, 0, c->at);
	return make_cond(c, a ? a : zero, b ? b : zero, c->at);
}

static bool on_unknown(struct solver *v, const struct expr *condition)
{
	no_form(v, condition->at, "a condition on the unknown is not linear in it",
	        "a condition can read anything but the unknown");
	return false;
}

static struct form form_chosen(struct solver *v, struct expr *e)
{
	struct expr *c = e->arg.at[0];
	struct form a, b;

	if (has_unknown(v, c)) {
		on_unknown(v, c);
		return (struct form){ 0 };
	}
	a = form_of(v, e->arg.at[1]);
	b = form_of(v, e->arg.at[2]);
	for (int k = 0; k < FORM_PARTS; k++)
		a.coef[k] = chosen(c, a.coef[k], b.coef[k]);
	a.rest = chosen(c, a.rest, b.rest);
	return a;
}

/* Of each part: conversions that keep the value, and the negative. */
static struct form form_each(struct solver *v, struct expr *e)
{
	struct form f = form_of(v, e->arg.at[0]);

	for (int k = 0; k <= FORM_PARTS; k++) {
		struct expr **part = k < FORM_PARTS ? &f.coef[k] : &f.rest;
		if (*part)
			*part = e->kind == E_CAST ? expr_cast(*part, e->type) : minus(*part);
	}
	return f;
}

static struct form not_linear(struct solver *v, struct expr *e)
{
	return no_form(v, e->at,
	               str_print("`%s` is inside %s, which is not linear in it",
	                         v->target->var->name, expr_text(e)),
	               "an equation is a sum of coefficients times the unknown: `a[i] * x[i-1] + "
	               "b[i] * x[i]`");
}

/* ---- sums over the unknown ---- */

/* The fold, with another term. */
static struct expr *fold_over(const struct expr *fold, struct expr *term)
{
	struct expr *e;

	if (!term)
		return NULL;
	e = expr_bare(fold);
	e->type = term->type;
	list_add(&e->arg, term);
	return e;
}

static bool sums_axis(struct solver *v, const struct expr *e)
{
	const struct fold *fold = e->fold;

	if (fold->where && has_unknown(v, fold->where))
		return on_unknown(v, fold->where);
	if (fold->op->kind == OPK_SUM && fold->index.n == 1 && !fold->cut && !v->inside)
		return true;
	no_form(v, e->at,
	        str_print("`%s` is inside %s, which is not a sum over one index",
	                  v->target->var->name, expr_text(e)),
	        "a dense system is `solve x[k, i] in sum[j](A[k, i, j] * x[k, j]) = d[k, i]`");
	return false;
}

/* The coefficient with the index of the first sum, 0 where `where` leaves a term out. */
static struct expr *entry_of(const struct solver *v, const struct expr *e, struct expr *entry)
{
	struct var *own = e->fold->index.at[0], *first = v->sum->fold->index.at[0];
	struct expr *to = expr_var(first, e->at);

	if (e->fold->where)
		entry = make_cond(e->fold->where, entry, expr_float(entry->type, 0, e->at), e->at);
	return own == first ? entry : expr_substitute(entry, &own, &to, 1);
}

static struct form form_fold(struct solver *v, struct expr *e)
{
	struct form f;

	if (!sums_axis(v, e))
		return (struct form){ 0 };
	v->inside = e->fold->index.at[0];
	f = form_of(v, e->arg.at[0]);
	v->inside = NULL;
	if (v->failed)
		return f;
	if (!affine_spans(e->fold->lo.at[0], e->fold->hi.at[0], &v->target->var->extent[v->axis]))
		return no_form(v, e->at,
		               str_print("the sum over `%s` does not take all cells of the axis",
		                         e->fold->index.at[0]->name),
		               "sum over the whole axis; `where` can exclude terms");
	if (!v->sum)
		v->sum = e;
	f.coef[ENTRY] = entry_of(v, e, f.coef[ENTRY]);
	f.rest = fold_over(e, f.rest);
	return f;
}

static struct form form_of(struct solver *v, struct expr *e)
{
	enum operation op = e->kind == E_BINARY ? e->op : OP_NOT;

	if (v->failed)
		return (struct form){ 0 };
	if (!has_unknown(v, e))
		return (struct form){ .rest = e };
	if (e->kind == E_READ && e->var == v->target->var)
		return form_read(v, e);
	if (e->kind == E_FOLD)
		return form_fold(v, e);
	if (e->kind == E_COND)
		return form_chosen(v, e);
	if (e->kind == E_UNARY || (e->kind == E_CAST && type_fits(e->arg.at[0]->type, e->type)))
		return form_each(v, e);
	if (op == OP_ADD || op == OP_SUB)
		return form_sum(v, e);
	if (op == OP_MUL || op == OP_DIV)
		return form_scaled(v, e);
	return not_linear(v, e);
}

/* ---- the row ---- */

/* the field of a row that has the left side */
#define LEFT "left"

static struct expr *parts_new(const char *type, const char *const *name, struct expr *const *part,
                              int n)
{
	struct field field[BAND_PARTS + 1] = { 0 };
	struct expr *row;

	for (int k = 0; k < n; k++)
		field[k] = (struct field){ str_name(name[k]), part[k]->type, 0 };
	row = expr_new(E_STRUCT, type_made(type, n, field), part[0]->at);
	for (int k = 0; k < n; k++)
		list_add(&row->arg, part[k]);
	return row;
}

/* The right side is the last of the parts.  left: of the left side, or NULL. */
static struct expr *row_new(struct expr *const *part, int parts, struct expr *left)
{
	static const char *const name[] = { "before", "own", "after", "right", LEFT };
	static const char *const wide[] = { "before2", "before", "own", "after", "after2", "right",
		                            LEFT };
	struct expr *all[BAND_PARTS + 1];

	memcpy(all, part, (size_t)parts * sizeof *part);
	all[parts] = left;
	return parts_new(left ? "equation" : "row", parts == BAND_PARTS ? wide : name, all,
	                 left ? parts + 1 : parts);
}

/* Is there a cell so many steps from the bound one? */
static struct expr *has_beside(const struct solver *v, int steps)
{
	const struct type *type = type_scalar(T_I64);
	const struct affine *extent = &v->target->var->extent[v->axis];
	struct expr *i = v->target->arg.at[v->axis], *away = expr_int(type, abs(steps), i->at);

	if (steps < 0)
		return make_binary(OP_GE, i, away, i->at);
	return make_binary(OP_LT, i, make_binary(OP_SUB, extent_expr(extent, i->at), away, i->at),
	                   i->at);
}

static struct expr *zero_like(const struct expr *e)
{
	return expr_float(e->type, 0, e->at);
}

/* The coefficient where it is inside: a condition on top, which lowerings find.  What it is outside
 * goes to the coefficient one cell nearer, which is bounded after it, or to the right side.  own
 * is the cell's own coefficient, in the middle of the row's. */
static void bound_part(struct solver *v, struct expr **own, int steps, struct expr **right)
{
	struct expr *coef = own[steps], *is = has_beside(v, steps), *left;
	struct expr **nearer = own + steps + (steps < 0 ? 1 : -1);

	if (!coef)
		return;
	own[steps] = make_cond(is, coef, zero_like(coef), coef->at);
	if (v->clamped) {
		left = make_cond(is, zero_like(coef), coef, coef->at);
		*nearer = *nearer ? make_binary(OP_ADD, *nearer, left, coef->at) : left;
	} else if (v->outside) {
		left = make_cond(is, zero_like(coef), times(coef, v->outside), coef->at);
		*right = make_binary(OP_SUB, *right, left, coef->at);
	}
}

static struct expr *part_of(struct expr *e, const struct type *type, struct loc at,
                            const char *what)
{
	return e ? expr_convert(e, type, what) : expr_float(type, 0, at);
}

/* How many cells away the farthest unknown is that has a coefficient. */
static int reach_of(const struct form *f)
{
	int reach = BAND_REACH;

	while (reach && !f->coef[NEAR - reach] && !f->coef[NEAR + reach])
		reach--;
	return reach;
}

static bool has_terms(struct solver *v, const struct form *f, struct loc at)
{
	if (!reach_of(f))
		no_form(v, at,
		        str_print("the left side does not read `%s` at a neighbour",
		                  v->target->var->name),
		        "to divide, write a `map`: `map x[i] = d[i] / b[i]`");
	else if (!f->coef[NEAR])
		no_form(v, at,
		        str_print("the left side has no term with %s, its own cell",
		                  expr_text(v->target)),
		        "order the equations so that each contains its own unknown");
	return !v->failed;
}

/* ---- the row of a dense system ---- */

static bool has_size(struct solver *v, struct loc at)
{
	const struct var *x = v->target->var;
	const struct affine *size = &x->extent[v->axis];

	if (size->n || size->constant < 1 || size->constant > DENSE_MOST) {
		diag_error(at, D_DENSE,
		           size->n ? "the size of a dense system must be a constant, but that of "
		                     "`%s` is %s"
		                   : "a dense system has 1 to 32 unknowns, but `%s` has %s",
		           x->name, affine_text(size));
		diag_cure("declare the axis with a constant, `%s: f32[m, 16]`; for larger systems "
		          "use a library",
		          x->name);
		v->failed = true;
	}
	return !v->failed;
}

static bool dense_fits(struct solver *v, const struct form *f, const struct node *node)
{
	struct loc at = v->sum->at;
	const struct clause_use *pivot = node_clause(node, "pivot");

	if (reach_of(f))
		no_form(v, at,
		        str_print("the left side reads `%s` both at neighbours and in a sum",
		                  v->target->var->name),
		        "write a neighbour as a term of the sum: `j == i - 1 ? a[i] : 0`");
	else if (node_clause(node, "boundary"))
		no_form(v, node_clause(node, "boundary")->at,
		        "a dense system reads no unknown outside its array, so it has no "
		        "`boundary`",
		        "leave the clause out");
	else if (pivot)
		no_form(v, pivot->at, "a dense system always uses pivots",
		        "remove `pivot`; `symmetric positive` says that no pivoting is needed"),
			fix_leave_out(pivot->at);
	return !v->failed && has_size(v, at);
}

/* The coefficient of the own cell belongs to the entry on the diagonal. */
static struct expr *dense_row(struct solver *v, struct form f, struct expr *right)
{
	static const char *const name[] = { "entry", "right" };
	const struct type *type = v->target->type;
	struct expr *own = f.coef[NEAR], *part[DENSE_PARTS], *is;
	struct loc at = v->sum->at;

	if (own) {
		is = make_binary(OP_EQ, v->target->arg.at[v->axis],
		                 expr_var(v->sum->fold->index.at[0], at), at);
		own = make_cond(is, own, zero_like(own), at);
	}
	part[DENSE_ENTRY] = part_of(sum(f.coef[ENTRY], own, OP_ADD), type, at, "a coefficient");
	part[DENSE_RIGHT] = part_of(sum(right, f.rest, OP_SUB), type, right->at, "the right side");
	if (!part[DENSE_ENTRY] || !part[DENSE_RIGHT])
		return NULL;
	part[DENSE_ENTRY] = fold_over(v->sum, part[DENSE_ENTRY]);
	part[DENSE_ENTRY]->narrow = NULL;
	return parts_new("dense", name, part, DENSE_PARTS);
}

/* left stays beside the row unless the boundary answers for all reads of the unknown. */
static struct expr *row_of(struct solver *v, struct form f, struct expr *left, struct expr *right)
{
	const struct type *type = v->target->type;
	const int reach = reach_of(&f), parts = 2 * reach + 2;
	struct expr *part[BAND_PARTS], **own = part + reach, **last = own + reach + 1;

	for (int k = -reach; k <= reach; k++) {
		own[k] = f.coef[NEAR + k];
		if (own[k] && !(own[k] = expr_convert(own[k], type, "a coefficient")))
			return NULL;
	}
	*last = part_of(sum(right, f.rest, OP_SUB), type, right->at, "the right side");
	if (!*last)
		return NULL;
	for (int side = -1; side <= 1 && v->bounded && !v->ring; side += 2)
		for (int k = reach; k; k--)
			bound_part(v, own, side * k, last);
	for (int k = -reach; k <= reach; k++)
		if (!own[k])
			own[k] = expr_float(type, 0, left->at);
	return row_new(part, parts, v->bounded ? NULL : left);
}

/* ---- the statement ---- */

static bool has_form(const struct ast_stmt *a)
{
	const struct ast_equation *q = a->equation.n ? a->equation.at[0] : NULL;

	if (!q || !q->left || q->target.n != 1) {
		diag_error(q ? q->at : a->at, D_NOT_SOLVE,
		           "a `solve` has one unknown, and its equation after `in`");
		diag_cure("`solve x[i] in a[i] * x[i-1] + b[i] * x[i] = d[i] boundary 0;`");
		return false;
	}
	if (a->equation.n > 1)
		return refused(a->equation.at[1]->at, "a `solve` for several unknowns",
		               "write a separate statement for each system");
	if (a->range.n)
		return refused(a->range.at[0]->at, "a `solve` with `for`",
		               "it solves for all cells of the unknown: write an equation for "
		               "known cells, `i == 0 ? x[i] : ...`");
	if (a->where)
		return refused(a->where->at, "a `solve` with `where`",
		               "write an equation for known cells: `c ? x[i] : ...`");
	return true;
}

static bool target_fits(const struct expr *target)
{
	bool cell = target->kind == E_READ;

	if (cell && (target->type->kind == T_F32 || target->type->kind == T_F64))
		return true;
	diag_error(target->at, D_NOT_SOLVE,
	           "the unknown of a `solve` is an array of f32 or f64%s",
	           cell ? str_print(", not of %s", type_name(target->type)) : "");
	diag_cure("solve for a temporary, `let t: f32[n];`, and copy it to the result with a "
	          "`map`");
	return false;
}

static bool right_fits(struct solver *v, struct expr *right)
{
	if (!has_unknown(v, right))
		return true;
	no_form(v, right->at,
	        str_print("`%s` is the unknown, which only the left side can read",
	                  v->target->var->name),
	        "move terms with the unknown to the left side; copy earlier values to another "
	        "array");
	return false;
}

static bool is_mode(const struct ast *a)
{
	static const char *const modes[] = { "clamp", "wrap", "mirror", "reflect", "keep" };

	for (size_t k = 0; a->kind == A_NAME && k < sizeof modes / sizeof *modes; k++)
		if (!strcmp(a->name, modes[k]))
			return true;
	return false;
}

static bool visit_axis(struct expr *e, void *index)
{
	return e->kind != E_VAR || e->var != index;
}

/* The unknown outside: 0, a value of the system, `clamp` or `wrap`. */
static bool value_read(struct solver *v, const struct clause_use *edge)
{
	const struct ast *a = edge->value.at[0];
	struct var *index = v->target->arg.at[v->axis]->var;

	v->ring = is_mode(a) && !strcmp(a->name, "wrap");
	v->clamped = is_mode(a) && !strcmp(a->name, "clamp");
	if (v->ring)
		return true;
	if (is_mode(a) && !v->clamped)
		return refused(edge->at, str_print("`boundary %s` of a `solve`", a->name),
		               "write a value, `clamp` or `wrap`, or guard the reads of the "
		               "unknown");
	v->outside = v->clamped ? NULL : expr_typed(v->s, a, v->target->type, "the boundary");
	if (v->outside && !expr_walk(v->outside, visit_axis, index))
		return refused(a->at, str_print("a boundary that depends on `%s`", index->name),
		               "guard the read, `i > 0 ? a[i] * x[i-1] : 0`, and subtract the "
		               "known term on the right side");
	if (v->outside && v->outside->kind == E_CONST && v->outside->value.f == 0)
		v->outside = NULL;
	else if (!v->clamped && !v->outside)
		return false;
	return !v->outside || right_fits(v, v->outside);
}

/* What has no elimination yet. */
static bool wide_fits(const struct solver *v, const struct form *f, const struct clause_use *edge,
                      const struct clause_use *pivot)
{
	const bool band = reach_of(f) == BAND_REACH;

	if (band && v->ring)
		return refused(edge->at, "`boundary wrap` with an unknown 2 cells away",
		               "write a value or `clamp`, or guard the reads of the unknown");
	return !pivot || !(band || v->ring)
	       || refused(pivot->at,
	                  str_print("`pivot` with %s",
	                            band ? "an unknown 2 cells away" : "`boundary wrap`"),
	                  "without `pivot` the equations are eliminated in order, which is stable "
	                  "if the coefficient of `x[i]` dominates");
}

static bool clauses_fit(struct solver *v, const struct form *f, const struct node *node)
{
	const struct clause_use *edge = node_clause(node, "boundary"),
	                        *pivot = node_clause(node, "pivot"),
	                        *positive = node_clause(node, "symmetric positive");

	v->bounded = edge;
	if (positive)
		no_form(v, positive->at, "`symmetric positive` applies only to dense systems",
		        "remove it: equations with neighbours are never exchanged");
	if (v->failed)
		return false;
	if (!edge || edge->value.n == 1)
		return (!edge || value_read(v, edge)) && wide_fits(v, f, edge, pivot);
	diag_error(edge->at, D_BOUNDARY, "there are %d boundaries for one axis", edge->value.n);
	diag_cure("the unknown is read beyond the ends of one axis: `boundary 0`");
	return false;
}

static bool row_close(struct solver *v, struct node *node, struct equation *eq,
                      const struct ast_equation *q)
{
	struct expr *left = expr_check(v->s, q->left);
	struct expr *right = left ? expr_check(v->s, q->right) : NULL;
	struct form f;

	if (!left || !right || !right_fits(v, right))
		return false;
	f = form_of(v, left);
	if (v->failed)
		return false;
	if (f.coef[ENTRY]) {
		eq->right = dense_fits(v, &f, node) ? dense_row(v, f, right) : NULL;
		return eq->right;
	}
	if (!has_terms(v, &f, left->at) || !clauses_fit(v, &f, node))
		return false;
	eq->right = row_of(v, f, left, right);
	return eq->right;
}

static bool equations(struct sema *s, const struct ast_stmt *a, struct node *node)
{
	const struct ast_equation *q = a->equation.n ? a->equation.at[0] : NULL;
	struct equation *eq = NEW(struct equation);
	struct binding *root = NULL;
	struct solver v = { .s = s, .axis = -1 };
	struct expr *target;

	if (!has_form(a) || !(target = target_cell(s, q->target.at[0], &root))
	    || !target_fits(target))
		return false;
	v.target = target;
	eq->at = q->at;
	list_add(&eq->target, target);
	root->written = true;                /* the unknown may be read */
	if (!row_close(&v, node, eq, q))
		return false;
	list_add(&node->equation, eq);
	node->running = NEW(struct running);
	node->running->axis = v.axis;
	node->running->ring = v.ring;
	return true;
}

/* Axis k of the unknown is index k of the statement. */
static bool close(struct sema *s, struct node *node)
{
	const struct expr *target = node->equation.at[0]->target.at[0];
	(void)s;

	if (domain_whole(node))
		return true;
	diag_error(target->at, D_NOT_SOLVE,
	           "a `solve` must have an index for each axis of its unknown");
	diag_cure("write `x[i]`; for a part of an array, solve for a temporary, `let t: f32[n];`, "
	          "and copy it with a `map`");
	return false;
}

static bool settle(struct sema *s, struct node *node)
{
	struct expr *row = node->equation.at[0]->right;
	(void)s;

	if (expr_checked(row))
		return refused(row->at, "a `solve` whose reads depend on data",
		               "`gather` the coefficients into an array first");
	if (row->type->record->field.at[row->arg.n - 1].name == str_name(LEFT))
		node->equation.at[0]->right = row_new(row->arg.at, row->arg.n - 1, NULL);
	return true;
}

const struct front solve_front = { .equations = equations, .close = close, .settle = settle };
