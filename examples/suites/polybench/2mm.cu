/* D = alpha A B C + beta D: two products, a thread per cell */
#include "plain.cuh"

static __global__ void product(int64_t n, int64_t l, int64_t m, double alpha, const double *a,
	const double *b, double beta, double *to)
{
	int64_t i = AT_Y, j = AT_X;
	if (i >= n || j >= m)
		return;
	double sum = 0;
	for (int64_t k = 0; k < l; k++)
		sum += a[i * l + k] * b[k * m + j];
	to[i * m + j] = alpha * sum + (beta == 0 ? 0 : beta * to[i * m + j]);
}

extern "C" void k2mm_cuda(int64_t ni, int64_t nk, int64_t nj, int64_t nl, double alpha, double beta,
	const double *A, const double *B, const double *C, double *D)
{
	double *tmp = scratch<double>(0, ni * nj);
	product<<<PLANE(ni, nj)>>>(ni, nk, nj, alpha, A, B, 0, tmp);
	product<<<PLANE(ni, nl)>>>(ni, nj, nl, 1, tmp, C, beta, D);
	finish();
}
