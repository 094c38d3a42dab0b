/* simt_math.h - the fast functions, as bad as their documents allow: nine tenths of the documented
 * error, up or down by the bits of the argument, so that what relies on more accuracy is seen
 * to. */
#ifndef SIMT_MATH_H
#define SIMT_MATH_H

#include <math.h>
#include <stdint.h>
#include <string.h>

namespace simt {
inline double side(float x)
{
	uint32_t bits;
	memcpy(&bits, &x, sizeof bits);
	return __builtin_parity(bits * 2654435761u) ? 0.9 : -0.9;
}
inline float off(float x, double exact, double error)
{
	return std::isfinite(exact) ? (float)(exact + side(x) * error) : (float)exact;
}
inline float off_ulps(float x, double exact, double ulps)
{
	int exponent;
	if (!std::isfinite(exact) || exact == 0)
		return (float)exact;
	frexp(exact, &exponent);
	return off(x, exact, ulps * ldexp(1, exponent - 24));
}
inline float off_log(float x, double exact, double near_one, double ulps)
{
	return x >= 0.5f && x <= 2.0f ? off(x, exact, near_one) : off_ulps(x, exact, ulps);
}
inline float off_wave(float x, double exact, double error)
{
	return fabsf(x) <= 3.14159265f ? off(x, exact, error)
	       : std::isfinite(exact)    ? 0.0f
	                                 : (float)exact;
}
}

static inline float simt_fast_expf(float x)
{
	return simt::off_ulps(x, exp((double)x), 2 + floor(1.173 * fabs((double)x)));
}
static inline float simt_fast_logf(float x)
{
	return simt::off_log(x, log((double)x), exp2(-21.41), 3);
}
static inline float simt_fast_log2f(float x)
{
	return simt::off_log(x, log2((double)x), exp2(-22), 2);
}
static inline float simt_fast_log10f(float x)
{
	return simt::off_log(x, log10((double)x), exp2(-24), 3);
}
static inline float simt_fast_sinf(float x)
{
	return simt::off_wave(x, sin((double)x), exp2(-21.41));
}
static inline float simt_fast_cosf(float x)
{
	return simt::off_wave(x, cos((double)x), exp2(-21.19));
}
static inline float simt_fast_tanf(float x)
{
	return simt_fast_sinf(x) * (1.0f / simt_fast_cosf(x));
}
static inline float simt_fast_powf(float x, float y)
{
	const float t = y * simt_fast_log2f(x);
	return simt::off_ulps(t, exp2((double)t), 2);
}
static inline float simt_fast_fdividef(float x, float y)
{
	if (fabsf(y) > 0x1p126f)
		return x * 0.0f;                         /* of an infinity or NaN: NaN */
	return simt::off_ulps(x, (double)x / (double)y, 2);
}
static inline float simt_fast_rsqrtf(float x) { return simt::off_ulps(x, 1 / sqrt((double)x), 2); }

/* The C library has functions of these names too. */
#define __expf(x) simt_fast_expf((float)(x))
#define __logf(x) simt_fast_logf((float)(x))
#define __log2f(x) simt_fast_log2f((float)(x))
#define __log10f(x) simt_fast_log10f((float)(x))
#define __sinf(x) simt_fast_sinf((float)(x))
#define __cosf(x) simt_fast_cosf((float)(x))
#define __tanf(x) simt_fast_tanf((float)(x))
#define __powf(x, y) simt_fast_powf((float)(x), (float)(y))
#define __fdividef(x, y) simt_fast_fdividef((float)(x), (float)(y))
#define rsqrtf(x) simt_fast_rsqrtf((float)(x))

#endif
