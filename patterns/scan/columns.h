/* columns.h - a scan along another axis than the last, on a GPU: sequences lie side by side,
 * and a thread takes one of them, or as many as a vector has elements, cell after cell.
 *
 * A column is the cells at one place of all other indices, counted row-major.  Positions along a
 * column count in the order of the scan, from 0: from right, position 0 is the high end. */
#ifndef COLUMNS_H
#define COLUMNS_H

#include "../cells.h"
#include "carry.h"
#include "scan.h"
#include "../block_scan.h"

/* What the host knows of the domain. */
struct reach {
	struct kx *lo[MAX_RANK], *size[MAX_RANK];
	struct kx *columns, *length;         /* how many; positions along one, at most */
	struct kx *cells;      /* of the whole domain, at most, over sizes alone; NULL: not known */
	struct kx *cuts;                     /* offsets: what each place of the axis is, or NULL */
};
struct reach columns_reach(struct plan *, const struct node *);

/* A read of the cell's own place: a thread holds it for all its cells. */
struct held { const struct expr *read; struct kvar *cell; };

struct columns {
	struct lowering *l;
	const struct node *node;
	const struct running *running;
	const struct reach *reach;
	struct cells *domain;
	struct carry *carry;
	int axis, last;                      /* of the node's indices */
	int width, rows;                /* columns of a thread; positions that it takes at a time */
	struct kx *lo[MAX_RANK], *size[MAX_RANK], *columns, *cuts;  /* in the kernel */
	struct kx *at_last;                  /* the last index of the thread's first column */
	struct kx *c, *r;     /* while a cell is bound, i32: which column, which position at hand */
	bool holds;                          /* reads are answered from what is held */
	LIST(struct held) held;
	LIST(struct kvar *) out;     /* of each target the cells to be stored as vectors, or NULL */
};

/* The totals of so many columns a thread leave it enough registers, and fit a block's memory. */
bool columns_fit(const struct target *, const struct carry *, int width);
/* Opens a kernel. */
struct columns *columns_open(struct plan *, const struct node *, const struct reach *,
                             const char *suffix, int width);
/* Binds what the texts of columns.kernel know. */
void columns_bind(struct columns *);
bool columns_marked(const struct columns *);             /* cells may begin sequences */

/* column_cuts.c */
enum { CUT_INSIDE = 1, CUT_HEAD = 2 };
/* Where offsets begin segments: a byte for each place of the axis, in the workspace; NULL: there
 * are no offsets.  host_some: the statement has cells. */
struct kx *column_cuts(struct plan *, const struct node *, struct kx *host_some);

#endif
