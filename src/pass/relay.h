/* relay.h - arrays with layouts become plain row-major arrays of single values: relay.c. */
#ifndef RELAY_H
#define RELAY_H

#include "pass.h"

struct equations { struct equation **at; int n, room; };
void relay_layouts(struct entry *, const struct options *);
/* relay_arrays.c: an equation of arrays */
void relay_arrays(struct node *, const struct options *);
/* relay_order.c: the indices of a statement */
void relay_order(struct node *, const struct options *);

#endif
