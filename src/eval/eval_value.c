/* eval_value.c - exact arithmetic of the language on one value, and how far others may be off.
 *
 * The value is the one that grammar.md defines: integers wrap, x / 0 is 0, f32 rounds after every
 * operation, small floats where they are stored, min and max ignore NaN.  Beside it runs e, a bound
 * on the distance to what any other legal evaluation may give: a contraction to FMA, a fold in
 * another order, another mathematical library.  So a comparison with generated code needs no
 * guessed tolerance, and a result that is decided by rounding says so itself.  The rules are those
 * of running error analysis (Wilkinson; Higham, Accuracy and Stability, section 3.3): every
 * operation hands on the bounds of its arguments to first order and adds its own rounding.  For
 * integers and bool e is 0 or infinite: a comparison of floats closer than their bounds, or a cast
 * across an integer, leaves its result open (e = inf), and so does everything computed from it.
 *
 * A sum of n terms may be off by 8 sqrt(n) u sum|x| (the probabilistic bound of Higham and Mary,
 * SIAM J. Sci. Comput. 41, 2019, with a generous constant) and by what left-to-right order itself
 * loses, measured against the same sum in long double. */
#include <assert.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#include "eval_value.h"
#include "small.h"

#define OPEN ((double)INFINITY)
#define COARSE_TERMS 128 /* a matrix unit adds so many products of floats of 8 bits */
#define SUM_BITS 16      /* a sum of so many terms is multiplied: their number's logarithm */

static bool is_float(const struct type *t)
{
	return type_class(t) == 'F';
}

/* What rounding may change in two evaluations of one operation, relative to its result. */
static double unit(const struct type *t)
{
	return float_limits(t)->epsilon;
}

static double largest(const struct type *t)
{
	return float_limits(t)->most;
}

static double worse(double a, double b)
{
	return a > b ? a : b;
}

/* f as a multiple of the last place that a number of its size has in a small float; small.c has
 * another way to the same number, and backends/rt a third. */
static double round_small(const struct type *t, double f)
{
	const struct float_limits *l = float_limits(t);
	int exponent, place;
	frexp(f, &exponent);
	if (f == 0 || !isfinite(f))
		return f;
	place = (exponent < l->min_exp ? l->min_exp : exponent) - l->digits;
	f = ldexp(rint(ldexp(f, -place)), place);
	return fabs(f) > l->most ? copysign(l->saturates ? l->most : INFINITY, f) : f;
}

/* What an operation or a conversion gives. */
static double round_to(const struct type *t, double f)
{
	if (isinf(f) && float_limits(t)->saturates)
		return copysign(largest(t), f);
	return is_small(t) ? round_small(t, f) : t->kind == T_F32 ? (double)(float)f : f;
}

struct num num_int(int64_t i)
{
	return (struct num){ .i = i };
}

/* ---- memory, in C's layout ---- */

static unsigned sign_bit(const struct type *t)
{
	return type_size(t) == 1 ? 0x80 : 0x8000;
}

/* Sign, exponent, fraction: 1, 5, 10 bits of an f16, 1, 8, 7 of a bf16, 1, 4, 3 of an f8e4m3, 1, 5,
 * 2 of an f8e5m2. */
static double small_load(const struct type *t, unsigned word)
{
	const struct float_limits *l = float_limits(t);
	unsigned sign = sign_bit(t), one = 1u << (l->digits - 1), size = word % sign;
	unsigned fraction = size % one, exponent = size / one;
	int place = l->min_exp - l->digits;
	double f = exponent == 0 ? ldexp(fraction, place)
	                         : ldexp(one + fraction, (int)exponent - 1 + place);
	if (l->no_infinity ? size == sign - 1 : size >= sign - one)
		f = fraction ? (double)NAN : (double)INFINITY;
	return word & sign ? -f : f;
}

static uint16_t small_store(const struct type *t, double f)
{
	const struct float_limits *l = float_limits(t);
	unsigned top = sign_bit(t), one = 1u << (l->digits - 1), sign = signbit(f) ? top : 0;
	int exponent;
	double size = fabs(round_small(t, f)), m;
	if (isnan(size))
		return (uint16_t)(l->saturates ? top - 1 : sign | (top - one / 2));
	if (isinf(size) && !l->no_infinity)
		return (uint16_t)(sign | (top - one));
	m = frexp(fmin(size, l->most), &exponent);
	if (size < l->least_normal)
		return (uint16_t)(sign | (unsigned)(size / l->least));
	return (uint16_t)(sign | (unsigned)((exponent - l->min_exp + 2 * m) * one));
}

