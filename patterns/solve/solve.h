/* solve.h - what the files of solve share: solve.c. */
#ifndef SOLVE_H
#define SOLVE_H

#include "solving.h"

extern const struct front solve_front;                           /* solve_sema.c */
void solve_eval(struct eval *, const struct node *);
void solve_shape(const struct node *, const struct target *, struct shape *);
void solve_lower(struct plan *, const struct group *);

#endif
