/* diag.c - what the user is told, and the source files that it points into.
 *
 * A message has a place, a reason, a stable code and, through diag_cure, what would fit:
 *
 *	heat.pat:4:31: error[P0401]: stencil: a[i+1,j] leaves the array
 *	   4 | stencil b[i, j] = a[i+1, j];
 *	     |                   ^~~~~~~~~
 *	  help: say what lies outside: boundary clamp
 *
 * A cure that is certain is a fix-it, too (diag_fix): a span and the text that replaces it.  It is
 * shown as the line that it makes, and kept for --fix (tools/fix.c).
 *
 * Messages are written as they are found; the same code at the same place is told once, and a
 * file that has shown 20 errors falls silent.  Nothing that comes from a file reaches the
 * terminal unread: control and reordering characters and malformed UTF-8 are shown as U+FFFD.
 *
 * A source is read whole and judged here once, so that no later stage meets a NUL byte, malformed
 * UTF-8, a lone carriage return or a character that makes the text look like another one (Trojan
 * Source, CVE-2021-42574). */
#include "base.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utf8proc.h>

enum {
	MAX_SOURCE = 16 << 20,  /* bytes of a file */
	MAX_SHOWN = 20,         /* errors of a file that are shown; the rest is only counted */
	TAB = 8,
	LINE_SHOWN = 150,       /* code points of a long line that are shown around its caret */
	LINE_BEFORE = 60
};

/* ---- sources ---- */

static const char byte_order[] = "\xef\xbb\xbf";

struct source {
	const char *path, *text;
	size_t length;
	bool is_marked;                 /* the file begins with a byte order mark; text does not */
	int shown;
};
static LIST(struct source) sources;

const char *source_path(int file)
{
	assert(file >= 0 && file < sources.n && "no such source");
	return sources.at[file].path;
}

const char *source_text(int file, size_t *length)
{
	assert(file >= 0 && file < sources.n && "no such source");
	*length = sources.at[file].length;
	return sources.at[file].text;
}

const char *source_mark(int file)
{
	return sources.at[file].is_marked ? byte_order : "";
}

static ssize_t read_some(int fd, char *to, size_t room)
{
	ssize_t n;
	do
		n = read(fd, to, room);
	while (n < 0 && errno == EINTR);
	return n;
}

/* The bytes of fd, a NUL after them; NULL and errno if it cannot be read or is too long. */
static char *read_all(int fd, size_t expected, size_t *length)
{
	size_t room = expected + 2, n = 0;
	char *text = mem_new(room);
	for (;;) {
		ssize_t got = read_some(fd, text + n, room - n - 1);
		if (got < 0)
			return NULL;
		if (got == 0)
			break;
		n += (size_t)got;
		if (n > MAX_SOURCE)
			return errno = EFBIG, NULL;
		if (n + 1 == room) {
			char *wider = memcpy(mem_new(2 * room), text, n);
			text = wider, room *= 2;
		}
	}
	*length = n;
	return text;
}

static char *read_file(const char *path, size_t *length)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (fd < 0)
		return NULL;
	struct stat st;
	char *text = NULL;
	if (fstat(fd, &st) == 0) {
		if (S_ISDIR(st.st_mode))
			errno = EISDIR;
		else if (st.st_size > MAX_SOURCE)
			errno = EFBIG;
		else
			text = read_all(fd, st.st_size > 4096 ? (size_t)st.st_size : 4096, length);
	}
	int reason = errno;
	close(fd);
	errno = reason;
	return text;
}

/* ---- which characters a program may hold ---- */

static bool is_bidi(int32_t c)
{
	return c == 0x61c || c == 0x200e || c == 0x200f || (c >= 0x202a && c <= 0x202e)
		|| (c >= 0x2066 && c <= 0x2069);
}

/* Default ignorable characters that are letters or marks by category. */
static bool is_ignorable(int32_t c)
{
	return c == 0x34f || c == 0x115f || c == 0x1160 || c == 0x17b4 || c == 0x17b5
		|| (c >= 0x180b && c <= 0x180f) || c == 0x3164 || c == 0xffa0
		|| (c >= 0xfe00 && c <= 0xfe0f) || (c >= 0xe0000 && c <= 0xe0fff);
}

