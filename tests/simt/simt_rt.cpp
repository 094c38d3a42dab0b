/* simt_rt.cpp - the runtime API: device memory is malloc, streams run at once, but what they copy
 * to the host arrives when the stream is waited for.
 *
 * Device memory.  An allocation has the exact size that was asked for, is aligned to 256 bytes
 * and filled with 0xff (a NaN, -1); with SIMT_EDGES=1 it lies between pages that nobody may touch.
 * A copy must lie within one live allocation on its device side and outside all on its host side.
 * Under AddressSanitizer device memory is poisoned while no kernel runs, so host code that touches
 * it is found (SIMT_HOSTREAD=1 allows it).
 *
 * Faults.  Every call that may fail in a generated stub is counted; call number SIMT_FAIL fails.
 * One that frees or destroys has done so when it reports a failure, for that is an earlier call's.
 * Wrong use that a GPU would let pass or answer at some later time ends the program.
 */
#include "simt_int.h"
#include "../check/edges.h"

#include <link.h>
#include <map>
#include <set>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#endif

struct CUstream_st {
	bool blocking; /* waited for by calls without a stream */
};
struct CUevent_st {
	double ms;
};

namespace simt {

int knob(const char *name, int otherwise)
{
	const char *s = getenv(name);
	return s ? atoi(s) : otherwise;
}

/* ---- names of code addresses ---- */

static int first_object(struct dl_phdr_info *info, size_t, void *bias)
{
	*(uintptr_t *)bias = info->dlpi_addr;
	return 1;
}

static std::string read_line(FILE *f)
{
	char text[1000] = "?";
	if (!fgets(text, sizeof text, f))
		return "?";
	text[strcspn(text, "\n")] = 0;
	return text;
}

/* One run of addr2line for all of them, as starting it costs more than its work. */
std::vector<Place> places(const std::vector<const void *> &code)
{
	uintptr_t bias = 0;
	dl_iterate_phdr(first_object, &bias);
	std::string command = "addr2line -s -f -C -e /proc/" + std::to_string(getpid()) + "/exe";
	for (const void *p : code) {
		char text[32];
		snprintf(text, sizeof text, " %#lx", (unsigned long)((uintptr_t)p - bias));
		command += text;
	}
	std::vector<Place> result(code.size(), Place{"?", "?"});
	FILE *f = popen((command + " 2>/dev/null").c_str(), "r");
	for (Place &p : result) {
		if (!f)
			break;
		p.function = read_line(f);
		p.function.resize(std::min(p.function.size(), p.function.find('(')));
		p.line = read_line(f);
		p.line.resize(std::min(p.line.size(), p.line.find(' ')));
	}
	if (f)
		pclose(f);
	return result;
}

/* ---- counts and faults ---- */

static struct simt_counts counts;
static int fail_at = -1;

/* Counts a call of one kind; true if it is the one to fail. */
static bool count(int simt_counts::*kind)
{
	if (fail_at < 0)
		fail_at = knob("SIMT_FAIL", 0);
	counts.*kind += 1;
	if (++counts.calls != fail_at)
		return false;
	counts.no_memory = kind == &simt_counts::allocs;
	return true;
}

[[noreturn]] static void misuse(const char *call, const char *what)
{
	fflush(stdout);
	fprintf(stderr, "simt: %s: %s\n", call, what);
	fflush(NULL);
	_exit(EXIT_ERROR);
}

/* ---- streams ---- */

static std::set<cudaStream_t> streams;

static void check_stream(const char *call, cudaStream_t s)
{
	if (s && !streams.count(s))
		misuse(call, "not a stream");
	if (!s && knob("SIMT_STREAM", 0))
		misuse(call, "no stream");
	if (!s)
		counts.null_stream++;
}

bool count_launch(cudaStream_t s)
{
	check_stream("launch", s);
	return count(&simt_counts::launches);
}

/* ---- device memory ---- */

static std::map<uintptr_t, size_t> memory; /* address and size of each live allocation */

#ifdef __SANITIZE_ADDRESS__
static void poison(uintptr_t p, size_t n, bool on)
{
	static int allow = knob("SIMT_HOSTREAD", 0);
	if (on && !allow)
		ASAN_POISON_MEMORY_REGION((void *)p, n);
	else
		ASAN_UNPOISON_MEMORY_REGION((void *)p, n);
}
#else
static void poison(uintptr_t, size_t, bool) {}
#endif

void device_visible(bool on)
{
	for (auto &m : memory)
		poison(m.first, m.second, !on);
}

/* Under AddressSanitizer, red zones are closer.  Which is asked once: memory is freed as it was
 * made. */
static bool between_edges()
{
#ifdef __SANITIZE_ADDRESS__
	return false;
#else
	static const bool on = knob("SIMT_EDGES", 0);
	return on;
#endif
}

void strayed(const void *address) { edges_tell(address); }

/* The allocation that holds p, or the end. */
static std::map<uintptr_t, size_t>::iterator holder(const void *p)
{
	auto m = memory.upper_bound((uintptr_t)p);
	if (m == memory.begin())
		return memory.end();
	--m;
	return (uintptr_t)p < m->first + m->second ? m : memory.end();
}

static void check_device(const char *call, const void *p, size_t n)
{
	auto m = holder(p);
	if (!n)
		return;
	if (m == memory.end())
		misuse(call, "not device memory, or freed");
	if ((uintptr_t)p + n > m->first + m->second)
		misuse(call, "runs past the end of an allocation");
}

static void check_host(const char *call, const void *p)
{
	if (holder(p) != memory.end())
		misuse(call, "device memory where host memory belongs");
}

static void check_copy(const char *call, void *dst, const void *src, size_t n, cudaMemcpyKind k)
{
	if (k == cudaMemcpyDefault)
		return;
	if (k == cudaMemcpyDeviceToHost || k == cudaMemcpyDeviceToDevice)
		check_device(call, src, n);
	else
		check_host(call, src);
	if (k == cudaMemcpyHostToDevice || k == cudaMemcpyDeviceToDevice)
		check_device(call, dst, n);
	else
		check_host(call, dst);
}

static cudaError_t copy(const char *call, void *dst, const void *src, size_t n,
			cudaMemcpyKind kind)
{
	if (count(&simt_counts::copies))
		return cudaErrorUnknown;
	check_copy(call, dst, src, n, kind);
	device_visible(true);
	if (n)
		memmove(dst, src, n);
	race::written(dst, n);
	device_visible(false);
	return cudaSuccess;
}

/* What is on its way to the host: until its stream is waited for, its place holds 0xff. */
struct Arrival {
	cudaStream_t stream;
	void *to;
	std::vector<char> data;
};
static std::vector<Arrival> arrivals;

static void send(void *to, size_t n, cudaStream_t s)
{
	arrivals.push_back({s, to, std::vector<char>((char *)to, (char *)to + n)});
	memset(to, 0xff, n);
}

static void arrive(bool (*waited)(cudaStream_t, cudaStream_t), cudaStream_t s)
{
	std::vector<Arrival> left;
	for (Arrival &a : arrivals)
		if (waited(a.stream, s))
			memcpy(a.to, a.data.data(), a.data.size());
		else
			left.push_back(a);
	arrivals.swap(left);
}
static bool all(cudaStream_t, cudaStream_t) { return true; }
static bool same(cudaStream_t a, cudaStream_t s) { return a == s; }
static bool is_blocking(cudaStream_t a, cudaStream_t)
{
	return !a || (streams.count(a) && a->blocking);
}

static cudaError_t fill(const char *call, void *p, int value, size_t n)
{
	if (count(&simt_counts::sets))
		return cudaErrorUnknown;
	check_device(call, p, n);
	device_visible(true);
	if (n)
		memset(p, value, n);
	race::written(p, n);
	device_visible(false);
	return cudaSuccess;
}

/* ---- attributes ---- */

static std::map<const void *, int> opted_in; /* dynamic shared memory allowed to a kernel */

enum { CUDA_SHARED = 48 << 10, HIP_SHARED = 64 << 10 };

/* Bytes that a block may have if the launch asks. */
static int opt_in()
{
	return (int)knob("SIMT_SHARED", 64) << 10;
}


int dynamic_limit(const void *kernel, int warp)
{
	auto o = opted_in.find(kernel);
	if (warp == 64)
		return HIP_SHARED;
	return o == opted_in.end() ? CUDA_SHARED : o->second;
}

cudaError_t set_attribute(const void *kernel, cudaFuncAttribute a, int value)
{
	if (count(&simt_counts::queries))
		return cudaErrorUnknown;
	if (a != cudaFuncAttributeMaxDynamicSharedMemorySize)
		return cudaSuccess;
	if (value < 0 || value > opt_in())
		return cudaErrorInvalidValue;
	opted_in[kernel] = value;
	return cudaSuccess;
}

/* A small H200, of which a block may ask for no more shared memory than on the smallest machine
 * that texts are for: what comes in parts comes in several; or a small MI210 when lanes come in
 * 64. */
cudaError_t get_attribute(int *value, cudaDeviceAttr a, int device, int warp)
{
	if (count(&simt_counts::queries))
		return cudaErrorUnknown;
	if (device != 0)
		return cudaErrorInvalidDevice;
	bool amd = warp == 64;
	switch (a) {
	case cudaDevAttrMaxThreadsPerBlock: *value = 1024; break;
	case cudaDevAttrMaxSharedMemoryPerBlock: *value = amd ? HIP_SHARED : CUDA_SHARED; break;
	case cudaDevAttrWarpSize: *value = warp; break;
	case cudaDevAttrMultiProcessorCount: *value = knob("SIMT_SMS", 4); break;
	case cudaDevAttrL2CacheSize: *value = 1 << 20; break;
	case cudaDevAttrMaxThreadsPerMultiProcessor: *value = 2048; break;
	case cudaDevAttrComputeCapabilityMajor: *value = 9; break;
	case cudaDevAttrComputeCapabilityMinor: *value = 0; break;
	case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
		*value = amd ? HIP_SHARED : 228 << 10;
		break;
	case cudaDevAttrCooperativeLaunch: *value = knob("SIMT_COOPERATIVE", 1) != 0; break;
	case cudaDevAttrMaxSharedMemoryPerBlockOptin:
		*value = amd ? HIP_SHARED : opt_in();
		break;
	default: return cudaErrorInvalidValue;
	}
	return cudaSuccess;
}

cudaError_t get_properties(cudaDeviceProp *p, int device, int warp)
{
	*p = {"simt", knob("SIMT_SMS", 4), warp, 9, 0, (size_t)1 << 30, CUDA_SHARED, ""};
	strcpy(p->gcnArchName, warp == 64 ? "gfx942:sramecc+:xnack-" : "gfx1100");
	return device ? cudaErrorInvalidDevice : cudaSuccess;
}

} /* namespace simt */

