/* Needleman and Wunsch: the score of the best alignment of all beginnings of two sequences
 * shapes: n=37 penalty=10; n=1 penalty=3; n=131 penalty=60
 * bench: n=2049 penalty=10 */
#include <stdint.h>

static int32_t larger(int32_t a, int32_t b)
{
	return a > b ? a : b;
}

void nw_reference(int64_t n, int32_t penalty, int32_t reference[n][n], int32_t itemsets[n][n])
{
	for (int64_t i = 0; i < n; i++)
		itemsets[i][0] = itemsets[0][i] = (int32_t)-i * penalty;
	for (int64_t i = 1; i < n; i++)
		for (int64_t j = 1; j < n; j++)
			itemsets[i][j] = larger(itemsets[i - 1][j - 1] + reference[i][j],
				larger(itemsets[i][j - 1], itemsets[i - 1][j]) - penalty);
}
