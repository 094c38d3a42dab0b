/* turn_pairs.c - a square is transposed in place: a block, or a thread of a CPU, takes two tiles,
 * and each of them goes to the place of the other.
 *
 * Cells [i, j] and [j, i] are in tiles [I, J] and [J, I].  Both are loaded before either is stored;
 * a tile on the diagonal is its own other one, and is stored once.  Tiles are square, and those of
 * n rows and columns make n (n + 1) / 2 pairs, which are counted in a rectangle of as many places,
 * so that no root is taken.  In all else a pair is what two blocks of another transpose are: by
 * accesses of 16 bytes, or cell by cell (turn_gpu.c).  Only the array itself has tiles; others that
 * the statement reads are read where the value is computed.
 *
 * On an H100, of a copy: f32 8192^2 0.93 (0.197 ms; into a second array 0.191), f64 0.93, f16 0.92,
 * u8 16384^2 0.90; cell by cell f32 8193^2 0.78, like a transpose into a second array, u8 0.49. */
#include "../ways.h"
#include "turn.h"

enum {
	SIDE = 64,                           /* cells along a tile's side, if there is room */
	LEAST = 16,                          /* so many have enough for all threads */
	BYTES = 1 << 14                      /* of a tile whose cells are moved one by one */
};

static void lower_vectors(const struct task *c)
{
	const struct turn_form form = turn_form(c->found, c->plan->target, c->node->choice.tile);
	struct mover m = mover_open(c->found, c->plan, form, ways_suffix(c));
	mover_kernel(&m, "swap_vectors");
}

static int side_of_singles(const struct turn *t)
{
	int side = SIDE;
	while (side > LEAST && side * side * type_size(t->target->type) > BYTES)
		side /= 2;
	return side;
}

static void lower_any(const struct task *c)
{
	const struct turn *t = c->found;
	const int side = side_of_singles(t);
	const struct turn_form form = { { side, side }, .vector = 1,
		                        .threads = c->plan->target->block };
	struct mover m = mover_open(t, c->plan, form, ways_suffix(c));
	k_numbers(m.k, "CELLS, BITS, PAD", side * side, log2_of(side), turn_pad(t));
	mover_kernel(&m, "swap_cells");
}

static bool has_vectors(const struct task *c)
{
	return turn_vector(c->found, c->plan->target) > 1;
}

static const struct way ways[] = {
	/* above */
	{ "vectors", "16 bytes an access",
	  "rows begin at multiples of 16 bytes and fill half a tile",
	  "`vectorise` has chosen one element an access", .fits = has_vectors,
	  .when = turn_vectors_pay, .lower = lower_vectors },
	/* any sizes, alignments, types and masks: above */
	{ "any", "a cell an access", .lower = lower_any }
};

void turn_pairs_gpu(const struct task *c)
{
	ways_lower(ways, c->plan, c->group, c->found);
}
