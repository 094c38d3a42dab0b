/* sema_test.c - tests: cases, each a kernel with its inputs and what is expected of it.
 *
 *     test NAME { KERNEL(n = 4, x = [1, 2, 3, 4]) -> y = [2, 4, 6, 8] within 1e-6; }
 *     test NAME refused P0401 { kernel f(...) { ... } }
 *
 * What `patc run` is told arrives here as one such case.  A value is a constant expression, a list
 * of them along each axis, one for every cell, the word `random`, or the name of a file. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "given.h"
#include "sema_impl.h"

/* ---- values ---- */

static bool part_add(struct sema *s, struct given *g, const struct ast *a, const struct type *type,
                     int64_t offset);

/* A list of n elements, each `each` bytes; elements may be lists again. */
static bool list_is(const struct given *g, const struct ast *a, int64_t n, const char *of)
{
	if (a->kind == A_LIST && (n < 0 || a->arg.n == n))
		return true;
	if (a->kind != A_LIST)
		diag_error(a->at, D_CASE_VALUE, "`%s`: %s needs a list, but this is a single value",
		           g->var->name, of);
	else
		diag_error(a->at, D_CASE_VALUE, "`%s`: %s has %lld element%s, but here %s %d",
		           g->var->name, of, (long long)n, n == 1 ? "" : "s",
		           a->arg.n == 1 ? "is" : "are", a->arg.n);
	diag_cure("nest lists of equal length, one level for each axis: `[[1, 2], [3, 4]]`");
	return false;
}

static bool parts_of_array(struct sema *s, struct given *g, const struct ast *a,
                           const struct type *type, int axis, int64_t *offset)
{
	bool fine = true;

	if (axis == type->rank) {
		fine = part_add(s, g, a, type->elem, *offset);
		*offset += type_size(type->elem);
		return fine;
	}
	if (!list_is(g, a, type->extent[axis], type_name(type)))
		return false;
	for (int k = 0; fine && k < a->arg.n; k++)
		fine = parts_of_array(s, g, a->arg.at[k], type, axis + 1, offset);
	return fine;
}

static bool parts_of_struct(struct sema *s, struct given *g, const struct ast *a,
                            const struct record *r, int64_t offset)
{
	bool fine = arguments(a, r->field.n);

	for (int k = 0; fine && k < r->field.n; k++)
		fine = part_add(s, g, a->arg.at[k], r->field.at[k].type,
		                offset + r->field.at[k].offset);
	return fine;
}

/* [[1, 2]] for an array of one axis */
static void too_deep(const struct given *g, const struct ast *a)
{
	const int rank = g->var->rank;

	if (!rank) {
		diag_error(a->at, D_CASE_VALUE, "`%s` is a scalar, but this is a list",
		           g->var->name);
		diag_cure("one value: `%s = 1`", g->var->name);
	} else {
		diag_error(a->at, D_CASE_VALUE,
		           "`%s` has %d ax%s, but these lists are nested deeper", g->var->name,
		           rank, rank == 1 ? "is" : "es");
		diag_cure(rank == 1 ? "one list: `[1, 2]`"
		                    : "nest lists of equal length, one level for each axis: `[[1, "
		                      "2], [3, 4]]`");
	}
}

static bool part_add(struct sema *s, struct given *g, const struct ast *a, const struct type *type,
                     int64_t offset)
{
	if (a->kind == A_LIST && type->kind != T_ARRAY) {
		too_deep(g, a);
		return false;
	}
	if (type->kind == T_ARRAY)
		return parts_of_array(s, g, a, type, 0, &offset);
	if (type->kind == T_STRUCT && a->kind == A_CALL && a->name == type->record->name)
		return parts_of_struct(s, g, a, type->record, offset);
	struct expr *e = expr_typed(s, a, type, str_print("`%s`", g->var->name));
	if (e)
		list_add(&g->part, ((struct part){ offset, e }));
	return e;
}

