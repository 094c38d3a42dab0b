/* test_recur.c - recurrences by the reference interpreter: values worked out by hand, and bounds
 * that hold for other groupings, which are computed here, and are not much larger than they have to
 * be. */
#include "patc.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "execute.h"

enum { CELLS = 6, LONG = 3000 };

/* ---- by hand: x = 1 .. 6, b = 2 -1 0 3 1 -2, y = -1 before ---- */

static int run_recur(const char *equation, int32_t *y, double *error)
{
	int64_t size[] = { CELLS, 3 };
	int32_t x[] = { 1, 2, 3, 4, 5, 6 }, b[] = { 2, -1, 0, 3, 1, -2 }, off[] = { 0, 2, 5 },
		h[] = { 0, 0, 1, 1, 0, 0 };
	void *data[] = { x, b, h, off, y };
	double *errors[] = { NULL, NULL, NULL, NULL, error };
	for (int i = 0; i < CELLS; i++)
		y[i] = -1;
	return execute(str_print("kernel f(x: i32[n], b: i32[n], h: i32[n], off: i32[s], inout y: "
	                         "i32[n]) {\n"
	                         "\tscan %s;\n}\n",
	                         equation),
	               size, data, error ? errors : NULL);
}

static void expect(const char *equation, const int32_t *expected)
{
	int32_t y[CELLS];
	assert_int_equal(run_recur(equation, y, NULL), ST_OK);
	same_i32(y, expected, CELLS);
}

static void recurrences_run(void **state)
{
	(void)state;
	expect("y[i] = (y[i-1] ○ b[i]) ◇ x[i] using ○ = *, ◇ = +",
	       (int32_t[]){ 1, 1, 3, 13, 18, -30 });
	expect("y[i] = y[i-1] * b[i] + x[i]", (int32_t[]){ 1, 1, 3, 13, 18, -30 });
	expect("y[i] = y[i-1] * b[i] + x[i] from 10", (int32_t[]){ 21, -19, 3, 13, 18, -30 });
	expect("y[i] = y[i+1] * b[i] + x[i]", (int32_t[]){ -1, -1, 3, 37, 11, 6 });
	expect("y[i] = 2 * y[i-1] + x[i]", (int32_t[]){ 1, 4, 11, 26, 57, 120 });
	expect("y[i] = y[i-1] + y[i-2] + x[i]", (int32_t[]){ 1, 3, 7, 14, 26, 46 });
	expect("y[i] = y[i-1] - 2 * y[i-2] + x[i] from (10, 20)",
	       (int32_t[]){ -29, -47, 14, 112, 89, -129 });
	expect("y[i] = max(y[i-1] + b[i], x[i])", (int32_t[]){ 1, 2, 3, 6, 7, 6 });
	expect("y[i] = min(max(y[i-1], b[i]), x[i]) from 3", (int32_t[]){ 1, 1, 1, 3, 3, 3 });
	expect("y[i] = y[i-1] * b[i] + x[i] segments off", (int32_t[]){ 1, 1, 3, 13, 18, -1 });
	expect("y[i] = y[i-1] * b[i] + x[i] heads h from 1", (int32_t[]){ 3, -1, 3, 7, 12, -18 });
	expect("y[i] = y[i+1] * b[i] + x[i] of 4", (int32_t[]){ -1, -1, 3, 4, 11, 6 });
}

static void integers_end_where_laws_do(void **state)
{
	int64_t n = 3;
	int64_t x[] = { 5, 0, 0 }, b[] = { 0, INT64_MAX / 2, INT64_MAX / 2 + 100 }, y[3];
	double error[3];
	void *data[] = { x, b, y };
	double *errors[] = { NULL, NULL, error };
	(void)state;
	assert_int_equal(execute("kernel f(x: i64[n], b: i64[n], out y: i64[n]) {\n"
	                         "\tscan y[i] = max(y[i-1] + b[i], x[i]);\n}\n",
	                         &n, data, errors),
	                 ST_OK);
	assert_true(error[0] == 0 && error[1] == 0 && isinf(error[2]) && y[1] == INT64_MAX / 2 + 5);
}

/* ---- other groupings ---- */

enum kind { LINEAR, MAX_PLUS, MIN_MAX };

