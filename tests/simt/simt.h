/* simt.h - the CUDA and HIP vocabulary for g++, so that generated text runs on a CPU.
 *
 * inc/cuda_runtime.h and inc/hip/hip_runtime.h include this file.  It is kept slim, because
 * every generated file pays for it: types, keywords, one-line intrinsics and declarations.
 * Everything that need not be inline is in simt.cpp (fibers, barriers, collectives),
 * simt_rt.cpp (runtime API) and simt_race.cpp (races, uninitialised reads, coalescing).
 *
 * Functions here are static so that 32-lane and 64-lane files may be linked together: the
 * library takes the lane count from the launch.  Functions that touch device memory are always
 * inlined, so that the address the race checker sees is the caller's line.
 */
#ifndef SIMT_H
#define SIMT_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include "simt_math.h"

#ifndef SIMT_WARP
#define SIMT_WARP 32
#endif
enum { warpSize = SIMT_WARP };

/* ---- keywords ---- */

/* One section holds all shared variables: it is filled before each block and swapped between
 * co-resident ones.  g++ ignores the attribute in templates: kernels that are such go
 * through `instances` first. */
#define __shared__ static __attribute__((section("simt_shared")))
#define __global__
#define __device__
#define __host__
#define __constant__
#define __grid_constant__
#define __forceinline__ inline
#define __launch_bounds__(...)
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_assume(x) ((void)0)
#define SIMT_FN static inline __attribute__((always_inline))

/* The line of the call; it names a barrier or collective, so write one a line. */
#define SIMT_LINE int line = __builtin_LINE()

/* ---- vector types ---- */

#define SIMT_VECTORS(N, T, a2, a4) \
	struct __align__(a2) N##2 { T x, y; }; \
	struct N##3 { T x, y, z; }; \
	struct __align__(a4) N##4 { T x, y, z, w; }; \
	static inline N##2 make_##N##2(T x, T y) { return {x, y}; } \
	static inline N##3 make_##N##3(T x, T y, T z) { return {x, y, z}; } \
	static inline N##4 make_##N##4(T x, T y, T z, T w) { return {x, y, z, w}; }
SIMT_VECTORS(char, signed char, 2, 4)
SIMT_VECTORS(uchar, unsigned char, 2, 4)
SIMT_VECTORS(short, short, 4, 8)
SIMT_VECTORS(ushort, unsigned short, 4, 8)
SIMT_VECTORS(int, int, 8, 16)
SIMT_VECTORS(uint, unsigned, 8, 16)
SIMT_VECTORS(float, float, 8, 16)
SIMT_VECTORS(double, double, 16, 16)
SIMT_VECTORS(longlong, long long, 16, 16)
SIMT_VECTORS(ulonglong, unsigned long long, 16, 16)

struct dim3 {
	unsigned x, y, z;
	dim3(unsigned X = 1, unsigned Y = 1, unsigned Z = 1) : x(X), y(Y), z(Z) {}
};

extern uint3 threadIdx, blockIdx;
extern dim3 blockDim, gridDim;

/* ---- runtime API (simt_rt.cpp); the enumerators have CUDA's values ---- */

