/* large.cu - generated kernels on shapes that no data file could hold, and what a caller may rely
 * on.
 *
 *   large [FILTER]         cases whose name contains FILTER
 *
 * Every case is compared with a plain kernel written here, one thread a cell, 64-bit indices; the
 * data are a hash of the index, integers where equality is asked for.  A case runs twice, from
 * fresh outputs: by a direct call on a stream, and captured into a CUDA graph that is then
 * launched. Then the contract of language.md: threads on streams of their own, no waiting, the
 * same bits every time, and a status for every misuse.  Shapes that do not fit into the memory are
 * skipped. Prints ok, not ok or skip, a line each. */
#include "large.cuh"
#include "large_kernels.h"

/* ---- maps ---- */

/* shift: elements by which the bases are off an aligned address. */
static void case_saxpy(int64_t n, int shift)
{
	const std::string name = "saxpy f32 " + std::to_string(n) + (shift ? " unaligned" : "");
	if (!wanted(name, 8.0 * (double)n))
		return;
	device<float> x(n), y(n);
	make(x.at + shift, n, data<float>());
	run(name,
	    { [&] { make(y.at + shift, n, [] __device__(int64_t i) { return (float)(i % 1000); }); },
	        [=] { return saxpy_workspace(n); },
	        [&](void *w, size_t b, cudaStream_t s) {
		        return saxpy(n, 0.25f, x.at + shift, y.at + shift, w, b, s);
	        },
	        [&] {
		        return equal(
		            "y", y.at + shift, n,
		            [] __device__(
		                int64_t i) { return fmaf(0.25f, data<float>()(i), (float)(i % 1000)); },
		            1e-4);
	        } });
}
static void case_bytes(int64_t n, int shift)
{
	const std::string name = "map u8 " + std::to_string(n) + (shift ? " unaligned" : "");
	if (!wanted(name, 2.0 * (double)n))
		return;
	device<uint8_t> x(n), y(n);
	make(x.at, n, data<uint8_t>());
	run(name,
	    { [&] { make(y.at, n + shift + 8, [] __device__(int64_t) { return (uint8_t)0xcc; }); },
	        [=] { return octets_workspace(n); },
	        [&](void *w, size_t b, cudaStream_t s) {
		        return octets(n, x.at, y.at + shift, w, b, s);
	        },
	        [&] {
		        return equal("y", y.at + shift, n, [] __device__(int64_t i) {
			        return (uint8_t)(3 * data<uint8_t>()(i) + 1);
		        }) & equal("behind y", y.at + shift + n, 8, [] __device__(int64_t) {
			        return (uint8_t)0xcc;
		        });
	        } });
}
static void case_words(int64_t n)
{
	const std::string name = "map i64 " + std::to_string(n);
	if (!wanted(name, 16.0 * (double)n))
		return;
	device<int64_t> x(n), y(n);
	make(x.at, n, [] __device__(int64_t i) { return i * 0x9e3779b97f4a7c1; });
	run(name, { [&] { CUDA(cudaMemset(y.at, 0xcc, n * 8)); }, [=] { return words_workspace(n); },
	              [&](void *w, size_t b, cudaStream_t s) { return words(n, x.at, y.at, w, b, s); },
	              [&] {
		              return equal("y", y.at, n,
		                  [] __device__(int64_t i) { return i * 0x9e3779b97f4a7c1 ^ i; });
	              } });
}
static void case_masked(int64_t n)
{
	const std::string name = "map where u8 " + std::to_string(n);
	if (!wanted(name, 2.0 * (double)n))
		return;
	device<uint8_t> x(n), y(n);
	make(x.at, n, data<uint8_t>());
	run(name, { [&] { CUDA(cudaMemset(y.at, 0x55, n)); }, [=] { return every_third_workspace(n); },
		[&](void *w, size_t b, cudaStream_t s) { return every_third(n, x.at, y.at, w, b, s); },
		[&] { return equal("y", y.at, n, [] __device__(int64_t i) {
			return i % 3 == 1 ? data<uint8_t>()(i) : (uint8_t)0x55; }); } });
}

/* ---- reductions ---- */

