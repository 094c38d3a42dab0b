/* wavefront.h - what a statement keeps in the graph whose cells read neighbours that its order
 * reaches before them: wavefront.
 *
 * patterns/wavefront/wave_sema.c fills it, the interpreter and the lowerings read it.  The tables
 * are the targets of the equations, all at the same cell.  The order is row-major over their
 * subscripts (R46): index order[0] is the slowest.
 *
 * In the right sides every read of a table is a variable of the statement's own: struct neighbour
 * says which table, how far away, and what stands there outside the table.  So a right side is a
 * function of its neighbours, and whoever runs it binds them: from memory, or from a register that
 * still has the value.
 *
 *   H[i, j] = max(H[i-1, j-1] + s, H[i, j-1] - 2)    is    H = max(H_1_1 + s, H_0_1 - 2)
 *
 * Reads that are no fixed number of steps away, and all reads of tables in folds, stay reads of
 * arrays (`far`): legal_before.c has proved that the order reaches their places before the cell,
 * and that memory has the new values when the cell is computed by anti-diagonals.
 *
 * `fresh` neighbours have their new value: cells reached before this one, and at the cell itself
 * what equations before this one gave it.  The others have what the table held before the statement
 * (R47).  Several equations share neighbours.  Either way a cell waits for its neighbours: a fresh
 * one must have been computed, and one that is not fresh may be written only after this cell;
 * wave_vectors says so in one list. */
#ifndef WAVEFRONT_H
#define WAVEFRONT_H

#include "graph.h"

struct neighbour {
	struct var *value;     /* VAR_LOCAL of the table's type: stands for it in the right sides */
	struct expr *read;                   /* as the program has it */
	int equation;                        /* whose target it is */
	int64_t step[MAX_RANK];             /* per index of the node: its place minus this cell's */
	bool fresh;
	struct expr *outside; /* its value outside the table, the node's indices standing for the */
		/* place asked for; NULL: it is outside only where it is not used */
};

/* Note [forms] A right side may be ◇ over terms (cell ○ weight) and a rest without those cells.
 * With cells of the same row for terms, a row is a weighted scan of its rest (compensation); with
 * all cells of the table that are fresh, the weights say what a value far away is worth here.  Both
 * are the right side again, up to rounding, and are made of its own expressions; neither is there
 * under `strict` of floats.  Weights stand for the cell at hand. */
enum { MAX_TERMS = 16 };
struct wave_term {
	const struct neighbour *from;
	struct expr *weight;                 /* NULL: without ○ */
	bool uniform;                     /* the weight is the same in all cells of the statement */
};
struct wave_form {
	/* ◇ and ○; dist NULL: no term has a weight; acc NULL: there is no term */
	const struct op *acc, *dist;
	const struct type *type;             /* of weights and rest; stored as the table's */
	LIST(struct wave_term) term;
	struct expr *rest;                   /* NULL: none */
};
struct wave_algebra {                    /* of an equation */
	/* terms: its table's fresh cells of the same row; or NULL: no_row says why */
	struct wave_form *row;
	struct wave_form *all;            /* terms: all fresh cells of its table; or NULL: no_all */
	const char *no_row, *no_all;
	const char *law;                 /* why ○ distributes over ◇; NULL: no weight, or no form */
};

/* Note [ranges that are cut] `j in 0..length[k]`: of a range that data decide, only the cells that
 * all tables have are computed; that there are others is recorded once (R34), since no cell of the
 * range can depend on them without being one.  So accesses by that index are judged as if the range
 * were all cells of the tables.  Where each cell reads d[first[k] + j], only those of its range for
 * which that is inside d are computed, likewise.  A mask might leave those others out: then nothing
 * is cut, and each cell is tested. */
/* its subscript is the index plus the offset, which */
struct cut_read { int index; struct expr *read, *offset; };
		/* is the same for all rows and columns */
/* Note [lines] A table of which others read one row only, one column or plane, or a cell of each
 * problem, is not stored, but that line is: where each of the cell's subscripts is what `at` says,
 * its value goes to `cell`, a read of an array that pass_sweep.c has made of the other axes. */
struct wave_line { int equation; struct expr *at[MAX_RANK], *cell; };  /* at: per axis, NULL: any */

/* Note [blocked] Where cells fold earlier cells of their own column only, as the solution of a
 * triangular system does, the statement is also a loop over blocks of rows: products of what the
 * blocks before have computed, then the rows of the block.  The loop is the node's body
 * (patterns/wavefront/wave_blocked.c), a statement of such rows has this. */
struct wave_block {
	int row;                             /* the index that counts rows */
	const struct expr *fold;             /* of the block's own rows */
	struct var *own;      /* in the right side: what the products have left in the cell */
	const struct node *product;     /* with the same terms, of rows before those of the block */
};

struct wavefront {
	/* the node's indices, slowest first: subscript k of a table is index order[k] */
	int order[MAX_RANK];
	bool back[MAX_RANK];                 /* per index: it runs from its high end */
	/* Note [ranges that are cut]; NULL: it is not */
	struct range { struct expr *lo, *hi; } cut[MAX_RANK];
	LIST(struct cut_read) within;
	LIST(struct neighbour *) read;
	bool far;                            /* right sides or the mask read tables that are no */
		/* neighbours: E_READs, not after the cell along rows and columns */
	bool far_own;                        /* one may be of the cell itself */
	bool far_along[MAX_RANK];            /* per index: some of them may be at another one */
	bool by_data;                        /* some of them are at places that data decide, */
	int data_index;                      /* along this index: wave_places.c */
	/* one that a cell looks for outside the domain and finds in its table, in spite of a
	 * `boundary`; NULL: none */
	const struct neighbour *beside;
	LIST(struct wave_algebra) algebra;   /* an equation each */
	LIST(struct wave_line) line;         /* Note [lines] */
	const struct wave_block *block;      /* Note [blocked], or NULL */
};

/* legal_before.c: the subscript of a read of table q that reads arrays, if the others are the
 * cell's; else -1 */
int wave_data_axis(const struct node *, const struct expr *read, int q);

/* legal_before.c: the statement writes the cells of table q from its first to its last along index
 * k */
bool wave_covers(const struct node *, int q, int k);

/* graph.c: what stands outside the tables */
/* NULL: nothing */
bool wave_walk(struct wavefront *, bool (*visit)(struct expr *, void *), void *);

#endif
