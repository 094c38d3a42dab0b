/* evolving.cu - loops of stencils, several passes a visit of memory, beside the same loops pass by
 * pass. */
#include "bench.cuh"
#include "evolve.h"
#include "stepwise.h"

/* ours and the anchor leave the same cells: the last of both are compared. */
template <typename T, typename F, typename G>
static void compared(const char *name, fill kind, const std::vector<int64_t> &n, int64_t steps,
    F ours, G anchor)
{
	double cells = (double)steps;
	std::string size;
	size_t all = 1;
	for (const int64_t d : n) {
		cells *= (double)d;
		all *= (size_t)d;
		size += (size.empty() ? "" : " x ") + std::to_string(d);
	}
	T *const a = (T *)pool[0], *const b = (T *)pool[1];
	row l = { name, size + ", " + std::to_string(steps) + " steps", 0, cells, CELLS, NONE,
		[=](int) { ours(a); }, "ours, pass by pass", [=](int) { anchor(b); },
		[=] {
			fill_pools(kind);
			CUDA(cudaMemcpyAsync(b, a, 2 * all * sizeof(T), cudaMemcpyDeviceToDevice,
			    stream));
			ours(a);
			anchor(b);
			return differ<T>(a, b, all, 1e-5);
		} };
	l.calls = 1;
	print_row(l);
}

#define PLANE(kernel, T, kind, n, m, steps) \
	compared<T>(#kernel, kind, { n, m }, steps, [=](T *a) { OURS(kernel, (n, m), steps, a); }, \
	    [=](T *a) { OURS(stepwise_##kernel, (n, m), steps, a); })

#define SPACE(kernel, T, kind, l, n, m, steps) \
	compared<T>(#kernel, kind, { l, n, m }, steps, \
	    [=](T *a) { OURS(kernel, (l, n, m), steps, a); }, \
	    [=](T *a) { OURS(stepwise_##kernel, (l, n, m), steps, a); })

/* `passes` of at most `most` passes, beside launches of as many passes as are needed. */
static void until(int64_t n, int64_t passes, int64_t most)
{
	int64_t *const count = (int64_t *)pool[2];
	float *const change = (float *)(count + 1);
	const std::string name = "evolve_until, of " + std::to_string(most);
	compared<float>(name.c_str(), FLOATS, { n, n }, passes,
	    [=](float *a) { OURS(evolve_until, (n, n), passes, most, a, count, change); },
	    [=](float *a) {
		    OURS(stepwise_evolve_until, (n, n), passes, passes, a, count, change);
	    });
}

/* `passes` of at most `most`: it ends when it asks first, or not at all. */
static void every(int64_t n, int64_t passes, int64_t most)
{
	float *const change = (float *)pool[2];
	const std::string name = "evolve_every, of " + std::to_string(most);
	const float least = passes < most ? 1e30f : 0.0f;
	compared<float>(name.c_str(), FLOATS, { n, n }, passes,
	    [=](float *a) { OURS(evolve_every, (n, n), most, least, a, change); },
	    [=](float *a) {
		    OURS(stepwise_evolve_every, (n, n), passes, least, a, change);
	    });
}

void evolve_works()
{
	if (wanted("evolve_five")) {
		PLANE(evolve_five, float, FLOATS, 512, 512, 1000);
		PLANE(evolve_five, float, FLOATS, 1024, 1024, 1000);
		PLANE(evolve_five, float, FLOATS, 2048, 2048, 1000);
		PLANE(evolve_five, float, FLOATS, 4096, 4096, 1000);
		PLANE(evolve_five, float, FLOATS, 16384, 16384, 1000);
	}
	if (wanted("evolve_back")) {
		PLANE(evolve_back, float, FLOATS, 4096, 4096, 1000);
		PLANE(evolve_back, float, FLOATS, 16384, 16384, 1000);
	}
	if (wanted("evolve_red_black")) {
		PLANE(evolve_red_black, float, FLOATS, 4096, 4096, 1000);
		PLANE(evolve_red_black, float, FLOATS, 16384, 16384, 200);
	}
	if (wanted("evolve_five_f64"))
		PLANE(evolve_five_f64, double, DOUBLES, 8192, 8192, 200);
	if (wanted("evolve_nine"))
		PLANE(evolve_nine, float, FLOATS, 16384, 16384, 200);
	if (wanted("evolve_gradient")) {
		PLANE(evolve_gradient, float, FLOATS, 1024, 1024, 1000);
		PLANE(evolve_gradient, float, FLOATS, 16384, 16384, 200);
	}
	if (wanted("evolve_life")) {
		PLANE(evolve_life, uint8_t, BITS, 1024, 1024, 1000);
		PLANE(evolve_life, uint8_t, BITS, 16384, 16384, 200);
	}
	if (wanted("evolve_seven")) {
		SPACE(evolve_seven, float, FLOATS, 128, 128, 128, 1000);
		SPACE(evolve_seven, float, FLOATS, 256, 256, 256, 1000);
		SPACE(evolve_seven, float, FLOATS, 512, 512, 512, 1000);
		SPACE(evolve_seven, float, FLOATS, 400, 640, 1024, 1000);
	}
	if (wanted("evolve_seven_f64"))
		SPACE(evolve_seven_f64, double, DOUBLES, 512, 512, 512, 200);
	if (wanted("evolve_seven_kept"))
		SPACE(evolve_seven_kept, float, FLOATS, 512, 512, 512, 200);
	if (wanted("evolve_cube"))
		SPACE(evolve_cube, float, FLOATS, 512, 512, 512, 1000);
	if (wanted("evolve_until"))
		for (const int64_t n : { 256, 512, 1024, 2048, 4096, 16384 }) {
			until(n, 10, 1000000);
			until(n, 200, 200);
		}
	if (wanted("evolve_every"))
		for (const int64_t n : { 256, 512, 1024, 2048, 4096, 16384 }) {
			every(n, 50, 1000000);
			every(n, 200, 200);
		}
	for (const int64_t n : { 1024, 8192 }) {      /* the first substance is compared */
		const int64_t steps = 200;
		if (!wanted("evolve_pair"))
			break;
		compared<float>("evolve_pair", FLOATS, { n, n }, steps,
		    [=](float *u) { OURS(evolve_pair, (n, n), steps, u, u + n * n); },
		    [=](float *u) { OURS(stepwise_evolve_pair, (n, n), steps, u, u + n * n); });
	}
}
