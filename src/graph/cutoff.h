/* cutoff.h - pairs, compact ... within R of (x, y, z): only bodies that are nearer than R.
 *
 * patterns/pairs/pairs_sema.c fills it.  A pair of cell i and term j counts if
 *
 *     (x[j] - x[i])^2 + (y[j] - y[i])^2 + (z[j] - z[i])^2 < R * R
 *
 * in f32, or in f64 if a coordinate is f64 or an integer; in a periodic box every difference d is
 * min(|d|, L - |d|).  That is the condition of every fold of the statement, together with what the
 * program says itself, so whoever folds all terms folds the right ones.  Cells that are no bodies
 * have a place of their own, `from (gx, gy, gz)`, instead of x[i], y[i], z[i].
 *
 * To look at near bodies alone, the statements in `made` come before it (src/pass/pass_bin.c): they
 * sort the numbers of the bodies by the cells of a grid, which are R long, along the first axis
 * R / fine, and copy what the folds read in that order.  The cells form a torus: two that are a
 * multiple of cells[a] apart along axis a share a slot.  So there are never more slots than
 * cutoff_slots() says, whatever the coordinates are; what lies far apart in one slot is found not
 * to be near. */
#ifndef CUTOFF_H
#define CUTOFF_H

#include "graph.h"

/* 2^CUTOFF_FINE_BITS cells of R along the first axis, if none are pinned; at most. */
enum { CUTOFF_AXES = 3, CUTOFF_FINE_BITS = 3, CUTOFF_FINEST_BITS = 4 };

/* What folds read of a body: from[body], or a field of it.  That of the body at a place is
 * to[place], or where several of one type lie together, to[place, lane]. */
struct copied { struct var *from; const struct field *field; struct var *to; int lane, lanes; };
struct cutoff {
	int axes;
	struct loc at;
	/* Of a periodic box the statement that records bodies outside, which have no pairs: its
	 * index is a body, its `where` is true of those inside.  NULL: there is no box, or the
	 * program is trusted. */
	struct node *box;
	/* likewise of cells that have a place: its indices are theirs, its `where` is also true of
	 * cells that the statement leaves out */
	struct node *places;
	struct affine bodies;                /* how many there are */
	/* the statements, in their order, and the temporaries that they fill */
	LIST(struct node *) made;
	LIST(struct var *) let;
	struct expr *most_fine;          /* a constant: the bits of `fine`, if none are pinned */
	bool wraps;                          /* every fold's `where` begins with both in the box */
	/* Of cells that have a place: its slot, u32, or what no slot is where it is not in the
	 * grid; else NULL.  Indices of the statement stay as they are. */
	struct expr *home;
	struct var *slot, *order;            /* u32: of a body, in that order; its number */
	/* i64, on the device: slots of R along the first axis; slots along each */
	struct var *fine, *cells[CUTOFF_AXES];
	LIST(struct copied) copied;          /* field NULL: all of it */
	/* `made` runs before the statement, whose indices are places in that order: pass_bin.c */
	bool binned;
	LIST(struct expr *) read;            /* slot, fine, cells: for walks over what is read */
	/* then: what says the place of the body, ...; NULL: of cells that are none */
	struct var *place;
	struct expr *cell;                   /* ... its number, ...; likewise */
	LIST(struct expr *) number;          /* ... and that of the term of each fold, i64 */
	/* Of a compact: the place of the other body of a pair.  Its `where` is at these places, its
	 * equations at the numbers. */
	struct var *other;
	bool listed;         /* pairs that are counted for a compact: terms may read of both */
};

/* A call has so many bodies at most, so that 32 bits number their slots. */
enum { CUTOFF_BODIES = INT32_MAX - 64 };

/* Slots of a grid for so many bodies, over sizes.  A body that has no place is in none of them. */
struct affine cutoff_slots(const struct cutoff *);

#endif
