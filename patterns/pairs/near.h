/* near.h - pairs within a radius, folded cell by cell of a grid. */
#ifndef NEAR_H
#define NEAR_H

#include "cutoff.h"
#include "lower.h"

/* near_lower.c: why the folds of the statement cannot be those of near bodies alone; or NULL */
const char *near_unfit(const struct node *);
void near_shape(struct shape *);
void near_lower(struct plan *, const struct group *);

#endif
