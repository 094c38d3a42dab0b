/* The lengths of the shortest paths between all nodes; what goes through k is there after pass k
 * shapes: n=17; n=1; n=37
 * bench: n=500 */
#include <stdint.h>

void floyd_warshall_reference(int64_t n, int32_t path[n][n])
{
	for (int64_t k = 0; k < n; k++)
#pragma omp parallel for
		for (int64_t i = 0; i < n; i++)
			for (int64_t j = 0; j < n; j++)
				if (path[i][k] + path[k][j] < path[i][j])
					path[i][j] = path[i][k] + path[k][j];
}
