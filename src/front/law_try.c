/* law_try.c - tests a law of an operator on sampled values, with the reference interpreter.
 *
 * Rounding.  The code of both sides is laced: after every node stands a watcher, which sees the
 * node's value.  It keeps the largest unit in the last place among them (of the largest
 * intermediate, if all are of one type), so R18's 64 ulp are known, and it sharpens the
 * interpreter's running error bound e (eval_value.c), which knows what 64 ulp cannot: an exact
 * sum, product or quotient has no error; one that underflows has that of the least denormal.  The
 * two sides differ if |left - right| > 64 ulp + e(left) + e(right), or one alone is NaN.  A side
 * whose e is infinite says nothing: it overflowed, or depends on a comparison or a truncation that
 * rounding decides.  So `+` and `*` are associative, with overflow and inf - inf in the sample.
 *
 * Time.  A watcher also counts.  A law gets SOFT nodes (less where a file has thousands of laws),
 * about a millisecond; it goes on until ENOUGH samples have said something, but never beyond HARD:
 * then it cannot be told.  All laws together have TOTAL.  Counts, not clocks: the verdict is the
 * same on every machine.
 *
 * Conditions.  A law that is claimed of some values only (`for v where CONDITION`) is held against
 * such ones, which law_draw.c finds.  There a signed integer that overflows says nothing, like a
 * float: no condition that its operator keeps bounds a sum, and without this no law of sums and
 * maxima would hold (Note [max and + of integers]).
 *
 * Structs are compared leaf by leaf, against the largest intermediate of all of them.
 *
 * A counterexample is shrunk: each leaf in turn becomes the simplest value that still refutes. */
#include <assert.h>
#include <stdlib.h>

#include "small.h"
#include "law_impl.h"
#include "show.h"

#define SOFT_ALL 20000000
#define SOFT_MOST 50000
#define SOFT_LEAST 4000
#define HARD 2000000
#define TOTAL 50000000
#define ENOUGH 16
#define SAMPLES 3072
#define ULPS 64

/* ---- watchers ---- */

/* Knuth's TwoSum: its error term is exact in double, for floats too once a + b == s in double. */
static bool exact_sum(double a, double b, double s)
{
	double bb = s - a;

	return a + b == s && (a - (s - bb)) + (b - bb) == 0;
}

/* Away from where the rest itself would underflow. */
static bool exact_product(double a, double b, double p)
{
	return a == 0 || b == 0 || (fabs(p) > 1e-250 && fma(a, b, -p) == 0);
}

static bool is_exact(enum operation op, double a, double b, double r)
{
	switch ((int)op) {                   /* int: the other operators give no float */
	case OP_ADD: return exact_sum(a, b, r);
	case OP_SUB: return exact_sum(a, -b, r);
	case OP_MUL: return exact_product(a, b, r);
	case OP_DIV: return b != 0 && (a == 0 || (fabs(a) > 1e-250 && fma(r, b, -a) == 0));
	case OP_REM: return true;
	default: return false;
	}
}

/* The bound of a + b, a * b, ... whose arguments have just been watched. */
static double sharpened(const struct code *c, struct num v)
{
	struct num a = c->arg[0]->passed[0], b = c->arg[1]->passed[0];
	bool product = c->expr->op == OP_MUL || c->expr->op == OP_DIV;

	if (isfinite(v.f) && a.e == 0 && b.e == 0 && is_exact(c->expr->op, a.f, b.f, v.f))
		return 0;
	if (product && isfinite(a.f) && isfinite(b.f)
	    && fabs(v.f) < float_limits(c->type)->least_normal)
		return v.e + float_limits(c->type)->least;
	return v.e;
}

/* In ints that carry a sign; a cast that cannot hold the value counts. */
static bool overflowed(const struct code *c, struct num v)
{
	const struct expr *e = c->expr;
	int64_t a = c->n > 0 ? c->arg[0]->passed[0].i : 0;
	int64_t b = c->n > 1 ? c->arg[1]->passed[0].i : 0, exact;

	if (type_class(c->type) != 'I' || type_class(c->of) != 'I')
		return false;
	if (e->kind == E_CAST || (e->kind == E_UNARY && e->op == OP_NEG))
		return e->kind == E_CAST ? v.i != a : v.i == a && a != 0;
	if (e->kind != E_BINARY || (e->op != OP_ADD && e->op != OP_SUB && e->op != OP_MUL))
		return false;
	bool wide = e->op == OP_ADD ? __builtin_add_overflow(a, b, &exact)
	            : e->op == OP_SUB ? __builtin_sub_overflow(a, b, &exact)
	                              : __builtin_mul_overflow(a, b, &exact);
	return wide || exact != v.i;
}

