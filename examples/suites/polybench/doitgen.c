/* A[r, q, :] becomes A[r, q, :] C4
 * shapes: nr=3 nq=5 np=17; nr=1 nq=1 np=1; nr=7 nq=11 np=37
 * bench: nr=150 nq=140 np=160 */
#include <stdint.h>
#include <stdlib.h>

void doitgen_reference(int64_t nr, int64_t nq, int64_t np, double A[nr][nq][np], double C4[np][np])
{
#pragma omp parallel
	{
		double *sum = malloc((size_t)np * sizeof *sum);
#pragma omp for
		for (int64_t r = 0; r < nr; r++)
			for (int64_t q = 0; q < nq; q++) {
				for (int64_t p = 0; p < np; p++)
					sum[p] = 0;
				for (int64_t s = 0; s < np; s++)
					for (int64_t p = 0; p < np; p++)
						sum[p] += A[r][q][s] * C4[s][p];
				for (int64_t p = 0; p < np; p++)
					A[r][q][p] = sum[p];
			}
		free(sum);
	}
}
