/* The emulator in the place of CUDA's header: the conversions that patc's text calls. */
#ifndef SIMT_CUDA_BF16_H
#define SIMT_CUDA_BF16_H

#include "simt_half.h"

typedef simt::half<8, -125> __nv_bfloat16;

static inline __nv_bfloat16 __ushort_as_bfloat16(unsigned short x) { return {x}; }
static inline unsigned short __bfloat16_as_ushort(__nv_bfloat16 h) { return h.x; }
static inline float __bfloat162float(__nv_bfloat16 h) { return (float)h.value(); }
static inline __nv_bfloat16 __float2bfloat16_rn(float f)
{
	return __nv_bfloat16::nearest((double)f);
}
static inline __nv_bfloat16 __double2bfloat16(double f) { return __nv_bfloat16::nearest(f); }

#endif
