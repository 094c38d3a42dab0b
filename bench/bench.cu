/* bench.cu - patc's kernels beside what a user would write or call instead, in one process.
 *
 *   bench [FILTER]           works whose name contains FILTER
 *
 * A row is one work on one size.  Ours and the anchor take turns, sample by sample, so that a
 * change of clocks meets both; a figure is the median of SAMPLES samples after a warm-up, +- half
 * the distance between the quartiles.  A sample is timed by events round CALLS calls; small sizes
 * need many.  Calls walk through pools much larger than the L2 cache, so that no call finds its
 * data there.  Data are random.  What both sides wrote is compared before anything is timed.
 *
 * The last column is our bandwidth as a share of the best copy measured in this process (works
 * that write) or of CUB's sum (works that only read); the bytes are those that must move. */
#include <cub/cub.cuh>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "anchors.cuh"
#include "heat.h"
#include "map.h"
#include "reduce.h"
#include "stencil.h"

static void die(const char *what, int code)
{
	fprintf(stderr, "bench: %s: %d\n", what, code);
	exit(1);
}
#define CUDA(call) do { const int rc_ = (int)(call); if (rc_) die(#call, rc_); } while (0)
#define EACH(...) __VA_ARGS__
/* OURS(saxpy_f32, (n), a, x, y): the generated function, with its workspace, on the stream. */
#define OURS(kernel, sizes, ...) do { \
		const size_t need_ = kernel##_workspace sizes; \
		void *const room_ = room(need_); \
		const int rc_ = kernel(EACH sizes, __VA_ARGS__, room_, need_, stream); \
		if (rc_) \
			die(#kernel, rc_); \
	} while (0)

enum { SAMPLES = 31, WARM = 5 };
static const size_t L2_TIMES = 4;

static cudaStream_t stream;
static const char *filter = "";

/* ---- memory: three pools that calls walk through, results, workspaces ---- */

static char *pool[3];
static size_t pool_bytes;
static char *ours_result, *anchor_result;        /* of reductions */
static void *workspace, *scratch;
static size_t workspace_bytes, scratch_bytes;

/* A place of `bytes` in a pool for call number `call`. */
template <class T> static T *place(int which, size_t bytes, int call)
{
	const size_t each = (bytes + 255) / 256 * 256;
	if (each > pool_bytes)
		die("a pool is too small", which);
	return (T *)(pool[which] + each * ((size_t)call % (pool_bytes / each)));
}

/* The workspace of at least `bytes`. */
static void *room(size_t bytes)
{
	if (bytes > workspace_bytes) {
		CUDA(cudaFree(workspace));
		CUDA(cudaMalloc(&workspace, bytes));
		workspace_bytes = bytes;
	}
	return workspace;
}

enum fill { FLOATS, DOUBLES, HALVES, BRAINS, BITS };

__device__ static uint32_t hash(uint64_t i, uint32_t seed)
{
	uint32_t x = (uint32_t)i * 2654435761u + (uint32_t)(i >> 32) * 0x9e3779b9u + seed;
	x = (x ^ x >> 16) * 0x85ebca6bu;
	x = (x ^ x >> 13) * 0xc2b2ae35u;
	return x ^ x >> 16;
}
/* -0.5 .. 0.5 */
__device__ static float centred(uint32_t bits) { return (float)(bits >> 8) * 0x1p-24f - 0.5f; }

__global__ static void fill_pool(void *p, size_t words, fill kind, uint32_t seed)
{
	for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < words;
	     i += (size_t)gridDim.x * blockDim.x) {
		const uint32_t bits = hash(i, seed);
		if (kind == FLOATS)
			((float *)p)[i] = centred(bits);
		else if (kind == HALVES)
			((__half2 *)p)[i] = __floats2half2_rn(centred(bits), centred(bits * 2654435761u));
		else if (kind == BRAINS)
			((__nv_bfloat162 *)p)[i] = __floats2bfloat162_rn(centred(bits), centred(bits * 2654435761u));
		else if (kind == BITS)
			((uint32_t *)p)[i] = bits;
		else if (i % 2 == 0)
			((double *)p)[i / 2] = bits * 0x1p-32 - 0.5;
	}
}
static void fill_pools(fill kind)
{
	static int now = -1;
	if (now != kind)
		for (uint32_t k = 0; k < 3; k++)
			fill_pool<<<4096, 256, 0, stream>>>(pool[k], pool_bytes / 4, kind, k + 1);
	CUDA(cudaGetLastError());
	now = kind;
}

