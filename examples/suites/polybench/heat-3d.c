/* Heat in a cube: two buffers, each step from the other one, the border kept
 * shapes: n=11 tsteps=3; n=2 tsteps=2; n=19 tsteps=1
 * bench: n=120 tsteps=20 */
#include <stdint.h>

static void step(int64_t n, double to[n][n][n], double a[n][n][n])
{
#pragma omp parallel for
	for (int64_t i = 1; i < n - 1; i++)
		for (int64_t j = 1; j < n - 1; j++)
			for (int64_t k = 1; k < n - 1; k++)
				to[i][j][k] = 0.125 * (a[i + 1][j][k] - 2 * a[i][j][k] + a[i - 1][j][k]) +
					      0.125 * (a[i][j + 1][k] - 2 * a[i][j][k] + a[i][j - 1][k]) +
					      0.125 * (a[i][j][k + 1] - 2 * a[i][j][k] + a[i][j][k - 1]) +
					      a[i][j][k];
}

void heat_3d_reference(int64_t n, int64_t tsteps, double A[n][n][n], double B[n][n][n])
{
	for (int64_t t = 0; t < tsteps; t++) {
		step(n, B, A);
		step(n, A, B);
	}
}
