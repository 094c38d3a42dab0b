/* cov of the m columns of data, symmetric
 * shapes: n=17 m=23; n=2 m=1; n=67 m=37
 * bench: n=700 m=600 */
#include <stdint.h>
#include <stdlib.h>

void covariance_reference(int64_t n, int64_t m, double data[n][m], double mean[m], double cov[m][m])
{
	double (*centred)[m] = malloc(sizeof(double[n][m]));
	for (int64_t j = 0; j < m; j++)
		mean[j] = 0;
	for (int64_t i = 0; i < n; i++)
		for (int64_t j = 0; j < m; j++)
			mean[j] += data[i][j];
	for (int64_t j = 0; j < m; j++)
		mean[j] /= (double)n;
#pragma omp parallel for
	for (int64_t i = 0; i < n; i++)
		for (int64_t j = 0; j < m; j++)
			centred[i][j] = data[i][j] - mean[j];
#pragma omp parallel for schedule(dynamic, 8)
	for (int64_t i = 0; i < m; i++) {
		for (int64_t j = 0; j < m; j++)
			cov[i][j] = 0;
		for (int64_t k = 0; k < n; k++)
			for (int64_t j = 0; j < m; j++)
				cov[i][j] += centred[k][i] * centred[k][j];
		for (int64_t j = 0; j < m; j++)
			cov[i][j] /= (double)n - 1;
	}
	free(centred);
}
