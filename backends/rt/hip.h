/* hip.h - what HIP has its own words for: shuffles without a mask, loads that see other blocks'
 * writes. See common.h for the markers and cuda.h for the word `effect`.  Text of backends/rt
 * that is copied into the output is under 0BSD.
 * SPDX-License-Identifier: 0BSD */

/* helper patc_hip_fp16 */
#include <hip/hip_fp16.h>

/* helper patc_f16_to_f32: patc_hip_fp16 */
PATC_FN float patc_f16_to_f32(uint16_t h)
{
	__half_raw raw;
	raw.x = h;
	return __half2float(raw);
}

/* helper patc_f32_to_f16: patc_hip_fp16 */
PATC_FN uint16_t patc_f32_to_f16(float x)
{
	const __half_raw raw = __float2half_rn(x);
	return raw.x;
}

/* helper patc_pass effect */
template <typename T, typename V>
static __device__ __forceinline__ void patc_pass(T *at, V v)
{
	*(V *)at = v;
}

/* helper patc_once effect */
template <typename V, typename T>
static __device__ __forceinline__ void patc_once(V &v, const T *at)
{
	v = *(const V *)at;
}

/* helper patc_prefetch effect */
static __device__ __forceinline__ void patc_prefetch(const void *p)
{
	__builtin_prefetch(p);
}

/* each d up_, down_, ; n delta, delta, lane; c (unsigned)delta, (unsigned)delta, lane; s _up, _down,  */
/* each t i8, i16, i32, i64, u8, u16, u32, u64; C (int), (int), , (long long), (int), (int), , (unsigned long long); R ($T), ($T), , ($T), ($T), ($T), , ($T) */
/* helper patc_shfl_$d$t effect */
static __device__ __forceinline__ $T patc_shfl_$d$t($T v, int32_t $n)
{
	return $R__shfl$s($Cv, $c);
}

/* end */
/* helper patc_shfl_$dbool effect */
static __device__ __forceinline__ bool patc_shfl_$dbool(bool v, int32_t $n)
{
	return __shfl$s((int)v, $c) != 0;
}

/* each t f32, f64 */
/* helper patc_shfl_$d$t effect */
static __device__ __forceinline__ $T patc_shfl_$d$t($T v, int32_t $n)
{
	return __shfl$s(v, $c);
}

/* end */
/* end */

/* helper patc_warp_sync effect */
/* What the lanes of a warp have stored, its other lanes may load. */
static __device__ __forceinline__ void patc_warp_sync(void)
{
	__builtin_amdgcn_fence(__ATOMIC_RELEASE, "wavefront");
	__builtin_amdgcn_wave_barrier();
	__builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "wavefront");
}

/* each n 4, 8, 16; T uint32_t, uint64_t, int4 */
/* helper patc_copy_$n effect */
static __device__ __forceinline__ void patc_copy_$n(void *to, const void *from)
{
	*($T *)to = *(const $T *)from;
}

/* end */

/* helper patc_copy_16_if effect: patc_copy_16 */
static __device__ __forceinline__ void patc_copy_16_if(void *to, const void *from, bool is)
{
	if (is)
		patc_copy_16(to, from);
}

/* each n end, but_one, all */
/* helper patc_copies_$n effect */
static __device__ __forceinline__ void patc_copies_$n(void)
{
}

/* end */

/* helper patc_16 */
struct __attribute__((may_alias, aligned(16))) patc_16 { uint32_t v[4]; };

/* helper patc_move effect: patc_16 */
static __device__ __forceinline__ void patc_move(void *to, const void *from, int32_t bytes,
                                                 int32_t lane)
{
	#pragma unroll
	for (int32_t at = lane * 16; at < bytes; at += warpSize * 16)
		*(patc_16 *)((char *)to + at) = *(const patc_16 *)((const char *)from + at);
}

/* helper patc_copy_in effect: patc_move */
/* A warp copies its part of an array into shared memory; patc_copied() waits for it. */
static __device__ __forceinline__ void patc_copy_in(void *to, const void *from, int32_t bytes,
                                                    int32_t lane)
{
	patc_move(to, from, bytes, lane);
}

/* helper patc_copied effect: patc_warp_sync */
static __device__ __forceinline__ void patc_copied()
{
	patc_warp_sync();
}