static struct num watched(struct eval *ev, const struct code *w)
{
	struct trial *t = (struct trial *)ev;
	struct num v;

	if (++ev->steps > ev->limit)
		ev->stopped = true;
	if (ev->stopped)
		return (struct num){ .i = (int64_t)(intptr_t)w->bytes };
	v = run(ev, w->arg[0]);
	if (is_float_type(w->type)) {
		if (w->expr->kind == E_BINARY)
			v.e = sharpened(w->arg[0], v);
		if (isfinite(v.f))
			t->ulp = worse(t->ulp, fabs(v.f) * float_limits(w->type)->epsilon);
	}
	t->overflow |= overflowed(w->arg[0], v);
	w->passed[0] = v;
	return v;
}

static void lace(struct trial *, struct code **);

static void lace_steps(struct trial *t, struct step *s, int n)
{
	for (int k = 0; k < n; k++) {
		lace(t, &s[k].a);
		lace(t, &s[k].b);
		lace_steps(t, s[k].body, s[k].n_body);
		lace_steps(t, s[k].otherwise, s[k].n_otherwise);
	}
}

static void lace_body(struct trial *t, struct body *b)
{
	if (!b || known_find(t->laced, b))
		return;
	known_add(&t->laced, b, b);
	lace(t, &b->value);
	lace_steps(t, b->step, b->n);
}

/* Puts a watcher before the node at *at and before all below it. */
static void lace(struct trial *t, struct code **at)
{
	struct code *c = *at, *w;

	if (!c)
		return;
	assert(!c->fold && "a function holds no fold");
	for (int k = 0; k < c->n; k++)
		lace(t, &c->arg[k]);
	lace_body(t, c->body);
	w = NEW(struct code);
	*w = *c;
	w->run = watched;
	w->arg = array_new(1, sizeof *w->arg);
	w->arg[0] = c;
	w->passed = array_new(1, sizeof *w->passed);
	*at = w;
}

struct code *law_code(struct trial *t, const struct expr *e)
{
	struct code *c = code_of(&t->ev, e);

	lace(t, &c);
	return c;
}

/* ---- one sample ---- */

void law_bind(const struct trial *t, struct place *to, const struct num *value)
{
	if (!to->data) {
		place_set(to, value[0]);
		return;
	}
	for (int j = 0; j < t->leaf.n; j++)
		num_store(t->leaf.at[j].type, to->data + t->leaf.at[j].offset, value[j]);
	to->error[0] = 0;
}

static enum verdict compare_leaf(const struct trial *t, const struct type *type, struct num l,
                                 struct num r)
{
	if (l.e >= OPEN || r.e >= OPEN || isnan(l.e + r.e))
		return LAW_OPEN;
	if (!is_float_type(type))
		return l.i == r.i ? LAW_HOLDS : LAW_FALSE;
	if (isnan(l.f) || isnan(r.f))
		return isnan(l.f) && isnan(r.f) ? LAW_HOLDS : LAW_FALSE;
	if (l.f == r.f)
		return LAW_HOLDS;
	return fabs(l.f - r.f) > ULPS * worse(t->ulp, float_limits(type)->least) + l.e + r.e
	               ? LAW_FALSE
	               : LAW_HOLDS;
}

struct num law_leaf(const struct trial *t, const struct leaf *leaf, struct num whole)
{
	struct num v = whole;

	if (!in_memory(t->type))
		return v;
	v = num_load(leaf->type, (const char *)(intptr_t)whole.i + leaf->offset);
	v.e = whole.e;
	return v;
}

/* Field by field (R16). */
static enum verdict compare(const struct trial *t)
{
	enum verdict all = LAW_HOLDS;

	for (int k = 0; k < t->leaf.n; k++) {
		const struct leaf *leaf = &t->leaf.at[k];
		enum verdict one = compare_leaf(t, leaf->type, law_leaf(t, leaf, t->l),
		                                law_leaf(t, leaf, t->r));
		if (one == LAW_FALSE)
			return LAW_FALSE;
		all = one == LAW_OPEN ? LAW_OPEN : all;
	}
	return all;
}

/* Is the condition of what `left` gives true? */
static enum verdict kept_true(const struct trial *t)
{
	return t->r.e >= OPEN ? LAW_OPEN : t->r.i ? LAW_HOLDS : LAW_FALSE;
}

static enum verdict try(struct trial *t, const struct law *law)
{
	for (int k = 0; k < law->vars; k++)
		law_bind(t, t->place[k], t->value[k]);
	t->ev.steps += t->leaf.n;
	t->ulp = 0;
	t->overflow = false;
	t->l = run(&t->ev, t->left);
	t->r = run(&t->ev, t->right);
	if (t->ev.stopped || (law->given[0] && t->overflow))
		return LAW_OPEN;
	return law->kept ? kept_true(t) : compare(t);
}

