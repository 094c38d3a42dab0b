/* solve_form.c - the left side of a solve: its coefficients.
 *
 * It must be linear in the unknown.  It is taken apart from the leaves up: a form has a coefficient
 * for each unknown that is read, and a rest, which moves to the right side.  A read of the unknown
 * under a condition makes a coefficient under that condition.
 *
 * Of a left side that is a struct, each field is a form.  A call that has the unknown among its
 * arguments is replaced by the function's body (opened), so that only constructors, conditions and
 * reads of the unknown are left where a field is selected.
 *
 * A sum over the axis makes a dense system: the coefficient ENTRY of a form is that of x[j], j the
 * sum's index. */
#include <stdlib.h>

#include "ask.h"
#include "solve_form.h"

enum { OPENED_MOST = 10000 };            /* calls in a left side */

bool linear_refused(struct loc at, const char *what, const char *cure)
{
	diag_error(at, D_FORM_NOT_BUILT, "%s is not supported yet", what);
	diag_cure("%s", cure);
	return false;
}

struct form linear_wrong(struct solver *v, struct loc at, const char *why, const char *cure)
{
	const struct loc here = v->target->at;   /* at may be in a function */

	if (!v->failed) {
		diag_error(at, D_NOT_SOLVE, "%s", why);
		if (v->opened && (at.line != here.line || at.file != here.file))
			diag_note(here, "in the equation of %s", expr_text(v->target));
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

bool linear_reads(const struct solver *v, struct expr *e)
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
			linear_wrong(v, read->at,
			             str_print("%s is not a fixed number of cells from %s",
			                       expr_text(read), expr_text(v->target)),
			             "read the unknown at its own cell and beside it: `x[i-1]`, "
			             "`x[i+1]`");
			return false;
		}
		if (!by.constant)
			continue;
		if (v->axis >= 0 && v->axis != d) {
			linear_wrong(v, read->at,
			             str_print(*steps ? "%s differs from %s along two axes"
			                              : "%s is a neighbour of %s along another "
			                                "axis than the earlier reads",
			                       expr_text(read), expr_text(v->target)),
			             "a `solve` has neighbours along one axis; the other axes are "
			             "a batch: alternate directions, or repeat sweeps");
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
			return linear_wrong(v, read->at,
			                    str_print("%s is not the unknown at a summed index "
			                              "along one axis of %s",
			                              expr_text(read), expr_text(v->target)),
			                    "a dense system sums over one index of the unknown: "
			                    "`sum[j](A[k, i, j] * x[k, j])`");
		axis = d;
	}
	if (axis < 0)
		return linear_wrong(v, read->at,
		                    str_print("%s does not depend on the index `%s` of the sum",
		                              expr_text(read), v->inside->name),
		                    "put it outside of the sum: `sum[j](A[i, j] * x[j]) + b[i] * "
		                    "x[i]`");
	v->axis = axis;
	f.coef[ENTRY] = expr_float(read->type, 1, read->at);
	return f;
}

/* The unknown, or a field of it. */
static struct form form_read(struct solver *v, struct expr *e)
{
	const struct expr *read = target_read(e);
	const int most = v->fields > 1 ? 1 : BAND_REACH;
	int64_t steps;
	struct form f = { 0 };
	int field = e == read ? 0 : (int)(e->field - read->type->record->field.at);

	if (v->inside)
		return form_summed(v, e);
	if (!distance(v, read, &steps))
		return f;
	if (steps < -most || steps > most) {
		v->failed = true;
		linear_refused(e->at,
		               str_print("an unknown %s%lld cells away",
		                         v->fields > 1 ? "that is a struct " : "",
		                         (long long)llabs(steps)),
		               v->fields > 1 ? "an equation of structs can contain the unknown at "
		                               "its own cell and at one cell on each side"
		                             : "an equation can contain the unknown at its own "
		                               "cell and at two cells on each side");
		return f;
	}
	f.coef[linear_part((int)steps, field)] = expr_float(e->type, 1, e->at);
	return f;
}

/* ---- linear forms ---- */

static bool is_one(const struct expr *e)
{
	return e->kind == E_CONST && type_class(e->type) == 'F' && e->value.f == 1;
}