static float join(enum kind k, float y, float w, float x)
{
	volatile float t = k == LINEAR ? y * w : k == MAX_PLUS ? y + w : fmaxf(y, w);
	return k == LINEAR ? t + x : k == MAX_PLUS ? fmaxf(t, x) : fminf(t, x);
}

static float weigh(enum kind k, float v, float w)
{
	return k == LINEAR ? v * w : k == MAX_PLUS ? v + w : fmaxf(v, w);
}

struct data { enum kind kind; float x[LONG], b[LONG], y[LONG]; double error[LONG]; };

/* Cells in blocks, the maps of which are composed; from each block's the value before the next one.
 * */
static void in_blocks(const struct data *d, int block)
{
	float before = 0;
	for (int at = 0; at < LONG; at += block) {
		float w = 0, x = 0;
		for (int i = at; i < at + block && i < LONG; i++) {
			w = i == at ? d->b[i] : weigh(d->kind, w, d->b[i]);
			x = i == at ? d->x[i] : join(d->kind, x, d->b[i], d->x[i]);
			float y = at ? join(d->kind, before, w, x) : x;
			double off = fabs((double)y - (double)d->y[i]);
			if (!isinf(d->error[i]) && !(off <= d->error[i])
			    && !(isnan(y) && isnan(d->y[i])) && y != d->y[i])
				fail_msg("blocks of %d, cell %d: %g is off %g by %g, bound %g",
				         block, i, (double)y, (double)d->y[i], off, d->error[i]);
		}
		before = at ? join(d->kind, before, w, x) : x;
	}
}

static void group(struct data *d, const char *equation)
{
	int64_t n = LONG;
	void *data[] = { d->x, d->b, d->y };
	double *errors[] = { NULL, NULL, d->error };
	assert_int_equal(execute(str_print("kernel f(x: f32[n], b: f32[n], out y: f32[n]) "
	                                   "{\n\tscan y[i] = %s;\n}\n",
	                                   equation),
	                         &n, data, errors),
	                 ST_OK);
	for (int block = 1; block < 2 * LONG; block *= 3)
		in_blocks(d, block);
}

static uint64_t chance = 1;
static float some(float from, float to)
{
	chance = chance * 6364136223846793005u + 1442695040888963407u;
	return from + (to - from) * (float)(chance >> 40) / (float)(1 << 24);
}

/* The largest bound, relative to the largest value; weights from..to, and x. */
static double group_of(enum kind kind, const char *equation, float from, float to, float x)
{
	static struct data d;
	double most = 0, error = 0;
	d.kind = kind;
	for (int i = 0; i < LONG; i++) {
		d.b[i] = some(from, to);
		d.x[i] = some(-x, x);
	}
	group(&d, equation);
	for (int i = 0; i < LONG; i++) {
		most = fmax(most, fabs((double)d.y[i]));
		error = fmax(error, d.error[i]);
	}
	return isinf(error) ? error : error / most;
}

static void bounds_hold_for_other_groupings(void **state)
{
	const char *linear = "y[i-1] * b[i] + x[i]", *path = "max(y[i-1] + b[i], x[i])";
	(void)state;
	assert_true(group_of(LINEAR, linear, 1, 1, 1) < 1e-1);          /* sums that cancel */
	assert_true(group_of(LINEAR, linear, -1, -1, 1) < 1e-1);
	assert_true(group_of(LINEAR, linear, 0.9f, 0.99f, 1) < 1e-3);
	assert_true(group_of(LINEAR, linear, -2, 2, 1) < 1e-4);
	assert_true(group_of(LINEAR, linear, 1.01f, 1.02f, 1) < 1e-2);
	assert_true(group_of(LINEAR, linear, 0, 0, 1) < 1e-4);
	assert_true(group_of(LINEAR, linear, 1e-30f, 1e-20f, 1e10f) < 1e-4);
	assert_true(isinf(group_of(LINEAR, linear, 2, 3, 1e-3f)));      /* products leave f32 */
	assert_true(group_of(MAX_PLUS, path, -1, 0, 1) < 1e-2);
	assert_true(group_of(MAX_PLUS, path, -1, 2, 1) < 1e-2);
	assert_true(group_of(MIN_MAX, "min(max(y[i-1], b[i]), x[i])", -1, 1, 1) == 0);
}

