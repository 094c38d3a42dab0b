/* built.h - programs that call generated code: written into a folder, compiled by the user's
 * compiler and run (built.c). */
#ifndef BUILT_H
#define BUILT_H

#include "front.h"

struct words { char **at; int n, room; };        /* of a command; NULL is the last */

void built_words(struct words *, const char *text);      /* adds those between its blanks */
/* its program, or what the variable names: the words of a command */
const char *built_compiler(const struct toolchain *);
const char *built_folder(const char *path);              /* that a file is in */
enum { BUILT_MISSING = 127 };                            /* the program is not there */

FILE *built_open(const char *path);                      /* for writing; fail_io */
void built_close(FILE *, const char *path);
void built_close_script(FILE *, const char *path);          /* which may be executed */
void built_put(const void *, size_t bytes, FILE *);       /* data; fail_io */
void built_text(const char *dir, const char *name, const char *text);
/* The passes, then STEM.{cu,hip,c} and STEM.h; false: reported. */
bool built_program(struct program *, const struct options *, const char *dir, const char *stem);
/* The same without the header, which is there: what pins and passes decide is not in it. */
bool built_source(struct program *, const struct options *, const char *dir, const char *stem,
                  const char *header);
/* What compiles STEM.{cu,hip,c} and STEM_KIND.c of dir into its program STEM_KIND; path: of the
 * .pat; `flags` follow those of the target; driver: the stem of another STEM_KIND.c, or NULL. */
struct build { const char *path, *dir, *stem, *kind, *flags, *driver; };
struct words built_command(const struct options *, const struct build *);
/* The same as a line of a shell in that folder, which looks at CC, NVCC or HIPCC. */
const char *built_line(const struct options *, const struct build *);
/* Its words go to the file log; false: reported. */
bool built_compile(const struct options *, const struct words *, const char *log);
/* The exit status of such a compiler, told if it is not 0; true: it is. */
bool built_compiled(const struct options *, const struct words *, int status, const char *log);
/* This process becomes argv, with the folder and the files of built_run. */
_Noreturn void built_become(char **argv, const char *dir, const char *out, const char *err);
/* Runs argv in dir, or here (NULL); the exit status, 128 and more for a signal.  What it says goes
 * to the files out and err, which may be one; err NULL: to our standard error. */
int built_run(char **argv, const char *dir, const char *out, const char *err);
void built_show(const char *log);        /* its first lines, as notes to an error */

#endif
