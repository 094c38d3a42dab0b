/* systems.cu - triangular systems with many right sides beside cuBLAS, factors of matrices in place
 * beside cuSOLVER, which is told not to exchange rows. */
#include <cublas_v2.h>
#include <cusolverDn.h>

#include "bench.cuh"
#include "system.h"

static cublasHandle_t blas()
{
	static cublasHandle_t h;
	if (!h) {
		CUDA(cublasCreate(&h));
		CUDA(cublasSetStream(h, stream));
		CUDA(cublasSetMathMode(h, CUBLAS_PEDANTIC_MATH));
	}
	return h;
}
static cusolverDnHandle_t solver()
{
	static cusolverDnHandle_t h;
	if (!h) {
		CUDA(cusolverDnCreate(&h));
		CUDA(cusolverDnSetStream(h, stream));
	}
	return h;
}

/* Small values, and a diagonal from 1 to 2, so that solutions neither vanish nor grow; with
 * `heavy` added to it, and alike on both sides of it, factors exist. */
template <class T> __global__ static void fill(T *a, int64_t n, int64_t m, float heavy)
{
	const int64_t at = blockIdx.x * (int64_t)blockDim.x + threadIdx.x, i = at / m, j = at % m;
	if (at >= n * m)
		return;
	uint32_t h = (uint32_t)(min(i, j) * 9781 + max(i, j) * 6271 + 1);
	for (int k = 0; k < 3; k++)
		h = (h ^ h >> 15) * 0x2c1b3c6du;
	const float noise = (float)(h >> 8) / (1 << 24) - 0.5f;
	a[at] = (T)(i == j ? 1.5f + noise + heavy : noise * rsqrtf((float)m));
}
template <class T> static T *matrix(int64_t n, int64_t m, float heavy)
{
	T *const p = allocate<T>((size_t)(n * m));
	fill<<<(unsigned)((n * m + 255) / 256), 256, 0, stream>>>(p, n, m, heavy);
	return p;
}

/* ---- A X = B ---- */

/* Row-major X of n x m is what cuBLAS sees as the columns of its transpose: X' A' = B'. */
static void trsm(bool lower, int n, int m, const float *a, float *x)
{
	const float one = 1;
	CUDA(cublasStrsm(blas(), CUBLAS_SIDE_RIGHT,
	    lower ? CUBLAS_FILL_MODE_UPPER : CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N,
	    CUBLAS_DIAG_NON_UNIT, m, n, &one, a, n, x, m));
}
static void trsm(bool lower, int n, int m, const double *a, double *x)
{
	const double one = 1;
	CUDA(cublasDtrsm(blas(), CUBLAS_SIDE_RIGHT,
	    lower ? CUBLAS_FILL_MODE_UPPER : CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N,
	    CUBLAS_DIAG_NON_UNIT, m, n, &one, a, n, x, m));
}
template <class T, class F>
static void systems(const char *name, const char *type, bool lower, int64_t n, int64_t m,
    double must, F call)
{
	if (!wanted(name))
		return;
	T *const a = matrix<T>(n, n, 0), *const b = matrix<T>(n, m, 0),
	  *const x = matrix<T>(n, m, 0), *const other = matrix<T>(n, m, 0);
	row r = { name, std::to_string(n) + "x" + std::to_string(m) + " " + type, 0,
	    (double)n * (double)n * (double)m, FLOPS, NONE, nullptr, "cuBLAS", nullptr, nullptr };
	r.ours = [=](int) { call(a, b, x); };
	/* in place: its next call begins with the result */
	r.anchor = [=](int) { trsm(lower, (int)n, (int)m, a, other); };
	r.difference = [=] {
		CUDA(cudaMemcpyAsync(other, b, (size_t)(n * m) * sizeof(T),
		    cudaMemcpyDeviceToDevice, stream));
		trsm(lower, (int)n, (int)m, a, other);
		return differ<T>(x, other, (size_t)(n * m), sizeof(T) == 4 ? 3e-5 : 3e-13);
	};
	r.must_ratio = must;
	print_row(r);
	for (T *p : { a, b, x, other })
		CUDA(cudaFree(p));
}
static void systems_of(int64_t n, int64_t m, double must)
{
	systems<float>("triangular systems", "f32", true, n, m, must,
	    [=](const float *a, const float *b, float *x) {
		OURS(systems_lower, (n, m), a, b, x);
	});
	systems<float>("triangular systems, upper", "f32", false, n, m, 0,
	    [=](const float *a, const float *b, float *x) {
		OURS(systems_upper, (n, m), a, b, x);
	});
}

/* ---- factors in place ---- */

template <class F, class G>
static void factors(const char *name, int64_t n, double operations, F call, G other)
{
	if (!wanted(name))
		return;
	float *const from = matrix<float>(n, n, 4), *const a = matrix<float>(n, n, 4),
	      *const b = matrix<float>(n, n, 4);
	const auto renew = [=](float *to) {
		CUDA(cudaMemcpyAsync(to, from, (size_t)(n * n) * sizeof(float),
		    cudaMemcpyDeviceToDevice, stream));
	};
	row r = { name, std::to_string(n) + "^2 f32", 0, operations, FLOPS, NONE, nullptr,
	    "cuSOLVER", nullptr, nullptr };
	r.ours = [=](int) { call(a); };
	r.anchor = [=](int) { other(b); };
	r.calls = 1;
	r.prepare = [=](int) {
		renew(a);
		renew(b);
	};
	print_row(r);
	for (float *p : { from, a, b })
		CUDA(cudaFree(p));
}
static void factors_of(int64_t n)
{
	const double cube = (double)n * (double)n * (double)n;
	int words = 0, *const info = allocate<int>(1);
	CUDA(cusolverDnSgetrf_bufferSize(solver(), (int)n, (int)n, nullptr, (int)n, &words));
	float *const lu_room = allocate<float>((size_t)words + 1);
	factors("LU", n, cube * 2 / 3, [=](float *a) { OURS(lu_f32, (n), a); }, [=](float *a) {
		CUDA(cusolverDnSgetrf(solver(), (int)n, (int)n, a, (int)n, lu_room, nullptr,
		    info));
	});
	CUDA(cusolverDnSpotrf_bufferSize(solver(), CUBLAS_FILL_MODE_UPPER, (int)n, nullptr, (int)n,
	    &words));
	float *const cholesky_room = allocate<float>((size_t)words + 1);
	factors("Cholesky", n, cube / 3, [=](float *a) { OURS(cholesky_f32, (n), a); },
	    [=](float *a) {
		CUDA(cusolverDnSpotrf(solver(), CUBLAS_FILL_MODE_UPPER, (int)n, a, (int)n,
		    cholesky_room, words, info));
	});
	CUDA(cudaFree(lu_room));
	CUDA(cudaFree(cholesky_room));
	CUDA(cudaFree(info));
}

void system_works(size_t big)
{
	for (int64_t n : { 1024, 4096, 8192 })
		if ((size_t)(n * n) <= big)
			systems_of(n, n, n == 8192 ? 0.7 : 0);
	systems_of(4095, 1021, 0);
	systems<double>("triangular systems", "f64", true, 4096, 4096, 0,
	    [=](const double *a, const double *b, double *x) {
		OURS(systems_f64, (4096, 4096), a, b, x);
	});
	for (int64_t n : { 1024, 4096 })
		factors_of(n);
}
