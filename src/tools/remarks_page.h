/* remarks_page.h - --remarks=html. */
#ifndef REMARKS_PAGE_H
#define REMARKS_PAGE_H

#include "road.h"

/* To standard output: the program with its remarks beside the text that it becomes. */
void remarks_page(const struct program *, const struct plans *, const struct options *);

#endif
