/* Deriche's edge detector: recurrences from both sides along the rows, then along the columns
 * shapes: w=17 h=23 alpha=0.25; w=1 h=1 alpha=0.25; w=67 h=37 alpha=0.25
 * bench: w=4096 h=2160 alpha=0.25
 * within: 1e-4 */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

void deriche_reference(int64_t w, int64_t h, float alpha, float imgIn[w][h], float imgOut[w][h])
{
	float (*y1)[h] = malloc(sizeof(float[w][h])), (*y2)[h] = malloc(sizeof(float[w][h]));
	float e = expf(-alpha), k = (1 - e) * (1 - e) / (1 + 2 * alpha * e - expf(2 * alpha));
	float a2 = k * e * (alpha - 1), a3 = k * e * (alpha + 1), a4 = -k * expf(-2 * alpha);
	float b1 = powf(2, -alpha), b2 = -expf(-2 * alpha);
#pragma omp parallel for
	for (int64_t i = 0; i < w; i++) {
		float x1 = 0, x2 = 0, s1 = 0, s2 = 0;
		for (int64_t j = 0; j < h; j++) {
			y1[i][j] = k * imgIn[i][j] + a2 * x1 + b1 * s1 + b2 * s2;
			x1 = imgIn[i][j], s2 = s1, s1 = y1[i][j];
		}
		x1 = x2 = s1 = s2 = 0;
		for (int64_t j = h - 1; j >= 0; j--) {
			y2[i][j] = a3 * x1 + a4 * x2 + b1 * s1 + b2 * s2;
			x2 = x1, x1 = imgIn[i][j], s2 = s1, s1 = y2[i][j];
		}
		for (int64_t j = 0; j < h; j++)
			imgOut[i][j] = y1[i][j] + y2[i][j];
	}
#pragma omp parallel for
	for (int64_t j = 0; j < h; j++) {
		float x1 = 0, x2 = 0, s1 = 0, s2 = 0;
		for (int64_t i = 0; i < w; i++) {
			y1[i][j] = k * imgOut[i][j] + a2 * x1 + b1 * s1 + b2 * s2;
			x1 = imgOut[i][j], s2 = s1, s1 = y1[i][j];
		}
		x1 = x2 = s1 = s2 = 0;
		for (int64_t i = w - 1; i >= 0; i--) {
			y2[i][j] = a3 * x1 + a4 * x2 + b1 * s1 + b2 * s2;
			x2 = x1, x1 = imgOut[i][j], s2 = s1, s1 = y2[i][j];
		}
		for (int64_t i = 0; i < w; i++)
			imgOut[i][j] = y1[i][j] + y2[i][j];
	}
	free(y1);
	free(y2);
}
