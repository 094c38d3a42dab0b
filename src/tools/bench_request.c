/* bench_request.c - the command line of patc bench and patc tune as a test, which has a case for
 * each kernel and each combination of the values that are listed: as that of patc run is a test
 * with one case. */
#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "bench.h"
#include "setting.h"
#include "syntax.h"

enum { CASES_MOST = 1000, RANGE_STEP = 4 };
#define SIZE_END ((int64_t)1 << 48)      /* no size is larger */

/* ---- NAME=VALUE,VALUE... ---- */

/* To the comma that is in no bracket, or to the end. */
static size_t value_length(const char *value)
{
	int depth = 0;
	const char *c = value;
	for (; *c && (depth > 0 || *c != ','); c++)
		depth += !!strchr("([", *c) - !!strchr(")]", *c);
	return (size_t)(c - value);
}

static int64_t digits_read(const char **text)
{
	int64_t n = 0;
	for (; isdigit((unsigned char)**text); ++*text)
		n = n < SIZE_END ? 10 * n + **text - '0' : n;
	return n;
}

/* 4096, 2^12; 0: neither, or too large */
static int64_t power_read(const char **text)
{
	const int64_t base = digits_read(text);
	int64_t n = 1;
	if (**text != '^' || base < 2)
		return base;
	++*text;
	for (int64_t left = digits_read(text); left > 0 && n; left--)
		n = n <= SIZE_END / base ? n * base : 0;
	return n;
}

/* LOW..HIGH: LOW, RANGE_STEP times as much as long as that is below HIGH, and HIGH.  False: it is
 * no range. */
static bool add_range(struct choices *c, const char *value, size_t length)
{
	const char *at = value;
	int64_t low = power_read(&at);
	if (at == value || strncmp(at, "..", 2) != 0)
		return false;
	at += 2;
	const int64_t high = power_read(&at);
	if (at != value + length)
		return false;
	if (low < 1 || high < low || high > SIZE_END)
		fail_usage("the range '%.*s' of '%s' must be within 1..2^48", (int)length, value,
		           c->name);
	for (; low < high; low *= RANGE_STEP)
		list_add(&c->setting, setting_text(str_print("%s=%" PRId64, c->name, low)));
	list_add(&c->setting, setting_text(str_print("%s=%" PRId64, c->name, high)));
	return true;
}

static struct choices choices_of(const char *setting)
{
	const char *equals = strchr(setting, '='), *value = equals + 1;
	const int name = (int)(equals - setting);
	struct choices c = { .name = str_print("%.*s", name, setting) };
	if (value_is_file(value)) {
		list_add(&c.setting, setting_text(setting));
		return c;
	}
	for (;; value++) {
		const size_t n = value_length(value);
		if (!add_range(&c, value, n))
			list_add(&c.setting, setting_text(str_print("%.*s=%.*s", name, setting,
			                                            (int)n, value)));
		value += n;
		if (!*value)
			return c;
	}
}

static struct settings settings_of(const struct options *o)
{
	struct settings s = { .of = { 0 } };
	for (int i = 0; i < o->setting.n; i++)
		list_add(&s.of, choices_of(o->setting.at[i]));
	return s;
}

/* ---- the command line as a test ---- */

static bool has_size(const struct entry *e, const char *name)
{
	for (int k = 0; k < e->size.n; k++)
		if (!strcmp(e->size.at[k]->name, name))
			return true;
	return false;
}

static bool has_name(const struct entry *e, const char *name)
{
	if (has_size(e, name))
		return true;
	for (int i = 0; i < e->param.n; i++)
		if (!strcmp(e->param.at[i]->name, name))
			return true;
	return false;
}

/* A case as a test has it, and what it gives other than sizes, as it is written: {"a": "0.5"}. */
struct combination { const char *text; json_t *values; };

/* The n-th of the settings that the kernel has, the last one changing first. */
static struct combination combination_of(const struct settings *s, const struct entry *e, int n)
{
	struct combination of = { "", json_object() };
	for (int i = s->of.n; i-- > 0;) {
		const struct choices *c = &s->of.at[i];
		if (!has_name(e, c->name))
			continue;
		const char *setting = c->setting.at[n % c->setting.n];
		of.text = str_print("%s%s\n%s", setting, *of.text ? "," : "", of.text);
		if (!has_size(e, c->name))
			json_object_set_new(of.values, c->name,
			                    json_string(strchr(setting, '=') + 1));
		n /= c->setting.n;
	}
	return of;
}

