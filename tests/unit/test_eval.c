/* test_eval.c - the reference interpreter on programs whose results are worked out by hand: the
 * rulings on values (R2 to R8), boundaries (R43 to R45), folds, blocks, swap and repeat. */
#include "patc.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "execute.h"

/* ---- values ---- */

static void integers_wrap_and_never_trap(void **state)
{
	(void)state;
	int64_t n = 6;
	int32_t a[] = { INT32_MAX, INT32_MIN, INT32_MIN, 7, -7, -7 };
	int32_t b[] = { 1, -1, 0, 0, 2, -2 };
	int32_t sum[6], quotient[6], rest[6], shifted[6];
	void *data[] = { a, b, sum, quotient, rest, shifted };
	assert_int_equal(
		execute("kernel f(a: i32[n], b: i32[n], out s: i32[n], out q: i32[n],\n"
	                "         out r: i32[n], out h: i32[n]) {\n"
	                "\tmap s[i] = a[i] + b[i], q[i] = a[i] / b[i], r[i] = a[i] % b[i];\n"
	                "\tmap h[i] = a[i] >> (b[i] + 33);\n}\n",
	                &n, data, NULL),
		ST_OK);
	same_i32(sum, (int32_t[]){ INT32_MIN, INT32_MAX, INT32_MIN, 7, -5, -9 }, 6);
	same_i32(quotient, (int32_t[]){ 0x7fffffff, INT32_MIN, 0, 0, -3, 3 }, 6);
	same_i32(rest, (int32_t[]){ 0, 0, INT32_MIN, 7, -1, -1 }, 6);
	same_i32(shifted, (int32_t[]){ INT32_MAX >> 2, INT32_MIN, INT32_MIN >> 1, 3, -1, -1 }, 6);
}

static void casts_truncate_and_saturate(void **state)
{
	(void)state;
	int64_t n = 6;
	double x[] = { -0.9, 300.7, -300, NAN, INFINITY, -INFINITY };
	int8_t i[6];
	uint8_t u[6];
	int64_t l[6];
	void *data[] = { x, i, u, l };
	assert_int_equal(
		execute("kernel f(x: f64[n], out i: i8[n], out u: u8[n], out l: i64[n]) {\n"
	                "\tmap i[k] = i8(x[k]), u[k] = u8(x[k]), l[k] = i64(x[k]);\n}\n",
	                &n, data, NULL),
		ST_OK);
	for (int k = 0; k < 6; k++) {
		assert_int_equal(i[k], ((int[]){ 0, 127, -128, 0, 127, -128 })[k]);
		assert_int_equal(u[k], ((int[]){ 0, 255, 0, 0, 255, 0 })[k]);
	}
	assert_true(l[4] == INT64_MAX && l[5] == INT64_MIN && l[1] == 300);
}

/* u8 computes in i32: 200 + 100 does not overflow before the division. */
static void small_integers_compute_wide(void **state)
{
	(void)state;
	int64_t n = 1;
	uint8_t a = 200, b = 100, mean;
	void *data[] = { &a, &b, &mean };
	assert_int_equal(execute("kernel f(a: u8[n], b: u8[n], out m: u8[n]) {\n"
	                         "\tmap m[i] = (a[i] + b[i]) / 2;\n}\n", &n, data, NULL), ST_OK);
	assert_int_equal(mean, 150);
}

static void f32_is_rounded_after_every_operation(void **state)
{
	(void)state;
	int64_t n = 1;
	float a = 16777216, y;
	void *data[] = { &a, &y };
	assert_int_equal(execute("kernel f(a: f32[n], out y: f32[n]) {\n"
	                         "\tmap y[i] = (a[i] + 1) - a[i];\n}\n", &n, data, NULL), ST_OK);
	assert_true(y == 0);
}

static void min_and_max_ignore_nan(void **state)
{
	(void)state;
	int64_t n = 3;
	float x[] = { NAN, 2, NAN }, none[] = { NAN, NAN, NAN }, lo, hi, empty;
	void *data[] = { x, none, &lo, &hi, &empty };
	assert_int_equal(
		execute("kernel f(x: f32[n], z: f32[n], out a: f32, out b: f32, out c: f32) {\n"
	                "\treduce a = min[i](x[i]), b = max[i](x[i]), c = max[i](z[i]);\n}\n",
	                &n, data, NULL),
		ST_OK);
	assert_true(lo == 2 && hi == 2 && empty == -INFINITY);
}

