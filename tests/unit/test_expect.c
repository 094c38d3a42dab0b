/* test_expect.c - the model of expected shares (src/pass/expect.c): of what a statement needs, how
 * much of its bound it reaches on a machine with round rates, and which causes take the rest. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>
#include "expect.h"

/* A GB/s is 1 byte a nanosecond; 2 Tflop/s are 1000 instructions. */
static const struct machine machine = {
	.name = "round", .copy = 1000, .read = 1000, .f32 = 2, .f64 = 1,
	.reached = { .launch = 2, .shared = 0.9, .staged = 0.5, .behind = 0.8, .cores = 0.5,
	             .units = 0.5, .steps32 = 10, .steps64 = 20, .kept = 10, .atomics = 10 }
};

static const struct target *target(void)
{
	return target_find("cuda");
}

/* 4 bytes are read and 4 written. */
static struct demand copy(void)
{
	return (struct demand){ .bound = 8e-12, .read = 4, .written = 4, .launches = 1,
		                .unit = "cell" };
}

static bool near(double x, double y)
{
	return fabs(x - y) < 1e-3;
}

static void is(struct demand d, double low, double share, const char *first)
{
	struct expected e = expect(&d, target(), &machine);
	assert_true(near(e.low, low));
	assert_true(near(e.share, share));
	assert_int_equal(e.n > 0, first != NULL);
	if (first)
		assert_non_null(strstr(e.reason[0].text, first));
	for (int i = 1; i < e.n; i++)
		assert_true(e.reason[i].part <= e.reason[i - 1].part);
}

static void bytes(void **state)
{
	(void)state;
	struct demand d = copy();
	is(d, 1, 1, NULL);
	d.wasted = 8, d.strided = "a";
	is(d, 0.5, 0.5, "strided cells of `a` waste 8 B a cell");
	d = copy();
	d.spread = 8, d.strided = "a";
	is(d, 0.5, 1, "waste up to 8 B");
	d = copy();
	d.kept = 8;
	is(d, 0.5, 1, "data decide");
}

static void blocks(void **state)
{
	(void)state;
	struct demand d = copy();
	d.shared = true;
	is(d, 0.9, 0.9, "share cells reach 0.9");
	d.staged = true;
	is(d, 0.5, 0.5, "fill tiles first");
	d.staged = false, d.behind = true;
	is(d, 0.8, 0.8, "wait for the one before");
	d = copy();
	d.blocks = 10, d.multiprocessors = 40;
	is(d, 0.25, 0.25, "too few blocks: 10 for 40");
	d.blocks = 40;
	is(d, 1, 1, NULL);
}

/* 4 of the bytes that are read: a piece of 32 of the cache, or a sector of 64 of memory. */
static void places(void **state)
{
	(void)state;
	struct demand d = copy();
	d.read_at = (struct places){ 1, 4 }, d.random = "x";
	double piece = target()->piece, sector = target()->sector;
	is(d, 8 / cbrt(pow(sector + 4, 3) + pow(piece, 3)), 8 / cbrt(pow(4, 3) + pow(piece, 3)),
	   "random places of `x`");
	d = copy();
	d.met = 1, d.meets = "h";
	is(d, 8 / cbrt(pow(2 * sector + 8, 3) + pow(100, 3)), 8 / cbrt(pow(8, 3) + pow(100, 3)),
	   "atomic operations at random cells of `h`");
	d.met_near = true;
	assert_true(near(expect(&d, target(), &machine).share, 1));
}

/* 4 instructions take 8 ps of cores that reach half of their rate. */
static void instructions(void **state)
{
	(void)state;
	struct demand d = copy();
	d.instructions = 4e-12, d.count = 4;
	is(d, 1 / cbrt(2), 1 / cbrt(2), "4 instructions a cell");
	d.instructions = 0, d.steps = 4e-12;
	is(d, 1 / cbrt(2), 1 / cbrt(2), "functions of several steps");
	d = (struct demand){ .bound = 1e-12, .instructions = 1e-12, .counted = 1e-12,
		             .launches = 1, .unit = "term" };
	is(d, 0.5, 0.5, "0.5 of the cores' rate");
	d = (struct demand){ .bound = 1e-12, .units = 1e-12, .launches = 1, .unit = "term" };
	is(d, 0.5, 0.5, "0.5 of the matrix units' rate");
}

/* 2 us are 250000 cells. */
static void sizes(void **state)
{
	(void)state;
	struct demand d = copy();
	assert_true(near(expect(&d, target(), &machine).from, 1 << 22));
	d.cells = 250000;
	is(d, 0.5, 0.5, "a launch takes 2 us");
	d.launches = 3;
	is(d, 0.25, 0.25, "3 launches take 6 us");
}

static void texts(void **state)
{
	(void)state;
	struct demand d = copy();
	d.wasted = 8, d.strided = "a";
	struct expected e = expect(&d, target(), &machine);
	assert_string_equal(expected_text(&e), "0.50 of the bound from 2^21 cells on (a launch "
	                    "takes 2 us); the rest: strided cells of `a` waste 8 B a cell");
	d = copy();
	d.kept = 8;
	e = expect(&d, target(), &machine);
	assert_string_equal(expected_text(&e), "0.50 to 1.00 of the bound from 2^22 cells on (a "
	                    "launch takes 2 us); the rest: data decide how much is written");
	d = copy();
	d.cells = 1;
	e = expect(&d, target(), &machine);
	assert_string_equal(expected_text(&e), "less than 0.01 of the bound at 1 cell; the rest: a "
	                    "launch takes 2 us");
	e = (struct expected){ .unknown = "it rains" };
	assert_string_equal(expected_text(&e), "not known: it rains");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bytes),
		cmocka_unit_test(blocks),
		cmocka_unit_test(places),
		cmocka_unit_test(instructions),
		cmocka_unit_test(sizes),
		cmocka_unit_test(texts),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
