/* sequence.cu - what passes along an array, on shapes that no data file could hold, and on data and machines that
 * would find what a tile gets wrong.
 *
 *   sequence [FILTER]      cases whose name contains FILTER
 *
 * Integers wrap, so every cell has one right value: it follows from its neighbour, and a plain kernel compares, one
 * thread a cell.  Segments, rows and compactions are cut in the ways that hurt: one huge among millions, only empty
 * ones, every cell one, ends on and beside the tiles'.  A case runs twice, by a direct call and in a graph.  Behind
 * that: with most of the machine taken by others, on many streams, the same bits every time, results that do not
 * fit. */
#include "large.cuh"
#include "sequence_kernels.h"

static uint32_t odd_count(const uint8_t *x, int64_t n);

/* ---- scans of one array ---- */

/* What y[i] is, given the cell before (or behind) it. */
struct next_sum {
	const int32_t *x, *y;
	int64_t n;
	__device__ int32_t operator()(int64_t i) const
	{
		return (int32_t)((i ? (uint32_t)y[i - 1] : 0u) + (uint32_t)x[i]);
	}
};
struct next_behind {
	const int32_t *x, *y;
	int64_t n;
	__device__ int32_t operator()(int64_t i) const
	{
		return i == n - 1 ? 0 : (int32_t)((uint32_t)y[i + 1] + (uint32_t)x[i + 1]);
	}
};
struct next_thrice {
	const int32_t *x, *y;
	int64_t n;
	__device__ int32_t operator()(int64_t i) const
	{
		return (int32_t)((i ? 3u * (uint32_t)y[i - 1] : 0u) + (uint32_t)x[i]);
	}
};
struct next_weighted {
	const int32_t *b, *x, *y;
	__device__ int32_t operator()(int64_t i) const
	{
		return (int32_t)((i ? (uint32_t)y[i - 1] * (uint32_t)b[i] : 0u) + (uint32_t)x[i]);
	}
};
using scan_fn = int (*)(int64_t, const int32_t *, int32_t *, void *, size_t, void *);

template <class NEXT>
static void case_scan(const char *what, int64_t n, int shift, size_t (*need)(int64_t), scan_fn f)
{
	const std::string name = std::string(what) + " i32 " + std::to_string(n) + (shift ? " unaligned" : "");
	if (!wanted(name, 8.0 * (double)n))
		return;
	device<int32_t> x(n), y(n);
	int32_t *const at = x.at + shift, *const to = y.at + 2 * shift;
	make(at, n, data<int32_t>());
	run(name, { [&] { make(y.at, n + 16, [] __device__(int64_t) { return 0x55; }); }, [=] { return need(n); },
		[&](void *w, size_t b, cudaStream_t s) { return f(n, at, to, w, b, s); },
		[&] { return equal("y", to, n, NEXT{ at, to, n }) &
			equal("behind y", to + n, 8, [] __device__(int64_t) { return 0x55; }); } });
}
static void case_sums(int64_t n, int shift)
{
	case_scan<next_sum>("scan", n, shift, sums_workspace, sums);
}
static void case_behind(int64_t n, int shift)
{
	case_scan<next_behind>("scan exclusive from right", n, shift, sums_behind_workspace, sums_behind);
}
static void case_thrice(int64_t n, int shift)
{
	case_scan<next_thrice>("recurrence, one weight", n, shift, thrice_workspace, thrice);
}
static void case_weighted(int64_t n)
{
	const std::string name = "recurrence, weights i32 " + std::to_string(n);
	if (!wanted(name, 12.0 * (double)n))
		return;
	device<int32_t> b(n), x(n), y(n);
	make(x.at, n, data<int32_t>());
	make(b.at, n, [] __device__(int64_t i) { return (int32_t)(hash((uint64_t)i + 77) % 5) - 2; });
	run(name, { [&] { CUDA(cudaMemset(y.at, 0x55, n * 4)); }, [=] { return weighted_workspace(n); },
		[&](void *w, size_t r, cudaStream_t s) { return weighted(n, b.at, x.at, y.at, w, r, s); },
		[&] { return equal("y", y.at, n, next_weighted{ b.at, x.at, y.at }); } });
}
/* Steps of one cell, and the end: sums of floats drift a little, and no cell may be far from its neighbour. */
static void case_floats(int64_t n)
{
	const std::string name = "scan f32 " + std::to_string(n);
	if (!wanted(name, 8.0 * (double)n))
		return;
	device<float> x(n), y(n);
	make(x.at, n, data<float>());
	const float *const p = x.at, *const q = y.at;
	run(name, { [&] { CUDA(cudaMemset(y.at, 0xff, n * 4)); }, [=] { return sums_f32_workspace(n); },
		[&](void *w, size_t b, cudaStream_t s) { return sums_f32(n, x.at, y.at, w, b, s); },
		[&] { return equal("y", y.at, n,
			[=] __device__(int64_t i) { return (i ? q[i - 1] : 0.0f) + p[i]; }, 0.05); } });
}
/* Levels that rise by one at every 2^25th cell: what a cell shows is its level. */
static void case_maxima(int64_t n)
{
	const std::string name = "scan max u8 " + std::to_string(n);
	if (!wanted(name, 2.0 * (double)n))
		return;
	device<uint8_t> x(n), y(n);
	make(x.at, n, [] __device__(int64_t i) {
		const int level = (int)(i >> 25);
		return (uint8_t)(i % (1 << 25) == 0 ? level : hash((uint64_t)i) % (uint32_t)(level + 1));
	});
	run(name, { [&] { CUDA(cudaMemset(y.at, 0xff, n)); }, [=] { return maxima_u8_workspace(n); },
		[&](void *w, size_t b, cudaStream_t s) { return maxima_u8(n, x.at, y.at, w, b, s); },
		[&] { return equal("y", y.at, n, [] __device__(int64_t i) { return (uint8_t)(i >> 25); }); } });
}

