/* cut.h - where sequences begin and end along the axis, in KIR: cut.c.  Cells are indices of the
 * axis (i64). */
#ifndef CUT_H
#define CUT_H

#include "lower.h"
#include "running.h"

/* The cell is where the scan begins a sequence: the first of lo .. hi in its order, or one that
 * heads, keys or the length say.  It lies within lo .. hi, and heads and keys bind it. */
struct kx *cut_head(struct lowering *, const struct node *, struct kx *cell, struct kx *lo,
                    struct kx *hi);

/* Segments by offsets or of one length, numbered along the axis; each is begin .. end, whatever the
 * range. */
struct kx *cut_begin(struct lowering *, const struct node *, struct kx *segment);
struct kx *cut_end(struct lowering *, const struct node *, struct kx *segment);
/* so many; NULL: as many as cells need */
struct kx *cut_segments(struct lowering *, const struct node *);
/* The last segment that begins at the cell or before it; -1: none.  Falling offsets give any. */
struct kx *cut_segment(struct lowering *, const struct node *, struct kx *cell);
/* of the axis, in the first target */
struct kx *cut_extent(struct lowering *, const struct node *);
/* In texts: begin_of(segment), end_of, segment_of(cell), segments(), offsets(), extent(). */
void cut_bind(struct lowering *, const struct node *);
/* A kernel that records offsets which fall or lie outside the axis, a length below 1; host_some:
 * there are cells. fallen: such offsets also set this flag (plan_flag), whether they are recorded
 * or not; or NULL. */
void cut_check(struct plan *, const struct node *, struct kx *host_some, struct kx *fallen);

#endif