struct num num_load(const struct type *t, const void *from)
{
	struct num v = { 0 };
	union {
		int8_t i8;
		int16_t i16;
		int32_t i32;
		int64_t i64;
		uint8_t u8;
		uint16_t u16;
		uint32_t u32;
		float f32; double f64;
	} u;
	if (t->kind == T_STRUCT || t->kind == T_ARRAY) {
		v.i = (int64_t)(intptr_t)from;
		return v;
	}
	memcpy(&u, from, (size_t)type_size(t));
	switch ((int)t->kind) {
	case T_BOOL: v.i = u.u8 != 0; break;
	case T_I8: v.i = u.i8; break;
	case T_I16: v.i = u.i16; break;
	case T_I32: v.i = u.i32; break;
	case T_U8: v.i = u.u8; break;
	case T_U16: v.i = u.u16; break;
	case T_U32: v.i = u.u32; break;
	case T_I64: case T_U64: v.i = u.i64; break;
	case T_F8E4M3: case T_F8E5M2: v.f = small_load(t, u.u8); break;
	case T_F16: case T_BF16: v.f = small_load(t, u.u16); break;
	case T_F32: v.f = (double)u.f32; break;
	case T_F64: v.f = u.f64; break;
	default: assert(0 && "a value has a type that is built");
	}
	return v;
}

/* Integers keep their low bytes, which is what wrapping means on a little-endian machine; written
 * through typed copies so that the machine does not matter. */
void num_store(const struct type *t, void *to, struct num v)
{
	size_t n = (size_t)type_size(t);
	float f32 = (float)v.f;
	uint16_t u16 = is_small(t) ? small_store(t, v.f) : (uint16_t)v.i;
	uint8_t u8 = (uint8_t)u16;
	uint32_t u32 = (uint32_t)v.i;
	bool memory = t->kind == T_STRUCT || t->kind == T_ARRAY;
	if (memory && !v.i)               /* a cell outside its array: zero, as every value there */
		memset(to, 0, n);
	else if (memory)
		memmove(to, (const void *)(intptr_t)v.i, n);
	else if (t->kind == T_F32)
		memcpy(to, &f32, n);
	else if (t->kind == T_F64)
		memcpy(to, &v.f, n);
	else if (n == 8)
		memcpy(to, &v.i, n);
	else
		memcpy(to, n == 4 ? (void *)&u32 : n == 2 ? (void *)&u16 : (void *)&u8, n);
}

/* ---- integers ---- */

static int64_t wrap(const struct type *t, uint64_t x)
{
	switch ((int)t->kind) {
	case T_BOOL: return (int64_t)(x & 1);
	case T_I8: return (int8_t)x;
	case T_I16: return (int16_t)x;
	case T_I32: return (int32_t)x;
	case T_U8: return (uint8_t)x;
	case T_U16: return (uint16_t)x;
	case T_U32: return (uint32_t)x;
	default: return (int64_t)x;
	}
}

static int64_t divide(const struct type *t, int64_t a, int64_t b)
{
	if (b == 0)
		return 0;
	if (type_class(t) == 'U')
		return (int64_t)((uint64_t)a / (uint64_t)b);
	return b == -1 ? wrap(t, 0 - (uint64_t)a) : a / b;
}

static int64_t remain(const struct type *t, int64_t a, int64_t b)
{
	if (b == 0)
		return a;
	if (type_class(t) == 'U')
		return (int64_t)((uint64_t)a % (uint64_t)b);
	return b == -1 ? 0 : a % b;
}

static bool less(const struct type *t, int64_t a, int64_t b)
{
	return type_class(t) == 'U' ? (uint64_t)a < (uint64_t)b : a < b;
}

