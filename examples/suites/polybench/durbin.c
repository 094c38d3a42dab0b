/* Levinson and Durbin: the Toeplitz system of r
 * shapes: n=17; n=1; n=41
 * bench: n=1000 */
#include <stdint.h>
#include <stdlib.h>

void durbin_init(int64_t n, double r[n], double y[n])
{
	(void)y;
	for (int64_t i = 0; i < n; i++)
		r[i] *= 1 / (double)(n + 1);
}

void durbin_reference(int64_t n, double r[n], double y[n])
{
	double *z = malloc((size_t)n * sizeof *z);
	double alpha = -r[0], beta = 1;
	y[0] = -r[0];
	for (int64_t k = 1; k < n; k++) {
		double sum = 0;
		beta = (1 - alpha * alpha) * beta;
#pragma omp simd reduction(+ : sum)
		for (int64_t i = 0; i < k; i++)
			sum += r[k - i - 1] * y[i];
		alpha = -(r[k] + sum) / beta;
		for (int64_t i = 0; i < k; i++)
			z[i] = y[i] + alpha * y[k - i - 1];
		for (int64_t i = 0; i < k; i++)
			y[i] = z[i];
		y[k] = alpha;
	}
	free(z);
}
