/* The forces between particles in boxes: those of a box meet those of the boxes around it, and of itself
 * shapes: boxes=8 par=7 alpha=0.5; boxes=1 par=1 alpha=0.5; boxes=27 par=17 alpha=0.5
 * bench: boxes=125 par=100 alpha=0.5 */
#include <math.h>
#include <stdint.h>

/* The boxes are a cube, or what of one there are. */
void lavaMD_init(int64_t boxes, int64_t par, double alpha, int32_t count[boxes], int32_t near[boxes][27],
	double rv[boxes][par][4], double qv[boxes][par], double fv[boxes][par][4])
{
	int64_t side = 1;
	(void)alpha, (void)qv, (void)rv, (void)fv;
	while (side * side * side < boxes)
		side++;
	for (int64_t b = 0; b < boxes; b++) {
		int64_t z = b / (side * side), y = b / side % side, x = b % side;
		count[b] = 0;
		for (int64_t k = 0; k < 27; k++) {
			int64_t w = z + k / 9 - 1, v = y + k / 3 % 3 - 1, u = x + k % 3 - 1;
			int64_t other = (w * side + v) * side + u;
			near[b][k] = 0;
			if (w >= 0 && v >= 0 && u >= 0 && v < side && u < side && other < boxes)
				near[b][count[b]++] = (int32_t)other;
		}
	}
}

void lavaMD_reference(int64_t boxes, int64_t par, double alpha, int32_t count[boxes], int32_t near[boxes][27],
	double rv[boxes][par][4], double qv[boxes][par], double fv[boxes][par][4])
{
#pragma omp parallel for
	for (int64_t b = 0; b < boxes; b++)
		for (int64_t i = 0; i < par; i++) {
			double *a = rv[b][i], f[4] = { 0 };
			for (int64_t k = 0; k < count[b]; k++)
				for (int64_t j = 0; j < par; j++) {
					double *o = rv[near[b][k]][j], q = qv[near[b][k]][j];
					double r2 = a[0] + o[0] - (a[1] * o[1] + a[2] * o[2] + a[3] * o[3]);
					double vij = exp(-2 * alpha * alpha * r2), s = 2 * vij * q;
					f[0] += q * vij;
					f[1] += s * (a[1] - o[1]);
					f[2] += s * (a[2] - o[2]);
					f[3] += s * (a[3] - o[3]);
				}
			for (int64_t c = 0; c < 4; c++)
				fv[b][i][c] = f[c];
		}
}
