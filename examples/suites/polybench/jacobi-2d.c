/* Two buffers, each step from the other one, the border kept.
 * shapes: n=37 tsteps=3; n=2 tsteps=2; n=67 tsteps=1; n=1 tsteps=1
 * bench: n=1300 tsteps=50 */
#include <stdint.h>

static void step(int64_t n, double to[n][n], double from[n][n])
{
#pragma omp parallel for
	for (int64_t i = 1; i < n - 1; i++)
		for (int64_t j = 1; j < n - 1; j++)
			to[i][j] = 0.2 * (from[i][j] + from[i][j - 1] + from[i][j + 1] + from[i + 1][j] +
					  from[i - 1][j]);
}

void jacobi_2d_reference(int64_t n, int64_t tsteps, double A[n][n], double B[n][n])
{
	for (int64_t t = 0; t < tsteps; t++) {
		step(n, B, A);
		step(n, A, B);
	}
}