/* ---- time ---- */

using call_fn = std::function<void(int)>;                /* enqueues call number n */
struct figure { double ms, spread; };

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
/* Ours and the anchor by turns.  As many calls a sample as make it 0.3 ms, 100 at most: the queue
 * of a stream has room for a thousand launches. */
static void measure(const call_fn &ours, const call_fn &anchor, figure &a, figure &b)
{
	int number = 0;
	std::vector<double> at, bt;
	for (int i = 0; i < WARM; i++) {
		sample(ours, 1, number);
		if (anchor)
			sample(anchor, 1, number);
	}
	const int calls = (int)std::min(100.0, std::max(1.0, 0.3 / sample(ours, 20, number)));
	for (int i = 0; i < SAMPLES; i++) {
		at.push_back(sample(ours, calls, number));
		if (anchor)
			bt.push_back(sample(anchor, calls, number));
	}
	a = summary(at);
	b = anchor ? summary(bt) : figure{ 0, 0 };
}

/* ---- rows ---- */

static double copy_rate, sum_rate; /* GB/s: what the memory gives in this process */
enum bound { COPY, SUM, NONE };
enum unit { BYTES, CELLS };

struct row {
	const char *name;
	std::string size;
	double bytes, cells;
	unit shown;
	bound against;
	call_fn ours;
	const char *anchor_name;
	call_fn anchor;
	std::function<double()> difference; /* what both wrote; larger than 1: they disagree */
};

static figure print_row(const row &r)
{
	figure ours = { 0, 0 }, anchor = { 0, 0 };
	if (!strstr(r.name, filter))
		return ours;
	r.ours(0);
	if (r.anchor)
		r.anchor(0);
	CUDA(cudaStreamSynchronize(stream));
	const double off = r.difference ? r.difference() : 0;
	measure(r.ours, r.anchor, ours, anchor);
	const double top = r.against == COPY ? copy_rate : sum_rate;
	const double scale = 1e-6 / ours.ms;
	printf("| %-22s | %-12s | %9.4f ±%4.1f%% | %7.1f %-7s | %-22s | ", r.name, r.size.c_str(),
	    ours.ms, 100 * ours.spread / ours.ms, (r.shown == BYTES ? r.bytes : r.cells) * scale,
	    r.shown == BYTES ? "GB/s" : "Gcell/s", r.anchor_name);
	if (anchor.ms > 0)
		printf("%9.4f ±%4.1f%% | %5.3f | ", anchor.ms, 100 * anchor.spread / anchor.ms,
		    anchor.ms / ours.ms);
	else
		printf("%17s | %5s | ", "", "");
	if (r.against != NONE && top > 0)
		printf("%5.3f |", r.bytes * scale / top);
	else
		printf("%5s |", "");
	printf("%s\n", off <= 1 ? "" : " WRONG: ours and the anchor differ");
	fflush(stdout);
	return ours;
}

/* ---- are they equal: the largest difference over the tolerance ---- */

template <class T> __device__ static double number(T x) { return (double)x; }
__device__ static double number(__half x) { return (double)__half2float(x); }
__device__ static double number(__nv_bfloat16 x) { return (double)__bfloat162float(x); }

template <class T>
__global__ static void compare(const T *a, const T *b, size_t n, double tolerance, float *worst)
{
	float mine = 0;
	for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
	     i += (size_t)gridDim.x * blockDim.x) {
		const double x = number(a[i]), y = number(b[i]);
		const float off = x == y ? 0 : (float)(fabs(x - y) / tolerance);
		mine = off > mine || isnan(off) ? isnan(off) ? 1e30f : off : mine;
	}
	atomicMax((int *)worst, __float_as_int(mine));           /* not negative: ordered like integers */
}
template <class T> static double differ(const void *a, const void *b, size_t n, double tolerance)
{
	float *worst = (float *)scratch, host = 0;
	CUDA(cudaMemsetAsync(worst, 0, 4, stream));
	compare<<<1024, 256, 0, stream>>>((const T *)a, (const T *)b, n, tolerance, worst);
	CUDA(cudaMemcpyAsync(&host, worst, 4, cudaMemcpyDeviceToHost, stream));
	CUDA(cudaStreamSynchronize(stream));
	return host;
}

/* ---- works ---- */

