/* The triad, again and again: A += B + scalar C */
#include "plain.cuh"

static __global__ void triad(int64_t n, double scalar, double *A, const double *B, const double *C)
{
	int64_t i = AT_X;
	if (i < n)
		A[i] += B[i] + scalar * C[i];
}

extern "C" void nstream_cuda(int64_t length, int64_t iterations, double scalar, double *A,
	const double *B, const double *C)
{
	for (int64_t t = 0; t < iterations; t++)
		triad<<<LINE(length)>>>(length, scalar, A, B, C);
	finish();
}
