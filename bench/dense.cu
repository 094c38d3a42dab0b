/* dense.cu - products of matrices beside cuBLAS, in f32 as it is (no tf32); over (min, +); small
 * ones beside a copy. */
#include <cublas_v2.h>

#include "bench.cuh"
#include "matmul.h"
#include "sgemm.h"

static cublasHandle_t handle()
{
	static cublasHandle_t h;
	if (!h) {
		CUDA(cublasCreate(&h));
		CUDA(cublasSetStream(h, stream));
		CUDA(cublasSetMathMode(h, CUBLAS_PEDANTIC_MATH));
	}
	return h;
}
/* Row-major C = A B: what cuBLAS sees as columns are our rows. */
static void cublas(cublasOperation_t op, int n, int m, int l, const float *a, const float *b,
    float *c)
{
	const float one = 1, zero = 0;
	const bool plain = op == CUBLAS_OP_N;
	CUDA(cublasSgemm(handle(), op, op, m, n, l, &one, b, plain ? m : l, a, plain ? l : n, &zero,
	    c, m));
}
static void cublas(cublasOperation_t op, int n, int m, int l, const double *a, const double *b,
    double *c)
{
	const double one = 1, zero = 0;
	CUDA(cublasDgemm(handle(), op, op, m, n, l, &one, b, m, a, l, &zero, c, m));
}

/* One thread a cell: what a product over (min, +) is. */
template <class T>
__global__ static void paths_plain(int64_t n, int64_t m, int64_t l, const T *a, const T *b, T *c)
{
	const int64_t j = blockIdx.x * (int64_t)blockDim.x + threadIdx.x, i = blockIdx.y;
	if (j >= m)
		return;
	T best = a[i * l] + b[j];
	for (int64_t k = 1; k < l; k++)
		best = min(best, (T)(a[i * l + k] + b[k * m + j]));
	c[i * m + j] = best;
}

/* a, b, ours and the other's result, of one call. */
template <class T> struct operands {
	int64_t n, m, l;
	T *a(int c) const { return place<T>(0, (size_t)(n * l) * sizeof(T), c); }
	T *b(int c) const { return place<T>(1, (size_t)(l * m) * sizeof(T), c); }
	T *ours() const { return place<T>(2, (size_t)(n * m) * sizeof(T), 0); }
	T *other() const { return place<T>(2, (size_t)(n * m) * sizeof(T), 1); }
	double terms() const { return (double)n * (double)m * (double)l; }
	std::string size(const char *type) const
	{
		return n == m && n == l ? std::to_string(n) + "^3 " + type
		                        : std::to_string(n) + "x" + std::to_string(m) + "x" +
		                        std::to_string(l) + " " + type;
	}
	row start(const char *name, const char *type) const
	{
		return { name, size(type), 0, 2 * terms(), FLOPS, NONE, nullptr, "", nullptr,
		    nullptr };
	}
	/* What k terms of up to 1/4 round by. */
	double off(double eps) const
	{
		return differ<T>(ours(), other(), (size_t)(n * m), eps * sqrt((double)l));
	}
};

