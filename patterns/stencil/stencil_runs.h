/* stencil_runs.h - long windows along one axis of a stencil, whose cells are folded from two runs
 * of terms each: stencil_runs.c finds them, stencil_runs_lower.c makes the kernel. */
#ifndef STENCIL_RUNS_H
#define STENCIL_RUNS_H

#include "lower.h"

/* A fold that windows of one range share. */
struct run {
	const struct expr *fold;             /* as it was written */
	bool backward;                       /* it reads index - p: its last term first */
	const struct type *type;             /* of what is kept of it: no value is lost */
};
/* Windows that have one range along one index. */
struct runs {
	int index;                           /* of the domain: along which they move */
	LIST(struct run) run;
	/* in the equations: folds, or what was written out of one; number `run` */
	LIST(struct window_run { struct expr *e; int run; }) window;
	int64_t terms;                       /* of each; -1: the call says how many */
	int64_t bytes;                       /* of a term of all of them together */
	int others;                          /* long windows that are not among them */
	int edged;                           /* reads beside them that an edge may answer */
};

/* The windows of a statement that can be folded so: those of the range that saves most terms.  With
 * `written` they may have been written out.  The result is NULL without such windows, and *why is
 * the reason for the first long window, or NULL if no long window moves along a single axis. */
const struct runs *runs_of(const struct node *, bool written, const char **why);
/* Before fusion: windows that will be folded so and were written out are folds again. */
void runs_fold_back(struct node *, const struct options *);
/* Would they be, as pins and switches are? */
bool runs_pay(const struct runs *, const struct node *, const struct options *);
/* Terms that a window may have on the target, at most (none may if that is below 1); from how many
 * on it is worth it. */
int64_t runs_most(const struct runs *, const struct target *);
int64_t runs_least(const struct runs *, const struct node *, const struct target *);
enum {
	RUNS_MOST = 8                        /* of a statement */
};

/* Why no fold is applied where the cells are computed; NULL: one can be. */
const char *runs_no_births(const struct node *);

/* ways.h */
struct task;
bool runs_fit(const struct task *);
struct kx *runs_when(const struct task *);
void runs_lower(const struct task *);

#endif
