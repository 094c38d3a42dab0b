/* Planted bugs in CUDA text, each with its correct twin (bug = 0). */
#include <cuda_runtime.h>
#include <stdint.h>

#include "selftest.h"

#define GLOBAL static __global__ void __launch_bounds__(256)
enum { T = 256, N = 1000, BLOCKS = 4 };
#define AT (int)(blockIdx.x * blockDim.x + threadIdx.x)

/* ---- barriers ---- */

GLOBAL reverse(int *out, int bug)
{
	__shared__ int tile[T];
	tile[threadIdx.x] = (int)threadIdx.x;
	if (!bug)
		__syncthreads();
	out[AT] = tile[T - 1 - threadIdx.x];
}
static int removed_barrier(int bug)
{
	Buffer out((size_t)T);
	return go(reverse, 1, T, out.d, bug)
	       || differs(out.fetch(), [](int i) { return T - 1 - i; });
}

GLOBAL rotate(int *out, int bug)
{
	__shared__ int tile[T];
	int v = (int)threadIdx.x;
	for (int step = 0; step < 3; step++) {
		tile[threadIdx.x] = v;
		__syncthreads();
		v = tile[(threadIdx.x + 1) % T];
		if (!bug)
			__syncthreads();
	}
	out[AT] = v;
}
static int removed_second_barrier(int bug)
{
	Buffer out((size_t)T);
	return go(rotate, 1, T, out.d, bug)
	       || differs(out.fetch(), [](int i) { return (i + 3) % T; });
}

GLOBAL leave_early(int *out, int n, int bug)
{
	__shared__ int tile[T];
	if (bug && AT >= n)
		return;
	tile[threadIdx.x] = AT;
	__syncthreads();
	if (AT < n)
		out[AT] = tile[threadIdx.x];
}
static int return_before_barrier(int bug)
{
	Buffer out((size_t)N);
	return go(leave_early, 4, T, out.d, N, bug)
	       || differs(out.fetch(), [](int i) { return i; });
}

GLOBAL two_barriers(int *out, int bug)
{
	if (bug && threadIdx.x < 128)
		__syncthreads();
	else
		__syncthreads();
	out[AT] = __syncthreads_count(threadIdx.x < 100) + __syncthreads_or(threadIdx.x == 7);
}
static int divergent_barriers(int bug)
{
	/* the twin takes one branch only */
	Buffer out((size_t)T);
	return go(two_barriers, 1, T, out.d, bug) || differs(out.fetch(), [](int) { return 101; });
}

GLOBAL barrier_or_shuffle(int *out, int bug)
{
	int v = (int)threadIdx.x;
	if (bug && threadIdx.x % 32 < 16)
		__syncthreads();
	v = __shfl_xor_sync(~0u, v, 1);
	out[AT] = v;
}
static int barrier_against_shuffle(int bug)
{
	Buffer out((size_t)T);
	return go(barrier_or_shuffle, 1, T, out.d, bug) ||
	       differs(out.fetch(), [](int i) { return i ^ 1; });
}

/* ---- warps ---- */

GLOBAL mask_short(int *out, int bug)
{
	unsigned mask = bug ? 0x7fffffffu : ~0u;
	out[AT] = __shfl_xor_sync(mask, AT, 1);
}
static int mask_without_self(int bug)
{
	Buffer out((size_t)T);
	return go(mask_short, 1, T, out.d, bug)
	       || differs(out.fetch(), [](int i) { return i ^ 1; });
}

GLOBAL mask_long(int *out, int bug)
{
	int v = AT;
	if (threadIdx.x % 32 < 16)
		v = __shfl_xor_sync(bug ? ~0u : 0xffffu, v, 1);
	out[AT] = v;
}
static int mask_with_absent_lanes(int bug)
{
	Buffer out((size_t)T);
	return go(mask_long, 1, T, out.d, bug) ||
	       differs(out.fetch(), [](int i) { return i % 32 < 16 ? i ^ 1 : i; });
}

