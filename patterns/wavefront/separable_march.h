/* separable_march.h - the kernels of a separable wavefront on a GPU: separable_gpu.c says how they go. */
#ifndef SEPARABLE_MARCH_H
#define SEPARABLE_MARCH_H

#include "separable.h"

enum {
	STAGES = 3,                         /* chunks that are on their way, or wait in shared memory */
	MOST_STAGED = 4                     /* arrays */
};

/* An array whose cells wait in shared memory. */
struct staged {
	const struct expr *read;
	struct kvar *tile;               /* stages of rows of a chunk, as they lie in memory */
	struct kvar *vector;             /* of the row at hand */
};

struct march {
	struct axes axes;
	const struct separable *s;
	const struct type *type;
	struct lowering *l;
	struct kernel *k;
	struct cells *cells;
	int width, vectors, columns, rows;   /* cells of a vector; vectors, columns and rows of a thread */
	int lanes, warps, words;         /* of a total */
	int64_t height, chunk, group;    /* of a strip; columns; strips of a group */
	struct kx *left, *up, *left_vector, *step[8], *up_rows, *up_height;      /* weights, and their powers; NULL: bare */
	struct kx *lane, *warp, *thread;
	struct kx *row_count, *column_count, *strips, *groups, *chunks, *state;
	struct kx *problem, *strip, *row_first, *column_first, *chunk_number;
	struct kvar *value, *carry;      /* registers: of a chunk's cells; at the end of each row before it */
	struct kvar *part;               /* the block's memory: of each warp and column the total, then what comes before */
	struct kvar *host_parts;         /* of what is folded behind the cells, or NULL */
	struct kx *host_strips, *host_groups, *host_chunks, *host_all, *host_blocks, *host_state;
	/* where cells are staged */
	struct staged staged[MOST_STAGED];
	int arrays;                      /* 0: none is; */
	bool tall;                       /* strips of many rows */
	int sharers, asks;               /* threads that share a column of a chunk; strips above that each asks for */
	int64_t pitch;                   /* of part: columns, and some against meeting in a bank */
	struct kx *up_warp, *up_share[3], *up_asks[3];   /* more powers: to the warp, of sharers 1, 2, 4 before */
	struct kx *rows_here;            /* of the thread, i32: fewer at the end */
	struct kx *inside;               /* the vector at hand begins in the table */
	struct kx *cell;                 /* of a vector, at hand */
	struct kx *share, *column;       /* which of the sharers this thread is, and of which column; i32 */
	struct kx *row_words, *own_at, *newest, *known;  /* words of a strip; where its own are, and the newest that is
	                                                  * asked for; how many are there to ask for, i32 */
	struct kvar *above;              /* the block's memory: of each column what comes into the strip */
	struct kvar *asked, *own, *next_own;     /* words; the strip's totals, of this chunk and the next */
};

/* separable_gpu.c */
struct kx *marching_join(struct march *, struct kx *a, struct kx *b), *marching_scale(struct march *, struct kx *, struct kx *weight);
struct kx *marching_zero(struct march *);
struct kx *marching_each(struct march *, const char *name, int n);          /* opens an unrolled loop */
struct kx *marching_slot(const struct march *, struct kx *row, struct kx *vector, struct kx *cell);
struct kx *marching_place(const struct march *, struct kx *vector);      /* a lane's first column of it, in the chunk */
void marching_bind(struct march *, int d, struct kx *turn);
struct kx *marching_stride(struct march *, const struct expr *cell);     /* from the cell's row to the next one's */
void marching_borders(struct march *);       /* what comes from outside joins the chunk's cells */

/* separable_above.c */
struct accumulators marching_total(struct march *, const char *name, struct kx *value);
/* The parts of the chunk's columns become what comes before each warp. */
void marching_above(struct march *);

/* separable_rows.c: down the thread's rows from what is above them (a value a column of the thread), then along them */
void marching_down(struct march *, struct kx *vector, struct kvar *above);
void marching_along(struct march *);

/* separable_stages.c */
bool stages_find(struct march *);            /* the arrays; false: cells cannot be staged */
int64_t stages_bytes(const struct march *);  /* of shared memory */
void stages_march(struct march *);           /* over the strip at hand */
void stages_open(struct march *);

/* separable_ahead.c: the totals of the chunk in that stage, and what comes from above the one at hand */
void ahead_open(struct march *), ahead_strip(struct march *);
void ahead_ask(struct march *);
void ahead_fold(struct march *, struct kx *stage, struct kx *next_chunk);
void ahead_take(struct march *);

#endif
