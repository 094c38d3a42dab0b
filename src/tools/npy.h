/* npy.h - arrays in files: NumPy's format, and the bytes of a C array (npy.c). */
#ifndef NPY_H
#define NPY_H

#include "eval.h"
#include "front.h"

struct array_file {
	const char *path;
	FILE *file;
	bool raw;
	bool fortran;                        /* the first axis is the fastest */
	int rank;                            /* -1: not known (raw) */
	int64_t extent[MAX_RANK];
	int64_t bytes;                       /* raw: of the file; -1 if only its end will tell */
};
/* What went wrong, and what would help (or NULL); why NULL: nothing. */
struct fault { const char *why, *cure; };

struct fault array_open(struct array_file *, const char *path, bool raw, const struct type *);
/* The cells, row-major in C's layout; the file must end after them. Closes it. */
struct fault array_read(struct array_file *, const struct type *, int64_t cells, void *to);
void array_close(struct array_file *);
void npy_write(const struct type *, int rank, const int64_t *extent, const void *cells, int64_t n,
	FILE *);
const char *npy_descr(const struct type *);     /* "'<f4'", "[('x', '<f4'), ...]" */

#endif
