/* wave.cu - wavefronts on tables of hundreds of strips, whose rows and columns end beside strips, chunks and vectors.
 *
 *   wave [FILTER]          cases whose name contains FILTER
 *
 * Integers wrap, so every cell has one right value: it follows from its neighbours, and a plain kernel compares, one
 * thread a cell.  Floats are compared with what doubles come to as written, in the order of the rows: within 1e-6 of
 * each value for f32 and 1e-8 for f64, on the sizes of Hou et al. (IPDPS 2018). */
#include "large.cuh"
#include "wave_kernels.h"

static std::string size_of(int64_t m, int64_t n)
{
	return std::to_string(m) + "x" + std::to_string(n);
}

/* ---- integers ---- */

struct next_area {
	const int32_t *p, *a;
	int64_t n;
	__device__ uint32_t at(int64_t i, int64_t j) const { return i < 0 || j < 0 ? 0u : (uint32_t)a[i * n + j]; }
	__device__ int32_t operator()(int64_t k) const
	{
		const int64_t i = k / n, j = k % n;
		return (int32_t)((uint32_t)p[k] + at(i - 1, j) + at(i, j - 1) - at(i - 1, j - 1));
	}
};
static void case_area(int64_t m, int64_t n)
{
	const std::string name = "area i32 " + size_of(m, n);
	if (!wanted(name, 8.0 * (double)(m * n)))
		return;
	device<int32_t> p(m * n), a(m * n);
	make(p.at, m * n, data<int32_t>());
	run(name, { [&] { CUDA(cudaMemset(a.at, 0x55, m * n * 4)); }, [=] { return area_workspace(m, n); },
		[&](void *w, size_t b, cudaStream_t s) { return area(m, n, p.at, a.at, w, b, s); },
		[&] { return equal("a", a.at, m * n, next_area{ p.at, a.at, n }); } });
}

struct letter {
	uint32_t seed;
	__device__ int32_t operator()(int64_t i) const { return (int32_t)(hash((uint64_t)i + seed) >> 30); }
};
struct next_score {
	const int32_t *q, *d, *h;
	int64_t n;
	__device__ int32_t at(int64_t i, int64_t j) const { return i < 0 || j < 0 ? 0 : h[i * n + j]; }
	__device__ int32_t operator()(int64_t k) const
	{
		const int64_t i = k / n, j = k % n;
		const int32_t gap = max(at(i, j - 1), at(i - 1, j)) - 2;
		return max(max(gap, at(i - 1, j - 1) + (q[i] == d[j] ? 3 : -1)), 0);
	}
};
__global__ static void largest(const int32_t *h, int64_t cells, int32_t *best)
{
	int32_t mine = 0;
	for (int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x; i < cells; i += (int64_t)gridDim.x * blockDim.x)
		mine = max(mine, h[i]);
	atomicMax(best, mine);
}
static void case_align(int64_t m, int64_t n)
{
	const std::string name = "alignment i32 " + size_of(m, n);
	if (!wanted(name, 4.0 * (double)(m * n)))
		return;
	device<int32_t> q(m), d(n), h(m * n), best(2);
	make(q.at, m, letter{ 1 });
	make(d.at, n, letter{ 77 });
	run(name, { [&] { CUDA(cudaMemset(h.at, 0x55, m * n * 4)); }, [=] { return align_workspace(m, n); },
		[&](void *w, size_t b, cudaStream_t s) { return align(m, n, q.at, d.at, h.at, w, b, s); },
		[&] { return equal("h", h.at, m * n, next_score{ q.at, d.at, h.at, n }); } });
	CUDA(cudaMemset(best.at, 0, 8));
	largest<<<4096, 256>>>(h.at, m * n, best.at);
	const int32_t *const want = best.at;
	run("score alone i32 " + size_of(m, n), { [&] { CUDA(cudaMemset(best.at + 1, 0x55, 4)); }, [=] { return score_workspace(m, n); },
		[&](void *w, size_t b, cudaStream_t s) { return score(m, n, q.at, d.at, best.at + 1, w, b, s); },
		[&] { return equal("best", best.at + 1, 1, [=] __device__(int64_t) { return want[0]; }); } });
}

/* New values left and above, old ones right and below; the border keeps its own. */
struct next_mixed {
	const int32_t *old, *a;
	int64_t m, n;
	__device__ int32_t operator()(int64_t k) const
	{
		const int64_t i = k / n, j = k % n;
		if (i == 0 || i == m - 1 || j == 0 || j == n - 1)
			return old[k];
		const int32_t sum = (int32_t)((uint32_t)old[k] + (uint32_t)a[k - 1]);
		const int32_t across = (int32_t)((uint32_t)a[k - n - 1] - (uint32_t)old[k + n]);
		return (int32_t)((uint32_t)max(sum, across) - (uint32_t)old[k + 1]);
	}
};
static void case_mixed(int64_t m, int64_t n)
{
	const std::string name = "in place i32 " + size_of(m, n);
	if (!wanted(name, 8.0 * (double)(m * n)))
		return;
	device<int32_t> old(m * n), a(m * n);
	make(old.at, m * n, data<int32_t>());
	run(name, { [&] { CUDA(cudaMemcpy(a.at, old.at, m * n * 4, cudaMemcpyDeviceToDevice)); }, [=] { return mixed_workspace(m, n); },
		[&](void *w, size_t b, cudaStream_t s) { return mixed(m, n, a.at, w, b, s); },
		[&] { return equal("a", a.at, m * n, next_mixed{ old.at, a.at, m, n }); } });
}

