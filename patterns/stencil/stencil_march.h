/* stencil_march.h - a stencil staged in registers: what is held (stencil_hold.c), how rows come in
 * (stencil_rows.c), and the kernel that marches over them (stencil_registers.c). */
#ifndef STENCIL_MARCH_H
#define STENCIL_MARCH_H

#include "../cells.h"
#include "stencil_tile.h"

/* ---- stencil_hold.c ---- */

/* Rows of one array whose cells differ along the march only.  They are brought in once, at the far
 * end, and handed on from window to window as the march goes.  Those of a term that the march
 * carries are computed there, from rows that have come in. */
enum { MAX_WINDOWS = 9 };
struct chain {
	const struct var *var;
	const struct expr *term;                              /* at the far end; NULL: an array's */
	const struct expr *sample[MAX_WINDOWS];               /* of row from + w; NULL: none */
	int64_t across[MAX_RANK];                             /* but march and columns: 0 */
	int64_t from, to;                                     /* along the march */
	int64_t lo, hi;                                       /* along the row */
	bool wide[MAX_WINDOWS];                               /* also cells beside are read */
	int nearest, beside;                                  /* first, last such; -1: none */
	struct kvar *window[MAX_WINDOWS];                     /* cells lo .. hi + width of it */
	int first_window;                                     /* its number among all */
};
struct register_plan {
	const struct node *node;                    /* computed; it may read carried terms */
	const struct carries *carries;                        /* NULL: none */
	int march;                                            /* axis; -1: none (one axis only) */
	int width;                                            /* cells a lane */
	bool all_near;                                        /* no other read needs an edge */
	LIST(struct chain) chain;                             /* those of terms are last */
	int arrays;                                           /* chains before them */
	int words;                                            /* registers of all windows */
};
/* NULL and the reason why a stencil can't be held in registers. */
struct register_plan *register_plan_of(const struct node *, const char **why);
bool chain_is_own(const struct chain *);                  /* in line with the cell itself */
int64_t window_size(const struct register_plan *, const struct chain *);

/* ---- stencil_carry.c ---- */

/* A term, moved along the march to the plane `far`, where all terms are computed, and the array
 * that the node reads instead of it. */
struct carried { const struct var *var; struct expr *term; };
struct carries { const struct node *node; int64_t far; LIST(struct carried) term; };
/* NULL: no term occurs in several planes. */
const struct carries *carries_of(const struct node *, int march);

/* ---- stencil_stage.c ---- */

extern const struct staging stencil_staging;

/* ---- the march: march.kernel ---- */

/* A cell beside the lane's own, in rows of one extent: where it is, the same for all steps. */
struct side {
	struct affine extent;
	int64_t offset;
	struct kx *alone;                        /* no other lane of the row holds it */
	struct kx *distance;                     /* from the lane's first cell, edge applied */
	struct kx *fits;                         /* NULL: it is always in the row */
};

/* What a chain's rows have in common across the march: positions; fits NULL: always inside. */
struct line { struct kx *position[MAX_RANK], *fits[MAX_RANK]; };

/* A row of a chain that comes in: the lane's own cells, or only some beside. */
struct row {
	const struct chain *chain;
	int number, window;                      /* of the chain; of its windows */
	int64_t before;                          /* steps before the window's own row */
	struct kx *position[MAX_RANK], *fits[MAX_RANK];         /* fits NULL: always inside */
	bool own;
};

/* A cell beside the lane's own that comes in with a row. */
struct beside { int row, side; int64_t offset, away; };       /* away: lanes, < 0 before this one */

struct march {
	struct cells *c;
	struct register_plan *plan;
	int lanes;                               /* along a row, of those of a block */
	struct kx *lo[MAX_RANK], *end[MAX_RANK]; /* domain, in the kernel */
	struct kx *tiles[MAX_RANK];              /* blocks along each axis but the first */
	struct kx *blocks;                       /* host */
	struct line *line;                       /* by chain */
	LIST(struct side) side;
	LIST(struct row) row;                    /* that come in now, */
	LIST(struct beside) beside;              /* and what beside */
	LIST(int) carried;                       /* chains whose terms are computed now */
};

/* ---- stencil_rows.c ---- */

void march_bind_rows(struct march *);
/* Is what lies beside handed on from window w to the one before? */
bool hands_beside(const struct chain *, int w);

/* ---- stencil_lower.c ---- */

/* Folds what the blocks have found, and launches so many of them (host). */
void stencil_launch(struct cells *, struct kx *blocks);

/* ---- stencil_registers.c ---- */

void registers_lower(struct plan *, const struct group *);

#endif
