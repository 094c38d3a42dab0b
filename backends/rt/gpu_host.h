/* gpu_host.h - the host's side of a GPU, in CUDA's words; for HIP, the prefix `cuda` becomes
 * `hip`, and PATC_KERNEL the cast that hipLaunchKernel asks for.  See common.h for the markers.
 * Text of backends/rt that is copied into the output is under 0BSD. SPDX-License-Identifier: 0BSD
 * */
#include <cuda_runtime.h>
#include "host.h"
#define PATC_LAUNCH 6
#define PATC_INDEX 9
#define PATC_FULL 11
#define PATC_KERNEL kernel
#ifndef PATC_HOST
#define PATC_HOST static
#endif

/* helper patc_enqueue */
/* args: where the values of the kernel's parameters are; bytes: of shared memory, besides what it declares. */
struct patc_grid { int64_t x, y, z; };
template <class K>
PATC_HOST int patc_enqueue(K kernel, struct patc_grid grid, dim3 block, void **args, size_t bytes,
                        void *stream)
{
	if (grid.x <= 0 || grid.y <= 0 || grid.z <= 0)
		return PATC_OK;
	if (grid.x > 2147483647 || grid.y > 65535 || grid.z > 65535)
		return PATC_LAUNCH;
	const dim3 blocks((unsigned)grid.x, (unsigned)grid.y, (unsigned)grid.z);
	const cudaError_t error =
		cudaLaunchKernel(PATC_KERNEL, blocks, block, args, bytes, (cudaStream_t)stream);
	return error == cudaSuccess ? PATC_OK : PATC_LAUNCH;
}

/* helper patc_launch: patc_enqueue */
/* The caller's values become the kernel's parameter types.  The status is the launch's own. */
template <class T> struct patc_same { typedef T type; };
template <class... P>
PATC_HOST int patc_launch(void (*kernel)(P...), struct patc_grid grid, dim3 block, void *stream,
                       typename patc_same<P>::type... value)
{
	void *args[] = {(void *)&value..., NULL};
	return patc_enqueue(kernel, grid, block, args, 0, stream);
}

/* helper patc_launch_asking: patc_launch patc_enqueue */
/* With that many bytes of shared memory a block, besides what the kernel declares. */
template <class... P>
PATC_HOST int patc_launch_asking(void (*kernel)(P...), struct patc_grid grid, dim3 block, int bytes,
                              void *stream, typename patc_same<P>::type... value)
{
	void *args[] = {(void *)&value..., NULL};
	if (cudaFuncSetAttribute(PATC_KERNEL, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes) !=
	    cudaSuccess)
		return PATC_LAUNCH;
	return patc_enqueue(kernel, grid, block, args, (size_t)bytes, stream);
}

/* helper patc_of_device */
/* A number of the present device; 0: not known. */
PATC_HOST int64_t patc_of_device(cudaDeviceAttr number)
{
	int device = 0, value = 0;
	if (cudaGetDevice(&device) != cudaSuccess ||
	    cudaDeviceGetAttribute(&value, number, device) != cudaSuccess)
		return 0;
	return value;
}

/* helper patc_units: patc_of_device */
/* Its multiprocessors. */
PATC_HOST int64_t patc_units(void)
{
	return patc_of_device(cudaDevAttrMultiProcessorCount);
}

/* helper patc_may_ask: patc_of_device */
/* Bytes of shared memory that a block of it may have if the launch asks. */
PATC_HOST int64_t patc_may_ask(void)
{
	return patc_of_device(cudaDevAttrMaxSharedMemoryPerBlockOptin);
}

/* helper patc_clear */
PATC_HOST int patc_clear(void *at, int64_t bytes, void *stream)
{
	if (bytes <= 0)
		return PATC_OK;
	const cudaError_t error = cudaMemsetAsync(at, 0, (size_t)bytes, (cudaStream_t)stream);
	return error == cudaSuccess ? PATC_OK : PATC_LAUNCH;
}

/* helper patc_read_status */
/* Waits for the stream, then reads the word that a kernel may have recorded an error in. */
PATC_HOST int patc_read_status(const void *workspace, void *stream)
{
	int32_t word = PATC_OK;
	if (workspace == NULL)
		return PATC_WORKSPACE;
	if (cudaMemcpyAsync(&word, workspace, sizeof word, cudaMemcpyDeviceToHost,
	                    (cudaStream_t)stream) != cudaSuccess ||
	    cudaStreamSynchronize((cudaStream_t)stream) != cudaSuccess)
		return PATC_LAUNCH;
	return word;
}

/* helper patc_copy */
/* An array of the host and its place on the device. */
struct patc_copy { const void *from; void *to; int64_t bytes; void *device; };

/* helper patc_wait */
PATC_HOST int patc_wait(void *stream)
{
	return cudaStreamSynchronize((cudaStream_t)stream) == cudaSuccess ? PATC_OK : PATC_LAUNCH;
}

/* helper patc_bring: patc_copy */
/* A stream, memory on the device for each array, and copies of what is read.  Cells of 1 and 2 bytes may meet in the
 * words that they lie in: memory is whole words. */
PATC_HOST int patc_bring(struct patc_copy *c, int n, cudaStream_t *stream)
{
	if (cudaStreamCreateWithFlags(stream, cudaStreamNonBlocking) != cudaSuccess) {
		*stream = NULL;
		return PATC_LAUNCH;
	}
	for (int i = 0; i < n; i++)
		if (c[i].bytes > 0 && cudaMalloc(&c[i].device, ((size_t)c[i].bytes + 3) / 4 * 4) != cudaSuccess) {
			c[i].device = NULL;
			return PATC_MEMORY;
		}
	for (int i = 0; i < n; i++)
		if (c[i].bytes % 4 != 0 &&
		    cudaMemsetAsync((char *)c[i].device + c[i].bytes / 4 * 4, 0, 4, *stream) != cudaSuccess)
			return PATC_LAUNCH;
	for (int i = 0; i < n; i++)
		if (c[i].bytes > 0 && c[i].from != NULL &&
		    cudaMemcpyAsync(c[i].device, c[i].from, (size_t)c[i].bytes, cudaMemcpyHostToDevice,
		                    *stream) != cudaSuccess)
			return PATC_LAUNCH;
	return PATC_OK;
}

/* helper patc_fetch: patc_copy */
/* Copies the results back unless the call failed, waits, frees; the first failure is returned.  What the data
 * showed was skipped: the rest is there, unless copying it back fails. */
PATC_HOST int patc_fetch(struct patc_copy *c, int n, cudaStream_t stream, int failure)
{
	const bool done = failure == PATC_OK || failure == PATC_INDEX || failure == PATC_FULL;
	bool good = stream != NULL;
	for (int i = 0; i < n && done; i++)
		if (c[i].bytes > 0 && c[i].to != NULL)
			good = cudaMemcpyAsync(c[i].to, c[i].device, (size_t)c[i].bytes,
			                       cudaMemcpyDeviceToHost, stream) == cudaSuccess && good;
	if (stream != NULL) {
		good = cudaStreamSynchronize(stream) == cudaSuccess && good;
		good = cudaStreamDestroy(stream) == cudaSuccess && good;
	}
	for (int i = 0; i < n; i++)
		if (c[i].device != NULL)
			good = cudaFree(c[i].device) == cudaSuccess && good;
	return done && !good ? PATC_LAUNCH : failure;
}