/* ---- shrinking ---- */

/* With v in the leaf k of a variable. */
static bool still(struct trial *t, const struct law *law, int var, int k, struct num v)
{
	struct num *at = &t->value[var][k], old = *at;

	if (t->ev.stopped)
		return false;
	*at = v;
	if (law_fits(t, t->value[var]) && try(t, law) == LAW_FALSE)
		return true;
	*at = old;
	return false;
}

/* Small values first, then the rest of the list, the edges last. */
static void shrink_leaf(struct trial *t, const struct law *law, int var, int k)
{
	const struct leaf *leaf = &t->leaf.at[k];
	const struct choices *c = law_choices(t, leaf->type);
	struct num *at = &t->value[var][k];

	for (int j = 0; j < c->n; j++) {
		if (is_float_type(leaf->type) ? c->at[j].f == at->f : c->at[j].i == at->i)
			return;                          /* nothing simpler is left */
		if (law_allows(t, law, leaf, c->at[j]) && still(t, law, var, k, c->at[j]))
			return;
	}
	if (is_float_type(leaf->type) && isfinite(at->f))
		still(t, law, var, k, (struct num){ .f = trunc(at->f) });
	while (!is_float_type(leaf->type) && at->i != 0
	       && still(t, law, var, k,
	                num_cast(leaf->type, type_scalar(T_I64), num_int(at->i / 2))))
		;
}

/* A second round: what one variable loses may free another. */
static void shrink(struct trial *t, const struct law *law)
{
	for (int round = 0; round < 2; round++)
		for (int v = 0; v < law->vars; v++)
			for (int k = 0; k < t->leaf.n; k++)
				shrink_leaf(t, law, v, k);
	t->ev.stopped = false;
	t->ev.limit = INT64_MAX;                 /* it ran before */
	bool again = try(t, law) == LAW_FALSE;
	assert(again && "a sample that refutes does so twice");
	(void)again;
}

/* ---- as text ---- */

/* The fewest digits that say which number it is. */
static const char *float_text(const struct type *type, double f)
{
	char *text = NULL;

	if (isnan(f))
		return "nan";
	if (fabs(f) < 1e7 && f == trunc(f))
		return str_print("%.0f", f);
	for (int digits = 1; digits <= 17; digits++) {
		text = str_print("%.*g", digits, f);
		if (f == float_round(type, strtod(text, NULL)))
			break;
	}
	return text;
}

static const char *number_text(const struct type *type, struct num v)
{
	switch (type_class(type)) {
	case 'B': return v.i ? "true" : "false";
	case 'I': return str_print("%lld", (long long)v.i);
	case 'U': return str_print("%llu", (unsigned long long)v.i);
	default: return float_text(type, v.f);
	}
}

static const char *value_text(const struct type *, struct num);

static const char *array_text(const struct type *type, struct num v)
{
	int64_t each = type_size(type->elem), n = type_size(type) / each;
	const char *text = "[", *data = (const char *)(intptr_t)v.i;

	for (int64_t k = 0; k < n && k < 32; k++)
		text = str_print("%s%s%s", text, k ? ", " : "",
		                 value_text(type->elem, num_load(type->elem, data + k * each)));
	return str_print("%s%s]", text, n > 32 ? ", ..." : "");
}

static const char *value_text(const struct type *type, struct num v)
{
	const char *text, *data = (const char *)(intptr_t)v.i;

	if (type->kind == T_ARRAY)
		return array_text(type, v);
	if (type->kind != T_STRUCT)
		return number_text(type, v);
	text = str_print("%s(", type->record->name);
	for (int k = 0; k < type->record->field.n; k++) {
		const struct field *f = &type->record->field.at[k];
		text = str_print("%s%s%s", text, k ? ", " : "",
		                 value_text(f->type, num_load(f->type, data + f->offset)));
	}
	return str_print("%s)", text);
}

/* One side of the law, the sample in place of its variables. */
static const char *side_text(struct trial *t, const struct expr *e, bool inside)
{
	const char *text = e->kind == E_CALL   ? e->fn->name
	                   : e->kind == E_MATH ? math_table[e->math].name
	                                       : "";
	void *value = mem_new((size_t)type_size(e->type));

	if (e->kind == E_STRUCT && eval_value(e, value))        /* an identity: a constant */
		return show_value(e->type, value);
	if (e->kind == E_VAR)
		return value_text(e->type, place_get(place_of(&t->ev, e->var)));
	if (e->kind == E_CONST)
		return value_text(e->type, (struct num){ .i = e->value.i, .f = e->value.f });
	if (e->kind == E_BINARY)
		return str_print(inside ? "(%s %s %s)" : "%s %s %s",
		                 side_text(t, e->arg.at[0], true), operation_text[e->op],
		                 side_text(t, e->arg.at[1], true));
	for (int k = 0; k < e->arg.n; k++)
		text = str_print("%s%s%s", text, k ? ", " : "(", side_text(t, e->arg.at[k], false));
	return str_print("%s)", text);
}

