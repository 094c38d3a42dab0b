/* wave.h - what the lowerings of a wavefront share (src/wavefront.h says what is in the graph). */
#ifndef WAVE_H
#define WAVE_H

#include "../cells.h"
#include "../../src/wavefront.h"

/* Note [who waits for whom]
 * A cell waits for its fresh neighbours, and cells at places that are not fresh wait for it, since they overwrite
 * what it reads.  Both are one list of vectors: the cell waits for cell + vector.  In the order's own direction
 * (an axis that runs backwards turned round) the first component that is not 0 is negative. */
struct wave_vectors { int n; int64_t at[2 * 64][MAX_RANK]; };    /* by position in the order, slowest first */

/* wave_ask.c */
struct wave_vectors wave_vectors(const struct node *);
const struct expr *wave_table(const struct node *, int equation);        /* its target: an E_READ */
int64_t wave_slope(const struct node *);     /* columns by which a row stays behind the one before: cells of */
                                             /* column + slope * row, row wait for no larger ones along either */

/* wave_cell.c: the bound cell, its neighbours from memory */
void wave_cell(struct lowering *, const struct node *);

/* wave_tiles.c */
void wave_tiles(struct plan *, const struct node *);

#endif
