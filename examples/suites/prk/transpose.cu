/* B += A^T, then every cell of A grows by one: a thread per cell */
#include "plain.cuh"

static __global__ void add(int64_t n, const double *A, double *B)
{
	int64_t i = AT_Y, j = AT_X;
	if (i < n && j < n)
		B[i * n + j] += A[j * n + i];
}

static __global__ void grow(int64_t n, double *A)
{
	int64_t i = AT_Y, j = AT_X;
	if (i < n && j < n)
		A[i * n + j] += 1;
}

extern "C" void transposed_cuda(int64_t order, int64_t iterations, double *A, double *B)
{
	for (int64_t t = 0; t < iterations; t++) {
		add<<<PLANE(order, order)>>>(order, A, B);
		grow<<<PLANE(order, order)>>>(order, A);
	}
	finish();
}
