/* cells_structs.h - structs that come to the chip whole: cells_structs.c for cells_flat.c and
 * map_lower.c. */
#ifndef CELLS_STRUCTS_H
#define CELLS_STRUCTS_H

#include "cells.h"

struct whole_struct {
	const struct var *var;
	bool in, out;                        /* brought before, sent after */
	int64_t used;                       /* bytes of a cell that the statement reads or writes */
	struct kvar *tile;                   /* in a kernel: those of a block */
};
struct whole_structs {
	LIST(struct whole_struct) at;
	int64_t bytes;                       /* of shared memory, a cell */
	const char *why;     /* if there are none: what a remark says, or NULL: no structs at all */
};
struct whole_structs whole_structs(const struct node *, const struct target *);
struct whole_structs whole_structs_of(const struct cells *);   /* those that the statement stages */
/* cells a thread can have */
int whole_structs_pieces(const struct whole_structs *, const struct target *);
const char *whole_structs_text(const struct whole_structs *);

/* Do all of them begin at a multiple of 16 bytes?  On the host. */
struct kx *whole_structs_aligned(const struct whole_structs *, struct plan *);
/* The cells of a block from `first` on: as many a thread, all of them there. */
void whole_structs_tile(struct cells *, struct whole_structs *, struct kx *first, int per_thread);

extern const struct staging structs_staging; /* cells_stage.c: of a shape whose `staged` they are */

#endif
