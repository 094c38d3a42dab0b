/* Clusters: a thread per point finds the nearest centre,
 * and adds the point to its sums by atomics */
#include "plain.cuh"

static __global__ void nearest(int64_t npoints, int64_t nfeatures, int64_t nclusters,
	const float *feature, const float *centre, int32_t *membership, int32_t *changed)
{
	int64_t p = AT_X;
	if (p >= npoints)
		return;
	int32_t at = -1;
	float best = 0;
	for (int64_t c = 0; c < nclusters; c++) {
		float d = 0;
		for (int64_t f = 0; f < nfeatures; f++) {
			float apart = feature[p * nfeatures + f] - centre[c * nfeatures + f];
			d += apart * apart;
		}
		if (at < 0 || d < best)
			best = d, at = (int32_t)c;
	}
	if (membership[p] != at)
		atomicAdd(changed, 1);
	membership[p] = at;
}

static __global__ void add(int64_t npoints, int64_t nfeatures, const float *feature,
	const int32_t *membership, float *total, int32_t *members)
{
	int64_t p = AT_X;
	if (p >= npoints)
		return;
	int64_t c = membership[p];
	atomicAdd(&members[c], 1);
	for (int64_t f = 0; f < nfeatures; f++)
		atomicAdd(&total[c * nfeatures + f], feature[p * nfeatures + f]);
}

static __global__ void middle(int64_t nfeatures, int64_t nclusters, const float *total,
	const int32_t *members, float *centre)
{
	int64_t at = AT_X;
	if (at >= nclusters * nfeatures)
		return;
	int32_t points = members[at / nfeatures];
	if (points > 0)
		centre[at] = total[at] / (float)points;
}

extern "C" void kmeans_cuda(int64_t npoints, int64_t nfeatures, int64_t nclusters, double threshold,
	const float *feature, float *centre, int32_t *membership)
{
	int64_t cells = nclusters * nfeatures;
	float *total = scratch<float>(0, cells);
	int32_t *members = scratch<int32_t>(0, nclusters), *count = scratch<int32_t>(1, 1);
	int32_t changed = 0;
	cudaMemset(membership, 0xff, (size_t)npoints * sizeof *membership);
	for (int pass = 0; pass < 500 && (pass == 0 || changed > threshold); pass++) {
		cudaMemset(count, 0, sizeof *count);
		cudaMemset(total, 0, (size_t)cells * sizeof *total);
		cudaMemset(members, 0, (size_t)nclusters * sizeof *members);
		nearest<<<LINE(npoints)>>>(npoints, nfeatures, nclusters, feature, centre,
			membership, count);
		add<<<LINE(npoints)>>>(npoints, nfeatures, feature, membership, total, members);
		middle<<<LINE(cells)>>>(nfeatures, nclusters, total, members, centre);
		cudaMemcpy(&changed, count, sizeof changed, cudaMemcpyDeviceToHost);
	}
	finish();
}
