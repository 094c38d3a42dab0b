/* G = (A B) (C D): three products, a thread per cell */
#include "plain.cuh"

static __global__ void product(int64_t n, int64_t l, int64_t m, const double *a, const double *b,
	double *to)
{
	int64_t i = AT_Y, j = AT_X;
	if (i >= n || j >= m)
		return;
	double sum = 0;
	for (int64_t k = 0; k < l; k++)
		sum += a[i * l + k] * b[k * m + j];
	to[i * m + j] = sum;
}

extern "C" void k3mm_cuda(int64_t ni, int64_t nk, int64_t nj, int64_t nm, int64_t nl,
	const double *A, const double *B, const double *C, const double *D, double *G)
{
	double *E = scratch<double>(0, ni * nj), *F = scratch<double>(1, nj * nl);
	product<<<PLANE(ni, nj)>>>(ni, nk, nj, A, B, E);
	product<<<PLANE(nj, nl)>>>(nj, nm, nl, C, D, F);
	product<<<PLANE(ni, nl)>>>(ni, nj, nl, E, F, G);
	finish();
}
