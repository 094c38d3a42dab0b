/* main.cu - calls the kernel of @name@.pat on device pointers and checks what it computed. */
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_runtime.h>

#include "@name@.h"

static void must(cudaError_t code, const char *what)
{
	if (code == cudaSuccess)
		return;
	std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(code));
	std::exit(1);
}

static void must(int code, const char *what)
{
	if (code == 0)
		return;
	std::fprintf(stderr, "%s: %s\n", what, @name@_strerror(code));
	std::exit(1);
}

/* Zeros in the memory of the device; a workspace may have no bytes. */
static void *device_new(size_t bytes)
{
	void *p = nullptr;
	if (bytes > 0)
		must(cudaMalloc(&p, bytes), "cudaMalloc");
	return p;
}

int main()
{
	const int n = 1000;
	const size_t bytes = n * sizeof(float);
	std::vector<float> x(n), y(n, 1.0f);
	for (int i = 0; i < n; i++)
		x[i] = (float)i;

	cudaStream_t queue;
	must(cudaStreamCreate(&queue), "cudaStreamCreate");
	float *device_x = (float *)device_new(bytes), *device_y = (float *)device_new(bytes);
	const size_t room = @name@_workspace(n);
	void *scratch = device_new(room);
	must(cudaMemcpyAsync(device_x, x.data(), bytes, cudaMemcpyHostToDevice, queue), "copy of x");
	must(cudaMemcpyAsync(device_y, y.data(), bytes, cudaMemcpyHostToDevice, queue), "copy of y");

	must(@name@(n, 2, device_x, device_y, scratch, room, queue), "@name@");
	must(@name@_status(scratch, queue), "@name@");

	must(cudaMemcpyAsync(y.data(), device_y, bytes, cudaMemcpyDeviceToHost, queue), "copy of y");
	must(cudaStreamSynchronize(queue), "cudaStreamSynchronize");
	must(cudaFree(device_x), "cudaFree");
	must(cudaFree(device_y), "cudaFree");
	must(cudaFree(scratch), "cudaFree");
	must(cudaStreamDestroy(queue), "cudaStreamDestroy");

	for (int i = 0; i < n; i++)
		if (y[i] != 2.0f * (float)i + 1) {
			std::fprintf(stderr, "@name@: y[%d] is %g, not %d\n", i, y[i], 2 * i + 1);
			return 1;
		}
	std::printf("@name@: all %d cells are right\n", n);
	return 0;
}
