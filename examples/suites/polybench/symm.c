/* C = alpha A B + beta C, of A only the lower half is there
 * shapes: m=17 n=23; m=1 n=1; m=67 n=37
 * bench: m=500 n=600 */
#include <stdint.h>

void symm_reference(int64_t m, int64_t n, double alpha, double beta, double C[m][n], double A[m][m], double B[m][n])
{
#pragma omp parallel for
	for (int64_t i = 0; i < m; i++) {
		for (int64_t j = 0; j < n; j++)
			C[i][j] *= beta;
		for (int64_t k = 0; k < m; k++)
			for (int64_t j = 0; j < n; j++)
				C[i][j] += alpha * (k <= i ? A[i][k] : A[k][i]) * B[k][j];
	}
}
