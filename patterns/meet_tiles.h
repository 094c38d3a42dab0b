/* meet_tiles.h - items that meet in tiles of the cells: meet_tiles.c. */
#ifndef MEET_TILES_H
#define MEET_TILES_H

#include "pass.h"
#include "ways.h"

/* Why the statement's items cannot be sorted by tiles of its cells; NULL: they can. */
const char *tiles_cannot(const struct node *, const struct target *);
void tiles_shape(const struct node *, const struct target *, struct shape *);
/* A row of ways: choice.tiles; there are items enough, and not too many tiles. */
bool tiles_fit(const struct task *);
struct kx *tiles_when(const struct task *);
void tiles_lower(const struct task *);

/* meet_carried.c: what is sorted of a bunch of items: cells that they read, and its number. */
struct carried {
	const struct node *node;
	int outer;                           /* the indices of a bunch are the first so many */
	LIST(const struct expr *) read;
	LIST(struct kvar *) value;           /* in a kernel: of each of these */
	bool numbered;
	int words;                           /* of 32 bits: 1, 2, 4 or 8 */
};
struct carried carried_of(const struct node *, int outer);
/* The indices of the bunch are bound: its record goes to order[at] (u32) and the words after it. */
void carried_store(struct lowering *, const struct carried *, struct kx *order, struct kx *at,
                   struct kx *number);
/* The values of the record there; the result is the number (i64), or NULL: nobody needs it. */
struct kx *carried_load(struct lowering *, struct carried *, struct kx *order, struct kx *at);
/* l->now.read, whose state is the struct carried. */
struct kx *carried_read(struct lowering *, const struct expr *);

#endif
