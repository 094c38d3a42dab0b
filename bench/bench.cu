/* bench.cu - patc's kernels beside what a user would write or call instead, in one process.
 *
 *   bench [WORK...]          works whose name contains one of these; default: all
 *
 * A row is one work on one size.  Ours and the anchor take turns, sample by sample, so that a
 * change of clocks meets both; a figure is the median of SAMPLES samples after a warm-up, +- half
 * the distance between the quartiles.  A sample is timed by events round CALLS calls; small sizes
 * need many, unless it is one call that a user waits for.  Calls walk through pools much larger
 * than the L2 cache, so that no call finds its data there.  Data are random.  What both sides
 * wrote is compared before anything is timed.
 *
 * The last column is our bandwidth as a share of the best copy measured in this process (works
 * that write) or of CUB's sum (works that only read); the bytes are those that must move.  A table
 * of what must be reached, and whether it is, ends the run. */
#include <cub/cub.cuh>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "anchors.cuh"
#include "bench.cuh"

void die(const char *what, int code)
{
	fprintf(stderr, "bench: %s: %d\n", what, code);
	exit(1);
}

enum { SAMPLES = 31, WARM = 5 };
static const size_t L2_TIMES = 4;

cudaStream_t stream;
static std::vector<std::string> works;
bool wanted(const std::string &name)
{
	return works.empty() ||
	       std::any_of(works.begin(), works.end(), [&](const std::string &work) {
		       return name.find(work) != name.npos;
	       });
}

/* ---- memory ---- */

char *pool[3];
size_t pool_bytes;
char *ours_result, *anchor_result;
void *scratch;
size_t scratch_bytes;

void *room(size_t bytes)
{
	static void *workspace;
	static size_t workspace_bytes;
	if (bytes > workspace_bytes) {
		CUDA(cudaFree(workspace));
		CUDA(cudaMalloc(&workspace, bytes));
		workspace_bytes = bytes;
	}
	return workspace;
}

__device__ static uint32_t hash(uint64_t i, uint32_t seed)
{
	uint32_t x = (uint32_t)i * 2654435761u + (uint32_t)(i >> 32) * 0x9e3779b9u + seed;
	x = (x ^ x >> 16) * 0x85ebca6bu;
	x = (x ^ x >> 13) * 0xc2b2ae35u;
	return x ^ x >> 16;
}
/* -0.5 .. 0.5 */
__device__ static float centred(uint32_t bits) { return (float)(bits >> 8) * 0x1p-24f - 0.5f; }

__global__ void fill_words(void *p, size_t words, fill kind, uint32_t seed)
{
	for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < words;
	     i += (size_t)gridDim.x * blockDim.x) {
		const uint32_t bits = hash(i, seed);
		if (kind == FLOATS)
			((float *)p)[i] = centred(bits);
		else if (kind == HALVES)
			((__half2 *)p)[i] = __floats2half2_rn(centred(bits),
			    centred(bits * 2654435761u));
		else if (kind == BRAINS)
			((__nv_bfloat162 *)p)[i] =
			    __floats2bfloat162_rn(centred(bits), centred(bits * 2654435761u));
		else if (kind == BITS)
			((uint32_t *)p)[i] = bits;
		else if (i % 2 == 0)
			((double *)p)[i / 2] = bits * 0x1p-32 - 0.5;
	}
}
void fill_pools(fill kind)
{
	static int now = -1;
	if (now != kind)
		for (uint32_t k = 0; k < 3; k++)
			fill_words<<<4096, 256, 0, stream>>>(pool[k], pool_bytes / 4, kind, k + 1);
	CUDA(cudaGetLastError());
	now = kind;
}

/* ---- time ---- */

__global__ static void nap(long long clocks)
{
	for (const long long start = clock64(); clock64() - start < clocks;)
		;
}
/* The device sleeps until many small calls are enqueued: it is timed, not the launching. */
static double sample(const call_fn &f, int calls, int &number)
{
	static cudaEvent_t before, after;
	if (!before) {
		CUDA(cudaEventCreate(&before));
		CUDA(cudaEventCreate(&after));
	}
	if (calls > 1)
		nap<<<1, 1, 0, stream>>>(calls * 20000LL);
	CUDA(cudaEventRecord(before, stream));
	for (int i = 0; i < calls; i++)
		f(number++);
	CUDA(cudaEventRecord(after, stream));
	CUDA(cudaEventSynchronize(after));
	float ms = 0;
	CUDA(cudaEventElapsedTime(&ms, before, after));
	return ms / calls;
}
static figure summary(std::vector<double> ms)
{
	std::sort(ms.begin(), ms.end());
	const size_t n = ms.size();
	return { ms[n / 2], (ms[n - 1 - n / 4] - ms[n / 4]) / 2 };
}
/* Ours and the anchor by turns.  Unless said, as many calls a sample as make it 0.3 ms, 100 at
 * most: the queue of a stream has room for a thousand launches. */
