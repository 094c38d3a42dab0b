/* fetching.cu - gathers beside a load a thread; scatters beside one atomic operation a thread, or a
 * compare-and-swap of the word around the cell where the machine has none: items at random, in the
 * order of the cells, all in one; into few cells and into many by a power law; counts beside
 * CUB. */
#include <cub/cub.cuh>

#include "bench.cuh"
#include "fetch.h"

/* POWER: cell c gets about 1 / (c + 1) of what cell 0 gets; MIXED: likewise, the cells in no
 * order. */
enum order { RANDOM, IN_ORDER, ONE_CELL, POWER, MIXED };
static const char *const order_name[] = { "random", "in order", "one cell", "power law",
    "power law, mixed" };

__device__ static uint32_t mixed(uint32_t x)
{
	x = (x * 2654435761u ^ x >> 15) * 0x85ebca6bu;
	x = (x ^ x >> 13) * 0xc2b2ae35u;
	return x ^ x >> 16;
}
__device__ static int64_t cell_of(int64_t i, int64_t n, int64_t m, order kind)
{
	const uint32_t u = mixed((uint32_t)i);
	const int64_t c = (int64_t)exp2((double)u / 4294967296.0 * log2((double)m + 1)) - 1;
	switch (kind) {
	case RANDOM: return (int64_t)((uint64_t)u * (uint64_t)m >> 32);
	case IN_ORDER: return i * m / n;
	case ONE_CELL: return m / 3;
	case POWER: return c;
	case MIXED: return c * 2654435761 % m;           /* m is a power of two */
	}
	return 0;
}
__global__ static void fill_cells(int32_t *k, int64_t n, int64_t m, order kind)
{
	for (int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x; i < n;
	    i += (int64_t)gridDim.x * blockDim.x)
		k[i] = (int32_t)cell_of(i, n, m, kind);
}
/* -1, 0 and 1: sums are exact. */
template <class T> __global__ static void fill_values(T *x, int64_t n)
{
	for (int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x; i < n;
	    i += (int64_t)gridDim.x * blockDim.x)
		x[i] = (T)((int)(mixed((uint32_t)i + 9) % 3) - 1);
}
template <> __global__ void fill_values(Pair *x, int64_t n)
{
	for (int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x; i < n;
	    i += (int64_t)gridDim.x * blockDim.x)
		x[i] = Pair{ (float)mixed((uint32_t)i), 1 };
}

/* ---- by hand ---- */

template <class T>
__global__ static void hand_gather(const int32_t *__restrict__ k, const T *__restrict__ x,
    T *__restrict__ y, int64_t n)
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
	template <class T>
	__device__ static void into(T *cell, T x)
	{
		swap_in<unsigned>(cell, [=](T held) { return (T)(held + x); });
	}
};
struct larger {
	__device__ static void into(float *cell, float x)
	{
		swap_in<unsigned>(cell, [=](float held) { return fmaxf(held, x); });
	}
};
struct join {
	__device__ static void into(Pair *cell, Pair x)
	{
		swap_in<unsigned long long>(cell, [=](Pair held) {
			return Pair{ fmaxf(held.most, x.most), held.count + x.count };
		});
	}
};
template <class F, class T>
__global__ static void hand_scatter(const int32_t *__restrict__ k, const T *__restrict__ x, T *y,
    int64_t n)
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
	row r = { "gather", power(n) + " of " + power(m) + " f32", 8.0 * (double)n, (double)n,
	    CELLS, COPY, nullptr, "a cell a thread", nullptr, nullptr };
	r.ours = [=](int) { OURS(gather_f32, ((int64_t)n, (int64_t)m), k, x, ours); };
	r.anchor = [=](int) { hand_gather<<<grid(n), 256, 0, stream>>>(k, x, hand, (int64_t)n); };
	r.difference = [=] { return differ<float>(ours, hand, n, 1e-30); };
	r.must_rate = must;
	print_row(r);
}
template <class F, class T, class G>
static void scatters(const char *type, order kind, size_t n, size_t m, double must, G call)
{
	const int32_t *const k = (int32_t *)pool[0];
	T *const x = (T *)pool[1], *const ours = (T *)pool[2], *const hand = ours + m;
	fill(n, m, kind);
	fill_values<<<4096, 256, 0, stream>>>(x, (int64_t)n);
	CUDA(cudaMemsetAsync(pool[2], 0, 2 * m * sizeof(T), stream));
	row r = { std::string("scatter ") + type,
	    power(n) + (m == (size_t)1 << 22 ? " " : " of " + power(m) + " ") + order_name[kind], 0,
	    (double)n, CELLS, NONE, nullptr, "an atomic a thread", nullptr, nullptr };
	r.ours = [=](int) { call((int64_t)n, (int64_t)m, k, x, ours); };
	r.anchor = [=](int) {
		hand_scatter<F><<<grid(n), 256, 0, stream>>>(k, x, hand, (int64_t)n);
	};
	r.difference = [=] { return differ<T>(ours, hand, m, 1e-30); };
	r.must_ratio = must;
	print_row(r);
}
__device__ static inline double number(Pair x) { return (double)x.most + (double)x.count; }