/* ---- rows and columns ---- */

struct next_in_axis {
	const int32_t *x, *y;
	int64_t m, step;                             /* row length; to the cell before: 1 or m */
	__device__ int32_t operator()(int64_t k) const
	{
		const bool first = step == 1 ? k % m == 0 : k < m;
		return (int32_t)((first ? 0u : (uint32_t)y[k - step]) + (uint32_t)x[k]);
	}
};
static void case_axes(int64_t n, int64_t m)
{
	const int64_t cells = n * m;
	const std::string size = std::to_string(n) + "x" + std::to_string(m);
	if (!wanted("scan of rows " + size + " scan of columns " + size, 8.0 * (double)cells))
		return;
	device<int32_t> x(cells), y(cells);
	make(x.at, cells, data<int32_t>());
	run("scan of rows " + size,
	    { [&] { CUDA(cudaMemset(y.at, 0x55, cells * 4)); }, [=] { return along_rows_workspace(n, m); },
		[&](void *w, size_t b, cudaStream_t s) { return along_rows(n, m, x.at, y.at, w, b, s); },
		[&] { return equal("y", y.at, cells, next_in_axis{ x.at, y.at, m, 1 }); } });
	run("scan of columns " + size,
	    { [&] { CUDA(cudaMemset(y.at, 0x55, cells * 4)); }, [=] { return along_columns_workspace(n, m); },
		[&](void *w, size_t b, cudaStream_t s) { return along_columns(n, m, x.at, y.at, w, b, s); },
		[&] { return equal("y", y.at, cells, next_in_axis{ x.at, y.at, m, m }); } });
}

/* ---- segments ---- */

/* Offsets of `count` segments in n cells: the s-th of count + 1. */
enum cut { ONES, PAIRS_AND_EMPTY, TENS, ONE_HUGE, EMPTY, TILES, BESIDE_TILES };
static const char *const cut_name[] = { "of one cell", "of two and of none", "of about ten", "of a few, and one huge",
	"all empty", "as long as tiles", "ending beside tiles" };
