/* product_small.h - many products of few cells: the matrices that a block moves (product_sheet.c),
 * and what it computes of them, of sizes that are constants (product_small.c), or known to the host
 * (product_sized.c). */
#ifndef PRODUCT_SMALL_H
#define PRODUCT_SMALL_H

#include "product.h"

/* The cells of an operand, or of the result, of all products of a block: rows after rows in shared
 * memory, which is also how they lie in the array if it is `flat`. */
struct sheet {
	const struct expr *e;                /* an operand's value; NULL: the result */
	const struct type *type;             /* of a cell in shared memory */
	const struct var *index[2];          /* that counts rows there, and columns */
	const struct expr *lo[2];
	int size[2], cells;                  /* of a product; 0: known to the host */
	struct kx *extent[2], *each;         /* the same in the kernel: i32 */
	bool single;                         /* the same for all products */
	/* neighbours in memory: cells of a column; the same cell of several products */
	bool turned, across;
	/* reads whose cells lie in the sheet's order, product after product */
	LIST(const struct expr *) flat;
	int width;                           /* cells that are moved at a time */
	LIST(struct kvar *) base;            /* where the block's cells of each of these begin */
	/* cells on their way there, in registers; NULL: nothing waits */
	struct kvar *shared, *next;
};

enum { LEFT, RIGHT, RESULT, SHEETS };

/* A block's kernel under construction. */
struct few {
	const struct product *p;
	struct small_form form;
	struct lowering *l;
	struct kernel *k;
	struct sheet sheet[SHEETS];
	struct batch axes;
	struct kx *share;                    /* products of a block, the last one apart: i32 */
	/* product of the block: i64; how many there are from there on, at most its share: i32 */
	struct kx *first, *left;
	/* bool: arrays begin at multiples of 16 bytes; NULL: nothing can be a vector */
	struct kx *vectors;
	struct kx *whole;                    /* bool: likewise, and the block has its full share */
	struct kx *sums;                     /* of a thread */
	bool direct;             /* a thread stores its cells, else they go through shared memory */
};

/* of the block; row and column; in shared memory: i32 */
struct place { struct kx *product, *cell[2], *in; };

/* how its arrays lie; its sizes are open */
struct sheet sheet_lies(const struct product *, int which);
struct sheet sheet_of(const struct product *, int which);        /* of sizes that are constants */
struct kx *sheets_aligned(const struct few *, struct plan *);    /* host: vectors, or NULL */
void sheet_open(struct few *, struct sheet *);   /* its shared memory, and where its arrays begin */
void sheets_bring(struct few *);                                 /* both operands, and a barrier */
void sheet_bring_cells(struct few *, const struct sheet *);      /* an operand, one by one */
void sheet_finish(struct few *);                                /* the result, from shared memory */
void sheet_finish_cell(struct few *, const struct place *, struct kx *sum);
/* The equation at a thread's cells, row `row` (i32) from column `column` on, of a product of the
 * block. */
void sheet_finish_row(struct few *, struct kx *product, struct kx *row, struct kx *column,
                      struct kx *sums);

#endif
