/* cuda_matrix.h - matrix units: products of small matrices that the 32 lanes of a warp hold in
 * registers together (mma.sync), and how they get them from shared memory (ldmatrix).
 *
 * A product is 16 x 8 cells.  Lane l has the sums of rows l / 4 and l / 4 + 8, of columns
 * 2 (l % 4) and the next one.  Of the operands a lane has words of some terms, one after another:
 *
 *     left    word 0 of row l / 4, word 1 of row l / 4 + 8, both word l % 4 of the first terms;
 *             words 2 and 3 the same of the later terms
 *     right   word 0 and word 1 of column l / 4, of the first and of the later terms
 *
 * A word has 2 cells of 16 bits, 4 of 8 bits.  Of f32 and f64 a word is one cell; of f64 a product
 * has the first terms only.  A machine without the unit is never asked to use it; a CPU that runs the
 * text to test it computes the same by shuffles.  Text of backends/rt that is copied into the output
 * is under 0BSD.
 * SPDX-License-Identifier: 0BSD */

/* helper patc_level */
/* What the code was compiled for that the present device runs: 800 is sm_80, 901 sm_90a; 0: it runs
 * none.  The probe may have as many threads. */
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
#define PATC_LEVEL 901
#elif defined(__CUDA_ARCH__)
#define PATC_LEVEL (__CUDA_ARCH__ < 1024 ? __CUDA_ARCH__ : 1000)
#else
#define PATC_LEVEL 1
#endif
static __global__ void __launch_bounds__(PATC_LEVEL) patc_level_probe()
{
}

PATC_HOST int64_t patc_level(void)
{
#ifdef __CUDACC__
	cudaFuncAttributes probe;
	return cudaFuncGetAttributes(&probe, patc_level_probe) == cudaSuccess
	               ? probe.maxThreadsPerBlock : 0;
#else
	int device = 0, major = 0;
	return cudaGetDevice(&device) == cudaSuccess &&
	       cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device) ==
	               cudaSuccess ? major * 100 : 0;
#endif
}

/* each d f16, bf16; h fp16, bf16; c __half_as_ushort(__float2half_rn, __bfloat16_as_ushort(__float2bfloat16_rn */
/* helper patc_pair_$d: patc_cuda_$h */
/* A word of two cells, rounded. */
static __device__ __forceinline__ uint32_t patc_pair_$d(float first, float second)
{
#if defined(__CUDACC__) && __CUDA_ARCH__ >= 800
	uint32_t word;
	asm("cvt.rn.$dx2.f32 %0, %1, %2;" : "=r"(word) : "f"(second), "f"(first));
	return word;
#else
	return $c(first)) | (uint32_t)$c(second)) << 16;
#endif
}

/* end */

/* helper patc_fragment_lanes */
#ifndef __CUDACC__
/* The words of the lane: word l % 4 of row l / 4; turned: two cells of 16 bits of column l / 4. */
template <bool TURNED>
static __device__ __forceinline__ void patc_fragment_lanes(uint32_t *word, const void *row)
{
	const int lane = (int)threadIdx.x % 32;
	const unsigned long long own = (unsigned long long)row;
	for (int m = 0; m < 4; m++) {
		uint16_t cell[2];
		for (int c = 0; c < 2; c++) {
			const int at = TURNED ? lane % 4 * 2 + c : lane / 4;
			const int column = TURNED ? lane / 4 : lane % 4 * 2 + c;
			const unsigned long long from = __shfl_sync(0xffffffffu, own, m * 8 + at);
			__builtin_memcpy(&cell[c], (const char *)from + column * 2, 2);
		}
		__builtin_memcpy(&word[m], cell, 4);
	}
}
#endif

/* each n , _turned; p , .trans; b false, true */
/* helper patc_fragment$n effect: patc_fragment_lanes */
/* Four matrices of 8 rows of 16 bytes of shared memory: lane l says where row l % 8 of matrix
 * l / 8 is. */
static __device__ __forceinline__ void patc_fragment$n(uint32_t *word, const void *row)
{
#if defined(__CUDACC__) && __CUDA_ARCH__ >= 750
	asm volatile("ldmatrix.sync.aligned.m8n8.x4$p.shared.b16 {%0, %1, %2, %3}, [%4];"
	             : "=r"(word[0]), "=r"(word[1]), "=r"(word[2]), "=r"(word[3])
	             : "r"((uint32_t)__cvta_generic_to_shared(row)));
#elif defined(__CUDACC__)
	__trap();
#else
	patc_fragment_lanes<$b>(word, row);
#endif
}

