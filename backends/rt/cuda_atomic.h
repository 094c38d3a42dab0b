/* cuda_atomic.h - a value meets what memory holds, while other threads do the same: CUDA's words.
 * `cell` is any value in memory of the device or the block.  What no operation of the machine combines goes through
 * patc_swap: it puts a word where another is, and says what was there.  Of 1 and 2 bytes that is done to the aligned
 * word around them (gpu_atomic.h).  See common.h for the markers.  Text of backends/rt that is copied into the output is under 0BSD.
 * SPDX-License-Identifier: 0BSD */
#include <cuda_runtime.h>
#include <stdint.h>

/* helper patc_meet_sum_u32 effect */
static __device__ __forceinline__ void patc_meet_sum_u32(void *cell, uint32_t value)
{
	atomicAdd((unsigned *)cell, value);
}

/* helper patc_meet_sum_u64 effect */
static __device__ __forceinline__ void patc_meet_sum_u64(void *cell, uint64_t value)
{
	atomicAdd((unsigned long long *)cell, (unsigned long long)value);
}

/* helper patc_meet_sum_f32 effect */
static __device__ __forceinline__ void patc_meet_sum_f32(void *cell, float value)
{
	atomicAdd((float *)cell, value);
}

/* helper patc_meet_sum_f64 effect */
static __device__ __forceinline__ void patc_meet_sum_f64(void *cell, double value)
{
	atomicAdd((double *)cell, value);
}

/* helper patc_meet_min_i32 effect */
static __device__ __forceinline__ void patc_meet_min_i32(void *cell, int32_t value)
{
	atomicMin((int *)cell, value);
}

/* helper patc_meet_min_u32 effect */
static __device__ __forceinline__ void patc_meet_min_u32(void *cell, uint32_t value)
{
	atomicMin((unsigned *)cell, value);
}

/* helper patc_meet_min_i64 effect */
static __device__ __forceinline__ void patc_meet_min_i64(void *cell, int64_t value)
{
	atomicMin((long long *)cell, (long long)value);
}

/* helper patc_meet_min_u64 effect */
static __device__ __forceinline__ void patc_meet_min_u64(void *cell, uint64_t value)
{
	atomicMin((unsigned long long *)cell, (unsigned long long)value);
}

/* helper patc_meet_max_i32 effect */
static __device__ __forceinline__ void patc_meet_max_i32(void *cell, int32_t value)
{
	atomicMax((int *)cell, value);
}

/* helper patc_meet_max_u32 effect */
static __device__ __forceinline__ void patc_meet_max_u32(void *cell, uint32_t value)
{
	atomicMax((unsigned *)cell, value);
}

/* helper patc_meet_max_i64 effect */
static __device__ __forceinline__ void patc_meet_max_i64(void *cell, int64_t value)
{
	atomicMax((long long *)cell, (long long)value);
}

/* helper patc_meet_max_u64 effect */
static __device__ __forceinline__ void patc_meet_max_u64(void *cell, uint64_t value)
{
	atomicMax((unsigned long long *)cell, (unsigned long long)value);
}

/* helper patc_meet_band_u32 effect */
static __device__ __forceinline__ void patc_meet_band_u32(void *cell, uint32_t value)
{
	atomicAnd((unsigned *)cell, value);
}

/* helper patc_meet_band_u64 effect */
static __device__ __forceinline__ void patc_meet_band_u64(void *cell, uint64_t value)
{
	atomicAnd((unsigned long long *)cell, (unsigned long long)value);
}

/* helper patc_meet_bor_u32 effect */
static __device__ __forceinline__ void patc_meet_bor_u32(void *cell, uint32_t value)
{
	atomicOr((unsigned *)cell, value);
}

/* helper patc_meet_bor_u64 effect */
static __device__ __forceinline__ void patc_meet_bor_u64(void *cell, uint64_t value)
{
	atomicOr((unsigned long long *)cell, (unsigned long long)value);
}

/* helper patc_meet_bxor_u32 effect */
static __device__ __forceinline__ void patc_meet_bxor_u32(void *cell, uint32_t value)
{
	atomicXor((unsigned *)cell, value);
}

/* helper patc_meet_bxor_u64 effect */
static __device__ __forceinline__ void patc_meet_bxor_u64(void *cell, uint64_t value)
{
	atomicXor((unsigned long long *)cell, (unsigned long long)value);
}

/* helper patc_peek_u32 effect */
static __device__ __forceinline__ uint32_t patc_peek_u32(const void *cell)
{
#ifdef __CUDACC__
	uint32_t word;
	asm volatile("ld.relaxed.gpu.u32 %0, [%1];" : "=r"(word) : "l"(cell) : "memory");
	return word;
#else
	return patc_ld_relaxed((const uint32_t *)cell);
#endif
}

/* helper patc_swap_u32 effect */
static __device__ __forceinline__ uint32_t patc_swap_u32(void *cell, uint32_t expected, uint32_t wanted)
{
	return atomicCAS((unsigned *)cell, expected, wanted);
}

/* helper patc_peek_u64 effect */
static __device__ __forceinline__ uint64_t patc_peek_u64(const void *cell)
{
#ifdef __CUDACC__
	uint64_t word;
	asm volatile("ld.relaxed.gpu.u64 %0, [%1];" : "=l"(word) : "l"(cell) : "memory");
	return word;
#else
	return patc_ld_relaxed((const uint64_t *)cell);
#endif
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

/* helper patc_of_lane_u32 effect */
static __device__ __forceinline__ uint32_t patc_of_lane_u32(uint64_t here, uint32_t value, int32_t lane)
{
	return __shfl_sync((uint32_t)here, value, lane);
}

/* helper patc_of_lane_u64 effect */
static __device__ __forceinline__ uint64_t patc_of_lane_u64(uint64_t here, uint64_t value, int32_t lane)
{
	return __shfl_sync((uint32_t)here, (unsigned long long)value, lane);
}
