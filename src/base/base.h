/* base.h - the ground floor: memory, names and lists (util.c), messages (diag.c), and the limit
 * of memory for a program (room.c). One arena for a run of the compiler; nothing is freed before
 * the end. */
#ifndef BASE_H
#define BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define MAX_RANK 8          /* axes of an array; more is refused with a code */
#define MAX_DEPTH 256       /* nesting of expressions and blocks; deeper is refused */

/* ---- util.c: memory, names, lists ---- */

/* zeroed; ends with status 3 if none; bytes so far */
void *mem_new(size_t bytes); size_t mem_used(void);
char *str_print(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* what was written, as a string; the last opened first */
FILE *text_open(void); char *text_close(FILE *);
uint64_t text_hash(const char *);                        /* FNV-1a */
const char *str_intern(const char *s, size_t length);    /* equal strings, equal pointers */
const char *str_name(const char *s);                     /* str_intern of a C string */
/* never negative; the sum, or the nearest i64 */
int64_t gcd(int64_t a, int64_t b), sum_nearest(int64_t a, int64_t b);
int64_t larger(int64_t a, int64_t b);
#define NEW(T) ((T *)mem_new(sizeof(T)))
#define LIST(T) struct { T *at; int n, room; }
#define list_add(l, x) \
	((l)->at = list_grow((l)->at, (l)->n, &(l)->room, sizeof *(l)->at), (l)->at[(l)->n++] = (x))
void *list_grow(void *at, int n, int *room, size_t each); /* room for one more */
struct map { struct map_row { const void *key; void *value; } *row; int n, room; }; /* by address */
void **map_at(struct map *, const void *key);           /* the value's place, made when new: NULL */
/* the value, NULL if none; empties it */
void *map_get(const struct map *, const void *key), map_free(struct map *);

/* ---- near.c: did you mean ---- */

/* the name nearest to this one, NULL: none is near; is it the only one so near? */
struct like { const char *of, *name; int least; bool is_alone; };
struct like near_begin(const char *name);
void near_add(struct like *, const char *other);
bool near_is_certain(const struct like *);               /* enough for a fix-it */

/* ---- diag.c: what the user is told; source.c: the files that it points into ---- */

struct loc { int file, line, col, end; };  /* 1-based; columns count code points; end: one after */

enum diag {
#define DIAG(code, name, summary, wrong, right) D_##name = code,
#include "diag.def"
#undef DIAG
	D_NONE = 0
};

/* a file's number, -1 if unreadable; "-": standard input */
int source_open(const char *path);
int source_number(const char *path);                     /* of a file that was opened; or -1 */
/* from now on source_open reads this instead of the file; NULL: the file again */
void source_stand_in(const char *path, const char *text, size_t length);
bool source_exists(const char *path);   /* a file that may be read, or what stands in for one */
int source_add(const char *name, const char *text);      /* a text that is in no file */
const char *source_path(int file);
const char *source_text(int file, size_t *length);
const char *source_mark(int file);                       /* the byte order mark before it, or "" */
size_t source_offset(struct loc, int col);               /* of a column of its line, in the text */
/* place, reason, and (diag_cure) what would fit; errors are counted, the stage goes on */
void diag_error(struct loc, enum diag, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* As diag_error; the options -W decide whether it is shown, an error, or silent. */
void diag_warning(struct loc, enum diag, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
void diag_note(struct loc, const char *format, ...) __attribute__((format(printf, 2, 3)));
void diag_remark(struct loc, const char *format, ...) __attribute__((format(printf, 2, 3)));
struct remark_line { struct loc at; const char *text; };
struct remark_lines { LIST(struct remark_line) list; };
void diag_remarks(struct remark_lines *);        /* remarks go there, unshown, until NULL */
void diag_cure(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* A fix-it of the last error or warning: the text that replaces a span of one line, shown as the
 * line that it makes.  Only where it certainly removes the error: --fix applies it.  Nothing if the
 * span is not on one line, or if a comment in it would be lost. */
void diag_fix(struct loc span, const char *text);
bool diag_is_told(void);         /* does the user see the last error or warning? */
struct fix { struct loc at; enum diag code; const char *text; };
const struct fix *diag_fixes(int *n);    /* of all errors so far */
void diag_fixed(const struct fix *, const char *old);    /* says so; old: what it replaced */
/* true: until false the warnings that a file has had are not told again */
void diag_repeated(bool);
void diag_quiet(bool);       /* true: until false errors are neither shown nor counted */
int diag_errors(void);
struct codes { int *at; int n, room; };
void diag_capture(struct codes *);       /* errors go there, unshown and uncounted, until NULL */
enum diag_form { FORM_TEXT, FORM_JSON, FORM_SARIF, FORM_KEPT };
/* --diagnostics: report.c; the document is written by diag_close, or as patc fails.  KEPT: nothing
 * is written, report_messages() has what was told. */
void diag_form(enum diag_form), diag_close(void);
bool diag_is_text(void);
void diag_color(int when);                               /* -1: if stderr is a terminal, 0, 1 */
_Noreturn void fail_usage(const char *format, ...) __attribute__((format(printf, 1, 2)));  /* 2 */
_Noreturn void fail_io(const char *format, ...) __attribute__((format(printf, 1, 2)));     /* 3 */
const char *diag_name(enum diag), *diag_summary(enum diag);     /* "bounds"; one phrase */
bool diag_explain(const char *code, FILE *);     /* patc --explain P0123, or a warning's name */

/* ---- fixit.c: diag_fix of what the text around a place says ---- */

const char *source_span(struct loc);     /* the text of a span; NULL if it is on several lines */
/* Does a statement begin there: after a `;`, a brace, or a line that ends without `else`? */
bool begins_statement(struct loc);
void fix_insert(struct loc, const char *text);           /* before the place */
/* What is between two places of a line, and the last one with it. */
void fix_between(struct loc before, struct loc after, const char *text, bool last_too);
void fix_wrap(struct loc, const char *before, const char *after);        /* around the span */
/* Replaces the word that begins at the place, or that ends before it; nothing if it is another. */
void fix_word(struct loc, const char *word, const char *text);
void fix_word_before(struct loc, const char *word, const char *text);
void fix_leave_out(struct loc);          /* the span, with the blanks before it */
void fix_leave_out_rest(struct loc from, struct loc last);       /* both, and between, of a line */
void fix_leave_out_label(struct loc, const char *label);         /* of the statement there */
/* The item of a list that begins at the place, with a comma; false if it is the only one. */
bool fix_leave_out_item(struct loc);
void fix_leave_out_line(struct loc);     /* the statement around the place, up to its ';' */
void fix_leave_out_pin(struct loc);      /* one of a line, or the line if it has no other */
void fix_pin_value(struct loc, const char *text);        /* the whole pin */
void fix_after_type(struct loc, const char *text);       /* of a name without an initial value */
/* At the end of the line, if there is something before the place. */
void fix_line_end(struct loc, const char *text);
void fix_append(struct loc, const char *clause);         /* to the statement, before its ';' */

/* ---- warning.c: the table warning.def, and what the options -W say of its rows ---- */

void warning_option(const char *value);  /* of -W: NAME, no-NAME, error, error=NAME, ... */
enum severity { SILENT, WARNING, ERROR };
enum severity warning_severity(enum diag);               /* ERROR: it is no warning, too */
const char *warning_name(enum diag);                     /* "unused"; NULL: it is no warning */
enum diag warning_code(const char *name);                /* D_NONE: no warning has that name */

/* ---- json.c ---- */

void text_json(FILE *, const char *);  /* in quotes; what is no UTF-8 becomes U+FFFD */

/* ---- status.c ---- */

/* the statuses a generated function returns; text from status_text */
enum patc_status {
#define STATUS(id, number, text) id = number,
#include "status.def"
#undef STATUS
	STATUS_COUNT_,
	ST_CHECK = 31,                   /* --check: an access is outside of its array */
	/* the first condition that a kernel requires does not hold; the next is one more */
	ST_REQUIRED = 32, REQUIRE_MOST = 32
};
const char *status_text(int status);     /* one of the table */
bool status_stands(int status);         /* the results are there: at most some items were skipped */

/* ---- room.c ---- */

void program_begin(size_t bytes);        /* of a program, which has taken so many already */
bool program_fits(struct loc);           /* false: it takes too many, which is reported once */

enum { DONE = 0, WRONG = 1, FAILED = 3, INTERNAL = 70 };         /* exit statuses; usage has 2 */

#endif
