/* cuda.h - what CUDA has its own words for: shuffles, counters, and the counts of bits, which
 * nvcc does not take as gcc's builtins in device code.  See common.h for the markers; a word
 * `effect` after the name keeps a helper from being left out, moved or repeated.  Text of
 * backends/rt that is copied into the output is under 0BSD.
 * SPDX-License-Identifier: 0BSD */

/* helper patc_f32_to_i32 */
PATC_FN int32_t patc_f32_to_i32(float x)
{
#ifdef __CUDA_ARCH__
	return __float2int_rz(x);            /* as below, by one instruction */
#else
	return x != x ? 0 : x >= 2147483648.0f ? INT32_MAX
	       : x <= -2147483648.0f ? INT32_MIN : (int32_t)x;
#endif
}

/* helper patc_f32_to_u32 */
PATC_FN uint32_t patc_f32_to_u32(float x)
{
#ifdef __CUDA_ARCH__
	return __float2uint_rz(x);           /* as below, by one instruction */
#else
	return x != x ? 0 : x >= 4294967296.0f ? UINT32_MAX : x <= 0.0f ? 0 : (uint32_t)x;
#endif
}

/* helper patc_plain_i32 */
/* The same value, which ptxas sees no negation in: it loses the sign of min(min(a, -b), c). */
PATC_FN int32_t patc_plain_i32(int32_t a)
{
#ifdef __CUDA_ARCH__
	return (int32_t)__byte_perm((uint32_t)a, 0, 0x3210);
#else
	return a;
#endif
}

/* helper patc_plain_u32 */
/* The same value, which ptxas sees no absolute value in: it converts that to float as a signed
 * one. */
PATC_FN uint32_t patc_plain_u32(uint32_t a)
{
#ifdef __CUDA_ARCH__
	return __byte_perm(a, 0, 0x3210);
#else
	return a;
#endif
}

/* helper patc_plain_u64: patc_plain_u32 */
PATC_FN uint64_t patc_plain_u64(uint64_t a)
{
	return (uint64_t)patc_plain_u32((uint32_t)(a >> 32)) << 32 | patc_plain_u32((uint32_t)a);
}

/* each t i32, i64; l , ll; C int, long long */
/* helper patc_popcount_$t */
PATC_FN int32_t patc_popcount_$t($T a)
{
#ifdef __CUDA_ARCH__
	return __popc$l(($U)a);
#else
	return __builtin_popcount$l(($U)a);
#endif
}

/* helper patc_clz_$t */
PATC_FN int32_t patc_clz_$t($T a)
{
#ifdef __CUDA_ARCH__
	return __clz$l(($C)a);
#else
	return a == 0 ? $W : __builtin_clz$l(($U)a);
#endif
}

/* helper patc_ctz_$t */
PATC_FN int32_t patc_ctz_$t($T a)
{
#ifdef __CUDA_ARCH__
	return a == 0 ? $W : __ffs$l(($C)a) - 1;
#else
	return a == 0 ? $W : __builtin_ctz$l(($U)a);
#endif
}

/* end */
/* each t u32, u64; l , ll; C int, long long */
/* helper patc_popcount_$t */
PATC_FN int32_t patc_popcount_$t($T a)
{
#ifdef __CUDA_ARCH__
	return __popc$l(a);
#else
	return __builtin_popcount$l(a);
#endif
}

/* helper patc_clz_$t */
PATC_FN int32_t patc_clz_$t($T a)
{
#ifdef __CUDA_ARCH__
	return __clz$l(($C)a);
#else
	return a == 0 ? $W : __builtin_clz$l(a);
#endif
}

/* helper patc_ctz_$t */
PATC_FN int32_t patc_ctz_$t($T a)
{
#ifdef __CUDA_ARCH__
	return a == 0 ? $W : __ffs$l(($C)a) - 1;
#else
	return a == 0 ? $W : __builtin_ctz$l(a);
#endif
}

/* end */

