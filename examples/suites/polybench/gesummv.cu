/* y = alpha A x + beta B x: a thread per row */
#include "plain.cuh"

static __global__ void rows(int64_t n, double alpha, double beta, const double *A, const double *B,
	const double *x, double *y)
{
	int64_t i = AT_X;
	if (i >= n)
		return;
	double a = 0, b = 0;
	for (int64_t j = 0; j < n; j++) {
		a += A[i * n + j] * x[j];
		b += B[i * n + j] * x[j];
	}
	y[i] = alpha * a + beta * b;
}

extern "C" void gesummv_cuda(int64_t n, double alpha, double beta, const double *A, const double *B,
	const double *x, double *y)
{
	rows<<<LINE(n)>>>(n, alpha, beta, A, B, x, y);
	finish();
}
