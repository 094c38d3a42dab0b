/* hip_runtime.h - compiles the HIP text that patc writes with nvcc, to run it on an NVIDIA GPU:
 *     nvcc -x cu -DPATC_ANY_LANES -I tests/simt/hip-on-cuda -arch=sm_90 -std=c++17 -O3 foo.hip
 * Debian's own header for this does not parse with CUDA 13.
 *
 * patc's HIP text is laid out for waves of 64 lanes; a warp has 32.  A wave is made of two warps:
 * they meet at a named barrier of their own (wave w at barrier w + 1; __syncthreads is barrier 0)
 * and hand values over in shared memory.  So text must call the wave intrinsics converged, all
 * threads of a wave together, as it must for other reasons anyhow.  It is slow and says nothing
 * about speed.
 */
#ifndef PATC_HIP_ON_CUDA_H
#define PATC_HIP_ON_CUDA_H

#include <cuda_runtime.h>

/* The second number of HIP is of waves, and CUDA's of blocks. */
#undef __launch_bounds__
#define __launch_bounds__(threads, ...) __attribute__((launch_bounds(threads)))

/* ---- types and enumerators ---- */

using hipError_t = cudaError_t;
using hipStream_t = cudaStream_t;
using hipEvent_t = cudaEvent_t;
using hipDeviceProp_t = cudaDeviceProp;
using hipMemcpyKind = cudaMemcpyKind;
using hipDeviceAttribute_t = cudaDeviceAttr;
using hipFuncAttribute = cudaFuncAttribute;

#define hipSuccess cudaSuccess
#define hipErrorInvalidValue cudaErrorInvalidValue
#define hipErrorOutOfMemory cudaErrorMemoryAllocation
#define hipErrorInvalidConfiguration cudaErrorInvalidConfiguration
#define hipErrorInvalidDevice cudaErrorInvalidDevice
#define hipErrorInvalidHandle cudaErrorInvalidResourceHandle
#define hipErrorNotReady cudaErrorNotReady
#define hipErrorLaunchFailure cudaErrorLaunchFailure
#define hipErrorCooperativeLaunchTooLarge cudaErrorCooperativeLaunchTooLarge
#define hipErrorNotSupported cudaErrorNotSupported
#define hipErrorUnknown cudaErrorUnknown
#define hipMemcpyHostToHost cudaMemcpyHostToHost
#define hipMemcpyHostToDevice cudaMemcpyHostToDevice
#define hipMemcpyDeviceToHost cudaMemcpyDeviceToHost
#define hipMemcpyDeviceToDevice cudaMemcpyDeviceToDevice
#define hipMemcpyDefault cudaMemcpyDefault
#define hipStreamNonBlocking cudaStreamNonBlocking
#define hipEventDisableTiming cudaEventDisableTiming
#define hipDeviceAttributeMaxThreadsPerBlock cudaDevAttrMaxThreadsPerBlock
#define hipDeviceAttributeMaxSharedMemoryPerBlock cudaDevAttrMaxSharedMemoryPerBlock
#define hipDeviceAttributeWarpSize cudaDevAttrWarpSize
#define hipDeviceAttributeMultiprocessorCount cudaDevAttrMultiProcessorCount
#define hipDeviceAttributeL2CacheSize cudaDevAttrL2CacheSize
#define hipDeviceAttributeMaxThreadsPerMultiProcessor cudaDevAttrMaxThreadsPerMultiProcessor
#define hipDeviceAttributeCooperativeLaunch cudaDevAttrCooperativeLaunch
#define hipDeviceAttributeL2CacheSize cudaDevAttrL2CacheSize
#define hipFuncAttributeMaxDynamicSharedMemorySize cudaFuncAttributeMaxDynamicSharedMemorySize

/* ---- calls ---- */

#define HIP_CALL(name) \
	template <class... A> static inline auto hip##name(A... a) { return cuda##name(a...); }