/* each t f32, f64; f f, ; o 1.0f, 1.0 */
/* helper patc_rsqrt_$t */
PATC_FN $T patc_rsqrt_$t($T x)
{
#ifdef __CUDA_ARCH__
	return rsqrt$f(x);
#else
	return $o / sqrt$f(x);
#endif
}

/* end */

/* helper patc_cuda_fp16 */
#include <cuda_fp16.h>

/* helper patc_cuda_bf16 */
#include <cuda_bf16.h>

/* helper patc_f16_to_f32: patc_cuda_fp16 */
PATC_FN float patc_f16_to_f32(uint16_t h)
{
	return __half2float(__ushort_as_half(h));
}

/* helper patc_f32_to_f16: patc_cuda_fp16 */
PATC_FN uint16_t patc_f32_to_f16(float x)
{
	return __half_as_ushort(__float2half_rn(x));
}

/* helper patc_f64_to_f16: patc_cuda_fp16 */
PATC_FN uint16_t patc_f64_to_f16(double x)
{
	return __half_as_ushort(__double2half(x));
}

/* helper patc_bf16_to_f32: patc_cuda_bf16 */
PATC_FN float patc_bf16_to_f32(uint16_t h)
{
	return __bfloat162float(__ushort_as_bfloat16(h));
}

/* helper patc_f32_to_bf16: patc_cuda_bf16 */
PATC_FN uint16_t patc_f32_to_bf16(float x)
{
	return __bfloat16_as_ushort(__float2bfloat16_rn(x));
}

/* helper patc_f8e4m3_to_f32: patc_cuda_fp16 */
/* By instruction, or as common.h. */
PATC_FN float patc_f8e4m3_to_f32(uint8_t h)
{
#if defined(__CUDACC__) && __CUDA_ARCH__ >= 890
	uint32_t pair;
	asm("cvt.rn.f16x2.e4m3x2 %0, %1;" : "=r"(pair) : "h"((uint16_t)h));
	return __half2float(__ushort_as_half((uint16_t)pair));
#else
	const uint16_t half = (uint16_t)((h & 0x80) << 8 | (h & 0x7f) << 7);
	return (h & 0x7f) == 0x7f ? NAN : 256.0f * __half2float(__ushort_as_half(half));
#endif
}

/* each n e4m3, e5m2; s 20, 21; e 120, 112; h 0x7ffff, 0xfffff; o 16384.0f, 128.0f; b 0x46800000, 0x43000000; l 0x3c800000, 0x38800000; m 0x43e00000, 0x47600000; w 0x7e, 0x7b */
/* helper patc_f32_to_f8$n: patc_bits_f32 */
/* By instruction, or as common.h: what is too large becomes the largest number, and a NaN 0x7f. */
PATC_FN uint8_t patc_f32_to_f8$n(float x)
{
	const uint32_t bits = patc_bits_f32(x) & 0x7fffffff;
#if defined(__CUDACC__) && __CUDA_ARCH__ >= 890
	uint16_t word;
	asm("cvt.rn.satfinite.$nx2.f32 %0, %1, %2;" : "=h"(word) : "f"(0.0f), "f"(x));
#else
	const uint32_t sign = patc_bits_f32(x) >> 31 << 7;
	const uint32_t low = patc_bits_f32(fabsf(x) + $o) - $b;
	const uint32_t number = (bits - ($eu << 23) + $h + (bits >> $s & 1)) >> $s;
	const uint32_t high = bits >= $m ? $w : number;
	const uint32_t size = bits >= $l ? high : low;
	const uint32_t word = size | sign;
#endif
	return (uint8_t)(bits > 0x7f800000 ? 0x7f : word);
}

/* end */
/* helper patc_f64_to_bf16: patc_cuda_bf16 */
PATC_FN uint16_t patc_f64_to_bf16(double x)
{
	return __bfloat16_as_ushort(__double2bfloat16(x));
}

