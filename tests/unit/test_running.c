/* test_running.c - what runs along an axis, by the reference interpreter, on sequences worked out
 * by hand. */
#include "patc.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "execute.h"

enum { CELLS = 6 };

/* scan CLAUSES on x = 1 .. 6, p = -1 before, off as given; h is the same where there are as many.
 * */
static int run_scan(const char *fold, const char *clauses, int offsets, const int32_t *off,
                    int32_t *p, double *error)
{
	int64_t size[] = { CELLS, offsets };
	int32_t x[] = { 1, 2, 3, 4, 5, 6 };
	int32_t h[CELLS] = { 0 };
	void *data[] = { x, (void *)(intptr_t)off, h, p };
	double *errors[] = { NULL, NULL, NULL, error };
	for (int i = 0; i < CELLS && offsets == CELLS; i++)
		h[i] = off[i];
	for (int i = 0; i < CELLS; i++) {
		p[i] = -1;
		if (error)
			error[i] = 0;
	}
	return execute(str_print("op first(a: i32, b: i32) -> i32 = a != 0 ? a : b identity 0, "
	                         "associative;\n"
	                         "kernel f(x: i32[n], off: i32[s], h: i32[n],\n"
	                         "         out p: i32[n]) {\n\tscan p[i] = %s %s;\n}\n",
	                         fold, clauses),
	               size, data, error ? errors : NULL);
}

static void expect_scan(const char *fold, const char *clauses, const int32_t *expected)
{
	int32_t p[CELLS];
	assert_int_equal(run_scan(fold, clauses, 1, (int32_t[]){ 0 }, p, NULL), ST_OK);
	same_i32(p, expected, CELLS);
}

static void folds_run(void **state)
{
	(void)state;
	expect_scan("sum(x[i])", "", (int32_t[]){ 1, 3, 6, 10, 15, 21 });
	expect_scan("sum(x[i])", "exclusive", (int32_t[]){ 0, 1, 3, 6, 10, 15 });
	expect_scan("sum(x[i])", "from right", (int32_t[]){ 21, 20, 18, 15, 11, 6 });
	expect_scan("sum(x[i])", "exclusive from right", (int32_t[]){ 20, 18, 15, 11, 6, 0 });
	expect_scan("sum(x[i])", "from 100", (int32_t[]){ 101, 103, 106, 110, 115, 121 });
	expect_scan("sum(x[i])", "exclusive from 100", (int32_t[]){ 100, 101, 103, 106, 110, 115 });
	expect_scan("sum(x[i])", "for i in 2..n - 1", (int32_t[]){ -1, -1, 3, 7, 12, -1 });
	expect_scan("max[i](x[i] % 4)", "exclusive", (int32_t[]){ INT32_MIN, 1, 2, 3, 3, 3 });
	expect_scan("sum[i where x[i] % 2 == 0](x[i]) - x[i]", "",
	            (int32_t[]){ -1, 0, -1, 2, 1, 6 });
	expect_scan("i % 2 == 0 ? sum(x[i]) : -x[i]", "", (int32_t[]){ 1, -2, 6, -4, 15, -6 });
}

/* first() is the leftmost that is not 0: it tells on which side a term joins. */
static void order_is_kept(void **state)
{
	(void)state;
	expect_scan("first(x[i] > 2 ? x[i] : 0)", "", (int32_t[]){ 0, 0, 3, 3, 3, 3 });
	expect_scan("first(x[i] > 2 ? x[i] : 0)", "from right", (int32_t[]){ 3, 3, 3, 4, 5, 6 });
	expect_scan("first(x[i] > 2 ? x[i] : 0)", "from 9", (int32_t[]){ 9, 9, 9, 9, 9, 9 });
	expect_scan("first(x[i] < 3 ? x[i] : 0)", "from right from 9",
	            (int32_t[]){ 1, 2, 9, 9, 9, 9 });
	expect_scan("first(x[i] < 3 ? x[i] : 0)", "from right from 9 exclusive",
	            (int32_t[]){ 2, 9, 9, 9, 9, 9 });
}

