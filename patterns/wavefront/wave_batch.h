/* wave_batch.h - a wavefront of many small problems: what wave_batch.c and wave_batch_reads.c share. */
#ifndef WAVE_BATCH_H
#define WAVE_BATCH_H

#include "wave_strips.h"

enum { MOST_STREAMS = 8 };

struct batch_table {
	const struct type *type;
	bool looks_left, looks_up, looks_across;     /* a cell looks at the column before, the row above, both */
	struct kvar *left;                   /* registers: of the column before, a value a row */
	struct kvar *last, *corner;          /* of the lane's last row; of the row above in the column before */
	struct kvar *above, *diagonal;       /* of the row above at the cell at hand, there and a column before */
	struct kvar *value, *out;            /* of the cell; shared: pieces of rows */
};

/* An array read by the row alone, or by the column alone. */
struct batch_read {
	const struct expr *read;
	bool by_row;
	struct kvar *held;                   /* registers, a value a row; or the value of the lane's column */
	struct kvar *chunk, *next;           /* of a column: of this lane's among those at hand, and of the next ones */
};

struct batch {
	struct axes axes;
	int lanes, group, rows;              /* of a warp; of a problem; rows of a lane */
	struct batch_table *table;           /* per equation */
	struct batch_read read[MOST_STREAMS];
	int reads;
	/* in the kernel */
	struct kx *lane, *member;            /* in the warp, in the group; i32 */
	struct kx *all_rows, *all_columns;   /* of the problem, 0 if there is none */
	struct kx *problem, *there;          /* its number; is it one? NULL: always */
	struct kx *first_row;                /* of the lane */
	struct kx *step, *column, *r;        /* i64: the lane's column is the step minus its place; i32 */
};

/* wave_batch.c */
struct kx *batch_row(const struct batch *, struct kx *r);   /* row r of the lane, or the last one */
struct kx *batch_open_rows(struct batch *);        /* a loop over the lane's rows */
struct kx *batch_shuffled(struct batch *, const struct type *, struct kx *value, const char *how, struct kx *by);

/* wave_batch_reads.c */
void batch_find_reads(struct batch *);
void batch_begin_reads(struct batch *), batch_step_reads(struct batch *);        /* of a problem, a step */
struct kx *batch_read(struct lowering *, const struct expr *);       /* lowering.read of a cell */

#endif
