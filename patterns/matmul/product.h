/* product.h - a product of matrices that tiles can compute (product.c), and the tiles
 * (matmul_gpu.c). */
#ifndef PRODUCT_H
#define PRODUCT_H

#include "lower.h"
#include "pass.h"

/* of the result: the first operand runs along rows, the second along columns */
enum side { ROWS, COLUMNS, PRODUCTS /* what an index counts: neither */ };

struct operand {
	const struct expr *e;                /* what a tile of it holds */
	struct var *placeholder;             /* of it, in what is folded */
	const struct var *along;             /* its (last) index that counts rows, or columns */
	const struct expr *main;      /* a read of it whose cells lie one after another, or NULL */
	bool deep;                           /* along the terms; else along rows or columns */
};

/* Many products of few cells (product_small.c): a block takes several whole ones, a thread a tile
 * of one or several. */
struct small_form {
	int cells[3];                        /* of a product: rows, columns, terms */
	int thread[2];                       /* of a tile: its rows lie apart */
	int tiles;                           /* of a product */
	int products, threads, turns;        /* of a block; tiles of a thread */
};

struct product {
	const struct node *node;
	const struct expr *fold;
	struct expr *term;               /* the same fold, of the placeholders: what sums are */
	const struct var *depth;             /* the index of the fold */
	int index[2];                     /* of the node's: rows, columns; all others are a batch */
	/* product_window.c: terms have several indices, `depth` is number `deep_index` of them;
	 * several indices of the node may count rows or columns, `index` has the last ones */
	bool window;
	int deep_index;
	enum side part[MAX_RANK];            /* then: what each of the node's counts */
	struct operand operand[2];
	struct small_form small;             /* if it has products, they are computed so */
	const struct matrix_unit *unit;  /* of a warp, that computes it; operands are its cells */
	bool group;                      /* or that of a group of warps, for large tiles, ... */
	int narrow;                          /* ... or for so many columns, 64 or 128 */
	bool across;                     /* rows are the result's last index, not its columns */
};

/* What a block computes, and a thread of it: in cells of the result. */
struct tile_form {
	int size[2], depth, thread[2];
	int lanes[2];                        /* of a warp, along rows and columns */
	int threads, min_blocks;
	int stages;                          /* of the operands' tiles in shared memory */
	bool group;                          /* the unit of four warps multiplies */
};

/* NULL, or why tiles cannot compute it. */
const char *product_find(struct product *, const struct node *, const struct target *);
/* the same, or reads of the same cell */
bool product_same(const struct expr *, const struct expr *);
/* Its terms are products of its two operands, and are added. */
bool product_adds(const struct product *);
int64_t product_bytes(const struct product *);   /* of its widest value */

/* product_unit.c: u is p for the target's matrix unit; or why there is none */
const char *product_unit(struct product *u, const struct product *p, const struct target *);
/* the unit of u multiplies the terms of the node */
void product_unites(const struct product *u, struct node *);
/* Would a unit that it may be computed by fold no rows or columns? */
bool unit_folds_none(const struct product *, const struct target *);
/* host: does the present device have it?  NULL: yes */
struct kx *product_unit_allowed(const struct target *, const struct matrix_unit *);
/* host: rows of the operand, of so many cells, begin at multiples of 16 bytes; NULL: never */
struct kx *product_rows_aligned(struct plan *, const struct product *, const struct operand *,
                                struct kx *cells);
/* by tiles: of units, or of plain cores where the device may have none */
void product_large(const struct product *, const struct group *, struct plan *);

/* product_words.c: operands and sums become what registers hold of them; and the value of such a
 * sum */
void product_words(struct product *, const struct target *);
struct kx *product_sum(const struct product *, struct kx *sum);

/* product_batch.c */
struct kx *product_cells(struct plan *, const struct product *, int d);  /* host: of index d */
struct kx *product_along(struct plan *, const struct product *, enum side);  /* host: of a side */
struct kx *product_batch(struct plan *, const struct product *);     /* host: products; NULL: one */
/* x / by, and a constant */
struct kx *product_rest(struct lowering *, struct kx *x, struct kx *by, struct kx **rest);
struct kx *product_terms(struct plan *, const struct product *);         /* host: of a cell */
/* the lowest index along it: i64 */
struct kx *product_first(struct lowering *, const struct product *, enum side);
struct accumulator product_accumulator(const struct product *);
/* The equation at the bound cell, whose terms come to sum: is stored, or its value. */
void product_finish(struct lowering *, const struct product *, struct kx *sum);
struct kx *product_value(struct lowering *, const struct product *, struct kx *sum);
/* The indices that count products, the last one first: cells, where another is slower, and the
 * first of them. */
