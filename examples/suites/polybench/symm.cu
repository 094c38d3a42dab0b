/* C = alpha A B + beta C, of A only the lower half is there: a thread per cell */
#include "plain.cuh"

static __global__ void product(int64_t m, int64_t n, double alpha, double beta, double *C,
	const double *A, const double *B)
{
	int64_t i = AT_Y, j = AT_X;
	if (i >= m || j >= n)
		return;
	double sum = 0;
	for (int64_t k = 0; k < m; k++)
		sum += (k <= i ? A[i * m + k] : A[k * m + i]) * B[k * n + j];
	C[i * n + j] = beta * C[i * n + j] + alpha * sum;
}

extern "C" void symm_cuda(int64_t m, int64_t n, double alpha, double beta, double *C,
	const double *A, const double *B)
{
	product<<<PLANE(m, n)>>>(m, n, alpha, beta, C, A, B);
	finish();
}