struct offsets {
	cut kind;
	int64_t n, count;
	__host__ __device__ int64_t operator()(int64_t s) const
	{
		const int64_t half = count / 2, few = n / 8;
		switch (kind) {
		case ONES: return s;
		case PAIRS_AND_EMPTY: return s / 2 * 2;
		case TENS: return s * 10 + hash((uint64_t)s) % 10;
		case ONE_HUGE: return s <= half ? s * few / (half + 1) : n - (count - s) * few / (half + 1);
		case EMPTY: return n / 3;
		case TILES: return s * 4096;
		case BESIDE_TILES: return s ? s * 4096 - 1 + (s & 2) : 0;
		}
		return 0;
	}
};
static int64_t segments_of(cut kind, int64_t n)
{
	switch (kind) {
	case ONES: return n;
	case PAIRS_AND_EMPTY: return n - 2;
	case TENS: return n / 10 - 2;
	case ONE_HUGE: return std::min(n / 16, (int64_t)1 << 24);
	case EMPTY: return 1000003;
	case TILES: case BESIDE_TILES: return n / 4096 - 1;
	}
	return 0;
}
__global__ static void mark_heads(const int64_t *off, int64_t count, uint8_t *head)
{
	for (int64_t s = blockIdx.x * (int64_t)blockDim.x + threadIdx.x; s < count;
	     s += (int64_t)gridDim.x * blockDim.x)
		if (off[s] < off[s + 1])
			head[off[s]] = 1;
}
struct next_in_segment {
	const uint8_t *head;
	const int32_t *x, *y;
	int64_t lo, hi;                              /* cells outside keep their value */
	__device__ int32_t operator()(int64_t i) const
	{
		if (i < lo || i >= hi)
			return 0x55555555;
		return (int32_t)((head[i] ? 0u : (uint32_t)y[i - 1]) + (uint32_t)x[i]);
	}
};
/* The segment of each cell is looked for: exact, as integers wrap. */
__global__ static void add_segments(const int64_t *off, int64_t count, const int32_t *x, const int32_t *col,
    const int32_t *val, uint32_t *sum)
{
	for (int64_t e = off[0] + blockIdx.x * (int64_t)blockDim.x + threadIdx.x; e < off[count];
	     e += (int64_t)gridDim.x * blockDim.x) {
		int64_t lo = 0, hi = count;              /* off[lo] <= e < off[hi] */
		while (hi - lo > 1) {
			const int64_t middle = lo + (hi - lo) / 2;
			*(off[middle] <= e ? &lo : &hi) = middle;
		}
		atomicAdd(&sum[lo], col ? (uint32_t)val[e] * (uint32_t)x[col[e]] : (uint32_t)x[e]);
	}
}
static void case_segments(int64_t n, cut kind)
{
	const int64_t count = segments_of(kind, n);
	const std::string name = std::to_string(n) + " cells, segments " + cut_name[kind];
	if (!wanted("scan by offsets " + name + " scan by heads " + name + " segment sums " + name,
	        9.0 * (double)n + 16.0 * (double)count))
		return;
	device<int32_t> x(n), y(n), sum(count), want(count);
	device<int64_t> off(count + 1);
	device<uint8_t> head(n);
	make(x.at, n, data<int32_t>());
	make(off.at, count + 1, offsets{ kind, n, count });
	CUDA(cudaMemset(head.at, 0, n));
	CUDA(cudaMemset(want.at, 0, count * 4));
	mark_heads<<<4096, 256>>>(off.at, count, head.at);
	add_segments<<<4096, 256>>>(off.at, count, x.at, nullptr, nullptr, (uint32_t *)want.at);
	const auto fresh = [&] { CUDA(cudaMemset(y.at, 0x55, n * 4)); CUDA(cudaMemset(sum.at, 0x55, count * 4)); };
	const int64_t lo = off.get(0), hi = off.get(count);
	const int32_t *const p = want.at;
	run("scan by offsets " + name, { fresh, [=] { return by_offsets_workspace(count + 1, n); },
		[&](void *w, size_t b, cudaStream_t s) { return by_offsets(count + 1, n, off.at, x.at, y.at, w, b, s); },
		[&] { return equal("y", y.at, n, next_in_segment{ head.at, x.at, y.at, lo, hi }); } });
	run("segment sums " + name, { fresh, [=] { return segment_sums_workspace(count, n); },
		[&](void *w, size_t b, cudaStream_t s) { return segment_sums(count, n, off.at, x.at, sum.at, w, b, s); },
		[&] { return equal("y", sum.at, count, [=] __device__(int64_t r) { return p[r]; }); } });
	CUDA(cudaMemset(head.at, 1, 1));
	run("scan by heads " + name, { fresh, [=] { return by_heads_workspace(n); },
		[&](void *w, size_t b, cudaStream_t s) { return by_heads(n, head.at, x.at, y.at, w, b, s); },
		[&] { return equal("y", y.at, n, next_in_segment{ head.at, x.at, y.at, 0, n }); } });
}
/* Keys change at some multiples of `length`. */
static void case_keys(int64_t n, int64_t length)
{
	const std::string name = "scan by keys " + std::to_string(n) + " of about " + std::to_string(2 * length);
	if (!wanted(name, 13.0 * (double)n))
		return;
	device<int32_t> k(n), x(n), y(n);
	device<uint8_t> head(n);
	make(x.at, n, data<int32_t>());
	make(k.at, n, [=] __device__(int64_t i) { return (int32_t)(hash((uint64_t)(i / length)) % 2); });
	const int32_t *const key = k.at;
	make(head.at, n, [=] __device__(int64_t i) { return (uint8_t)(i == 0 || key[i] != key[i - 1]); });
	run(name, { [&] { CUDA(cudaMemset(y.at, 0x55, n * 4)); }, [=] { return by_keys_workspace(n); },
		[&](void *w, size_t b, cudaStream_t s) { return by_keys(n, k.at, x.at, y.at, w, b, s); },
		[&] { return equal("y", y.at, n, next_in_segment{ head.at, x.at, y.at, 0, n }); } });
}
/* Rows from empty to 10^7 entries in one matrix. */
static void case_csr(int64_t n, cut kind)
{
	const int64_t rows = segments_of(kind, n), width = 1000003;
	const std::string name = "CSR of " + std::to_string(n) + " entries, rows " + cut_name[kind];
	if (!wanted(name, 8.0 * (double)n + 16.0 * (double)rows))
		return;
	device<int32_t> col(n), val(n), x(width), y(rows), want(rows);
	device<int64_t> row(rows + 1);
	make(col.at, n, [=] __device__(int64_t i) { return (int32_t)(hash((uint64_t)i) % (uint32_t)width); });
	make(val.at, n, [] __device__(int64_t i) { return (int32_t)hash((uint64_t)i + 5); });
	make(x.at, width, data<int32_t>());
	make(row.at, rows + 1, offsets{ kind, n, rows });
	CUDA(cudaMemset(want.at, 0, rows * 4));
	add_segments<<<4096, 256>>>(row.at, rows, x.at, col.at, val.at, (uint32_t *)want.at);
	const int32_t *const p = want.at;
	run(name, { [&] { CUDA(cudaMemset(y.at, 0x55, rows * 4)); }, [=] { return csr_workspace(rows, n, width); },
		[&](void *w, size_t b, cudaStream_t s) {
			return csr(rows, n, width, row.at, col.at, val.at, x.at, y.at, w, b, s); },
		[&] { return equal("y", y.at, rows, [=] __device__(int64_t r) { return p[r]; }); } });
}