static std::string power(size_t n)
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
		    CUDA(cudaMemcpyAsync(place<float>(1, bytes, c), place<float>(0, bytes, c), bytes,
		        cudaMemcpyDeviceToDevice, stream));
	    },
	    [=](int c) {
		    hand_copy<<<blocks(n / 4, 256), 256, 0, stream>>>(
		        place<float4>(0, bytes, c), place<float4>(1, bytes, c), n / 4);
	    },
	    a, b);
	copy_rate = 2e-6 * (double)bytes / std::min(a.ms, b.ms);
	printf("copy ceiling: cudaMemcpy %.0f GB/s, one float4 a thread %.0f GB/s (%s f32)\n",
	    2e-6 * (double)bytes / a.ms, 2e-6 * (double)bytes / b.ms, power(n).c_str());
	measure(
	    [=](int c) {
		    size_t t = scratch_bytes;
		    CUDA(cub::DeviceReduce::Sum(scratch, t, place<float>(0, bytes, c),
		        (float *)anchor_result, (int64_t)n, stream));
	    },
	    nullptr, a, b);
	sum_rate = 1e-6 * (double)bytes / a.ms;
	printf("sum ceiling: CUB %.0f GB/s (%s f32)\n\n", sum_rate, power(n).c_str());
}

/* Maps y = f(x, y): ours on pools 0 and 1, the anchor on 0 and 2. */
template <class T, class F, class G> static void map_row(const char *name, const char *type,
    size_t n, int arrays, const char *anchor_name, F ours, G anchor, double tolerance)
{
	const size_t bytes = n * sizeof(T);
	CUDA(cudaMemcpyAsync(
	    place<T>(2, bytes, 0), place<T>(1, bytes, 0), bytes, cudaMemcpyDeviceToDevice, stream));
	print_row({ name, power(n) + " " + type, (double)bytes * arrays, (double)n, BYTES, COPY,
	    [=](int c) { ours(place<T>(0, bytes, c), place<T>(1, bytes, c)); }, anchor_name,
	    [=](int c) { anchor(place<T>(0, bytes, c), place<T>(2, bytes, c)); },
	    [=] { return differ<T>(place<T>(1, bytes, 0), place<T>(2, bytes, 0), n, tolerance); } });
}
/* y = a x + y in a type of 16 bits, whose values ours takes as words. */
template <class T, class T2, class F> static void half_map_row(const char *type, size_t n, F ours, T2 a,
    double tolerance)
{
	map_row<T>(
	    "saxpy", type, n, 3, "16 bytes by hand", ours,
	    [=](const T *x, T *y) {
		    hand_saxpy_half<T2><<<blocks(n / 8, 256), 256, 0, stream>>>(
		        a, (const uint4 *)x, (uint4 *)y, n / 8);
	    },
	    tolerance);
}
static void half_maps(size_t n)
{
	const int64_t m = (int64_t)n;
	fill_pools(HALVES);
	half_map_row<__half>("f16", n,
	    [=](const __half *x, __half *y) {
		    OURS(saxpy_f16, (m), 0x3800 /* 0.5 */, (const uint16_t *)x, (uint16_t *)y);
	    },
	    __floats2half2_rn(0.5f, 0.5f), 0x1p-10);
	fill_pools(BRAINS);
	half_map_row<__nv_bfloat16>("bf16", n,
	    [=](const __nv_bfloat16 *x, __nv_bfloat16 *y) {
		    OURS(saxpy_bf16, (m), 0x3f00 /* 0.5 */, (const uint16_t *)x, (uint16_t *)y);
	    },
	    __floats2bfloat162_rn(0.5f, 0.5f), 0x1p-7);
}
static void maps(size_t n)
{
	const int64_t m = (int64_t)n;
	fill_pools(FLOATS);
	map_row<float>(
	    "copy", "f32", n, 2, "cudaMemcpy",
	    [=](const float *x, float *y) { OURS(copy_f32, (m), x, y); },
	    [=](const float *x, float *y) {
		    CUDA(cudaMemcpyAsync(y, x, n * 4, cudaMemcpyDeviceToDevice, stream));
	    },
	    1e-9);
	map_row<float>(
	    "saxpy", "f32", n, 3, "float4 by hand",
	    [=](const float *x, float *y) { OURS(saxpy_f32, (m), 0.5f, x, y); },
	    [=](const float *x, float *y) {
		    hand_saxpy<<<blocks(n / 4, 256), 256, 0, stream>>>(
		        0.5f, (const float4 *)x, (float4 *)y, n / 4);
	    },
	    1e-6);
	map_row<float>(
	    "chain", "f32", n, 2, "float4 by hand",
	    [=](const float *x, float *y) { OURS(chain, (m), x, y); },
	    [=](const float *x, float *y) {
		    hand_chain<<<blocks(n / 4, 256), 256, 0, stream>>>(
		        (const float4 *)x, (float4 *)y, n / 4);
	    },
	    1e-5);
	fill_pools(DOUBLES);
	map_row<double>("saxpy", "f64", n / 2, 3, "double2 by hand", [=](const double *x, double *y) {
		OURS(saxpy_f64, (m / 2), 0.5, x, y); },
		[=](const double *x, double *y) { hand_saxpy_f64<<<blocks(n / 4, 256), 256, 0, stream>>>(0.5,
			(const double2 *)x, (double2 *)y, n / 4); }, 1e-14);
	half_maps(2 * n);
	fill_pools(BITS);
	map_row<uint8_t>("saxpy", "u8", n * 4, 3, "16 bytes by hand", [=](const uint8_t *x, uint8_t *y) {
		OURS(saxpy_u8, (4 * m), 3, x, y); },
		[=](const uint8_t *x, uint8_t *y) { hand_saxpy_u8<<<blocks(n / 4, 256), 256, 0, stream>>>(3,
			(const uint4 *)x, (uint4 *)y, n / 4); }, 1e-9);
}

