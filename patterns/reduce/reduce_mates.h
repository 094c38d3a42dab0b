/* reduce_mates.h - a kernel of statements that share their rows, under construction (reduce_mates.c has the design). */
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

#endif
