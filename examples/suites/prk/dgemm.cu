/* C += A B, again and again: a thread per cell */
#include "plain.cuh"

static __global__ void product(int64_t n, const double *A, const double *B, double *C)
{
	int64_t i = AT_Y, j = AT_X;
	if (i >= n || j >= n)
		return;
	double sum = 0;
	for (int64_t k = 0; k < n; k++)
		sum += A[i * n + k] * B[k * n + j];
	C[i * n + j] += sum;
}

extern "C" void dgemm_cuda(int64_t order, int64_t iterations, const double *A, const double *B,
	double *C)
{
	for (int64_t t = 0; t < iterations; t++)
		product<<<PLANE(order, order)>>>(order, A, B, C);
	finish();
}
