/* lowerings.h - the lowering half of the patterns: patterns/NAME/NAME_lower.c. */
#ifndef LOWERINGS_H
#define LOWERINGS_H

#include "patc.h"

void map_lower(struct plan *, const struct group *);
void reduce_lower(struct plan *, const struct group *);
void stencil_lower(struct plan *, const struct group *);

#endif
