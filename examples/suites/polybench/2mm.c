/* D = alpha A B C + beta D
 * shapes: ni=17 nj=23 nk=13 nl=5; ni=1 nj=1 nk=1 nl=1; ni=37 nj=67 nk=31 nl=41
 * bench: ni=400 nj=450 nk=550 nl=600 */
#include <stdint.h>
#include <stdlib.h>

void k2mm_reference(int64_t ni, int64_t nk, int64_t nj, int64_t nl, double alpha, double beta,
	double A[ni][nk], double B[nk][nj], double C[nj][nl], double D[ni][nl])
{
	double (*tmp)[nj] = calloc((size_t)ni, sizeof *tmp);
#pragma omp parallel for
	for (int64_t i = 0; i < ni; i++)
		for (int64_t k = 0; k < nk; k++)
			for (int64_t j = 0; j < nj; j++)
				tmp[i][j] += alpha * A[i][k] * B[k][j];
#pragma omp parallel for
	for (int64_t i = 0; i < ni; i++) {
		for (int64_t j = 0; j < nl; j++)
			D[i][j] *= beta;
		for (int64_t k = 0; k < nj; k++)
			for (int64_t j = 0; j < nl; j++)
				D[i][j] += tmp[i][k] * C[k][j];
	}
	free(tmp);
}
