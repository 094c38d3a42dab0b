/* A particle filter follows a bright disk through the frames of a video
 * shapes: frames=3 height=31 width=37 ones=13 n=131; frames=1 height=1 width=1 ones=1 n=1; frames=4 height=64 width=64 ones=13 n=67
 * bench: frames=10 height=128 width=128 ones=69 n=20000
 * within: 1e-6 */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

/* A disk that goes one to the right and two up in a frame. */
void particlefilter_init(int64_t frames, int64_t height, int64_t width, int64_t ones, int64_t n,
	uint8_t frame[frames][height][width], int32_t dy[ones], int32_t dx[ones], double u[frames],
	double moveX[frames][n], double moveY[frames][n], double arrayX[n], double arrayY[n], double xe[frames],
	double ye[frames])
{
	(void)u, (void)moveX, (void)moveY, (void)xe, (void)ye;
	for (int64_t t = 0; t < frames; t++)
		for (int64_t y = 0; y < height; y++)
			for (int64_t x = 0; x < width; x++) {
				int64_t far = (y - height / 2 + 2 * t) * (y - height / 2 + 2 * t) +
					      (x - width / 2 - t) * (x - width / 2 - t);
				frame[t][y][x] = (uint8_t)((far < 9 ? 228 : 100) + (x * 7 + y * 13 + t) % 11);
			}
	for (int64_t k = 0; k < ones; k++) {
		dy[k] = (int32_t)(k / 5 % 5) - 2;
		dx[k] = (int32_t)(k % 5) - 2;
	}
	for (int64_t p = 0; p < n; p++) {
		arrayX[p] = (double)(width / 2);
		arrayY[p] = (double)(height / 2);
	}
}

static int64_t inside(double x, int32_t d, int64_t n)
{
	int64_t i = (int64_t)round(x) + d;
	return i < 0 ? 0 : i >= n ? n - 1 : i;
}

void particlefilter_reference(int64_t frames, int64_t height, int64_t width, int64_t ones, int64_t n,
	uint8_t frame[frames][height][width], int32_t dy[ones], int32_t dx[ones], double u[frames],
	double moveX[frames][n], double moveY[frames][n], double arrayX[n], double arrayY[n], double xe[frames],
	double ye[frames])
{
	double *weight = malloc((size_t)n * sizeof *weight), *cdf = malloc((size_t)n * sizeof *cdf);
	double *xj = malloc((size_t)n * sizeof *xj), *yj = malloc((size_t)n * sizeof *yj);
	for (int64_t t = 0; t < frames; t++) {
		double total = 0, x = 0, y = 0;
#pragma omp parallel for reduction(+ : total)
		for (int64_t p = 0; p < n; p++) {
			double sum = 0;
			arrayX[p] += 1 + 5 * moveX[t][p];
			arrayY[p] += -2 + 2 * moveY[t][p];
			for (int64_t k = 0; k < ones; k++) {
				double v = frame[t][inside(arrayY[p], dy[k], height)][inside(arrayX[p], dx[k], width)];
				sum += ((v - 100) * (v - 100) - (v - 228) * (v - 228)) / 5000;
			}
			weight[p] = exp(sum / (double)ones) / (double)n;
			total += weight[p];
		}
		for (int64_t p = 0; p < n; p++) {
			weight[p] /= total;
			x += arrayX[p] * weight[p];
			y += arrayY[p] * weight[p];
			cdf[p] = weight[p] + (p ? cdf[p - 1] : 0);
		}
		xe[t] = x;
		ye[t] = y;
#pragma omp parallel for
		for (int64_t p = 0; p < n; p++) {
			double at = (u[t] + (double)p) / (double)n;
			int64_t low = 0, high = n - 1;
			while (low < high) {
				int64_t middle = (low + high) / 2;
				if (cdf[middle] < at)
					low = middle + 1;
				else
					high = middle;
			}
			xj[p] = arrayX[low];
			yj[p] = arrayY[low];
		}
		for (int64_t p = 0; p < n; p++) {
			arrayX[p] = xj[p];
			arrayY[p] = yj[p];
		}
	}
	free(weight);
	free(cdf);
	free(xj);
	free(yj);
}