/* end */
/* each d f16, bf16; h fp16, bf16; c __half2float(__ushort_as_half, __bfloat162float(__ushort_as_bfloat16 */
/* helper patc_dot_$d: patc_cuda_$h */
/* Both cells of a word. */
template <typename SUM>
static __device__ __forceinline__ void patc_dot_$d(SUM *sum, uint32_t left, uint32_t right)
{
	*sum += $c((uint16_t)left)) * $c((uint16_t)right));
	*sum += $c((uint16_t)(left >> 16))) * $c((uint16_t)(right >> 16)));
}

/* end */
/* each d i8, u8, i8_u8, u8_i8; l int8_t, uint8_t, int8_t, uint8_t; r int8_t, uint8_t, uint8_t, int8_t */
/* helper patc_dot_$d */
/* All cells of a word; sums wrap. */
template <typename SUM>
static __device__ __forceinline__ void patc_dot_$d(SUM *sum, uint32_t left, uint32_t right)
{
	for (int at = 0; at < 32; at += 8) {
		const int term = ($l)(left >> at) * ($r)(right >> at);
		*sum = (int32_t)((uint32_t)*sum + (uint32_t)term);
	}
}

/* end */
/* helper patc_byte_lanes: patc_cuda_fp16 */
#ifndef __CUDACC__
static __device__ __forceinline__ float patc_lane_e5m2(uint32_t word)
{
	return __half2float(__ushort_as_half((uint16_t)(word << 8)));
}

static __device__ __forceinline__ float patc_lane_e4m3(uint32_t word)
{
	const uint16_t half = (uint16_t)((word & 0x80) << 8 | (word & 0x7f) << 7);
	return (word & 0x7f) == 0x7f ? NAN : 256.0f * __half2float(__ushort_as_half(half));
}
#endif

/* each d e4m3, e5m2, e4m3_e5m2, e5m2_e4m3; l e4m3, e5m2, e4m3, e5m2; r e4m3, e5m2, e5m2, e4m3 */
/* helper patc_dot_$d: patc_byte_lanes */
#ifndef __CUDACC__
/* All cells of a word. */
template <typename SUM>
static __device__ __forceinline__ void patc_dot_$d(SUM *sum, uint32_t left, uint32_t right)
{
	for (int at = 0; at < 32; at += 8)
		*sum += patc_lane_$l(left >> at) * patc_lane_$r(right >> at);
}
#endif

/* end */
/* helper patc_dot_tf32 */
/* The unit reads 10 bits of a cell's fraction. */
template <typename SUM>
static __device__ __forceinline__ void patc_dot_tf32(SUM *sum, uint32_t left, uint32_t right)
{
	const uint32_t cell[2] = {left & 0xffffe000u, right & 0xffffe000u};
	SUM factor[2];
	__builtin_memcpy(factor, cell, sizeof cell);
	*sum = fmaf(factor[0], factor[1], *sum);
}

/* helper patc_multiply_lanes */
#ifndef __CUDACC__
/* The sums of rows l / 4, `upper`, and l / 4 + 8, `lower`, by shuffles; dot(sum, word, word) folds
 * the cells of two words. */
template <typename SUM, typename WORD>
static __device__ __forceinline__ void patc_multiply_lanes(SUM *upper, SUM *lower, const WORD *left,
                                                           const WORD *right, int later,
                                                           void (*dot)(SUM *, WORD, WORD))
{
	const int lane = (int)threadIdx.x % 32, row = lane / 4 * 4, column = lane % 4 * 8;
	for (int part = 0; part <= later; part++)
		for (int at = 0; at < 4; at++) {
			const WORD a = __shfl_sync(0xffffffffu, left[part * 2], row + at);
			const WORD b = __shfl_sync(0xffffffffu, left[part * 2 + 1], row + at);
			const WORD c = __shfl_sync(0xffffffffu, right[part], column + at);
			const WORD d = __shfl_sync(0xffffffffu, right[part], column + 4 + at);
			dot(&upper[0], a, c);
			dot(&upper[1], a, d);
			dot(&lower[0], b, c);
			dot(&lower[1], b, d);
		}
}
#endif

