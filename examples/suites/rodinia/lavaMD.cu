/* The forces between particles in boxes and in the boxes around them: a thread per particle */
#include "plain.cuh"

static __global__ void forces(int64_t boxes, int64_t par, double alpha, const int32_t *count,
	const int32_t *near, const double *rv, const double *qv, double *fv)
{
	int64_t at = AT_X, b = par ? at / par : boxes;
	if (b >= boxes)
		return;
	const double *a = rv + at * 4;
	double f0 = 0, f1 = 0, f2 = 0, f3 = 0;
	for (int64_t k = 0; k < count[b]; k++)
		for (int64_t j = 0; j < par; j++) {
			int64_t other = near[b * 27 + k] * par + j;
			const double *o = rv + other * 4;
			double r2 = a[0] + o[0] - (a[1] * o[1] + a[2] * o[2] + a[3] * o[3]);
			double v = qv[other] * exp(-2 * alpha * alpha * r2), s = 2 * v;
			f0 += v;
			f1 += s * (a[1] - o[1]);
			f2 += s * (a[2] - o[2]);
			f3 += s * (a[3] - o[3]);
		}
	fv[at * 4] = f0;
	fv[at * 4 + 1] = f1;
	fv[at * 4 + 2] = f2;
	fv[at * 4 + 3] = f3;
}

extern "C" void lavaMD_cuda(int64_t boxes, int64_t par, double alpha, const int32_t *count,
	const int32_t *near, const double *rv, const double *qv, double *fv)
{
	forces<<<LINE(boxes * par)>>>(boxes, par, alpha, count, near, rv, qv, fv);
	finish();
}