static bool is_invisible(int32_t c)
{
	if (c < 0x80)
		return (c < 0x20 && c != '\t' && c != '\n') || c == 0x7f;
	switch (utf8proc_category(c)) {
	case UTF8PROC_CATEGORY_CC:
	case UTF8PROC_CATEGORY_CF:
	case UTF8PROC_CATEGORY_ZL:
	case UTF8PROC_CATEGORY_ZP:
		return true;
	default:        /* the library's list, not ours */
		return is_ignorable(c);
	}
}

/* Decodes one code point at s; -1 and one byte where there is none. */
static int decode(const char *s, size_t left, int32_t *c)
{
	if ((unsigned char)*s < 0x80)
		return *c = *s, 1;
	ssize_t n = utf8proc_iterate((const uint8_t *)s, (ssize_t)left, c);
	return n > 0 ? (int)n : (*c = -1, 1);
}

static void judge_character(struct loc at, int32_t c, int byte)
{
	if (c == 0) {
		diag_error(at, D_FILE_NUL, "a NUL byte; is this a text file?");
	} else if (c < 0) {
		diag_error(at, D_FILE_UTF8, "byte 0x%02X is not UTF-8", byte);
		diag_cure("save the file as UTF-8");
	} else if (c == '\r') {
		diag_error(at, D_FILE_CR, "a carriage return that does not end a line");
		diag_cure("end lines with LF or CR LF");
	} else if (is_bidi(c)) {
		diag_error(at, D_FILE_BIDI, "U+%04X reorders the text that a reader sees",
			(unsigned)c);
		diag_cure("delete it");
	} else {
		diag_error(at, D_FILE_INVISIBLE, "U+%04X cannot be seen", (unsigned)c);
		diag_cure("delete it");
	}
}

static void judge_text(int file)
{
	const char *s = sources.at[file].text, *end = s + sources.at[file].length;
	struct loc at = { .file = file, .line = 1, .col = 1 };
	int32_t c = 0;
	while (s < end && sources.at[file].shown <= MAX_SHOWN) {
		bool was_malformed = c < 0;     /* then the rest of it is not told again */
		int n = decode(s, (size_t)(end - s), &c);
		bool ends_line = c == '\r' && s + 1 < end && s[1] == '\n';
		at.end = at.col + 1;
		if ((c < 0 && !was_malformed) || (c >= 0 && is_invisible(c) && !ends_line))
			judge_character(at, c, (unsigned char)*s);
		s += n;
		at.col++;
		if (c == '\n')
			at.line++, at.col = 1;
	}
}

static struct source stand_in;

void source_stand_in(const char *path, const char *text, size_t length)
{
	stand_in = (struct source){ .path = path, .text = text, .length = length };
}

int source_open(const char *path)
{
	struct source new = { .path = path };
	if (stand_in.text && !strcmp(path, stand_in.path))
		new = stand_in;
	else
		new.text = read_file(path, &new.length);
	if (!new.text)
		return -1;
	if (new.length >= 3 && memcmp(new.text, byte_order, 3) == 0)
		new.text += 3, new.length -= 3, new.is_marked = true;
	list_add(&sources, new);
	judge_text(sources.n - 1);
	return sources.n - 1;
}

int source_add(const char *name, const char *text)
{
	list_add(&sources, ((struct source){ .path = name, .text = text, .length = strlen(text) }));
	judge_text(sources.n - 1);
	return sources.n - 1;
}

/* ---- writing to the terminal ---- */

static int color_when = -1;

void diag_color(int when)
{
	color_when = when;
}

static bool is_colored(void)
{
	static int is_terminal = -1;
	if (color_when >= 0)
		return color_when;
	if (is_terminal < 0) {
		const char *no = getenv("NO_COLOR"), *term = getenv("TERM");
		is_terminal = isatty(STDERR_FILENO) && !(no && *no)
			&& !(term && !strcmp(term, "dumb"));
	}
	return is_terminal;
}

