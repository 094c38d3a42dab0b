/* mirror.c - is the term for (j, i) the one for (i, j), or its negative, part by part of a struct?
 *
 * The term is computed twice with numbers in the place of values: once as it is written, once with
 * the two indices exchanged.  Equal numbers are equal values (value numbering, after Cocke and
 * Schwartz).  A value has two numbers:
 *
 *   exact   equal numbers: equal values, bit for bit but for NaN
 *   id      equal numbers and signs: equal values, but for the sign of a zero; equal numbers and
 *           other signs: one value is the negative of the other, but for the sign of a zero
 *
 * x - y and y - x have one id and other signs: rounding is symmetric.  For x = y both are +0, so
 * they are no exact negatives: what tells the two zeros apart (a divisor, a root) needs operands
 * with one exact number.  x * x, |x| and functions that are even have one from equal ids.
 *
 * Functions that are odd or even in mathematics are taken for that: a library whose sin(-x) differs
 * from -sin(x) is off by no more than the error that sin may have.  Integers are those modulo 2^n,
 * so the same rules hold for sums and products, but not for conversions and divisions.
 *
 * A call of the program's own function is looked into if its body is a list of `let`, of returns
 * under a condition, and a `return`; others are functions of their arguments. */
#include <string.h>
#include "mirror.h"

enum { MOST_KEY = 24, MOST_PARTS = 16, MOST_STEPS = 5000, LOOSE = 1 << 16 };

struct row { int n; int64_t key[MOST_KEY]; };
/* minus: that of the value whose negative it is, and 1; or 0 */
struct known { int id, exact, minus; bool neg, zero; int parts; struct known *part; };
struct bound { const struct var *var; struct known value; };
struct work {
	LIST(struct row) row;
	LIST(struct bound) bound;
	int unknown;                         /* values that nothing else is equal to */
	int steps;                           /* expressions so far, those of functions again */
};

static struct known value_of(struct work *, const struct expr *);

/* ---- numbers ---- */

static int number(struct work *w, int n, const int64_t *key)
{
	struct row row = { .n = n };
	size_t bytes = (size_t)n * sizeof *key;
	memcpy(row.key, key, bytes);
	for (int k = 0; k < w->row.n; k++)
		if (w->row.at[k].n == n && !memcmp(w->row.at[k].key, key, bytes))
			return k;
	list_add(&w->row, row);
	return w->row.n - 1;
}
#define NUMBER(w, ...) number(w, sizeof (int64_t[]){ __VA_ARGS__ } / sizeof(int64_t), \
	(int64_t[]){ __VA_ARGS__ })

static int64_t address(const void *p)
{
	return (int64_t)(intptr_t)p;
}

/* Of an expression: an operation and what it is applied to; `loose`: ids, not exact numbers. */
static int64_t tag(const struct expr *e, bool loose)
{
	int64_t op = e->kind == E_MATH ? (int64_t)e->math : (int64_t)e->op;
	return (int64_t)e->kind * 256 + op + (loose ? LOOSE : 0);
}

static struct known whole(int exact)
{
	return (struct known){ .id = exact, .exact = exact };
}

static struct known unknown(struct work *w)
{
	return whole(NUMBER(w, -1, w->unknown++));
}

/* Exact numbers, in their order or sorted. */
static struct known applied(struct work *w, const struct expr *e, const void *what, int n,
                            const struct known *arg, bool commutes)
{
	int64_t key[MOST_KEY] = { tag(e, false), address(what), address(e->type) };
	if (n + 3 > MOST_KEY)
		return unknown(w);
	for (int a = 0; a < n; a++) {
		int at = a;
		for (; commutes && at > 0 && key[2 + at] > arg[a].exact; at--)
			key[3 + at] = key[2 + at];
		key[3 + at] = arg[a].exact;
	}
	return whole(number(w, 3 + n, key));
}

/* ---- operations ---- */

static struct known sum(struct work *w, const struct expr *e, struct known a, struct known b)
{
	const struct known given[] = { a, b };
	struct known v = applied(w, e, NULL, 2, given, e->op == OP_ADD);
	b.neg ^= e->op == OP_SUB;
	bool turned = a.id > b.id;
	v.neg = turned ? b.neg : a.neg;
	v.id = NUMBER(w, (int64_t)E_BINARY * 256 + OP_ADD + LOOSE, turned ? b.id : a.id,
	              turned ? a.id : b.id, a.neg != b.neg);
	return v;
}