/* helper patc_pass effect */
/* A vector goes to memory that nobody reads again soon: 16 bytes do not stay in the caches. */
template <typename T, typename V>
static __device__ __forceinline__ void patc_pass(T *at, V v)
{
#ifdef __CUDA_ARCH__
	if (sizeof v == 16) {
		uint4 words;
		memcpy(&words, &v, sizeof v);
		__stcs((uint4 *)at, words);
		return;
	}
#endif
	*(V *)at = v;
}

/* helper patc_once effect */
/* A vector that nobody reads again soon comes from memory: 16 bytes leave the caches first. */
template <typename V, typename T>
static __device__ __forceinline__ void patc_once(V &v, const T *at)
{
#ifdef __CUDA_ARCH__
	if (sizeof v == 16) {
		const uint4 words = __ldcs((const uint4 *)at);
		memcpy(&v, &words, sizeof v);
		return;
	}
#endif
	v = *(const V *)at;
}

/* helper patc_whole */
/* A struct of whole words of 16 bytes comes by such words, if it is at a multiple of them. */
template <typename T>
static __device__ __forceinline__ T patc_whole(const T *at)
{
#ifdef __CUDA_ARCH__
	if (((uintptr_t)at & 15) == 0) {
		uint4 words[sizeof(T) / 16];
		#pragma unroll
		for (size_t k = 0; k < sizeof(T) / 16; k++)
			words[k] = __ldg((const uint4 *)at + k);
		T v;
		memcpy(&v, words, sizeof v);
		return v;
	}
#endif
	return *at;
}

/* helper patc_prefetch effect */
static __device__ __forceinline__ void patc_prefetch(const void *p)
{
#ifdef __CUDA_ARCH__
	asm volatile("prefetch.global.L2 [%0];" :: "l"(p));
#else
	(void)p;
#endif
}

/* each d up_, down_, ; n delta, delta, lane; c (unsigned)delta, (unsigned)delta, lane */
/* each t i8, i16, i32, i64, u8, u16, u32, u64; C (int), (int), , (long long), (int), (int), , (unsigned long long); R ($T), ($T), , ($T), ($T), ($T), , ($T) */
/* helper patc_shfl_$d$t effect */
static __device__ __forceinline__ $T patc_shfl_$d$t($T v, int32_t $n)
{
	return $R__shfl_$dsync(0xffffffffu, $Cv, $c);
}

/* end */
/* helper patc_shfl_$dbool effect */
static __device__ __forceinline__ bool patc_shfl_$dbool(bool v, int32_t $n)
{
	return __shfl_$dsync(0xffffffffu, (int)v, $c) != 0;
}

/* each t f32, f64 */
/* helper patc_shfl_$d$t effect */
static __device__ __forceinline__ $T patc_shfl_$d$t($T v, int32_t $n)
{
	return __shfl_$dsync(0xffffffffu, v, $c);
}

/* end */
/* end */

/* helper patc_warp_sync effect */
/* What the lanes of a warp have stored, its other lanes may load. */
static __device__ __forceinline__ void patc_warp_sync(void)
{
	__syncwarp();
}

/* each n 4, 8, 16; c ca, ca, cg; T uint32_t, uint64_t, int4 */
/* helper patc_copy_$n effect */
/* $n bytes from global to shared memory; patc_copies_... waits for them. */
static __device__ __forceinline__ void patc_copy_$n(void *to, const void *from)
{
#if defined(__CUDACC__) && __CUDA_ARCH__ >= 800
	asm volatile("cp.async.$c.shared.global [%0], [%1], $n;"
	             :: "r"((uint32_t)__cvta_generic_to_shared(to)), "l"(from) : "memory");
#else
	*($T *)to = *(const $T *)from;
#endif
}

/* end */

/* helper patc_copy_16_if effect */
/* Without a branch, which would part the lanes of a warp. */
static __device__ __forceinline__ void patc_copy_16_if(void *to, const void *from, bool is)
{
#if defined(__CUDACC__) && __CUDA_ARCH__ >= 800
	asm volatile("{ .reg .pred is; setp.ne.s32 is, %2, 0;"
	             " @is cp.async.cg.shared.global [%0], [%1], 16; }"
	             :: "r"((uint32_t)__cvta_generic_to_shared(to)), "l"(from), "r"((int32_t)is)
	             : "memory");
#else
	if (is)
		*(int4 *)to = *(const int4 *)from;
#endif
}

