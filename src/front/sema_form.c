/* sema_form.c - splits an expression into the parts of a recurrence (sema_normal.h): a weight for
 * each previous cell, and a rest.
 *
 * From the leaves up: ◇ joins two such forms, ○ scales one by what does not read the target.
 * Subtraction is + of the negative; a quotient by what does not read the target is the product with
 * its reciprocal, of floats. Both are the same value as written but for rounding, which under
 * `strict` must not differ either: what does is noted (rounds). */
#include <assert.h>
#include <math.h>

#include "sema_normal.h"

static struct expr *joined(const struct op *op, struct expr *a, struct expr *b)
{
	struct expr *pair[2] = { a, b };

	switch (op->kind) {
	case OPK_SUM: return make_binary(OP_ADD, a, b, a->at);
	case OPK_PROD: return make_binary(OP_MUL, a, b, a->at);
	case OPK_MIN: return make_math(M_min, pair, 2, a->at);
	case OPK_MAX: return make_math(M_max, pair, 2, a->at);
	case OPK_ALL:
	case OPK_ANY:
	case OPK_COUNT:
	case OPK_ARGMIN:
	case OPK_ARGMAX:
	case OPK_BITAND:
	case OPK_BITOR: case OPK_BITXOR: case OPK_USER:
		return op_apply(op, a, b);
	}
	assert(false && "every kind of operator joins");
	return NULL;
}

bool form_reads(const struct form *f, int k)
{
	return f->coef[k] || f->bare[k];
}

/* The first cell that it reads, from k on; MAX_LEAVES: none. */
static int next_read(const struct form *f, int k)
{
	while (k < MAX_LEAVES && !form_reads(f, k))
		k++;
	return k;
}

static bool reads_any(const struct form *f)
{
	return next_read(f, 0) < MAX_LEAVES;
}

/* The weight of a cell, one where it is read without ○. */
static struct expr *coef_of(struct normal *m, const struct form *f, int k, const struct expr *e)
{
	struct expr *one = f->coef[k] ? f->coef[k] : m->dist ? op_identity(m->dist, e->type) : NULL;

	if (!one)
		no_form(m, e,
		        "this reads one cell of the recurrence twice, but `using` does not define "
		        "○");
	return one;
}

/* a ◇ b */
static struct form merged(struct normal *m, struct form a, const struct form *b,
                          const struct expr *e)
{
	int first = next_read(b, 0);
	bool apart = first < MAX_LEAVES && (a.rest || next_read(&a, first + 1) < MAX_LEAVES);

	if (apart && !m->acc->commutative)
		no_form(m, e,
		        str_print("`%s` is not commutative: the cells of the target must come "
		                  "first, the nearest one before the others",
		                  op_symbol(m->acc)));
	m->rounds |= (a.rest && b->rest)
	             || (reads_any(&a) && reads_any(b)
	                 && (a.rest || b->rest || next_read(&a, 1) < MAX_LEAVES));
	for (int k = 0; k < MAX_LEAVES && !m->failed; k++) {
		if (!form_reads(b, k))
			continue;
		struct expr *x = form_reads(&a, k) ? coef_of(m, &a, k, e) : NULL,
			    *y = x ? coef_of(m, b, k, e) : NULL;
		a.coef[k] = x && y ? joined(m->acc, x, y) : b->coef[k];
		a.bare[k] = !x && b->bare[k];
	}
	a.rest = a.rest && b->rest ? joined(m->acc, a.rest, b->rest) : a.rest ? a.rest : b->rest;
	return a;
}

/* f ○ w */
static struct form scaled(struct normal *m, struct form f, struct expr *w)
{
	for (int k = 0; k < MAX_LEAVES; k++) {
		m->rounds |= f.coef[k] != NULL;
		f.coef[k] = f.bare[k] ? w : f.coef[k] ? joined(m->dist, f.coef[k], w) : NULL;
		f.bare[k] = false;
	}
	m->rounds |= f.rest != NULL;
	f.rest = f.rest ? joined(m->dist, f.rest, w) : NULL;
	return f;
}

static struct expr *minus(struct expr *e)
{
	return make_unary(OP_NEG, e, e->at);
}

