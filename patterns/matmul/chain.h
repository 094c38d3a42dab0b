/* chain.h - two products as one kernel: the second one multiplies what becomes of the cells of the
 * first, row by row (chain.c).  Attention. */
#ifndef CHAIN_H
#define CHAIN_H

#include "product.h"
#include "../reduce/scaling.h"

enum { FIRST, SECOND, CHAIN_FOLDS = 4 };

struct row_fold {                        /* what a statement folds along a row of scores */
	const struct node *node;
	const struct expr *fold;
	const struct var *var;               /* its result, a cell a row */
	bool scales;                         /* its terms, with the top of the row: */
	struct scaling scale;
};
/* From each of `low` on, before each of `high`, affine forms; where all of `where` hold. */
struct keys { LIST(const struct expr *) low, high, where; };
/* All expressions name the indices as the statement of the scores does. */
struct chain {
	const struct node *scores;
	const struct var *score;             /* the array of its cells, which has no memory */
	struct product p[2];                 /* the scores; the result, of weights and values */
	enum side row, key;                  /* of the scores: along a row, a fold runs over keys */
	enum side weight, value;             /* of the result: its operands */
	struct row_fold fold[CHAIN_FOLDS];   /* in their order */
	int folds;
	int top;                             /* which one is the greatest term; -1: none */
	int divisor;                         /* which one weights are divided by; -1: none */
	bool scales;                         /* weights do, with the top: */
	struct scaling scale;
	struct keys keys;                    /* that a row folds, and multiplies by */
};

/* NULL, or why the group's anchor cannot be computed with its chain. */
const char *chain_find(struct chain *, const struct group *, const struct target *);
/* the same, for the pass that makes the group; *pays: why it should not */
const char *chain_unfit(const struct group *, const struct target *, const char **pays);
void chain_lower(const struct chain *, struct plan *, const struct group *);

/* ---- chain_lower.c: a kernel under construction ---- */

enum brought { QUERY, KEY, VALUE, BROUGHT };     /* what a block brings: of rows, of keys, values */

struct chain_form {
	int threads, rows, keys, columns;    /* of a block; a tile's */
	int thread_rows, thread_keys, thread_columns;
	int wide, row_lanes, key_lanes;      /* how lanes share them: chain.kernel */
	int terms;                           /* of a score that are in shared memory at a time */
	int warp_rows;                       /* of a matrix unit, else 0 */
	bool copied;                         /* operands are copied, 16 bytes at a time */
	bool groups;                         /* the unit of four warps multiplies */
	int ring;                            /* tiles of keys and values in shared memory */
};

struct chained {
	const struct chain *c;
	struct lowering *l;
	const struct target *target;
	struct chain_form form;
	struct batch axes;
	/* the host's: products (NULL: one), sizes; 16 bytes can be copied (NULL: never) */
	struct kx *batch, *rows, *columns, *terms, *aligned;
	struct kx *row_tiles, *column_tiles;
	struct kx *has_keys, *lost;          /* in the kernel: of the row at hand, or NULL */
	struct kx *found[CHAIN_FOLDS];       /* what its folds have found */
	struct var *divisor;                 /* bound to what weights are divided by */
	struct chain units;                  /* the same chain, of what units multiply */
	const char *no_units;                /* why units do not multiply it; NULL: they do */
};

const struct operand *chain_operand(const struct chained *, enum brought);
/* A number of each of what is brought: a name of the texts. */
void chain_bind_each(const struct chained *, const char *name, const int *number);
void chain_kernel(struct chained *, struct plan *, const char *suffix, const char *text);

/* chain_unit.c */
const char *chain_units(struct chain *units, const struct chain *, const struct target *);
extern const int chain_heads[];          /* cells of a score's terms, or of columns; ends with 0 */
/* of a chain of units, for sizes up to that */
struct chain_form chain_unit_form(const struct chained *, int head, bool copied);
int64_t chain_shared(const struct chained *, int head, bool copied);     /* bytes of its block */
struct kx *chain_aligned(const struct chained *, struct plan *);
void chain_unit_bind(const struct chained *);
/* The unit of groups of warps. */
bool chain_may_group(const struct chained *, int head);
struct chain_form chain_group_form(const struct chained *, int head);
void chain_shape(const struct node *, const struct target *, struct shape *);

#endif