static void put_style(const char *code)
{
	if (is_colored())
		fprintf(stderr, "\033[%sm", code);
}

/* Writes what a terminal shows as it is, and U+FFFD for the rest. */
static void put_clean(const char *s, size_t length)
{
	for (const char *end = s + length; s < end; ) {
		int32_t c;
		int n = decode(s, (size_t)(end - s), &c);
		if (c < 0 || (is_invisible(c) && c != '\n') || is_bidi(c))
			fputs("\xef\xbf\xbd", stderr);
		else
			fwrite(s, 1, (size_t)n, stderr);
		s += n;
	}
}

static void put_message(const char *format, va_list args)
{
	char *text;
	if (vasprintf(&text, format, args) < 0)
		fail_io("out of memory");
	put_clean(text, strlen(text));
	putc('\n', stderr);
	free(text);
}

static void put_head(struct loc at, const char *kind, enum diag code, const char *style)
{
	put_style("1");
	if (at.file < 0)
		fputs("patc", stderr);
	else
		put_clean(source_path(at.file), strlen(source_path(at.file)));
	if (at.line > 0)
		fprintf(stderr, ":%d:%d", at.line, at.col);
	fputs(": ", stderr);
	put_style(style);
	fputs(kind, stderr);
	if (code != D_NONE)
		fprintf(stderr, "[P%04d]", (int)code);
	fputs(": ", stderr);
	put_style("0");
}

/* ---- the line and its caret ---- */

static const char *line_text(struct loc at, size_t *length)
{
	const char *s = sources.at[at.file].text, *end = s + sources.at[at.file].length;
	for (int line = 1; line < at.line; line++) {
		const char *newline = memchr(s, '\n', (size_t)(end - s));
		if (!newline)
			break;
		s = newline + 1;
	}
	const char *newline = memchr(s, '\n', (size_t)(end - s));
	*length = (size_t)((newline ? newline : end) - s);
	if (*length > 0 && s[*length - 1] == '\r')
		--*length;
	return s;
}

static int width_of(int32_t c, int column)
{
	if (c == '\t')
		return TAB - column % TAB;
	return c < 0 || is_invisible(c) ? 1 : utf8proc_charwidth(c);
}

/* The part of a line that is shown: all of a short one, and of a long one what is near the
 * caret. */
struct view { const char *text, *end; int first, last; };

static struct view view_of(struct loc at, const char *line, size_t length)
{
	struct view v = { .text = line, .end = line + length, .first = 1 };
	if (at.col > LINE_SHOWN - LINE_BEFORE)
		v.first = at.col - LINE_BEFORE;
	v.last = v.first + LINE_SHOWN;
	return v;
}

static void put_times(int n, char c)
{
	while (n-- > 0)
		putc(c, stderr);
}

static void put_text(struct view v)
{
	int column = 0, col = 1;
	fputs(v.first > 1 ? "..." : "", stderr);
	for (const char *s = v.text; s < v.end && col < v.last; col++) {
		int32_t c;
		int n = decode(s, (size_t)(v.end - s), &c), width = width_of(c, column);
		if (col >= v.first && c == '\t')
			put_times(width, ' ');
		else if (col >= v.first)
			put_clean(s, (size_t)n);
		column += col >= v.first ? width : 0;
		s += n;
	}
	fputs(col == v.last ? "...\n" : "\n", stderr);
}

/* Blanks up to the place, a caret, and '~' to its end: "^~".  The place may be one after the line.
 * */
static void put_marks(struct view v, struct loc at, const char mark[2])
{
	int column = 0, col = 1, last = at.end > at.col ? at.end : at.col;
	put_times(v.first > 1 ? 3 : 0, ' ');
	for (const char *s = v.text; s < v.end && col < v.last && col < last; col++) {
		int32_t c;
		int n = decode(s, (size_t)(v.end - s), &c), width = width_of(c, column);
		if (col == at.col)
			putc(mark[0], stderr);
		if (col >= v.first)
			put_times(width - (col == at.col), col < at.col ? ' ' : mark[1]);
		column += col >= v.first ? width : 0;
		s += n;
	}
	fputs(col <= at.col ? "^\n" : "\n", stderr);
}

