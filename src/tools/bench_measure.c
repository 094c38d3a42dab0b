/* bench_measure.c - the program that measures is compiled and run, and its rows are read: a line of
 * its output is a row, or says what went wrong. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench.h"
#include "built.h"

const char bench_kind[] = "bench", bench_flags[] = "-O3";

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
	           "kernel `%s` and `%s` have different results: the largest difference is %.3g of "
	           "the largest number",
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

bool bench_read(const struct program *p, FILE *f, json_t *rows)
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

json_t *bench_read_named(const char *path)
{
	json_t *rows = json_array();
	FILE *f = strcmp(path, "-") ? fopen(path, "re") : stdin;
	if (!f)
		fail_io("cannot read '%s': %s", path, strerror(errno));
	if (!bench_read(NULL, f, rows))
		fail_io("'%s' has lines that are not rows of patc bench", path);
	return rows;
}

bool bench_shows_progress(void)
{
	return isatty(STDERR_FILENO) && diag_is_text();
}

void bench_progress(const char *what)
{
	if (bench_shows_progress())
		fprintf(stderr, "\r\033[K%s", what);
}

void bench_measure(const struct program *p, const struct options *o, const char *dir,
                    const char *stem, json_t *rows)
{
	const struct build b = { p->path, dir, stem, bench_kind, bench_flags, NULL };
	const char *log = str_print("%s/log", dir), *out = str_print("%s/rows", dir);
	char *run[] = { str_print("%s/%s_%s", dir, stem, bench_kind), NULL };
	const int errors = diag_errors();
	struct words w = built_command(o, &b);
	bench_progress(str_print("compiling for %s", o->target->name));
	const bool built = built_compile(o, &w, log);
	bench_progress("");
	if (!built)
		return;
	const int status = built_run(run, dir, out, bench_shows_progress() ? NULL : log);
	FILE *f = fopen(out, "r");
	if (f)
		bench_read(p, f, rows), fclose(f);
	if (status == 0 || diag_errors() > errors)
		return;
	diag_error((struct loc){ .file = -1 }, D_TEST_BUILD,
	           "the program for target %s ended with status %d", o->target->name, status);
	built_show(log);
}
