/* relay.h - arrays as they are stored become plain row-major arrays of single values: relay.c. */
#ifndef RELAY_H
#define RELAY_H

#include "patc.h"

void relay_layouts(struct entry *, const struct options *);

#endif
