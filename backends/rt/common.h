/* common.h - the operations of the language whose meaning C does not have: one text for C11,
 * C++17, CUDA and HIP.  A marker names the helper that follows it and what that needs; only what
 * a program uses is copied into its output, where PATC_FN becomes the target's prefix of
 * functions.  Between `each` and `end` is a family: embed.sh writes it for each type.
 *
 * Integers wrap on overflow, division never traps (x / 0 is 0, x % 0 is x, MIN / -1 is MIN),
 * shift counts are taken modulo the width, a float becomes an integer by truncation and
 * saturation, NaN becomes 0. Wrapping goes through the unsigned type, where C defines it.
 * f16 and bf16 are words of 16 bits, f8e4m3 and f8e5m2 of 8; a value on its way into one is rounded
 * once.
 *
 * Text of backends/rt that is copied into the output is under 0BSD.
 * SPDX-License-Identifier: 0BSD */

/* helper patc_within */
/* Is the access inside of the array `from`? */
PATC_FN bool patc_within(const void *at, int64_t size, const void *from, int64_t bytes)
{
	return bytes >= size && (uintptr_t)at - (uintptr_t)from <= (uintptr_t)(bytes - size);
}

/* helper patc_past */
/* Bytes from the last multiple of so many, a power of two, to this address. */
PATC_FN int32_t patc_past(const void *at, int32_t bytes)
{
	return (int32_t)((uintptr_t)at & (uintptr_t)(bytes - 1));
}

/* each t i32, i64 */
/* helper patc_add_$t */
PATC_FN $T patc_add_$t($T a, $T b)
{
	return ($T)(($U)a + ($U)b);
}

/* helper patc_sub_$t */
PATC_FN $T patc_sub_$t($T a, $T b)
{
	return ($T)(($U)a - ($U)b);
}

/* helper patc_mul_$t */
PATC_FN $T patc_mul_$t($T a, $T b)
{
	return ($T)(($U)a * ($U)b);
}

/* helper patc_neg_$t */
PATC_FN $T patc_neg_$t($T a)
{
	return ($T)(0u - ($U)a);
}

/* end */

/* each t u32, u64 */
/* helper patc_neg_$t */
PATC_FN $T patc_neg_$t($T a)
{
	return 0u - a;
}

/* end */

/* each t i32, i64 */
/* helper patc_div_$t: patc_neg_$t */
PATC_FN $T patc_div_$t($T a, $T b)
{
	return b == 0 ? 0 : b == -1 ? patc_neg_$t(a) : a / b;
}

/* helper patc_rem_$t */
PATC_FN $T patc_rem_$t($T a, $T b)
{
	return b == 0 ? a : b == -1 ? 0 : a % b;
}

/* end */

/* each t u32, u64 */
/* helper patc_div_$t */
PATC_FN $T patc_div_$t($T a, $T b)
{
	return b == 0 ? 0 : a / b;
}

/* helper patc_rem_$t */
PATC_FN $T patc_rem_$t($T a, $T b)
{
	return b == 0 ? a : a % b;
}

/* end */
/* each t f32, f64 */
/* helper patc_div_$t */
PATC_FN $T patc_div_$t($T a, $T b)
{
	return a / b;
}

/* end */

/* each t i32, i64 */
/* helper patc_shl_$t */
PATC_FN $T patc_shl_$t($T a, int64_t count)
{
	return ($T)(($U)a << (count & $B));
}

/* helper patc_shr_$t */
PATC_FN $T patc_shr_$t($T a, int64_t count)
{
	return a >> (count & $B);
}

/* end */

/* each t u32, u64 */
/* helper patc_shl_$t */
PATC_FN $T patc_shl_$t($T a, int64_t count)
{
	return a << (count & $B);
}

/* helper patc_shr_$t */
PATC_FN $T patc_shr_$t($T a, int64_t count)
{
	return a >> (count & $B);
}

/* end */

/* each t i32, i64, u32, u64 */
/* helper patc_min_$t */
PATC_FN $T patc_min_$t($T a, $T b)
{
	return b < a ? b : a;
}

/* helper patc_max_$t */
PATC_FN $T patc_max_$t($T a, $T b)
{
	return b > a ? b : a;
}

/* helper patc_clamp_$t: patc_min_$t patc_max_$t */
PATC_FN $T patc_clamp_$t($T x, $T lo, $T hi)
{
	return patc_min_$t(patc_max_$t(x, lo), hi);
}

/* end */

