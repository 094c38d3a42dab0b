/* gather_cells.h - a scatter whose subscripts are affine as statements of its cells. */
#ifndef GATHER_CELLS_H
#define GATHER_CELLS_H

#include "pass.h"

/* A statement that computes the cells of one array of the scatter; along: what it folds, "j, k". */
struct cells { struct node *node; const struct var *array; const char *along; };
struct cells_made { LIST(struct cells) of; };
/* Makes one statement an array, in the order of the equations.  Returns NULL, or why it cannot. */
const char *gather_cells(const struct node *, struct cells_made *);
/* What a cell holds, combined with an item, which is evaluated whatever the cell holds: tests of
 * what it reads are made for each item. */
struct expr *cell_combined(const struct op *, struct expr *held, struct expr *item);

#endif
