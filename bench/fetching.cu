/* fetching.cu - gathers beside a load a thread; scatters beside one atomic operation a thread, or a compare-and-swap of the
 * word around the cell where the machine has none: items at random, in the order of the cells, all in one. */
#include "bench.cuh"
#include "fetch.h"

enum order { RANDOM, IN_ORDER, ONE_CELL };
static const char *const order_name[] = { "random", "in order", "one cell" };

__device__ static uint32_t mixed(uint32_t x)
{
	x = (x * 2654435761u ^ x >> 15) * 0x85ebca6bu;
	x = (x ^ x >> 13) * 0xc2b2ae35u;
	return x ^ x >> 16;
}
__global__ static void fill_cells(int32_t *k, int64_t n, int64_t m, order kind)
{
	for (int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x; i < n; i += (int64_t)gridDim.x * blockDim.x)
		k[i] = (int32_t)(kind == RANDOM ? (uint64_t)mixed((uint32_t)i) * (uint64_t)m >> 32 : kind == IN_ORDER ? i * m / n : m / 3);
}
/* -1, 0 and 1: sums are exact. */
template <class T> __global__ static void fill_values(T *x, int64_t n)
{
	for (int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x; i < n; i += (int64_t)gridDim.x * blockDim.x)
		x[i] = (T)((int)(mixed((uint32_t)i + 9) % 3) - 1);
}
template <> __global__ void fill_values(Pair *x, int64_t n)
{
	for (int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x; i < n; i += (int64_t)gridDim.x * blockDim.x)
		x[i] = Pair{ (float)mixed((uint32_t)i), 1 };
}

/* ---- by hand ---- */

template <class T> __global__ static void hand_gather(const int32_t *__restrict__ k, const T *__restrict__ x, T *__restrict__ y, int64_t n)
{
	const int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
	if (i < n)
		y[i] = x[k[i]];
}
struct add {
	template <class T> __device__ static void into(T *cell, T x) { atomicAdd(cell, x); }
};
/* A cell of W's size, or smaller, in the word around it. */
template <class W, class T, class F> __device__ static void swap_in(T *cell, F next)
{
	W *const word = (W *)((uintptr_t)cell & ~(uintptr_t)(sizeof(W) - 1));
	const int place = (int)(((uintptr_t)cell & (sizeof(W) - 1)) / sizeof(T));
	W seen = *(volatile W *)word, was;
	do {
		was = seen;
		union { W word; T cell[sizeof(W) / sizeof(T)]; } u = { was };
		u.cell[place] = next(u.cell[place]);
		if (u.word == was)
			return;
		seen = atomicCAS(word, was, u.word);
	} while (seen != was);
}
struct add_small {
	template <class T> __device__ static void into(T *cell, T x) { swap_in<unsigned>(cell, [=](T held) { return (T)(held + x); }); }
};
struct larger {
	__device__ static void into(float *cell, float x) { swap_in<unsigned>(cell, [=](float held) { return fmaxf(held, x); }); }
};
struct join {
	__device__ static void into(Pair *cell, Pair x)
	{
		swap_in<unsigned long long>(cell, [=](Pair held) { return Pair{ fmaxf(held.most, x.most), held.count + x.count }; });
	}
};
template <class F, class T> __global__ static void hand_scatter(const int32_t *__restrict__ k, const T *__restrict__ x, T *y, int64_t n)
{
	const int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
	if (i < n)
		F::into(y + k[i], x[i]);
}
static unsigned grid(size_t n) { return (unsigned)((n + 255) / 256); }

/* ---- rows: indices are in pool 0, what is read in pool 1, targets in pool 2 ---- */