static bool cells_add(struct sema *s, struct given *g, const struct ast *a, int axis,
                      int64_t *offset)
{
	bool fine = true;

	if (axis == g->var->rank) {
		fine = part_add(s, g, a, g->var->type, *offset);
		*offset += type_size(g->var->type);
		return fine;
	}
	if (!list_is(g, a, g->extent[axis], str_print("axis %d", axis + 1)))
		return false;
	g->extent[axis] = a->arg.n;
	for (int k = 0; fine && k < a->arg.n; k++)
		fine = cells_add(s, g, a->arg.at[k], axis + 1, offset);
	return fine;
}

static bool values_check(struct sema *s, struct given *g, const struct ast *a)
{
	int64_t offset = 0;

	g->fills = g->var->rank && a->kind != A_LIST;
	for (int k = 0; k < g->var->rank; k++)
		g->extent[k] = -1;
	if (g->fills || !g->var->rank)
		return part_add(s, g, a, g->var->type, 0);
	return cells_add(s, g, a, 0, &offset);
}

/* "npy:NAME", "raw:NAME", or told by how the name ends.  A name in a program is beside it. */
static bool file_check(struct given *g, const struct ast *a)
{
	const char *name = a->name, *slash = strrchr(source_path(a->at.file), '/');
	size_t n = strlen(name);

	g->kind = GIVEN_FILE;
	g->raw = !strncmp(name, "raw:", 4) || (n > 4 && !strcmp(name + n - 4, ".raw"));
	if (!g->raw && strncmp(name, "npy:", 4) && !(n > 4 && !strcmp(name + n - 4, ".npy"))) {
		diag_error(a->at, D_CASE_VALUE, "`%s`: the format of \"%s\" is unknown",
		           g->var->name, name);
		diag_cure("use a name that ends in .npy or .raw, or put `npy:` or `raw:` before "
		          "it");
		if (strlen(name) > 4 && !strcmp(name + strlen(name) - 4, ".bin"))
			diag_fix(a->at, str_print("\"raw:%s\"", name));
		return false;
	}
	if (!strncmp(name, "raw:", 4) || !strncmp(name, "npy:", 4))
		name += 4;
	g->path = slash && *name != '/'
	                  ? str_print("%.*s%s", (int)(slash + 1 - source_path(a->at.file)),
	                              source_path(a->at.file), name)
	                  : name;
	return true;
}

static bool is_random(struct sema *s, const struct ast *a)
{
	return a->kind == A_NAME && !strcmp(a->name, "random") && !name_find(s, a->name);
}

/* ---- names ---- */

static struct var *var_among(struct var *const *at, int n, const char *name)
{
	for (int k = 0; k < n; k++)
		if (at[k]->name == name)
			return at[k];
	return NULL;
}

static const char *names_of(const struct entry *e, bool written)
{
	const char *text = NULL;

	for (int k = 0; k < e->size.n && !written; k++)
		text = text ? str_print("%s, %s", text, e->size.at[k]->name) : e->size.at[k]->name;
	for (int k = 0; k < e->param.n; k++)
		if (!written || e->param.at[k]->mode != MODE_IN)
			text = text ? str_print("%s, %s", text, e->param.at[k]->name)
			            : e->param.at[k]->name;
	return text ? text : "none";
}

static struct like near_given(const struct entry *e, const char *name, bool expected)
{
	struct like like = near_begin(name);

	for (int k = 0; !expected && k < e->size.n; k++)
		near_add(&like, e->size.at[k]->name);
	for (int k = 0; k < e->param.n; k++)
		if (!expected || e->param.at[k]->mode != MODE_IN)
			near_add(&like, e->param.at[k]->name);
	return like;
}

static struct var *given_var(const struct entry *e, const struct ast_setting *a, bool expected)
{
	struct var *v = var_among(e->param.at, e->param.n, a->name);

