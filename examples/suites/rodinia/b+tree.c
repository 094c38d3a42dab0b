/* Keys are looked up in a tree: nodes of each level follow those of the one above; keys are even numbers
 * shapes: nodes=21 order=4 height=2 q=131; nodes=1 order=5 height=0 q=7; nodes=57 order=7 height=2 q=67
 * bench: nodes=69905 order=16 height=4 q=200000 */
#include <stdint.h>

/* A full tree with the keys 0, 2, 4 ... in its leaves; what they lead to is three times the key. */
void btree_init(int64_t nodes, int64_t order, int64_t q, int64_t height, int32_t key[nodes][order],
	int32_t child[nodes][order], int32_t query[q], int32_t answer[q])
{
	int64_t first = 0, width = 1, below = 1;
	(void)answer;
	for (int64_t level = 0; level < height; level++)
		below *= order;
	for (int64_t level = 0; level <= height; level++) {
		for (int64_t n = 0; n < width && first + n < nodes; n++)
			for (int64_t k = 0; k < order; k++) {
				key[first + n][k] = (int32_t)(2 * (n * order + k) * below);
				child[first + n][k] = level == height ? 3 * key[first + n][k]
								      : (int32_t)(first + width + n * order + k);
			}
		first += width;
		width *= order;
		below /= order;
	}
	for (int64_t i = 0; i < q; i++)
		query[i] = (int32_t)(i * 37 % (2 * nodes * order + 3)) - 1;
}

void btree_reference(int64_t nodes, int64_t order, int64_t q, int64_t height, int32_t key[nodes][order],
	int32_t child[nodes][order], int32_t query[q], int32_t answer[q])
{
#pragma omp parallel for
	for (int64_t i = 0; i < q; i++) {
		int32_t node = 0;
		for (int64_t level = 0; level <= height; level++) {
			int64_t k = 0;
			while (k < order && key[node][k] <= query[i])
				k++;
			if (level < height)
				node = child[node][k ? k - 1 : 0];
			else
				answer[i] = k && key[node][k - 1] == query[i] ? child[node][k - 1] : -1;
		}
	}
}
