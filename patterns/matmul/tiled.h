/* tiled.h - a kernel for tiles of a product (matmul_gpu.c has the design), under construction. */
#ifndef TILED_H
#define TILED_H

#include "ktext.h"
#include "product.h"

struct tiled {
	const struct product *p;
	struct side_folds *side_folds;       /* folded after its cells, or NULL */
	struct parts *parts;                 /* of its terms, each another block's, or NULL */
	struct tile_form form;
	struct lowering *l;
	struct kernel *k;
	bool vectors;                        /* operands are loaded 16 bytes at a time, ... */
	struct kx *either;      /* ... where the host finds this, else by cells; NULL: always */
	bool inside;  /* no tile goes beyond the last row or column: the last ones are moved back */
	bool copied;                         /* operands are, into shared memory: threads walk */
	struct product_text *text;
	const struct target *target;
	struct kvar *launched[2];      /* the host's, if there are side folds: tiles along each */
	/* the host's: cells, tiles, products, terms */
	struct kx *count[2], *tiles[2], *batch, *host_terms;
	struct kx *host_vectors;       /* 16 bytes at a time may be loaded; NULL: never */
};

/* In a kernel where all terms are folded: what it has of a side, by the names of tiled.kernel. */
struct kx *tiled_side(const struct tiled *, enum side, const char *name);
/* what a variable of each side is called */
void tiled_names(const struct tiled *, const char *name, const char *const word[2]);
/* where the thread's cell number i is in the tile */
struct kx *tiled_own(const struct tiled *, enum side, struct kx *i);
/* neighbours along a side that a thread has */
int tiled_wide(const struct product *, enum side);
/* lanes, from one place of a warp to another */
int tiled_apart(const struct tiled *, enum side, int step);
/* if the block computes that place of the tile: bound */
void tiled_open(struct tiled *, enum side, struct kx *place);
struct kx *tiled_each(struct tiled *, enum side);      /* for each of the thread's cells along it */
/* the result's at the bound cell, a variable */
struct kx *tiled_value(struct tiled *, struct kx *i, struct kx *j);

/* product_unit.c: a warp multiplies by its matrix unit, if p->unit; lines of operands in shared
 * memory, and what fragments.kernel needs */
struct tile_form unit_form(const struct product *, const struct target *, int which);
enum { UNIT_FEW = 16 };                          /* rows of such a tile */
/* of copied operands; folds: of rows or columns */
int unit_stages(const struct product *, const struct tile_form *, bool folds);
bool unit_holds(const struct tiled *);           /* its operands, in registers; not copied ones */
int unit_blocks(const struct tiled *);           /* of a multiprocessor */
int unit_cost(const struct tiled *, int which);  /* relative time of a cell in such a tile */
bool unit_may_group(const struct tiled *);       /* if the host finds that the device can */
struct kx *unit_group_allowed(void);
bool unit_may_be_narrow(const struct tiled *, int columns);
struct kx *unit_narrow_when(const struct tiled *, int columns);
struct tiled unit_narrowed(const struct tiled *, int columns);
struct tiled unit_grouped(const struct tiled *);
struct tiled unit_turned(const struct tiled *);  /* rows are columns, if that is faster */
/* is the operand read by the unit of a group, as it was copied? */
bool unit_swizzles(const struct product *, enum side, const struct tile_form *);
bool unit_term_lines(const struct product *, enum side);
int unit_pitch(const struct product *, enum side, const struct tile_form *);    /* in cells */
void unit_bind(const struct tiled *);
struct kx *unit_launch(const struct tiled *);    /* host: blocks */

/* product_load.c: operands, from memory to shared memory */
struct kx *product_vectors_allowed(struct plan *, const struct product *, struct kx *const *count,
                                   struct kx *terms);
bool product_walks(const struct product *, enum side);
/* may they be, straight to shared memory? */
bool product_copied(const struct product *, const struct target *);
int64_t operands_shared(const struct product *, const struct tile_form *);    /* bytes of a block */
void operands_bind(const struct tiled *);                /* what tiled.kernel needs of them */

/* product_window.c: which index of the fold moves the window, or -1; numbers along axes that have
 * edges are smaller where vectors are copied */
int sliding_place(const struct product *, const struct var *);
enum { SLIDING_FAR = 1 << 29 };

/* product_slide.c: copies of operands that slide, and bytes of a block for them */
void sliding_bind(const struct tiled *);
bool sliding_in_lines(const struct product *);
int64_t sliding_shared(const struct product *, const struct tile_form *);

/* product_parts.c: few tiles of many terms; the host's numbers */
/* parts; terms of one; cells of the result; what parts found */
struct parts { struct kx *host, *share, *cells, *slot; };
struct parts *parts_open(const struct tiled *, struct plan *);   /* NULL: never in parts */
/* of a tile: in the kernel; the value at the bound cell is one of a part */
ktext_hole parts_of, parts_store;
void parts_close(const struct tiled *, struct plan *);

/* product_fold.c: reductions along rows or columns, of a group's epilogue */
/* NULL: there are none */
struct side_folds *side_folds_open(const struct product *, const struct group *, struct plan *);
/* in the kernel, once all terms are folded; stores the result, too */
void side_folds_in_kernel(struct tiled *, struct side_folds *);
/* after it; the host's: tiles along each side */
void side_folds_close(struct side_folds *, struct plan *, struct kvar *const *tiles);

#endif
