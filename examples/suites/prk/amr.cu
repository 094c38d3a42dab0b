/* A stencil on a coarse grid, and on a patch of finer cells that comes and goes:
 * a thread per cell */
#include "plain.cuh"

static __global__ void refine(int64_t n, int64_t m, int64_t place, const double *bg, double *r,
	double *r_out)
{
	int64_t i = AT_Y, j = AT_X;
	if (i >= m || j >= m)
		return;
	int64_t y = place + i / 2, x = place + j / 2;
	int64_t below = place + (i + 1) / 2, right = place + (j + 1) / 2;
	r[i * m + j] = 0.25 * (bg[y * n + x] + bg[below * n + x] + bg[y * n + right] +
			       bg[below * n + right]);
	r_out[i * m + j] = 0;
}

static __global__ void star(int64_t n, double weight, const double *in, double *out)
{
	int64_t i = AT_Y, j = AT_X, at = i * n + j;
	if (i >= 1 && j >= 1 && i < n - 1 && j < n - 1)
		out[at] += weight * (in[at + 1] - in[at - 1] + in[at + n] - in[at - n]);
}

static __global__ void grow(int64_t n, double *in)
{
	int64_t i = AT_Y, j = AT_X;
	if (i < n && j < n)
		in[i * n + j] += 1;
}

extern "C" void amr_cuda(int64_t n, int64_t m, int64_t iterations, int64_t period, int64_t duration,
	int64_t place, double *bg, double *bg_out, double *r, double *r_out)
{
	for (int64_t t = 0; t < iterations; t++) {
		if (t % period == 0)
			refine<<<PLANE(m, m)>>>(n, m, place, bg, r, r_out);
		star<<<PLANE(n, n)>>>(n, 0.5, bg, bg_out);
		grow<<<PLANE(n, n)>>>(n, bg);
		if (t % period < duration) {
			star<<<PLANE(m, m)>>>(m, 1, r, r_out);
			grow<<<PLANE(m, m)>>>(m, r);
		}
	}
	finish();
}
