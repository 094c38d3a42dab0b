/* test_built.c - patc test --target: the program built for a target and compared with the
 * reference.
 *
 * compare.c writes the comparison into a folder of our own below TMPDIR, built.c builds and runs
 * it, and its lines are told at the kernels they speak of.  The folder vanishes in the end,
 * whatever the end is: out.c removes it on signals, after it has passed them on to the child. */
#include <inttypes.h>
#include <string.h>

#include "built.h"
#include "compare.h"
#include "out.h"
#include "run.h"

enum { CELLS = 20000 };
static const char stem[] = "program";

/* ---- what the comparison says ---- */

static struct loc place_of_kernel(const struct program *p, const char *name)
{
	for (int i = 0; i < p->entry.n; i++)
		if (!strcmp(p->entry.at[i]->name, name))
			return p->entry.at[i]->at;
	return (struct loc){ .file = -1 };
}

/* not ok program KERNEL SHAPE HOW: what */
static void tell_line(const struct program *p, const struct options *o, char *line)
{
	char *kernel = line + strlen("not ok ") + strlen(stem) + 1, *rest = strchr(kernel, ' ');
	if (!rest)
		return;
	*rest++ = '\0';
	diag_error(place_of_kernel(p, kernel), D_TEST_TARGET, "`%s` built for %s differs from the "
		"reference: %s", kernel, o->target->name, rest);
}

/* The last line of a comparison that came to its end. */
static bool read_counts(const char *log, struct totals *t)
{
	char line[1000];
	int64_t passed = 0, failed = 0;
	bool ended = false;
	FILE *f = fopen(log, "r");
	while (f && fgets(line, sizeof line, f))
		ended |= sscanf(line, "%" SCNd64 " passed, %" SCNd64 " failed", &passed, &failed)
		         == 2;
	if (f)
		fclose(f);
	t->passed += passed;
	t->failed += failed;
	return ended;
}

static void tell_lines(const struct program *p, const struct options *o, const char *log)
{
	char line[1000];
	FILE *f = fopen(log, "r");
	while (f && fgets(line, sizeof line, f)) {
		line[strcspn(line, "\n")] = '\0';
		if (!strncmp(line, "not ok ", 7))
			tell_line(p, o, line);
	}
	if (f)
		fclose(f);
}

/* ---- all of it ---- */

void test_built(const char *path, struct program *p, const struct options *o, struct totals *t)
{
	const struct comparison c = { .shapes = o->shapes, .cells = CELLS, .seed = o->seed };
	const char *source = str_print("%s%s", stem, o->target->suffix);
	const char *const files[] = { source,    "program.h", "program.dat", "program_check.c",
		                      "cells.h", "check.h",   "program_check", "log", NULL };
	char *dir = out_scratch(files), *log = str_print("%s/log", dir);
	char *run[] = { str_print("%s/%s_check", dir, stem), NULL };
	bool good = compare_write(p, o, &c, dir, stem);
	const struct build b = { path, dir, stem, "check", "", NULL };
	struct words w = built_command(o, &b);
	if (good && (good = built_compile(o, &w, log))) {
		int status = built_run(run, dir, log, log);
		good = read_counts(log, t);
		if (good) {
			tell_lines(p, o, log);
		} else {
			diag_error((struct loc){ .file = -1 }, D_TEST_BUILD,
			           "the comparison for target %s ended with "
			           "status %d",
			           o->target->name, status);
			built_show(log);
		}
	}
	t->failed += !good;
	out_discard();
}