/* The reference: every thread folds its part, an atomic folds the threads; exact for integers. */
template <class T, class F> __global__ static void fold(int64_t n, F f, unsigned long long *sum)
{
	unsigned long long mine = 0;
	for (int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x; i < n;
	     i += (int64_t)gridDim.x * blockDim.x)
		mine += (unsigned long long)(long long)(T)f(i);
	atomicAdd(sum, mine);
}
template <class F> __global__ static void fold_double(int64_t n, F f, double *sum)
{
	double mine = 0;
	for (int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x; i < n;
	     i += (int64_t)gridDim.x * blockDim.x)
		mine += f(i);
	atomicAdd(sum, mine);
}
template <class T, class F> static unsigned long long folded(int64_t n, F f)
{
	device<unsigned long long> sum(1);
	CUDA(cudaMemset(sum.at, 0, 8));
	fold<T><<<4096, 256>>>(n, f, sum.at);
	return sum.get(0);
}
template <class F> static double folded_double(int64_t n, F f)
{
	device<double> sum(1);
	CUDA(cudaMemset(sum.at, 0, 8));
	fold_double<<<4096, 256>>>(n, f, sum.at);
	return sum.get(0);
}
template <class S> static bool result(const device<S> &s, S want, double tolerance = 0)
{
	const S got = s.get(0);
	if (got == want || fabs((double)got - (double)want) <= tolerance)
		return true;
	said += "got " + std::to_string(got) + ", expected " + std::to_string(want) + "; ";
	return false;
}
static void case_total(int64_t n, int shift)
{
	const std::string name = "sum i32 " + std::to_string(n) + (shift ? " unaligned" : "");
	if (!wanted(name, 4.0 * (double)n))
		return;
	device<int32_t> x(n), s(1);
	make(x.at + shift, n, data<int32_t>());
	const int32_t want = (int32_t)folded<int32_t>(n, data<int32_t>());
	run(name, { [&] { CUDA(cudaMemset(s.at, 0xcc, 4)); }, [=] { return total_workspace(n); },
		[&](void *w, size_t b, cudaStream_t t) { return total(n, x.at + shift, s.at, w, b, t); },
		[&] { return result(s, want); } });
}
static void case_total_bytes(int64_t n)
{
	const std::string name = "sum of u8 in i64 " + std::to_string(n);
	if (!wanted(name, (double)n))
		return;
	device<uint8_t> x(n);
	device<int64_t> s(1);
	make(x.at, n, data<uint8_t>());
	const int64_t want = (int64_t)folded<int64_t>(n, data<uint8_t>());
	run(name, { [&] { CUDA(cudaMemset(s.at, 0xcc, 8)); }, [=] { return total_bytes_workspace(n); },
		[&](void *w, size_t b, cudaStream_t t) { return total_bytes(n, x.at, s.at, w, b, t); },
		[&] { return result(s, want); } });
}
static void case_dot(int64_t n)
{
	const std::string name = "dot f32 in f64 " + std::to_string(n);
	if (!wanted(name, 8.0 * (double)n))
		return;
	device<float> x(n), y(n);
	device<double> s(1);
	make(x.at, n, data<float>());
	make(y.at, n, [] __device__(int64_t i) { return data<float>()(i + 99991); });
	const double want = folded_double(n, [] __device__(int64_t i) {
		return (double)data<float>()(i) * (double)data<float>()(i + 99991); });
	run(name, { [&] { CUDA(cudaMemset(s.at, 0xcc, 8)); }, [=] { return dot_workspace(n); },
		[&](void *w, size_t b, cudaStream_t t) { return dot(n, x.at, y.at, s.at, w, b, t); },
		[&] { return result(s, want, 1e-12 * (double)n); } });
}
/* One value of the data is the least and one the greatest, at the ends and at 2^31. */
static void case_extremes(int64_t n, int64_t low_at, int64_t high_at)
{
	const std::string name = "min and max i32 " + std::to_string(n);
	if (!wanted(name, 4.0 * (double)n))
		return;
	device<int32_t> x(n), lo(1), hi(1);
	make(x.at, n, [=] __device__(int64_t i) {
		return i == low_at    ? INT32_MIN
		       : i == high_at ? INT32_MAX
		                      : (int32_t)(hash((uint64_t)i) >> 4);
	});
	run(name, { [&] { CUDA(cudaMemset(lo.at, 0, 4)); CUDA(cudaMemset(hi.at, 0, 4)); },
		[=] { return extremes_workspace(n); },
		[&](void *w, size_t b, cudaStream_t t) { return extremes(n, x.at, lo.at, hi.at, w, b, t); },
		[&] { return result(lo, INT32_MIN) & result(hi, INT32_MAX); } });
}
static std::string by(int64_t n, int64_t m) { return std::to_string(n) + "x" + std::to_string(m); }
__global__ static void row_sums(const int32_t *a, int32_t *s, int64_t n, int64_t m)
{
	for (int64_t i = blockIdx.x; i < n; i += gridDim.x) {
		uint32_t mine = 0;
		for (int64_t j = threadIdx.x; j < m; j += blockDim.x)
			mine += (uint32_t)a[i * m + j];
		atomicAdd((uint32_t *)&s[i], mine);
	}
}
__global__ static void column_maxima(const int32_t *a, int32_t *s, int64_t n, int64_t m)
{
	for (int64_t i = blockIdx.x; i < n; i += gridDim.x)
		for (int64_t j = threadIdx.x; j < m; j += blockDim.x)
			if (a[i * m + j] > *(volatile int32_t *)&s[j])
				atomicMax(&s[j], a[i * m + j]);
}
static void case_axis(int64_t n, int64_t m)
{
	const std::string name = "row sums i32 " + by(n, m), other = "column maxima i32 " + by(n, m);
	if (!wanted(name + other, 4.0 * (double)n * (double)m + 8.0 * (double)(n + m)))
		return;
	device<int32_t> a(n * m), s(n), want(n), c(m), wantc(m);
	make(a.at, n * m, data<int32_t>());
	CUDA(cudaMemset(want.at, 0, n * 4));
	make(wantc.at, m, [] __device__(int64_t) { return INT32_MIN; });
	row_sums<<<16384, 256>>>(a.at, want.at, n, m);
	column_maxima<<<1024, 256>>>(a.at, wantc.at, n, m);
	const int32_t *p = want.at, *q = wantc.at;
	run(name, { [&] { CUDA(cudaMemset(s.at, 0xcc, n * 4)); }, [=] { return rows_workspace(n, m); },
		[&](void *w, size_t b, cudaStream_t t) { return rows(n, m, a.at, s.at, w, b, t); },
		[&] { return equal("s", s.at, n, [=] __device__(int64_t i) { return p[i]; }); } });
	run(other,
	    { [&] { CUDA(cudaMemset(c.at, 0xcc, m * 4)); }, [=] { return columns_workspace(n, m); },
	        [&](void *w, size_t b, cudaStream_t t) { return columns(n, m, a.at, c.at, w, b, t); },
	        [&] { return equal("s", c.at, m, [=] __device__(int64_t i) { return q[i]; }); } });
}