HIP_CALL(Malloc)
HIP_CALL(Free)
HIP_CALL(Memcpy)
HIP_CALL(MemcpyAsync)
HIP_CALL(Memset)
HIP_CALL(MemsetAsync)
HIP_CALL(StreamCreate)
HIP_CALL(StreamCreateWithFlags)
HIP_CALL(StreamDestroy)
HIP_CALL(StreamSynchronize)
HIP_CALL(EventCreate)
HIP_CALL(EventCreateWithFlags)
HIP_CALL(EventDestroy)
HIP_CALL(EventRecord)
HIP_CALL(EventSynchronize)
HIP_CALL(EventElapsedTime)
HIP_CALL(DeviceSynchronize)
HIP_CALL(GetDevice)
HIP_CALL(SetDevice)
HIP_CALL(GetDeviceCount)
HIP_CALL(GetDeviceProperties)
HIP_CALL(DeviceGetAttribute)
HIP_CALL(FuncSetAttribute)
HIP_CALL(GetLastError)
HIP_CALL(PeekAtLastError)
HIP_CALL(GetErrorString)
HIP_CALL(GetErrorName)
HIP_CALL(LaunchKernel)
HIP_CALL(LaunchCooperativeKernel)
HIP_CALL(OccupancyMaxActiveBlocksPerMultiprocessor)
#undef HIP_CALL

#define HIP_KERNEL_NAME(...) __VA_ARGS__
#define HIP_DYNAMIC_SHARED(T, name) extern __shared__ T name[];
#define hipLaunchKernelGGL(kernel, grid, block, shared, stream, ...) \
	(kernel)<<<(grid), (block), (shared), (stream)>>>(__VA_ARGS__)

/* ---- wave intrinsics ---- */

/* Functions of other names behind macros: CUDA still declares some of HIP's. */
#define HIP_FN static __device__ __forceinline__
enum { HIP_LANES = 64, HIP_WAVES = 15 };         /* waves in a block: there are 16 barriers */

HIP_FN int hip_thread()
{
	return (int)(threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z));
}
HIP_FN unsigned hip_lane_id() { return (unsigned)hip_thread() % HIP_LANES; }

/* The warps of this thread's wave wait for each other; the last wave may have one warp. */
HIP_FN void hip_wave_barrier()
{
	const int wave = hip_thread() / HIP_LANES;
	const int threads = (int)(blockDim.x * blockDim.y * blockDim.z);
	const int rest = (threads - wave * HIP_LANES + 31) / 32 * 32;
	if (wave >= HIP_WAVES)
		__trap();
	asm volatile("barrier.sync %0, %1;" :: "r"(wave + 1),
	    "r"(rest < HIP_LANES ? rest : HIP_LANES)
	             : "memory");
}
/* What lane `from` of the wave gave.  Bits, so that one buffer serves every type. */
HIP_FN unsigned long long hip_trade(unsigned long long bits, int from)
{
	__shared__ unsigned long long given[HIP_WAVES][HIP_LANES];
	unsigned long long *const mine = given[hip_thread() / HIP_LANES % HIP_WAVES];
	((volatile unsigned long long *)mine)[hip_lane_id()] = bits;
	hip_wave_barrier();
	const unsigned long long got = ((volatile unsigned long long *)mine)[from];
	hip_wave_barrier();
	return got;
}
/* As HIP: beyond the section of `width` lanes a lane gets its own value. */
template <class T> HIP_FN T hip_shfl_from(T v, int from, int width)
{
	static_assert(sizeof(T) <= 8, "a shuffle moves 8 bytes at most");
	const int lane = (int)hip_lane_id(), first = lane / width * width;
	unsigned long long bits = 0;
	memcpy(&bits, &v, sizeof v);
	bits = hip_trade(bits, from < first || from >= first + width ? lane : from);
	memcpy(&v, &bits, sizeof v);
	return v;
}
template <class T> HIP_FN T hip_shfl(T v, int from, int width = HIP_LANES)
{
	const int lane = (int)hip_lane_id();
	return hip_shfl_from(v, lane / width * width + (from & (width - 1)), width);
}
template <class T> HIP_FN T hip_shfl_xor(T v, int mask, int width = HIP_LANES)
{
	return hip_shfl_from(v, (int)hip_lane_id() ^ mask, width);
}
template <class T> HIP_FN T hip_shfl_up(T v, unsigned d, int width = HIP_LANES)
{
	return hip_shfl_from(v, (int)hip_lane_id() - (int)d, width);
}
template <class T> HIP_FN T hip_shfl_down(T v, unsigned d, int width = HIP_LANES)
{
	return hip_shfl_from(v, (int)hip_lane_id() + (int)d, width);
}
HIP_FN unsigned long long hip_ballot(int p)
{
	const unsigned mine = __ballot_sync(0xffffffffu, p);
	const bool high = hip_lane_id() >= 32;
	const int threads = (int)(blockDim.x * blockDim.y * blockDim.z);
	const bool pair = hip_thread() / HIP_LANES * HIP_LANES + 32 < threads;
	const unsigned other = (unsigned)hip_trade(mine, pair ? (high ? 0 : 32) : 0);
	const unsigned low_half = high ? other : mine, high_half = high ? mine : pair ? other : 0;
	return (unsigned long long)high_half << 32 | low_half;
}
HIP_FN int hip_any(int p) { return hip_ballot(p) != 0; }
HIP_FN int hip_all(int p) { return hip_ballot(!p) == 0; }
#define __shfl hip_shfl
#define __shfl_xor hip_shfl_xor
#define __shfl_up hip_shfl_up
#define __shfl_down hip_shfl_down
#define __ballot hip_ballot
#define __any hip_any
#define __all hip_all
#define __lane_id hip_lane_id
#define __builtin_amdgcn_wave_barrier() hip_wave_barrier()
#define __builtin_amdgcn_readfirstlane(v) hip_shfl(v, 0)
#define __builtin_amdgcn_s_sleep(n) __nanosleep(64 * (n))
#define __builtin_amdgcn_fence(order, ...) __threadfence()

