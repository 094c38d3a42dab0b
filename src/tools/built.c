/* built.c - builds and runs programs that call generated code.
 *
 * What is written goes into a folder of the caller's; the user's compiler builds it (CC, NVCC or
 * HIPCC name another one, with options if it needs some; no shell reads them), and it is run.
 * While a child runs, signals that end us are passed on to it: out.c. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "built.h"
#include "out.h"
#include "road.h"

enum { LINES_SHOWN = 12 };

/* ---- the texts ---- */

FILE *built_open(const char *path)
{
	FILE *f = fopen(path, "wb");
	if (!f)
		fail_io("cannot write %s: %s", path, strerror(errno));
	return f;
}

void built_close(FILE *f, const char *path)
{
	if (ferror(f) | fclose(f))
		fail_io("cannot write %s: %s", path, strerror(errno));
}

void built_close_script(FILE *f, const char *path)
{
	built_close(f, path);
	if (chmod(path, 0755) != 0)
		fail_io("cannot make '%s' a program: %s", path, strerror(errno));
}

void built_put(const void *at, size_t bytes, FILE *out)
{
	if (bytes && fwrite(at, 1, bytes, out) != bytes)
		fail_io("cannot write the data file: %s", strerror(errno));
}

void built_text(const char *dir, const char *name, const char *text)
{
	const char *path = str_print("%s/%s", dir, name);
	FILE *f = built_open(path);
	fputs(text, f);
	built_close(f, path);
}

bool built_source(struct program *p, const struct options *given, const char *dir,
                  const char *stem, const char *header)
{
	struct options o = *given;
	int errors = diag_errors();
	o.output = str_print("%s/%s%s", dir, stem, o.target->suffix);
	o.header = header;
	program_schedule(p, &o);
	if (diag_errors() > errors)
		return false;
	struct plans plans = program_lower(p, &o);
	if (diag_errors() > errors)
		return false;
	FILE *f = built_open(o.output);
	o.target->print(p, plans.at, plans.n, &o, f);
	built_close(f, o.output);
	return diag_errors() == errors;
}

bool built_program(struct program *p, const struct options *o, const char *dir, const char *stem)
{
	const char *name = str_print("%s.h", stem), *header = str_print("%s/%s", dir, name);
	if (!built_source(p, o, dir, stem, name))
		return false;
	FILE *f = built_open(header);
	header_print(p, o, name, f);
	built_close(f, header);
	return true;
}

/* ---- the command ---- */

void built_words(struct words *w, const char *text)
{
	for (text += strspn(text, " \t"); *text; text += strspn(text, " \t")) {
		size_t n = strcspn(text, " \t");
		list_add(w, str_print("%.*s", (int)n, text));
		text += n;
	}
}

const char *built_compiler(const struct toolchain *tool)
{
	const char *other = getenv(tool->variable);
	return other && *other ? other : tool->program;
}

const char *built_folder(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? str_print("%.*s", (int)(slash + 1 - path), path) : ".";
}

/* Headers of extern functions are looked for beside the program and along -I. */
static void add_arguments(struct words *w, const struct options *o, const struct build *b)
{
	const struct toolchain *tool = o->target->tool;
	built_words(w, tool->flags);
	built_words(w, b->flags);
	built_words(w, !o->arch || !*tool->arch ? tool->native
		: str_print("%.*s%s", (int)strcspn(tool->arch, "%"), tool->arch, o->arch));
	list_add(w, str_print("-I%s", b->dir));
	if (b->path)
		list_add(w, str_print("-I%s", built_folder(b->path)));
	for (int i = 0; i < o->include.n && b->path; i++)
		list_add(w, str_print("-I%s", o->include.at[i]));
	list_add(w, str_print("%s/%s%s", b->dir, b->stem, o->target->suffix));
	list_add(w, str_print("%s/%s_%s.c", b->dir, b->driver ? b->driver : b->stem, b->kind));
	list_add(w, str_print("-o"));
	list_add(w, str_print("%s/%s_%s", b->dir, b->stem, b->kind));
	built_words(w, tool->libs);
}

struct words built_command(const struct options *o, const struct build *b)
{
	struct words w = { 0 };
	built_words(&w, built_compiler(o->target->tool));
	add_arguments(&w, o, b);
	list_add(&w, NULL);
	return w;
}

const char *built_line(const struct options *o, const struct build *b)
{
	const struct toolchain *tool = o->target->tool;
	const struct build here = { .dir = ".", .stem = b->stem, .kind = b->kind,
		                    .flags = b->flags, .driver = b->driver };
	const char *line = str_print("${%s:-%s}", tool->variable, tool->program);
	struct words w = { 0 };
	add_arguments(&w, o, &here);
	for (int i = 0; i < w.n; i++)
		line = str_print("%s %s", line, w.at[i]);
	return line;
}

/* ---- children ---- */

static bool opened_as(const char *path, int fd)
{
	int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	return file >= 0 && dup2(file, fd) >= 0;
}

_Noreturn void built_become(char **argv, const char *dir, const char *out, const char *err)
{
	signal(SIGPIPE, SIG_DFL);
	signal(SIGXFSZ, SIG_DFL);
	if (!opened_as(out, STDOUT_FILENO))
		_exit(BUILT_MISSING);
	if (err == out && dup2(STDOUT_FILENO, STDERR_FILENO) < 0)
		_exit(BUILT_MISSING);
	if (err && err != out && !opened_as(err, STDERR_FILENO))
		_exit(BUILT_MISSING);
	if (dir && chdir(dir) != 0)
		_exit(BUILT_MISSING);
	execvp(*argv, argv);
	_exit(BUILT_MISSING);
}

int built_run(char **argv, const char *dir, const char *out, const char *err)
{
	int status;
	pid_t child = fork();
	if (child < 0)
		fail_io("cannot start '%s': %s", *argv, strerror(errno));
	if (child == 0)
		built_become(argv, dir, out, err);
	out_child(child);
	while (waitpid(child, &status, 0) < 0)
		if (errno != EINTR)
			fail_io("cannot wait for '%s': %s", *argv, strerror(errno));
	out_child(0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

void built_show(const char *log)
{
	char line[400];
	int lines = 0;
	FILE *f = fopen(log, "r");
	while (f && fgets(line, sizeof line, f) && lines++ < LINES_SHOWN)
		diag_note((struct loc){ .file = -1 }, "%.*s", (int)strcspn(line, "\n"), line);
	if (f)
		fclose(f);
}

bool built_compiled(const struct options *o, const struct words *w, int status, const char *log)
{
	const struct toolchain *tool = o->target->tool;
	if (status == 0)
		return true;
	if (status == BUILT_MISSING) {
		diag_error((struct loc){ .file = -1 }, D_TEST_BUILD,
		           "target %s needs `%s`, which was not found", o->target->name, w->at[0]);
		diag_cure("set %s to use another compiler", tool->variable);
		return false;
	}
	diag_error((struct loc){ .file = -1 }, D_TEST_BUILD,
	           "`%s` failed to compile the output for target %s: exit status %d", w->at[0],
	           o->target->name, status);
	built_show(log);
	return false;
}

bool built_compile(const struct options *o, const struct words *w, const char *log)
{
	return built_compiled(o, w, built_run(w->at, NULL, log, log), log);
}
