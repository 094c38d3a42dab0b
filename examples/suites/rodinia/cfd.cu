/* Euler's equations on a mesh of cells with four sides each: three kernels, a thread per cell */
#include "plain.cuh"

struct state {
	float rho, mx, my, mz, e;
};

static __device__ float pressure(struct state s)
{
	return 0.4f * (s.e - 0.5f * (s.mx * s.mx + s.my * s.my + s.mz * s.mz) / s.rho);
}

static __device__ float speeds(struct state s)
{
	return sqrtf(s.mx * s.mx + s.my * s.my + s.mz * s.mz) / s.rho +
	       sqrtf(1.4f * pressure(s) / s.rho);
}

static __device__ struct state flow(struct state s, const float *n)
{
	float p = pressure(s), through = (s.mx * n[0] + s.my * n[1] + s.mz * n[2]) / s.rho;
	return { s.rho * through, s.mx * through + p * n[0], s.my * through + p * n[1],
		 s.mz * through + p * n[2], (s.e + p) * through };
}

static __device__ void add(struct state *to, float w, struct state s)
{
	to->rho += w * s.rho;
	to->mx += w * s.mx;
	to->my += w * s.my;
	to->mz += w * s.mz;
	to->e += w * s.e;
}

static __device__ void side_flux(struct state *flux, struct state s, struct state other,
	int32_t kind, const float *n)
{
	if (kind == -1) {
		float p = pressure(s);
		add(flux, 1, { 0, p * n[0], p * n[1], p * n[2], 0 });
		return;
	}
	float size = 0.1f * sqrtf(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]) *
		     (speeds(s) + speeds(other));
	add(flux, 0.5f, flow(s, n));
	add(flux, 0.5f, flow(other, n));
	add(flux, size, s);
	add(flux, -size, other);
}

static __global__ void start(int64_t nel, const float *areas, const struct state *s,
	struct state *old, float *factor)
{
	int64_t c = AT_X;
	if (c >= nel)
		return;
	old[c] = s[c];
	factor[c] = 0.5f / (sqrtf(areas[c]) * speeds(s[c]));
}

static __global__ void fluxes(int64_t nel, const int32_t *side, const float *normal,
	const struct state *far, const struct state *s, struct state *flux)
{
	int64_t c = AT_X;
	if (c >= nel)
		return;
	struct state all = { 0, 0, 0, 0, 0 };
	for (int64_t k = 0; k < 4; k++) {
		int32_t other = side[c * 4 + k];
		side_flux(&all, s[c], other >= 0 ? s[other] : *far, other,
			normal + (c * 4 + k) * 3);
	}
	flux[c] = all;
}

static __global__ void advance(int64_t nel, int64_t left, const struct state *old,
	const float *factor, const struct state *flux, struct state *s)
{
	int64_t c = AT_X;
	if (c >= nel)
		return;
	struct state next = old[c];
	add(&next, -factor[c] / (float)left, flux[c]);
	s[c] = next;
}

extern "C" void cfd_cuda(int64_t nel, int64_t iterations, const float *areas, const int32_t *side,
	const float *normal, const float *ff, float *variables)
{
	struct state *s = (struct state *)variables;
	struct state *old = scratch<struct state>(0, nel), *flux = scratch<struct state>(1, nel);
	float *factor = scratch<float>(0, nel);
	for (int64_t t = 0; t < iterations; t++) {
		start<<<LINE(nel)>>>(nel, areas, s, old, factor);
		for (int64_t left = 3; left > 0; left--) {
			fluxes<<<LINE(nel)>>>(nel, side, normal, (const struct state *)ff, s, flux);
			advance<<<LINE(nel)>>>(nel, left, old, factor, flux, s);
		}
	}
	finish();
}