using namespace simt;

extern "C" {

cudaError_t cudaMalloc(void **p, size_t n)
{
	*p = NULL;
	if (count(&simt_counts::allocs))
		return cudaErrorMemoryAllocation;
	if (!n)
		return cudaSuccess;
	/* not by way of the fixed-size classes of AddressSanitizer: the size stays exact */
	if (between_edges() ? !(*p = edges_new(n)) : posix_memalign(p, 256, n) != 0)
		return cudaErrorMemoryAllocation;
	memset(*p, 0xff, n);
	memory[(uintptr_t)*p] = n;
	race::allocated(*p, n);
	poison((uintptr_t)*p, n, true);
	return cudaSuccess;
}

cudaError_t cudaFree(void *p)
{
	if (!p)
		return cudaSuccess;
	auto m = memory.find((uintptr_t)p);
	if (m == memory.end())
		misuse("free", "not the start of a live allocation");
	poison(m->first, m->second, false);
	memory.erase(m);
	race::freed(p);
	if (!between_edges())
		free(p);
	else if (!edges_free(p))
		misuse("free", "something was written beside an allocation");
	return count(&simt_counts::ends) ? cudaErrorUnknown : cudaSuccess;
}

cudaError_t cudaMemcpy(void *dst, const void *src, size_t n, cudaMemcpyKind kind)
{
	arrive(is_blocking, NULL);
	return copy("memcpy", dst, src, n, kind);
}

cudaError_t cudaMemcpyAsync(void *dst, const void *src, size_t n, cudaMemcpyKind kind,
			    cudaStream_t s)
{
	check_stream("memcpy", s);
	cudaError_t e = copy("memcpy", dst, src, n, kind);
	if (!e && kind == cudaMemcpyDeviceToHost)
		send(dst, n, s);
	return e;
}

cudaError_t cudaMemset(void *p, int value, size_t n) { return fill("memset", p, value, n); }

cudaError_t cudaMemsetAsync(void *p, int value, size_t n, cudaStream_t s)
{
	check_stream("memset", s);
	return fill("memset", p, value, n);
}

cudaError_t cudaDeviceSynchronize(void)
{
	arrive(all, NULL);
	return count(&simt_counts::syncs) ? cudaErrorLaunchFailure : cudaSuccess;
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *s, unsigned flags)
{
	if (count(&simt_counts::sets))
		return cudaErrorUnknown;
	*s = new CUstream_st{flags != cudaStreamNonBlocking};
	streams.insert(*s);
	return cudaSuccess;
}

cudaError_t cudaStreamCreate(cudaStream_t *s) { return cudaStreamCreateWithFlags(s, 0); }

cudaError_t cudaStreamDestroy(cudaStream_t s)
{
	if (!streams.erase(s))
		misuse("destroy", "not a stream");
	delete s;
	return count(&simt_counts::ends) ? cudaErrorUnknown : cudaSuccess;
}

cudaError_t cudaStreamSynchronize(cudaStream_t s)
{
	check_stream("synchronize", s);
	arrive(same, s);
	return count(&simt_counts::syncs) ? cudaErrorLaunchFailure : cudaSuccess;
}

cudaError_t cudaEventCreate(cudaEvent_t *e)
{
	*e = new CUevent_st();
	return cudaSuccess;
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *e, unsigned) { return cudaEventCreate(e); }

cudaError_t cudaEventDestroy(cudaEvent_t e)
{
	delete e;
	return cudaSuccess;
}

cudaError_t cudaEventRecord(cudaEvent_t e, cudaStream_t)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	e->ms = (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
	return cudaSuccess;
}

cudaError_t cudaEventSynchronize(cudaEvent_t)
{
	arrive(all, NULL);
	return cudaSuccess;
}

cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t a, cudaEvent_t b)
{
	*ms = (float)(b->ms - a->ms);
	return cudaSuccess;
}

