/* Alternating directions: tridiagonal systems down the columns, then along the rows
 * shapes: n=17 tsteps=2; n=3 tsteps=1; n=37 tsteps=3
 * bench: n=1000 tsteps=5
 * within: 1e-7 */
#include <stdint.h>
#include <stdlib.h>

void adi_reference(int64_t n, int64_t tsteps, double u[n][n], double v[n][n])
{
	double (*p)[n] = malloc(sizeof(double[n][n])), (*q)[n] = malloc(sizeof(double[n][n]));
	double mul1 = 2 / (double)tsteps * (double)(n * n), mul2 = 1 / (double)tsteps * (double)(n * n);
	double a = -mul1 / 2, b = 1 + mul1, c = a, d = -mul2 / 2, e = 1 + mul2, f = d;
	for (int64_t t = 0; t < tsteps; t++) {
#pragma omp parallel for
		for (int64_t i = 1; i < n - 1; i++) {
			v[0][i] = 1;
			p[i][0] = 0;
			q[i][0] = 1;
			for (int64_t j = 1; j < n - 1; j++) {
				p[i][j] = -c / (a * p[i][j - 1] + b);
				q[i][j] = (-d * u[j][i - 1] + (1 + 2 * d) * u[j][i] - f * u[j][i + 1] - a * q[i][j - 1]) /
					  (a * p[i][j - 1] + b);
			}
			v[n - 1][i] = 1;
			for (int64_t j = n - 2; j >= 1; j--)
				v[j][i] = p[i][j] * v[j + 1][i] + q[i][j];
		}
#pragma omp parallel for
		for (int64_t i = 1; i < n - 1; i++) {
			u[i][0] = 1;
			p[i][0] = 0;
			q[i][0] = 1;
			for (int64_t j = 1; j < n - 1; j++) {
				p[i][j] = -f / (d * p[i][j - 1] + e);
				q[i][j] = (-a * v[i - 1][j] + (1 + 2 * a) * v[i][j] - c * v[i + 1][j] - d * q[i][j - 1]) /
					  (d * p[i][j - 1] + e);
			}
			u[i][n - 1] = 1;
			for (int64_t j = n - 2; j >= 1; j--)
				u[i][j] = p[i][j] * u[i][j + 1] + q[i][j];
		}
	}
	free(p);
	free(q);
}
