/* work.h - the bytes and operations of a statement for each cell, and how fast a machine could
 * be with them. */
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
	/* what kernels reach, for what they are expected to: expect.h */
	struct reached {
		double launch;               /* microseconds that a launch takes at least */
		/* of copy and read: where blocks share or exchange cells; where a block reads
		 * neighbours from a tile that it has filled; where a tile waits for the one before
		 * */
		double shared, staged, behind;
		/* of the rates above: what products reach; units whose bytes are turned first */
		double cores, units, turned;
		double steps32, steps64;     /* instructions of a function of several steps */
		double kept;                 /* of a cell that is kept or not: its new place */
		double atomics;              /* 10^9 a second, at random cells of a cache */
	} reached;
};
/* By name; NULL: the one of the architecture.  NULL if there is none. */
const struct machine *machine_of(const struct target *, const char *name);
const char *machine_names(const struct target *);

struct count { const char *name; double times; };        /* of an operation: "+", "sqrt" */
/* An array, or planes of it: what comes of it from memory, likewise. */
struct moved_stream {
	const char *array;
	double read, written;
	int64_t size;                        /* of an element, and is it a struct? */
	bool structs;
	bool by_data;                        /* data say which cells */
	bool column;                         /* of each row the same cell */
};
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
	double loads;                        /* the same, as often as they are done */
	double met;                    /* items that are combined in cells that data decide */
	bool shifted;                        /* an array is read at several neighbours */
	LIST(struct moved_stream) stream;
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
/* Seconds that memory takes: GB/s are those of a copy where half is read, up to those of a sum
 * where all is. */
double work_moving(double read, double written, const struct machine *);
/* Tflop/s of the matrix unit of the work; 0: it has none, or the machine. */
double work_unit_rate(const struct work *, const struct machine *);
/* Has the machine the matrix unit, if the work has one? */
bool work_on_units(const struct work *, const struct machine *);

#endif
