/* B = alpha A^T B, A lower triangular: a thread per cell, into another array,
 * which is copied back */
#include "plain.cuh"

static __global__ void product(int64_t m, int64_t n, double alpha, const double *A, const double *B,
	double *to)
{
	int64_t i = AT_Y, j = AT_X;
	if (i >= m || j >= n)
		return;
	double sum = B[i * n + j];
	for (int64_t k = i + 1; k < m; k++)
		sum += A[k * m + i] * B[k * n + j];
	to[i * n + j] = alpha * sum;
}

extern "C" void trmm_cuda(int64_t m, int64_t n, double alpha, const double *A, double *B)
{
	double *to = scratch<double>(0, m * n);
	product<<<PLANE(m, n)>>>(m, n, alpha, A, B, to);
	cudaMemcpy(B, to, (size_t)(m * n) * sizeof *B, cudaMemcpyDeviceToDevice);
	finish();
}