enum cudaError_t {
	cudaSuccess = 0,
	cudaErrorInvalidValue = 1,
	cudaErrorMemoryAllocation = 2,
	cudaErrorInvalidConfiguration = 9,
	cudaErrorInvalidDevice = 101,
	cudaErrorInvalidResourceHandle = 400,
	cudaErrorNotReady = 600,
	cudaErrorLaunchFailure = 719,
	cudaErrorCooperativeLaunchTooLarge = 720,
	cudaErrorNotSupported = 801,
	cudaErrorUnknown = 999
};
enum cudaMemcpyKind {
	cudaMemcpyHostToHost,
	cudaMemcpyHostToDevice,
	cudaMemcpyDeviceToHost,
	cudaMemcpyDeviceToDevice,
	cudaMemcpyDefault
};
enum cudaDeviceAttr {
	cudaDevAttrMaxThreadsPerBlock = 1,
	cudaDevAttrMaxSharedMemoryPerBlock = 8,
	cudaDevAttrWarpSize = 10,
	cudaDevAttrMultiProcessorCount = 16,
	cudaDevAttrL2CacheSize = 38,
	cudaDevAttrMaxThreadsPerMultiProcessor = 39,
	cudaDevAttrComputeCapabilityMajor = 75,
	cudaDevAttrComputeCapabilityMinor = 76,
	cudaDevAttrMaxSharedMemoryPerMultiprocessor = 81,
	cudaDevAttrCooperativeLaunch = 95,
	cudaDevAttrMaxSharedMemoryPerBlockOptin = 97
};
enum cudaFuncAttribute {
	cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
	cudaFuncAttributePreferredSharedMemoryCarveout = 9
};
enum { cudaStreamNonBlocking = 1, cudaEventDisableTiming = 2 };
struct cudaDeviceProp {
	char name[256];
	int multiProcessorCount, warpSize, major, minor;
	size_t totalGlobalMem, sharedMemPerBlock;
	char gcnArchName[256];
};
typedef struct CUstream_st *cudaStream_t;
typedef struct CUevent_st *cudaEvent_t;

extern "C" {
cudaError_t cudaMalloc(void **p, size_t n);
cudaError_t cudaFree(void *p);
cudaError_t cudaMemcpy(void *dst, const void *src, size_t n, cudaMemcpyKind kind);
cudaError_t cudaMemcpyAsync(void *dst, const void *src, size_t n, cudaMemcpyKind kind,
			    cudaStream_t s = 0);
cudaError_t cudaMemset(void *p, int value, size_t n);
cudaError_t cudaMemsetAsync(void *p, int value, size_t n, cudaStream_t s = 0);
cudaError_t cudaDeviceSynchronize(void);
cudaError_t cudaStreamCreate(cudaStream_t *s);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *s, unsigned flags);
cudaError_t cudaStreamDestroy(cudaStream_t s);
cudaError_t cudaStreamSynchronize(cudaStream_t s);
cudaError_t cudaEventCreate(cudaEvent_t *e);
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *e, unsigned flags);
cudaError_t cudaEventDestroy(cudaEvent_t e);
cudaError_t cudaEventRecord(cudaEvent_t e, cudaStream_t s = 0);
cudaError_t cudaEventSynchronize(cudaEvent_t e);
cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t a, cudaEvent_t b);
cudaError_t cudaGetDevice(int *device);
cudaError_t cudaSetDevice(int device);
cudaError_t cudaGetDeviceCount(int *n);
cudaError_t cudaGetLastError(void);
cudaError_t cudaPeekAtLastError(void);
const char *cudaGetErrorString(cudaError_t e);
const char *cudaGetErrorName(cudaError_t e);

/* For tests. */
struct simt_counts {
	int calls;       /* every call that SIMT_FAIL can make fail: */
	int allocs, copies, sets, launches, syncs, queries, ends;
	int no_memory;   /* was the one that failed an allocation */
	int null_stream; /* asynchronous calls that were not given a stream */
};
struct simt_counts simt_counts(void);  /* since the start, or the last simt_fail_at */
/* device allocations not yet freed, streams not yet destroyed */
long simt_live(void);
void simt_fail_at(int call);           /* as SIMT_FAIL=call; zeroes the counts */
}

