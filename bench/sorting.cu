/* sorting.cu - sorts beside CUB.  Ours sort in place, what they are given again before each call,
 * which is not timed; CUB's go from one pair of arrays to another. */
#include <cub/cub.cuh>

#include <random>

#include "bench.cuh"
#include "sort.h"

/* Two words a cell: ours and CUB's result, where each has its keys and its values. */
struct sorted {
	size_t n;
	const uint32_t *key, *value;                 /* what is sorted */
	uint32_t *ours, *ours_value, *cub, *cub_value;
	explicit sorted(size_t cells)
	    : n(cells), key(place<uint32_t>(0, cells * 4, 0)),
	    value(place<uint32_t>(1, cells * 4, 0)),
	      ours(place<uint32_t>(2, cells * 4, 0)), ours_value(place<uint32_t>(2, cells * 4, 1)),
	      cub(place<uint32_t>(2, cells * 4, 2)), cub_value(place<uint32_t>(2, cells * 4, 3)) {}
	void refill() const
	{
		CUDA(cudaMemcpyAsync(ours, key, n * 4, cudaMemcpyDeviceToDevice, stream));
		CUDA(cudaMemcpyAsync(ours_value, value, n * 4, cudaMemcpyDeviceToDevice, stream));
	}
};
/* CUB's workspace, as large as any call asked for. */
template <class F> static void with_temporary(F call)
{
	static void *memory;
	static size_t bytes;
	size_t need = 0;
	CUDA(call(nullptr, need));
	if (need > bytes) {
		CUDA(cudaFree(memory));
		CUDA(cudaMalloc(&memory, need));
		bytes = need;
	}
	CUDA(call(memory, need));
}
static row sort_row(const char *name, const std::string &size, const sorted &s, int words)
{
	row r = { name, size, 8.0 * words * (double)s.n, (double)s.n, CELLS, COPY, nullptr, "",
	    nullptr, nullptr };
	r.prepare = [=](int) { s.refill(); };
	r.difference = [=] { return differ<uint32_t>(s.ours, s.cub, s.n, 0.5); };
	return r;
}

/* ---- one array ---- */

static void sorts(size_t n)
{
	const sorted s(n);
	row pairs = sort_row("sort, pairs", power(n) + " u32, u32", s, 2),
	    keys = sort_row("sort, keys", power(n) + " u32", s, 1);
	pairs.ours = [=](int) { OURS(sort_pairs, ((int64_t)n), s.ours, s.ours_value); };
	keys.ours = [=](int) { OURS(sort_keys, ((int64_t)n), s.ours); };
	pairs.anchor_name = keys.anchor_name = "CUB RadixSort";
	pairs.anchor = [=](int) {
		with_temporary([=](void *p, size_t &b) {
			return cub::DeviceRadixSort::SortPairs(p, b, s.key, s.cub, s.value,
			    s.cub_value, (int)n, 0, 32, stream);
		});
	};
	keys.anchor = [=](int) {
		with_temporary([=](void *p, size_t &b) {
			return cub::DeviceRadixSort::SortKeys(p, b, s.key, s.cub, (int)n, 0, 32,
			    stream);
		});
	};
	pairs.must_ratio = keys.must_ratio = 0.8;
	print_row(pairs);
	print_row(keys);
}

/* ---- segments ---- */