struct expr *linear_times(struct expr *a, struct expr *b)
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

struct expr *linear_added(struct expr *a, struct expr *b, enum operation op)
{
	if (a && b)
		return make_binary(op, a, b, a->at);
	return a ? a : op == OP_SUB ? minus(b) : b;
}

static struct form form_sum(struct solver *v, struct expr *e)
{
	struct form a = linear_of(v, e->arg.at[0]), b = linear_of(v, e->arg.at[1]);

	for (int k = 0; k < FORM_PARTS; k++)
		a.coef[k] = linear_added(a.coef[k], b.coef[k], e->op);
	a.rest = linear_added(a.rest, b.rest, e->op);
	return a;
}

static struct form form_scaled(struct solver *v, struct expr *e)
{
	bool left = linear_reads(v, e->arg.at[0]), both = left && linear_reads(v, e->arg.at[1]);
	struct expr *by = e->arg.at[left];
	struct form f;

	if (both || (!left && e->op == OP_DIV))
		return linear_wrong(v, e->at,
		                    str_print("%s is not linear in `%s`", expr_text(e),
		                              v->target->var->name),
		                    "an equation is a sum of coefficients times the unknown: `a[i] "
		                    "* x[i-1] + b[i] * x[i]`");
	f = linear_of(v, e->arg.at[!left]);
	for (int k = 0; k < FORM_PARTS; k++)
		f.coef[k] = e->op == OP_DIV ? over(f.coef[k], by) : linear_times(f.coef[k], by);
	f.rest = e->op == OP_DIV ? over(f.rest, by) : linear_times(f.rest, by);
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
	linear_wrong(v, condition->at, "a condition on the unknown is not linear in it",
	             "a condition can read anything but the unknown");
	return false;
}

static struct form form_chosen(struct solver *v, struct expr *e)
{
	struct expr *c = e->arg.at[0];
	struct form a, b;

	if (linear_reads(v, c)) {
		on_unknown(v, c);
		return (struct form){ 0 };
	}
	a = linear_of(v, e->arg.at[1]);
	b = linear_of(v, e->arg.at[2]);
	for (int k = 0; k < FORM_PARTS; k++)
		a.coef[k] = chosen(c, a.coef[k], b.coef[k]);
	a.rest = chosen(c, a.rest, b.rest);
	return a;
}

/* Of each part: conversions that keep the value, and the negative. */
static struct form form_each(struct solver *v, struct expr *e)
{
	struct form f = linear_of(v, e->arg.at[0]);

	for (int k = 0; k <= FORM_PARTS; k++) {
		struct expr **part = k < FORM_PARTS ? &f.coef[k] : &f.rest;
		if (*part)
			*part = e->kind == E_CAST ? expr_cast(*part, e->type) : minus(*part);
	}
	return f;
}

/* the struct whose field it is */
static const struct expr *bare_value(const struct expr *e)
{
	while (e->kind == E_FIELD)
		e = e->arg.at[0];
	return e;
}

static struct form not_linear(struct solver *v, struct expr *e)
{
	const struct expr *call = bare_value(e);

	if (call->kind == E_CALL)
		return linear_wrong(v, e->at,
		                    str_print("`%s` is inside %s, and the body of `%s` is not an "
		                              "expression of numbers and structs",
		                              v->target->var->name, expr_text(call),
		                              call->fn->name),
		                    "write it as one, `fn f(x: f32) -> f32 = 2 * x`; arrays of "
		                    "coefficients can be computed before, by a `map`");
	return linear_wrong(v, e->at,
	                    str_print("`%s` is inside %s, which is not linear in it",
	                              v->target->var->name, expr_text(e)),
	                    "an equation is a sum of coefficients times the unknown: `a[i] * "
	                    "x[i-1] + b[i] * x[i]`");
}

/* ---- sums over the unknown ---- */

