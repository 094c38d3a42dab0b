/* The most pairs of a folded RNA: each part from its shorter parts
 * shapes: n=17; n=1; n=41
 * bench: n=500 */
#include <stdint.h>

void nussinov_init(int64_t n, int8_t seq[n], int32_t table[n][n])
{
	(void)table;
	for (int64_t i = 0; i < n; i++)
		seq[i] = (int8_t)((i * i + i / 3) % 4);
}

static int32_t larger(int32_t a, int32_t b)
{
	return a > b ? a : b;
}

void nussinov_reference(int64_t n, int8_t seq[n], int32_t table[n][n])
{
	for (int64_t i = 0; i < n; i++)
		for (int64_t j = 0; j < n; j++)
			table[i][j] = 0;
	for (int64_t d = 1; d < n; d++)
#pragma omp parallel for
		for (int64_t i = 0; i < n - d; i++) {
			int64_t j = i + d;
			int32_t best = larger(table[i][j - 1], table[i + 1][j]);
			best = larger(best, table[i + 1][j - 1] + (d > 1 && seq[i] + seq[j] == 3));
			for (int64_t k = i + 1; k < j; k++)
				best = larger(best, table[i][k] + table[k + 1][j]);
			table[i][j] = best;
		}
}
