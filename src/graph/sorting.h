/* sorting.h - what a statement that sorts has in the graph: sort, segsort.
 *
 * patterns/sort/sort_sema.c fills it, the interpreter and the lowerings read it.  The node's
 * indices are those of the array of keys, one an axis; node->running (running.h) says which of them
 * runs, the last as written, and how that axis is cut: a sequence is the cells along it at fixed
 * other indices, or one of the segments.
 *
 * Each sequence is sorted by itself.  node->sorting->key is the key of the bound cell; the
 * sequence's cells in their order are c[0], c[1], ..., of which only the first `first` matter, if
 * there is such a number.  An equation moves one array, its right side and its target written at
 * the same cell:
 *     key[i] = key[i], val[i] = val[i] place c of the sequence gets what stood at the cell that
 *                                            comes there: the right side at that cell, the target
 *                                            at the place
 *     perm[i] = T(i) likewise; `into`: no other equation, keys stay where they are
 * Every target is an array with the cells of the keys, or (after relay.c) a part of one.
 *
 * The order.  ORDER_UP and ORDER_DOWN compare scalar keys by < and >; NaN comes after every number
 * in both, and is equal to NaN, as -0 is to +0 (R53).  ORDER_LESS calls a function of the program
 * on two keys: true if the first comes first.  That ought to be a strict order; whatever it says,
 * the result is some permutation of the sequence, and nothing outside is touched (R42).  Equal keys
 * stay in their order if stable; else any order. */
#ifndef SORTING_H
#define SORTING_H

#include "graph.h"

enum sort_order { ORDER_UP, ORDER_DOWN, ORDER_LESS };
struct sorting {
	struct expr *key;                    /* at the bound cell; of a scalar type or a struct */
	enum sort_order order;
	const struct fn *less;               /* ORDER_LESS */
	bool stable;
	bool into;                       /* the one equation writes places (of the running index) */
	/* i64, uniform: so many places of each sequence are written; NULL: all; of a kth: its
	 * place, which may use the other indices */
	struct expr *first;
	/* a kth: nothing is sorted.  The key is any number at the node's indices, and the last ones
	 * run: that of node->running, and so many `more` after it, as one sequence.  The one
	 * equation writes, at the others, the key that would come to place `first` (from 0; a
	 * sequence without it keeps its cell, which is recorded), of the cells that node->where
	 * takes; its right side calls that `value`.
	 * NULL: a sort */
	struct var *value;
	int more;
};

/* Of a node with node->running: how many axes run beside the first; does index d run along the
 * sequences? */
int sorting_more(const struct node *);
bool sorting_runs(const struct node *, int d);

/* graph.c: the key, and how many are wanted; stops at false */
bool sorting_walk(struct sorting *, bool (*visit)(struct expr *, void *), void *);

#endif
