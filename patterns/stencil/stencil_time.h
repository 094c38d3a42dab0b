/* stencil_time.h - several passes of a loop of stencils in one visit of memory: what must be held
 * (stencil_time.c), how many pay (stencil_time_choose.c), and the kernel of a GPU
 * (stencil_time_lower.c, time.kernel). */
#ifndef STENCIL_TIME_H
#define STENCIL_TIME_H

#include "../cells.h"

/* In arrays of three axes, a row is one line of a plane.
 *
 * Rows are counted from row 0 of a step: the one that comes from memory.  `lag`: so many rows
 * before it.  `age` of a row of a version: so many rows before its newest one. */

/* What an array contains at some time of a visit: its cells before the visit, which memory has, or
 * those that a level computes. */
struct version {
	const struct var *var;               /* the array, before the visit or after the level */
	int level, equation;                 /* level -1: memory has it */
	int statement;                       /* that computes it, or keeps its cells */
	int64_t lag;                         /* of its newest row */
	int64_t rows;                        /* that are held */
	int64_t lo, hi;                      /* columns beside the own that are read */
	int64_t wide_from, wide_to;          /* ages of rows whose such are read; from > to: none */
	bool slanted;                        /* beside the cell of another row, too */
	int64_t slots;                       /* planes whose lines other warps read; 0: none are */
	bool edges;                          /* only cells that a statement keeps are read of it */
	bool wanted;                         /* a level reads it, or the visit stores it */
	bool mixed;                          /* several statements compute its cells */
	const struct expr *sample;           /* a read of it, or its target */
};
struct time_read { const struct expr *sample; int64_t row, line, lo, hi; int version; };
/* One statement of one pass. */
struct level {
	const struct node *node;
	int pass, statement;
	int64_t lag;
	LIST(struct time_read) read;         /* rows of moving arrays */
	int *made, *old;                     /* by equation: its version, the target's before */
};
/* The array `from` is read by a visit, which writes what it becomes where `into` is: the cells that
 * passes compute, or all of them (whole). */
struct time_pair { const struct var *from, *into; int version; bool whole; };
struct time_plan {
	const struct node *loop;
	int passes;                          /* of a visit */
	int width;                           /* cells a lane */
	LIST(const struct node *) statement;
	LIST(const struct var *) constant;   /* arrays that are read, and that no pass changes */
	LIST(struct version) version;
	LIST(struct level) level;
	LIST(struct time_pair) pair;
	struct lefts left;                   /* as in struct passes, of the arrays that change */
	bool kept;                           /* some cells are computed by no pass */
	int64_t halo;                        /* columns at each side of a strip, not stored */
	int64_t halo_lines;                  /* lines at each side of a tile, not stored */
	int64_t before, after;               /* rows of memory that a row needs */
	int64_t words;                       /* registers of the rows that are held */
};

/* NULL, and the reason why, and which statement it is about. */
struct time_plan *time_plan_of(const struct node *loop, const struct target *, int passes,
                               const char **why, const struct node **at);
/* Where choice.alike holds, cells that no pass computes are read of the array that a pass reads,
 * not of the one that it writes.  NULL: no kernel computes so many passes. */
struct time_plan *time_plan_alike(const struct node *loop, const struct target *, int passes);
/* As in struct passes: passes of a launch, and what they leave. */
int time_choose(const struct node *loop, const struct target *, int pinned, const char **why,
                const struct node **at);
struct lefts time_leaves(const struct node *loop, const struct target *, int passes);
/* Warps of a block of a GPU; lines of a tile of planes that are stored. */
int time_warps(const struct time_plan *, const struct target *);
int64_t time_lines_stored(const struct time_plan *, const struct target *);
/* Bytes that a visit moves, and instructions of a pass: a cell, without those in vain. */
double time_bytes(const struct time_plan *), time_instructions(const struct time_plan *);
/* Arrays that a visit writes beside those of the loop. */
int time_spares(const struct time_plan *);
/* The loop's cells keep what no pass computes: `boundary keep`, ranges of `for`. */
bool time_computes_part(const struct node *);
/* Host: the arrays of a visit have exchanged their contents. */
void time_exchange(struct plan *, const struct time_pair *);
/* Cells of a statement along axis d that have all they read: first .. end - 1 (host). */
struct kx *time_first(struct lowering *host, const struct node *, int d),
	*time_end(struct lowering *host, const struct node *, int d);
/* The cells before the first of them, and after the last, if they are numbers. */
bool time_margins(const struct node *, int d, int64_t *first, int64_t *last);
/* The boundary along an axis by which cells beside the array are read; NONE: none are. */
enum boundary time_edge(const struct time_plan *, int d);
bool time_turns(const struct time_plan *, int d);    /* rows outside are made of those inside */
bool time_reflects(const struct time_plan *, int d);     /* and their order is turned round */
int time_rank(const struct time_plan *);                                 /* axes of the arrays */
const struct expr *time_value(const struct time_plan *, int d);          /* of B_VALUE */
int64_t time_strip(const struct time_plan *, const struct target *);     /* columns stored */

#endif