static void products_f32(int64_t n, int64_t m, int64_t l, double must)
{
	const operands<float> x = { n, m, l };
	row plain = x.start("product", "f32");
	plain.ours = [=](int c) { OURS(product_f32, (n, l, m), x.a(c), x.b(c), x.ours()); };
	plain.anchor_name = "cuBLAS";
	plain.anchor = [=](int c) {
		cublas(CUBLAS_OP_N, (int)n, (int)m, (int)l, x.a(c), x.b(c), x.other());
	};
	plain.difference = [=] { return x.off(3e-6); };
	plain.must_ratio = must;
	print_row(plain);
	row turned = plain;
	turned.name = "product, both transposed";
	turned.must_ratio = 0;
	turned.ours = [=](int c) { OURS(product_transposed, (l, n, m), x.a(c), x.b(c), x.ours()); };
	turned.anchor = [=](int c) {
		cublas(CUBLAS_OP_T, (int)n, (int)m, (int)l, x.a(c), x.b(c), x.other());
	};
	print_row(turned);
	row layer = plain;
	layer.name = "product, bias, gelu";
	layer.anchor_name = "our product alone";
	layer.anchor = [=](int c) { OURS(product_f32, (n, l, m), x.a(c), x.b(c), x.other()); };
	layer.ours = [=](int c) {
		OURS(layer_f32, (n, l, m), x.a(c), x.b(c), x.b(c + 1), x.ours());
	};
	layer.difference = nullptr;
	layer.must_ratio = n == 4096 ? 0.97 : 0;
	print_row(layer);
}
static void products_f64(int64_t n, double must_rate)
{
	const operands<double> x = { n, n, n };
	row plain = x.start("product, units, A B", "f64");
	plain.ours = [=](int c) { OURS(product_f64, (n, n, n), x.a(c), x.b(c), x.ours()); };
	plain.anchor_name = "cuBLAS";
	plain.anchor = [=](int c) {
		CUDA(cublasSetMathMode(handle(), CUBLAS_DEFAULT_MATH));
		cublas(CUBLAS_OP_N, (int)n, (int)n, (int)n, x.a(c), x.b(c), x.other());
		CUDA(cublasSetMathMode(handle(), CUBLAS_PEDANTIC_MATH));
	};
	plain.difference = [=] { return x.off(3e-14); };
	plain.must_rate = must_rate;
	print_row(plain);
}
/* What our functions take for it. */
template <class T> struct carried { typedef T type; };
template <> struct carried<__half> { typedef uint16_t type; };
template <> struct carried<__nv_bfloat16> { typedef uint16_t type; };

