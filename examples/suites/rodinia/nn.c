/* The k records nearest to a place, and how far all are
 * shapes: n=131 k=5 lat=0.4f lng=0.6f; n=1 k=1 lat=0.4f lng=0.6f; n=3 k=5 lat=0.4f lng=0.6f
 * bench: n=1000000 k=10 lat=0.4f lng=0.6f
 * within: 1e-6 */
#include <math.h>
#include <stdint.h>

void nn_reference(int64_t n, int32_t k, float lat, float lng, float locations[n][2], float distance[n],
	int32_t nearest[n])
{
#pragma omp parallel for
	for (int64_t i = 0; i < n; i++) {
		float y = lat - locations[i][0], x = lng - locations[i][1];
		distance[i] = sqrtf(y * y + x * x);
	}
	for (int64_t p = 0; p < k && p < n; p++) {
		int64_t best = -1;
		for (int64_t i = 0; i < n; i++) {
			int taken = 0;
			for (int64_t q = 0; q < p && !taken; q++)
				taken = nearest[q] == i;
			if (!taken && (best < 0 || distance[i] < distance[best]))
				best = i;
		}
		nearest[p] = (int32_t)best;
	}
}
