/* out.c - writes output files completely or not at all.
 *
 * Texts are rendered in memory.  Then every file is written beside its place under a name of its
 * own (mkostemp, which never opens what is there), what is no file (standard output, a device, a
 * pipe) is written directly, and only when all of that has succeeded are the files renamed into
 * place.  A rename that fails puts back what the renames before it replaced.  SIGINT, SIGTERM
 * and SIGHUP remove what is half done and are held back while renaming.
 *
 * A rename replaces a symbolic link, never what it points to.  Outputs are touched even when they
 * do not change: make would otherwise run patc again for ever.  The header of helpers, which runs
 * for other programs write too, is not: what includes it would be built again. */
#include "out.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_OUTPUTS = 64, MAX_LEFTOVERS = 1 << 15 };

struct place {                          /* of one output */
	const struct output *output;
	char *temp, *backup;            /* NULL: written directly; nothing was there */
	bool is_new;
};

/* ---- which files ---- */

const char *path_base(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

bool path_is_standard(const char *path)
{
	return !strcmp(path, "-");
}

static const char *folder(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? str_intern(path, (size_t)(slash + 1 - path)) : ".";
}

static bool is_same_inode(const char *a, const char *b)
{
	struct stat sa, sb;
	return stat(a, &sa) == 0 && stat(b, &sb) == 0
		&& sa.st_dev == sb.st_dev && sa.st_ino == sb.st_ino;
}

/* Also for files that are not there yet. */
static bool is_same_file(const char *a, const char *b)
{
	return is_same_inode(a, b)
		|| (!strcmp(path_base(a), path_base(b)) && is_same_inode(folder(a), folder(b)));
}

static LIST(const char *) taken;       /* read or taken by this run: no output may be one of them */

void out_protect(const char *path)
{
	list_add(&taken, path);
}

void out_claim(const char *path)
{
	struct stat st;
	if (path_is_standard(path) || (stat(path, &st) == 0 && !S_ISREG(st.st_mode)))
		return;
	for (int i = 0; i < taken.n; i++)
		if (is_same_file(path, taken.at[i]))
			fail_usage("the output '%s' is also an input or another output", path);
	list_add(&taken, path);
}

void output_close(struct output *output, const char *path, FILE *text)
{
	output->path = path;
	output->text = text_take(text, &output->length);
}

/* ---- what must not remain ---- */

static char *volatile leftovers[MAX_LEFTOVERS];

void out_discard(void)
{
	for (int i = 0; i < MAX_LEFTOVERS; i++)
		if (leftovers[i])
			unlink(leftovers[i]);
	for (int i = 0; i < MAX_LEFTOVERS; i++)
		if (leftovers[i])
			rmdir(leftovers[i]), leftovers[i] = NULL;       /* a folder, empty now */
}

static void leftover_add(char *path)
{
	for (int i = 0; i < MAX_LEFTOVERS; i++)
		if (!leftovers[i]) {
			leftovers[i] = path;
			return;
		}
	assert(0 && "more outputs than expected");
}

static void leftover_forget(const char *path)
{
	for (int i = 0; i < MAX_LEFTOVERS; i++)
		if (leftovers[i] == path)
			leftovers[i] = NULL;
}

static const int deadly[] = { SIGINT, SIGTERM, SIGHUP };
enum { DEADLY = sizeof deadly / sizeof *deadly };

static volatile pid_t child;

void out_child(pid_t pid)
{
	child = pid;
}

/* The handler was installed with SA_RESETHAND: raising again ends the process as it should. */
static void on_signal(int number)
{
	if (child > 0)
		kill(child, number);
	out_discard();
	raise(number);
}

static void catch_signals(void)
{
	for (int i = 0; i < DEADLY; i++) {
		struct sigaction old, new = { .sa_handler = on_signal, .sa_flags = SA_RESETHAND };
		if (sigaction(deadly[i], NULL, &old) == 0 && old.sa_handler == SIG_DFL)
			sigaction(deadly[i], &new, NULL);
	}
}

static void hold_signals(int how)
{
	sigset_t set;
	sigemptyset(&set);
	for (int i = 0; i < DEADLY; i++)
		sigaddset(&set, deadly[i]);
	sigprocmask(how, &set, NULL);
}

static void leftover_folder(char *folder, const char *const *files)
{
	leftover_add(folder);
	for (; *files; files++)
		leftover_add(str_print("%s/%s", folder, *files));
}

char *out_scratch(const char *const *files)
{
	const char *top = getenv("TMPDIR");
	char *folder = str_print("%s/patc.XXXXXX", top && *top ? top : "/tmp");
	catch_signals();
	hold_signals(SIG_BLOCK);
	if (!mkdtemp(folder)) {
		int reason = errno;
		hold_signals(SIG_UNBLOCK);
		fail_io("cannot create a folder '%s': %s", folder, strerror(reason));
	}
	leftover_folder(folder, files);
	hold_signals(SIG_UNBLOCK);
	return folder;
}

void out_folder(const char *name, const char *const *files)
{
	char *folder = str_print("%s", name);
	catch_signals();
	hold_signals(SIG_BLOCK);
	const int reason = mkdir(folder, 0777) == 0 ? 0 : errno;
	if (!reason)
		leftover_folder(folder, files);
	hold_signals(SIG_UNBLOCK);
	if (reason == EEXIST)
		fail_usage("'%s' already exists and is not changed: choose another name, or move "
		           "it",
		           name);
	if (reason)
		fail_io("cannot create the folder '%s': %s", name, strerror(reason));
}

void out_keep(void)
{
	for (int i = 0; i < MAX_LEFTOVERS; i++)
		leftovers[i] = NULL;
}

static _Noreturn void fail_write(const char *path, int reason)
{
	fail_io("cannot write '%s': %s", path, strerror(reason));
}

/* ---- writing ---- */

static bool write_all(int fd, const struct output *output)
{
	for (size_t done = 0; done < output->length; ) {
		ssize_t n = write(fd, output->text + done, output->length - done);
		if (n < 0 && errno != EINTR)
			return false;
		done += n > 0 ? (size_t)n : 0;
	}
	return true;
}

static mode_t usual_mode(void)
{
	mode_t mask = umask(0);
	umask(mask);
	return 0666 & ~mask;
}

static bool sync_file(int fd)
{
	return fsync(fd) == 0 || errno == EINVAL || errno == ENOTSUP;   /* not every file can */
}

/* ".patc.XXXXXX" in the folder of path, created empty. */
static char *temp_create(const char *path, int *fd)
{
	const char *slash = strrchr(path, '/');
	int folder = slash ? (int)(slash + 1 - path) : 0;
	char *temp = str_print("%.*s.patc.XXXXXX", folder, path);
	hold_signals(SIG_BLOCK);
	*fd = mkostemp(temp, O_CLOEXEC);
	if (*fd >= 0)
		leftover_add(temp);
	hold_signals(SIG_UNBLOCK);
	return temp;
}

static void write_temp(struct place *place)
{
	int fd;
	place->temp = temp_create(place->output->path, &fd);
	if (fd < 0)
		fail_write(place->output->path, errno);
	const mode_t mode = place->output->mode ? place->output->mode : usual_mode();
	bool good = write_all(fd, place->output) && fchmod(fd, mode) == 0 && sync_file(fd);
	int reason = errno;
	if (close(fd) != 0 && good)
		good = false, reason = errno;
	if (!good)
		fail_write(place->output->path, reason);
}

static void write_direct(const struct output *output)
{
	bool is_stdout = path_is_standard(output->path);
	int fd = is_stdout ? STDOUT_FILENO : open(output->path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
	if (fd < 0 || (is_stdout && fflush(stdout) != 0) || !write_all(fd, output)
	    || (!is_stdout && close(fd) != 0))
		fail_write(is_stdout ? "standard output" : output->path, errno);
}

/* Devices, pipes and what is under /dev (names of open files there) have no place to rename
 * into. */
static bool is_direct(const char *path)
{
	struct stat st;
	if (path_is_standard(path) || !strncmp(path, "/dev/", 5))
		return true;
	if (stat(path, &st) != 0)
		return false;
	if (S_ISDIR(st.st_mode))
		fail_write(path, EISDIR);
	return !S_ISREG(st.st_mode);
}

/* Does the file hold this text? */
static bool is_written(const struct output *output)
{
	struct stat st;
	char part[4096];
	size_t done = 0;
	ssize_t n = -1;
	const int fd = open(output->path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (fd < 0)
		return false;
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && (uint64_t)st.st_size == output->length)
		while ((n = read(fd, part, sizeof part)) > 0 && (size_t)n <= output->length - done
		       && !memcmp(part, output->text + done, (size_t)n))
			done += (size_t)n;
	close(fd);
	return n == 0 && done == output->length;
}

/* ---- renaming: all or none ---- */

static void backup(struct place *place)
{
	struct stat st;
	place->is_new = lstat(place->output->path, &st) != 0;
	if (place->is_new)
		return;
	place->backup = str_print("%s~", place->temp);
	if (link(place->output->path, place->backup) == 0)
		leftover_add(place->backup);
	else
		place->backup = NULL;   /* no links here: this one cannot be put back */
}

static void put_back(const struct place *place)
{
	if (place->backup && rename(place->backup, place->output->path) == 0)
		leftover_forget(place->backup);
	else if (place->is_new)
		unlink(place->output->path);
}

static void rename_all(struct place *place, int n)
{
	for (int i = 0; i < n; i++)
		backup(&place[i]);
	for (int i = 0; i < n; i++) {
		if (rename(place[i].temp, place[i].output->path) != 0) {
			int reason = errno;
			for (int k = 0; k < i; k++)
				put_back(&place[k]);
			fail_write(place[i].output->path, reason);
		}
		leftover_forget(place[i].temp);
	}
	out_discard();                  /* the backups */
}

void out_commit(const struct output *output, int n)
{
	struct place place[MAX_OUTPUTS] = { 0 };
	int files = 0;
	assert(n <= MAX_OUTPUTS && "more outputs than expected");
	catch_signals();
	for (int i = 0; i < n; i++)
		if (!is_direct(output[i].path) && !(output[i].once && is_written(&output[i]))) {
			place[files].output = &output[i];
			write_temp(&place[files++]);
		}
	for (int i = 0; i < n; i++)
		if (is_direct(output[i].path))
			write_direct(&output[i]);
	hold_signals(SIG_BLOCK);
	rename_all(place, files);
	hold_signals(SIG_UNBLOCK);
}

void out_close(void)
{
	if (fflush(stdout) != 0 || ferror(stdout))
		fail_io("cannot write to standard output: %s", strerror(errno));
}

/* ---- the depfile: one rule, and an empty one for every used file so that it may vanish ---- */

/* As make reads it: a backslash is itself, but in front of a blank or '#' it must be doubled. */
static void put_name(const char *s, FILE *out)
{
	for (size_t slashes = 0; *s; s++) {
		if (*s == ' ' || *s == '\t' || *s == '#' || *s == ':')
			for (slashes = *s == ':' ? 1 : slashes + 1; slashes > 0; slashes--)
				putc('\\', out);
		if (*s == '$')
			putc('$', out);
		putc(*s, out);
		slashes = *s == '\\' ? slashes + 1 : 0;
	}
}

void out_depfile(const struct output *output, int n, const char *const *source, int sources,
	FILE *out)
{
	for (int i = 0; i < n; i++) {
		put_name(output[i].path, out);
		fputs(i + 1 < n ? " " : ":", out);
	}
	for (int i = 0; i < sources; i++) {
		putc(' ', out);
		put_name(source[i], out);
	}
	putc('\n', out);
	for (int i = 1; i < sources; i++) {
		putc('\n', out);
		put_name(source[i], out);
		fputs(":\n", out);
	}
}
