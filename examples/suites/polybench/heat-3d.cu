/* Heat in a cube: two launches per step, a thread per cell */
#include "plain.cuh"

static __global__ void step(int64_t n, const double *a, double *to)
{
	int64_t i = blockIdx.z, j = AT_Y, k = AT_X, at = (i * n + j) * n + k;
	if (i < 1 || j < 1 || k < 1 || i >= n - 1 || j >= n - 1 || k >= n - 1)
		return;
	to[at] = 0.125 * (a[at + n * n] - 2 * a[at] + a[at - n * n]) +
		 0.125 * (a[at + n] - 2 * a[at] + a[at - n]) +
		 0.125 * (a[at + 1] - 2 * a[at] + a[at - 1]) + a[at];
}

extern "C" void heat_3d_cuda(int64_t n, int64_t tsteps, double *A, double *B)
{
	dim3 grid(blocks(n, 16), blocks(n, 16), blocks(n, 1)), block(16, 16);
	for (int64_t t = 0; t < tsteps; t++) {
		step<<<grid, block>>>(n, A, B);
		step<<<grid, block>>>(n, B, A);
	}
	finish();
}
