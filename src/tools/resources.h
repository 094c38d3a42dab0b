/* resources.h - the resources that the kernels of a program take on a GPU: resources.c. */
#ifndef RESOURCES_H
#define RESOURCES_H

#include "road.h"

/* Fills kernel.usage.  A compiler that is not there, or fails, is an error that ends patc. */
void resources_find(const struct program *, const struct plans *, const struct options *);

#endif
