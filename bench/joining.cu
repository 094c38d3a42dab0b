/* joining.cu - statements that share arrays in one kernel, beside a kernel for each; rows whose
 * lengths an index decides, beside a thread for each.  The kernels are in joined.pat; those beside
 * them are the same text with the passes fuse and regularise switched off. */
#include "bench.cuh"

#include "apart.h"
#include "joined.h"

/* ---- rows: what is read in pool 0, results in pools 1 and 2 ---- */

using into = std::function<void(float *)>;
static void joined(const char *name, const std::string &size, double bytes, size_t results,
    double tolerance, const char *anchor, const into &ours, const into &other)
{
	float *const mine = (float *)pool[1], *const theirs = (float *)pool[2];
	if (results * sizeof(float) > pool_bytes)
		return;
	row r = { name, size, bytes, 0, BYTES, COPY, nullptr, anchor, nullptr, nullptr };
	r.ours = [=](int) { ours(mine); };
	r.anchor = [=](int) { other(theirs); };
	r.difference = [=] { return differ<float>(mine, theirs, results, tolerance); };
	print_row(r);
}
#define JOINED(name, size, bytes, results, tolerance, anchor, kernel, sizes, ...) \
	joined(name, size, (double)(bytes), (size_t)(results), tolerance, anchor, \
	    [=](float *y) { OURS(kernel, sizes, __VA_ARGS__); }, \
	    [=](float *y) { OURS(apart_##kernel, sizes, __VA_ARGS__); })

void join_works(size_t big)
{
	const float *const x = (float *)pool[0];
	const char *const each = "a kernel each", *const thread = "a thread a row";
	const int64_t n = (int64_t)big / 4;
	int64_t side = 1, edge = 1;
	while (4 * side * side <= n)
		side *= 2;
	while (8 * edge * edge * edge <= n)
		edge *= 2;
	fill_words<<<4096, 256, 0, stream>>>(pool[0], pool_bytes / 4, FLOATS, 1);
	CUDA(cudaGetLastError());
	const int64_t plane = side * side, space = edge * edge * edge;
	const std::string square = power((size_t)side) + "^2";
	JOINED("two maps of an array", power((size_t)n), 12 * n, 2 * n, 1e-30, each, joined_maps,
	    (n), x, y, y + n);
	JOINED("two totals of an array", power((size_t)n), 4 * n, 2, rounding((size_t)n), each,
	    joined_totals, (n), x, y, y + 1);
	JOINED("two slopes of a picture", square, 12 * plane, 2 * plane, 1e-30, each, joined_slopes,
	    (side, side), x, y, y + plane);
	JOINED("three slopes of a space", power((size_t)edge) + "^3", 16 * space, 3 * space, 1e-30,
	    each, joined_gradient, (edge, edge, edge), x, y, y + space, y + 2 * space);
	JOINED("sums of a triangle", square, 2 * plane, side, rounding((size_t)side), thread,
	    triangle, (side, side), x, y);
	/* a thread adds 8192 terms of up to 1 one by one */
	JOINED("causal maxima and sums", square, 2 * plane, 2 * side, 0.2, thread, causal,
	    (side, side), x, y, y + side);
}
