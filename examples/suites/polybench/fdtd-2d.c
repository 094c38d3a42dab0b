/* Waves: the two parts of the electric field, then the magnetic one
 * shapes: nx=17 ny=23 tmax=3; nx=1 ny=1 tmax=1; nx=37 ny=67 tmax=2
 * bench: nx=1000 ny=1200 tmax=50 */
#include <stdint.h>

void fdtd_2d_reference(int64_t nx, int64_t ny, int64_t tmax, double ex[nx][ny], double ey[nx][ny],
	double hz[nx][ny], double fict[tmax])
{
	for (int64_t t = 0; t < tmax; t++) {
		for (int64_t j = 0; j < ny; j++)
			ey[0][j] = fict[t];
#pragma omp parallel for
		for (int64_t i = 1; i < nx; i++)
			for (int64_t j = 0; j < ny; j++)
				ey[i][j] -= 0.5 * (hz[i][j] - hz[i - 1][j]);
#pragma omp parallel for
		for (int64_t i = 0; i < nx; i++)
			for (int64_t j = 1; j < ny; j++)
				ex[i][j] -= 0.5 * (hz[i][j] - hz[i][j - 1]);
#pragma omp parallel for
		for (int64_t i = 0; i < nx - 1; i++)
			for (int64_t j = 0; j < ny - 1; j++)
				hz[i][j] -= 0.7 * (ex[i][j + 1] - ex[i][j] + ey[i + 1][j] - ey[i][j]);
	}
}
