/* sparse.cu - sums of segments beside CUB, and CSR matrices times a vector beside cuSPARSE. */
#include <cub/cub.cuh>
#include <cusparse.h>

#include <algorithm>
#include <random>
#include <vector>

#include "bench.cuh"
#include "ragged.h"

/* ---- segments ---- */

segments::segments(size_t n, int mean)
{
	std::vector<int32_t> off{ 0 }, keys(n);
	std::vector<uint8_t> heads(n, 0);
	std::mt19937 g(7);
	for (size_t i = 0; i < n; off.push_back((int32_t)i)) {
		const size_t end = std::min(n, i + 1 + g() % (2 * (unsigned)mean));
		heads[i] = 1;
		for (; i < end; i++)
			keys[i] = (int32_t)off.size() - 1;
	}
	count = (int64_t)off.size() - 1;
	offset = upload(off), key = upload(keys), head = upload(heads);
}
segments::~segments()
{
	CUDA(cudaFree(offset));
	CUDA(cudaFree(key));
	CUDA(cudaFree(head));
}

static void segment_sums(size_t n, int mean, double must_rate)
{
	const segments cut(n, mean);
	const int64_t m = (int64_t)n, count = cut.count;
	const size_t bytes = n * 4;
	const int32_t *const offset = cut.offset;
	fill_pools(FLOATS);
	row sums = { "segment sums", power(n) + " mean " + std::to_string(mean),
		4.0 * (double)n + 8.0 * (double)count, (double)n, CELLS, SUM,
		[=](int c) {
			OURS(segment_sums_f32, (count, m), offset, place<float>(0, bytes, c),
			    place<float>(1, bytes, c));
		},
		"CUB segmented",
		[=](int c) {
			size_t t = scratch_bytes;
			CUDA(cub::DeviceSegmentedReduce::Sum(scratch, t, place<float>(0, bytes, c),
			    place<float>(2, bytes, c), count, offset, offset + 1, stream));
		},
		[=] {
			return differ<float>(place<float>(1, bytes, 0), place<float>(2, bytes, 0),
			    (size_t)count, rounding(2 * (size_t)mean));
		} };
	sums.must_rate = must_rate;
	print_row(sums);
}

/* ---- CSR ---- */

struct csr {
	std::vector<int32_t> row{ 0 }, col;
	int64_t rows() const { return (int64_t)row.size() - 1; }
	void end_row() { row.push_back((int32_t)col.size()); }
};
/* 32 entries a row at random places. */
static csr at_random(std::mt19937 &g)
{
	const int rows = 1 << 21;
	csr a;
	for (int r = 0; r < rows; r++) {
		for (int k = 0; k < 32; k++)
			a.col.push_back((int32_t)(g() % rows));
		a.end_row();
	}
	return a;
}
/* The five points of a side x side grid. */
static csr laplacian(int side)
{
	csr a;
	for (int r = 0; r < side * side; r++) {
		const int i = r / side, j = r % side;
		if (i)
			a.col.push_back(r - side);
		if (j)
			a.col.push_back(r - 1);
		a.col.push_back(r);
		if (j < side - 1)
			a.col.push_back(r + 1);
		if (i < side - 1)
			a.col.push_back(r + side);
		a.end_row();
	}
	return a;
}
/* Rows of 1 to 100000 entries: few long ones, many short. */
static csr power_law(std::mt19937 &g)
{
	const int rows = 1 << 21;
	std::uniform_real_distribution<double> uniform(0, 1);
	csr a;
	for (int r = 0; r < rows; r++) {
		const int length = (int)std::min(100000.0, pow(1 - uniform(g), -1 / 0.8));
		for (int k = 0; k < length; k++)
			a.col.push_back((int32_t)(g() % rows));
		a.end_row();
	}
	return a;
}

/* cuSPARSE's product by one algorithm, prepared as its manual says. */
struct product {
	cusparseHandle_t handle;
	cusparseSpMatDescr_t a;
	cusparseDnVecDescr_t x, y;
	cusparseSpMVAlg_t algorithm;
	void *buffer;
	float one = 1, zero = 0;

