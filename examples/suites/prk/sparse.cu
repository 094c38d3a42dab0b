/* y += A x, A by compressed rows: a thread per row; every cell of x grows by one before */
#include "plain.cuh"

static __global__ void grow(int64_t n, double *x)
{
	int64_t i = AT_X;
	if (i < n)
		x[i] += 1;
}

static __global__ void product(int64_t n, const int64_t *rows, const int64_t *column,
	const double *value, const double *x, double *y)
{
	int64_t i = AT_X;
	if (i >= n)
		return;
	double sum = y[i];
	for (int64_t e = rows[i]; e < rows[i + 1]; e++)
		sum += value[e] * x[column[e]];
	y[i] = sum;
}

extern "C" void sparse_cuda(int64_t n, int64_t nonzeros, int64_t iterations, const int64_t *rows,
	const int64_t *column, const double *value, double *x, double *y)
{
	(void)nonzeros;
	for (int64_t t = 0; t < iterations; t++) {
		grow<<<LINE(n)>>>(n, x);
		product<<<LINE(n)>>>(n, rows, column, value, x, y);
	}
	finish();
}
