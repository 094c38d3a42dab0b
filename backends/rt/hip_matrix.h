/* hip_matrix.h - matrix units: products of small matrices that the 64 lanes of a wave hold in
 * registers together (MFMA of gfx90a and gfx942).
 *
 * A product is 16 x 16 cells.  Which of them a lane has is what AMD's instruction set manuals of
 * CDNA2 and CDNA3 say (chapter on matrix arithmetic), and AMD's Matrix Instruction Calculator
 * prints:
 *
 *     sums    lane l has column l % 16; rows: patc_multiply_row
 *     left    lane l has terms of row l % 16, those of group l / 16 of four
 *     right   the same of column l % 16
 *
 * Which terms a group has does not matter, as long as both operands have the same: here neighbours.
 * A word has 2 cells of 16 bits or 4 of 8 bits, or is one.  Any other machine, and a CPU that runs the text to test it,
 * computes the same by shuffles; the host asks for the unit first.  Text of backends/rt that is
 * copied into the output is under 0BSD.
 * SPDX-License-Identifier: 0BSD */

/* helper patc_level */
/* Which units the present device has: 900 is gfx90a, 940 gfx942; 0: none. */
PATC_HOST int64_t patc_level(void)
{
	int device = 0;
	hipDeviceProp_t found;
	if (hipGetDevice(&device) != hipSuccess ||
	    hipGetDeviceProperties(&found, device) != hipSuccess)
		return 0;
#ifdef __CUDACC__
	return 0;
#else
	return __builtin_strncmp(found.gcnArchName, "gfx90a", 6) == 0 ? 900 :
	       __builtin_strncmp(found.gcnArchName, "gfx942", 6) == 0 ? 940 : 0;
#endif
}

/* helper patc_two_words effect */
/* Of shared memory, where they lie at a multiple of 8 bytes. */
static __device__ __forceinline__ void patc_two_words(uint32_t *word, const void *at)
{
	__builtin_memcpy(word, __builtin_assume_aligned(at, 8), 8);
}

/* helper patc_mfma */
#if defined(__gfx90a__) || defined(__gfx942__) || defined(__gfx9_4_generic__)
#define PATC_MFMA
#endif

/* helper patc_cell_f16: patc_hip_fp16 */
template <typename SUM>
static __device__ __forceinline__ SUM patc_cell_f16(uint32_t bits)
{
	__half_raw raw;
	raw.x = (uint16_t)bits;
	return __half2float(raw);
}

/* helper patc_cell_bf16 */
template <typename SUM>
static __device__ __forceinline__ SUM patc_cell_bf16(uint32_t bits)
{
	SUM cell;
	bits <<= 16;
	__builtin_memcpy(&cell, &bits, 4);
	return cell;
}

/* each d f16, bf16 */
/* helper patc_dot_$d: patc_cell_$d */
/* Both cells of a word. */
template <typename SUM>
static __device__ __forceinline__ void patc_dot_$d(SUM *sum, uint32_t left, uint32_t right)
{
	*sum += patc_cell_$d<SUM>(left) * patc_cell_$d<SUM>(right);
	*sum += patc_cell_$d<SUM>(left >> 16) * patc_cell_$d<SUM>(right >> 16);
}

/* end */
/* each d i8, u8, i8_u8, u8_i8; l , u, , u; r , u, u, */
/* helper patc_dot_$d */
/* All cells of a word; sums wrap. */
template <typename SUM>
static __device__ __forceinline__ void patc_dot_$d(SUM *sum, uint32_t left, uint32_t right)
{
	for (int at = 0; at < 32; at += 8) {
		const int term = ($lint8_t)(left >> at) * ($rint8_t)(right >> at);
		*sum = (int32_t)((uint32_t)*sum + (uint32_t)term);
	}
}

/* end */
/* each t f32, f64 */
/* helper patc_dot_$t */
template <typename SUM>
static __device__ __forceinline__ void patc_dot_$t(SUM *sum, SUM left, SUM right)
{
	*sum = fma(left, right, *sum);
}

/* end */
/* helper patc_multiply_row */
/* Which of the 16 rows sum number n of a lane is of: neighbours, of f64 every fourth. */
template <typename SUM>
static __device__ __forceinline__ int patc_multiply_row(int lane, int n)
{
	return sizeof(SUM) == 8 ? lane / 16 + n * 4 : lane / 16 * 4 + n;
}