static void put_line(struct loc at, const char *line, size_t length, const char *mark)
{
	struct view v = view_of(at, line, length);
	fprintf(stderr, "%5d | ", at.line);
	put_text(v);
	fputs("      | ", stderr);
	put_style("1;32");
	put_marks(v, at, mark);
	put_style("0");
}

static void put_snippet(struct loc at)
{
	size_t length;
	if (at.file < 0 || at.line < 1)
		return;
	const char *line = line_text(at, &length);
	put_line(at, line, length, "^~");
}

/* Where a column of a text begins; columns count code points. */
static size_t column_bytes(const char *text, size_t length, int col)
{
	size_t at = 0;
	int32_t c;
	while (--col > 0 && at < length)
		at += (size_t)decode(text + at, length - at, &c);
	return at;
}

size_t source_offset(struct loc at, int col)
{
	size_t length;
	const char *line = line_text(at, &length);
	return (size_t)(line - sources.at[at.file].text) + column_bytes(line, length, col);
}

static int columns_of(const char *text)
{
	int n = 0;
	for (; *text; text++)
		n += ((unsigned char)*text & 0xc0) != 0x80;
	return n;
}

/* The line as it would be. */
static void put_fixed(struct loc at, const char *text)
{
	size_t length;
	const char *line = line_text(at, &length);
	size_t from = column_bytes(line, length, at.col), to = column_bytes(line, length, at.end);
	FILE *out = text_open();
	fwrite(line, 1, from, out);
	fputs(text, out);
	fwrite(line + to, 1, length - to, out);
	const char *fixed = text_close(out);
	at.end = at.col + columns_of(text);
	put_line(at, fixed, strlen(fixed), "++");
}

/* ---- errors, warnings, notes, cures ---- */

static int errors;
static bool is_new;             /* the last error is no repetition, and below the limit */
static bool is_muted;           /* it was not shown: nor are its notes and cures */
static bool is_quiet;

struct told { struct loc at; enum diag code; };
static LIST(struct told) told;  /* new errors; MAX_SHOWN a file */

static bool is_told(struct loc at, enum diag code)
{
	for (int i = told.n; i-- > 0; )
		if (told.at[i].code == code && told.at[i].at.file == at.file
		    && told.at[i].at.line == at.line && told.at[i].at.col == at.col)
			return true;
	return false;
}

static int *shown_in(int file)
{
	static int elsewhere;
	return file < 0 ? &elsewhere : &sources.at[file].shown;
}

static struct codes *captured;
static struct { int errors; bool is_new, is_muted; } outside;

void diag_capture(struct codes *codes)
{
	assert((!codes || !captured) && "errors go to one place");
	if (codes)
		outside.errors = errors, outside.is_new = is_new, outside.is_muted = is_muted;
	else
		errors = outside.errors, is_new = outside.is_new, is_muted = outside.is_muted;
	captured = codes;
}

void diag_quiet(bool quiet)
{
	static int errors_before, told_before;
	if (quiet)
		errors_before = errors, told_before = told.n;
	else
		errors = errors_before, told.n = told_before;
	is_quiet = quiet;
}

bool diag_is_told(void)
{
	return is_new && !captured;
}

void diag_error(struct loc at, enum diag code, const char *format, ...)
{
	if (captured) {
		list_add(captured, (int)code);
		errors++;
		is_muted = true;
		return;
	}
	bool again = is_told(at, code);
	int *shown = shown_in(at.file);
	is_new = !again && *shown < MAX_SHOWN;
	is_muted = is_quiet || !is_new;
	errors += !again;
	if (!again && !is_quiet && *shown == MAX_SHOWN) {
		++*shown;
		put_head((struct loc){ .file = at.file }, "error", D_NONE, "1;31");
		fputs("too many errors; the rest is not shown\n", stderr);
	}
	if (is_new) {
		++*shown;
		list_add(&told, ((struct told){ at, code }));
	}
	if (is_muted)
		return;
	va_list args;
	va_start(args, format);
	put_head(at, "error", code, "1;31");
	put_message(format, args);
	va_end(args);
	put_snippet(at);
}

