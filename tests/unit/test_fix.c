/* --fix: of two fix-its that overlap the first one is taken. */
#include "base.h"
#include "fix.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { SAME = 40 };                      /* a sort that is not stable changes their order */
static char path[] = "/tmp/patc-fix-XXXXXX";

static void suggest(int file, int col, int end, enum diag code, const char *text)
{
	const struct loc at = { .file = file, .line = 1, .col = col, .end = end };
	diag_error(at, code, "wrong");
	diag_fix(at, text);
}

/* Different errors, in one span and in parts of it, told in the order of the text or not. */
static void suggest_all(int file)
{
	suggest(file, 9, 12, D_UNKNOWN_TYPE, "third");
	suggest(file, 1, 4, D_UNKNOWN_NAME, "first");
	suggest(file, 3, 6, D_UNKNOWN_TYPE, "overlaps");
	for (int i = 0; i < SAME; i++)
		suggest(file, 1, 4, D_UNKNOWN_TYPE, "later");
}

static void test_first(void **state)
{
	(void)state;
	FILE *out = fdopen(mkstemp(path), "w");
	fputs("one two three\n", out);
	fclose(out);
	struct fixing *f = fix_begin(path);
	diag_quiet(true);
	suggest_all(source_open(path));
	diag_quiet(false);
	assert_true(fix_apply(f));
	size_t length;
	assert_string_equal(source_text(source_open(path), &length), "first two thirdee\n");
	assert_false(fix_apply(f));
	unlink(path);
}

/* A fix whose error comes back. */
static void test_endless(void **state)
{
	(void)state;
	char file[] = "/tmp/patc-fix-XXXXXX", text[20] = "";
	FILE *out = fdopen(mkstemp(file), "w");
	fputs("one two three\n", out);
	fclose(out);
	struct fixing *f = fix_begin(file);
	int rounds = 0;
	do {
		diag_quiet(true);
		suggest(source_open(file), 1, 1, D_UNKNOWN_TYPE, "more ");
		diag_quiet(false);
		assert_true(rounds++ < 40);
	} while (fix_apply(f));
	fix_end(f);
	FILE *in = fopen(file, "r");
	assert_non_null(fgets(text, sizeof text, in));
	fclose(in);
	assert_string_equal(text, "one two three\n");
	assert_int_equal(diag_errors(), 1);
	unlink(file);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_first),
		                            cmocka_unit_test(test_endless) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
