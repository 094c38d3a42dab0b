/* band.cu - tridiagonal systems beside cuSPARSE's gtsv2, which exchanges no rows in batches either.
 * Diagonals are from 3 to 5, what is beside them from -1 to 1. */
#include <cusparse.h>

#include "banded.h"
#include "bench.cuh"

static cusparseHandle_t handle()
{
	static cusparseHandle_t h;
	if (!h) {
		CUDA(cusparseCreate(&h));
		CUDA(cusparseSetStream(h, stream));
	}
	return h;
}

__global__ static void fill(float *a, int64_t n, float from, float to, uint32_t seed)
{
	const int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	uint32_t h = (uint32_t)i * 9781u + seed;
	for (int k = 0; k < 3; k++)
		h = (h ^ h >> 15) * 0x2c1b3c6du;
	a[i] = from + (to - from) * (float)(h >> 8) / (1 << 24);
}

/* cuSPARSE writes its results over the right side, and its interleaved batch over all it reads:
 * what each call reads is renewed before. */
struct band {
	int64_t n, s, all;
	float *a, *b, *c, *d, *x;                /* what ours reads and writes */
	float *lower, *diagonal, *upper, *right; /* what cuSPARSE reads and writes */
	char *buffer;
	band(int64_t rows, int64_t systems, bool interleaved) : n(rows), s(systems), all(n * s)
	{
		float **const to[] = { &a, &b, &c, &d, &x, &lower, &diagonal, &upper, &right };
		for (float **p : to)
			*p = allocate<float>((size_t)all);
		const unsigned blocks = (unsigned)((all + 255) / 256);
		fill<<<blocks, 256, 0, stream>>>(a, all, -1, 1, 1);
		fill<<<blocks, 256, 0, stream>>>(b, all, 3, 5, 2);
		fill<<<blocks, 256, 0, stream>>>(c, all, -1, 1, 3);
		fill<<<blocks, 256, 0, stream>>>(d, all, -1, 1, 4);
		/* cuSPARSE has no row before the first one, nor one after the last */
		for (float *p : { a, c }) {
			const int64_t edge = p == a ? 0 : n - 1;
			if (interleaved)
				CUDA(cudaMemsetAsync(p + edge * s, 0, (size_t)s * 4, stream));
			else
				CUDA(cudaMemset2DAsync(p + edge, (size_t)n * 4, 0, 4, (size_t)s,
				    stream));
		}
		size_t bytes = 0;
		if (interleaved)
			CUDA(cusparseSgtsvInterleavedBatch_bufferSizeExt(handle(), 0, (int)n, lower,
			    diagonal, upper, right, (int)s, &bytes));
		else if (s > 1)
			CUDA(cusparseSgtsv2StridedBatch_bufferSizeExt(handle(), (int)n, lower,
			    diagonal, upper, right, (int)s, (int)n, &bytes));
		else
			CUDA(cusparseSgtsv2_nopivot_bufferSizeExt(handle(), (int)n, 1, lower,
			    diagonal, upper, right, (int)n, &bytes));
		buffer = allocate<char>(bytes + 1);
		renew();
	}
	~band()
	{
		for (float *p : { a, b, c, d, x, lower, diagonal, upper, right })
			CUDA(cudaFree(p));
		CUDA(cudaFree(buffer));
	}
	void renew() const
	{
		const float *const from[] = { a, b, c, d };
		float *const to[] = { lower, diagonal, upper, right };
		for (int k = 0; k < 4; k++)
			CUDA(cudaMemcpyAsync(to[k], from[k], (size_t)all * 4,
			    cudaMemcpyDeviceToDevice, stream));
	}
};

/* ours, and cuSPARSE's call, which must: G rows/s. */
template <class F, class G>
static void systems(const char *name, const band &s, double must, F ours, G anchor)
{
	row r = { name, std::to_string(s.s) + " of " + std::to_string(s.n) + " f32",
	    20.0 * (double)s.all, (double)s.all, CELLS, COPY, [=](int) { ours(); }, "cuSPARSE",
	    [=](int) { anchor(); },
	    [&s, ours, anchor] {
		s.renew();
		ours();
		anchor();
		return differ<float>(s.x, s.right, (size_t)s.all, 1e-5);
	    } };
	r.calls = 1;
	r.prepare = [&s](int) { s.renew(); };
	r.must_rate = must;
	print_row(r);
}

static void along(int64_t n, int64_t systems_, double must)
{
	const band s(n, systems_, false);
	const int rows = (int)n, count = (int)systems_;
	systems("tridiagonal, along", s, must,
	    [&] { OURS(banded_along, (s.s, s.n), s.a, s.b, s.c, s.d, s.x); },
	    [&] {
		if (count > 1)
			CUDA(cusparseSgtsv2StridedBatch(handle(), rows, s.lower, s.diagonal,
			    s.upper, s.right, count, rows, s.buffer));
		else
			CUDA(cusparseSgtsv2_nopivot(handle(), rows, 1, s.lower, s.diagonal, s.upper,
			    s.right, rows, s.buffer));
	    });
}

static void across(int64_t n, int64_t systems_, double must)
{
	const band s(n, systems_, true);
	systems("tridiagonal, across", s, must,
	    [&] { OURS(banded_across, (s.n, s.s), s.a, s.b, s.c, s.d, s.x); },
	    [&] {
		CUDA(cusparseSgtsvInterleavedBatch(handle(), 0, (int)s.n, s.lower, s.diagonal,
		    s.upper, s.right, (int)s.s, s.buffer));
	    });
}

void band_works()
{
	const int64_t million = 1 << 20;
	if (wanted("tridiagonal, along")) {
		along(64, million, 120);
		along(256, million / 4, 0);
		along(512, million / 8, 90);
		along(4096, million / 64, 60);
		along(million, 64, 50);
		along(64 * million, 1, 60);
	}
	if (wanted("tridiagonal, across")) {
		across(64, million, 0);
		across(256, million / 4, 0);
		across(512, million / 8, 0);
		across(4096, million / 64, 0);
	}
}
