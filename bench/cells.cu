/* cells.cu - maps, folds and stencils, beside CUB and kernels written by hand. */
#include <cub/cub.cuh>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include <nppi_filtering_functions.h>
#include "anchors.cuh"
#include "bench.cuh"
#include "heat.h"
#include "map.h"
#include "reduce.h"
#include "stencil.h"

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
	    [=] {
		return differ<T>(place<T>(1, bytes, 0), place<T>(2, bytes, 0), n, tolerance);
	} });
}
/* y = a x + y in a type of 16 bits, whose values ours takes as words. */
template <class T, class T2, class F>
static void half_map_row(const char *type, size_t n, F ours, T2 a,
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
	map_row<double>("saxpy", "f64", n / 2, 3, "double2 by hand",
	    [=](const double *x, double *y) {
		OURS(saxpy_f64, (m / 2), 0.5, x, y); },
		[=](const double *x, double *y) {
			hand_saxpy_f64<<<blocks(n / 4, 256), 256, 0, stream>>>(0.5,
			(const double2 *)x, (double2 *)y, n / 4); }, 1e-14);
	half_maps(2 * n);
	fill_pools(BITS);
	map_row<uint8_t>("saxpy", "u8", n * 4, 3, "16 bytes by hand",
	    [=](const uint8_t *x, uint8_t *y) {
		OURS(saxpy_u8, (4 * m), 3, x, y); },
		[=](const uint8_t *x, uint8_t *y) {
			hand_saxpy_u8<<<blocks(n / 4, 256), 256, 0, stream>>>(3,
			(const uint4 *)x, (uint4 *)y, n / 4); }, 1e-9);
}

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
		    CUDA(anchor(t, place<T>(0, bytes, c), place<T>(1, bytes, c),
		    (S *)anchor_result));
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
	auto at = thrust::make_transform_iterator(thrust::counting_iterator<int64_t>(0),
	    product{ x, y });
	return cub::DeviceReduce::Sum(scratch, t, at, s, n, stream);
}
#define FOLD(kernel, n, ...) OURS(kernel, ((int64_t)(n)), __VA_ARGS__)
static void folds(size_t n)
{
	const double rough = rounding(n);
	fill_pools(FLOATS);
	fold_row<float, float>("sum", "f32", n, 1, "CUB",
	    [=](const float *x, const float *, float *s) {
		FOLD(sum_f32, n, x, s); }, [=](size_t &t, const float *x, const float *, float *s) {
		return cub::DeviceReduce::Sum(scratch, t, x, s, (int64_t)n, stream); }, rough);
	fold_row<float, float>("max", "f32", n, 1, "CUB",
	    [=](const float *x, const float *, float *s) {
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

/* Of n bodies; cells are pairs. */
static void all_pairs(int n)
{
	const double pairs = (double)n * n;
	const std::string size = power(n) + " f32";
	static int64_t *at;
	CUDA(cudaMalloc((void **)&at, (size_t)n * 8));
	fill_pools(FLOATS);
	print_row({ "gravity of all pairs", size, 28.0 * n, pairs, CELLS, COPY,
	    [=](int c) {
		    OURS(gravity, (n), (const Body *)place<float>(0, 16 * (size_t)n, c),
		        (Force *)ours_result);
	    },
	    "a tile a block by hand",
	    [=](int c) {
		    tiled_gravity<<<blocks(n, 256), 256, 0, stream>>>(
		        (const float4 *)place<float>(0, 16 * (size_t)n, c),
		        (float *)anchor_result, n);
	    },
	    [=] {
		    return differ<float>(ours_result, anchor_result, 3 * (size_t)n,
		        100 * rounding(n));
	    } });
	print_row({ "nearest of all points", size, 28.0 * n, pairs, CELLS, COPY,
	    [=](int c) {
		    const float *x = place<float>(0, 16 * (size_t)n, c);
		    OURS(nearest, (n, n), x, x + n, x + 2 * n, x + 3 * n, (float *)ours_result,
		        at);
	    },
	    "a tile a block by hand",
	    [=](int c) {
		    const float *x = place<float>(0, 16 * (size_t)n, c);
		    tiled_nearest<<<blocks(n, 256), 256, 0, stream>>>(x, x + n, x + 2 * n,
		        x + 3 * n, (float *)anchor_result, at, n, n);
	    },
	    [=] { return differ<float>(ours_result, anchor_result, n, 1e-6); } });
	CUDA(cudaFree(at));
}

/* A grid by hand: what a user would write around CUB's sort. */
struct by_hand {
	uint32_t *slot, *sorted;
	int *number, *order, *begins;
	float4 *bodies;
};
static by_hand hand_memory(int n)
{
	by_hand h;
	for (void **p : { (void **)&h.slot, (void **)&h.sorted, (void **)&h.number,
	         (void **)&h.order })
		CUDA(cudaMalloc(p, 4 * (size_t)n));
	CUDA(cudaMalloc((void **)&h.begins, 64 * (size_t)n + 64));
	CUDA(cudaMalloc((void **)&h.bodies, 16 * (size_t)n));
	return h;
}
static void hand_gravity(const by_hand &h, const float4 *p, float *f, int n, hand_grid grid)
{
	size_t t = scratch_bytes;
	grid_slots<<<blocks(n, 256), 256, 0, stream>>>(p, h.slot, h.number, n, grid);
	CUDA(cub::DeviceRadixSort::SortPairs(
	    scratch, t, h.slot, h.sorted, h.number, h.order, n, 0, 32, stream));
	grid_bodies<<<blocks(n + 1, 256), 256, 0, stream>>>(
	    p, h.order, h.sorted, h.bodies, h.begins, n, grid);
	grid_gravity<<<blocks(n, 256), 256, 0, stream>>>(
	    h.bodies, h.order, h.begins, f, n, grid);
}

/* Of n bodies with some 60 near ones each if they are spread evenly; cells are near pairs. */
static void near_pairs(int n, bool crowded)
{
	const float rc = cbrtf(60 / (4.18879f * (float)n));
	const hand_grid grid = { (int)(1 / rc), rc };
	const by_hand h = hand_memory(n);
	const size_t bytes = 12 * (size_t)n;
	float4 *p = place<float4>(1, 16 * (size_t)n, 0);
	float *ours = place<float>(2, bytes, 0), *theirs = place<float>(2, bytes, 1);
	int64_t *counts = place<int64_t>(2, 8 * (size_t)n, 1);
	fill_pools(FLOATS);
	if (crowded)
		crowd_bodies<<<blocks(n, 256), 256, 0, stream>>>(
		    place<float4>(0, 16 * (size_t)n, 0), p, n);
	OURS(near_bodies, (n), (const Body *)p, rc, counts);
	std::vector<int64_t> count(n);
	CUDA(cudaMemcpyAsync(
	    count.data(), counts, 8 * (size_t)n, cudaMemcpyDeviceToHost, stream));
	CUDA(cudaStreamSynchronize(stream));
	const double pairs = (double)std::accumulate(count.begin(), count.end(), (int64_t)0);
	const double most = (double)*std::max_element(count.begin(), count.end());
	print_row({ crowded ? "gravity of near ones, dense" : "gravity of near ones",
	    power(n) + " f32", 28.0 * n, pairs, CELLS, COPY,
	    [=](int) { OURS(near_gravity, (n), (const Body *)p, rc, (Force *)ours); },
	    "a grid by hand", [=](int) { hand_gravity(h, p, theirs, n, grid); },
	    [=] { return differ<float>(ours, theirs, 3 * (size_t)n, most * rounding(n)); } });
	for (void *m : { (void *)h.slot, (void *)h.sorted, (void *)h.number, (void *)h.order,
	         (void *)h.begins, (void *)h.bodies })
		CUDA(cudaFree(m));
}

/* Stencils on n x m: ours writes pool 1, the anchor pool 2. */
template <class T, class F, class G> static figure stencil_row(
    const char *name, const char *type, int n, int m, F ours, const char *anchor_name, G anchor,
    double tolerance = 1e-6)
{
	const size_t cells = (size_t)n * m, bytes = cells * sizeof(T);
	CUDA(cudaMemcpyAsync(
	    place<T>(2, bytes, 0), place<T>(1, bytes, 0), bytes, cudaMemcpyDeviceToDevice, stream));
	return print_row({ name, square(n, m, type), 2.0 * (double)bytes, (double)cells, CELLS,
	    COPY,
		[=](int c) { ours(place<T>(0, bytes, c), place<T>(1, bytes, c)); }, anchor_name,
		[=](int c) { anchor(place<T>(0, bytes, c), place<T>(2, bytes, c)); },
		[=] {
			return differ<T>(place<T>(1, bytes, 0), place<T>(2, bytes, 0), cells,
			    tolerance);
		} });
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
	stencil_row<float>("five, stage l1", "f32", n, m, STEP(five_l1, n, m), "a cell a thread",
	    naive);
	stencil_row<float>(
	    "five, stage shared", "f32", n, m, STEP(five_shared, n, m), "a cell a thread", naive);
	stencil_row<float>("five, inside", "f32", n, m, STEP(five_inside, n, m), "a cell a thread",
		[=](const float *a, float *b) {
			naive_inside<<<grid, block, 0, stream>>>(a, b, n, m);
		});
	/* its anchor is our own stencil without the reduction: what does the reduction cost? */
	stencil_row<float>("five + max of change", "f32", n, m, [=](const float *a, float *b) {
		OURS(five_change, (n, m), a, b, (float *)ours_result); },
		"five (ours)", STEP(five, n, m));
	/* what does a division cost that is none? */
	stencil_row<float>("five / 118", "f32", n, m, STEP(five_divided, n, m),
		"five * 1/118 (ours)", STEP(five_product, n, m));
	stencil_row<float>("five / d", "f32", n, m, [=](const float *a, float *b) {
		OURS(five_divisor, (n, m), 118.0f, a, b); },
		"five * 1/118 (ours)", STEP(five_product, n, m));
	fill_pools(BITS);
	stencil_row<uint8_t>("nine-point box", "u8", n, m, STEP(box_u8, n, m), "a cell a thread",
		[=](const uint8_t *a, uint8_t *b) {
			naive_box<<<grid, block, 0, stream>>>(a, b, n, m);
		});
}
/* The mean of a square, as NPP has it. */
static void npp_mean(const float *a, float *b, int n, int m, int radius)
{
	static NppStreamContext context;
	static bool known;
	if (!known) {
		cudaDeviceProp p;
		CUDA(cudaGetDeviceProperties(&p, 0));
		context.hStream = stream;
		context.nMultiProcessorCount = p.multiProcessorCount;
		context.nMaxThreadsPerMultiProcessor = p.maxThreadsPerMultiProcessor;
		context.nMaxThreadsPerBlock = p.maxThreadsPerBlock;
		context.nSharedMemPerBlock = p.sharedMemPerBlock;
		context.nCudaDevAttrComputeCapabilityMajor = p.major;
		context.nCudaDevAttrComputeCapabilityMinor = p.minor;
		known = true;
	}
	const NppiSize size = { m, n }, mask = { 2 * radius + 1, 2 * radius + 1 };
	const NppStatus status = nppiFilterBoxBorder_32f_C1R_Ctx(a, m * 4, size, { 0, 0 }, b,
	    m * 4, size, mask, { radius, radius }, NPP_BORDER_REPLICATE, context);
	if (status != NPP_SUCCESS) {
		fprintf(stderr, "NPP: status %d\n", (int)status);
		exit(1);
	}
}
/* Windows: what is counted are cells. */
static void windows(int n, int m)
{
	const size_t cells = (size_t)n * m;
	const dim3 block(64, 4), grid(blocks(m, 64), blocks(n, 4));
	static int64_t *row, *column;
	static float *other;
	CUDA(cudaMalloc((void **)&row, cells * 8));
	CUDA(cudaMalloc((void **)&column, cells * 8));
	CUDA(cudaMalloc((void **)&other, cells * 4));
	fill_pools(FLOATS);
	CUDA(cudaMemset(other, 0, cells * 4));
	CUDA(cudaMemcpy(other, place<float>(0, cells * 4, 0) + 2 * m + 3, (cells - 2 * m - 3) * 4,
	    cudaMemcpyDeviceToDevice));
	stencil_row<float>("argmin of 21 x 21", "f32", n, m, [=](const float *a, float *b) {
		OURS(darkest, (n, m), a, b, row, column); },
		"a cell a thread", [=](const float *a, float *b) {
			naive_darkest<10><<<grid, block, 0, stream>>>(a, b, row, column, n, m, 0);
		});
	for (int radius : { 2, 5, 20, 100 }) {
		const std::string name = "argmin of radius " + std::to_string(radius);
		stencil_row<float>(name.c_str(), "f32", n, m, [=](const float *a, float *b) {
			OURS(darkest_radius, (n, m), a, radius, b, row, column); },
			"a cell a thread", [=](const float *a, float *b) {
				naive_darkest<0><<<grid, block, 0, stream>>>(
				    a, b, row, column, n, m, radius);
			});
	}
	auto naive = [=](const float *a, float *b) {
		naive_window<<<grid, block, 0, stream>>>(a, b, n, m, 10);
	};
	stencil_row<float>("sum of 21 x 21", "f32", n, m, STEP(box, n, m), "a cell a thread",
	    naive, rounding(441));
	static float *rows;
	CUDA(cudaMalloc((void **)&rows, cells * 4));
	for (int radius : { 10, 50, 500 }) {
		const std::string name = "mean of radius " + std::to_string(radius);
		const float factor = 1.f / (float)(2 * radius + 1);
		auto ours = [=](const float *a, float *b) {
			OURS(box_radius, (n, m), a, radius, b);
		};
		if (radius < 100)
			stencil_row<float>(name.c_str(), "f32", n, m, ours, "NPP",
				[=](const float *a, float *b) { npp_mean(a, b, n, m, radius); },
				1e-4);
		stencil_row<float>(name.c_str(), "f32", n, m, ours, "rows, then columns",
			[=](const float *a, float *b) {
				naive_line<true><<<grid, block, 0, stream>>>(
				    a, rows, n, m, radius, factor);
				naive_line<false><<<grid, block, 0, stream>>>(
				    rows, b, n, m, radius, factor);
			}, 1e-4);
	}
	stencil_row<float>("sum of 101 of a row", "f32", n, m, STEP(row_sum, n, m),
		"a cell a thread", [=](const float *a, float *b) {
			naive_line<true><<<grid, block, 0, stream>>>(a, b, n, m, 50, 1.f);
		}, rounding(101));
	stencil_row<float>("sum of 101 of a column", "f32", n, m, STEP(column_sum, n, m),
		"a cell a thread", [=](const float *a, float *b) {
			naive_line<false><<<grid, block, 0, stream>>>(a, b, n, m, 50, 1.f);
		}, rounding(101));
	const float bell[11] = { .01f, .03f, .06f, .12f, .18f, .2f, .18f, .12f, .06f, .03f, .01f };
	static float *weights;
	CUDA(cudaMalloc((void **)&weights, sizeof bell));
	CUDA(cudaMemcpy(weights, bell, sizeof bell, cudaMemcpyHostToDevice));
	stencil_row<float>("Gaussian of 11 x 11", "f32", n, m, [=](const float *a, float *b) {
		OURS(gaussian, (n, m), a, weights, b); },
		"a cell a thread", [=](const float *a, float *b) {
			naive_gaussian<<<grid, block, 0, stream>>>(a, weights, b, n, m);
		}, rounding(121));
	for (int64_t side : { 5, 15 }) {
		const std::string name = "filter of " + std::to_string(side) + " x "
		    + std::to_string(side) + " of the call";
		stencil_row<float>(name.c_str(), "f32", n, m, [=](const float *a, float *b) {
			OURS(filter, (n, m, side), a, other, b); },
			"a cell a thread", [=](const float *a, float *b) {
				naive_filter<<<grid, block, 0, stream>>>(
				    a, other, b, n, m, (int)side);
			}, rounding(side * side));
	}
	CUDA(cudaFree(weights));
	stencil_row<float>("7 x 7 patches in 9 x 9", "f32", n, m, [=](const float *a, float *b) {
		OURS(patches, (n, m), a, other, b, row, column); },
		"a cell a thread", [=](const float *a, float *b) {
			naive_patches<<<grid, block, 0, stream>>>(a, other, b, row, column, n, m);
		}, rounding(49));
	CUDA(cudaFree(row));
	CUDA(cudaFree(column));
	CUDA(cudaFree(rows));
	CUDA(cudaFree(other));
	fill_pools(BITS);
	stencil_row<uint8_t>("maximum of 21 x 21", "u8", n, m, STEP(brightest, n, m),
		"a cell a thread", [=](const uint8_t *a, uint8_t *b) {
			naive_brightest<<<grid, block, 0, stream>>>(a, b, n, m);
		});
}
static void stencils_3d(int n)
{
	const size_t cells = (size_t)n * n * n, bytes = cells * 4;
	const dim3 block(64, 4), grid(blocks(n, 64), blocks(n, 4), n);
	const std::string size = std::to_string(n) + "^3 f32";
	fill_pools(FLOATS);
	auto equal = [=] {
		return differ<float>(place<float>(1, bytes, 0), place<float>(2, bytes, 0), cells,
		    1e-6);
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
		    OURS(twentyseven, (n, n, n), place<float>(0, bytes, c),
		    place<float>(1, bytes, c));
	    },
	    "a cell a thread",
	    [=](int c) {
		    naive_3d<1><<<grid, block, 0, stream>>>(
		        place<float>(0, bytes, c), place<float>(2, bytes, c), n);
	    },
	    equal });
}

/* The example: STEPS steps of a stencil, then a maximum and a test; eps = 0 never ends them. */
static void example(int n)
{
	enum { STEPS = 20 };
	const size_t cells = (size_t)n * n;
	fill_pools(FLOATS);
	CUDA(cudaMemsetAsync(pool[2], 0, cells, stream));
	print_row({ "heat, 20 steps", square(n, n, "f32"), 0,
	    (double)cells * STEPS, CELLS, NONE,
	    [=](int c) {
		    OURS(heat, (n, n), (const uint8_t *)pool[2], place<float>(0, cells * 4, c),
		    0.2f, 0.0f, STEPS, 1, (float *)ours_result);
	    },
	    "", nullptr, nullptr });
}

void cell_works(size_t big)
{
	for (size_t n : { (size_t)1 << 16, (size_t)1 << 20, (size_t)1 << 24, big }) {
		maps(n);
		folds(n);
	}
	const int side = (size_t)16384 * 16384 * 4 <= pool_bytes ? 16384 : 8192;
	axis_folds(1024, 1024);
	axis_folds(side, side);
	axis_folds(side * 64, 32);
	axis_folds(32, side * 64);
	all_pairs(1 << 14);
	all_pairs(1 << 18);
	near_pairs(1 << 18, false);
	near_pairs(1 << 22, false);
	near_pairs(1 << 22, true);
	stencils_2d(1024, 1024);
	stencils_2d(side, side);
	stencils_2d(side - 1, side + 1);
	windows(4096, 4096);
	stencils_3d(128);
	stencils_3d(640);
	example(1024);
	example(side / 2);
}
