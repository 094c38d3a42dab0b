/* block_scan.h - what neighbouring cells come to (totals), joined over the lanes of a warp and the
 * warps of a block from left to right: block_scan.c.  look_back.h goes on over blocks. */
#ifndef BLOCK_SCAN_H
#define BLOCK_SCAN_H

#include "lower.h"

/* A total, in variables of a thread; one that only says what others are like has none.  begins
 * (bool; NULL: that never happens): a sequence begins among its cells, the total is of what comes
 * from there on, and nothing before it is joined. */
struct total { struct accumulators acc; struct kvar *begins; };

struct total total_sum(struct kvar *);                      /* of a count or a length: an i64 */
struct total total_new(struct lowering *, const struct total *like);     /* variables of no cells */
struct total total_same(struct lowering *, const struct total *);  /* variables of the same value */
void total_copy(struct lowering *, const struct total *to, const struct total *from);
void total_join(struct lowering *, const struct total *to, const struct total *behind);
/* Of another lane; `how` as in accumulator_shuffle. */
struct total total_shuffle(struct lowering *, const struct total *, const char *how, struct kx *by);

/* A block's memory for some totals. */
struct total_memory { struct kvar *value[8], *begins; };
struct total_memory total_memory(struct lowering *, const struct total *like, const char *name,
                                 int64_t count);
void total_store(struct lowering *, const struct total_memory *, struct kx *at,
                 const struct total *);
struct total total_load(struct lowering *, const struct total_memory *, struct kx *at,
                        const struct total *like);

/* In texts a total is a value: `let before = empty(own)` (block_scan.kernel).  total(): of no
 * cells, like this one. */
void bind_totals(struct lowering *, const struct total *like);
struct kx *total_object(struct total);
const struct total *total_of(const struct kx *);

/* of this thread, i32; its warp's number */
struct kx *lane_of(struct lowering *, struct kx **warp);

/* Of the first so many lanes (a power of two), each total becomes that of all lanes up to it. */
void lanes_scan(struct lowering *, const struct total *, struct kx *lane, int lanes);
/* a word with a bit a lane: of those before; own 1: and its own */
struct kx *lanes_before(struct lowering *, struct kx *lane, int64_t own);

/* Totals of every lane for some rows: row after row, in a row lane after lane. */
struct rows {
	struct total like;                   /* its variables are not touched */
	int n;
	struct kvar *value[8], *begins;      /* registers, an element a row */
};
struct rows rows_new(struct lowering *, const struct total *like, int n);
void rows_set(struct lowering *, const struct rows *, struct kx *row, const struct total *);
struct total rows_get(struct lowering *, const struct rows *, struct kx *row);
/* Each becomes what comes before it in the warp; the result, in all lanes, is that of the warp. */
struct total rows_scan(struct lowering *, const struct rows *, struct kx *lane);

#endif