/* ---- stencils ---- */

enum edge { CLAMP, WRAP, MIRROR, REFLECT, VALUE, KEEP };

/* The index that stands for i, or -1: none. */
__host__ __device__ static int64_t folded_index(int64_t i, int64_t n, edge e)
{
	if (i >= 0 && i < n)
		return i;
	switch (e) {
	case CLAMP: return i < 0 ? 0 : n - 1;
	case WRAP: return (i + n) % n;
	case MIRROR: return i < 0 ? -1 - i : 2 * n - 1 - i;
	case REFLECT: return n == 1 ? 0 : i < 0 ? -i : 2 * n - 2 - i;
	case VALUE: case KEEP: break;
	}
	return -1;
}
struct star {
	const int32_t *a;
	int64_t n, m;
	edge e;
	__device__ uint32_t at(int64_t i, int64_t j) const
	{
		i = folded_index(i, n, e), j = folded_index(j, m, e);
		return i < 0 || j < 0 ? 11u : (uint32_t)a[i * m + j];
	}
	__device__ int32_t operator()(int64_t k) const
	{
		const int64_t i = k / m, j = k % m;
		if (e == KEEP && (i == 0 || j == 0 || i == n - 1 || j == m - 1))
			return (int32_t)0xcccccccc;
		return (int32_t)(2 * at(i, j) + at(i - 1, j) + 3 * at(i + 1, j) + 5 * at(i, j - 1) +
		                 7 * at(i, j + 1));
	}
};
using stencil_fn = int (*)(int64_t, int64_t, const int32_t *, int32_t *, void *, size_t, void *);
static const struct {
	const char *name;
	edge e;
	stencil_fn f;
	size_t (*room)(int64_t, int64_t);
} edges[] = {
	{ "clamp", CLAMP, clamped, clamped_workspace },
	{ "wrap", WRAP, wrapped, wrapped_workspace },
	{ "mirror", MIRROR, mirrored, mirrored_workspace },
	{ "reflect", REFLECT, reflected, reflected_workspace },
	{ "constant", VALUE, valued, valued_workspace },
	{ "keep", KEEP, kept, kept_workspace },
	{ "wrap in shared memory", WRAP, shared, shared_workspace },
};
static void case_edges(int64_t n, int64_t m, int shift)
{
	if (!wanted("stencil " + by(n, m), 8.0 * (double)n * (double)m))
		return;
	device<int32_t> a(n * m), b(n * m);
	const int64_t cells = n * m;
	make(a.at + shift, cells, data<int32_t>());
	for (auto &k : edges)
		run("stencil " + by(n, m) + " " + k.name + (shift ? " unaligned" : ""),
		    { [&] { CUDA(cudaMemset(b.at, 0xcc, (cells + shift) * 4)); },
		        [&] { return k.room(n, m); },
		        [&](void *w, size_t r, cudaStream_t s) {
			        return k.f(n, m, a.at + shift, b.at + shift, w, r, s);
		        },
		        [&] {
			        return equal("b", b.at + shift, cells, star{ a.at + shift, n, m, k.e });
		        } });
}
struct box {
	const uint8_t *a;
	int64_t l, n, m;
	__device__ int at(int64_t i, int64_t j, int64_t k) const
	{
		i = folded_index(i, l, WRAP), j = folded_index(j, n, CLAMP), k = folded_index(k, m, REFLECT);
		return a[(i * n + j) * m + k];
	}
	__device__ uint8_t operator()(int64_t c) const
	{
		const int64_t k = c % m, j = c / m % n, i = c / m / n;
		return (uint8_t)(2 * at(i, j, k) + at(i - 1, j, k) + 3 * at(i + 1, j, k) + 5 * at(i, j - 1, k) +
		                 7 * at(i, j + 1, k) + 11 * at(i, j, k - 1) + 13 * at(i, j, k + 1));
	}
};
static void case_cube(int64_t l, int64_t n, int64_t m)
{
	const std::string name = "3D stencil u8 " + std::to_string(l) + "x" + by(n, m);
	const int64_t cells = l * n * m;
	if (!wanted(name, 2.0 * (double)cells))
		return;
	device<uint8_t> a(cells), b(cells);
	make(a.at, cells, data<uint8_t>());
	run(name, { [&] { CUDA(cudaMemset(b.at, 0xcc, cells)); }, [=] { return cube_workspace(l, n, m); },
		[&](void *w, size_t r, cudaStream_t s) { return cube(l, n, m, a.at, b.at, w, r, s); },
		[&] { return equal("b", b.at, cells, box{ a.at, l, n, m }); } });
}
struct mean {
	const int32_t *a;
	int64_t n, m;
	__device__ int32_t operator()(int64_t k) const
	{
		const int64_t i = k / m, j = k % m;
		auto at = [&](int64_t y, int64_t x) {
			return a[folded_index(y, n, CLAMP) * m + folded_index(x, m, CLAMP)];
		};
		return (at(i - 1, j) + at(i + 1, j) + at(i, j - 1) + at(i, j + 1)) / 4;
	}
};
__global__ static void greatest_change(mean f, int64_t cells, int32_t *most)
{
	for (int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x; i < cells;
	     i += (int64_t)gridDim.x * blockDim.x)
		if (abs(f(i) - f.a[i]) > *(volatile int32_t *)most)
			atomicMax(most, abs(f(i) - f.a[i]));
}
static void case_change(int64_t n, int64_t m)
{
	const std::string name = "stencil and max of its change " + by(n, m);
	const int64_t cells = n * m;
	if (!wanted(name, 8.0 * (double)cells))
		return;
	device<int32_t> a(cells), b(cells), most(1), want(1);
	make(a.at, cells,
	    [] __device__(int64_t i) { return (int32_t)(hash((uint64_t)i) >> 3) - (1 << 28); });
	CUDA(cudaMemset(want.at, 0, 4));
	greatest_change<<<4096, 256>>>(mean{ a.at, n, m }, cells, want.at);
	run(name, { [&] { CUDA(cudaMemset(b.at, 0xcc, cells * 4)); CUDA(cudaMemset(most.at, 0xcc, 4)); },
		[=] { return change_workspace(n, m); },
		[&](void *w, size_t r, cudaStream_t s) { return change(n, m, a.at, b.at, most.at, w, r, s); },
		[&] { return equal("b", b.at, cells, mean{ a.at, n, m }) & result(most, want.get(0)); } });
}

