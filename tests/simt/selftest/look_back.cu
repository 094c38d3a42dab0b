/* Decoupled look-back in CUDA's words, 32 lanes. */
#include <cuda_runtime.h>

#define LOAD(p) patc_ld_relaxed(p)
#define LOAD_ACQUIRE(p) patc_ld_acquire(p)
#define STORE(p, v) patc_st_relaxed(p, v)
#define STORE_RELEASE(p, v) patc_st_release(p, v)
#define ANY(c) __any_sync(~0u, c)
#define BALLOT(c) __ballot_sync(~0u, c)
#define SHFL_UP(v, d) __shfl_up_sync(~0u, v, (unsigned)(d))
#define SHFL_XOR(v, d) __shfl_xor_sync(~0u, v, d)
#include "look_back.h"
