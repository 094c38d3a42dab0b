/* A pipeline: every cell from those above, beside and between; its last cell goes to its first, negated
 * shapes: m=17 n=131 iterations=2; m=1 n=1 iterations=1; m=67 n=37 iterations=2
 * bench: m=2000 n=2000 iterations=5 */
#include <stdint.h>

void p2p_init(int64_t m, int64_t n, int64_t iterations, double grid[m][n])
{
	(void)iterations;
	for (int64_t i = 0; i < m; i++)
		for (int64_t j = 0; j < n; j++)
			grid[i][j] = i == 0 ? (double)j : j == 0 ? (double)i : 0;
}

void p2p_reference(int64_t m, int64_t n, int64_t iterations, double grid[m][n])
{
	for (int64_t t = 0; t < iterations; t++) {
		for (int64_t i = 1; i < m; i++)
			for (int64_t j = 1; j < n; j++)
				grid[i][j] = grid[i - 1][j] + grid[i][j - 1] - grid[i - 1][j - 1];
		grid[0][0] = -grid[m - 1][n - 1];
	}
}
