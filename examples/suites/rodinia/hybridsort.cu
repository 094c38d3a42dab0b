/* An array in order: bitonic, filled up to a power of two, a launch per step, a thread per cell */
#include "plain.cuh"

static __global__ void fill(int64_t n, int64_t all, const float *x, float *to)
{
	int64_t i = AT_X;
	if (i < all)
		to[i] = i < n ? x[i] : INFINITY;
}

static __global__ void step(int64_t all, int64_t length, int64_t apart, float *x)
{
	int64_t i = AT_X, other = i ^ apart;
	if (i >= all || other < i)
		return;
	float a = x[i], b = x[other];
	if ((i & length) == 0 ? a > b : a < b) {
		x[i] = b;
		x[other] = a;
	}
}

extern "C" void hybridsort_cuda(int64_t n, float *x)
{
	int64_t all = 1;
	while (all < n)
		all *= 2;
	float *to = scratch<float>(0, all);
	fill<<<LINE(all)>>>(n, all, x, to);
	for (int64_t length = 2; length <= all; length *= 2)
		for (int64_t apart = length / 2; apart; apart /= 2)
			step<<<LINE(all)>>>(all, length, apart, to);
	cudaMemcpy(x, to, (size_t)n * sizeof *x, cudaMemcpyDeviceToDevice);
	finish();
}