/* A resonance: its weights add up to far more than 1, and it does not grow. */
static void filters_have_small_bounds(void **state)
{
	int64_t n = LONG;
	static float x[LONG], y[LONG];
	static double error[LONG];
	void *data[] = { x, y };
	double *errors[] = { NULL, error };
	(void)state;
	for (int i = 0; i < LONG; i++)
		x[i] = some(-1, 1);
	assert_int_equal(execute("kernel f(x: f32[n], out y: f32[n]) {\n"
	                         "\tscan y[i] = 1.9 * y[i-1] - 0.95 * y[i-2] + x[i];\n}\n",
	                         &n, data, errors),
	                 ST_OK);
	for (int i = 0; i < LONG; i++)
		assert_true(error[i] < 1e-2 && fabs((double)y[i]) < 1000
		            && (i < 3 || error[i] > 0));
}

static void one_after_another(const float *x, const float *b, int64_t n, const char *equation,
                              float *y, double *error)
{
	void *data[] = { (void *)(intptr_t)x, (void *)(intptr_t)b, y };
	double *errors[] = { NULL, NULL, error };
	assert_int_equal(execute(str_print("kernel f(x: f32[n], b: f32[n], out y: f32[n]) "
	                                   "{\n\tscan y[i] = %s;\n}\n",
	                                   equation),
	                         &n, data, errors),
	                 ST_OK);
}

static void what_is_no_number_is_certain_or_open(void **state)
{
	float x[] = { NAN, 1, 1, 1 }, b[] = { NAN, 0, 1, 2 }, y[4];
	double error[4];
	const char *linear = "y[i-1] * b[i] + x[i]";
	(void)state;
	one_after_another(x, b, 4, linear, y, error);
	for (int i = 0; i < 4; i++)
		assert_true(isnan(y[i]) && error[i] == 0);               /* 0 * NaN too */
	one_after_another((float[]){ 1, 2, 3, 4 }, b, 4, linear, y, error);
	assert_true(y[0] == 1 && y[1] == 2 && error[0] == 0);     /* the first weight is no one's */
	one_after_another((float[]){ INFINITY, 2, 3, 4 }, (float[]){ 1, 2, 0.5f, 1 }, 4, linear, y,
	                  error);
	assert_true(isinf(y[3]) && error[3] == 0);
	one_after_another((float[]){ INFINITY, 2, 3, 4 }, (float[]){ 1, 1e-30f, 1e-30f, 1 }, 4,
	                  linear, y, error);
	assert_true(error[1] == 0 && isinf(error[3]));            /* their product is 0 elsewhere */
	one_after_another((float[]){ 0, 0, 0, 0 }, (float[]){ 1, 1e30f, 1e30f, 1 }, 4, linear, y,
	                  error);
	assert_true(y[3] == 0 && isinf(error[3]));                  /* and here infinite */
	one_after_another((float[]){ 1, NAN, 1, 1 }, (float[]){ 1, 1, 1, 1 }, 4,
	                  "max(y[i-1] + b[i], x[i])", y, error);
	assert_true(y[3] == 4 && error[3] < 1e-4);
	one_after_another((float[]){ 1, NAN, 1, 1 }, (float[]){ 1, 1, 1, 1 }, 4,
	                  "min(max(y[i-1], b[i]), x[i])", y, error);
	assert_true(error[0] == 0 && isinf(error[1]) && isinf(error[3]));
}

static void strict_has_one_result(void **state)
{
	float x[] = { 0.1f, 0.2f, 0.3f, 0.4f }, b[] = { 0.7f, 0.6f, 0.5f, 0.4f }, y[4],
	      before = 0.1f;
	double error[4];
	(void)state;
	one_after_another(x, b, 4, "y[i-1] * b[i] + x[i] strict", y, error);
	for (int i = 0; i < 4; i++) {
		volatile float t = before * b[i];
		before = i ? t + x[i] : before;
		assert_true(y[i] == before && error[i] == 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(recurrences_run),
		cmocka_unit_test(integers_end_where_laws_do),
		cmocka_unit_test(bounds_hold_for_other_groupings),
		cmocka_unit_test(filters_have_small_bounds),
		cmocka_unit_test(what_is_no_number_is_certain_or_open),
		cmocka_unit_test(strict_has_one_result),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