static void segments_of(const char *clauses, int n, const int32_t *off, const int32_t *expected)
{
	int32_t p[CELLS];
	assert_int_equal(run_scan("sum(x[i])", clauses, n, off, p, NULL), ST_OK);
	same_i32(p, expected, CELLS);
}

static void sequences_are_cut(void **state)
{
	(void)state;
	segments_of("segments off", 4, (int32_t[]){ 0, 2, 2, 6 },
	            (int32_t[]){ 1, 3, 3, 7, 12, 18 });
	segments_of("segments off exclusive", 3, (int32_t[]){ 1, 3, 5 },
	            (int32_t[]){ -1, 0, 2, 0, 4, -1 });
	segments_of("segments off from right", 3, (int32_t[]){ 1, 3, 5 },
	            (int32_t[]){ -1, 5, 3, 9, 5, -1 });
	segments_of("segments off from 10", 4, (int32_t[]){ 0, 0, 1, 6 },
	            (int32_t[]){ 11, 12, 15, 19, 24, 30 });
	segments_of("segments off", 1, (int32_t[]){ 3 }, (int32_t[]){ -1, -1, -1, -1, -1, -1 });
	segments_of("segments off", 0, NULL, (int32_t[]){ -1, -1, -1, -1, -1, -1 });
	segments_of("heads h", 6, (int32_t[]){ 0, 0, 256, 0, -1, 1 },
	            (int32_t[]){ 1, 3, 3, 7, 5, 6 });
	segments_of("heads h from right", 6, (int32_t[]){ 1, 0, 1, 0, 0, 0 },
	            (int32_t[]){ 3, 2, 18, 15, 11, 6 });
	segments_of("keys h", 6, (int32_t[]){ 7, 7, 8, 8, 7, 7 }, (int32_t[]){ 1, 3, 3, 7, 5, 11 });
	segments_of("keys h from right exclusive", 6, (int32_t[]){ 7, 7, 8, 8, 7, 7 },
	            (int32_t[]){ 2, 0, 4, 0, 6, 0 });
	segments_of("of 4", 0, NULL, (int32_t[]){ 1, 3, 6, 10, 5, 11 });
	segments_of("of s from right", 4, (int32_t[4]){ 0 }, (int32_t[]){ 10, 9, 7, 4, 11, 6 });
}

static void wrong_offsets(int n, const int32_t *off)
{
	int32_t p[CELLS];
	double error[CELLS];
	assert_int_equal(run_scan("sum(x[i])", "segments off", n, off, p, error), ST_INDEX);
	for (int i = 0; i < CELLS; i++)
		assert_true(isinf(error[i]));
}

static void offsets_that_mislead_are_recorded(void **state)
{
	int32_t p[CELLS];
	double error[CELLS];
	(void)state;
	wrong_offsets(4, (int32_t[]){ 0, 4, 2, 6 });
	wrong_offsets(2, (int32_t[]){ 0, 7 });
	wrong_offsets(2, (int32_t[]){ -1, 6 });
	wrong_offsets(2, (int32_t[]){ 5, 4 });
	assert_int_equal(run_scan("sum(x[i])", "of s", 0, NULL, p, error), ST_INDEX);
	same_i32(p, (int32_t[]){ -1, -1, -1, -1, -1, -1 }, CELLS);
	assert_true(error[0] == 0);
}

/* No cell, nothing runs: no offset is looked at. */
static void nothing_to_run_over_is_no_mistake(void **state)
{
	int64_t size[] = { 0, 3, 2 };
	int32_t off[] = { 5, 1 };
	void *data[] = { NULL, off, NULL };
	(void)state;
	assert_int_equal(execute("kernel f(x: f32[m, n], off: i32[s], out p: f32[m, n]) {\n"
	                         "\tscan p[i, j] = sum[j](x[i, j]) segments off;\n}\n",
	                         size, data, NULL),
	                 ST_OK);
}

