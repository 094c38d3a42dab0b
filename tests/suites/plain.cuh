/* plain.cuh - what the plain CUDA of examples/suites shares: grids, cells, memory to work in. */
#pragma once
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* The cell of a thread: x is the last index, so that neighbours in a warp are so in memory. */
#define AT_X ((int64_t)blockIdx.x * blockDim.x + threadIdx.x)
#define AT_Y ((int64_t)blockIdx.y * blockDim.y + threadIdx.y)

/* How many blocks of `size` threads cover n cells; at least one, as a launch of none fails. */
static inline unsigned blocks(int64_t n, int64_t size)
{
	return n > 0 ? (unsigned)((n + size - 1) / size) : 1;
}

/* LINE(n) and PLANE(rows, columns) go between <<< and >>>: a thread per cell, in blocks of 256 and
 * of 16 x 16. */
#define LINE(n) blocks(n, 256), 256
#define PLANE(rows, columns) dim3(blocks(columns, 16), blocks(rows, 16)), dim3(16, 16)

/* Device memory for `cells` values, allocated by the first call of a slot and kept for the next
 * ones. */
template <typename T>
static T *scratch(int slot, int64_t cells)
{
	static T *memory[8];
	static int64_t there[8];
	if (there[slot] <= cells) {
		cudaFree(memory[slot]);
		if (cudaMalloc((void **)&memory[slot], (size_t)(cells + 1) * sizeof(T)))
			exit(3);
		there[slot] = cells + 1;
	}
	return memory[slot];
}

/* The sum of x over the 256 threads of a block. */
static inline __device__ double block_sum(double x)
{
	__shared__ double part[256];
	__syncthreads();
	part[threadIdx.x] = x;
	__syncthreads();
	for (unsigned half = 128; half; half /= 2) {
		if (threadIdx.x < half)
			part[threadIdx.x] += part[threadIdx.x + half];
		__syncthreads();
	}
	return part[0];
}

/* Waits for the kernels; a failure is said and ends the program. */
static inline void finish(void)
{
	cudaError_t error = cudaDeviceSynchronize();
	if (error == cudaSuccess)
		error = cudaGetLastError();
	if (error == cudaSuccess)
		return;
	fprintf(stderr, "plain CUDA: %s\n", cudaGetErrorString(error));
	exit(3);
}
