/* Particles in cells: the four charges at the corners of its cell push a particle, for a step of time
 * shapes: n=9 m=131 steps=3; n=2 m=1 steps=1; n=33 m=67 steps=5
 * bench: n=1001 m=200000 steps=10 */
#include <math.h>
#include <stdint.h>

void pic_init(int64_t n, int64_t m, int64_t steps, double Q[n][n], double q[m], double x[m], double y[m], double vx[m],
	double vy[m])
{
	(void)steps;
	for (int64_t i = 0; i < n; i++)
		for (int64_t j = 0; j < n; j++)
			Q[i][j] = j % 2 ? -1 : 1;
	for (int64_t p = 0; p < m; p++) {
		double turn = (double)p / (double)m;
		x[p] = (double)(p % (n - 1)) + 0.5;
		y[p] = (double)(p / 3 % (n - 1)) + 0.5 + 0.1 * turn;
		vx[p] = 0;
		vy[p] = 0.25;
		q[p] = 0.0002 + 0.0001 * turn;
	}
}

void pic_reference(int64_t n, int64_t m, int64_t steps, double Q[n][n], double q[m], double x[m], double y[m],
	double vx[m], double vy[m])
{
	double L = (double)(n - 1);
#pragma omp parallel for
	for (int64_t p = 0; p < m; p++)
		for (int64_t t = 0; t < steps; t++) {
			int64_t i = (int64_t)y[p], j = (int64_t)x[p];
			double ax = 0, ay = 0;
			for (int64_t di = 0; di < 2; di++)
				for (int64_t dj = 0; dj < 2; dj++) {
					double dx = x[p] - (double)(j + dj), dy = y[p] - (double)(i + di);
					double r2 = dx * dx + dy * dy, f = q[p] * Q[i + di][j + dj] / (r2 * sqrt(r2));
					ax += f * dx;
					ay += f * dy;
				}
			x[p] = fmod(x[p] + vx[p] + 0.5 * ax + L, L);
			y[p] = fmod(y[p] + vy[p] + 0.5 * ay + L, L);
			vx[p] += ax;
			vy[p] += ay;
		}
}