/* What two sums of n random values in [-0.5, 0.5) may differ by, in f32 and in any order. */
static double rounding(size_t n) { return 6e-6 * sqrt((double)n); }

/* Reductions of T to S, beside CUB's.  Float sums agree within `tolerance`. */
template <class T, class S, class F, class G> static void fold_row(const char *name,
    const char *type, size_t n, int arrays, const char *anchor_name, F ours, G anchor,
    double tolerance)
{
	const size_t bytes = n * sizeof(T);
	print_row({ name, power(n) + " " + type, (double)bytes * arrays, (double)n, BYTES, SUM,
	    [=](int c) { ours(place<T>(0, bytes, c), place<T>(1, bytes, c), (S *)ours_result); },
	    anchor_name,
	    [=](int c) {
		    size_t t = scratch_bytes;
		    CUDA(anchor(t, place<T>(0, bytes, c), place<T>(1, bytes, c), (S *)anchor_result));
	    },
	    [=] { return differ<S>(ours_result, anchor_result, 1, tolerance); } });
}
struct product {
	const float *x, *y;
	__host__ __device__ float operator()(int64_t i) const { return x[i] * y[i]; }
};
/* What a user would write for a dot product without cuBLAS: CUB over products made on the fly. */
static cudaError_t cub_dot(size_t &t, const float *x, const float *y, float *s, int64_t n)
{
	auto at = thrust::make_transform_iterator(thrust::counting_iterator<int64_t>(0), product{ x, y });
	return cub::DeviceReduce::Sum(scratch, t, at, s, n, stream);
}
#define FOLD(kernel, n, ...) OURS(kernel, ((int64_t)(n)), __VA_ARGS__)
static void folds(size_t n)
{
	const double rough = rounding(n);
	fill_pools(FLOATS);
	fold_row<float, float>("sum", "f32", n, 1, "CUB", [=](const float *x, const float *, float *s) {
		FOLD(sum_f32, n, x, s); }, [=](size_t &t, const float *x, const float *, float *s) {
		return cub::DeviceReduce::Sum(scratch, t, x, s, (int64_t)n, stream); }, rough);
	fold_row<float, float>("max", "f32", n, 1, "CUB", [=](const float *x, const float *, float *s) {
		FOLD(max_f32, n, x, s); }, [=](size_t &t, const float *x, const float *, float *s) {
		return cub::DeviceReduce::Max(scratch, t, x, s, (int64_t)n, stream); }, 1e-9);
	fold_row<float, float>(
	    "dot", "f32", n, 2, "CUB + transform",
	    [=](const float *x, const float *y, float *s) { FOLD(dot_f32, n, x, y, s); },
	    [=](size_t &t, const float *x, const float *y, float *s) {
		    return cub_dot(t, x, y, s, (int64_t)n);
	    },
	    rough);
	fill_pools(DOUBLES);
	fold_row<double, double>(
	    "sum", "f64", n / 2, 1, "CUB",
	    [=](const double *x, const double *, double *s) { FOLD(sum_f64, n / 2, x, s); },
	    [=](size_t &t, const double *x, const double *, double *s) {
		    return cub::DeviceReduce::Sum(scratch, t, x, s, (int64_t)n / 2, stream);
	    },
	    rough * 1e-8);
	fill_pools(BITS);
	fold_row<int32_t, int32_t>(
	    "sum", "i32", n, 1, "CUB",
	    [=](const int32_t *x, const int32_t *, int32_t *s) { FOLD(sum_i32, n, x, s); },
	    [=](size_t &t, const int32_t *x, const int32_t *, int32_t *s) {
		    return cub::DeviceReduce::Sum(scratch, t, x, s, (int64_t)n, stream);
	    },
	    1e-9);
	fold_row<uint8_t, int32_t>(
	    "sum", "u8", n * 4, 1, "CUB",
	    [=](const uint8_t *x, const uint8_t *, int32_t *s) { FOLD(sum_u8, n * 4, x, s); },
	    [=](size_t &t, const uint8_t *x, const uint8_t *, int32_t *s) {
		    return cub::DeviceReduce::Sum(scratch, t, x, s, (int64_t)n * 4, stream);
	    },
	    1e-9);
}

