/* Decoupled look-back in HIP's words, 64 lanes. */
#include <hip/hip_runtime.h>

#define LOAD(p) __hip_atomic_load(p, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT)
#define LOAD_ACQUIRE(p) __hip_atomic_load(p, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_AGENT)
#define STORE(p, v) __hip_atomic_store(p, v, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT)
#define STORE_RELEASE(p, v) __hip_atomic_store(p, v, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_AGENT)
#define ANY(c) __any(c)
#define BALLOT(c) __ballot(c)
#define SHFL_UP(v, d) __shfl_up(v, (unsigned)(d))
#define SHFL_XOR(v, d) __shfl_xor(v, d)
#include "look_back.h"