namespace simt {

/* What the templates below need from the library. */
struct Start {
	const void *kernel;
	void (*call)(void *self);  /* runs the kernel once, for the current thread */
	void *self;
	dim3 grid, block;
	size_t shared;
	cudaStream_t stream;
	int warp;
	bool cooperative;
};
cudaError_t run(const Start &s);
cudaError_t set_attribute(const void *kernel, cudaFuncAttribute a, int value);
cudaError_t get_attribute(int *value, cudaDeviceAttr a, int device, int warp);
cudaError_t get_properties(cudaDeviceProp *p, int device, int warp);

enum Shuffle { INDEX, XOR, UP, DOWN };
enum Vote { BALLOT, ANY, ALL, SYNC, ACTIVE };
enum Fold { ADD, MIN, MAX, AND, OR, EXOR };
/* "implied": HIP's form without a mask, which means the lanes that are there. */
uint64_t shuffle(Shuffle kind, bool implied, uint64_t mask, uint64_t bits, int arg, int width,
		 int line);
uint64_t vote(Vote kind, bool implied, uint64_t mask, int pred, int line);
uint64_t match(uint64_t mask, uint64_t bits, int line);
int64_t fold(Fold kind, uint64_t mask, int64_t v, int line);
uint64_t atomic_begin(void *p, int size, int line);
void atomic_end(void *p, int size, uint64_t bits);
void flag_load(const void *p, void *to, int size, bool acquire, int line);
void flag_store(void *p, const void *from, int size, bool release, int line);
void fence(bool device);
void nap(int line);
/* simt_later.cpp */
enum Later { COPIES, UNITS };
enum { LATER_BYTES = 64 };
void later_add(Later, void (*run)(void *), const void *state, size_t bytes);
void later_end(Later);               /* what was begun since the last time is a part */
void later_wait(Later, int parts);   /* for all parts but so many */
void later_wait_all(Later);
template <class F> SIMT_FN void later(Later kind, const F &f)
{
	static_assert(sizeof f <= LATER_BYTES, "as much as is kept of it");
	later_add(kind, [](void *state) { (*static_cast<const F *>(state))(); }, &f, sizeof f);
}
void *dynamic_shared(void);
int lane(void);
[[noreturn]] void trap(int line);

template <class T> SIMT_FN uint64_t to_bits(T v)
{
	static_assert(sizeof(T) <= 8, "at most 8 bytes");
	uint64_t u = 0;
	__builtin_memcpy(&u, &v, sizeof v);
	return u;
}

template <class T> SIMT_FN T from_bits(uint64_t u)
{
	T v;
	__builtin_memcpy(&v, &u, sizeof v);
	return v;
}

/* In the place of `extern __shared__`, which `static` above forbids. */
#define PATC_ASKED(name) unsigned char *const name = simt::dyn<unsigned char>()

template <class T> static inline T *dyn()
{
	return (T *)dynamic_shared();
}

/* A braced call evaluates its arguments from left to right, which next_arg relies on. */
struct Invoke {
	template <class... A> Invoke(void (*k)(A...), A... a) { k(a...); }
};
static inline void *next_arg(void **&args)
{
	return *args++;
}
template <class... A> struct Bound {
	void (*kernel)(A...);
	void **args;
	static void call(void *self)
	{
		void (*kernel)(A...) = ((Bound *)self)->kernel;
		void **args = ((Bound *)self)->args;
		(void)args;
		Invoke{kernel, *(A *)next_arg(args)...};
	}
};

template <class... A>
static cudaError_t launch(void (*k)(A...), dim3 grid, dim3 block, void **args, size_t shared = 0,
			  cudaStream_t stream = 0, bool cooperative = false)
{
	Bound<A...> b = {k, args};
	return run({(const void *)k, b.call, &b, grid, block, shared, stream, SIMT_WARP,
		    cooperative});
}

/* The same from values, which are converted to the kernel's parameter types first. */
template <class T> struct Same { typedef T type; };
template <class... A>
static cudaError_t launch_values(void (*k)(A...), dim3 grid, dim3 block, size_t shared,
				 cudaStream_t stream, typename Same<A>::type... a)
{
	void *args[] = {(void *)&a..., nullptr};
	return launch(k, grid, block, args, shared, stream);
}

/* hipLaunchKernel(reinterpret_cast<const void *>(kernel), ...) loses the kernel's type.  Its
 * macro pastes "simt_" before the cast, which finds this function that keeps the type. */
template <class V, class... A> static inline auto simt_reinterpret_cast(void (*k)(A...))
{
	return k;
}

} /* namespace simt */

template <class T> static inline cudaError_t cudaMalloc(T **p, size_t n)
{
	return cudaMalloc((void **)p, n);
}

