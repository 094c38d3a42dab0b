/* gather_reach.h - the items that one equation of a scatter brings to a cell. */
#ifndef GATHER_REACH_H
#define GATHER_REACH_H

#include "gather_inverse.h"

/* Given: the node, the cell, axis, item, masked.  reach_cell finds the others; NULL, or why it
 * cannot. */
struct reach {
	const struct node *node;
	const struct expr *cell;             /* as the scatter writes it */
	struct var *const *axis;             /* its new subscripts, or NULL: as before */
	struct expr *item;                   /* what the equation brings */
	bool masked;                         /* ranges stay, and terms are left out */
	struct inverse inverse;
	/* of free indices: what the fold has instead, and its range */
	struct var *index[MAX_RANK];
	struct expr *lo[MAX_RANK], *hi[MAX_RANK];
	struct expr *where;                  /* or NULL */
	bool edges;                          /* some of it is whether what is read is inside */
	bool unbounded;                      /* not masked, and no range has some of the limits */
};
const char *reach_cell(struct reach *);

#endif
