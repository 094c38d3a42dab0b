/* scan_cpu.h - the state of a scan's functions on a CPU (scan_cpu.c has the design). */
#ifndef SCAN_CPU_H
#define SCAN_CPU_H

#include "../cells.h"
#include "carry.h"
#include "cut.h"
#include "scan.h"

enum {
	/* columns that run side by side: whole cache lines of every type; a processor fetches ahead
	 * along the rows of WIDE strips, whose state is in its first cache */
	NARROW = 64,
	WIDE = 256,
	LITTLE = 16,            /* bytes that a column of such a strip carries, at most */
	ABREAST = 4,            /* rows or chunks that a thread runs at once, */
	STEPS = 16              /* cells of each in turn: a processor looks ahead some hundred
	                         * instructions */
};

struct cpu_scan {
	struct plan *plan;
	const struct node *node;
	const struct running *r;
	int fast;        /* the index of strips' columns; -1: a row runs along neighbouring cells */
	int64_t width;                  /* columns of a strip */
	bool chunked;                   /* a row may be cut: into chunks whose totals are joined, */
	bool owned;                     /* or into those that run the segments that begin in them */
	bool abreast;                   /* several rows or chunks run at once, a lane each */
	bool fours;                     /* cells are computed by fours */
	/* the host's numbers: all rows, cells of the longest, ... */
	struct kx *rows, *cells, *chunks, *step;
	struct kx *host_lo[MAX_RANK], *host_size[MAX_RANK];
	struct kx *slot[8], *begins_slot;
	/* of the function under construction */
	struct lowering *l;
	struct kernel *k;
	struct carry *c;
	struct accumulators kinds;
	/* what the slots hold: [(row * chunks + chunk) * columns + column] */
	struct kx *total[8], *begins;
	struct kx *lo, *hi;                  /* the row's cells */
	struct kx *first_column, *columns;   /* of the strip; how many there are */
	struct kx *column;                   /* the one that is bound; NULL: no strips */
	/* of every column; of a strip they are arrays, as are the parts of its state */
	struct accumulators totals;
	int parts;
	const struct type *part_type[CARRY_PARTS];
	struct kvar *part[CARRY_PARTS];
	/* of every lane: totals, or states */
	int held;
	struct kvar *lane[CARRY_PARTS];
};

/* scan_cpu.c */
struct var *cpu_axis(const struct cpu_scan *);

/* scan_cpu_cells.c */
/* What scan_cpu.kernel knows of a chunk's cells; totals: they are folded, not computed for good. */
void cpu_bind_cells(struct cpu_scan *, bool totals);

#endif
