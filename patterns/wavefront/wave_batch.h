/* wave_batch.h - a wavefront of many small problems: what wave_batch.c and wave_batch_reads.c
 * share. */
#ifndef WAVE_BATCH_H
#define WAVE_BATCH_H

#include "wave_strips.h"

enum { MOST_STREAMS = 8 };

struct batch_table {
	const struct type *type;
	/* a cell looks at the column before, the row above, both */
	bool looks_left, looks_up, looks_across;
	struct kvar *left;                   /* registers: of the column before, a value a row */
	/* of the lane's last row; of the row above in the column before */
	struct kvar *last, *corner;
	/* of the row above at the cell at hand, there and a column before */
	struct kvar *above, *diagonal;
	struct kvar *value, *out;            /* of the cell; shared: pieces of rows */
};

/* An array read by the row alone, or by the column alone. */
struct batch_read {
	const struct expr *read;
	bool by_row;
	struct kvar *held;         /* registers, a value a row; or the value of the lane's column */
	bool pair;                           /* of packed cells: held has both halves' in a word; */
	struct kvar *high;                   /* if not, the high half's is there */
	/* of a column: of this lane's among those at hand, and of the next ones */
	struct kvar *chunk, *next;
};

struct batch {
	struct axes axes;
	int lanes, group, rows;              /* of a warp; of a problem; rows of a lane */
	struct batch_table *table;           /* per equation */
	struct batch_read read[MOST_STREAMS];
	int reads;
	bool packed;    /* wave_pack.c: the rows are those of a half, first_row is of the low one */
	int half;                            /* whose value an expression is lowered for */
	const struct expr *cell;             /* the table at hand: batch_tables */
	const struct type *type;             /* in registers, of that one */
};

/* wave_batch.c */
/* a name of the texts (batch.kernel) */
struct kx *batch_get(const struct batch *, const char *name);
void batch_bind(struct batch *);        /* what batches of one or two cells a word have in common */
void batch_tables(struct batch *, const char *text);       /* a text for every table */
struct kx *batch_row(const struct batch *, struct kx *r);   /* row r of the lane, or the last one */
struct kx *batch_open_rows(struct batch *);        /* a loop over the lane's rows */
struct kx *batch_shuffled(struct batch *, const struct type *, struct kx *value, const char *how,
                          struct kx *by);
struct kx *batch_outside(struct batch *, int q);   /* what is outside table q at the bound place */
struct kx *batch_neighbour(const struct batch *, const struct neighbour *);
struct kx *batch_units(const struct batch *);      /* warps */
void batch_bind_problem(struct batch *, struct kx *problem, struct kx *some);
void batch_fold_groups(struct batch *);
/* that kernel, and what else its folds need */
void batch_run(struct batch *, void (*kernel_of)(struct batch *));
struct kx *batch_longest(struct batch *);          /* columns, of the problems of a warp */

/* wave_pack.c */
/* host: are the values small enough? rows at most; NULL: always */
struct kx *pack_fits(const struct batch *, int64_t rows);
void wave_pack(struct batch);                      /* group, rows: of a lane of 32-bit cells */

/* wave_pack_cell.c */
struct kx *pack_word(int64_t both);                /* a number in both halves */
/* of any integers or bools: their low 16 bits */
struct kx *pack_two(struct kx *low, struct kx *high);
/* the bits of keep are low's */
struct kx *pack_join(struct kx *low, struct kx *high, struct kx *keep);
struct kx *pack_half(struct kx *word, int half);   /* i32, with its sign */
/* own's low half a place on, after up's high half */
struct kx *pack_next(struct kx *up, struct kx *own);
void pack_bind(struct batch *, int half);          /* the cell of that half */

struct kx *pack_expr(struct batch *, const struct expr *); /* of both halves: a word */

/* wave_batch_reads.c */
void batch_find_reads(struct batch *);
void batch_begin_reads(struct batch *), batch_step_reads(struct batch *); /* of a problem, a step */
struct kx *batch_read(struct lowering *, const struct expr *);       /* lowering.read of a cell */
/* both halves' of what is held in a word, or NULL */
struct kx *batch_pair(const struct batch *, const struct expr *);

#endif
