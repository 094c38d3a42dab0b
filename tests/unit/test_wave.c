/* test_wave.c - wavefronts by the reference interpreter: its bounds hold for the groupings that
 * laws allow, which are computed here, and are not much larger than they have to be.  (What cells
 * are is tested in tests/lang.) */
#include "patc.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "execute.h"

enum { ROWS = 90, COLUMNS = 75, CELLS = ROWS * COLUMNS, BLOCK = 16 };

static float p[CELLS], a[CELLS], other[CELLS];
static double error[CELLS];

static void run_wave(const char *equation)
{
	int64_t size[] = { ROWS, COLUMNS };
	void *data[] = { p, a };
	double *errors[] = { NULL, error };
	assert_int_equal(execute(str_print("kernel f(p: f32[m, n], out a: f32[m, n]) "
	                                   "{\n\twavefront a[i, j] = %s;\n}\n",
	                                   equation),
	                         size, data, errors),
	                 ST_OK);
}

/* -1 .. 1, or what is left of that above low */
static void fill(double low)
{
	uint32_t x = 12345;
	for (int i = 0; i < CELLS; i++) {
		x = x * 1664525 + 1013904223;
		double f = (double)(x >> 8) / (1 << 23) - 1;
		p[i] = (float)(f < low ? low + fabs(f) : f);
	}
}

/* v[i] += w * v[i - 1], n values with a distance: blocks from nothing, then what comes before them.
 * */
static void weighted_scan(float *v, int n, int step, float w)
{
	for (int from = 0; from < n; from += BLOCK) {
		float far = w;
		for (int i = from + 1; i < n && i < from + BLOCK; i++)
			v[i * step] = v[i * step] + w * v[(i - 1) * step];
		for (int i = from; from && i < n && i < from + BLOCK; i++) {
			v[i * step] = v[i * step] + far * v[(from - 1) * step];
			far = far * w;
		}
	}
}

static void two_scans(float left, float above)
{
	memcpy(other, p, sizeof p);
	for (int i = 0; i < ROWS; i++)
		weighted_scan(other + (ptrdiff_t)i * COLUMNS, COLUMNS, 1, left);
	for (int j = 0; j < COLUMNS; j++)
		weighted_scan(other + j, ROWS, COLUMNS, above);
}

static float cell(int i, int j)
{
	return i < 0 || j < 0 ? 0 : other[i * COLUMNS + j];
}

/* Row by row: what the row above gives, then a scan of the row. */
static void compensated(float left, float above, float corner)
{
	for (int i = 0; i < ROWS; i++) {
		for (int j = 0; j < COLUMNS; j++)
			other[i * COLUMNS + j] = above * cell(i - 1, j)
			                         + corner * cell(i - 1, j - 1) + p[i * COLUMNS + j];
		weighted_scan(other + (ptrdiff_t)i * COLUMNS, COLUMNS, 1, left);
	}
}

/* The other evaluation is within the bound; the bound is at most `most` units of the sum of
 * magnitudes, `size`. */
static void expect_near(double most, const double *size)
{
	for (int i = 0; i < CELLS; i++) {
		double off = fabs((double)a[i] - (double)other[i]);
		if (!(off <= error[i]))
			fail_msg("cell %d: %g is %g off, which is more than %g", i,
			         (double)other[i], off, error[i]);
		if (!(error[i] <= most * FLT_EPSILON * (size[i] + 1)))
			fail_msg("cell %d: a bound of %g for a size of %g", i, error[i], size[i]);
	}
}

/* Sums of magnitudes by the weights of two scans. */
static const double *sizes(double left, double above)
{
	static double s[CELLS];
	for (int i = 0; i < CELLS; i++) {
		bool row = i >= COLUMNS, column = i % COLUMNS;
		s[i] = (double)fabsf(p[i]) + (column ? left * s[i - 1] : 0)
		       + (row ? above * s[i - COLUMNS] : 0)
		       - (row && column ? left * above * s[i - COLUMNS - 1] : 0);
	}
	return s;
}

/* Roundings of all cells add up: 4 units times the root of a third of their number, a 24th of a unit
 * times their number, and chance. */
static void summed_areas_are_scans(void **state)
{
	(void)state;
	for (int k = 0; k < 2; k++) {
		fill(k ? 0 : -1);
		run_wave("p[i, j] + a[i-1, j] + a[i, j-1] - a[i-1, j-1] boundary 0");
		two_scans(1, 1);
		expect_near(520, sizes(1, 1));
		compensated(1, 1, -1);
		expect_near(520, sizes(1, 1));
	}
}

static void decaying_sums_are_scans(void **state)
{
	(void)state;
	fill(-1);
	run_wave("p[i, j] + 0.9 * a[i-1, j] + 0.8 * a[i, j-1] - 0.72 * a[i-1, j-1] boundary 0");
	two_scans(0.8f, 0.9f);
	expect_near(40, sizes(0.8, 0.9));
	compensated(0.8f, 0.9f, -0.72f);
	expect_near(40, sizes(0.8, 0.9));
}

