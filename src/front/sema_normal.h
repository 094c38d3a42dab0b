/* sema_normal.h - a recurrence on its way to its normal form: sema_normal.c finds the cells that it
 * reads and its operators, sema_form.c takes it apart. */
#ifndef SEMA_NORMAL_H
#define SEMA_NORMAL_H

#include "running.h"
#include "sema_impl.h"

/* Cells computed before it that an equation reads have numbers: of a scan y[i-1] is 0, y[i-2] is 1;
 * of a wavefront they are the variables of its neighbours. */
enum { MAX_LEAVES = 16 };

struct form {                            /* ◇ over (cell ○ coef), rest */
	struct expr *coef[MAX_LEAVES];
	bool bare[MAX_LEAVES];               /* read without ○ */
	struct expr *rest;
};

struct normal {                          /* an equation being taken apart */
	struct sema *s;
	struct node *node;
	struct equation *eq;
	const struct expr *target;
	const struct var *leaf[MAX_LEAVES];  /* of a wavefront; leaves 0: a scan */
	int leaves;
	bool asks;                         /* that there is no such form is no error: why says it */
	const char *why;
	struct expr *whole;                /* the right side, before it is made the target's type */
	const struct op *acc, *dist;         /* dist NULL: none is needed */
	const struct op *found[2];           /* in the order met from the root */
	int n;
	/* what ○ is, where a cell is read with a ○ that is written as such */
	const struct op *signed_dist;
	bool rounds;                         /* values differ from those written by rounding */
	bool subtracts;                      /* a weight, or a cell */
	bool failed;
};

/* sema_normal.c */
/* By how many cells, along which axis, a read is away from the target, axis -1: by none; false: by
 * no constant number along one axis. */
bool cell_distance(const struct normal *, const struct expr *read, int *axis, int64_t *steps);
/* which cell before it the expression is, 0 the nearest; or -1 */
int cell_before(const struct normal *, const struct expr *);
/* the same of a conversion that keeps the value */
int leaf_before(const struct normal *, const struct expr *);
bool has_before(const struct normal *, struct expr *);           /* such a cell is read in it */
/* reports, unless it asks; false */
bool no_form(struct normal *, const struct expr *, const char *why);
/* the operator at the root, or NULL */
const struct op *op_of(const struct normal *, const struct expr *);
bool same_op(const struct op *, const struct op *);
/* without the conversion to the target's type */
struct expr *unstored(const struct normal *, struct expr *);
bool normal_form(struct normal *, struct form *);        /* of m->whole; false: reported, or why */
/* it is computed in: Note [max and + of integers] */
const struct type *normal_type(const struct normal *);

/* sema_form.c */
struct form form_of(struct normal *, struct expr *);
bool form_reads(const struct form *, int k);

#endif
