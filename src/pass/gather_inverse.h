/* gather_inverse.h - which items reach a cell: the subscripts of a target, solved for the indices
 * of the domain. */
#ifndef GATHER_INVERSE_H
#define GATHER_INVERSE_H

#include "pass.h"

/* What an index of the domain is once the cell is given. */
enum place { IS_FREE, IS_OWNER, IS_SOLVED };

struct inverse {                         /* of one equation */
	const struct node *node;
	enum place place[MAX_RANK];          /* of each index */
	struct affine form[MAX_RANK];        /* solved: of the cell and of free indices, ... */
	int64_t divisor[MAX_RANK];           /* ... divided by this, if that leaves nothing */
	struct expr *value[MAX_RANK];        /* or NULL; instead of it, or of the free index */
};

/* The subscripts of the cell as equations for the indices.  axis[a] is the variable that is
 * subscript a from now on; NULL: the subscript stays as it is, and its index is the cell's owner.
 * NULL, or why they cannot be solved. */
const char *inverse_solve(struct inverse *, const struct node *, const struct expr *cell,
                          struct var *const *axis);

const char *inverse_free(const struct inverse *);        /* the free indices: "j, k" */
/* An expression of the domain's indices as one of the cell and the free indices. */
struct expr *inverse_put(const struct inverse *, const struct expr *);
/* The form as an expression. */
struct expr *form_expr(const struct affine *, struct loc);
/* An end of a range over sizes, indices and few numbers: sums with it cannot overflow. */
bool inverse_small_end(const struct expr *);
/* The last free index in the form, or -1. */
int inverse_last_free(const struct inverse *, const struct affine *);

#endif
