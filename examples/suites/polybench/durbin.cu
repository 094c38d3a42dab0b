/* Levinson and Durbin: a step is a sum by one block, then y and its copy by a thread per cell */
#include "plain.cuh"

struct step {
	double alpha, beta;
};

static __global__ void first(const double *r, double *y, struct step *s)
{
	y[0] = s->alpha = -r[0];
	s->beta = 1;
}

static __global__ void reflection(int64_t k, const double *r, const double *y, struct step *s)
{
	double sum = 0;
	for (int64_t i = threadIdx.x; i < k; i += 256)
		sum += r[k - i - 1] * y[i];
	sum = block_sum(sum);
	if (threadIdx.x == 0) {
		s->beta = (1 - s->alpha * s->alpha) * s->beta;
		s->alpha = -(r[k] + sum) / s->beta;
	}
}

static __global__ void mirrored(int64_t k, const struct step *s, const double *y, double *z)
{
	int64_t i = AT_X;
	if (i <= k)
		z[i] = i < k ? y[i] + s->alpha * y[k - i - 1] : s->alpha;
}

static __global__ void copied(int64_t k, const double *z, double *y)
{
	int64_t i = AT_X;
	if (i <= k)
		y[i] = z[i];
}

extern "C" void durbin_cuda(int64_t n, const double *r, double *y)
{
	double *z = scratch<double>(0, n);
	struct step *s = scratch<struct step>(1, 1);
	first<<<1, 1>>>(r, y, s);
	for (int64_t k = 1; k < n; k++) {
		reflection<<<1, 256>>>(k, r, y, s);
		mirrored<<<LINE(k + 1)>>>(k, s, y, z);
		copied<<<LINE(k + 1)>>>(k, z, y);
	}
	finish();
}
