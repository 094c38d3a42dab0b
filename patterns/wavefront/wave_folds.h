/* wave_folds.h - cells that fold other cells of their tables, by a block a tile: wave_folds.c. */
#ifndef WAVE_FOLDS_H
#define WAVE_FOLDS_H

#include "wave.h"

enum { FOLDS_TILE = 32 };                /* rows and columns of a tile */

/* A fold in a branch of the right side, and the conditions around it, from outside in. */
struct fold_condition { const struct expr *e; bool holds; };
struct fold_branch {
	struct expr *fold;
	LIST(struct fold_condition) condition;
	LIST(const struct expr *) read;      /* of tables, in its terms */
};
/* Folds of the same terms in branches that exclude each other.  Lanes share the terms. */
struct shared_fold {
	LIST(struct fold_branch) branch;
	int equation;
	bool early;                          /* it has early terms: Note [early terms] */
	struct kvar *part;                   /* in shared memory, of each cell: early ones */
	struct tile_product *product;        /* of those that all cells have; NULL: none */
	struct accumulator acc;              /* of the late ones, once they are folded */
};
/* An array in shared memory that products bring operands to. */
struct operand_stage { struct kvar *var; const struct type *type; int64_t cells; };
struct wave_folds {
	struct axes *axes;
	LIST(struct shared_fold) shared;
	bool early;                          /* some have early terms */
	LIST(struct operand_stage) stage;
	struct kx *row_first, *place_first;  /* of the tile, in turns */
	struct kx *place;                    /* of the bound cell in the tile */
};

/* Is it such a wavefront, and can a block take its tiles so? */
bool folds_shared(const struct node *, const struct target *);
int folds_block(const struct target *);
/* Which folds lanes share; the axes' lowering is the kernel's. */
void folds_open(struct wave_folds *, struct axes *);
/* the tile's first row and column, in turns; what is folded early lies in shared memory */
void folds_declare(struct wave_folds *, struct kx *row_first, struct kx *place_first);
void folds_early(struct wave_folds *, struct kx *place);
/* How many lanes have a cell together. */
int folds_lanes(const struct wave_folds *);
/* All lanes of a warp call it; active: a variable, the lane has a cell. */
void folds_late(struct wave_folds *, struct kx *place, struct kx *active);

/* At the bound cell: the range of a fold, and the part of it that is early, first <= begin <= end;
 * in a body that folds_close_terms closes, of the conditions around the fold. */
struct ranges { struct kx *first, *last, *begin, *end; };
struct ranges folds_open_terms(struct wave_folds *, const struct shared_fold *, int branch);
void folds_close_terms(struct wave_folds *, const struct shared_fold *, int branch);

/* wave_product.c: folds the early terms that all cells of a tile have, if they have such a form and
 * so many bytes of shared memory will do; how many it takes, or 0 */
int64_t product_of_tiles(struct wave_folds *, struct shared_fold *, int64_t room);
/* the range from <= k < to of these terms, empty where from = to */
struct kx *product_from(const struct tile_product *), *product_to(const struct tile_product *);
/* acc becomes what they come to at a place of the tile, whose cell's terms begin at `first` */
void product_take(const struct tile_product *, const struct accumulator *acc, struct kx *place,
                  struct kx *first);

#endif
