/* The two products of a step of BiCG: s = A^T r and q = A p
 * shapes: n=17 m=23; n=1 m=1; n=131 m=67
 * bench: n=2100 m=1900 */
#include <stdint.h>

void bicg_reference(int64_t n, int64_t m, double A[n][m], double s[m], double q[n], double p[m], double r[n])
{
#pragma omp parallel for
	for (int64_t j = 0; j < m; j++) {
		s[j] = 0;
		for (int64_t i = 0; i < n; i++)
			s[j] += r[i] * A[i][j];
	}
#pragma omp parallel for
	for (int64_t i = 0; i < n; i++) {
		q[i] = 0;
		for (int64_t j = 0; j < m; j++)
			q[i] += A[i][j] * p[j];
	}
}
