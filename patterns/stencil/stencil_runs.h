/* stencil_runs.h - long windows along one axis of a stencil, whose cells are folded from two runs
 * of terms each: stencil_runs.c finds them, stencil_runs_lower.c makes the kernel. */
#ifndef STENCIL_RUNS_H
#define STENCIL_RUNS_H

#include "lower.h"

/* Windows that have one range along one index. */
struct runs {
	int index;                           /* of the domain: along which they move */
	LIST(struct expr *) window;          /* in the equations: folds, or what was written out, */
	LIST(const struct expr *) fold;      /* and the fold of each, as it was written */
	LIST(bool) backward;                 /* it reads index - p: its last term first */
	int64_t terms;                       /* of each; -1: the call says how many */
	int64_t bytes;                       /* of a term of all of them together */
};

/* The windows of a statement that can be folded so; written: also those that terms were written out
 * of.  NULL: there are none, and *why says what keeps a long one that is along one axis; NULL: none
 * is. */
const struct runs *runs_of(const struct node *, bool written, const char **why);
/* Before fusion: windows that will be folded so and were written out are folds again. */
void runs_fold_back(struct node *, const struct options *);
/* Would they be, as pins and switches are? */
bool runs_pay(const struct runs *, const struct node *, const struct options *);
/* Terms that a window may have on the target, at most; from how many on it is worth it. */
int64_t runs_most(const struct runs *, const struct target *);
int64_t runs_least(const struct runs *, const struct node *, const struct target *);
enum {
	RUNS_WINDOWS = 8                     /* of a statement, at most */
};

/* ways.h */
struct task;
bool runs_fit(const struct task *);
struct kx *runs_when(const struct task *);
void runs_lower(const struct task *);

#endif
