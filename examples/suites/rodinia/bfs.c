/* How many edges each node is away from the source
 * shapes: n=131 m=300 source=3; n=1 m=0 source=0; n=1031 m=2062 source=0; n=67 m=66 source=0
 * bench: n=200000 m=1200000 source=0 */
#include <stdint.h>
#include <stdlib.h>

/* Each node has the same number of edges, near and far; the last takes what is left. */
void bfs_init(int64_t n, int64_t m, int32_t source, int32_t first[n + 1], int32_t edge[m], int32_t cost[n])
{
	(void)source, (void)cost;
	for (int64_t i = 0; i < n; i++)
		first[i] = (int32_t)(i * (m / n));
	first[n] = (int32_t)m;
	for (int64_t e = 0; e < m; e++)
		edge[e] = (int32_t)((e % 2 ? e * 7919 : e / 2 + 1) % n);
}

void bfs_reference(int64_t n, int64_t m, int32_t source, int32_t first[n + 1], int32_t edge[m], int32_t cost[n])
{
	int32_t *queue = malloc((size_t)n * sizeof *queue);
	int64_t head = 0, tail = 0;
	(void)m;
	for (int64_t i = 0; i < n; i++)
		cost[i] = -1;
	cost[source] = 0;
	queue[tail++] = source;
	while (head < tail) {
		int32_t node = queue[head++];
		for (int32_t e = first[node]; e < first[node + 1]; e++)
			if (cost[edge[e]] < 0) {
				cost[edge[e]] = cost[node] + 1;
				queue[tail++] = edge[e];
			}
	}
	free(queue);
}
