/* A star of radius 2 with weights 1 / (2 k radius), added to out; then every cell of in grows by one
 * shapes: n=37 iterations=3; n=3 iterations=1; n=67 iterations=2
 * bench: n=2000 iterations=10 */
#include <stdint.h>
#define R 2

void star_reference(int64_t n, int64_t iterations, double in[n][n], double out[n][n])
{
	for (int64_t t = 0; t < iterations; t++) {
#pragma omp parallel for
		for (int64_t i = R; i < n - R; i++)
			for (int64_t j = R; j < n - R; j++)
				for (int64_t k = 1; k <= R; k++)
					out[i][j] += 1 / (2.0 * (double)k * R) *
						     (in[i][j + k] - in[i][j - k] + in[i + k][j] - in[i - k][j]);
#pragma omp parallel for
		for (int64_t i = 0; i < n; i++)
			for (int64_t j = 0; j < n; j++)
				in[i][j] += 1;
	}
}
