/* Alternating directions: a thread solves the system of a column, then that of a row */
#include "plain.cuh"

static __global__ void columns(int64_t n, double a, double b, double c, double d, double f,
	const double *u, double *v, double *p, double *q)
{
	int64_t i = AT_X;
	if (i < 1 || i >= n - 1)
		return;
	v[i] = 1;
	p[i * n] = 0;
	q[i * n] = 1;
	for (int64_t j = 1; j < n - 1; j++) {
		double below = a * p[i * n + j - 1] + b;
		p[i * n + j] = -c / below;
		q[i * n + j] = (-d * u[j * n + i - 1] + (1 + 2 * d) * u[j * n + i] -
				f * u[j * n + i + 1] - a * q[i * n + j - 1]) / below;
	}
	v[(n - 1) * n + i] = 1;
	for (int64_t j = n - 2; j >= 1; j--)
		v[j * n + i] = p[i * n + j] * v[(j + 1) * n + i] + q[i * n + j];
}

static __global__ void rows(int64_t n, double a, double c, double d, double e, double f,
	const double *v, double *u, double *p, double *q)
{
	int64_t i = AT_X;
	if (i < 1 || i >= n - 1)
		return;
	u[i * n] = 1;
	p[i * n] = 0;
	q[i * n] = 1;
	for (int64_t j = 1; j < n - 1; j++) {
		double below = d * p[i * n + j - 1] + e;
		p[i * n + j] = -f / below;
		q[i * n + j] = (-a * v[(i - 1) * n + j] + (1 + 2 * a) * v[i * n + j] -
				c * v[(i + 1) * n + j] - d * q[i * n + j - 1]) / below;
	}
	u[i * n + n - 1] = 1;
	for (int64_t j = n - 2; j >= 1; j--)
		u[i * n + j] = p[i * n + j] * u[i * n + j + 1] + q[i * n + j];
}

extern "C" void adi_cuda(int64_t n, int64_t tsteps, double *u, double *v)
{
	double *p = scratch<double>(0, n * n), *q = scratch<double>(1, n * n);
	double cells = (double)(n * n), mul1 = 2 / (double)tsteps * cells, mul2 = mul1 / 2;
	double a = -mul1 / 2, b = 1 + mul1, c = a, d = -mul2 / 2, e = 1 + mul2, f = d;
	for (int64_t t = 0; t < tsteps; t++) {
		columns<<<LINE(n)>>>(n, a, b, c, d, f, u, v, p, q);
		rows<<<LINE(n)>>>(n, a, c, d, e, f, v, u, p, q);
	}
	finish();
}