/* helper patc_multiply_f16 effect: patc_multiply_lanes patc_dot_f16 */
static __device__ __forceinline__ void patc_multiply_f16(float *upper, float *lower,
                                                         const uint32_t *left, const uint32_t *right)
{
#if defined(__CUDACC__) && __CUDA_ARCH__ >= 800
	asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3},"
	    " {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
	    : "+f"(upper[0]), "+f"(upper[1]), "+f"(lower[0]), "+f"(lower[1])
	    : "r"(left[0]), "r"(left[1]), "r"(left[2]), "r"(left[3]), "r"(right[0]), "r"(right[1]));
#elif defined(__CUDACC__) && __CUDA_ARCH__ >= 750
	#pragma unroll
	for (int part = 0; part < 2; part++)
		asm("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5},"
		    " {%6}, {%0, %1, %2, %3};"
		    : "+f"(upper[0]), "+f"(upper[1]), "+f"(lower[0]), "+f"(lower[1])
		    : "r"(left[part * 2]), "r"(left[part * 2 + 1]), "r"(right[part]));
#elif defined(__CUDACC__)
	__trap();
#else
	patc_multiply_lanes<float, uint32_t>(upper, lower, left, right, 1, patc_dot_f16);
#endif
}

/* each d bf16, tf32; p m16n8k16.row.col.f32.bf16.bf16.f32, m16n8k8.row.col.f32.tf32.tf32.f32 */
/* helper patc_multiply_$d effect: patc_multiply_lanes patc_dot_$d */
static __device__ __forceinline__ void patc_multiply_$d(float *upper, float *lower,
                                                          const uint32_t *left, const uint32_t *right)
{
#if defined(__CUDACC__) && __CUDA_ARCH__ >= 800
	asm("mma.sync.aligned.$p {%0, %1, %2, %3},"
	    " {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
	    : "+f"(upper[0]), "+f"(upper[1]), "+f"(lower[0]), "+f"(lower[1])
	    : "r"(left[0]), "r"(left[1]), "r"(left[2]), "r"(left[3]), "r"(right[0]), "r"(right[1]));
#elif defined(__CUDACC__)
	__trap();
#else
	patc_multiply_lanes<float, uint32_t>(upper, lower, left, right, 1, patc_dot_$d);
#endif
}

/* end */
/* each d i8, u8, i8_u8, u8_i8; p s8.s8, u8.u8, s8.u8, u8.s8 */
/* helper patc_multiply_$d effect: patc_multiply_lanes patc_dot_$d */
static __device__ __forceinline__ void patc_multiply_$d(int32_t *upper, int32_t *lower,
                                                        const uint32_t *left, const uint32_t *right)
{
#if defined(__CUDACC__) && __CUDA_ARCH__ >= 800
	asm("mma.sync.aligned.m16n8k32.row.col.s32.$p.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7},"
	    " {%8, %9}, {%0, %1, %2, %3};"
	    : "+r"(upper[0]), "+r"(upper[1]), "+r"(lower[0]), "+r"(lower[1])
	    : "r"(left[0]), "r"(left[1]), "r"(left[2]), "r"(left[3]), "r"(right[0]), "r"(right[1]));
#elif defined(__CUDACC__) && __CUDA_ARCH__ >= 750
	#pragma unroll
	for (int part = 0; part < 2; part++) {
		asm("mma.sync.aligned.m8n8k16.row.col.s32.$p.s32 {%0, %1}, {%2}, {%3}, {%0, %1};"
		    : "+r"(upper[0]), "+r"(upper[1]) : "r"(left[part * 2]), "r"(right[part]));
		asm("mma.sync.aligned.m8n8k16.row.col.s32.$p.s32 {%0, %1}, {%2}, {%3}, {%0, %1};"
		    : "+r"(lower[0]), "+r"(lower[1]) : "r"(left[part * 2 + 1]), "r"(right[part]));
	}
#elif defined(__CUDACC__)
	__trap();
#else
	patc_multiply_lanes<int32_t, uint32_t>(upper, lower, left, right, 1, patc_dot_$d);
#endif
}

