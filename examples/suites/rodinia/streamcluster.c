/* What opening a centre at point x gains
 * shapes: num=131 dim=5 x=3 z=0.5f; num=1 dim=1 x=0 z=0.5f; num=1031 dim=3 x=77 z=2
 * bench: num=200000 dim=32 x=5 z=2
 * within: 1e-3 */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

/* Every fifth point is a centre, and points belong to one of them. */
void pgain_init(int64_t num, int64_t dim, int64_t x, float z, float coord[num][dim], float weight[num], float cost[num],
	int32_t assign[num], bool is_center[num], float *gain)
{
	(void)x, (void)z, (void)coord, (void)weight, (void)gain;
	for (int64_t i = 0; i < num; i++) {
		is_center[i] = i % 5 == 0;
		assign[i] = (int32_t)((i * 7 + 1) % num / 5 * 5);
		cost[i] *= 0.3f;
	}
}

void pgain_reference(int64_t num, int64_t dim, int64_t x, float z, float coord[num][dim], float weight[num],
	float cost[num], int32_t assign[num], bool is_center[num], float *gain)
{
	float *d = malloc((size_t)num * sizeof *d), *lower = calloc((size_t)num, sizeof *lower);
	*gain = -z;
#pragma omp parallel for
	for (int64_t i = 0; i < num; i++) {
		d[i] = 0;
		for (int64_t k = 0; k < dim; k++)
			d[i] += (coord[i][k] - coord[x][k]) * (coord[i][k] - coord[x][k]);
		d[i] *= weight[i];
	}
	for (int64_t i = 0; i < num; i++)
		if (d[i] < cost[i])
			*gain += cost[i] - d[i];
		else
			lower[assign[i]] += cost[i] - d[i];
	for (int64_t i = 0; i < num; i++) {
		lower[i] += z;
		if (is_center[i] && lower[i] > 0)
			*gain += lower[i];
	}
	if (*gain > 0)
		for (int64_t i = 0; i < num; i++)
			if (d[i] < cost[i] || lower[assign[i]] > 0) {
				cost[i] = d[i];
				assign[i] = (int32_t)x;
			}
	if (*gain > 0)
		for (int64_t i = 0; i < num; i++)
			is_center[i] = i == x || (is_center[i] && lower[i] <= 0);
	free(d);
	free(lower);
}
