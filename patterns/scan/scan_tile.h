/* scan_tile.h - a tile of a scan along rows, the cells of a block: scan_tile.c says where they lie;
 * scan_rows.c holds them in registers, a row of vectors after the other, scan_strips.c in shared
 * memory, a strip a thread. */
#ifndef SCAN_TILE_H
#define SCAN_TILE_H

#include "scan_gpu.h"

struct tiles {
	struct scan *s;
	struct look_back *back;
	int vectors;                         /* of a thread */
	int64_t stretch, cells;              /* of a warp, of a tile */
	struct kx *tile;                     /* its number */
	struct kx *last;                     /* from right: the cell whose number is 0 */
	struct kx *aligned;             /* bool: arrays begin at vectors; NULL: vectors need none */
	bool held;     /* a thread holds its cells, there or not: Note [cells that are not there] */
	bool strips;               /* it computes neighbouring vectors, which shared memory holds */
	LIST(struct kvar *) results;         /* strips: the memory of the targets' cells */
	struct rows rows;                    /* totals of rows */
};

/* Arrays with their cells as all others. */
struct holding { const struct node *node; LIST(const struct var *) at; };
struct holding held_arrays(const struct scan *);     /* of which a thread holds its cells */
struct holding flat_arrays(const struct scan *);     /* and of the targets */

bool tile_counts(const struct tiles *);              /* places of cells in their sequences */
void tile_bind(struct tiles *);                      /* what the texts of scan_tile.kernel know */

/* scan_strips.c */
bool strips_fit(const struct tiles *, const struct total *like);
/* block and bounds; the vectors of a thread */
int strips_shape(const struct tiles *, const struct total *like);
void strips_bind(struct tiles *);                    /* and its memory */

/* scan_marks.c */
bool tile_marks(const struct tiles *);          /* the tile makes the bits of its cells by itself */
void marks_bind(struct lowering *, const struct node *);

#endif
