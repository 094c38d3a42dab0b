/* test_reciprocal.c - quotients by products (src/kir/reciprocal.c, backends/rt/gpu_divide.h) have
 * the bits of this machine's division.
 *
 *     test_reciprocal        some significands of all sizes, of a few divisors: seconds
 *     test_reciprocal all    all floats of f32 by each of them, and the proof of Note
 *                            [corrected], all divisors of f32: more than 20 minutes */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "reciprocal.h"

#define PATC_FN static inline
#include "tests/unit/gpu_divide.h"

static bool all;

/* The last has no rest that makes two products right. */
static const float divisors[] = {
	118.0f, 3.0f, -7.0f, 0.1f, 1e-30f, 1e30f, 16777215.0f, 1e10f, 0x1p-126f, 0x1.fffffep127f,
	1e-40f, 0x1.000002p0f, 0x1.fffffep0f, 0x1.555556p-20f, 1.05878294f
};
enum { DIVISORS = sizeof divisors / sizeof *divisors };

static float float_of(uint32_t bits)
{
	float f;
	memcpy(&f, &bits, sizeof f);
	return f;
}

static bool same(float a, float b)
{
	return isnan(a) ? isnan(b) : !memcmp(&a, &b, sizeof a);
}

/* As a kernel has it that knows the divisor, and as one that gets it when it is launched. */
static void divides(float a, float d, const struct reciprocal *r)
{
	float near = (float)r->near, rest = (float)r->rest, least = (float)r->least, q = a / d;
	if (r->rest != 0 && !same(patc_quotient_f32(a, d, near, rest, least), q))
		fail_msg("%a / %a in two products", (double)a, (double)d);
	if (r->near != 0 && r->rest == 0
	    && !same(patc_corrected_f32(a, d, near, least, (float)r->most), q))
		fail_msg("%a / %a corrected", (double)a, (double)d);
	if (!same(patc_corrected_f32(a, d, 1 / d, patc_least_f32(d), patc_most_f32(d)), q))
		fail_msg("%a / %a by a divisor of the host", (double)a, (double)d);
}

static struct reciprocal found(float d)
{
	struct reciprocal r;
	return reciprocal_find(T_F32, (double)d, &r) ? r : (struct reciprocal){ .near = 0 };
}

/* Of both signs; of those of one size every `step`th significand. */
static void size_divides(float d, const struct reciprocal *r, uint32_t exponent, uint32_t step)
{
	for (uint32_t bits = 0; bits < 1u << 23; bits += step) {
		divides(float_of(exponent << 23 | bits), d, r);
		divides(float_of(UINT32_C(1) << 31 | exponent << 23 | bits), d, r);
	}
}

static void f32_divides(void **state)
{
	(void)state;
	for (int k = 0; k < DIVISORS; k++) {
		const float d = divisors[k];
		const struct reciprocal r = found(d);
		for (uint32_t e = 0; e < 256; e++)
			size_divides(d, &r, e, all ? 1 : e == 127 ? 5 : e < 2 ? 251 : 1021);
	}
}

/* ---- Note [corrected]: pairs whose quotient is close to the middle of two numbers ---- */

static int64_t halved(int64_t r, int count, int64_t odd)
{
	for (r = (r % odd + odd) % odd; count > 0; count--)
		r = (r & 1 ? r + odd : r) / 2;
	return r;
}

typedef void pair(int64_t a, int64_t d);

/* 2^(s + 1) a - (2 m + 1) d = rest, for all a of so many bits. */
static void pairs_of(int bits, int64_t d, int s, int64_t rest, pair *visit)
{
	int zeros = __builtin_ctzll((uint64_t)d);
	int64_t odd = d >> zeros, least = INT64_C(1) << (bits - 1);
	if (rest % (INT64_C(1) << zeros) || !(rest >> zeros & 1) || odd == 1)
		return;
	for (int64_t a = halved(rest >> zeros, s + 1 - zeros, odd); a < 2 * least; a += odd)
		if (a >= least && (a < d) == (s == bits))
			visit(a, d);
}

static void all_pairs_of(int bits, int64_t d, int most, pair *visit)
{
	for (int64_t rest = -most; rest <= most; rest++)
		for (int s = bits - 1; rest != 0 && s <= bits; s++)
			pairs_of(bits, d, s, rest, visit);
}

static void corrects_f32(int64_t a, int64_t d)
{
	float x = (float)a, y = (float)d;
	if (!same(patc_nearly_f32(x, y, 1 / y), x / y))
		fail_msg("%a / %a", (double)x, (double)y);
}

static void every_divisor(void **state)
{
	(void)state;
	for (int64_t d = 1 << 23; d < 1 << 24; d += all ? 1 : 1009)
		all_pairs_of(24, d, 12, corrects_f32);
}

/* Larger numbers and smaller ones, down to where `least` changes the way. */
static void divides_f64(int64_t a, int64_t d)
{
	static const int sizes[] = { 0, 300, -400, -900, -920, -1000, -1052, -1074, -1100, 970 };
	double y = (double)d * 0x1p-52;
	struct reciprocal r;
	assert_true(reciprocal_find(T_F64, y, &r));
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		double x = ldexp((double)a, sizes[i]), q = x / y;
		double two = patc_quotient_f64(x, y, r.near, r.rest, r.least);
		double one = patc_corrected_f64(x, y, 1 / y, patc_least_f64(y), patc_most_f64(y));
		if ((r.rest != 0 && two != q) || one != q)
			fail_msg("%a / %a is %a, not %a or %a", x, y, q, two, one);
	}
}

static void f64_divides(void **state)
{
	(void)state;
	uint64_t seed = 1;
	for (int k = 0; k < (all ? 100000 : 1000); k++) {
		seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
		int64_t d = (INT64_C(1) << 52) | (int64_t)(seed >> 12);
		all_pairs_of(53, d, 12, divides_f64);
		divides_f64((INT64_C(1) << 52) | (int64_t)(seed * 3 >> 12), d);
	}
}

static void special(void **state)
{
	(void)state;
	static const double of[] = { 0.0, -0.0, 0x1p-1074, 0x1p-1022, 1, DBL_MAX, 118 };
	struct reciprocal r;
	assert_true(reciprocal_find(T_F64, 118, &r));
	for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
		double q = patc_quotient_f64(of[i], 118, r.near, r.rest, r.least), e = of[i] / 118;
		assert_memory_equal(&q, &e, sizeof q);
	}
	assert_true(isinf(patc_quotient_f64((double)INFINITY, 118, r.near, r.rest, r.least)));
	assert_true(isnan(patc_quotient_f64((double)NAN, 118, r.near, r.rest, r.least)));
	assert_false(reciprocal_find(T_F32, 0.25, &r));         /* a product already */
	assert_false(reciprocal_find(T_F32, 0, &r));
	assert_false(reciprocal_find(T_F32, (double)INFINITY, &r));
	assert_false(reciprocal_find(T_F64, (double)NAN, &r));
}

int main(int argc, char **argv)
{
	all = argc > 1 && !strcmp(argv[1], "all");
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(f32_divides), cmocka_unit_test(every_divisor),
		cmocka_unit_test(f64_divides), cmocka_unit_test(special)
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