static struct known product(struct work *w, const struct expr *e, struct known a, struct known b)
{
	const struct known given[] = { a, b };
	struct known v = applied(w, e, NULL, 2, given, true);
	int least = a.id < b.id ? a.id : b.id, most = a.id < b.id ? b.id : a.id;
	v.id = NUMBER(w, tag(e, true), least, most);
	v.neg = a.neg != b.neg;
	if (a.exact == b.exact)              /* a square; its negative */
		v.exact = v.id;
	else if (a.minus == b.exact + 1 || b.minus == a.exact + 1)
		v.exact = NUMBER(w, tag(e, true), least, most, -1);
	return v;
}

static struct known quotient(struct work *w, const struct expr *e, struct known a, struct known b)
{
	const struct known given[] = { a, b };
	struct known v = applied(w, e, NULL, 2, given, false);
	if (type_class(e->type) != 'F')
		return v;
	v.id = NUMBER(w, tag(e, true), a.id, b.exact);
	v.neg = a.neg;
	return v;
}

/* a < b is b > a, and of floats -b < -a. */
static struct known less(struct work *w, const struct expr *e, struct known a, struct known b)
{
	bool strict = e->op == OP_LT || e->op == OP_GT, both = a.neg && b.neg;
	bool turned = e->op == OP_GT || e->op == OP_GE;
	bool is_float = type_class(e->arg.at[0]->type) == 'F';
	if (turned != (is_float && both)) {
		struct known c = a;
		a = b, b = c;
	}
	if (is_float && both)
		a.neg = b.neg = false;
	if (is_float && a.neg != b.neg && a.id > b.id) {     /* -a < b is -b < a */
		int id = a.id;
		a.id = b.id, b.id = id;
	}
	return whole(NUMBER(w, (int64_t)E_BINARY * 256 + (strict ? OP_LT : OP_LE) + LOOSE, a.id,
	                    a.neg, b.id, b.neg));
}

static struct known equal(struct work *w, const struct expr *e, struct known a, struct known b)
{
	int least = a.id < b.id ? a.id : b.id, most = a.id < b.id ? b.id : a.id;
	return whole(NUMBER(w, tag(e, true), least, most, a.neg != b.neg));
}

static struct known binary(struct work *w, const struct expr *e, struct known a, struct known b)
{
	const struct known given[] = { a, b };
	switch (e->op) {
	case OP_ADD: case OP_SUB: return sum(w, e, a, b);
	case OP_MUL: return product(w, e, a, b);
	case OP_DIV: return quotient(w, e, a, b);
	case OP_LT: case OP_GT: case OP_LE: case OP_GE: return less(w, e, a, b);
	case OP_EQ: case OP_NE: return equal(w, e, a, b);
	case OP_AND: case OP_XOR: case OP_OR: case OP_LAND: case OP_LOR:
		return applied(w, e, NULL, 2, given, true);
	case OP_REM: case OP_SHL: case OP_SHR: case OP_NEG: case OP_NOT: case OP_BITNOT: break;
	}
	return applied(w, e, NULL, 2, given, false);
}

static struct known unary(struct work *w, const struct expr *e, struct known a)
{
	struct known v = applied(w, e, NULL, 1, &a, false);
	if (e->op == OP_NEG) {
		v.id = a.id;
		v.neg = !a.neg;
		v.zero = a.zero;
		v.minus = a.exact + 1;
	}
	return v;
}

static struct known cast(struct work *w, const struct expr *e, struct known a)
{
	struct known v = applied(w, e, NULL, 1, &a, false);
	v.zero = a.zero;
	if (type_class(e->type) != 'F' || type_class(e->arg.at[0]->type) != 'F')
		return v;
	v.id = NUMBER(w, tag(e, true), address(e->type), a.id);
	v.neg = a.neg;
	return v;
}

static struct known fused(struct work *w, const struct expr *e, const struct known *a)
{
	struct known v = applied(w, e, NULL, 3, a, false);
	int least = a[0].id < a[1].id ? a[0].id : a[1].id;
	v.neg = a[0].neg != a[1].neg;
	v.id = NUMBER(w, tag(e, true), least, least == a[0].id ? a[1].id : a[0].id, a[2].id,
	              v.neg != a[2].neg);
	return v;
}

