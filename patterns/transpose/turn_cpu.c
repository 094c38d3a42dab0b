/* turn_cpu.c - a transpose on a CPU: threads share the tiles.
 *
 * A thread copies the rows of a tile into memory of its own, each cache line once, and writes the
 * rows of the target from there.  If they were read in place, rows whose distance is a power of two
 * would compete for the same few places of the cache.  In place it takes a pair of tiles at a time
 * (turn_pairs.c). */
#include "turn.h"

enum { TILE = 64, WIDE_TILE = 32, PAD = 1 };     /* cells along a side; of more than 8 bytes */

static int tile_side(const struct turn *t)
{
	int side = TILE;
	for (int r = 0; r < t->reads; r++)
		side = type_size(t->read[r]->type) > 8 ? WIDE_TILE : side;
	return side;
}

void turn_cpu(const struct turn *t, struct plan *plan)
{
	int side = tile_side(t);
	struct turn_form form = { .size = { side, side }, .vector = 1 };
	struct mover m = mover_open(t, plan, form, "");
	struct kx *tiles = plan_let(plan, "tiles", mover_tiles(&m));
	k_bind(m.k, "all_tiles", lower_argument(m.l, "tiles", kt_scalar(T_I64), tiles));
	k_bind(m.k, "PITCH", side + PAD);
	mover_kernel(&m, turn_pairs(t) ? "swap_on_cpu" : "turn_on_cpu");
}
