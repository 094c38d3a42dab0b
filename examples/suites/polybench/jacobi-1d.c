/* Two buffers, each step from the other one, the ends kept
 * shapes: n=37 tsteps=3; n=2 tsteps=2; n=1031 tsteps=1
 * bench: n=2000 tsteps=500 */
#include <stdint.h>

void jacobi_1d_reference(int64_t n, int64_t tsteps, double A[n], double B[n])
{
	for (int64_t t = 0; t < tsteps; t++) {
#pragma omp parallel for
		for (int64_t i = 1; i < n - 1; i++)
			B[i] = 0.33333 * (A[i - 1] + A[i] + A[i + 1]);
#pragma omp parallel for
		for (int64_t i = 1; i < n - 1; i++)
			A[i] = 0.33333 * (B[i - 1] + B[i] + B[i + 1]);
	}
}
