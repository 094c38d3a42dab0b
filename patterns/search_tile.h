/* search_tile.h - a tile of rows that search one sorted array, search(x, v): search_tile.c. */
#ifndef SEARCH_TILE_H
#define SEARCH_TILE_H

#include "lower.h"

enum { MOST_SEARCHES = 4 };

struct tile_search {
	const struct var *array;             /* NULL: nothing is searched so */
	const struct type *sought;           /* what its cells are compared with */
	int n, values;
	const struct expr *search[MOST_SEARCHES], *value[MOST_SEARCHES];
	int value_of[MOST_SEARCHES];
	int each;                            /* rows of a thread */
	struct kx *first;                    /* host: the number of the first row; NULL: 0 */
	/* binds the indices that the values use to row number `row` (i64) */
	void (*bind)(struct lowering *, const void *state, struct kx *row);
	const void *state;
};

/* The searches of e whose values use none but these indices, and may be computed for every row.
 * The array of the first one is searched. */
void tile_search_find(struct tile_search *, const struct node *, struct var *const *index, int n,
                      const struct expr *e);
/* Launches the kernel that finds the segment of each of `tiles` (host, over sizes alone).  The
 * result: two places of each. */
struct kvar *tile_search_places(struct plan *, const struct tile_search *, const char *name,
                                struct kx *rows, struct kx *tiles);
/* The names of search_tile.kernel: those of the shape, BLOCK, WARPS, EACH and TILE, and all others
 * but for rows, tile, tile_rows, lane and warp. */
void tile_search_shape(struct lowering *, const struct tile_search *);
void tile_search_bind(struct lowering *, const struct tile_search *, struct kvar *places);
int64_t tile_search_cells(const struct tile_search *);         /* of the array, in shared memory */
int64_t tile_search_bytes(const struct tile_search *);               /* of them, and what is near */

/* lowering.fold: the place that row e (i32) of a thread has found in the segment, or, without it,
 * that of the bound row, found in memory. */
struct tile_row { const struct tile_search *ts; struct kx *e; };
struct tile_row tile_search_row(const struct tile_search *, struct kx *e);       /* e -1: without */
struct kx *tile_search_place(struct lowering *, const struct expr *search);
/* The number of cells from one place to another, i32, at least 0.  NULL: the row has not found both
 * places in the segment. */
struct kx *tile_search_between(struct lowering *, const struct tile_row *, const struct expr *from,
                               const struct expr *to);

#endif