/* ---- scoped atomics: device scope, or stronger than asked for ---- */

#define __HIP_MEMORY_SCOPE_SINGLETHREAD 1
#define __HIP_MEMORY_SCOPE_WAVEFRONT 2
#define __HIP_MEMORY_SCOPE_WORKGROUP 3
#define __HIP_MEMORY_SCOPE_AGENT 4
#define __HIP_MEMORY_SCOPE_SYSTEM 5

template <class T> HIP_FN T hip_load(const T *p, int order)
{
	T v = *(const volatile T *)p;
	if (order != __ATOMIC_RELAXED)
		__threadfence();
	return v;
}
template <class T, class U> HIP_FN void hip_store(T *p, U v, int order)
{
	if (order != __ATOMIC_RELAXED)
		__threadfence();
	*(volatile T *)p = (T)v;
}
/* CUDA's atomics know `long long` and not `long`. */
template <class T> struct hip_word { using type = T; };
template <> struct hip_word<long> { using type = long long; };
template <> struct hip_word<unsigned long> { using type = unsigned long long; };
/* A fence on both sides is right for every order. */
#define HIP_RMW(name, op) \
	template <class T, class U> HIP_FN T name(T *p, U v, int order) \
	{ \
		if (order != __ATOMIC_RELAXED) \
			__threadfence(); \
		T old = (T)op((typename hip_word<T>::type *)p, (typename hip_word<T>::type)v); \
		if (order != __ATOMIC_RELAXED) \
			__threadfence(); \
		return old; \
	}
HIP_RMW(hip_fetch_add, atomicAdd)
HIP_RMW(hip_fetch_min, atomicMin)
HIP_RMW(hip_fetch_max, atomicMax)
HIP_RMW(hip_fetch_and, atomicAnd)
HIP_RMW(hip_fetch_or, atomicOr)
HIP_RMW(hip_fetch_xor, atomicXor)
HIP_RMW(hip_exchange, atomicExch)
#undef HIP_RMW
#define __hip_atomic_load(p, order, scope) hip_load(p, order)
#define __hip_atomic_store(p, v, order, scope) hip_store(p, v, order)
#define __hip_atomic_fetch_add(p, v, order, scope) hip_fetch_add(p, v, order)
#define __hip_atomic_fetch_min(p, v, order, scope) hip_fetch_min(p, v, order)
#define __hip_atomic_fetch_max(p, v, order, scope) hip_fetch_max(p, v, order)
#define __hip_atomic_fetch_and(p, v, order, scope) hip_fetch_and(p, v, order)
#define __hip_atomic_fetch_or(p, v, order, scope) hip_fetch_or(p, v, order)
#define __hip_atomic_fetch_xor(p, v, order, scope) hip_fetch_xor(p, v, order)
#define __hip_atomic_exchange(p, v, order, scope) hip_exchange(p, v, order)

#define __builtin_prefetch(p) ((void)(p))
/* nvcc knows popcount and clz as builtins of device code, but not ctz */
#ifdef __CUDA_ARCH__
#define __builtin_ctz(x) (__ffs((int)(x)) - 1)
#define __builtin_ctzll(x) (__ffsll((long long)(x)) - 1)
#endif

#endif
