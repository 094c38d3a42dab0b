/* test_laws.c - the laws of operators: classic ones hold, classic mistakes are refuted by an
 * example that a reader can check by hand. */
#include "patc.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static char said[1 << 16];

/* What sema says about a program; returns the number of errors. */
static int errors_of(const char *text)
{
	char path[] = "/tmp/test_laws_XXXXXX", seen[] = "/tmp/test_seen_XXXXXX";
	struct options o = { 0 };
	int before = diag_errors(), fd = mkstemp(path), to = mkstemp(seen), old = dup(STDERR_FILENO);
	assert_true(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text));
	fflush(stderr);
	dup2(to, STDERR_FILENO);
	struct ast_file *tree = parse_file(path, &o);
	if (diag_errors() == before)
		sema_check(tree, path, &o);
	fflush(stderr);
	dup2(old, STDERR_FILENO);
	ssize_t n = pread(to, said, sizeof said - 1, 0);
	said[n > 0 ? n : 0] = '\0';
	close(fd), close(to), close(old);
	unlink(path), unlink(seen);
	return diag_errors() - before;
}

static void good(const char *op)
{
	if (errors_of(op))
		fail_msg("%s\nis refused:\n%s", op, said);
}
