/* law_draw.c - draws the sample values on which law_try.c tests a law.
 *
 * Each variable is drawn, leaf by leaf where it is a struct, from a list per type: small
 * numbers, powers of two and their neighbours, the largest and the least, for floats also
 * denormals and infinities; the operator's identity; and random values.  NaN is never drawn (R18).
 * Every second sample walks the cube of small, extreme and identity values, in an order that
 * spreads; the others mix.  The generator starts anew for every law: what is refuted today is
 * refuted tomorrow.
 *
 * Conditions.  A law may be claimed of the values only for which a condition holds.  Then a pool of
 * such values is made first, and samples are taken from it.  A condition that joins several parts
 * by && is true for few random values.  So a value is changed step by step instead: a leaf becomes
 * another drawn number, a constant of the condition, or what another leaf is, and the change stays
 * unless fewer parts are true than before.  After BURST changes the next value to begin with is
 * taken: the identity, a drawn value, one number in all leaves, or what the operator makes of two
 * values of the pool.  If the condition leaves only a few values, all of them are found, and
 * all tuples of them are tried. */
#include <assert.h>
#include <string.h>

#include "small.h"
#include "law_impl.h"

#define SMALL 6         /* first in a list */
#define EDGES 4         /* last in a list */
#define TRIES 4096      /* to find values for which a condition holds, */
#define BURST 32        /* so many in a row */
#define POOL 256        /* they are not more */

/* ---- lists of values ---- */

static void add(struct choices *c, const struct type *t, double f)
{
	assert(c->n < (int)(sizeof c->at / sizeof *c->at) && "the lists are short");
	c->at[c->n++] = (struct num){ .f = float_round(t, f) };
}

static void add_int(struct choices *c, const struct type *t, int64_t i)
{
	assert(c->n < (int)(sizeof c->at / sizeof *c->at) && "the lists are short");
	c->at[c->n++] = num_cast(t, type_scalar(T_I64), num_int(i));
}

static void list_floats(struct choices *c, const struct type *t)
{
	static const double plain[] = {
		1,    2,    3,      0,   -1,       -2,       0.5,          -0.5, 4,
		5,    7,    10,     -3,  -10,      0.1,      -0.3,         1.5,  -3.25,
		100,  -100, 1e-3,   1e3, 16777215, 16777217, 4294967296.0, 1e10, 1e-10,
		1e18, 88.5, -103.5, 700, -740,     -0.0
	};
	const struct float_limits *l = float_limits(t);

	for (size_t k = 0; k < sizeof plain / sizeof *plain; k++)
		add(c, t, plain[k]);
	add(c, t, 1 + l->epsilon);
	add(c, t, sqrt(l->most));
	add(c, t, l->most / 4);
	add(c, t, l->least);
	add(c, t, -l->least);
	add(c, t, l->least_normal);
	add(c, t, INFINITY);
	add(c, t, -INFINITY);
	add(c, t, l->most);
	add(c, t, -l->most);
}

static void list_integers(struct choices *c, const struct type *t)
{
	static const int8_t plain[] = { 1, 2, 3, 0, -1, -2, 4, 5, 6, 7, 10, 12, 100, -3, -7, -100 };
	static const int8_t powers[] = { 7, 8, 15, 16, 23, 24, 31, 32, 52, 53, 62 };
	int bits = (int)(8 * type_size(t));
	bool is_signed = type_class(t) == 'I';
	int64_t top = is_signed ? INT64_MAX >> (64 - bits) : -1, low = is_signed ? -top - 1 : 0;

	for (size_t k = 0; k < sizeof plain / sizeof *plain; k++)
		add_int(c, t, plain[k] < 0 && !is_signed ? 3 - plain[k] : plain[k]);
	for (size_t k = 0; k < sizeof powers / sizeof *powers; k++)
		if (powers[k] < bits)
			for (int d = -1; d <= 1; d++)
				add_int(c, t, ((int64_t)1 << powers[k]) + d);
	add_int(c, t, top);
	add_int(c, t, low);
	add_int(c, t, is_signed ? top - 1 : (int64_t)((uint64_t)1 << (bits - 1)));
	add_int(c, t, is_signed ? low + 1 : -2);
}