/* end */
/* each d e4m3, e5m2, e4m3_e5m2, e5m2_e4m3; p e4m3.e4m3, e5m2.e5m2, e4m3.e5m2, e5m2.e4m3 */
/* helper patc_multiply_$d effect: patc_multiply_lanes patc_dot_$d */
/* The unit adds with 14 bits: its sums of 32 terms join the others on plain cores. */
static __device__ __forceinline__ void patc_multiply_$d(float *upper, float *lower,
                                                        const uint32_t *left, const uint32_t *right)
{
#if defined(__CUDACC__) && __CUDA_ARCH__ >= 890
	float own[4];
	asm("mma.sync.aligned.m16n8k32.row.col.f32.$p.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7},"
	    " {%8, %9}, {%10, %10, %10, %10};"
	    : "=f"(own[0]), "=f"(own[1]), "=f"(own[2]), "=f"(own[3])
	    : "r"(left[0]), "r"(left[1]), "r"(left[2]), "r"(left[3]), "r"(right[0]), "r"(right[1]),
	      "f"(0.0f));
	upper[0] += own[0];
	upper[1] += own[1];
	lower[0] += own[2];
	lower[1] += own[3];
#elif defined(__CUDACC__)
	__trap();
#else
	patc_multiply_lanes<float, uint32_t>(upper, lower, left, right, 1, patc_dot_$d);
#endif
}

/* end */
/* helper patc_dot_f64 */
template <typename SUM>
static __device__ __forceinline__ void patc_dot_f64(SUM *sum, double left, double right)
{
	*sum = fma(left, right, *sum);
}

/* helper patc_multiply_f64 effect: patc_multiply_lanes patc_dot_f64 */
static __device__ __forceinline__ void patc_multiply_f64(double *upper, double *lower,
                                                         const double *left, const double *right)
{
#if defined(__CUDACC__) && __CUDA_ARCH__ >= 900
	asm("mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5}, {%6},"
	    " {%0, %1, %2, %3};"
	    : "+d"(upper[0]), "+d"(upper[1]), "+d"(lower[0]), "+d"(lower[1])
	    : "d"(left[0]), "d"(left[1]), "d"(right[0]));
#elif defined(__CUDACC__) && __CUDA_ARCH__ >= 800
	asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
	    : "+d"(upper[0]), "+d"(upper[1]) : "d"(left[0]), "d"(right[0]));
	asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
	    : "+d"(lower[0]), "+d"(lower[1]) : "d"(left[1]), "d"(right[0]));
#elif defined(__CUDACC__)
	__trap();
#else
	patc_multiply_lanes<double, double>(upper, lower, left, right, 0, patc_dot_f64);
#endif
}

/* helper patc_tf32_large */
/* The nearest number of 10 bits of fraction. */
static __device__ __forceinline__ uint32_t patc_tf32_large(uint32_t x)
{
	return (x + 0x1000u) & 0xffffe000u;
}

/* helper patc_tf32_small: patc_tf32_large patc_bits_f32 patc_from_bits_f32 */
/* What that leaves. */
static __device__ __forceinline__ uint32_t patc_tf32_small(uint32_t x)
{
	return patc_bits_f32(patc_from_bits_f32(x) - patc_from_bits_f32(patc_tf32_large(x)));
}

/* helper patc_multiply_tf32x3 effect: patc_multiply_tf32 patc_tf32_small */
/* The products with a small part are added by themselves: the sums are as large as what they would
 * lose. */
static __device__ __forceinline__ void patc_multiply_tf32x3(float *upper, float *lower,
                                                            const uint32_t *left, const uint32_t *right)
{
	float u[2] = {0, 0}, l[2] = {0, 0};
	uint32_t large_left[4], small_left[4], large_right[2], small_right[2];
	#pragma unroll
	for (int n = 0; n < 4; n++) {
		large_left[n] = patc_tf32_large(left[n]);
		small_left[n] = patc_tf32_small(left[n]);
	}
	#pragma unroll
	for (int n = 0; n < 2; n++) {
		large_right[n] = patc_tf32_large(right[n]);
		small_right[n] = patc_tf32_small(right[n]);
	}
	patc_multiply_tf32(u, l, small_left, large_right);
	patc_multiply_tf32(u, l, large_left, small_right);
	patc_multiply_tf32(upper, lower, large_left, large_right);
	#pragma unroll
	for (int n = 0; n < 2; n++) {
		upper[n] += u[n];
		lower[n] += l[n];
	}
}

/* helper patc_groups */
/* The groups of 128 threads of sm_90a, whose unit reads both operands from shared memory. */
#if defined(__CUDACC__) && defined(__CUDA_ARCH_FEAT_SM90_ALL)
#define PATC_GROUPS
#endif

/* helper patc_copies_seen effect: patc_groups */
/* What this thread has copied to shared memory is seen by the unit of a group, too. */
static __device__ __forceinline__ void patc_copies_seen(void)
{
#ifdef PATC_GROUPS
	asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
#endif
}

