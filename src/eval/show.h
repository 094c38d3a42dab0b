/* show.h - values and arrays as text (show.c). */
#ifndef SHOW_H
#define SHOW_H

#include "eval.h"

char *show_value(const struct type *, const void *at);           /* reads back to the same bits */
char *show_place(const struct bound *, int64_t cell);            /* "y[2, 3]", "s" */
void show_param(const struct bound *, FILE *);

#endif
