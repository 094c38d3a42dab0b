/* expand.h - items of ranges that data decide, in a kernel: expand.c; expansion.h says what they
 * are. */
#ifndef EXPAND_H
#define EXPAND_H

#include "expansion.h"
#include "lower.h"

/* The kernel that counts the items of each range in use, and adds them up: expand_ends.c. */
void expand_ends(struct plan *, const struct group *);
/* The items of a range, of its count[e in lo..hi](true), whose indices are bound: none where that
 * reads outside an array, which is recorded. */
struct kx *expand_count(struct lowering *, const struct expr *count);
/* How many of the ranges that the scan adds up are in use, i64, of values from 0 on. */
struct kx *expand_in_use(struct lowering *, const struct node *scan);
/* How many items there are, i64. */
struct kx *expand_items(struct lowering *, const struct node *);
/* For the texts of expand.kernel, and find.kernel over `ends`, before they are used. */
void expand_bind_ranges(struct lowering *, const struct node *);
/* All indices of an item get their values of its number.  The range that it is of is `range` of the
 * text at hand: find_row or next_range has found it. */
void expand_bind(struct lowering *, const struct node *, struct kx *number);
void expand_bind_outer(struct lowering *, const struct node *, struct kx *range);
/* The outer indices, of the number of a range; in any variables, above in those of the node. */
void expand_decode(struct lowering *, const struct var *ends, struct var *const *index,
                   struct kx *range);
/* The range of index k, in a loop over the indices before it: of one that data decide, cut to its
 * array, and empty where its bounds lie outside, which is recorded, if who counted the items has
 * not done so. */
void expand_range(struct lowering *, const struct node *, int k, struct kx **from, struct kx **to);
/* An index whose ranges data decide, for each item: a warp shares their cells out.  -1: none. */
int expand_shared(const struct lowering *, const struct node *);
/* Loops over the indices that an item has no value of, but for one that is bound, or -1; their
 * number of k_end closes them. */
int expand_open_others(struct lowering *, const struct node *, int bound);

#endif