static void functions_run_their_bodies(void **state)
{
	(void)state;
	int64_t n = 4;
	int32_t x[] = { 1, 6, 7, 27 }, y[4];
	void *data[] = { x, y };
	assert_int_equal(
		execute("fn steps(x: i32) -> i32 {\n\tvar v = x;\n\tvar c: i32 = 0;\n"
	                "\twhile true {\n\t\tif v == 1 { break; }\n\t\tc += 1;\n"
	                "\t\tif v % 2 == 0 { v = v / 2; continue; }\n\t\tv = 3 * v + 1;\n\t}\n"
	                "\treturn c;\n}\n"
	                "kernel f(x: i32[n], out y: i32[n]) {\n\tmap y[i] = steps(x[i]);\n}\n",
	                &n, data, NULL),
		ST_OK);
	same_i32(y, (int32_t[]){ 0, 8, 16, 111 }, 4);
}

/* ---- statements ---- */

static void later_equations_see_new_values_at_the_cell(void **state)
{
	(void)state;
	int64_t n = 3;
	int32_t a[] = { 1, 2, 3 }, b[] = { 10, 20, 30 };
	void *data[] = { a, b };
	assert_int_equal(execute("kernel f(inout a: i32[n], inout b: i32[n]) {\n"
	                         "\tmap a[i] = a[i] + 1, b[i] = b[i] + a[i];\n}\n",
	                         &n, data, NULL),
	                 ST_OK);
	same_i32(b, (int32_t[]){ 12, 23, 34 }, 3);
}

static void masked_cells_keep_memory(void **state)
{
	(void)state;
	int64_t n = 5;
	int32_t x[] = { 1, 2, 3, 4, 5 }, y[] = { 9, 9, 9, 9, 9 };
	void *data[] = { x, y };
	assert_int_equal(execute("kernel f(x: i32[n], out y: i32[n]) {\n"
	                         "\tmap y[i] = x[i] where x[i] % 2 == 1 for i in 0..n - 1;\n}\n",
	                         &n, data, NULL), ST_OK);
	same_i32(y, (int32_t[]){ 1, 9, 3, 9, 9 }, 5);
}

static void folds_over_nothing_give_the_identity(void **state)
{
	(void)state;
	int64_t n = 0;
	int32_t s = 5, p = 5, lo = 5;
	int64_t c = 5;
	bool all = false;
	void *data[] = { NULL, &s, &p, &lo, &c, &all };
	assert_int_equal(
		execute("kernel f(x: i32[n], out s: i32, out p: i32, out l: i32, out c: i64,\n"
	                "         out a: bool) {\n"
	                "\treduce s = sum[i](x[i]), p = prod[i](x[i]), l = min[i](x[i]);\n"
	                "\treduce c = count[i](x[i] > 0), a = all[i](x[i] > 0);\n}\n",
	                &n, data, NULL),
		ST_OK);
	assert_true(s == 0 && p == 1 && lo == INT32_MAX && c == 0 && all);
}

static void folds_go_along_any_axis(void **state)
{
	(void)state;
	int64_t size[] = { 2, 3 };
	int32_t x[] = { 1, 2, 3, 4, 5, 6 }, rows[2], columns[3];
	void *data[] = { x, rows, columns };
	assert_int_equal(
		execute("kernel f(x: i32[m, n], out r: i32[m], out c: i32[n]) {\n"
	                "\treduce r[i] = sum[j](x[i, j]);\n\treduce c[j] = max[i](x[i, j]);\n}\n",
	                size, data, NULL),
		ST_OK);
	same_i32(rows, (int32_t[]){ 6, 15 }, 2);
	same_i32(columns, (int32_t[]){ 4, 5, 6 }, 3);
}

/* 65,500 is a f16, and so is every partial sum: rounded up in some order they are more than 65,504. */
static void sums_near_the_largest_number_are_open(void **state)
{
	(void)state;
	int64_t n = 3, k = 1, at[] = { 0, 0, 0 };
	int64_t size[] = { n, k };
	float x[] = { 40000, 25000, 490 };
	uint16_t w[] = { 0 };
	double bound[1];
	void *data[] = { at, x, w };
	double *errors[] = { NULL, NULL, bound };
	assert_int_equal(
		execute("kernel f(at: i64[n], x: f32[n], inout w: f16[k]) {\n"
	                "\tscatter w[at[i]] += f16(x[i]);\n}\n",
	                size, data, errors),
		ST_OK);
	assert_true(isinf(bound[0]) && w[0]);
}

