/* near_cells.c - the cells of pairs ... from (gx, gy, gz), which are no bodies: which one a thread
 * has (near.kernel).
 *
 * Cells whose places are expressions of two or more of their indices are a grid.  There a block has
 * a tile of it, and each warp a smaller one, whose places are near one another: lanes then test
 * mostly the same bodies.  Of other places nothing is known, and threads have the cells in order.
 *
 * On an H200, 60 near bodies of 2^20 around each of 128^3 points, with their sorting: 0.97 ms with
 * the points in order, 0.71 by tiles; 0.89 by hand with cubic cells of the radius, and tiles.
 * Around each of 2^20 places that are read: 1.26 ms at random, 0.47 if they are sorted, as programs
 * can. */
#include "near.h"
#include "../cells.h"

/* Of which of the grid's last indices each bit of a thread's number is, the fastest being 0: a
 * tile of 16 x 16 with warps of 4 x 8, or one of 4 x 8 x 8 with warps of 2 x 4 x 4. */
enum { BITS = 8 };
static const int of_two[BITS] = { 0, 0, 0, 1, 1, 1, 0, 1 };
static const int of_three[BITS] = { 0, 0, 1, 1, 2, 2, 0, 1 };

struct kx *near_count(const struct node *node, struct lowering *host)
{
	struct cells domain = { .node = node };
	struct kx *cells = x_i64(1);
	for (int k = 0; k < node->index.n; k++) {
		struct kx *first = cells_range_lo(&domain, k, host);
		struct kx *size = kx_fold(x_sub(cells_range_hi(&domain, k, host), first));
		cells = x_mul(cells, x_max(size, x_i64(0)));
	}
	return kx_fold(cells);
}

void near_bind(struct cells *c, struct kx *at)
{
	struct kx *lo[MAX_RANK], *size[MAX_RANK] = { NULL };
	struct lowering *host = host_lowering(c->l->plan);
	for (int d = 0; d < c->rank; d++) {
		struct kx *first = cells_range_lo(c, d, host);
		lo[d] = cells_argument(c, "%s_lo", d, first);
		if (d)
			size[d] = cells_argument(c, "%s_size", d,
			                         x_sub(cells_range_hi(c, d, host), first));
	}
	cells_bind_row(c, at, lo, size, 0);
}

/* ---- tiles ---- */

struct tile {
	const int *bit;
	int axis[MAX_RANK];                  /* of an index in the tile, or -1 */
	int64_t side[MAX_RANK];
};

static bool reads_nothing(struct expr *e, void *unused)
{
	(void)unused;
	return e->kind != E_READ;
}

/* False: places are read, or are those of one index. */
static bool tile_of(const struct node *node, struct tile *t)
{
	const struct expr *home = node->cutoff->home;
	int axes = 0;
	*t = (struct tile){ .bit = NULL };
	for (int d = node->index.n - 1; d >= 0; d--) {
		bool own = axes < CUTOFF_AXES && home && expr_uses(home, node->index.at[d]);
		t->axis[d] = own ? axes++ : -1;
	}
	t->bit = axes == 2 ? of_two : of_three;
	for (int d = 0; d < node->index.n; d++) {
		t->side[d] = 1;
		for (int b = 0; b < BITS; b++)
			t->side[d] *= t->bit[b] == t->axis[d] ? 2 : 1;
	}
	return axes > 1 && expr_walk((struct expr *)home, reads_nothing, NULL);
}

bool near_has_tiles(const struct node *node, int threads)
{
	struct tile t;
	return threads == 1 << BITS && tile_of(node, &t);
}

static struct kx *tiles_along(const struct tile *t, const struct node *node, int d,
                              struct lowering *host)
{
	struct cells domain = { .node = node };
	struct kx *first = cells_range_lo(&domain, d, host);
	struct kx *size = x_max(kx_fold(x_sub(cells_range_hi(&domain, d, host), first)), x_i64(0));
	return kx_fold(t->side[d] == 1 ? size : x_div_up(size, x_i64(t->side[d])));
}

struct kx *near_tiles(const struct node *node, struct lowering *host)
{
	struct kx *tiles = x_i64(1);
	struct tile t;
	tile_of(node, &t);
	for (int d = 0; d < node->index.n; d++)
		tiles = x_mul(tiles, tiles_along(&t, node, d, host));
	return kx_fold(tiles);
}

/* The thread's place in the tile along an axis, i32. */
static struct kx *own_place(const struct tile *t, int axis)
{
	struct kx *place = NULL;
	for (int b = 0, to = 0; b < BITS; b++) {
		int first = b, some = 0;
		while (b < BITS && t->bit[b] == axis)
			b++, some++;
		if (!some)
			continue;
		struct kx *bits = x_id(ID_THREAD_X);
		bits = first ? x_op(OP_SHR, bits, x_i32(first)) : bits;
		bits = x_op(OP_AND, bits, x_i32((1 << some) - 1));
		bits = to ? x_op(OP_SHL, bits, x_i32(to)) : bits;
		place = place ? x_add(place, bits) : bits;
		to += some;
	}
	return place;
}

struct kx *near_bind_tile(struct cells *c, const struct node *node)
{
	struct lowering *host = host_lowering(c->l->plan);
	struct kernel *k = c->l->k;
	struct kx *rest = x_to_i64(x_id(ID_BLOCK_X)), *inside = NULL;
	struct tile t;
	tile_of(node, &t);
	for (int d = c->rank - 1; d >= 0; d--) {
		struct kx *own = rest, *tiles = NULL;
		if (d) {
			tiles = cells_argument(c, "%s_tiles", d, tiles_along(&t, node, d, host));
			own = x_rem(rest, tiles);
		}
		if (t.axis[d] >= 0)
			own = x_add(x_mul(own, x_i64(t.side[d])),
			            x_to_i64(own_place(&t, t.axis[d])));
		own = x_add(cells_argument(c, "%s_lo", d, cells_range_lo(c, d, host)), own);
		cells_bind(c, d, x_var(k_let(k, node->index.at[d]->name, own)));
		if (t.axis[d] >= 0) {
			struct kx *end = cells_range_hi(c, d, host);
			inside = x_and(inside, x_lt(c->index[d],
			                            cells_argument(c, "%s_end", d, end)));
		}
		if (d)
			rest = x_var(k_let(k, "rest", x_div(rest, tiles)));
	}
	return inside;
}
