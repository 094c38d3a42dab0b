/* sema_near.c - did you mean: which name of the program is nearest to one that nobody has declared,
 * and whether that is certain enough for a fix-it: near.c measures. */
#include <string.h>

#include "sema_impl.h"

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

/* What other languages have under a name that is not near one of here: its name here, or a cure. */
#define MEAN "a mean is `sum[i](x[i]) / n`"
#define SIGN "write `copysign(1, x)`, or `x > 0 ? 1 : x < 0 ? -1 : 0`"
#define MIX "write `a + t * (b - a)`"
#define FOLDS "it is a fold: `reduce s = sum[i](...);`, of `abs(x[i])`, `x[i] * x[i]` or " \
	"`x[i] * y[i]`"
#define THREADS "an index is declared by what is written, `map y[i] = ...;`: patc chooses blocks " \
	"and threads"
static const struct foreign {
	const char *name;
	bool callable;
	const char *here, *cure;
} foreign[] = {
	{ "ln", true, "log", NULL },
	{ "sqr", true, NULL, "a square is `x * x`" },
	{ "square", true, NULL, "a square is `x * x`" },
	{ "saturate", true, NULL, "write `clamp(x, 0, 1)`" },
	{ "__saturatef", true, NULL, "write `clamp(x, 0, 1)`" },
	{ "sign", true, NULL, SIGN },
	{ "sgn", true, NULL, SIGN },
	{ "mad", true, "fma", NULL },
	{ "lerp", true, NULL, MIX },
	{ "mix", true, NULL, MIX },
	{ "frac", true, NULL, "write `x - floor(x)`" },
	{ "fract", true, NULL, "write `x - floor(x)`" },
	{ "exp10", true, NULL, "write `pow(10, x)`" },
	/* each is one letter from another function */
	{ "cot", true, NULL, "write `1 / tan(x)`" },
	{ "sec", true, NULL, "write `1 / cos(x)`" },
	{ "csc", true, NULL, "write `1 / sin(x)`" },
	{ "coth", true, NULL, "write `1 / tanh(x)`" },
	{ "sech", true, NULL, "write `1 / cosh(x)`" },
	{ "csch", true, NULL, "write `1 / sinh(x)`" },
	{ "acot", true, NULL, "write `atan(1 / x)`" },
	{ "asum", true, NULL, FOLDS },
	{ "norm", true, NULL, FOLDS },
	{ "dot", true, NULL, FOLDS },
	{ "median", true, NULL, "write `kth[i](x[i], n / 2)`, of `n` cells" },
	{ "mean", true, NULL, MEAN },
	{ "avg", true, NULL, MEAN },
	{ "average", true, NULL, MEAN },
	{ "INFINITY", false, "inf", NULL },
	{ "M_PI", false, NULL, "declare it: `const M_PI: f32 = 3.14159265;`" },
	{ "threadIdx", false, NULL, THREADS },
	{ "blockIdx", false, NULL, THREADS },
	{ "blockDim", false, NULL, THREADS },
	{ "gridDim", false, NULL, THREADS },
};

static const struct foreign *foreign_find(const char *name, bool callable)
{
	for (size_t k = 0; k < sizeof foreign / sizeof *foreign; k++)
		if (!strcmp(foreign[k].name, name) && foreign[k].callable == callable)
			return &foreign[k];
	return NULL;
}

bool is_foreign(const char *name, bool callable)
{
	return foreign_find(name, callable);
}

/* sinf, expf: what C calls a function of float. */
static const char *without_suffix(const char *name)
{
	const size_t n = strlen(name);
	const char *whole = n > 1 && name[n - 1] == 'f' ? str_intern(name, n - 1) : NULL;

	return whole && math_find(whole) ? whole : NULL;
}

static void suggest_foreign(const struct foreign *f, const struct ast *a)
{
	if (f->cure) {
		diag_cure("%s", f->cure);
		return;
	}
	diag_cure("in patc, it is `%s`:", f->here);
	diag_fix(ast_name_span(a), f->here);
}

bool cure_near(const struct like *like, struct loc at)
{
	if (!near_is_certain(like))
		return false;
	at.end = at.col + (int)strlen(like->of);
	diag_cure("did you mean `%s`?", like->name);
	diag_fix(at, like->name);
	return true;
}

void suggest(struct sema *s, const struct ast *a, bool callable)
{
	const struct foreign *f = foreign_find(a->name, callable);
	const struct like like = name_like(s, a->name, callable);

	if (f)
		return suggest_foreign(f, a);
	if (callable && without_suffix(a->name))
		return suggest_foreign(&(struct foreign){ .here = without_suffix(a->name) }, a);
	if (!like.name && s->inside && s->inside->is_condition)
		diag_cure("the condition of a law uses `%s`, its fields, constants and functions",
		          s->inside->decl->given.name);
	if (!like.name && s->in_when)
		diag_cure("a condition of a schedule has sizes and scalar parameters of the "
		          "kernel");
	if (!like.name)
		return;
	diag_cure("did you mean `%s`?", like.name);
	if (near_is_certain(&like)
	    && (callable ? has_arguments(s, like.name, a) : has_axes(s, like.name, a)))
		diag_fix(ast_name_span(a), like.name);
}