template <class... A>
static inline cudaError_t cudaLaunchKernel(void (*k)(A...), dim3 grid, dim3 block, void **args,
					   size_t shared = 0, cudaStream_t stream = 0)
{
	return simt::launch(k, grid, block, args, shared, stream);
}

template <class... A>
static inline cudaError_t cudaLaunchCooperativeKernel(void (*k)(A...), dim3 grid, dim3 block,
						      void **args, size_t shared = 0,
						      cudaStream_t stream = 0)
{
	return simt::launch(k, grid, block, args, shared, stream, true);
}

template <class F>
static inline cudaError_t cudaFuncSetAttribute(F *kernel, cudaFuncAttribute a, int value)
{
	return simt::set_attribute((const void *)kernel, a, value);
}

static inline cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr a, int device)
{
	return simt::get_attribute(value, a, device, SIMT_WARP);
}

static inline cudaError_t cudaGetDeviceProperties(cudaDeviceProp *p, int device)
{
	return simt::get_properties(p, device, SIMT_WARP);
}

/* Pretends that two blocks fit, whatever the kernel: stubs must not rely on more. */
template <class F>
static inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *n, F *, int, size_t)
{
	*n = 2;
	return cudaSuccess;
}

/* ---- barriers, votes, shuffles (simt.cpp) ---- */

void __syncthreads(SIMT_LINE);
int __syncthreads_count(int pred, SIMT_LINE);
int __syncthreads_and(int pred, SIMT_LINE);
int __syncthreads_or(int pred, SIMT_LINE);

#define SIMT_ALL_LANES (SIMT_WARP == 64 ? ~0ull : (1ull << (SIMT_WARP & 63)) - 1)

static inline void __syncwarp(uint64_t mask = SIMT_ALL_LANES, SIMT_LINE)
{
	simt::vote(simt::SYNC, false, mask, 0, line);
}
static inline unsigned __activemask(SIMT_LINE)
{
	return (unsigned)simt::vote(simt::ACTIVE, true, 0, 1, line);
}
static inline unsigned __ballot_sync(uint64_t mask, int pred, SIMT_LINE)
{
	return (unsigned)simt::vote(simt::BALLOT, false, mask, pred, line);
}
static inline int __any_sync(uint64_t mask, int pred, SIMT_LINE)
{
	return (int)simt::vote(simt::ANY, false, mask, pred, line);
}
static inline int __all_sync(uint64_t mask, int pred, SIMT_LINE)
{
	return (int)simt::vote(simt::ALL, false, mask, pred, line);
}
template <class T> static inline unsigned __match_any_sync(uint64_t mask, T v, SIMT_LINE)
{
	return (unsigned)simt::match(mask, simt::to_bits(v), line);
}

#define SIMT_SHUFFLE(name, kind, A) \
	template <class T> \
	static inline T name##_sync(uint64_t mask, T v, A arg, int width = warpSize, SIMT_LINE) \
	{ \
		return simt::from_bits<T>(simt::shuffle(simt::kind, false, mask, \
							simt::to_bits(v), (int)arg, width, line)); \
	}
SIMT_SHUFFLE(__shfl, INDEX, int)
SIMT_SHUFFLE(__shfl_xor, XOR, int)
SIMT_SHUFFLE(__shfl_up, UP, unsigned)
SIMT_SHUFFLE(__shfl_down, DOWN, unsigned)

#define SIMT_FOLD(name, kind) \
	static inline int name(uint64_t mask, int v, SIMT_LINE) \
	{ \
		return (int)simt::fold(simt::kind, mask, v, line); \
	} \
	static inline unsigned name(uint64_t mask, unsigned v, SIMT_LINE) \
	{ \
		return (unsigned)simt::fold(simt::kind, mask, v, line); \
	}
SIMT_FOLD(__reduce_add_sync, ADD)
SIMT_FOLD(__reduce_min_sync, MIN)
SIMT_FOLD(__reduce_max_sync, MAX)
SIMT_FOLD(__reduce_and_sync, AND)
SIMT_FOLD(__reduce_or_sync, OR)
SIMT_FOLD(__reduce_xor_sync, EXOR)