const struct choices *law_choices(struct trial *t, const struct type *type)
{
	struct choices *c = t->choices[type->kind];

	if (c)
		return c;
	c = t->choices[type->kind] = NEW(struct choices);
	if (type_class(type) == 'B')
		c->at[c->n++] = num_int(1), c->at[c->n++] = num_int(0);
	else if (type_class(type) == 'F')
		list_floats(c, type);
	else
		list_integers(c, type);
	return c;
}

/* ---- random values: splitmix64 ---- */

static uint64_t random_bits(struct trial *t)
{
	uint64_t z = t->random += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

static int random_below(struct trial *t, int n)
{
	return (int)(random_bits(t) >> 33) % n;
}

/* Mostly of everyday size, one in four of any; the top octave stays free of overflow. */
static struct num random_float(struct trial *t, const struct type *type)
{
	bool wide = random_below(t, 4) == 0;
	int top = float_limits(type)->max_exp;
	int exponent = wide ? random_below(t, 2 * top - 4) - top + 2 : random_below(t, 20) - 10;
	double f = ldexp(1 + ldexp((double)(random_bits(t) >> 12), -52), exponent);

	f = float_round(type, f);
	return (struct num){ .f = random_bits(t) & 1 ? -f : f };
}

static struct num random_value(struct trial *t, const struct type *type)
{
	if (type_class(type) == 'F')
		return random_float(t, type);
	/* the order of two draws is ours to say: C leaves it open within an expression */
	uint64_t drawn = random_bits(t);
	int64_t bits = (int64_t)(drawn >> random_below(t, 64));
	return num_cast(type, type_scalar(T_I64), num_int(random_bits(t) & 1 ? -bits : bits));
}

/* ---- one sample ---- */

/* The list of a leaf, the identity after its end. */
static struct num choice(struct trial *t, const struct leaf *leaf, int k)
{
	const struct choices *c = law_choices(t, leaf->type);

	return k < c->n ? c->at[k] : leaf->identity;
}

static int choices_n(struct trial *t, const struct leaf *leaf)
{
	return law_choices(t, leaf->type)->n + t->has_identity;
}

/* How many values a cube has along an edge: three variables leave room for few. */
static int cube_edge(struct trial *t, const struct law *law)
{
	int n = choices_n(t, &t->leaf.at[0]), few = SMALL + EDGES + t->has_identity;

	return law->vars < 3 || n < few ? n : few;
}

/* The k-th value of a cube's edge: small ones first, then from the end, where the extremes are. */
static struct num on_cube(struct trial *t, const struct law *law, int k)
{
	int n = choices_n(t, &t->leaf.at[0]), edge = cube_edge(t, law);

	return choice(t, &t->leaf.at[0], k < SMALL ? k : n - edge + k);
}

static struct num mixed(struct trial *t, const struct leaf *leaf)
{
	switch (random_below(t, 4)) {
	case 0: return random_value(t, leaf->type);
	case 1:
		return choice(t, leaf,
		              random_below(t, law_choices(t, leaf->type)->n < SMALL ? 2 : SMALL));
	default: return choice(t, leaf, random_below(t, choices_n(t, leaf)));
	}
}

/* A struct is a ring of its own (complex numbers, affine maps), in which 0 * inf is bound to meet:
 * its leaves are infinite where the identity's are. */
bool law_allows(const struct trial *t, const struct law *law, const struct leaf *leaf,
                struct num v)
{
	if (type_class(leaf->type) != 'F' || isfinite(v.f))
		return true;
	if (isnan(v.f))
		return false;
	return (!law->ring && t->leaf.n == 1) || law->inf[v.f < 0]
	       || (t->has_identity && leaf->identity.f == v.f);
}

/* A struct's other leaves are mixed; one in eight is the identity whole. */
static void draw_var(struct trial *t, const struct law *law, struct num *value, int64_t cube)
{
	bool whole = t->has_identity && t->leaf.n > 1 && random_below(t, 8) == 0;

	for (int k = 0; k < t->leaf.n; k++) {
		const struct leaf *leaf = &t->leaf.at[k];
		value[k] = whole ? leaf->identity : k == 0 && cube >= 0 ? on_cube(t, law, (int)cube)
		           : mixed(t, leaf);
		if (!law_allows(t, law, leaf, value[k]))
			value[k] = choice(t, leaf, random_below(t, 2));
	}
}

/* ---- values for which conditions hold ---- */

static struct num *value_copy(const struct trial *t, const struct num *value)
{
	struct num *made = array_new(t->leaf.n, sizeof *made);

	memcpy(made, value, (size_t)t->leaf.n * sizeof *made);
	return made;
}

static bool same(const struct trial *t, const struct num *a, const struct num *b)
{
	for (int k = 0; k < t->leaf.n; k++)
		if (is_float_type(t->leaf.at[k].type) ? a[k].f != b[k].f : a[k].i != b[k].i)
			return false;
	return true;
}

static void pool_add(struct trial *t, const struct num *value)
{
	for (int k = 0; k < t->pool.at.n; k++)
		if (same(t, t->pool.at.at[k], value))
			return;
	list_add(&t->pool.at, value_copy(t, value));
}

/* How many parts of the conditions are true: what rounding decides is not. */
static int parts_true(struct trial *t, const struct num *value)
{
	int n = 0;

	for (int k = 0; k < 2 && t->pool.whose[k]; k++)
		law_bind(t, t->pool.whose[k], value);
	for (int k = 0; k < t->pool.part.n; k++) {
		struct num v = run(&t->ev, t->pool.part.at[k]);
		n += v.i && v.e < OPEN && !t->ev.stopped;
	}
	return n;
}

bool law_fits(struct trial *t, const struct num *value)
{
	return parts_true(t, value) == t->pool.part.n;
}

/* What the operator makes of two values of the pool. */
static void joined(struct trial *t, struct num *value)
{
	for (int k = 0; k < 2; k++)
		law_bind(t, t->place[k], t->pool.at.at[random_below(t, t->pool.at.n)]);
	struct num whole = run(&t->ev, t->pool.join);
	for (int k = 0; k < t->leaf.n; k++) {
		value[k] = law_leaf(t, &t->leaf.at[k], whole);
		value[k].e = 0;
	}
}

/* The same small number in all leaves. */
static void uniform(struct trial *t, struct num *value)
{
	int at = random_below(t, SMALL);

	for (int k = 0; k < t->leaf.n; k++) {
		const struct choices *c = law_choices(t, t->leaf.at[k].type);
		value[k] = c->at[at % c->n];
	}
}

static void begin(struct trial *t, const struct law *law, struct num *value, int burst)
{
	if (burst % 4 == 0 && t->has_identity)
		for (int k = 0; k < t->leaf.n; k++)
			value[k] = t->leaf.at[k].identity;
	else if (burst % 4 == 2)
		uniform(t, value);
	else if (burst % 4 == 3 && t->pool.at.n)
		joined(t, value);
	else
		draw_var(t, law, value, -1);
}

/* A constant of the condition, or the number next to it: where the condition begins to hold. */
static struct num at_edge(struct trial *t, const struct leaf *leaf)
{
	const struct expr *e = t->pool.constant.at[random_below(t, t->pool.constant.n)];
	struct num v = num_cast(leaf->type, e->type, (struct num){ e->value.i, e->value.f, 0 });
	int next = random_below(t, 3) - 1;

	v.i = num_cast(leaf->type, type_scalar(T_I64), num_int(v.i + next)).i;
	v.f = float_round(leaf->type, v.f + next);
	return v;
}

/* Another value for the leaf k: a drawn one, a constant of the condition, or of another leaf. */
static struct num other_leaf(struct trial *t, const struct num *value, int k)
{
	const struct leaf *leaf = &t->leaf.at[k];
	int kind = random_below(t, 4), other = random_below(t, t->leaf.n);

	if (kind == 0 && t->leaf.at[other].type == leaf->type)
		return value[other];
	if (kind == 1 && t->pool.constant.n && type_class(leaf->type) != 'B')
		return at_edge(t, leaf);
	return mixed(t, leaf);
}

/* One leaf becomes another; sometimes a second one with it. */
static void change(struct trial *t, const struct law *law, struct num *value)
{
	do {
		int k = random_below(t, t->leaf.n);
		struct num v = other_leaf(t, value, k);
		bool allowed = law_allows(t, law, &t->leaf.at[k], v);
		value[k] = allowed ? v : choice(t, &t->leaf.at[k], 0);
	} while (random_below(t, 4) == 0);
}

/* One that is drawn twice in a row is counted once. */
static void found(struct trial *t, const struct num *value, struct num *last)
{
	if (t->pool.found && same(t, last, value))
		return;
	t->pool.found++;
	pool_add(t, value);
	memcpy(last, value, (size_t)t->leaf.n * sizeof *last);
}

static void find_values(struct trial *t, const struct law *law)
{
	struct num *now = array_new(t->leaf.n, sizeof *now);
	struct num *next = array_new(t->leaf.n, sizeof *next);
	struct pool *p = &t->pool;
	struct num *last = array_new(t->leaf.n, sizeof *last);   /* that was found */
	int best = 0, all = p->part.n;

	for (p->tries = 0; p->tries < TRIES && p->at.n < POOL && !t->ev.stopped; p->tries++) {
		bool fresh = p->tries % BURST == 0;
		if (t->ev.steps > t->soft && p->found >= LAW_ENOUGH)
			break;
		memcpy(next, now, (size_t)t->leaf.n * sizeof *next);
		if (fresh)
			begin(t, law, next, p->tries / BURST);
		else
			change(t, law, next);
		int n = parts_true(t, next);
		if (n == all)
			found(t, next, last);
		if (!fresh && n < best)
			continue;
		best = n;
		memcpy(now, next, (size_t)t->leaf.n * sizeof *now);
	}
}

static void split_condition(struct trial *t, const struct expr *e)
{
	if (e->kind == E_BINARY && e->op == OP_LAND) {
		split_condition(t, e->arg.at[0]);
		split_condition(t, e->arg.at[1]);
	} else {
		list_add(&t->pool.part, law_code(t, e));
	}
}

static bool note_constant(struct expr *e, void *state)
{
	struct pool *p = state;

	if (e->kind == E_CONST && strchr("IUF", type_class(e->type)))
		list_add(&p->constant, e);
	return true;
}

bool law_pool(struct trial *t, const struct law *law)
{
	memset(&t->pool, 0, sizeof t->pool);
	if (!law->given[0] || law->vars == 0)
		return true;
	for (int k = 0; k < 2 && law->given[k]; k++) {
		t->pool.whose[k] = place_of(&t->ev, law->given[k]->param.at[0]);
		split_condition(t, law->given[k]->value);
		expr_walk(law->given[k]->value, note_constant, &t->pool);
	}
	t->pool.join = law_code(t, op_apply(law->op, expr_var(law->var[0], law->op->fn->at),
	                                    expr_var(law->var[1], law->op->fn->at)));
	find_values(t, law);
	return t->pool.found >= LAW_ENOUGH && !t->ev.stopped;
}

/* Every second sample walks through all tuples, in an order that spreads; the others often have the
 * identity, or one value twice. */
static void draw_from_pool(struct trial *t, const struct law *law, int sample)
{
	int64_t n = t->pool.at.n, size = 1, at;

	for (int k = 0; k < law->vars; k++)
		size *= n;
	at = (int64_t)(sample / 2) * 7919 % size;
	for (int k = 0; k < law->vars; k++, at /= n) {
		int other = random_below(t, (int)n), kind = random_below(t, 8);
		const struct num *from = t->pool.at.at[sample % 2 == 0 ? at % n : other];
		if (sample % 2 && k && kind < 2)
			from = t->value[k - 1];
		memcpy(t->value[k], from, (size_t)t->leaf.n * sizeof *from);
		for (int j = 0; sample % 2 && t->has_identity && kind == 7 && j < t->leaf.n; j++)
			t->value[k][j] = t->leaf.at[j].identity;
	}
}

/* ---- all variables ---- */

void law_draw(struct trial *t, const struct law *law, int sample)
{
	if (t->pool.at.n) {
		draw_from_pool(t, law, sample);
		return;
	}
	int64_t edge = cube_edge(t, law), size = 1, at;

	for (int k = 0; k < law->vars; k++)
		size *= edge;
	at = (int64_t)(sample / 2) * 7919 % size;        /* a prime above every edge: all are met */
	for (int k = 0; k < law->vars; k++, at /= edge)
		draw_var(t, law, t->value[k], sample % 2 == 0 ? at % edge : -1);
}
