/* meet.h - statements whose items meet in cells: y[k[i]] += x[i] (meet.c). */
#ifndef MEET_H
#define MEET_H

#include "lower.h"
#include "pass.h"

enum meeting_way {
	MEET_AT_ONCE,      /* threads take items as they come: atomic operations */
	MEET_ALONE,        /* `unique`: no two items have one cell */
	/* every part of the threads takes the items of the cells that it owns, in their order */
	MEET_OWNED
};
struct meeting {
	enum meeting_way way;
	struct kx *part, *parts;             /* OWNED: of this thread or warp; how many */
	/* AT_ONCE: a lane does not look for others whose items go to the same cell */
	bool each_alone;
	bool even;             /* that is a power of two: neighbouring cells are different parts' */
	/* AT_ONCE, or NULL: the item goes to no memory, but to cells of the block's own: `count` of
	 * the array's `all`, numbered from `first` on (NULL: from the array's first on; i32, or
	 * i64).  What goes to others is left to the blocks whose they are, or, where the block has
	 * `others` beside its own, to memory.  Without a count nothing is combined: take, which
	 * gets no value, only sees where items go. */
	void (*take)(struct lowering *, struct kx *number, struct kx *value, void *state);
	void *state;
	struct kx *first, *count, *all;
	bool others;
	/* AT_ONCE, or NULL: is the cell with these subscripts (i64) one of the block's own, and
	 * which?  Others are memory's. */
	struct kx *(*own)(struct lowering *, const struct expr *cell, struct kx *const *sub,
	                  struct kx **own, const void *state);
};

/* How items meet on the plan's target. */
enum meeting_way meeting_way(const struct node *, const struct target *);
const char *meeting_text(const struct node *, const struct target *);
/* The item at the bound indices: what it brings goes where it belongs, or is recorded. */
void meet_item(struct lowering *, const struct node *, const struct meeting *);
/* Does the item at the bound indices go to a cell of this part, or outside and somebody must say
 * so? */
struct kx *meet_wanted(struct lowering *, const struct node *, const struct meeting *);
/* Host: of the first equation's array; of the domain, which the host knows; i64. */
struct kx *meet_cells(struct plan *, const struct node *),
	*meet_items(struct plan *, const struct node *);
struct kx *meet_count(struct plan *, const struct node *, int d);        /* of index d */
/* Does only the device know how many items there are? */
bool meet_counted_late(const struct node *);
void meet_owned(struct plan *, const struct group *);    /* meet_owned.c */
void meet_expanded(struct plan *, const struct group *);         /* meet_expanded.c */
void meet_in_memory(struct plan *, const struct group *);
void meet_lower(struct plan *, const struct group *);
void meet_shape(const struct node *, const struct target *, struct shape *);

/* meet_private.c: blocks have cells of their own.  Why not; NULL: they may. */
const char *private_cannot(const struct node *, const struct target *);
void private_shape(const struct node *, const struct target *, struct shape *);    /* if they may */
void meet_private(struct plan *, const struct group *);
void meet_chunks(struct plan *, const struct group *);   /* meet_chunks.c */

#endif