/* each t i32, i64 */
/* helper patc_abs_$t */
PATC_FN $T patc_abs_$t($T a)
{
	return a < 0 ? ($T)(0u - ($U)a) : a;
}

/* end */

/* each t u32, u64 */
/* helper patc_abs_$t */
PATC_FN $T patc_abs_$t($T a)
{
	return a;
}

/* end */

/* each t f32, f64 */
/* helper patc_min_$t */
/* As fmin: a NaN gives way to a number. */
PATC_FN $T patc_min_$t($T a, $T b)
{
	return a < b || b != b ? a : b;
}

/* helper patc_max_$t */
PATC_FN $T patc_max_$t($T a, $T b)
{
	return a > b || b != b ? a : b;
}

/* end */

/* each t f32, f64; f f, ; o 1.0f, 1.0; I INFINITY, (double)INFINITY */
/* helper patc_clamp_$t */
PATC_FN $T patc_clamp_$t($T x, $T lo, $T hi)
{
	return fmin$f(fmax$f(x, lo), hi);
}

/* helper patc_rsqrt_$t */
PATC_FN $T patc_rsqrt_$t($T x)
{
	return $o / sqrt$f(x);
}

/* helper patc_isnan_$t */
PATC_FN bool patc_isnan_$t($T x)
{
	return x != x;
}

/* helper patc_isinf_$t */
PATC_FN bool patc_isinf_$t($T x)
{
	return fabs$f(x) == $I;
}

/* helper patc_isfinite_$t */
PATC_FN bool patc_isfinite_$t($T x)
{
	return fabs$f(x) < $I;
}

/* end */

/* each s f32, f64; S float, double; f f, ; z 0.0f, 0.0 */
/* each t i8, i16, i32, i64 */
/* helper patc_$s_to_$t */
PATC_FN $T patc_$s_to_$t($S x)
{
	return x != x ? 0 : x >= 0x1p$B$f ? INT$W_MAX : x <= -0x1p$B$f ? INT$W_MIN : ($T)x;
}

/* end */
/* each t u8, u16, u32, u64 */
/* helper patc_$s_to_$t */
PATC_FN $T patc_$s_to_$t($S x)
{
	return x != x ? 0 : x >= 0x1p$W$f ? UINT$W_MAX : x <= $z ? 0 : ($T)x;
}

/* end */
/* end */

/* each t f32, f64 */
/* helper patc_bits_$t */
PATC_FN $U patc_bits_$t($T x)
{
	$U bits;
	__builtin_memcpy(&bits, &x, sizeof bits);
	return bits;
}

/* helper patc_from_bits_$t */
PATC_FN $T patc_from_bits_$t($U bits)
{
	$T x;
	__builtin_memcpy(&x, &bits, sizeof x);
	return x;
}

/* end */

/* each t u8, u16 */
/* helper patc_bits_$t */
/* Of small floats, which are words already. */
PATC_FN uint32_t patc_bits_$t($T x)
{
	return x;
}

/* helper patc_from_bits_$t */
PATC_FN $T patc_from_bits_$t(uint32_t bits)
{
	return ($T)bits;
}

/* end */

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

/* helper patc_f8e5m2_to_f32: patc_f16_to_f32 */
/* The upper half of an f16. */
PATC_FN float patc_f8e5m2_to_f32(uint8_t h)
{
	return patc_f16_to_f32((uint16_t)(h << 8));
}

/* helper patc_f8e4m3_to_f32: patc_f16_to_f32 */
/* In the place of an f16's bits it is 2^-8 times what it should be. */
PATC_FN float patc_f8e4m3_to_f32(uint8_t h)
{
	const uint16_t half = (uint16_t)((h & 0x80) << 8 | (h & 0x7f) << 7);
	return (h & 0x7f) == 0x7f ? NAN : 256.0f * patc_f16_to_f32(half);
}

/* each n e4m3, e5m2; s 20, 21; e 120, 112; h 0x7ffff, 0xfffff; o 16384.0f, 128.0f; b 0x46800000, 0x43000000; l 0x3c800000, 0x38800000; m 0x43e00000, 0x47600000; w 0x7e, 0x7b */
/* helper patc_f32_to_f8$n: patc_bits_f32 patc_choose_u32 */
/* As to f16, but what is too large becomes the largest number, and a NaN 0x7f. */
PATC_FN uint8_t patc_f32_to_f8$n(float x)
{
	const uint32_t bits = patc_bits_f32(x) & 0x7fffffff, sign = patc_bits_f32(x) >> 31 << 7;
	const uint32_t low = patc_bits_f32(fabsf(x) + $o) - $b;
	const uint32_t number = (bits - ($eu << 23) + $h + (bits >> $s & 1)) >> $s;
	const uint32_t high = bits >= $m ? $w : number;
	const uint32_t size = patc_choose_u32(bits >= $l, high, low);
	return (uint8_t)(bits > 0x7f800000 ? 0x7f : size | sign);
}

