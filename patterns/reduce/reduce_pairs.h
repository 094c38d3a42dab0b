/* reduce_pairs.h - folds over pairs, whose terms a block shares: what reduce_pairs.c and
 * reduce_symmetric.c share. */
#ifndef REDUCE_PAIRS_H
#define REDUCE_PAIRS_H

#include "reduce.h"

enum { RESULTS_MOST = 4 };               /* of a thread */

struct shared_read {
	const struct expr *read;
	struct kvar *array, *value;          /* of a block's terms; of the bound term */
	LIST(struct kvar *) field;           /* or an array of each field: pairs->apart */
};
struct result {
	struct accumulators acc;
	struct kx *index[MAX_RANK];
	LIST(struct kvar *) own;             /* values of pairs->own */
};
/* An argmin or argmax of a result, and its best of a tile's terms. */
struct pairs_best { int result, fold; struct best_run run; };
/* of a reduction */
struct pairs {
	struct reduction *r;
	LIST(const struct expr *) own;       /* reads that depend on the result alone */
	LIST(struct shared_read) shared;     /* on the term alone */
	int64_t words;                       /* registers of a result */
	struct pairs_shape shape;
	struct result result[RESULTS_MOST];
	struct pairs_best best[RESULTS_MOST * FOLDS_MOST];
	int bests;
	struct kx *place;                    /* i32: of the bound term in its tile */
	bool apart;                          /* lanes read terms side by side */
	const struct result *at;             /* what is lowered is about it, or NULL */
};

/* Of a reduction whose threads can share terms. */
struct pairs *pairs_of(struct reduction *, const struct target *);
/* Opens a kernel of the node whose blocks have so many threads: its texts know
 * open_result(cell), bring_shared(), at_place(place) and choose_result() of pairs.kernel. */
struct lowering *pairs_kernel(struct pairs *, struct plan *, const char *suffix, int block);
/* What is lowered from here on is about that result. */
void pairs_choose(struct lowering *, struct pairs *, int which);

#endif
