/* place.c - the line numbers of an output, for debuggers and sanitizers (-g).
 *
 * The printer writes a mark before the lines of a statement.  No mark knows the number of its line:
 * that is counted here, when the whole text is there, and marks become directives.  A directive is
 * written where the compiler would think of another line than the one that is meant: it counts on
 * from the last one.  So lines that no statement has follow a directive with the name of the output
 * and their own number in it.
 *
 * A mark is MARK, the file's number, a blank, the line, MARK.  No other line of an output begins
 * with MARK. */
#include "kir.h"

#include <stdlib.h>
#include <string.h>

enum { MARK = '\v' };

/* text: the rest of it; at: where it is, by the last mark; told: where the compiler takes the next
 * line to be, with line 0: the output's own; number: of the next line in the output */
struct lines {
	const char *text, *own;
	struct loc at, told;
	int number;
	FILE *out;
};

void place_print(struct loc at, FILE *out)
{
	fprintf(out, "%c%d %d%c", MARK, at.file, at.line, MARK);
}

static void read_marks(struct lines *l)
{
	while (*l->text == MARK) {
		char *end;
		l->at.file = (int)strtol(l->text + 1, &end, 10);
		l->at.line = (int)strtol(end, &end, 10);
		l->text = end + 1;
	}
}

/* As a string of C, without trigraphs. */
void place_name(const char *name, FILE *out)
{
	for (const char *c = name; *c; c++)
		if ((unsigned char)*c < ' ' || *c == 127)
			fprintf(out, "\\%03o", (unsigned)(unsigned char)*c);
		else
			fprintf(out, strchr("\"\\?", *c) ? "\\%c" : "%c", *c);
}

static void directive(struct lines *l)
{
	const bool own = !l->at.line;
	l->number++;
	fprintf(l->out, "#line %d \"", own ? l->number : l->at.line);
	place_name(own ? l->own : source_path(l->at.file), l->out);
	fputs("\"\n", l->out);
	l->told = l->at;
}

/* Nothing is computed in a blank line, or in a comment of a statement. */
static bool is_silent(const struct lines *l)
{
	const char *first = l->text + strspn(l->text, "\t ");
	return *first == '\n' || (l->at.line && !strncmp(first, "/*", 2));
}

static bool is_told(const struct lines *l)
{
	return l->at.line == l->told.line && (!l->at.line || l->at.file == l->told.file);
}

void places_lines(const char *text, place_line *visit, void *state)
{
	struct lines l = { .text = text };
	for (read_marks(&l); *l.text; read_marks(&l)) {
		const size_t length = strcspn(l.text, "\n");
		visit(state, l.at, l.text, length);
		l.text += length + (l.text[length] == '\n');
	}
}

static void resolve(void *state, struct loc at, const char *line, size_t length)
{
	struct lines *l = state;
	l->text = line;
	l->at = at;
	if (!is_silent(l) && !is_told(l))
		directive(l);
	fwrite(line, 1, length, l->out);
	putc('\n', l->out);
	l->number++;
	l->told.line += l->told.line > 0;
}

void places_resolve(const char *text, const char *own, FILE *out)
{
	places_lines(text, resolve, &(struct lines){ .own = own, .number = 1, .out = out });
}