GLOBAL shuffle_tail(int *out, int n, int bug)
{
	if (bug && AT >= n)
		return;
	int v = __shfl_down_sync(~0u, AT, 1);
	if (AT < n)
		out[AT] = v;
}
static int return_before_shuffle(int bug)
{
	Buffer out((size_t)N);
	return go(shuffle_tail, 4, T, out.d, N, bug) ||
	       differs(out.fetch(), [](int i) { return i % 32 < 31 ? i + 1 : i; });
}

GLOBAL shuffle_lines(int *out, int bug)
{
	int v = AT;
	if (bug && threadIdx.x % 2)
		v = __shfl_xor_sync(~0u, v, 1);
	else
		v = __shfl_xor_sync(~0u, v, 1);
	out[AT] = v;
}
static int shuffle_in_branches(int bug)
{
	Buffer out((size_t)T);
	return go(shuffle_lines, 1, T, out.d, bug) ||
	       differs(out.fetch(), [](int i) { return i ^ 1; });
}

GLOBAL shuffle_width(int *out, int bug)
{
	out[AT] = __shfl_sync(~0u, AT, 0, bug ? 12 : 8);
}
static int odd_shuffle_width(int bug)
{
	Buffer out((size_t)T);
	return go(shuffle_width, 1, T, out.d, bug) ||
	       differs(out.fetch(), [](int i) { return i & ~7; });
}

GLOBAL warp_swap(int *out, unsigned mask)
{
	__shared__ int s[T];
	s[threadIdx.x] = AT;
	if (mask)
		__syncwarp(mask);
	out[AT] = s[threadIdx.x ^ 16];
}
static int missing_syncwarp(int bug)
{
	Buffer out((size_t)T);
	return go(warp_swap, 1, T, out.d, bug ? 0u : ~0u) ||
	       differs(out.fetch(), [](int i) { return i ^ 16; });
}

GLOBAL warp_halves(int *out, int bug)
{
	__shared__ int s[T];
	s[threadIdx.x] = AT;
	__syncwarp(threadIdx.x % 32 < 16 ? 0xffffu : 0xffff0000u);
	out[AT] = s[threadIdx.x ^ (bug ? 16 : 8)];
}
static int syncwarp_of_a_half(int bug)
{
	Buffer out((size_t)T);
	return go(warp_halves, 1, T, out.d, bug) ||
	       differs(out.fetch(), [](int i) { return i ^ 8; });
}

GLOBAL warp_votes(int *out, int bug)
{
	__shared__ int s[T];
	s[threadIdx.x] = AT;
	int all = __all_sync(~0u, 1);
	if (!bug)
		__syncwarp();
	out[AT] = s[threadIdx.x ^ 1] * all;
}
static int vote_as_fence(int bug)
{
	Buffer out((size_t)T);
	return go(warp_votes, 1, T, out.d, bug)
	       || differs(out.fetch(), [](int i) { return i ^ 1; });
}

/* ---- bounds, alignment, initialisation ---- */

GLOBAL stencil(const int *in, int *out, int n, int bug)
{
	if (AT >= (bug ? 0 : 1) && AT < n - 1)
		out[AT] = in[AT - 1] + in[AT + 1];
}
static int halo_off_by_one(int bug)
{
	Buffer in(iota(N)), out(iota(N));
	return go(stencil, 4, T, in.d, out.d, N, bug) ||
	       differs(out.fetch(), [](int i) { return i && i < N - 1 ? 2 * i : i; });
}

GLOBAL copy(const int *in, int *out, int n)
{
	if (AT < n)
		out[AT] = in[AT];
}
static int unguarded_tail(int bug)
{
	Buffer in(iota(1024)), out((size_t)N);
	return go(copy, 4, T, in.d, out.d, bug ? 1024 : N) ||
	       differs(out.fetch(), [](int i) { return i; });
}

