/* test_built.c - patc test --target: the program built for a target and compared with the
 * reference.
 *
 * compare.c writes the comparison into a folder of our own below TMPDIR; the user's compiler builds
 * it (CC, NVCC or HIPCC name another one; no shell reads them), it is run, and its lines are told
 * at the kernels they speak of.  The folder vanishes in the end, whatever the end is: out.c removes
 * it on signals, after it has passed them on to the child. */
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <fcntl.h>
#include <unistd.h>

#include "compare.h"
#include "out.h"
#include "run.h"

enum { CELLS = 20000, LINES_SHOWN = 12, MISSING = 127 };
static const char stem[] = "program";

struct words { char **at; int n, room; };

/* ---- the command ---- */

static void add_words(struct words *w, const char *text)
{
	for (text += strspn(text, " \t"); *text; text += strspn(text, " \t")) {
		size_t n = strcspn(text, " \t");
		list_add(w, str_print("%.*s", (int)n, text));
		text += n;
	}
}

static const char *compiler(const struct toolchain *tool)
{
	const char *other = getenv(tool->variable);
	return other && *other ? other : tool->program;
}

static const char *folder_of(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? str_print("%.*s", (int)(slash + 1 - path), path) : ".";
}

/* Headers of extern functions are looked for beside the program and along -I. */
static struct words build_command(const char *path, const struct options *o, const char *dir)
{
	const struct toolchain *tool = o->target->tool;
	struct words w = { 0 };
	add_words(&w, compiler(tool));
	add_words(&w, tool->flags);
	add_words(&w, !o->arch || !*tool->arch ? tool->native
		: str_print("%.*s%s", (int)strcspn(tool->arch, "%"), tool->arch, o->arch));
	list_add(&w, str_print("-I%s", dir));
	list_add(&w, str_print("-I%s", folder_of(path)));
	for (int i = 0; i < o->include.n; i++)
		list_add(&w, str_print("-I%s", o->include.at[i]));
	list_add(&w, str_print("%s/%s%s", dir, stem, o->target->suffix));
	list_add(&w, str_print("%s/%s_check.c", dir, stem));
	list_add(&w, str_print("-o"));
	list_add(&w, str_print("%s/run", dir));
	add_words(&w, tool->libs);
	list_add(&w, NULL);
	return w;
}

/* ---- children ---- */

static _Noreturn void become(char **argv, const char *dir, const char *log)
{
	int fd = open(log, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	signal(SIGPIPE, SIG_DFL);
	signal(SIGXFSZ, SIG_DFL);
	if (fd < 0 || dup2(fd, STDOUT_FILENO) < 0 || dup2(fd, STDERR_FILENO) < 0)
		_exit(MISSING);
	if (dir && chdir(dir) != 0)
		_exit(MISSING);
	execvp(*argv, argv);
	_exit(MISSING);
}

/* The exit status, 128 and more for a signal; what it says goes to log. */
static int run_child(char **argv, const char *dir, const char *log)
{
	int status;
	pid_t child = fork();
	if (child < 0)
		fail_io("cannot start '%s': %s", *argv, strerror(errno));
	if (child == 0)
		become(argv, dir, log);
	out_child(child);
	while (waitpid(child, &status, 0) < 0)
		if (errno != EINTR)
			fail_io("cannot wait for '%s': %s", *argv, strerror(errno));
	out_child(0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* The first lines of a log: a compiler's first error, or why a comparison could not begin. */
static void show_log(const char *log)
{
	char line[400];
	int lines = 0;
	FILE *f = fopen(log, "r");
	while (f && fgets(line, sizeof line, f) && lines++ < LINES_SHOWN)
		diag_note((struct loc){ .file = -1 }, "%.*s", (int)strcspn(line, "\n"), line);
	if (f)
		fclose(f);
}

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

static bool build(const struct options *o, const struct words *w, const char *log)
{
	const struct toolchain *tool = o->target->tool;
	int status = run_child(w->at, NULL, log);
	if (status == 0)
		return true;
	if (status == MISSING) {
		diag_error((struct loc){ .file = -1 }, D_TEST_BUILD,
		           "target %s needs `%s`, which is not here", o->target->name, w->at[0]);
		diag_cure("%s names another compiler", tool->variable);
		return false;
	}
	diag_error((struct loc){ .file = -1 }, D_TEST_BUILD,
	           "`%s` does not compile what was written for "
	           "target %s: exit status %d",
	           w->at[0], o->target->name, status);
	show_log(log);
	return false;
}

void test_built(const char *path, struct program *p, const struct options *o, struct totals *t)
{
	const struct comparison c = { .shapes = o->shapes, .cells = CELLS, .seed = o->seed };
	const char *source = str_print("%s%s", stem, o->target->suffix);
	const char *const files[] = { source,    "program.h", "program.dat", "program_check.c",
		                      "check.h", "run",       "log",         NULL };
	char *dir = out_scratch(files), *log = str_print("%s/log", dir);
	char *run[] = { str_print("%s/run", dir), NULL };
	bool good = compare_write(p, o, &c, dir, stem);
	struct words w = build_command(path, o, dir);
	if (good && (good = build(o, &w, log))) {
		int status = run_child(run, dir, log);
		good = read_counts(log, t);
		if (good) {
			tell_lines(p, o, log);
		} else {
			diag_error((struct loc){ .file = -1 }, D_TEST_BUILD,
			           "the comparison for target %s ended with "
			           "status %d",
			           o->target->name, status);
			show_log(log);
		}
	}
	t->failed += !good;
	out_discard();
}
