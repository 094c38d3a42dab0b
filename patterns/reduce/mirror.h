/* mirror.h - terms of pairs that follow from those with the two indices exchanged: mirror.c. */
#ifndef MIRROR_H
#define MIRROR_H

#include "graph.h"

/* What the term for (j, i) is, where `term` is the one for (i, j). */
struct mirror { struct var *term; struct expr *value; };

/* Of a fold with one index, at that index of the cells.  Why the term does not follow; NULL: it
 * does. */
const char *mirror_of(const struct expr *fold, struct var *cell, struct mirror *);

#endif