static int64_t int_binary(enum operation op, const struct type *t, int64_t a, int64_t b)
{
	switch (op) {
	case OP_MUL: return wrap(t, (uint64_t)a * (uint64_t)b);
	case OP_DIV: return divide(t, a, b);
	case OP_REM: return remain(t, a, b);
	case OP_ADD: return wrap(t, (uint64_t)a + (uint64_t)b);
	case OP_SUB: return wrap(t, (uint64_t)a - (uint64_t)b);
	case OP_AND: case OP_LAND: return a & b;
	case OP_XOR: return a ^ b;
	case OP_OR: case OP_LOR: return a | b;
	case OP_LT: return less(t, a, b);
	case OP_GT: return less(t, b, a);
	case OP_LE: return !less(t, b, a);
	case OP_GE: return !less(t, a, b);
	case OP_EQ: return a == b;
	case OP_NE: return a != b;
	case OP_NEG: case OP_NOT: case OP_BITNOT: case OP_SHL: case OP_SHR: break;
	}
	assert(0 && "two integers meet in one of the operations above");
	return 0;
}

struct num num_shift(enum operation op, const struct type *t, struct num a, int64_t count)
{
	int width = (int)(8 * type_size(t));
	int by = (int)((uint64_t)count % (uint64_t)width);
	if (op == OP_SHL)
		a.i = wrap(t, (uint64_t)a.i << by);
	else if (type_class(t) == 'U' || a.i >= 0)
		a.i = (int64_t)((uint64_t)a.i >> by);
	else
		a.i = ~(~a.i >> by);                 /* arithmetic, whatever the compiler does */
	return a;
}

/* ---- floats ---- */

/* A product of magnitudes.  What is open may be infinite, and then nothing times it is NaN. */
static double times(double a, double b)
{
	if (isinf(b))
		return OPEN;
	return a == 0 || b == 0 ? 0 : a * b;
}

static double div_error(struct num a, struct num b, double r)
{
	if (b.e == 0 && b.f == 0)
		return a.e > 0 && a.e >= fabs(a.f) ? OPEN : 0;
	if (b.e >= fabs(b.f))
		return OPEN;
	return (a.e + times(fabs(r), b.e)) / (fabs(b.f) - b.e);
}

static double hand_on(enum operation op, struct num a, struct num b, double r)
{
	switch ((int)op) {
	case OP_MUL: return times(fabs(a.f), b.e) + times(fabs(b.f), a.e) + times(a.e, b.e);
	case OP_DIV: return div_error(a, b, r);
	case OP_REM: return a.e + b.e > 0 ? OPEN : 0;
	default: return a.e + b.e;
	}
}

/* Is an operand's part in an infinite or NaN result the same within its bound?  A sum needs it to
 * stay finite, a product and a quotient to keep its sign. */
static bool sure(enum operation op, struct num a)
{
	if (a.e == 0)
		return true;
	return isfinite(a.f) && a.e < OPEN && (op == OP_ADD || op == OP_SUB || fabs(a.f) > a.e);
}

/* The bound of an infinity or NaN: exact, or open.  A contraction may avoid an overflow. */
static double no_number(enum operation op, struct num a, struct num b, double r)
{
	bool overflow = isinf(r) && isfinite(a.f) && isfinite(b.f) && !(op == OP_DIV && b.f == 0);
	if ((isnan(a.f) && a.e == 0) || (isnan(b.f) && b.e == 0))
		return 0;
	return overflow || !sure(op, a) || !sure(op, b) ? OPEN : 0;
}

/* The last place of a subnormal is no part of its size: sums are exact there, but not a cast. */
static double settle(const struct type *t, double r, double e)
{
	double last = unit(t) * fabs(r);
	if (is_small(t))
		last = worse(last, float_limits(t)->least);
	bool ends = !float_limits(t)->saturates && fabs(r) + e > largest(t);
	return isnan(e) || ends ? OPEN : e + last;
}

/* What rounding a product or a quotient to a subnormal loses: no part of its size, and an FMA does
 * not lose it. */
static double underflow(enum operation op, const struct type *t, struct num a, struct num b,
                        double r)
{
	bool inexact = (op == OP_MUL || op == OP_DIV) && a.f != 0 && b.f != 0 && isfinite(b.f);
	return inexact && fabs(r) < float_limits(t)->least_normal ? float_limits(t)->least : 0;
}

