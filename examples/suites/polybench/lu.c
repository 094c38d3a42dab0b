/* A = L U in place, without pivots; the ones on L's diagonal are not stored
 * shapes: n=17; n=1; n=41
 * bench: n=500 */
#include <stdint.h>

void lu_init(int64_t n, double A[n][n])
{
	for (int64_t i = 0; i < n; i++)
		A[i][i] += (double)n;
}

void lu_reference(int64_t n, double A[n][n])
{
	for (int64_t k = 0; k < n; k++)
#pragma omp parallel for
		for (int64_t i = k + 1; i < n; i++) {
			A[i][k] /= A[k][k];
			for (int64_t j = k + 1; j < n; j++)
				A[i][j] -= A[i][k] * A[k][j];
		}
}