static int combinations(const struct settings *s, const struct entry *e)
{
	int64_t n = 1;
	for (int i = 0; i < s->of.n && n <= CASES_MOST; i++)
		n *= has_name(e, s->of.at[i].name) ? s->of.at[i].setting.n : 1;
	if (n > CASES_MOST)
		fail_usage("more than %d combinations of values for kernel '%s'", CASES_MOST,
		           e->name);
	return (int)n;
}

static struct kernels kernels_of(const struct ast_file *ast, const struct program *p,
                                 const struct options *o)
{
	struct kernels k = { .entry = { 0 } };
	const char *all = "";
	for (int i = 0; i < ast->decl.n; i++) {
		const struct ast_decl *d = ast->decl.at[i];
		if (d->kind != DECL_KERNEL || d->at.file != ast->file)
			continue;
		all = str_print("%s%s%s", all, *all ? ", " : "", d->name);
		for (int e = 0; e < p->entry.n && (!o->kernel || !strcmp(o->kernel, d->name)); e++)
			if (p->entry.at[e]->name == d->name) {
				list_add(&k.entry, p->entry.at[e]);
				list_add(&k.name, d->name);
			}
	}
	if (k.entry.n)
		return k;
	diag_error((struct loc){ .file = o->kernel ? -1 : ast->file }, D_CASE_KERNEL, "%s",
	           o->kernel ? str_print("there is no kernel `%s`", o->kernel)
	                     : "the file has no kernel");
	if (*all)
		diag_cure("there are: %s", all);
	return k;
}

static void check_names(const struct settings *s, const struct kernels *k)
{
	for (int i = 0; i < s->of.n; i++) {
		bool known = false;
		for (int e = 0; e < k->entry.n; e++)
			known = known || has_name(k->entry.at[e], s->of.at[i].name);
		if (!known)
			fail_usage("no kernel that is measured has a size or a parameter '%s'",
			           s->of.at[i].name);
	}
}

struct request request_of(const struct bench_command *c, int kernel)
{
	const struct settings *s = &c->settings;
	const struct kernels *k = &c->kernels;
	struct request r = { "test bench {", 0, json_array() };
	for (int e = 0; e < k->entry.n; e++) {
		if (kernel >= 0 && kernel != e)
			continue;
		const int n = combinations(s, k->entry.at[e]);
		for (int i = 0; i < n; i++) {
			const struct combination of = combination_of(s, k->entry.at[e], i);
			r.text = str_print("%s %s(\n%s);", r.text, k->name.at[e], of.text);
			json_array_append_new(r.values, of.values);
		}
		r.cases += n;
	}
	r.text = str_print("%s }\n", r.text);
	return r;
}

int bench_command(const struct options *o, struct bench_command *c)
{
	const char *path = o->input.at[0];
	c->settings = settings_of(o);
	const struct ast_file *ast = parse_file(path, o);
	if (!ast)
		return FAILED;
	if (diag_errors())
		return WRONG;
	const struct program *p = sema_check(ast, path, o);
	if (diag_errors())
		return WRONG;
	c->kernels = kernels_of(ast, p, o);
	if (diag_errors())
		return WRONG;
	check_names(&c->settings, &c->kernels);
	warning_option("no-all");                /* they have been told */
	return DONE;
}

/* ---- the program with these cases ---- */

static void case_at(struct program *p)
{
	for (int i = 0; i < p->command->cases.n; i++)
		p->command->cases.at[i]->at = (struct loc){ .file = -1 };
}

struct program *request_program(const struct request *r, const struct options *o, int *status)
{
	const char *path = o->input.at[0];
	struct ast_file *ast = parse_file(path, o);
	*status = WRONG;
	if (!ast || diag_errors() || !(ast->command = parse_command(r->text, r->cases)))
		return NULL;
	struct program *p = sema_check(ast, path, o);
	if (diag_errors())
		return NULL;
	if (!sema_tuning(p, o))
		*status = FAILED;
	case_at(p);
	return diag_errors() ? NULL : p;
}
