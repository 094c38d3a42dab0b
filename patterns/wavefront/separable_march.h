/* separable_march.h - the kernel of a separable wavefront on a GPU: separable_gpu.c has the design,
 * separable_march.kernel and separable_staged.kernel say what the kernel does. */
#ifndef SEPARABLE_MARCH_H
#define SEPARABLE_MARCH_H

#include "separable.h"

enum {
	STAGES = 3,                     /* chunks that are on their way, or wait in shared memory */
	MOST_STAGED = 4,                 /* arrays */
	MOST_BITS = 8                    /* of a number of lanes */
};

/* The steps whose weight a sum takes: of one cell, or of 2^n with n after it. */
enum steps {
	LEFT, LEFT_VECTOR, LEFT_LANES,
	UP = LEFT_LANES + MOST_BITS, UP_ROWS, UP_HEIGHT, UP_SHARE,
	UP_ASKS = UP_SHARE + MOST_BITS,
	ALL_STEPS = UP_ASKS + MOST_BITS
};

struct march {
	struct axes axes;
	const struct separable *s;
	const struct type *type;
	struct lowering *l;
	struct cells *cells;
	/* cells of a vector; a thread's vectors, columns, rows */
	int width, vectors, columns, rows;
	int lanes, warps, words;             /* words: of a total */
	int64_t height, chunk, group;        /* of a strip; columns; strips of a group */
	struct kx *weight[ALL_STEPS];        /* NULL: none */
	struct kx *host_strips, *host_groups, *host_chunks, *host_all, *host_blocks, *host_state;
	struct kvar *host_parts;             /* of what is folded after the cells, or NULL */
	/* where cells are staged */
	const struct expr *staged[MOST_STAGED];      /* reads of arrays whose cells are */
	int arrays;                          /* 0: none is */
	bool tall;                           /* strips of many rows */
	int sharers, asks;                   /* threads that share a column of a chunk; strips above
	                                      * that each asks for */
	int64_t pitch;                       /* of the totals in shared memory: columns, and some
	                                      * against bank conflicts */
};

/* separable_march.c */
void march_kernel(struct march *);       /* its body */
struct kx *march_stride(struct march *, const struct expr *cell);    /* to the next row's cell */

/* separable_stages.c */
bool stages_find(struct march *);        /* the arrays; false: cells cannot be staged */
int64_t stages_bytes(const struct march *);      /* of shared memory */
void stages_bind(struct march *);        /* what separable_staged.kernel leaves open */

#endif
