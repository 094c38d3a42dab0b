/* The cheapest way down a wall: two buffers, a launch per row, a thread per cell */
#include "plain.cuh"

static __global__ void step(int64_t cols, const int32_t *wall, const int32_t *above, int32_t *next)
{
	int64_t j = AT_X;
	if (j >= cols)
		return;
	int32_t least = above[j];
	if (j > 0)
		least = min(least, above[j - 1]);
	if (j < cols - 1)
		least = min(least, above[j + 1]);
	next[j] = wall[j] + least;
}

extern "C" void pathfinder_cuda(int64_t rows, int64_t cols, const int32_t *wall, int32_t *result)
{
	size_t bytes = (size_t)cols * sizeof *result;
	int32_t *now = result, *next = scratch<int32_t>(0, cols);
	cudaMemcpy(result, wall, bytes, cudaMemcpyDeviceToDevice);
	for (int64_t t = 1; t < rows; t++) {
		step<<<LINE(cols)>>>(cols, wall + t * cols, now, next);
		int32_t *swap = now;
		now = next, next = swap;
	}
	if (now != result)
		cudaMemcpy(result, now, bytes, cudaMemcpyDeviceToDevice);
	finish();
}
