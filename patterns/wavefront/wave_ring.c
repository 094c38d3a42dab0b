/* wave_ring.c - what is kept of a table that nobody reads but those who compute it, and who are
 * folded after its cells.
 *
 * Strips, batches and separable sweeps hand on what cells look at, and nothing is stored.  In any
 * other order cells find their neighbours in memory: there the table is a ring, of which along one
 * axis only some cells are kept. */
#include "separable.h"

const char *no_unstored(const struct node *node, const struct target *target)
{
	/* what else it may take */
	bool batch = node->choice.sweep == SWEEP_BATCH && !no_strips(node, target);
	struct separable s;
	if (node->choice.sweep == SWEEP_SEPARABLE && !no_separable(node, &s))
		return NULL;
	if (!target->gpu || (node->choice.sweep != SWEEP_STRIPS && !batch))
		return "in this order cells read their neighbours from memory";
	for (int d = 0; d < node->index.n - 2; d++)
		if (axis_waits(node, d))
			return "a later launch reads its neighbours from memory";
	return NULL;
}

/* Note [ring of rows] A ring of R cells along an axis has row r where row r - R was: whoever looks
 * at that one must be done with it.  Those are the cells of rows r - R to r - R + up, if no cell
 * looks farther up.
 *
 * An axis before rows and columns along which cells wait is a loop of the host: the turn r - R + up
 * is over when r begins if up < R.  So it is with the slowest such axis, whose planes then are the
 * ring: any order may go on within a plane.
 *
 * Else the ring is of rows.  Row by row (wave_rows.c) a block is at r when all its threads have
 * left r - 1, so up < R does, too, and likewise where a problem is one tile.  By anti-diagonals of
 * tiles all tiles of a launch run at once, and launches one after another, so that a tile of an
 * earlier diagonal must have them.  In rows and columns' (wave_tiles.c) let (r, c) be a cell; the
 * one whose room it takes is at (r - R, c - slope * R), for it is in the same column, and who looks
 * at that at (r - R + a, c - slope * R + q), 0 <= a <= up, 0 <= q <= left.  With tiles of T x W its
 * row of tiles is at least floor((R - up) / T) before that of r, and its column of tiles at most
 * ceil(left / W) after that of c: if R >= up + (1 + ceil(left / W)) * T it is of an earlier
 * diagonal.  So is who wrote the old value (a = q = 0), and folded it.
 *
 * A reader's place in the ring is asked for whatever its row is: r & (R - 1) is in the ring for
 * those outside the table, too, whose values are not used. */
static int64_t looks_up(const struct node *node, int d)
{
	struct wave_vectors v = wave_vectors(node);
	int64_t up = 0;
	for (int i = 0; i < v.n; i++)
		up = -v.at[i][d] > up ? -v.at[i][d] : up;
	return up;
}

static int64_t looks_left(const struct node *node, int64_t slope)
{
	struct wave_vectors v = wave_vectors(node);
	int64_t left = 0;
	for (int i = 0; i < v.n; i++) {
		int64_t by = -(v.at[i][node->index.n - 1] + slope * v.at[i][node->index.n - 2]);
		left = by > left ? by : left;
	}
	return left;
}

static int64_t power_from(int64_t least)
{
	int64_t power = 1;
	while (power < least)
		power *= 2;
	return power;
}

/* Note [problems that are tiles] Where a CPU has many problems, each is one tile, and as many rows
 * are enough as cells look up, and one.  How many there are is the sizes' to say, for the workspace
 * is asked for with nothing else: by the extents of the first table, whatever ranges leave out of
 * it.  wave_tiles.c goes by the same number. */
static void count_problems(struct ring *ring, const struct node *node, int64_t many)
{
	const struct expr *table = wave_table(node, 0);
	bool known = true;
	int64_t problems = 1;
	ring->many = many;
	for (int d = 0; d < node->index.n - 2; d++) {
		struct affine extent = table->var->extent[wave_subscript(node, table,
		                                                         node->wave->order[d])];
		ring->problem[ring->problems++] = extent;
		known &= !extent.n;
		problems *= known && problems < many ? extent.constant : 1;
	}
	if (known)
		ring->cells = ring->alone = problems < many ? ring->cells : ring->alone;
}

/* Rows that go on together (wave_band.c) have one more of slope, and wider tiles. */
static void of_tiles(struct ring *ring, const struct node *node, const struct tile *tile)
{
	int64_t left = looks_left(node, wave_slope(node) + 1);
	int64_t aside = (left + tile->columns - 1) / tile->columns;
	ring->cells = power_from(looks_up(node, node->index.n - 2) + (1 + aside) * tile->rows);
	if (!tile->many || node->index.n < 3)
		ring->alone = ring->cells;
	else
		count_problems(ring, node, tile->many);
}

const struct ring *ring_of(const struct node *node, const struct target *target)
{
	struct ring *ring = NEW(struct ring);
	struct tile tile;
	int d = 0, rows = node->index.n - 2;
	while (d < rows && !axis_waits(node, d))
		d++;
	if (rows < 0 || node->choice.sweep == SWEEP_SEPARABLE)
		return NULL;
	ring->index = node->wave->order[d];
	ring->cells = ring->alone = power_from(looks_up(node, d) + 1);
	if (d == rows && node->choice.sweep != SWEEP_ROWS) {
		tile = tile_of(node, target);
		of_tiles(ring, node, &tile);
	}
	return ring;
}