static void any_axis_runs(void **state)
{
	int64_t size[] = { 3, 2 };
	int32_t x[] = { 1, 2, 3, 4, 5, 6 }, rows[6], columns[6], head[] = { 0, 0, 1 };
	void *data[] = { x, head, rows, columns };
	(void)state;
	assert_int_equal(
		execute("kernel f(x: i32[m, n], h: i32[m], out r: i32[m, n], out c: i32[m, n]) {\n"
	                "\tscan r[i, j] = sum[j](x[i, j]) from (10 * i32(i));\n"
	                "\tscan c[i, j] = sum[i](x[i, j]) heads h;\n}\n",
	                size, data, NULL),
		ST_OK);
	same_i32(rows, (int32_t[]){ 1, 3, 13, 17, 25, 31 }, 6);
	same_i32(columns, (int32_t[]){ 1, 2, 4, 6, 5, 6 }, 6);
}

static void the_place_of_the_best_runs(void **state)
{
	int64_t n = 5;
	float x[] = { NAN, 3, 1, 3, 2 }, v[5];
	int64_t at[5], right[5];
	void *data[] = { x, v, at, right };
	(void)state;
	assert_int_equal(
		execute("kernel f(x: f32[n], out v: f32[n], out at: i64[n], out r: i64[n]) {\n"
	                "\tscan v[i], at[i] = argmax(x[i]);\n"
	                "\tscan r[i] = argmax(x[i]) from right exclusive;\n}\n",
	                &n, data, NULL),
		ST_OK);
	for (int i = 0; i < 5; i++) {
		assert_int_equal(at[i], ((int64_t[]){ -1, 1, 1, 1, 1 })[i]);
		assert_int_equal(right[i], ((int64_t[]){ 1, 3, 3, 4, -1 })[i]);
	}
	assert_true(v[0] == -INFINITY && v[4] == 3);
}

/* An operator on structs that does not commute: maps a x + b, one behind the other. */
static void structs_run(void **state)
{
	int64_t n = 3;
	int32_t x[] = { 2, 1, 3, 0, 1, 5 }, p[6], before[6];
	void *data[] = { x, p, before };
	(void)state;
	assert_int_equal(
		execute("struct Map { a, b: i32 }\n"
	                "op then(f: Map, g: Map) -> Map = Map(f.a * g.a, f.b * g.a + g.b)\n"
	                "\tidentity Map(1, 0), associative;\n"
	                "kernel f(x: Map[n], out p: Map[n], out q: Map[n]) {\n"
	                "\tscan p[i] = then(x[i]);\n"
	                "\tscan q[i] = then(x[i]) exclusive from Map(1, 7);\n}\n",
	                &n, data, NULL),
		ST_OK);
	same_i32(p, (int32_t[]){ 2, 1, 6, 3, 6, 8 }, 6);
	same_i32(before, (int32_t[]){ 1, 7, 2, 15, 6, 45 }, 6);
}

static void in_place_and_side_by_side(void **state)
{
	int64_t n = 4;
	int32_t x[] = { 1, 2, 3, 4 }, z[] = { 5, 6, 0, 0 }, y[4];
	void *data[] = { x, z, y };
	(void)state;
	assert_int_equal(execute("kernel f(inout x: i32[n], z: i32[n], out y: i32[n]) {\n"
	                         "\tscan x[i] = sum(x[i]), y[i] = 10 * x[i] + max(z[i]) exclusive "
	                         "from 1;\n}\n",
	                         &n, data, NULL),
	                 ST_OK);
	same_i32(x, (int32_t[]){ 1, 2, 4, 7 }, 4);
	same_i32(y, (int32_t[]){ 11, 25, 46, 76 }, 4);
}

static void sequences_begin_anew_in_each_pass(void **state)
{
	int64_t n = 3;
	int32_t x[] = { 1, 2, 3 };
	void *data[] = { x };
	(void)state;
	assert_int_equal(execute("kernel f(inout x: i32[n]) {\n\trepeat t < 3 { scan x[i] = "
	                         "sum(x[i]) from 1; }\n}\n",
	                         &n, data, NULL),
	                 ST_OK);
	same_i32(x, (int32_t[]){ 4, 11, 25 }, 3);
}

/* The total stays f32: 2048 + 1 + 1 is no multiple of 2 until it is stored. */
static void halves_are_rounded_when_stored(void **state)
{
	int64_t n = 3;
	uint16_t x[] = { 0x6800, 0x3c00, 0x3c00 }, p[3];
	void *data[] = { x, p };
	(void)state;
	assert_int_equal(
		execute("kernel f(x: f16[n], out p: f16[n]) {\n\tscan p[i] = sum(x[i]);\n}\n", &n,
	                data, NULL),
		ST_OK);
	assert_true(p[0] == 0x6800 && p[1] == 0x6800 && p[2] == 0x6801);
}

