/* pass_separate.h - shared by the files of the pass that folds windows along one axis after the
 * other: a window as the pass sees it, pass_separate_fold.c. */
#ifndef PASS_SEPARATE_H
#define PASS_SEPARATE_H

#include "pass.h"

/* Along an axis of the array the window moves with these of its indices, and with the cell. */
struct window_axis {
	int axis, index;                     /* of the array; of the domain */
	int64_t coef;                        /* its factor in the subscript */
	uint64_t folds;                      /* a bit for each index of the window */
	int64_t terms;                       /* -1: the call says how many */
};
/* One fold, or folds in a fold, of one operator: op[index in lo..hi](factor * factor * ...). */
struct window {
	const struct node *node;
	struct expr *e;                      /* in node: a fold, or what was written out of one */
	const struct expr *fold;             /* as written */
	LIST(struct var *) index;
	LIST(struct expr *) lo, hi;
	LIST(struct expr *) factor;          /* of a sum's term; of others the term */
	const struct expr *read;             /* of the array; others differ in axis `first` alone */
	int axes;
	struct window_axis axis[MAX_RANK];
	bool nested;
	bool small;                          /* it has so few terms that nothing is to be gained */
};

/* Is e a fold whose indices move along several axes of an array?  *why: why it cannot be separated,
 * whichever axis is first; NULL: nothing is known. */
bool window_of_axes(const struct node *, struct expr *e, struct window *, const char **why);
/* Why axis `first` cannot be folded before the others; NULL: it can. */
const char *window_no_first(const struct window *, int first);
double window_terms(const struct window *, int first, bool others);  /* of it, of all others; -1 */
bool window_reaches(const struct window *, int first);   /* has it a term along that axis? */

/* The fold along axis `first` for rows: row[k] is the subscript of each other axis. */
struct expr *window_first(const struct window *, int first, struct expr *const *row);
/* The fold along the other axes of a cell that holds that. */
struct expr *window_rest(const struct window *, int first, struct expr *cell);
/* What the cell of a temporary is: the type of what is read where no value of it is lost. */
const struct type *window_type(const struct window *, int first);
/* The term is what is read, converted at most, but for factors that do not read the array. */
bool window_bare(const struct window *, int first);

#endif
