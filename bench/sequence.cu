/* sequence.cu - scans, recurrences and segmented scans, beside CUB. */
#include <cub/cub.cuh>

#include <random>
#include <vector>

#include "bench.cuh"
#include "scan.h"

enum { ONE = 1, TWENTY = 20 };                   /* calls in a row */

/* ---- scans ---- */

/* y = f(x): ours from pool 0 to 1, the anchor from 0 to 2. */
template <class T, class F, class G>
static row scan_row(const char *name, const char *type, size_t n,
    F ours, G anchor, double tolerance)
{
	const size_t bytes = n * sizeof(T);
	return { name, power(n) + " " + type, 2.0 * (double)bytes, (double)n, BYTES, COPY,
		[=](int c) { ours(place<T>(0, bytes, c), place<T>(1, bytes, c)); }, "CUB",
		[=](int c) {
			size_t t = scratch_bytes;
			CUDA(anchor(t, place<T>(0, bytes, c), place<T>(2, bytes, c)));
		},
		[=] {
			return differ<T>(place<T>(1, bytes, 0), place<T>(2, bytes, 0), n,
			    tolerance);
		} };
}
static row sums_f32(const char *name, size_t n)
{
	const int64_t m = (int64_t)n;
	return scan_row<float>(
	    name, "f32", n, [=](const float *x, float *y) { OURS(scan_f32, (m), x, y); },
	    [=](size_t &t, const float *x, float *y) {
		    return cub::DeviceScan::InclusiveSum(scratch, t, x, y, m, stream);
	    },
	    rounding(n));
}
/* What a user waits for, and what many of them in a row cost. */
static void small_scan(size_t n)
{
	row one = sums_f32("scan, one call", n), many = sums_f32("scan, 20 in a row", n);
	one.calls = ONE, many.calls = TWENTY;
	one.must_ratio = many.must_ratio = 1;
	print_row(one);
	print_row(many);
}
static void large_scans(size_t n)
{
	const int64_t m = (int64_t)n;
	row sums = sums_f32("scan", n);
	sums.must_ratio = 1.05;
	print_row(sums);
	print_row(scan_row<float>(
	    "scan exclusive", "f32", n,
	    [=](const float *x, float *y) { OURS(scan_exclusive_f32, (m), x, y); },
	    [=](size_t &t, const float *x, float *y) {
		    return cub::DeviceScan::ExclusiveSum(scratch, t, x, y, m, stream);
	    },
	    rounding(n)));
	print_row(scan_row<float>(
	    "scan max", "f32", n, [=](const float *x, float *y) { OURS(scan_max_f32, (m), x, y); },
	    [=](size_t &t, const float *x, float *y) {
		    return cub::DeviceScan::InclusiveScan(scratch, t, x, y, cuda::maximum<>{}, m,
		    stream);
	    },
	    1e-9));
	fill_pools(BITS);
	print_row(scan_row<int32_t>(
	    "scan", "i32", n, [=](const int32_t *x, int32_t *y) { OURS(scan_i32, (m), x, y); },
	    [=](size_t &t, const int32_t *x, int32_t *y) {
		    return cub::DeviceScan::InclusiveSum(scratch, t, x, y, m, stream);
	    },
	    1e-9));
	fill_pools(DOUBLES);
	print_row(scan_row<double>(
	    "scan", "f64", n / 2, [=](const double *x, double *y) {
		OURS(scan_f64, (m / 2), x, y);
	},
	    [=](size_t &t, const double *x, double *y) {
		    return cub::DeviceScan::InclusiveSum(scratch, t, x, y, m / 2, stream);
	    },
	    1e-8 * rounding(n)));
}

/* ---- recurrences y = b y + x: CUB scans pairs (weight, value) ---- */