/* ---- memory ---- */

static inline void __threadfence() { simt::fence(true); }
static inline void __threadfence_system() { simt::fence(true); }
static inline void __threadfence_block() { simt::fence(false); }
static inline void __nanosleep(unsigned, SIMT_LINE) { simt::nap(line); }
static inline void __trap(SIMT_LINE) { simt::trap(line); }

/* Between begin and end no other thread runs, so a read, a computation and a write are atomic. */
#define SIMT_ATOMIC(name, expr) \
	template <class T, class U> SIMT_FN T name(T *p, U u, SIMT_LINE) \
	{ \
		T o = simt::from_bits<T>(simt::atomic_begin((void *)p, sizeof(T), line)); \
		T v = (T)u; \
		simt::atomic_end((void *)p, sizeof(T), simt::to_bits((T)(expr))); \
		return o; \
	}
SIMT_ATOMIC(atomicAdd, o + v)
SIMT_ATOMIC(atomicSub, o - v)
SIMT_ATOMIC(atomicMin, v < o ? v : o)
SIMT_ATOMIC(atomicMax, o < v ? v : o)
SIMT_ATOMIC(atomicExch, v)
SIMT_ATOMIC(atomicAnd, o & v)
SIMT_ATOMIC(atomicOr, o | v)
SIMT_ATOMIC(atomicXor, o ^ v)
SIMT_ATOMIC(atomicInc, o >= v ? 0 : o + 1)
SIMT_ATOMIC(atomicDec, o == 0 || o > v ? v : o - 1)

template <class T, class U, class V> SIMT_FN T atomicCAS(T *p, U expected, V desired, SIMT_LINE)
{
	T o = simt::from_bits<T>(simt::atomic_begin((void *)p, sizeof(T), line));
	T n = o == (T)expected ? (T)desired : o;
	simt::atomic_end((void *)p, sizeof(T), simt::to_bits(n));
	return o;
}

#define SIMT_LOAD(name) template <class T> SIMT_FN T name(const T *p) { return *p; }
SIMT_LOAD(__ldg)
SIMT_LOAD(__ldca)
SIMT_LOAD(__ldcg)
SIMT_LOAD(__ldcs)
SIMT_LOAD(__ldlu)
SIMT_LOAD(__ldcv)
#define SIMT_STORE(name) template <class T> SIMT_FN void name(T *p, T v) { *p = v; }
SIMT_STORE(__stwb)
SIMT_STORE(__stcg)
SIMT_STORE(__stcs)
SIMT_STORE(__stwt)

/* patc's own helpers for flags of up to 16 bytes: PTX on the GPU; a load gives way to other
 * threads. */
template <class T> SIMT_FN T simt_flag_load(const T *p, bool acquire, int line)
{
	static_assert(sizeof(T) <= 16, "at most 16 bytes");
	T v;
	simt::flag_load((const void *)p, &v, sizeof v, acquire, line);
	return v;
}
template <class T> SIMT_FN void simt_flag_store(T *p, T v, bool release, int line)
{
	static_assert(sizeof(T) <= 16, "at most 16 bytes");
	simt::flag_store((void *)p, &v, sizeof v, release, line);
}
template <class T> SIMT_FN T patc_ld_acquire(const T *p, SIMT_LINE)
{
	return simt_flag_load(p, true, line);
}
template <class T> SIMT_FN T patc_ld_relaxed(const T *p, SIMT_LINE)
{
	return simt_flag_load(p, false, line);
}
template <class T, class U> SIMT_FN void patc_st_release(T *p, U v, SIMT_LINE)
{
	simt_flag_store(p, (T)v, true, line);
}
template <class T, class U> SIMT_FN void patc_st_relaxed(T *p, U v, SIMT_LINE)
{
	simt_flag_store(p, (T)v, false, line);
}

/* ---- bits and arithmetic ---- */