struct expr *linear_over(const struct expr *fold, struct expr *term)
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

	if (v->fields > 1) {
		v->failed = true;
		return linear_refused(e->at, "a sum over an unknown that is a struct",
		                      "a dense system has an unknown that is an array of f32 or "
		                      "f64, as many cells as fields: `x: f64[m, 6]`");
	}
	if (fold->where && linear_reads(v, fold->where))
		return on_unknown(v, fold->where);
	if (fold->op->kind == OPK_SUM && fold->index.n == 1 && !fold->cut && !v->inside)
		return true;
	linear_wrong(v, e->at,
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
	f = linear_of(v, e->arg.at[0]);
	v->inside = NULL;
	if (v->failed)
		return f;
	if (!affine_spans(e->fold->lo.at[0], e->fold->hi.at[0], &v->target->var->extent[v->axis]))
		return linear_wrong(v, e->at,
		                    str_print("the sum over `%s` does not take all cells of the "
		                              "axis",
		                              e->fold->index.at[0]->name),
		                    "sum over the whole axis; `where` can exclude terms");
	if (!v->sum)
		v->sum = e;
	f.coef[ENTRY] = entry_of(v, e, f.coef[ENTRY]);
	f.rest = linear_over(e, f.rest);
	return f;
}

/* ---- structs ---- */

/* Is that field one of its arguments? */
static bool has_value(const struct expr *e, const struct field *field)
{
	return e->kind == E_STRUCT && e->arg.n == e->type->record->field.n
	       && field->type->kind != T_ARRAY;
}

/* The body of the function that the call calls, if the unknown is among its arguments; else NULL.
 * A function that has no such body is no linear form: not_linear. */
static struct expr *opened(struct solver *v, struct expr *e)
{
	struct expr *body = v->failed || !linear_reads(v, e) ? NULL : expr_inlined(e);

	if (!body || v->opened++ < OPENED_MOST)
		return body;
	v->failed = true;
	linear_refused(e->at, str_print("a left side with more than %d calls", OPENED_MOST),
	               "write the coefficients of the unknown, computed before by a `map`");
	return NULL;
}

struct expr *linear_field(struct solver *v, struct expr *e, const struct field *field)
{
	struct expr *a, *b, *body;

	if (has_value(e, field))
		return e->arg.at[field - e->type->record->field.at];
	if (e->kind == E_COND) {
		a = linear_field(v, e->arg.at[1], field);
		b = linear_field(v, e->arg.at[2], field);
		return make_cond(e->arg.at[0], a, b, e->at);
	}
	if ((body = opened(v, e)))
		return linear_field(v, body, field);
	if (e->kind == E_FIELD) {
		a = linear_field(v, e->arg.at[0], e->field);
		return a->kind == E_FIELD ? expr_part(a, field, NULL) : linear_field(v, a, field);
	}
	return expr_part(e, field, NULL);
}

/* What it is without calls and constructors on top. */
static struct expr *uncovered(struct solver *v, struct expr *e)
{
	struct expr *body = opened(v, e);

	if (body)
		return uncovered(v, body);
	if (e->kind != E_FIELD || !linear_reads(v, e))
		return e;
	body = linear_field(v, e->arg.at[0], e->field);
	return body->kind == E_FIELD ? body : uncovered(v, body);
}

/* ---- a form ---- */

static bool is_unknown(const struct solver *v, struct expr *e)
{
	const struct expr *read = e->kind == E_FIELD ? e->arg.at[0] : e;

	return read->kind == E_READ && read->var == v->target->var;
}

struct form linear_of(struct solver *v, struct expr *e)
{
	enum operation op;

	e = uncovered(v, e);
	op = e->kind == E_BINARY ? e->op : OP_NOT;
	if (v->failed)
		return (struct form){ 0 };
	if (!linear_reads(v, e))
		return (struct form){ .rest = e };
	if (is_unknown(v, e))
		return form_read(v, e);
	if (bare_value(e)->kind == E_FOLD && (e->kind == E_FOLD || v->fields > 1))
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

bool linear_has(const struct form *f, int steps)
{
	bool has = false;

	for (int c = 0; c < BLOCK_MOST; c++)
		has |= f->coef[linear_part(steps, c)] != NULL;
	return has;
}

int linear_reach(const struct form *f)
{
	int reach = BAND_REACH;

	while (reach && !linear_has(f, -reach) && !linear_has(f, reach))
		reach--;
	return reach;
}
