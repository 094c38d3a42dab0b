/* moving.cu - transposes beside cuBLAS's geam, or a copy of as many bytes; histograms beside
 * CUB. */
#include <cublas_v2.h>
#include <cub/cub.cuh>

#include "bench.cuh"
#include "moves.h"

static cublasHandle_t handle()
{
	static cublasHandle_t h;
	if (!h) {
		CUDA(cublasCreate(&h));
		CUDA(cublasSetStream(h, stream));
	}
	return h;
}
/* Row-major b = a transposed. */
static void geam(int n, int m, const float *a, float *b)
{
	const float one = 1, zero = 0;
	CUDA(cublasSgeam(handle(), CUBLAS_OP_T, CUBLAS_OP_N, n, m, &one, a, m, &zero, b, n, b, n));
}
static void geam(int n, int m, const double *a, double *b)
{
	const double one = 1, zero = 0;
	CUDA(cublasDgeam(handle(), CUBLAS_OP_T, CUBLAS_OP_N, n, m, &one, a, m, &zero, b, n, b, n));
}
static void copy(size_t bytes, int call)
{
	CUDA(cudaMemcpyAsync(place<char>(2, bytes, call), place<char>(0, bytes, call), bytes,
	    cudaMemcpyDeviceToDevice, stream));
}

template <class T, class F>
static row turned(const char *name, const std::string &size, int64_t cells, double must, F ours)
{
	const size_t bytes = (size_t)cells * sizeof(T);
	row r = { name, size, 2.0 * (double)bytes, (double)cells, BYTES, COPY, nullptr,
	    "cudaMemcpy", nullptr, nullptr };
	r.ours = [=](int c) { ours(place<T>(0, bytes, c), place<T>(1, bytes, c)); };
	r.anchor = [=](int c) { copy(bytes, c); };
	r.must_ratio = must;
	return r;
}
static std::string square(int64_t n, int64_t m, const char *type)
{
	return (n == m ? std::to_string(n) + "^2 " : std::to_string(n) + "x" + std::to_string(m) +
	    " ") + type;
}
template <class T, class F>
static void beside_geam(const char *type, int64_t n, int64_t m, double must, F ours)
{
	const size_t bytes = (size_t)(n * m) * sizeof(T);
	row r = turned<T>("transpose", square(n, m, type), n * m, must, [=](const T *a, T *b) {
		ours(n, m, a, b);
	});
	r.anchor_name = "cuBLAS geam";
	r.anchor = [=](int c) {
		geam((int)n, (int)m, place<T>(0, bytes, c), place<T>(2, bytes, c));
	};
	r.difference = [=] {
		return differ<T>(place<T>(1, bytes, 0), place<T>(2, bytes, 0), (size_t)(n * m),
		    1e-30);
	};
	print_row(r);
}

