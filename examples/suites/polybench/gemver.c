/* A += u1 v1^T + u2 v2^T;  x += beta A^T y + z;  w = alpha A x
 * shapes: n=17; n=1; n=131
 * bench: n=2000 */
#include <stdint.h>

void gemver_reference(int64_t n, double alpha, double beta, double A[n][n], double u1[n], double v1[n], double u2[n],
	double v2[n], double w[n], double x[n], double y[n], double z[n])
{
#pragma omp parallel for
	for (int64_t i = 0; i < n; i++)
		for (int64_t j = 0; j < n; j++)
			A[i][j] += u1[i] * v1[j] + u2[i] * v2[j];
#pragma omp parallel for
	for (int64_t i = 0; i < n; i++) {
		for (int64_t j = 0; j < n; j++)
			x[i] += beta * A[j][i] * y[j];
		x[i] += z[i];
	}
#pragma omp parallel for
	for (int64_t i = 0; i < n; i++) {
		w[i] = 0;
		for (int64_t j = 0; j < n; j++)
			w[i] += alpha * A[i][j] * x[j];
	}
}
