/* Particles in cells: a thread takes a particle through all steps */
#include "plain.cuh"

static __global__ void all_steps(int64_t n, int64_t m, int64_t steps, const double *Q,
	const double *q, double *x, double *y, double *vx, double *vy)
{
	int64_t p = AT_X;
	double L = (double)(n - 1);
	if (p >= m)
		return;
	for (int64_t t = 0; t < steps; t++) {
		int64_t i = (int64_t)y[p], j = (int64_t)x[p];
		double ax = 0, ay = 0;
		for (int64_t di = 0; di < 2; di++)
			for (int64_t dj = 0; dj < 2; dj++) {
				double dx = x[p] - (double)(j + dj), dy = y[p] - (double)(i + di);
				double r2 = dx * dx + dy * dy;
				double f = q[p] * Q[(i + di) * n + j + dj] / (r2 * sqrt(r2));
				ax += f * dx;
				ay += f * dy;
			}
		x[p] = fmod(x[p] + vx[p] + 0.5 * ax + L, L);
		y[p] = fmod(y[p] + vy[p] + 0.5 * ay + L, L);
		vx[p] += ax;
		vy[p] += ay;
	}
}

extern "C" void pic_cuda(int64_t n, int64_t m, int64_t steps, const double *Q, const double *q,
	double *x, double *y, double *vx, double *vy)
{
	all_steps<<<LINE(m)>>>(n, m, steps, Q, q, x, y, vx, vy);
	finish();
}