/* helper patc_f64_to_f8$n: patc_f64_to_f32_odd patc_f32_to_f8$n */
PATC_FN uint8_t patc_f64_to_f8$n(double x)
{
	return patc_f32_to_f8$n(patc_f64_to_f32_odd(x));
}

/* end */
/* each t i32, i64; l , ll */
/* helper patc_popcount_$t */
PATC_FN int32_t patc_popcount_$t($T a)
{
	return __builtin_popcount$l(($U)a);
}

/* helper patc_clz_$t */
PATC_FN int32_t patc_clz_$t($T a)
{
	return a == 0 ? $W : __builtin_clz$l(($U)a);
}

/* helper patc_ctz_$t */
PATC_FN int32_t patc_ctz_$t($T a)
{
	return a == 0 ? $W : __builtin_ctz$l(($U)a);
}

/* end */
/* each t u32, u64; l , ll */
/* helper patc_popcount_$t */
PATC_FN int32_t patc_popcount_$t($T a)
{
	return __builtin_popcount$l(a);
}

/* helper patc_clz_$t */
PATC_FN int32_t patc_clz_$t($T a)
{
	return a == 0 ? $W : __builtin_clz$l(a);
}

/* helper patc_ctz_$t */
PATC_FN int32_t patc_ctz_$t($T a)
{
	return a == 0 ? $W : __builtin_ctz$l(a);
}

/* end */

/* helper patc_spread16 */
/* Bit b of x, which has 16, becomes bit 2 b. */
PATC_FN uint32_t patc_spread16(uint32_t x)
{
	x = (x | x << 8) & 0x00ff00ff;
	x = (x | x << 4) & 0x0f0f0f0f;
	x = (x | x << 2) & 0x33333333;
	return (x | x << 1) & 0x55555555;
}

/* helper patc_spread2: patc_spread16 */
/* Bit b of x, which has 31, becomes bit 2 b.  Of few sides the higher half is another than 0. */
PATC_FN int64_t patc_spread2(int64_t x)
{
	const uint32_t low = (uint32_t)x & 0xffff, high = (uint32_t)x >> 16 & 0x7fff;
	const uint64_t far = high ? (uint64_t)patc_spread16(high) << 32 : 0;
	return (int64_t)(far | patc_spread16(low));
}

/* helper patc_spread3 */
/* Bit b of x, which has 20, becomes bit 3 b. */
PATC_FN int64_t patc_spread3(int64_t x)
{
	uint64_t y = (uint64_t)x & 0xfffff;
	y = (y | y << 32) & 0x001f00000000ffff;
	y = (y | y << 16) & 0x001f0000ff0000ff;
	y = (y | y << 8) & 0x100f00f00f00f00f;
	y = (y | y << 4) & 0x10c30c30c30c30c3;
	y = (y | y << 2) & 0x1249249249249249;
	return (int64_t)y;
}

/* helper patc_hilbert2: patc_spread2 patc_clz_u32 */
/* The number of cell i, j along Hilbert's curve through side x side cells, a power of two.
 *
 * Level by level, from the highest bit on: y' = y ^ (swapped & g) ^ flipped with g = x ^ y, which
 * no turn changes; the digits are y' ^ g and g; then swapped ^= !y', flipped ^= !y' & g.  So a
 * level maps (swapped, flipped) to M (swapped, flipped) ^ (u, v), linear over bits, with
 * M = [!g 1; g !g], u = !y, v = g & !y.  Maps compose: a step finds those of twice as many levels,
 * for all bits at once.  Of an even number of levels M is [p q; q p^q]. */
