/* common.h - the operations of the language whose meaning C does not have: one text for C11,
 * C++17, CUDA and HIP.  A marker names the helper that follows it and what that needs; only what
 * a program uses is copied into its output, where PATC_FN becomes the target's prefix of
 * functions.
 *
 * Integers wrap on overflow, division never traps (x / 0 is 0, x % 0 is x, MIN / -1 is MIN),
 * shift counts are taken modulo the width, a float becomes an integer by truncation and
 * saturation, NaN becomes 0. Wrapping goes through the unsigned type, where C defines it.
 * f16 and bf16 are words of 16 bits; a value on its way into one is rounded once.
 *
 * Text of backends/rt that is copied into the output is under 0BSD.
 * SPDX-License-Identifier: 0BSD */
#ifndef PATC_FN
#define PATC_FN static inline
#endif
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

/* helper patc_past */
/* Bytes from the last multiple of so many, a power of two, to this address. */
PATC_FN int32_t patc_past(const void *at, int32_t bytes)
{
	return (int32_t)((uintptr_t)at & (uintptr_t)(bytes - 1));
}

/* helper patc_add_i32 */
PATC_FN int32_t patc_add_i32(int32_t a, int32_t b)
{
	return (int32_t)((uint32_t)a + (uint32_t)b);
}

/* helper patc_sub_i32 */
PATC_FN int32_t patc_sub_i32(int32_t a, int32_t b)
{
	return (int32_t)((uint32_t)a - (uint32_t)b);
}

/* helper patc_mul_i32 */
PATC_FN int32_t patc_mul_i32(int32_t a, int32_t b)
{
	return (int32_t)((uint32_t)a * (uint32_t)b);
}

/* helper patc_neg_i32 */
PATC_FN int32_t patc_neg_i32(int32_t a)
{
	return (int32_t)(0u - (uint32_t)a);
}

/* helper patc_add_i64 */
PATC_FN int64_t patc_add_i64(int64_t a, int64_t b)
{
	return (int64_t)((uint64_t)a + (uint64_t)b);
}

/* helper patc_sub_i64 */
PATC_FN int64_t patc_sub_i64(int64_t a, int64_t b)
{
	return (int64_t)((uint64_t)a - (uint64_t)b);
}

/* helper patc_mul_i64 */
PATC_FN int64_t patc_mul_i64(int64_t a, int64_t b)
{
	return (int64_t)((uint64_t)a * (uint64_t)b);
}

/* helper patc_neg_i64 */
PATC_FN int64_t patc_neg_i64(int64_t a)
{
	return (int64_t)(0u - (uint64_t)a);
}

/* helper patc_neg_u32 */
PATC_FN uint32_t patc_neg_u32(uint32_t a)
{
	return 0u - a;
}

/* helper patc_neg_u64 */
PATC_FN uint64_t patc_neg_u64(uint64_t a)
{
	return 0u - a;
}

/* helper patc_div_i32: patc_neg_i32 */
PATC_FN int32_t patc_div_i32(int32_t a, int32_t b)
{
	return b == 0 ? 0 : b == -1 ? patc_neg_i32(a) : a / b;
}

/* helper patc_rem_i32 */
PATC_FN int32_t patc_rem_i32(int32_t a, int32_t b)
{
	return b == 0 ? a : b == -1 ? 0 : a % b;
}

/* helper patc_div_i64: patc_neg_i64 */
PATC_FN int64_t patc_div_i64(int64_t a, int64_t b)
{
	return b == 0 ? 0 : b == -1 ? patc_neg_i64(a) : a / b;
}

/* helper patc_rem_i64 */
PATC_FN int64_t patc_rem_i64(int64_t a, int64_t b)
{
	return b == 0 ? a : b == -1 ? 0 : a % b;
}

/* helper patc_div_u32 */
PATC_FN uint32_t patc_div_u32(uint32_t a, uint32_t b)
{
	return b == 0 ? 0 : a / b;
}

/* helper patc_rem_u32 */
PATC_FN uint32_t patc_rem_u32(uint32_t a, uint32_t b)
{
	return b == 0 ? a : a % b;
}

