/* bind.h - patc bind: bind.c reads a manifest, bind_LANGUAGE.c writes what calls its kernels. */
#ifndef BIND_H
#define BIND_H

#include "manifest.h"
#include "out.h"
#include "run.h"

#include <jansson.h>

/* constant + the sum of factor * size */
struct bind_affine {
	const char *text;
	json_int_t constant;
	int n;
	struct { int size; json_int_t factor; } term[MAX_RANK];
};
struct bind_type;                        /* a scalar of types.def */
struct bind_struct;
/* Names are those of C, but for what the language does not take. */
struct bind_argument {                   /* a parameter in C */
	const char *name, *c, *text;         /* text: as the program declares it, "f32[n, m]" */
	const struct bind_type *scalar;      /* or NULL: */
	const struct bind_struct *record;
	enum { BIND_IN, BIND_OUT, BIND_INOUT } mode;
	bool pointer;
	/* its cells do not lie along axes: tiles, a curve, blocks; callers pass all elements */
	bool flat;
	/* the program's axes are `axis` backwards (col), but for so many of a field, which come
	 * first */
	bool turned;
	int rank, own;
	struct bind_affine axis[2 * MAX_RANK];       /* the slowest first */
	bool pitched;
	struct bind_affine ld;               /* elements from row to row */
	json_int_t tile[2], block;           /* 1: none */
};
struct bind_size { const char *name; bool bound; };     /* bound: it follows from an array */
struct bind_kernel {
	const char *name, *run, *host, *workspace, *status, *strerror;
	LIST(struct bind_size) size;
	LIST(struct bind_argument) argument;
};
struct bind_type { const char *name, *c; int bytes; char kind; };        /* types.def */
struct bind_field {
	const char *name;
	const struct bind_type *scalar;
	const struct bind_struct *record;
	int rank;
	json_int_t extent[MAX_RANK], offset;
};
struct bind_struct {
	const char *name, *own;              /* own: in the program */
	json_int_t bytes;
	LIST(struct bind_field) field;
};
struct bind_status { const char *name, *text; json_int_t status; };

struct bindings {
	const char *stem;                    /* of the output: the name of the module */
	const char *source, *program, *header, *target, *patc;
	bool gpu;
	LIST(struct bind_status) status;
	LIST(struct bind_struct *) record;
	LIST(struct bind_kernel *) kernel;
	json_t *json;                        /* all of it */
};

/* "read and written", ... */
const char *bind_role(const struct bind_argument *);
/* In the program's order of axes, where this one of memory's is. */
int bind_place(const struct bind_argument *, int axis);
/* The extent, as an expression of C and its relatives: "2 * n + 1" */
const char *bind_extent(const struct bind_kernel *, const struct bind_affine *);
/* The number of elements that lie in memory, as such an expression; ceil: a function (a, b) that
 * divides and rounds up. */
const char *bind_elements(const struct bind_kernel *, const struct bind_argument *,
                          const char *ceil);
/* The distance of an axis's cells in elements, likewise. */
const char *bind_stride(const struct bind_kernel *, const struct bind_argument *, int axis);
/* The size as it follows from an array, or NULL.  extent: how the language has the extent of an
 * axis, or (axis == rank) the leading dimension; NULL: it has not.  over: its division of whole
 * numbers. */
const char *bind_size(const struct bind_kernel *, int size,
                      const char *(*extent)(const struct bind_argument *, int axis),
                      const char *over);

void bind_python(const struct bindings *, FILE *);
void bind_python_stub(const struct bindings *, FILE *);
void bind_cpp(const struct bindings *, FILE *);
void bind_fortran(const struct bindings *, FILE *);
void bind_rust(const struct bindings *, FILE *);
void bind_julia(const struct bindings *, FILE *);

#endif
