/* test_util.c - memory, names and lists keep their few promises. */
#include "patc.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static void memory_is_zero(void **state)
{
	(void)state;
	for (size_t bytes = 1; bytes < 100000; bytes *= 3) {
		const char *p = mem_new(bytes);
		for (size_t i = 0; i < bytes; i++)
			assert_int_equal(p[i], 0);
	}
}

static void equal_names_are_equal_pointers(void **state)
{
	(void)state;
	assert_ptr_equal(str_intern("stencil!", 7), str_name("stencil"));
	assert_ptr_not_equal(str_name("a"), str_name("b"));
	assert_ptr_equal(str_intern("", 0), str_name(""));
	assert_string_equal(str_intern("abc", 2), "ab");
	const char *first = str_name("name_0");
	for (int i = 0; i < 5000; i++)
		str_name(str_print("name_%d", i));
	assert_ptr_equal(first, str_name("name_0"));
}

static void lists_grow(void **state)
{
	(void)state;
	LIST(int) list = { 0 };
	for (int i = 0; i < 10000; i++)
		list_add(&list, 3 * i);
	assert_int_equal(list.n, 10000);
	for (int i = 0; i < list.n; i++)
		assert_int_equal(list.at[i], 3 * i);
}

static void text_is_printed_whole(void **state)
{
	(void)state;
	char *text = str_print("%*s|%s", 5000, "x", "y");
	assert_int_equal(strlen(text), 5002);
	assert_string_equal(text + 4999, "x|y");
}

static void json_is_utf8_whatever_it_is_made_of(void **state)
{
	(void)state;
	FILE *out = text_open();
	text_json(out, "a\"\\\n\t\x01\x7f \xe2\x97\x8b \xff\xe2\x97 \xe2\x80\xae \xf3\xa0\x80\x81");
	assert_string_equal(text_close(out), "\"a\\\"\\\\\\n\\t\\u0001\\u007f \xe2\x97\x8b "
	                    "\\ufffd\\ufffd\\ufffd \\u202e \\udb40\\udc01\"");
}

static void the_nearest_name_is_found(void **state)
{
	(void)state;
	struct like like = near_begin("unusdx");
	near_add(&like, "narrowing");
	assert_null(like.name);
	near_add(&like, "unused");
	assert_string_equal(like.name, "unused");
	assert_false(near_is_certain(&like));        /* two edits of six letters */
	near_add(&like, "unusd");
	assert_string_equal(like.name, "unusd");
	assert_true(near_is_certain(&like));
	like = near_begin("unusde");
	near_add(&like, "unused");                   /* neighbours exchanged are one edit */
	assert_true(near_is_certain(&like));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(memory_is_zero),
		cmocka_unit_test(equal_names_are_equal_pointers),
		cmocka_unit_test(lists_grow),
		cmocka_unit_test(text_is_printed_whole),
		cmocka_unit_test(json_is_utf8_whatever_it_is_made_of),
		cmocka_unit_test(the_nearest_name_is_found),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
