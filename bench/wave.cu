/* wave.cu - wavefronts beside what a user would write first, and every order that the compiler
 * knows beside the one it takes. */
#include <cub/block/block_scan.cuh>
#include <cub/device/device_reduce.cuh>

#include "batch.h"
#include "bench.cuh"
#include "wavefront.h"

/* ---- a summed-area table in two passes: rows, then columns ---- */

enum { ROW_THREADS = 256 };

__global__ static void row_sums(const float *p, float *a, int64_t n)
{
	using scan = cub::BlockScan<float, ROW_THREADS>;
	__shared__ typename scan::TempStorage storage;
	float before = 0;
	for (int64_t j = threadIdx.x; j - threadIdx.x < n; j += ROW_THREADS) {
		float x = j < n ? p[blockIdx.x * n + j] : 0, all;
		scan(storage).InclusiveSum(x, x, all);
		if (j < n)
			a[blockIdx.x * n + j] = before + x;
		before += all;
		__syncthreads();
	}
}
__global__ static void column_sums(float *a, int64_t m, int64_t n)
{
	const int64_t j = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
	float sum = 0;
	for (int64_t i = 0; j < n && i < m; i++)
		a[i * n + j] = sum += a[i * n + j];
}
static void area_by_hand(int64_t m, int64_t n, const float *p, float *a)
{
	row_sums<<<(unsigned)m, ROW_THREADS, 0, stream>>>(p, a, n);
	column_sums<<<(unsigned)((n + 127) / 128), 128, 0, stream>>>(a, m, n);
}

/* ---- an alignment by anti-diagonals of tiles in shared memory, a launch each ---- */

enum { SIDE = 64 };

__global__ static void align_tile(const int32_t *q, const int32_t *d, int32_t *h, int64_t m,
    int64_t n, int64_t diagonal)
{
	__shared__ int32_t s[SIDE + 1][SIDE + 1];
	const int64_t columns = (n + SIDE - 1) / SIDE,
	    first = diagonal < columns ? 0 : diagonal - columns + 1;
	const int64_t i0 = (first + blockIdx.x) * SIDE, j0 = (diagonal - first - blockIdx.x) * SIDE;
	const int t = threadIdx.x;
	s[0][t + 1] = i0 && j0 + t < n ? h[(i0 - 1) * n + j0 + t] : 0;
	s[t + 1][0] = j0 && i0 + t < m ? h[(i0 + t) * n + j0 - 1] : 0;
	if (t == 0)
		s[0][0] = i0 && j0 ? h[(i0 - 1) * n + j0 - 1] : 0;
	__syncthreads();
	for (int step = 0; step < 2 * SIDE - 1; step++) {
		const int r = t, c = step - t;
		if (c >= 0 && c < SIDE && i0 + r < m && j0 + c < n) {
			const int32_t match = q[i0 + r] == d[j0 + c] ? 3 : -1;
			s[r + 1][c + 1] = max(max(s[r + 1][c] - 2, s[r][c + 1] - 2),
			    max(s[r][c] + match, 0));
		}
		__syncthreads();
	}
	for (int r = 0; r < SIDE && i0 + r < m; r++)
		if (j0 + t < n)
			h[(i0 + r) * n + j0 + t] = s[r + 1][t + 1];
}
static void align_by_hand(const int32_t *q, const int32_t *d, int32_t *h, int64_t m, int64_t n)
{
	const int64_t rows = (m + SIDE - 1) / SIDE, columns = (n + SIDE - 1) / SIDE;
	for (int64_t diagonal = 0; diagonal < rows + columns - 1; diagonal++) {
		const int64_t first = diagonal < columns ? 0 : diagonal - columns + 1;
		const int64_t last = diagonal < rows ? diagonal : rows - 1;
		align_tile<<<(unsigned)(last - first + 1), SIDE, 0,
		    stream>>>(q, d, h, m, n, diagonal);
	}
}

/* ---- the rows ---- */

static std::string square(int64_t n, const char *type)
{
	return std::to_string(n) + "^2 " + type;
}
using two = std::function<void(const float *, float *)>;

