/* scan_gpu.h - the state of a scan's kernel on a GPU: scan_cells.c says where a cell lies and what
 * it reads and writes, scan_rows.c and scan_serial.c which thread runs over which cells. */
#ifndef SCAN_GPU_H
#define SCAN_GPU_H

#include "carry.h"
#include "cut.h"
#include "scan.h"
#include "../cells.h"
#include "../look_back.h"

enum { SCAN_ROWS = 12 };                  /* vectors that a thread takes at most */

struct held { const struct var *var; struct kvar *cells; };      /* of a thread, row by row */

struct scan {
	struct lowering *l;
	const struct node *node;
	const struct running *running;
	struct carry *carry;
	struct cells *cells;                 /* answers about the domain */
	int axis;                            /* of the node's indices, the one that runs */
	bool flat;                /* the cells are the elements of all its arrays, in their order */
	bool even;                           /* no index bounds another */
	bool uses[MAX_RANK];                 /* something needs that index of a cell ... */
	/* ... for what comes before its sequence, asked for where it is stored */
	bool from_uses[MAX_RANK];
	int width, rows;                     /* cells of a vector; vectors a thread */
	bool cuts;                           /* sequences are segments of the axis */
	struct kx *host_lo[MAX_RANK], *host_size[MAX_RANK], *host_cells;
	struct kx *lo[MAX_RANK], *size[MAX_RANK], *count;        /* in the kernel, once asked for */
	struct kx *marks;      /* offsets: words with a bit a cell of the axis: a sequence begins */
	/* a bit for each cell of the vector at hand; which is asked for; NULL: none */
	struct kx *mark_bits, *mark;
	struct kx *first_offset, *last_offset;
	/* the cell that code is made for */
	LIST(struct held) held;
	struct kx *slot;                     /* of the cell in those; NULL: they are not loaded */
	struct kx *leads;           /* strips: it is the first of those that its warp has brought */
	struct kx *number;                   /* of the cell, flat */
	struct kvar *column, *row;     /* of the cell in the order of the scan; NULL: not counted */
	LIST(struct kvar *) out;  /* vectors that take what the targets get; none: stored at once */
	struct kx *lane;                     /* of them */
	struct kx *stores;                 /* without those, the cell may be stored; NULL: it may */
};

/* Opens a kernel for the node; flat: cells may be addressed by one number. */
struct scan *scan_begin(struct plan *, const struct node *, bool flat);
bool scan_is_flat(const struct node *);
/* An element of that array at its own cell, of the flat ones. */
bool scan_own(const struct node *, const struct expr *read);
/* what a cell evaluates */
bool scan_each(const struct node *, bool (*visit)(struct expr *, void *), void *);
int scan_width(const struct node *);         /* cells of the widest vector of its arrays */
struct kx *scan_lo(struct scan *, int d);    /* of an index' range; its cells; all cells */
struct kx *scan_size(struct scan *, int d);
struct kx *scan_count(struct scan *);
/* an index but the running one; also for `from` */
bool scan_uses_row(const struct scan *, bool from);
void scan_use_from(struct scan *);           /* from here on */
/* Binds the index that runs to its column-th value in the order of the scan, the others to row
 * number `row`; those that nothing uses are left out. */
void scan_bind(struct scan *, struct kx *column, struct kx *row);
void scan_bind_row(struct scan *, struct kx *row);            /* for what `from` reads */
/* The bound cell, column-th of its axis in the order of the scan, begins a sequence. */
struct kx *scan_head(struct scan *, struct kx *column);
struct kx *scan_inside(struct scan *);       /* the bound cell is in a segment; NULL: always */
struct kx *scan_all_inside(struct scan *);   /* every cell is; NULL: always */
void scan_store(void *scan, const struct equation *, struct kx *value);
void scan_ends(struct scan *);               /* by offsets: the first and the last of them */
void scan_marks(struct scan *);              /* and a bit a cell of the axis, by a kernel before */
void scan_check_length(struct scan *);       /* one below 1 is recorded, and nothing runs */

#endif
