/* Branches that data decide: a thread takes a cell through all rounds */
#include "plain.cuh"

static __device__ int32_t turn(int32_t x, int32_t t)
{
	if ((x ^ t) % 3 == 0)
		return x + t;
	for (int k = 0; k < 4; k++)
		x = x & 1 ? (int32_t)((uint32_t)x * 3 + 1) : x / 2;
	return x;
}

static __global__ void all_rounds(int64_t n, int32_t rounds, int32_t *x)
{
	int64_t i = AT_X;
	if (i >= n)
		return;
	int32_t cell = x[i];
	for (int32_t t = 0; t < rounds; t++) {
		if (cell >= 0)
			cell = turn(cell, t);
		if (cell < 0)
			cell = -cell - 1;
	}
	x[i] = cell;
}

extern "C" void branch_cuda(int64_t n, int32_t rounds, int32_t *x)
{
	all_rounds<<<LINE(n)>>>(n, rounds, x);
	finish();
}
