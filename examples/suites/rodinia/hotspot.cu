/* The temperatures of a chip: two buffers, a launch per step, a thread per cell */
#include "plain.cuh"

static __device__ int64_t within(int64_t i, int64_t n)
{
	return i < 0 ? 0 : i >= n ? n - 1 : i;
}

static __global__ void step(int64_t row, int64_t col, float Rx_1, float Ry_1, float Rz_1,
	float Cap_1, const float *power, const float *t, float *next)
{
	int64_t r = AT_Y, c = AT_X, at = r * col + c;
	if (r >= row || c >= col)
		return;
	float south = t[within(r + 1, row) * col + c], north = t[within(r - 1, row) * col + c];
	float east = t[r * col + within(c + 1, col)], west = t[r * col + within(c - 1, col)];
	next[at] = t[at] + Cap_1 * (power[at] + (south + north - 2 * t[at]) * Ry_1 +
				    (east + west - 2 * t[at]) * Rx_1 + (80 - t[at]) * Rz_1);
}

extern "C" void hotspot_cuda(int64_t row, int64_t col, int64_t steps, float Rx_1, float Ry_1,
	float Rz_1, float Cap_1, const float *power, float *temp)
{
	float *now = temp, *next = scratch<float>(0, row * col);
	for (int64_t t = 0; t < steps; t++) {
		step<<<PLANE(row, col)>>>(row, col, Rx_1, Ry_1, Rz_1, Cap_1, power, now, next);
		float *swap = now;
		now = next, next = swap;
	}
	if (now != temp)
		cudaMemcpy(temp, now, (size_t)(row * col) * sizeof *temp, cudaMemcpyDeviceToDevice);
	finish();
}
