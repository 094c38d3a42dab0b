/* merge_items.h - items of short rows on a GPU. */
#ifndef MERGE_ITEMS_H
#define MERGE_ITEMS_H

#include "graph.h"

/* The indices of a scatter or histogram that are one row now, "p, a, b"; NULL: its rows are not
 * short, or the program gives its places. */
const char *merge_items(struct node *);

/* Data decide where items go, in all equations. */
bool places_by_data(const struct node *);

enum { FEW_ITEMS = 256 };
/* The first of the last indices that have at most FEW_ITEMS values together; how many. */
int first_of_few(const struct node *, int64_t *items);

#endif