static struct known math(struct work *w, const struct expr *e, int n, const struct known *a)
{
	struct known v;
	const char class = type_class(e->arg.at[0]->type);
	if (e->math == M_abs && class == 'U')
		return *a;
	switch (e->math) {
	case M_abs: case M_fabs: case M_cos: case M_cosh: case M_isnan: case M_isinf:
	case M_isfinite:
		return whole(NUMBER(w, tag(e, true), a->id));
	case M_sin: case M_tan: case M_asin: case M_atan: case M_sinh: case M_tanh: case M_asinh:
	case M_atanh: case M_erf: case M_cbrt: case M_round: case M_rint: case M_trunc:
		v = applied(w, e, NULL, 1, a, false);
		v.id = NUMBER(w, tag(e, true), a->id);
		v.neg = a->neg;
		return v;
	case M_hypot: return equal(w, e, (struct known){ .id = a[0].id },
		                   (struct known){ .id = a[1].id });
	case M_min: case M_max: case M_fmin: case M_fmax:
		v = applied(w, e, NULL, n, a, class != 'F');
		if (class == 'F' && n == 2)  /* of +0 and -0 either is the greater one */
			v.id = NUMBER(w, tag(e, true), a[a[0].exact > a[1].exact].exact,
			              a[a[0].exact <= a[1].exact].exact);
		return v;
	case M_fma: return fused(w, e, a);
	default: return applied(w, e, NULL, n, a, false);
	}
}

/* ---- structs ---- */

static struct known part_of(struct work *w, struct known v, const struct field *field, int place)
{
	return v.part ? v.part[place] : whole(NUMBER(w, E_FIELD, address(field), v.exact));
}

static int place_of(const struct type *type, const struct field *field)
{
	int place = 0;
	while (&type->record->field.at[place] != field)
		place++;
	return place;
}

static struct known made(struct work *w, const struct type *type, int n, const struct known *part)
{
	int64_t key[MOST_PARTS + 2] = { E_STRUCT, address(type) };
	struct known v = { .parts = n, .part = mem_new((size_t)n * sizeof *part) };
	for (int k = 0; k < n; k++) {
		v.part[k] = part[k];
		key[2 + k] = part[k].exact;
	}
	v.id = v.exact = number(w, 2 + n, key);
	return v;
}

static bool has_parts(const struct type *type)
{
	if (type->kind != T_STRUCT || type->record->field.n > MOST_PARTS)
		return false;
	for (int f = 0; f < type->record->field.n; f++)
		if (type->record->field.at[f].type->kind == T_ARRAY)
			return false;
	return true;
}

static struct known choice(struct work *w, const struct type *type, struct known c,
                           struct known a, struct known b)
{
	if (has_parts(type)) {
		struct known part[MOST_PARTS];
		int n = type->record->field.n;
		for (int f = 0; f < n; f++) {
			const struct field *field = &type->record->field.at[f];
			part[f] = choice(w, field->type, c, part_of(w, a, field, f),
			                 part_of(w, b, field, f));
		}
		return made(w, type, n, part);
	}
	struct known v = whole(NUMBER(w, E_COND, c.exact, a.exact, b.exact));
	a.neg = a.zero ? b.neg : a.neg;
	b.neg = b.zero ? a.neg : b.neg;
	v.id = NUMBER(w, E_COND + LOOSE, c.exact, a.id, b.id, a.neg != b.neg);
	v.neg = a.neg;
	return v;
}

/* ---- functions ---- */

static void bind(struct work *w, const struct var *var, struct known value)
{
	list_add(&w->bound, ((struct bound){ var, value }));
}

static bool is_return(const struct inner *s)
{
	return s->kind == N_IF && s->body.n == 1 && s->body.at[0]->kind == N_RETURN
	       && !s->otherwise.n;
}

/* Of statements; false: they are not that simple. */
static bool body_value(struct work *w, const struct type *type, struct inner *const *at, int n,
                       struct known *v)
{
	for (int k = 0; k < n; k++) {
		const struct inner *s = at[k];
		if (s->kind == N_RETURN) {
			*v = value_of(w, s->a);
			return true;
		}
		if (is_return(s)) {
			struct known c = value_of(w, s->a), early = value_of(w, s->body.at[0]->a);
			bool simple = body_value(w, type, at + k + 1, n - k - 1, v);
			*v = choice(w, type, c, early, *v);
			return simple;
		}
		if (s->kind != N_LET || s->var->is_mutable || !s->a
		    || s->var->type->kind == T_ARRAY)
			return false;
		bind(w, s->var, value_of(w, s->a));
	}
	return false;
}

static struct known call(struct work *w, const struct expr *e, int n, const struct known *arg)
{
	struct known v = applied(w, e, e->fn, n, arg, false);
	if (e->fn->from || e->fn->fails || e->fn->param.n != n || e->fn->size.n)
		return v;
	for (int a = 0; a < n; a++)
		bind(w, e->fn->param.at[a], arg[a]);
	if (e->fn->value)
		return value_of(w, e->fn->value);
	struct known inside = v;
	return body_value(w, e->type, e->fn->body.at, e->fn->body.n, &inside) ? inside : v;
}