/* helper patc_written effect: patc_warp_sync */
/* What the lanes of a warp have written to shared memory may be copied by any. */
static __device__ __forceinline__ void patc_written()
{
	patc_warp_sync();
}

/* helper patc_copy_out effect: patc_move */
/* A warp copies its part of shared memory into an array. */
static __device__ __forceinline__ void patc_copy_out(void *to, const void *from, int32_t bytes,
                                                     int32_t lane)
{
	patc_move(to, from, bytes, lane);
}

/* helper patc_ballot effect */
/* The lanes where it is true, a bit each. */
static __device__ __forceinline__ uint64_t patc_ballot(bool is)
{
	return (uint64_t)__ballot(is);
}

/* helper patc_least_i32 effect */
/* Of what the lanes of a warp have, the least. */
static __device__ __forceinline__ int32_t patc_least_i32(int32_t v)
{
#pragma unroll
	for (int by = warpSize / 2; by > 0; by /= 2) {
		const int32_t other = __shfl_xor(v, by);
		v = other < v ? other : v;
	}
	return v;
}

/* helper patc_match effect */
/* The lanes that have the same low 8 bits. */
static __device__ __forceinline__ uint64_t patc_match(int32_t digit)
{
	uint64_t same = ~(uint64_t)0;
#pragma unroll
	for (int b = 0; b < 8; b++) {
		const bool is = (digit >> b & 1) != 0;
		const uint64_t lanes = (uint64_t)__ballot(is);
		same &= is ? lanes : ~lanes;
	}
	return same;
}

