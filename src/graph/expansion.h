/* expansion.h - an index of `for` whose range data decide: e in row[f]..row[f+1].
 *
 * The items of all ranges, one range after another, have numbers from 0 on.  Statements before this
 * one (src/front/sema_expand.c) count the cells of each range and add the counts up: `ends`, of
 * which the last is the number of items.  The range of item p is the first whose end is greater
 * than p: search(ends, p, upper).  So every thread takes as many items as any other, however long
 * the ranges are.  Where items are taken in their order, plain loops over f and e do. */
#ifndef EXPANSION_H
#define EXPANSION_H

#include "graph.h"

struct expansion {
	int inner;              /* this index of the domain has such a range */
	int outer;              /* the index that says which; -1: there is one range */
	struct expr *count;     /* count[e in lo..hi](true): cut as ranges of folds are, ragged.h */
	struct node *ends;      /* the scan of them; statements with the same ranges share it */
	struct var *item;       /* a number of an item; i64, and so are these: */
	struct expr *items;     /* how many there are */
	struct expr *owner;     /* the outer index of `item` */
	struct expr *cell;      /* the inner index of `item`, which uses the outer one */
};

/* The array of the ends.  Where a GPU counts the lengths as it adds them up (running.h), it has
 * those of the outer values in use alone, from 0 on. */
const struct var *expansion_ends(const struct expansion *);

#endif
