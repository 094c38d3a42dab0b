/* lower_curve.c - where the cells of arrays are that lie along a curve, `layout morton` and `layout
 * hilbert`.
 *
 * The sides are equal and a power of two, which the call tests (PATC_SIDE), so that numbers have no
 * gaps.  Morton's number of a cell has the bits of its subscripts by turns, the last one's lowest:
 * spreads of each, whose sum it is, so that what tells the row is one value for all of its cells.
 * Hilbert's is Morton's of other subscripts, which a loop over the bits of the side finds from the
 * highest one on (Skilling, "Programming the Hilbert curve", 2004).
 *
 * Such an array keeps the shape that the program gives it and is its own home (var_home): lowerings
 * that count on cells side by side leave it to lower_place. */
#include <assert.h>
#include "lower.h"

static struct kx *spread(const struct var *var, struct kx *sub)
{
	return x_help(kt_scalar(T_I64), var->rank == 2 ? "patc_spread2" : "patc_spread3", 1, &sub);
}

struct kx *lower_curved(struct lowering *l, const struct var *var, struct kx *const *sub)
{
	struct kx *arg[4] = { lower_extent(l, var, 0) }, *x = NULL;
	assert((var->rank == 2 || var->rank == 3) && "a curve of two or three axes");
	for (int a = 0; a < var->rank; a++) {
		arg[a + 1] = sub[a];
		x = a ? x_add(x_mul(x, x_i64(2)), spread(var, sub[a])) : spread(var, sub[a]);
	}
	if (var->layout->curve == CURVE_MORTON)
		return x;
	return x_help(kt_scalar(T_I64), var->rank == 2 ? "patc_hilbert2" : "patc_hilbert3",
	              var->rank + 1, arg);
}
