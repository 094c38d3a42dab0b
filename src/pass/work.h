/* work.h - what a statement must move and compute a cell, and how fast a machine could be at that.
 * */
#ifndef WORK_H
#define WORK_H

#include "pass.h"

struct machine {                         /* what a remark measures against */
	const char *name;                    /* "H200" */
	double copy, read;                   /* GB/s: half of them written; all of them read */
	double f32, f64;                /* Tflop/s, a multiplication with an addition two of them */
	struct unit_rates {              /* of matrix units, likewise, dense; 0: it has none */
		double f16, tf32, f32, f64, i8, f8;      /* f16: bf16, too */
	} units;
};
/* By name; NULL: the one of the architecture.  NULL if there is none. */
const struct machine *machine_of(const struct target *, const char *name);
const char *machine_names(const struct target *);

struct count { const char *name; double times; };        /* of an operation: "+", "sqrt" */
struct work {                            /* a cell, or a term of a fold whose length sizes give */
	bool of_term;
	bool at_least;                 /* data decide how often a loop runs: its body counts once */
	double read, written;                /* bytes, each cell of memory once */
	/* nothing comes from memory for each term, which brings these again: no tile holds them */
	double cached;
	struct { double read, written; } cell;       /* then: of memory, a cell */
	double f32, f64, integer;            /* operations; small floats compute in f32 */
	double slow32, slow64;   /* of them divisions, roots and other functions of several steps */
	/* of them what a matrix unit may compute, which is this one; or NULL */
	double united;
	const struct matrix_unit *unit;
	LIST(struct count) operation;        /* by name, in order of first appearance */
	int reads;                           /* of arrays, as written */
	int streams;                     /* arrays, or planes of them, that must come from memory */
	int64_t widest;                      /* bytes of a stream's element */
};
/* Of the kernel that a statement anchors: the folds after it included. */
struct work work_of(const struct node *);

/* "memory-bound", "compute-bound"; cells a second */
struct roofline { const char *by; double per_second; };
struct roofline work_roofline(const struct work *, const struct machine *);
/* What memory allows where terms come from caches: cells a second; 0: nothing is known. */
double work_cells_a_second(const struct work *, const struct machine *);
/* Has the machine the matrix unit, if the work has one? */
bool work_on_units(const struct work *, const struct machine *);

#endif
