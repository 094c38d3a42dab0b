/* A = L L^T: three launches per column */
#include "plain.cuh"

static __global__ void root(int64_t n, int64_t k, double *A)
{
	A[k * n + k] = sqrt(A[k * n + k]);
}

static __global__ void column(int64_t n, int64_t k, double *A)
{
	int64_t i = k + 1 + AT_X;
	if (i < n)
		A[i * n + k] /= A[k * n + k];
}

static __global__ void rest(int64_t n, int64_t k, double *A)
{
	int64_t i = k + 1 + AT_Y, j = k + 1 + AT_X;
	if (i < n && j <= i)
		A[i * n + j] -= A[i * n + k] * A[j * n + k];
}

extern "C" void cholesky_cuda(int64_t n, double *A)
{
	for (int64_t k = 0; k < n; k++) {
		root<<<1, 1>>>(n, k, A);
		column<<<LINE(n - k - 1)>>>(n, k, A);
		rest<<<PLANE(n - k - 1, n - k - 1)>>>(n, k, A);
	}
	finish();
}
