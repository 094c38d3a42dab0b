/* solves.cu - sparse triangular systems beside cuSPARSE's SpSV and SpSM, whose analysis is not
 * timed: the factors that an incomplete decomposition, ILU(0), has of a Laplacian of five points,
 * and random rows. */
#include <cusparse.h>

#include <random>
#include <set>

#include "bench.cuh"
#include "solve.h"

/* Below the diagonal, which is of ones, or above it, which is d. */
struct triangle {
	std::vector<int32_t> row{ 0 }, col;
	std::vector<float> val, d;
	bool upper = false;
	int64_t rows() const { return (int64_t)row.size() - 1; }
	void add(int64_t c, double v)
	{
		col.push_back((int32_t)c);
		val.push_back((float)v);
	}
	void end_row(double diagonal)
	{
		row.push_back((int32_t)col.size());
		d.push_back((float)diagonal);
	}
};

/* The diagonal of the upper factor. */
static std::vector<double> pivots(int64_t side)
{
	std::vector<double> d((size_t)(side * side), 4);
	for (int64_t i = 0; i < side * side; i++) {
		if (i % side)
			d[(size_t)i] -= 1 / d[(size_t)(i - 1)];
		if (i >= side)
			d[(size_t)i] -= 1 / d[(size_t)(i - side)];
	}
	return d;
}
static triangle lower_factor(int64_t side)
{
	const std::vector<double> d = pivots(side);
	triangle t;
	for (int64_t i = 0; i < side * side; i++) {
		for (const int64_t c : { i - side, i % side ? i - 1 : -1 })
			if (c >= 0)
				t.add(c, -1 / d[(size_t)c]);
		t.end_row(1);
	}
	return t;
}
static triangle upper_factor(int64_t side)
{
	const std::vector<double> d = pivots(side);
	triangle t;
	t.upper = true;
	for (int64_t i = 0; i < side * side; i++) {
		for (const int64_t c : { (i + 1) % side ? i + 1 : side * side, i + side })
			if (c < side * side)
				t.add(c, -1);
		t.end_row(d[(size_t)i]);
	}
	return t;
}
static triangle random_rows(int64_t n, int entries)
{
	std::mt19937 g(9);
	triangle t;
	for (int64_t i = 0; i < n; i++) {
		std::set<int64_t> at;
		for (int e = 0; e < entries && i; e++)
			at.insert((int64_t)(g() % (uint64_t)i));
		for (const int64_t c : at)
			t.add(c, (g() % 100 - 50.0) / (100.0 * entries));
		t.end_row(1);
	}
	return t;
}

/* On the device; whole: with its diagonal, first or last in a row. */
struct matrix {
	int64_t n, entries;
	int32_t *row, *col;
	float *val, *d;
	matrix(const triangle &t, bool whole) : n(t.rows())
	{
		triangle w;
		for (int64_t i = 0; whole && i < n; i++) {
			if (t.upper)
				w.add(i, t.d[(size_t)i]);
			for (int32_t e = t.row[(size_t)i]; e < t.row[(size_t)i + 1]; e++)
				w.add(t.col[(size_t)e], t.val[(size_t)e]);
			if (!t.upper)
				w.add(i, t.d[(size_t)i]);
			w.end_row(1);
		}
		const triangle &from = whole ? w : t;
		entries = (int64_t)from.col.size();
		row = upload(from.row), col = upload(from.col), val = upload(from.val);
		d = upload(t.d);
	}
	~matrix()
	{
		for (void *p : { (void *)row, (void *)col, (void *)val, (void *)d })
			cudaFree(p);
	}
	matrix(const matrix &) = delete;
};

/* cuSPARSE's solve, analysed; columns of x and b lie one after another in their rows. */
struct solver {
	cusparseHandle_t handle;
	cusparseSpMatDescr_t a;
	cusparseDnVecDescr_t x, b;
	cusparseDnMatDescr_t many_x, many_b;
	cusparseSpSVDescr_t solve;
	cusparseSpSMDescr_t solve_many;
	void *buffer;
	int64_t columns;
	float one = 1;

