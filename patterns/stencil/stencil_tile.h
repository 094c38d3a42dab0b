/* stencil_tile.h - what a stencil would hold in shared memory; stencil_stage.c and the lowering use
 * it. */
#ifndef STENCIL_TILE_H
#define STENCIL_TILE_H

#include "lower.h"

struct tile_need { const struct var *var; int reads; int64_t lo[MAX_RANK], hi[MAX_RANK]; };
struct tile_plan {
	int rank;
	LIST(struct tile_need) need;                          /* arrays read at several offsets */
	int64_t before[MAX_RANK], after[MAX_RANK], size[MAX_RANK];   /* halo, tile with halo */
	int64_t cells, bytes;                                 /* of one tile; of all of them */
	bool loops;                                           /* some window stays a loop */
};

enum { FOLD_BYTES = 1 << 10 };                            /* left for the folds of an epilogue */

/* The read is index a + offset along every axis a, none far, in an array the node leaves alone. */
bool stencil_near(const struct node *, const struct expr *read, int64_t *offset);

/* The largest halo that fits so many bytes; NULL when nothing near is read at an offset. */
struct tile_plan *tile_plan_of(const struct node *, const int *tile, int64_t bytes);

#endif
