/* A network of one hidden layer learns one example
 * shapes: in_=131 out_=1 hid=16; in_=1 out_=1 hid=1; in_=37 out_=5 hid=67
 * bench: in_=65536 out_=1 hid=16
 * within: 1e-4 */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

/* The weights are small, so that no unit is far out. */
void backprop_init(int64_t in, int64_t out, int64_t hid, float input[in + 1], float target[out + 1],
	float w1[in + 1][hid + 1], float w2[hid + 1][out + 1], float old1[in + 1][hid + 1], float old2[hid + 1][out + 1],
	float output[out + 1], float *out_err, float *hid_err)
{
	(void)target, (void)old1, (void)old2, (void)output, (void)out_err, (void)hid_err;
	input[0] = 1;
	for (int64_t k = 0; k <= in; k++)
		for (int64_t j = 0; j <= hid; j++)
			w1[k][j] = (w1[k][j] - 0.5f) / (float)(in + 1);
	for (int64_t k = 0; k <= hid; k++)
		for (int64_t j = 0; j <= out; j++)
			w2[k][j] = (w2[k][j] - 0.5f) / (float)(hid + 1);
}

static void forward(int64_t n, int64_t m, float from[n + 1], float w[n + 1][m + 1], float to[m + 1])
{
	to[0] = 1;
#pragma omp parallel for
	for (int64_t j = 1; j <= m; j++) {
		float sum = 0;
		for (int64_t k = 0; k <= n; k++)
			sum += w[k][j] * from[k];
		to[j] = 1 / (1 + expf(-sum));
	}
}

static void adjust(int64_t n, int64_t m, float delta[m + 1], float from[n + 1], float w[n + 1][m + 1],
	float old[n + 1][m + 1])
{
#pragma omp parallel for
	for (int64_t k = 0; k <= n; k++)
		for (int64_t j = 1; j <= m; j++) {
			old[k][j] = 0.3f * delta[j] * from[k] + 0.3f * old[k][j];
			w[k][j] += old[k][j];
		}
}

void backprop_reference(int64_t in, int64_t out, int64_t hid, float input[in + 1], float target[out + 1],
	float w1[in + 1][hid + 1], float w2[hid + 1][out + 1], float old1[in + 1][hid + 1], float old2[hid + 1][out + 1],
	float output[out + 1], float *out_err, float *hid_err)
{
	float *hidden = malloc((size_t)(hid + 1) * sizeof *hidden), *delta_h = malloc((size_t)(hid + 1) * sizeof *delta_h);
	float *delta_o = malloc((size_t)(out + 1) * sizeof *delta_o);
	forward(in, hid, input, w1, hidden);
	forward(hid, out, hidden, w2, output);
	*out_err = *hid_err = 0;
	for (int64_t j = 1; j <= out; j++) {
		delta_o[j] = output[j] * (1 - output[j]) * (target[j] - output[j]);
		*out_err += fabsf(delta_o[j]);
	}
	for (int64_t j = 1; j <= hid; j++) {
		float sum = 0;
		for (int64_t k = 1; k <= out; k++)
			sum += delta_o[k] * w2[j][k];
		delta_h[j] = hidden[j] * (1 - hidden[j]) * sum;
		*hid_err += fabsf(delta_h[j]);
	}
	adjust(hid, out, delta_o, hidden, w2, old2);
	adjust(in, hid, delta_h, input, w1, old1);
	free(hidden);
	free(delta_h);
	free(delta_o);
}