/* helper patc_group_begin effect: patc_groups */
/* The sums are as the threads have left them. */
static __device__ __forceinline__ void patc_group_begin(void)
{
#ifdef PATC_GROUPS
	asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#endif
}

/* helper patc_group_end effect: patc_groups */
/* What the group multiplies since the last time is a part. */
static __device__ __forceinline__ void patc_group_end(void)
{
#ifdef PATC_GROUPS
	asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
#endif
}

/* helper patc_group_but_one effect: patc_groups */
/* All parts but the last one are multiplied: their operands may be replaced. */
static __device__ __forceinline__ void patc_group_but_one(void)
{
#ifdef PATC_GROUPS
	asm volatile("wgmma.wait_group.sync.aligned 1;" ::: "memory");
#endif
}

/* helper patc_group_idle effect: patc_groups */
/* All parts are multiplied: these words may take the place of others that the unit has read. */
static __device__ __forceinline__ void patc_group_idle(uint32_t *word, int32_t words)
{
#ifdef PATC_GROUPS
	asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
	#pragma unroll
	for (int32_t n = 0; n < words; n++)
		asm volatile("" : "+r"(word[n]) :: "memory");
#endif
}

/* helper patc_group_ready effect: patc_groups */
/* These words are there before patc_group_begin. */
static __device__ __forceinline__ void patc_group_ready(uint32_t *word, int32_t words)
{
#ifdef PATC_GROUPS
	#pragma unroll
	for (int32_t n = 0; n < words; n++)
		asm volatile("" : "+r"(word[n]) :: "memory");
#endif
}

/* each d f32, i32; s float, int32_t; c f, r */
/* helper patc_group_sums_$d effect: patc_groups */
/* All parts are multiplied, and the sums may be read. */
static __device__ __forceinline__ void patc_group_sums_$d($s *sum, int32_t sums)
{
#ifdef PATC_GROUPS
	asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
	#pragma unroll
	for (int32_t n = 0; n < sums; n++)
		asm volatile("" : "+$c"(sum[n]) :: "memory");
#endif
}

/* end */
/* helper patc_group_tile: patc_groups */
/* What the unit needs to know of an operand's tile, a multiple of 1024 bytes in lines of 128 bytes,
 * whose pieces of 16 bytes lie at number n ^ (line % 8): its address, bytes between blocks of lines
 * (turned: a line has 64 cells of a term), and between 8 lines. */
#ifdef PATC_GROUPS
static __device__ __forceinline__ uint64_t patc_group_tile(const void *tile, int32_t apart)
{
	const uint64_t at = (uint64_t)__cvta_generic_to_shared(tile);
	return (at & 0x3ffff) >> 4 | (uint64_t)(apart >> 4) << 16 | (uint64_t)(1024 >> 4) << 32
	       | (uint64_t)1 << 62;
}
#endif

/* helper patc_group_names: patc_groups */
/* The sums of 64, 128 or 256 columns, in the order that the unit has them in: those of a row, and,
 * `half` later, those of the row 8 below it. */
#ifdef PATC_GROUPS
#define PATC_NAMES_64 \
	"%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, " \
	"%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31"
#define PATC_NAMES_128 \
	PATC_NAMES_64 ", " \
	"%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, " \
	"%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63"
#define PATC_NAMES_256 \
	PATC_NAMES_128 ", " \
	"%64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, " \
	"%80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95, " \
	"%96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, %111, " \
	"%112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, %124, %125, %126, %127"
#define PATC_SUMS_4(kind, half, n) \
	kind(sum[n]), kind(sum[n + 1]), kind(sum[half + n]), kind(sum[half + n + 1])
#define PATC_SUMS_16(kind, half, n) \
	PATC_SUMS_4(kind, half, n), PATC_SUMS_4(kind, half, n + 2), \
	PATC_SUMS_4(kind, half, n + 4), PATC_SUMS_4(kind, half, n + 6)
#define PATC_SUMS_32(kind, half, n) \
	PATC_SUMS_16(kind, half, n), PATC_SUMS_16(kind, half, n + 8)
#define PATC_SUMS_OF_64(kind) PATC_SUMS_32(kind, 16, 0)
#define PATC_SUMS_OF_128(kind) PATC_SUMS_32(kind, 32, 0), PATC_SUMS_32(kind, 32, 16)
#define PATC_SUMS_OF_256(kind) \
	PATC_SUMS_32(kind, 64, 0), PATC_SUMS_32(kind, 64, 16), PATC_SUMS_32(kind, 64, 32), \
	PATC_SUMS_32(kind, 64, 48)
