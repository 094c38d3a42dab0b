/* source.h - what source.c and diag.c share; base.h has what others need of them. */
#ifndef SOURCE_H
#define SOURCE_H

#include "base.h"

/* errors of a file, and warnings, that are shown; the rest is only counted */
enum { MAX_SHOWN = 20 };

int *source_shown(int file, enum severity);      /* so many so far */
int source_columns(struct loc);          /* of its line */
/* Decodes one code point at s; *c is -1, and the length 1, if s is malformed. */
int decode(const char *s, size_t left, int32_t *c);
bool is_bidi(int32_t c), is_invisible(int32_t c);

#endif
