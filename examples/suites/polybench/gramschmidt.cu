/* A = Q R: four launches per column; a block adds up the norm, a thread an entry of R */
#include "plain.cuh"

static __global__ void norm(int64_t m, int64_t n, int64_t k, const double *A, double *R)
{
	double sum = 0;
	for (int64_t i = threadIdx.x; i < m; i += 256)
		sum += A[i * n + k] * A[i * n + k];
	sum = block_sum(sum);
	if (threadIdx.x == 0)
		R[k * n + k] = sqrt(sum);
}

static __global__ void column(int64_t m, int64_t n, int64_t k, const double *A, const double *R,
	double *Q)
{
	int64_t i = AT_X;
	if (i < m)
		Q[i * n + k] = A[i * n + k] / R[k * n + k];
}

static __global__ void row(int64_t m, int64_t n, int64_t k, const double *A, const double *Q,
	double *R)
{
	int64_t j = k + 1 + AT_X;
	if (j >= n)
		return;
	double sum = 0;
	for (int64_t i = 0; i < m; i++)
		sum += Q[i * n + k] * A[i * n + j];
	R[k * n + j] = sum;
}

static __global__ void rest(int64_t m, int64_t n, int64_t k, const double *Q, const double *R,
	double *A)
{
	int64_t i = AT_Y, j = k + 1 + AT_X;
	if (i < m && j < n)
		A[i * n + j] -= Q[i * n + k] * R[k * n + j];
}

extern "C" void gramschmidt_cuda(int64_t m, int64_t n, double *A, double *R, double *Q)
{
	for (int64_t k = 0; k < n; k++) {
		norm<<<1, 256>>>(m, n, k, A, R);
		column<<<LINE(m)>>>(m, n, k, A, R, Q);
		row<<<LINE(n - k - 1)>>>(m, n, k, A, Q, R);
		rest<<<PLANE(m, n - k - 1)>>>(m, n, k, Q, R, A);
	}
	finish();
}
