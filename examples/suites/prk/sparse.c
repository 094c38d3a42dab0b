/* y += A x, A by compressed rows: 5 cells a row, as a star makes them; every cell of x grows by one before
 * shapes: n=131 nonzeros=655 iterations=2; n=1 nonzeros=5 iterations=1; n=1031 nonzeros=5155 iterations=1
 * bench: n=400000 nonzeros=2000000 iterations=5 */
#include <stdint.h>

void sparse_init(int64_t n, int64_t nonzeros, int64_t iterations, int64_t rows[n + 1], int64_t column[nonzeros],
	double value[nonzeros], double x[n], double y[n])
{
	(void)iterations, (void)value, (void)x, (void)y;
	for (int64_t i = 0; i <= n; i++)
		rows[i] = 5 * i;
	for (int64_t i = 0; i < n; i++)
		for (int64_t k = 0; k < 5; k++)
			column[5 * i + k] = (i * 5 + k * 7919 * i) % n;
}

void sparse_reference(int64_t n, int64_t nonzeros, int64_t iterations, int64_t rows[n + 1], int64_t column[nonzeros],
	double value[nonzeros], double x[n], double y[n])
{
	for (int64_t t = 0; t < iterations; t++) {
#pragma omp parallel for
		for (int64_t i = 0; i < n; i++)
			x[i] += 1;
#pragma omp parallel for
		for (int64_t i = 0; i < n; i++)
			for (int64_t e = rows[i]; e < rows[i + 1]; e++)
				y[i] += value[e] * x[column[e]];
	}
}