/* helper patc_kept_i64 */
/* x, in registers from here on: what a loop adds to it step by step is not multiplied out. */
static __device__ __forceinline__ int64_t patc_kept_i64(int64_t x)
{
#ifdef __CUDACC__
	asm("" : "+l"(x));
#endif
	return x;
}

/* helper patc_store_16_if effect */
/* A vector of 16 bytes, without a branch, which would part the lanes of a warp. */
template <typename V>
static __device__ __forceinline__ void patc_store_16_if(void *to, V cells, bool is)
{
#ifdef __CUDACC__
	uint32_t word[4];
	static_assert(sizeof cells == sizeof word, "16 bytes");
	__builtin_memcpy(word, &cells, sizeof word);
	asm volatile("{ .reg .pred is; setp.ne.s32 is, %5, 0;"
	             " @is st.global.v4.b32 [%0], {%1, %2, %3, %4}; }"
	             :: "l"(to), "r"(word[0]), "r"(word[1]), "r"(word[2]), "r"(word[3]),
	                "r"((int32_t)is)
	             : "memory");
#else
	if (is)
		*(V *)to = cells;
#endif
}

/* each n 4, 8; T uint32_t, uint64_t */
/* helper patc_fill_$n effect */
/* Like patc_copy_$n if it is there, else 0. */
static __device__ __forceinline__ void patc_fill_$n(void *to, const void *from, bool there)
{
#if defined(__CUDACC__) && __CUDA_ARCH__ >= 800
	asm volatile("cp.async.ca.shared.global [%0], [%1], $n, %2;"
	             :: "r"((uint32_t)__cvta_generic_to_shared(to)), "l"(from), "r"(there ? $n : 0)
	             : "memory");
#else
	*($T *)to = there ? *(const $T *)from : 0u;
#endif
}

/* end */

/* helper patc_fill_16 effect: patc_16 */
/* Like patc_copy_16 if it is there, else 0. */
static __device__ __forceinline__ void patc_fill_16(void *to, const void *from, bool there)
{
#if defined(__CUDACC__) && __CUDA_ARCH__ >= 800
	asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;"
	             :: "r"((uint32_t)__cvta_generic_to_shared(to)), "l"(from), "r"(there ? 16 : 0)
	             : "memory");
#else
	*(patc_16 *)to = there ? *(const patc_16 *)from : patc_16{};
#endif
}

/* helper patc_fit */
/* As many blocks as are wanted, or as the multiprocessor that is compiled for holds threads of. */
static __host__ __device__ constexpr int patc_fit(int threads, int wanted)
{
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ == 800 || (__CUDA_ARCH__ >= 900 && __CUDA_ARCH__ < 1100)
	return wanted * threads <= 2048 ? wanted : 2048 / threads;
#elif __CUDA_ARCH__ == 750
	return wanted * threads <= 1024 ? wanted : 1024 / threads;
#else
	return wanted * threads <= 1536 ? wanted : 1536 / threads;
#endif
}

/* helper patc_copies_end effect */
/* What this thread has asked for since the last time is a part. */
static __device__ __forceinline__ void patc_copies_end(void)
{
#if defined(__CUDACC__) && __CUDA_ARCH__ >= 800
	asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}

/* each n one, two, three; k 1, 2, 3 */
/* helper patc_copies_but_$n effect */
/* All parts that it asked for but the last $k have come. */
static __device__ __forceinline__ void patc_copies_but_$n(void)
{
#if defined(__CUDACC__) && __CUDA_ARCH__ >= 800
	asm volatile("cp.async.wait_group $k;" ::: "memory");
#endif
}

/* end */