static inline int __popc(unsigned v) { return __builtin_popcount(v); }
static inline int __popcll(unsigned long long v) { return __builtin_popcountll(v); }
static inline int __ffs(int v) { return __builtin_ffs(v); }
static inline int __ffsll(long long v) { return __builtin_ffsll(v); }
static inline int __clz(int v) { return v ? __builtin_clz((unsigned)v) : 32; }
static inline int __clzll(long long v) { return v ? __builtin_clzll((uint64_t)v) : 64; }
static inline unsigned __brev(unsigned v)
{
	v = (v >> 1 & 0x55555555u) | (v & 0x55555555u) << 1;
	v = (v >> 2 & 0x33333333u) | (v & 0x33333333u) << 2;
	v = (v >> 4 & 0x0f0f0f0fu) | (v & 0x0f0f0f0fu) << 4;
	return __builtin_bswap32(v);
}
static inline unsigned long long __brevll(unsigned long long v)
{
	return (uint64_t)__brev((unsigned)v) << 32 | __brev((unsigned)(v >> 32));
}
static inline int __mulhi(int a, int b) { return (int)((int64_t)a * b >> 32); }
static inline unsigned __umulhi(unsigned a, unsigned b) { return (uint64_t)a * b >> 32; }
static inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b)
{
	return (uint64_t)((unsigned __int128)a * b >> 64);
}
static inline long long __mul64hi(long long a, long long b)
{
	return (int64_t)((__int128)a * b >> 64);
}

static inline int __float_as_int(float v) { return simt::from_bits<int>(simt::to_bits(v)); }
static inline unsigned __float_as_uint(float v)
{
	return simt::from_bits<unsigned>(simt::to_bits(v));
}
static inline float __int_as_float(int v) { return simt::from_bits<float>(simt::to_bits(v)); }
static inline float __uint_as_float(unsigned v)
{
	return simt::from_bits<float>(simt::to_bits(v));
}
static inline long long __double_as_longlong(double v) { return (int64_t)simt::to_bits(v); }
static inline double __longlong_as_double(long long v)
{
	return simt::from_bits<double>((uint64_t)v);
}

/* The empty asm keeps the rounded value: no contraction into a fused multiply-add. */
#define SIMT_RN(name, T, op) \
	static inline T name(T a, T b) \
	{ \
		T r = a op b; \
		asm("" : "+x"(r)); \
		return r; \
	}
SIMT_RN(__fadd_rn, float, +)
SIMT_RN(__fsub_rn, float, -)
SIMT_RN(__fmul_rn, float, *)
SIMT_RN(__fdiv_rn, float, /)
SIMT_RN(__dadd_rn, double, +)
SIMT_RN(__dsub_rn, double, -)
SIMT_RN(__dmul_rn, double, *)
SIMT_RN(__ddiv_rn, double, /)
static inline float __fmaf_rn(float a, float b, float c) { return fmaf(a, b, c); }
static inline double __fma_rn(double a, double b, double c) { return fma(a, b, c); }
static inline float __fsqrt_rn(float a) { return sqrtf(a); }
static inline double __dsqrt_rn(double a) { return sqrt(a); }
static inline float __frcp_rn(float a) { return 1.0f / a; }
static inline double simt_rsqrt(double a) { return 1.0 / sqrt(a); }
/* A macro, as glibc declares a function of this name. */
#define rsqrt(a) simt_rsqrt((double)(a))
static inline float __saturatef(float a) { return a > 0 ? a < 1 ? a : 1 : 0; }

#define SIMT_MINMAX(T) \
	static inline T min(T a, T b) { return b < a ? b : a; } \
	static inline T max(T a, T b) { return a < b ? b : a; }
SIMT_MINMAX(int)
SIMT_MINMAX(unsigned)
SIMT_MINMAX(long)
SIMT_MINMAX(unsigned long)
SIMT_MINMAX(long long)
SIMT_MINMAX(unsigned long long)
static inline float min(float a, float b) { return fminf(a, b); }
static inline float max(float a, float b) { return fmaxf(a, b); }
static inline double min(double a, double b) { return fmin(a, b); }
static inline double max(double a, double b) { return fmax(a, b); }

#endif
