/* C += A B, again and again
 * shapes: order=37 iterations=2; order=1 iterations=1; order=67 iterations=1
 * bench: order=500 iterations=3 */
#include <stdint.h>

void dgemm_reference(int64_t order, int64_t iterations, double A[order][order], double B[order][order],
	double C[order][order])
{
	for (int64_t t = 0; t < iterations; t++)
#pragma omp parallel for
		for (int64_t i = 0; i < order; i++)
			for (int64_t k = 0; k < order; k++)
				for (int64_t j = 0; j < order; j++)
					C[i][j] += A[i][k] * B[k][j];
}