/* Distances from one cell are |i - i0| + |j - j0|.  They are there after as many steps as the
 * largest; the step after it finds no change and ends the loop.  Odd and even numbers of steps,
 * and a limit that comes first. */
static void case_distance(int64_t n, int64_t m, int64_t i0, int64_t j0, int64_t limit)
{
	const int64_t far = std::max(i0, n - 1 - i0) + std::max(j0, m - 1 - j0);
	const int32_t steps_want = (int32_t)std::min(far + 1, limit);
	const std::string name = "repeat until " + by(n, m) + ", " + std::to_string(steps_want) +
	                         " steps of at most " + std::to_string(limit);
	if (!wanted(name, 4.0 * (double)(n * m)))
		return;
	device<int32_t> d(n * m), steps(1), changed(1);
	const int32_t none = 1 << 29;
	run(name, { [&] {
		           make(d.at, n * m,
		               [=] __device__(int64_t k) { return k == i0 * m + j0 ? 0 : none; });
		           CUDA(cudaMemset(steps.at, 0xcc, 4));
		           CUDA(cudaMemset(changed.at, 0xcc, 4));
	           },
	              [=] { return distance_workspace(n, m); },
	              [&](void *w, size_t b, cudaStream_t s) {
		              return distance(n, m, d.at, limit, steps.at, changed.at, w, b, s);
	              },
	              [&] {
		              return result(steps, steps_want) &
		                     equal("d", d.at, n * m, [=] __device__(int64_t k) {
			                     const int64_t y = k / m - i0, x = k % m - j0,
			                                   way = (y < 0 ? -y : y) + (x < 0 ? -x : x);
			                     return (int32_t)(way <= limit ? way : none);
		                     });
	              } });
}