#define SCATTER(kernel, T) [](int64_t n, int64_t m, const int32_t *k, const T *x, T *y) { \
	OURS(kernel, (n, m), k, x, y); \
}
/* hot: so many items that all go to one cell; where each waits for the other, few, and none where
 * that takes minutes. */
template <class F, class T, class G>
static void orders(const char *type, size_t n, size_t hot, double must, G call)
{
	scatters<F, T>(type, RANDOM, n, (size_t)1 << 22, must, call);
	scatters<F, T>(type, IN_ORDER, n, (size_t)1 << 22, must, call);
	if (hot)
		scatters<F, T>(type, ONE_CELL, hot, (size_t)1 << 22, must, call);
}
static void counts(order kind, size_t n, size_t m)
{
	const int32_t *const k = (int32_t *)pool[0];
	int32_t *const ours = (int32_t *)pool[2], *const cub = ours + m;
	fill(n, m, kind);
	row r = { "histogram", power(n) + " of " + power(m) + " " + order_name[kind],
	    4.0 * (double)n, (double)n, BYTES, SUM, nullptr, "CUB", nullptr, nullptr };
	r.ours = [=](int) {
		CUDA(cudaMemsetAsync(ours, 0, m * 4, stream));
		OURS(counts_i32, ((int64_t)n, (int64_t)m), k, ours);
	};
	r.anchor = [=](int) {
		size_t bytes = 0;
		const int levels = (int)m + 1, end = (int)m;
		CUDA(cub::DeviceHistogram::HistogramEven(nullptr, bytes, k, cub, levels, 0, end,
		    (int64_t)n, stream));
		CUDA(cub::DeviceHistogram::HistogramEven(room(bytes), bytes, k, cub, levels, 0, end,
		    (int64_t)n, stream));
	};
	r.difference = [=] { return differ<int32_t>(ours, cub, m, 0.5); };
	if (m > (size_t)1 << 22) {           /* of so many bins CUB leaves its memory */
		r.anchor = nullptr;
		r.difference = nullptr;
	}
	print_row(r);
}
/* More cells than blocks have room for; by hand items wait for each other where many go to one. */
static void many(size_t n)
{
	for (const size_t m : { (size_t)1 << 20, (size_t)1 << 24 })
		for (const order kind : { RANDOM, POWER, MIXED, ONE_CELL }) {
			counts(kind, kind == ONE_CELL ? n / 8 : n, m);
			scatters<add, float>("f32 +", kind, kind == RANDOM ? n : n / 8, m, 0,
			    SCATTER(scatter_f32, float));
		}
}
/* Few: by hand all items wait for each other. */
static void into_few(size_t n)
{
	for (const size_t m : { (size_t)1 << 8, (size_t)1 << 10, (size_t)1 << 16 }) {
		scatters<add, float>("f32 weights", RANDOM, n, m, 0, SCATTER(weights_f32, float));
		scatters<add, float>("f32 +", RANDOM, n, m, 0, SCATTER(scatter_f32, float));
	}
	scatters<add_small, uint8_t>("u8 +", RANDOM, n >> 12, 256, 0, SCATTER(scatter_u8, uint8_t));
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
	orders<add, __half>("f16 +", n, fewer, 0,
	    [](int64_t n, int64_t m, const int32_t *k, const __half *x, __half *y) {
		OURS(scatter_f16, (n, m), k, (const uint16_t *)x, (uint16_t *)y);
	});
	orders<join, Pair>("pairs", n, 0, 0, SCATTER(scatter_pairs, Pair));
	many(n);
	into_few(n);
}
