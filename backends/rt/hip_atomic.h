/* hip_atomic.h - a value meets what memory holds, while other threads do the same: HIP's words.
 * `cell` is any value in memory of the device or the block.  What no operation of the machine combines goes through
 * patc_swap: it puts a word where another is, and says what was there.  Of 1 and 2 bytes that is done to the aligned
 * word around them (gpu_atomic.h).  See common.h for the markers.  Text of backends/rt that is copied into the output is under 0BSD.
 * SPDX-License-Identifier: 0BSD */
#include <hip/hip_runtime.h>
#include <stdint.h>

/* helper patc_meet_sum_u32 effect */
static __device__ __forceinline__ void patc_meet_sum_u32(void *cell, uint32_t value)
{
	(void)__hip_atomic_fetch_add((uint32_t *)cell, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}

/* helper patc_meet_sum_u64 effect */
static __device__ __forceinline__ void patc_meet_sum_u64(void *cell, uint64_t value)
{
	(void)__hip_atomic_fetch_add((uint64_t *)cell, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}

/* helper patc_meet_sum_f32 effect */
static __device__ __forceinline__ void patc_meet_sum_f32(void *cell, float value)
{
	(void)__hip_atomic_fetch_add((float *)cell, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}

/* helper patc_meet_sum_f64 effect */
static __device__ __forceinline__ void patc_meet_sum_f64(void *cell, double value)
{
	(void)__hip_atomic_fetch_add((double *)cell, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}

/* helper patc_meet_min_i32 effect */
static __device__ __forceinline__ void patc_meet_min_i32(void *cell, int32_t value)
{
	(void)__hip_atomic_fetch_min((int32_t *)cell, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}

/* helper patc_meet_min_u32 effect */
static __device__ __forceinline__ void patc_meet_min_u32(void *cell, uint32_t value)
{
	(void)__hip_atomic_fetch_min((uint32_t *)cell, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}

/* helper patc_meet_min_i64 effect */
static __device__ __forceinline__ void patc_meet_min_i64(void *cell, int64_t value)
{
	(void)__hip_atomic_fetch_min((int64_t *)cell, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}

/* helper patc_meet_min_u64 effect */
static __device__ __forceinline__ void patc_meet_min_u64(void *cell, uint64_t value)
{
	(void)__hip_atomic_fetch_min((uint64_t *)cell, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}

/* helper patc_meet_max_i32 effect */
static __device__ __forceinline__ void patc_meet_max_i32(void *cell, int32_t value)
{
	(void)__hip_atomic_fetch_max((int32_t *)cell, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}

/* helper patc_meet_max_u32 effect */
static __device__ __forceinline__ void patc_meet_max_u32(void *cell, uint32_t value)
{
	(void)__hip_atomic_fetch_max((uint32_t *)cell, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}

/* helper patc_meet_max_i64 effect */
static __device__ __forceinline__ void patc_meet_max_i64(void *cell, int64_t value)
{
	(void)__hip_atomic_fetch_max((int64_t *)cell, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}

/* helper patc_meet_max_u64 effect */
static __device__ __forceinline__ void patc_meet_max_u64(void *cell, uint64_t value)
{
	(void)__hip_atomic_fetch_max((uint64_t *)cell, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}

/* helper patc_meet_band_u32 effect */
static __device__ __forceinline__ void patc_meet_band_u32(void *cell, uint32_t value)
{
	(void)__hip_atomic_fetch_and((uint32_t *)cell, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}

/* helper patc_meet_band_u64 effect */
static __device__ __forceinline__ void patc_meet_band_u64(void *cell, uint64_t value)
{
	(void)__hip_atomic_fetch_and((uint64_t *)cell, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}

/* helper patc_meet_bor_u32 effect */
static __device__ __forceinline__ void patc_meet_bor_u32(void *cell, uint32_t value)
{
	(void)__hip_atomic_fetch_or((uint32_t *)cell, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}

/* helper patc_meet_bor_u64 effect */
static __device__ __forceinline__ void patc_meet_bor_u64(void *cell, uint64_t value)
{
	(void)__hip_atomic_fetch_or((uint64_t *)cell, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}

/* helper patc_meet_bxor_u32 effect */
static __device__ __forceinline__ void patc_meet_bxor_u32(void *cell, uint32_t value)
{
	(void)__hip_atomic_fetch_xor((uint32_t *)cell, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}

/* helper patc_meet_bxor_u64 effect */
static __device__ __forceinline__ void patc_meet_bxor_u64(void *cell, uint64_t value)
{
	(void)__hip_atomic_fetch_xor((uint64_t *)cell, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}

/* helper patc_peek_u32 effect */
static __device__ __forceinline__ uint32_t patc_peek_u32(const void *cell)
{
	return __hip_atomic_load((const uint32_t *)cell, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}

/* helper patc_swap_u32 effect */
static __device__ __forceinline__ uint32_t patc_swap_u32(void *cell, uint32_t expected, uint32_t wanted)
{
	return atomicCAS((unsigned *)cell, expected, wanted);
}

/* helper patc_peek_u64 effect */
static __device__ __forceinline__ uint64_t patc_peek_u64(const void *cell)
{
	return __hip_atomic_load((const uint64_t *)cell, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}

/* helper patc_swap_u64 effect */
static __device__ __forceinline__ uint64_t patc_swap_u64(void *cell, uint64_t expected, uint64_t wanted)
{
	return (uint64_t)atomicCAS((unsigned long long *)cell, (unsigned long long)expected, (unsigned long long)wanted);
}

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
/* Of those, the ones with the number of the first; of others itself alone: there is no operation that tells. */
static __device__ __forceinline__ uint64_t patc_peers_u64(uint64_t here, uint64_t number)
{
	const uint64_t first = __shfl((unsigned long long)number, __ffsll((unsigned long long)here) - 1);
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

/* helper patc_of_lane_u32 effect */
static __device__ __forceinline__ uint32_t patc_of_lane_u32(uint64_t here, uint32_t value, int32_t lane)
{
	(void)here;
	return __shfl(value, lane);
}

/* helper patc_of_lane_u64 effect */
static __device__ __forceinline__ uint64_t patc_of_lane_u64(uint64_t here, uint64_t value, int32_t lane)
{
	(void)here;
	return __shfl((unsigned long long)value, lane);
}