struct row_begin {
	int64_t m;
	__host__ __device__ int64_t operator()(int64_t i) const { return i * m; }
};
static cudaError_t cub_rows(const float *a, float *s, int64_t n, int64_t m)
{
	size_t t = scratch_bytes;
	auto begin =
	    thrust::make_transform_iterator(thrust::counting_iterator<int64_t>(0), row_begin{ m });
	return cub::DeviceSegmentedReduce::Sum(scratch, t, a, s, n, begin, begin + 1, stream);
}
static std::string square(int n, int m, const char *type)
{
	return (n == m ? std::to_string(n) + "^2" : std::to_string(n) + "x" + std::to_string(m)) +
	       " " + type;
}
static void axis_folds(int n, int m)
{
	const size_t bytes = (size_t)n * m * 4;
	fill_pools(FLOATS);
	print_row({ "row sums", square(n, m, "f32"), (double)bytes, (double)n * m, BYTES, SUM,
	    [=](int c) { OURS(rows, (n, m), place<float>(0, bytes, c), (float *)ours_result); },
	    "CUB segmented",
	    [=](int c) { CUDA(cub_rows(place<float>(0, bytes, c), (float *)anchor_result, n, m)); },
	    [=] { return differ<float>(ours_result, anchor_result, n, rounding(m)); } });
	print_row({ "column sums", square(n, m, "f32"), (double)bytes, (double)n * m, BYTES, SUM,
	    [=](int c) { OURS(columns, (n, m), place<float>(0, bytes, c), (float *)ours_result); },
	    "a thread a column",
	    [=](int c) {
		    naive_columns<<<blocks(m, 64), 64, 0, stream>>>(
		        place<float>(0, bytes, c), (float *)anchor_result, n, m);
	    },
	    [=] { return differ<float>(ours_result, anchor_result, m, 10 * rounding(n)); } });
}

/* Stencils on n x m: ours writes pool 1, the anchor pool 2. */
template <class T, class F, class G> static figure stencil_row(
    const char *name, const char *type, int n, int m, F ours, const char *anchor_name, G anchor)
{
	const size_t cells = (size_t)n * m, bytes = cells * sizeof(T);
	CUDA(cudaMemcpyAsync(
	    place<T>(2, bytes, 0), place<T>(1, bytes, 0), bytes, cudaMemcpyDeviceToDevice, stream));
	return print_row({ name, square(n, m, type), 2.0 * (double)bytes, (double)cells, CELLS, COPY,
		[=](int c) { ours(place<T>(0, bytes, c), place<T>(1, bytes, c)); }, anchor_name,
		[=](int c) { anchor(place<T>(0, bytes, c), place<T>(2, bytes, c)); },
		[=] { return differ<T>(place<T>(1, bytes, 0), place<T>(2, bytes, 0), cells, 1e-6); } });
}
#define STEP(kernel, ...) \
	[=](auto *a, auto *b) { OURS(kernel, (__VA_ARGS__), a, b); }
