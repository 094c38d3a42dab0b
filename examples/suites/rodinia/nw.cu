/* Needleman and Wunsch: a launch per anti-diagonal, a thread per cell of it */
#include "plain.cuh"

static __global__ void border(int64_t n, int32_t penalty, int32_t *itemsets)
{
	int64_t i = AT_X;
	if (i < n)
		itemsets[i * n] = itemsets[i] = (int32_t)-i * penalty;
}

static __global__ void diagonal(int64_t n, int64_t d, int32_t penalty, const int32_t *reference,
	int32_t *itemsets)
{
	int64_t i = 1 + AT_X, j = d - i, at = i * n + j;
	if (i < n && j >= 1 && j < n)
		itemsets[at] = max(itemsets[at - n - 1] + reference[at],
			max(itemsets[at - 1], itemsets[at - n]) - penalty);
}

extern "C" void nw_cuda(int64_t n, int32_t penalty, const int32_t *reference, int32_t *itemsets)
{
	border<<<LINE(n)>>>(n, penalty, itemsets);
	for (int64_t d = 2; d <= 2 * (n - 1); d++)
		diagonal<<<LINE(n - 1)>>>(n, d, penalty, reference, itemsets);
	finish();
}
