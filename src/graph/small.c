/* small.c - the numbers of the float types at compile time: rounding constants, words of f8e4m3,
 * f8e5m2, f16 and bf16.
 *
 * f16 is IEEE 754's binary16: 5 bits of exponent, 10 of fraction.  bf16 is the upper half of a
 * binary32: 8 and 7.  f8e5m2 is the upper half of an f16: 5 and 2.  f8e4m3 has 4 and 3, and uses
 * the highest exponent for numbers too, but for one word, which is NaN (OCP 8-bit floating point
 * specification, 2023).  A double is rounded to any of them in one step, to nearest, ties to even,
 * with subnormals, infinities and NaN.
 *
 * Note [rounding once].  Rounding first to a wider format and then to a narrow one is wrong when
 * the first step lands on a tie of the second.  It is right if the first step rounds to odd: what
 * is not exact takes the neighbour whose last bit is 1, which is no tie of any format two bits
 * narrower (Boldo and Melquiond, "When double rounding is odd", IMACS 2005).  So literals and
 * 64-bit integers are rounded to an odd double first, and so do the helpers of backends/rt on their
 * way from f64. */
#include "small.h"

#include <assert.h>
#include <fenv.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct float_limits limits[] = {
	[T_F8E4M3] = { 4, -5, 9, 0x1p-3, 448, 0x1p-6, 0x1p-9, true, true },
	[T_F8E5M2] = { 3, -13, 16, 0x1p-2, 57344, 0x1p-14, 0x1p-16, false, true },
	[T_F16] = { 11, -13, 16, 0x1p-10, 65504, 0x1p-14, 0x1p-24 },
	[T_BF16] = { 8, -125, 128, 0x1p-7, 0x1.fep127, 0x1p-126, 0x1p-133 },
	[T_F32] = { FLT_MANT_DIG, FLT_MIN_EXP, FLT_MAX_EXP, 0x1p-23, 0x1.fffffep127, 0x1p-126,
	            0x1p-149 },
	[T_F64] = { DBL_MANT_DIG, DBL_MIN_EXP, DBL_MAX_EXP, DBL_EPSILON, DBL_MAX, DBL_MIN,
	            DBL_TRUE_MIN },
};

const struct float_limits *float_limits(const struct type *type)
{
	assert(type_class(type) == 'F' && "floats have these limits");
	return &limits[type->kind];
}

bool is_small(const struct type *type)
{
	return type_class(type) == 'F' && type_size(type) < 4;
}

uint64_t float_nans(const struct type *type)
{
	const struct float_limits *l = float_limits(type);
	return l->no_infinity ? 1 : ((uint64_t)1 << (l->digits - 1)) - 1;
}

/* ---- words: a sign, and the size ---- */

static int sign_place(const struct type *type)
{
	return (int)(8 * type_size(type)) - 1;
}

static uint64_t all_ones(const struct type *type)
{
	return ((uint64_t)1 << sign_place(type)) - 1;
}

/* That of the largest number; infinity, if there is one, is the next. */
static uint64_t most_word(const struct type *type)
{
	return all_ones(type) - float_nans(type) - (float_limits(type)->no_infinity ? 0 : 1);
}

static uint64_t double_bits(double x)
{
	uint64_t bits;

	memcpy(&bits, &x, sizeof bits);
	return bits;
}

static double double_from(uint64_t bits)
{
	double x;

	memcpy(&x, &bits, sizeof x);
	return x;
}

/* m / 2^by, to nearest, ties to even. */
static uint64_t shift_even(uint64_t m, int by)
{
	uint64_t rest, tie;

	if (by <= 0)
		return m;
	if (by > 63)
		return 0;
	rest = m & (((uint64_t)1 << by) - 1);
	tie = (uint64_t)1 << (by - 1);
	m >>= by;
	return m + (rest > tie || (rest == tie && (m & 1)));
}

/* The size of x in the type's form, as if its exponents had no end. */
static uint64_t size_bits(const struct type *type, double x)
{
	const struct float_limits *l = float_limits(type);
	int fraction = l->digits - 1, low = l->min_exp - 1;
	uint64_t bits = double_bits(x), word;
	int exponent = (int)(bits >> 52 & 0x7ff) - 1023;
	uint64_t m = (bits & (((uint64_t)1 << 52) - 1)) | (uint64_t)1 << 52;

	if (exponent < low - l->digits)              /* doubles below: to zero, all of them */
		return 0;
	word = shift_even(m, 52 - fraction + (exponent < low ? low - exponent : 0));
	if (exponent >= low)                     /* the carry of a fraction moves the exponent on */
		word += (uint64_t)(exponent - low) << fraction;
	return word;
}

uint16_t small_bits(const struct type *type, double x)
{
	const struct float_limits *l = float_limits(type);
	uint64_t sign = (double_bits(x) >> 63) << sign_place(type), most = most_word(type);

	assert(is_small(type) && "the other floats are C's");
	if (isnan(x) && l->saturates)                /* as machines do it */
		return (uint16_t)all_ones(type);
	if (isnan(x))
		return (uint16_t)(sign | (most + 1) | (uint64_t)1 << (l->digits - 2));
	if (!l->no_infinity && (isinf(x) || !l->saturates))
		most++;
	uint64_t word = size_bits(type, x);
	return (uint16_t)(sign | (word < most ? word : most));
}

double small_value(const struct type *type, uint16_t word)
{
	const struct float_limits *l = float_limits(type);
	int fraction = l->digits - 1, size = word & (int)all_ones(type);
	int exponent = size >> fraction, m = size & ((1 << fraction) - 1);
	int beyond = size - (int)most_word(type);
	double x = beyond > 0 ? (beyond > 1 || l->no_infinity ? (double)NAN : (double)INFINITY)
	         : exponent ? ldexp(m + (1 << fraction), exponent - 1 + l->min_exp - l->digits)
	                    : ldexp(m, l->min_exp - l->digits);

	assert(is_small(type) && "the other floats are C's");
	return word >> sign_place(type) ? -x : x;
}

double float_round(const struct type *type, double x)
{
	if (is_small(type))
		return small_value(type, small_bits(type, x));
	return type->kind == T_F32 ? (double)(float)x : x;
}

double float_convert(const struct type *type, double x)
{
	const struct float_limits *l = float_limits(type);

	return isinf(x) && l->saturates ? copysign(l->most, x) : float_round(type, x);
}

bool float_holds(const struct type *type, double x)
{
	if (isinf(x))
		return !float_limits(type)->no_infinity;
	if (is_small(type) && !isnan(x))
		return size_bits(type, x) <= most_word(type);
	return !isinf(float_round(type, x));
}

/* Note [rounding once]: 64 bits into 53. */
static double odd_of_int(uint64_t size)
{
	uint64_t lost = size >> 53 ? size & 0xfff : 0;

	return (double)(size - lost + (lost ? 0x800 : 0));
}

double float_of_int(const struct type *type, bool is_unsigned, int64_t i)
{
	bool negative = !is_unsigned && i < 0;
	uint64_t size = negative ? -(uint64_t)i : (uint64_t)i;
	double x = type->kind == T_F64 ? (double)size : float_round(type, odd_of_int(size));

	return negative ? -x : x;
}

/* Cut towards zero, then odd if anything was cut off: if the next double above is not the same. */
double digits_odd(const char *digits)
{
	int mode = fegetround();
	double below, above;

	fesetround(FE_TOWARDZERO);
	below = strtod(digits, NULL);
	fesetround(FE_UPWARD);
	above = strtod(digits, NULL);
	fesetround(mode);
	return below == above ? below : double_from(double_bits(below) | 1);
}