#define F32 [](int64_t n, int64_t m, const float *a, float *b) { \
	OURS(transpose_f32, (n, m), a, b); \
}
#define F64 [](int64_t n, int64_t m, const double *a, double *b) { \
	OURS(transpose_f64, (n, m), a, b); \
}
static void planes(size_t big)
{
	const int64_t n = big >= (size_t)1 << 28 ? 16384 : 8192;
	fill_pools(FLOATS);
	beside_geam<float>("f32", n, n, 1.0, F32);
	beside_geam<float>("f32", n + 3, n - 5, 0, F32);
	beside_geam<float>("f32", 1024, 1024, 0, F32);
	beside_geam<float>("f32", n * n / 8, 8, 0, F32);
	beside_geam<float>("f32", 3, n * n / 4, 0, F32);
	fill_pools(DOUBLES);
	beside_geam<double>("f64", n / 2, n, 0, F64);
	fill_pools(FLOATS);
	print_row(turned<double>("transpose beside a copy", square(n / 2, n, "f64"), n * n / 2, 0.8,
	    [=](const double *a, double *b) {
		OURS(transpose_f64, (n / 2, n), a, b);
	}));
	print_row(turned<uint16_t>("transpose beside a copy", square(n, n, "u16"), n * n, 0.8,
	    [=](const uint16_t *a, uint16_t *b) {
		OURS(transpose_u16, (n, n), a, b);
	}));
	print_row(turned<uint8_t>("transpose beside a copy", square(2 * n, n, "u8"), 2 * n * n, 0.8,
	    [=](const uint8_t *a, uint8_t *b) {
		OURS(transpose_u8, (2 * n, n), a, b);
	}));
	print_row(turned<uint8_t>("transpose beside a copy", square(n + 1, n - 1, "u8"),
	    (n + 1) * (n - 1), 0, [=](const uint8_t *a, uint8_t *b) {
		OURS(transpose_u8, (n + 1, n - 1), a, b);
	}));
	for (const int64_t side : { 3, 4, 8, 31 }) {
		const int64_t rows = 2 * n * n / side / 64 * 64;
		print_row(turned<uint8_t>("transpose beside a copy", square(rows, side, "u8"),
		    rows * side, 0,
		    [=](const uint8_t *a, uint8_t *b) {
			OURS(transpose_u8, (rows, side), a, b);
		}));
		print_row(turned<uint8_t>("transpose beside a copy", square(side, rows, "u8"),
		    rows * side, 0,
		    [=](const uint8_t *a, uint8_t *b) {
			OURS(transpose_u8, (side, rows), a, b);
		}));
	}
	print_row(turned<float>("transpose beside a copy", square(n * n / 192 * 64, 3, "f32"),
	    n * n / 192 * 192, 0, [=](const float *a, float *b) {
		OURS(transpose_f32, (n * n / 192 * 64, 3), a, b);
	}));
	print_row(turned<float>("transpose beside a copy", square(24, n * n / 192 * 8, "f32"),
	    n * n / 192 * 192, 0, [=](const float *a, float *b) {
		OURS(transpose_f32, (24, n * n / 192 * 8), a, b);
	}));
	print_row(turned<Atom>("transpose beside a copy", square(n / 2, n / 2, "3 f32"), n * n / 4,
	    0, [=](const Atom *a, Atom *b) {
		OURS(transpose_atoms, (n / 2, n / 2), a, b);
	}));
	row scaled = turned<float>("transpose, b += s a", square(n, n, "f32"), n * n, 0,
	    [=](const float *a, float *b) {
		OURS(transpose_scaled, (n, n), a, b, 0.5f);
	});
	scaled.bytes *= 1.5;
	scaled.anchor = nullptr;
	print_row(scaled);
}
template <class F>
static void axes(const char *order, int64_t n, int64_t m, int64_t l, double must, F ours)
{
	const std::string size = std::to_string(n) + "x" + std::to_string(m) + "x" +
	    std::to_string(l) + " f32";
	print_row(turned<float>((std::string("axes ") + order).c_str(), size, n * m * l, must,
	    [=](const float *a, float *b) { ours(n, m, l, a, b); }));
}
#define AXES(order) #order, n, m, l, must, \
    [](int64_t i, int64_t j, int64_t k, const float *a, float *b) { \
	OURS(axes_##order, (i, j, k), a, b); \
}
static void cubes(int64_t n, int64_t m, int64_t l, double must)
{
	fill_pools(FLOATS);
	axes(AXES(021));
	axes(AXES(102));
	axes(AXES(120));
	axes(AXES(201));
	axes(AXES(210));
}

/* ---- histograms: of items in pool `from` ---- */

template <class T, class L> static void cub_bins(const T *x, int bins, L lo, L hi, size_t n)
{
	size_t bytes = 0;
	CUDA(cub::DeviceHistogram::HistogramEven(nullptr, bytes, x, (int32_t *)anchor_result,
	    bins + 1, lo, hi, (int64_t)n, stream));
	CUDA(cub::DeviceHistogram::HistogramEven(room(bytes), bytes, x, (int32_t *)anchor_result,
	    bins + 1, lo, hi, (int64_t)n, stream));
}
static row binned(const char *name, const std::string &size, size_t n, size_t bytes, int bins,
    double must)
{
	row r = { name, size, (double)(n * bytes), (double)n, BYTES, SUM, nullptr, "CUB", nullptr,
	    nullptr };
	r.difference = [=] {
		return differ<int32_t>(ours_result, anchor_result, (size_t)bins, 0.5);
	};
	r.must_ratio = must;
	return r;
}
static void clear(int bins) { CUDA(cudaMemsetAsync(ours_result, 0, (size_t)bins * 4, stream)); }

static void bytes_256(const char *what, int from, size_t n, double must)
{
	row r = binned("histogram, 256 bins", power(n) + " u8, " + what, n, 1, 256, must);
	r.ours = [=](int c) {
		clear(256);
		OURS(histogram_u8, ((int64_t)n), place<uint8_t>(from, n, c),
		    (int32_t *)ours_result);
	};
	r.anchor = [=](int c) { cub_bins(place<uint8_t>(from, n, c), 256, 0, 256, n); };
	print_row(r);
}
static void floats(int bins, size_t n, double must)
{
	row r = binned("histogram", power(n) + " f32, " + std::to_string(bins) + " bins", n, 4,
	    bins, must);
	r.ours = [=](int c) {
		clear(bins);
		OURS(histogram_f32, ((int64_t)n, (int64_t)bins), place<float>(0, n * 4, c),
		    (int32_t *)ours_result, (float)bins);
	};
	r.anchor = [=](int c) { cub_bins(place<float>(0, n * 4, c), bins, -0.5f, 0.5f, n); };
	print_row(r);
}
/* So many that CUB leaves its memory; random items add up in pool 1. */
static void floats_alone(int bins, size_t n)
{
	row r = binned("histogram", power(n) + " f32, " + std::to_string(bins) + " bins", n, 4,
	    bins, 0);
	int32_t *const h = place<int32_t>(1, (size_t)bins * 4, 0);
	r.ours = [=](int c) {
		OURS(histogram_f32, ((int64_t)n, (int64_t)bins), place<float>(0, n * 4, c), h,
		    (float)bins);
	};
	r.anchor_name = "";
	r.difference = nullptr;
	print_row(r);
}
static void histograms(size_t big)
{
	fill_pools(BITS);
	CUDA(cudaMemsetAsync(pool[2], 7, pool_bytes, stream));
	bytes_256("random", 0, big, 1.0);
	bytes_256("one value", 2, big, 1.0);
	fill_pools(FLOATS);
	floats(1024, big / 2, 2.0);
	floats(65536, big / 2, 3.0);
	floats(256, big / 2, 0);
	floats(1 << 20, big / 2, 0);
	floats_alone(1 << 24, big / 2);
}

void move_works(size_t big)
{
	planes(big);
	cubes(512, 512, big >= (size_t)1 << 28 ? 1024 : 256, 0.8);
	cubes(1000, 60, 1200, 0);
	histograms(big);
}