/* By matrix units on both sides, but for tf32x3: cuBLAS multiplies f32 on plain cores then. */
template <class T, class R> struct narrow {
	const char *type;
	cudaDataType_t in, out;
	cublasComputeType_t sums;
	double eps;                     /* of sums whose terms have any sign, a root of a term */
	double share;                   /* of those of squares, which are n / 12 */
};
/* along: of B a row is what a cell of the result sums over. */
template <class T, class R, class F>
static void products_narrow(int64_t n, bool along, const narrow<T, R> &how, F call)
{
	const operands<T> x = { n, n, n };
	R *ours = place<R>(2, (size_t)(n * n) * sizeof(R), 0),
	    *other = place<R>(2, (size_t)(n * n) * sizeof(R), 1);
	row r = x.start(along ? "product, units, A B^T" : "product, units, A B", how.type);
	r.ours = [=](int c) {
		call(n, (const typename carried<T>::type *)x.a(c),
		    (const typename carried<T>::type *)x.b(c), ours);
	};
	r.anchor_name = "cuBLAS";
	r.anchor = [=](int c) {
		const R one = 1, zero = 0;
		CUDA(cublasSetMathMode(handle(), CUBLAS_DEFAULT_MATH));
		CUDA(cublasGemmEx(handle(), along ? CUBLAS_OP_T : CUBLAS_OP_N, CUBLAS_OP_N, (int)n,
		    (int)n, (int)n, &one, x.b(c), how.in, (int)n, x.a(c), how.in, (int)n,
		    &zero, other, how.out, (int)n, how.sums, CUBLAS_GEMM_DEFAULT));
		CUDA(cublasSetMathMode(handle(), CUBLAS_PEDANTIC_MATH));
	};
	r.difference = [=] {
		return differ<R>(ours, other, (size_t)(n * n),
		    how.eps * sqrt((double)n) + how.share * (double)n / 12);
	};
	print_row(r);
}
template <class T, class R, class F, class G>
static void products_units(const narrow<T, R> &how, F plain, G along)
{
	for (const int64_t n : { 2048, 4096, 8192 }) {
		products_narrow(n, false, how, plain);
		products_narrow(n, true, how, along);
	}
}
/* The rungs of examples/sgemm: A is transposed, B is not. */
template <class F> static void rung(const char *name, int64_t n, F call)
{
	const operands<float> x = { n, n, n };
	row r = x.start(name, "f32");
	r.ours = [=](int c) { call(n, x.a(c), x.b(c), x.ours()); };
	r.anchor_name = "cuBLAS";
	r.anchor = [=](int c) {
		const float one = 1, zero = 0;
		CUDA(cublasSgemm(handle(), CUBLAS_OP_N, CUBLAS_OP_T, (int)n, (int)n, (int)n, &one,
		    x.b(c), (int)n, x.a(c), (int)n, &zero, x.other(), (int)n));
	};
	/* both lie alike: cells of the diagonal are sums of squares */
	r.difference = [=] { return x.off(3e-5); };
	print_row(r);
}
static void ladder(int64_t n)
{
	rung("ladder: a thread a cell", n, [](int64_t s, const float *a, const float *b, float *c) {
		OURS(sgemm_cells, (s, s, s), a, b, c);
	});
	rung("ladder: 16 x 16, textbook", n,
	    [](int64_t s, const float *a, const float *b, float *c) {
		OURS(sgemm_textbook, (s, s, s), a, b, c);
	});
	rung("ladder: 128 x 16, strips", n,
	    [](int64_t s, const float *a, const float *b, float *c) {
		OURS(sgemm_strips, (s, s, s), a, b, c);
	});
	rung("ladder: nothing pinned", n, [](int64_t s, const float *a, const float *b, float *c) {
		OURS(sgemm_tiles, (s, s, s), a, b, c);
	});
}
template <class T, class F> static void paths(const char *type, int64_t n, double must_rate, F call)
{
	const operands<T> x = { n, n, n };
	row r = x.start("product, (min, +)", type);
	r.shown = CELLS;                             /* terms: an addition and a minimum */
	r.cells = x.terms();
	r.ours = [=](int c) { call(n, x.a(c), x.b(c), x.ours()); };
	r.difference = [=] {
		paths_plain<<<dim3((unsigned)((n + 255) / 256), (unsigned)n), 256, 0,
		    stream>>>(n, n, n, x.a(0), x.b(0), x.other());
		return x.off(1e-9);
	};
	r.must_rate = must_rate;
	print_row(r);
}
static void cublas(int n, int64_t s, const float *a, const float *b, float *c)
{
	const float one = 1, zero = 0;
	CUDA(cublasSgemmStridedBatched(handle(), CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, b, n,
	    n * n, a, n, n * n, &zero, c, n, n * n, (int)s));
}
static void cublas(int n, int64_t s, const double *a, const double *b, double *c)
{
	const double one = 1, zero = 0;
	CUDA(cublasDgemmStridedBatched(handle(), CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, b, n,
	    n * n, a, n, n * n, &zero, c, n, n * n, (int)s));
}
/* s products of n x n: beside a copy of as many bytes, and beside cuBLAS. */
template <class T, class F>
static void tiny(const char *type, const char *name, int n, int64_t s, double must, F call)
{
	const size_t bytes = (size_t)(s * n * n) * sizeof(T), half = bytes * 3 / 2;
	auto at = [=](int which, int c) { return place<T>(which, bytes, c); };
	row r = { name, std::to_string(s) + " " + std::to_string(n) + "x" + std::to_string(n) +
	    " " + type, 3.0 * (double)bytes,
	          2.0 * n * n * n * (double)s, BYTES, COPY, nullptr, "", nullptr, nullptr };
	r.ours = [=](int c) { call(s, at(0, c), at(1, c), at(2, 2 * c)); };
	r.anchor_name = "copy of as many bytes";
	r.anchor = [=](int c) {
		CUDA(cudaMemcpyAsync(place<char>(2, half, c), place<char>(0, half, c), half,
		    cudaMemcpyDeviceToDevice, stream));
	};
	r.must_ratio = must;
	print_row(r);
	r.anchor_name = "cuBLAS, batched";
	r.must_ratio = 0;
	r.anchor = [=](int c) { cublas(n, s, at(0, c), at(1, c), at(2, 2 * c + 1)); };
	r.difference = [=] {
		call(s, at(0, 0), at(1, 0), at(2, 0));
		cublas(n, s, at(0, 0), at(1, 0), at(2, 1));
		return differ<T>(at(2, 0), at(2, 1), (size_t)(s * n * n),
		    sizeof(T) == 8 ? 1e-13 : 1e-5);
	};
	print_row(r);
}
#define TINY(T, kernel) [](int64_t s, const T *a, const T *b, T *c) { OURS(kernel, (s), a, b, c); }
#define BATCH(kernel, n) [](int64_t s, const float *a, const float *b, float *c) { \
	OURS(kernel, (s, n, n, n), a, b, c); \
}

