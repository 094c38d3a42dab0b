/* spreading.cu - scatters whose subscripts are sums of indices, by the cells that they reach,
 * beside the same by atomic operations (the pass gather switched off); bodies that are spread over
 * the cells around them, beside a kernel that gives a thread a body.  The kernels are in
 * spread.pat. */
#include "bench.cuh"

#include "atomic.h"
#include "spread.h"

/* ---- by hand ---- */

__device__ static float weight(float d)
{
	const float a = fabsf(d);
	return a < 0.5f ? 0.75f - a * a : a < 1.5f ? 0.5f * (1.5f - a) * (1.5f - a) : 0;
}
__device__ static float where(float x, int64_t n) { return 4 + (x + 0.5f) * (float)(n - 8); }
__global__ static void hand_plane(const float *__restrict__ x, const float *__restrict__ y,
    const float *__restrict__ q, float *rho, int64_t k, int64_t n, int64_t m)
{
	const int64_t p = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
	if (p >= k)
		return;
	const float at = where(x[p], n), beside = where(y[p], m);
	const int i = (int)at, j = (int)beside;
	for (int a = -1; a < 2; a++)
		for (int b = -1; b < 2; b++)
			atomicAdd(rho + (i + a) * m + j + b, q[p] * weight(at - (float)(i + a))
			    * weight(beside - (float)(j + b)));
}
__global__ static void hand_space(const float *__restrict__ x, const float *__restrict__ y,
    const float *__restrict__ z, const float *__restrict__ q, float *rho, int64_t k, int64_t n)
{
	const int64_t p = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
	if (p >= k)
		return;
	const float at[] = { where(x[p], n), where(y[p], n), where(z[p], n) };
	const int i = (int)at[0], j = (int)at[1], h = (int)at[2];
	for (int a = -1; a < 2; a++)
		for (int b = -1; b < 2; b++)
			for (int c = -1; c < 2; c++)
				atomicAdd(rho + ((i + a) * n + j + b) * n + h + c, q[p]
				    * weight(at[0] - (float)(i + a))
				    * weight(at[1] - (float)(j + b))
				    * weight(at[2] - (float)(h + c)));
}

/* ---- rows: what is read in pools 0 and 1, results in pool 2 ---- */

using into = std::function<void(void *)>;
template <class T>
static void spread(const char *name, const std::string &size, double cells, size_t results,
    double tolerance, const char *anchor, double must, const into &ours, const into &other)
{
	T *const mine = (T *)pool[2], *const theirs = mine + (results + 63) / 64 * 64;
	CUDA(cudaMemsetAsync(pool[2], 0, (2 * results + 128) * sizeof(T), stream));
	row r = { std::string("spread ") + name, size, 0, cells, CELLS, NONE, nullptr, anchor,
	    nullptr, nullptr };
	r.ours = [=](int) { ours(mine); };
	r.anchor = [=](int) { other(theirs); };
	r.difference = [=] { return differ<T>(mine, theirs, results, tolerance); };
	r.must_ratio = must;
	print_row(r);
}
#define SPREAD(T, name, size, cells, results, tolerance, must, kernel, sizes, ...) \
	spread<T>(name, size, (double)(cells), results, tolerance, "its atomics", must, \
	    [=](void *at) { T *const y = (T *)at; OURS(spread_##kernel, sizes, __VA_ARGS__); }, \
	    [=](void *at) { \
		T *const y = (T *)at; \
		OURS(atomic_spread_##kernel, sizes, __VA_ARGS__); \
	    })

static void sums(int64_t n, int64_t side)
{
	const float *const x = (float *)pool[0], *const w = (float *)pool[1];
	const uint16_t *const h = (uint16_t *)pool[0];
	const int64_t few = n / 64, charges = 4096, cells = side / 8;
	const std::string square = power(side) + "^2";
	SPREAD(float, "over 5 cells", power(n), n, n + 4, 1e-4, 2, 5, (n), x, w, y);
	SPREAD(float, "over 1024 cells", power(few), few, few + 1024, 1e-2, 2, many, (few, 1024), x,
	    w, y);
	SPREAD(float, "over 3 x 3 cells", square, n, (side + 2) * (side + 2), 1e-4, 2, 3x3,
	    (side, side), x, w, y);
	SPREAD(float, "over 7 x 7 cells", square, n, (side + 6) * (side + 6), 1e-4, 2, 7x7,
	    (side, side), x, w, y);
	SPREAD(float, "5 x 5, greatest", square, n, (side + 4) * (side + 4), 1e-30, 2, max,
	    (side, side), x, y);
	SPREAD(float, "every second cell, 4", power(n / 2), n / 2, n + 2, 1e-4, 0, twice, (n / 2),
	    x, w, y);
	SPREAD(float, "to both sides", power(n), n, n + 1, 1e-4, 0, fluxes, (n), x, y);
	SPREAD(float, "along diagonals", square, n, 2 * side, 1e-2, 0, diagonals, (side, side), x,
	    y);
	SPREAD(float, "charges on a grid", "4096 on " + power(cells) + "^2",
	    (double)charges * (double)(cells * cells), cells * cells, 1e-1, 2, charges,
	    (charges, cells, cells), x, x + charges, x + 2 * charges, y);
	fill_words<<<4096, 256, 0, stream>>>(pool[0], (size_t)n / 2, HALVES, 1);
	spread<__half>("over 5 cells f16", power(n), (double)n, n + 4, 2e-2, "its atomics", 2,
	    [=](void *y) { OURS(spread_f16, (n), h, (uint16_t *)y); },
	    [=](void *y) { OURS(atomic_spread_f16, (n), h, (uint16_t *)y); });
	fill_words<<<4096, 256, 0, stream>>>(pool[0], (size_t)n / 2, FLOATS, 1);
}
static void bodies(int64_t k)
{
	const float *const x = (float *)pool[0], *const y = x + k, *const z = y + k,
	            *const q = (float *)pool[1];
	const unsigned blocks = (unsigned)((k + 255) / 256);
	const int64_t n = 2048, side = 256;
	spread<float>("bodies, 3 x 3 cells", power(k) + " on 2^11^2", (double)k, n * n, 1e-3,
	    "a thread a body", 0,
	    [=](void *rho) { OURS(bodies_3x3, (k, n, n), x, y, q, (float *)rho); },
	    [=](void *rho) {
		hand_plane<<<blocks, 256, 0, stream>>>(x, y, q, (float *)rho, k, n, n);
	    });
	spread<float>("bodies, 3 x 3 x 3", power(k) + " on 2^8^3", (double)k, side * side * side,
	    1e-3, "a thread a body", 0,
	    [=](void *rho) { OURS(bodies_3x3x3, (k, side, side, side), x, y, z, q, (float *)rho); },
	    [=](void *rho) {
		hand_space<<<blocks, 256, 0, stream>>>(x, y, z, q, (float *)rho, k, side);
	    });
}
void spread_works(size_t big)
{
	int64_t side = 1;
	while (4 * side * side < (int64_t)big / 4)
		side *= 2;
	/* other works may have written into them */
	for (uint32_t k = 0; k < 2; k++)
		fill_words<<<4096, 256, 0, stream>>>(pool[k], pool_bytes / 4, FLOATS, k + 1);
	CUDA(cudaGetLastError());
	sums(4 * side * side, 2 * side);
	bodies((int64_t)big / 16);
}