/* helper patc_div_u64 */
PATC_FN uint64_t patc_div_u64(uint64_t a, uint64_t b)
{
	return b == 0 ? 0 : a / b;
}

/* helper patc_div_f32 */
PATC_FN float patc_div_f32(float a, float b)
{
	return a / b;
}

/* helper patc_div_f64 */
PATC_FN double patc_div_f64(double a, double b)
{
	return a / b;
}

/* helper patc_rem_u64 */
PATC_FN uint64_t patc_rem_u64(uint64_t a, uint64_t b)
{
	return b == 0 ? a : a % b;
}

/* helper patc_shl_i32 */
PATC_FN int32_t patc_shl_i32(int32_t a, int64_t count)
{
	return (int32_t)((uint32_t)a << (count & 31));
}

/* helper patc_shr_i32 */
PATC_FN int32_t patc_shr_i32(int32_t a, int64_t count)
{
	return a >> (count & 31);
}

/* helper patc_shl_i64 */
PATC_FN int64_t patc_shl_i64(int64_t a, int64_t count)
{
	return (int64_t)((uint64_t)a << (count & 63));
}

/* helper patc_shr_i64 */
PATC_FN int64_t patc_shr_i64(int64_t a, int64_t count)
{
	return a >> (count & 63);
}

/* helper patc_shl_u32 */
PATC_FN uint32_t patc_shl_u32(uint32_t a, int64_t count)
{
	return a << (count & 31);
}

/* helper patc_shr_u32 */
PATC_FN uint32_t patc_shr_u32(uint32_t a, int64_t count)
{
	return a >> (count & 31);
}

/* helper patc_shl_u64 */
PATC_FN uint64_t patc_shl_u64(uint64_t a, int64_t count)
{
	return a << (count & 63);
}

/* helper patc_shr_u64 */
PATC_FN uint64_t patc_shr_u64(uint64_t a, int64_t count)
{
	return a >> (count & 63);
}

/* helper patc_min_i32 */
PATC_FN int32_t patc_min_i32(int32_t a, int32_t b)
{
	return b < a ? b : a;
}

/* helper patc_max_i32 */
PATC_FN int32_t patc_max_i32(int32_t a, int32_t b)
{
	return b > a ? b : a;
}

/* helper patc_clamp_i32: patc_min_i32 patc_max_i32 */
PATC_FN int32_t patc_clamp_i32(int32_t x, int32_t lo, int32_t hi)
{
	return patc_min_i32(patc_max_i32(x, lo), hi);
}

/* helper patc_min_i64 */
PATC_FN int64_t patc_min_i64(int64_t a, int64_t b)
{
	return b < a ? b : a;
}

/* helper patc_max_i64 */
PATC_FN int64_t patc_max_i64(int64_t a, int64_t b)
{
	return b > a ? b : a;
}

/* helper patc_clamp_i64: patc_min_i64 patc_max_i64 */
PATC_FN int64_t patc_clamp_i64(int64_t x, int64_t lo, int64_t hi)
{
	return patc_min_i64(patc_max_i64(x, lo), hi);
}

/* helper patc_min_u32 */
PATC_FN uint32_t patc_min_u32(uint32_t a, uint32_t b)
{
	return b < a ? b : a;
}

/* helper patc_max_u32 */
PATC_FN uint32_t patc_max_u32(uint32_t a, uint32_t b)
{
	return b > a ? b : a;
}

/* helper patc_clamp_u32: patc_min_u32 patc_max_u32 */
PATC_FN uint32_t patc_clamp_u32(uint32_t x, uint32_t lo, uint32_t hi)
{
	return patc_min_u32(patc_max_u32(x, lo), hi);
}

/* helper patc_min_u64 */
PATC_FN uint64_t patc_min_u64(uint64_t a, uint64_t b)
{
	return b < a ? b : a;
}

/* helper patc_max_u64 */
PATC_FN uint64_t patc_max_u64(uint64_t a, uint64_t b)
{
	return b > a ? b : a;
}

