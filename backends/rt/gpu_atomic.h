/* gpu_atomic.h - cells of 1 and 2 bytes meet what memory holds in the aligned word around them, by the 32-bit operations of
 * cuda_atomic.h or hip_atomic.h; and fields of structs.  See common.h for the markers.  Text of backends/rt that is copied into
 * the output is under 0BSD.
 * SPDX-License-Identifier: 0BSD */
#ifdef __CUDACC__
#include "cuda_atomic.h"
#else
#include "hip_atomic.h"
#endif

/* helper patc_part */
/* A field of a struct in memory. */
static __device__ __forceinline__ uint8_t *patc_part(void *record, int64_t bytes)
{
	return (uint8_t *)record + bytes;
}

/* helper patc_around : patc_part */
/* The aligned word around a cell of 1 or 2 bytes, and where in it the cell begins. */
static __device__ __forceinline__ void *patc_around(void *cell, int32_t *shift)
{
	const int32_t bytes = (int32_t)((uintptr_t)cell & 3);
	*shift = 8 * bytes;
	return patc_part(cell, -bytes);
}

/* helper patc_peek_u8 effect : patc_around patc_peek_u32 */
static __device__ __forceinline__ uint8_t patc_peek_u8(void *cell)
{
	int32_t shift;
	void *const word = patc_around(cell, &shift);
	return (uint8_t)(patc_peek_u32(word) >> shift);
}

/* helper patc_swap_u8 effect : patc_around patc_peek_u32 patc_swap_u32 */
static __device__ __forceinline__ uint8_t patc_swap_u8(void *cell, uint8_t expected, uint8_t wanted)
{
	int32_t shift;
	void *const word = patc_around(cell, &shift);
	uint32_t seen = patc_peek_u32(word);
	while ((uint8_t)(seen >> shift) == expected) {
		const uint32_t was = seen;
		seen = patc_swap_u32(word, was, (was & ~(0xffu << shift)) | (uint32_t)wanted << shift);
		if (seen == was)
			return expected;
	}
	return (uint8_t)(seen >> shift);
}

/* helper patc_peek_u16 effect : patc_around patc_peek_u32 */
static __device__ __forceinline__ uint16_t patc_peek_u16(void *cell)
{
	int32_t shift;
	void *const word = patc_around(cell, &shift);
	return (uint16_t)(patc_peek_u32(word) >> shift);
}

/* helper patc_swap_u16 effect : patc_around patc_peek_u32 patc_swap_u32 */
static __device__ __forceinline__ uint16_t patc_swap_u16(void *cell, uint16_t expected, uint16_t wanted)
{
	int32_t shift;
	void *const word = patc_around(cell, &shift);
	uint32_t seen = patc_peek_u32(word);
	while ((uint16_t)(seen >> shift) == expected) {
		const uint32_t was = seen;
		seen = patc_swap_u32(word, was, (was & ~(0xffffu << shift)) | (uint32_t)wanted << shift);
		if (seen == was)
			return expected;
	}
	return (uint16_t)(seen >> shift);
}