static struct num float_arith(enum operation op, const struct type *t, struct num a, struct num b)
{
	struct num v = { 0 };
	double r = op == OP_MUL ? a.f * b.f : op == OP_DIV ? a.f / b.f : op == OP_ADD ? a.f + b.f
	         : op == OP_SUB ? a.f - b.f : fmod(a.f, b.f);
	v.f = round_to(t, r);
	v.e = isfinite(v.f) ? settle(t, v.f, hand_on(op, a, b, v.f) + underflow(op, t, a, b, v.f))
	                    : no_number(op, a, b, v.f);
	return v;
}

static struct num float_compare(enum operation op, struct num a, struct num b)
{
	struct num v = { 0 };
	switch ((int)op) {
	case OP_LT: v.i = a.f < b.f; break;
	case OP_GT: v.i = a.f > b.f; break;
	case OP_LE: v.i = a.f <= b.f; break;
	case OP_GE: v.i = a.f >= b.f; break;
	case OP_EQ: v.i = a.f == b.f; break;
	default: v.i = a.f != b.f;
	}
	double e = a.e + b.e;
	v.e = e > 0 && !(fabs(a.f - b.f) > e) ? OPEN : 0;
	return v;
}

struct num num_binary(enum operation op, const struct type *t, struct num a, struct num b)
{
	if (is_float(t))
		return op <= OP_SUB ? float_arith(op, t, a, b) : float_compare(op, a, b);
	return (struct num){ .i = int_binary(op, t, a.i, b.i), .e = worse(a.e, b.e) };
}

struct num num_unary(enum operation op, const struct type *t, struct num a)
{
	switch ((int)op) {
	case OP_NEG:
		if (is_float(t))
			a.f = -a.f;
		else
			a.i = wrap(t, 0 - (uint64_t)a.i);
		return a;
	case OP_NOT:
		a.i = !a.i;
		return a;
	default:
		a.i = type_class(t) == 'B' ? !a.i : wrap(t, ~(uint64_t)a.i);
		return a;
	}
}

/* ---- conversions ---- */

/* Truncates and saturates; NaN gives 0. */
static int64_t truncate(const struct type *t, double f)
{
	int bits = (int)(8 * type_size(t));
	if (isnan(f))
		return 0;
	f = trunc(f);
	if (type_class(t) == 'U') {
		uint64_t top = UINT64_MAX >> (64 - bits);
		return f <= 0 ? 0 : f >= ldexp(1, bits) ? (int64_t)top : (int64_t)(uint64_t)f;
	}
	int64_t top = INT64_MAX >> (64 - bits);
	return f >= ldexp(1, bits - 1) ? top : f < -ldexp(1, bits - 1) ? -top - 1 : (int64_t)f;
}

static struct num to_integer(const struct type *to, struct num a)
{
	struct num v = { .i = truncate(to, a.f) };
	if (a.e > 0 && (!(a.e < OPEN) || isnan(a.f)
	                || truncate(to, a.f - a.e) != truncate(to, a.f + a.e)))
		v.e = OPEN;
	return v;
}

/* A 64-bit integer cut to a bit more than small floats hold, what is cut off in its last bit. */
static double small_from_integer(const struct type *to, bool is_unsigned, int64_t i)
{
	bool negative = !is_unsigned && i < 0;
	uint64_t size = negative ? 0 - (uint64_t)i : (uint64_t)i;
	int cut = 0;
	for (; size >> 32; size = size >> 1 | (size & 1))
		cut++;
	double f = round_small(to, ldexp((double)size, cut));
	return negative ? -f : f;
}

/* Straight to the type, so that a 64-bit integer is rounded only once. */
static double from_integer(const struct type *to, const struct type *from, int64_t i)
{
	if (is_small(to))
		return small_from_integer(to, from->kind == T_U64, i);
	if (from->kind == T_U64)
		return to->kind == T_F32 ? (double)(float)(uint64_t)i : (double)(uint64_t)i;
	return to->kind == T_F32 ? (double)(float)i : (double)i;
}

static struct num to_bool(const struct type *from, struct num a)
{
	struct num v = { .i = is_float(from) ? a.f != 0 : a.i != 0, .e = a.e };
	if (is_float(from))
		v.e = a.e > 0 && !(fabs(a.f) > a.e) ? OPEN : 0;
	return v;
}

