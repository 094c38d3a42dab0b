/* bench.c - patc bench: kernels, built by the user's compiler and measured.
 *
 * The command line is a test with a case for each kernel and each combination of the values that it
 * lists (bench_request.c).  bench_write.c turns it into a program, which bench_measure.c compiles
 * in a folder of our own below TMPDIR and runs; its rows are shown in the end.
 * Each target and each file of pins that is compared is a program of its own in that folder. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench.h"
#include "built.h"
#include "out.h"
#include "run.h"

enum { VARIANTS_MOST = 8 };

/* ---- results ---- */

void bench_json(const json_t *rows, FILE *out)
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
		bench_json(rows, out);
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
	json_t *rows = bench_read_named(o->read);
	show(rows, o);
	return diag_errors() ? WRONG : DONE;
}

/* ---- variants: each target with its own schedule, then with each file of pins ---- */

static int variants(const struct options *o)
{
	const int n = (o->contest.n > 1 ? o->contest.n : 1) * (o->pins.n + 1);
	if (n > VARIANTS_MOST)
		fail_usage("%d programs to compare, from all --target and --schedule, but at most "
		           "%d are allowed",
		           n, VARIANTS_MOST);
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
		list_add(&files, str_print("%s_%s.c", stem_of(k), bench_kind));
		list_add(&files, str_print("%s_%s", stem_of(k), bench_kind));
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
		const struct build b = { .stem = stem_of(k), .kind = bench_kind,
			                 .flags = bench_flags };
		fprintf(f, "%s >&2\n./%s_%s \"$@\"\n", built_line(&v, &b), b.stem, bench_kind);
	}
	built_close_script(f, path);
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
	struct program *p = request_program(r, &v, &status);
	if (!p)
		return status;
	if (!*dir && o->write)
		out_folder(*dir = o->write, files_of(o));
	else if (!*dir)
		*dir = out_scratch(files_of(o));
	const struct bench b = { r->values, v.schedule ? NULL : function_of(o), PERIOD };
	if (bench_write(p, &v, *dir, stem_of(k), &b) && !o->write)
		bench_measure(p, &v, *dir, stem_of(k), rows);
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
	struct bench_command c;
	const int wrong = bench_command(o, &c);
	if (wrong)
		return wrong;
	if (o->against && c.kernels.entry.n > 1)
		fail_usage("--against is for one kernel: name it after the file");
	const struct request r = request_of(&c, -1);
	json_t *rows = json_array();
	const int status = bench_all(&r, o, rows);
	show(rows, o);
	return status;
}