/* ---- what a caller may rely on ---- */

struct roomy {
	void *at = nullptr;
	size_t bytes;
	explicit roomy(size_t n) : bytes(n) { CUDA(cudaMalloc(&at, n + 64)); }
	~roomy() { cudaFree(at); }
};
/* One thread's share: its own stream, arrays and workspace; whether every result was right. */
static bool worker(int seed)
{
	const int64_t n = 4001 + 2 * seed, m = 3001;
	cudaStream_t stream;
	CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
	device<int32_t> a(n * m), b(n * m), s(1);
	roomy w(std::max(clamped_workspace(n, m), total_workspace(n * m)));
	each<<<1024, 256, 0, stream>>>(a.at, n * m, data<int32_t>());
	int32_t first = 0;
	bool good = true;
	for (int k = 0; k < 50; k++) {
		int32_t now = 0;
		good &= clamped(n, m, a.at, b.at, w.at, w.bytes, stream) == PATC_OK;
		good &= total(n * m, b.at, s.at, w.at, w.bytes, stream) == PATC_OK;
		CUDA(cudaMemcpyAsync(&now, s.at, 4, cudaMemcpyDeviceToHost, stream));
		CUDA(cudaStreamSynchronize(stream));
		first = k ? first : now;
		good &= now == first;
	}
	device<unsigned long long> sum(1);
	CUDA(cudaMemsetAsync(sum.at, 0, 8, stream));
	fold<int32_t><<<1024, 256, 0, stream>>>(n * m, star{ a.at, n, m, CLAMP }, sum.at);
	CUDA(cudaStreamSynchronize(stream));
	good &= (int32_t)sum.get(0) == first;
	CUDA(cudaStreamDestroy(stream));
	return good;
}
static void case_threads(int n)
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
	verdict(std::to_string(n) + " threads on streams of their own", all, "wrong results");
}

