/* Planted bugs in HIP text on 64 lanes, each with its correct twin (bug = 0). */
#include <hip/hip_runtime.h>
#include <stdint.h>

#include "selftest.h"

#define GLOBAL static __global__ void __launch_bounds__(256)
enum { T = 256, LANES = 64, BLOCKS = 4 };
#define AT (int)(blockIdx.x * blockDim.x + threadIdx.x)

GLOBAL wave_sum(int *out, int bug)
{
	int v = 1;
	for (int d = bug ? 16 : LANES / 2; d; d /= 2)
		v += __shfl_xor(v, d);
	out[AT] = v;
}
static int sum_of_32_lanes(int bug)
{
	Buffer out((size_t)T);
	void *args[] = {&out.d, &bug};
	hipError_t e = hipLaunchKernel(reinterpret_cast<const void *>(wave_sum), dim3(1), dim3(T),
				       args, 0, 0);
	return e || differs(out.fetch(), [](int) { return LANES; });
}

GLOBAL wave_count(int *out, int bug)
{
	unsigned long long all = __ballot(1);
	out[AT] = bug ? __popc((unsigned)all) : __popcll(all);
}
static int ballot_of_32_bits(int bug)
{
	Buffer out((size_t)T);
	return go(wave_count, 1, T, out.d, bug) || differs(out.fetch(), [](int) { return LANES; });
}

/* Partial sums by wave: with 32 for 64 lanes half of the slots are never written. */
GLOBAL block_sum(int *out, int bug)
{
	__shared__ int part[8];
	int v = 1, w = bug ? 32 : LANES;
	for (int d = LANES / 2; d; d /= 2)
		v += __shfl_xor(v, d);
	if (threadIdx.x % LANES == 0)
		part[threadIdx.x / LANES] = v;
	__syncthreads();
	if (threadIdx.x == 0) {
		v = 0;
		for (int i = 0; i < T / w; i++)
			v += part[i];
		out[blockIdx.x] = v;
	}
}
static int slots_of_32_lanes(int bug)
{
	Buffer out((size_t)BLOCKS);
	return go(block_sum, BLOCKS, T, out.d, bug) || differs(out.fetch(), [](int) { return T; });
}

GLOBAL divergent_count(int *out, int bug)
{
	int v = 0;
	if (bug || threadIdx.x % 4 == 0)
		v = __popcll(__ballot(1));
	out[AT] = v;
}
static int ballot_in_divergent_code(int bug)
{
	Buffer out((size_t)T);
	return go(divergent_count, 1, T, out.d, bug) ||
	       differs(out.fetch(), [](int i) { return i % 4 ? 0 : LANES / 4; });
}

/* The upper half of the wave is not there: reading it gives rubbish. */
GLOBAL shuffle_absent(int *out, int bug)
{
	int v = AT;
	if (threadIdx.x % LANES < 32)
		v = __shfl_xor(v, bug ? 32 : 16);
	out[AT] = v;
}
static int shuffle_from_absent_lanes(int bug)
{
	Buffer out((size_t)T);
	return go(shuffle_absent, 1, T, out.d, bug) ||
	       differs(out.fetch(), [](int i) { return i % LANES < 32 ? i ^ 16 : i; });
}

GLOBAL wave_swap(int *out, int bug)
{
	__shared__ int s[T];
	s[threadIdx.x] = AT;
	if (!bug)
		__builtin_amdgcn_wave_barrier();
	out[AT] = s[threadIdx.x ^ 32];
}
static int missing_wave_barrier(int bug)
{
	Buffer out((size_t)T);
	return go(wave_swap, 1, T, out.d, bug)
	       || differs(out.fetch(), [](int i) { return i ^ 32; });
}

GLOBAL block_swap(int *out, int bug)
{
	__shared__ int s[T];
	s[threadIdx.x] = AT;
	if (!bug)
		__syncthreads();
	out[AT] = s[threadIdx.x ^ 128];
}
static int removed_barrier(int bug)
{
	Buffer out((size_t)T);
	return go(block_swap, 1, T, out.d, bug)
	       || differs(out.fetch(), [](int i) { return i ^ 128; });
}