cudaError_t cudaGetDevice(int *device)
{
	*device = 0;
	return count(&simt_counts::queries) ? cudaErrorInvalidDevice : cudaSuccess;
}

cudaError_t cudaSetDevice(int device) { return device ? cudaErrorInvalidDevice : cudaSuccess; }

cudaError_t cudaGetDeviceCount(int *n)
{
	*n = 1;
	return cudaSuccess;
}

/* Errors are where they happen, so there is never an old one. */
cudaError_t cudaGetLastError(void) { return cudaSuccess; }
cudaError_t cudaPeekAtLastError(void) { return cudaSuccess; }

const char *cudaGetErrorName(cudaError_t e) { return cudaGetErrorString(e); }

const char *cudaGetErrorString(cudaError_t e)
{
	switch (e) {
	case cudaSuccess: return "no error";
	case cudaErrorInvalidValue: return "invalid argument";
	case cudaErrorMemoryAllocation: return "out of memory";
	case cudaErrorInvalidConfiguration: return "invalid configuration argument";
	case cudaErrorInvalidDevice: return "invalid device ordinal";
	case cudaErrorInvalidResourceHandle: return "invalid resource handle";
	case cudaErrorNotReady: return "device not ready";
	case cudaErrorLaunchFailure: return "unspecified launch failure";
	case cudaErrorCooperativeLaunchTooLarge: return "too many blocks in cooperative launch";
	case cudaErrorNotSupported: return "operation not supported";
	case cudaErrorUnknown: break;
	}
	return "unknown error";
}

static struct Leaks {
	~Leaks()
	{
		if (!knob("SIMT_LEAKS", 0) || memory.empty())
			return;
		fprintf(stderr, "simt: %zu allocations were not freed\n", memory.size());
		fflush(NULL);
		_exit(EXIT_ERROR);
	}
} at_exit;

struct simt_counts simt_counts(void) { return counts; }
long simt_live(void) { return (long)(memory.size() + streams.size()); }

void simt_fail_at(int call)
{
	counts = {};
	fail_at = call;
}

} /* extern "C" */
