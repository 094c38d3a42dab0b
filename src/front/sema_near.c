/* sema_near.c - did you mean: which name is nearest to one that nobody has declared, and whether
 * that is certain enough for a fix-it. */
#include <stdlib.h>
#include <string.h>

#include "sema_impl.h"

/* Edits between two words, at most limit: insert, delete, replace. */
static int distance(const char *a, const char *b)
{
	int row[32], n = (int)strlen(a), m = (int)strlen(b);

	if (n > 30 || m > 30 || abs(n - m) > 2)
		return 99;
	for (int j = 0; j <= m; j++)
		row[j] = j;
	for (int i = 1; i <= n; i++) {
		int corner = row[0];
		row[0] = i;
		for (int j = 1; j <= m; j++) {
			int best = corner + (a[i - 1] != b[j - 1]);
			best = best < row[j] + 1 ? best : row[j] + 1;
			best = best < row[j - 1] + 1 ? best : row[j - 1] + 1;
			corner = row[j];
			row[j] = best;
		}
	}
	return row[m];
}

struct like near_begin(const char *name)
{
	return (struct like){ .of = name, .least = 3 };
}

void near_add(struct like *like, const char *other)
{
	int d = distance(like->of, other);

	if (!d || 2 * d > (int)strlen(like->of) || d > like->least)
		return;
	like->is_alone = d < like->least;
	like->least = d;
	like->name = like->is_alone ? other : like->name;
}

/* Few letters say little. */
bool near_is_certain(const struct like *like)
{
	return like->name && like->is_alone && strlen(like->of) >= 4;
}

/* A look at every name for every mistake would be quadratic: only the first ones get advice. */
struct like name_like(struct sema *s, const char *name, bool callable)
{
	struct like like = near_begin(name);

	if (diag_errors() > 20)
		return like;
	if (!callable) {
		for (struct binding *b = s->vars; b; b = b->hh.next)
			near_add(&like, b->name);
		return like;
	}
	for (struct callable *c = s->calls; c; c = c->hh.next)
		near_add(&like, c->name);
	for (int k = 0; k < MATH_COUNT; k++)
		near_add(&like, math_table[k].name);
	return like;
}

struct loc ast_name_span(const struct ast *a)
{
	struct loc at = a->at;

	at.end = at.col + (int)strlen(a->name);
	return at;
}

/* Has the variable as many axes as it is read with subscripts? */
static bool has_axes(struct sema *s, const char *name, const struct ast *a)
{
	const struct binding *b = name_find(s, name);

	return b && b->var && b->var->rank == (a->kind == A_SUBSCRIPT ? a->sub.n : 0);
}

/* Does the function take as many arguments, or does the operator fold? */
static bool has_arguments(struct sema *s, const char *name, const struct ast *a)
{
	const struct callable *c = callable_find(s, name);
	const struct math_row *row = math_find(name);

	if (a->kind == A_FOLD)
		return fold_find(s, name);
	return c ? c->fn && c->fn->param.n == a->arg.n : row && row->arity == a->arg.n;
}

void suggest(struct sema *s, const struct ast *a, bool callable)
{
	const struct like like = name_like(s, a->name, callable);

	if (!like.name && s->inside && s->inside->is_condition)
		diag_cure("the condition of a law uses `%s`, its fields, constants and functions",
		          s->inside->decl->given.name);
	if (!like.name)
		return;
	diag_cure("did you mean `%s`?", like.name);
	if (near_is_certain(&like)
	    && (callable ? has_arguments(s, like.name, a) : has_axes(s, like.name, a)))
		diag_fix(ast_name_span(a), like.name);
}
