/* gpu_host.h - the host's side of a GPU, in CUDA's words; for HIP, the prefix `cuda` becomes
 * `hip`, and PATC_KERNEL the cast that hipLaunchKernel asks for.  See common.h for the markers.
 * Text of backends/rt that is copied into the output is under 0BSD.
 * SPDX-License-Identifier: 0BSD
 * */

/* helper patc_launch */
/* The caller's values become the kernel's parameter types.  bytes: of shared memory, besides what
 * the kernel declares.  The status is the launch's own. */
struct patc_grid { int64_t x, y, z; };
template <class T> struct patc_same { typedef T type; };
template <class... P>
PATC_HOST int patc_launch(void (*kernel)(P...), struct patc_grid grid, dim3 block, int bytes,
                          void *stream, typename patc_same<P>::type... value)
{
	void *args[] = {(void *)&value..., NULL};
	if (grid.x <= 0 || grid.y <= 0 || grid.z <= 0)
		return PATC_OK;
	if (grid.x > 2147483647 || grid.y > 65535 || grid.z > 65535)
		return PATC_LAUNCH;
	const dim3 blocks((unsigned)grid.x, (unsigned)grid.y, (unsigned)grid.z);
	return cudaLaunchKernel(PATC_KERNEL, blocks, block, args,
	                        (size_t)bytes, (cudaStream_t)stream) == cudaSuccess ?
	               PATC_OK : PATC_LAUNCH;
}

/* helper patc_launch_asking: patc_launch */
/* The device gives a block so much shared memory only if the launch asks. */
template <class... P>
PATC_HOST int patc_launch_asking(void (*kernel)(P...), struct patc_grid grid, dim3 block, int bytes,
                              void *stream, typename patc_same<P>::type... value)
{
	if (cudaFuncSetAttribute(PATC_KERNEL, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes) !=
	    cudaSuccess)
		return PATC_LAUNCH;
	return patc_launch(kernel, grid, block, bytes, stream, value...);
}

/* helper patc_of_device */
/* A number of the present device; 0: not known. */
PATC_HOST int64_t patc_of_device(cudaDeviceAttr number)
{
	int device = 0, value = 0;
	if (cudaGetDevice(&device) != cudaSuccess ||
	    cudaDeviceGetAttribute(&value, number, device) != cudaSuccess)
		return 0;
	return value;
}

/* helper patc_units: patc_of_device */
/* Its multiprocessors. */
PATC_HOST int64_t patc_units(void)
{
	return patc_of_device(cudaDevAttrMultiProcessorCount);
}

/* helper patc_may_ask: patc_of_device */
/* Bytes of shared memory that a block of it may have if the launch asks. */
PATC_HOST int64_t patc_may_ask(void)
{
	return patc_of_device(cudaDevAttrMaxSharedMemoryPerBlockOptin);
}

/* helper patc_launch_together: patc_launch patc_units patc_may_ask */
/* All blocks run at the same time: as many as the device holds, or fewer that share `most` turns
 * evenly.  bytes: of shared memory that a block asks for.  Where the device does not allow that, or
 * has less room as others share it, none is launched, and *launched stays false. */
template <class... P>
PATC_HOST int patc_launch_together(bool *launched, void (*kernel)(P...), int64_t most, dim3 block,
                                   int bytes, void *stream,
                                   typename patc_same<P>::type... value)
{
	void *args[] = {(void *)&value..., NULL};
	int held = 0;
	if (patc_of_device(cudaDevAttrCooperativeLaunch) == 0 ||
	    (bytes > 0 && (bytes > patc_may_ask() ||
	                   cudaFuncSetAttribute(PATC_KERNEL,
	                                        cudaFuncAttributeMaxDynamicSharedMemorySize,
	                                        bytes) != cudaSuccess)) ||
	    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&held, kernel, (int)block.x,
	                                                  (size_t)bytes) != cudaSuccess)
		return PATC_OK;
	const int64_t resident = held * patc_units();
	if (resident <= 0 || most <= 0 || most > 2147483647)
		return PATC_OK;
	const int64_t turns = (most + resident - 1) / resident, blocks = (most + turns - 1) / turns;
	const cudaError_t error =
		cudaLaunchCooperativeKernel(PATC_KERNEL, dim3((unsigned)blocks), block, args,
		                            (size_t)bytes, (cudaStream_t)stream);
	*launched = error == cudaSuccess;
	return *launched || error == cudaErrorCooperativeLaunchTooLarge ||
	                       error == cudaErrorNotSupported ?
	               PATC_OK : PATC_LAUNCH;
}