const char *law_text(struct trial *t, const struct expr *e)
{
	return side_text(t, e, false);
}

char *law_counterexample(struct trial *t, const struct law *law)
{
	const char *left = law_text(t, law->left);
	const char *right = law->kept ? "" : law_text(t, law->right);
	const char *l = value_text(t->type, t->l), *r;

	if (law->kept)
		return law->vars ? str_print("%s = %s", left, l) : str_print("%s", l);
	r = value_text(t->type, t->r);
	if (law->right->kind == E_VAR)
		return str_print("%s = %s, not %s", left, l, right);
	return str_print("%s = %s, but %s = %s", left, l, right, r);
}

/* ---- one law ---- */

static void leaves(struct trial *t, const struct type *type, int64_t offset)
{
	if (type->kind == T_STRUCT)
		for (int k = 0; k < type->record->field.n; k++)
			leaves(t, type->record->field.at[k].type,
			       offset + type->record->field.at[k].offset);
	else if (type->kind == T_ARRAY)
		for (int64_t at = 0; at < type_size(type); at += type_size(type->elem))
			leaves(t, type->elem, offset + at);
	else
		list_add(&t->leaf, ((struct leaf) { .type = type, .offset = offset }));
}

static void prepare_type(struct trial *t, const struct type *type)
{
	t->type = type;
	t->leaf.n = 0;
	leaves(t, type, 0);
	for (int k = 0; k < 3; k++)
		t->value[k] = array_new(t->leaf.n, sizeof **t->value);
}

static void prepare(struct trial *t, const struct law *law)
{
	struct num whole;

	if (t->type != law->var[0]->type)
		prepare_type(t, law->var[0]->type);
	t->has_identity = law->identity;
	if (law->identity) {
		whole = run(&t->ev, code_of(&t->ev, law->identity));
		for (int k = 0; k < t->leaf.n; k++)
			t->leaf.at[k].identity = law_leaf(t, &t->leaf.at[k], whole);
	}
	for (int k = 0; k < 3; k++)
		t->place[k] = place_of(&t->ev, law->var[k]);
	t->left = law_code(t, law->left);
	t->right = law_code(t, law->right);
	t->random = 0;
}

/* Every pair of bools is met in less. */
static int samples(const struct trial *t, const struct law *law)
{
	if (law->vars < 2)
		return law->vars ? SAMPLES / 8 : ENOUGH;
	return t->type->kind == T_BOOL ? SAMPLES / 32 : SAMPLES;
}

static enum verdict try_samples(struct trial *t, const struct law *law)
{
	int said = 0;
	int64_t before = t->ev.steps;
	enum verdict verdict = LAW_HOLDS;

	for (int k = 0; k < samples(t, law) && verdict != LAW_FALSE && !t->ev.stopped; k++) {
		if (t->ev.steps - before > t->soft && said >= ENOUGH)
			break;
		law_draw(t, law, k);
		verdict = try(t, law);
		said += verdict != LAW_OPEN;
	}
	if (verdict == LAW_FALSE)
		return LAW_FALSE;
	return said >= ENOUGH ? LAW_HOLDS : t->ev.stopped ? LAW_SLOW : LAW_OPEN;
}

enum verdict law_try(struct trial *t, const struct law *law)
{
	enum verdict verdict;
	bool enough;

	t->ev.steps = 0;
	t->ev.stopped = false;
	t->ev.limit = TOTAL - t->spent < HARD ? TOTAL - t->spent : HARD;
	prepare(t, law);
	enough = law_pool(t, law);
	verdict = enough ? try_samples(t, law) : t->ev.stopped ? LAW_SLOW : LAW_FEW;
	t->spent += t->ev.steps;
	if (verdict == LAW_FALSE)
		shrink(t, law);
	return verdict;
}

char *law_found(const struct trial *t)
{
	return str_print("%d of %d", t->pool.found, t->pool.tries);
}

struct trial *trial_new(int laws)
{
	struct trial *t = NEW(struct trial);

	t->ev.quiet = true;
	t->soft = SOFT_ALL / laws;
	t->soft = t->soft > SOFT_MOST ? SOFT_MOST : t->soft < SOFT_LEAST ? SOFT_LEAST : t->soft;
	return t;
}
