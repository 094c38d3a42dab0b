/* expansion.h - an index of `for` whose range data decide: e in row[f]..row[f+1].
 *
 * The outer indices select a range.  The ranges are numbered from 0 in the order of the outer
 * indices, and so are the items of all ranges, one range after another.  A statement before this
 * one (src/front/sema_expand.c) counts the items of each range and stores the running sum of the
 * counts.  That array, `ends`, has an axis for each outer index; its last element is the number of
 * items.  The range of item p is the first whose end is greater than p.  So every thread takes as
 * many items as any other, however long the ranges are.
 *
 * An item is a cell of a range.  All other indices are loops over the item, even if data decide
 * their ranges: those cells are not counted, and an error in them is recorded in the loop.  In a
 * compact an item is one value of all indices: those before the range are outer indices, and those
 * after it have several items for each cell.  Statements that take items in order are plain loops
 * over all indices. */
#ifndef EXPANSION_H
#define EXPANSION_H

#include "graph.h"

struct axes { int *at; int n, room; };          /* indices of a domain */
bool axes_have(const struct axes *, int k);

/* what the outer indices give for the one cell of an array that the range reads */
struct range_value { const struct var *var; struct expr *value; };

struct expansion {
	int inner;              /* the first index of the domain that has such a range */
	struct axes outer;      /* those that say which, in their order; none: there is one range */
	struct axes after;      /* those of the items of a cell */
	/* of each index that has such a range count[e in lo..hi](true), cut as ranges of folds are:
	 * ragged.h; others NULL */
	struct expr *count[MAX_RANK];
	struct node *ends;      /* counts and adds up; statements with the same ranges share it */
	struct expr *end;       /* of `ends`, for walks over what is read, and never evaluated */
	struct expr *from;      /* the first cell of a range, i64; it uses the outer indices */
	/* The statement counts its ranges itself, and `ends` has no memory: pass_fuse_ranges.c.
	 * Of each array that only ranges read, and that a map before filled, `value` has what the
	 * map computes: the kernel computes it for the range at hand. */
	bool own;
	LIST(struct range_value) value;
};

/* The array of the ends: of the outer values in use alone, from 0 on. */
const struct var *expansion_ends(const struct expansion *);

/* The variables of the outer indices. */
void expansion_outer(const struct node *, struct var **index);

#endif
