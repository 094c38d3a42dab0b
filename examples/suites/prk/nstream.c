/* The triad, again and again: A += B + scalar C
 * shapes: length=1031 iterations=3 scalar=3.0; length=1 iterations=1 scalar=3.0; length=0 iterations=2 scalar=3.0
 * bench: length=4000000 iterations=10 scalar=3.0 */
#include <stdint.h>

void nstream_reference(int64_t length, int64_t iterations, double scalar, double A[length], double B[length],
	double C[length])
{
	for (int64_t t = 0; t < iterations; t++)
#pragma omp parallel for
		for (int64_t i = 0; i < length; i++)
			A[i] += B[i] + scalar * C[i];
}
