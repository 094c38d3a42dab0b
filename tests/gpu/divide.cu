/* divide.cu - quotients by what does not change have the bits of the machine's division: of every
 * f32, by divisors of every kind, and of f64 of all sizes.
 *
 *   divide [FILTER]        cases whose name contains FILTER */
#include "large.cuh"
#include "divide_kernels.h"

/* Number i of all floats. */
template <class T> struct number;
template <> struct number<float> {
	__device__ static float of(int64_t i) { return __uint_as_float((uint32_t)i); }
	__device__ static float quotient(float a, float d) { return __fdiv_rn(a, d); }
};
/* Some of all doubles: every exponent, subnormal ones often, and significands of few bits. */
template <> struct number<double> {
	__device__ static double of(int64_t i)
	{
		const uint64_t h = (uint64_t)hash((uint64_t)(2 * i)) << 32 | hash((uint64_t)(2 * i + 1));
		const uint64_t few = h & ~UINT64_C(0) << (i % 53);
		return __longlong_as_double((long long)(i % 5 ? few : few & ~UINT64_C(0x7fe0000000000000)));
	}
	__device__ static double quotient(double a, double d) { return __ddiv_rn(a, d); }
};

template <class T> struct numbers {
	int64_t first;
	__device__ T operator()(int64_t i) const { return number<T>::of(first + i); }
};

template <class T>
__global__ static void judge_bits(const T *q, int64_t first, int64_t n, T d, found *wrong)
{
	for (int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x; i < n;
	     i += (int64_t)gridDim.x * blockDim.x) {
		const T want = number<T>::quotient(number<T>::of(first + i), d), got = q[i];
		const bool same = want != want ? got != got
		                               : got == want && signbit(got) == signbit(want);
		if (!same) {
			atomicAdd(&wrong->count, 1ull);
			atomicMin(&wrong->first, (long long)(first + i));
		}
	}
}

/* divide(n, a, b): all cells of b */
template <class T, class F> static void quotients(const std::string &name, T d, F divide)
{
	const int64_t n = INT64_C(1) << 26, all = INT64_C(1) << 32;
	if (!wanted(name, 2.0 * n * sizeof(T)))
		return;
	device<T> a(n), b(n);
	device<found> wrong(1);
	found host = { 0, INT64_MAX };
	CUDA(cudaMemcpy(wrong.at, &host, sizeof host, cudaMemcpyHostToDevice));
	int status = 0;
	for (int64_t first = 0; first < all; first += n) {
		make(a.at, n, numbers<T>{ first });
		CUDA(cudaMemset(b.at, 0xa5, n * sizeof(T)));
		const int rc = divide(n, a.at, b.at);
		status = status ? status : rc;
		judge_bits<<<4096, 256>>>(b.at, first, n, d, wrong.at);
		CUDA(cudaGetLastError());
	}
	CUDA(cudaDeviceSynchronize());
	host = wrong.get(0);
	char what[200];
	snprintf(what, sizeof what, "status %d, %llu differ, the first is number 0x%llx", status,
	    host.count, host.first);
	verdict(name, !status && !host.count, what);
}

#define BY(kernel, d) quotients<float>(#kernel, d, [](int64_t n, const float *a, float *b) { \
	return kernel(n, a, b, nullptr, 0, nullptr); \
})

static void by_scalars()
{
	static const float of[] = { 118.0f, -3.0f, 0.1f, 1e-30f, 1e30f, 16777215.0f, 0x1p-126f, 0x1.fffffep127f, 1e-40f,
		1.05878294f, 0.0f, -INFINITY, NAN, 1024.0f };
	for (float d : of)
		quotients<float>("by a scalar, " + std::to_string(d), d,
		    [=](int64_t n, const float *a, float *b) { return by_scalar(n, d, a, b, nullptr, 0, nullptr); });
	for (double d : { 118.0, 0.1, 1e300, 1e-300, 3.14159265358979, 0.0 })
		quotients<double>("f64 by a scalar, " + std::to_string(d), d,
		    [=](int64_t n, const double *a, double *b) { return by_scalar_f64(n, d, a, b, nullptr, 0, nullptr); });
}

int main(int argc, char **argv)
{
	filter = argc > 1 ? argv[1] : "";
	BY(by_118, 118.0f);
	BY(by_3, -3.0f);
	BY(by_7, 7.0f);
	BY(by_tenth, 0.1f);
	BY(by_small, 1e-30f);
	BY(by_large, 1e10f);
	BY(by_larger, 1e30f);
	BY(by_ones, 16777215.0f);
	BY(by_first, 0x1p-126f);
	BY(by_last, 0x1.fffffep127f);
	BY(by_subnormal, 1e-40f);
	BY(by_stubborn, 1.05878294f);
	device<int32_t> ones(INT64_C(1) << 26);
	make(ones.at, INT64_C(1) << 26, [] __device__(int64_t) { return 1; });
	quotients<float>("one_by_118", 118.0f, [&](int64_t n, const float *a, float *b) {
		return one_by_118(n, a, ones.at, b, nullptr, 0, nullptr);
	});
	quotients<double>("by_118_f64", 118.0, [](int64_t n, const double *a, double *b) {
		return by_118_f64(n, a, b, nullptr, 0, nullptr);
	});
	by_scalars();
	return failures != 0;
}
