/* eval_approx.c - how far an approximate operation may be off (the clause `approx`, f32 only).
 *
 * The value is the accurate one; its bound grows by what NVIDIA documents for the intrinsic that
 * takes its place (CUDA C++ Programming Guide, "Intrinsic Functions"; PTX ISA for sqrt and tanh),
 * and is no less than the 4 ulp of the vector functions of the GNU C library.  Those of f64 are
 * within the bounds of any library (eval_value.c).
 *
 *   x / y            2 ulp for |y| in 2^-126 .. 2^126
 *   exp x            4 + floor(1.173 |x|) ulp                exp2 x           4 ulp
 *   log x, log10 x   2^-21.41, 2^-23 for x in 0.5 .. 2, else 4 ulp
 *   log2 x           2^-22 for x in 0.5 .. 2, else 4 ulp
 *   sin x, cos x     2^-21.41, 2^-21.19 for |x| <= pi        tan x            their quotient
 *   pow(x, y)        2^(y log2 x), for x > 0                 tanh x           2^-11 |tanh x|
 *   sqrt x           1 ulp                                   rsqrt x          2 ulp
 *
 * Subnormal numbers may be taken for zero, as arguments and as results.  Where the documents
 * promise nothing, the result is open; sines and cosines stay between -1 and 1.  A result that is
 * no number is the same only where it comes from an infinite or NaN argument, or from a pole. */
#include <assert.h>
#include <float.h>
#include <math.h>

#include "eval_value.h"

#define OPEN ((double)INFINITY)
static const double PI = 3.14159265358979323846;

static double ulp(double r)
{
	return (double)FLT_EPSILON * fabs(r);
}

static double worse(double a, double b)
{
	return a > b ? a : b;
}

static double least(struct num a)
{
	return fabs(a.f) - a.e;
}

static double most(struct num a)
{
	return fabs(a.f) + a.e;
}

static bool is_zero(struct num a)
{
	return a.f == 0 && a.e == 0;
}

/* Away from what may be flushed, and of one sign. */
static bool is_normal(struct num a)
{
	return isfinite(a.f) && least(a) >= (double)FLT_MIN;
}

static double log_error(struct num x, double r, double near_one, int ulps)
{
	bool near = most(x) >= 0.5 && least(x) <= 2;

	if (!is_normal(x))
		return OPEN;
	return near ? worse(near_one, ulps * ulp(r)) : ulps * ulp(r);
}

static double wave_error(struct num x, double near_zero)
{
	return most(x) <= PI ? near_zero : 2;
}

static double tan_error(struct num x, double r)
{
	double s = exp2(-21.41), c = exp2(-21.19), cosine = fabs(cos(x.f)) - x.e - c;

	return most(x) > PI || cosine <= 0 ? OPEN : (s + fabs(r) * c) / cosine + 2 * ulp(r);
}

/* 2^(y log2 x), whose exponent is off by what log2 and the product are. */
static double pow_error(struct num x, struct num y, double r)
{
	double t = log2(x.f), d;

	if (x.f < 0 || !is_normal(x) || !isfinite(y.f))
		return OPEN;
	d = most(y) * log_error(x, t, exp2(-22), 4) + fabs(y.f * t) * (double)FLT_EPSILON / 2;
	return fabs(r) * (exp2(d) - 1) + 4 * ulp(r);
}

static double math_error(enum math m, const struct num *a, double r)
{
	switch ((int)m) {
	case M_exp: return (4 + floor(1.173 * most(a[0]))) * ulp(r);
	case M_exp2: return 4 * ulp(r);
	case M_log: return log_error(a[0], r, exp2(-21.41), 4);
	case M_log2: return log_error(a[0], r, exp2(-22), 4);
	case M_log10: return log_error(a[0], r, exp2(-23), 4);
	case M_sin: return wave_error(a[0], exp2(-21.41));
	case M_cos: return wave_error(a[0], exp2(-21.19));
	case M_tan: return tan_error(a[0], r);
	case M_tanh: return exp2(-11) * fabs(r);
	case M_pow: return pow_error(a[0], a[1], r);
	case M_sqrt: return is_zero(a[0]) ? 0 : is_normal(a[0]) ? ulp(r) : OPEN;
	case M_rsqrt: return is_normal(a[0]) ? 2 * ulp(r) : OPEN;
	}
	assert(0 && "approx.def lists the functions above");
	return OPEN;
}

/* An infinity or NaN: as the accurate function has it, or open. */
static bool is_sure(enum math m, struct num x)
{
	bool pole = m == M_log || m == M_log2 || m == M_log10 || m == M_rsqrt;

	if (m == M_pow)
		return false;
	if (x.e > 0)
		return false;
	return !isfinite(x.f) || (is_zero(x) ? pole : x.f <= -(double)FLT_MIN);
}

static struct num settled(struct num v, double e)
{
	v.e += e + (double)FLT_MIN;
	if (!(fabs(v.f) + v.e <= (double)FLT_MAX))
		v.e = OPEN;
	return v;
}

struct num num_approx(enum math m, const struct type *t, int n, const struct num *a)
{
	struct num v = num_math(m, t, n, a);

	if (!isfinite(v.f))
		v.e = is_sure(m, a[0]) ? v.e : OPEN;
	else if (!isfinite(a[0].f) && a[0].e == 0 && m != M_pow)
		return v;                                /* of an infinity: exp, tanh, rsqrt */
	else
		v = settled(v, math_error(m, a, v.f));
	return v;
}

struct num num_divide(const struct type *t, struct num a, struct num b)
{
	struct num v = num_binary(OP_DIV, t, a, b);

	if (is_zero(b) || (!isfinite(b.f) && b.e == 0))
		return v;
	if (!is_normal(b) || most(b) > 0x1p126)
		v.e = OPEN;
	else if (isfinite(v.f))
		v = settled(v, 2 * ulp(v.f) + (double)FLT_MIN / least(b));
	return v;
}