static void stencils_2d(int n, int m)
{
	const dim3 block(64, 4), grid(blocks(m, 64), blocks(n, 4));
	auto naive = [=](const float *a, float *b) {
		naive_five<<<grid, block, 0, stream>>>(a, b, n, m);
	};
	fill_pools(FLOATS);
	stencil_row<float>("five", "f32", n, m, STEP(five, n, m), "a cell a thread", naive);
	stencil_row<float>("five, stage l1", "f32", n, m, STEP(five_l1, n, m), "a cell a thread", naive);
	stencil_row<float>(
	    "five, stage shared", "f32", n, m, STEP(five_shared, n, m), "a cell a thread", naive);
	stencil_row<float>("five, inside", "f32", n, m, STEP(five_inside, n, m), "a cell a thread",
		[=](const float *a, float *b) { naive_inside<<<grid, block, 0, stream>>>(a, b, n, m); });
	/* its anchor is our own stencil without the reduction: what does the reduction cost? */
	stencil_row<float>("five + max of change", "f32", n, m, [=](const float *a, float *b) {
		OURS(five_change, (n, m), a, b, (float *)ours_result); },
		"five (ours)", STEP(five, n, m));
	fill_pools(BITS);
	stencil_row<uint8_t>("nine-point box", "u8", n, m, STEP(box_u8, n, m), "a cell a thread",
		[=](const uint8_t *a, uint8_t *b) { naive_box<<<grid, block, 0, stream>>>(a, b, n, m); });
}
static void stencils_3d(int n)
{
	const size_t cells = (size_t)n * n * n, bytes = cells * 4;
	const dim3 block(64, 4), grid(blocks(n, 64), blocks(n, 4), n);
	const std::string size = std::to_string(n) + "^3 f32";
	fill_pools(FLOATS);
	auto equal = [=] {
		return differ<float>(place<float>(1, bytes, 0), place<float>(2, bytes, 0), cells, 1e-6);
	};
	print_row({ "seven", size, 2.0 * (double)bytes, (double)cells, CELLS, COPY,
	    [=](int c) {
		    OURS(seven, (n, n, n), place<float>(0, bytes, c), place<float>(1, bytes, c));
	    },
	    "a cell a thread",
	    [=](int c) {
		    naive_3d<0><<<grid, block, 0, stream>>>(
		        place<float>(0, bytes, c), place<float>(2, bytes, c), n);
	    },
	    equal });
	print_row({ "twenty-seven", size, 2.0 * (double)bytes, (double)cells, CELLS, COPY,
	    [=](int c) {
		    OURS(twentyseven, (n, n, n), place<float>(0, bytes, c), place<float>(1, bytes, c));
	    },
	    "a cell a thread",
	    [=](int c) {
		    naive_3d<1><<<grid, block, 0, stream>>>(
		        place<float>(0, bytes, c), place<float>(2, bytes, c), n);
	    },
	    equal });
}

/* The example: STEPS steps of a stencil, a maximum, a test, a swap; eps = 0 never ends them. */
static void example(int n)
{
	enum { STEPS = 20 };
	const size_t cells = (size_t)n * n;
	fill_pools(FLOATS);
	CUDA(cudaMemsetAsync(pool[2], 0, cells, stream));
	print_row({ "heat, 20 steps", square(n, n, "f32"), 9.0 * (double)cells * STEPS,
	    (double)cells * STEPS, CELLS, COPY,
	    [=](int c) {
		    OURS(heat, (n, n), (const uint8_t *)pool[2], place<float>(0, cells * 4, c), 0.2f, 0.0f,
		        STEPS, (float *)ours_result);
	    },
	    "", nullptr, nullptr });
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
	printf("%s, %d multiprocessors, %.0f MiB L2, driver for CUDA %d.%d, run time %d.%d\n", p.name,
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
	filter = argc > 1 ? argv[1] : "";
	prepare();
	size_t big = (size_t)1 << 28;
	while (big * 4 > pool_bytes)
		big /= 2;
	measure_ceilings(big);
	printf("| %-22s | %-12s | %-16s | %-15s | %-22s | %-16s | ratio | share |\n", "work", "size",
	    "ours, ms", "ours", "anchor", "anchor, ms");
	printf("|---|---|---|---|---|---|---|---|\n");
	for (size_t n : { (size_t)1 << 16, (size_t)1 << 20, (size_t)1 << 24, big }) {
		maps(n);
		folds(n);
	}
	const int side = (size_t)16384 * 16384 * 4 <= pool_bytes ? 16384 : 8192;
	axis_folds(1024, 1024);
	axis_folds(side, side);
	axis_folds(side * 64, 32);
	axis_folds(32, side * 64);
	stencils_2d(1024, 1024);
	stencils_2d(side, side);
	stencils_2d(side - 1, side + 1);
	stencils_3d(128);
	stencils_3d(640);
	example(1024);
	example(side / 2);
	return 0;
}