/* An operator that is not commutative: the first value that is not zero. */
static void user_operators_fold_left_to_right(void **state)
{
	(void)state;
	int64_t n = 4;
	int32_t x[] = { 0, 7, 0, 9 }, y;
	void *data[] = { x, &y };
	assert_int_equal(
		execute("op first(a: i32, b: i32) -> i32 = a != 0 ? a : b\n"
	                "\tidentity 0, associative;\n"
	                "kernel f(x: i32[n], out y: i32) {\n\treduce y = first[i](x[i]);\n}\n",
	                &n, data, NULL),
		ST_OK);
	assert_int_equal(y, 7);
}

/* ---- boundaries: y[i] is the cell that position i - 5 reads, on 3 cells and on 1 ---- */

static void shifted(const char *boundary, int64_t n, const int32_t *expected)
{
	int32_t x[] = { 0, 1, 2 }, y[] = { 70, 71, 72 };
	void *data[] = { x, y };
	char *text = str_print("kernel f(x: i32[n], inout y: i32[n]) {\n"
	                       "\tstencil y[i] = x[i - 5] boundary %s;\n}\n", boundary);
	assert_int_equal(execute(text, &n, data, NULL), ST_OK);
	same_i32(y, expected, (int)n);
}

static void boundaries_extend_the_array(void **state)
{
	(void)state;
	shifted("clamp", 3, (int32_t[]){ 0, 0, 0 });
	shifted("wrap", 3, (int32_t[]){ 1, 2, 0 });          /* -5 -4 -3 */
	shifted("mirror", 3, (int32_t[]){ 1, 2, 2 });        /* 2 1 0 | 0 1 2 | 2 1 0: -5 -4 -3 */
	shifted("reflect", 3, (int32_t[]){ 1, 0, 1 });       /* 1 2 1 0 1 2: period 4 */
	shifted("keep", 3, (int32_t[]){ 70, 71, 72 });
	shifted("42", 3, (int32_t[]){ 42, 42, 42 });
	shifted("constant 42", 3, (int32_t[]){ 42, 42, 42 });
	shifted("(i32(i))", 3, (int32_t[]){ -5, -4, -3 });   /* the outside position */
}

static void boundaries_work_on_one_cell(void **state)
{
	(void)state;
	static const char *const zero[] = { "clamp", "wrap", "mirror", "reflect" };
	for (int k = 0; k < 4; k++)
		shifted(zero[k], 1, (int32_t[]){ 0 });
	shifted("keep", 1, (int32_t[]){ 70 });
}

static void boundaries_differ_by_axis(void **state)
{
	(void)state;
	int64_t size[] = { 2, 2 };
	int32_t x[] = { 1, 2, 3, 4 }, y[4];
	void *data[] = { x, y };
	assert_int_equal(execute("kernel f(x: i32[m, n], out y: i32[m, n]) {\n"
	                         "\tstencil y[i, j] = x[i - 1, j + 1] boundary (wrap, -1);\n}\n",
	                         size, data, NULL), ST_OK);
	same_i32(y, (int32_t[]){ 4, -1, 2, -1 }, 4);
}

/* ---- blocks ---- */

static void repeat_and_swap_do_what_the_text_says(void **state)
{
	(void)state;
	for (int32_t steps = -1; steps < 4; steps++) {
		int64_t n = 1;
		int32_t a = 1, b = 100;
		void *data[] = { &a, &b, &steps };
		assert_int_equal(
			execute("kernel f(inout a: i32[n], inout b: i32[n], steps: i32) {\n"
		                "\trepeat t < steps {\n\t\tmap b[i] = 2 * a[i];\n\t\tswap a, "
		                "b;\n\t}\n}\n",
		                &n, data, NULL),
			ST_OK);
		assert_int_equal(a, steps > 0 ? 1 << steps : 1);
		assert_int_equal(b, steps > 0 ? 1 << (steps - 1) : 100);
	}
}

