/* naive.c - see naive.h.  Nothing is separated and everything is a double, so that it shares no
 * shortcut with the kernels. */
#include <math.h>

#include "naive.h"

static int64_t mirrored(int64_t i, int64_t n)
{
	while (i < 0 || i >= n)
		i = i < 0 ? -1 - i : 2 * n - 1 - i;
	return i;
}

static double channel(const Rgb *p, int c)
{
	return c == 0 ? p->r : c == 1 ? p->g : p->b;
}

void naive_blur(int64_t n, int64_t m, const Rgb *photo, double *soft)
{
	static const int weight[5] = { 1, 4, 6, 4, 1 };
	for (int64_t at = 0; at < 3 * n * m; at++) {
		int64_t i = at / 3 / m, j = at / 3 % m;
		soft[at] = 0;
		for (int k = 0; k < 5; k++)
			for (int l = 0; l < 5; l++)
				soft[at] += weight[k] * weight[l] / 256.0
					    * channel(photo + mirrored(i + k - 2, n) * m
							      + mirrored(j + l - 2, m),
						      (int)(at % 3));
	}
}

static double grey(const Rgb *p)
{
	return 0.299 * p->r + 0.587 * p->g + 0.114 * p->b;
}

void naive_slope(int64_t n, int64_t m, const Rgb *photo, double *slope)
{
	static const int weight[3][3] = { { -1, 0, 1 }, { -2, 0, 2 }, { -1, 0, 1 } };
	for (int64_t i = 0; i < n; i++)
		for (int64_t j = 0; j < m; j++) {
			double x = 0, y = 0;
			for (int k = 0; k < 3; k++)
				for (int l = 0; l < 3; l++) {
					double g = grey(photo + mirrored(i + k - 1, n) * m
							+ mirrored(j + l - 1, m));
					x += weight[k][l] * g;
					y += weight[l][k] * g;
				}
			slope[i * m + j] = sqrt(x * x + y * y);
		}
}

double naive_threshold(int64_t cells, const double *slope)
{
	double threshold = 0, before;
	for (int64_t at = 0; at < cells; at++)
		threshold += slope[at] / (double)cells;
	do {
		double sum[2] = { 0, 0 };
		int64_t count[2] = { 0, 0 };
		for (int64_t at = 0; at < cells; at++) {
			sum[slope[at] > threshold] += slope[at];
			count[slope[at] > threshold]++;
		}
		before = threshold;
		threshold = (sum[0] / (double)(count[0] ? count[0] : 1)
			     + sum[1] / (double)(count[1] ? count[1] : 1))
			    / 2;
	} while (fabs(threshold - before) >= 0.01);
	return threshold;
}
