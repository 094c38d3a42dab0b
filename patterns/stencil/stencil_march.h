/* stencil_march.h - a stencil staged in registers: what is held (stencil_hold.c), how rows come in
 * (stencil_rows.c), and the kernel that marches over them (stencil_registers.c). */
#ifndef STENCIL_MARCH_H
#define STENCIL_MARCH_H

#include "../cells.h"
#include "stencil_tile.h"

/* ---- stencil_hold.c ---- */

/* Rows of one array whose cells differ along the march only.  They are
 * brought in once, at the far end, and handed on from window to window as the march goes. */
enum { MAX_WINDOWS = 9 };
struct chain {
	const struct var *var;
	const struct expr *sample[MAX_WINDOWS];               /* a read of row from + w; NULL: none */
	int64_t across[MAX_RANK];                             /* offsets along the axes but march and columns */
	int64_t from, to;                                     /* along the march */
	int64_t lo, hi;                                       /* along the row */
	bool wide[MAX_WINDOWS];                               /* cells beside the lane's own are read */
	int nearest, beside;                                  /* the first and last such window; beside -1: none */
	struct kvar *window[MAX_WINDOWS];                     /* cells lo .. hi + width of row from + w */
};
struct register_plan {
	int march;                                            /* axis; -1: none (one axis only) */
	int width;                                            /* cells a lane */
	bool all_near;                                        /* no other read needs an edge */
	LIST(struct chain) chain;
	int words;                                            /* registers of all windows */
};
/* NULL and the reason why a stencil can't be held in registers. */
struct register_plan *register_plan_of(const struct node *, const char **why);
bool chain_is_own(const struct chain *);                  /* in line with the cell itself along the march */
int64_t window_size(const struct register_plan *, const struct chain *);

/* ---- stencil_stage.c ---- */

extern const struct staging stencil_staging;

/* ---- stencil_stage.c ---- */

extern const struct staging stencil_staging;

/* ---- the march ---- */

/* A cell beside the lane's own, in rows of one extent: where it is, the same for all steps. */
struct side {
	struct affine extent;
	int64_t offset;
	struct kx *alone;                        /* no other lane of the row holds it */
	struct kx *at;                           /* distance from the lane's first cell, edge applied */
	struct kx *fits;                         /* NULL: it, or what stands for it, is always in the row */
};

/* What a chain's rows have in common. */
struct line {
	struct kx *base;                         /* pointer: the lane's first cell, at index 0 of the march */
	struct kx *position[MAX_RANK], *fits[MAX_RANK];     /* across the march; fits NULL: always inside */
};

struct march {
	struct cells *c;
	struct register_plan *plan;
	int lanes;                               /* along a row; the block's others are rows or stretches */
	struct kx *lane_x, *group;
	struct kx *lo[MAX_RANK], *end[MAX_RANK]; /* domain, in the kernel */
	struct kx *tiles[MAX_RANK];              /* blocks along each axis */
	struct kx *blocks;                       /* host */
	struct kx *first, *steps;                /* along the march: this lane's first index; number of steps */
	struct kx *column;                       /* first cell of the lane's vector */
	struct kx *inside;                       /* the lane has cells (but for the march's own end) */
	struct line *line;                       /* by chain */
	struct kx *stored;                       /* the cells of the vector that no edge keeps; NULL: tested one by one */
	LIST(struct side) side;
};

/* ---- stencil_rows.c ---- */

/* A row of a chain, ahead of the march or at it. */
struct row {
	const struct chain *chain;
	struct kvar *window;
	struct kx *cells;                        /* pointer to the lane's first cell in it */
	struct kx *position[MAX_RANK], *fits[MAX_RANK];         /* fits NULL: always inside */
	bool own, beside;                        /* what of it comes in now */
	struct kx *vector;                       /* the lane's own cells */
	LIST(struct kx *) alone;                 /* the cells beside, for lanes that are alone there */
};
struct rows { LIST(struct row) at; };

/* What stays the same while the march goes: once the lane's place is known. */
void march_lines(struct march *);
/* Adds window w of a chain to the rows that come in: its own cells, those beside. */
void march_row(struct march *, struct rows *, int chain, int w, bool own, bool beside);
void march_fetch(struct march *, struct rows *);          /* all loads are under way before a value is needed */
void march_join(struct march *, struct rows *);           /* into their windows */

/* ---- stencil_registers.c ---- */

void registers_lower(struct plan *, const struct group *);

#endif