static void bounds_grow_with_the_terms(void **state)
{
	int64_t n = 1000;
	float x[1000], p[1000], s[1000];
	double error[1000], exact[1000];
	void *data[] = { x, p, s };
	double *errors[] = { NULL, error, exact };
	(void)state;
	for (int i = 0; i < 1000; i++)
		x[i] = 0.1f;
	assert_int_equal(execute("kernel f(x: f32[n], out p: f32[n], out s: f32[n]) {\n"
	                         "\tscan p[i] = sum(x[i]);\n\tscan s[i] = sum(x[i]) strict;\n}\n",
	                         &n, data, errors), ST_OK);
	assert_true(error[0] == 0 && error[1] > 0 && error[999] > 100 * error[1]
	            && error[999] < 0.1);
	assert_true(exact[999] == 0 && s[999] == p[999]);
}

/* A product that leaves f32 in another grouping is infinite there, and NaN when it meets the 0. */
static void huge_terms_of_a_users_operator_are_open(void **state)
{
	int64_t n = 3;
	float x[] = { 0, 0, 3e38f, 0, 3e38f, 0 }, p[6], q[3];
	double error[3], chosen[3];
	void *data[] = { x, p, q };
	double *errors[] = { NULL, error, chosen };
	(void)state;
	assert_int_equal(
		execute("struct Map { a, b: f32 }\n"
	                "op then(f: Map, g: Map) -> Map = Map(f.a * g.a, f.b * g.a + g.b)\n"
	                "\tidentity Map(1, 0), associative;\n"
	                "op larger(a: f32, b: f32) -> f32 = a > b ? a : b identity -inf, "
	                "associative;\n"
	                "kernel f(x: Map[n], out p: Map[n], out q: f32[n]) {\n"
	                "\tscan p[i] = then(x[i]);\n\tscan q[i] = larger(x[i].a);\n}\n",
	                &n, data, errors),
		ST_OK);
	assert_true(error[0] == 0 && isinf(error[1]) && isinf(error[2]));
	assert_true(chosen[2] == 0 && q[2] == 3e38f);
}

/* 3 * 0.1 may be 0.3 or not: whether a sequence begins at cell 2 is open, and so is all around. */
static void borders_in_doubt_leave_cells_open(void **state)
{
	int64_t n = 6;
	float x[] = { 1, 1, 0.1f, 1, 1, 1 }, y[] = { 2, 5, 0.3f, 5, 2, 5 };
	int32_t p[6];
	double error[6];
	void *data[] = { x, y, p };
	double *errors[] = { NULL, NULL, error };
	(void)state;
	assert_int_equal(
		execute("kernel f(x: f32[n], y: f32[n], out p: i32[n]) {\n\tlet h: bool[n];\n"
	                "\tmap h[i] = 3 * x[i] > y[i];\n\tscan p[i] = sum(1i32) heads h;\n}\n",
	                &n, data, errors),
		ST_OK);
	for (int i = 0; i < 6; i++)
		assert_true(i < 4 ? isinf(error[i]) : error[i] == 0);
	assert_true(p[4] == 1 && p[5] == 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(folds_run),
		cmocka_unit_test(order_is_kept),
		cmocka_unit_test(sequences_are_cut),
		cmocka_unit_test(offsets_that_mislead_are_recorded),
		cmocka_unit_test(nothing_to_run_over_is_no_mistake),
		cmocka_unit_test(any_axis_runs),
		cmocka_unit_test(the_place_of_the_best_runs),
		cmocka_unit_test(structs_run),
		cmocka_unit_test(in_place_and_side_by_side),
		cmocka_unit_test(sequences_begin_anew_in_each_pass),
		cmocka_unit_test(halves_are_rounded_when_stored),
		cmocka_unit_test(bounds_grow_with_the_terms),
		cmocka_unit_test(huge_terms_of_a_users_operator_are_open),
		cmocka_unit_test(borders_in_doubt_leave_cells_open),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
