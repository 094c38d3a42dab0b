/* stepping.cu - loops of small steps, which one block runs in one launch where the host finds that
 * this pays, beside the same loops with a launch for each statement in each pass. */
#include "bench.cuh"
#include "launched.h"
#include "loops.h"

static std::string steps(const char *what, int64_t n) { return std::to_string(n) + what; }

static void compared(const char *name, const std::string &size, double cells, const call_fn &ours,
    const call_fn &anchor, const std::function<double()> &difference)
{
	row l = { name, size, 0, cells, CELLS, NONE, ours, "ours, launched", anchor, difference };
	print_row(l);
}

static void durbins(int64_t n, const double *r)
{
	double *const y = (double *)pool[1], *const z = y + n;
	compared("durbin", steps(" steps", n), (double)n * (double)n,
	    [=](int) { OURS(durbin, (n), r, y); },
	    [=](int) { OURS(launched_durbin, (n), r, z); },
	    [=] { return differ<double>(y, z, (size_t)n, 1e-9); });
}
static void lus(int64_t n, const float *from)
{
	float *const a = (float *)pool[1], *const b = a + n * n;
	compared("lu", steps("^2", n), (double)n * (double)n * (double)n / 3,
	    [=](int) { OURS(lu, (n), from, a); },
	    [=](int) { OURS(launched_lu, (n), from, b); },
	    [=] { return differ<float>(a, b, (size_t)(n * n), 1e-4); });
}
static void knapsacks(int64_t capacity, const int32_t *weight)
{
	const int64_t items = 100;
	int32_t *const best = (int32_t *)pool[1], *const other = best + capacity;
	compared("knapsack", steps(", 100 items", capacity), (double)(items * capacity),
	    [=](int) { OURS(knapsack, (items, capacity), weight, weight, best); },
	    [=](int) { OURS(launched_knapsack, (items, capacity), weight, weight, other); },
	    [=] { return differ<int32_t>(best, other, (size_t)capacity, 0.5); });
}
static void lstms(int64_t n, const float *w)
{
	const int64_t passes = 100;
	float *const h = (float *)pool[1], *const c = h + n, *const g = c + n, *const d = g + n;
	compared("lstm", steps(" cells, 100 steps", n), (double)(8 * passes * n * n),
	    [=](int) { OURS(lstm, (passes, n, n), w, w, w, h, c); },
	    [=](int) { OURS(launched_lstm, (passes, n, n), w, w, w, g, d); },
	    [=] { return differ<float>(h, g, (size_t)n, 1e-4); });
}
static void rods(int64_t n)
{
	const int64_t passes = 1000;
	float *const a = (float *)pool[1], *const b = a + n;
	CUDA(cudaMemsetAsync(a, 0, (size_t)(2 * n) * sizeof(float), stream));
	compared("rod", steps(", 1000 steps", n), (double)(passes * n),
	    [=](int) { OURS(rod, (n), passes, a); },
	    [=](int) { OURS(launched_rod, (n), passes, b); }, nullptr);
}

/* Small and decreasing, so that no recursion overflows; a matrix that its diagonal dominates. */
void loop_works()
{
	std::vector<double> r(8192);
	std::vector<float> a(512 * 512);
	std::vector<int32_t> weight(100);
	for (size_t i = 0; i < r.size(); i++)
		r[i] = 0.3 / (double)(i + 1);
	for (size_t i = 0; i < weight.size(); i++)
		weight[i] = (int32_t)(1 + i * 7919 % 97);
	for (size_t i = 0; i < a.size(); i++)
		a[i] = (float)(i * 2654435761u >> 8 & 1023) / 1024 - 0.5F;
	float *const w = upload(a);
	double *const corr = upload(r);
	int32_t *const weights = upload(weight);
	for (const int64_t n : { 50, 400, 2000, 8000 })
		if (wanted("durbin"))
			durbins(n, corr);
	for (const int64_t n : { 16, 32, 64, 128 })
		if (wanted("lstm"))
			lstms(n, w);
	for (const int64_t n : { 16, 64, 128, 192, 256, 512 }) {
		for (size_t i = 0; i < (size_t)(n * n); i++)
			a[i] = i % (size_t)(n + 1) == 0 ? 4.0F
			       : (float)(i * 2654435761u >> 8 & 1023) / 65536;
		float *const matrix = upload(a);
		if (wanted("lu"))
			lus(n, matrix);
		cudaFree(matrix);
	}
	for (const int64_t n : { 256, 1024, 4096, 8192, 16384 }) {
		if (wanted("knapsack"))
			knapsacks(n, weights);
		if (wanted("rod"))
			rods(n);
	}
	cudaFree(w);
	cudaFree(corr);
	cudaFree(weights);
}
