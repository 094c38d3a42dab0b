/* compact_tile.h - the items of a tile, on a GPU: compact_gpu.c has the design. */
#ifndef COMPACT_TILE_H
#define COMPACT_TILE_H

#include "../block_scan.h"
#include "compact.h"

struct held { const struct expr *read; struct kvar *value; };    /* registers: of every item of the thread */

struct tile {
	struct items *it;
	int rows, width;                     /* of a thread: rows of so many neighbouring items */
	int64_t items;                       /* of a tile */
	struct kx *lane, *warp, *first;      /* of the thread; the tile's first item */
	struct kvar *mask[PART_COUNT];       /* bit row * width + c: the item is of that part */
	LIST(struct kvar *) staged;          /* shared, one a type: what a warp moves, by rank */
	LIST(struct held) held;              /* compact_held.c; nothing: items leave their numbers, not their values */
	struct kx *vectors;                  /* bool: they may be loaded as such */
	struct kx *at;                       /* of the item at hand: its place among the thread's, i32 */
	struct kx *tiles, *counters, *ticket;        /* compact_deal.c */
};

struct ranks { int bits, rows; struct kvar *before, *whole; };   /* of a part: counts of rows, packed in words */

enum scalar tile_mask(const struct tile *);                      /* the type of a mask */
struct kx *tile_number(const struct tile *, struct kx *row);     /* of the row's first item, in the tile, i32 */
struct kx *tile_row_rank(const struct ranks *, struct kvar *words, int row);     /* a field of the packed words */

struct kvar *tile_staged(struct tile *, const struct type *);

bool held_find(struct tile *);               /* may the values be held in registers?  sets rows, width, held */
void held_load(struct tile *);
void held_judge(struct tile *);
/* What an equation moves of the items that are kept, and one of the others (or NULL), from begin[] on. */
void held_stage(struct tile *, const struct equation *kept, const struct equation *rejects, const struct ranks *,
                struct kx *const *begin);
/* The staged values of a part go to places from `to` on. */
void held_move(struct tile *, const struct equation *, struct kx *begin, struct kx *count, struct kx *to);

/* compact_deal.c: places in any order */
void deal_open(struct tile *, const struct total *like, struct kx *host_tiles, struct kx **tile);
struct total deal_places(struct tile *, const struct total *own);
#endif
