/* wave_band.h - rows of a tile that go on together, on a CPU: wave_band.c, band.kernel. */
#ifndef WAVE_BAND_H
#define WAVE_BAND_H

#include "wave.h"

/* BAND_BACK: places that a cell looks back, less than any STEPS */
enum { BAND_READS = 16, BAND_BACK = 7 };

/* What is copied to lines before the cells of some places: an old neighbour, or one of another
 * turn of an outer axis; or (from NULL) a read of another array. */
struct fetched { const struct neighbour *from; const struct expr *read; struct kvar *line; };

struct band {
	struct axes *axes;
	int64_t steps;                       /* places that a line is kept for: a power of two */
	int64_t depth, above, left, right;   /* how far a cell looks */
	struct kvar **line;                  /* of each equation's table */
	struct fetched fetched[64 + BAND_READS];
	int fetches, reads;                  /* reads: of other arrays */
	struct kvar *lane[8], *number[8];    /* what each lane folds; of an argmin its term */
	struct kx *back[BAND_BACK + 1];      /* the line of so many places before */
	/* of the bound cell: in lines; counted in the order */
	struct kx *at, *row, *place;
};

/* Why the rows of a tile cannot go on together; NULL: they can, and the slope of tiles is one more
 * than wave_slope. */
const char *no_band(const struct node *, const struct target *);
/* Binds what `march_bands` of band.kernel uses beside what tiles.kernel does. */
void band_bind(struct band *, struct axes *);

#endif
