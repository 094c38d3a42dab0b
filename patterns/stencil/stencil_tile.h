/* stencil_tile.h - what a stencil would hold in shared memory; stencil_stage.c and the lowering use
 * it.
 *
 * The ranges of windows decide how far a tile's halo reaches.  Constants give it to the compiler;
 * where the call gives a range, the host computes the halo, and takes the tile if it fits. */
#ifndef STENCIL_TILE_H
#define STENCIL_TILE_H

#include "lower.h"

struct tile_need {
	const struct var *var;
	int reads;
	int64_t lo[MAX_RANK], hi[MAX_RANK];                   /* of constants */
	bool given;                                           /* some reads are a call's windows */
};
struct tile_given { int axis; struct shift_end before, after; };
struct tile_plan {
	int rank;
	LIST(struct tile_given) given;                        /* how far the call's windows reach */
	LIST(struct tile_need) need;                          /* arrays read at several offsets */
	/* of constants: halo, tile with halo; cells of one tile, bytes of all of them */
	int64_t before[MAX_RANK], after[MAX_RANK], size[MAX_RANK];
	int64_t cells, bytes;
	bool loops;                                           /* some window stays a loop */
};

enum { FOLD_BYTES = (1 << 10) + 64 };                     /* left for the folds of an epilogue */

/* The read is index a + offset along every axis a, none far, in an array the node leaves alone. */
bool stencil_near(const struct node *, const struct expr *read, int64_t *offset);

/* The largest halo of constants that fits so many bytes; NULL when nothing near is read at an
 * offset. */
struct tile_plan *tile_plan_of(const struct node *, const int *tile, int64_t bytes);

#endif
