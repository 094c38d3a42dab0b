/* a x = b by elimination without pivots
 * shapes: n=17; n=1; n=37
 * bench: n=500
 * within: 1e-4 */
#include <math.h>
#include <stdint.h>

void gaussian_init(int64_t n, float a[n][n], float b[n], float m[n][n], float x[n])
{
	(void)b, (void)m, (void)x;
	for (int64_t i = 0; i < n; i++)
		for (int64_t j = 0; j < n; j++)
			a[i][j] = 10 * expf(-0.05f * (float)(i > j ? i - j : j - i)) + (i == j ? 5 : 0);
}

void gaussian_reference(int64_t n, float a[n][n], float b[n], float m[n][n], float x[n])
{
	for (int64_t t = 0; t < n - 1; t++)
#pragma omp parallel for
		for (int64_t i = t + 1; i < n; i++) {
			m[i][t] = a[i][t] / a[t][t];
			for (int64_t j = t; j < n; j++)
				a[i][j] -= m[i][t] * a[t][j];
			b[i] -= m[i][t] * b[t];
		}
	for (int64_t i = n - 1; i >= 0; i--) {
		x[i] = b[i];
		for (int64_t j = i + 1; j < n; j++)
			x[i] -= a[i][j] * x[j];
		x[i] /= a[i][i];
	}
}
