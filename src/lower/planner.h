/* planner.h - what the files of the plan (plan.c, plan_lets.c, plan_loop.c) know of one another. */
#ifndef PLANNER_H
#define PLANNER_H

#include "lower.h"

/* control[0]: stop, control[1]: passes; last: the statement of the body after which nothing is
 * launched */
struct plan_loop {
	struct kx *control;
	struct plan_loop *outer;
	const struct node *node, *last;
	bool tested;                             /* a kernel of the body tests the condition */
};
/* an array some swap names; */
struct now { const struct var *var; struct kvar *home, *at; int set; };
		/* only those of one set ever lie in each other's buffers */
struct counter { const struct var *var; struct kvar *kvar; };
struct ticket { struct kvar *slot; struct kx *bytes; };

/* struct plan with what only this file needs to know */
struct planner {
	struct plan plan;
	LIST(struct now) now;
	LIST(struct counter) counter;
	LIST(struct ticket) ticket;
	struct plan_loop *loop;
	struct kx *unless, *unless_asked;        /* plan_unless */
	int depth;                       /* of repeats around what is planned */
	struct lowering host;
	struct map uses;                 /* by body: uses_of */
	struct map exchanger;            /* by type: the kernel that exchanges arrays of it */
};

struct planner *planner(struct plan *);

/* plan.c */
struct kvar *home_of(struct plan *, const struct var *);      /* the host's variable of that name */
void set_home(struct plan *, struct var *, struct kvar *);

/* plan_lets.c */
void host_lets(struct plan *);                                    /* their slots of the workspace */
/* What may be read before it is written reads as zero: lets of that scope, whose statements are
 * these. */
void clear_lets(struct plan *, const struct node *scope, struct node *const *, int n);
/* contents, of two buffers */
void exchange(struct plan *, const struct var *, struct kx *a, struct kx *b);
/* Likewise, only if the loop still owes more than `done` rotations. */
void exchange_owed(struct plan *, const struct var *, struct kx *a, struct kx *b,
                   struct plan_loop *, struct kx *limit, int64_t order, int64_t done);

/* Kernels of one block: its threads do the same for the lets of a loop or branch (did they?), and
 * exchange two arrays. */
bool block_clears(struct lowering *, const struct node *scope);
void block_exchange(struct lowering *, const struct var *, struct kx *a, struct kx *b);

/* plan_one_block.c: a loop that one block may run.  limit: its passes. */
struct kx *block_loop_pays(struct plan *, const struct node *, struct kx *limit);     /* host */
void block_loop_launch(struct plan *, const struct node *, struct kx *limit);

/* plan_loop.c */
void find_swaps(struct planner *, struct node *const *, int n);  /* of a whole body: first of all */
void host_now(struct planner *);                              /* the pointers that swaps exchange */
void plan_swap(struct plan *, const struct node *);
void plan_count(struct plan *, const struct node *);
void plan_until(struct plan *, const struct node *);
/* other: the branch of else, or NULL */
void plan_if(struct plan *, const struct node *, const struct node *other);
/* An inner loop that swaps ends in its own buffers (plan_body), whatever stood before it. */
bool settles(const struct node *);
/* Every array that swaps touched lies in its own buffer again: parameters at the end of the call,
 * all of them after a loop within a loop whose passes must make one permutation. */
void settle(struct plan *, bool lets_too);
#endif
