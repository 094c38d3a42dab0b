/* privatise.h - private copies of cells, in which a block combines items: what pass_privatise.c
 * decides and patterns/meet_private.c implements. */
#ifndef PRIVATISE_H
#define PRIVATISE_H

enum {
	TILES_ITEMS = 4,                     /* of near cells, at least, are sorted by tiles */
	TILES_BUNCHES = 1 << 18,             /* of such items, at least, ... */
	TILES_BYTES = 1 << 26,               /* ... into arrays that L2 caches do not hold */
	GROUPS = 4,   /* of a block's warps, each with its copies, where one operation is several */
	MOST_VECTORS = 4,                    /* of items a thread, at once */
	MOST_PARTS = 8,              /* of the cells, each a block's: so often every item is read */
	MOST_CHUNKS = 64,                    /* of the items, on a CPU: each has cells of its own */
	ITEMS_A_CHUNK = 1 << 12,             /* at least */
	ITEMS_A_CELL = 16,     /* at least, of more cells than have target.private_bytes; a ratio */
	/* at least, for a cell of a wide window: every block has to bring it home */
	WIDE_ITEMS = 512,
	/* of the items looked at, one in so many must go to a window that is hot */
	WIDE_SHARE = 4, NARROW_SHARE = 64
};
/* What a sample leaves in memory: i64 each.  No cells: nothing is hot. */
enum { HOT_FIRST, HOT_COUNT, HOT_COPIES, HOT_WORDS };

#endif
