/* expand.h - items of ranges that data decide, in a kernel: expand.c; expansion.h says what they
 * are. */
#ifndef EXPAND_H
#define EXPAND_H

#include "expansion.h"
#include "lower.h"

/* The kernel that counts the cells of each range in use, and adds them up: expand_ends.c. */
void expand_ends(struct plan *, const struct node *scan);
/* How many of the ranges that the scan adds up are in use, i64, of values from 0 on. */
struct kx *expand_in_use(struct lowering *, const struct node *scan);
/* How many items there are, i64. */
struct kx *expand_items(struct lowering *, const struct node *);
/* For the texts of expand.kernel, and find.kernel over `ends`, before they are used. */
void expand_bind_ranges(struct lowering *, const struct node *);
/* The outer and the inner index get their values of the item of that number, which is of the range
 * that find_row has found. */
void expand_bind(struct lowering *, const struct node *, struct kx *number);
/* The same of items that come one after another, from `first` on: a variable for the range. */
struct kvar *expand_open(struct lowering *, const struct node *, struct kx *first);
void expand_next(struct lowering *, const struct node *, struct kvar *, struct kx *number);
/* The range of index k, in a loop over the indices before it: of one that data decide, cut to its
 * array, and empty where its bounds lie outside.  Who counted the items has recorded that. */
void expand_range(struct lowering *, const struct node *, int k, struct kx **from, struct kx **to);
/* Loops over the indices that are neither; their number of k_end closes them. */
int expand_open_others(struct lowering *, const struct node *);

#endif
