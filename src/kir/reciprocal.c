/* reciprocal.c - quotients that are rounded as a division rounds them, without dividing, of a
 * divisor d that is known when a program is compiled.
 *
 * Note [two products].  Let p be the bits of a significand, near = 1 / d rounded toward zero, rest
 * = 1 / d - near rounded, and v = a * near + round(a * rest), which fma rounds once (Brisebarre,
 * Muller and Raina, "Accelerating correctly rounded floating-point division when the divisor is
 * known in advance", IEEE Transactions on Computers 53(8), 2004).  A rest that is `step` last
 * places off makes the error of v, |v - a / d|, less than (2 step + 3) 2^(1-p) last places of the
 * quotient.  So fma(a, near, a * rest) is wrong only if a / d lies that close to the middle of two
 * numbers.
 *
 * Whether it does is arithmetic of integers.  Let A and D be the significands of a and d, and s =
 * p - 1, or p if A < D, so that A 2^s / D counts last places.  A middle M + 1/2 that is as close
 * makes
 *
 *     2^(s+1) A - (2M + 1) D = R,   0 < |R| <= 4 (2 step + 3)
 *
 * and R = 0 is impossible, since D < 2^p and is no power of two.  With D = 2^t O, O odd, R = 2^t r
 * with an odd r, and A = r / 2^(s+1-t) modulo O: for each R a few A at most, all of which are
 * tried.  Most divisors of f32 pass, 4 in 100 with a rest that is one last place off, 3 in 100 do
 * not.
 *
 * near and rest have one sign.  So a zero keeps its sign, an infinity remains one, and what is too
 * large becomes one, as fma rounds it.  Where a * rest is subnormal it loses bits, and a quotient
 * that is subnormal may be a tie: `least` leaves both out.
 *
 * Note [corrected].  Of the others, q = a * near, near = 1 / d to nearest, and r = fma(-q, d, a)
 * give fma(r, near, q), for every d (the same paper).  Of f32 that was tried too: an error needs
 * 0 < |R| <= 12 in the equation above, which 70 million pairs of a and d fulfil, and
 * tests/unit/test_reciprocal.c divides all of them.  r is exact, and q normal, from `least` to
 * `most`. */
#include "reciprocal.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

/* Of a type: the bits of a significand; the exponents of the least normal number, of the largest
 * power of two, of the least number; up to which `least` is small. */
struct form { int bits, lowest, highest, last, small; };

static struct form form_of(enum scalar kind)
{
	return kind == T_F32 ? (struct form){ FLT_MANT_DIG, -126, 127, -149, -60 }
	                     : (struct form){ DBL_MANT_DIG, -1022, 1023, -1074, -500 };
}

/* ---- operations of the type ---- */

static double product(enum scalar kind, double a, double b)
{
	return kind == T_F32 ? (double)((float)a * (float)b) : a * b;
}

static double quotient(enum scalar kind, double a, double d)
{
	return kind == T_F32 ? (double)((float)a / (float)d) : a / d;
}

static double fused(enum scalar kind, double a, double b, double c)
{
	return kind == T_F32 ? (double)fmaf((float)a, (float)b, (float)c) : fma(a, b, c);
}

/* So many last places more, of a number above zero. */
static double stepped(enum scalar kind, double x, int step)
{
	double to = step < 0 ? 0 : HUGE_VAL;
	for (int i = 0; i != step; i += step < 0 ? -1 : 1)
		x = kind == T_F32 ? (double)nextafterf((float)x, (float)to) : nextafter(x, to);
	return x;
}

/* ---- Note [two products] ---- */

/* r / 2^count modulo an odd number. */
static int64_t halved(int64_t r, int count, int64_t odd)
{
	r = (r % odd + odd) % odd;
	for (int i = 0; i < count; i++)
		r = (r & 1 ? r + odd : r) >> 1;
	return r;
}

struct trial { enum scalar kind; int64_t divisor; double near, rest; };

