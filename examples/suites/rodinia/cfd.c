/* Euler's equations on a mesh of cells with four sides each, by steps of Runge and Kutta
 * shapes: nel=131 iterations=2; nel=1 iterations=1; nel=67 iterations=3
 * bench: nel=100000 iterations=20
 * within: 1e-3 */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct state {
	float rho, mx, my, mz, e;
};

/* Near the state far out; sides lead to near cells, some to the body or out. */
void cfd_init(int64_t nel, int64_t iterations, float areas[nel], int32_t side[nel][4], float normal[nel][4][3],
	float ff[5], float variables[nel][5])
{
	const float far[5] = { 1.4f, 1.2f, 0.1f, 0, 3.5f };
	(void)iterations;
	memcpy(ff, far, sizeof far);
	for (int64_t c = 0; c < nel; c++) {
		areas[c] += 1;
		for (int64_t k = 0; k < 5; k++)
			variables[c][k] = ff[k] * (1 + 0.02f * variables[c][k]);
		for (int64_t k = 0; k < 4; k++) {
			int64_t other = c + (k % 2 ? 1 : -1) * (k < 2 ? 1 : 11);
			side[c][k] = (int32_t)(other < 0 ? -1 : other >= nel ? -2 : other);
			for (int64_t d = 0; d < 3; d++)
				normal[c][k][d] = 0.1f * (normal[c][k][d] - 0.5f);
		}
	}
}

static float pressure(struct state s)
{
	return 0.4f * (s.e - 0.5f * (s.mx * s.mx + s.my * s.my + s.mz * s.mz) / s.rho);
}
static float speeds(struct state s)
{
	return sqrtf(s.mx * s.mx + s.my * s.my + s.mz * s.mz) / s.rho + sqrtf(1.4f * pressure(s) / s.rho);
}
static struct state flow(struct state s, const float n[3])
{
	float p = pressure(s), through = (s.mx * n[0] + s.my * n[1] + s.mz * n[2]) / s.rho;
	return (struct state){ s.rho * through, s.mx * through + p * n[0], s.my * through + p * n[1],
		s.mz * through + p * n[2], (s.e + p) * through };
}
static void add(struct state *to, float w, struct state s)
{
	to->rho += w * s.rho;
	to->mx += w * s.mx;
	to->my += w * s.my;
	to->mz += w * s.mz;
	to->e += w * s.e;
}
static void side_flux(struct state *flux, struct state s, struct state other, int32_t kind, const float n[3])
{
	if (kind == -1) {
		float p = pressure(s);
		add(flux, 1, (struct state){ 0, p * n[0], p * n[1], p * n[2], 0 });
		return;
	}
	float size = 0.1f * sqrtf(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]) * (speeds(s) + speeds(other));
	add(flux, 0.5f, flow(s, n));
	add(flux, 0.5f, flow(other, n));
	add(flux, size, s);
	add(flux, -size, other);
}

void cfd_reference(int64_t nel, int64_t iterations, float areas[nel], int32_t side[nel][4], float normal[nel][4][3],
	float ff[5], float variables[nel][5])
{
	struct state *s = (void *)variables, *old = malloc((size_t)nel * sizeof *old), *flux = malloc((size_t)nel * sizeof *flux);
	struct state far = { ff[0], ff[1], ff[2], ff[3], ff[4] };
	float *factor = malloc((size_t)nel * sizeof *factor);
	for (int64_t t = 0; t < iterations; t++) {
#pragma omp parallel for
		for (int64_t c = 0; c < nel; c++) {
			old[c] = s[c];
			factor[c] = 0.5f / (sqrtf(areas[c]) * speeds(s[c]));
		}
		for (int j = 0; j < 3; j++) {
#pragma omp parallel for
			for (int64_t c = 0; c < nel; c++) {
				flux[c] = (struct state){ 0 };
				for (int64_t k = 0; k < 4; k++)
					side_flux(&flux[c], s[c], side[c][k] >= 0 ? s[side[c][k]] : far, side[c][k],
						normal[c][k]);
			}
#pragma omp parallel for
			for (int64_t c = 0; c < nel; c++) {
				s[c] = old[c];
				add(&s[c], -factor[c] / (float)(3 - j), flux[c]);
			}
		}
	}
	free(old);
	free(flux);
	free(factor);
}
