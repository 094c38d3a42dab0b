/* matrix.h - symmetric, positive definite matrices in rows of their nonzeros (CSR). */
#ifndef MATRIX_H
#define MATRIX_H

#include <stdint.h>

struct matrix {
	int64_t n, nonzeros;
	int32_t *row, *column;                /* row[i] .. row[i + 1] are the nonzeros of row i */
	double *value;
};

/* The five-point Laplacian of side x side cells whose neighbours outside are zero: rows of 3 to
 * 5. */
struct matrix matrix_laplacian(int side);
/* I plus the Laplacian of a graph of n nodes, each joined to `links` that are there already, the
 * rather the more links those have (Barabasi and Albert 1999): a few rows are very long. */
struct matrix matrix_power_law(int64_t n, int links);
void matrix_free(struct matrix *);
void matrix_times(const struct matrix *, const double *x, double *y);

#endif
