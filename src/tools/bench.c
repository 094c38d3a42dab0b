/* bench.c - patc bench: kernels, built by the user's compiler and measured.
 *
 * The command line is a test with a case for each kernel and each combination of the values that it
 * lists, as that of patc run is a test with one case.  bench_write.c turns it into a program, which
 * built.c compiles in a folder of our own below TMPDIR and runs; its rows are shown in the end.
 * Each target and each file of pins that is compared is a program of its own in that folder. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench.h"
#include "built.h"
#include "out.h"
#include "run.h"
#include "setting.h"
#include "syntax.h"

enum { CASES_MOST = 1000, VARIANTS_MOST = 8 };
static const char kind[] = "bench", flags[] = "-O3";

/* ---- NAME=VALUE,VALUE... ---- */

/* A setting with each of its values: "n=1", "n=2" of "n=1,2". */
struct choices { const char *name; LIST(const char *) setting; };
struct settings { LIST(struct choices) of; };

/* To the comma that is in no bracket, or to the end. */
static size_t value_length(const char *value)
{
	int depth = 0;
	const char *c = value;
	for (; *c && (depth > 0 || *c != ','); c++)
		depth += !!strchr("([", *c) - !!strchr(")]", *c);
	return (size_t)(c - value);
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
		list_add(&c.setting,
		         setting_text(str_print("%.*s=%.*s", name, setting, (int)n, value)));
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

/* The kernels that are measured: by their names in the file. */
struct kernels { LIST(const struct entry *) entry; LIST(const char *) name; };

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
			if (p->entry.at[e]->name == str_name(name_global(d->name))) {
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

/* As a test; values: of each case, struct combination. */
struct request { const char *text; int cases; json_t *values; };

static struct request request_of(const struct settings *s, const struct kernels *k)
{
	struct request r = { "test bench {", 0, json_array() };
	for (int e = 0; e < k->entry.n; e++) {
		const int n = combinations(s, k->entry.at[e]);
		for (int i = 0; i < n; i++) {
			const struct combination c = combination_of(s, k->entry.at[e], i);
			r.text = str_print("%s %s(\n%s);", r.text, k->name.at[e], c.text);
			json_array_append_new(r.values, c.values);
		}
		r.cases += n;
	}
	r.text = str_print("%s }\n", r.text);
	return r;
}

/* ---- one program ---- */

static struct loc place_of(const struct program *p, const char *kernel)
{
	for (int i = 0; p && i < p->entry.n; i++)
		if (!strcmp(p->entry.at[i]->name, kernel))
			return p->entry.at[i]->at;
	return (struct loc){ .file = -1 };
}

/* p NULL: the program is not here. */
static void tell_status(const struct program *p, const json_t *row, int status)
{
	const char *kernel = json_string_value(json_object_get(row, "kernel")), *text = "";
	const char *function = json_string_value(json_object_get(row, "function"));
	for (int i = 0; p && !function && i < p->entry.n; i++)
		if (!strcmp(p->entry.at[i]->name, kernel))
			text = str_print(": %s", entry_status(p->entry.at[i], status));
	diag_error(place_of(p, kernel), D_CASE_STATUS, "%s `%s` returned status %d%s",
	           function ? "function" : "kernel", function ? function : kernel, status, text);
}

/* The function of --against, or its library, is missing. */
static void tell_missing(const json_t *row, const char *what)
{
	const bool function = !strcmp(what, "function");
	diag_error((struct loc){ .file = -1 }, D_TEST_BUILD, "--against=%s: %s",
	           row_text(row, "function"),
	           function ? "the library has no such function"
	                    : "the library cannot be loaded");
	diag_cure("%s", function ? "`nm -D` lists the functions of a library; one of C++ is "
	                           "declared extern \"C\""
	                         : "give the path of a shared library, as ./mine.so:saxpy");
}

static void tell_difference(const struct program *p, const json_t *row)
{
	const json_t *agrees = json_object_get(row, "agrees");
	if (!json_is_false(agrees))
		return;
	diag_error(place_of(p, row_text(row, "kernel")), D_TEST_DIFFERS,
	           "kernel `%s` and `%s` give different results: the largest difference is %.3g "
	           "of the largest number",
	           row_name(row), row_text(row, "function"), row_number(row, "difference"));
}

static bool is_row(const json_t *row)
{
	return json_is_string(json_object_get(row, "kernel"))
	       && json_is_object(json_object_get(row, "sizes"))
	       && (json_is_integer(json_object_get(row, "status"))
	           || json_is_number(json_object_get(row, "seconds")));
}

/* A line of those that the program prints: what it measured, or what went wrong; false: neither. */
static bool read_row(const struct program *p, json_t *row, json_t *rows)
{
	const json_t *status = json_object_get(row, "status");
	const json_t *error = json_object_get(row, "error");
	if (json_is_string(error))
		return tell_missing(row, json_string_value(error)), true;
	if (!is_row(row))
		return false;
	if (status)
		return tell_status(p, row, (int)json_integer_value(status)), true;
	tell_difference(p, row);
	json_array_append(rows, row);
	return true;
}

static bool read_rows(const struct program *p, FILE *f, json_t *rows)
{
	bool good = true;
	char *line = NULL;
	size_t room = 0;
	while (getline(&line, &room, f) > 0) {
		json_t *row = json_loads(line, 0, NULL);
		good = good && read_row(p, row, rows);
		json_decref(row);
	}
	free(line);
	return good;
}

static bool shows_progress(void)
{
	return isatty(STDERR_FILENO) && diag_is_text();
}

static void progress(const char *what)
{
	if (shows_progress())
		fprintf(stderr, "\r\033[K%s", what);
}

/* Compiles and runs what is in dir. */
static void measure(const struct program *p, const struct options *o, const char *dir,
                    const char *stem, json_t *rows)
{
	const struct build b = { p->path, dir, stem, kind, flags };
	const char *log = str_print("%s/log", dir), *out = str_print("%s/rows", dir);
	char *run[] = { str_print("%s/%s_%s", dir, stem, kind), NULL };
	const int errors = diag_errors();
	struct words w = built_command(o, &b);
	progress(str_print("compiling for %s", o->target->name));
	const bool built = built_compile(o, &w, log);
	progress("");
	if (!built)
		return;
	const int status = built_run(run, dir, out, shows_progress() ? NULL : log);
	FILE *f = fopen(out, "r");
	if (f)
		read_rows(p, f, rows), fclose(f);
	if (status == 0 || diag_errors() > errors)
		return;
	diag_error((struct loc){ .file = -1 }, D_TEST_BUILD,
	           "what was built for target %s ended with status %d", o->target->name, status);
	built_show(log);
}

/* ---- results ---- */

static void put_json(const json_t *rows, FILE *out)
{
	for (size_t i = 0; i < json_array_size(rows); i++) {
		json_dumpf(json_array_get(rows, i), out, JSON_REAL_PRECISION(12));
		putc('\n', out);
	}
}

/* The table, and the files of --json and --svg, both or none. */
static void show(const json_t *measured, const struct options *o)
{
	struct output output[2] = { 0 };
	json_t *rows = bench_grouped(measured);
	int n = 0;
	if (json_array_size(rows))
		bench_table(rows);
	if (o->json) {
		FILE *out = text_open();
		put_json(rows, out);
		output_close(&output[n++], o->json, out);
	}
	if (o->svg) {
		FILE *out = text_open();
		bench_roofline(rows, out);
		output_close(&output[n++], o->svg, out);
	}
	out_commit(output, n);
	for (int i = 0; i < n; i++)
		free(output[i].text);
}

/* --read */
static int show_file(const struct options *o)
{
	json_t *rows = json_array();
	FILE *f = strcmp(o->read, "-") ? fopen(o->read, "re") : stdin;
	if (!f)
		fail_io("cannot read '%s': %s", o->read, strerror(errno));
	if (!read_rows(NULL, f, rows))
		fail_io("'%s' has lines that are no rows of patc bench", o->read);
	show(rows, o);
	return diag_errors() ? WRONG : DONE;
}

/* ---- all of it ---- */

static void case_at(struct program *p)
{
	for (int i = 0; i < p->command->cases.n; i++)
		p->command->cases.at[i]->at = (struct loc){ .file = -1 };
}

/* The program with the command's cases; NULL: reported, and *status says as what. */
static struct program *read_program(const struct request *r, const struct options *o, int *status)
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

/* ---- variants: each target with its own schedule, then with each file of pins ---- */

static int variants(const struct options *o)
{
	const int n = (o->contest.n > 1 ? o->contest.n : 1) * (o->pins.n + 1);
	if (n > VARIANTS_MOST)
		fail_usage("%d programs to compare: at most %d, of all --target and --schedule", n,
		           VARIANTS_MOST);
	return n;
}

static struct options variant_of(const struct options *o, int k)
{
	struct options v = *o;
	const int all = o->pins.n + 1;
	if (o->contest.n > 1)
		v.target = o->contest.at[k / all];
	if (k % all)
		v.schedule = o->pins.at[k % all - 1];
	return v;
}

static const char *stem_of(int k)
{
	return k ? str_print("program%d", k + 1) : "program";
}

/* What may be in the folder. */
static const char *const *files_of(const struct options *o)
{
	LIST(const char *) files = { 0 };
	list_add(&files, "bench.h");
	list_add(&files, "cells.h");
	list_add(&files, "measure.sh");
	list_add(&files, "rows");
	list_add(&files, "log");
	for (int k = 0; k < variants(o); k++) {
		const struct options v = variant_of(o, k);
		list_add(&files, str_print("%s%s", stem_of(k), v.target->suffix));
		list_add(&files, str_print("%s.h", stem_of(k)));
		list_add(&files, str_print("%s.dat", stem_of(k)));
		list_add(&files, str_print("%s_%s.c", stem_of(k), kind));
		list_add(&files, str_print("%s_%s", stem_of(k), kind));
	}
	list_add(&files, NULL);
	return files.at;
}

/* --write: what builds and runs them elsewhere */
static void write_script(const struct options *o)
{
	const char *path = str_print("%s/measure.sh", o->write);
	FILE *f = built_open(path);
	fputs("#!/bin/sh\n"
	      "# Compiles and measures; to keep the rows: ./measure.sh > rows.json, which\n"
	      "# `patc bench --read=rows.json` shows.  An argument is the seconds of each row.\n"
	      "set -e\ncd \"$(dirname \"$0\")\"\n", f);
	for (int k = 0; k < variants(o); k++) {
		const struct options v = variant_of(o, k);
		const struct build b = { .stem = stem_of(k), .kind = kind, .flags = flags };
		fprintf(f, "%s >&2\n./%s_%s \"$@\"\n", built_line(&v, &b), b.stem, kind);
	}
	built_close(f, path);
	if (chmod(path, 0755) != 0)
		fail_io("cannot make '%s' a program: %s", path, strerror(errno));
}

/* --against: a library beside us is found from the folder of the program, too. */
static struct user_function *function_of(const struct options *o)
{
	struct user_function *f = NEW(struct user_function);
	if (!o->against)
		return NULL;
	const char *colon = strrchr(o->against, ':');
	const char *library = str_print("%.*s", (int)(colon - o->against), o->against);
	const char *whole = o->write ? library : realpath(library, NULL);
	*f = (struct user_function){ whole ? whole : library, colon + 1, o->against };
	return f;
}

/* Writes a variant, then compiles and measures it; dir: made by the first.  The exit status. */
static int bench_variant(const struct request *r, const struct options *o, int k,
                          const char **dir, json_t *rows)
{
	const struct options v = variant_of(o, k);
	int status;
	struct program *p = read_program(r, &v, &status);
	if (!p)
		return status;
	if (!*dir && o->write)
		out_folder(*dir = o->write, files_of(o));
	else if (!*dir)
		*dir = out_scratch(files_of(o));
	const struct bench b = { r->values, v.schedule ? NULL : function_of(o) };
	if (bench_write(p, &v, *dir, stem_of(k), &b) && !o->write)
		measure(p, &v, *dir, stem_of(k), rows);
	return diag_errors() ? WRONG : DONE;
}

static int bench_all(const struct request *r, const struct options *o, json_t *rows)
{
	const char *dir = NULL;
	int status = DONE;
	for (int k = 0; k < variants(o) && status == DONE; k++)
		status = bench_variant(r, o, k, &dir, rows);
	if (o->write && status == DONE) {
		write_script(o);
		out_keep();
		printf("%s/measure.sh compiles and measures\n", dir);
	}
	out_discard();
	return status;
}

int bench_main(const struct options *o)
{
	if (o->read)
		out_protect(o->read);
	if (o->json)
		out_claim(o->json);
	if (o->svg)
		out_claim(o->svg);
	if (o->read)
		return show_file(o);
	struct settings s = settings_of(o);
	struct ast_file *ast = parse_file(o->input.at[0], o);
	if (!ast)
		return FAILED;
	if (diag_errors())
		return WRONG;
	const struct program *p = sema_check(ast, o->input.at[0], o);
	if (diag_errors())
		return WRONG;
	const struct kernels k = kernels_of(ast, p, o);
	if (diag_errors())
		return WRONG;
	check_names(&s, &k);
	if (o->against && k.entry.n > 1)
		fail_usage("--against is for one kernel: name it after the file");
	const struct request r = request_of(&s, &k);
	warning_option("no-all");                /* they have been told */
	json_t *rows = json_array();
	const int status = bench_all(&r, o, rows);
	show(rows, o);
	return status;
}
