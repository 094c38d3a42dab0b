/* m = L U in place, without pivots
 * shapes: dim=17; dim=1; dim=37
 * bench: dim=500
 * within: 1e-4 */
#include <stdint.h>

void lud_init(int64_t dim, float m[dim][dim])
{
	for (int64_t i = 0; i < dim; i++)
		m[i][i] += (float)dim;
}

void lud_reference(int64_t dim, float m[dim][dim])
{
	for (int64_t k = 0; k < dim; k++)
#pragma omp parallel for
		for (int64_t i = k + 1; i < dim; i++) {
			m[i][k] /= m[k][k];
			for (int64_t j = k + 1; j < dim; j++)
				m[i][j] -= m[i][k] * m[k][j];
		}
}
