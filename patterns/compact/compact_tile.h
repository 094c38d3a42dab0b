/* compact_tile.h - the items of a tile, on a GPU: compact_gpu.c has the design. */
#ifndef COMPACT_TILE_H
#define COMPACT_TILE_H

#include "compact.h"

/* Shared: what the nth equation of each part moves, if of that type, by rank; a warp has its own
 * piece. */
struct staged { int nth; const struct type *type; struct kvar *memory; };
/* registers: of every item of the thread */
struct held { const struct expr *read; struct kx *value; };

struct tile {
	const struct box *box;
	struct items *it;                    /* in the kernel */
	bool any;                            /* in any order */
	int parts, counted;               /* of the items; those that are counted, the first ones */
	int rows, width;                     /* of a thread: rows of so many neighbouring items */
	int64_t items;                       /* of a tile */
	LIST(struct staged) staged;
	/* compact_held.c; nothing: items leave their numbers, not their values */
	LIST(struct held) held;
	struct kx *at;                  /* of the item at hand: its place among the thread's, i32 */
};

struct kvar *tile_staged(const struct tile *, int nth, const struct type *);
/* The nth equation of a part; NULL after the last. */
const struct equation *tile_nth(const struct node *, enum part, int nth);

bool held_find(struct tile *);    /* may the values be held in registers?  sets rows, width, held */
void held_bound(const struct tile *);        /* registers of the kernel for as many blocks as fit */
void held_bind(struct tile *);               /* what compact.kernel needs for it */
void compact_tiles(struct tile *);           /* whose items are numbers, or held */

/* The parameters of the kernel for what blocks publish.  The result: blocks of the launch. */
struct kx *places_open(struct tile *, struct kx *host_tiles, struct kx *most_tiles);
#endif
