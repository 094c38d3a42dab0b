/* gpu.h - blocks that wait for one another: the helpers that CUDA and HIP have in common, a part of
 * cuda.h and of hip.h. See common.h for the markers.  Text of backends/rt that is copied into the
 * output is under 0BSD.
 * SPDX-License-Identifier: 0BSD */

/* helper patc_ticket effect */
/* One thread of each of last + 1 blocks calls this, after a barrier that follows what its block
 * wrote.  True for the block that arrives last: it sees what all of them wrote, and the counter is
 * 0 again. */
static __device__ __forceinline__ bool patc_ticket(uint32_t *counter, uint32_t last)
{
	__threadfence();
	const bool is_last = atomicAdd(counter, 1u) == last;
	if (is_last)
		atomicExch(counter, 0u);
	__threadfence();
	return is_last;
}

/* helper patc_get_row effect */
/* A vector at any cell: cell by cell where it does not begin at a multiple of its size. */
template <typename V, typename T>
static __device__ __forceinline__ void patc_get_row(V &v, const T *at)
{
	if ((uintptr_t)at % sizeof v == 0) {
		v = *(const V *)at;
	} else {
		#pragma unroll
		for (size_t k = 0; k < sizeof v / sizeof *at; k++)
			v.v[k] = at[k];
	}
}

/* helper patc_put_row effect */
/* Likewise; its first `skipped` cells are not stored. */
template <typename V, typename T>
static __device__ __forceinline__ void patc_put_row(T *at, const V &v, int32_t skipped)
{
	if ((uintptr_t)at % sizeof v == 0 && skipped == 0) {
		*(V *)at = v;
	} else {
		#pragma unroll
		for (size_t k = 0; k < sizeof v / sizeof *at; k++)
			if (skipped <= (int32_t)k)
				at[k] = v.v[k];
	}
}

/* helper patc_shifted effect */
/* A vector that begins at any cell: shifted out of the two words of its size that it lies in, which
 * are one word if it begins at a multiple of its size. */