/* helper patc_copies_all effect */
/* All that it asked for has come. */
static __device__ __forceinline__ void patc_copies_all(void)
{
#if defined(__CUDACC__) && __CUDA_ARCH__ >= 800
	asm volatile("cp.async.wait_all;" ::: "memory");
#endif
}

/* helper patc_meet effect */
/* A barrier of all so many threads of the block; warps may be at different places of the
 * program. */
static __device__ __forceinline__ void patc_meet(int32_t threads)
{
#ifdef __CUDACC__
	asm volatile("barrier.sync 1, %0;" :: "r"(threads) : "memory");
#else
	(void)threads;
	__syncthreads();
#endif
}

/* helper patc_ballot effect */
/* The lanes where it is true, a bit each. */
static __device__ __forceinline__ uint64_t patc_ballot(bool is)
{
	return __ballot_sync(0xffffffffu, is);
}

/* helper patc_least_i32 effect */
/* Of what the lanes of a warp have, the least. */
static __device__ __forceinline__ int32_t patc_least_i32(int32_t v)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
	return __reduce_min_sync(0xffffffffu, v);
#else
#pragma unroll
	for (int by = 16; by > 0; by /= 2) {
		const int32_t other = __shfl_xor_sync(0xffffffffu, v, by);
		v = other < v ? other : v;
	}
	return v;
#endif
}

/* helper patc_match effect */
/* The lanes that have the same low 8 bits. */
static __device__ __forceinline__ uint64_t patc_match(int32_t digit)
{
	uint32_t same = 0xffffffffu;
#pragma unroll
	for (int b = 0; b < 8; b++) {
#ifdef __CUDACC__
		asm volatile("{ .reg .pred is; .reg .b32 bit, lanes; and.b32 bit, %1, %2;"
		             " setp.ne.b32 is, bit, 0;"
		             " vote.sync.ballot.b32 lanes, is, 0xffffffff;"
		             " @!is not.b32 lanes, lanes;"
		             " and.b32 %0, %0, lanes; }"
		             : "+r"(same) : "r"(digit), "r"(1 << b));
#else
		const bool is = (digit >> b & 1) != 0;
		const uint32_t lanes = __ballot_sync(0xffffffffu, is);
		same &= is ? lanes : ~lanes;
#endif
	}
	return same;
}

/* helper patc_count effect */
/* One more, in memory of the block. */
static __device__ __forceinline__ void patc_count(int32_t *count)
{
	atomicAdd(count, 1);
}

/* helper patc_mark effect */
static __device__ __forceinline__ void patc_mark(uint32_t *word, uint32_t bits)
{
	atomicOr(word, bits);
}

/* helper patc_16 */
#ifdef __CUDACC__
typedef uint4 patc_16;
#else
struct __attribute__((may_alias, aligned(16))) patc_16 { uint32_t v[4]; };
#endif

/* helper patc_copy_in effect: patc_16 */
/* A warp copies its part of an array into shared memory; patc_copied() waits for it. */
static __device__ __forceinline__ void patc_copy_in(void *to, const void *from, int32_t bytes,
                                                    int32_t lane)
{
	#pragma unroll
	for (int32_t row = 0; row < bytes; row += 512) {
		const int32_t at = row + lane * 16;
		if (at >= bytes)
			continue;
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
		asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::
		             "r"((uint32_t)__cvta_generic_to_shared((char *)to + at)),
		             "l"((const char *)from + at) : "memory");
#else
		*(patc_16 *)((char *)to + at) = *(const patc_16 *)((const char *)from + at);
#endif
	}
}

/* helper patc_copied effect */
static __device__ __forceinline__ void patc_copied()
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
	asm volatile("cp.async.wait_all;" ::: "memory");
#endif
	__syncwarp();
}

/* helper patc_written effect */
/* What the lanes of a warp have written to shared memory may be copied by any. */
static __device__ __forceinline__ void patc_written()
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
	asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
#endif
	__syncwarp();
}