/* Each calls for the arrays at a turn of the pools: from pool 0 into 1, the anchor's into 2. */
static row area_row(const char *name, int64_t n, two ours, const char *anchor_name, two anchor,
    double roundings = 1)
{
	const size_t bytes = (size_t)(n * n) * 4;
	return { name, square(n, "f32"), 2.0 * (double)bytes, (double)(n * n), CELLS, COPY,
		[=](int c) { ours(place<float>(0, bytes, c), place<float>(1, bytes, c)); },
		    anchor_name,
		[=](int c) { anchor(place<float>(0, bytes, c), place<float>(2, bytes, c)); },
		[=] {
			return differ<float>(place<float>(1, bytes, 0), place<float>(2, bytes, 0),
			    (size_t)(n * n), roundings * rounding((size_t)(n * n)));
		} };
}
/* As written, every cell adds and takes back sums as large as all before it, and rounds them. */
static const double CELL_BY_CELL = 100;
#define AREA(kernel) [=](const float *p, float *a) { OURS(kernel, (n, n), p, a); }
static void areas(int64_t n)
{
	fill_pools(FLOATS);
	row r = area_row("summed-area table", n, AREA(area), "CUB rows, then columns",
	    [=](const float *p, float *a) { area_by_hand(n, n, p, a); });
	r.must_rate = n == 16384 ? 320 : 0;
	print_row(r);
	print_row(area_row("summed-area table, diagonal", n, AREA(area_diagonal), "as chosen",
	    AREA(area), CELL_BY_CELL));
	print_row(area_row("summed-area table, strips", n, AREA(area_strips), "as chosen",
	    AREA(area), CELL_BY_CELL));
	print_row(area_row("summed-area table, rows", n, AREA(area_rows), "as chosen", AREA(area),
	    CELL_BY_CELL));
	print_row(area_row("summed-area table, hybrid", n, AREA(area_hybrid), "as chosen",
	    AREA(area), CELL_BY_CELL));
}

/* Letters 0 to 3. */
__global__ static void fill_letters(int32_t *q, size_t n, uint32_t seed)
{
	for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
	    i += (size_t)gridDim.x * blockDim.x)
		q[i] = (int32_t)(((uint32_t)i * 2654435761u + seed) * 2246822519u >> 30);
}
static int32_t *letters(int64_t n, uint32_t seed)
{
	int32_t *const q = allocate<int32_t>((size_t)n);
	fill_letters<<<256, 256, 0, stream>>>(q, (size_t)n, seed);
	return q;
}
using align_fn = std::function<void(int32_t *)>;
static row align_row(const char *name, int64_t n, align_fn ours, const char *anchor_name,
    align_fn anchor)
{
	const size_t bytes = (size_t)(n * n) * 4;
	return { name, square(n, "i32"), (double)bytes, (double)(n * n), CELLS, NONE,
		[=](int c) { ours(place<int32_t>(1, bytes, c)); }, anchor_name,
		[=](int c) { anchor(place<int32_t>(2, bytes, c)); },
		[=] {
			return differ<int32_t>(place<int32_t>(1, bytes, 0),
			    place<int32_t>(2, bytes, 0), (size_t)(n * n), 1e-9);
		} };
}
#define ALIGN(kernel) [=](int32_t *h) { OURS(kernel, (n, n), q, d, h); }
static void aligns(int64_t n)
{
	int32_t *const q = letters(n, 1), *const d = letters(n, 77);
	row r = align_row("alignment", n, ALIGN(align), "64 x 64 tiles by hand", [=](int32_t *h) {
		align_by_hand(q, d, h, n, n);
	});
	r.must_rate = n == 1024 ? 6 : n == 4096 ? 37 : n == 16384 ? 200 : 0;
	print_row(r);
	print_row(align_row("alignment, diagonal", n, ALIGN(align_diagonal), "as chosen",
	    ALIGN(align)));
	print_row(align_row("alignment, rows", n, ALIGN(align_rows), "as chosen", ALIGN(align)));
	print_row(align_row("alignment, hybrid", n, ALIGN(align_hybrid), "as chosen",
	    ALIGN(align)));
	CUDA(cudaFree(q));
	CUDA(cudaFree(d));
}

