/* hip_atomic.h - a value meets what memory holds, while other threads do the same: HIP's words.
 * `cell` is any value in memory of the device or the block.  What no operation of the machine
 * combines goes through patc_swap: it puts a word where another is, and says what was there.  Of 1
 * and 2 bytes that is done to the aligned word around them (gpu_atomic.h).  See common.h for the
 * markers.  Text of backends/rt that is copied into the output is under 0BSD.
 * SPDX-License-Identifier: 0BSD */

/* each t u32, u64, f32, f64 */
/* helper patc_meet_sum_$t effect */
static __device__ __forceinline__ void patc_meet_sum_$t(void *cell, $T value)
{
	(void)__hip_atomic_fetch_add(($T *)cell, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}

/* end */
/* each o min, max */
/* each t i32, u32, i64, u64 */
/* helper patc_meet_$o_$t effect */
static __device__ __forceinline__ void patc_meet_$o_$t(void *cell, $T value)
{
	(void)__hip_atomic_fetch_$o(($T *)cell, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}

/* end */
/* end */
/* each o band, bor, bxor; O and, or, xor */
/* each t u32, u64 */
/* helper patc_meet_$o_$t effect */
static __device__ __forceinline__ void patc_meet_$o_$t(void *cell, $T value)
{
	(void)__hip_atomic_fetch_$O(($T *)cell, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}

/* end */
/* end */

/* each t u32, u64; P unsigned, unsigned long long; C , (unsigned long long); R , (uint64_t) */
/* helper patc_peek_$t effect */
static __device__ __forceinline__ $T patc_peek_$t(const void *cell)
{
	return __hip_atomic_load((const $T *)cell, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
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
	return (uint64_t)__ballot(1);
}

/* helper patc_among effect */
/* Of those, the ones where it is true. */
static __device__ __forceinline__ uint64_t patc_among(uint64_t here, bool is)
{
	return here & (uint64_t)__ballot(is);
}

/* helper patc_peers_u64 effect */
/* Of those, the ones with the number of the first; of others itself alone: there is no operation
 * that tells. */
static __device__ __forceinline__ uint64_t patc_peers_u64(uint64_t here, uint64_t number)
{
	const uint64_t first = __shfl((unsigned long long)number,
	                              __ffsll((unsigned long long)here) - 1);
	const uint64_t same = (uint64_t)__ballot(number == first);
	return number == first ? same : (uint64_t)1 << __lane_id();
}

/* helper patc_peers_u32 effect */
static __device__ __forceinline__ uint64_t patc_peers_u32(uint64_t here, uint32_t number)
{
	const uint32_t first = __shfl(number, __ffsll((unsigned long long)here) - 1);
	const uint64_t same = (uint64_t)__ballot(number == first);
	return number == first ? same : (uint64_t)1 << __lane_id();
}

/* each t u32, u64; C , (unsigned long long) */
/* helper patc_of_lane_$t effect */
static __device__ __forceinline__ $T patc_of_lane_$t(uint64_t here, $T value, int32_t lane)
{
	(void)here;
	return __shfl($Cvalue, lane);
}

/* end */
