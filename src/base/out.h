/* out.h - output files that are written completely or not at all (out.c). */
#ifndef OUT_H
#define OUT_H

#include "base.h"

#include <sys/types.h>

/* once: a file that holds the text already is left alone */
/* mode: its permissions, 0 for the usual ones */
struct output { const char *path; char *text; size_t length; bool once; mode_t mode; };
void output_close(struct output *, const char *path, FILE *text);   /* of text_open() */
char *text_take(FILE *, size_t *length);           /* what text_open() made, the caller's to free */
const char *path_base(const char *path);                 /* after the last slash */
bool path_is_standard(const char *path);                 /* "-": standard input or output */
void out_protect(const char *path);                      /* an input: no output may be it */
void out_claim(const char *path);                        /* usage error if it is taken */
void out_commit(const struct output *, int n);           /* all whole, or none; fail_io otherwise */
void out_depfile(const struct output *, int n, const char *const *source, int sources, FILE *);
/* A folder of our own, which vanishes with the files of these names (NULL ends them) at
 * out_discard. */
char *out_scratch(const char *const *files);
/* The same by that name, which must be new: fail_usage.  out_keep: nothing vanishes any more. */
void out_folder(const char *name, const char *const *files), out_keep(void);
void out_child(pid_t);                                   /* gets the signals that end us; 0: none */
void out_discard(void);                                /* removes what is half done; for handlers */
void out_close(void);                                    /* stdout: all written, or fail_io */

#endif
