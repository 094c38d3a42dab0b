/* running.h - what a statement that runs along an axis keeps in the graph: scan; of a sort
 * (sorting.h) which axis that is, and how it is cut.
 *
 * patterns/scan/scan_sema.c fills it, the interpreter and the lowerings read it.  A sequence is the
 * cells along the axis at fixed other indices, or one of the segments those are cut into; each
 * starts anew.
 *
 * An equation of a scan is one of two:
 *   a running fold   right has E_FOLDs with fold->running: their index lists are empty, their terms
 *                    use the node's own indices, their value at a cell is the fold of the
 *                    sequence's terms so far (exclusive: of those before the cell).  Arithmetic
 *                    around them is fine.
 *   a recurrence     equation->recurrence; right is NULL.  With y for the target,
 *                        y[i] = (y[i-1] ○ weight) ◇ (y[i-2] ○ weight) ◇ rest
 *                    Terms whose cell is not in the sequence are left out, unless `from` stands for
 *                    it. */
#ifndef RUNNING_H
#define RUNNING_H

#include "graph.h"

enum { MAX_ORDER = 2 };                  /* cells back that a recurrence may read */

struct recurrence {
	/* ○ and ◇; ○ distributes over ◇, or is it; dist NULL: there is */
	const struct op *dist, *acc;
		/* no weight.  Under `strict`, of floats or an op of the */
	                                     /* program, no law is promised: cell after cell */
	const struct type *type;      /* all is computed in it; stored as the target's (i64 for a */
		/* narrower one when + meets max or min: sums of weights) */
	int order;
	/* of y[i-1], y[i-2], of type; NULL: that cell is not read. */
	struct expr *weight[MAX_ORDER];
		/* It may leave its arrays at the first cell of a sequence */
		/* if no `from` stands for that cell: do not read it there */
	bool bare[MAX_ORDER];              /* the cell is read without ○: weight is NULL then too */
	struct expr *rest;                   /* of type, without the target; NULL: none */
	bool uniform[MAX_ORDER];          /* the weight is the same in all cells of the statement */
};

enum segment_kind { SEGMENT_NONE, SEGMENT_OFFSETS, SEGMENT_HEADS, SEGMENT_KEYS, SEGMENT_LENGTH };

struct running {
	int axis;                            /* of the node's indices: the one that runs */
	bool from_right;                     /* the sequence begins at the high end */
	bool exclusive;                      /* folds only */
	int froms;                           /* values given by `from`: 0, 1; of order 2 also 2 */
	struct expr *from[MAX_ORDER];   /* what comes before a sequence: of the type of what runs */
	enum segment_kind segment;
	const struct var *cut;    /* offsets (s + 1 of any integer type), heads (bool or integer, */
		/* not 0: a sequence starts here), keys (any type with ==): */
	                                     /* along the axis, rank 1 */
	struct expr *cell;             /* cut[i] of heads and keys, i the axis' index; of offsets */
		/* cut[0], for walks over what is read, and never evaluated */
	/* it counts the items of the ranges of an expansion (expansion.h), of those in use, and
	 * adds them up over all axes; `axis` says nothing */
	bool counts;
	bool ring;                           /* solve: the last cell is before the first */
	/* SEGMENT_LENGTH: uniform, i64; below 1 it is recorded, nothing runs */
	struct expr *length;
};

/* graph.c: every expression on the right of an equation; every one that says where and how it
 * runs.  Both stop at false. */
bool equation_walk(struct equation *, bool (*visit)(struct expr *, void *), void *);
/* NULL: nothing */
bool running_walk(struct running *, bool (*visit)(struct expr *, void *), void *);

#endif
