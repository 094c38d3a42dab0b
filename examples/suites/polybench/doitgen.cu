/* A[r, q, :] becomes A[r, q, :] C4: a thread per cell, into another array, which is copied back */
#include "plain.cuh"

static __global__ void product(int64_t rows, int64_t np, const double *A, const double *C4,
	double *sum)
{
	int64_t i = AT_Y, p = AT_X;
	if (i >= rows || p >= np)
		return;
	double all = 0;
	for (int64_t s = 0; s < np; s++)
		all += A[i * np + s] * C4[s * np + p];
	sum[i * np + p] = all;
}

extern "C" void doitgen_cuda(int64_t nr, int64_t nq, int64_t np, double *A, const double *C4)
{
	int64_t rows = nr * nq;
	double *sum = scratch<double>(0, rows * np);
	product<<<PLANE(rows, np)>>>(rows, np, A, C4, sum);
	cudaMemcpy(A, sum, (size_t)(rows * np) * sizeof *A, cudaMemcpyDeviceToDevice);
	finish();
}