struct after {
	__device__ float2 operator()(float2 a, float2 b) const
	{
		return make_float2(a.x * b.x, a.y * b.x + b.y);
	}
};
/* b: the weights, or NULL: all are a. */
__global__ static void make_pairs(float2 *pairs, const float *b, float a, const float *x, size_t n)
{
	const size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
	if (i < n)
		pairs[i] = make_float2(b ? b[i] : a, x[i]);
}
static void recurrences(size_t n)
{
	const int64_t m = (int64_t)n;
	const size_t bytes = n * 4;
	const unsigned grid = (unsigned)((n + 255) / 256);
	float2 *const pairs = allocate<float2>(n), *const sums = allocate<float2>(n);
	const call_fn anchor = [=](int) {
		size_t t = scratch_bytes;
		CUDA(cub::DeviceScan::InclusiveScan(scratch, t, pairs, sums, after{}, m, stream));
	};
	const auto difference = [=] {
		return differ<float, float2>(place<float>(1, bytes, 0), sums, n, 1e-4);
	};
	fill_pools(FLOATS);
	make_pairs<<<grid, 256, 0, stream>>>(pairs, nullptr, 0.9f, place<float>(0, bytes, 0), n);
	row one = { "recurrence, one weight", power(n) + " f32", 8.0 * (double)n, (double)n, CELLS,
	    COPY,
		[=](int c) {
			OURS(decay_f32, (m), 0.9f, place<float>(0, bytes, c),
			    place<float>(1, bytes, c));
		},
		"CUB, pairs", anchor, difference };
	one.must_ratio = 3;
	print_row(one);
	make_pairs<<<grid, 256, 0,
	    stream>>>(pairs, place<float>(2, bytes, 0), 0, place<float>(0, bytes, 0), n);
	row each = { "recurrence, weights", power(n) + " f32", 12.0 * (double)n, (double)n, CELLS,
	    COPY,
		[=](int c) {
			OURS(decay_each_f32, (m), place<float>(2, bytes, c),
			    place<float>(0, bytes, c), place<float>(1, bytes, c));
		},
		"CUB, pairs", anchor, difference };
	each.must_ratio = 2;
	print_row(each);
	print_row({ "biquad", power(n) + " f32", 8.0 * (double)n, (double)n, CELLS, COPY,
	    [=](int c) {
		    OURS(biquad_f32, (m), 0.2f, 0.4f, 0.2f, -0.4f, 0.2f, place<float>(0, bytes, c),
		        place<float>(1, bytes, c));
	    },
	    "", nullptr, nullptr });
	CUDA(cudaFree(pairs));
	CUDA(cudaFree(sums));
}

/* ---- segments ---- */

static void segmented_scans(size_t n, int mean)
{
	const segments cut(n, mean);
	const int64_t m = (int64_t)n, count = cut.count;
	const size_t bytes = n * 4;
	const int32_t *const offset = cut.offset, *const key = cut.key;
	const uint8_t *const head = cut.head;
	const std::string size = power(n) + " mean " + std::to_string(mean);
	const call_fn anchor = [=](int c) {
		size_t t = scratch_bytes;
		CUDA(cub::DeviceScan::InclusiveSumByKey(scratch, t, key, place<float>(0, bytes, c),
		    place<float>(2, bytes, c), (int)n, cuda::std::equal_to<>{}, stream));
	};
	const auto difference = [=] {
		return differ<float>(place<float>(1, bytes, 0), place<float>(2, bytes, 0), n,
		    rounding(2 * (size_t)mean));
	};
	fill_pools(FLOATS);
	row offsets = { "scan by offsets", size, 8.0 * (double)n + 4.0 * (double)count, (double)n,
	    CELLS, COPY,
		[=](int c) {
			OURS(scan_offsets_f32, (count + 1, m), offset, place<float>(0, bytes, c),
			    place<float>(1, bytes, c));
		},
		"CUB by key", anchor, difference };
	offsets.must_ratio = 1.3;
	print_row(offsets);
	print_row({ "scan by heads", size, 9.0 * (double)n, (double)n, CELLS, COPY,
	    [=](int c) {
		    OURS(scan_heads_f32, (m), head, place<float>(0, bytes, c),
		    place<float>(1, bytes, c));
	    },
	    "CUB by key", anchor, difference });
	print_row({ "scan by keys", size, 12.0 * (double)n, (double)n, CELLS, COPY,
	    [=](int c) {
		    OURS(scan_keys_f32, (m), key, place<float>(0, bytes, c),
		    place<float>(1, bytes, c));
	    },
	    "CUB by key", anchor, difference });
}

/* ---- rows and columns: peers.py has their anchor ---- */

static void axis_scans(int64_t n, int64_t m)
{
	const double cells = (double)(n * m);
	const size_t bytes = (size_t)(n * m) * 4;
	const std::string size = std::to_string(n) + "x" + std::to_string(m) + " f32";
	fill_pools(FLOATS);
	print_row({ "scan of rows", size, 8 * cells, cells, BYTES, COPY,
	    [=](int c) {
		OURS(scan_rows_f32, (n, m), place<float>(0, bytes, c), place<float>(1, bytes, c));
	},
	    "", nullptr, nullptr });
	print_row({ "scan of columns", size, 8 * cells, cells, BYTES, COPY,
	    [=](int c) {
		OURS(scan_columns_f32, (n, m), place<float>(0, bytes, c),
		    place<float>(1, bytes, c));
	},
	    "", nullptr, nullptr });
}

void sequence_works(size_t big)
{
	fill_pools(FLOATS);
	for (size_t n : { (size_t)1 << 16, (size_t)1 << 20, (size_t)1 << 24 })
		small_scan(n);
	large_scans(big);
	recurrences(big / 2);
	for (int mean : { 10, 1000, 1000000 })
		if (wanted("scan by offsets") || wanted("scan by heads") || wanted("scan by keys"))
			segmented_scans(big / 2, mean);
	axis_scans(16384, (int64_t)big / 16384);
	axis_scans((int64_t)big / 256, 256);
	axis_scans(256, (int64_t)big / 256);
}
