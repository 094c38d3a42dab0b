/* reduce_mates.h - a kernel of statements that share their rows, under construction (reduce_mates.c has the design), and
 * the one that holds rows in registers (reduce_held.c). */
#ifndef REDUCE_MATES_H
#define REDUCE_MATES_H

#include "reduce.h"

struct mates {
	struct lowering *l;
	struct plan *plan;
	const struct group *group;
	const struct node *anchor;
	struct kx *terms, *host_terms;       /* of a row */
	struct kx *live;                     /* this thread has a row */
	struct kx *lane, *threads;           /* of the row: i64 */
	struct kx *first;                    /* is the first of its threads */
	struct kx *group_size;               /* threads, i32 */
	bool online;                         /* some statements fold the row in one pass */
	int64_t most_rows;                   /* of a block */
	LIST(struct kx *) slot;              /* shared: where the row's cell of each held array lies */
};

struct reduction *mates_reduction(const struct node *);          /* of one that folds */
bool mate_folds(const struct node *);
bool mate_cells(const struct mates *, const struct node *);      /* it computes a row's cells, not a value of the row */
struct lowering *mates_open(struct plan *, const struct group *, const char *name);
/* Which row a thread works for, and as which of its threads: 1 << bits of them. */
void mates_place(struct mates *, struct reduction *anchor, const struct kept *, struct kx *bits);
void mates_begin(struct mates *, const struct node *);           /* what it folds for the row has its place in memory */
void mates_row_value(struct mates *, const struct node *);
void mates_pass_on(struct mates *, const struct node *);         /* every thread takes what a row's first one has found */

/* NULL, or of what a row is read once: its cells stay in registers, those of these arrays; at most so many are held */
struct held_rows;
struct held_rows *held_rows_of(const struct group *, const struct target *);
/* The kernels that hold them, as the host tries them: of aligned rows, by vectors; of short ones; of others, cell by cell; of
 * long ones that a block holds if it has a multiprocessor to itself, in registers by vectors, or in shared memory. */
enum held_kind { HELD_VECTORS, HELD_SHORT, HELD_SINGLE, HELD_WIDE, HELD_SHARED };
int held_kinds(const struct held_rows *, const struct group *, const struct target *);      /* the first so many */
struct held_rows *held_kind(const struct held_rows *, enum held_kind);
int64_t held_cells(const struct held_rows *);
const char *held_names(const struct held_rows *);
/* Opens a branch of the host for rows that fit, with their kernel, and another one for the others, which is left open. */
void held_lower(const struct held_rows *, struct plan *, const struct group *);

#endif