/* helper patc_multiply_lanes: patc_mfma patc_multiply_row */
#ifndef PATC_MFMA
/* The sums by shuffles; dot(sum, word, word) folds the cells of two words. */
template <typename SUM, typename WORD>
static __device__ __forceinline__ void patc_multiply_lanes(SUM *const *sum, const WORD *left,
                                                           const WORD *right, int words,
                                                           void (*dot)(SUM *, WORD, WORD))
{
	const int lane = (int)threadIdx.x % 64;
	for (int group = 0; group < 4; group++)
		for (int at = 0; at < words; at++) {
			const WORD column = __shfl(right[at], group * 16 + lane % 16);
			for (int n = 0; n < 4; n++)
				dot(sum[n], __shfl(left[at], group * 16 + patc_multiply_row<SUM>(lane, n)),
				    column);
		}
}
#endif

/* each d f16, bf16; c _Float16, short; m f16, bf16_1k */
/* helper patc_multiply_$d effect: patc_mfma patc_multiply_lanes patc_dot_$d */
/* A lane's sums of four rows. */
static __device__ __forceinline__ void patc_multiply_$d(float *first, float *second, float *third,
                                                        float *fourth, const uint32_t *left,
                                                        const uint32_t *right)
{
#ifdef PATC_MFMA
	typedef $c four __attribute__((ext_vector_type(4)));
	typedef float sums __attribute__((ext_vector_type(4)));
	four a, b;
	__builtin_memcpy(&a, left, 8);
	__builtin_memcpy(&b, right, 8);
	sums sum = { *first, *second, *third, *fourth };
	sum = __builtin_amdgcn_mfma_f32_16x16x16$m(a, b, sum, 0, 0, 0);
	*first = sum[0], *second = sum[1], *third = sum[2], *fourth = sum[3];
#else
	float *const sum[] = { first, second, third, fourth };
	patc_multiply_lanes<float, uint32_t>(sum, left, right, 2, patc_dot_$d);
#endif
}

/* end */
/* helper patc_multiply_i8 effect: patc_mfma patc_multiply_lanes patc_dot_i8 */
/* gfx90a has an instruction for half of the terms: the first words, then the others. */
static __device__ __forceinline__ void patc_multiply_i8(int32_t *first, int32_t *second,
                                                        int32_t *third, int32_t *fourth,
                                                        const uint32_t *left, const uint32_t *right)
{
#ifdef PATC_MFMA
	typedef int32_t sums __attribute__((ext_vector_type(4)));
	sums sum = { *first, *second, *third, *fourth };
#ifdef __gfx90a__
	sum = __builtin_amdgcn_mfma_i32_16x16x16i8((int)left[0], (int)right[0], sum, 0, 0, 0);
	sum = __builtin_amdgcn_mfma_i32_16x16x16i8((int)left[1], (int)right[1], sum, 0, 0, 0);
#else
	int64_t a, b;
	__builtin_memcpy(&a, left, 8);
	__builtin_memcpy(&b, right, 8);
	sum = __builtin_amdgcn_mfma_i32_16x16x32_i8(a, b, sum, 0, 0, 0);
#endif
	*first = sum[0], *second = sum[1], *third = sum[2], *fourth = sum[3];
#else
	int32_t *const sum[] = { first, second, third, fourth };
	patc_multiply_lanes<int32_t, uint32_t>(sum, left, right, 2, patc_dot_i8);
#endif
}

/* each t f32, f64 */
/* helper patc_multiply_$t effect: patc_mfma patc_multiply_lanes patc_dot_$t */
static __device__ __forceinline__ void patc_multiply_$t($T *first, $T *second, $T *third,
                                                        $T *fourth, const $T *left, const $T *right)
{
#ifdef PATC_MFMA
	typedef $T sums __attribute__((ext_vector_type(4)));
	sums sum = { *first, *second, *third, *fourth };
	sum = __builtin_amdgcn_mfma_$t_16x16x4$t(*left, *right, sum, 0, 0, 0);
	*first = sum[0], *second = sum[1], *third = sum[2], *fourth = sum[3];
#else
	$T *const sum[] = { first, second, third, fourth };
	patc_multiply_lanes<$T, $T>(sum, left, right, 1, patc_dot_$t);
#endif
}

/* end */
