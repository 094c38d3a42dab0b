/* Gauss and Seidel, in place: a launch for all cells with the same 2 i + j, which no other of them
 * needs */
#include "plain.cuh"

static __global__ void diagonal(int64_t n, int64_t d, double *A)
{
	int64_t i = 1 + AT_X, j = d - 2 * i, at = i * n + j;
	if (i >= n - 1 || j < 1 || j >= n - 1)
		return;
	A[at] = (A[at - n - 1] + A[at - n] + A[at - n + 1] + A[at - 1] + A[at] + A[at + 1] +
		 A[at + n - 1] + A[at + n] + A[at + n + 1]) / 9;
}

extern "C" void seidel_2d_cuda(int64_t n, int64_t tsteps, double *A)
{
	for (int64_t t = 0; t < tsteps; t++)
		for (int64_t d = 3; d <= 3 * (n - 2); d++)
			diagonal<<<LINE(n - 2)>>>(n, d, A);
	finish();
}
