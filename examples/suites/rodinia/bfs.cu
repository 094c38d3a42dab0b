/* How many edges each node is away from the source: a launch per level, a thread per node of it */
#include "plain.cuh"

static __global__ void start(int64_t n, int32_t source, int32_t *cost)
{
	int64_t i = AT_X;
	if (i < n)
		cost[i] = i == source ? 0 : -1;
}

/* Threads that reach the same node write the same number; no thread of this level waits for it. */
static __global__ void expand(int64_t n, int32_t level, const int32_t *first, const int32_t *edge,
	int32_t *cost, int32_t *more)
{
	int64_t i = AT_X;
	if (i >= n || cost[i] != level)
		return;
	for (int32_t e = first[i]; e < first[i + 1]; e++)
		if (cost[edge[e]] < 0) {
			cost[edge[e]] = level + 1;
			*more = 1;
		}
}

extern "C" void bfs_cuda(int64_t n, int64_t m, int32_t source, const int32_t *first,
	const int32_t *edge, int32_t *cost)
{
	int32_t *more = scratch<int32_t>(0, 1), again = 1;
	(void)m;
	start<<<LINE(n)>>>(n, source, cost);
	for (int32_t level = 0; again; level++) {
		cudaMemset(more, 0, sizeof *more);
		expand<<<LINE(n)>>>(n, level, first, edge, cost, more);
		cudaMemcpy(&again, more, sizeof again, cudaMemcpyDeviceToHost);
	}
	finish();
}
