/* sample.c - values to try a kernel with; everything follows from a seed.
 *
 * The generator is splitmix64 (Steele, Lea and Flood, OOPSLA 2014).  Floats are made from its bits
 * by exact operations, so that every machine makes the same ones. */
#include <math.h>
#include <string.h>

#include "eval_value.h"
#include "small.h"
#include "sample.h"

static uint64_t chance(uint64_t *state)
{
	uint64_t x = *state += 0x9e3779b97f4a7c15u;
	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
	x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
	return x ^ (x >> 31);
}

int chance_below(uint64_t *state, int n)
{
	return (int)(chance(state) % (uint64_t)n);
}

int64_t chance_to(uint64_t *state, int64_t most)
{
	return (int64_t)(chance(state) % ((uint64_t)most + 1));
}

static double tame(uint64_t *state)
{
	return (double)(int64_t)(chance(state) >> 10) / 0x1p52 - 2 + 0x1p-54;
}

/* The last ones are ties of f16 and of bf16, and their neighbours in wider types; a type that has
 * none of them takes the nearest. */
static double special_float(uint64_t *state, const struct type *t)
{
	const struct float_limits *l = float_limits(t);
	const double list[] = { 0.0,          -0.0,      INFINITY,   -INFINITY,
		                NAN,          l->most,   -l->most,   l->least_normal,
		                l->least,     1.0,       -l->least,  l->least_normal - l->least,
		                65519.0,      65520.0,   0x1p-25,    0x1.8p-24,
		                -0x1.002p-25, 0x1.002p0, 0x1.006p0,  0x1.002000002p0,
		                0x1.ffep-15,  0x1.01p0,  0x1.03p0,   0x1.0100000000001p0,
		                0x1.ffp127,   0x1p-134,  -0x1.8p-133 };
	return list[chance_below(state, (int)(sizeof list / sizeof *list))];
}

static int64_t some_int(uint64_t *state, const struct type *t, enum flavour how, bool scalar)
{
	static const int64_t count[] = { 0, 1, 2, 3, 5 };
	int bits = (int)(8 * type_size(t));
	bool is_signed = type_class(t) == 'I';
	if (type_class(t) == 'B')
		return chance_below(state, 2);
	if (scalar)
		return is_signed && chance_below(state, 12) == 0 ? -1
		                                                 : count[chance_below(state, 5)];
	if (how == TAME || how == EVEN)
		return chance_below(state, 100) - (is_signed ? 50 : 0);
	if (chance_below(state, 8) == 0) {       /* the extremes, as bits; storing cuts them */
		const int64_t most = INT64_MAX >> (64 - bits), least = INT64_MIN >> (64 - bits);
		const int64_t end[] = { least, most, -1,        is_signed ? least : -1,
			                0,     1,    least + 1, most - 1 };
		return end[chance_below(state, 8)];
	}
	return (int64_t)chance(state);
}

static void sample_scalar(uint64_t *state, const struct type *t, enum flavour how, bool scalar,
	void *to)
{
	double f = tame(state);
	if (type_class(t) == 'F' && how == SPECIAL && chance_below(state, 8) == 0)
		f = special_float(state, t);
	num_store(t, to, (struct num){ .i = some_int(state, t, how, scalar), .f = f });
}

void sample(uint64_t *state, const struct type *t, enum flavour how, bool scalar, void *to)
{
	unsigned char *bytes = to;
	if (t->kind == T_STRUCT) {
		for (int i = 0; i < t->record->field.n; i++) {
			const struct field *f = &t->record->field.at[i];
			sample(state, f->type, how, scalar, bytes + f->offset);
		}
	} else if (t->kind == T_ARRAY) {
		for (int64_t i = 0; i < type_size(t); i += type_size(t->elem))
			sample(state, t->elem, how, scalar, bytes + i);
	} else {
		sample_scalar(state, t, how, scalar, to);
	}
}
