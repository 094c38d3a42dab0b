/* wave_stretch.h - some neighbouring cells of one row of a wavefront, computed by a block at once:
 * wave_stretch.c. */
#ifndef WAVE_STRETCH_H
#define WAVE_STRETCH_H

#include "../block_scan.h"
#include "../scan/recur.h"
#include "wave.h"

struct stretch {
	struct axes *axes;                   /* their lowering is the kernel's */
	int cells;                           /* of a thread: neighbours */
	/* in the copy at hand all cells are there, and their neighbours in the tables */
	bool plain;
	struct kx *lane, *warp;
	struct solved *solved;               /* an equation each */
};

/* why rows cannot be solved; NULL: they can */
const char *no_stretch(const struct node *, const struct target *);
const char *stretch_law(const struct node *);
/* of a thread that has so many registers for values */
int stretch_cells(const struct node *, int words);
/* Declares what the kernel's block needs, at its beginning; its lowering and block size are known.
 * */
void stretch_open(struct stretch *, struct axes *, int cells);
int64_t stretch_columns(const struct stretch *);         /* of the whole block */
/* The bound row from column `first` to before `end` (i64, in the order), stretch_columns at most.
 * Every thread of the block arrives, and may read the cells after it. */
void stretch_solve(struct stretch *, struct kx *first, struct kx *end);

#endif
