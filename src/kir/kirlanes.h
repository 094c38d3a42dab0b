/* kirlanes.h - how a value differs from lane to lane of a warp, and how its lanes access memory. */
#ifndef KIRLANES_H
#define KIRLANES_H

#include "kir.h"

enum { MOST_LANES = 64 };
/* Of lane l: base + at[l] + by[l] * scale.  The base is the same in all lanes. */
struct lanes {
	/* NONE: nothing is assigned yet; DATA: what lanes have loaded decides; OPEN: not known */
	enum { LANES_NONE, LANES_STEPS, LANES_DATA, LANES_OPEN } kind;
	int n;                               /* of a warp */
	bool known; int64_t base;            /* is it a number, and which */
	int64_t multiple;                    /* else it is a multiple of this one */
	int64_t at[MOST_LANES], by[MOST_LANES];
	const struct kvar *scale;            /* a large number, or NULL: an expression */
};
struct lanes lanes_of_kind(int n, int kind);
struct lanes lanes_number(int n, int64_t);
struct lanes lanes_even(int n, int64_t multiple);        /* the same in all lanes */
bool lanes_are_even(const struct lanes *);
bool lanes_are_number(const struct lanes *, int64_t *);  /* the same one in all lanes: which */
/* of a variable that may have either value */
struct lanes lanes_join(const struct lanes *, const struct lanes *);
bool lanes_equal(const struct lanes *, const struct lanes *);
/* Do they differ by what is the same in all lanes? */
bool lanes_are_parallel(const struct lanes *, const struct lanes *);
/* What index or size `of` names is the scale where one operand is not a number. */
struct lanes lanes_operation(enum operation, const struct lanes *, const struct lanes *,
                             const struct kvar *of);
/* The inner one where an index is kept inside a range; sizes are large. */
struct lanes lanes_clamped(const struct lanes *, const struct lanes *);
/* Of an operation that says nothing of steps. */
struct lanes lanes_mixed(const struct lanes *, const struct lanes *);

/* ---- kiraccess.c ---- */

enum access_kind { ACCESS_COALESCED, ACCESS_BROADCAST, ACCESS_STRIDED, ACCESS_RANDOM, ACCESS_OPEN };
struct access {
	const struct kvar *array;
	bool write, helper;              /* helper: it is handed to a function */
	enum access_kind kind;
	int64_t stride;                      /* STRIDED: bytes from lane to lane, 0: not a number */
	const struct kvar *scale;            /* then: what it is a multiple of, or NULL */
	double moved;                        /* bytes for one that is used, at most */
};
/* Of memory that all blocks see: arrays in order of first access, those of one kind once. */
struct accesses {
	LIST(struct access) at;
	int branches, loops;                 /* that data decide, lane by lane */
};
struct accesses kir_accesses(const struct kernel *);

#endif
