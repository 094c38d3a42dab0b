/* stencil_time_visit.h - the kernel of a visit while it is made (stencil_time_lower.c), and lines
 * of planes that other warps of the block have (stencil_time_lines.c). */
#ifndef STENCIL_TIME_VISIT_H
#define STENCIL_TIME_VISIT_H

#include "stencil_time.h"

/* What other warps have of a line so many lines after the own: see tile_lines_find. */
struct line_place { int64_t offset; struct kx *first, *outside; };

struct visit {
	struct time_plan *plan;
	struct lowering *l;
	struct cells **cells;                    /* by statement */
	int *first_window;                       /* by version: that of its oldest row */
	LIST(int) shown;                         /* versions that the kernel has */
	LIST(struct kvar *) window;
	struct kvar *out[64];                    /* by version: the row that a level makes */
	struct kx **first, **end;                /* by statement: the columns that it computes; */
	struct kx **line_first, **line_end;      /* and the lines */
	struct kx *done, *rows, *lines, *columns;
	struct kvar *shared[64];                 /* by version: its lines, or NULL */
	LIST(struct line_place) place;
	bool anywhere;                           /* rows may begin between two vectors, */
	bool cut;                                /* and end within one */
	struct resident_tiles *tiles;            /* stencil_resident.c; NULL: rows are in memory */
};

/* The plan of visits that the loop is known to have. */
struct time_plan *visit_plan(const struct node *loop, const struct target *, int passes);
/* Host: all rows begin at multiples of a vector. */
struct kx *visit_aligned(struct plan *, const struct time_plan *);
/* The kernel's node and note; its statements; the names of time.kernel, after v->rows and
 * v->columns are there. */
void visit_describe(struct visit *, const char *what);
void visit_open(struct visit *);
void visit_bind(struct visit *);

/* Loops whose cells stay in shared memory: stencil_resident.c.  Is an array in a tile?  Does a
 * pass write the cells that it reads?  Where an array's row 0 would be, at the lane's columns;
 * cells from a row to the next (i64). */
bool tile_has(const struct visit *, const struct var *);
bool tile_in_place(const struct visit *);
struct kx *tile_cell(struct visit *, const struct var *), *tile_pitch(const struct visit *);
/* Rows and columns of a tile without what its neighbours compute as well; 0: it has none. */
int64_t resident_fits(const struct node *loop, const struct target *, int64_t *columns);
/* Host: all passes before `end` by one launch, if the call allows it: done becomes end. */
void resident_launch(struct plan *, const struct node *loop, struct kx *done, struct kx *end);

/* Where a cell beside a row leads, at the ends of the array: a cell of the row, whose window begins
 * with cell lo of the lane, or the value there.  NULL: nothing is read there. */
struct kx *visit_beside_edge(struct visit *, struct kvar *window, int64_t lo, int64_t offset);

/* Shared memory for the lines of each version that is read so. */
void tile_lines_open(struct visit *);
/* Where each line that is read is in a plane. */
void tile_lines_find(struct visit *);
/* The cells that a level reads of another line.  edge: the line may end in the tile; outside: the
 * plane may be outside of the array. */
struct stream tile_lines_read(struct visit *, const struct level *, const struct time_read *,
                              bool edge, bool outside);
/* Where the lane's cells of a version go, of the plane in that slot (i32). */
struct kx *tile_lines_kept(struct visit *, int version, struct kx *slot);
/* Planes that shared memory has, of each version at most. */
int64_t tile_lines_slots(const struct time_plan *);
/* Lines of a tile, a warp each; registers of a thread; bytes of shared memory. */
int tile_lines(const struct time_plan *, const struct target *);
int64_t tile_lines_registers(const struct time_plan *);
int64_t tile_lines_bytes(const struct time_plan *, const struct target *);

#endif
