/* wave_blocked.h - a wavefront by blocks of rows: wave_blocked.c, wave_solve.c. */
#ifndef WAVE_BLOCKED_H
#define WAVE_BLOCKED_H

#include "wave.h"

enum {
	SUPER_ROWS = 512,                    /* of a block of blocks */
	BLOCK_ROWS = 128,
	LEAST_ROWS = 256, LEAST_COLUMNS = 16 /* that are worth it */
};

/* Why it has no blocks; NULL: it can have. */
const char *no_blocked(const struct node *, const struct target *);
void blocked_split(struct node *);           /* puts the statements of its blocks into its body */
struct kx *blocked_pays(struct plan *, const struct node *);         /* host */
/* the rows of a block: a statement with wave->block */
void wave_solve(struct plan *, const struct node *);

#endif
