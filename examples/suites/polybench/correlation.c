/* corr of the m columns of data, ones on the diagonal
 * shapes: n=17 m=23; n=1 m=1; n=67 m=37
 * bench: n=700 m=600 */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

void correlation_reference(int64_t n, int64_t m, double data[n][m], double mean[m], double stddev[m], double corr[m][m])
{
	double (*scaled)[m] = malloc(sizeof(double[n][m]));
#pragma omp parallel for
	for (int64_t j = 0; j < m; j++) {
		mean[j] = stddev[j] = 0;
		for (int64_t i = 0; i < n; i++)
			mean[j] += data[i][j];
		mean[j] /= (double)n;
		for (int64_t i = 0; i < n; i++)
			stddev[j] += (data[i][j] - mean[j]) * (data[i][j] - mean[j]);
		stddev[j] = sqrt(stddev[j] / (double)n);
		if (stddev[j] <= 0.1)
			stddev[j] = 1;
	}
#pragma omp parallel for
	for (int64_t i = 0; i < n; i++)
		for (int64_t j = 0; j < m; j++)
			scaled[i][j] = (data[i][j] - mean[j]) / (sqrt((double)n) * stddev[j]);
#pragma omp parallel for
	for (int64_t i = 0; i < m; i++) {
		for (int64_t j = 0; j < m; j++)
			corr[i][j] = 0;
		for (int64_t k = 0; k < n; k++)
			for (int64_t j = 0; j < m; j++)
				corr[i][j] += scaled[k][i] * scaled[k][j];
		corr[i][i] = 1;
	}
	free(scaled);
}