/* helper patc_count effect */
/* One more, in memory of the block. */
static __device__ __forceinline__ void patc_count(int32_t *count)
{
	(void)__hip_atomic_fetch_add(count, 1, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
}

/* helper patc_mark effect */
static __device__ __forceinline__ void patc_mark(uint32_t *word, uint32_t bits)
{
	atomicOr(word, bits);
}

/* helper patc_draw effect */
static __device__ __forceinline__ int64_t patc_draw(uint64_t *counter)
{
	return (int64_t)__hip_atomic_fetch_add(counter, (uint64_t)1, __ATOMIC_RELAXED,
	                                       __HIP_MEMORY_SCOPE_AGENT);
}

/* helper patc_state_load effect */
/* A word that other blocks may be writing: 32 bits of a value and, above, what is known of it. */
static __device__ __forceinline__ uint64_t patc_state_load(const uint64_t *p)
{
	return __hip_atomic_load(p, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}

/* helper patc_state_store effect */
static __device__ __forceinline__ void patc_state_store(uint64_t *p, uint32_t value, uint32_t known)
{
	const uint64_t word = (uint64_t)known << 32 | value;
	__hip_atomic_store(p, word, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}

/* helper patc_state_store_if effect: patc_state_store */
static __device__ __forceinline__ void patc_state_store_if(uint64_t *p, uint32_t value,
                                                           uint32_t known, bool is)
{
	if (is)
		patc_state_store(p, value, known);
}

/* helper patc_state_store_2_if effect: patc_state_store */
/* Two neighbouring words at a multiple of 16 bytes; each is there as a whole, or not yet. */
static __device__ __forceinline__ void patc_state_store_2_if(uint64_t *p, uint32_t value0,
                                                             uint32_t value1, uint32_t known,
                                                             bool is)
{
	if (is) {
		patc_state_store(p, value0, known);
		patc_state_store(p + 1, value1, known);
	}
}

/* part gpu.h */
/* helper patc_deal effect */
/* What the counter held before n were taken. */
static __device__ __forceinline__ int64_t patc_deal(uint64_t *counter, int64_t n)
{
	return (int64_t)__hip_atomic_fetch_add(counter, (uint64_t)n, __ATOMIC_RELAXED,
	                                       __HIP_MEMORY_SCOPE_AGENT);
}

/* helper patc_record effect */
/* Of several errors the one with the greatest number stays, whichever comes first. */
static __device__ __forceinline__ void patc_record(int32_t *word, int32_t code)
{
	atomicMax(word, code);
}

/* helper patc_earliest effect */
/* Of several numbers the complement of the least stays: of none the word is 0. */
static __device__ __forceinline__ void patc_earliest(int64_t *first, int64_t number)
{
	atomicMax((unsigned long long *)first, ~(unsigned long long)number);
}

/* each t i8, i16, i32, i64, u8, u16, u32, u64, bool, f32, f64 */
/* helper patc_load_$t effect */
static __device__ __forceinline__ $T patc_load_$t(const $T *p)
{
	return __hip_atomic_load(p, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}

/* end */

/* helper patc_approx_div_f32 */
static __device__ __forceinline__ float patc_approx_div_f32(float x, float y)
{
#if defined(__AMDGCN__)
	return x * __builtin_amdgcn_rcpf(y);
#else
	return __fdividef(x, y);
#endif
}

/* each f exp, log, log2, log10, sin, cos */
/* helper patc_approx_$f_f32 */
static __device__ __forceinline__ float patc_approx_$f_f32(float x)
{
	return __$ff(x);
}

/* end */

/* helper patc_approx_sqrt_f32 */
static __device__ __forceinline__ float patc_approx_sqrt_f32(float x)
{
#if defined(__AMDGCN__)
	return __builtin_amdgcn_sqrtf(x);
#else
	return sqrtf(x);
#endif
}

/* helper patc_approx_rsqrt_f32 */
static __device__ __forceinline__ float patc_approx_rsqrt_f32(float x)
{
#if defined(__AMDGCN__)
	return __builtin_amdgcn_rsqf(x);
#else
	return rsqrtf(x);
#endif
}

/* each t f32, f64 */
/* helper patc_times_$t */
/* a * b, which no compiler makes one operation with a sum. */
PATC_FN $T patc_times_$t($T a, $T b)
{
#ifdef __clang__
#pragma clang fp contract(off)
#endif
	return a * b;
}

/* end */

/* helper patc_shorts2 */
/* Vectors of two: where a machine has packed instructions, clang finds them. */
#ifdef __clang__
typedef int16_t patc_signed2 __attribute__((ext_vector_type(2)));
typedef uint16_t patc_unsigned2 __attribute__((ext_vector_type(2)));
#endif

/* each o add, sub; p +, - */
/* helper patc_$o2: patc_shorts2 */
PATC_FN uint32_t patc_$o2(uint32_t a, uint32_t b)
{
#ifdef __clang__
	return __builtin_bit_cast(uint32_t,
			__builtin_bit_cast(patc_unsigned2, a)
			$p __builtin_bit_cast(patc_unsigned2, b));
#else
	return ((a $p b) & 0xffff) | ((a >> 16) $p (b >> 16)) << 16;
#endif
}

/* end */

/* each o max, min */
/* helper patc_$o2: patc_shorts2 patc_pack2 patc_low2 patc_high2 patc_$o_i32 */
PATC_FN uint32_t patc_$o2(uint32_t a, uint32_t b)
{
#ifdef __clang__
	return __builtin_bit_cast(uint32_t, __builtin_elementwise_$o(
			__builtin_bit_cast(patc_signed2, a), __builtin_bit_cast(patc_signed2, b)));
#else
	return patc_pack2(patc_$o_i32(patc_low2(a), patc_low2(b)),
			patc_$o_i32(patc_high2(a), patc_high2(b)));
#endif
}

/* end */

/* helper patc_differ2: patc_shorts2 */
/* Per half: 1 where they differ, else 0. */
PATC_FN uint32_t patc_differ2(uint32_t a, uint32_t b)
{
#ifdef __clang__
	return __builtin_bit_cast(uint32_t, __builtin_elementwise_min(
			__builtin_bit_cast(patc_unsigned2, a ^ b), (patc_unsigned2)(uint16_t{1})));
#else
	const uint32_t x = a ^ b;
	return (uint32_t)((x & 0xffff) != 0) | (uint32_t)(x >> 16 != 0) << 16;
#endif
}

/* helper patc_pick2: patc_shorts2 */
/* Per half of which: a where it is 0, b where it is 1. */
PATC_FN uint32_t patc_pick2(uint32_t which, int32_t a, int32_t b)
{
#ifdef __clang__
	const patc_unsigned2 at_0 = (patc_unsigned2)((uint16_t)a),
	                     by = (patc_unsigned2)((uint16_t)(b - a));
	return __builtin_bit_cast(uint32_t, __builtin_bit_cast(patc_unsigned2, which) * by + at_0);
#else
	const uint32_t at_0 = (uint32_t)a & 0xffff, at_1 = (uint32_t)b & 0xffff;
	return which * (at_1 - at_0) + at_0 * 0x10001;
#endif
}

/* part hip_matrix.h */
/* part hip_wmma.h */
