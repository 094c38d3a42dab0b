/* The most pairs of a folded RNA: a launch per anti-diagonal, a thread per cell of it */
#include "plain.cuh"

static __global__ void diagonal(int64_t n, int64_t d, const int8_t *seq, int32_t *table)
{
	int64_t i = AT_X, j = i + d;
	if (j >= n)
		return;
	int32_t best = max(table[i * n + j - 1], table[(i + 1) * n + j]);
	best = max(best, table[(i + 1) * n + j - 1] + (d > 1 && seq[i] + seq[j] == 3));
	for (int64_t k = i + 1; k < j; k++)
		best = max(best, table[i * n + k] + table[(k + 1) * n + j]);
	table[i * n + j] = best;
}

extern "C" void nussinov_cuda(int64_t n, const int8_t *seq, int32_t *table)
{
	cudaMemset(table, 0, (size_t)(n * n) * sizeof *table);
	for (int64_t d = 1; d < n; d++)
		diagonal<<<LINE(n - d)>>>(n, d, seq, table);
	finish();
}
