/* x1 += A y1, x2 += A^T y2: a thread per row, and a thread per column */
#include "plain.cuh"

static __global__ void rows(int64_t n, const double *A, const double *y1, double *x1)
{
	int64_t i = AT_X;
	if (i >= n)
		return;
	double sum = x1[i];
	for (int64_t j = 0; j < n; j++)
		sum += A[i * n + j] * y1[j];
	x1[i] = sum;
}

static __global__ void columns(int64_t n, const double *A, const double *y2, double *x2)
{
	int64_t i = AT_X;
	if (i >= n)
		return;
	double sum = x2[i];
	for (int64_t j = 0; j < n; j++)
		sum += A[j * n + i] * y2[j];
	x2[i] = sum;
}

extern "C" void mvt_cuda(int64_t n, double *x1, double *x2, const double *y1, const double *y2,
	const double *A)
{
	rows<<<LINE(n)>>>(n, A, y1, x1);
	columns<<<LINE(n)>>>(n, A, y2, x2);
	finish();
}
