/* compact_places.c - where the items of a tile go, on a GPU, without waiting for other tiles.
 *
 * Decoupled look-back (Merrill and Garland 2016), done late: a block publishes the counts of its
 * tile, then takes the next one, and only when that is counted too it looks for the places of the
 * first, whose items are in shared memory meanwhile.  Whatever is told by then was told while cells
 * came from memory, so that nobody waits but the last tile of a block.  (H200, u32, 2^28 items,
 * half of them kept: asked at once 0.57 to 0.60 ms, late 0.41.)
 *
 * Tile numbers are drawn from a counter, so whoever is asked has begun; and a block tells of a tile
 * before it asks for an earlier one.  So the lowest tile that is not told yet is on its way, and
 * there is no deadlock however many blocks run at a time.
 *
 * Counts commute.  So tiles form groups of as many as a warp has lanes, whose counts are added up
 * in a word that also says how many tiles it has, and the tiles of a group need not wait for its
 * last one, as they do where totals are joined in their order (look_back.c: 0.43 ms).  What comes
 * before a group is told by its first tile:
 *     tile[t]    1 << 56 | rejected << 28 | kept
 *     group[g]   the sum of those of its tiles
 *     before[g]  a word for each part: 1 << 63 | how many
 * All are words of the device that are stored and loaded by relaxed atomics; each tells by itself
 * whether it is there.  The first warp of a block asks, a lane each, for the tiles before it in its
 * group, and of as many groups before for their counts and what comes before them.
 *
 * In any order (`unordered`), a tile takes the next places by one addition to a counter of each
 * part when it is counted.  The block that ends last finds in the counters how many there are.
 *
 * One tile in all draws nothing and tells nothing, and nothing is cleared for it. */
#include "compact_tile.h"

enum {
	FIELD = 28                    /* bits of a count in a word: of a group's tiles, with room */
};

/* A counter of tiles, then words of tiles, groups and what comes before groups; or counters. */
static struct kx *words_of(const struct tile *t, struct kx *tiles)
{
	struct kx *groups = x_div_up(tiles, x_i64(t->it->l->target->lanes)),
		  *words = x_i64(t->counted);
	if (!t->any)
		words = x_add(tiles, x_mul(groups, x_i64(1 + t->counted)));
	return x_add(words, x_i64(1));
}

struct kx *places_open(struct tile *t, struct kx *host_tiles, struct kx *most_tiles)
{
	struct lowering *l = t->it->l;
	struct plan *plan = l->plan;
	struct kx *most = words_of(t, most_tiles);
	struct kvar *slot = plan_slot(plan, "state", type_scalar(T_U64), 1, &most);
	k_if(plan->host, x_lt(x_i64(1), host_tiles));
	k_clear(plan->host, x_var(slot), x_mul(words_of(t, host_tiles), x_i64(8)));
	k_end(plan->host);
	k_bind(l->k, "tiles", lower_argument(l, "tiles", kt_scalar(T_I64), host_tiles));
	k_bind(l->k, "state",
	       lower_argument(l, "state", kt_pointer(type_scalar(T_U64), false), x_var(slot)));
	k_numbers(l->k, "FIELD, COUNT_BITS", FIELD, INT64_MAX);
	return plan_let(plan, "blocks", x_min(host_tiles, x_i64(l->target->tile_blocks)));
}
