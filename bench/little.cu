/* little.cu - batches of dense systems of few unknowns: by LU beside cuBLAS's batched getrf and
 * getrs (and its batched inverse, which is not yet a solution), by Cholesky beside cuSOLVER's
 * batched potrf and potrs.  Entries are from -1 to 1; n more on the diagonal of a positive definite
 * matrix, beside the diagonal of others, so that rows are exchanged. */
#include <cublas_v2.h>
#include <cusolverDn.h>

#include "bench.cuh"
#include "batched.h"

static cublasHandle_t blas()
{
	static cublasHandle_t h;
	if (!h) {
		CUDA(cublasCreate(&h));
		CUDA(cublasSetStream(h, stream));
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

/* ---- the libraries' calls, of both types ---- */

static int getrf(int n, float **a, int *pivots, int *info, int s)
{
	return cublasSgetrfBatched(blas(), n, a, n, pivots, info, s);
}
static int getrf(int n, double **a, int *pivots, int *info, int s)
{
	return cublasDgetrfBatched(blas(), n, a, n, pivots, info, s);
}
/* their matrices lie by columns, ours by rows */
static int getrs(int n, float **a, const int *pivots, float **b, int s)
{
	int info;
	return cublasSgetrsBatched(blas(), CUBLAS_OP_T, n, 1, a, n, pivots, b, n, &info, s);
}
static int getrs(int n, double **a, const int *pivots, double **b, int s)
{
	int info;
	return cublasDgetrsBatched(blas(), CUBLAS_OP_T, n, 1, a, n, pivots, b, n, &info, s);
}
static int inverse(int n, float **a, float **b, int *info, int s)
{
	return cublasSmatinvBatched(blas(), n, a, n, b, n, info, s);
}
static int potrf(int n, float **a, int *info, int s)
{
	return cusolverDnSpotrfBatched(solver(), CUBLAS_FILL_MODE_LOWER, n, a, n, info, s);
}
static int potrf(int n, double **a, int *info, int s)
{
	return cusolverDnDpotrfBatched(solver(), CUBLAS_FILL_MODE_LOWER, n, a, n, info, s);
}
static int potrs(int n, float **a, float **b, int *info, int s)
{
	return cusolverDnSpotrsBatched(solver(), CUBLAS_FILL_MODE_LOWER, n, 1, a, n, b, n, info, s);
}
static int potrs(int n, double **a, double **b, int *info, int s)
{
	return cusolverDnDpotrsBatched(solver(), CUBLAS_FILL_MODE_LOWER, n, 1, a, n, b, n, info, s);
}

/* ---- data ---- */

__device__ static double random_at(int64_t i)
{
	uint32_t h = (uint32_t)i * 9781u + 7;
	for (int k = 0; k < 3; k++)
		h = (h ^ h >> 15) * 0x2c1b3c6du;
	return (double)(h >> 8) / (1 << 23) - 1;
}
template <class T> __global__ static void fill(T *a, int64_t n, int64_t cells, bool positive)
{
	const int64_t at = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
	if (at >= cells)
		return;
	const int64_t s = at / (n * n), i = at / n % n, j = at % n;
	const int64_t low = i > j ? i : j, high = i > j ? j : i;
	if (positive)
		a[at] = (T)(random_at((s * n + low) * n + high) + (i == j ? (double)n : 0));
	else
		a[at] = (T)(random_at(at) + (j == (i + 1) % n ? (double)n : 0));
}
template <class T> __global__ static void point(T **to, T *a, int64_t each, int64_t s)
{
	const int64_t at = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
	if (at < s)
		to[at] = a + at * each;
}
static unsigned blocks(int64_t n) { return (unsigned)((n + 255) / 256); }

/* The libraries write factors over the matrices, and solutions over the right sides. */
template <class T> struct systems {
	int64_t n, s;
	T *a, *d, *x;                            /* what ours reads and writes */
	T *factors, *right;                      /* what the others do */
	T **at, **right_at;
	int *pivots, *info;
	systems(int64_t n_, int64_t s_, bool positive) : n(n_), s(s_)
	{
		const size_t cells = (size_t)(s * n);
		a = allocate<T>(cells * (size_t)n), factors = allocate<T>(cells * (size_t)n);
		d = allocate<T>(cells), x = allocate<T>(cells), right = allocate<T>(cells);
		at = allocate<T *>((size_t)s), right_at = allocate<T *>((size_t)s);
		pivots = allocate<int>(cells), info = allocate<int>((size_t)s);
		fill<<<blocks(s * n * n), 256, 0, stream>>>(a, n, s * n * n, positive);
		fill<<<blocks(s * n), 256, 0, stream>>>(d, n, s * n, false);
		point<<<blocks(s), 256, 0, stream>>>(at, factors, n * n, s);
		point<<<blocks(s), 256, 0, stream>>>(right_at, right, n, s);
		renew();
	}
	~systems()
	{
		for (void *p : { (void *)a, (void *)d, (void *)x, (void *)factors, (void *)right,
		        (void *)at, (void *)right_at, (void *)pivots, (void *)info })
			CUDA(cudaFree(p));
	}
	systems(const systems &) = delete;
	void renew() const
	{
		CUDA(cudaMemcpyAsync(factors, a, (size_t)(s * n * n) * sizeof(T),
		    cudaMemcpyDeviceToDevice, stream));
		CUDA(cudaMemcpyAsync(right, d, (size_t)(s * n) * sizeof(T),
		    cudaMemcpyDeviceToDevice, stream));
	}
};

/* ---- rows ---- */

template <class T, class F, class G>
static void compare_row(const char *name, const char *anchor_name, const systems<T> &q, double must,
    bool solves, F ours, G anchor)
{
	const double cells = (double)(q.s * q.n);
	row r = { name, std::to_string(q.s) + " of " + std::to_string(q.n)
	    + (sizeof(T) == 4 ? " f32" : " f64"),
	    cells * (double)(q.n + 2) * sizeof(T), (double)q.s, BYTES, COPY,
	    [=](int) { ours(); }, anchor_name, [=](int) { anchor(); },
	    [&q, ours, anchor, solves] {
		q.renew();
		ours();
		anchor();
		const double off = sizeof(T) == 4 ? 2e-4 : 1e-12;
		return solves ? differ<T>(q.x, q.right, (size_t)(q.s * q.n), off) : 0;
	    } };
	r.calls = 1;
	r.prepare = [&q](int) { q.renew(); };
	r.must_ratio = must;
	print_row(r);
}

template <class T, class F> static void lu(int64_t n, int64_t s, double must, F kernel)
{
	const systems<T> q(n, s, false);
	compare_row("little systems, LU", "cuBLAS getrf, getrs", q, must, true,
	    [&] { kernel(q); },
	    [&] {
		CUDA(getrf((int)n, q.at, q.pivots, q.info, (int)s));
		CUDA(getrs((int)n, q.at, q.pivots, q.right_at, (int)s));
	    });
}

template <class T, class F> static void cholesky(int64_t n, int64_t s, double must, F kernel)
{
	const systems<T> q(n, s, true);
	compare_row("little systems, Cholesky", "cuSOLVER potrf, potrs", q, must, true,
	    [&] { kernel(q); },
	    [&] {
		CUDA(potrf((int)n, q.at, q.info, (int)s));
		CUDA(potrs((int)n, q.at, q.right_at, q.info, (int)s));
	    });
}

/* The inverse alone: its product with the right side would come on top. */
static void beside_inverse(int64_t n, int64_t s)
{
	const systems<float> q(n, s, false);
	float *const to = allocate<float>((size_t)(s * n * n)),
	    **const to_at = allocate<float *>((size_t)s);
	point<<<blocks(s), 256, 0, stream>>>(to_at, to, n * n, s);
	compare_row("little systems, LU", "cuBLAS matinv", q, 0, false,
	    [&] { OURS(little16, (q.s), q.a, q.d, q.x); },
	    [&] { CUDA(inverse((int)n, q.at, to_at, q.info, (int)s)); });
	CUDA(cudaFree(to));
	CUDA(cudaFree(to_at));
}

#define SOLVED_BY(kernel) [](const auto &q) { OURS(kernel, (q.s), q.a, q.d, q.x); }

void little_works()
{
	const int64_t million = 1 << 20;
	if (wanted("little systems, LU")) {
		lu<float>(4, 4 * million, 0, SOLVED_BY(little4));
		lu<float>(8, 2 * million, 0, SOLVED_BY(little8));
		lu<float>(16, million / 8, 3, SOLVED_BY(little16));
		lu<float>(16, million, 3, SOLVED_BY(little16));
		lu<float>(32, million / 4, 0, SOLVED_BY(little32));
		lu<double>(8, 2 * million, 0, SOLVED_BY(little8d));
		lu<double>(16, million, 3, SOLVED_BY(little16d));
		beside_inverse(16, million);
	}
	if (wanted("little systems, Cholesky")) {
		cholesky<float>(16, million, 3, SOLVED_BY(positive16));
		cholesky<double>(16, million, 3, SOLVED_BY(positive16d));
	}
}
