/* format.c - patc fmt: programs are formatted in place, or told to be in need of it.
 *
 * A file is written whole, by a rename, and only if its text changes.  One that does not parse has
 * its errors told and stays as it is; the others are formatted. */
#include "fmt.h"
#include "out.h"
#include "run.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int open_input(const char *path)
{
	const int file = source_open(path);
	if (file < 0)
		diag_error((struct loc){ .file = -1 }, errno == EFBIG ? D_FILE_LARGE : D_FILE_READ,
			"cannot read '%s': %s", path, strerror(errno));
	return file;
}

/* With the byte order mark of the file. */
static struct output output_of(int file, const char *text)
{
	struct output output = { 0 };
	FILE *out = text_open();
	fputs(source_mark(file), out);
	fputs(text, out);
	output_close(&output, "-", out);
	return output;
}

/* ---- --check ---- */

static int line_length(const char *line)
{
	return (int)strcspn(line, "\n");
}

/* The first line that would change, before and after. */
static void tell_change(const char *path, const char *old, const char *new)
{
	int line = 1;
	for (int n; (n = line_length(old)) == line_length(new) && old[n] && new[n]
	            && !memcmp(old, new, (size_t)n); line++)
		old += n + 1, new += n + 1;
	printf("%s:%d: not formatted\n-%.*s\n+%.*s\n", path, line, line_length(old), old,
	       line_length(new), new);
}

/* ---- writing ---- */

/* A link stays one: what it points to is changed. */
static void write_file(const char *path, struct output *output)
{
	struct stat st;
	char *real = realpath(path, NULL);
	if (!real || stat(real, &st) != 0)
		fail_io("cannot write '%s': %s", path, strerror(errno));
	if (!S_ISREG(st.st_mode) || !strncmp(real, "/dev/", 5))
		fail_usage("patc fmt changes files, but '%s' is not a regular file", path);
	if (!(st.st_mode & 0222) || access(real, W_OK) != 0)
		fail_io("cannot change '%s': it is read-only", path);
	output->path = real;
	output->mode = st.st_mode & 07777;
	out_commit(output, 1);
	free(real);
}

static int format(const char *path, const struct options *o)
{
	size_t before, length;
	const int errors = diag_errors(), file = open_input(path);
	if (file < 0)
		return FAILED;
	const char *text = diag_errors() > errors ? NULL
		: fmt_text(file, (enum spelling)o->spelling, &length);
	if (!text)
		return WRONG;
	const char *old = source_text(file, &before);
	const bool changes = before != length || memcmp(old, text, length);
	struct output output = output_of(file, text);
	if (o->check && changes)
		tell_change(path, old, text);
	else if (!o->check && path_is_standard(path))
		out_commit(&output, 1);
	else if (!o->check && changes)
		write_file(path, &output);
	free(output.text);
	return o->check && changes ? WRONG : DONE;
}

int fmt_main(const struct options *o)
{
	int status = DONE;
	for (int i = 0; i < o->input.n; i++) {
		const int one = format(o->input.at[i], o);
		status = one > status ? one : status;
	}
	return status;
}