void diag_note(struct loc at, const char *format, ...)
{
	if (is_muted)
		return;
	va_list args;
	va_start(args, format);
	put_head(at, "note", D_NONE, "1;36");
	put_message(format, args);
	va_end(args);
	put_snippet(at);
}

void diag_remark(struct loc at, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	put_head(at, "remark", D_NONE, "1;34");
	put_message(format, args);
	va_end(args);
}

void diag_cure(const char *format, ...)
{
	if (is_muted)
		return;
	va_list args;
	va_start(args, format);
	put_style("1;32");
	fputs("  help: ", stderr);
	put_style("0");
	put_message(format, args);
	va_end(args);
}

static LIST(struct fix) fixes;

void diag_fix(struct loc at, const char *text)
{
	assert(at.file >= 0 && at.end >= at.col && "a span of one line");
	if (!diag_is_told())
		return;
	list_add(&fixes, ((struct fix){ at, told.at[told.n - 1].code, text }));
	if (!is_muted)
		put_fixed(at, text);
}

void diag_fixed(const struct fix *fix, const char *old)
{
	put_head(fix->at, "fixed", fix->code, "1;32");
	fputc('`', stderr);
	put_clean(old, strlen(old));
	fputs("` is now `", stderr);
	put_clean(fix->text, strlen(fix->text));
	fputs("`\n", stderr);
}

const struct fix *diag_fixes(int *n)
{
	*n = fixes.n;
	return fixes.at;
}

int diag_errors(void)
{
	return errors;
}

/* ---- failures that end the run ---- */

void fail_usage(const char *format, ...)
{
	va_list args;
	va_start(args, format);
	put_head((struct loc){ .file = -1 }, "error", D_NONE, "1;31");
	put_message(format, args);
	va_end(args);
	fputs("  help: patc --help lists the options\n", stderr);
	exit(2);
}

/* May be called without memory, so it formats into a buffer of its own. */
void fail_io(const char *format, ...)
{
	char text[2 * PATH_MAX];
	va_list args;
	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	put_head((struct loc){ .file = -1 }, "error", D_NONE, "1;31");
	put_clean(text, strlen(text));
	putc('\n', stderr);
	exit(3);
}

/* ---- patc --explain P0123 ---- */

struct explanation { int code; const char *summary, *wrong, *right; };
static const struct explanation explanations[] = {
#define DIAG(code, name, summary, wrong, right) { code, summary, wrong, right },
#include "diag.def"
#undef DIAG
};

/* Indented by four, as the manual shows programs. */
static void put_program(const char *title, const char *program, FILE *out)
{
	if (!*program)
		return;
	fprintf(out, "\n%s:\n\n", title);
	for (const char *line = program; *line; ) {
		int length = (int)strcspn(line, "\n");
		fprintf(out, "%s%.*s\n", length ? "    " : "", length, line);
		line += length + (line[length] == '\n');
	}
}

static void explain(const struct explanation *e, FILE *out)
{
	fprintf(out, "P%04d: %s\n", e->code, e->summary);
	put_program("This fails", e->wrong, out);
	put_program("This works", e->right, out);
}

bool diag_explain(const char *code, FILE *out)
{
	char *end;
	const char *digits = code + (*code == 'P' || *code == 'p');
	long number = strtol(digits, &end, 10);
	if (*digits < '0' || *digits > '9' || *end)
		return false;
	for (size_t i = 0; i < sizeof explanations / sizeof *explanations; i++)
		if (explanations[i].code == number)
			return explain(&explanations[i], out), true;
	return false;
}