/* In place: both sides relax the same start, each as often as the other. */
static row relax_row(const char *name, int64_t n, std::function<void(float *)> ours,
    const char *anchor_name, std::function<void(float *)> anchor)
{
	const size_t bytes = (size_t)(n * n) * 4;
	for (int k : { 1, 2 })
		CUDA(cudaMemcpyAsync(place<float>(k, bytes, 0), place<float>(0, bytes, 0), bytes,
		    cudaMemcpyDeviceToDevice, stream));
	return { name, square(n, "f32"), 2.0 * (double)bytes, (double)(n * n), CELLS, COPY,
		[=](int c) { ours(place<float>(1, bytes, c)); }, anchor_name,
		[=](int c) { anchor(place<float>(2, bytes, c)); },
		[=] {
			return differ<float>(place<float>(1, bytes, 0), place<float>(2, bytes, 0),
			    (size_t)(n * n), 1e-5);
		} };
}
#define RELAX(kernel) [=](float *a) { OURS(kernel, (n, n), a); }
static void relaxes(int64_t n)
{
	fill_pools(FLOATS);
	row r = relax_row("relaxation in place", n, RELAX(relax), "diagonal, pinned",
	    RELAX(relax_diagonal));
	r.must_rate = n == 16384 ? 150 : 0;
	r.must_ratio = n == 16384 ? 3 : 0;
	print_row(r);
	print_row(relax_row("relaxation in place, rows", n, RELAX(relax_rows), "as chosen",
	    RELAX(relax)));
	print_row(relax_row("relaxation in place, hybrid", n, RELAX(relax_hybrid), "as chosen",
	    RELAX(relax)));
}

/* The best score alone, beside the table kept and its maximum by CUB; the largest alone, for its
 * table has 40 GB. */
static void scores(int64_t n, bool kept)
{
	int32_t *const q = letters(n, 1), *const d = letters(n, 77);
	const size_t bytes = (size_t)(n * n) * 4;
	row r = { "score alone", square(n, "i32"), 8.0 * (double)n, (double)(n * n), CELLS, NONE,
		[=](int) { OURS(score, (n, n), q, d, (int32_t *)ours_result); } };
	r.must_rate = kept ? 0 : 500;
	if (kept) {
		r.anchor_name = "table, CUB max";
		r.anchor = [=](int c) {
			int32_t *const h = place<int32_t>(1, bytes, c);
			size_t t = scratch_bytes;
			OURS(align, (n, n), q, d, h);
			CUDA(cub::DeviceReduce::Max(scratch, t, h, (int32_t *)anchor_result, n * n,
			    stream));
		};
		r.difference = [] { return differ<int32_t>(ours_result, anchor_result, 1, 1e-9); };
	}
	print_row(r);
	CUDA(cudaFree(q));
	CUDA(cudaFree(d));
}

/* ---- many short alignments: two cells a word beside one ---- */

enum { SHORT = 1000000, LONGEST = 150, KINDS = 24 };

__global__ static void fill_bytes(uint8_t *q, size_t n, int kinds, uint32_t seed)
{
	for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
	    i += (size_t)gridDim.x * blockDim.x) {
		const uint32_t x = ((uint32_t)i * 2654435761u + seed) * 2246822519u;
		q[i] = (uint8_t)((x ^ x >> 15) % (uint32_t)kinds);
	}
}
static uint8_t *bytes_of(size_t n, int kinds, uint32_t seed)
{
	uint8_t *const q = allocate<uint8_t>(n);
	fill_bytes<<<4096, 256, 0, stream>>>(q, n, kinds, seed);
	return q;
}
__global__ static void fill_lengths(int32_t *length, const uint8_t *bytes)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < SHORT; i += gridDim.x * blockDim.x)
		length[i] = 30 + bytes[i];
}
using score_fn = std::function<void(int32_t *)>;
static void short_row(const char *name, int64_t m, const char *columns, double cells, score_fn ours,
    score_fn wide)
{
	const size_t bytes = (size_t)SHORT * 4;
	print_row({ name, "10^6 of " + std::to_string(m) + " x " + columns, (double)bytes, cells,
	    CELLS, NONE,
	    [=](int c) { ours(place<int32_t>(1, bytes, c)); }, "32 bits, pinned",
	    [=](int c) { wide(place<int32_t>(2, bytes, c)); },
	    [=] {
		return differ<int32_t>(place<int32_t>(1, bytes, 0), place<int32_t>(2, bytes, 0),
		    (size_t)SHORT, 1e-9);
	} });
}
#define SCORES(kernel, ...) [=](int32_t *best) { \
	OURS(kernel, (n, SHORT, n), q, d, ##__VA_ARGS__, best); \
}
static void short_works(int64_t n)
{
	uint8_t *const q = bytes_of(LONGEST, KINDS, 1),
	    *const d = bytes_of((size_t)SHORT * LONGEST, KINDS, 77);
	uint8_t *const lengths = bytes_of(SHORT, LONGEST - 29, 5);
	int32_t *const length = allocate<int32_t>(SHORT);
	const double cells = (double)SHORT * (double)(n * n);
	const std::string columns = std::to_string(n);
	fill_lengths<<<256, 256, 0, stream>>>(length, lengths);
	short_row("short alignments", n, columns.c_str(), cells, SCORES(short_linear),
	    SCORES(short_linear_wide));
	short_row("short alignments, affine", n, columns.c_str(), cells, SCORES(short_affine),
	    SCORES(short_affine_wide));
	short_row("short alignments, proteins", n, columns.c_str(), cells,
	    SCORES(short_protein, 11, 1), SCORES(short_protein_wide, 11, 1));
	if (n == LONGEST)
		short_row("short alignments, ragged", n, "30..150", 90.0 * SHORT * (double)n,
		    SCORES(short_ragged, length), SCORES(short_ragged_wide, length));
	CUDA(cudaFree(q));
	CUDA(cudaFree(d));
	CUDA(cudaFree(lengths));
	CUDA(cudaFree(length));
}

