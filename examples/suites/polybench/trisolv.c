/* L x = b, forwards
 * shapes: n=17; n=1; n=67
 * bench: n=2000 */
#include <stdint.h>

void trisolv_init(int64_t n, double L[n][n], double x[n], double b[n])
{
	(void)x, (void)b;
	for (int64_t i = 0; i < n; i++)
		L[i][i] += (double)n;
}

void trisolv_reference(int64_t n, double L[n][n], double x[n], double b[n])
{
	for (int64_t i = 0; i < n; i++) {
		double sum = 0;
#pragma omp simd reduction(+ : sum)
		for (int64_t j = 0; j < i; j++)
			sum += L[i][j] * x[j];
		x[i] = (b[i] - sum) / L[i][i];
	}
}
