/* hip_wmma.h - matrix units: products of small matrices that the 32 lanes of a wave hold in
 * registers together (WMMA of RDNA3, gfx11, and of RDNA4, gfx12).
 *
 * A product is 16 x 16 cells, of 16 terms.  Which of them a lane has is what AMD's instruction set
 * manuals of RDNA3 and RDNA4 say (chapter on wave matrix multiply accumulate):
 *
 *     sums    lane l has eight of column l % 16: on gfx11 rows 2 * n + l / 16,
 *             on gfx12 rows l / 16 * 8 + n
 *     left    lane l has terms of row l % 16: on gfx11 all of them, so lanes l and l + 16 have
 *             the same; on gfx12 those of group l / 16 of two
 *     right   the same of column l % 16
 *
 * Which terms a group has does not matter, as long as both operands have the same: here neighbours.
 * A word has 2 cells of 16 bits or 4 of 8 bits.  A CPU that runs the text to test it computes the
 * same by shuffles.  Text of backends/rt that is copied into the output is under 0BSD.
 * SPDX-License-Identifier: 0BSD */

/* helper patc_has_wmma11 */
/* Has the present device the units of gfx11? */
PATC_HOST bool patc_has_wmma11(void)
{
	int device = 0;
	hipDeviceProp_t found;
	if (hipGetDevice(&device) != hipSuccess ||
	    hipGetDeviceProperties(&found, device) != hipSuccess)
		return false;
#ifdef __CUDACC__
	return false;
#else
	return __builtin_strncmp(found.gcnArchName, "gfx11", 5) == 0;
#endif
}

/* helper patc_four_words effect */
/* Of shared memory, where they lie at a multiple of 16 bytes. */
static __device__ __forceinline__ void patc_four_words(uint32_t *word, const void *at)
{
	__builtin_memcpy(word, __builtin_assume_aligned(at, 16), 16);
}

/* helper patc_wmma11_lanes */
#ifndef __GFX11__
/* The sums by shuffles; dot(sum, word, word) folds the cells of two words.  Each half of the lanes
 * reads its own copy of the operands. */
template <typename SUM>
static __device__ __forceinline__ void patc_wmma11_lanes(SUM *const *sum, const uint32_t *left,
                                                         const uint32_t *right, int words,
                                                         void (*dot)(SUM *, uint32_t, uint32_t))
{
#ifdef __AMDGCN__
	__builtin_trap();        /* without the units the host launches another kernel */
#endif
	const int half = (int)threadIdx.x % 32 / 16;
	for (int at = 0; at < words; at++)
		for (int n = 0; n < 8; n++)
			dot(sum[n], __shfl(left[at], half * 16 + 2 * n + half), right[at]);
}
#endif

/* helper patc_wmma12_lanes */
#ifndef __GFX12__
/* The sums by shuffles; dot(sum, word, word) folds the cells of two words. */
template <typename SUM>
static __device__ __forceinline__ void patc_wmma12_lanes(SUM *const *sum, const uint32_t *left,
                                                         const uint32_t *right, int words,
                                                         void (*dot)(SUM *, uint32_t, uint32_t))
{
#ifdef __AMDGCN__
	__builtin_trap();        /* without the units the host launches another kernel */
#endif
	const int lane = (int)threadIdx.x % 32;
	for (int group = 0; group < 2; group++)
		for (int at = 0; at < words; at++) {
			const uint32_t column = __shfl(right[at], group * 16 + lane % 16);
			const int row = group * 16 + lane / 16 * 8;
			for (int n = 0; n < 8; n++)
				dot(sum[n], __shfl(left[at], row + n), column);
		}
}
#endif

/* each g 11, 12; h 8, 4; b 4, 2; n 16, 8; s , _gfx12 */
/* each d f16, bf16; c _Float16, short */
/* helper patc_multiply_wmma$g_$d effect: patc_wmma$g_lanes patc_dot_$d */
/* A lane's sums of eight rows. */
static __device__ __forceinline__ void patc_multiply_wmma$g_$d(float *s0, float *s1, float *s2,
                                                               float *s3, float *s4, float *s5,
                                                               float *s6, float *s7,
                                                               const uint32_t *left,
                                                               const uint32_t *right)
{
#ifdef __GFX$g__
	typedef $c cells __attribute__((ext_vector_type($n)));
	typedef float sums __attribute__((ext_vector_type(8)));
	cells a, b;
	__builtin_memcpy(&a, left, sizeof a);
	__builtin_memcpy(&b, right, sizeof b);
	sums sum = { *s0, *s1, *s2, *s3, *s4, *s5, *s6, *s7 };
	sum = __builtin_amdgcn_wmma_f32_16x16x16_$d_w32$s(a, b, sum);
	*s0 = sum[0], *s1 = sum[1], *s2 = sum[2], *s3 = sum[3];
	*s4 = sum[4], *s5 = sum[5], *s6 = sum[6], *s7 = sum[7];
#else
	float *const sum[] = { s0, s1, s2, s3, s4, s5, s6, s7 };
	patc_wmma$g_lanes<float>(sum, left, right, $h, patc_dot_$d);
#endif
}

/* end */
/* each d i8, u8, i8_u8, u8_i8; l true, false, true, false; r true, false, false, true */
/* helper patc_multiply_wmma$g_$d effect: patc_wmma$g_lanes patc_dot_$d */
/* A lane's sums of eight rows, which wrap. */
static __device__ __forceinline__ void
patc_multiply_wmma$g_$d(int32_t *s0, int32_t *s1, int32_t *s2, int32_t *s3, int32_t *s4,
                        int32_t *s5, int32_t *s6, int32_t *s7, const uint32_t *left,
                        const uint32_t *right)
{
#ifdef __GFX$g__
	typedef int32_t words __attribute__((ext_vector_type($b)));
	typedef int32_t sums __attribute__((ext_vector_type(8)));
	words a, b;
	__builtin_memcpy(&a, left, sizeof a);
	__builtin_memcpy(&b, right, sizeof b);
	sums sum = { *s0, *s1, *s2, *s3, *s4, *s5, *s6, *s7 };
	sum = __builtin_amdgcn_wmma_i32_16x16x16_iu8_w32$s($l, a, $r, b, sum, false);
	*s0 = sum[0], *s1 = sum[1], *s2 = sum[2], *s3 = sum[3];
	*s4 = sum[4], *s5 = sum[5], *s6 = sum[6], *s7 = sum[7];
#else
	int32_t *const sum[] = { s0, s1, s2, s3, s4, s5, s6, s7 };
	patc_wmma$g_lanes<int32_t>(sum, left, right, $b, patc_dot_$d);
#endif
}

/* end */
/* end */
