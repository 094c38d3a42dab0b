/* A = L L^T: the lower half of A becomes L
 * shapes: n=17; n=1; n=41
 * bench: n=500 */
#include <math.h>
#include <stdint.h>

void cholesky_init(int64_t n, double A[n][n])
{
	for (int64_t i = 0; i < n; i++)
		for (int64_t j = 0; j < n; j++)
			A[i][j] = (i == j ? (double)n : 0) + 1 / (1 + (double)(i > j ? i - j : j - i));
}

void cholesky_reference(int64_t n, double A[n][n])
{
	for (int64_t k = 0; k < n; k++) {
		A[k][k] = sqrt(A[k][k]);
		for (int64_t i = k + 1; i < n; i++)
			A[i][k] /= A[k][k];
#pragma omp parallel for
		for (int64_t i = k + 1; i < n; i++)
			for (int64_t j = k + 1; j <= i; j++)
				A[i][j] -= A[i][k] * A[j][k];
	}
}
