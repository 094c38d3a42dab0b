/* ragged.h - fold indices whose range data decide: sum[e in row[r]..row[r+1]](val[e] * x[col[e]]).
 *
 * R34: a term outside its array is skipped and recorded.  Where every term reads val[e], the terms
 * outside are those outside val, so the range is cut to the array once, and neither val[e] nor
 * col[e], which has as many cells, is tested again; x[col[e]] is.  A range that falls is empty
 * (R26); one that comes from one array of offsets, whose next range begins where it ends, must not,
 * and that is recorded too. */
#ifndef RAGGED_H
#define RAGGED_H

#include "graph.h"

struct cut {                             /* of one index of a fold */
	bool data;                           /* data decide its range */
	bool rises;                      /* lo and hi are cells of one array: recorded if hi < lo */
	struct expr *end;  /* cut to 0 .. end, recorded if that leaves terms out; NULL: it is not */
	bool trusted;                        /* the statement vouches for both */
};

/* The extent that `index` subscripts bare in an access which every evaluation of e comes to. */
bool always_inside(const struct expr *e, const struct var *index, struct affine *extent);
/* Do no two values of `outer` give ranges with a common cell, if the cells that bound them rise? */
bool ranges_apart(const struct expr *lo, const struct expr *hi, const struct var *outer);
/* Of an index: every evaluation of a term begins with one of these expressions. */
struct cut cut_of(const struct expr *lo, const struct expr *hi, const struct var *index,
                  const struct expr *const *first, int n);
/* Of a fold whose term and mask are known: NULL if data decide no range. */
struct cut *cuts_of(const struct fold *, const struct expr *term);
const struct cut *fold_cut(const struct fold *, int index); /* NULL: data do not decide its range */
bool has_data(const struct expr *);                              /* it reads an array */
bool checks_needed(struct node *);       /* before: is something tested at run time? */
void checks_left_out(struct node *);               /* `trusted`: the program vouches for its data */

#endif
