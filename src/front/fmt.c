/* fmt.c - patc fmt: the layout of a program.
 *
 * Statements begin lines, indented by a tab for each brace that is open.  Inside a statement lines
 * end where the author ends them, and what goes on keeps its indentation, a tab at least.  A line
 * that is too long first loses its block on one line, then is broken where that hurts least: after
 * a comma, before a clause or an operator, in as few brackets as possible.  A comment after a
 * statement keeps its column where there is room.
 *
 * Every choice is one that the next run makes again, so a formatted program stays as it is.  That
 * tokens and comments are the same ones is tested before the text is given away. */
#include "fmt.h"
#include "out.h"
#include "parse.h"

#include <assert.h>
#include <string.h>

enum { MOST_COLUMNS = 100, LEAST_PART = 20 };

struct lines {
	struct pieces all;
	enum spelling spelling;
	FILE *out;
	int comment; /* the column of the last comment after a statement */
};
struct indent { int tabs; const char *more; };   /* more: blanks */

/* ---- indentation ---- */

static struct indent indent_of(int tabs, const char *more)
{
	return (struct indent){ tabs, more };
}

static int indent_width(struct indent in)
{
	return fmt_width(in.more, strlen(in.more), TAB * in.tabs);
}

static bool begins_with_closer(const struct piece *p)
{
	return p->kind == RPAREN || p->kind == RBRACK;
}

static const char *blanks(int width)
{
	return str_print("%*s", width, "");
}

/* How much further its source line is indented than that of its statement.  Few blanks, where the
 * statement is not indented by tabs, are some author's tab. */
static const char *further(const struct piece *p, const struct piece *base)
{
	const int n = base->lead_length;
	if (p->lead_length >= n && !memcmp(p->lead, base->lead, (size_t)n)) {
		const char *more = str_intern(p->lead + n, (size_t)(p->lead_length - n));
		const size_t tabs = strspn(more, "\t");
		if (tabs && !strchr(more + tabs, '\t'))
			return more;
	}
	const int width = p->line_column - base->line_column;
	const bool by_blanks = n && *base->lead == ' ';
	if (width <= 0)
		return "";
	if ((by_blanks || !p->level) && width <= TAB / 2)
		return "\t";
	return by_blanks && width == TAB ? "\t" : blanks(width);
}

/* A comment below one after a statement, in its column, goes on with it. */
static bool goes_on(const struct lines *l, int i)
{
	const struct piece *p = &l->all.at[i];
	return i > 0 && p->kind == COMMENT_LINE && p->breaks == 1
		&& p[-1].kind == COMMENT_LINE && p[-1].column == p->column && l->comment;
}

static struct indent indent_at(const struct lines *l, int i)
{
	const struct piece *p = &l->all.at[i];
	if (goes_on(l, i) && l->comment > TAB * p->level)
		return indent_of(p->level, blanks(l->comment - TAB * p->level));
	if (p->flush)
		return indent_of(p->level, "");
	const char *more = p->breaks ? further(p, &l->all.at[p->base]) : "";
	return indent_of(p->level, *more || begins_with_closer(p) ? more : "\t");
}

/* ---- widths ---- */

static const char *text_of(const struct lines *l, const struct piece *p)
{
	if (l->spelling != SPELLING_KEEP && p->kind == DIST)
		return l->spelling == SPELLING_ASCII ? "<.>" : "○";
	if (l->spelling != SPELLING_KEEP && p->kind == ACC)
		return l->spelling == SPELLING_ASCII ? "<>" : "◇";
	return NULL;
}

static int width_after(const struct lines *l, int i, int column)
{
	const struct piece *p = &l->all.at[i];
	const char *text = text_of(l, p);
	return text ? fmt_width(text, strlen(text), column) : fmt_width(p->text, p->length, column);
}

/* Is a line too long, but for the comments at its end? */
static bool is_long(const struct lines *l, int from, int to, int column)
{
	while (to > from + 1 && is_comment(&l->all.at[to - 1]))
		to--;
	for (int i = from; i < to && column <= MOST_COLUMNS; i++)
		column = width_after(l, i, column + (i > from ? l->all.at[i].space : 0));
	return column > MOST_COLUMNS;
}

/* ---- where lines end ---- */

static bool begins_line(const struct lines *l, int i)
{
	const struct piece *p = &l->all.at[i];
	if (i == 0 || p[-1].kind == COMMENT_LINE || p->start == START_MUST)
		return true;
	return p->start == START_KEEP && p->breaks > 0;
}

static int line_end(const struct lines *l, int i)
{
	do
		i++;
	while (i < l->all.n && !begins_line(l, i));
	return i;
}

/* The outermost block on one line of [from, to) gets lines of its own. */
static bool open_block(struct lines *l, int from, int to)
{
	int level = MAX_DEPTH + 1;
	for (int i = from; i < to; i++)
		if (l->all.at[i].start == START_INLINE && l->all.at[i].level < level)
			level = l->all.at[i].level;
	for (int i = from; i < to; i++) {
		struct piece *p = &l->all.at[i];
		/* its '}' is outside of it */
		const bool is_first = p->kind != RBRACE && p->level == level + 1;
		if (p->start == START_INLINE && (p->level == level || is_first))
			p->start = START_MUST;
	}
	return level <= MAX_DEPTH;
}

/* The best piece of a line that is too long to begin another one with; `to`: none. */
static int break_of(const struct lines *l, int from, int to, int column)
{
	const int least = column + LEAST_PART;
	int best = to, best_cost = 0;
	column = width_after(l, from, column);
	for (int i = from + 1; i < to && (best == to || column <= MOST_COLUMNS); i++) {
		const struct piece *p = &l->all.at[i];
		const int cost = RANK_DEPTH * p->depth + p->rank + (column < least ? 1 << 20 : 0);
		if (p->rank < RANK_NEVER && (best == to || cost <= best_cost))
			best = i, best_cost = cost;
		column = width_after(l, i, column + p->space);
	}
	return best;
}

