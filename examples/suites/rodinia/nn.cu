/* The k records nearest to a place: k passes, each the least key above the last, by atomics */
#include "plain.cuh"

/* Bits of a float that is not negative are in its order; the number of the record is below them. */
static __device__ unsigned long long key_of(float distance, int64_t i)
{
	return (unsigned long long)__float_as_uint(distance) << 32 | (unsigned long long)i;
}

static __global__ void distances(int64_t n, float lat, float lng, const float *locations,
	float *distance)
{
	int64_t i = AT_X;
	if (i >= n)
		return;
	float y = lat - locations[2 * i], x = lng - locations[2 * i + 1];
	distance[i] = sqrtf(y * y + x * x);
}

/* key[p] only falls: a thread that reads it too early tries in vain, no more. */
static __global__ void least(int64_t n, int64_t p, const float *distance, unsigned long long *key)
{
	int64_t i = AT_X;
	if (i >= n)
		return;
	unsigned long long mine = key_of(distance[i], i);
	if ((p == 0 || mine > key[p - 1]) && mine < key[p])
		atomicMin(&key[p], mine);
}

static __global__ void numbers(int64_t k, const unsigned long long *key, int32_t *nearest)
{
	int64_t p = AT_X;
	if (p < k)
		nearest[p] = (int32_t)key[p];
}

extern "C" void nn_cuda(int64_t n, int32_t k, float lat, float lng, const float *locations,
	float *distance, int32_t *nearest)
{
	int64_t found = k < n ? k : n;
	unsigned long long *key = scratch<unsigned long long>(0, found);
	cudaMemset(key, 0xff, (size_t)found * sizeof *key);
	distances<<<LINE(n)>>>(n, lat, lng, locations, distance);
	for (int64_t p = 0; p < found; p++)
		least<<<LINE(n)>>>(n, p, distance, key);
	numbers<<<LINE(found)>>>(found, key, nearest);
	finish();
}