	product(int64_t rows, int64_t entries, int32_t *row, int32_t *col, float *val, float *from,
	    float *to, cusparseSpMVAlg_t way) : algorithm(way)
	{
		size_t bytes = 0;
		CUDA(cusparseCreate(&handle));
		CUDA(cusparseSetStream(handle, stream));
		CUDA(cusparseCreateCsr(&a, rows, rows, entries, row, col, val, CUSPARSE_INDEX_32I,
		    CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F));
		CUDA(cusparseCreateDnVec(&x, rows, from, CUDA_R_32F));
		CUDA(cusparseCreateDnVec(&y, rows, to, CUDA_R_32F));
		CUDA(cusparseSpMV_bufferSize(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, a, x,
		    &zero, y, CUDA_R_32F, algorithm, &bytes));
		buffer = allocate<char>(std::max(bytes, (size_t)1));
#if CUSPARSE_VERSION >= 12400
		CUDA(cusparseSpMV_preprocess(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, a, x,
		    &zero, y, CUDA_R_32F, algorithm, buffer));
#endif
	}
	product(const product &) = delete;
	~product()
	{
		cusparseDestroyDnVec(x);
		cusparseDestroyDnVec(y);
		cusparseDestroySpMat(a);
		cusparseDestroy(handle);
		cudaFree(buffer);
	}
	void operator()() const
	{
		CUDA(cusparseSpMV(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, a, x, &zero, y,
		    CUDA_R_32F, algorithm, buffer));
	}
};

/* Beside the faster of cuSPARSE's two. */
static void csr_row(const char *name, const csr &m)
{
	const int64_t rows = m.rows(), entries = (int64_t)m.col.size();
	int32_t *const row_at = upload(m.row), *const col = upload(m.col);
	float *const val = allocate<float>((size_t)entries),
	    *const x = allocate<float>((size_t)rows),
	      *const y = allocate<float>((size_t)rows), *const z = allocate<float>((size_t)rows);
	fill_words<<<4096, 256, 0, stream>>>(val, (size_t)entries, FLOATS, 3);
	fill_words<<<4096, 256, 0, stream>>>(x, (size_t)rows, FLOATS, 4);
	{
		const product one(rows, entries, row_at, col, val, x, z, CUSPARSE_SPMV_CSR_ALG1);
		const product two(rows, entries, row_at, col, val, x, z, CUSPARSE_SPMV_CSR_ALG2);
		figure a, b;
		measure([&](int) { one(); }, [&](int) { two(); }, a, b, AS_MANY_AS_NEEDED);
		const product &better = a.ms <= b.ms ? one : two;
		row r = { "CSR x vector", name, 8.0 * (double)entries + 12.0 * (double)rows,
		    2.0 * (double)entries,
			FLOPS, SUM, [=](int) {
				OURS(csr_f32, (rows, entries, rows), row_at, col, val, x, y);
			},
			a.ms <= b.ms ? "cuSPARSE CSR_ALG1" : "cuSPARSE CSR_ALG2",
			[&](int) { better(); },
			[=] { return differ<float>(y, z, (size_t)rows, 1e-3); } };
		r.must_ratio = 1;
		print_row(r);
	}
	for (void *p : { (void *)row_at, (void *)col, (void *)val, (void *)x, (void *)y,
	    (void *)z })
		CUDA(cudaFree(p));
}

void sparse_works(size_t big)
{
	if (wanted("segment sums")) {
		segment_sums(big / 2, 10, 500);
		segment_sums(big / 2, 1000, 700);
		segment_sums(big / 2, 1000000, 800);
	}
	if (wanted("CSR x vector")) {
		std::mt19937 g(5);
		csr_row("32 a row", at_random(g));
		csr_row("Laplacian 4096^2", laplacian(4096));
		csr_row("power law", power_law(g));
	}
}
