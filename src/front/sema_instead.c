/* sema_instead.c - finds the pattern that fits a statement which is correct except for its
 * pattern's name.
 *
 * Who refuses a statement names the patterns that it may be of (sema_instead).  Then it is checked
 * with each of these words, its errors unshown, and the first that is accepted is the cure and a
 * fix-it.  Whatever a check has changed in the scope is put back before the next one. */
#include <stdarg.h>
#include <string.h>

#include "sema_impl.h"

static void before_target(struct sema *s, struct before *before, const struct ast *a)
{
	const struct ast *root = target_root_ast(a);
	struct binding *b = root->name ? name_find(s, root->name) : NULL;

	if (b)
		list_add(&before->target, ((struct written){ b, b->written }));
}

struct before before_of(struct sema *s, const struct ast_stmt *a)
{
	struct before before = { .earlier = s->earlier.n, .fresh = s->fresh.n };

	memcpy(before.ordinal, s->ordinal, sizeof before.ordinal);
	for (int k = 0; k < a->equation.n; k++)
		for (int j = 0; j < a->equation.at[k]->target.n; j++)
			before_target(s, &before, a->equation.at[k]->target.at[j]);
	return before;
}

void before_put_back(struct sema *s, const struct before *before)
{
	for (int k = before->target.n; k-- > 0; )
		before->target.at[k].at->written = before->target.at[k].written;
	s->earlier.n = before->earlier;
	s->fresh.n = before->fresh;
	s->running = NULL;
	s->signs = NULL;
	memcpy(s->ordinal, before->ordinal, sizeof s->ordinal);
}

enum { MOST_INSTEAD = 8 };
static struct { const char *word[MOST_INSTEAD], *cure; int n; } instead;

void sema_instead(const char *pattern)
{
	const struct pattern *p = pattern_find(pattern);

	if (p && instead.n < MOST_INSTEAD && diag_is_told())
		instead.word[instead.n++] = pattern;
}

void sema_cure(const char *format, ...)
{
	va_list args;
	FILE *text;

	if (!diag_is_told())
		return;
	text = text_open();
	va_start(args, format);
	vfprintf(text, format, args);
	va_end(args);
	instead.cure = text_close(text);
}

static bool is_accepted(struct sema *s, const struct ast_stmt *a, const char *word,
                        const struct before *before)
{
	struct ast_stmt other = *a;
	struct codes codes = { 0 };

	other.name = str_name(word);
	diag_capture(&codes);
	bool fine = pattern_try(s, &other);
	diag_capture(NULL);
	before_put_back(s, before);
	return fine && !codes.n;
}

/* The cure of the last error: the first of the words with which the statement has none. */
void instead_say(struct sema *s, const struct ast_stmt *a, const struct before *before)
{
	const int n = instead.n;

	if (!diag_is_told())
		return;
	for (int k = 0; k < n; k++)
		if (is_accepted(s, a, instead.word[k], before)) {
			diag_cure("write `%s` instead of `%s`:", instead.word[k], a->name);
			diag_fix(a->at, instead.word[k]);
			return;
		}
	if (instead.cure)
		diag_cure("%s", instead.cure);
}

void instead_clear(void)
{
	instead.n = 0;
	instead.cure = NULL;
}
