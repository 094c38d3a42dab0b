/* fixit.c - fix-its that are computed from the text around a place: insertions, deletions, and
 * calls around an expression. Each changes a single line. None is made if the text that it
 * depends on is on another line, or if a comment is in between. */
#include "base.h"

#include <limits.h>
#include <string.h>

/* The line of a place; the column of a character of it. */
struct line { const char *begin, *end; struct loc at; };

static struct line line_of(struct loc at)
{
	size_t length, from = source_offset(at, 1);
	const char *text = source_text(at.file, &length), *begin = text + from;
	const char *newline = memchr(begin, '\n', length - from);
	return (struct line){ begin, newline ? newline : text + length, at };
}

static const char *character_of(const struct line *line, int col)
{
	size_t length;
	return source_text(line->at.file, &length) + source_offset(line->at, col);
}

static struct loc span_of(const struct line *line, const char *from, const char *to)
{
	struct loc at = { line->at.file, line->at.line, 1, 1 };
	for (const char *c = line->begin; c < to; c++) {
		const bool first = ((unsigned char)*c & 0xc0) != 0x80;
		at.col += first && c < from;
		at.end += first;
	}
	return at;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static bool is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')
	    || c == '_';
}

static const char *before_blanks(const struct line *line, const char *c)
{
	while (c > line->begin && is_blank(c[-1]))
		c--;
	return c;
}

static bool is_at(const struct line *line, const char *c, const char *word)
{
	const size_t n = strlen(word);
	return (size_t)(line->end - c) > n && !memcmp(c, word, n) && !is_word(c[n])
	    && (c == line->begin || !is_word(c[-1]));
}

/* Where the part that c is in ends: before one of these characters, or a `when` or a `for`,
 * outside of brackets.  NULL: not on this line. */
static const char *part_end(const struct line *line, const char *c, const char *ends)
{
	int depth = 0;
	for (; c < line->end; c++) {
		if (*c == '"' || (*c == '/' && c + 1 < line->end && (c[1] == '/' || c[1] == '*')))
			return NULL;
		if (depth == 0 && (strchr(ends, *c) || is_at(line, c, "when")
		                   || is_at(line, c, "for")))
			return c;
		depth += *c == '(' || *c == '[' || *c == '{';
		depth -= *c == ')' || *c == ']' || *c == '}';
		if (depth < 0)
			return NULL;
	}
	return NULL;
}

static bool has_comment(const struct line *line, const char *end)
{
	for (const char *c = line->begin; c + 1 < end; c++)
		if ((c[0] == '/' && (c[1] == '/' || c[1] == '*')) || (c[0] == '*' && c[1] == '/'))
			return true;
	return false;
}

const char *source_span(struct loc at)
{
	if (at.file < 0 || at.line < 1 || at.end == INT_MAX)
		return NULL;
	struct line line = line_of(at);
	const char *from = character_of(&line, at.col), *to = character_of(&line, at.end);
	return str_intern(from, (size_t)(to - from));
}

bool begins_statement(struct loc at)
{
	struct line line = line_of(at);
	size_t length;
	const char *before = before_blanks(&line, character_of(&line, at.col));
	const char *text = source_text(at.file, &length), *end = line.begin;
	if (before > line.begin)
		return strchr(";{}", before[-1]);
	while (end > text && strchr(" \t\r\n", end[-1]))
		end--;
	const char *last = end;
	while (last > text && last[-1] != '\n')
		last--;
	/* a comment may hide what the line before ends with */
	const struct line above = { .begin = last, .end = end };
	return !has_comment(&above, end)
	       && (end - text < 4 || memcmp(end - 4, "else", 4) != 0);
}

void fix_insert(struct loc at, const char *text)
{
	if (at.file < 0 || at.line < 1)
		return;
	at.end = at.col;
	diag_fix(at, text);
}

void fix_between(struct loc before, struct loc after, const char *text, bool last_too)
{
	if (before.file == after.file && before.line == after.line && before.end <= after.col)
		diag_fix((struct loc){ before.file, before.line, before.end,
		                       last_too ? after.end : after.col }, text);
}

void fix_wrap(struct loc at, const char *before, const char *after)
{
	const char *text = source_span(at);
	if (text)
		diag_fix(at, str_print("%s%s%s", before, text, after));
}

void fix_word(struct loc at, const char *word, const char *text)
{
	struct line line = line_of(at);
	const char *c = character_of(&line, at.col);
	if (is_at(&line, c, word))
		diag_fix(span_of(&line, c, c + strlen(word)), text);
}

