/* compact_tile.h - the items of a tile, on a GPU: compact_gpu.c has the design. */
#ifndef COMPACT_TILE_H
#define COMPACT_TILE_H

#include "../block_scan.h"
#include "compact.h"

/* Shared: what the nth equation of each part moves, if of that type, by rank; a warp has its own piece. */
struct staged { int nth; const struct type *type; struct kvar *memory; };
struct held { const struct expr *read; struct kvar *value; };    /* registers: of every item of the thread */

/* Where the items of tiles go, each tile asked for when the next one is counted: compact_places.c. */
struct places {
	bool any;                            /* in any order */
	int parts, lanes;                    /* that are counted; of a warp */
	struct kx *tiles, *state;            /* of the launch, i64; words of 64 bits */
	struct kx *lane, *warp;              /* of the thread */
	struct kvar *waiting;                /* the tile whose items stand in shared memory; -1: none */
	struct kvar *drawn;                  /* shared: the next tile */
	struct kvar *counts[PART_COUNT];     /* shared: of each warp of it, u32 */
	struct kvar *to[PART_COUNT];         /* shared: where the items of each warp of the one that waits go */
	struct kvar *within[PART_COUNT];     /* shared, first warp: what the warps before one have of that tile */
	struct kvar *dealt[PART_COUNT], *taken[PART_COUNT];      /* any order, first lane: places of the next, of that */
};

struct tile {
	struct items *it;
	int rows, width;                     /* of a thread: rows of so many neighbouring items */
	int64_t items;                       /* of a tile */
	struct kx *lane, *warp, *first;      /* of the thread; the tile's first item, or of the one that waits */
	struct kvar *mask[PART_COUNT];       /* bit row * width + c: the item is of that part */
	LIST(struct staged) staged;
	LIST(struct held) held;              /* compact_held.c; nothing: items leave their numbers, not their values */
	struct kx *at;                       /* of the item at hand: its place among the thread's, i32 */
	struct places places;
};

struct ranks { int bits, rows, words; struct kvar *before, *whole; };    /* of a part: counts of rows, packed in words */

enum scalar tile_mask(const struct tile *);                      /* the type of a mask */
struct kx *tile_number(const struct tile *, struct kx *row);     /* of the row's first item, in the tile, i32 */
struct kx *tile_row_rank(const struct ranks *, struct kvar *words, struct kx *row);      /* a field of the packed words */

struct kvar *tile_staged(const struct tile *, int nth, const struct type *);
void tile_scan_lanes(struct kernel *, struct kx *word, struct kx *lane, int lanes);     /* sums over the first so many */
/* The nth equation of a part; NULL behind the last. */
const struct equation *tile_nth(const struct node *, enum part, int nth);

bool held_find(struct tile *);               /* may the values be held in registers?  sets rows, width, held */
void held_open(struct tile *);               /* their registers */
void held_load(struct tile *);
void held_judge(struct tile *);
/* What the equations move of the items that are kept, and of the others, from begin[] on. */
void held_stage(struct tile *, const struct ranks *, struct kx *const *begin);
/* What the nth equation of a part staged goes to places from `to` on. */
void held_move(struct tile *, enum part, int nth, struct kx *begin, struct kx *count, struct kx *to);

/* Before the loop over the tiles of a block: parts, lanes, lane, warp and any are set; gives the blocks of the launch. */
struct kx *places_open(struct lowering *, struct places *, struct kx *host_tiles, struct kx *most_tiles);
struct kx *places_draw(struct lowering *, const struct places *);        /* a tile, i64, the same in all threads; or none is left */
void places_count(struct lowering *, const struct places *, struct kx *const *count);    /* i32, of the warp in that tile */
/* All threads: that tile is told, and where the items of the one that waits go is known. */
void places_exchange(struct lowering *, const struct places *, struct kx *tile);
struct kx *places_waits(const struct places *);                  /* is there a tile that waits? */
void places_wait(struct lowering *, const struct places *, struct kx *tile);     /* that one, from now on */
/* In any order, once a block has no tile left, in one thread of it: opens what happens once, when all are counted.
 * all[]: variables of how many there are, which are right if there is one tile. */
void places_all(struct lowering *, const struct places *, struct kx *const *all);
#endif
