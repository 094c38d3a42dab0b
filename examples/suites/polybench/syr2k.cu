/* The lower half of C = alpha (A B^T + B A^T) + beta C: a thread per cell */
#include "plain.cuh"

static __global__ void product(int64_t n, int64_t m, double alpha, double beta, double *C,
	const double *A, const double *B)
{
	int64_t i = AT_Y, j = AT_X;
	if (i >= n || j > i)
		return;
	double sum = 0;
	for (int64_t k = 0; k < m; k++)
		sum += A[j * m + k] * B[i * m + k] + B[j * m + k] * A[i * m + k];
	C[i * n + j] = beta * C[i * n + j] + alpha * sum;
}

extern "C" void syr2k_cuda(int64_t n, int64_t m, double alpha, double beta, double *C,
	const double *A, const double *B)
{
	product<<<PLANE(n, n)>>>(n, m, alpha, beta, C, A, B);
	finish();
}