/* One sweep of SOR: weights that add up to less than 1. */
static void relaxation_forgets(void **state)
{
	static double one[CELLS];
	(void)state;
	fill(-1);
	run_wave("(p[i, j] + a[i-1, j] + a[i, j-1] + a[i-1, j-1]) / 5 boundary 0");
	compensated(0.2f, 0.2f, 0.2f);       /* of p / 5 */
	for (int i = 0; i < CELLS; i++) {
		other[i] = other[i] / 5;
		one[i] = 1;
	}
	expect_near(20, one);
}

/* Weights of both signs that no two scans have, of a filter whose values stay small. */
static void filters_have_small_bounds(void **state)
{
	static double one[CELLS];
	(void)state;
	fill(-1);
	run_wave("p[i, j] + 0.5 * a[i-1, j] - 0.75 * a[i, j-1] + 0.25 * a[i-1, j-1] boundary 0");
	compensated(-0.75f, 0.5f, 0.25f);
	for (int i = 0; i < CELLS; i++)
		one[i] = 10;
	expect_near(60, one);
}

/* A weight of 1 1/4 in two terms or in one: a row rounds like the one before, and errors add up. */
static void equal_steps_round_alike(void **state)
{
	enum { SIDE = 265 };
	static float y[SIDE * SIDE], bare[SIDE];
	static double bound[SIDE * SIDE];
	int64_t n = SIDE;
	void *data[] = { y };
	double *errors[] = { bound };
	(void)state;
	assert_int_equal(execute("kernel f(out y: f32[n, n]) {\n\twavefront y[i, j] = y[i-2, j] + "
	                         "16.28 + 0.25 * y[i-2, j] + 0.25 * y[i, j-1] "
	                         "boundary (f32(j) + 1.5);\n}\n",
	                         &n, data, errors),
	                 ST_OK);
	for (int j = 0; j < SIDE; j++)
		bare[j] = (float)j + 1.5f;
	for (int i = 0; i < SIDE; i += 2)
		for (int j = 0; j < SIDE; j++) {
			bare[j] = fmaf(0.25f, j ? bare[j - 1] : 0.5f, fmaf(1.25f, bare[j], 16.28f));
			double off = fabs((double)bare[j] - (double)y[i * SIDE + j]);
			if (!(off <= bound[i * SIDE + j]))
				fail_msg("row %d: %g is more than %g", i, off, bound[i * SIDE + j]);
		}
}

static void best_paths_are_near(void **state)
{
	static double size[CELLS];
	(void)state;
	fill(-1);
	run_wave("max(max(a[i, j-1] - 0.3, a[i-1, j] - 0.7), max(a[i-1, j-1] + p[i, j], 0)) "
	         "boundary 0");
	memcpy(other, a, sizeof a);
	for (int i = 0; i < CELLS; i++) {
		size[i] = i ? fmax(size[i - 1], (double)a[i]) : (double)a[i];
		assert_true(error[i] > 0 || a[i] < 1);
	}
	expect_near(4 * (ROWS + COLUMNS), size);
}

static void infinite_borders_are_certain(void **state)
{
	(void)state;
	fill(0);
	run_wave("min(min(a[i-1, j], a[i, j-1]), a[i-1, j-1]) + p[i, j] boundary (i < 0 && j < 0 ? "
	         "0 : inf)");
	for (int i = 0; i < CELLS; i++)
		assert_true(isfinite(a[i]) && error[i] < 1e-2);
}

static void what_is_no_number_is_open(void **state)
{
	(void)state;
	fill(-1);
	p[CELLS / 2] = NAN;
	run_wave("p[i, j] + a[i-1, j] + a[i, j-1] - a[i-1, j-1] boundary 0");
	assert_true(isinf(error[CELLS / 2]) && isinf(error[CELLS - 1])
	            && error[CELLS / 2 - COLUMNS] < 1);
}

static void strict_has_one_result(void **state)
{
	(void)state;
	fill(-1);
	run_wave("p[i, j] + a[i-1, j] + a[i, j-1] - a[i-1, j-1] boundary 0 strict");
	for (int i = 0; i < CELLS; i++)
		assert_true(error[i] == 0);
}

static void integers_end_where_laws_do(void **state)
{
	int64_t size[] = { 2, 3 }, x[] = { 1, 2, 3, 4, INT64_MAX / 2, INT64_MAX / 2 }, y[6];
	double bounds[6];
	void *data[] = { x, y };
	double *errors[] = { NULL, bounds };
	(void)state;
	assert_int_equal(execute("kernel f(x: i64[m, n], out y: i64[m, n]) {\n"
	                         "\twavefront y[i, j] = max(y[i-1, j], y[i, j-1] + x[i, j]) "
	                         "boundary 0;\n}\n",
	                         size, data, errors),
	                 ST_OK);
	assert_true(bounds[3] == 0 && bounds[4] == 0 && isinf(bounds[5]) && y[3] == 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(summed_areas_are_scans),
		cmocka_unit_test(decaying_sums_are_scans),
		cmocka_unit_test(relaxation_forgets),
		cmocka_unit_test(filters_have_small_bounds),
		cmocka_unit_test(equal_steps_round_alike),
		cmocka_unit_test(best_paths_are_near),
		cmocka_unit_test(infinite_borders_are_certain),
		cmocka_unit_test(what_is_no_number_is_open),
		cmocka_unit_test(strict_has_one_result),
		cmocka_unit_test(integers_end_where_laws_do),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
