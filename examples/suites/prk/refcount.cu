/* Many references at a time to few shared counters: a thread per reference, atomics in global
 * memory */
#include "plain.cuh"

static __global__ void references(int64_t m, const int32_t *taken, const int32_t *left,
	unsigned long long *count, int32_t *stamp)
{
	int64_t i = AT_X;
	if (i >= m)
		return;
	atomicAdd(&count[taken[i]], 1ull);
	atomicAdd(&count[left[i]], ~0ull);
	atomicMax(&stamp[taken[i]], (int32_t)i);
}

extern "C" void refcount_cuda(int64_t m, int64_t counters, const int32_t *taken,
	const int32_t *left, int64_t *count, int32_t *stamp)
{
	(void)counters;
	references<<<LINE(m)>>>(m, taken, left, (unsigned long long *)count, stamp);
	finish();
}
