/* A network of one hidden layer learns one example: a block adds up for a unit, a thread adjusts a
 * weight */
#include "plain.cuh"

static __global__ void forward(int64_t n, int64_t m, const float *from, const float *w, float *to)
{
	int64_t j = 1 + (int64_t)blockIdx.x;
	double sum = 0;
	for (int64_t k = threadIdx.x; k <= n && j <= m; k += 256)
		sum += w[k * (m + 1) + j] * from[k];
	sum = block_sum(sum);
	if (threadIdx.x == 0 && j <= m)
		to[j] = 1 / (1 + expf(-(float)sum));
	if (threadIdx.x == 0 && j == 1)
		to[0] = 1;
}

static __global__ void output_error(int64_t out, const float *output, const float *target,
	float *delta, float *error)
{
	double sum = 0;
	for (int64_t j = 1 + threadIdx.x; j <= out; j += 256) {
		delta[j] = output[j] * (1 - output[j]) * (target[j] - output[j]);
		sum += fabsf(delta[j]);
	}
	sum = block_sum(sum);
	if (threadIdx.x == 0)
		*error = (float)sum;
}

static __global__ void hidden_error(int64_t hid, int64_t out, const float *hidden,
	const float *delta_o, const float *w2, float *delta_h, float *error)
{
	double sum = 0;
	for (int64_t j = 1 + threadIdx.x; j <= hid; j += 256) {
		float all = 0;
		for (int64_t k = 1; k <= out; k++)
			all += delta_o[k] * w2[j * (out + 1) + k];
		delta_h[j] = hidden[j] * (1 - hidden[j]) * all;
		sum += fabsf(delta_h[j]);
	}
	sum = block_sum(sum);
	if (threadIdx.x == 0)
		*error = (float)sum;
}

static __global__ void adjust(int64_t n, int64_t m, const float *delta, const float *from, float *w,
	float *old)
{
	int64_t at = AT_X, k = at / (m + 1), j = at % (m + 1);
	if (k > n || j == 0)
		return;
	old[at] = 0.3f * delta[j] * from[k] + 0.3f * old[at];
	w[at] += old[at];
}

extern "C" void backprop_cuda(int64_t in, int64_t out, int64_t hid, const float *input,
	const float *target, float *w1, float *w2, float *old1, float *old2, float *output,
	float *out_err, float *hid_err)
{
	float *hidden = scratch<float>(0, hid + 1), *delta_h = scratch<float>(1, hid + 1);
	float *delta_o = scratch<float>(2, out + 1);
	forward<<<blocks(hid, 1), 256>>>(in, hid, input, w1, hidden);
	forward<<<blocks(out, 1), 256>>>(hid, out, hidden, w2, output);
	output_error<<<1, 256>>>(out, output, target, delta_o, out_err);
	hidden_error<<<1, 256>>>(hid, out, hidden, delta_o, w2, delta_h, hid_err);
	adjust<<<LINE((hid + 1) * (out + 1))>>>(hid, out, delta_o, hidden, w2, old2);
	adjust<<<LINE((in + 1) * (hid + 1))>>>(in, hid, delta_h, input, w1, old1);
	finish();
}
