/* naive.c - see naive.h.  Gauss and Seidel's own order, row by row, without colours and without
 * over-relaxation: another road to the same numbers. */
#include <math.h>

#include "naive.h"

int64_t naive_ocean(int64_t n, int64_t m, const uint8_t *cell, const double *curl, double b,
		    double eps, double *psi)
{
	int64_t sweeps = 0;
	double worst;
	do {
		worst = 0;
		for (int64_t i = 1; i < n - 1; i++)
			for (int64_t j = 1; j < m - 1; j++) {
				double *at = psi + i * m + j;
				if (cell[i * m + j] != 1)
					continue;
				double want = (at[-m] + at[m] + (1 - b) * at[-1] + (1 + b) * at[1]
					       - curl[i])
					      / 4;
				worst = fmax(worst, 4 * fabs(want - *at));
				*at = want;
			}
		sweeps++;
	} while (worst >= eps);
	return sweeps;
}