/* ---- compaction ---- */

static void case_thirds(int64_t n)
{
	const std::string name = "compact u8 " + std::to_string(n);
	const int64_t count = (n + 1) / 3, room = count + 100;
	if (!wanted(name, 1.4 * (double)n))
		return;
	device<uint8_t> x(n), y(room);
	device<int64_t> found(1);
	make(x.at, n, data<uint8_t>());
	run(name, { [&] { CUDA(cudaMemset(y.at, 0x55, room)); CUDA(cudaMemset(found.at, 0x55, 8)); },
		[=] { return thirds_workspace(n, room); },
		[&](void *w, size_t b, cudaStream_t s) { return thirds(n, room, x.at, y.at, found.at, w, b, s); },
		[&] { return (found.get(0) == count) & equal("y", y.at, room, [=] __device__(int64_t k) {
			return k < count ? data<uint8_t>()(3 * k + 1) : (uint8_t)0x55; }); } });
}
/* Of 100 cells, `percent` are odd: the kept places rise, and each is one of an odd cell. */
struct octet {
	int percent;
	__host__ __device__ uint8_t operator()(int64_t i) const
	{
		const uint32_t h = hash((uint64_t)i);
		return (uint8_t)((h >> 8 & 254) | (h % 100 < (uint32_t)percent));
	}
};
static bool places(const char *array, const int64_t *y, int64_t count, octet x, int odd)
{
	return equal(array, y, count, [=] __device__(int64_t k) {
		const bool rises = k == 0 || y[k - 1] < y[k];
		return rises && y[k] >= 0 && x(y[k]) % 2 == odd ? y[k] : y[k] - 1; });
}
__global__ static void count_places(const int64_t *y, int64_t count, int64_t n, uint32_t *times)
{
	for (int64_t k = blockIdx.x * (int64_t)blockDim.x + threadIdx.x; k < count;
	     k += (int64_t)gridDim.x * blockDim.x)
		if (y[k] >= 0 && y[k] < n)
			atomicAdd(&times[y[k]], 1u);
}
static void case_places(int64_t n, int percent)
{
	const std::string name = std::to_string(n) + ", " + std::to_string(percent) + " % kept";
	if (!wanted("compact places " + name + " unordered, else the rest", 21.0 * (double)n))
		return;
	const octet f = { percent };
	device<uint8_t> x(n);
	device<int64_t> found(1);
	make(x.at, n, f);
	const int64_t count = odd_count(x.at, n);
	{
		device<int64_t> y(count), z(n - count);
		run("compact places " + name, { [&] { CUDA(cudaMemset(y.at, 0xff, count * 8)); },
			[=] { return odd_places_workspace(n, count); },
			[&](void *w, size_t b, cudaStream_t s) { return odd_places(n, count, x.at, y.at, found.at, w, b, s); },
			[&] { return (found.get(0) == count) & places("y", y.at, count, f, 1); } });
		run("compact, else the rest " + name,
		    { [&] { CUDA(cudaMemset(y.at, 0xff, count * 8)); CUDA(cudaMemset(z.at, 0xff, (n - count) * 8)); },
			[=] { return parted_workspace(n, count, n - count); },
			[&](void *w, size_t b, cudaStream_t s) {
				return parted(n, count, n - count, x.at, y.at, z.at, found.at, w, b, s); },
			[&] { return (found.get(0) == count) & places("y", y.at, count, f, 1) &
				places("z", z.at, n - count, f, 0); } });
	}
	device<int64_t> y(count);
	device<uint32_t> times(n);
	run("compact unordered " + name, { [&] { CUDA(cudaMemset(y.at, 0xff, count * 8)); },
		[=] { return some_order_workspace(n, count); },
		[&](void *w, size_t b, cudaStream_t s) { return some_order(n, count, x.at, y.at, found.at, w, b, s); },
		[&] {
			CUDA(cudaMemset(times.at, 0, n * 4));
			count_places<<<4096, 256>>>(y.at, count, n, times.at);
			return (found.get(0) == count) & equal("times", times.at, n,
				[=] __device__(int64_t i) { return (uint32_t)(f(i) % 2); });
		} });
}
__global__ static void count_odd(const uint8_t *x, int64_t n, unsigned long long *count)
{
	unsigned long long mine = 0;
	for (int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x; i < n; i += (int64_t)gridDim.x * blockDim.x)
		mine += x[i] % 2;
	atomicAdd(count, mine);
}
static uint32_t odd_count(const uint8_t *x, int64_t n)
{
	device<unsigned long long> count(1);
	CUDA(cudaMemset(count.at, 0, 8));
	count_odd<<<4096, 256>>>(x, n, count.at);
	return (uint32_t)count.get(0);
}
/* A result with too little room: what fits is right, nothing is written behind it, the count is of all, and the
 * status says so. */
