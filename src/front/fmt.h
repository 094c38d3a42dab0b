/* fmt.h - the one layout of a program's text: fmt.c, fmt_read.c, fmt_space.c. */
#ifndef FMT_H
#define FMT_H

#include "ast.h"

/* How the operators of `using` are spelled: as the author has them, <.> <>, or ○ ◇. */
enum spelling { SPELLING_KEEP, SPELLING_ASCII, SPELLING_UNICODE };

/* The text of a source, formatted; NULL after an error: it does not parse. */
char *fmt_text(int file, enum spelling, size_t *length);

/* ---- what the three files share ---- */

enum { TAB = 8 };                        /* columns from one to the next */

/* How a piece meets the end of a line before it. */
enum start {
	START_JOIN,     /* never: it follows on the line */
	START_KEEP,     /* where the author has one */
	START_INLINE,   /* only if the block on one line that it is in does not fit */
	START_MUST,
};

enum { COMMENT_LINE = -1, COMMENT_BLOCK = -2 };          /* kinds beside those of parse.h */

struct piece {                           /* a token or a comment */
	int kind;
	const char *text; size_t length;
	int breaks;                      /* ends of lines before it */
	int gap;                         /* blanks before it, after the last end of a line */
	bool has_tab;                    /* one of the blanks is a tab */
	int column;                      /* of its beginning, in columns of the screen */
	const char *lead; int lead_length;       /* the blanks that its line begins with */
	int line_column;                 /* of what its line begins with */

	/* fmt_space.c */
	enum start start;
	bool flush;                      /* where it begins a line it is indented as a statement */
	int level;                       /* braces that are open */
	int depth;                       /* brackets that are open */
	int space;                       /* blanks before it, if no line begins */
	int base;                        /* the first piece of its statement */
	int first;                       /* the kind of that statement's first token */
	int rank;                        /* how well a line breaks before it: 0 best */
};
/* A bracket costs as much as RANK_DEPTH; after a comma of a subscript lines break seldom. */
enum { RANK_DEPTH = 100, RANK_SUBSCRIPT = 350, RANK_NEVER = 1000 };
struct pieces { struct piece *at; int n, room; };

struct pieces fmt_read(int file);        /* fmt_read.c: of a text that parses */
bool fmt_same(const struct pieces *, const struct pieces *);     /* but for blanks and spelling */
int fmt_width(const char *text, size_t length, int column);     /* the column after it */
void fmt_space(struct pieces *);         /* fmt_space.c */
bool is_comment(const struct piece *);

#endif
