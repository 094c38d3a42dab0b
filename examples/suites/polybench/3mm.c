/* G = (A B) (C D)
 * shapes: ni=17 nj=23 nk=13 nl=5 nm=7; ni=1 nj=1 nk=1 nl=1 nm=1; ni=37 nj=41 nk=31 nl=67 nm=3
 * bench: ni=400 nj=450 nk=500 nl=550 nm=600 */
#include <stdint.h>
#include <stdlib.h>

static void product(int64_t n, int64_t l, int64_t m, double to[n][m], double a[n][l], double b[l][m])
{
#pragma omp parallel for
	for (int64_t i = 0; i < n; i++) {
		for (int64_t j = 0; j < m; j++)
			to[i][j] = 0;
		for (int64_t k = 0; k < l; k++)
			for (int64_t j = 0; j < m; j++)
				to[i][j] += a[i][k] * b[k][j];
	}
}

void k3mm_reference(int64_t ni, int64_t nk, int64_t nj, int64_t nm, int64_t nl, double A[ni][nk], double B[nk][nj],
	double C[nj][nm], double D[nm][nl], double G[ni][nl])
{
	double (*E)[nj] = malloc(sizeof(double[ni][nj])), (*F)[nl] = malloc(sizeof(double[nj][nl]));
	product(ni, nk, nj, E, A, B);
	product(nj, nm, nl, F, C, D);
	product(ni, nj, nl, G, E, F);
	free(E);
	free(F);
}
