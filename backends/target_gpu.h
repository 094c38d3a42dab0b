/* target_gpu.h - numbers of GPUs that were measured only on an H200 (sm_90, 132 multiprocessors)
 * and are used for all GPUs until somebody measures them elsewhere. total_blocks, tile_blocks,
 * full_warps, private_bytes and batch_... were computed, the others timed. */
#ifndef TARGET_GPU_H
#define TARGET_GPU_H

/* total_blocks  of a fold of 2^28 f32: fewer leave memory idle, more cost the second kernel.
 * fold_blocks   16384^2 f32 with a fold: 458 Gcell/s; 8192 blocks 443; 262,144 blocks 296.
 * march_blocks  62 a multiprocessor: 640^3 f32, steps of 10 to 40 are within 2 %.
 * tile_blocks   5 blocks of 128 threads a multiprocessor are 660: all of them, with room.
 * row_blocks    softmax and layer-norm of 256 long rows.
 * full_threads  four loads of f32 in flight each: 16 KB a multiprocessor.
 * full_warps    8 a multiprocessor, a problem each; fewer are faster in strips of several warps.
 * radix_keys    64 bits break even at 2^20 to 2^21, 32 bits at 2^18 to 2^19; a pass costs 7 us.
 * busy_steps    half of the 7.8 instructions that a lane issues while a byte is copied.
 * private_bytes of 132 blocks 4.3 MB, which memory moves in 1 us.
 * sample_items  a sample and its launch cost as much as these items where many meet in one cell.
 * strip_bytes   what most strips have.
 * batch_few     of 8 blocks of 256 threads 64 KiB: more than the 48 to keep in flight.
 * batch_most    of 8 blocks 192 KiB, of the 228 that a multiprocessor has. */
#define CHOSEN_ON_H200                                                                             \
	.total_blocks = 2048, .fold_blocks = 16384, .march_blocks = 8192, .tile_blocks = 1024,     \
	.full_threads = 1 << 17, .full_warps = 1024, .radix_keys32 = 1 << 18,                      \
	.radix_keys64 = 1 << 20, .busy_steps = 4, .row_blocks = 8, .private_bytes = 1 << 15,       \
	.sample_items = 1 << 22, .strip_bytes = 3072,                                              \
	.batch_few = 8192, .batch_most = 24576

/* What kernels reach, of bench/RESULTS.md ("expected and measured shares").  launch: copies of 2^16
 * f32.  Of a copy: stencils and transposes (shared), five points from tiles (staged), scans
 * (behind).
 * Of the rates of data sheets: products of f32 and f64 (cores), of tf32, f16 and bf16 (units), of
 * i8 whose right operand lies across the terms (turned).
 * steps32, steps64: half of the instructions that nvcc makes of a function, in the middle of them;
 * the other half is for large arguments.  kept: compacts of u8.  atomics: at random cells of the
 * cache; for other machines by what a copy reaches. */
#define REACHED(copy_)                                                                             \
	.reached = { .launch = 2.5, .shared = 0.93, .staged = 0.45, .behind = 0.8, .cores = 0.76,  \
		     .units = 0.67, .turned = 0.036, .steps32 = 15, .steps64 = 20, .kept = 20,     \
		     .atomics = 95.0 / 4300 * (copy_) }

/* Blocks of a launch whose blocks take turns: of 512 threads 2^31, and a launch of HIP has less
 * than 2^32 threads. */
#define TURN_BLOCKS .turn_blocks = 1 << 22

#endif
