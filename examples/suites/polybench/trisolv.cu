/* L x = b, forwards: two launches per x, which is taken from what is left of b */
#include "plain.cuh"

static __global__ void divide(int64_t n, int64_t k, const double *L, double *x)
{
	x[k] /= L[k * n + k];
}

static __global__ void rest(int64_t n, int64_t k, const double *L, double *x)
{
	int64_t i = k + 1 + AT_X;
	if (i < n)
		x[i] -= L[i * n + k] * x[k];
}

extern "C" void trisolv_cuda(int64_t n, const double *L, double *x, const double *b)
{
	cudaMemcpy(x, b, (size_t)n * sizeof *x, cudaMemcpyDeviceToDevice);
	for (int64_t k = 0; k < n; k++) {
		divide<<<1, 1>>>(n, k, L, x);
		rest<<<LINE(n - k - 1)>>>(n, k, L, x);
	}
	finish();
}
