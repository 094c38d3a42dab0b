/* reduce_held.h - rows that are read once (reduce_held.c has the design). */
#ifndef REDUCE_HELD_H
#define REDUCE_HELD_H

#include "reduce_mates.h"

enum {
	MOST_HELD = 8,                       /* arrays: a vector of each in 32 registers */
	REST_BYTES = 4096                    /* of shared memory for what is folded, beside a row */
};

struct held {                            /* an array */
	const struct var *var;
	const struct expr *read;             /* the first one of the row's cells, */
	const struct node *mate;             /* in this statement, */
	const struct var *column;            /* at this index */
	bool several;                        /* statements read it */
	bool loaded, stored; /* it is read before it is written; it is written, and others use it */
};
struct held_rows {
	LIST(struct held) at;
	const char *name;                    /* of its kernel, after the anchor's */
	int width, vectors;                  /* cells of a vector, vectors of a thread */
	int block, fewest, most;             /* threads of a block; of a row */
	int least;                           /* cells, of which it has more */
	int min_blocks;
	bool shared;                         /* the row lies in shared memory */
	bool spare;                          /* threads without a row hold another one */
};

/* the index along the row; NULL: a value of the row */
const struct var *held_column(const struct group *, const struct node *mate);
/* A cell of the row at hand, at the column; kept: indices of a row. */
bool held_is_own(const struct node *mate, int kept, const struct expr *read,
                 const struct var *column);

/* NULL, or of what a row is read once: its cells stay in registers, those of these arrays; at most
 * so many are held */
struct held_rows *held_rows_of(const struct group *, const struct target *);
/* The kernels that hold them, as the host tries them: of short aligned rows, a vector a thread; of
 * longer ones, by vectors; of others, cell by cell, short ones first; of long ones that a block
 * holds if it has a multiprocessor to itself, in registers by vectors, or in shared memory. */
enum held_kind { HELD_FEW, HELD_VECTORS, HELD_SHORT, HELD_SINGLE, HELD_WIDE, HELD_SHARED };
/* the first so many */
int held_kinds(const struct held_rows *, const struct group *, const struct target *);
struct held_rows *held_kind(const struct held_rows *, enum held_kind);
int64_t held_cells(const struct held_rows *);
const char *held_names(const struct held_rows *);
/* Opens a branch of the host for rows that fit, with their kernel, and another one for the others,
 * which is left open. */
void held_lower(const struct held_rows *, struct plan *, const struct group *);

#endif
