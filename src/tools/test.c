/* test.c - patc test: the tests of a program, run by the reference interpreter; test_built.c
 * compares a built target with it.
 *
 * A case passes when the kernel returns the status that is expected and every cell is what is
 * expected: integers and bool the same, floats within the bound that the interpreter computes
 * beside each value (eval_value.c: how far another legal evaluation may be off) and, if said,
 * `within t` of it: t times the expected value, or t where that is smaller than 1.
 *
 * A test of what is refused is the program's own declarations, all but kernels, and those in the
 * test: the road is taken to its end or to the first stage that refuses. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "case.h"
#include "eval_value.h"
#include "road.h"
#include "run.h"
#include "show.h"
#include "syntax.h"

/* ---- progress: on a terminal only ---- */

static void progress(const struct totals *t)
{
	if (isatty(STDERR_FILENO) && diag_is_text())
		fprintf(stderr, "\r%" PRId64 " tests \r", t->passed + t->failed);
}

static void count(struct totals *t, bool good)
{
	*(good ? &t->passed : &t->failed) += 1;
	progress(t);
}

/* ---- are two values equal ---- */

static bool equal_floats(const struct type *t, const void *got, const void *expected, double error,
	double within)
{
	double g = num_load(t, got).f, e = num_load(t, expected).f;
	if (isnan(g) || isnan(e))
		return isnan(g) && isnan(e);
	return g == e || fabs(g - e) <= error + within * fmax(1, fabs(e));
}

static bool equal_values(const struct type *t, const char *got, const char *expected, double error,
	double within)
{
	bool equal = true;
	if (t->kind == T_STRUCT) {
		for (int i = 0; i < t->record->field.n; i++) {
			const struct field *f = &t->record->field.at[i];
			equal &= equal_values(f->type, got + f->offset, expected + f->offset, error,
			                      within);
		}
		return equal;
	}
	if (t->kind == T_ARRAY) {
		for (int64_t i = 0; i < type_size(t); i += type_size(t->elem))
			equal &= equal_values(t->elem, got + i, expected + i, error, within);
		return equal;
	}
	if (type_class(t) == 'F')
		return equal_floats(t, got, expected, error, within);
	return num_load(t, got).i == num_load(t, expected).i;
}

/* Where the bound is infinite the interpreter's own value is as good as any: it is compared as if
 * it were exact. */
static bool compare(const struct given *g, const struct bound *got, const struct bound *expected,
	double within)
{
	const struct type *t = g->var->type;
	int64_t first = -1, wrong = 0;
	for (int64_t i = 0; i < got->cells; i++) {
		int64_t at = i * type_size(t);
		double error = isinf(got->error[i]) ? 0 : got->error[i];
		if (equal_values(t, (char *)got->data + at, (char *)expected->data + at, error,
		                 within))
			continue;
		first = wrong++ ? first : i;
	}
	if (!wrong)
		return true;
	const char *more = wrong > 1 ? str_print("; %" PRId64 " of %" PRId64 " cells differ", wrong,
		got->cells) : "";
	int64_t at = first * type_size(t);
	diag_error(g->at, D_TEST_DIFFERS, "`%s` is %s, expected %s%s", show_place(got, first),
	           show_value(t, (char *)got->data + at),
	           show_value(t, (char *)expected->data + at), more);
	return false;
}

/* ---- one case ---- */

static const struct bound *bound_of(const struct test_case *c, const struct bound *b,
	const struct var *v)
{
	int i = 0;
	while (b[i].var != v && i + 1 < c->entry->size.n + c->entry->param.n)
		i++;
	return &b[i];
}

static bool check_results(const struct test_case *c, const struct bound *b)
{
	bool good = true;
	for (int i = 0; i < c->expected.n; i++) {
		struct bound expected;
		const struct bound *got = bound_of(c, b, c->expected.at[i].var);
		good &= case_expected(&c->expected.at[i], got, &expected)
			&& compare(&c->expected.at[i], got, &expected, c->within);
		free(expected.data);
	}
	return good;
}

static bool test_case(const struct test_case *c, uint64_t seed)
{
	struct bound *b = case_bind(c, seed);
	if (!b)
		return false;
	int errors = diag_errors();
	int status = case_run(c, b);
	bool good = status == c->status || (c->status == ST_REQUIRED && status > ST_REQUIRED);
	bool reported = diag_errors() > errors;
	if (!good && status >= 0)
		diag_error(c->at, D_CASE_STATUS,
		           "kernel `%s` returned status %d (%s), expected %d (%s)", c->entry->name,
		           status, entry_status(c->entry, status), c->status,
		           c->status == ST_REQUIRED ? "a requirement does not hold"
		                                    : status_text(c->status));
	if (good && status_stands(status))
		good = check_results(c, b);
	case_free(c, b);
	return good && !reported;
}

/* ---- one refusal ---- */

static void refuse(const struct ast_file *ast, const struct test *test, const struct options *given)
{
	struct options options = *given, *o = &options;
	o->target = o->target ? o->target : targets[0];
	struct ast_file part = { .file = ast->file };
	int errors = diag_errors();
	for (int i = 0; i < ast->decl.n; i++) {
		enum ast_decl_kind kind = ast->decl.at[i]->kind;
		if (kind != DECL_KERNEL && kind != DECL_SCHEDULE && kind != DECL_TEST)
			list_add(&part.decl, ast->decl.at[i]);
	}
	for (int i = 0; i < test->decl->inside.n; i++)
		list_add(&part.decl, test->decl->inside.at[i]);
	struct program *program = sema_check(&part, source_path(ast->file), o);
	if (diag_errors() == errors)
		program_schedule(program, o);
	if (diag_errors() == errors)
		program_lower(program, o);
}

static bool test_refused(const struct ast_file *ast, const struct test *test,
                         const struct options *o)
{
	struct codes codes = { 0 };
	const char *others = "";
	diag_capture(&codes);
	refuse(ast, test, o);
	diag_capture(NULL);
	for (int i = 0; i < codes.n; i++) {
		if (codes.at[i] == test->refused)
			return true;
		others = str_print("%s%sP%04d", others, *others ? ", " : "", codes.at[i]);
	}
	diag_error(test->at, D_TEST_NOT_REFUSED, "test `%s`: refused with %s, expected P%04d",
	           test->name, *others ? others : "nothing", test->refused);
	return false;
}

/* ---- one program ---- */

/* The exit status; a program that is wrong fails as one test. */
static int test_program(const char *path, const struct options *o, struct totals *t)
{
	int errors = diag_errors();
	const struct ast_file *ast = parse_file(path, o);
	if (!ast)
		return FAILED;
	struct program *program = diag_errors() > errors ? NULL : sema_check(ast, path, o);
	if (diag_errors() > errors)
		return count(t, false), WRONG;
	for (int i = 0; i < program->test.n; i++) {
		const struct test *test = program->test.at[i];
		for (int k = 0; k < test->cases.n; k++)
			count(t, test_case(test->cases.at[k], o->seed));
		if (test->refused)
			count(t, test_refused(ast, test, o));
	}
	if (o->target)
		test_built(path, program, o, t);
	return DONE;
}

int test_main(const struct options *o)
{
	struct totals t = { 0, 0 };
	int status = DONE;
	for (int i = 0; i < o->input.n; i++) {
		int one = test_program(o->input.at[i], o, &t);
		status = one > status ? one : status;
	}
	printf("%" PRId64 " passed, %" PRId64 " failed\n", t.passed, t.failed);
	return status == DONE && t.failed ? WRONG : status;
}
