/* What opening a centre at point x gains: a thread per point, sums by atomics */
#include "plain.cuh"

static __global__ void distances(int64_t num, int64_t dim, int64_t x, const float *coord,
	const float *weight, float *d)
{
	int64_t i = AT_X;
	if (i >= num)
		return;
	float sum = 0;
	for (int64_t k = 0; k < dim; k++) {
		float apart = coord[i * dim + k] - coord[x * dim + k];
		sum += apart * apart;
	}
	d[i] = sum * weight[i];
}

/* Points that are nearer to x gain; of others, the centre gains or loses if it is closed. */
static __global__ void of_points(int64_t num, const float *d, const float *cost,
	const int32_t *assign, float *lower, double *total)
{
	int64_t i = AT_X;
	float gain = i < num ? cost[i] - d[i] : 0;
	if (i < num && d[i] >= cost[i])
		atomicAdd(&lower[assign[i]], gain);
	double sum = block_sum(gain > 0 ? gain : 0);
	if (threadIdx.x == 0)
		atomicAdd(total, sum);
}

static __global__ void of_centres(int64_t num, float z, const bool *is_center, float *lower,
	double *total)
{
	int64_t i = AT_X;
	float mine = i < num ? lower[i] + z : 0;
	if (i < num)
		lower[i] = mine;
	double sum = block_sum(i < num && is_center[i] && mine > 0 ? mine : 0);
	if (threadIdx.x == 0)
		atomicAdd(total, sum);
}

static __global__ void gained(float z, const double *total, float *gain)
{
	*gain = (float)(*total - z);
}

static __global__ void open(int64_t num, int64_t x, const float *d, const float *lower,
	const float *gain, float *cost, int32_t *assign, bool *is_center)
{
	int64_t i = AT_X;
	if (i >= num || *gain <= 0)
		return;
	if (d[i] < cost[i] || lower[assign[i]] > 0) {
		cost[i] = d[i];
		assign[i] = (int32_t)x;
	}
	is_center[i] = i == x || (is_center[i] && lower[i] <= 0);
}

extern "C" void pgain_cuda(int64_t num, int64_t dim, int64_t x, float z, const float *coord,
	const float *weight, float *cost, int32_t *assign, bool *is_center, float *gain)
{
	float *d = scratch<float>(0, num), *lower = scratch<float>(1, num);
	double *total = scratch<double>(0, 1);
	cudaMemset(lower, 0, (size_t)num * sizeof *lower);
	cudaMemset(total, 0, sizeof *total);
	distances<<<LINE(num)>>>(num, dim, x, coord, weight, d);
	of_points<<<LINE(num)>>>(num, d, cost, assign, lower, total);
	of_centres<<<LINE(num)>>>(num, z, is_center, lower, total);
	gained<<<1, 1>>>(z, total, gain);
	open<<<LINE(num)>>>(num, x, d, lower, gain, cost, assign, is_center);
	finish();
}
