/* C = alpha A B + beta C
 * shapes: ni=17 nj=23 nk=13; ni=1 nj=1 nk=1; ni=37 nj=67 nk=131; ni=3 nj=0 nk=2
 * bench: ni=500 nj=550 nk=600 */
#include <stdint.h>

void gemm_reference(int64_t ni, int64_t nj, int64_t nk, double alpha, double beta, double C[ni][nj],
	double A[ni][nk], double B[nk][nj])
{
#pragma omp parallel for
	for (int64_t i = 0; i < ni; i++) {
		for (int64_t j = 0; j < nj; j++)
			C[i][j] *= beta;
		for (int64_t k = 0; k < nk; k++)
			for (int64_t j = 0; j < nj; j++)
				C[i][j] += alpha * A[i][k] * B[k][j];
	}
}