/* helper patc_copy_out effect: patc_16 */
/* A warp copies its part of shared memory into an array; then that may be written again. */
static __device__ __forceinline__ void patc_copy_out(void *to, const void *from, int32_t bytes,
                                                     int32_t lane)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
	if (lane == 0)
		asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2; "
		             "cp.async.bulk.commit_group; "
		             "cp.async.bulk.wait_group.read 0;" ::
		             "l"(to), "r"((uint32_t)__cvta_generic_to_shared(from)), "r"(bytes)
		             : "memory");
#else
	#pragma unroll
	for (int32_t row = 0; row < bytes; row += 512) {
		const int32_t at = row + lane * 16;
		if (at < bytes)
			*(patc_16 *)((char *)to + at) = *(const patc_16 *)((const char *)from + at);
	}
#endif
}

/* helper patc_draw effect */
static __device__ __forceinline__ int64_t patc_draw(uint64_t *counter)
{
	return (int64_t)atomicAdd((unsigned long long *)counter, 1ull);
}

/* helper patc_state_load effect */
/* A word that other blocks may be writing: 32 bits of a value and, above, what is known of it. */
static __device__ __forceinline__ uint64_t patc_state_load(const uint64_t *p)
{
#ifdef __CUDACC__
	uint64_t word;
	asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(word) : "l"(p));
	return word;
#else
	return patc_ld_relaxed(p);
#endif
}

/* helper patc_state_store effect */
static __device__ __forceinline__ void patc_state_store(uint64_t *p, uint32_t value, uint32_t known)
{
	const uint64_t word = (uint64_t)known << 32 | value;
#ifdef __CUDACC__
	asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" :: "l"(p), "l"(word));
#else
	patc_st_relaxed(p, word);
#endif
}

/* helper patc_state_store_if effect */
/* Without a branch, which would part the lanes of a warp. */
static __device__ __forceinline__ void patc_state_store_if(uint64_t *p, uint32_t value,
                                                           uint32_t known, bool is)
{
	const uint64_t word = (uint64_t)known << 32 | value;
#ifdef __CUDACC__
	asm volatile("{ .reg .pred is; setp.ne.s32 is, %2, 0;"
	             " @is st.relaxed.gpu.global.u64 [%0], %1; }"
	             :: "l"(p), "l"(word), "r"((int32_t)is));
#else
	if (is)
		patc_st_relaxed(p, word);
#endif
}

/* helper patc_state_store_2_if effect */
/* Two neighbouring words at a multiple of 16 bytes; each is there as a whole, or not yet. */
static __device__ __forceinline__ void patc_state_store_2_if(uint64_t *p, uint32_t value0,
                                                             uint32_t value1, uint32_t known,
                                                             bool is)
{
	const uint64_t word0 = (uint64_t)known << 32 | value0,
	               word1 = (uint64_t)known << 32 | value1;
#ifdef __CUDACC__
	asm volatile("{ .reg .pred is; setp.ne.s32 is, %3, 0;"
	             " @is st.relaxed.gpu.global.v2.u64 [%0], {%1, %2}; }"
	             :: "l"(p), "l"(word0), "l"(word1), "r"((int32_t)is));
#else
	if (is) {
		patc_st_relaxed(p, word0);
		patc_st_relaxed(p + 1, word1);
	}
#endif
}

