/* y = alpha A x + beta B x
 * shapes: n=17; n=1; n=131
 * bench: n=1300 */
#include <stdint.h>

void gesummv_reference(int64_t n, double alpha, double beta, double A[n][n], double B[n][n], double x[n], double y[n])
{
#pragma omp parallel for
	for (int64_t i = 0; i < n; i++) {
		double a = 0, b = 0;
		for (int64_t j = 0; j < n; j++) {
			a += A[i][j] * x[j];
			b += B[i][j] * x[j];
		}
		y[i] = alpha * a + beta * b;
	}
}
