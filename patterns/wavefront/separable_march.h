/* separable_march.h - the kernel of a separable wavefront on a GPU: separable_gpu.c says how it goes. */
#ifndef SEPARABLE_MARCH_H
#define SEPARABLE_MARCH_H

#include "separable.h"

enum { MARCHING_GROUP = 16 };               /* strips */

struct march {
	struct axes axes;
	const struct separable *s;
	const struct type *type;
	struct lowering *l;
	struct kernel *k;
	struct cells *cells;
	int width, vectors, columns, rows;   /* cells of a vector; vectors, columns and rows of a thread */
	int lanes, warps, words;         /* of a total */
	int64_t height, chunk;           /* of a strip; columns */
	struct kx *left, *up, *left_vector, *step[8], *up_rows, *up_height;      /* weights, and their powers; NULL: bare */
	struct kx *lane, *warp, *thread;
	struct kx *row_count, *column_count, *strips, *groups, *chunks, *state;
	struct kx *problem, *strip, *row_first, *column_first, *chunk_number;
	struct kvar *value, *carry;      /* registers: of a chunk's cells; at the end of each row before it */
	struct kvar *part;               /* the block's memory: of each warp and column the total, then what comes before */
	struct kx *host_strips, *host_groups, *host_chunks, *host_all, *host_blocks, *host_state;
};

struct kx *marching_join(struct march *, struct kx *a, struct kx *b), *marching_scale(struct march *, struct kx *, struct kx *weight);
struct kx *marching_zero(struct march *);
struct kx *marching_each(struct march *, const char *name, int n);          /* opens an unrolled loop */
/* The parts of the chunk's columns become what comes before each warp. */
void marching_above(struct march *);

#endif
