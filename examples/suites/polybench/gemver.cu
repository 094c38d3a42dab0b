/* A += u1 v1^T + u2 v2^T;  x += beta A^T y + z;  w = alpha A x */
#include "plain.cuh"

static __global__ void outer(int64_t n, double *A, const double *u1, const double *v1,
	const double *u2, const double *v2)
{
	int64_t i = AT_Y, j = AT_X;
	if (i < n && j < n)
		A[i * n + j] += u1[i] * v1[j] + u2[i] * v2[j];
}

static __global__ void columns(int64_t n, double beta, const double *A, const double *y,
	const double *z, double *x)
{
	int64_t i = AT_X;
	if (i >= n)
		return;
	double sum = 0;
	for (int64_t j = 0; j < n; j++)
		sum += A[j * n + i] * y[j];
	x[i] += beta * sum + z[i];
}

static __global__ void rows(int64_t n, double alpha, const double *A, const double *x, double *w)
{
	int64_t i = AT_X;
	if (i >= n)
		return;
	double sum = 0;
	for (int64_t j = 0; j < n; j++)
		sum += A[i * n + j] * x[j];
	w[i] = alpha * sum;
}

extern "C" void gemver_cuda(int64_t n, double alpha, double beta, double *A, const double *u1,
	const double *v1, const double *u2, const double *v2, double *w, double *x, const double *y,
	const double *z)
{
	outer<<<PLANE(n, n)>>>(n, A, u1, v1, u2, v2);
	columns<<<LINE(n)>>>(n, beta, A, y, z, x);
	rows<<<LINE(n)>>>(n, alpha, A, x, w);
	finish();
}
