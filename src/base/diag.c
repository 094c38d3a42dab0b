/* diag.c - messages to the user: errors, warnings, notes, remarks and fix-its.
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
 * Messages are written as they are found; the same code at the same place is told once, and of a
 * file 20 errors and 20 warnings are shown.  Nothing that comes from a file reaches the
 * terminal unread: control and reordering characters and malformed UTF-8 are shown as U+FFFD. */
#include "report.h"
#include "source.h"

#include <assert.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <utf8proc.h>

enum {
	TAB = 8,
	LINE_SHOWN = 150,       /* code points of a long line that are shown around its caret */
	LINE_BEFORE = 60
};

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

static const struct { const char *name, *style; } kinds[] = {
	[KIND_ERROR] = { "error", "1;31" },     [KIND_WARNING] = { "warning", "1;35" },
	[KIND_REMARK] = { "remark", "1;34" },   [KIND_FIXED] = { "fixed", "1;32" },
	[KIND_NOTE] = { "note", "1;36" }
};

static void put_head(struct loc at, enum kind kind, enum diag code)
{
	put_style("1");
	if (at.file < 0)
		fputs("patc", stderr);
	else
		put_clean(source_path(at.file), strlen(source_path(at.file)));
	if (at.line > 0)
		fprintf(stderr, ":%d:%d", at.line, at.col);
	fputs(": ", stderr);
	put_style(kinds[kind].style);
	fputs(kinds[kind].name, stderr);
	if (code != D_NONE)
		fprintf(stderr, "[P%04d]", (int)code);
	fputs(": ", stderr);
	put_style("0");
}

/* option: of a warning, as it is shown or made an error; else "" */
static void put_message(enum kind kind, struct loc at, enum diag code, const char *text,
                        const char *option)
{
	if (kind == KIND_HELP) {
		put_style("1;32");
		fputs("  help: ", stderr);
		put_style("0");
	} else {
		put_head(at, kind, code);
	}
	put_clean(text, strlen(text));
	fprintf(stderr, "%s\n", option);
}

/* Shown as text, or kept for the report. */
static void show(enum kind kind, struct loc at, enum diag code, const char *option,
                 const char *format, va_list args)
{
	char *text;
	if (vasprintf(&text, format, args) < 0)
		fail_io("out of memory");
	if (!report_wanted())
		put_message(kind, at, code, text, option);
	else if (kind == KIND_NOTE)
		report_note(at, text);
	else if (kind == KIND_HELP)
		report_help(text);
	else
		report_message(kind, at, code, text);
	free(text);
}

/* ---- the line and its caret ---- */

static const char *line_text(struct loc at, size_t *length)
{
	size_t whole;
	const char *s = source_text(at.file, &whole), *end = s + whole;
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
	if (at.file < 0 || at.line < 1 || report_wanted())
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
	return (size_t)(line - source_text(at.file, &(size_t){ 0 }))
	       + column_bytes(line, length, col);
}

static int columns_of(const char *text)
{
	int n = 0;
	for (; *text; text++)
		n += ((unsigned char)*text & 0xc0) != 0x80;
	return n;
}

