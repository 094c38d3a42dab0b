/* reduce_mates.h - a kernel of statements that share their rows, under construction (reduce_mates.c
 * has the design). */
#ifndef REDUCE_MATES_H
#define REDUCE_MATES_H

#include "reduce.h"

struct mates {
	struct lowering *l;
	struct plan *plan;
	const struct group *group;
	const struct node *anchor;
	struct reduction *reduction;         /* of the anchor */
	const struct kept *kept;             /* the rows */
	struct kx *host_terms;               /* of a row */
	bool online;                         /* some statements fold the row in one pass */
	int64_t most_rows;                   /* of a block */
	LIST(struct kx *) slot;           /* shared: where the row's cell of each held array lies */
};

struct reduction *mates_reduction(const struct node *);          /* of one that folds */
bool mate_folds(const struct node *);
/* it computes a row's cells, not a value of the row */
bool mate_cells(const struct mates *, const struct node *);
struct lowering *mates_open(struct plan *, const struct group *, const char *name);
/* The threads of a row; bits: log2 of them, of the host. */
void mates_bind_group(struct lowering *, struct kx *bits);
/* What the text share_rows calls, with statements(), and what it knows. */
void mates_bind(struct mates *, ktext_hole *statements, const void *state);
/* what it folds for the row has its place in memory */
void mates_begin(struct mates *, const struct node *);
void mates_row_value(struct mates *, const struct node *);
/* every thread takes what a row's first one has found */
void mates_pass_on(struct mates *, const struct node *);

#endif
