/* front.h - from the text to the pattern graph: read.c, grammar/, ast.c, sema_*.c. */
#ifndef FRONT_H
#define FRONT_H

#include "graph.h"
#include "target.h"

struct ast; struct ast_file;
struct options;
/* Reads path and, through `use`, every file it names (once each); diagnoses, never fails silently.
 * */
struct ast_file *parse_file(const char *path, const struct options *);
void ast_dump(const struct ast_file *, FILE *);

struct program *sema_check(const struct ast_file *, const char *path, const struct options *);
/* The pins of --schedule, if there is one; false: it cannot be read. */
bool sema_tuning(struct program *, const struct options *);

struct sema;                             /* sema_impl.h: shared by the sema_*.c only */
/* A value among the words of the statement that pattern->check looks at, in that statement's scope;
 * type NULL: as it is.  NULL after an error. */
struct expr *sema_value(const struct ast *, const struct type *);
/* After an error: the statement may be right but for its pattern's word.  These words are tried in
 * the order in which they are named, and the cure is the first that is accepted, as a fix-it, else
 * the text of cure (NULL: none). */
void sema_instead(const char *pattern);
/* The fix-it that makes two statements of two equations which no words follow. */
void fix_statements(const struct node *);
/* The fix-it that leaves one of the values of a clause in parentheses, if all are the same. */
void fix_one_value(const struct clause_use *);
void sema_cure(const char *format, ...) __attribute__((format(printf, 1, 2)));
struct expr *extent_expr(const struct affine *, struct loc);

/* sema_layout.c: a block of aosoa(cells), declared where it is used and in no header */
const struct record *layout_blocks(const struct record *of, int64_t cells);

#endif
