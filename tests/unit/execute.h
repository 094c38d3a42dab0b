/* execute.h - a kernel given as text, run by the interpreter: behind <cmocka.h> and patc.h. */
#ifndef EXECUTE_H
#define EXECUTE_H

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The first kernel of a program given as text. */
static const struct entry *kernel(const char *text)
{
	char path[] = "/tmp/test_eval_XXXXXX";
	struct options o = { 0 };
	int fd = mkstemp(path);
	assert_true(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text));
	close(fd);
	struct ast_file *tree = parse_file(path, &o);
	assert_int_equal(diag_errors(), 0);
	const struct program *p = sema_check(tree, path, &o);
	unlink(path);
	assert_int_equal(diag_errors(), 0);
	return p->entry.at[0];
}

/* Runs it: sizes, then parameters, each a pointer; extents are the interpreter's own business. */
static inline int execute(const char *text, int64_t *size, void **data, double **error)
{
	const struct entry *e = kernel(text);
	struct bound b[16] = { 0 };
	int n = e->size.n + e->param.n;
	assert_true(n <= 16);
	for (int i = 0; i < n; i++) {
		b[i].var = i < e->size.n ? e->size.at[i] : e->param.at[i - e->size.n];
		b[i].data = i < e->size.n ? (void *)&size[i] : data[i - e->size.n];
		b[i].error = error && i >= e->size.n ? error[i - e->size.n] : NULL;
	}
	return eval_entry(e, b, n);
}

static inline void same_i32(const int32_t *got, const int32_t *expected, int n)
{
	for (int i = 0; i < n; i++)
		if (got[i] != expected[i])
			fail_msg("cell %d: got %d, expected %d", i, got[i], expected[i]);
}

#endif
