/* law_draw.c - the samples that law_try.c holds a law against.
 *
 * Each variable is drawn, leaf by leaf where it is a struct, from a list per type: small
 * numbers, powers of two and their neighbours, the largest and the least, for floats also
 * denormals and infinities; the operator's identity; and random values.  NaN is never drawn (R18).
 * Every second sample walks the cube of small, extreme and identity values, in an order that
 * spreads; the others mix.  The generator starts anew for every law: what is refuted today is
 * refuted tomorrow. */
#include <assert.h>

#include "half.h"
#include "law_impl.h"

#define SMALL 6         /* first in a list */
#define EDGES 4         /* last in a list */

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

void law_draw(struct trial *t, const struct law *law, int sample)
{
	int64_t edge = cube_edge(t, law), size = 1, at;

	for (int k = 0; k < law->vars; k++)
		size *= edge;
	at = (int64_t)(sample / 2) * 7919 % size;        /* a prime above every edge: all are met */
	for (int k = 0; k < law->vars; k++, at /= edge)
		draw_var(t, law, t->value[k], sample % 2 == 0 ? at % edge : -1);
}
