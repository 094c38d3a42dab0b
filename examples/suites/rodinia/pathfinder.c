/* The cheapest way down a wall, a step straight or to one side in a row
 * shapes: rows=7 cols=131; rows=1 cols=1; rows=5 cols=1; rows=20 cols=1031
 * bench: rows=200 cols=100000 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

void pathfinder_reference(int64_t rows, int64_t cols, int32_t wall[rows][cols], int32_t result[cols])
{
	int32_t *next = malloc((size_t)cols * sizeof *next);
	memcpy(result, wall[0], (size_t)cols * sizeof *result);
	for (int64_t t = 1; t < rows; t++) {
#pragma omp parallel for
		for (int64_t j = 0; j < cols; j++) {
			int32_t least = result[j];
			if (j > 0 && result[j - 1] < least)
				least = result[j - 1];
			if (j < cols - 1 && result[j + 1] < least)
				least = result[j + 1];
			next[j] = wall[t][j] + least;
		}
		memcpy(result, next, (size_t)cols * sizeof *result);
	}
	free(next);
}