/* helper patc_tile_rows: patc_units */
/* How many rows a tile has, if a row of tiles has `strips` and each multiprocessor at most one tile.
 * 0: a tile would have more than `most` rows, or a quarter of the multiprocessors would have none. */
PATC_HOST int64_t patc_tile_rows(int64_t rows, int64_t strips, int64_t most)
{
	const int64_t units = patc_units();
	const int64_t bands = strips > 0 ? units / strips : 0;
	const int64_t length = bands > 0 ? (rows + bands - 1) / bands : 0;
	if (length <= 0 || length > most)
		return 0;
	return 4 * strips * ((rows + length - 1) / length) >= 3 * units ? length : 0;
}

/* helper patc_chunk_rows */
/* How many rows a warp marches over, of a strip of columns.  `around` more are computed in vain, so
 * long chunks waste less, and many short ones keep all units busy: the best length is near the root
 * of around x rows x strips / units / 16.  Where one or two blocks a unit take all chunks, no unit
 * waits for a last few: two blocks of a unit take 1.4 times as long for a row as one.  The
 * numbers are fitted to six loops of stencils at ten sizes on an H200. */
PATC_HOST int64_t patc_chunk_rows(int64_t rows, int64_t strips, int64_t around, int64_t units,
                                  int64_t warps)
{
	const auto tenths = [=](int64_t length) {
		const int64_t chunks = strips * ((rows + length - 1) / length);
		const int64_t blocks = (chunks + warps - 1) / warps, last = blocks % (2 * units);
		const int64_t turns = 14 * (blocks / (2 * units)) +
		                      (last == 0 ? 0 : last <= units ? 10 : 14);
		return (length + around) * turns;
	};
	int64_t best = 3;
	if (strips <= 0)
		return best;
	while (best < 128 && 16 * units * best * best < around * rows * strips)
		best++;
	for (int64_t blocks = 1; blocks <= 2; blocks++) {
		const int64_t chunks = blocks * units * warps / strips;
		const int64_t length = chunks > 0 ? (rows + chunks - 1) / chunks : rows;
		if (3 <= length && length <= 64 && tenths(length) < tenths(best))
			best = length;
	}
	return best;
}

/* helper patc_chunk_planes */
/* How many planes a block marches over, of a tile: `around` more are computed in vain, and blocks
 * take turns on the units. */
PATC_HOST int64_t patc_chunk_planes(int64_t planes, int64_t tiles, int64_t around, int64_t units)
{
	int64_t best = planes > 0 ? planes : 1, least = INT64_MAX;
	for (int64_t chunks = 1; chunks <= 64 && chunks <= planes; chunks++) {
		const int64_t length = (planes + chunks - 1) / chunks;
		const int64_t turns = (tiles * ((planes + length - 1) / length) + units - 1) / units;
		if (turns * (length + around) < least) {
			least = turns * (length + around);
			best = length;
		}
	}
	return best;
}

/* helper patc_planes_pay: patc_of_device */
/* Bytes up to which arrays of a loop stay in the cache of all multiprocessors: they are computed
 * pass by pass.  A negative number: those of the device's cache; 0: a visit takes all arrays. */
#ifndef PATC_CACHE
#define PATC_CACHE (-1)
#endif

/* Do several passes of a visit pay?  Not where planes at the edges, which take longer, or cells in
 * vain are too many.  The numbers are fitted to four loops of stencils at twelve shapes on an
 * H200. */
PATC_HOST bool patc_planes_pay(int64_t planes, int64_t cells, int64_t tiles, int64_t tile_cells,
                               int64_t around, int64_t bytes)
{
	const int64_t cache = PATC_CACHE;
	const int64_t stay = cache < 0 ? patc_of_device(cudaDevAttrL2CacheSize) : cache;
	return stay == 0 || (stay < bytes && 6 * around <= planes &&
	                     tiles * tile_cells * (planes + around) <= 3 * cells);
}

