/* platform.h - memory and time on the machine that runs the kernels: this one, or a CUDA device.
 * "Device" memory on the cpu is ordinary memory, and a stream is nothing. */
#ifndef PLATFORM_H
#define PLATFORM_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static inline double seconds(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

#ifdef TARGET_CUDA
#include <cuda_runtime_api.h>

static const char platform[] = "cuda";

static inline bool worked(cudaError_t e)
{
	if (e != cudaSuccess)
		fprintf(stderr, "heat: %s\n", cudaGetErrorString(e));
	return e == cudaSuccess;
}
static inline void *device_new(size_t bytes)
{
	void *p = NULL;
	return worked(cudaMalloc(&p, bytes)) ? p : NULL;
}
static inline void device_free(void *p) { cudaFree(p); }
static inline bool to_device(void *to, const void *from, size_t bytes)
{
	return worked(cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice));
}
static inline bool to_host(void *to, const void *from, size_t bytes)
{
	return worked(cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToHost));
}
static inline bool device_copy(void *to, const void *from, size_t bytes)
{
	return worked(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, NULL));
}
static inline bool device_wait(void) { return worked(cudaDeviceSynchronize()); }

#else

static const char platform[] = "cpu";

static inline void *device_new(size_t bytes)
{
	return aligned_alloc(256, (bytes + 255) / 256 * 256);
}
static inline void device_free(void *p) { free(p); }
static inline bool to_device(void *to, const void *from, size_t bytes)
{
	memcpy(to, from, bytes);
	return true;
}
static inline bool to_host(void *to, const void *from, size_t bytes)
{
	memcpy(to, from, bytes);
	return true;
}
/* By all cores, as the kernels run. */
static inline bool device_copy(void *to, const void *from, size_t bytes)
{
	const size_t part = 1 << 16;
	#pragma omp parallel for schedule(static)
	for (size_t at = 0; at < bytes; at += part)
		memcpy((char *)to + at, (const char *)from + at, bytes - at < part ? bytes - at : part);
	return true;
}
static inline bool device_wait(void) { return true; }
#endif

#endif