GLOBAL shared_halo(int *out, int bug)
{
	__shared__ int tile[T];
	tile[threadIdx.x] = (int)threadIdx.x;
	__syncthreads();
	out[AT] = tile[bug ? threadIdx.x + 1 : min((int)threadIdx.x + 1, T - 1)];
}
static int shared_out_of_bounds(int bug)
{
	Buffer out((size_t)T);
	return go(shared_halo, 1, T, out.d, bug) ||
	       differs(out.fetch(), [](int i) { return i < T - 1 ? i + 1 : i; });
}

GLOBAL dynamic_sum(int *out, int bug)
{
	int *s = simt::dyn<int>();
	s[threadIdx.x] = 1;
	__syncthreads();
	out[AT] = s[T - 1 - threadIdx.x + (bug ? 1 : 0)];
}
static int dynamic_shared_out_of_bounds(int bug)
{
	Buffer out((size_t)T);
	void *args[] = {&out.d, &bug};
	return cudaLaunchKernel(dynamic_sum, dim3(1), dim3(T), args, T * sizeof(int)) ||
	       differs(out.fetch(), [](int) { return 1; });
}

struct __align__(16) quad {
	int v[4];
};
GLOBAL copy_quads(const int *in, int *out)
{
	*(quad *)(out + 4 * AT) = *(const quad *)(in + 4 * AT);
}
static int misaligned_vector(int bug)
{
	Buffer in(iota(4 * T + 4)), out((size_t)(4 * T));
	return go(copy_quads, 1, T, in.d + bug, out.d) ||
	       differs(out.fetch(), [=](int i) { return i + bug; });
}

GLOBAL tile_edge(int *out, int bug)
{
	__shared__ int tile[T];
	if (!bug || threadIdx.x < T - 1)
		tile[threadIdx.x] = (int)threadIdx.x;
	__syncthreads();
	out[AT] = tile[T - 1 - threadIdx.x];
}
static int uninitialised_shared(int bug)
{
	Buffer out((size_t)T);
	return go(tile_edge, 1, T, out.d, bug) ||
	       differs(out.fetch(), [](int i) { return T - 1 - i; });
}

static int uninitialised_global(int bug)
{
	Buffer in((size_t)N), out((size_t)N);
	if (!bug)
		cudaMemset(in.d, 0, in.size());
	return go(copy, 4, T, in.d, out.d, N) || differs(out.fetch(), [](int) { return 0; });
}

/* ---- between blocks ---- */

GLOBAL everybody(int *out, int bug)
{
	if (threadIdx.x == 0 && (!bug || blockIdx.x < 2))
		out[bug ? 0 : blockIdx.x] = 1;
}
static int blocks_write_one_word(int bug)
{
	Buffer out((size_t)BLOCKS);
	return go(everybody, BLOCKS, T, out.d, bug);
}

GLOBAL total(int *out, int bug)
{
	if (bug)
		out[0] += 1;
	else
		atomicAdd(&out[0], 1);
}
static int add_without_atomic(int bug)
{
	Buffer out(std::vector<int>(1, 0));
	return go(total, BLOCKS, T, out.d, bug) ||
	       differs(out.fetch(), [](int) { return BLOCKS * T; });
}

/* The last block to finish folds the others' results. */
GLOBAL fold_last(int *part, int *ticket, int *out, int bug)
{
	__shared__ int last;
	if (threadIdx.x == 0) {
		part[blockIdx.x] = (int)blockIdx.x + 1;
		if (bug != 1)
			__threadfence();
		last = atomicAdd(ticket, 1) == (int)gridDim.x - 1;
		if (bug != 2)
			__threadfence();
	}
	__syncthreads();
	if (last && threadIdx.x == 0) {
		int sum = 0;
		for (unsigned b = 0; b < gridDim.x; b++)
			sum += part[b];
		out[0] = sum;
	}
}
static int run_fold(int bug)
{
	Buffer part((size_t)BLOCKS), ticket(std::vector<int>(1, 0)), out((size_t)1);
	return go(fold_last, BLOCKS, T, part.d, ticket.d, out.d, bug) ||
	       differs(out.fetch(), [](int) { return 10; });
}
static int ticket_without_fence(int bug) { return run_fold(bug); }
static int ticket_without_second_fence(int bug) { return run_fold(2 * bug); }

