/* affine.c - affine forms of subscripts, bounds and extents, and what a subscript looks like.
 *
 * An affine form is constant + sum of coef * var over sizes, indices, counters and integer scalar
 * parameters of the host; only i64 arithmetic is looked at.  That arithmetic wraps (R5), but it is
 * a ring: the form equals the expression modulo 2^64 whatever overflows on the way, so a form whose
 * value is known to fit is the value.  Coefficients themselves are checked: one that does not fit
 * makes the expression "not affine", never wrong.
 *
 * A VAR_PARAM in a form is a value the compiler does not know; everything else is bounded by
 * the program.  legal.c, which proves things about forms, tells the two apart by var->kind. */
#include "graph.h"

#include <assert.h>
#include <string.h>

struct affine affine_constant(int64_t value)
{
	return (struct affine){ .constant = value };
}

struct affine affine_var(struct var *var)
{
	return (struct affine){ .n = 1, .term = { { var, 1 } } };
}

/* Inserts coef * var, keeping the order by id; false when the form is full. */
static bool term_insert(struct affine *a, struct var *var, int64_t coef)
{
	int k = a->n;
	if (a->n == MAX_RANK)
		return false;
	for (; k > 0 && a->term[k - 1].var->id > var->id; k--)
		a->term[k] = a->term[k - 1];
	a->term[k] = (struct term){ var, coef };
	a->n++;
	return true;
}

static void term_remove(struct affine *a, int k)
{
	a->n--;
	memmove(&a->term[k], &a->term[k + 1], (size_t)(a->n - k) * sizeof a->term[0]);
}

static bool term_add(struct affine *a, struct var *var, int64_t coef)
{
	for (int k = 0; k < a->n; k++) {
		if (a->term[k].var != var)
			continue;
		if (__builtin_add_overflow(a->term[k].coef, coef, &a->term[k].coef))
			return false;
		if (a->term[k].coef == 0)
			term_remove(a, k);
		return true;
	}
	return term_insert(a, var, coef);
}

bool affine_add(struct affine *a, const struct affine *b, int64_t times)
{
	struct affine sum = *a;
	int64_t product;
	assert(b->n >= 0 && "an affine form");
	if (__builtin_mul_overflow(b->constant, times, &product) ||
	    __builtin_add_overflow(sum.constant, product, &sum.constant))
		return false;
	for (int k = 0; times != 0 && k < b->n; k++)
		if (__builtin_mul_overflow(b->term[k].coef, times, &product) ||
		    !term_add(&sum, b->term[k].var, product))
			return false;
	*a = sum;
	return true;
}

/* The value of an integer constant that i64 can hold. */
static bool constant_of(const struct expr *e, int64_t *value)
{
	if (e->kind == E_VAR && e->var->kind == VAR_CONST && e->var->value)
		e = e->var->value;
	if (e->kind != E_CONST || !strchr("IU", type_class(e->type)))
		return false;
	*value = e->value.i;
	return e->type->kind != T_U64 || e->value.i >= 0;
}

/* A parameter of the kernel or fn, passed by value, whose every value i64 can hold. */
static bool is_host_integer(const struct var *v)
{
	return v->kind == VAR_PARAM && v->rank == 0 && v->mode == MODE_IN &&
	       strchr("IU", type_class(v->type)) && v->type->kind != T_U64;
}

static bool var_affine(const struct expr *e, struct affine *a)
{
	struct var *v = e->var;
	bool known = v->kind == VAR_SIZE || v->kind == VAR_INDEX || v->kind == VAR_COUNTER;
	if (!known && !is_host_integer(v))
		return false;
	*a = affine_var(v);
	return true;
}

static bool product_affine(const struct expr *e, struct affine *a)
{
	struct affine x, y;
	if (!affine_of(e->arg.at[0], &x) || !affine_of(e->arg.at[1], &y))
		return false;
	*a = affine_constant(0);
	if (x.n == 0)
		return affine_add(a, &y, x.constant);
	return y.n == 0 && affine_add(a, &x, y.constant);
}

static bool binary_affine(const struct expr *e, struct affine *a)
{
	struct affine right;
	if (e->op == OP_MUL)
		return product_affine(e, a);
	if (e->op != OP_ADD && e->op != OP_SUB)
		return false;
	return affine_of(e->arg.at[0], a) && affine_of(e->arg.at[1], &right) &&
	       affine_add(a, &right, e->op == OP_ADD ? 1 : -1);
}

static bool negation_affine(const struct expr *e, struct affine *a)
{
	struct affine x;
	*a = affine_constant(0);
	return e->op == OP_NEG && affine_of(e->arg.at[0], &x) && affine_add(a, &x, -1);
}

/* i64(e): e a constant or a variable; arithmetic of a narrower type may wrap before the cast. */
static bool cast_affine(const struct expr *e, struct affine *a)
{
	const struct expr *x = e->arg.at[0];
	if (x->type->kind == T_I64)
		return affine_of(x, a);
	if (constant_of(x, &a->constant)) {
		*a = affine_constant(a->constant);
		return true;
	}
	return x->kind == E_VAR && var_affine(x, a);
}

