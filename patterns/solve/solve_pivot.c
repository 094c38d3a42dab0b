/* solve_pivot.c - a solve with `pivot`: Gaussian elimination with partial pivoting.
 *
 * What is left of the rows above is one row, whose own coefficient and that of the next row are
 * compared: the greater one is the pivot, of equal ones that of the row above.  So a row that is
 * eliminated has the two unknowns after its own.  A thread of a CPU takes neighbouring systems,
 * which are the lanes of vectors; a GPU joins rows (solve_joins.c). */
#include "solve_rows.h"

enum { SHARES = 256, LANES = 16 };       /* of the systems, which threads draw */

KTEXT_HOLE(lane_place)
{
	return k_value(l->k, "lane_place", arg[0]);
}

void solve_sweep_pivots(const struct task *c)
{
	const struct systems *s = c->found;
	const char *note = "Eliminates down neighbouring systems by the greater of two pivots, "
		"then substitutes up again.";
	struct lowering *l = solve_kernel(c, ways_suffix(c), note);
	struct kx *all = x_div_up(s->count, x_i64(LANES));
	struct kx *shares = plan_let(c->plan, "shares", x_min(all, x_i64(SHARES)));
	k_bind(l->k, "shares", lower_argument(l, "shares", kt_scalar(T_I64), shares));
	k_numbers(l->k, "WIDTH", LANES);
	struct kx *lanes = x_mul(shares, x_i64(LANES));
	k_bind(l->k, "factors", solve_slot(c, l, "factors", NULL, lanes));
	k_bind(l->k, "seconds", solve_slot(c, l, "seconds", NULL, lanes));
	k_bind_call(l->k, "factor_at", lane_place, NULL);
	k_text(l->k, "sweep_pivots");
	lowering_launch(l, x_i64(1), x_i64(1), x_i64(1));
}
