/* large.cuh - what large.cu's cases share: arrays, data, comparison, and the two ways to call. */
#ifndef LARGE_CUH
#define LARGE_CUH

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include <cuda_runtime.h>

static const char *filter = "";
static int failures;

static void stop(const char *what, int code)
{
	fprintf(stderr, "large: %s: %d (%s)\n", what, code, cudaGetErrorString((cudaError_t)code));
	exit(2);
}
#define CUDA(call) do { const int rc_ = (int)(call); if (rc_) stop(#call, rc_); } while (0)

static bool verdict(const std::string &name, bool good, const char *what = "")
{
	printf("%s large %s%s%s\n", good ? "ok" : "not ok", name.c_str(), *what && !good ? ": " : "",
	    good ? "" : what);
	fflush(stdout);
	failures += !good;
	return good;
}

/* ---- memory ---- */

template <class T> struct device {
	T *at = nullptr;
	size_t n;
	explicit device(size_t cells) : n(cells) { CUDA(cudaMalloc(&at, (n + 64) * sizeof(T))); }
	~device() { cudaFree(at); }
	device(const device &) = delete;
	T get(size_t i) const
	{
		T x;
		CUDA(cudaMemcpy(&x, at + i, sizeof x, cudaMemcpyDeviceToHost));
		return x;
	}
};
static bool fits(double bytes)
{
	size_t left = 0, all = 0;
	CUDA(cudaMemGetInfo(&left, &all));
	return bytes * 1.02 + 1e9 < (double)left;
}

/* ---- data and comparison ---- */

__host__ __device__ static uint32_t hash(uint64_t i)
{
	uint32_t x = (uint32_t)i * 2654435761u + (uint32_t)(i >> 32) * 0x9e3779b9u + 17;
	x = (x ^ x >> 16) * 0x85ebca6bu;
	x = (x ^ x >> 13) * 0xc2b2ae35u;
	return x ^ x >> 16;
}
template <class T> struct data {
	__host__ __device__ T operator()(int64_t i) const { return (T)hash((uint64_t)i); }
};
template <> struct data<float> {
	__host__ __device__ float operator()(int64_t i) const
	{
		return (float)(hash((uint64_t)i) >> 8) * 0x1p-24f - 0.5f;
	}
};

template <class T, class F> __global__ static void each(T *p, int64_t n, F f)
{
	for (int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x; i < n;
	     i += (int64_t)gridDim.x * blockDim.x)
		p[i] = f(i);
}
template <class T, class F> static void make(T *p, int64_t n, F f)
{
	each<<<4096, 256>>>(p, n, f);
	CUDA(cudaGetLastError());
}
struct found { unsigned long long count; long long first; };
template <class T, class F>
__global__ static void judge(const T *p, int64_t n, F f, double tolerance, found *wrong)
{
	for (int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x; i < n;
	     i += (int64_t)gridDim.x * blockDim.x) {
		const T want = f(i);
		const bool same = p[i] == want || fabs((double)p[i] - (double)want) <= tolerance;
		if (!same) {
			atomicAdd(&wrong->count, 1ull);
			atomicMin(&wrong->first, (long long)i);
		}
	}
}
static std::string said;                         /* what judge found, for the report */
template <class T, class F>
static bool equal(const char *array, const T *p, int64_t n, F f, double tolerance = 0)
{
	static found *wrong;
	if (!wrong)
		CUDA(cudaMalloc(&wrong, sizeof *wrong));
	found host = { 0, INT64_MAX };
	CUDA(cudaMemcpy(wrong, &host, sizeof host, cudaMemcpyHostToDevice));
	judge<<<4096, 256>>>(p, n, f, tolerance, wrong);
	CUDA(cudaMemcpy(&host, wrong, sizeof host, cudaMemcpyDeviceToHost));
	if (host.count)
		said += std::string(array) + ": " + std::to_string(host.count) + " cells differ, the first at " +
		        std::to_string(host.first) + "; ";
	return host.count == 0;
}

/* ---- calling: directly, and through a graph ---- */

struct calls {
	std::function<void()> fresh;                     /* outputs and what is read and written */
	std::function<size_t()> room;
	std::function<int(void *, size_t, cudaStream_t)> call;
	std::function<bool()> good;
};
static int through_graph(const calls &c, void *w, size_t bytes, cudaStream_t stream)
{
	cudaGraph_t graph;
	cudaGraphExec_t ready;
	CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
	const int status = c.call(w, bytes, stream);
	CUDA(cudaStreamEndCapture(stream, &graph));
	CUDA(cudaGraphInstantiate(&ready, graph, 0));
	CUDA(cudaGraphLaunch(ready, stream));
	CUDA(cudaStreamSynchronize(stream));
	CUDA(cudaGraphExecDestroy(ready));
	CUDA(cudaGraphDestroy(graph));
	return status;
}
static void run(const std::string &name, const calls &c)
{
	void *w = nullptr;
	cudaStream_t stream;
	const size_t bytes = c.room();
	if (bytes == SIZE_MAX) {
		verdict(name, false, "the workspace's size is refused");
		return;
	}
	if (!fits((double)bytes)) {
		printf("skip large %s: its workspace of %zu bytes does not fit\n", name.c_str(), bytes);
		return;
	}
	CUDA(cudaMalloc(&w, bytes));
	CUDA(cudaMemset(w, 0xa5, bytes));
	CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
	for (int graph = 0; graph < 2; graph++) {
		said.clear();
		c.fresh();
		CUDA(cudaDeviceSynchronize());
		const int status = graph ? through_graph(c, w, bytes, stream) : c.call(w, bytes, stream);
		if (status)
			said += "status " + std::to_string(status) + "; ";
		CUDA(cudaStreamSynchronize(stream));
		const bool good = status == 0 && c.good();
		verdict(name + (graph ? " in a graph" : ""), good, said.c_str());
	}
	CUDA(cudaStreamDestroy(stream));
	CUDA(cudaFree(w));
}
static bool wanted(const std::string &name, double bytes)
{
	if (!strstr(name.c_str(), filter))
		return false;
	if (fits(bytes))
		return true;
	printf("skip large %s: %.0f MB do not fit\n", name.c_str(), bytes * 1e-6);
	return false;
}

#endif
