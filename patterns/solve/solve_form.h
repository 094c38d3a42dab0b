/* solve_form.h - the left side of a solve as a linear form of the unknown: solve_form.c.
 *
 * solve_sema.c makes the row of solving.h of it. */
#ifndef SOLVE_FORM_H
#define SOLVE_FORM_H

#include "sema_impl.h"
#include "solve.h"

/* what a number is: the sum of coef[linear_part(k, c)] * (field c of x[i + k]), of
 * sum[j](coef[ENTRY] * x[j]), and rest; NULL is 0 */
enum { ENTRY = (2 * BAND_REACH + 1) * BLOCK_MOST, FORM_PARTS };
struct form { struct expr *coef[FORM_PARTS], *rest; };
/* field: 0 of an unknown that is a number */
static inline int linear_part(int steps, int field)
{
	return (steps + BAND_REACH) * BLOCK_MOST + field;
}

struct solver {
	struct sema *s;
	const struct expr *target;
	int fields;                          /* of the unknown; 1: it is a number */
	int axis;                            /* of the target's subscripts, or -1 */
	int opened;                          /* calls so far that are their function's body now */
	struct expr *sum;                    /* the first one over the unknown, or NULL */
	struct var *inside;                  /* the index of the sum that is read, or NULL */
	int reach;                           /* cells to the farthest unknown that is read */
	bool bounded, clamped, ring;         /* `boundary`; `clamp`; `wrap` */
	struct expr *outside[BLOCK_MOST];    /* the value of each field; NULL: 0, or clamped */
	bool failed;
};

/* Report, and return false or no form. */
bool linear_refused(struct loc, const char *what, const char *cure);
struct form linear_wrong(struct solver *, struct loc, const char *why, const char *cure);

bool linear_reads(const struct solver *, struct expr *);   /* the unknown? */
struct form linear_of(struct solver *, struct expr *number);
/* The field of a struct: a part of a constructor, on both sides of `?:`, in the function that a
 * call with the unknown calls; or E_FIELD. */
struct expr *linear_field(struct solver *, struct expr *, const struct field *);
int linear_reach(const struct form *);     /* cells to the farthest unknown in it */
bool linear_has(const struct form *, int steps);           /* an unknown so many cells away? */

/* of coefficients; NULL is 0 */
struct expr *linear_times(struct expr *, struct expr *);
struct expr *linear_added(struct expr *, struct expr *, enum operation);
/* The fold, with another term. */
struct expr *linear_over(const struct expr *fold, struct expr *term);

#endif
