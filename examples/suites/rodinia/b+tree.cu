/* Keys are looked up in a tree: a thread per query */
#include "plain.cuh"

static __global__ void look_up(int64_t order, int64_t q, int64_t height, const int32_t *key,
	const int32_t *child, const int32_t *query, int32_t *answer)
{
	int64_t i = AT_X;
	if (i >= q)
		return;
	int64_t node = 0;
	for (int64_t level = 0; level <= height; level++) {
		int64_t k = 0;
		while (k < order && key[node * order + k] <= query[i])
			k++;
		int64_t at = node * order + (k ? k - 1 : 0);
		if (level < height)
			node = child[at];
		else
			answer[i] = k && key[at] == query[i] ? child[at] : -1;
	}
}

extern "C" void btree_cuda(int64_t nodes, int64_t order, int64_t q, int64_t height,
	const int32_t *key, const int32_t *child, const int32_t *query, int32_t *answer)
{
	(void)nodes;
	look_up<<<LINE(q)>>>(order, q, height, key, child, query, answer);
	finish();
}