/* ---- floats ---- */

/* The value itself where it is near enough. */
template <class T> struct nearly {
	const T *is;
	const double *want;
	double tolerance;
	__device__ T operator()(int64_t i) const
	{
		return fabs((double)is[i] - want[i]) <= tolerance * fabs(want[i]) ? is[i] : (T)want[i];
	}
};
struct fraction {
	__device__ double operator()(int64_t i) const { return (double)(hash((uint64_t)i) >> 8) * 0x1p-24; }
};
template <class T>
static void near_values(const std::string &name, int64_t cells, const double *want, double tolerance, const std::function<void(T *)> &fresh,
    const std::function<size_t()> &room, const std::function<int(T *, void *, size_t, cudaStream_t)> &call)
{
	device<T> a(cells);
	run(name, { [&] { fresh(a.at); }, room, [&](void *w, size_t b, cudaStream_t s) { return call(a.at, w, b, s); },
		[&] { return equal("a", a.at, cells, nearly<T>{ a.at, want, tolerance }); } });
}
static void by_strict(const std::function<size_t()> &room, const std::function<int(void *, size_t)> &call)
{
	void *w;
	CUDA(cudaMalloc(&w, room()));
	CUDA(call(w, room()));
	CUDA(cudaDeviceSynchronize());
	CUDA(cudaFree(w));
}
static void case_errors(int64_t n)
{
	const int64_t cells = n * n;
	const std::string size = size_of(n, n);
	if (!wanted("errors " + size, 40.0 * (double)cells))
		return;
	device<double> p(cells), want(cells);
	device<float> single(cells);
	make(p.at, cells, fraction());
	make(single.at, cells, [] __device__(int64_t i) { return (float)fraction()(i); });
	by_strict([=] { return area_strict_workspace(n, n); },
	    [&](void *w, size_t b) { return area_strict(n, n, p.at, want.at, w, b, nullptr); });
	near_values<float>("errors area f32 " + size, cells, want.at, 1e-6, [](float *) {}, [=] { return area_f32_workspace(n, n); },
	    [&](float *a, void *w, size_t b, cudaStream_t s) { return area_f32(n, n, single.at, a, w, b, s); });
	near_values<double>("errors area f64 " + size, cells, want.at, 1e-8, [](double *) {}, [=] { return area_f64_workspace(n, n); },
	    [&](double *a, void *w, size_t b, cudaStream_t s) { return area_f64(n, n, p.at, a, w, b, s); });
	CUDA(cudaMemcpy(want.at, p.at, cells * 8, cudaMemcpyDeviceToDevice));
	by_strict([=] { return relax_strict_workspace(n, n); },
	    [&](void *w, size_t b) { return relax_strict(n, n, want.at, w, b, nullptr); });
	near_values<float>("errors relaxation f32 " + size, cells, want.at, 1e-6,
	    [&](float *a) { CUDA(cudaMemcpy(a, single.at, cells * 4, cudaMemcpyDeviceToDevice)); }, [=] { return relax_f32_workspace(n, n); },
	    [&](float *a, void *w, size_t b, cudaStream_t s) { return relax_f32(n, n, a, w, b, s); });
	near_values<double>("errors relaxation f64 " + size, cells, want.at, 1e-8,
	    [&](double *a) { CUDA(cudaMemcpy(a, p.at, cells * 8, cudaMemcpyDeviceToDevice)); }, [=] { return relax_f64_workspace(n, n); },
	    [&](double *a, void *w, size_t b, cudaStream_t s) { return relax_f64(n, n, a, w, b, s); });
}

int main(int argc, char **argv)
{
	filter = argc > 1 ? argv[1] : "";
	static const int64_t sizes[][2] = { { 127, 129 }, { 128, 4096 }, { 129, 4098 }, { 4097, 4100 }, { 16384, 16384 }, { 16385, 16381 },
		{ 46341, 46343 }, { 3, 50000004 }, { 5000004, 77 }, { 100003, 10240 } };
	for (const auto &s : sizes) {
		case_area(s[0], s[1]);
		case_align(s[0], s[1]);
		case_mixed(s[0], s[1]);
	}
	for (int64_t n : { 1024, 4096, 8192, 16384 })
		case_errors(n);
	return failures != 0;
}