void measure(const call_fn &ours, const call_fn &anchor, figure &a, figure &b, int calls,
    const call_fn &prepare)
{
	int number = 0;
	std::vector<double> at, bt;
	if (prepare)
		calls = 1;
	for (int i = 0; i < WARM; i++) {
		if (prepare)
			prepare(number);
		sample(ours, 1, number);
		if (anchor)
			sample(anchor, 1, number);
	}
	if (calls == AS_MANY_AS_NEEDED)
		calls = (int)std::min(100.0, std::max(1.0, 0.3 / sample(ours, 20, number)));
	for (int i = 0; i < SAMPLES; i++) {
		if (prepare)
			prepare(number);
		at.push_back(sample(ours, calls, number));
		if (anchor)
			bt.push_back(sample(anchor, calls, number));
	}
	a = summary(at);
	b = anchor ? summary(bt) : figure{ 0, 0 };
}

/* ---- rows ---- */

static double copy_rate, sum_rate; /* GB/s: what the memory gives in this process */

/* What must be reached, and what is. */
struct goal {
	std::string name, size;
	/* is, must: a ratio, or G cells/s where anchor is 0 */
	double ours, anchor, is, must;
	bool wrong;
};
static std::vector<goal> goals;

static void print_timing(const row &r, figure ours, figure anchor)
{
	static const char *const name[] = { "GB/s", "Gcell/s", "GFLOP/s" };
	printf("| %-28s | %-18s | %9.4f ±%4.1f%% | %7.1f %-7s | %-22s | ", r.name.c_str(),
	    r.size.c_str(), ours.ms, 100 * ours.spread / ours.ms,
	    (r.shown == BYTES ? r.bytes : r.cells) * 1e-6 / ours.ms,
	    name[r.shown], r.anchor_name.c_str());
	if (anchor.ms > 0)
		printf("%9.4f ±%4.1f%% | %5.3f | ", anchor.ms, 100 * anchor.spread / anchor.ms,
		    anchor.ms / ours.ms);
	else
		printf("%17s | %5s | ", "", "");
}
figure print_row(const row &r)
{
	figure ours = { 0, 0 }, anchor = { 0, 0 };
	if (!wanted(r.name))
		return ours;
	if (r.prepare)
		r.prepare(0);
	r.ours(0);
	if (r.anchor)
		r.anchor(0);
	CUDA(cudaStreamSynchronize(stream));
	const bool wrong = r.difference && r.difference() > 1;
	measure(r.ours, r.anchor, ours, anchor, r.calls, r.prepare);
	print_timing(r, ours, anchor);
	const double top = r.against == COPY ? copy_rate : sum_rate;
	if (r.against != NONE && top > 0)
		printf("%5.3f |", r.bytes * 1e-6 / ours.ms / top);
	else
		printf("%5s |", "");
	printf("%s\n", wrong ? " WRONG: ours and the anchor differ" : "");
	fflush(stdout);
	if (r.must_ratio > 0)
		goals.push_back({ r.name, r.size, ours.ms, anchor.ms, anchor.ms / ours.ms,
		    r.must_ratio, wrong });
	if (r.must_rate > 0)
		goals.push_back({ r.name, r.size, ours.ms, 0, r.cells * 1e-6 / ours.ms, r.must_rate,
		    wrong });
	return ours;
}
static void print_goals()
{
	if (goals.empty())
		return;
	printf("\n| must reach | size | ours, ms | anchor, ms | is | must | reached |\n"
	       "|---|---|---|---|---|---|---|\n");
	for (const goal &g : goals) {
		printf("| %-28s | %-18s | %9.4f | ", g.name.c_str(), g.size.c_str(), g.ours);
		if (g.anchor > 0)
			printf("%9.4f | %8.3f | %8.2f | ", g.anchor, g.is, g.must);
		else
			printf("%9s | %5.0f G/s | %4.0f G/s | ", "", g.is, g.must);
		printf("%s |\n", g.wrong ? "WRONG" : g.is >= g.must ? "yes" : "no");
	}
}

