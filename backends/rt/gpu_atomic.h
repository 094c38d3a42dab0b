/* gpu_atomic.h - cells of 1 and 2 bytes meet what memory holds in the aligned word around them, by
 * the 32-bit operations of cuda_atomic.h or hip_atomic.h; and fields of structs.  See common.h for
 * the markers.  Text of backends/rt that is copied into the output is under 0BSD.
 * SPDX-License-Identifier: 0BSD */

/* helper patc_part */
/* A field of a struct in memory. */
static __device__ __forceinline__ uint8_t *patc_part(void *record, int64_t bytes)
{
	return (uint8_t *)record + bytes;
}

/* helper patc_around: patc_part */
/* The aligned word around a cell of 1 or 2 bytes ... */
static __device__ __forceinline__ uint8_t *patc_around(void *cell)
{
	return patc_part(cell, -(int64_t)((uintptr_t)cell & 3));
}

/* helper patc_place */
/* ... and where in it the cell begins. */
static __device__ __forceinline__ int32_t patc_place(const void *cell)
{
	return 8 * (int32_t)((uintptr_t)cell & 3);
}