/* ---- expressions ---- */

static struct known variable(struct work *w, const struct var *var)
{
	for (int k = w->bound.n - 1; k >= 0; k--)
		if (w->bound.at[k].var == var)
			return w->bound.at[k].value;
	return whole(NUMBER(w, E_VAR, address(var)));
}

static struct known constant(struct work *w, const struct expr *e)
{
	int64_t bits;
	memcpy(&bits, &e->value.f, sizeof bits);
	struct known v = whole(NUMBER(w, E_CONST, address(e->type), e->value.i, bits));
	v.zero = e->value.i == 0 && e->value.f == 0;
	return v;
}

static struct known value_of(struct work *w, const struct expr *e)
{
	struct known a[MOST_KEY];
	int n = e->arg.n;
	if (e->kind == E_CONST)
		return constant(w, e);
	if (e->kind == E_VAR)
		return variable(w, e->var);
	if (n > MOST_PARTS || ++w->steps > MOST_STEPS)
		return unknown(w);
	for (int k = 0; k < n && e->kind != E_FOLD; k++)
		a[k] = value_of(w, e->arg.at[k]);
	switch (e->kind) {
	case E_CONST: case E_VAR: break;
	case E_READ: case E_ELEM:
		return applied(w, e, e->var ? (const void *)e->var : e->field, n, a, false);
	case E_FIELD:
		return part_of(w, a[0], e->field, place_of(e->arg.at[0]->type, e->field));
	case E_STRUCT:
		return has_parts(e->type) ? made(w, e->type, n, a)
		                          : applied(w, e, NULL, n, a, false);
	case E_UNARY: return unary(w, e, a[0]);
	case E_BINARY: return binary(w, e, a[0], a[1]);
	case E_COND: return choice(w, e->type, a[0], a[1], a[2]);
	case E_CAST: return cast(w, e, a[0]);
	case E_CALL: return call(w, e, n, a);
	case E_MATH: return math(w, e, n, a);
	case E_FOLD: case E_OR_ZERO: break;
	}
	return unknown(w);
}

/* ---- the law ---- */

/* The value b, where `term` is the value a; NULL: it does not follow, because of a field, if one is
 * named. */
static struct expr *follows(const struct known *a, const struct known *b, struct expr *term,
                            const char **part)
{
	if (a->exact == b->exact || (a->id == b->id && a->neg == b->neg))
		return term;
	if (a->id == b->id) {
		struct expr *e = expr_new(E_UNARY, term->type, term->at);
		e->op = OP_NEG;
		list_add(&e->arg, term);
		return e;
	}
	struct expr *e = expr_new(E_STRUCT, term->type, term->at);
	for (int k = 0; a->part && b->part && k < a->parts; k++) {
		const struct field *field = &term->type->record->field.at[k];
		struct expr *own = follows(&a->part[k], &b->part[k],
		                           expr_part(expr_copy(term), field, NULL), part);
		if (!own) {
			*part = field->name;
			return NULL;
		}
		list_add(&e->arg, own);
	}
	return e->arg.n ? e : NULL;
}

static struct known with_indices(struct work *w, const struct expr *e, struct var *const *index,
                                 bool exchanged)
{
	for (int k = 0; k < 2; k++)
		bind(w, index[k], whole(NUMBER(w, -2, exchanged ? !k : k)));
	return value_of(w, e);
}

const char *mirror_of(const struct expr *fold, struct var *cell, struct mirror *m)
{
	struct work *w = NEW(struct work);
	struct var *index[] = { cell, fold->fold->index.at[0] };
	const struct expr *term = fold->arg.at[0], *where = fold->fold->where;
	const char *part = NULL;
	if (where && with_indices(w, where, index, false).exact
	                     != with_indices(w, where, index, true).exact)
		return str_print("with `%s` and `%s` exchanged its condition is not proved to be "
		                 "the same", index[0]->name, index[1]->name);
	struct known a = with_indices(w, term, index, false),
		     b = with_indices(w, term, index, true);
	m->term = NEW(struct var);
	*m->term = (struct var){ .kind = VAR_LOCAL, .name = "term", .type = term->type };
	m->value = follows(&a, &b, expr_var(m->term, term->at), &part);
	if (m->value)
		return NULL;
	return str_print("with `%s` and `%s` exchanged %s is proved neither to be the same nor its "
	                 "negative", index[0]->name, index[1]->name,
	                 part ? str_print("`%s` of a term", part) : "a term");
}
