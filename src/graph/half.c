/* half.c - the numbers of the float types at compile time: rounding constants, words of f16 and
 * bf16.
 *
 * f16 is IEEE 754's binary16: 5 bits of exponent, 10 of fraction.  bf16 is the upper half of a
 * binary32: 8 and 7.  A double is rounded to either in one step, to nearest, ties to even, with
 * subnormals, infinities and NaN.
 *
 * Note [rounding once].  Rounding first to a wider format and then to a narrow one is wrong when
 * the first step lands on a tie of the second.  It is right if the first step rounds to odd: what
 * is not exact takes the neighbour whose last bit is 1, which is no tie of any format two bits
 * narrower (Boldo and Melquiond, "When double rounding is odd", IMACS 2005).  So literals and
 * 64-bit integers are rounded to an odd double first, and so do the helpers of backends/rt on their
 * way from f64. */
#include "half.h"

#include <assert.h>
#include <fenv.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct float_limits limits[] = {
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

bool is_half(const struct type *type)
{
	return type->kind == T_F16 || type->kind == T_BF16;
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

uint16_t half_bits(const struct type *type, double x)
{
	const struct float_limits *l = float_limits(type);
	int fraction = l->digits - 1, low = l->min_exp - 1;
	uint64_t bits = double_bits(x), sign = bits >> 63 << 15;
	uint64_t inf = (uint64_t)(l->max_exp - low + 1) << fraction;
	int exponent = (int)(bits >> 52 & 0x7ff) - 1023;
	uint64_t m = (bits & (((uint64_t)1 << 52) - 1)) | (uint64_t)1 << 52, word;

	assert(is_half(type) && "the other floats are C's");
	if (isnan(x))
		return (uint16_t)(sign | inf | (uint64_t)1 << (fraction - 1));
	if (exponent < low - l->digits)              /* doubles below: to zero, all of them */
		return (uint16_t)sign;
	word = shift_even(m, 52 - fraction + (exponent < low ? low - exponent : 0));
	if (exponent >= low)                     /* the carry of a fraction moves the exponent on */
		word += (uint64_t)(exponent - low) << fraction;
	return (uint16_t)(sign | (word < inf ? word : inf));
}

double half_value(const struct type *type, uint16_t word)
{
	const struct float_limits *l = float_limits(type);
	int fraction = l->digits - 1, top = (1 << (15 - fraction)) - 1;
	int exponent = word >> fraction & top, m = word & ((1 << fraction) - 1);
	double x = exponent == top ? (m ? (double)NAN : (double)INFINITY)
	         : exponent ? ldexp(m + (1 << fraction), exponent - 1 + l->min_exp - l->digits)
	                    : ldexp(m, l->min_exp - l->digits);

	assert(is_half(type) && "the other floats are C's");
	return word >> 15 ? -x : x;
}

double float_round(const struct type *type, double x)
{
	if (is_half(type))
		return half_value(type, half_bits(type, x));
	return type->kind == T_F32 ? (double)(float)x : x;
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