struct num num_cast(const struct type *to, const struct type *from, struct num a)
{
	struct num v = { .e = a.e };
	if (to == from || type_class(to) == 'S' || type_class(to) == 'A')
		return a;
	if (to->kind == T_BOOL)
		return to_bool(from, a);
	if (is_float(to) && is_float(from)) {
		v.f = round_to(to, a.f);
		if (type_size(to) < type_size(from) || is_small(to))
			v.e = a.e == 0 ? 0 : isfinite(v.f) ? settle(to, v.f, a.e) : OPEN;
		return v;
	}
	if (is_float(to)) {
		v.f = from_integer(to, from, a.i);
		return v;
	}
	if (is_float(from))
		return to_integer(to, a);
	v.i = wrap(to, (uint64_t)a.i);
	return v;
}

/* ---- the function table ---- */

#define CALL1(name) case M_##name: return f32 ? (double)name##f((float)x[0]) : name(x[0]);
#define CALL2(name) case M_##name: \
	return f32 ? (double)name##f((float)x[0], (float)x[1]) : name(x[0], x[1]);

static double fold_extreme(enum math m, int n, const double *x)
{
	double r = x[0];
	for (int i = 1; i < n; i++)
		r = m == M_min || m == M_fmin ? fmin(r, x[i]) : fmax(r, x[i]);
	return r;
}

static double float_math(enum math m, bool f32, int n, const double *x)
{
	switch ((int)m) {
	case M_abs: case M_fabs: return fabs(x[0]);
	case M_min: case M_max: case M_fmin: case M_fmax: return fold_extreme(m, n, x);
	case M_clamp: return fmin(fmax(x[0], x[1]), x[2]);
	case M_rsqrt: return f32 ? (double)(1.0f / sqrtf((float)x[0])) : 1.0 / sqrt(x[0]);
	case M_fma:
		return f32 ? (double)fmaf((float)x[0], (float)x[1], (float)x[2])
		           : fma(x[0], x[1], x[2]);
		CALL1(sqrt)
		CALL1(cbrt) CALL1(exp) CALL1(exp2) CALL1(expm1) CALL1(log) CALL1(log2) CALL1(log10)
			CALL1(log1p) CALL1(sin) CALL1(cos) CALL1(tan) CALL1(asin) CALL1(acos) CALL1(
				atan) CALL1(sinh) CALL1(cosh) CALL1(tanh) CALL1(asinh) CALL1(acosh)
				CALL1(atanh) CALL1(erf) CALL1(erfc) CALL1(tgamma) CALL1(lgamma)
					CALL1(floor) CALL1(ceil) CALL1(round) CALL1(rint)
						CALL1(trunc) CALL2(atan2) CALL2(pow) CALL2(fmod)
							CALL2(hypot) CALL2(copysign) CALL2(fdim)
								CALL2(remainder)
	}
	assert(0 && "the function takes floats");
	return 0;
}

/* Units in the last place that a mathematical library may be off; 0: exact by definition. */
static double ulps(enum math m)
{
	switch ((int)m) {
	case M_abs: case M_fabs: case M_min: case M_max: case M_fmin: case M_fmax: case M_clamp:
	case M_floor:
	case M_ceil:
	case M_round:
	case M_rint:
	case M_trunc:
	case M_copysign:
	case M_fmod:
	case M_remainder:
		return 0;
	case M_sqrt: case M_fma: case M_fdim: return 1;
	case M_pow: case M_tgamma: case M_lgamma: return 64;
	default: return 16;
	}
}

/* How the function moves when argument k does, within its bound. */
static double moves(enum math m, const struct type *t, int n, const double *x, int k, double e,
                    double r)
{
	double y[3], d = 0;
	if (!(e < OPEN) || m == M_fmod || m == M_remainder)
		return OPEN;
	memcpy(y, x, (size_t)n * sizeof *y);
	for (int side = -1; side <= 1; side += 2) {
		y[k] = x[k] + side * e;
		double there = fabs(float_math(m, t->kind == T_F32, n, y) - r);
		d = there <= d ? d : there;              /* NaN stays */
	}
	return isnan(d) ? OPEN : 1.5 * d;
}

/* lgamma crosses zero away from its poles, where its error is absolute. */
static double own_error(enum math m, const struct type *t, double r)
{
	double size = m == M_lgamma ? fabs(r) + 1 : fabs(r);
	double tiny = ulps(m) > 1 ? float_limits(t)->least : 0;
	return ulps(m) * (unit(t) * size + tiny);
}

