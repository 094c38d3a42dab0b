/* wave_folds.h - cells that fold other cells of their tables, by a block a tile: wave_folds.c. */
#ifndef WAVE_FOLDS_H
#define WAVE_FOLDS_H

#include "wave.h"

enum { FOLDS_TILE = 32 };                /* rows and columns of a tile */

struct early;                            /* a fold whose terms partly come first */
struct wave_folds {
	struct axes *axes;
	LIST(struct early) early;
	struct kx *row_first, *place_first;  /* of the tile, in turns */
	struct kx *place;                    /* of the bound cell in the tile */
};

/* Is it such a wavefront, and can a block take its tiles so? */
bool folds_shared(const struct node *, const struct target *);
int folds_block(const struct target *);
/* Which folds have early terms; the axes' lowering is the kernel's. */
void folds_open(struct wave_folds *, struct axes *);
/* the tile's first row and column, in turns; what is folded early lies in shared memory */
void folds_declare(struct wave_folds *, struct kx *row_first, struct kx *place_first);
void folds_early(struct wave_folds *, struct kx *place);
void folds_late(struct wave_folds *, struct kx *place);

#endif
