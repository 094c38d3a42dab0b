/* recur.h - what a recurrence carries along a sequence (recur.c): its totals are accumulators like
 * a fold's. */
#ifndef RECUR_H
#define RECUR_H

#include "lower.h"
#include "running.h"

struct recur {
	const struct recurrence *r;
	const struct running *running;
	bool strict;
	bool bare;                           /* products of weights have no guards */
	struct kvar *y[MAX_ORDER];           /* the state: the cells before, the nearest first, */
	struct kvar *cells;                  /* and of order 2 how many there are; NULL: both */
};

/* What comes before a sequence, k cells further; what its subscripts miss is recorded and 0. */
struct kx *recur_from(struct lowering *, const struct running *, int k, const struct type *);
struct recur recur_of(const struct node *, const struct equation *);
/* Can totals be joined?  If not, a sequence is computed by one thread, cell after cell. */
bool recur_joins(const struct recur *);
/* Do products of its totals have guards?  No part of the total is a NaN. */
bool recur_guards(const struct recur *);
struct kx *recur_numbers(const struct accumulator *total);
struct accumulator recur_kind(const struct recur *);
/* The cell at the bound indices joins the total; head as in carry_add. */
void recur_add(struct lowering *, const struct recur *, const struct accumulator *total,
               struct kx *head);
void recur_resume(struct lowering *, struct recur *, const struct accumulator *total);
void recur_reset(struct lowering *, const struct recur *);       /* before a sequence again */
/* The state's parts: how many; the variable of one. */
int recur_parts(const struct recur *);
struct kvar **recur_part(struct recur *, int k, const struct type **type);
/* (before ○ weight) ◇ after; of two weights, one after the other, the weight of both.  NULL: none,
 * bare. */
struct kx *recur_behind(struct lowering *, const struct recur *, struct kx *before,
                        struct kx *weight, struct kx *behind);
struct kx *recur_weights(struct lowering *, const struct recur *, struct kx *a, struct kx *b);
/* The bound cell's value; the state moves past it. */
struct kx *recur_cell(struct lowering *, const struct recur *, struct kx *head);

#endif