static bool has_nan(int n, const struct num *a)
{
	for (int i = 0; i < n; i++)
		if (isnan(a[i].f) && a[i].e == 0)
			return true;
	return false;
}

/* Moves no further than its arguments do: without this the bound of a long fold would grow with its
 * terms. */
static bool selects(enum math m)
{
	switch ((int)m) {
	case M_abs:
	case M_fabs:
	case M_min:
	case M_max:
	case M_fmin:
	case M_fmax:
	case M_clamp:
		return true;
	default: return false;
	}
}

static struct num float_function(enum math m, const struct type *t, int n, const struct num *a)
{
	double x[3] = { 0 }, e = 0;
	struct num v = { 0 };
	assert(n <= 3 && "no row of math.def takes more");
	for (int i = 0; i < n; i++)
		x[i] = a[i].f;
	v.f = round_to(t, float_math(m, t->kind == T_F32, n, x));
	for (int i = 0; i < n; i++)
		if (a[i].e > 0)
			e = selects(m) ? worse(e, a[i].e) : e + moves(m, t, n, x, i, a[i].e, v.f);
	if (isnan(v.f) && has_nan(n, a))
		v.e = 0;
	else if (!isfinite(v.f))
		v.e = e > 0 ? OPEN : 0;
	else
		v.e = isnan(e) ? OPEN : e + own_error(m, t, v.f);
	return v;
}

static int64_t count_bits(enum math m, const struct type *t, int64_t i)
{
	int width = (int)(8 * type_size(t));
	uint64_t x = width == 64 ? (uint64_t)i : (uint64_t)i & (((uint64_t)1 << width) - 1);
	int n = 0;
	if (m == M_popcount)
		for (; x; x &= x - 1)
			n++;
	else if (m == M_clz)
		for (n = width; x; x >>= 1)
			n--;
	else
		for (; n < width && !(x >> n & 1); n++)
			;
	return n;
}

static int64_t int_extreme(bool min, const struct type *t, int64_t a, int64_t b)
{
	return less(t, a, b) == min ? a : b;
}

static int64_t int_math(enum math m, const struct type *t, int n, const struct num *a)
{
	int64_t r = a[0].i;
	switch ((int)m) {
	case M_abs:
		return r < 0 && type_class(t) == 'I' ? wrap(t, 0 - (uint64_t)r) : r;
	case M_min: case M_max:
		for (int i = 1; i < n; i++)
			r = int_extreme(m == M_min, t, r, a[i].i);
		return r;
	case M_clamp:
		return int_extreme(true, t, int_extreme(false, t, r, a[1].i), a[2].i);
	case M_popcount: case M_clz: case M_ctz:
		return count_bits(m, t, r);
	}
	assert(0 && "the function takes integers");
	return 0;
}

static bool is_test(enum math m)
{
	return m == M_isnan || m == M_isinf || m == M_isfinite;
}

/* min and max of many: two by two, from the left. */
static struct num math_of_many(enum math m, const struct type *t, int n, const struct num *a)
{
	struct num two[2] = { a[0] };
	for (int i = 1; i < n; i++) {
		two[1] = a[i];
		two[0] = num_math(m, t, 2, two);
	}
	return two[0];
}

struct num num_math(enum math m, const struct type *t, int n, const struct num *a)
{
	struct num v = { 0 };
	if ((m == M_min || m == M_max) && n != 2)
		return math_of_many(m, t, n, a);
	if (is_test(m)) {
		v.i = m == M_isnan   ? isnan(a->f) != 0
		      : m == M_isinf ? isinf(a->f) != 0
		                     : isfinite(a->f) != 0;
		v.e = a->e < OPEN ? 0 : OPEN;
		return v;
	}
	if (is_float(t))
		return float_function(m, t, n, a);
	v.i = int_math(m, t, n, a);
	for (int i = 0; i < n; i++)
		v.e = worse(v.e, a[i].e);
	return v;
}

/* ---- folds: left to right, with the bound for every order ---- */