	if (!v && !expected)
		v = var_among(e->size.at, e->size.n, a->name);
	if (v && (!expected || v->mode != MODE_IN))
		return v;
	const struct like like = near_given(e, a->name, expected);
	if (expected) {
		diag_error(a->at, D_CASE_NAME, "kernel `%s` does not write a `%s`", e->name,
		           a->name);
		if (!cure_near(&like, a->at))
			diag_cure("it writes: %s", names_of(e, true));
	} else {
		diag_error(a->at, D_CASE_NAME, "kernel `%s` has no size or parameter `%s`", e->name,
		           a->name);
		if (!cure_near(&like, a->at))
			diag_cure("it has: %s", names_of(e, false));
	}
	return NULL;
}

/* x=zeros, x=data.csv */
static void cure_value(struct sema *s, const struct ast *a)
{
	const struct ast *first = a->kind == A_FIELD ? a->arg.at[0] : a;

	if (first->kind == A_NAME && !name_find(s, first->name))
		diag_cure("a value is a number (for all cells), a list, `[1, 2, 3]`, `random`, or "
		          "a file whose name ends in .npy or .raw");
}

static bool settings_check(struct sema *s, const struct entry *e, const struct ast_setting *a,
                           int n, bool expected, struct given *made)
{
	for (int k = 0; k < n; k++) {
		struct given *g = &made[k];
		g->at = a[k].at;
		g->var = given_var(e, &a[k], expected);
		for (int j = 0; g->var && j < k; j++)
			if (made[j].var == g->var) {
				diag_error(a[k].at, D_CASE_NAME, "`%s` is given twice", a[k].name);
				return false;
			}
		if (!g->var)
			return false;
		if (a[k].value->kind == A_STRING) {
			if (!file_check(g, a[k].value))
				return false;
		} else if (is_random(s, a[k].value) && !expected && g->var->kind == VAR_PARAM)
			g->kind = GIVEN_RANDOM;
		else if (!values_check(s, g, a[k].value)) {
			cure_value(s, a[k].value);
			return false;
		}
	}
	return true;
}

/* ---- within 1e-6, status index ---- */

static const char *const status_ids[] = {
#define STATUS(id, number, text) [number] = #id,
#include "status.def"
#undef STATUS
};
static const char required_id[] = "ST_REQUIRED";

/* ST_INDEX is written `index` */
static bool status_is(const char *id, const char *name)
{
	for (id += strlen("ST_"); *id && tolower((unsigned char)*id) == *name; id++)
		name++;
	return !*id && !*name;
}

static bool status_check(const struct ast *a, int *status)
{
	const char *all = "required";
	struct like like = near_begin(a->kind == A_NAME ? a->name : "");

	near_add(&like, all);
	if (a->kind == A_NAME && status_is(required_id, a->name)) {
		*status = ST_REQUIRED;
		return true;
	}
	for (int k = 0; a->kind == A_NAME && k < STATUS_COUNT_; k++)
		if (status_is(status_ids[k], a->name)) {
			*status = k;
			return true;
		}
	for (int k = 0; k < STATUS_COUNT_; k++) {
		char *name = str_print("%s", status_ids[k] + strlen("ST_"));
		for (char *c = name; *c; c++)
			*c = (char)tolower((unsigned char)*c);
		all = str_print("%s, %s", all, name);
		near_add(&like, str_name(name));
	}
	diag_error(a->at, D_CASE_CLAUSE, "no status `%s`", ast_text(a));
	if (!cure_near(&like, a->at))
		diag_cure("there are: %s", all);
	return false;
}

static bool within_check(struct sema *s, const struct ast *a, double *within)
{
	struct expr *e = expr_typed(s, a, type_scalar(T_F64), "`within`");

	if (e && e->kind == E_CONST && e->value.f >= 0) {
		*within = e->value.f;
		return true;
	}
	if (e)
		diag_error(a->at, D_CASE_CLAUSE, "`within` needs a constant that is not negative");
	return false;
}