/* helper patc_clamp_u64: patc_min_u64 patc_max_u64 */
PATC_FN uint64_t patc_clamp_u64(uint64_t x, uint64_t lo, uint64_t hi)
{
	return patc_min_u64(patc_max_u64(x, lo), hi);
}

/* helper patc_abs_i32 */
PATC_FN int32_t patc_abs_i32(int32_t a)
{
	return a < 0 ? (int32_t)(0u - (uint32_t)a) : a;
}

/* helper patc_abs_i64 */
PATC_FN int64_t patc_abs_i64(int64_t a)
{
	return a < 0 ? (int64_t)(0u - (uint64_t)a) : a;
}

/* helper patc_abs_u32 */
PATC_FN uint32_t patc_abs_u32(uint32_t a)
{
	return a;
}

/* helper patc_abs_u64 */
PATC_FN uint64_t patc_abs_u64(uint64_t a)
{
	return a;
}

/* helper patc_min_f32 */
/* As fminf: a NaN gives way to a number. */
PATC_FN float patc_min_f32(float a, float b)
{
	return a < b || b != b ? a : b;
}

/* helper patc_max_f32 */
PATC_FN float patc_max_f32(float a, float b)
{
	return a > b || b != b ? a : b;
}

/* helper patc_min_f64 */
PATC_FN double patc_min_f64(double a, double b)
{
	return a < b || b != b ? a : b;
}

/* helper patc_max_f64 */
PATC_FN double patc_max_f64(double a, double b)
{
	return a > b || b != b ? a : b;
}

/* helper patc_clamp_f32 */
PATC_FN float patc_clamp_f32(float x, float lo, float hi)
{
	return fminf(fmaxf(x, lo), hi);
}

/* helper patc_rsqrt_f32 */
PATC_FN float patc_rsqrt_f32(float x)
{
	return 1.0f / sqrtf(x);
}

/* helper patc_isnan_f32 */
PATC_FN bool patc_isnan_f32(float x)
{
	return x != x;
}

/* helper patc_isinf_f32 */
PATC_FN bool patc_isinf_f32(float x)
{
	return fabsf(x) == INFINITY;
}

/* helper patc_isfinite_f32 */
PATC_FN bool patc_isfinite_f32(float x)
{
	return fabsf(x) < INFINITY;
}

/* helper patc_clamp_f64 */
PATC_FN double patc_clamp_f64(double x, double lo, double hi)
{
	return fmin(fmax(x, lo), hi);
}

/* helper patc_rsqrt_f64 */
PATC_FN double patc_rsqrt_f64(double x)
{
	return 1.0 / sqrt(x);
}

/* helper patc_isnan_f64 */
PATC_FN bool patc_isnan_f64(double x)
{
	return x != x;
}

/* helper patc_isinf_f64 */
PATC_FN bool patc_isinf_f64(double x)
{
	return fabs(x) == (double)INFINITY;
}

/* helper patc_isfinite_f64 */
PATC_FN bool patc_isfinite_f64(double x)
{
	return fabs(x) < (double)INFINITY;
}

/* helper patc_f32_to_i8 */
PATC_FN int8_t patc_f32_to_i8(float x)
{
	return x != x ? 0 : x >= 127.0f ? INT8_MAX : x <= -128.0f ? INT8_MIN : (int8_t)x;
}

/* helper patc_f32_to_i16 */
PATC_FN int16_t patc_f32_to_i16(float x)
{
	return x != x ? 0 : x >= 32767.0f ? INT16_MAX : x <= -32768.0f ? INT16_MIN : (int16_t)x;
}

/* helper patc_f32_to_i32 */
PATC_FN int32_t patc_f32_to_i32(float x)
{
	return x != x ? 0 : x >= 2147483648.0f ? INT32_MAX : x <= -2147483648.0f ? INT32_MIN : (int32_t)x;
}

/* helper patc_f32_to_i64 */
PATC_FN int64_t patc_f32_to_i64(float x)
{
	return x != x ? 0 : x >= 9223372036854775808.0f ? INT64_MAX
	     : x <= -9223372036854775808.0f ? INT64_MIN : (int64_t)x;
}

