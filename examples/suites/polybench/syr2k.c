/* The lower half of C = alpha (A B^T + B A^T) + beta C
 * shapes: n=17 m=23; n=1 m=1; n=67 m=37
 * bench: n=600 m=500 */
#include <stdint.h>

void syr2k_reference(int64_t n, int64_t m, double alpha, double beta, double C[n][n], double A[n][m], double B[n][m])
{
#pragma omp parallel for schedule(dynamic, 8)
	for (int64_t i = 0; i < n; i++)
		for (int64_t j = 0; j <= i; j++) {
			double sum = 0;
			for (int64_t k = 0; k < m; k++)
				sum += A[j][k] * B[i][k] + B[j][k] * A[i][k];
			C[i][j] = beta * C[i][j] + alpha * sum;
		}
}
