/* tiled.h - a kernel for tiles of a product (matmul_gpu.c has the design), under construction. */
#ifndef TILED_H
#define TILED_H

#include "product.h"

struct staged {                          /* an operand in a block */
	const struct operand *o;
	int size, width;                     /* cells of the tile along it; loaded at a time */
	int wide;                            /* of a vector in shared memory */
	int pitch;                           /* there, from one term to the next */
	struct kvar *shared, *next, *part;   /* two tiles; the thread's cells of the coming one; its share of a term */
	struct kx *first, *end;              /* of the tile's rows or columns; behind the last of all: i64 */
	struct kx *tile;                     /* number of the tile along it: i64 */
	struct kx *skip;                     /* inside: so many of them are in the tile before, too: i32 */
	struct kx *last;                     /* of the tile, of those where a load may begin: i32 */
	struct kx *share;                    /* where the thread's share begins: i32 */
	struct kx *warp, *lane;              /* which of those along it: i32 */
	struct kvar *at;                     /* if it walks: where the first cell that the thread brings is, in memory; */
	struct kx *apart;                    /* from there to its next one: i64; */
	struct kx *stride;                   /* or, if the last are loaded again, from a row or column to the next one */
};

struct tiled {
	const struct product *p;
	struct margins *margins;             /* folded behind its cells, or NULL */
	struct parts *parts;                 /* of its terms, each another block's, or NULL */
	struct tile_form form;
	struct lowering *l;
	struct kernel *k;
	bool vectors;
	bool inside;                         /* no tile goes beyond the last row or column: the last ones are moved back */
	bool copied;                         /* operands are, into shared memory: threads walk */
	struct staged staged[2];
	struct accumulator acc;
	struct kvar *sum, *buffer;
	struct kx *terms, *first_term;       /* i64 */
	struct kx *product;                  /* the block's, of a batch, or NULL: i64 */
	struct kvar *places;                 /* shared, or NULL: index by index, where the tile is and its product */
	const struct target *target;
	struct kvar *launched[2];            /* the host's, if there are margins: tiles along each side */
	struct kx *count[2], *tiles[2], *batch, *host_terms;     /* the host's: cells, tiles, products, terms */
};

struct kx *tiled_let(struct tiled *, const char *name, struct kx *value);
struct kx *tiled_own(const struct tiled *, enum side, struct kx *i);     /* where the thread's cell number i is in the tile */
int tiled_apart(const struct tiled *, enum side, int step);              /* lanes, from one place of a warp to another */
void tiled_open(struct tiled *, enum side, struct kx *place);            /* if the block computes that place of the tile: bound */
struct kx *tiled_each(struct tiled *, enum side);        /* for each of the thread's cells along it */
struct kx *tiled_value(struct tiled *, struct kx *i, struct kx *j);      /* the result's at the bound cell, a variable */

/* product_load.c: operands, from memory to registers, from there to shared memory */
struct kx *product_vectors_allowed(struct plan *, const struct product *, struct kx *const *count, struct kx *terms);
bool product_walks(const struct product *, enum side);
int64_t operands_shared(const struct product *, const struct tile_form *);        /* bytes of a block */
void operand_open(struct tiled *, enum side);
void operand_last(struct tiled *, enum side);            /* once it is known which tile */
void operands_load(struct tiled *, struct kx *from, bool whole);         /* from a tile's first term on; whole: all of it */
void operands_start(struct tiled *);                     /* the first tile is loaded, ... */
void operands_next(struct tiled *, struct kx *from, struct kx *whole);   /* ... and the next one, from that term on */
void operands_store(struct tiled *);
struct kx *operand_row(const struct tiled *, const struct staged *, struct kx *buffer, struct kx *term);  /* in shared memory: i32 */
struct place { struct kx *cell, *term; };                /* of a load, in the tile: i32 */
struct place operand_place(struct tiled *, const struct staged *, struct kx *load);
struct kx *operand_loads(struct tiled *, const struct staged *);         /* for each of the thread's */
void operand_walk(struct tiled *, enum side);            /* to the first tile's first load: s->at */
struct kx *operand_distance(struct tiled *, const struct staged *, struct kx *load);     /* from there: i64 */
void operand_ahead(struct tiled *, const struct staged *);               /* to that of the next terms */

/* product_copy.c: operands, straight to shared memory */
bool product_copied(const struct product *, const struct target *);      /* may they be? */
void copies_start(struct tiled *, struct kx *whole);     /* of so many terms, a multiple of a step's */
void copies_next(struct tiled *, struct kx *from, struct kx *whole);     /* while the step from that term on is folded */
void copies_turn(struct tiled *, struct kx *from, struct kx *whole);     /* to the step behind that one, if there is one: it is there */
void copies_rest(struct tiled *, struct kx *left);       /* the last terms, no whole step, are there */

/* product_parts.c: few tiles of many terms; the host's numbers */
struct parts { struct kx *host, *share, *cells, *slot; };        /* parts; terms of one; cells of the result; what parts found */
struct parts *parts_open(const struct tiled *, struct plan *);   /* NULL: never in parts */
void parts_enter(struct tiled *);
struct kx *parts_several(struct tiled *);                /* in the kernel: are there more than one? */
void parts_store(struct tiled *, struct kx *value);
void parts_close(const struct tiled *, struct plan *);

/* product_fold.c: reductions along rows or columns, of a group's epilogue */
struct margins *margins_open(const struct product *, const struct group *, struct plan *);      /* NULL: there are none */
void margins_fold(struct tiled *, struct margins *);     /* in the kernel, once all terms are folded; stores the result, too */
void margins_close(struct margins *, struct plan *, struct kvar *const *tiles);  /* behind it; the host's: tiles along each side */

#endif