/* helper patc_f32_to_u8 */
PATC_FN uint8_t patc_f32_to_u8(float x)
{
	return x != x ? 0 : x >= 255.0f ? UINT8_MAX : x <= 0.0f ? 0 : (uint8_t)x;
}

/* helper patc_f32_to_u16 */
PATC_FN uint16_t patc_f32_to_u16(float x)
{
	return x != x ? 0 : x >= 65535.0f ? UINT16_MAX : x <= 0.0f ? 0 : (uint16_t)x;
}

/* helper patc_f32_to_u32 */
PATC_FN uint32_t patc_f32_to_u32(float x)
{
	return x != x ? 0 : x >= 4294967296.0f ? UINT32_MAX : x <= 0.0f ? 0 : (uint32_t)x;
}

/* helper patc_f32_to_u64 */
PATC_FN uint64_t patc_f32_to_u64(float x)
{
	return x != x ? 0 : x >= 18446744073709551616.0f ? UINT64_MAX : x <= 0.0f ? 0 : (uint64_t)x;
}

/* helper patc_f64_to_i8 */
PATC_FN int8_t patc_f64_to_i8(double x)
{
	return x != x ? 0 : x >= 127.0 ? INT8_MAX : x <= -128.0 ? INT8_MIN : (int8_t)x;
}

/* helper patc_f64_to_i16 */
PATC_FN int16_t patc_f64_to_i16(double x)
{
	return x != x ? 0 : x >= 32767.0 ? INT16_MAX : x <= -32768.0 ? INT16_MIN : (int16_t)x;
}

/* helper patc_f64_to_i32 */
PATC_FN int32_t patc_f64_to_i32(double x)
{
	return x != x ? 0 : x >= 2147483647.0 ? INT32_MAX : x <= -2147483648.0 ? INT32_MIN : (int32_t)x;
}

/* helper patc_f64_to_i64 */
PATC_FN int64_t patc_f64_to_i64(double x)
{
	return x != x ? 0 : x >= 9223372036854775808.0 ? INT64_MAX
	     : x <= -9223372036854775808.0 ? INT64_MIN : (int64_t)x;
}

/* helper patc_f64_to_u8 */
PATC_FN uint8_t patc_f64_to_u8(double x)
{
	return x != x ? 0 : x >= 255.0 ? UINT8_MAX : x <= 0.0 ? 0 : (uint8_t)x;
}

/* helper patc_f64_to_u16 */
PATC_FN uint16_t patc_f64_to_u16(double x)
{
	return x != x ? 0 : x >= 65535.0 ? UINT16_MAX : x <= 0.0 ? 0 : (uint16_t)x;
}

/* helper patc_f64_to_u32 */
PATC_FN uint32_t patc_f64_to_u32(double x)
{
	return x != x ? 0 : x >= 4294967295.0 ? UINT32_MAX : x <= 0.0 ? 0 : (uint32_t)x;
}

/* helper patc_f64_to_u64 */
PATC_FN uint64_t patc_f64_to_u64(double x)
{
	return x != x ? 0 : x >= 18446744073709551616.0 ? UINT64_MAX : x <= 0.0 ? 0 : (uint64_t)x;
}

/* helper patc_bits_f32 */
PATC_FN uint32_t patc_bits_f32(float x)
{
	uint32_t bits;
	__builtin_memcpy(&bits, &x, sizeof bits);
	return bits;
}

/* helper patc_from_bits_f32 */
PATC_FN float patc_from_bits_f32(uint32_t bits)
{
	float x;
	__builtin_memcpy(&x, &bits, sizeof x);
	return x;
}

/* helper patc_bits_f64 */
PATC_FN uint64_t patc_bits_f64(double x)
{
	uint64_t bits;
	__builtin_memcpy(&bits, &x, sizeof bits);
	return bits;
}

/* helper patc_from_bits_f64 */
PATC_FN double patc_from_bits_f64(uint64_t bits)
{
	double x;
	__builtin_memcpy(&x, &bits, sizeof x);
	return x;
}

/* helper patc_bits_u16 */
/* Of f16 and bf16, which are words already. */
PATC_FN uint32_t patc_bits_u16(uint16_t x)
{
	return x;
}

