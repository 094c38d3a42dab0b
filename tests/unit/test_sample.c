/* test_sample.c - what chance makes of parameters that point, for the uses a graph can have. */
#include "patc.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "compare.h"
#include "execute.h"
#include "sample.h"

enum { SEEDS = 300, CELLS = 40 };

static struct use use_named(const struct entry *e, const char *name)
{
	for (int i = 0; i < e->param.n; i++)
		if (!strcmp(e->param.at[i]->name, name))
			return use_of(e, e->param.at[i]);
	fail_msg("no parameter %s", name);
	return (struct use){ 0 };
}

static void uses_are_found(void **state)
{
	const struct entry *e = kernel(
		"kernel f(x: f32[n, m], off: u16[s], h: bool[m], k: f32[n], c: i32, other: i32[m], "
	        "out p: f32[n, m]) {\n"
		"\tscan p[i, j] = sum[i](x[i, j]) segments off;\n"
		"\tscan p[i, j] = sum[j](x[i, j]) heads h;\n"
		"\tscan p[i, j] = sum[i](x[i, j]) keys k;\n"
		"\tscan p[i, j] = sum[j](x[i, j] + f32(other[j])) of c;\n}\n");
	(void)state;
	struct use off = use_named(e, "off");
	assert_int_equal(off.kind, USE_OFFSETS);
	assert_string_equal(affine_text(&off.size), "n");
	assert_int_equal(use_named(e, "h").kind, USE_HEADS);
	assert_int_equal(use_named(e, "k").kind, USE_KEYS);
	assert_int_equal(use_named(e, "c").kind, USE_LENGTH);
	assert_int_equal(use_named(e, "other").kind, USE_ANY);
	assert_int_equal(use_named(e, "x").kind, USE_ANY);
}

/* How many of the arrays made are as they should be. */
static int rising(enum scalar type, enum flavour how, int64_t n, int *whole)
{
	const struct type *t = type_scalar(type);
	const struct use use = { .kind = USE_OFFSETS };
	uint64_t chance = 1;
	int good = 0;
	*whole = 0;
	for (int s = 0; s < SEEDS; s++) {
		int32_t at[CELLS];
		bool rises = true;
		assert_int_equal(type_size(t), sizeof *at);
		sample_use(&chance, &use, n, t, how, CELLS, at);
		for (int k = 0; k < CELLS; k++)
			rises &= at[k] >= (k ? at[k - 1] : 0) && at[k] <= n;
		good += rises;
		*whole += rises && at[0] == 0 && at[CELLS - 1] == n;
	}
	return good;
}

static void offsets_rise(void **state)
{
	int whole;
	(void)state;
	assert_int_equal(rising(T_I32, TAME, 1000, &whole), SEEDS);
	assert_true(whole > SEEDS / 4 && whole < SEEDS);
	assert_int_equal(rising(T_I32, SPECIAL, 0, &whole), SEEDS);
	int spoilt = SEEDS - rising(T_I32, WIDE, 1000, &whole);
	assert_true(spoilt > SEEDS / 8 && spoilt < SEEDS / 2 + SEEDS / 8);
}

static void small_types_hold_what_they_can(void **state)
{
	const struct use use = { .kind = USE_OFFSETS };
	uint64_t chance = 1;
	(void)state;
	for (int s = 0; s < SEEDS; s++) {
		int8_t at[CELLS];
		sample_use(&chance, &use, 1000, type_scalar(T_I8), TAME, CELLS, at);
		for (int k = 0; k < CELLS; k++)
			assert_true(at[k] >= (k ? at[k - 1] : 0));
	}
}

static void subscripts_stay_inside(void **state)
{
	const struct use use = { .kind = USE_SUBSCRIPT };
	uint64_t chance = 1;
	int outside = 0;
	(void)state;
	for (int s = 0; s < SEEDS; s++) {
		int64_t tame[CELLS], wide[CELLS];
		sample_use(&chance, &use, 17, type_scalar(T_I64), TAME, CELLS, tame);
		sample_use(&chance, &use, 17, type_scalar(T_I64), WIDE, CELLS, wide);
		bool inside = true;
		for (int k = 0; k < CELLS; k++) {
			assert_true(tame[k] >= 0 && tame[k] < 17);
			inside &= wide[k] >= 0 && wide[k] < 17;
		}
		outside += !inside;
	}
	assert_true(outside > SEEDS / 8 && outside < SEEDS / 2 + SEEDS / 8);
}

/* Long along what runs, and nowhere else. */
static void one_shape_is_long(void **state)
{
	const struct entry *e = kernel(
		"kernel f(x: f32[l, m, n], out p: f32[l, m, n]) {\n"
		"\tmap p[i, j, k] = x[i, j, k];\n"
		"\trepeat t < 2 { scan p[i, j, k] = sum[j](x[i, j, k]); }\n}\n");
	const struct entry *still = kernel(
		"kernel f(x: f32[n], out p: f32[n]) {\n\tmap p[i] = x[i];\n}\n");
	uint64_t chance = 1;
	struct sizes s;
	(void)state;
	for (int i = 0; i < 20; i++) {
		assert_true(shape_long(e, 100000, &chance, &s));
		assert_true(s.size[1] == 100000 && s.size[0] * s.size[2] <= 8);
	}
	assert_false(shape_long(still, 100000, &chance, &s));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(uses_are_found),
		cmocka_unit_test(offsets_rise),
		cmocka_unit_test(small_types_hold_what_they_can),
		cmocka_unit_test(subscripts_stay_inside),
		cmocka_unit_test(one_shape_is_long),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
