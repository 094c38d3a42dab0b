/* over_ranges.cu - statements over ranges that cells bound, beside kernels for which the range of
 * each item is stored: ranges of one length, of lengths by a power law, and one of everything.
 * A join of two sorted tables.  A breadth-first search by queues beside one that sweeps over all
 * vertices, on a graph of Graph500's kind (R-MAT) and on a grid. */
#include <algorithm>
#include <random>
#include <utility>

#include "bench.cuh"
#include "ranges.h"

enum lengths { EQUAL, POWER, ONE };
static const char *const length_name[] = { "16 each", "power law", "one range" };

static std::vector<int32_t> offsets(size_t m, size_t n, lengths kind)
{
	std::vector<int32_t> row(m + 1, 0);
	double sum = 0;
	for (size_t r = 0; r < m; r++)
		sum += 1.0 / (double)(r + 1);
	for (size_t r = 0; r < m; r++) {
		const size_t at = kind == POWER ? r * 2654435761u % m : r;  /* m: a power of two */
		const double part = (double)n / sum / (double)(r + 1);
		row[at + 1] = kind == EQUAL ? (int32_t)(n / m) : kind == POWER ? (int32_t)part
		              : r == m / 3 ? (int32_t)n : 0;
	}
	for (size_t r = 0; r < m; r++)
		row[r + 1] += row[r];
	return row;
}

/* ---- by hand: the range of each item is stored ---- */

__global__ static void hand_values(const int32_t *__restrict__ of, const float *__restrict__ w,
    float *__restrict__ y, int64_t n)
{
	const int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
	if (i < n)
		y[i] = w[of[i]];
}
__global__ static void hand_scatter(const int32_t *__restrict__ of, const int32_t *__restrict__ col,
    const float *__restrict__ w, float *y, int64_t n)
{
	const int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
	if (i < n)
		atomicAdd(y + col[i], w[of[i]]);
}
__global__ static void hand_all(const int32_t *__restrict__ of, const int32_t *__restrict__ col,
    int32_t *__restrict__ to, int32_t *__restrict__ from, int64_t n)
{
	const int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
	if (i < n) {
		to[i] = col[i];
		from[i] = of[i];
	}
}
static unsigned grid(int64_t n) { return (unsigned)((n + 255) / 256); }

/* ---- rows ---- */

struct ranges {
	int64_t m, n;
	int32_t *row, *of, *col;
	float *w;
	ranges(size_t m_, size_t most, lengths kind) : m((int64_t)m_)
	{
		const std::vector<int32_t> offset = offsets(m_, most, kind);
		n = offset.back();
		std::vector<int32_t> owner((size_t)n), column((size_t)n);
		std::mt19937 g(5);
		for (size_t r = 0; r < m_; r++)
			for (int32_t e = offset[r]; e < offset[r + 1]; e++)
				owner[(size_t)e] = (int32_t)r;
		for (int32_t &c : column)
			c = (int32_t)(g() >> 10);
		row = upload(offset), of = upload(owner), col = upload(column);
		w = upload(std::vector<float>(m_, 1));
	}
	~ranges()
	{
		for (void *p : { (void *)row, (void *)of, (void *)col, (void *)w })
			cudaFree(p);
	}
	ranges(const ranges &) = delete;
};
static void values(const ranges &r, const std::string &size)
{
	float *const ours = (float *)pool[0], *const hand = (float *)pool[1];
	row l = { "values to ranges", size, 0, (double)r.n, CELLS, NONE, nullptr,
	    "the range stored", nullptr, nullptr };
	l.ours = [=, &r](int) { OURS(range_values, (r.m, r.n), r.row, r.w, ours); };
	l.anchor = [=, &r](int) {
		hand_values<<<grid(r.n), 256, 0, stream>>>(r.of, r.w, hand, r.n);
	};
	l.difference = [=, &r] { return differ<float>(ours, hand, (size_t)r.n, 1e-30); };
	print_row(l);
}
static void scatters(const ranges &r, const std::string &size)
{
	const int64_t k = 1 << 22;
	float *const ours = (float *)pool[0], *const hand = (float *)pool[1];
	CUDA(cudaMemsetAsync(ours, 0, (size_t)k * 4, stream));
	CUDA(cudaMemsetAsync(hand, 0, (size_t)k * 4, stream));
	row l = { "scatter over ranges", size, 0, (double)r.n, CELLS, NONE, nullptr,
	    "the range stored", nullptr, nullptr };
	l.ours = [=, &r](int) { OURS(range_scatter, (r.m, r.n, k), r.row, r.col, r.w, ours); };
	l.anchor = [=, &r](int) {
		hand_scatter<<<grid(r.n), 256, 0, stream>>>(r.of, r.col, r.w, hand, r.n);
	};
	print_row(l);
}
static void compacts(const ranges &r, const std::string &size)
{
	int32_t *const ours = (int32_t *)pool[0], *const other = (int32_t *)pool[1];
	int32_t *const from = ours + r.n, *const other_from = other + r.n;
	int64_t *const count = (int64_t *)ours_result;
	const size_t kept = (size_t)r.n / 4;         /* half of them, some more or less */
	row l = { "compact over ranges", size, 0, (double)r.n, CELLS, NONE, nullptr,
	    "ours, the range stored", nullptr, nullptr };
	l.ours = [=, &r](int) {
		OURS(range_compact, (r.m, r.n), r.row, r.col, ours, from, count);
	};
	l.anchor = [=, &r](int) {
		OURS(stored_compact, (r.n), r.of, r.col, other, other_from, count);
	};
	l.difference = [=] {
		return std::max(differ<int32_t>(ours, other, kept, 0.5),
		    differ<int32_t>(from, other_from, kept, 0.5));
	};
	print_row(l);
}
static void all_of(const ranges &r, const std::string &size)
{
	int32_t *const ours = (int32_t *)pool[0], *const other = (int32_t *)pool[1];
	int32_t *const from = ours + r.n, *const other_from = other + r.n;
	int64_t *const count = (int64_t *)ours_result;
	row l = { "all of ranges", size, 12.0 * (double)r.n + 4.0 * (double)r.m, (double)r.n, CELLS,
	    COPY, nullptr, "the range stored", nullptr, nullptr };
	l.ours = [=, &r](int) { OURS(range_all, (r.m, r.n), r.row, r.col, ours, from, count); };
	l.anchor = [=, &r](int) {
		hand_all<<<grid(r.n), 256, 0, stream>>>(r.of, r.col, other, other_from, r.n);
	};
	l.difference = [=, &r] {
		return std::max(differ<int32_t>(ours, other, (size_t)r.n, 0.5),
		    differ<int32_t>(from, other_from, (size_t)r.n, 0.5));
	};
	print_row(l);
}

