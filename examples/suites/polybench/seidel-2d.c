/* Gauss and Seidel: in place, row after row
 * shapes: n=23 tsteps=3; n=2 tsteps=2; n=67 tsteps=1
 * bench: n=1000 tsteps=5 */
#include <stdint.h>

void seidel_2d_reference(int64_t n, int64_t tsteps, double A[n][n])
{
	for (int64_t t = 0; t < tsteps; t++)
		for (int64_t i = 1; i < n - 1; i++)
			for (int64_t j = 1; j < n - 1; j++)
				A[i][j] = (A[i - 1][j - 1] + A[i - 1][j] + A[i - 1][j + 1] + A[i][j - 1] + A[i][j] +
					   A[i][j + 1] + A[i + 1][j - 1] + A[i + 1][j] + A[i + 1][j + 1]) / 9;
}
