/* matrix.h - sparse matrices in rows of their nonzeros (CSR), and graphs as such. */
#ifndef MATRIX_H
#define MATRIX_H

#include <stdint.h>

struct matrix {
	int64_t n, nonzeros;                  /* n x n */
	int32_t *row, *column;                /* row[i] .. row[i + 1] are the nonzeros of row i */
	float *value;
};

/* A graph from a file of lines `NODE NODE`, nodes from 1 on: 1 both ways where two are joined. */
struct matrix graph_read(const char *path);
/* A graph of n nodes, each joined to `links` that are there already, the rather the more links
 * those have (Barabasi and Albert 1999), with weights. */
struct matrix graph_draw(int64_t n, int links);
struct matrix matrix_new(int64_t n, int64_t nonzeros);
void matrix_free(struct matrix *);
/* a times a, row by row, each in a row of n sums. */
struct matrix matrix_square(const struct matrix *a);

#endif
