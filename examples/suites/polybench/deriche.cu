/* Deriche's edge detector: a thread goes along a row both ways, then one along a column */
#include "plain.cuh"

struct weights {
	float k, a2, a3, a4, b1, b2;
};

/* A line of n cells, `step` apart, there and back; `in` and `out` may be the same. */
static __device__ void line(struct weights w, int64_t n, int64_t step, const float *in, float *y1,
	float *y2, float *out)
{
	float x1 = 0, x2 = 0, s1 = 0, s2 = 0;
	for (int64_t i = 0; i < n; i++) {
		float s = w.k * in[i * step] + w.a2 * x1 + w.b1 * s1 + w.b2 * s2;
		y1[i * step] = s;
		x1 = in[i * step], s2 = s1, s1 = s;
	}
	x1 = x2 = s1 = s2 = 0;
	for (int64_t i = n - 1; i >= 0; i--) {
		float s = w.a3 * x1 + w.a4 * x2 + w.b1 * s1 + w.b2 * s2;
		y2[i * step] = s;
		x2 = x1, x1 = in[i * step], s2 = s1, s1 = s;
	}
	for (int64_t i = 0; i < n; i++)
		out[i * step] = y1[i * step] + y2[i * step];
}

static __global__ void rows(struct weights k, int64_t w, int64_t h, const float *in, float *y1,
	float *y2, float *out)
{
	int64_t i = AT_X;
	if (i < w)
		line(k, h, 1, in + i * h, y1 + i * h, y2 + i * h, out + i * h);
}

static __global__ void columns(struct weights k, int64_t w, int64_t h, const float *in, float *y1,
	float *y2, float *out)
{
	int64_t j = AT_X;
	if (j < h)
		line(k, w, h, in + j, y1 + j, y2 + j, out + j);
}

extern "C" void deriche_cuda(int64_t w, int64_t h, float alpha, const float *imgIn, float *imgOut)
{
	float *y1 = scratch<float>(0, w * h), *y2 = scratch<float>(1, w * h);
	float e = expf(-alpha), k = (1 - e) * (1 - e) / (1 + 2 * alpha * e - expf(2 * alpha));
	struct weights all = { k, k * e * (alpha - 1), k * e * (alpha + 1), -k * expf(-2 * alpha),
		powf(2, -alpha), -expf(-2 * alpha) };
	rows<<<LINE(w)>>>(all, w, h, imgIn, y1, y2, imgOut);
	columns<<<LINE(h)>>>(all, w, h, imgOut, y1, y2, imgOut);
	finish();
}