/* helper patc_from_bits_u16 */
PATC_FN uint16_t patc_from_bits_u16(uint32_t bits)
{
	return (uint16_t)bits;
}

/* helper patc_choose_u32 */
/* c ? a : b by bits: gcc makes vectors of it even if a or b comes from an operation on floats. */
PATC_FN uint32_t patc_choose_u32(bool c, uint32_t a, uint32_t b)
{
	const uint32_t mask = 0u - (uint32_t)c;
	return (a & mask) | (b & ~mask);
}

/* helper patc_f16_to_f32: patc_bits_f32 patc_from_bits_f32 patc_choose_u32 */
/* The exponent is moved to f32's place and bias, once more for infinities and NaN.  A subnormal
 * has no leading one: a float that has it is made, and the one taken off again. */
PATC_FN float patc_f16_to_f32(uint16_t h)
{
	const uint32_t bits = (uint32_t)(h & 0x7fff) << 13, sign = (uint32_t)(h & 0x8000) << 16;
	const uint32_t number = bits + (112u << 23), no_number = bits + (224u << 23);
	const float low = patc_from_bits_f32(bits + (113u << 23)) - 0x1p-14f;
	const uint32_t high = bits >= 0x0f800000 ? no_number : number;
	const uint32_t size = patc_choose_u32(bits >= 0x00800000, high, patc_bits_f32(low));
	return patc_from_bits_f32(size | sign);
}

/* helper patc_f32_to_f16: patc_bits_f32 patc_from_bits_f32 patc_choose_u32 */
/* To nearest, ties to even.  Where f16 is subnormal, adding 1/2 does the rounding: a last place
 * of the sum is the least f16.  Elsewhere adding 0xfff, and one more to an odd result, carries
 * when it should; from 65520 on that gives infinity. */
PATC_FN uint16_t patc_f32_to_f16(float x)
{
	const uint32_t bits = patc_bits_f32(x) & 0x7fffffff, sign = patc_bits_f32(x) >> 31 << 15;
	const uint32_t low = patc_bits_f32(patc_from_bits_f32(bits) + 0.5f) - 0x3f000000;
	const uint32_t number = (bits - (112u << 23) + 0xfff + (bits >> 13 & 1)) >> 13;
	const uint32_t no_number = bits > 0x7f800000 ? 0x7e00 | (bits >> 13 & 0x3ff) : 0x7c00;
	const uint32_t high = bits >= 0x47800000 ? no_number : number;
	const uint32_t size = patc_choose_u32(bits >= 0x38800000, high, low);
	return (uint16_t)(size | sign);
}

/* helper patc_bf16_to_f32: patc_from_bits_f32 */
PATC_FN float patc_bf16_to_f32(uint16_t h)
{
	return patc_from_bits_f32((uint32_t)h << 16);
}

/* helper patc_f32_to_bf16: patc_bits_f32 */
/* To nearest, ties to even; a NaN stays one. */
PATC_FN uint16_t patc_f32_to_bf16(float x)
{
	const uint32_t bits = patc_bits_f32(x);
	const uint32_t number = bits + 0x7fff + (bits >> 16 & 1);
	return (uint16_t)((x != x ? bits | 0x400000 : number) >> 16);
}

/* helper patc_f64_to_f32_odd: patc_bits_f32 patc_from_bits_f32 */
/* What f32 does not hold becomes its odd neighbour, which is no tie of a narrower format: so a
 * second rounding is the only one.  The nearest f32 is put right where it is the greater one. */
PATC_FN float patc_f64_to_f32_odd(double x)
{
	const float nearest = (float)x;
	const uint32_t bits = patc_bits_f32(nearest) - (fabs((double)nearest) > fabs(x) ? 1 : 0);
	return (double)nearest == x ? nearest : patc_from_bits_f32(bits | 1);
}

/* helper patc_f64_to_f16: patc_f64_to_f32_odd patc_f32_to_f16 */
PATC_FN uint16_t patc_f64_to_f16(double x)
{
	return patc_f32_to_f16(patc_f64_to_f32_odd(x));
}