static void tiny_f32()
{
	tiny<float>("f32", "small products", 2, 4000000, 0, TINY(float, tiny2_f32));
	tiny<float>("f32", "small products", 3, 1000000, 0, TINY(float, tiny3_f32));
	tiny<float>("f32", "small products", 4, 1000000, 0.8, TINY(float, tiny4_f32));
	tiny<float>("f32", "small products", 8, 1000000, 0, TINY(float, tiny8_f32));
	tiny<float>("f32", "small products", 16, 250000, 0, TINY(float, tiny16_f32));
	tiny<float>("f32", "small products, any sizes", 16, 100000, 0, BATCH(batch_f32, 16));
	tiny<float>("f32", "small products, any sizes", 32, 100000, 0, BATCH(batch_f32, 32));
}

void dense_works(size_t big)
{
	fill_pools(FLOATS);
	products_f32(1024, 1024, 1024, 0.75);
	products_f32(2048, 2048, 2048, 0.75);
	products_f32(4096, 4096, 4096, 0.93);
	if (big >= (size_t)1 << 27)
		products_f32(8192, 8192, 8192, 0.93);
	products_f32(4095, 4097, 4093, 0.85);
	products_f32(256, 256, 8192, 0);
	ladder(4096);
	tiny_f32();
	products_units(narrow<float, float>{ "f32, tf32", CUDA_R_32F, CUDA_R_32F,
	    CUBLAS_COMPUTE_32F_FAST_TF32, 1e-3, 1e-3 },
	    [](int64_t n, const float *a, const float *b, float *c) {
		OURS(product_tf32, (n, n, n), a, b, c);
	}, [](int64_t n, const float *a, const float *b, float *c) {
		OURS(along_tf32, (n, n, n), a, b, c);
	});
	products_units(narrow<float, float>{ "f32, tf32x3", CUDA_R_32F, CUDA_R_32F,
	    CUBLAS_COMPUTE_32F_PEDANTIC, 2e-5, 2e-4 },
	    [](int64_t n, const float *a, const float *b, float *c) {
		OURS(product_tf32x3, (n, n, n), a, b, c);
	}, [](int64_t n, const float *a, const float *b, float *c) {
		OURS(along_tf32x3, (n, n, n), a, b, c);
	});
	fill_pools(HALVES);
	products_units(narrow<__half, float>{ "f16, sums f32", CUDA_R_16F, CUDA_R_32F,
	    CUBLAS_COMPUTE_32F, 3e-6, 0 },
	    [](int64_t n, const uint16_t *a, const uint16_t *b, float *c) {
		OURS(product_f16, (n, n, n), a, b, c);
	}, [](int64_t n, const uint16_t *a, const uint16_t *b, float *c) {
		OURS(along_f16, (n, n, n), a, b, c);
	});
	fill_pools(BRAINS);
	products_units(narrow<__nv_bfloat16, float>{ "bf16, sums f32", CUDA_R_16BF, CUDA_R_32F,
	    CUBLAS_COMPUTE_32F, 3e-6, 0 },
	    [](int64_t n, const uint16_t *a, const uint16_t *b, float *c) {
		OURS(product_bf16, (n, n, n), a, b, c);
	}, [](int64_t n, const uint16_t *a, const uint16_t *b, float *c) {
		OURS(along_bf16, (n, n, n), a, b, c);
	});
	fill_pools(BITS);
	products_units(narrow<int8_t, int32_t>{ "i8, sums i32", CUDA_R_8I, CUDA_R_32I,
	    CUBLAS_COMPUTE_32I, 1e-9, 0 },
	    [](int64_t n, const int8_t *a, const int8_t *b, int32_t *c) {
		OURS(product_i8, (n, n, n), a, b, c);
	}, [](int64_t n, const int8_t *a, const int8_t *b, int32_t *c) {
		OURS(along_i8, (n, n, n), a, b, c);
	});
	fill_pools(DOUBLES);
	products_f64(4096, 0);
	products_f64(8192, 0);
	tiny<double>("f64", "small products", 4, 1000000, 0, TINY(double, tiny4_f64));
	fill_pools(FLOATS);
	paths<float>("f32", 4096, 0.75 * 16700,
	    [](int64_t n, const float *a, const float *b, float *c) {
		OURS(paths_f32, (n, n, n), a, b, c);
	});
	fill_pools(BITS);
	paths<int32_t>("i32", 4096, 0.8 * 16700,
	    [](int64_t n, const int32_t *a, const int32_t *b, int32_t *c) {
		OURS(paths_i32, (n, n, n), a, b, c);
	});
}