/* ---- folds over cells reached before: a launch an anti-diagonal, a thread a cell ---- */

__global__ static void chain_diagonal(const int32_t *p, int32_t *t, int64_t n, int64_t away)
{
	const int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x, j = i + away;
	if (j >= n)
		return;
	int32_t best = away ? INT32_MAX : 0;
	for (int64_t k = i; k < j; k++)
		best = min(best, t[i * n + k] + t[(k + 1) * n + j] + p[i] * p[k + 1] * p[j + 1]);
	t[i * n + j] = best;
}
__global__ static void nussinov_diagonal(const int32_t *q, int32_t *t, int64_t n, int64_t away)
{
	const int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x, j = i + away;
	if (j >= n)
		return;
	int32_t best = 0;
	if (away)
		best = (away > 1 ? t[(i + 1) * n + j - 1] : 0) + (q[i] + q[j] == 3);
	for (int64_t k = i; k < j; k++)
		best = max(best, t[i * n + k] + t[(k + 1) * n + j]);
	t[i * n + j] = best;
}
template<class kernel_fn>
static void by_diagonals(kernel_fn kernel, const int32_t *p, int32_t *t, int64_t n)
{
	CUDA(cudaMemsetAsync(t, 0, (size_t)(n * n) * 4, stream));
	for (int64_t away = 0; away < n; away++)
		kernel<<<(unsigned)((n - away + 127) / 128), 128, 0, stream>>>(p, t, n, away);
}
static row fold_row(const char *name, int64_t n, std::function<void(int32_t *)> ours,
    std::function<void(int32_t *)> anchor)
{
	row r = align_row(name, n, ours, "a launch a diagonal", anchor);
	r.must_ratio = n == 4096 ? 10 : 0;
	return r;
}
static void folds(int64_t n)
{
	int32_t *const p = letters(n + 1, 5);
	print_row(fold_row("matrix chain", n, [=](int32_t *t) { OURS(matrix_chain, (n), p, t); },
	    [=](int32_t *t) { by_diagonals(chain_diagonal, p, t, n); }));
	print_row(fold_row("folding a strand", n, [=](int32_t *t) { OURS(nussinov, (n), p, t); },
	    [=](int32_t *t) { by_diagonals(nussinov_diagonal, p, t, n); }));
	CUDA(cudaFree(p));
}

void wave_works(size_t big)
{
	for (int64_t n : { 1024, 4096 })
		if ((size_t)(n * n) <= big)
			folds(n);
	for (int64_t n : { 1024, 4096, 16384 })
		if ((size_t)(n * n) <= big) {
			areas(n);
			aligns(n);
			relaxes(n);
			scores(n, true);
		}
	if (big >= (size_t)1 << 28)
		scores(100000, false);
	for (int64_t n : { 64, LONGEST + 0 })
		short_works(n);
}