#endif

/* helper patc_group_lanes */
#ifndef __CUDACC__
/* A cell of a tile that patc_group_tile describes, at a term of its first slice. */
template <int BYTES>
static __device__ __forceinline__ uint32_t patc_group_cell(const void *tile, int32_t apart,
                                                           int32_t cell, int32_t term)
{
	const char *at = (const char *)tile;
	uint32_t word = 0;
	if (apart > 0)
		at += cell / 64 * apart + term * 128 + ((cell % 64 * 2) ^ (term % 8 * 16));
	else {
		const int32_t first = (int32_t)((uintptr_t)at % 128);
		at += cell * 128 - first + ((first + term * BYTES) ^ (cell % 8 * 16));
	}
	__builtin_memcpy(&word, at, BYTES);
	return word;
}

/* What the unit of a group adds, by each thread for itself: dot(sum, word, word) folds cells. */
template <int BYTES, int COLUMNS, typename SUM>
static __device__ __forceinline__ void patc_group_lanes(SUM *sum, const void *left,
                                                        int32_t left_apart, const void *right,
                                                        int32_t right_apart, int32_t terms,
                                                        void (*dot)(SUM *, uint32_t, uint32_t))
{
	const int32_t lane = (int32_t)threadIdx.x % 32, warp = (int32_t)threadIdx.x / 32 % 4;
	for (int32_t n = 0; n < COLUMNS / 2; n++) {
		const int32_t own = n % (COLUMNS / 4);
		const int32_t row = warp * 16 + lane / 4 + n / (COLUMNS / 4) * 8;
		const int32_t column = own / 2 * 8 + lane % 4 * 2 + own % 2;
		for (int32_t term = 0; term < terms; term++)
			dot(&sum[n], patc_group_cell<BYTES>(left, left_apart, row, term),
			    patc_group_cell<BYTES>(right, right_apart, column, term));
	}
}
#endif

/* each d f16, bf16 */
/* each n , _l, _r, _lr; a 0, 1, 0, 1; b 0, 0, 1, 1 */
/* helper patc_group_$d$n effect: patc_group_tile patc_group_names patc_group_lanes patc_dot_$d */
/* 64 x 256 cells and 16 terms join the sums, until patc_group_sums_f32. */
static __device__ __forceinline__ void patc_group_$d$n(float *sum, const void *left,
                                                       int32_t left_apart, const void *right,
                                                       int32_t right_apart)
{
#ifdef PATC_GROUPS
	asm volatile("{ .reg .pred more; setp.ne.b32 more, %130, 0;"
	             " wgmma.mma_async.sync.aligned.m64n256k16.f32.$d.$d {" PATC_NAMES_256 "},"
	             " %128, %129, more, 1, 1, $a, $b; }"
	             : PATC_SUMS_OF_256("+f")
	             : "l"(patc_group_tile(left, left_apart)),
	               "l"(patc_group_tile(right, right_apart)), "r"(1));
#elif defined(__CUDACC__)
	__trap();
#else
	patc_group_lanes<2, 256, float>(sum, left, left_apart, right, right_apart, 16, patc_dot_$d);
#endif
}

/* end */
/* end */
/* helper patc_group_first_f32 effect: patc_groups */
/* All parts but the last one are multiplied, and their sums may be read. */
static __device__ __forceinline__ void patc_group_first_f32(float *sum, int32_t sums)
{
#ifdef PATC_GROUPS
	asm volatile("wgmma.wait_group.sync.aligned 1;" ::: "memory");
	#pragma unroll
	for (int32_t n = 0; n < sums; n++)
		asm volatile("" : "+f"(sum[n]) :: "memory");
#endif
}

/* helper patc_group_row_lanes: patc_group_lanes */
#ifndef __CUDACC__
/* The same as patc_group_lanes of 8 words of terms, of rows that the lanes of a warp have in
 * registers as for patc_multiply_lanes. */
