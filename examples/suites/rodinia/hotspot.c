/* The temperatures of a chip from the power of its parts; at the edges no heat flows
 * shapes: row=37 col=41 steps=3 Rx_1=0.1f Ry_1=0.2f Rz_1=0.01f Cap_1=0.5f; row=1 col=1 steps=2 Rx_1=0.1f Ry_1=0.2f Rz_1=0.01f Cap_1=0.5f; row=17 col=131 steps=2 Rx_1=0.1f Ry_1=0.2f Rz_1=0.01f Cap_1=0.5f
 * bench: row=1024 col=1024 steps=20 Rx_1=0.1f Ry_1=0.2f Rz_1=0.01f Cap_1=0.5f
 * within: 1e-5 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static float at(int64_t rows, int64_t cols, float t[rows][cols], int64_t r, int64_t c)
{
	r = r < 0 ? 0 : r >= rows ? rows - 1 : r;
	c = c < 0 ? 0 : c >= cols ? cols - 1 : c;
	return t[r][c];
}

void hotspot_reference(int64_t row, int64_t col, int64_t steps, float Rx_1, float Ry_1, float Rz_1, float Cap_1,
	float power[row][col], float temp[row][col])
{
	float (*next)[col] = malloc(sizeof(float[row][col]));
	for (int64_t t = 0; t < steps; t++) {
#pragma omp parallel for
		for (int64_t r = 0; r < row; r++)
			for (int64_t c = 0; c < col; c++)
				next[r][c] = temp[r][c] +
					     Cap_1 * (power[r][c] +
						      (at(row, col, temp, r + 1, c) + at(row, col, temp, r - 1, c) -
						       2 * temp[r][c]) * Ry_1 +
						      (at(row, col, temp, r, c + 1) + at(row, col, temp, r, c - 1) -
						       2 * temp[r][c]) * Rx_1 +
						      (80 - temp[r][c]) * Rz_1);
		memcpy(temp, next, sizeof(float[row][col]));
	}
	free(next);
}
