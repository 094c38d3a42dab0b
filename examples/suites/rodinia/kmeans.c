/* Clusters: every point goes to the nearest centre, and centres go to the middle of their points
 * shapes: npoints=131 nfeatures=5 nclusters=3 threshold=0; npoints=1 nfeatures=1 nclusters=1 threshold=0; npoints=367 nfeatures=2 nclusters=5 threshold=2
 * bench: npoints=50000 nfeatures=34 nclusters=5 threshold=100
 * within: 1e-4 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Points near as many places as there are clusters. */
void kmeans_init(int64_t npoints, int64_t nfeatures, int64_t nclusters, double threshold,
	float feature[npoints][nfeatures], float centre[nclusters][nfeatures], int32_t membership[npoints])
{
	(void)threshold, (void)membership;
	for (int64_t p = 0; p < npoints; p++)
		for (int64_t f = 0; f < nfeatures; f++)
			feature[p][f] = 0.5f * feature[p][f] + (float)((p % nclusters) * (f + 1) % 7);
	for (int64_t c = 0; c < nclusters; c++)
		memcpy(centre[c], feature[c], sizeof centre[c]);
}

void kmeans_reference(int64_t npoints, int64_t nfeatures, int64_t nclusters, double threshold,
	float feature[npoints][nfeatures], float centre[nclusters][nfeatures], int32_t membership[npoints])
{
	float (*total)[nfeatures] = malloc(sizeof(float[nclusters][nfeatures]));
	int32_t *members = malloc((size_t)nclusters * sizeof *members);
	int64_t changed = npoints;
	for (int64_t p = 0; p < npoints; p++)
		membership[p] = -1;
	for (int pass = 0; pass < 500 && (pass == 0 || (double)changed > threshold); pass++) {
		changed = 0;
#pragma omp parallel for reduction(+ : changed)
		for (int64_t p = 0; p < npoints; p++) {
			int32_t at = -1;
			float best = 0;
			for (int64_t c = 0; c < nclusters; c++) {
				float d = 0;
				for (int64_t f = 0; f < nfeatures; f++)
					d += (feature[p][f] - centre[c][f]) * (feature[p][f] - centre[c][f]);
				if (at < 0 || d < best)
					best = d, at = (int32_t)c;
			}
			changed += membership[p] != at;
			membership[p] = at;
		}
		memset(total, 0, sizeof(float[nclusters][nfeatures]));
		memset(members, 0, (size_t)nclusters * sizeof *members);
		for (int64_t p = 0; p < npoints; p++) {
			members[membership[p]]++;
			for (int64_t f = 0; f < nfeatures; f++)
				total[membership[p]][f] += feature[p][f];
		}
		for (int64_t c = 0; c < nclusters; c++)
			for (int64_t f = 0; f < nfeatures && members[c]; f++)
				centre[c][f] = total[c][f] / (float)members[c];
	}
	free(total);
	free(members);
}