static void case_too_many(int64_t n, int64_t room)
{
	if (!wanted("compact into too little room", 2.0 * (double)n))
		return;
	device<uint8_t> x(n), y(room + 4096);
	device<int64_t> found(1);
	make(x.at, n, data<uint8_t>());
	CUDA(cudaMemset(y.at, 0x55, room + 4096));
	const size_t need = thirds_workspace(n, room);
	device<char> w(need);
	said.clear();
	const int status = thirds(n, room, x.at, y.at, found.at, w.at, need, nullptr);
	const int recorded = thirds_status(w.at, nullptr);
	verdict("compact into too little room", status == PATC_OK && recorded != PATC_OK &&
		found.get(0) == (n + 1) / 3 && equal("y", y.at, room + 4096, [=] __device__(int64_t k) {
			return k < room ? data<uint8_t>()(3 * k + 1) : (uint8_t)0x55; }), said.c_str());
}

/* ---- what a caller may rely on ---- */

struct call_room {
	void *at = nullptr;
	size_t bytes;
	explicit call_room(size_t n) : bytes(n) { CUDA(cudaMalloc(&at, n + 64)); }
	~call_room() { cudaFree(at); }
	call_room(const call_room &) = delete;
};
__global__ static void hold(volatile int *release, long long limit)
{
	const long long start = clock64();
	while (!*release && clock64() - start < limit)
		;
}
/* Most multiprocessors are taken: tiles run a few at a time, and must not wait for those that have no room. */
static void case_crowded()
{
	const int64_t n = (1 << 25) + 3;
	device<int32_t> x(n), y(n);
	call_room w(sums_workspace(n));
	int *release, units = 0;
	cudaStream_t others, stream;
	CUDA(cudaStreamCreateWithFlags(&others, cudaStreamNonBlocking));
	CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
	CUDA(cudaDeviceGetAttribute(&units, cudaDevAttrMultiProcessorCount, 0));
	CUDA(cudaMallocHost(&release, sizeof *release));
	make(x.at, n, data<int32_t>());
	CUDA(cudaDeviceSynchronize());
	*release = 0;
	hold<<<2 * units - 3, 1024, 0, others>>>(release, 20000000000LL);
	said.clear();
	const int status = sums(n, x.at, y.at, w.at, w.bytes, stream);
	CUDA(cudaStreamSynchronize(stream));
	const bool held = cudaStreamQuery(others) == cudaErrorNotReady;
	*release = 1;
	CUDA(cudaDeviceSynchronize());
	verdict("scan on a crowded machine", status == PATC_OK && held && equal("y", y.at, n, next_sum{ x.at, y.at, n }),
	    held ? said.c_str() : "it came to its end only with the others");
	CUDA(cudaFreeHost(release));
	CUDA(cudaStreamDestroy(others));
	CUDA(cudaStreamDestroy(stream));
}
/* Scans and compactions on a stream each, at the same time. */
static bool worker(int seed)
{
	const int64_t n = 3000001 + 4099 * seed;
	const octet f = { 10 * seed + 5 };
	cudaStream_t stream;
	CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
	device<int32_t> x(n), y(n);
	device<uint8_t> o(n);
	device<int64_t> at(n), found(1);
	call_room w(std::max(sums_workspace(n), odd_places_workspace(n, n)));
	each<<<1024, 256, 0, stream>>>(x.at, n, data<int32_t>());
	each<<<1024, 256, 0, stream>>>(o.at, n, f);
	bool good = true;
	for (int k = 0; k < 100; k++) {
		good &= sums(n, x.at, y.at, w.at, w.bytes, stream) == PATC_OK;
		good &= odd_places(n, n, o.at, at.at, found.at, w.at, w.bytes, stream) == PATC_OK;
	}
	CUDA(cudaStreamSynchronize(stream));
	std::vector<int32_t> have(n);
	std::vector<int64_t> place(n);
	int64_t count = 0, k = 0;
	uint32_t sum = 0;
	CUDA(cudaMemcpy(have.data(), y.at, n * 4, cudaMemcpyDeviceToHost));
	CUDA(cudaMemcpy(place.data(), at.at, n * 8, cudaMemcpyDeviceToHost));
	CUDA(cudaMemcpy(&count, found.at, 8, cudaMemcpyDeviceToHost));
	for (int64_t i = 0; i < n; i++) {
		sum += (uint32_t)data<int32_t>()(i);
		good &= have[i] == (int32_t)sum;
		if (f(i) % 2)
			good &= place[k++] == i;
	}
	CUDA(cudaStreamDestroy(stream));
	return good && k == count;
}
static void case_streams(int n)
{
	std::vector<std::thread> threads;
	std::vector<char> good(n);
	for (int k = 0; k < n; k++)
		threads.emplace_back([&good, k] { good[k] = worker(k); });
	bool all = true;
	for (int k = 0; k < n; k++) {
		threads[k].join();
		all &= good[k] != 0;
	}
	verdict("scans and compactions on " + std::to_string(n) + " streams", all, "wrong results");
}
__global__ static void bits_of(const float *y, int64_t n, unsigned long long *sum)
{
	unsigned long long mine = 0;
	for (int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x; i < n; i += (int64_t)gridDim.x * blockDim.x)
		mine += (unsigned long long)hash((uint64_t)i << 32 | __float_as_uint(y[i]));
	atomicAdd(sum, mine);
}
static void case_same_bits()
{
	const int64_t n = (1 << 26) + 5;
	device<float> x(n), y(n);
	device<unsigned long long> sum(1);
	call_room w(sums_f32_workspace(n));
	make(x.at, n, data<float>());
	unsigned long long first = 0;
	bool same = true;
	for (int k = 0; k < 200; k++) {
		same &= sums_f32(n, x.at, y.at, w.at, w.bytes, nullptr) == PATC_OK;
		CUDA(cudaMemset(sum.at, 0, 8));
		bits_of<<<4096, 256>>>(y.at, n, sum.at);
		const unsigned long long now = sum.get(0);
		first = k ? first : now;
		same &= now == first;
	}
	verdict("a scan of floats has the same bits in 200 runs", same, "they differ");
}

