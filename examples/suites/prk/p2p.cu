/* A pipeline: a launch per anti-diagonal, a thread per cell of it; the last cell goes to the first,
 * negated */
#include "plain.cuh"

static __global__ void diagonal(int64_t m, int64_t n, int64_t d, double *grid)
{
	int64_t i = 1 + AT_X, j = d - i, at = i * n + j;
	if (i < m && j >= 1 && j < n)
		grid[at] = grid[at - n] + grid[at - 1] - grid[at - n - 1];
}

static __global__ void back(int64_t m, int64_t n, double *grid)
{
	grid[0] = -grid[m * n - 1];
}

extern "C" void p2p_cuda(int64_t m, int64_t n, int64_t iterations, double *grid)
{
	for (int64_t t = 0; t < iterations; t++) {
		for (int64_t d = 2; d <= m + n - 2; d++)
			diagonal<<<LINE(m - 1)>>>(m, n, d, grid);
		back<<<1, 1>>>(m, n, grid);
	}
	finish();
}
