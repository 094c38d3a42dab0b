/* The lower half of C = alpha A A^T + beta C: a thread per cell */
#include "plain.cuh"

static __global__ void product(int64_t n, int64_t m, double alpha, double beta, double *C,
	const double *A)
{
	int64_t i = AT_Y, j = AT_X;
	if (i >= n || j > i)
		return;
	double sum = 0;
	for (int64_t k = 0; k < m; k++)
		sum += A[i * m + k] * A[j * m + k];
	C[i * n + j] = beta * C[i * n + j] + alpha * sum;
}

extern "C" void syrk_cuda(int64_t n, int64_t m, double alpha, double beta, double *C,
	const double *A)
{
	product<<<PLANE(n, n)>>>(n, m, alpha, beta, C, A);
	finish();
}