static void until_is_tested_after_each_pass(void **state)
{
	(void)state;
	for (int32_t most = 0; most < 9; most += 4) {
		int64_t n = 1;
		int32_t a = 0;
		void *data[] = { &a, &most };
		assert_int_equal(
			execute("kernel f(inout a: i32[n], most: i32) {\n\tlet s: i32;\n"
		                "\trepeat until s >= 5 at most most {\n\t\tmap a[i] += 1;\n"
		                "\t\treduce s = sum[i](a[i]);\n\t}\n}\n",
		                &n, data, NULL),
			ST_OK);
		assert_int_equal(a, most < 5 ? most : 5);
	}
}

/* R22: the inner let is zero at the start of each pass, the outer one is not. */
static void lets_are_afresh_in_each_pass_of_their_block(void **state)
{
	(void)state;
	int64_t n = 1;
	int32_t a = 0, b = 0;
	void *data[] = { &a, &b };
	assert_int_equal(
		execute("kernel f(inout a: i32[n], inout b: i32[n]) {\n\tlet u: i32[n];\n"
	                "\trepeat t < 3 {\n\t\tlet v: i32[n];\n\t\tmap u[i] += 1;\n"
	                "\t\tmap v[i] += 1;\n\t\tmap a[i] += u[i], b[i] += v[i];\n\t}\n}\n",
	                &n, data, NULL),
		ST_OK);
	assert_int_equal(a, 6);
	assert_int_equal(b, 3);
}

/* ---- bounds on what others may compute ---- */

static void what_hangs_on_an_edge_is_open(void **state)
{
	(void)state;
	int64_t n = 2;
	float x[] = { 0.1f, 1 }, y[] = { 0.3f, 1 };
	bool less[2];
	int32_t i[2];
	double e_less[2] = { 0 }, e_i[2] = { 0 };
	void *data[] = { x, y, less, i };
	double *error[] = { NULL, NULL, e_less, e_i };
	assert_int_equal(
		execute("kernel f(x: f32[n], y: f32[n], out l: bool[n], out t: i32[n]) {\n"
	                "\tmap l[i] = 3 * x[i] < y[i], t[i] = i32(2 * x[i] + y[i] * y[i]);\n}\n",
	                &n, data, error),
		ST_OK);
	assert_true(isinf(e_less[0]));               /* 0.3 against 0.3 */
	assert_true(e_less[1] == 0 && !less[1]);
	assert_true(e_i[0] == 0 && i[0] == 0);       /* 0.29 is no edge of truncation */
	assert_true(isinf(e_i[1]));                  /* 3, or 2.9999 elsewhere */
}

/* Nobody here knows what it gives, whatever is done with that. */
static void what_an_extern_fn_gives_is_open(void **state)
{
	(void)state;
	int64_t n = 3;
	float x[] = { 1, 2, 3 }, y[3];
	int32_t k[3];
	bool b[3];
	double y_error[3], k_error[3], b_error[3];
	void *data[] = { x, y, k, b };
	double *error[] = { NULL, y_error, k_error, b_error };
	assert_int_equal(
		execute("struct Two { a, b: f32 }\n"
	                "extern fn e(x: f32) -> f32 from \"e.h\";\n"
	                "extern fn two(x: Two) -> Two from \"e.h\";\n"
	                "kernel f(x: f32[n], out y: f32[n], out k: i32[n], out b: bool[n]) {\n"
	                "\tmap y[i] = i > 0 ? x[i] + e(x[i]) : x[i];\n"
	                "\tmap k[i] = i32(two(two(Two(x[i], 1))).b);\n"
	                "\tmap b[i] = two(Two(x[i], 1)) == Two(x[i], 1);\n}\n",
	                &n, data, error),
		ST_OK);
	assert_true(y_error[0] == 0 && isinf(y_error[1]) && isinf(y_error[2]));
	for (int i = 0; i < 3; i++)
		assert_true(isinf(k_error[i]) && isinf(b_error[i]));
}

