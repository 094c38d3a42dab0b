/* B += A^T, then every cell of A grows by one
 * shapes: order=37 iterations=3; order=1 iterations=1; order=67 iterations=2
 * bench: order=2000 iterations=10 */
#include <stdint.h>

void transposed_reference(int64_t order, int64_t iterations, double A[order][order], double B[order][order])
{
	for (int64_t t = 0; t < iterations; t++)
#pragma omp parallel for
		for (int64_t i = 0; i < order; i++)
			for (int64_t j = 0; j < order; j++) {
				B[i][j] += A[j][i];
				A[j][i] += 1;
			}
}