PATC_FN int64_t patc_hilbert2(int64_t side, int64_t i, int64_t j)
{
	/* the highest bit of a subscript becomes bit 31 */
	const int32_t up = patc_clz_u32((uint32_t)side | 2) + 1;
	const uint32_t y = (uint32_t)j << up, g = (uint32_t)i << up ^ y;
	uint32_t p = ~g | g >> 1, q = g ^ g >> 1;
	uint32_t u = ~y ^ (~g & ~y >> 1) ^ (g & ~y) >> 1;
	uint32_t v = (g & ~y) ^ (g & ~y >> 1) ^ (~g & (g & ~y) >> 1);
	for (int32_t s = 2; s < 32; s *= 2) {
		const uint32_t before = u, p_s = p >> s, q_s = q >> s;
		u ^= (p & u >> s) ^ (q & v >> s);
		v ^= (q & before >> s) ^ ((p ^ q) & v >> s);
		const uint32_t one = p;
		p = (p & p_s) ^ (q & q_s);
		q = (one & q_s) ^ (q & (p_s ^ q_s));
	}
	const uint32_t high = y ^ (u >> 1 & g) ^ v >> 1 ^ g;
	return patc_spread2(high >> up) * 2 + patc_spread2(g >> up);
}

/* helper patc_hilbert3: patc_spread3 */
/* Of cell i, j, k of side x side x side. */
PATC_FN int64_t patc_hilbert3(int64_t side, int64_t i, int64_t j, int64_t k)
{
	uint32_t x = (uint32_t)i, y = (uint32_t)j, z = (uint32_t)k, all = 0;
	for (uint32_t bit = (uint32_t)(side >> 1); bit > 1; bit >>= 1) {
		const uint32_t low = bit - 1;
		x ^= x & bit ? low : 0;
		const uint32_t t = y & bit ? 0 : (x ^ y) & low;
		x ^= y & bit ? low : t;
		y ^= t;
		const uint32_t u = z & bit ? 0 : (x ^ z) & low;
		x ^= z & bit ? low : u;
		z ^= u;
		all ^= (x ^ y ^ z) & bit ? low : 0;
	}
	return patc_spread3(x ^ all) * 4 + patc_spread3(x ^ y ^ all) * 2
	       + patc_spread3(x ^ y ^ z ^ all);
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
	while ((uint64_t)i >= (uint64_t)n)
		i += i < 0 ? n : -n;
	return i;
}

/* helper patc_mirror: patc_wrap */
/* Reflection with the edge repeated: ... 1 0 | 0 1 ... */
PATC_FN int64_t patc_mirror(int64_t i, int64_t n)
{
	const int64_t r = patc_wrap(i, 2 * n);
	return r < n ? r : 2 * n - 1 - r;
}

/* helper patc_mirror_near */
/* The same, edge by edge. */
PATC_FN int64_t patc_mirror_near(int64_t i, int64_t n)
{
	while ((uint64_t)i >= (uint64_t)n)
		i = i < 0 ? -1 - i : 2 * n - 1 - i;
	return i;
}

/* helper patc_reflect: patc_wrap */
/* Reflection about the edge cell: ... 2 1 | 0 1 2 ... */
PATC_FN int64_t patc_reflect(int64_t i, int64_t n)
{
	const int64_t period = n > 1 ? 2 * n - 2 : 1;
	const int64_t r = patc_wrap(i, period);
	return r < n ? r : period - r;
}

/* helper patc_reflect_near */
/* The same, edge by edge; an array of one cell has but one edge. */
PATC_FN int64_t patc_reflect_near(int64_t i, int64_t n)
{
	while ((uint64_t)i >= (uint64_t)n)
		i = n == 1 ? 0 : i < 0 ? -i : 2 * n - 2 - i;
	return i;
}

/* each t f32, f64 */
/* helper patc_flip_$t: patc_bits_$t */
/* An integer that orders as the float does, but that NaN lies beyond both infinities. */
PATC_FN $U patc_flip_$t($T x)
{
	const $U bits = patc_bits_$t(x), sign = UINT$W_C(1) << $B;
	return bits & sign ? ~bits : bits | sign;
}

/* helper patc_unflip_$t: patc_from_bits_$t */
PATC_FN $T patc_unflip_$t($U bits)
{
	const $U sign = UINT$W_C(1) << $B;
	return patc_from_bits_$t(bits & sign ? bits ^ sign : ~bits);
}

/* end */

/* each t u8, u16; s 0x80, 0x8000; m 0xff, 0xffff */
/* helper patc_flip_$t */
/* Likewise of a word of a small float: $W bits. */
PATC_FN uint32_t patc_flip_$t($T x)
{
	const uint32_t bits = x, sign = $s;
	return bits & sign ? ~bits & $m : bits | sign;
}

/* helper patc_unflip_$t */
PATC_FN $T patc_unflip_$t(uint32_t bits)
{
	const uint32_t sign = $s;
	return ($T)(bits & sign ? bits ^ sign : ~bits);
}

/* end */

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
/* For each half of `which`: a if it is 0, b if it is 1. One multiplication: each half of the
 * result stays between a and b. */
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
