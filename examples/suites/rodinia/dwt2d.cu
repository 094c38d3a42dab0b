/* A level of the wavelet 5/3 of JPEG 2000: rows, then columns; a thread per pair of cells */
#include "plain.cuh"

static __device__ int32_t detail(int64_t n, int64_t i, int64_t step, const int32_t *x)
{
	int64_t next = i + 1 < n ? 2 * i + 2 : 2 * i;
	return x[(2 * i + 1) * step] - ((x[2 * i * step] + x[next * step]) >> 1);
}

/* Pair i of a line of n pairs, whose cells are `step` apart */
static __device__ void pair(int64_t n, int64_t i, int64_t step, const int32_t *x, int32_t *to)
{
	int32_t high = detail(n, i, step, x), before = detail(n, i ? i - 1 : 0, step, x);
	to[i * step] = x[2 * i * step] + ((before + high + 2) >> 2);
	to[(n + i) * step] = high;
}

static __global__ void rows(int64_t h, int64_t w, const int32_t *x, int32_t *to)
{
	int64_t i = AT_Y, j = AT_X;
	if (i < 2 * h && j < w)
		pair(w, j, 1, x + i * 2 * w, to + i * 2 * w);
}

static __global__ void columns(int64_t h, int64_t w, const int32_t *x, int32_t *to)
{
	int64_t i = AT_Y, j = AT_X;
	if (i < h && j < 2 * w)
		pair(h, i, 2 * w, x + j, to + j);
}

extern "C" void dwt2d_cuda(int64_t h, int64_t w, int32_t *image)
{
	int32_t *half = scratch<int32_t>(0, 4 * h * w);
	rows<<<PLANE(2 * h, w)>>>(h, w, image, half);
	columns<<<PLANE(h, 2 * w)>>>(h, w, half, image);
	finish();
}