/* A block's sum of everything before it; flags are published in block order. */
GLOBAL chain(int *ticket, int *value, int *flag, int *out, int bug)
{
	if (threadIdx.x)
		return;
	int tile = atomicAdd(ticket, 1), before = 0;
	if (tile) {
		while (!(bug == 2 ? patc_ld_relaxed(&flag[tile - 1])
		                  : patc_ld_acquire(&flag[tile - 1])))
			if (bug == 3)
				break;
		before = value[tile - 1];
	}
	if (bug == 1)
		patc_st_release(&flag[tile], 1);
	value[tile] = before + tile;
	if (bug != 1)
		patc_st_release(&flag[tile], 1);
	out[tile] = before + tile;
}
static int run_chain(int bug)
{
	Buffer ticket(std::vector<int>(1, 0)), value((size_t)16), flag(std::vector<int>(16, 0)),
		out((size_t)16);
	return go(chain, 16, 64, ticket.d, value.d, flag.d, out.d, bug) ||
	       differs(out.fetch(), [](int i) { return i * (i + 1) / 2; });
}
static int flag_before_value(int bug) { return run_chain(bug); }
static int relaxed_flag(int bug) { return run_chain(2 * bug); }
static int flag_not_waited_for(int bug)
{
	/* a block that runs to its end before the next one starts would hide it */
	setenv("SIMT_RESIDENT", "16", 1);
	setenv("SIMT_PREEMPT", "2", 1);
	return run_chain(3 * bug);
}

GLOBAL neighbour(const int *in, int *out, int bug)
{
	out[AT] = AT;
	if (bug && AT >= T)
		out[AT] = out[AT - T] + in[AT];
}
static int reads_another_block(int bug)
{
	Buffer in(iota(BLOCKS * T)), out((size_t)(BLOCKS * T));
	return go(neighbour, BLOCKS, T, in.d, out.d, bug) ||
	       differs(out.fetch(), [](int i) { return i; });
}

GLOBAL in_place(int *a, int n, int bug)
{
	int i = AT, v = i < n - 1 ? a[i + 1] : 0;
	if (!bug)
		a += n;
	if (i < n)
		a[i] = v;
}
static int stencil_in_place(int bug)
{
	Buffer a(iota(2 * N));
	return go(in_place, 4, T, a.d, N, bug);
}

GLOBAL grid_barrier(int *count, int *out)
{
	if (threadIdx.x == 0) {
		atomicAdd(count, 1);
		while (patc_ld_acquire(count) < (int)gridDim.x)
			__nanosleep(100);
	}
	__syncthreads();
	out[AT] = 1;
}
static int blocks_not_resident(int bug)
{
	Buffer count(std::vector<int>(1, 0)), out((size_t)(BLOCKS * T));
	void *args[] = {&count.d, &out.d};
	return bug ? cudaLaunchKernel(grid_barrier, dim3(BLOCKS), dim3(T), args)
		   : cudaLaunchCooperativeKernel(grid_barrier, dim3(BLOCKS), dim3(T), args);
}

/* One lane looks at a word more often than a wait would last: no wait, as long as it ends. */
GLOBAL lone_looks(const int *word, int *out, int bug)
{
	int seen = 0;
	for (int k = 0; threadIdx.x == 0 && (bug || k < 50000); k++)
		seen += patc_ld_relaxed(word);
	out[AT] = seen;
}
static int lone_lane_looks_for_ever(int bug)
{
	Buffer word(std::vector<int>(1, 0)), out((size_t)T);
	return go(lone_looks, 1, T, word.d, out.d, bug) ||
	       differs(out.fetch(), [](int) { return 0; });
}

GLOBAL spin(volatile int *flag, int bug)
{
	while (bug && !*flag)
		;
}
static int spin_on_plain_load(int bug)
{
	Buffer flag(std::vector<int>(1, 0));
	return go(spin, 1, 1, flag.d, bug);
}

/* ---- host code ---- */

