/* C = alpha A B + beta C: a thread per cell */
#include "plain.cuh"

static __global__ void product(int64_t ni, int64_t nj, int64_t nk, double alpha, double beta,
	double *C, const double *A, const double *B)
{
	int64_t i = AT_Y, j = AT_X;
	if (i >= ni || j >= nj)
		return;
	double sum = 0;
	for (int64_t k = 0; k < nk; k++)
		sum += A[i * nk + k] * B[k * nj + j];
	C[i * nj + j] = alpha * sum + beta * C[i * nj + j];
}

extern "C" void gemm_cuda(int64_t ni, int64_t nj, int64_t nk, double alpha, double beta, double *C,
	const double *A, const double *B)
{
	product<<<PLANE(ni, nj)>>>(ni, nj, nk, alpha, beta, C, A, B);
	finish();
}
