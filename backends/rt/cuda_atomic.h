/* cuda_atomic.h - a value meets what memory holds, while other threads do the same: CUDA's words.
 * `cell` is any value in memory of the device or the block.  What no operation of the machine
 * combines goes through patc_swap: it puts a word where another is, and says what was there.  Of 1
 * and 2 bytes that is done to the aligned word around them (gpu_atomic.h).  See common.h for the
 * markers.  Text of backends/rt that is copied into the output is under 0BSD.
 * SPDX-License-Identifier: 0BSD */

/* each t u32, u64, f32, f64; P unsigned, unsigned long long, float, double; C , (unsigned long long), , */
/* helper patc_meet_sum_$t effect */
static __device__ __forceinline__ void patc_meet_sum_$t(void *cell, $T value)
{
	atomicAdd(($P *)cell, $Cvalue);
}

/* end */
/* each o min, max; O Min, Max */
/* each t i32, u32, i64, u64; P int, unsigned, long long, unsigned long long; C , , (long long), (unsigned long long) */
/* helper patc_meet_$o_$t effect */
static __device__ __forceinline__ void patc_meet_$o_$t(void *cell, $T value)
{
	atomic$O(($P *)cell, $Cvalue);
}

/* end */
/* end */
/* each o band, bor, bxor; O And, Or, Xor */
/* each t u32, u64; P unsigned, unsigned long long; C , (unsigned long long) */
/* helper patc_meet_$o_$t effect */
static __device__ __forceinline__ void patc_meet_$o_$t(void *cell, $T value)
{
	atomic$O(($P *)cell, $Cvalue);
}

/* end */
/* end */

/* each t u32, u64; r r, l; P unsigned, unsigned long long; C , (unsigned long long); R , (uint64_t) */
/* helper patc_peek_$t effect */
static __device__ __forceinline__ $T patc_peek_$t(const void *cell)
{
#ifdef __CUDACC__
	$T word;
	asm volatile("ld.relaxed.gpu.$t %0, [%1];" : "=$r"(word) : "l"(cell) : "memory");
	return word;
#else
	return patc_ld_relaxed((const $T *)cell);
#endif
}

/* helper patc_swap_$t effect */
static __device__ __forceinline__ $T patc_swap_$t(void *cell, $T expected, $T wanted)
{
	return $RatomicCAS(($P *)cell, $Cexpected, $Cwanted);
}

/* end */

/* helper patc_here effect */
/* The lanes that come here with this one. */
static __device__ __forceinline__ uint64_t patc_here(void)
{
	return __activemask();
}

/* helper patc_among effect */
/* Of those, the ones where it is true. */
static __device__ __forceinline__ uint64_t patc_among(uint64_t here, bool is)
{
	return __ballot_sync((uint32_t)here, is);
}

/* helper patc_peers_u32 effect */
/* Of those, the ones with the same number. */
static __device__ __forceinline__ uint64_t patc_peers_u32(uint64_t here, uint32_t number)
{
	return __match_any_sync((uint32_t)here, number);
}

/* helper patc_peers_u64 effect */
/* That takes long: none unless two neighbours have one. */
static __device__ __forceinline__ uint64_t patc_peers_u64(uint64_t here, uint64_t number)
{
	const uint32_t lane = threadIdx.x & 31;
	const uint64_t before = __shfl_up_sync((uint32_t)here, (unsigned long long)number, 1);
	if (__any_sync((uint32_t)here, lane > 0 && before == number) == 0)
		return (uint64_t)1 << lane;
	return __match_any_sync((uint32_t)here, (unsigned long long)number);
}

/* each t u32, u64; C , (unsigned long long) */
/* helper patc_of_lane_$t effect */
static __device__ __forceinline__ $T patc_of_lane_$t(uint64_t here, $T value, int32_t lane)
{
	return __shfl_sync((uint32_t)here, $Cvalue, lane);
}

/* end */