static void fill(size_t n, size_t m, order kind)
{
	fill_cells<<<4096, 256, 0, stream>>>((int32_t *)pool[0], (int64_t)n, (int64_t)m, kind);
	CUDA(cudaGetLastError());
}
static void gathers(size_t n, size_t m, double must)
{
	const int32_t *const k = (int32_t *)pool[0];
	const float *const x = (float *)pool[1];
	float *const ours = (float *)pool[2], *const hand = ours + n;
	fill(n, m, RANDOM);
	row r = { "gather", power(n) + " of " + power(m) + " f32", 8.0 * (double)n, (double)n, CELLS, COPY, nullptr, "a cell a thread", nullptr, nullptr };
	r.ours = [=](int) { OURS(gather_f32, ((int64_t)n, (int64_t)m), k, x, ours); };
	r.anchor = [=](int) { hand_gather<<<grid(n), 256, 0, stream>>>(k, x, hand, (int64_t)n); };
	r.difference = [=] { return differ<float>(ours, hand, n, 1e-30); };
	r.must_rate = must;
	print_row(r);
}
template <class F, class T, class G> static void scatters(const char *type, order kind, size_t n, size_t m, double must, G call)
{
	const int32_t *const k = (int32_t *)pool[0];
	T *const x = (T *)pool[1], *const ours = (T *)pool[2], *const hand = ours + m;
	fill(n, m, kind);
	fill_values<<<4096, 256, 0, stream>>>(x, (int64_t)n);
	CUDA(cudaMemsetAsync(pool[2], 0, 2 * m * sizeof(T), stream));
	row r = { std::string("scatter ") + type, power(n) + " " + order_name[kind], 0, (double)n, CELLS, NONE, nullptr, "an atomic a thread", nullptr, nullptr };
	r.ours = [=](int) { call((int64_t)n, (int64_t)m, k, x, ours); };
	r.anchor = [=](int) { hand_scatter<F><<<grid(n), 256, 0, stream>>>(k, x, hand, (int64_t)n); };
	r.difference = [=] { return differ<T>(ours, hand, m, 1e-30); };
	r.must_ratio = must;
	print_row(r);
}
__device__ static inline double number(Pair x) { return (double)x.most + (double)x.count; }

#define SCATTER(kernel, T) [](int64_t n, int64_t m, const int32_t *k, const T *x, T *y) { OURS(kernel, (n, m), k, x, y); }
/* hot: so many items that all go to one cell; where each waits for the other, few. */
template <class F, class T, class G> static void orders(const char *type, size_t n, size_t hot, double must, G call)
{
	scatters<F, T>(type, RANDOM, n, (size_t)1 << 22, must, call);
	scatters<F, T>(type, IN_ORDER, n, (size_t)1 << 22, must, call);
	scatters<F, T>(type, ONE_CELL, hot, (size_t)1 << 22, must, call);
}
void fetch_works(size_t big)
{
	const size_t n = big / 4, few = big >> 8, fewer = big >> 12;
	fill_pools(FLOATS);
	gathers(big, (size_t)1 << 20, 140.6);
	gathers(big, (size_t)1 << 22, 140.6);
	gathers(big, (size_t)1 << 24, 0);
	orders<add, float>("f32 +", n, few, 1.0, SCATTER(scatter_f32, float));
	orders<add, int32_t>("i32 +", n, few, 0, SCATTER(scatter_i32, int32_t));
	orders<add, double>("f64 +", n, few, 0, SCATTER(scatter_f64, double));
	orders<larger, float>("f32 max", n, few, 0, SCATTER(scatter_max_f32, float));
	orders<add_small, uint16_t>("u16 +", n, fewer, 0, SCATTER(scatter_u16, uint16_t));
	orders<add_small, uint8_t>("u8 +", n, fewer, 0, SCATTER(scatter_u8, uint8_t));
	orders<add, __half>("f16 +", n, fewer, 0, [](int64_t n, int64_t m, const int32_t *k, const __half *x, __half *y) {
		OURS(scatter_f16, (n, m), k, (const uint16_t *)x, (uint16_t *)y);
	});
	orders<join, Pair>("pairs", n, fewer, 0, SCATTER(scatter_pairs, Pair));
}
