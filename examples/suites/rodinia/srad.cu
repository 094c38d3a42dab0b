/* Speckle is taken out of an image: three kernels per step, a thread per cell */
#include "plain.cuh"

static __global__ void add_up(int64_t cells, const float *J, double *sums)
{
	int64_t i = AT_X;
	double x = i < cells ? J[i] : 0, total = block_sum(x), squares = block_sum(x * x);
	if (threadIdx.x == 0) {
		atomicAdd(&sums[0], total);
		atomicAdd(&sums[1], squares);
	}
}

static __global__ void coefficients(int64_t rows, int64_t cols, const double *sums, const float *J,
	float *c)
{
	int64_t i = AT_Y, j = AT_X, at = i * cols + j;
	if (i >= rows || j >= cols)
		return;
	double cells = (double)(rows * cols), mean = sums[0] / cells;
	float q0 = (float)((sums[1] / cells - mean * mean) / (mean * mean)), here = J[at];
	float n = J[i ? at - cols : at] - here, s = J[i + 1 < rows ? at + cols : at] - here;
	float w = J[j ? at - 1 : at] - here, e = J[j + 1 < cols ? at + 1 : at] - here;
	float g2 = (n * n + s * s + w * w + e * e) / (here * here), l = (n + s + w + e) / here;
	float num = 0.5f * g2 - 0.0625f * l * l, den = 1 + 0.25f * l;
	float value = 1 / (1 + (num / (den * den) - q0) / (q0 * (1 + q0)));
	c[at] = value < 0 ? 0 : value > 1 ? 1 : value;
}

static __global__ void diffuse(int64_t rows, int64_t cols, float lambda, const float *J,
	const float *c, float *next)
{
	int64_t i = AT_Y, j = AT_X, at = i * cols + j;
	if (i >= rows || j >= cols)
		return;
	int64_t below = i + 1 < rows ? at + cols : at, right = j + 1 < cols ? at + 1 : at;
	float d = c[at] * (J[i ? at - cols : at] - J[at]) + c[below] * (J[below] - J[at]) +
		  c[at] * (J[j ? at - 1 : at] - J[at]) + c[right] * (J[right] - J[at]);
	next[at] = J[at] + 0.25f * lambda * d;
}

extern "C" void srad_cuda(int64_t rows, int64_t cols, int64_t iterations, float lambda, float *J)
{
	int64_t cells = rows * cols;
	float *c = scratch<float>(0, cells), *now = J, *next = scratch<float>(1, cells);
	double *sums = scratch<double>(0, 2);
	for (int64_t t = 0; t < iterations; t++) {
		cudaMemset(sums, 0, 2 * sizeof *sums);
		add_up<<<LINE(cells)>>>(cells, now, sums);
		coefficients<<<PLANE(rows, cols)>>>(rows, cols, sums, now, c);
		diffuse<<<PLANE(rows, cols)>>>(rows, cols, lambda, now, c, next);
		float *swap = now;
		now = next, next = swap;
	}
	if (now != J)
		cudaMemcpy(J, now, (size_t)cells * sizeof *J, cudaMemcpyDeviceToDevice);
	finish();
}
