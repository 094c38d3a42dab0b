/* plan.h - what a kernel of the program becomes: kernels, the memory they share, and the host
 * function that launches them. */
#ifndef PLAN_H
#define PLAN_H

#include "kir.h"

struct slot {                             /* a piece of the workspace, 256-byte aligned */
	const char *name;
	const struct type *type;              /* of an element */
	LIST(struct kx *) count;              /* factors, i64, over host sizes; none: one element */
	struct kvar *pointer;               /* a host KV_LET or KV_VAR the backend declares first */
};
/* of their product; each counts as one at least */
struct limit { LIST(const struct affine *) extent; int64_t most; };
enum { OFFENCE_WORDS = 2 };               /* i64 */
enum { SYSTEM_BITS = 48 };               /* of a system's number: a size is less */
struct plan {
	const struct entry *entry;
	const struct target *target;
	LIST(struct kernel *) kernel;         /* in order of first launch */
	LIST(struct slot *) slot;
	LIST(struct limit) limit;             /* on sizes, beside that of all arrays */
	LIST(struct kx *) require;            /* as those of the entry: over its host parameters */
	struct kernel *host;                  /* body of NAME(): what follows the checks */
	const char *way;          /* of the statement at hand, for remarks: patterns/ways.c */
	bool records;                  /* a kernel may record an index error: word 0 of workspace */
	bool flagged;                         /* word 1 is a flag: plan_flag */
	struct kvar *status;                 /* host pointer (int32_t *) to that word, if records */
	/* --check: the first piece of the workspace, which records the first access outside its
	 * array: number of its place, from 1 on, and number of the cell; or NULL */
	struct kvar *offence;
	LIST(struct loc) place;              /* of accesses that are tested */
	/* a piece before all but that one: the system with a zero pivot, and its statement's
	 * number in the list (plan_systems); or NULL */
	struct kvar *systems;
	LIST(const struct node *) solved;
	struct map home;                /* the host's kvar for each size, param and let in memory */
	struct map uses;                      /* host.c: what the host's body mentions */
};

#endif