/* ---- text ---- */

static void put_indent(const struct lines *l, struct indent in)
{
	for (int i = 0; i < in.tabs; i++)
		putc('\t', l->out);
	fputs(in.more, l->out);
}

/* Where the text of a line ends: blanks after it are no part of it. */
static size_t text_end(const char *line, size_t length)
{
	while (length && strchr(" \t\r", line[length - 1]))
		length--;
	return length;
}

/* The lines of a comment after its first move with it. */
static void put_comment(const struct lines *l, const struct piece *p, struct indent in)
{
	const char *at = p->text, *end = p->text + p->length;
	const size_t lead = (size_t)p->lead_length;
	for (;;) {
		const char *stop = memchr(at, '\n', (size_t)(end - at));
		const size_t shown = stop ? text_end(at, (size_t)(stop - at)) : (size_t)(end - at);
		const bool moves = at > p->text && shown > lead && !memcmp(at, p->lead, lead);
		if (moves)
			put_indent(l, in);
		fwrite(at + (moves ? lead : 0), 1, shown - (moves ? lead : 0), l->out);
		if (!stop)
			return;
		putc('\n', l->out);
		at = stop + 1;
	}
}

static void put_piece(const struct lines *l, int i, struct indent in)
{
	const struct piece *p = &l->all.at[i];
	const char *text = text_of(l, p);
	if (p->kind == COMMENT_BLOCK)
		put_comment(l, p, in);
	else if (text)
		fputs(text, l->out);
	else
		fwrite(p->text, 1, p->length, l->out);
}

static bool has_newline(const struct piece *p)
{
	return memchr(p->text, '\n', p->length);
}

/* After a comment of several lines the column is not known. */
static bool knows_column(const struct lines *l, int from, int i)
{
	while (from < i && !has_newline(&l->all.at[from]))
		from++;
	return from == i;
}

/* A comment at the end of a line is where it was, relative to the line, if that is known. */
static int space_before(const struct lines *l, int from, int i, int to, int width)
{
	const struct piece *p = &l->all.at[i];
	if (!is_comment(p) || i + 1 < to || !knows_column(l, from, i))
		return p->space;
	const int was = p->column - p->line_column - width;
	return was > 1 ? was : 1;
}

static void put_line(struct lines *l, int from, int to, struct indent in)
{
	int width = 0, comment = goes_on(l, from) ? l->comment : 0;
	put_indent(l, in);
	for (int i = from; i < to; i++) {
		const int space = i > from ? space_before(l, from, i, to, width) : 0;
		fprintf(l->out, "%*s", space, "");
		put_piece(l, i, in);
		if (i > from && l->all.at[i].kind == COMMENT_LINE && knows_column(l, from, i))
			comment = indent_width(in) + width + space;
		width = width_after(l, i, width + space);
	}
	putc('\n', l->out);
	l->comment = comment;
}

static bool has_blank_line(const struct lines *l, int i)
{
	const struct piece *p = &l->all.at[i];
	return i > 0 && p->breaks > 1 && p[-1].kind != LBRACE && p->kind != RBRACE;
}

static bool is_declared(int first)
{
	return first == KERNEL || first == FN || first == OP;
}

/* Where a line goes on that is broken: parameters below each other, anything else deeper. */
static struct indent indent_after(const struct lines *l, int from, int at, struct indent in)
{
	const struct piece *p = &l->all.at[at];
	const bool is_parameter = is_declared(p->first) && p->depth == 1;
	if (is_parameter && p->base < from)     /* only a closer has no indentation */
		return indent_of(in.tabs, *in.more ? in.more : "\t");
	if (is_parameter && !is_comment(&l->all.at[from])) {
		int i = from, width = 0;
		for (; i < at && l->all.at[i].depth < 1; i++)
			width = width_after(l, i, width + (i > from ? l->all.at[i].space : 0));
		return indent_of(in.tabs, blanks(width));
	}
	const size_t length = strlen(in.more);
	const bool has_blanks = length && in.more[length - 1] == ' ';
	return indent_of(in.tabs, str_print("%s%s", in.more, has_blanks ? blanks(TAB / 2) : "\t"));
}

/* The line, broken where it is too long. */
static void put_lines(struct lines *l, int from, int to)
{
	struct indent in = indent_at(l, from), next = in;
	for (int first = from; is_long(l, from, to, indent_width(in)); in = next) {
		const int at = break_of(l, from, to, indent_width(in));
		if (at == to)
			break;
		if (from == first)
			next = indent_after(l, from, at, in);
		put_line(l, from, at, in);
		from = at;
	}
	put_line(l, from, to, in);
}

static char *text_made(struct lines *l)
{
	l->out = text_open();
	for (int i = 0, end; i < l->all.n; i = end) {
		const int width = indent_width(indent_at(l, i));
		end = line_end(l, i);
		while (is_long(l, i, end, width) && open_block(l, i, end))
			end = line_end(l, i);
		if (has_blank_line(l, i))
			putc('\n', l->out);
		put_lines(l, i, end);
	}
	return text_close(l->out);
}

char *fmt_text(int file, enum spelling spelling, size_t *length)
{
	if (!parse_alone(file))
		return NULL;
	struct lines l = { .all = fmt_read(file), .spelling = spelling };
	fmt_space(&l.all);
	char *text = text_made(&l);
	const struct pieces again = fmt_read(source_add(source_path(file), text));
	assert(fmt_same(&l.all, &again) && "the layout has changed the program");
	*length = strlen(text);
	return text;
}
