/* test_small.c - small floats to the bit.  What a number is in one is said four times: by small.c
 * for constants, by eval_value.c for the reference, by backends/rt/common.h for the machines
 * without instructions for it, and, for f16, by the compiler of this test where it has the type.
 * All words are tried, all ties and their neighbours, and a million others. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "eval_value.h"
#include "small.h"
#include "tests/unit/cpu_helpers.h"

#define OF_BYTE(type) \
	static float type##_widen(uint16_t word) \
	{ \
		return patc_##type##_to_f32((uint8_t)word); \
	} \
	static uint16_t f32_to_##type(float x) \
	{ \
		return patc_f32_to_##type(x); \
	} \
	static uint16_t f64_to_##type(double x) \
	{ \
		return patc_f64_to_##type(x); \
	}
OF_BYTE(f8e4m3)
OF_BYTE(f8e5m2)

/* The sign, the words of the largest number, of what a larger one becomes, of the last that is not
 * NaN, and what all NaN have; 0: they become 0x7f. */
struct kind {
	enum scalar scalar;
	uint16_t sign, most, over, last, quiet;
	float (*widen)(uint16_t);
	uint16_t (*from_f32)(float), (*from_f64)(double);
};
static const struct kind kinds[] = {
	{ T_F16, 0x8000, 0x7bff, 0x7c00, 0x7c00, 0x0200, patc_f16_to_f32, patc_f32_to_f16,
	  patc_f64_to_f16 },
	{ T_BF16, 0x8000, 0x7f7f, 0x7f80, 0x7f80, 0x0040, patc_bf16_to_f32, patc_f32_to_bf16,
	  patc_f64_to_bf16 },
	{ T_F8E4M3, 0x80, 0x7e, 0x7e, 0x7e, 0, f8e4m3_widen, f32_to_f8e4m3, f64_to_f8e4m3 },
	{ T_F8E5M2, 0x80, 0x7b, 0x7b, 0x7c, 0, f8e5m2_widen, f32_to_f8e5m2, f64_to_f8e5m2 },
};
enum { KINDS = sizeof kinds / sizeof *kinds };

static bool is_nan(const struct kind *k, uint16_t word)
{
	return (word & (k->sign - 1)) > k->last;
}

static void same_word(const struct kind *k, uint16_t got, uint16_t expected, double x,
                      const char *who)
{
	bool quiet = k->quiet ? (got & k->quiet) && (got & k->sign) == (expected & k->sign)
	                      : got == 0x7f;
	bool fine = is_nan(k, expected) ? is_nan(k, got) && quiet : got == expected;
	if (!fine)
		fail_msg("%s: %a is %04x as %s, expected %04x", who, x, got,
		         type_name(type_scalar(k->scalar)), expected);
}

static uint16_t reference(const struct kind *k, double x)
{
	const struct type *type = type_scalar(k->scalar);
	uint16_t word = 0;
	num_store(type, &word, num_cast(type, type_scalar(T_F64), (struct num){ .f = x }));
	return word;
}

static uint16_t converted(const struct kind *k, double x)
{
	const struct type *type = type_scalar(k->scalar);
	return small_bits(type, float_convert(type, x));
}

/* Everybody's word for x. */
static void is_word(const struct kind *k, double x, uint16_t expected)
{
	same_word(k, converted(k, x), expected, x, "small.c");
	same_word(k, reference(k, x), expected, x, "eval_value.c");
	same_word(k, k->from_f64(x), expected, x, "f64 in rt");
	if ((double)(float)x == x || isnan(x))
		same_word(k, k->from_f32((float)x), expected, x, "f32 in rt");
#ifdef __FLT16_MANT_DIG__
	_Float16 theirs = (_Float16)x;
	uint16_t word;
	memcpy(&word, &theirs, sizeof word);
	if (k->scalar == T_F16)
		same_word(k, word, expected, x, "the compiler");
#endif
}

static void words_there_and_back(void **state)
{
	(void)state;
	for (int i = 0; i < KINDS; i++) {
		const struct kind *k = &kinds[i];
		for (int w = 0; w < 2 * k->sign; w++) {
			uint16_t word = (uint16_t)w;
			double x = small_value(type_scalar(k->scalar), word);
			float f = k->widen(word);
			assert_int_equal(isnan(x) != 0, is_nan(k, word));
			assert_true(isnan(x) ? isnan(f)
			                     : (double)f == x && !signbit(f) == !signbit(x));
			assert_true(isnan(x) || num_load(type_scalar(k->scalar), &word).f == x);
			same_word(k, small_bits(type_scalar(k->scalar), x), word, x, "as it is");
			is_word(k, x, isinf(x) ? k->over | (word & k->sign) : word);
		}
	}
}

static void both_signs(const struct kind *k, double x, int word)
{
	is_word(k, x, (uint16_t)word);
	is_word(k, -x, (uint16_t)(word | k->sign));
}

