/* test_type.c - which type widens to which (R1), what arithmetic is done in (R3), and layouts as in
 * C. */
#include "patc.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static const struct type *named(const char *name)
{
	const struct type *type = type_named(str_name(name));
	assert_non_null(type);
	return type;
}

/* Rows are narrow types, columns wide ones; x where the value survives or R1 says so. */
static void widening_follows_the_ruling(void **state)
{
	(void)state;
	static const char *const name[] = { "bool", "i8",  "i16", "i32",  "i64", "u8", "u16",
		                            "u32",  "u64", "f8e4m3", "f8e5m2", "f16", "bf16",
		                            "f32",  "f64" };
	static const char *const fits[] = {
		"x..............",
		".xxxx....xxxxxx",
		"..xxx....xxxxxx",
		"...xx....xxxxxx",
		"....x....xxxxxx",
		"..xxxxxxxxxxxxx",
		"...xx.xxxxxxxxx",
		"....x..xxxxxxxx",
		"........xxxxxxx",
		".........x.xxxx",
		"..........xxxxx",
		"...........x.xx",
		"............xxx",
		".............xx",
		"..............x",
	};
	for (size_t i = 0; i < sizeof name / sizeof *name; i++)
		for (size_t j = 0; j < sizeof name / sizeof *name; j++)
			if (type_fits(named(name[i]), named(name[j])) != (fits[i][j] == 'x'))
				fail_msg("%s to %s", name[i], name[j]);
}

static void small_types_compute_in_32_bits(void **state)
{
	(void)state;
	static const char *const pair[][2] = {
		{ "i8", "i32" },  { "u8", "i32" },  { "i16", "i32" }, { "u16", "i32" },
		{ "i32", "i32" }, { "u32", "u32" }, { "i64", "i64" }, { "u64", "u64" },
		{ "f32", "f32" }, { "f64", "f64" }, { "f16", "f32" }, { "bf16", "f32" },
		{ "f8e4m3", "f32" }, { "f8e5m2", "f32" }
	};
	for (size_t i = 0; i < sizeof pair / sizeof *pair; i++)
		assert_ptr_equal(type_compute(named(pair[i][0])), named(pair[i][1]));
}

static void equal_types_are_equal_pointers(void **state)
{
	(void)state;
	const int64_t nine = 9, eight = 8;
	assert_ptr_equal(named("f32"), type_scalar(T_F32));
	assert_ptr_equal(type_array(type_scalar(T_F32), 1, &nine),
	                 type_array(type_scalar(T_F32), 1, &nine));
	assert_ptr_not_equal(type_array(type_scalar(T_F32), 1, &nine),
	                     type_array(type_scalar(T_F32), 1, &eight));
	assert_string_equal(type_name(type_array(type_scalar(T_F32), 1, &nine)), "f32[9]");
	assert_null(type_named(str_name("float")));
}

static void sizes_are_those_of_c(void **state)
{
	(void)state;
	const int64_t three = 3;
	assert_int_equal(type_size(named("bool")), 1);
	assert_int_equal(type_size(named("f64")), sizeof(double));
	assert_int_equal(type_align(named("i64")), _Alignof(int64_t));
	assert_int_equal(type_size(type_array(named("u16"), 1, &three)), sizeof(uint16_t[3]));
	assert_int_equal(type_align(type_array(named("u16"), 1, &three)), _Alignof(uint16_t));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(widening_follows_the_ruling),
		cmocka_unit_test(small_types_compute_in_32_bits),
		cmocka_unit_test(equal_types_are_equal_pointers),
		cmocka_unit_test(sizes_are_those_of_c),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