struct num num_fold(const struct op *op, const struct type *t, struct num a, struct num b)
{
	struct num two[2] = { a, b };
	switch (op->kind) {
	case OPK_SUM: case OPK_COUNT: return num_binary(OP_ADD, t, a, b);
	case OPK_PROD: return num_binary(OP_MUL, t, a, b);
	case OPK_MIN: return num_math(M_min, t, 2, two);
	case OPK_MAX: return num_math(M_max, t, 2, two);
	case OPK_ALL: case OPK_BITAND: return num_binary(OP_AND, t, a, b);
	case OPK_ANY: case OPK_BITOR: return num_binary(OP_OR, t, a, b);
	case OPK_BITXOR: return num_binary(OP_XOR, t, a, b);
	case OPK_USER: case OPK_ARGMIN: case OPK_ARGMAX: break;
	}
	assert(0 && "a user's operator is called, argmax has a place: eval_run.c");
	return a;
}

/* Sizes of the terms, from which total_end tells what another order may lose or overflow. */
static void total_note(struct total *s, const struct op *op, const struct num *term)
{
	s->terms++;
	if (!isfinite(term->f))
		return;
	s->exact += (long double)term->f;
	if (op->kind != OPK_PROD)
		s->size += fabs(term->f);
	else if (term->f != 0)
		*(fabs(term->f) > 1 ? &s->up : &s->down) += fabs(log2(fabs(term->f)));
}

void total_add(struct total *s, const struct op *op, const struct type *t, struct num term)
{
	double e = s->value.e + term.e;
	bool exact = s->strict && e == 0;
	total_note(s, op, &term);
	s->value = s->started ? num_fold(op, t, s->value, term) : term;
	if (op->kind == OPK_SUM && is_float(t))
		s->value.e = isnan(e) ? OPEN : e;       /* roundings are counted at the end, once */
	s->value.e = exact ? 0 : s->value.e;
	s->started = true;
}

typedef double measure(const struct type *, double f);

/* The unit in the last place; infinite if it is no finite number. */
static double unit_of(const struct type *t, double f)
{
	return isfinite(f) ? fabs(f) * unit(t) : OPEN;
}

/* Above 1: the product of two such may leave the type. */
static double share_of(const struct type *t, double f)
{
	return isfinite(f) ? fabs(f) / sqrt(largest(t)) : 0;
}

/* The largest of what a value's floats measure. */
static double largest_of(measure *measured, const struct type *t, struct num v)
{
	double most = 0;
	if (is_float(t))
		return measured(t, v.f);
	if (t->kind == T_ARRAY)
		for (int64_t at = 0; at < type_size(t); at += type_size(t->elem))
			most = worse(most, largest_of(measured, t->elem,
			                              num_load(t->elem,
			                                       (const char *)(intptr_t)v.i + at)));
	for (int f = 0; t->kind == T_STRUCT && f < t->record->field.n; f++) {
		const struct field *field = &t->record->field.at[f];
		const void *at = (const char *)(intptr_t)v.i + field->offset;
		most = worse(most, largest_of(measured, field->type, num_load(field->type, at)));
	}
	return most;
}

void total_user(struct total *s, const struct type *t, struct num term)
{
	double size = largest_of(unit_of, t, term);
	s->terms++;
	if (isfinite(size))
		s->size = worse(s->size, size);
	else
		s->wild = true;
	s->huge |= s->computes && largest_of(share_of, t, term) > 1;
}

void total_factors(struct total *s, const struct type *t, const struct num *factor, int n)
{
	double up = 0, down = 0;
	int top = float_limits(t)->max_exp;
	for (int k = 0; k < n; k++) {
		double f = fabs(factor[k].f);
		if (f == 0)
			continue;
		s->huge |= !isfinite(f);
		*(f > 1 ? &up : &down) += fabs(log2(f));
	}
	s->huge |= up > top - 1 - SUM_BITS || down > top - 3;
}

/* The sum of a slice, wherever it begins, is within the range of the sums in two stretches. */
static void coarse_term(struct total *s, double term, double size)
{
	if (s->terms % COARSE_TERMS == 1) {
		s->low[1] = s->low[0], s->high[1] = s->high[0];
		s->low[0] = s->high[0] = s->so_far;
	}
	if (!isfinite(term))
		return;
	s->so_far += term;
	s->low[0] = fmin(s->low[0], s->so_far), s->high[0] = fmax(s->high[0], s->so_far);
	double range = fmax(s->high[0], s->high[1]) - fmin(s->low[0], s->low[1]);
	s->coarse = worse(s->coarse, worse(size, range));
}

