/* fix.c - patc --fix FILE: the fix-its of its errors (diag_fix) applied to the file itself.
 *
 * A fix may uncover other errors, so main.c compiles again after each round, silently, and the
 * text of the last round is written once: whole, by a rename.  All of it but the spans of the fixes
 * stays as it is, a byte order mark and the ends of lines, too.
 *
 * Only the input itself is changed: a fix in a file that it uses is left to a run for that file.
 * Of two fixes that overlap the first one is applied, and the next round says what is left.
 *
 * A fix that does not remove its error would be applied for ever: after some rounds it is told of,
 * and the file is left as it was. */
#include "fix.h"
#include "out.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
	MOST_ROUNDS = 64,
	MOST_AGAIN = 32,        /* rounds that write one text at one place */
	MOST_MIB = 512          /* what the rounds take together: nothing is freed */
};

struct done { struct fix fix; const char *old; };
struct again { struct fix fix; int rounds, last; };
struct fixing {
	const char *path;
	struct stat st;
	const char *text;       /* as it would be written; NULL: no round has changed it */
	size_t length;
	int seen, rounds;       /* fixes of the rounds before */
	LIST(struct done) done;
	LIST(struct again) again;
	const struct again *stuck;      /* or NULL */
};

struct fixing *fix_begin(const char *path)
{
	struct fixing *f = NEW(struct fixing);
	f->path = path;
	diag_fixes(&f->seen);
	if (stat(path, &f->st) != 0)
		return f;               /* compiling says so */
	if (!S_ISREG(f->st.st_mode) || !strncmp(path, "/dev/", 5))
		fail_usage("--fix changes files, but '%s' is not a regular file", path);
	if (!(f->st.st_mode & 0222) || access(path, W_OK) != 0)
		fail_io("cannot change '%s': it is read-only", path);
	return f;
}

static bool is_after(const struct fix *x, const struct fix *y)
{
	return x->at.line != y->at.line ? x->at.line > y->at.line : x->at.col > y->at.col;
}

struct edits { LIST(struct fix) at; };

/* In the order of the text; of one place in the order of the errors, which are nearly in order
 * themselves. */
static void insert(struct edits *e, const struct fix *fix)
{
	list_add(&e->at, *fix);
	int i = e->at.n - 1;
	for (; i > 0 && is_after(&e->at.at[i - 1], fix); i--)
		e->at.at[i] = e->at.at[i - 1];
	e->at.at[i] = *fix;
}

static bool overlaps(const struct fix *before, const struct fix *fix)
{
	return before->at.line == fix->at.line
		&& (fix->at.col < before->at.end || fix->at.col == before->at.col);
}

/* The fixes of this round in the input, in the order of the text. */
static struct edits edits_of(struct fixing *f)
{
	int n, kept = 0;
	struct edits e = { 0 };
	const struct fix *all = diag_fixes(&n);
	for (int i = f->seen; i < n; i++)
		if (!strcmp(source_path(all[i].at.file), f->path))
			insert(&e, &all[i]);
	f->seen = n;
	for (int i = 0; i < e.at.n; i++)
		if (!kept || !overlaps(&e.at.at[kept - 1], &e.at.at[i]))
			e.at.at[kept++] = e.at.at[i];
	e.at.n = kept;
	return e;
}

static void apply(struct fixing *f, const struct edits *e)
{
	const int file = e->at.at[0].at.file;
	size_t length, done = 0;
	const char *text = source_text(file, &length);
	FILE *out = text_open();
	f->length = length + strlen(source_mark(file));
	fputs(source_mark(file), out);
	for (int i = 0; i < e->at.n; i++) {
		const struct fix *fix = &e->at.at[i];
		size_t from = source_offset(fix->at, fix->at.col);
		size_t to = source_offset(fix->at, fix->at.end);
		fwrite(text + done, 1, from - done, out);
		fputs(fix->text, out);
		f->length += strlen(fix->text) - (to - from);
		list_add(&f->done, ((struct done){ *fix, str_intern(text + from, to - from) }));
		done = to;
	}
	fwrite(text + done, 1, length - done, out);
	f->text = text_close(out);
}

/* Counts the rounds that had such a fix. */
static struct again *again(struct fixing *f, const struct fix *fix)
{
	for (int i = 0; i < f->again.n; i++) {
		struct again *a = &f->again.at[i];
		if (a->fix.at.line != fix->at.line || a->fix.at.col != fix->at.col
			|| a->fix.code != fix->code || strcmp(a->fix.text, fix->text))
			continue;
		a->rounds += a->last != f->rounds;
		a->last = f->rounds;
		return a;
	}
	list_add(&f->again, ((struct again){ *fix, 1, f->rounds }));
	return &f->again.at[f->again.n - 1];
}

static bool is_stuck(struct fixing *f, const struct edits *e)
{
	for (int i = 0; i < e->at.n && !f->stuck; i++) {
		const struct again *a = again(f, &e->at.at[i]);
		f->stuck = a->rounds > MOST_AGAIN ? a : NULL;
	}
	return f->stuck;
}

bool fix_apply(struct fixing *f)
{
	struct edits e = edits_of(f);
	if (is_stuck(f, &e))
		f->text = NULL;
	if (f->stuck || !e.at.n || f->rounds++ == MOST_ROUNDS)
		return false;
	if (mem_used() > (size_t)MOST_MIB << 20)
		return false;
	apply(f, &e);
	source_stand_in(f->path, f->text, f->length);
	return true;
}

void fix_end(struct fixing *f)
{
	/* a link stays one: what it points to is changed */
	char *path = f->text ? realpath(f->path, NULL) : NULL;
	struct output output = { .path = path, .length = f->length, .mode = f->st.st_mode & 07777 };
	source_stand_in(NULL, NULL, 0);
	if (f->stuck) {
		diag_error((struct loc){ .file = -1 }, f->stuck->fix.code,
		           "%d rounds of --fix have not removed this error of line %d: '%s' is not "
		           "changed",
		           MOST_AGAIN, f->stuck->fix.at.line, f->path);
		diag_cure("change the line by hand: a fix that does not help is a bug in patc");
	}
	if (!f->text)
		return;
	if (!path)
		fail_io("cannot write '%s': %s", f->path, strerror(errno));
	output.text = (char *)f->text;
	out_commit(&output, 1);
	free(path);
	for (int i = 0; i < f->done.n; i++)
		diag_fixed(&f->done.at[i].fix, f->done.at[i].old);
}