std::string power(size_t n)
{
	int k = 0;
	while ((size_t)1 << (k + 1) <= n)
		k++;
	return "2^" + std::to_string(k);
}

/* The ceilings: the best copy and the best sum of this process on the largest size. */
static void measure_ceilings(size_t n)
{
	figure a, b;
	const size_t bytes = n * 4;
	fill_pools(FLOATS);
	measure(
	    [=](int c) {
		    CUDA(cudaMemcpyAsync(place<float>(1, bytes, c), place<float>(0, bytes, c),
		    bytes,
		        cudaMemcpyDeviceToDevice, stream));
	    },
	    [=](int c) {
		    hand_copy<<<blocks(n / 4, 256), 256, 0, stream>>>(
		        place<float4>(0, bytes, c), place<float4>(1, bytes, c), n / 4);
	    },
	    a, b, AS_MANY_AS_NEEDED);
	copy_rate = 2e-6 * (double)bytes / std::min(a.ms, b.ms);
	printf("copy ceiling: cudaMemcpy %.0f GB/s, one float4 a thread %.0f GB/s (%s f32)\n",
	    2e-6 * (double)bytes / a.ms, 2e-6 * (double)bytes / b.ms, power(n).c_str());
	measure(
	    [=](int c) {
		    size_t t = scratch_bytes;
		    CUDA(cub::DeviceReduce::Sum(scratch, t, place<float>(0, bytes, c),
		        (float *)anchor_result, (int64_t)n, stream));
	    },
	    nullptr, a, b, AS_MANY_AS_NEEDED);
	sum_rate = 1e-6 * (double)bytes / a.ms;
	printf("sum ceiling: CUB %.0f GB/s (%s f32)\n\n", sum_rate, power(n).c_str());
}

static void prepare()
{
	cudaDeviceProp p;
	size_t left = 0, all = 0;
	int driver = 0, runtime = 0;
	CUDA(cudaGetDeviceProperties(&p, 0));
	CUDA(cudaMemGetInfo(&left, &all));
	CUDA(cudaDriverGetVersion(&driver));
	CUDA(cudaRuntimeGetVersion(&runtime));
	printf("%s, %d multiprocessors, %.0f MiB L2, driver for CUDA %d.%d, run time %d.%d\n",
	    p.name,
	    p.multiProcessorCount, p.l2CacheSize / 1048576.0, driver / 1000, driver % 1000 / 10,
	    runtime / 1000, runtime % 1000 / 10);
	CUDA(cudaStreamCreate(&stream));
	pool_bytes = std::min((size_t)4 << 30, left / 5) / 4096 * 4096;
	if (pool_bytes < L2_TIMES * (size_t)p.l2CacheSize)
		printf("too little memory is free: small sizes may be read from the L2 cache\n");
	for (int k = 0; k < 3; k++)
		CUDA(cudaMalloc(&pool[k], pool_bytes));
	CUDA(cudaMalloc(&ours_result, 16 << 20));
	CUDA(cudaMalloc(&anchor_result, 16 << 20));
	scratch_bytes = (size_t)64 << 20;
	CUDA(cudaMalloc(&scratch, scratch_bytes));
	room((size_t)64 << 20);
}

int main(int argc, char **argv)
{
	works.assign(argv + 1, argv + argc);
	prepare();
	size_t big = (size_t)1 << 28;
	while (big * 4 > pool_bytes)
		big /= 2;
	measure_ceilings(big);
	printf("| %-28s | %-18s | %-16s | %-15s | %-22s | %-16s | ratio | share |\n", "work",
	    "size", "ours, ms", "ours", "anchor", "anchor, ms");
	printf("|---|---|---|---|---|---|---|---|\n");
	cell_works(big);
	sequence_works(big);
	selection_works(big);
	sparse_works(big);
	wave_works(big);
	sort_works(big);
	dense_works(big);
	system_works(big);
	move_works(big);
	layout_works(big);
	fetch_works(big);
	spread_works(big);
	join_works(big);
	range_works(big);
	solve_works(big);
	loop_works();
	evolve_works();
	band_works();
	little_works();
	print_goals();
	return 0;
}
