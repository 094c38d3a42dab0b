/* A stencil on a coarse grid, and on a patch of finer cells that comes and goes
 * shapes: n=37 m=23 iterations=7 period=3 duration=2 place=5; n=2 m=1 iterations=1 period=1 duration=1 place=0; n=67 m=41 iterations=3 period=2 duration=1 place=1
 * bench: n=2000 m=500 iterations=20 period=5 duration=3 place=700 */
#include <stdint.h>

static void star(int64_t n, double weight, double in[n][n], double out[n][n])
{
#pragma omp parallel for
	for (int64_t i = 1; i < n - 1; i++)
		for (int64_t j = 1; j < n - 1; j++)
			out[i][j] += weight * (in[i][j + 1] - in[i][j - 1] + in[i + 1][j] - in[i - 1][j]);
#pragma omp parallel for
	for (int64_t i = 0; i < n; i++)
		for (int64_t j = 0; j < n; j++)
			in[i][j] += 1;
}

void amr_reference(int64_t n, int64_t m, int64_t iterations, int64_t period, int64_t duration, int64_t place,
	double bg[n][n], double bg_out[n][n], double r[m][m], double r_out[m][m])
{
	for (int64_t t = 0; t < iterations; t++) {
		if (t % period == 0)
#pragma omp parallel for
			for (int64_t i = 0; i < m; i++)
				for (int64_t j = 0; j < m; j++) {
					int64_t y = place + i / 2, x = place + j / 2, below = place + (i + 1) / 2,
						right = place + (j + 1) / 2;
					r[i][j] = 0.25 * (bg[y][x] + bg[below][x] + bg[y][right] + bg[below][right]);
					r_out[i][j] = 0;
				}
		star(n, 0.5, bg, bg_out);
		if (t % period < duration)
			star(m, 1, r, r_out);
	}
}
