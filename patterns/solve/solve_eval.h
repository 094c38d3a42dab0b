/* solve_eval.h - what the interpreter knows of a solve: solve_eval.c, dense_eval.c, pivot_eval.c,
 * wide_eval.c. */
#ifndef SOLVE_EVAL_H
#define SOLVE_EVAL_H

#include "eval_impl.h"
#include "running.h"
#include "solve.h"

/* most: the greatest size of what x is a sum of; border: the factor of a ring's last unknown */
struct row { struct num part[ROW_PARTS], x, border; double most; };

struct solve_code {
	struct cell_code *cells;
	struct code *part[(3 * BLOCK_MOST + 1) * BLOCK_MOST];        /* in solving.h's order */
	void (*run)(struct eval *, const struct solve_code *);  /* a system, at other indices */
	int axis;
	bool ring, pivots;                   /* `boundary wrap`; `pivot` */
	struct place *column;                /* of a dense system */
	bool positive;                       /* `symmetric positive` */
	struct dense *dense;
	struct wide *wide;
};

static inline struct num minus_product(const struct type *t, struct num x, struct num a,
                                       struct num b)
{
	return num_binary(OP_SUB, t, x, num_binary(OP_MUL, t, a, b));
}

/* The n unknowns of the system at the bound other indices; known: their bounds are. */
void solve_write(struct eval *, const struct solve_code *, const struct num *x, int64_t n,
                 bool known);
enum { SOLVE_INVERTED = 256 };           /* rows of a matrix whose inverse is computed */
/* pivot_eval.c: with partial pivoting; false: x has no bounds */
void solve_pivot_values(const struct type *, const struct row *, struct num *x, int64_t n);
bool solve_pivot_bounds(const struct type *, const struct row *, struct num *x, int64_t n);
/* Of a solved system: has every target a zero pivot, or none? */
struct pivots { bool zero, sure; };
void solve_tell(struct eval *, struct pivots, const struct num *x);
struct dense *solve_dense_new(const struct solve_code *, int n);
void solve_dense_run(struct eval *, const struct solve_code *);
/* wide_eval.c; type: of a coefficient */
struct wide *solve_wide_new(const struct node *, const struct type *);
void solve_wide_run(struct eval *, const struct solve_code *);

#endif