/* helper patc_f64_to_bf16: patc_f64_to_f32_odd patc_f32_to_bf16 */
PATC_FN uint16_t patc_f64_to_bf16(double x)
{
	return patc_f32_to_bf16(patc_f64_to_f32_odd(x));
}

/* helper patc_u64_to_bf16: patc_f64_to_bf16 */
/* Beyond 53 bits the last ones only tell whether it is a tie: one stands for twelve. */
PATC_FN uint16_t patc_u64_to_bf16(uint64_t a)
{
	const uint64_t rest = a >> 53 != 0 ? a & 0xfff : 0;
	return patc_f64_to_bf16((double)(a - rest + (rest != 0 ? 0x800 : 0)));
}

/* helper patc_i64_to_bf16: patc_u64_to_bf16 */
PATC_FN uint16_t patc_i64_to_bf16(int64_t a)
{
	const uint64_t size = a < 0 ? 0u - (uint64_t)a : (uint64_t)a;
	return (uint16_t)(patc_u64_to_bf16(size) | (a < 0 ? 0x8000 : 0));
}

/* helper patc_popcount_i32 */
PATC_FN int32_t patc_popcount_i32(int32_t a)
{
	return __builtin_popcount((uint32_t)a);
}

/* helper patc_clz_i32 */
PATC_FN int32_t patc_clz_i32(int32_t a)
{
	return a == 0 ? 32 : __builtin_clz((uint32_t)a);
}

/* helper patc_ctz_i32 */
PATC_FN int32_t patc_ctz_i32(int32_t a)
{
	return a == 0 ? 32 : __builtin_ctz((uint32_t)a);
}

/* helper patc_popcount_i64 */
PATC_FN int32_t patc_popcount_i64(int64_t a)
{
	return __builtin_popcountll((uint64_t)a);
}

/* helper patc_clz_i64 */
PATC_FN int32_t patc_clz_i64(int64_t a)
{
	return a == 0 ? 64 : __builtin_clzll((uint64_t)a);
}

/* helper patc_ctz_i64 */
PATC_FN int32_t patc_ctz_i64(int64_t a)
{
	return a == 0 ? 64 : __builtin_ctzll((uint64_t)a);
}

/* helper patc_popcount_u32 */
PATC_FN int32_t patc_popcount_u32(uint32_t a)
{
	return __builtin_popcount(a);
}

/* helper patc_clz_u32 */
PATC_FN int32_t patc_clz_u32(uint32_t a)
{
	return a == 0 ? 32 : __builtin_clz(a);
}

/* helper patc_ctz_u32 */
PATC_FN int32_t patc_ctz_u32(uint32_t a)
{
	return a == 0 ? 32 : __builtin_ctz(a);
}

/* helper patc_popcount_u64 */
PATC_FN int32_t patc_popcount_u64(uint64_t a)
{
	return __builtin_popcountll(a);
}

/* helper patc_clz_u64 */
PATC_FN int32_t patc_clz_u64(uint64_t a)
{
	return a == 0 ? 64 : __builtin_clzll(a);
}

/* helper patc_ctz_u64 */
PATC_FN int32_t patc_ctz_u64(uint64_t a)
{
	return a == 0 ? 64 : __builtin_ctzll(a);
}

/* helper patc_wrap */
/* The index of a periodic array of n > 0 cells. */
PATC_FN int64_t patc_wrap(int64_t i, int64_t n)
{
	const int64_t r = i % n;
	return r < 0 ? r + n : r;
}

/* helper patc_wrap_near */
/* The same a few periods away at most: a 64-bit division would be a call. */
PATC_FN int64_t patc_wrap_near(int64_t i, int64_t n)
{
	while (i < 0)
		i += n;
	while (i >= n)
		i -= n;
	return i;
}

/* helper patc_mirror: patc_wrap */
/* Reflection with the edge repeated: ... 1 0 | 0 1 ... */
PATC_FN int64_t patc_mirror(int64_t i, int64_t n)
{
	const int64_t r = patc_wrap(i, 2 * n);
	return r < n ? r : 2 * n - 1 - r;
}

