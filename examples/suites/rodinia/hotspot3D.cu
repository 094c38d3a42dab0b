/* The temperatures of a stack of chips: two buffers, a launch per step, a thread per cell */
#include "plain.cuh"

static __device__ int64_t within(int64_t i, int64_t n)
{
	return i < 0 ? 0 : i >= n ? n - 1 : i;
}

static __global__ void step(int64_t nz, int64_t ny, int64_t nx, float cc, float cw, float cn,
	float ct, float stepDivCap, float amb, const float *p, const float *t, float *next)
{
	int64_t z = blockIdx.z, y = AT_Y, x = AT_X, at = (z * ny + y) * nx + x;
	if (z >= nz || y >= ny || x >= nx)
		return;
	const float *plane = t + z * ny * nx, *row = plane + y * nx, *column = t + y * nx + x;
	int64_t below = within(z - 1, nz) * ny * nx, above = within(z + 1, nz) * ny * nx;
	next[at] = cc * t[at] + cw * (row[within(x - 1, nx)] + row[within(x + 1, nx)]) +
		   cn * (plane[within(y - 1, ny) * nx + x] + plane[within(y + 1, ny) * nx + x]) +
		   ct * (column[below] + column[above]) +
		   stepDivCap * p[at] + ct * amb;
}

extern "C" void hotspot3D_cuda(int64_t nz, int64_t ny, int64_t nx, int64_t steps, float cc,
	float cw, float cn, float ct, float stepDivCap, float amb, const float *pIn, float *tIn)
{
	int64_t cells = nz * ny * nx;
	float *now = tIn, *next = scratch<float>(0, cells);
	dim3 grid(blocks(nx, 16), blocks(ny, 16), blocks(nz, 1)), block(16, 16);
	for (int64_t t = 0; t < steps; t++) {
		step<<<grid, block>>>(nz, ny, nx, cc, cw, cn, ct, stepDivCap, amb, pIn, now, next);
		float *swap = now;
		now = next, next = swap;
	}
	if (now != tIn)
		cudaMemcpy(tIn, now, (size_t)cells * sizeof *tIn, cudaMemcpyDeviceToDevice);
	finish();
}