/* musts in G cells/s; 0: none.  length 0: they are not all as long. */
static void segments_of(size_t n, const std::string &size, const std::vector<int32_t> &offsets,
    int64_t length, double pairs_must, double keys_must)
{
	const sorted s(n);
	int32_t *const off = upload(offsets);
	const int count = (int)offsets.size() - 1;
	const int64_t ends = count + 1;
	row pairs = sort_row("segmented sort, pairs", size, s, 2),
	    keys = sort_row("segmented sort, keys", size, s, 1);
	pairs.ours = [=](int) {
		OURS(segsort_pairs, ((int64_t)n, ends), s.ours, s.ours_value, off);
	};
	keys.ours = [=](int) { OURS(segsort_keys, ((int64_t)n, ends), s.ours, off); };
	pairs.anchor_name = keys.anchor_name = "CUB SegmentedSort";
	pairs.anchor = [=](int) {
		with_temporary([=](void *p, size_t &b) {
			return cub::DeviceSegmentedSort::SortPairs(p, b, s.key, s.cub, s.value,
			    s.cub_value, (int)n, count, off, off + 1, stream);
		});
	};
	keys.anchor = [=](int) {
		with_temporary([=](void *p, size_t &b) {
			return cub::DeviceSegmentedSort::SortKeys(p, b, s.key, s.cub, (int)n, count,
			    off, off + 1, stream);
		});
	};
	pairs.must_rate = pairs_must;
	keys.must_rate = keys_must;
	print_row(pairs);
	print_row(keys);
	if (length) {
		pairs.name = "segmented sort, of one length";
		pairs.must_rate = 0;
		pairs.ours = [=](int) {
			OURS(segsort_pairs_of, ((int64_t)n), s.ours, s.ours_value, length);
		};
		print_row(pairs);
	}
	CUDA(cudaFree(off));
}
static std::vector<int32_t> equal_segments(size_t n, size_t length)
{
	std::vector<int32_t> offsets;
	for (size_t at = 0; at <= n; at += length)
		offsets.push_back((int32_t)at);
	return offsets;
}
/* Lengths 1 .. most, as likely as length^-alpha; alpha 0: all alike. */
static std::vector<int32_t> uneven_segments(size_t n, double alpha, double most)
{
	std::mt19937 random(1);
	std::uniform_real_distribution<double> share(0, 1);
	std::vector<int32_t> offsets{ 0 };
	for (size_t at = 0; at < n;) {
		const double u = share(random);
		const double x = alpha == 0 ? 1 + most * u : pow((pow(most, 1 - alpha) - 1) * u + 1,
		    1 / (1 - alpha));
		at = std::min(n, at + std::max((size_t)1, std::min((size_t)most, (size_t)x)));
		offsets.push_back((int32_t)at);
	}
	return offsets;
}

void sort_works(size_t big)
{
	const size_t n = std::min((size_t)1 << 26, big / 4);
	static const struct { int64_t length; double pairs, keys; } equal[] = {
		{ 4, 70, 100 }, { 16, 120, 200 }, { 32, 118, 195 }, { 64, 100, 180 },
		    { 128, 110, 225 }, { 256, 76, 155 },
		{ 512, 65, 105 }, { 1024, 57, 87 }, { 2048, 46, 70 }, { 8192, 26, 47 },
		    { 65536, 15, 0 }, { 1 << 20, 9, 0 } };
	static const struct { double alpha, most, pairs; } uneven[] = {
		{ 1.1, 2000, 43 }, { 1.5, 2000, 37 }, { 2.0, 2000, 22 }, { 1.1, 200000, 13 },
		    { 1.5, 200000, 12.5 }, { 2.0, 200000, 14 },
		{ 0, 3, 80 } };
	bool any = false;
	for (const char *name : { "sort, pairs", "sort, keys", "segmented sort, pairs",
	    "segmented sort, keys", "segmented sort, of one length" })
		any |= wanted(name);
	if (!any)                                    /* offsets take a while to make */
		return;
	fill_pools(BITS);
	sorts(n);
	for (const auto &e : equal)
		segments_of(n, power(n) + ", " + std::to_string(e.length) + " each",
		    equal_segments(n, (size_t)e.length), e.length, e.pairs, e.keys);
	for (const auto &u : uneven) {
		char size[64];
		snprintf(size, sizeof size, u.alpha == 0 ? "%s, 1 to %.0f" : "%s, to %.0f, %.1f",
		    power(n).c_str(), u.most, u.alpha);
		segments_of(n, size, uneven_segments(n, u.alpha, u.most), 0, u.pairs, 0);
	}
}
