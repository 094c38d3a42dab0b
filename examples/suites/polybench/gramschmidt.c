/* A = Q R, column by column; what is left of A is orthogonal to the columns that are done
 * shapes: m=23 n=17; m=1 n=1; m=41 n=31
 * bench: m=500 n=400
 * within: 1e-6 */
#include <math.h>
#include <stdint.h>

void gramschmidt_init(int64_t m, int64_t n, double A[m][n], double R[n][n], double Q[m][n])
{
	(void)R, (void)Q;
	for (int64_t i = 0; i < m && i < n; i++)
		A[i][i] += 3;
}

void gramschmidt_reference(int64_t m, int64_t n, double A[m][n], double R[n][n], double Q[m][n])
{
	for (int64_t k = 0; k < n; k++) {
		double norm = 0;
		for (int64_t i = 0; i < m; i++)
			norm += A[i][k] * A[i][k];
		R[k][k] = sqrt(norm);
		for (int64_t i = 0; i < m; i++)
			Q[i][k] = A[i][k] / R[k][k];
#pragma omp parallel for
		for (int64_t j = k + 1; j < n; j++) {
			R[k][j] = 0;
			for (int64_t i = 0; i < m; i++)
				R[k][j] += Q[i][k] * A[i][j];
			for (int64_t i = 0; i < m; i++)
				A[i][j] -= Q[i][k] * R[k][j];
		}
	}
}