int main(int argc, char **argv)
{
	filter = argc > 1 ? argv[1] : "";
	const int64_t two31 = INT64_C(1) << 31, two28 = INT64_C(1) << 28;
	for (int64_t n : { INT64_C(1), INT64_C(4095), INT64_C(4097), INT64_C(131071), INT64_C(131073) })
		case_sums(n, 1);
	case_sums(two28, 0);
	case_sums(two31 + 5, 0);
	case_sums(two31 + 5, 1);
	case_behind(two28 + 1, 1);
	case_behind(two31 + 5, 0);
	case_thrice(two28 + 3, 0);
	case_thrice(two31 + 5, 0);
	case_weighted(two28 + 3);
	case_weighted(two31 + 5);
	case_floats(two31 + 5);
	case_maxima(2 * two31 + 7);
	case_axes(16384, 16384);
	case_axes(16383, 16385);
	case_axes(3, 700000001);
	case_axes(700000001, 3);
	case_axes(46341, 46343);
	for (cut kind : { ONES, PAIRS_AND_EMPTY, TENS, ONE_HUGE, EMPTY, TILES, BESIDE_TILES })
		case_segments(100000007, kind);
	case_segments(two31 + 5, ONE_HUGE);
	case_segments(two31 + 5, TENS);
	case_keys(two28 + 1, 1);
	case_keys(two28 + 1, 3001);
	for (cut kind : { PAIRS_AND_EMPTY, TENS, ONE_HUGE, EMPTY })
		case_csr(100000007, kind);
	case_csr(two31 + 5, ONE_HUGE);
	case_thirds(two28 + 1);
	case_thirds(2 * two31 + 7);
	for (int percent : { 0, 1, 50, 99, 100 })
		case_places(two28 + 1, percent);
	case_places(two31 + 5, 50);
	case_too_many(two28 + 1, 1000003);
	if (!*filter) {
		case_crowded();
		case_streams(8);
		case_same_bits();
	}
	return failures != 0;
}
