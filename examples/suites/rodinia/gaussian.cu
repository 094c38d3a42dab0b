/* a x = b by elimination: two launches per column, then two per x */
#include "plain.cuh"

static __global__ void factors(int64_t n, int64_t t, const float *a, float *m)
{
	int64_t i = t + 1 + AT_X;
	if (i < n)
		m[i * n + t] = a[i * n + t] / a[t * n + t];
}

static __global__ void eliminate(int64_t n, int64_t t, const float *m, float *a, float *b)
{
	int64_t i = t + 1 + AT_Y, j = t + AT_X;
	if (i >= n || j >= n)
		return;
	a[i * n + j] -= m[i * n + t] * a[t * n + j];
	if (j == t)
		b[i] -= m[i * n + t] * b[t];
}

static __global__ void divide(int64_t n, int64_t k, const float *a, float *x)
{
	x[k] /= a[k * n + k];
}

static __global__ void backward(int64_t n, int64_t k, const float *a, float *x)
{
	int64_t i = AT_X;
	if (i < k)
		x[i] -= a[i * n + k] * x[k];
}

extern "C" void gaussian_cuda(int64_t n, float *a, float *b, float *m, float *x)
{
	for (int64_t t = 0; t < n - 1; t++) {
		factors<<<LINE(n - t - 1)>>>(n, t, a, m);
		eliminate<<<PLANE(n - t - 1, n - t)>>>(n, t, m, a, b);
	}
	cudaMemcpy(x, b, (size_t)n * sizeof *x, cudaMemcpyDeviceToDevice);
	for (int64_t k = n - 1; k >= 0; k--) {
		divide<<<1, 1>>>(n, k, a, x);
		backward<<<LINE(k)>>>(n, k, a, x);
	}
	finish();
}
