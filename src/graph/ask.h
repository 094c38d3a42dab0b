/* ask.h - questions of passes and lowerings about expressions, folds and statements: ask.c. */
#ifndef ASK_H
#define ASK_H

#include "graph.h"

bool node_uneven(const struct node *);     /* data decide how long a cell takes: by a `while` */
bool needs_statements(const struct expr *);           /* a fold, a tested access, what is shared */
bool expr_computed(const struct expr *);                             /* by a call or a choice */
/* of an element: the struct that is computed, or NULL */
const struct expr *element_computed(const struct expr *);
bool expr_true(const struct expr *);                                          /* the constant */
bool expr_has(const struct expr *, enum expr_kind);
bool expr_has_fold(const struct expr *);                       /* of all its terms: no search */
bool expr_uses(const struct expr *, const struct var *);
/* Does the range of index k, of a statement or of a fold, depend on that index? */
bool bounds_use(const struct node *, int k, const struct var *index);
bool fold_bounds_use(const struct fold *, int k, const struct var *index);
bool node_is_box(const struct node *);               /* no index bounds another */
bool expr_by_sizes(const struct expr *);                        /* nothing else decides its value */
/* nor how many cells, or terms, there are */
bool node_by_sizes(const struct node *), fold_by_sizes(const struct fold *);
/* Without conversions that lose nothing: of integers to integers, of floats to floats. */
const struct expr *expr_unwidened(const struct expr *);
bool expr_guarded(const struct expr *);          /* only a condition keeps some read of it inside */
bool expr_slow(const struct expr *);                 /* functions, divisions: need many registers */
bool node_slow(const struct node *);                        /* is what an equation of it computes */
bool node_branches(const struct node *);                                 /* likewise a condition */
bool nodes_solve(struct node *const *at, int n);         /* one of them, or of their bodies */
bool node_writes(const struct node *, const struct var *);
bool node_reads(const struct node *, const struct var *);
/* The first statement of a loop that has a kernel of its own; NULL: none has. */
struct node *loop_first(const struct node *loop);
/* Is it what only the condition of `repeat until C every K` needs: sema_every.c? */
bool node_put_off(const struct node *repeat, const struct node *);
bool node_edged(const struct node *);            /* it has a boundary clause, along some axis */
bool node_keeps(const struct node *);                           /* boundary keep, along some axis */
/* The subscripts of its first target are its indices, in their order. */
bool node_in_order(const struct node *);
bool node_fills(const struct node *, const struct var *);
bool node_checked(const struct node *);
/* Is it the cell with the two indices of node->mirror exchanged? */
bool node_mirrors(const struct node *, const struct expr *cell, const struct expr *read);
bool targets_checked(const struct node *);   /* a cell may be in no target */
bool expr_skips(const struct expr *);             /* the value may be none, beside terms of folds */
bool node_skips(const struct node *);                           /* one that may skip a whole cell */
bool expr_uses_cell(const struct node *, const struct expr *);       /* an index of its domain */
bool node_exchanges(const struct node *);        /* swap, or spare: names of two arrays */
bool is_dense(const struct var *);       /* cells lie one after another, from its pointer on */

/* The call alone gives it, the same for every cell: no index, no cell, nothing of the device. */
bool expr_fixed(const struct expr *);
bool fold_fixed(const struct fold *);                               /* the ends of its ranges */

/* The least and the most that a shift's rest is for the terms of the folds whose indices it has;
 * most is below least where a fold has no term.  Bounds that are no affine form are apart, each
 * with a factor.  False: the numbers are too large. */
struct shift_end {
	struct affine sum;
	int n;
	struct { const struct expr *bound; int64_t times; } at[MAX_RANK];
};
bool shift_ends(const struct node *, const struct affine *rest, struct shift_end *least,
                struct shift_end *most);
bool shift_end_number(const struct shift_end *);                       /* it is its constant */
/* As expr_fixed, with factors and a constant of few bits. */
bool shift_end_fixed(const struct shift_end *);
struct shift_end shift_end_back(const struct shift_end *);                       /* the negative */

/* The folds of an expression, outermost only. */
enum { FOLDS_MOST = 8 };
struct folds { struct expr *at[FOLDS_MOST]; int n; bool overflow; };
void folds_of(struct expr *, struct folds *);

/* What a thread folds terms into. */
/* 32-bit registers that a value takes, small ones a whole one */
int64_t type_words(const struct type *);
bool words_fit(int64_t words);             /* into the registers of a thread, beside what it does */
bool folds_fit(const struct folds *);                         /* into the registers of a thread */
const struct type *accumulator_type(const struct expr *fold);
/* not of argmin, argmax */
const struct type *accumulator_type_of(const struct op *, const struct type *);

#endif
