/* matrix.h - the matrix units of a target: what a warp multiplies by one instruction, as helpers of
 * backends/rt say it.
 *
 * A product is 16 x 8 cells, of some terms.  A lane has the sums of two rows, 8 apart, and of two
 * columns that are neighbours; of each operand it has words of 4 bytes, or of a cell if that has 8.
 * (backends/rt/cuda_matrix.h). */
#ifndef MATRIX_H
#define MATRIX_H

#include "graph.h"

struct matrix_unit {
	const char *name;                    /* patc_multiply_NAME; NULL ends the table */
	enum scalar left, right, sum;        /* types of the operands' cells, and of sums */
	int terms;                           /* of a product */
	int words[2];                        /* of an operand that a lane has */
	int least;                           /* the first architecture that has it: 80 is sm_80 */
	enum precision precision;            /* what it does to operands of f32 */
	bool only_large;                     /* on machines with many units: sm_80, sm_90, sm_100 */
};

/* That multiplies such cells so exactly, or NULL. */
const struct matrix_unit *matrix_unit(const struct target *, const struct type *left,
                                      const struct type *right, const struct type *sum,
                                      enum precision);
/* Host: the present device may have none, and has to be asked. */
bool matrix_asks(const struct target *, const struct matrix_unit *);

#endif