template <int BYTES, int COLUMNS>
static __device__ __forceinline__ void patc_group_row_lanes(float *sum, const uint32_t *left,
                                                            const void *right, int32_t right_apart,
                                                            void (*dot)(float *, uint32_t, uint32_t))
{
	const int32_t lane = (int32_t)threadIdx.x % 32, cells = 4 / BYTES;
	for (int32_t at = 0; at < 8; at++)
		for (int32_t half = 0; half < 2; half++) {
			const uint32_t word = __shfl_sync(0xffffffffu, left[at / 4 * 2 + half],
			                                  lane / 4 * 4 + at % 4);
			for (int32_t n = 0; n < COLUMNS / 4; n++) {
				const int32_t column = n / 2 * 8 + lane % 4 * 2 + n % 2;
				uint32_t own = 0;
				for (int32_t c = 0; c < cells; c++)
					own |= patc_group_cell<BYTES>(right, right_apart, column,
					                              at * cells + c)
					       << c * BYTES * 8;
				dot(&sum[half * (COLUMNS / 4) + n], word, own);
			}
		}
}
#endif

/* each d f16, bf16 */
/* each c 64, 128; x 32, 64; y 33, 65; z 34, 66 */
/* helper patc_group_$d_$c effect: patc_group_tile patc_group_names patc_group_lanes patc_dot_$d */
/* 64 x $c cells and 16 terms join the sums, or are the first of them, until they are waited for. */
static __device__ __forceinline__ void patc_group_$d_$c(float *sum, const void *left,
                                                        const void *right, int32_t first)
{
#ifdef PATC_GROUPS
	asm volatile("{ .reg .pred more; setp.eq.b32 more, %$z, 0;"
	             " wgmma.mma_async.sync.aligned.m64n$ck16.f32.$d.$d {" PATC_NAMES_$c "},"
	             " %$x, %$y, more, 1, 1, 0, 0; }"
	             : PATC_SUMS_OF_$c("+f")
	             : "l"(patc_group_tile(left, 0)), "l"(patc_group_tile(right, 0)), "r"(first));
#elif defined(__CUDACC__)
	__trap();
#else
	for (int32_t n = 0; first && n < $c / 2; n++)
		sum[n] = 0;
	patc_group_lanes<2, $c, float>(sum, left, 0, right, 0, 16, patc_dot_$d);
#endif
}

/* end */
/* each c 64, 128; w 32, 64; x 33, 65; y 34, 66; z 35, 67; e 36, 68; p 37, 69 */
/* helper patc_group_rows_$d_$c effect: patc_group_tile patc_group_names patc_group_lanes patc_group_row_lanes patc_dot_$d */
/* The same of rows that are in registers, four words of a lane; the lines of the right tile are
 * terms. */
static __device__ __forceinline__ void patc_group_rows_$d_$c(float *sum, const uint32_t *left,
                                                             const void *right, int32_t right_apart)
{
#ifdef PATC_GROUPS
	asm volatile("{ .reg .pred more; setp.ne.b32 more, %$p, 0;"
	             " wgmma.mma_async.sync.aligned.m64n$ck16.f32.$d.$d {" PATC_NAMES_$c "},"
	             " {%$w, %$x, %$y, %$z}, %$e, more, 1, 1, 1; }"
	             : PATC_SUMS_OF_$c("+f")
	             : "r"(left[0]), "r"(left[1]), "r"(left[2]), "r"(left[3]),
	               "l"(patc_group_tile(right, right_apart)), "r"(1));
#elif defined(__CUDACC__)
	__trap();
#else
	patc_group_row_lanes<2, $c>(sum, left, right, right_apart, patc_dot_$d);
#endif
}

/* end */
/* end */
/* helper patc_group_tf32 effect: patc_group_tile patc_group_names patc_group_lanes patc_dot_tf32 */
/* 64 x 256 cells and 8 terms join the sums, until patc_group_sums_f32. */
static __device__ __forceinline__ void patc_group_tf32(float *sum, const void *left,
                                                       int32_t left_apart, const void *right,
                                                       int32_t right_apart)
{
#ifdef PATC_GROUPS
	asm volatile("{ .reg .pred more; setp.ne.b32 more, %130, 0;"
	             " wgmma.mma_async.sync.aligned.m64n256k8.f32.tf32.tf32 {" PATC_NAMES_256 "},"
	             " %128, %129, more, 1, 1; }"
	             : PATC_SUMS_OF_256("+f")
	             : "l"(patc_group_tile(left, left_apart)),
	               "l"(patc_group_tile(right, right_apart)), "r"(1));
#elif defined(__CUDACC__)
	__trap();
#else
	patc_group_lanes<4, 256, float>(sum, left, left_apart, right, right_apart, 8, patc_dot_tf32);
#endif
}