/* -f, where ◇ is + and ○ is * */
static struct form negated(struct normal *m, struct form f)
{
	if (reads_any(&f) && m->dist->kind != OPK_PROD) {
		no_form(m, m->whole,
		        str_print("the negative of a cell is not of the form cell ○ weight, where "
		                  "○ is `%s`",
		                  op_symbol(m->dist)));
		return f;
	}
	for (int k = 0; k < MAX_LEAVES; k++) {
		f.coef[k] = f.bare[k]   ? minus(op_identity(m->dist, m->whole->type))
		            : f.coef[k] ? minus(f.coef[k])
		                        : NULL;
		f.bare[k] = false;
	}
	f.rest = f.rest ? minus(f.rest) : NULL;
	return f;
}

static struct expr *reciprocal(struct normal *m, struct expr *w)
{
	int exponent;
	bool exact = w->kind == E_CONST && fabs(frexp(w->value.f, &exponent)) == 0.5;

	if (type_class(w->type) != 'F') {
		no_form(m, w,
		        "integer division discards the remainder, so it does not distribute over "
		        "+");
		return w;
	}
	m->rounds |= !exact;
	return make_binary(OP_DIV, expr_float(w->type, 1, w->at), w, w->at);
}

/* What stands beside the cells, as ○ takes it on the right. */
static struct expr *weight_of(struct normal *m, struct expr *e, bool left)
{
	struct expr *w = e->arg.at[!left];
	bool subtracts = e->kind == E_BINARY && e->op == OP_SUB,
	     divides = e->kind == E_BINARY && e->op == OP_DIV;

	if (left && (subtracts || divides))
		no_form(m, e,
		        str_print("a cell of the recurrence is on the right of `%s`, which "
		                  "distributes from the left only",
		                  subtracts ? "-" : "/"));
	else if (left && !m->dist->commutative)
		no_form(m, e,
		        str_print("`%s` is not commutative: the weight must be on its right",
		                  op_symbol(m->dist)));
	if (m->failed)
		return w;
	return divides ? reciprocal(m, w) : subtracts ? minus(w) : w;
}

/* f ○ w, w ○ f, -f */
static struct form form_scaled(struct normal *m, struct expr *e)
{
	bool left;
	struct expr *w;

	if (e->kind == E_UNARY) {
		no_form(m, e, str_print("negating a cell reverses `%s`", op_symbol(m->acc)));
		return (struct form){ 0 };
	}
	left = !has_before(m, e->arg.at[0]);
	if (!left && has_before(m, e->arg.at[1])) {
		no_form(m, e,
		        str_print("both operands of `%s` are cells of the recurrence, but one must "
		                  "be a weight",
		                  op_symbol(m->dist)));
		return (struct form){ 0 };
	}
	w = weight_of(m, e, left);
	return m->failed ? (struct form){ 0 } : scaled(m, form_of(m, e->arg.at[left]), w);
}

/* a ◇ b, a - b, -a; a / b where ◇ is * */
static struct form form_joined(struct normal *m, struct expr *e)
{
	struct form a = form_of(m, e->arg.at[0]), b = { 0 };

	if (e->kind == E_UNARY)
		return negated(m, a);
	if (e->kind == E_BINARY && e->op == OP_DIV) {
		b.rest = weight_of(m, e, !has_before(m, e->arg.at[0]));
		if (has_before(m, e->arg.at[1]) && !m->failed)
			no_form(m, e, "a cell of the recurrence is on the right of `/`");
	} else {
		b = form_of(m, e->arg.at[1]);
	}
	if (m->acc->kind == OPK_PROD && reads_any(&a) && reads_any(&b))
		no_form(m, e,
		        "both operands of `*` are cells of the recurrence, but one must be a "
		        "weight");
	if (m->failed)
		return a;
	if (e->kind == E_BINARY && e->op == OP_SUB)
		b = negated(m, b);
	return merged(m, a, &b, e);
}

struct form form_of(struct normal *m, struct expr *e)
{
	struct form f = { 0 };
	int k = leaf_before(m, e);

	if (k >= 0)
		f.bare[k] = true;
	else if (!has_before(m, e))
		f.rest = e;
	else if (!m->failed)
		return map_get(&m->s->distributed, e) || !same_op(op_of(m, e), m->acc)
		               ? form_scaled(m, e)
		               : form_joined(m, e);
	return f;
}