struct batch {
	int n;
	const struct var *index[MAX_RANK];
	struct kx *size[MAX_RANK], *lo[MAX_RANK];
};
bool product_counts(const struct product *, int d);
struct batch product_axes(struct lowering *, const struct product *);
struct batch product_side_axes(struct lowering *, const struct product *, enum side);
void product_bind(struct lowering *, const struct batch *, struct kx *number);

/* product_text.c: a kernel under construction, of a text about a product */
struct product_text {
	const struct product *p;
	struct lowering *l;
	struct accumulator acc;
	struct batch axes;
	struct kx *product;                  /* the one at hand, of a batch, or NULL: i64 */
	/* of a window: a number gives the indices of a side, and of the fold; and its reader */
	struct batch cells[2], term;
	struct cells *reader;
};
/* binds what it shares with others */
struct product_text *product_text(struct lowering *, const struct product *);
/* parameters of the kernel: terms, first_term; */
void product_text_terms(struct product_text *, struct kx *host);
/* is that side called the columns? */
bool product_names_columns(const struct product *, enum side);
/* tiles */
void product_text_tiles(struct product_text *, enum side, struct kx *const *tiles,
                        struct kx *const *count);

/* of tiles: for large results, for small ones, and, of units, for results of few rows */
enum { LARGE, SMALL, FORMS, FEW = FORMS };
struct tile_form product_form(const struct product *, const struct target *, int which);
/* pinned, or 0 */
bool product_takes(const struct product *, const struct target *, const int *tile, int which);

int product_width(const struct product *);       /* cells that can be loaded at a time, at most */
void product_tiles(const struct product *, const struct group *, struct plan *);

/* product_parts.c: blocks that share the terms of tiles, about, and terms of each at least; 0: none
 * do */
struct sharing { int blocks, terms; };
struct sharing product_sharing(const struct product *, const struct target *, const struct group *);

/* product_small.c: finds .small where sizes are small constants; or why neither that nor tiles will
 * do */
const char *product_few(struct product *, const struct target *);
int small_width(const struct product *);
void product_small(const struct product *, struct plan *);

/* product_sized.c: a batch whose sizes may be small when it is called; if not, by tiles */
bool product_may_be_small(const struct product *, const struct group *);
void product_sized(const struct product *, const struct group *, struct plan *);

/* product_window.c: find the parts of a term, its channels, its edges; or why they do not fit */
const char *sliding_parts(struct product *), *sliding_depth(struct product *),
	*sliding_edges(const struct product *);
bool sliding_walks(const struct product *, enum side);    /* may it be copied, if it is its main? */
struct kx *sliding_channels(struct plan *, const struct product *);      /* host */
struct kx *sliding_near(struct plan *, const struct product *);      /* host: numbers are small */
/* host: of a cell, whose channels are rounded up to whole steps */
struct kx *sliding_terms(struct plan *, const struct product *, int step);
struct batch sliding_axes(struct lowering *, const struct product *);    /* of the fold */

/* product_plain.c: tiles for who pins them */
struct product_tile plain_tile(int which);
bool plain_takes(const int *tile);
void product_plain(const struct product *, struct plan *);

/* product_cpu.c: by packed panels if the host finds enough cells and terms, else as a reduce */
void product_panels(const struct product *, struct plan *, const struct group *);

/* ---- product_stage.c ---- */

enum { PLAIN_TILES = 2 };
struct product_tile { int size[2], thread[2]; };         /* cells of a block, of a thread */
struct product_tiles {                   /* shape.staged */
	const char *none;                    /* why there are no tiles; NULL: there are */
	const char *what;                    /* of which operands */
	struct product_tile tile[2];         /* that blocks can have: the host chooses */
	struct product_tile plain[PLAIN_TILES];      /* others, to be pinned */
	/* without tiles: whole products a block, cells a thread; or 0; */
	struct { int products, thread[2]; bool sized; } few;
		/* sized: as many as fit, where the host finds them small */
	/* blocks that share the terms of tiles, about, and terms of each at least */
	struct { int blocks, terms; } parts;
};
extern const struct staging product_staging;

#endif