GLOBAL nothing()
{
}
static int zero_grid(int bug) { return go(nothing, bug ? 0 : 4, T); }
static int grid_y_too_large(int bug) { return go(nothing, dim3(1, bug ? 65536 : 2), 1); }
static int block_too_large(int bug) { return go(nothing, 1, bug ? dim3(64, 32) : dim3(32, 32)); }

static int shared_without_opt_in(int bug)
{
	Buffer out((size_t)T);
	int no_bug = 0, size = 64 << 10;
	void *args[] = {&out.d, &no_bug};
	if (!bug)
		cudaFuncSetAttribute(dynamic_sum, cudaFuncAttributeMaxDynamicSharedMemorySize,
		    size);
	return cudaLaunchKernel(dynamic_sum, dim3(1), dim3(T), args, (size_t)size);
}

static int copy_past_end(int bug)
{
	Buffer out((size_t)N);
	std::vector<int> h((size_t)N + 1);
	return cudaMemcpy(out.d, h.data(), out.size() + 4 * (size_t)bug, cudaMemcpyHostToDevice);
}
static int copy_wrong_way(int bug)
{
	Buffer out((size_t)N);
	std::vector<int> h((size_t)N);
	return cudaMemcpy(out.d, h.data(), out.size(),
			  bug ? cudaMemcpyDeviceToHost : cudaMemcpyHostToDevice);
}
static int use_after_free(int bug)
{
	int *p, zero = 0;
	cudaMalloc(&p, 4);
	if (bug)
		cudaFree(p);
	cudaMemcpy(p, &zero, 4, cudaMemcpyHostToDevice);
	return cudaFree(p);
}
static int host_reads_device(int bug)
{
	Buffer a(iota(4));
	return bug ? *(volatile int *)a.d : a.h[0];
}
static int result_not_waited_for(int bug)
{
	cudaStream_t s;
	Buffer a(iota(N));
	std::vector<int> h((size_t)N);
	cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
	cudaMemcpyAsync(h.data(), a.d, a.size(), cudaMemcpyDeviceToHost, s);
	if (!bug)
		cudaStreamSynchronize(s);
	cudaStreamDestroy(s);
	return differs(h, [](int i) { return i; });
}
static int destroyed_stream(int bug)
{
	cudaStream_t s;
	Buffer a((size_t)N);
	cudaStreamCreate(&s);
	if (bug)
		cudaStreamDestroy(s);
	cudaMemsetAsync(a.d, 0, a.size(), s);
	return cudaStreamDestroy(s);
}

/* A stub as patc writes them, whose every runtime call is made to fail in turn. */
static int stub(int *host, int bug)
{
	int *d = nullptr, n = N, status;
	if (cudaMalloc(&d, sizeof(int) * N))
		return 1;
	status = cudaMemcpy(d, host, sizeof(int) * N, cudaMemcpyHostToDevice);
	void *args[] = {&d, &d, &n};
	if (!status)
		status = cudaLaunchKernel(copy, dim3(4), dim3(T), args);
	if (status && bug)
		return status; /* leaks d */
	if (!status)
		status = cudaMemcpy(host, d, sizeof(int) * N, cudaMemcpyDeviceToHost);
	int freed = cudaFree(d);
	return status ? status : freed;
}
static int leak_on_failure(int bug)
{
	std::vector<int> h = iota(N);
	for (int i = 1;; i++) {
		simt_fail_at(i);
		int status = stub(h.data(), bug), failed = simt_counts().calls >= i;
		if (simt_live() || (status != 0) != failed) {
			fprintf(stderr, "wrong: call %d: status %d, %ld live\n", i, status,
			    simt_live());
			return 1;
		}
		if (!failed)
			return i == 6 ? 0 : 1;
	}
}

/* ---- counters; "run" reads them ---- */

GLOBAL strided(const int *in, int *out, int bug)
{
	out[AT] = bug ? in[AT * 4] : in[AT];
}
static int uncoalesced_load(int bug)
{
	Buffer in(iota(4 * T)), out((size_t)T);
	return go(strided, 1, T, in.d, out.d, bug);
}