	solver(const matrix &m, bool upper, float *from, float *to, int64_t columns_)
		: columns(columns_)
	{
		cusparseFillMode_t fill = upper ? CUSPARSE_FILL_MODE_UPPER
		                                : CUSPARSE_FILL_MODE_LOWER;
		cusparseDiagType_t diagonal = upper ? CUSPARSE_DIAG_TYPE_NON_UNIT
		                                    : CUSPARSE_DIAG_TYPE_UNIT;
		CUDA(cusparseCreate(&handle));
		CUDA(cusparseSetStream(handle, stream));
		CUDA(cusparseCreateCsr(&a, m.n, m.n, m.entries, m.row, m.col, m.val,
		    CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F));
		CUDA(cusparseSpMatSetAttribute(a, CUSPARSE_SPMAT_FILL_MODE, &fill, sizeof fill));
		CUDA(cusparseSpMatSetAttribute(a, CUSPARSE_SPMAT_DIAG_TYPE, &diagonal,
		    sizeof diagonal));
		if (columns == 1)
			open_one(m.n, from, to);
		else
			open_many(m.n, from, to);
	}
	void open_one(int64_t n, float *from, float *to)
	{
		size_t bytes = 0;
		CUDA(cusparseCreateDnVec(&b, n, from, CUDA_R_32F));
		CUDA(cusparseCreateDnVec(&x, n, to, CUDA_R_32F));
		CUDA(cusparseSpSV_createDescr(&solve));
		CUDA(cusparseSpSV_bufferSize(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, a, b,
		    x, CUDA_R_32F, CUSPARSE_SPSV_ALG_DEFAULT, solve, &bytes));
		buffer = allocate<char>(bytes + 1);
		CUDA(cusparseSpSV_analysis(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, a, b, x,
		    CUDA_R_32F, CUSPARSE_SPSV_ALG_DEFAULT, solve, buffer));
	}
	void open_many(int64_t n, float *from, float *to)
	{
		size_t bytes = 0;
		CUDA(cusparseCreateDnMat(&many_b, n, columns, columns, from, CUDA_R_32F,
		    CUSPARSE_ORDER_ROW));
		CUDA(cusparseCreateDnMat(&many_x, n, columns, columns, to, CUDA_R_32F,
		    CUSPARSE_ORDER_ROW));
		CUDA(cusparseSpSM_createDescr(&solve_many));
		CUDA(cusparseSpSM_bufferSize(handle, CUSPARSE_OPERATION_NON_TRANSPOSE,
		    CUSPARSE_OPERATION_NON_TRANSPOSE, &one, a, many_b, many_x, CUDA_R_32F,
		    CUSPARSE_SPSM_ALG_DEFAULT, solve_many, &bytes));
		buffer = allocate<char>(bytes + 1);
		CUDA(cusparseSpSM_analysis(handle, CUSPARSE_OPERATION_NON_TRANSPOSE,
		    CUSPARSE_OPERATION_NON_TRANSPOSE, &one, a, many_b, many_x, CUDA_R_32F,
		    CUSPARSE_SPSM_ALG_DEFAULT, solve_many, buffer));
	}
	solver(const solver &) = delete;
	~solver()
	{
		if (columns == 1) {
			cusparseSpSV_destroyDescr(solve);
			cusparseDestroyDnVec(x);
			cusparseDestroyDnVec(b);
		} else {
			cusparseSpSM_destroyDescr(solve_many);
			cusparseDestroyDnMat(many_x);
			cusparseDestroyDnMat(many_b);
		}
		cusparseDestroySpMat(a);
		cusparseDestroy(handle);
		cudaFree(buffer);
	}
	void operator()() const
	{
		if (columns == 1)
			CUDA(cusparseSpSV_solve(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, a,
			    b, x, CUDA_R_32F, CUSPARSE_SPSV_ALG_DEFAULT, solve));
		else
			CUDA(cusparseSpSM_solve(handle, CUSPARSE_OPERATION_NON_TRANSPOSE,
			    CUSPARSE_OPERATION_NON_TRANSPOSE, &one, a, many_b, many_x, CUDA_R_32F,
			    CUSPARSE_SPSM_ALG_DEFAULT, solve_many));
	}
};

/* The matrix, both solutions and the right side; a row of the table. */
static void solve_row(const char *name, const char *size, const triangle &t, int64_t columns,
    bool masked)
{
	if (!wanted(name))
		return;
	const matrix whole(t, true), part(t, false);
	const size_t cells = (size_t)(t.rows() * columns);
	const int64_t n = t.rows(), nnz = masked ? whole.entries : part.entries;
	const bool upper = t.upper;
	float *const b = allocate<float>(cells), *const x = allocate<float>(cells),
	    *const y = allocate<float>(cells);
	fill_words<<<4096, 256, 0, stream>>>(b, cells, FLOATS, 3);
	const solver other(upper || masked ? whole : part, upper, b, y, columns);
	row r = { name, size, 8.0 * (double)part.entries + 12.0 * (double)cells, (double)cells,
	    CELLS, NONE, nullptr, columns == 1 ? "cuSPARSE SpSV" : "cuSPARSE SpSM", nullptr,
	    nullptr };
	r.ours = [=, &whole, &part](int) {
		if (masked)
			OURS(solve_masked, (n, nnz), whole.row, whole.col, whole.val, b, x);
		else if (columns > 1)
			OURS(solve_many, (n, nnz, columns), part.row, part.col, part.val, b, x);
		else if (upper)
			OURS(solve_upper, (n, nnz), part.row, part.col, part.val, part.d, b, x);
		else
			OURS(solve_lower, (n, nnz), part.row, part.col, part.val, b, x);
	};
	r.anchor = [&](int) { other(); };
	r.difference = [=] { return differ<float>(x, y, cells, 1e-4); };
	r.must_ratio = 1;
	print_row(r);
	for (void *p : { (void *)b, (void *)x, (void *)y })
		cudaFree(p);
}

void solve_works(size_t)
{
	if (!wanted("sparse solve, lower") && !wanted("sparse solve, upper")
	    && !wanted("sparse solve, masked") && !wanted("sparse solve, 8 sides"))
		return;
	const triangle low = lower_factor(4096), small = lower_factor(1024);
	solve_row("sparse solve, lower", "Laplacian 4096^2", low, 1, false);
	solve_row("sparse solve, lower", "Laplacian 1024^2", small, 1, false);
	solve_row("sparse solve, lower", "random, 8 of 2^22", random_rows(1 << 22, 8), 1, false);
	solve_row("sparse solve, upper", "Laplacian 4096^2", upper_factor(4096), 1, false);
	solve_row("sparse solve, masked", "Laplacian 4096^2", low, 1, true);
	solve_row("sparse solve, 8 sides", "Laplacian 1024^2", small, 8, false);
}
