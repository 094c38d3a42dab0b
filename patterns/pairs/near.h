/* near.h - pairs within a radius, found in the cells of a grid: near_lower.c folds them,
 * near_list.c lists them. */
#ifndef NEAR_H
#define NEAR_H

#include "cutoff.h"
#include "lower.h"

/* A term reads cells that lie together, by_cell[term, 0 .. lanes]; one load brings them. */
struct near_row { const struct var *var; int lanes; struct kvar *of_term, *of_body; };
/* A statement, and one of its kernels. */
struct cells;
struct near {
	const struct node *node;
	const struct cutoff *c;
	struct plan *plan;
	struct folds folds;                  /* of pairs */
	struct accumulators acc;
	LIST(const struct var *) term;         /* the places of terms */
	LIST(const struct expr *) condition;   /* of pairs: what tests the distance */
	LIST(const struct expr *) own;         /* reads of the body itself, ... */
	LIST(struct kvar *) value;             /* ... and what they give */
	LIST(struct near_row) row;             /* on a GPU: what is loaded whole */
	struct kvar *begins, *crowd;           /* of the host; crowd: if there is a cap */
	struct kx *bodies;
	struct kx *cells;                      /* the bodies, or the cells that have a place */
	struct cells *domain;                  /* of a kernel of the latter, ... */
	struct kx *in_tile;                    /* ... by tiles: the thread has a cell */
	int block;                             /* threads of a block, or 0: as others have */
};

/* near_lower.c: why the folds of the statement cannot be those of near bodies alone; or NULL */
const char *near_unfit(const struct node *);
void near_shape(struct shape *);
void near_lower(struct plan *, const struct group *);

/* What kernels of near bodies share: the slots of the grid, and what is read of bodies. */
void near_open(struct near *, struct plan *);
/* A kernel that finds where the bodies of each slot begin: for one body or more. */
void near_begins(struct near *);
/* Another one, whose texts know the grid, bind_body(at), in_range() and open_body(at). */
struct lowering *near_kernel(struct near *, const char *suffix, const char *note);
void near_term(struct lowering *, struct near *, struct kx *place);     /* its rows are loaded */

/* near_cells.c: a statement whose ranges the host knows: how many cells it has; then the cell of
 * that number is bound */
struct kx *near_count(const struct node *, struct lowering *host);
void near_bind(struct cells *, struct kx *at);
/* Has it a grid of cells with a place, so that blocks of so many threads have tiles?  How many
 * tiles; then the thread's cell is bound, and the result is whether there is such a cell. */
bool near_has_tiles(const struct node *, int threads);
struct kx *near_tiles(const struct node *, struct lowering *host);
struct kx *near_bind_tile(struct cells *, const struct node *);

/* near_list.c: a compact of near bodies */
void near_list(struct plan *, const struct group *);

#endif