GLOBAL transposed(int *out, int pitch)
{
	__shared__ int s[32 * 33];
	int x = (int)threadIdx.x % 32, y = (int)threadIdx.x / 32;
	s[x * pitch + y] = AT;
	__syncthreads();
	out[AT] = s[x * pitch + y];
}
static int bank_conflict(int bug)
{
	Buffer out((size_t)T);
	return go(transposed, 1, T, out.d, bug ? 32 : 33);
}

#define CASE(name, build, words) {#name, name, build, words}
static const Case cases[] = {
	CASE(removed_barrier, "race", "RACE read-after-write shared|RACE uninit"),
	CASE(removed_second_barrier, "race", "RACE write-after-read shared"),
	CASE(return_before_barrier, "plain", "barrier after some threads"),
	CASE(divergent_barriers, "plain", "different barriers"),
	CASE(barrier_against_shuffle, "plain", "deadlock"),
	CASE(mask_without_self, "plain", "not in its own mask"),
	CASE(mask_with_absent_lanes, "plain", "not all lanes named"),
	CASE(return_before_shuffle, "plain", "have returned"),
	CASE(shuffle_in_branches, "plain", "different lines"),
	CASE(odd_shuffle_width, "plain", "width of a shuffle"),
	CASE(missing_syncwarp, "race", "RACE .*shared"),
	CASE(syncwarp_of_a_half, "race", "RACE .*shared"),
	CASE(vote_as_fence, "race", "RACE .*shared"),
	CASE(halo_off_by_one, "asan", "heap-buffer-overflow"),
	CASE(unguarded_tail, "asan", "heap-buffer-overflow"),
	CASE(shared_out_of_bounds, "asan", "global-buffer-overflow|out of bounds"),
	CASE(dynamic_shared_out_of_bounds, "asan", "heap-buffer-overflow"),
	CASE(misaligned_vector, "asan", "misaligned address"),
	CASE(uninitialised_shared, "race", "RACE uninitialised read shared"),
	CASE(uninitialised_global, "race", "RACE uninitialised read global"),
	CASE(blocks_write_one_word, "race", "RACE write-after-write global"),
	CASE(add_without_atomic, "race", "RACE .* global"),
	CASE(ticket_without_fence, "race", "RACE read-after-write global"),
	CASE(ticket_without_second_fence, "race", "RACE read-after-write global"),
	CASE(flag_not_waited_for, "race", "RACE (read-after-write|uninitialised read) global"),
	CASE(flag_before_value, "race", "RACE read-after-write global"),
	CASE(relaxed_flag, "race", "RACE read-after-write global"),
	CASE(reads_another_block, "race", "RACE read-after-write global"),
	CASE(stencil_in_place, "race", "RACE .* global"),
	CASE(blocks_not_resident, "plain", "livelock"),
	CASE(lone_lane_looks_for_ever, "plain", "livelock"),
	CASE(spin_on_plain_load, "plain", "timeout"),
	CASE(zero_grid, "plain", "a dimension is 0"),
	CASE(grid_y_too_large, "plain", "grid too large"),
	CASE(block_too_large, "plain", "block too large"),
	CASE(shared_without_opt_in, "plain", "dynamic shared memory"),
	CASE(copy_past_end, "plain", "past the end"),
	CASE(copy_wrong_way, "plain", "device memory"),
	CASE(use_after_free, "plain", "freed"),
	CASE(host_reads_device, "asan", "use-after-poison"),
	CASE(result_not_waited_for, "plain", "wrong"),
	CASE(destroyed_stream, "plain", "not a stream"),
	CASE(leak_on_failure, "plain", "wrong"),
	CASE(uncoalesced_load, "profile", "strided .*global .*load .*4.00"),
	CASE(bank_conflict, "profile", "transposed .*shared .*32.00"),
};

int main(int argc, char **argv)
{
	return selftest_main(cases, (int)(sizeof cases / sizeof *cases), argc, argv);
}
