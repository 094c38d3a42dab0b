/* scaling.h - terms of a row's fold that are multiplied by the same factor when the value M moves
 * that they are computed against: w * exp(k * (x - M)) by exp(k * (M - M')).  Softmax. */
#ifndef SCALING_H
#define SCALING_H

#include "lower.h"

struct scaling {
	struct var *from, *to;               /* M, before and after */
	struct expr *factor;                 /* of these */
	LIST(struct expr *) positive;        /* holds if these are positive */
};

/* Does a term of the fold scale with m, an array that is read there as M?  x is named as in the
 * fold. */
bool scaling_find(struct scaling *, const struct expr *term, const struct fold *,
                  const struct expr *x, const struct var *m);
bool is_distance(const struct expr *, const struct expr *x, const struct var *m);       /* x - m */
/* Without conversions between floats, and with the value of a fn for its call. */
const struct expr *scaling_bare(const struct expr *);
struct var *scaling_var(const char *name, const struct type *);

#endif
