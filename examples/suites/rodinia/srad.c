/* Speckle is taken out of an image: diffusion that stops at edges
 * shapes: rows=17 cols=23 iterations=2 lambda=0.5f; rows=2 cols=1 iterations=1 lambda=0.5f; rows=37 cols=67 iterations=3 lambda=0.5f
 * bench: rows=1024 cols=1024 iterations=10 lambda=0.5f
 * within: 1e-3 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

void srad_init(int64_t rows, int64_t cols, int64_t iterations, float lambda, float J[rows][cols])
{
	(void)iterations, (void)lambda;
	for (int64_t i = 0; i < rows; i++)
		for (int64_t j = 0; j < cols; j++)
			J[i][j] = 1 + J[i][j] + (i > j);
}

void srad_reference(int64_t rows, int64_t cols, int64_t iterations, float lambda, float J[rows][cols])
{
	float (*c)[cols] = malloc(sizeof(float[rows][cols])), (*next)[cols] = malloc(sizeof(float[rows][cols]));
	for (int64_t t = 0; t < iterations; t++) {
		double total = 0, squares = 0, cells = (double)(rows * cols);
#pragma omp parallel for reduction(+ : total, squares)
		for (int64_t i = 0; i < rows; i++)
			for (int64_t j = 0; j < cols; j++) {
				total += J[i][j];
				squares += (double)J[i][j] * J[i][j];
			}
		double mean = total / cells;
		float q0 = (float)((squares / cells - mean * mean) / (mean * mean));
#pragma omp parallel for
		for (int64_t i = 0; i < rows; i++)
			for (int64_t j = 0; j < cols; j++) {
				float n = J[i ? i - 1 : 0][j] - J[i][j], s = J[i + 1 < rows ? i + 1 : i][j] - J[i][j];
				float w = J[i][j ? j - 1 : 0] - J[i][j], e = J[i][j + 1 < cols ? j + 1 : j] - J[i][j];
				float g2 = (n * n + s * s + w * w + e * e) / (J[i][j] * J[i][j]);
				float l = (n + s + w + e) / J[i][j];
				float num = 0.5f * g2 - 0.0625f * l * l, den = 1 + 0.25f * l;
				float q = num / (den * den), value = 1 / (1 + (q - q0) / (q0 * (1 + q0)));
				c[i][j] = value < 0 ? 0 : value > 1 ? 1 : value;
			}
#pragma omp parallel for
		for (int64_t i = 0; i < rows; i++)
			for (int64_t j = 0; j < cols; j++) {
				int64_t below = i + 1 < rows ? i + 1 : i, right = j + 1 < cols ? j + 1 : j;
				float d = c[i][j] * (J[i ? i - 1 : 0][j] - J[i][j]) + c[below][j] * (J[below][j] - J[i][j]) +
					  c[i][j] * (J[i][j ? j - 1 : 0] - J[i][j]) + c[i][right] * (J[i][right] - J[i][j]);
				next[i][j] = J[i][j] + 0.25f * lambda * d;
			}
		memcpy(J, next, sizeof(float[rows][cols]));
	}
	free(c);
	free(next);
}
