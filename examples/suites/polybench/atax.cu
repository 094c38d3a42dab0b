/* y = A^T (A x): a thread per row, then a thread per column */
#include "plain.cuh"

static __global__ void rows(int64_t m, int64_t n, const double *A, const double *x, double *tmp)
{
	int64_t i = AT_X;
	if (i >= m)
		return;
	double sum = 0;
	for (int64_t j = 0; j < n; j++)
		sum += A[i * n + j] * x[j];
	tmp[i] = sum;
}

static __global__ void columns(int64_t m, int64_t n, const double *A, const double *tmp, double *y)
{
	int64_t j = AT_X;
	if (j >= n)
		return;
	double sum = 0;
	for (int64_t i = 0; i < m; i++)
		sum += A[i * n + j] * tmp[i];
	y[j] = sum;
}

extern "C" void atax_cuda(int64_t m, int64_t n, const double *A, const double *x, double *y)
{
	double *tmp = scratch<double>(0, m);
	rows<<<LINE(m)>>>(m, n, A, x, tmp);
	columns<<<LINE(n)>>>(m, n, A, tmp, y);
	finish();
}
