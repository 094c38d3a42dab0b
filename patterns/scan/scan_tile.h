/* scan_tile.h - a tile of a scan along rows, the cells of a block: scan_tile.c says where they lie; scan_rows.c holds
 * them in registers, a row of vectors after the other, scan_strips.c in shared memory, a strip a thread. */
#ifndef SCAN_TILE_H
#define SCAN_TILE_H

#include "scan_gpu.h"

struct tiles {
	struct scan *s;
	struct look_back *back;
	int vectors;                         /* of a thread */
	int64_t stretch, cells;              /* of a warp, of a tile */
	struct kx *tile, *first, *place;     /* its number; that of the warp's first cell; where in memory its stretch begins */
	struct kx *last;                     /* from right: the cell whose number is 0 */
	struct kx *offset, *outer;           /* batched: place in its row of the tile's first cell; the row */
	struct kx *column, *all_rows;        /* place of the vector's first cell; how many rows there are */
	bool held;                           /* a thread holds its cells, there or not: Note [cells that are not there] */
	bool strips;                         /* it computes neighbouring vectors, which shared memory holds; */
	bool moves;                          /* at the moment cells are moved, vectors lane after lane all the same */
	LIST(struct kvar *) results;         /* strips: the memory of the targets' cells */
	struct kvar *marks;                  /* strips: of the tile, a bit a cell: a sequence begins */
	struct kx *whole;                    /* bool, if held: all of the tile is there, in vectors */
	struct rows rows;                    /* totals of rows */
};

/* Arrays with their cells as all others. */
struct holding { const struct node *node; LIST(const struct var *) at; };
struct holding held_arrays(const struct scan *);     /* of which a thread holds its cells */
struct holding flat_arrays(const struct scan *);     /* and of the targets */

bool tile_counts(const struct tiles *);              /* places of cells in their sequences */
struct kx *tile_padding(const struct tiles *);       /* cells before the first, so that the last ends a vector */
struct kx *vector_number(const struct tiles *, struct kx *v);    /* in the warp's stretch */
struct kx *cell_number(const struct tiles *, struct kx *v, struct kx *c);    /* in the order of the scan */
struct kx *lane_of_cell(const struct tiles *, struct kx *c);     /* from right the vector lies backwards */
struct kx *cell_slot(const struct tiles *, struct kx *v, struct kx *c);      /* where a thread holds cell c of vector v */

/* Before the cells of a vector: the place of the first, and the marks of all. */
void open_place(struct tiles *, struct kx *v);
void open_marks(struct tiles *, struct kx *v);
/* Opens the loop over the cells of vector v, and the test whether one takes part. */
struct kx *open_cells(struct tiles *, struct kx *v);
void close_cells(struct tiles *);
struct kx *open_lanes(struct tiles *);               /* the loop alone */
void close_lanes(struct tiles *);
void set_cell(struct tiles *, struct kx *v, struct kx *c);       /* binds its indices */
void next_cell(struct tiles *);                      /* behind a cell: the place of the next */
struct kx *head_of(struct tiles *, struct kx *v, struct kx *c);  /* a variable: the cell at hand begins a sequence; NULL: no */
struct kx *is_there(struct tiles *);
struct kx *row_there(struct tiles *);                /* the number of a row that is there */

void load_cells(struct tiles *, const struct held *, struct kx *v);
void set_stored(struct tiles *, struct kx *v, struct kx *c);    /* binds what is_there asks of a cell that is stored */
void store_cell(struct tiles *, int target, struct kx *v, struct kx *c, struct kx *value);
void tile_first(struct tiles *, struct total *, struct kx *v);           /* the cells of a vector join a total */
void tile_second(struct tiles *, struct kx *v);      /* they are computed, and go to vectors s->out if there are some */
void tile_resume(struct tiles *, const struct total *up_to);     /* the state before the cells to come */
void declare_out(struct tiles *);                    /* such vectors */

/* scan_strips.c */
bool strips_fit(const struct tiles *, const struct total *like);
int strips_shape(const struct tiles *, const struct total *like);        /* block and bounds; the vectors of a thread */
void strips_open(struct tiles *);                    /* the cells come */
struct total strips_total(struct tiles *, const struct total *like, struct total *before);
                                                     /* the warp's; before: of the lanes before this one */
void strips_cells(struct tiles *, const struct total *before);

void tile_marks(struct tiles *);                     /* scan_marks.c */

#endif
