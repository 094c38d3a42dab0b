/* lower_tile.c - where the cells of arrays are that lie in tiles, `layout tiled(a, b)`.
 *
 * The innermost two axes are cut into tiles of a x b cells.  Tiles follow one another row by row,
 * and so do the cells of one; the axes before lie without gaps.  The tiles at the ends are whole
 * ones, whose other cells nobody reads or writes.  Cell [i, j] of n x m is number
 *
 *   ((i / a) * ceil(m / b) + j / b) * a * b + (i % a) * b + j % b
 *
 * Such an array keeps the shape that the program gives it and is its own home (var_home): lowerings
 * that count on cells side by side leave it to lower_place, as they do with the blocks of aosoa,
 * unless they ask whether a vector stays in a tile's row (is_abreast).
 *
 * A loop on a CPU that runs tile by tile says so (along), and is one over cells side by side: one
 * thread moves rows of f32 into tiles of 8 x 8 at 11.8 GB/s instead of 9.1, of 32 x 32 at 14.1
 * instead of 4.2; a copy has 23.6.
 *
 * Cost: of powers of two, shifts and masks; else divisions by constants, which compilers multiply.
 * What tells the row is the same for all cells of a thread, and compilers take it out of the loop.
 * */
#include "lower.h"

bool is_abreast(const struct var *var, int width)
{
	return !var_home(var) || (var_tiled(var) && width > 1 && var->layout->tile[1] % width == 0);
}

static struct kx *times(struct kx *x, struct kx *many, struct kx *more)
{
	return x ? x_add(x_mul(x, many), more) : more;
}

static struct kx *tiles_along(struct lowering *l, const struct var *var, int axis)
{
	int64_t cells = var->layout->tile[axis - (var->rank - 2)];
	struct kx *tiles;
	lower_lane(cells, x_add(lower_extent(l, var, axis), x_i64(cells - 1)), &tiles);
	return kx_fold(tiles);
}

struct kx *lower_whole_tiles(struct lowering *l, const struct var *var, int axis)
{
	if (axis < var->rank - 2)
		return lower_extent(l, var, axis);
	return x_mul(tiles_along(l, var, axis), x_i64(var->layout->tile[axis - (var->rank - 2)]));
}

/* In a loop over the columns of one tile nothing is divided. */
static struct kx *column_of_tile(struct lowering *l, int64_t cells, struct kx *column,
                                 struct kx **tile)
{
	if (!l->along.tile || l->along.cells != cells || column->kind != KX_VAR
	    || column->var != l->along.column)
		return lower_lane(cells, column, tile);
	*tile = l->along.tile;
	return x_sub(column, x_mul(*tile, x_i64(cells)));
}

struct kx *lower_tiled(struct lowering *l, const struct var *var, struct kx *const *sub)
{
	int row = var->rank - 2, column = var->rank - 1;
	const int64_t *tile = var->layout->tile;
	struct kx *x = NULL, *at[2], *in_row = lower_lane(tile[0], sub[row], &at[0]);
	struct kx *in_column = column_of_tile(l, tile[1], sub[column], &at[1]);
	for (int a = 0; a < row; a++)
		x = times(x, lower_extent(l, var, a), sub[a]);
	for (int a = 0; a < 2; a++)
		x = times(x, tiles_along(l, var, row + a), at[a]);
	return x_add(x_mul(x, x_i64(tile[0] * tile[1])),
	             x_add(x_mul(in_row, x_i64(tile[1])), in_column));
}
