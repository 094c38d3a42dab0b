/* Waves: three launches per step, a thread per cell */
#include "plain.cuh"

static __global__ void step_ey(int64_t nx, int64_t ny, const double *fict, const double *hz,
	double *ey)
{
	int64_t i = AT_Y, j = AT_X;
	if (i >= nx || j >= ny)
		return;
	if (i == 0)
		ey[j] = *fict;
	else
		ey[i * ny + j] -= 0.5 * (hz[i * ny + j] - hz[(i - 1) * ny + j]);
}

static __global__ void step_ex(int64_t nx, int64_t ny, const double *hz, double *ex)
{
	int64_t i = AT_Y, j = AT_X;
	if (i < nx && j >= 1 && j < ny)
		ex[i * ny + j] -= 0.5 * (hz[i * ny + j] - hz[i * ny + j - 1]);
}

static __global__ void step_hz(int64_t nx, int64_t ny, const double *ex, const double *ey,
	double *hz)
{
	int64_t i = AT_Y, j = AT_X, at = i * ny + j;
	if (i < nx - 1 && j < ny - 1)
		hz[at] -= 0.7 * (ex[at + 1] - ex[at] + ey[at + ny] - ey[at]);
}

extern "C" void fdtd_2d_cuda(int64_t nx, int64_t ny, int64_t tmax, double *ex, double *ey,
	double *hz, const double *fict)
{
	for (int64_t t = 0; t < tmax; t++) {
		step_ey<<<PLANE(nx, ny)>>>(nx, ny, fict + t, hz, ey);
		step_ex<<<PLANE(nx, ny)>>>(nx, ny, hz, ex);
		step_hz<<<PLANE(nx, ny)>>>(nx, ny, ex, ey, hz);
	}
	finish();
}