static bool clauses_check(struct sema *s, const struct ast_case *a, struct test_case *c)
{
	for (int k = 0; k < a->word.n; k += 2) {
		const struct ast *word = a->word.at[k],
				 *value = k + 1 < a->word.n ? a->word.at[k + 1] : NULL;
		bool within = word->kind == A_NAME && !strcmp(word->name, "within");
		bool status = word->kind == A_NAME && !strcmp(word->name, "status");
		if (!within && !status) {
			diag_error(word->at, D_CASE_CLAUSE, "`%s` is not a clause of a test",
			           ast_text(word));
			diag_cure("the clauses are `within 1e-6` and `status index`");
			return false;
		}
		if (!value) {
			diag_error(word->at, D_CASE_CLAUSE, "clause `%s` needs a value",
			           word->name);
			return false;
		}
		if (!(within ? within_check(s, value, &c->within)
		             : status_check(value, &c->status)))
			return false;
	}
	return true;
}

/* ---- cases ---- */

static struct entry *entry_named(const struct program *p, const struct ast_case *a)
{
	const char *all = "";
	struct like like = near_begin(a->kernel);

	for (int k = 0; k < p->entry.n; k++) {
		if (p->entry.at[k]->name == a->kernel)
			return p->entry.at[k];
		near_add(&like, p->entry.at[k]->name);
		all = *all ? str_print("%s, %s", all, p->entry.at[k]->name) : p->entry.at[k]->name;
	}
	diag_error(a->at, D_CASE_KERNEL, "there is no kernel `%s`", a->kernel);
	if (!cure_near(&like, a->at))
		diag_cure("%s%s", *all ? "there are: " : "the file has none", all);
	return NULL;
}

static struct given *givens(int n)
{
	return mem_new((size_t)(n + 1) * sizeof(struct given));
}

static void case_check(struct sema *s, const struct ast_case *a, struct test *test)
{
	struct test_case *c = NEW(struct test_case);

	c->at = a->at;
	c->entry = entry_named(s->program, a);
	if (!c->entry)
		return;
	c->given.at = givens(c->given.n = a->given.n);
	c->expected.at = givens(c->expected.n = a->expected.n);
	if (settings_check(s, c->entry, a->given.at, a->given.n, false, c->given.at)
	    && settings_check(s, c->entry, a->expected.at, a->expected.n, true, c->expected.at)
	    && clauses_check(s, a, c))
		list_add(&test->cases, c);
}

/* refused P0401 */
static int refused_code(const struct ast_decl *d)
{
	const struct ast_phrase *p = d->claim.n ? d->claim.at[0] : NULL;
	const struct ast *word = p ? p->word.at[0] : NULL,
			 *code = p && p->word.n == 2 ? p->word.at[1] : NULL;

	if (!word)
		return 0;
	if (code && word->kind == A_NAME && !strcmp(word->name, "refused") && code->kind == A_NAME
	    && *code->name == 'P' && strlen(code->name) == 5
	    && strspn(code->name + 1, "0123456789") == 4)
		return atoi(code->name + 1);
	diag_error(word->at, D_CASE_CLAUSE,
	           "the name of a test can be followed only by `refused` and a code");
	diag_cure("`test NAME refused P0401 { kernel ... }`");
	return 0;
}

struct test *test_check(struct sema *s, const struct ast_decl *d)
{
	struct test *test = NEW(struct test);
	bool refuses = d->claim.n;

	test->name = d->name;
	test->at = d->at;
	test->decl = d;
	test->refused = refused_code(d);
	if (refuses ? d->test.n : d->inside.n) {
		diag_error(refuses ? d->test.at[0]->at : d->inside.at[0]->at, D_CASE_CLAUSE,
		           refuses ? "a `refused` test contains declarations, not cases"
		                   : "only a `refused` test can contain declarations");
		diag_cure("`test NAME refused P0401 { kernel ... }`");
	}
	for (int k = 0; k < d->inside.n; k++)
		if (d->inside.at[k]->kind == DECL_USE) {
			diag_error(d->inside.at[k]->at, D_CASE_CLAUSE,
			           "`use` is not allowed in a test");
			diag_cure("the files that a program uses are available in its tests too");
		}
	for (int k = 0; k < d->test.n && !refuses; k++)
		case_check(s, d->test.at[k], test);
	return test;
}