/* helper patc_mirror_near: patc_wrap_near */
PATC_FN int64_t patc_mirror_near(int64_t i, int64_t n)
{
	const int64_t r = patc_wrap_near(i, 2 * n);
	return r < n ? r : 2 * n - 1 - r;
}

/* helper patc_reflect: patc_wrap */
/* Reflection about the edge cell: ... 2 1 | 0 1 2 ... */
PATC_FN int64_t patc_reflect(int64_t i, int64_t n)
{
	const int64_t period = n > 1 ? 2 * n - 2 : 1;
	const int64_t r = patc_wrap(i, period);
	return r < n ? r : period - r;
}

/* helper patc_reflect_near: patc_wrap_near */
PATC_FN int64_t patc_reflect_near(int64_t i, int64_t n)
{
	const int64_t period = n > 1 ? 2 * n - 2 : 1;
	const int64_t r = patc_wrap_near(i, period);
	return r < n ? r : period - r;
}

/* helper patc_flip_f32: patc_bits_f32 */
/* An integer that orders as the float does, but that NaN lies beyond both infinities. */
PATC_FN uint32_t patc_flip_f32(float x)
{
	const uint32_t bits = patc_bits_f32(x), sign = UINT32_C(1) << 31;
	return bits & sign ? ~bits : bits | sign;
}

/* helper patc_unflip_f32: patc_from_bits_f32 */
PATC_FN float patc_unflip_f32(uint32_t bits)
{
	const uint32_t sign = UINT32_C(1) << 31;
	return patc_from_bits_f32(bits & sign ? bits ^ sign : ~bits);
}

/* helper patc_flip_f64: patc_bits_f64 */
/* An integer that orders as the float does, but that NaN lies beyond both infinities. */
PATC_FN uint64_t patc_flip_f64(double x)
{
	const uint64_t bits = patc_bits_f64(x), sign = UINT64_C(1) << 63;
	return bits & sign ? ~bits : bits | sign;
}

/* helper patc_unflip_f64: patc_from_bits_f64 */
PATC_FN double patc_unflip_f64(uint64_t bits)
{
	const uint64_t sign = UINT64_C(1) << 63;
	return patc_from_bits_f64(bits & sign ? bits ^ sign : ~bits);
}

/* helper patc_flip_u16 */
/* Likewise of a word of f16 or bf16: 16 bits. */
PATC_FN uint32_t patc_flip_u16(uint16_t x)
{
	const uint32_t bits = x, sign = 0x8000;
	return bits & sign ? ~bits & 0xffff : bits | sign;
}

/* helper patc_unflip_u16 */
PATC_FN uint16_t patc_unflip_u16(uint32_t bits)
{
	const uint32_t sign = 0x8000;
	return (uint16_t)(bits & sign ? bits ^ sign : ~bits);
}

/* helper patc_pack2 */
/* Two numbers of 16 bits in a word. */
PATC_FN uint32_t patc_pack2(int32_t low, int32_t high)
{
	return ((uint32_t)low & 0xffff) | (uint32_t)high << 16;
}

/* helper patc_low2 */
PATC_FN int32_t patc_low2(uint32_t x)
{
	return (int32_t)((x & 0xffff) ^ 0x8000) - 0x8000;
}

/* helper patc_high2 */
PATC_FN int32_t patc_high2(uint32_t x)
{
	return (int32_t)((x >> 16) ^ 0x8000) - 0x8000;
}

/* helper patc_pick2 */
/* Per half of which: a where it is 0, b where it is 1. One multiplication: a half stays between them. */
PATC_FN uint32_t patc_pick2(uint32_t which, int32_t a, int32_t b)
{
	const uint32_t at_0 = (uint32_t)a & 0xffff, at_1 = (uint32_t)b & 0xffff;
	return which * (at_1 - at_0) + at_0 * 0x10001;
}

/* helper patc_blend2 */
/* Per half of which: that of a where it is 0, of b where it is 1. */
PATC_FN uint32_t patc_blend2(uint32_t which, uint32_t a, uint32_t b)
{
	const uint32_t mask = which * 0xffff;
	return (a & ~mask) | (b & mask);
}
