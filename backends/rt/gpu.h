/* gpu.h - blocks that wait for one another: the helpers that CUDA and HIP have in common, a part of
 * cuda.h and of hip.h. See common.h for the markers.  Text of backends/rt that is copied into the
 * output is under 0BSD.
 * SPDX-License-Identifier: 0BSD */

/* helper patc_ticket effect */
/* One thread of each of last + 1 blocks calls this, after a barrier behind what its block wrote.
 * True for the block that arrives last: it sees what all of them wrote, and the counter is 0
 * again. */
static __device__ __forceinline__ bool patc_ticket(uint32_t *counter, uint32_t last)
{
	__threadfence();
	const bool is_last = atomicAdd(counter, 1u) == last;
	if (is_last)
		atomicExch(counter, 0u);
	__threadfence();
	return is_last;
}

/* helper patc_deal_u32 effect */
static __device__ __forceinline__ int32_t patc_deal_u32(uint32_t *counter, int32_t n)
{
	return (int32_t)atomicAdd(counter, (uint32_t)n);
}

/* helper patc_arrive effect */
/* By one thread, after a barrier: who awaits the counter sees what its block wrote. */
static __device__ __forceinline__ void patc_arrive(uint64_t *counter)
{
	__threadfence();
	atomicAdd((unsigned long long *)counter, 1ull);
}

/* helper patc_await effect: patc_state_load */
/* By one thread, before a barrier: until so many have arrived. */
static __device__ __forceinline__ void patc_await(const uint64_t *counter, int64_t arrivals)
{
	while ((int64_t)patc_state_load(counter) < arrivals)
		continue;
	__threadfence();
}

/* helper patc_asked effect */
/* From that byte on, of the shared memory that the launch asked for, which begins at a multiple of
 * 1024 bytes. */
#ifndef PATC_ASKED
#define PATC_ASKED(name) extern __shared__ __align__(1024) unsigned char name[]
#endif
static __device__ __forceinline__ void *patc_asked(int32_t byte)
{
	PATC_ASKED(patc_asked_bytes);
	return patc_asked_bytes + byte;
}