/* Tables of n rows; the left one in any order; all rows equal, of tables so short that they have as
 * many pairs. */
enum order { SORTED, ANY_ORDER, ONE_KEY };
static void joins(size_t pairs, order how)
{
	static const char *const name[] = { "sorted rows", "rows in any order",
		"pairs of one key" };
	const size_t n = how == ONE_KEY ? (size_t)std::sqrt((double)pairs) : pairs;
	std::vector<uint32_t> left(n), right(n);
	std::mt19937 g(6);
	for (std::vector<uint32_t> *side : { &left, &right })
		for (uint32_t &x : *side)
			x = how == ONE_KEY ? 7 : (uint32_t)(g() % n);
	if (how != ANY_ORDER)
		std::sort(left.begin(), left.end());
	std::sort(right.begin(), right.end());
	uint32_t *const a = upload(left), *const b = upload(right);
	const int64_t rows = (int64_t)n, most = 2 * (int64_t)pairs;
	int32_t *const l = (int32_t *)pool[0], *const r = (int32_t *)pool[1];
	int64_t *const count = (int64_t *)ours_result;
	row w = { "join", power(pairs) + " " + name[how], 8.0 * (double)(n + pairs), (double)pairs,
	    CELLS, COPY, nullptr, "", nullptr, nullptr };
	w.ours = [=](int) { OURS(join, (rows, rows, most), a, b, l, r, count); };
	print_row(w);
	cudaFree(a);
	cudaFree(b);
}

/* ---- graphs ---- */

using edges = std::vector<std::pair<int32_t, int32_t>>;

/* Both ways each: Graph500's probabilities, 0.57, 0.19, 0.19, 0.05. */
static edges rmat(int scale)
{
	edges e;
	std::mt19937 g(3);
	for (int64_t i = 0; i < (int64_t)8 << scale; i++) {
		int32_t u = 0, v = 0;
		for (int b = 0; b < scale; b++) {
			const double at = g() / 4294967296.0;
			u = 2 * u + (at >= 0.76);
			v = 2 * v + ((at >= 0.57 && at < 0.76) || at >= 0.95);
		}
		e.push_back({ u, v });
		e.push_back({ v, u });
	}
	return e;
}
static edges mesh(int32_t side)
{
	edges e;
	for (int32_t v = 0; v < side * side; v++)
		for (const int32_t to : { v % side ? v - 1 : -1, v >= side ? v - side : -1 })
			if (to >= 0)
				e.push_back({ v, to }), e.push_back({ to, v });
	return e;
}
static void searches(const char *size, size_t m, edges e, int64_t passes)
{
	std::sort(e.begin(), e.end());
	std::vector<int32_t> offset(m + 1, 0), to(e.size());
	for (size_t i = 0; i < e.size(); i++)
		offset[(size_t)e[i].first + 1]++, to[i] = e[i].second;
	for (size_t v = 0; v < m; v++)
		offset[v + 1] += offset[v];
	const int32_t from = to[0];
	int32_t *const row_at = upload(offset), *const col = upload(to);
	int32_t *const ours = (int32_t *)pool[0], *const sweep = (int32_t *)pool[1];
	int32_t *const levels = (int32_t *)ours_result;
	const int64_t v = (int64_t)m, n = (int64_t)e.size();
	row l = { "breadth first, queues", size, 0, (double)n, CELLS, NONE, nullptr,
	    "ours, all vertices", nullptr, nullptr };
	l.ours = [=](int) {
		OURS(bfs_queue, (v, n), from, passes, row_at, col, ours, levels);
	};
	l.anchor = [=](int) {
		OURS(bfs_sweep, (v, n), from, passes, row_at, col, sweep, levels);
	};
	l.difference = [=] { return differ<int32_t>(ours, sweep, m, 0.5); };
	print_row(l);
	cudaFree(row_at);
	cudaFree(col);
}
void range_works(size_t big)
{
	const size_t n = big / 4, m = n / 16;
	for (const lengths kind : { EQUAL, POWER, ONE }) {
		if (!wanted("values to ranges") && !wanted("scatter over ranges")
		    && !wanted("compact over ranges") && !wanted("all of ranges"))
			break;
		const ranges r(m, n, kind);
		const std::string size = power(n) + " " + length_name[kind];
		values(r, size);
		scatters(r, size);
		compacts(r, size);
		all_of(r, size);
	}
	if (wanted("join"))
		for (const order how : { SORTED, ANY_ORDER, ONE_KEY })
			joins(n, how);
	if (wanted("breadth first, queues")) {
		searches("R-MAT 2^20", (size_t)1 << 20, rmat(20), 16);
		searches("grid 1024^2", (size_t)1 << 20, mesh(1024), 2100);
	}
}
