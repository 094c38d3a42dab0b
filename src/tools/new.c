/* new.c - patc new NAME: a folder with a kernel, a program that calls and checks it, a build file
 * and a README, which builds and runs as it is.
 *
 * The texts are the files of skeleton/, for a target or for all of them; @name@ in them is the name
 * of the kernel.  The build files hold the recipes of patc(1).  Nothing that exists is changed: the
 * folder is made, and if anything fails it is removed. */
#include "out.h"
#include "run.h"
#include "skeleton.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NAME_MOST = 64, FILES_MOST = 6 };

/* What a file is called in skeleton/ without the suffix of its target; @suffix@ stays. */
static const struct build {
	const char *name, *run;
	const char *file[FILES_MOST];
} builds[] = {
	{ "make", "make && ./@name@", { "main@suffix@", "Makefile" } },
	{ "cmake", "cmake -S . -B build && cmake --build build && build/@name@",
	  { "main@suffix@", "CMakeLists.txt", "patc.cmake" } },
	{ "meson", "meson setup build && meson compile -C build && build/@name@",
	  { "main@suffix@", "meson.build" } },
	{ "python", "python3 main.py", { "main.py", "build.py" } },
};
enum { BUILDS = sizeof builds / sizeof *builds };
static const char *const always[] = { "@name@.pat", "README.md" };

/* ---- texts ---- */

static const char *value_of(const char *word, size_t length, const struct options *o)
{
	const struct { const char *name, *value; } values[] = {
		{ "name", o->kernel },
		{ "target", o->target->name },
		{ "suffix", o->target->suffix },
		{ "run", builds[o->build].run },
	};
	for (size_t i = 0; i < sizeof values / sizeof *values; i++)
		if (strlen(values[i].name) == length && !strncmp(values[i].name, word, length))
			return values[i].value;
	return NULL;
}

/* The text with @name@ and the others replaced; @OUTPUT@ and what else is no word of ours stays. */
static void fill(const char *text, const struct options *o, FILE *out)
{
	while (*text) {
		size_t before = strcspn(text, "@");
		fwrite(text, 1, before, out);
		text += before;
		size_t length = *text ? strcspn(text + 1, "@") : 0;
		const char *value = *text ? value_of(text + 1, length, o) : NULL;
		if (value)
			fill(value, o, out), text += length + 2;
		else if (*text)
			putc(*text++, out);
	}
}

static const char *filled(const char *text, const struct options *o)
{
	FILE *out = text_open();
	fill(text, o, out);
	return text_close(out);
}

const char *skeleton_text(const char *name)
{
	for (const struct skeleton_row *row = skeleton_rows; row->name; row++)
		if (!strcmp(row->name, name))
			return row->text;
	return NULL;
}

/* That of the target, of all targets, or NULL. */
static const char *text_for(const char *file, const struct options *o)
{
	const char *name = filled(file, o);
	const char *own = skeleton_text(str_print("%s%s", name, o->target->suffix));
	if (!strcmp(file, always[0]))
		return skeleton_text("name.pat");
	return own ? own : skeleton_text(name);
}

static bool builds_target(int build, const struct options *o)
{
	const char *const *file = builds[build].file;
	while (*file && text_for(*file, o))
		file++;
	return !*file;
}

/* ---- what cannot be ---- */

static const char *builds_for(const struct options *o)
{
	const char *names = "";
	for (int i = 0; i < BUILDS; i++)
		if (!o || builds_target(i, o))
			names = *names ? str_print("%s, %s", names, builds[i].name)
			               : builds[i].name;
	return names;
}

int build_named(const char *name)
{
	for (int i = 0; i < BUILDS; i++)
		if (!strcmp(builds[i].name, name))
			return i;
	fail_usage("patc new has no build '%s'; it has: %s", name, builds_for(NULL));
}

/* Targets that CMake and Meson have or that the build files add, and files that are written. */
static bool is_of_builds(const char *name)
{
	static const char *const names[] = { "all", "build", "check", "clean", "help", "install",
	                                     "kernel", "kernels", "Makefile", "package", "program",
	                                     "test" };
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (!strcmp(names[i], name))
			return true;
	return false;
}

/* Does the language take it as the name of a kernel?  What it would say speaks of a file that is
 * not there. */
static bool is_kernel(const struct options *o)
{
	const char *path = filled(always[0], o), *text = filled(text_for(always[0], o), o);
	diag_quiet(true);
	const int errors = diag_errors();
	source_stand_in(path, text, strlen(text));
	const struct ast_file *ast = parse_file(path, o);
	if (ast && diag_errors() == errors)
		sema_check(ast, path, o);
	const bool good = ast && diag_errors() == errors;
	source_stand_in(NULL, NULL, 0);
	diag_quiet(false);
	return good;
}

static void check_name(const struct options *o)
{
	const char *name = o->kernel;
	bool good = isalpha((unsigned char)*name);
	for (const char *c = name; *c; c++)
		good &= isalnum((unsigned char)*c) || *c == '_';
	if (!good || strlen(name) < 2 || strlen(name) > NAME_MOST)
		fail_usage("'%s' cannot be the name of a kernel and of its folder: use 2 to %d "
		           "letters, digits and _, beginning with a letter",
		           name, NAME_MOST);
	if (is_of_builds(name))
		fail_usage("build systems use the name '%s': choose another one, such as my_%s",
		           name, name);
	if (strcmp(name_global(name), name) || !is_kernel(o))
		fail_usage("'%s' is a keyword of the language or of C: choose another name, such "
		           "as my_%s",
		           name, name);
}

static void check(const struct options *o)
{
	if (!builds_target(o->build, o))
		fail_usage("--build=%s does not support target %s; use one of: %s",
		           builds[o->build].name, o->target->name, builds_for(o));
	check_name(o);
}

/* ---- the folder ---- */

static void add_file(struct output *output, const char *file, const struct options *o)
{
	FILE *out = text_open();
	fill(text_for(file, o), o, out);
	output_close(output, str_print("%s/%s", o->kernel, filled(file, o)), out);
}

static int write_files(const struct options *o, struct output *output)
{
	int n = 0;
	for (size_t i = 0; i < sizeof always / sizeof *always; i++)
		add_file(&output[n++], always[i], o);
	for (const char *const *file = builds[o->build].file; *file; file++)
		add_file(&output[n++], *file, o);
	out_folder(o->kernel, &(const char *){ NULL });
	out_commit(output, n);
	out_keep();
	return n;
}

int new_main(const struct options *o)
{
	struct output output[FILES_MOST + 2] = { 0 };
	check(o);
	int n = write_files(o, output);
	for (int i = 0; i < n; i++) {
		printf("%s\n", output[i].path);
		free(output[i].text);
	}
	printf("build and run it: cd %s && %s\n", o->kernel, filled(builds[o->build].run, o));
	return DONE;
}
