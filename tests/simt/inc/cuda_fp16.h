/* The emulator in the place of CUDA's and HIP's header: the conversions that patc's text calls. */
#ifndef SIMT_CUDA_FP16_H
#define SIMT_CUDA_FP16_H

#include "simt_half.h"

typedef simt::half<11, -13> __half;
typedef __half __half_raw;

static inline __half __ushort_as_half(unsigned short x) { return {x}; }
static inline unsigned short __half_as_ushort(__half h) { return h.x; }
static inline float __half2float(__half h) { return (float)h.value(); }
static inline __half __float2half_rn(float f) { return __half::nearest((double)f); }
static inline __half __double2half(double f) { return __half::nearest(f); }

#endif