bool affine_of(const struct expr *e, struct affine *a)
{
	int64_t value;
	if (e->type->kind != T_I64)
		return false;
	if (constant_of(e, &value)) {
		*a = affine_constant(value);
		return true;
	}
	if (e->kind == E_VAR)
		return var_affine(e, a);
	if (e->kind == E_CAST)
		return cast_affine(e, a);
	if (e->kind == E_UNARY)
		return negation_affine(e, a);
	return e->kind == E_BINARY && binary_affine(e, a);
}

int64_t affine_coefficient(const struct affine *a, const struct var *var)
{
	for (int k = 0; k < a->n; k++)
		if (a->term[k].var == var)
			return a->term[k].coef;
	return 0;
}

bool affine_equal(const struct affine *a, const struct affine *b)
{
	if (a->n != b->n || a->constant != b->constant)
		return false;
	for (int k = 0; k < a->n; k++)
		if (affine_coefficient(b, a->term[k].var) != a->term[k].coef)
			return false;
	return true;
}

/* Appends coef * var as a reader would write it: "n", "-n", "+2*n". */
static char *term_text(const char *before, struct term t)
{
	const char *sign = t.coef < 0 ? "-" : *before ? "+" : "";
	uint64_t size = t.coef < 0 ? -(uint64_t)t.coef : (uint64_t)t.coef;
	if (size == 1)
		return str_print("%s%s%s", before, sign, t.var->name);
	return str_print("%s%s%llu*%s", before, sign, (unsigned long long)size, t.var->name);
}

struct var *affine_index(const struct affine *a, int64_t *coef)
{
	struct var *v = NULL;
	for (int k = 0; k < a->n; k++)
		if (a->term[k].var->kind == VAR_INDEX) {
			if (v)
				return NULL;
			v = a->term[k].var;
			*coef = a->term[k].coef;
		}
	return v;
}

bool affine_is(const struct expr *e, int64_t number)
{
	struct affine a;
	return affine_of(e, &a) && !a.n && a.constant == number;
}

bool affine_spans(const struct expr *lo, const struct expr *hi, const struct affine *extent)
{
	struct affine end;
	return affine_is(lo, 0) && affine_of(hi, &end) && affine_equal(&end, extent);
}

int64_t affine_cells(const struct expr *lo, const struct expr *hi)
{
	struct affine from, to;
	if (!affine_of(lo, &from) || !affine_of(hi, &to) || !affine_add(&to, &from, -1) || to.n)
		return -1;
	return to.constant > 0 ? to.constant : 0;
}

char *affine_text(const struct affine *a)
{
	char *text = str_print("%s", "");
	for (int pass = 0; pass < 2; pass++)        /* n-i, not -i+n */
		for (int k = 0; k < a->n; k++)
			if ((a->term[k].coef > 0) == (pass == 0))
				text = term_text(text, a->term[k]);
	if (a->constant == 0 && a->n > 0)
		return text;
	return str_print(*text ? "%s%+lld" : "%s%lld", text, (long long)a->constant);
}

/* ---- what a subscript looks like ---- */

static int domain_index(const struct node *node, const struct var *var)
{
	for (int k = 0; k < node->index.n; k++)
		if (node->index.at[k] == var)
			return k;
	return -1;
}

bool affine_never_negative(const struct affine *a)
{
	for (int t = 0; t < a->n; t++)
		if (a->term[t].var->kind != VAR_SIZE || a->term[t].coef < 0)
			return false;
	return a->constant >= 0;
}

bool affine_folded(const struct node *node, const struct affine *a)
{
	for (int t = 0; t < a->n; t++)
		if (a->term[t].var->kind == VAR_INDEX && domain_index(node, a->term[t].var) < 0)
			return true;
	return false;
}

bool access_shift(const struct node *node, const struct expr *subscript, struct shift *s)
{
	s->k = -1;
	if (!affine_of(subscript, &s->rest))
		return false;
	for (int t = 0; t < s->rest.n; t++) {
		int k = domain_index(node, s->rest.term[t].var);
		if (k >= 0 && s->k >= 0)
			return false;
		if (k >= 0) {
			s->k = k;
			s->coef = s->rest.term[t].coef;
		}
	}
	if (s->k < 0)
		return false;
	struct affine own = affine_var(node->index.at[s->k]);
	return affine_add(&s->rest, &own, -s->coef);
}

bool access_offset(const struct node *node, const struct expr *read, int axis, int *k,
                   int64_t *offset)
{
	struct shift s;
	assert(read->kind == E_READ && axis < read->arg.n && "an axis of an array");
	if (!access_shift(node, read->arg.at[axis], &s) || s.coef != 1 || s.rest.n)
		return false;
	*k = s.k;
	*offset = s.rest.constant;
	return true;
}

/* The same for every cell of the statement: constants, sizes, counters, parameters. */
static bool is_uniform(const struct expr *e)
{
	struct affine a;
	if (!affine_of(e, &a))
		return false;
	for (int k = 0; k < a.n; k++)
		if (a.term[k].var->kind == VAR_INDEX)
			return false;
	return true;
}

bool access_own(const struct node *node, const struct expr *read)
{
	int last = -1, k;
	int64_t offset;
	for (int axis = 0; axis < read->arg.n; axis++) {
		if (is_uniform(read->arg.at[axis]))
			continue;
		if (!access_offset(node, read, axis, &k, &offset) || offset != 0 || k <= last)
			return false;           /* k <= last: permuted or on a diagonal, see R29 */
		last = k;
	}
	return true;
}