/* Between two words that follow each other; behind the greatest there would be another. */
static void ties_and_their_neighbours(void **state)
{
	(void)state;
	for (int i = 0; i < KINDS; i++) {
		const struct kind *k = &kinds[i];
		const struct type *type = type_scalar(k->scalar);
		for (int w = 0; w <= k->most; w++) {
			double low = small_value(type, (uint16_t)w);
			double high = w < k->most ? small_value(type, (uint16_t)(w + 1))
			                          : 2 * low - small_value(type, (uint16_t)(w - 1));
			double tie = (low + high) / 2;
			int next = w < k->most ? w + 1 : k->over;
			both_signs(k, tie, w & 1 ? next : w);
			both_signs(k, nextafter(tie, 0), w);
			both_signs(k, nextafter(tie, INFINITY), next);
			if (i != 1 || w >= 0x0100) {         /* a tie of the least bf16 is no f32 */
				both_signs(k, (double)nextafterf((float)tie, 0), w);
				both_signs(k, (double)nextafterf((float)tie, INFINITY), next);
			}
		}
		both_signs(k, 0x1p-1074, 0);
		both_signs(k, 1e300, k->over);
		both_signs(k, (double)INFINITY, k->over);
	}
}

static void any_f32_and_f64(void **state)
{
	(void)state;
	uint64_t seed = 1;
	for (int n = 0; n < 1000000; n++) {
		seed = seed * 6364136223846793005u + 1442695040888963407u;
		uint32_t bits = (uint32_t)(seed >> 32);
		float f;
		memcpy(&f, &bits, sizeof f);
		/* bits behind an f32, so that it is a double between two of them */
		double near = isfinite(f) ? (double)f * (1 + ldexp((double)(seed >> 40), -60))
		                          : (double)f;
		for (int i = 0; i < KINDS; i++) {
			is_word(&kinds[i], (double)f, converted(&kinds[i], (double)f));
			is_word(&kinds[i], near, converted(&kinds[i], near));
		}
	}
}

static void integer_is(uint64_t size, uint16_t expected)
{
	const struct type *bf16 = type_scalar(T_BF16), *u64 = type_scalar(T_U64),
			  *i64 = type_scalar(T_I64);
	struct num n = { .i = (int64_t)size };
	assert_int_equal(patc_u64_to_bf16(size), expected);
	assert_int_equal(small_bits(bf16, float_of_int(bf16, true, (int64_t)size)), expected);
	assert_int_equal(reference(&kinds[1], num_cast(bf16, u64, n).f), expected);
	if (size > (uint64_t)INT64_MAX)
		return;
	n.i = -n.i;
	assert_int_equal(patc_i64_to_bf16(n.i), expected | (size ? 0x8000 : 0));
	if (size)
		assert_int_equal(small_bits(bf16, float_of_int(bf16, false, n.i)),
		                 expected | 0x8000);
	if (size)
		assert_int_equal(reference(&kinds[1], num_cast(bf16, i64, n).f), expected | 0x8000);
}

/* 1.m * 2^(7 + by), the tie behind it and one more and less: from 53 bits on a double is too
 * narrow. */
static void integers_are_rounded_once(void **state)
{
	(void)state;
	integer_is(0, 0);
	integer_is(UINT64_MAX, 0x5f80);
	for (int by = 1; by <= 56; by++)
		for (uint64_t m = 128; m < 256; m++) {
			uint64_t tie = (m << by) + ((uint64_t)1 << (by - 1));
			uint16_t word = (uint16_t)((127 + 7 + by - 1) * 128 + (int)m);
			integer_is(m << by, word);
			integer_is(tie, (uint16_t)(word + (word & 1)));
			if (by > 1)
				integer_is(tie - 1, word);
			if (by > 1)
				integer_is(tie + 1, (uint16_t)(word + 1));
		}
}

/* 1 + 2^-11 is a tie of f16; what follows it is lost in a double. */
static void digits_are_rounded_once(void **state)
{
	(void)state;
	const struct type *f16 = type_scalar(T_F16), *f32 = type_scalar(T_F32);
	assert_true(float_round(f16, digits_odd("1.00048828125")) == 1);
	assert_true(float_round(f16, digits_odd("1.000488281250000000000000000000001"))
	            == 1 + 0x1p-10);
	assert_true(float_round(f16, digits_odd("1.000488281249999999999999999999999")) == 1);
	assert_true(float_round(f32, digits_odd("0.1")) == (double)0.1f);
	assert_true(float_round(f32, digits_odd("1.00000005960464477539062500000000001"))
	            == 1 + 0x1p-23);
	assert_true(isinf(float_round(f16, digits_odd("65520"))));
	assert_true(float_round(f16, digits_odd("65519.99999999999999999999")) == 65504);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words_there_and_back),
		cmocka_unit_test(ties_and_their_neighbours),
		cmocka_unit_test(any_f32_and_f64),
		cmocka_unit_test(integers_are_rounded_once),
		cmocka_unit_test(digits_are_rounded_once),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