__global__ static void hold(volatile int *release, long long limit)
{
	const long long start = clock64();
	while (!*release && clock64() - start < limit)
		;
}
/* Calls come back while the stream is held up, and allocate nothing. */
static void case_no_waiting()
{
	const int64_t n = 2048, m = 2048;
	device<int32_t> d(n * m), steps(1), changed(1);
	device<float> x(n * m), s(1);
	roomy w(distance_workspace(n, m)), v(total_f32_workspace(n * m));
	int *release;
	cudaStream_t stream;
	size_t before = 0, behind = 0, all = 0;
	CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
	CUDA(cudaMallocHost(&release, sizeof *release));
	make(d.at, n * m, [] __device__(int64_t) { return 0; });
	/* a first call may load the kernels */
	bool good = distance(n, m, d.at, 3, steps.at, changed.at, w.at, w.bytes, stream) == PATC_OK
	            && total_f32(n * m, x.at, s.at, v.at, v.bytes, stream) == PATC_OK;
	CUDA(cudaDeviceSynchronize());
	CUDA(cudaMemGetInfo(&before, &all));
	*release = 0;
	hold<<<1, 1, 0, stream>>>(release, 4000000000LL);
	good &= distance(n, m, d.at, 20, steps.at, changed.at, w.at, w.bytes, stream) == PATC_OK;
	good &= total_f32(n * m, x.at, s.at, v.at, v.bytes, stream) == PATC_OK;
	const bool held = cudaStreamQuery(stream) == cudaErrorNotReady;
	CUDA(cudaMemGetInfo(&behind, &all));
	*release = 1;
	CUDA(cudaStreamSynchronize(stream));
	verdict("a call does not wait for the device", good && held,
	    good ? "the stream was drained" : "a status");
	verdict("a call does not allocate", before == behind, "less memory is free behind it");
	CUDA(cudaFreeHost(release));
	CUDA(cudaStreamDestroy(stream));
}
static void case_same_bits()
{
	const int64_t n = (1 << 26) + 5;
	device<float> x(n), s(1);
	roomy w(total_f32_workspace(n));
	make(x.at, n, data<float>());
	std::vector<uint32_t> bits;
	bool same = true;
	for (int k = 0; k < 200; k++) {
		float f = 0;
		uint32_t now = 0;
		same &= total_f32(n, x.at, s.at, w.at, w.bytes, nullptr) == PATC_OK;
		f = s.get(0);
		memcpy(&now, &f, 4);
		bits.push_back(now);
		same &= now == bits[0];
	}
	verdict("a float sum has the same bits in 200 runs", same, "they differ");
}

