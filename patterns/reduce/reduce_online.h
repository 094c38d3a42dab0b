/* reduce_online.h - statements that fold a row in one pass over it (reduce_online.c has the
 * design). */
#ifndef REDUCE_ONLINE_H
#define REDUCE_ONLINE_H

#include "reduce_held.h"

/* NULL, or of the statements from this one on that take one pass together: more than one. */
struct online;
struct online *online_of(const struct group *, int first);
int online_mates(const struct online *);
/* in the place of their folds one after another */
void online_gpu(struct mates *, struct online *);

#endif