void fix_word_before(struct loc at, const char *word, const char *text)
{
	struct line line = line_of(at);
	const size_t n = strlen(word);
	const char *end = before_blanks(&line, character_of(&line, at.col)), *begin = end - n;
	if ((size_t)(end - line.begin) > n && !memcmp(begin, word, n) && !is_word(begin[-1]))
		diag_fix(span_of(&line, begin, end), text);
}

void fix_leave_out(struct loc at)
{
	if (at.file < 0 || at.line < 1 || at.end == INT_MAX)
		return;
	struct line line = line_of(at);
	const char *from = character_of(&line, at.col), *to = character_of(&line, at.end);
	const char *before = before_blanks(&line, from);
	if (before == line.begin || before == from)
		while (to < line.end && is_blank(*to))
			to++;
	else
		from = before;
	diag_fix(span_of(&line, from, to), "");
}

bool fix_leave_out_item(struct loc at)
{
	struct line line = line_of(at);
	const char *from = character_of(&line, at.col), *before = before_blanks(&line, from);
	const char *end = part_end(&line, from, ",;){");
	if (!end || (*end != ',' && (before == line.begin || before[-1] != ',')))
		return false;
	if (*end != ',')
		diag_fix(span_of(&line, before - 1, before_blanks(&line, end)), "");
	else {
		for (end++; end < line.end && is_blank(*end); end++)
			continue;
		diag_fix(span_of(&line, from, end), "");
	}
	return true;
}

void fix_leave_out_line(struct loc at)
{
	struct line line = line_of(at);
	size_t length;
	const char *text = source_text(at.file, &length);
	const char *from = character_of(&line, at.col), *before, *end = from;
	while (from > line.begin && from[-1] != ';' && from[-1] != '{')
		from--;
	while (is_blank(*from))
		from++;
	for (before = from; before > text && strchr(" \t\r\n", before[-1]); )
		before--;
	while (end < line.end && *end != ';' && *end != '/')
		end++;
	if (has_comment(&line, end))
		return;
	if (before > text && strchr(";{", before[-1]) && end < line.end && *end == ';')
		fix_leave_out((struct loc){ at.file, at.line, span_of(&line, from, from).col,
		                            span_of(&line, end + 1, end + 1).end });
}

void fix_leave_out_rest(struct loc from, struct loc last)
{
	if (last.file == from.file && last.line == from.line && last.end >= from.end) {
		from.end = last.end;
		fix_leave_out(from);
	}
}

/* Returns what follows the label at c, its colon and blanks; NULL: no such label begins at c. */
static const char *label_end(const struct line *line, const char *c, const char *label)
{
	if (c < line->begin || !is_at(line, c, label))
		return NULL;
	for (c += strlen(label); c < line->end && is_blank(*c); c++)
		continue;
	if (c == line->end || *c != ':')
		return NULL;
	for (c++; c < line->end && is_blank(*c); c++)
		continue;
	return c;
}

void fix_leave_out_label(struct loc at, const char *label)
{
	struct line line = line_of(at);
	const char *from = character_of(&line, at.col), *end = from;
	if (has_comment(&line, end))
		return;
	while (from > line.begin && !strchr(";{}", from[-1]))
		from--;
	while (is_blank(*from))
		from++;
	const char *to = label_end(&line, from, label);
	if (to)
		diag_fix(span_of(&line, from, to), "");
}

void fix_leave_out_pin(struct loc at)
{
	if (at.file >= 0 && at.line > 0 && !fix_leave_out_item(at))
		fix_leave_out_line(at);
}

void fix_pin_value(struct loc at, const char *text)
{
	struct line line = line_of(at);
	const char *from = character_of(&line, at.col), *end = part_end(&line, from, ",;");
	if (end)
		diag_fix(span_of(&line, from, before_blanks(&line, end)), text);
}

void fix_after_type(struct loc at, const char *text)
{
	struct line line = line_of(at);
	const char *end = part_end(&line, character_of(&line, at.col), "=,;)");
	if (end && *end != '=')
		fix_insert(span_of(&line, before_blanks(&line, end), end), text);
}

void fix_line_end(struct loc at, const char *text)
{
	struct line line = line_of(at);
	const char *end = line.end;
	if (before_blanks(&line, character_of(&line, at.col)) == line.begin)
		return;
	while (end > line.begin && strchr(" \t\r", end[-1]))
		end--;
	fix_insert(span_of(&line, end, end), text);
}

void fix_append(struct loc at, const char *clause)
{
	struct line line = line_of(at);
	const char *end = character_of(&line, at.col);
	for (; end < line.end && *end != ';' && *end != '"'; end++)
		if (*end == '/' && end + 1 < line.end && (end[1] == '/' || end[1] == '*'))
			return;
	if (end < line.end && *end == ';')
		fix_insert(span_of(&line, end, end), str_print(" %s", clause));
}
