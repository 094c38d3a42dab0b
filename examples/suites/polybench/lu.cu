/* A = L U in place, without pivots: two launches per column */
#include "plain.cuh"

static __global__ void column(int64_t n, int64_t k, double *A)
{
	int64_t i = k + 1 + AT_X;
	if (i < n)
		A[i * n + k] /= A[k * n + k];
}

static __global__ void rest(int64_t n, int64_t k, double *A)
{
	int64_t i = k + 1 + AT_Y, j = k + 1 + AT_X;
	if (i < n && j < n)
		A[i * n + j] -= A[i * n + k] * A[k * n + j];
}

extern "C" void lu_cuda(int64_t n, double *A)
{
	for (int64_t k = 0; k < n; k++) {
		column<<<LINE(n - k - 1)>>>(n, k, A);
		rest<<<PLANE(n - k - 1, n - k - 1)>>>(n, k, A);
	}
	finish();
}