static bool is_right(const struct trial *t, int64_t a)
{
	double tail = product(t->kind, (double)a, t->rest);
	return fused(t->kind, (double)a, t->near, tail)
	       == quotient(t->kind, (double)a, (double)t->divisor);
}

/* All A of one s and R. */
static bool is_right_at(const struct trial *t, int s, int64_t rest)
{
	int bits = form_of(t->kind).bits, zeros = __builtin_ctzll((uint64_t)t->divisor);
	int64_t two = INT64_C(1) << zeros, odd = t->divisor >> zeros, most = INT64_C(1) << bits;
	if (rest % two || !(rest / two & 1))
		return true;
	for (int64_t a = halved(rest / two, s + 1 - zeros, odd); a < most; a += odd)
		if (2 * a >= most && (a < t->divisor) == (s == bits) && !is_right(t, a))
			return false;
	return true;
}

static bool is_sound(const struct trial *t, int step)
{
	int bits = form_of(t->kind).bits, most = 4 * (2 * abs(step) + 3);
	bool right = true;
	for (int r = 1; right && r <= most; r++)
		right = is_right_at(t, bits - 1, r) && is_right_at(t, bits - 1, -r)
		        && is_right_at(t, bits, r) && is_right_at(t, bits, -r);
	return right;
}

/* Of a significand: the quotients of its powers of two have the same digits. */
static bool find_rest(struct trial *t)
{
	static const int steps[] = { 0, 1, -1 };
	double d = (double)t->divisor, near = quotient(t->kind, 1, d);
	if (fused(t->kind, -near, d, 1) < 0)
		near = stepped(t->kind, near, -1);
	double rest = quotient(t->kind, fused(t->kind, -near, d, 1), d);
	for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
		t->near = near;
		t->rest = stepped(t->kind, rest, steps[i]);
		if (is_sound(t, steps[i]))
			return true;
	}
	return false;
}

/* ---- of a divisor ---- */

static bool two_products(enum scalar kind, double d, struct reciprocal *r)
{
	struct form form = form_of(kind);
	int exponent;
	double significand = ldexp(frexp(fabs(d), &exponent), form.bits);
	struct trial t = { .kind = kind, .divisor = (int64_t)significand };
	if (!find_rest(&t))
		return false;
	double scale = copysign(1, d);
	int shift = form.bits - exponent, least = form.lowest - (ilogb(t.rest) + shift);
	if (ilogb(t.rest) + shift < form.lowest || ilogb(t.near) + shift > form.highest)
		return false;
	*r = (struct reciprocal){ .near = scale * ldexp(t.near, shift),
		                  .rest = scale * ldexp(t.rest, shift),
		                  .least = least <= form.last ? 0 : ldexp(1, least),
		                  .most = HUGE_VAL };
	return least <= form.small;
}

/* As backends/rt does it of a divisor that is known when a kernel is launched. */
static bool corrected(enum scalar kind, double d, struct reciprocal *r)
{
	double largest = kind == T_F32 ? (double)FLT_MAX : DBL_MAX, size = fabs(d);
	double widest = kind == T_F32 ? 0x1p100 : 0x1p900;
	double least = kind == T_F32 ? 0x1p-100 : 0x1p-960;
	*r = (struct reciprocal){
		.near = quotient(kind, 1, d),
		.least = fmax(least, size * (kind == T_F32 ? 0x1p-125 : 0x1p-1021)),
		.most = fmin(largest, size * (kind == T_F32 ? 0x1p126 : 0x1p1022)) };
	return size >= 1 / widest && size <= widest && r->least <= ldexp(1, form_of(kind).small);
}

bool reciprocal_find(enum scalar kind, double d, struct reciprocal *r)
{
	int exponent;
	d = kind == T_F32 ? (double)(float)d : d;
	bool normal = isfinite(d) && fabs(d) >= ldexp(1, form_of(kind).lowest);
	if (!normal || fabs(frexp(d, &exponent)) == 0.5)
		return false;
	return two_products(kind, d, r) || corrected(kind, d, r);
}