/* each c 128, 256; w 64, 128; x 65, 129; y 66, 130; z 67, 131; e 68, 132; p 69, 133 */
/* helper patc_group_rows_tf32_$c effect: patc_group_tile patc_group_names patc_group_row_lanes patc_dot_tf32 */
/* 64 x $c cells and 8 terms join the sums; rows are in registers, as for patc_multiply_tf32. */
static __device__ __forceinline__ void patc_group_rows_tf32_$c(float *sum, const uint32_t *left,
                                                               const void *right)
{
#ifdef PATC_GROUPS
	asm volatile("{ .reg .pred more; setp.ne.b32 more, %$p, 0;"
	             " wgmma.mma_async.sync.aligned.m64n$ck8.f32.tf32.tf32 {" PATC_NAMES_$c "},"
	             " {%$w, %$x, %$y, %$z}, %$e, more, 1, 1; }"
	             : PATC_SUMS_OF_$c("+f")
	             : "r"(left[0]), "r"(left[1]), "r"(left[2]), "r"(left[3]),
	               "l"(patc_group_tile(right, 0)), "r"(1));
#elif defined(__CUDACC__)
	__trap();
#else
	patc_group_row_lanes<4, $c>(sum, left, right, 0, patc_dot_tf32);
#endif
}

/* end */
/* helper patc_group_rows_tf32x3_128 effect: patc_group_rows_tf32_128 */
/* The same of cells that are split, into words and a tile of large and one of small parts. */
static __device__ __forceinline__ void patc_group_rows_tf32x3_128(float *sum, const uint32_t *left,
                                                                  const void *right,
                                                                  const uint32_t *left_small,
                                                                  const void *right_small)
{
	patc_group_rows_tf32_128(sum, left_small, right);
	patc_group_rows_tf32_128(sum, left, right_small);
	patc_group_rows_tf32_128(sum, left, right);
}

/* each d i8, u8, i8_u8, u8_i8; p s8.s8, u8.u8, s8.u8, u8.s8 */
/* helper patc_group_$d effect: patc_group_tile patc_group_names patc_group_lanes patc_dot_$d */
/* 64 x 256 cells and 32 terms join the sums, until patc_group_sums_i32. */
static __device__ __forceinline__ void patc_group_$d(int32_t *sum, const void *left,
                                                     int32_t left_apart, const void *right,
                                                     int32_t right_apart)
{
#ifdef PATC_GROUPS
	asm volatile("{ .reg .pred more; setp.ne.b32 more, %130, 0;"
	             " wgmma.mma_async.sync.aligned.m64n256k32.s32.$p {" PATC_NAMES_256 "},"
	             " %128, %129, more; }"
	             : PATC_SUMS_OF_256("+r")
	             : "l"(patc_group_tile(left, left_apart)),
	               "l"(patc_group_tile(right, right_apart)), "r"(1));
#elif defined(__CUDACC__)
	__trap();
#else
	patc_group_lanes<1, 256, int32_t>(sum, left, left_apart, right, right_apart, 32, patc_dot_$d);
#endif
}

/* end */
/* each d e4m3, e5m2, e4m3_e5m2, e5m2_e4m3; p e4m3.e4m3, e5m2.e5m2, e4m3.e5m2, e5m2.e4m3 */
/* helper patc_group_$d effect: patc_group_tile patc_group_names patc_group_lanes patc_dot_$d */
/* 64 x 128 cells and 32 terms join the sums, or are the first of them, until they are waited for. */
static __device__ __forceinline__ void patc_group_$d(float *sum, const void *left,
                                                     const void *right, int32_t first)
{
#ifdef PATC_GROUPS
	asm volatile("{ .reg .pred more; setp.eq.b32 more, %66, 0;"
	             " wgmma.mma_async.sync.aligned.m64n128k32.f32.$p {" PATC_NAMES_128 "},"
	             " %64, %65, more, 1, 1; }"
	             : PATC_SUMS_OF_128("+f")
	             : "l"(patc_group_tile(left, 0)), "l"(patc_group_tile(right, 0)), "r"(first));
#elif defined(__CUDACC__)
	__trap();
#else
	for (int32_t n = 0; first && n < 64; n++)
		sum[n] = 0;
	patc_group_lanes<1, 128, float>(sum, left, 0, right, 0, 32, patc_dot_$d);
#endif
}

/* end */
