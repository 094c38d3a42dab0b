/* look_back.h - what comes before a tile, in one launch: look_back.c. */
#ifndef LOOK_BACK_H
#define LOOK_BACK_H

#include "block_scan.h"

struct look_back {
	struct kx *tiles;                    /* of the launch, i64 */
	struct kx *state;                    /* what is known: words of 64 bits */
	int words;                           /* a total takes */
	struct kx *lane, *warp;              /* of this thread */
	struct kvar *drawn;                  /* the block's memory for the number of its tile */
	struct kx *ticket;                   /* late: of the block that leaves last */
};

/* Opens the loop over the tiles of a block, in a launch of *host_blocks.  *tile: the number of one,
 * i64, the same in all threads.  host_tiles: how many there are; most_tiles: not less, over sizes
 * alone, for the workspace. */
struct look_back *look_back_open(struct lowering *, const struct total *like, struct kx *host_tiles,
                                 struct kx *most_tiles, struct kx **host_blocks, struct kx **tile);
/* What comes before this warp: all tiles before, and the warps before in its own.  warp: the total
 * of this one, in all lanes.  Every thread of the block arrives. */
struct total look_back(struct lowering *, const struct look_back *, struct kx *tile,
                       const struct total *warp);
/* What comes before the tile.  own: its total, in all threads.  They run meanwhile() of the text
 * before the first warp waits. */
struct total look_back_block(struct lowering *, const struct look_back *, struct kx *tile,
                             const struct total *own);
void look_back_close(struct lowering *);

/* Of a launch of `blocks`, whose number of tiles, up to that, only the kernel knows (i64): a block
 * has one tile, or returns.  Close it with the second one. */
struct look_back *look_back_late(struct lowering *, const struct total *like, struct kx *tiles,
                                 int64_t blocks, struct kx **tile);
void look_back_leave(struct lowering *, const struct look_back *);

#endif