void total_halves(struct total *s, const struct type *const *type, const struct num *factor)
{
	double size = 1;
	for (int k = 0; k < 2; k++) {
		double least = ldexp(1, float_limits(type[k])->min_exp - 1);
		size *= isfinite(factor[k].f) ? worse(fabs(factor[k].f), least) : 0;
	}
	s->halves += size;
	if (type_size(type[0]) == 1)
		coarse_term(s, factor[0].f * factor[1].f, size);
}

/* What a matrix unit leaves out, or rounds away, at most. */
static double slices_error(const struct total *s)
{
	return 2 * (double)s->terms * (exp2(-23) * s->halves + exp2(-13) * s->coarse)
	       + s->rounds * s->halves;
}

/* Note [tf32]: a tf32 has 10 bits of fraction and f32's exponents.  A unit may multiply what is
 * left of x when the other bits are cut off, |x| 2^-10 away at most, or 2^-136 of subnormal
 * numbers: a product changes by 2 2^-10 + 2^-20 of it, and the bound says 3 2^-10, which covers
 * what adding slightly larger products costs.  Rounded to the nearest, 2^128 - 2^116 and more would
 * be infinite; and infinity times what is cut off to zero, or a small part of zero, is NaN.
 *
 * tf32x3: x = big + small + rest, big and small tf32.  |small| <= 2^-11 |x|, and has 12 bits above
 * the last of x, of which one may be lost: |rest| <= 2^-23 |x|, or 2^-136.  big big + big small +
 * small big leaves out small small, 2^-22 of the product: 4 2^-23 together.  Three sums of k terms
 * lose what is below the least normal number three times.
 *
 * Factors that are rounded up make products 2 2^-11 larger, or 3 2^-10 with what sums may lose:
 * 3.39e38 of them are still less than the largest f32. */
void total_rounded(struct total *s, enum precision precision, const struct num *factor)
{
	const bool once = precision == PRECISION_TF32;
	const double least = ldexp(1, once ? -126 : -113);
	double size = 1;
	for (int k = 0; k < 2; k++) {
		double f = fabs(factor[k].f);
		s->huge |= f >= ldexp(1, 128) - ldexp(1, 116);
		size *= isfinite(f) ? worse(f, least) : 0;
	}
	s->halves += worse(size, ldexp(1, -125));
	s->rounds = once ? 3 * exp2(-10) : 4 * exp2(-23);
	s->huge |= s->halves >= 3.39e38;
}

/* Without an error in this order every operation is exact, and so it is in the others. */
static double user_error(const struct total *s)
{
	return s->value.e > 0 ? 3 * s->value.e + 8 * sqrt((double)s->terms) * s->size : 0;
}

static double order_error(const struct total *s, const struct op *op, const struct type *t)
{
	double f = s->value.f, u = 8 * sqrt((double)s->terms) * unit(t);
	int top = float_limits(t)->max_exp;
	if (s->terms < 2)
		return s->huge ? OPEN : 0;
	switch (op->kind) {
	case OPK_SUM:
		/* another order may round up beyond it */
		if (s->huge || s->size * (1 + u) > largest(t))
			return OPEN;
		return isfinite(f) ? u * s->size + (double)fabsl((long double)f - s->exact) : 0;
	case OPK_PROD:
		return s->up > top - 1 || s->down > top - 3 ? OPEN : isfinite(f) ? u * fabs(f) : 0;
	case OPK_USER:
		return s->huge ? OPEN : isfinite(f) ? user_error(s) : 0;
	case OPK_MIN: case OPK_MAX: case OPK_ALL: case OPK_ANY: case OPK_COUNT:
	case OPK_BITAND: case OPK_BITOR: case OPK_BITXOR: case OPK_ARGMIN: case OPK_ARGMAX:
		return 0;
	}
	return 0;
}

struct num total_end(const struct total *s, const struct op *op, const struct type *t)
{
	struct num v = s->value;
	if (s->strict && v.e == 0)
		return v;                                /* there is no other order */
	if (is_float(t))
		v.e += order_error(s, op, t) + slices_error(s);
	else if (t->kind == T_STRUCT)            /* its floats share one bound */
		v.e = s->wild || (s->huge && s->terms > 1) ? OPEN : v.e + user_error(s);
	return v;
}
