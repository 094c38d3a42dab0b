/* Vectors, one a row, are added to one
 * shapes: number=17 length=131 iterations=2; number=1 length=1 iterations=1; number=131 length=37 iterations=1
 * bench: number=64 length=100000 iterations=3 */
#include <stdint.h>

void vectors_reference(int64_t number, int64_t length, int64_t iterations, double x[number][length],
	double total[length])
{
	for (int64_t t = 0; t < iterations; t++)
#pragma omp parallel for
		for (int64_t j = 0; j < length; j++)
			for (int64_t i = 0; i < number; i++)
				total[j] += x[i][j];
}
