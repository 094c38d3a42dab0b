/* A x = b: A = L U in place, then L y = b and U x = y
 * shapes: n=17; n=1; n=37
 * bench: n=500 */
#include <stdint.h>

void ludcmp_init(int64_t n, double A[n][n], double b[n], double x[n], double y[n])
{
	(void)b, (void)x, (void)y;
	for (int64_t i = 0; i < n; i++)
		A[i][i] += (double)n;
}

void ludcmp_reference(int64_t n, double A[n][n], double b[n], double x[n], double y[n])
{
	for (int64_t k = 0; k < n; k++)
#pragma omp parallel for
		for (int64_t i = k + 1; i < n; i++) {
			A[i][k] /= A[k][k];
			for (int64_t j = k + 1; j < n; j++)
				A[i][j] -= A[i][k] * A[k][j];
		}
	for (int64_t i = 0; i < n; i++) {
		y[i] = b[i];
		for (int64_t j = 0; j < i; j++)
			y[i] -= A[i][j] * y[j];
	}
	for (int64_t i = n - 1; i >= 0; i--) {
		x[i] = y[i];
		for (int64_t j = i + 1; j < n; j++)
			x[i] -= A[i][j] * x[j];
		x[i] /= A[i][i];
	}
}
