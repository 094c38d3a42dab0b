/* tune_judge.c - decides which of two texts is faster, by the rows of several alternating runs. */
#include "tune.h"

#include <math.h>
#include <stdlib.h>

static const double gain_least = 0.02, loss_most = 0.01;

static double seconds_of(const json_t *rows, size_t row)
{
	return row_number(json_array_get(rows, row), "seconds");
}

bool row_within(const json_t *row, struct extent e)
{
	const json_t *size = json_object_get(json_object_get(row, "sizes"), e.name ? e.name : "");
	const int64_t n = json_integer_value(size);
	return !e.name || (e.least <= n && n <= e.most);
}

static double ratio_of(const json_t *rows, const json_t *base, struct extent e)
{
	double sum = 0;
	int n = 0;
	if (!rows || !base || json_array_size(rows) != json_array_size(base))
		return (double)INFINITY;
	for (size_t i = 0; i < json_array_size(base); i++)
		if (row_within(json_array_get(base, i), e))
			sum += log(seconds_of(rows, i) / seconds_of(base, i)), n++;
	return n && isfinite(sum) ? exp(sum / n) : (double)INFINITY;
}

static int order(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

/* The greatest of the medians of each row's times over those of the base. */
static double worst_row(json_t *const *run, json_t *const *base, int runs, struct extent e)
{
	double worst = 0, x[TUNE_RUNS];
	for (size_t row = 0; row < json_array_size(base[0]); row++) {
		if (!row_within(json_array_get(base[0], row), e))
			continue;
		for (int k = 0; k < runs; k++)
			x[k] = seconds_of(run[k], row) / seconds_of(base[k], row);
		qsort(x, (size_t)runs, sizeof *x, order);
		worst = fmax(worst, x[runs / 2]);
	}
	return worst;
}

double rows_score(json_t *rows, json_t *base, struct extent e)
{
	const double ratio = ratio_of(rows, base, e);
	return isfinite(ratio) ? ratio * fmax(1, worst_row(&rows, &base, 1, e) / (1 + loss_most))
		: ratio;
}

struct verdict tune_judge(json_t *const *run, json_t *const *base, int runs, struct extent e)
{
	double x[TUNE_RUNS];
	struct verdict v = { .ratio = (double)INFINITY };
	for (int k = 0; k < runs; k++)
		x[k] = ratio_of(run[k], base[k], e);
	qsort(x, (size_t)runs, sizeof *x, order);
	if (runs < 1 || !isfinite(x[runs - 1]))
		return v;
	const double spread = (x[runs - 1 - runs / 4] - x[runs / 4]) / 2;
	v.ratio = x[runs / 2];
	v.no_slower = worst_row(run, base, runs, e) <= 1 + loss_most;
	v.faster = v.no_slower && v.ratio < 1 - gain_least && v.ratio < 1 - spread;
	return v;
}

json_t *rows_median(json_t *const *run, int runs)
{
	json_t *rows = json_array();
	for (size_t row = 0; row < json_array_size(run[0]); row++) {
		double x[TUNE_RUNS];
		for (int k = 0; k < runs; k++)
			x[k] = seconds_of(run[k], row);
		qsort(x, (size_t)runs, sizeof *x, order);
		for (int k = 0; k < runs; k++)
			if (seconds_of(run[k], row) == x[runs / 2]) {
				json_array_append(rows, json_array_get(run[k], row));
				break;
			}
	}
	return rows;
}