template <typename V, typename T>
static __device__ __forceinline__ void patc_shifted(V &v, const T *at)
{
	enum { WORDS = sizeof v / 4 };
	struct __attribute__((may_alias, aligned(sizeof v))) words { uint32_t at[WORDS]; };
	const int past = (int)((uintptr_t)at % sizeof v);
	const char *const first = (const char *)at - past;
	const words low = *(const words *)first;
	const words high = *(const words *)(past == 0 ? first : first + sizeof v);
	uint32_t word[2 * WORDS];
	#pragma unroll
	for (int k = 0; k < WORDS; k++) {
		word[k] = low.at[k];
		word[WORDS + k] = high.at[k];
	}
	if (WORDS > 2) {
		#pragma unroll
		for (int k = 0; k < 2 * WORDS - 2; k++)
			word[k] = (past & 8) != 0 ? word[k + 2] : word[k];
	}
	if (WORDS > 1 && sizeof(T) < 8) {
		#pragma unroll
		for (int k = 0; k <= WORDS; k++)
			word[k] = (past & 4) != 0 ? word[k + 1] : word[k];
	}
	if (sizeof(T) < 4) {
		#pragma unroll
		for (int k = 0; k < WORDS; k++)
			word[k] = (uint32_t)(((uint64_t)word[k + 1] << 32 | word[k])
			                     >> past % 4 * 8);
	}
	__builtin_memcpy(&v, word, sizeof v);
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

/* helper patc_block */
/* A block, and how many its grid has along each axis. */
struct patc_block { int32_t x, y, z, of_x, of_y, of_z; };

/* helper patc_own_block: patc_block */
static __device__ __forceinline__ struct patc_block patc_own_block(void)
{
	return {(int32_t)blockIdx.x, (int32_t)blockIdx.y, (int32_t)blockIdx.z,
		(int32_t)gridDim.x, (int32_t)gridDim.y, (int32_t)gridDim.z};
}

/* helper patc_block_of: patc_block */
/* Block `number` of a grid that is not that of the launch.  A division of 64 bits takes longer than
 * many a block; a grid has less than 2^31 blocks along x, and less than 2^16 along y and z. */
static __device__ __forceinline__ struct patc_block
patc_block_of(int64_t number, int64_t of_x, int64_t of_y, int64_t of_z)
{
	const bool short_ = number <= UINT32_MAX;
	const uint32_t row = of_y == 1 && of_z == 1 ? 0u
		: short_ ? (uint32_t)number / (uint32_t)of_x : (uint32_t)(number / of_x);
	const uint32_t z = of_z == 1 ? 0u : row / (uint32_t)of_y;
	return {(int32_t)(number - (int64_t)row * of_x),
		(int32_t)(row - z * (uint32_t)of_y), (int32_t)z,
		(int32_t)of_x, (int32_t)of_y, (int32_t)of_z};
}

/* helper patc_all_meet effect uniform: patc_state_load patc_load_i64 */
/* A barrier of all blocks of a launch, which run at the same time: each then sees what the others
 * wrote before it, and all learn alike whether *stop is not 0.  meeting[0] counts arrivals;
 * meeting[32], in a sector of its own, has the barriers that all have reached, and what *stop was.
 * Both are 0 before the launch. */
static __device__ __forceinline__ bool patc_all_meet(uint64_t *meeting, const int64_t *stop)
{
	uint64_t word = 0u;
	__syncthreads();
	if (threadIdx.x == 0) {
		__threadfence();
		const uint64_t come = atomicAdd((unsigned long long *)meeting, 1ull);
		const uint64_t turn = come / gridDim.x + 1;
		if (come + 1 == turn * gridDim.x) {
			__threadfence();
			const uint64_t stops = patc_load_i64(stop) != 0 ? 1u : 0u;
			__threadfence();
			atomicExch((unsigned long long *)(meeting + 32), turn << 1 | stops);
		}
		do
			word = patc_state_load(meeting + 32);
		while (word >> 1 < turn);
		__threadfence();
	}
	return __syncthreads_or((int)(word & 1u)) != 0;
}

/* helper patc_blocks_meet effect uniform: patc_state_load */
/* Barrier `number` (from 1 on) of all blocks of a launch, which run at the same time: each then sees
 * what the others wrote before it.  *meeting counts arrivals, and is 0 before the launch. */
static __device__ __forceinline__ void patc_blocks_meet(uint64_t *meeting, int64_t number)
{
	__syncthreads();
	if (threadIdx.x == 0) {
		__threadfence();
		atomicAdd((unsigned long long *)meeting, 1ull);
		while (patc_state_load(meeting) < (uint64_t)number * gridDim.x)
			;
		__threadfence();
	}
	__syncthreads();
}

/* helper patc_clear_all effect */
/* All threads of a launch share the bytes. */
static __device__ __forceinline__ void patc_clear_all(void *at, int64_t bytes)
{
	const bool words = ((uintptr_t)at | (uintptr_t)bytes) % 4 == 0;
	const int64_t step = (int64_t)gridDim.x * (int64_t)blockDim.x;
	const int64_t n = words ? bytes / 4 : bytes;
	for (int64_t i = (int64_t)blockIdx.x * (int64_t)blockDim.x + (int64_t)threadIdx.x; i < n;
			i += step) {
		if (words)
			((uint32_t *)at)[i] = 0u;
		else
			((uint8_t *)at)[i] = 0;
	}
}

/* helper patc_access effect: patc_within patc_record */
/* Is the access inside of the array `from`?  The first that is not is recorded, with the number of
 * its cell, of so many bytes. */
static __device__ __forceinline__ bool patc_access(const void *at, int64_t size, const void *from,
                                                   int64_t bytes, int64_t cell, int32_t place,
                                                   int64_t *offence, int32_t *word, int32_t code)
{
	if (patc_within(at, size, from, bytes))
		return true;
	if (atomicCAS((unsigned long long *)offence, 0ull, (unsigned long long)place) == 0ull) {
		offence[1] = (int64_t)((uintptr_t)at - (uintptr_t)from) / cell;
		patc_record(word, code);
	}
	return false;
}
