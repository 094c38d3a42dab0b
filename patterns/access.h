/* access.h - how a statement reaches its arrays: what the check() of several patterns asks. */
#ifndef ACCESS_H
#define ACCESS_H

#include "pass.h"

enum access {
	ACCESS_OWN,       /* own indices, or a subset of them in order; constants, uniform values */
	ACCESS_OFFSET,      /* own index + constant somewhere, else as OWN */
	ACCESS_ORDER,       /* own indices, but permuted or repeated */
	ACCESS_FOLD,        /* affine, with the index of a fold */
	ACCESS_AFFINE,      /* affine otherwise: strides, sums of indices */
	ACCESS_COMPUTED,    /* not affine, but without reading an array */
	ACCESS_INDIRECT     /* another array says where */
};
enum access access_kind(const struct node *, const struct expr *read);

const char *access_text(const struct expr *read);        /* "x[i + 1]", for messages */

/* Two cells of the domain never write one element, and targets of one array are one cell. */
bool access_writes_once(const struct node *);

/* Calls visit for every array read on the right sides and in where; stops at false. */
bool access_each(const struct node *, bool (*visit)(const struct node *, const struct expr *read));

/* Two reads of the same cell, whose subscripts are single variables. */
bool access_same(const struct expr *, const struct expr *);

/* Of one variable, both scalars: are they different parts of a struct? */
bool access_parts(const struct expr *, const struct expr *);

#endif