GLOBAL chain(int *ticket, int *value, int *flag, int *out, int bug)
{
	if (threadIdx.x)
		return;
	int tile = atomicAdd(ticket, 1), before = 0;
	if (tile) {
		while (!__hip_atomic_load(&flag[tile - 1], __ATOMIC_ACQUIRE,
		    __HIP_MEMORY_SCOPE_AGENT))
			;
		before = value[tile - 1];
	}
	value[tile] = before + tile;
	__hip_atomic_store(&flag[tile], 1, bug ? __ATOMIC_RELAXED : __ATOMIC_RELEASE,
			   __HIP_MEMORY_SCOPE_AGENT);
	out[tile] = before + tile;
}
static int relaxed_store_of_flag(int bug)
{
	Buffer ticket(std::vector<int>(1, 0)), value((size_t)16), flag(std::vector<int>(16, 0)),
		out((size_t)16);
	return go(chain, 16, 64, ticket.d, value.d, flag.d, out.d, bug) ||
	       differs(out.fetch(), [](int i) { return i * (i + 1) / 2; });
}

/* The last block to finish folds the others' results; the atomic itself carries the order. */
GLOBAL fold_last(int *part, int *ticket, int *out, int order)
{
	if (threadIdx.x)
		return;
	part[blockIdx.x] = (int)blockIdx.x + 1;
	if (__hip_atomic_fetch_add(ticket, 1, order, __HIP_MEMORY_SCOPE_AGENT) < (int)gridDim.x - 1)
		return;
	int sum = 0;
	for (unsigned b = 0; b < gridDim.x; b++)
		sum += part[b];
	out[0] = sum;
}
static int run_fold(int order)
{
	Buffer part((size_t)BLOCKS), ticket(std::vector<int>(1, 0)), out((size_t)1);
	return go(fold_last, BLOCKS, T, part.d, ticket.d, out.d, order) ||
	       differs(out.fetch(), [](int) { return 10; });
}
static int ticket_without_release(int bug)
{
	return run_fold(bug ? __ATOMIC_ACQUIRE : __ATOMIC_ACQ_REL);
}
static int ticket_without_acquire(int bug)
{
	return run_fold(bug ? __ATOMIC_RELEASE : __ATOMIC_ACQ_REL);
}

GLOBAL tail(int *out, int n, int bug)
{
	if (bug || AT < n)
		out[AT] = __builtin_amdgcn_readfirstlane(AT);
}
static int unguarded_tail(int bug)
{
	Buffer out((size_t)1000);
	return go(tail, 4, T, out.d, 1000, bug) ||
	       differs(out.fetch(), [](int i) { return i & ~63; });
}

static int too_much_lds(int bug)
{
	Buffer out((size_t)T);
	int no_bug = 0;
	void *args[] = {&out.d, &no_bug};
	return hipLaunchKernel(reinterpret_cast<const void *>(wave_sum), dim3(1), dim3(T), args,
			       bug ? 65 << 10 : 64 << 10, 0);
}

#define CASE(name, build, words) {#name, name, build, words}
static const Case cases[] = {
	CASE(sum_of_32_lanes, "plain", "wrong"),
	CASE(ballot_of_32_bits, "plain", "wrong"),
	CASE(slots_of_32_lanes, "race", "uninitialised read shared"),
	CASE(ballot_in_divergent_code, "plain", "wrong"),
	CASE(shuffle_from_absent_lanes, "plain", "wrong"),
	CASE(missing_wave_barrier, "race", "RACE .* shared"),
	CASE(removed_barrier, "race", "RACE .* shared"),
	CASE(relaxed_store_of_flag, "race", "RACE read-after-write global"),
	CASE(ticket_without_release, "race", "RACE read-after-write global"),
	CASE(ticket_without_acquire, "race", "RACE read-after-write global"),
	CASE(unguarded_tail, "asan", "heap-buffer-overflow"),
	CASE(too_much_lds, "plain", "dynamic shared memory"),
};

int main(int argc, char **argv)
{
	return selftest_main(cases, (int)(sizeof cases / sizeof *cases), argc, argv);
}
