/* pass.h - shared by the passes: walking the statements of an entry, and what the user pinned. */
#ifndef PASS_H
#define PASS_H

#include "patc.h"

/* Calls visit for every pattern statement that has a kernel, those inside repeats included. */
void pass_each(struct entry *, void (*visit)(struct node *, const struct options *), const struct options *);
void guard_folds(struct entry *, const struct options *);              /* guard.c: before all of them */

enum { PLAIN_TILES = 2 };

/* How the kernel of a statement can be formed on a target, as far as it is decided: the pattern's answer. */
struct shape {
	bool stages;                         /* cells read again can be kept on the chip */
	int vector;                          /* elements a memory access can move at most */
	const char *no_vector;               /* why that is one */
	const char *piece;                   /* what a thread takes one or more of: vector, row */
	int pieces;                          /* that it can take at most */
	bool at_once;                        /* all of them are loaded before the first is used */
	const char *no_pieces;               /* why it takes no more than one unless pinned */
	enum sweep sweep;                    /* the order that its cells take if nobody pins one; AUTO: none waits */
	const char *no_sweep[SWEEP_COUNT];   /* why it cannot take that one; NULL: it can */
	int problem[MAX_RANK], problems;     /* indices whose cells have nothing to do with those at another, slowest first */
	const char *no_births;               /* why no fold can be applied where its cells are born; NULL: it can */
	int line[2], lines;                  /* indices along which a fold can be that keeps all others */
	const char *no_unstored;             /* once it has an order: why tables that nobody else reads are stored, or NULL */
	const struct ring *ring;             /* then: but no more cells of them than these are wanted; NULL: all are */
	const char *no_pack;                 /* of a batch: why two cells cannot share a word; NULL: they can, ... */
	const char *pack;                    /* ... and what proves it */
	const char *law;                     /* which law allows the order chosen, or why none does; or NULL */
	const char *product;                 /* of which operands, if tiles of them can be staged, or NULL */
	const char *no_product;              /* why a product has no such tiles; NULL: it has, or is none */
	struct tile_of_product { int size[2], thread[2]; } tile[2];      /* that blocks can have: the host chooses */
	struct tile_of_product plain[PLAIN_TILES];   /* of others, for who pins them */
	struct { int products, thread[2]; bool sized; } few;    /* of a product without tiles: whole ones a block, cells a thread; or */
	                                     /* 0; sized: as many as fit, where the host finds them small */
	struct { int blocks, terms; } parts; /* of a product: blocks that share the terms of tiles, about, and terms of each at least */
	const char *turned;                  /* what tiles turn between rows and columns, or NULL */
	const char *no_turned;               /* why a transpose has none; NULL: it has, or is none */
	const char *thin;                    /* what a block moves where one of its sides is short, or NULL */
	const char *moved;                   /* which structs come to the chip whole, or NULL */
	const char *no_moved;                /* why none; NULL: some do, or it has no structs */
	const char *unfit;                   /* why such a tile cannot be as pinned; NULL: it can, or none is pinned */
	const char *rows;                    /* of rows that statements share, what registers can hold, or NULL */
	bool owned;                          /* each part of the threads asks where all items go, and takes its own */
	const char *meet;                    /* how items that go to one cell are combined; NULL: its cells are its own */
	const char *no_private;              /* then: why blocks can have no cells of their own; NULL: they can */
	int64_t cells, cell_bytes;           /* that items go to, -1: sizes say how many; of one */
	bool chunked;                        /* chunks of the items have such cells, not blocks */
	int copies, threads;                 /* of each that are worth their room at most; of a block that has them */
	bool few_cells;                      /* the statement says that they are few */
	const char *regular, *irregular;     /* rows whose lengths data decide: how they share the work, or why not */
};
struct shape shape_of(const struct node *, const struct options *);
/* pass_stage.c: NULL, or why tiles of a product's operands are not staged */
const char *product_unstaged(const struct node *, const struct shape *, const struct options *);
const char *no_shared(const struct node *, const struct options *);      /* NULL, or why `stage shared` cannot be */
/* Blocks of so many threads and bytes of shared memory that a multiprocessor holds at a time. */
int blocks_of_unit(const struct target *, int threads, int64_t shared);

/* The user's pin, if there is one, cannot hold.  On the statement's own label that is an error, and true;
 * pinned for the whole kernel, it holds where it can. */
bool pin_refused(const struct node *, enum pin, enum diag, const char *format, ...)
	__attribute__((format(printf, 4, 5)));
/* The same, where no other value would do: the cure is to leave it out. */
bool pin_unfit(const struct node *, enum pin, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

#endif