/* part gpu.h */
/* part cuda_matrix.h */
/* helper patc_deal effect */
/* What the counter held before n were taken. */
static __device__ __forceinline__ int64_t patc_deal(uint64_t *counter, int64_t n)
{
	return (int64_t)atomicAdd((unsigned long long *)counter, (unsigned long long)n);
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

/* each t i8, i16, i32, i64, u8, u16, u32, u64; R ($T), , , ($T), , , , ($T); P (const signed char *), , , (const long long *), (const unsigned char *), , , (const unsigned long long *) */
/* helper patc_load_$t effect */
static __device__ __forceinline__ $T patc_load_$t(const $T *p)
{
	return $R__ldcg($Pp);
}

/* end */
/* helper patc_load_bool effect */
static __device__ __forceinline__ bool patc_load_bool(const bool *p)
{
	return __ldcg((const unsigned char *)p) != 0;
}

/* each t f32, f64 */
/* helper patc_load_$t effect */
static __device__ __forceinline__ $T patc_load_$t(const $T *p)
{
	return __ldcg(p);
}

/* end */

/* helper patc_approx_div_f32 */
static __device__ __forceinline__ float patc_approx_div_f32(float x, float y)
{
	return __fdividef(x, y);
}

/* helper patc_approx_exp_f32 */
static __device__ __forceinline__ float patc_approx_exp_f32(float x)
{
	return __expf(x);
}

/* helper patc_approx_exp2_f32 */
static __device__ __forceinline__ float patc_approx_exp2_f32(float x)
{
#ifdef __CUDA_ARCH__
	float y;
	asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
	return y;
#else
	return exp2f(x);
#endif
}

/* each f log, log2, log10, sin, cos, tan */
/* helper patc_approx_$f_f32 */
static __device__ __forceinline__ float patc_approx_$f_f32(float x)
{
	return __$ff(x);
}

/* end */

/* helper patc_approx_tanh_f32 */
static __device__ __forceinline__ float patc_approx_tanh_f32(float x)
{
#ifdef __CUDA_ARCH__
	float y;
	asm("tanh.approx.f32 %0, %1;" : "=f"(y) : "f"(x));
	return y;
#else
	return tanhf(x);
#endif
}

/* helper patc_approx_pow_f32 */
static __device__ __forceinline__ float patc_approx_pow_f32(float x, float y)
{
	return __powf(x, y);
}

/* helper patc_approx_sqrt_f32 */
static __device__ __forceinline__ float patc_approx_sqrt_f32(float x)
{
#ifdef __CUDA_ARCH__
	float y;
	asm("sqrt.approx.f32 %0, %1;" : "=f"(y) : "f"(x));
	return y;
#else
	return sqrtf(x);
#endif
}

/* helper patc_approx_rsqrt_f32 */
/* Subnormals are zeros: rsqrtf() takes three instructions more for them. */
static __device__ __forceinline__ float patc_approx_rsqrt_f32(float x)
{
#ifdef __CUDA_ARCH__
	float y;
	asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
	return y;
#else
	return rsqrtf(x);
#endif
}

/* each t f32, f64; p f, d */
/* helper patc_times_$t */
/* a * b, which no compiler makes one operation with a sum. */
PATC_FN $T patc_times_$t($T a, $T b)
{
#ifdef __CUDA_ARCH__
	return __$pmul_rn(a, b);
#else
	return a * b;
#endif
}

/* end */

/* each o add, sub; p +, - */
/* helper patc_$o2 */
PATC_FN uint32_t patc_$o2(uint32_t a, uint32_t b)
{
#ifdef __CUDA_ARCH__
	return __v$o2(a, b);
#else
	return ((a $p b) & 0xffff) | ((a >> 16) $p (b >> 16)) << 16;
#endif
}

/* end */

/* each o max, min */
/* helper patc_$o2: patc_pack2 patc_low2 patc_high2 patc_$o_i32 */
PATC_FN uint32_t patc_$o2(uint32_t a, uint32_t b)
{
#ifdef __CUDA_ARCH__
	return __v$os2(a, b);
#else
	return patc_pack2(patc_$o_i32(patc_low2(a), patc_low2(b)),
			patc_$o_i32(patc_high2(a), patc_high2(b)));
#endif
}

/* end */

/* helper patc_differ2 */
/* Per half: 1 where they differ, else 0. */
PATC_FN uint32_t patc_differ2(uint32_t a, uint32_t b)
{
#ifdef __CUDA_ARCH__
	return __vminu2(a ^ b, 0x00010001);
#else
	const uint32_t x = a ^ b;
	return (uint32_t)((x & 0xffff) != 0) | (uint32_t)(x >> 16 != 0) << 16;
#endif
}
