/* s = A^T r and q = A p: a thread per column, and a thread per row */
#include "plain.cuh"

static __global__ void columns(int64_t n, int64_t m, const double *A, const double *r, double *s)
{
	int64_t j = AT_X;
	if (j >= m)
		return;
	double sum = 0;
	for (int64_t i = 0; i < n; i++)
		sum += r[i] * A[i * m + j];
	s[j] = sum;
}

static __global__ void rows(int64_t n, int64_t m, const double *A, const double *p, double *q)
{
	int64_t i = AT_X;
	if (i >= n)
		return;
	double sum = 0;
	for (int64_t j = 0; j < m; j++)
		sum += A[i * m + j] * p[j];
	q[i] = sum;
}

extern "C" void bicg_cuda(int64_t n, int64_t m, const double *A, double *s, double *q,
	const double *p, const double *r)
{
	columns<<<LINE(m)>>>(n, m, A, r, s);
	rows<<<LINE(n)>>>(n, m, A, p, q);
	finish();
}
