/* stencil_time_rings.h - what a visit on a CPU keeps in the cache of a core (stencil_time_rings.c),
 * for its kernel (stencil_time_cpu.c).
 *
 * In arrays of three axes, a row is a tile of a plane: lines times columns. */
#ifndef STENCIL_TIME_RINGS_H
#define STENCIL_TIME_RINGS_H

#include "stencil_time.h"

enum { AGO = 4 };                            /* passes that a pass may look back */
enum visit_axis { ROWS, LINES, COLUMNS, VISIT_AXES };

/* What a statement computes for a target, in each pass, and before the first one. */
struct row_ring {
	int statement, equation;
	const struct var *var;               /* its target */
	int behind;                          /* passes before the first one that are read */
	int64_t rows;                        /* of each pass that are kept */
	int64_t lo, hi;                      /* columns beside the own that are read */
	bool wanted;
	const struct var *memory[AGO + 1];   /* k: what k passes before the first have computed */
	bool only_edges[AGO + 1];
	const struct time_pair *pair[AGO + 1];   /* k: of what the k-th pass from the end leaves */
};
struct row_read { const struct expr *sample; int ring, ago; int64_t row, line, lo, hi; };
/* In the last pass: so many rows after the step, needed so many cells beside the unit. */
struct row_maker {
	const struct node *node;
	LIST(struct row_read) read;
	int *old;                            /* by equation: of `read`, or -1 */
	int64_t lag, beside[VISIT_AXES];
};
struct ring_plan {
	const struct time_plan *time;
	LIST(struct row_ring) ring;
	LIST(struct row_maker) stage;
	int64_t lag, beside[VISIT_AXES];     /* more of them each pass before */
	int64_t before, after, lowest;
	int64_t strip, pad;                  /* columns of a unit, and kept beside them */
	int64_t lines, line_pad;             /* likewise; 1 and 0: rows are lines */
};

/* NULL, and the reason why, and which statement it is about. */
struct ring_plan *ring_plan_of(const struct node *loop, const struct target *, int passes,
                               const char **why, const struct node **at);
int ring_number(const struct ring_plan *, int statement, int equation);
/* Cells from a line that is kept to the next; lines of a row; rows of a ring; its cells. */
int64_t ring_pitch(const struct ring_plan *), ring_lines(const struct ring_plan *);
int64_t ring_slots(const struct ring_plan *, const struct row_ring *);
int64_t ring_cells(const struct ring_plan *, const struct row_ring *);
/* In planes, what the last pass computes goes to memory at once: no pass reads it. */
bool ring_last_stored(const struct ring_plan *, const struct row_ring *);
/* Rows, or lines, outside of the array have a value: each ring has a line of it. */
bool ring_has_value(const struct ring_plan *, enum visit_axis);
bool ring_has_outside(const struct ring_plan *);
/* The boundary along it; NONE: the arrays have no such axis. */
enum boundary ring_edge(const struct ring_plan *, enum visit_axis);

#endif