int source_columns(struct loc at)
{
	size_t length;
	const char *line = line_text(at, &length);
	return columns_of(str_intern(line, length));
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
static bool is_new;             /* the last one is no repetition, and below the limit */
static bool is_muted;           /* it was not shown: nor are its notes and cures */
static int quiet_depth;         /* calls of diag_quiet that have not ended */

struct told { struct loc at; enum diag code; };
static LIST(struct told) told;  /* new errors and warnings; MAX_SHOWN of each a file */

static bool is_repeated;         /* the programs have been compiled for another target */

void diag_repeated(bool repeated)
{
	is_repeated = repeated;
}

/* A file that is read again has another number. */
static bool is_same_file(int a, int b, enum severity severity)
{
	return a == b || (is_repeated && severity != ERROR && a >= 0 && b >= 0
	                  && !strcmp(source_path(a), source_path(b)));
}

static bool is_told(struct loc at, enum diag code, enum severity severity)
{
	for (int i = told.n; i-- > 0; )
		if (told.at[i].code == code && is_same_file(told.at[i].at.file, at.file, severity)
		    && told.at[i].at.line == at.line && told.at[i].at.col == at.col)
			return true;
	return false;
}

static int *shown_in(int file, enum severity severity)
{
	static int elsewhere[2];
	return file < 0 ? &elsewhere[severity == ERROR] : source_shown(file, severity);
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
	static struct { int errors, told; } before[2];
	if (quiet) {
		assert(quiet_depth < 2 && "what --fix tries, and what a pass does");
		before[quiet_depth].errors = errors;
		before[quiet_depth++].told = told.n;
	} else {
		errors = before[--quiet_depth].errors;
		told.n = before[quiet_depth].told;
	}
}

bool diag_is_told(void)
{
	return is_new && !captured;
}

static void say(enum kind kind, struct loc at, enum diag code, const char *format, ...)
	__attribute__((format(printf, 4, 5)));
static void say(enum kind kind, struct loc at, enum diag code, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	show(kind, at, code, "", format, args);
	va_end(args);
}

static enum kind kind_of(enum severity severity)
{
	return severity == ERROR ? KIND_ERROR : KIND_WARNING;
}

/* Counts it: is it new, is it to be shown? */
static void count(struct loc at, enum diag code, enum severity severity)
{
	bool again = is_told(at, code, severity);
	int *shown = shown_in(at.file, severity);
	is_new = !again && *shown < MAX_SHOWN;
	is_muted = quiet_depth || !is_new;
	errors += !again && severity == ERROR;
	if (!again && !quiet_depth && *shown == MAX_SHOWN) {
		++*shown;
		say(kind_of(severity), (struct loc){ .file = at.file }, D_NONE,
		    "too many %ss; the rest is not shown", kinds[kind_of(severity)].name);
	}
	if (is_new) {
		++*shown;
		list_add(&told, ((struct told){ at, code }));
	}
}

static void tell(struct loc at, enum diag code, enum severity severity, const char *format,
                 va_list args)
{
	const char *name = warning_name(code), *option = "";
	count(at, code, severity);
	if (is_muted)
		return;
	if (name)
		option = str_print(" [-W%s%s]", severity == ERROR ? "error=" : "", name);
	show(kind_of(severity), at, code, option, format, args);
	put_snippet(at);
}

void diag_error(struct loc at, enum diag code, const char *format, ...)
{
	if (captured) {
		if (!quiet_depth)
			list_add(captured, (int)code);
		errors++;
		is_muted = true;
		return;
	}
	va_list args;
	va_start(args, format);
	tell(at, code, ERROR, format, args);
	va_end(args);
}

void diag_warning(struct loc at, enum diag code, const char *format, ...)
{
	const enum severity severity = warning_severity(code);
	if (captured || severity == SILENT) {
		is_muted = true;
		is_new = false;
		return;
	}
	va_list args;
	va_start(args, format);
	tell(at, code, severity, format, args);
	va_end(args);
}

void diag_note(struct loc at, const char *format, ...)
{
	if (is_muted)
		return;
	va_list args;
	va_start(args, format);
	show(KIND_NOTE, at, D_NONE, "", format, args);
	va_end(args);
	put_snippet(at);
}

static struct remark_lines *remarks;

void diag_remarks(struct remark_lines *lines)
{
	remarks = lines;
}

static void keep_remark(struct loc at, const char *format, va_list args)
{
	FILE *text = text_open();
	vfprintf(text, format, args);
	list_add(&remarks->list, ((struct remark_line){ at, text_close(text) }));
}

void diag_remark(struct loc at, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	if (remarks)
		keep_remark(at, format, args);
	else
		show(KIND_REMARK, at, D_NONE, "", format, args);
	va_end(args);
}

void diag_cure(const char *format, ...)
{
	if (is_muted)
		return;
	va_list args;
	va_start(args, format);
	show(KIND_HELP, (struct loc){ .file = -1 }, D_NONE, "", format, args);
	va_end(args);
}

static LIST(struct fix) fixes;

/* Has the span a comment that the text has not? */
static bool loses_comment(struct loc at, const char *text)
{
	const char *end, *old = source_span(at);
	for (const char *c = old; c && (c = strchr(c, '/')); c = end) {
		end = c + 1;
		if (*end != '/' && *end != '*')
			continue;
		const char *close = *end == '*' ? strstr(c, "*/") : NULL;
		end = close ? close + 2 : c + strlen(c);
		if (!strstr(text, str_intern(c, (size_t)(end - c))))
			return true;
	}
	return false;
}

void diag_fix(struct loc at, const char *text)
{
	assert(at.file >= 0 && at.end >= at.col && "a span");
	if (!diag_is_told() || at.end == INT_MAX || loses_comment(at, text))
		return;
	list_add(&fixes, ((struct fix){ at, told.at[told.n - 1].code, text }));
	if (is_muted)
		return;
	if (report_wanted())
		report_edit(at, text);
	else
		put_fixed(at, text);
}

void diag_fixed(const struct fix *fix, const char *old)
{
	if (*old)
		say(KIND_FIXED, fix->at, fix->code, "`%s` is now `%s`", old, fix->text);
	else
		say(KIND_FIXED, fix->at, fix->code, "`%s` is new", fix->text);
}

const struct fix *diag_fixes(int *n)
{
	*n = fixes.n;
	return fixes.at;
}

bool diag_is_text(void)
{
	return !report_wanted();
}

int diag_errors(void)
{
	return errors;
}

/* ---- failures that end the run ---- */

static void fail(const char *text, const char *help)
{
	const struct loc nowhere = { .file = -1 };
	if (report_wanted()) {
		report_failure(text, help);
		return;
	}
	put_message(KIND_ERROR, nowhere, D_NONE, text, "");
	if (help)
		put_message(KIND_HELP, nowhere, D_NONE, help, "");
}

void fail_usage(const char *format, ...)
{
	char *text;
	va_list args;
	va_start(args, format);
	if (vasprintf(&text, format, args) < 0)
		fail_io("out of memory");
	va_end(args);
	fail(text, "patc --help lists the options");
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
	fail(text, NULL);
	exit(3);
}

/* ---- patc --explain P0123 ---- */

struct explanation { int code; const char *name, *summary, *wrong, *right; };
static const struct explanation explanations[] = {
#define DIAG(code, name, summary, wrong, right) { code, #name, summary, wrong, right },
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
	const char *option = warning_name((enum diag)e->code);
	fprintf(out, "P%04d%s%s: %s\n", e->code, option ? ", -W" : "", option ? option : "",
	        e->summary);
	put_program(option ? "This is warned of" : "This fails", e->wrong, out);
	put_program(option ? "This is not" : "This works", e->right, out);
}

static const struct explanation *explanation_of(long code)
{
	for (size_t i = 0; code && i < sizeof explanations / sizeof *explanations; i++)
		if (explanations[i].code == code)
			return &explanations[i];
	return NULL;
}

/* As a warning's option is written. */
const char *diag_name(enum diag code)
{
	char *name = str_print("%s", explanation_of(code)->name);
	for (char *c = name; *c; c++)
		*c = (char)(*c == '_' ? '-' : *c >= 'A' && *c <= 'Z' ? *c - 'A' + 'a' : *c);
	return name;
}

const char *diag_summary(enum diag code)
{
	return explanation_of(code)->summary;
}

/* P0101, 101, unused, -Wunused; 0: it is no code */
static long code_of(const char *text)
{
	char *end;
	const char *digits = text + (*text == 'P' || *text == 'p');
	const char *name = text + (strncmp(text, "-W", 2) ? 0 : 2);
	long number = strtol(digits, &end, 10);
	return *digits < '0' || *digits > '9' || *end ? (long)warning_code(name) : number;
}

bool diag_explain(const char *code, FILE *out)
{
	const struct explanation *e = explanation_of(code_of(code));
	if (e)
		explain(e, out);
	return e;
}
