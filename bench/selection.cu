/* selection.cu - compaction beside CUB. */
#include <cub/cub.cuh>

#include "bench.cuh"
#include "compact.h"

template <class T> struct below {
	T limit;
	__device__ bool operator()(T x) const { return x < limit; }
};
/* How many were kept, and whether they are the same. */
template <class T> static double kept_differ(const void *a, const void *b)
{
	int64_t ours = -1, anchor = -2;
	CUDA(cudaMemcpy(&ours, ours_result, 8, cudaMemcpyDeviceToHost));
	CUDA(cudaMemcpy(&anchor, anchor_result, 8, cudaMemcpyDeviceToHost));
	return ours != anchor ? 2 : differ<T>(a, b, (size_t)ours, 1e-9);
}
/* What is below the limit, `percent` of all: ours from pool 0 to 1, CUB's from 0 to 2. */
template <class T, class F>
static row kept_row(const char *name, const char *type, size_t n, int percent,
    T limit, F ours)
{
	const size_t bytes = n * sizeof(T);
	int64_t *const count = (int64_t *)ours_result;
	return { name, power(n) + " " + type + ", " + std::to_string(percent) + " %",
		(double)bytes * (1 + percent / 100.0), (double)n, BYTES, COPY,
		[=](int c) { ours(place<T>(0, bytes, c), limit, place<T>(1, bytes, c), count); },
		"CUB Select::If",
		[=](int c) {
			size_t s = scratch_bytes;
			CUDA(cub::DeviceSelect::If(scratch, s, place<T>(0, bytes, c),
			    place<T>(2, bytes, c),
			    (int64_t *)anchor_result, (int)n, below<T>{ limit }, stream));
		},
		[=] { return kept_differ<T>(place<T>(1, bytes, 0), place<T>(2, bytes, 0)); } };
}
#define KEEP(T, kernel) \
	[=](const T *x, T limit, T *y, int64_t *k) { OURS(kernel, ((int64_t)n), x, limit, y, k); }
static void compactions(size_t n, int percent)
{
	const uint32_t limit = (uint32_t)(percent * 4294967296.0 / 100);
	fill_pools(BITS);
	row stable = kept_row<uint32_t>("compact", "u32", n, percent, limit,
	    KEEP(uint32_t, keep_u32));
	stable.must_ratio = percent == 50 && n >= (size_t)1 << 27 ? 1.1 : 0;
	print_row(stable);
	row any = kept_row<uint32_t>("compact unordered", "u32", n, percent, limit,
	    KEEP(uint32_t, keep_any_u32));
	any.difference = nullptr;
	print_row(any);
	/* ours keeps both parts in their order, CUB turns the second round: the first is
	 * compared */
	uint32_t *const rest = allocate<uint32_t>(n);
	const size_t bytes = n * 4;
	row both = kept_row<uint32_t>("compact, else the rest", "u32", n, percent, limit,
	    [=](const uint32_t *x, uint32_t t, uint32_t *y, int64_t *k) {
		    OURS(part_u32, ((int64_t)n), x, t, y, rest, k);
	    });
	both.bytes = 2.0 * (double)bytes;
	both.anchor_name = "CUB Partition::If";
	both.anchor = [=](int c) {
		size_t s = scratch_bytes;
		CUDA(cub::DevicePartition::If(scratch, s, place<uint32_t>(0, bytes, c),
		    place<uint32_t>(2, bytes, c),
		    (int64_t *)anchor_result, (int)n, below<uint32_t>{ limit }, stream));
	};
	print_row(both);
	CUDA(cudaFree(rest));
}
/* Half of other types. */
static void compactions_of_types(size_t n)
{
	print_row(kept_row<uint8_t>("compact", "u8", n, 50, 128, KEEP(uint8_t, keep_u8)));
	fill_pools(FLOATS);
	print_row(kept_row<float>("compact", "f32", n, 50, 0.0f, KEEP(float, keep_f32)));
	fill_pools(DOUBLES);
	print_row(kept_row<double>("compact", "f64", n / 2, 50, 0.0,
	    [=](const double *x, double limit, double *y, int64_t *k) {
		    OURS(keep_f64, ((int64_t)n / 2), x, limit, y, k);
	    }));
}

void selection_works(size_t big)
{
	compactions((size_t)1 << 20, 50);
	for (int percent : { 10, 50, 90 })
		compactions(big, percent);
	compactions_of_types(big);
}
