/* merge_items.h - items of short rows on a GPU. */
#ifndef MERGE_ITEMS_H
#define MERGE_ITEMS_H

#include "graph.h"

/* The indices of a scatter or histogram that are one row now, "p, a, b"; NULL: its rows are not
 * short, or the program gives its places. */
const char *merge_items(struct node *);

#endif
