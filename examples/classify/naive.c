/* naive.c - see naive.h. */
#include <math.h>

#include "naive.h"

static int64_t inside(int64_t i, int64_t n)
{
	return i < 0 ? 0 : i < n ? i : n - 1;
}

double naive_window(const float *x, int64_t n, int64_t m, int64_t channels, int64_t i, int64_t j,
		    const float *f, double bias)
{
	double sum = bias;
	for (int64_t r = 0; r < 3; r++)
		for (int64_t s = 0; s < 3; s++) {
			int64_t at = inside(i + r - 1, n) * m + inside(j + s - 1, m);
			for (int64_t c = 0; c < channels; c++)
				sum += (double)x[at * channels + c] * f[(r * 3 + s) * channels + c];
		}
	return sum > 0 ? sum : 0;
}

double naive_mean(const float *x, int64_t m, int64_t channels, int64_t i, int64_t j, int64_t o)
{
	double sum = 0;
	for (int64_t r = i; r < i + 8; r++)
		for (int64_t s = j; s < j + 8; s++)
			sum += x[(r * m + s) * channels + o];
	return sum / 64;
}

void naive_judge(const float *feature, int64_t channels, const float *weight, int64_t classes,
		 double *chance)
{
	double total = 0;
	for (int64_t k = 0; k < classes; k++) {
		double score = 0;
		for (int64_t c = 0; c < channels; c++)
			score += (double)feature[c] * weight[k * channels + c];
		total += chance[k] = exp(score);
	}
	for (int64_t k = 0; k < classes; k++)
		chance[k] /= total;
}

void naive_step(const float *feature, const int32_t *known, int64_t n, int64_t channels,
		int64_t classes, double rate, double *weight)
{
	for (int64_t at = 0; at < classes * channels; at++)
		weight[at] = 0;
	for (int64_t i = 0; i < n; i++)
		for (int64_t k = 0; k < classes; k++)
			for (int64_t c = 0; c < channels; c++)
				weight[k * channels + c] -= rate / (double)n
					* (1.0 / (double)classes - (known[i] == k))
					* feature[i * channels + c];
}
