/* m = L U in place, without pivots: two launches per column */
#include "plain.cuh"

static __global__ void column(int64_t n, int64_t k, float *m)
{
	int64_t i = k + 1 + AT_X;
	if (i < n)
		m[i * n + k] /= m[k * n + k];
}

static __global__ void rest(int64_t n, int64_t k, float *m)
{
	int64_t i = k + 1 + AT_Y, j = k + 1 + AT_X;
	if (i < n && j < n)
		m[i * n + j] -= m[i * n + k] * m[k * n + j];
}

extern "C" void lud_cuda(int64_t dim, float *m)
{
	for (int64_t k = 0; k < dim; k++) {
		column<<<LINE(dim - k - 1)>>>(dim, k, m);
		rest<<<PLANE(dim - k - 1, dim - k - 1)>>>(dim, k, m);
	}
	finish();
}