/* The bound of an extreme is its terms', however many there are; it used to grow with each. */
static void extremes_keep_the_bound_of_their_terms(void **state)
{
	int64_t n = 1000;
	float x[1000], s = 0;
	double error = -1;
	void *data[] = { x, &s };
	double *errors[] = { NULL, &error };
	(void)state;
	for (int i = 0; i < n; i++)
		x[i] = (float)i / 1000;
	assert_int_equal(execute("kernel f(x: f32[n], out s: f32)\n{\n\treduce s = max[i](abs(0.3 "
	                         "* x[i] - 1));\n}\n",
	                         &n, data, errors),
	                 ST_OK);
	assert_true(s == 1 && error > 0 && error < 1e-6);
}

/* A product that is rounded to a subnormal, or not, by an FMA: then the branch is open. */
static void a_product_that_underflows_has_an_error(void **state)
{
	(void)state;
	int64_t n = 3;
	double x[] = { 5e-324, 1, 0 }, z[] = { -5e-324, -1, -1 }, y[3], e[3];
	void *data[] = { x, z, y };
	double *error[] = { NULL, NULL, e };
	assert_int_equal(execute("kernel f(x: f64[n], z: f64[n], out y: f64[n]) {\n"
	                         "\tmap y[i] = x[i] - 0.5 * z[i] > x[i] ? 1 : 2;\n}\n",
	                         &n, data, error),
	                 ST_OK);
	assert_true(isinf(e[0]) && e[1] == 0 && e[2] == 0);
}

static void exact_results_have_no_error(void **state)
{
	(void)state;
	int64_t n = 3;
	float x[] = { 0.1f, INFINITY, NAN }, y[3];
	double e[3] = { 1, 1, 1 };
	void *data[] = { x, y };
	double *error[] = { NULL, e };
	assert_int_equal(execute("kernel f(x: f32[n], out y: f32[n]) {\n"
	                         "\tmap y[i] = max(x[i], 0) + x[i];\n}\n", &n, data, error), ST_OK);
	assert_true(e[0] > 0 && e[0] < 1e-6);
	assert_true(e[1] == 0 && e[2] == 0);
}

static void what_takes_too_long_is_stopped(void **state)
{
	(void)state;
	int64_t n = 1000;
	int32_t y[1000] = { 0 };
	int possible;
	const struct entry *e = kernel("kernel f(out y: i32[n]) {\n\tmap y[i] = 0;\n\trepeat s < n "
	                               "{ map y[i] += 1; }\n}\n");
	struct bound b[] = { { .var = e->size.at[0], .data = &n },
		             { .var = e->param.at[0], .data = y, .cells = 1000 } };
	eval_limit(500);
	assert_int_equal(eval_compared(e, b, 2, true, &possible), -1);
	assert_int_equal(diag_errors(), 0);
	eval_limit(10000000);
	assert_int_equal(eval_compared(e, b, 2, true, &possible), ST_OK);
	assert_int_equal(possible, ST_OK);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(integers_wrap_and_never_trap),
		cmocka_unit_test(casts_truncate_and_saturate),
		cmocka_unit_test(small_integers_compute_wide),
		cmocka_unit_test(f32_is_rounded_after_every_operation),
		cmocka_unit_test(min_and_max_ignore_nan),
		cmocka_unit_test(functions_run_their_bodies),
		cmocka_unit_test(later_equations_see_new_values_at_the_cell),
		cmocka_unit_test(masked_cells_keep_memory),
		cmocka_unit_test(folds_over_nothing_give_the_identity),
		cmocka_unit_test(folds_go_along_any_axis),
		cmocka_unit_test(sums_near_the_largest_number_are_open),
		cmocka_unit_test(user_operators_fold_left_to_right),
		cmocka_unit_test(boundaries_extend_the_array),
		cmocka_unit_test(boundaries_work_on_one_cell),
		cmocka_unit_test(boundaries_differ_by_axis),
		cmocka_unit_test(repeat_and_swap_do_what_the_text_says),
		cmocka_unit_test(until_is_tested_after_each_pass),
		cmocka_unit_test(lets_are_afresh_in_each_pass_of_their_block),
		cmocka_unit_test(what_hangs_on_an_edge_is_open),
		cmocka_unit_test(what_an_extern_fn_gives_is_open),
		cmocka_unit_test(extremes_keep_the_bound_of_their_terms),
		cmocka_unit_test(a_product_that_underflows_has_an_error),
		cmocka_unit_test(exact_results_have_no_error),
		cmocka_unit_test(what_takes_too_long_is_stopped),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
