/* y = A^T (A x)
 * shapes: m=17 n=23; m=1 n=1; m=131 n=67; m=0 n=3
 * bench: m=1900 n=2100 */
#include <stdint.h>
#include <stdlib.h>

void atax_reference(int64_t m, int64_t n, double A[m][n], double x[n], double y[n])
{
	double *tmp = calloc((size_t)m + 1, sizeof *tmp);
#pragma omp parallel for
	for (int64_t i = 0; i < m; i++)
		for (int64_t j = 0; j < n; j++)
			tmp[i] += A[i][j] * x[j];
#pragma omp parallel for
	for (int64_t j = 0; j < n; j++) {
		y[j] = 0;
		for (int64_t i = 0; i < m; i++)
			y[j] += A[i][j] * tmp[i];
	}
	free(tmp);
}
