/* B = alpha A^T B, A lower triangular with ones on its diagonal, which are not stored
 * shapes: m=17 n=23; m=1 n=1; m=67 n=37
 * bench: m=500 n=600 */
#include <stdint.h>

void trmm_reference(int64_t m, int64_t n, double alpha, double A[m][m], double B[m][n])
{
#pragma omp parallel for
	for (int64_t j = 0; j < n; j++)
		for (int64_t i = 0; i < m; i++) {
			for (int64_t k = i + 1; k < m; k++)
				B[i][j] += A[k][i] * B[k][j];
			B[i][j] *= alpha;
		}
}