static void status(const char *what, int got, int want)
{
	const std::string why = "status " + std::to_string(got) + ", expected " + std::to_string(want);
	verdict(std::string("status: ") + what, got == want, why.c_str());
}
static void case_statuses()
{
	const int64_t n = 100000, m = 100;
	device<float> x(2 * n), s(1);
	device<int32_t> a(n), b(n), row(n);
	float *const odd = (float *)((char *)x.at + 1);
	roomy w(std::max(total_f32_workspace(n), rows_workspace(n / m, m)));
	const size_t enough = total_f32_workspace(n);
	make(x.at, n, data<float>());
	make(a.at, n, data<int32_t>());
	auto sum = [&](int64_t k, const float *p, void *at, size_t bytes) {
		return total_f32(k, p, s.at, at, bytes, nullptr);
	};
	status("a right call", sum(n, x.at, w.at, w.bytes), PATC_OK);
	status("a workspace of just the size asked for", sum(n, x.at, w.at, enough), PATC_OK);
	status("a workspace one byte too small", sum(n, x.at, w.at, enough - 1), PATC_WORKSPACE);
	status("no workspace", sum(n, x.at, nullptr, enough), PATC_WORKSPACE);
	status("a misaligned workspace", sum(n, x.at, (char *)w.at + 4, enough), PATC_WORKSPACE);
	status("a null input", sum(n, nullptr, w.at, enough), PATC_NULL);
	status("a null result", total_f32(n, x.at, nullptr, w.at, enough, nullptr), PATC_NULL);
	status("a misaligned input", sum(n, odd, w.at, enough), PATC_ALIGN);
	status("a negative size", sum(-1, x.at, w.at, enough), PATC_SIZE);
	status("sizes whose product overflows",
	    clamped(INT64_C(1) << 40, INT64_C(1) << 40, a.at, b.at, w.at, w.bytes, nullptr),
	    PATC_SHAPE);
	verdict("no workspace for such sizes",
	    clamped_workspace(INT64_C(1) << 40, INT64_C(1) << 40) == SIZE_MAX &&
	        total_f32_workspace(-1) == SIZE_MAX,
	    "it is not SIZE_MAX");
	status("output = input", clamped(n / m, m, a.at, a.at, w.at, w.bytes, nullptr), PATC_OVERLAP);
	status("output inside input",
	    clamped(n / m / 2, m, a.at, a.at + n / 4, w.at, w.bytes, nullptr), PATC_OVERLAP);
	status("arrays that touch",
	    clamped(n / m / 2, m, a.at, a.at + n / m / 2 * m, w.at, w.bytes, nullptr), PATC_OK);
	status("empty arrays, null", clamped(0, m, nullptr, nullptr, w.at, w.bytes, nullptr), PATC_OK);
	CUDA(cudaMemset(s.at, 0xcc, 4));
	status("a sum of nothing", sum(0, nullptr, w.at, w.bytes), PATC_OK);
	verdict("a sum of nothing is 0", s.get(0) == 0, "it is not");
	CUDA(cudaMemset(row.at, 0xcc, 400));
	status("sums of empty rows", rows(100, 0, nullptr, row.at, w.at, w.bytes, nullptr), PATC_OK);
	CUDA(cudaDeviceSynchronize());
	said.clear();
	verdict("sums of empty rows are 0",
	    equal("s", row.at, 100, [] __device__(int64_t) { return 0; }), said.c_str());
	status("the status behind it all", total_f32_status(w.at, nullptr), PATC_OK);
	verdict("every status has words",
	    strcmp(total_f32_strerror(PATC_OVERLAP), total_f32_strerror(PATC_ALIGN)) != 0 &&
	        total_f32_strerror(12345) != nullptr,
	    "two are the same");
	CUDA(cudaDeviceSynchronize());
}

int main(int argc, char **argv)
{
	filter = argc > 1 ? argv[1] : "";
	const int64_t two31 = INT64_C(1) << 31;
	case_saxpy(INT64_C(1) << 28, 0);
	case_saxpy((INT64_C(1) << 28) + 3, 1);
	case_saxpy(two31 + 5, 0);
	case_bytes(two31 + 5, 0);
	case_bytes(two31 + 5, 3);
	case_bytes(2 * two31 + 7, 0);
	case_words((INT64_C(1) << 29) + 1);
	case_masked(two31 + 5);
	case_total(INT64_C(1) << 28, 0);
	case_total((INT64_C(1) << 28) + 1, 1);
	case_total(two31 + 5, 0);
	case_total_bytes(two31 + 5);
	case_total_bytes(2 * two31 + 7);
	case_dot((INT64_C(1) << 28) + 1);
	case_extremes(two31 + 5, two31 - 1, two31 + 4);
	case_extremes(two31 + 5, two31, 0);
	case_axis(16384, 16384);
	case_axis(16383, 16385);
	case_axis(3, 700000001);
	case_axis(700000001, 3);
	case_axis(70000, 31);
	case_edges(16384, 16384, 0);
	case_edges(16383, 16385, 0);
	case_edges(4097, 8191, 1);
	case_edges(46341, 46343, 0);
	case_edges(70001, 1, 0);
	case_edges(2, 100000007, 0);
	case_edges(100000007, 2, 0);
	case_cube(640, 640, 640);
	case_cube(1291, 1291, 1293);
	case_cube(70001, 65, 33);
	case_change(16384, 16384);
	case_change(16383, 16385);
	case_change(46341, 46343);
	case_distance(301, 200, 0, 0, 1000);
	case_distance(301, 201, 0, 0, 1000);
	case_distance(301, 201, 150, 100, 100);
	case_distance(301, 201, 150, 100, 101);
	case_distance(1, 1, 0, 0, 0);
	case_distance(2047, 2049, 1000, 1000, 3000);
	if (!*filter) {
		case_threads(2);
		case_threads(8);
		case_no_waiting();
		case_same_bits();
		case_statuses();
	}
	return failures != 0;
}
