/* Two products of a matrix, one of them transposed: x1 += A y1, x2 += A^T y2
 * shapes: n=17; n=1; n=131
 * bench: n=2000 */
#include <stdint.h>

void mvt_reference(int64_t n, double x1[n], double x2[n], double y1[n], double y2[n], double A[n][n])
{
#pragma omp parallel for
	for (int64_t i = 0; i < n; i++)
		for (int64_t j = 0; j < n; j++)
			x1[i] += A[i][j] * y1[j];
#pragma omp parallel for
	for (int64_t i = 0; i < n; i++)
		for (int64_t j = 0; j < n; j++)
			x2[i] += A[j][i] * y2[j];
}
