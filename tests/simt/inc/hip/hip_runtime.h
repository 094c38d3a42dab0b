/* The emulator in the place of HIP's header: HIP's names over CUDA's, which behave the same. */
#ifndef SIMT_HIP_RUNTIME_H
#define SIMT_HIP_RUNTIME_H

#ifndef SIMT_WARP
#define SIMT_WARP 64
#endif
#include "../../simt.h"

/* What a compiler says of the machine that it compiles for; the host's code is in the same pass
 * here. */
#define __HIP_DEVICE_COMPILE__ 1
#define __AMDGCN_WAVEFRONT_SIZE__ SIMT_WARP

#define hipError_t cudaError_t
#define hipStream_t cudaStream_t
#define hipEvent_t cudaEvent_t
#define hipMemcpyKind cudaMemcpyKind
#define hipDeviceProp_t cudaDeviceProp
#define hipDeviceAttribute_t cudaDeviceAttr
#define hipFuncAttribute cudaFuncAttribute

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

#define hipMalloc cudaMalloc
#define hipFree cudaFree
#define hipMemcpy cudaMemcpy
#define hipMemcpyAsync cudaMemcpyAsync
#define hipMemset cudaMemset
#define hipMemsetAsync cudaMemsetAsync
#define hipDeviceSynchronize cudaDeviceSynchronize
#define hipStreamCreate cudaStreamCreate
#define hipStreamCreateWithFlags cudaStreamCreateWithFlags
#define hipStreamDestroy cudaStreamDestroy
#define hipStreamSynchronize cudaStreamSynchronize
#define hipEventCreate cudaEventCreate
#define hipEventCreateWithFlags cudaEventCreateWithFlags
#define hipEventDestroy cudaEventDestroy
#define hipEventRecord cudaEventRecord
#define hipEventSynchronize cudaEventSynchronize
#define hipEventElapsedTime cudaEventElapsedTime
#define hipGetDevice cudaGetDevice
#define hipSetDevice cudaSetDevice
#define hipGetDeviceCount cudaGetDeviceCount
#define hipGetDeviceProperties cudaGetDeviceProperties
#define hipDeviceGetAttribute cudaDeviceGetAttribute
#define hipFuncSetAttribute cudaFuncSetAttribute
#define hipGetLastError cudaGetLastError
#define hipPeekAtLastError cudaPeekAtLastError
#define hipGetErrorString cudaGetErrorString
#define hipGetErrorName cudaGetErrorName
#define hipOccupancyMaxActiveBlocksPerMultiprocessor cudaOccupancyMaxActiveBlocksPerMultiprocessor

/* The first argument must be spelled reinterpret_cast<const void *>(kernel); see simt.h. */
#define hipLaunchKernel(kernel, ...) simt::launch(simt::simt_##kernel, __VA_ARGS__)
#define hipLaunchCooperativeKernel(kernel, ...) simt::launch(simt::simt_##kernel, __VA_ARGS__, true)
#define hipLaunchKernelGGL(kernel, ...) simt::launch_values(kernel, __VA_ARGS__)
#define HIP_KERNEL_NAME(...) __VA_ARGS__
#define HIP_DYNAMIC_SHARED(T, name) T *const name = simt::dyn<T>();

/* ---- wave intrinsics without a mask: the active lanes take part ---- */

#define SIMT_WAVE_SHUFFLE(name, kind, A) \
	template <class T> static inline T name(T v, A arg, int width = warpSize, SIMT_LINE) \
	{ \
		return simt::from_bits<T>(simt::shuffle(simt::kind, true, 0, simt::to_bits(v), \
							(int)arg, width, line)); \
	}
SIMT_WAVE_SHUFFLE(__shfl, INDEX, int)
SIMT_WAVE_SHUFFLE(__shfl_xor, XOR, int)
SIMT_WAVE_SHUFFLE(__shfl_up, UP, unsigned)
SIMT_WAVE_SHUFFLE(__shfl_down, DOWN, unsigned)

static inline unsigned long long __ballot(int pred, SIMT_LINE)
{
	return simt::vote(simt::BALLOT, true, 0, pred, line);
}
static inline int __any(int pred, SIMT_LINE)
{
	return (int)simt::vote(simt::ANY, true, 0, pred, line);
}
static inline int __all(int pred, SIMT_LINE)
{
	return (int)simt::vote(simt::ALL, true, 0, pred, line);
}
static inline unsigned __lane_id() { return (unsigned)simt::lane(); }

static inline void simt_wave_barrier(SIMT_LINE)
{
	simt::vote(simt::SYNC, true, 0, 0, line);
}
static inline int simt_readfirstlane(int v, SIMT_LINE)
{
	int first = __builtin_ctzll(simt::vote(simt::ACTIVE, true, 0, 1, line));
	return (int)simt::shuffle(simt::INDEX, true, 0, (unsigned)v, first, warpSize, line);
}
#define __builtin_amdgcn_wave_barrier() simt_wave_barrier()
#define __builtin_amdgcn_readfirstlane(v) simt_readfirstlane(v)
#define __builtin_amdgcn_s_sleep(n) simt::nap(__LINE__)
#define __builtin_amdgcn_fence(order, ...) simt::fence(true)

/* ---- scoped atomics: the scope is not modelled, the order is ---- */

#define __HIP_MEMORY_SCOPE_SINGLETHREAD 1
#define __HIP_MEMORY_SCOPE_WAVEFRONT 2
#define __HIP_MEMORY_SCOPE_WORKGROUP 3
#define __HIP_MEMORY_SCOPE_AGENT 4
#define __HIP_MEMORY_SCOPE_SYSTEM 5

template <class T> SIMT_FN T simt_hip_load(const T *p, int order, SIMT_LINE)
{
	return simt_flag_load(p, order != __ATOMIC_RELAXED, line);
}
template <class T, class U> SIMT_FN void simt_hip_store(T *p, U v, int order, SIMT_LINE)
{
	simt_flag_store(p, (T)v, order != __ATOMIC_RELAXED, line);
}
template <class F> SIMT_FN auto simt_hip_ordered(int order, F rmw)
{
	if (order != __ATOMIC_RELAXED && order != __ATOMIC_ACQUIRE)
		simt::fence(true);
	auto old = rmw();
	if (order != __ATOMIC_RELAXED && order != __ATOMIC_RELEASE)
		simt::fence(true);
	return old;
}
#define SIMT_HIP_RMW(op, p, v, order) \
	simt_hip_ordered(order, [&]() __attribute__((always_inline)) { return op(p, v); })
#define __hip_atomic_load(p, order, scope) simt_hip_load(p, order)
#define __hip_atomic_store(p, v, order, scope) simt_hip_store(p, v, order)
#define __hip_atomic_fetch_add(p, v, order, scope) SIMT_HIP_RMW(atomicAdd, p, v, order)
#define __hip_atomic_fetch_min(p, v, order, scope) SIMT_HIP_RMW(atomicMin, p, v, order)
#define __hip_atomic_fetch_max(p, v, order, scope) SIMT_HIP_RMW(atomicMax, p, v, order)
#define __hip_atomic_fetch_and(p, v, order, scope) SIMT_HIP_RMW(atomicAnd, p, v, order)
#define __hip_atomic_fetch_or(p, v, order, scope) SIMT_HIP_RMW(atomicOr, p, v, order)
#define __hip_atomic_fetch_xor(p, v, order, scope) SIMT_HIP_RMW(atomicXor, p, v, order)
#define __hip_atomic_exchange(p, v, order, scope) SIMT_HIP_RMW(atomicExch, p, v, order)

#endif
