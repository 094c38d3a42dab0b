/* A x = b: two launches per column of A = L U, then each y and each x is taken from what is left */
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

static __global__ void forward(int64_t n, int64_t k, const double *A, double *y)
{
	int64_t i = k + 1 + AT_X;
	if (i < n)
		y[i] -= A[i * n + k] * y[k];
}

static __global__ void divide(int64_t n, int64_t k, const double *A, double *x)
{
	x[k] /= A[k * n + k];
}

static __global__ void backward(int64_t n, int64_t k, const double *A, double *x)
{
	int64_t i = AT_X;
	if (i < k)
		x[i] -= A[i * n + k] * x[k];
}

extern "C" void ludcmp_cuda(int64_t n, double *A, const double *b, double *x, double *y)
{
	size_t bytes = (size_t)n * sizeof *x;
	for (int64_t k = 0; k < n; k++) {
		column<<<LINE(n - k - 1)>>>(n, k, A);
		rest<<<PLANE(n - k - 1, n - k - 1)>>>(n, k, A);
	}
	cudaMemcpy(y, b, bytes, cudaMemcpyDeviceToDevice);
	for (int64_t k = 0; k < n; k++)
		forward<<<LINE(n - k - 1)>>>(n, k, A, y);
	cudaMemcpy(x, y, bytes, cudaMemcpyDeviceToDevice);
	for (int64_t k = n - 1; k >= 0; k--) {
		divide<<<1, 1>>>(n, k, A, x);
		backward<<<LINE(k)>>>(n, k, A, x);
	}
	finish();
}
