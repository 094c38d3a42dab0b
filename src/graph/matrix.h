/* matrix.h - the matrix units of a target: what a warp multiplies by one instruction, as helpers of
 * backends/rt say it.
 *
 * A product is some cells, of some terms, and a fragment is what a lane has of it.  Lanes are a
 * rectangle, row by row; along a side each has `wide` neighbours, by turns: cell n is at
 * (n / wide * lanes + lane) * wide + n % wide.  Of each operand a lane has words of 4 bytes, or of
 * a cell (backends/rt/cuda_matrix.h, hip_matrix.h, hip_wmma.h). */
#ifndef MATRIX_H
#define MATRIX_H

#include "graph.h"

struct fragment {
	int cells[2], lanes[2], wide[2];     /* rows and columns */
	/* How lanes get words from shared memory: four matrices of 8 rows of 16 bytes at once,
	 * which are turned where they lie so (ldmatrix); else each reads its own, ... */
	bool matrices;
	int lines;                           /* ... of so many rows of the operand; ... */
	bool next_lane;                      /* ... neighbouring lanes read neighbouring rows; */
	/* ... lanes of one row read its terms one after another, or all of them, so the same */
};

struct matrix_unit {
	const char *name;                    /* patc_multiply_NAME; NULL ends the table */
	enum scalar left, right, sum;        /* types of the operands' cells, and of sums */
	int terms;                           /* of a product */
	int words[2];                        /* of an operand that a lane has */
	int least;                           /* the first architecture that has it: 80 is sm_80 */
	enum precision precision;            /* what it does to operands of f32 */
	const struct fragment *fragment;
	bool only_large;                     /* on machines with many units: sm_80, sm_90, sm_100 */
	const char *has;     /* host: helper that tells if the device has it; NULL: by `least` */
};

/* That multiplies such cells so exactly, or NULL. */
const struct matrix_unit *matrix_unit(const struct target *, const struct type *left,
                                      const struct type *right, const struct type *sum,
                                      enum precision);
/* Host: the present device may have none, and has to be asked. */
bool matrix_asks(const struct target *, const struct matrix_unit *);

#endif
