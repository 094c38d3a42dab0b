/* The lengths of the shortest paths: a launch per node k,
 * in which no path from k or to k gets shorter */
#include "plain.cuh"

static __global__ void through(int64_t n, int64_t k, int32_t *path)
{
	int64_t i = AT_Y, j = AT_X;
	if (i >= n || j >= n)
		return;
	int32_t other = path[i * n + k] + path[k * n + j];
	if (other < path[i * n + j])
		path[i * n + j] = other;
}

extern "C" void floyd_warshall_cuda(int64_t n, int32_t *path)
{
	for (int64_t k = 0; k < n; k++)
		through<<<PLANE(n, n)>>>(n, k, path);
	finish();
}
