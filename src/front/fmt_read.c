/* fmt_read.c - the tokens of a program and the comments between them, with the blanks before each.
 *
 * The scanner gives the tokens.  What is between two of them are blanks and comments, for the text
 * has been parsed. */
#include "fmt.h"
#include "parse.h"

#include <ctype.h>
#include <string.h>

bool is_comment(const struct piece *p)
{
	return p->kind == COMMENT_LINE || p->kind == COMMENT_BLOCK;
}

int fmt_width(const char *text, size_t length, int column)
{
	for (size_t i = 0; i < length; i++) {
		if (text[i] == '\n')
			column = 0;
		else if (text[i] == '\t')
			column += TAB - column % TAB;
		else
			column += ((unsigned char)text[i] & 0xc0) != 0x80 && text[i] != '\r';
	}
	return column;
}

struct reading {
	struct pieces all;
	const char *line;               /* where the line begins */
	const char *at;                 /* what has been read ends here */
	int column;                     /* there */
	int breaks, gap;                /* before the next piece */
	bool has_tab;
};

static void read_blank(struct reading *r)
{
	const char c = *r->at;
	r->column = fmt_width(r->at++, 1, r->column);
	if (c == '\n')
		r->breaks++, r->gap = 0, r->has_tab = false, r->line = r->at;
	else
		r->gap += c != '\r', r->has_tab |= c == '\t';
}

static void read_piece(struct reading *r, int kind, size_t length)
{
	struct piece p = { .kind = kind, .text = r->at, .length = length, .breaks = r->breaks };
	p.gap = r->gap, p.has_tab = r->has_tab;
	p.lead = r->line, p.lead_length = (int)strspn(r->line, " \t");
	p.line_column = fmt_width(r->line, (size_t)p.lead_length, 0);
	p.column = r->column;
	for (; kind == COMMENT_LINE && isspace((unsigned char)p.text[p.length - 1]); p.length--)
		;
	list_add(&r->all, p);
	for (size_t i = 0; i < length; i++)
		if (r->at[i] == '\n')
			r->line = r->at + i + 1;
	r->column = fmt_width(r->at, length, r->column);
	r->at += length;
	r->breaks = r->gap = 0, r->has_tab = false;
}

/* Up to the next token. */
static void read_between(struct reading *r, const char *end)
{
	while (r->at < end) {
		if (*r->at != '/')
			read_blank(r);
		else if (r->at[1] == '/')
			read_piece(r, COMMENT_LINE, strcspn(r->at, "\n"));
		else
			read_piece(r, COMMENT_BLOCK, (size_t)(strstr(r->at, "*/") + 2 - r->at));
	}
}

struct pieces fmt_read(int file)
{
	size_t length;
	const char *text = source_text(file, &length);
	const struct tokens tokens = scan_all(file);
	struct reading r = { .line = text, .at = text };
	for (int i = 0; i < tokens.n; i++) {
		read_between(&r, tokens.at[i].text);
		read_piece(&r, tokens.at[i].kind, tokens.at[i].length);
	}
	read_between(&r, text + length);
	return r.all;
}

/* ---- two readings of one program ---- */

static bool is_same_text(const struct piece *a, const struct piece *b)
{
	return a->length == b->length && !memcmp(a->text, b->text, a->length);
}

/* A comment of several lines is indented anew. */
static bool is_same_comment(const struct piece *a, const struct piece *b)
{
	size_t i = 0, k = 0;
	for (;;) {
		while (i < a->length && isspace((unsigned char)a->text[i]))
			i++;
		while (k < b->length && isspace((unsigned char)b->text[k]))
			k++;
		if (i == a->length || k == b->length)
			return i == a->length && k == b->length;
		if (a->text[i++] != b->text[k++])
			return false;
	}
}

static bool is_same_piece(const struct piece *a, const struct piece *b)
{
	if (a->kind != b->kind)
		return false;
	if (a->kind == DIST || a->kind == ACC)
		return true;
	return is_comment(a) ? is_same_comment(a, b) : is_same_text(a, b);
}

bool fmt_same(const struct pieces *a, const struct pieces *b)
{
	int i = 0;
	while (i < a->n && i < b->n && is_same_piece(&a->at[i], &b->at[i]))
		i++;
	return i == a->n && i == b->n;
}