/* helper patc_clear */
PATC_HOST int patc_clear(void *at, int64_t bytes, void *stream)
{
	if (bytes <= 0)
		return PATC_OK;
	const cudaError_t error = cudaMemsetAsync(at, 0, (size_t)bytes, (cudaStream_t)stream);
	return error == cudaSuccess ? PATC_OK : PATC_LAUNCH;
}

/* helper patc_read_status */
/* Waits for the stream, then reads the word that a kernel may have recorded an error in. */
PATC_HOST int patc_read_status(const void *workspace, void *stream)
{
	int32_t word = PATC_OK;
	if (workspace == NULL)
		return PATC_WORKSPACE;
	if (cudaMemcpyAsync(&word, workspace, sizeof word, cudaMemcpyDeviceToHost,
	                    (cudaStream_t)stream) != cudaSuccess ||
	    cudaStreamSynchronize((cudaStream_t)stream) != cudaSuccess)
		return PATC_LAUNCH;
	return word;
}

/* helper patc_read_words */
/* Waits for the stream, then reads two words that kernels have recorded in the workspace. */
PATC_HOST int patc_read_words(int64_t *words, const void *from, void *stream)
{
	return cudaMemcpyAsync(words, from, 2 * sizeof *words, cudaMemcpyDeviceToHost,
	                       (cudaStream_t)stream) == cudaSuccess &&
	                       cudaStreamSynchronize((cudaStream_t)stream) == cudaSuccess ?
	               PATC_OK : PATC_LAUNCH;
}

/* helper patc_copy */
/* An array of the host and its place on the device. */
struct patc_copy { const void *from; void *to; int64_t bytes; void *device; };

/* helper patc_wait */
PATC_HOST int patc_wait(void *stream)
{
	return cudaStreamSynchronize((cudaStream_t)stream) == cudaSuccess ? PATC_OK : PATC_LAUNCH;
}

/* helper patc_bring: patc_copy */
/* A stream, memory on the device for each array, and copies of what is read.  Cells of 1 and 2
 * bytes may meet in the words that they lie in: memory is whole words. */
PATC_HOST int patc_bring(struct patc_copy *c, int n, cudaStream_t *stream)
{
	if (cudaStreamCreateWithFlags(stream, cudaStreamNonBlocking) != cudaSuccess) {
		*stream = NULL;
		return PATC_LAUNCH;
	}
	for (; n > 0; c++, n--) {
		const size_t bytes = (size_t)c->bytes, rest = bytes % 4;
		if (bytes > 0 && cudaMalloc(&c->device, bytes + (4 - rest) % 4) != cudaSuccess) {
			c->device = NULL;
			return PATC_MEMORY;
		}
		if ((rest > 0 && cudaMemsetAsync((char *)c->device + (bytes - rest), 0, 4,
		                                 *stream) != cudaSuccess) ||
		    (bytes > 0 && c->from != NULL &&
		     cudaMemcpyAsync(c->device, c->from, bytes, cudaMemcpyHostToDevice,
		                     *stream) != cudaSuccess))
			return PATC_LAUNCH;
	}
	return PATC_OK;
}

/* helper patc_fetch: patc_copy */
/* Copies the results back unless the call failed, waits, frees; the first failure is returned.
 * What the data showed was skipped: the rest is there, unless copying it back fails. */
PATC_HOST int patc_fetch(struct patc_copy *c, int n, cudaStream_t stream, int failure)
{
	const bool done = failure == PATC_OK || failure == PATC_INDEX || failure == PATC_FULL
		|| failure == PATC_BOX || failure == PATC_ENDLESS || failure == PATC_PIVOT;
	bool bad = false;
	for (int i = 0; i < n && done; i++)
		if (c[i].bytes > 0 && c[i].to != NULL)
			bad |= cudaMemcpyAsync(c[i].to, c[i].device, (size_t)c[i].bytes,
			                       cudaMemcpyDeviceToHost, stream) != cudaSuccess;
	if (stream != NULL) {
		bad |= cudaStreamSynchronize(stream) != cudaSuccess;
		bad |= cudaStreamDestroy(stream) != cudaSuccess;
	}
	for (int i = 0; i < n; i++)
		bad |= cudaFree(c[i].device) != cudaSuccess;
	return done && bad ? PATC_LAUNCH : failure;
}
