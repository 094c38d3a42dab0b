/* solve_pivot.c - a solve with `pivot`: Gaussian elimination with partial pivoting.
 *
 * What is left of the rows above is one row, whose own coefficient and that of the next row are
 * compared: the greater one is the pivot, of equal ones that of the row above.  So a row that is
 * eliminated has the two unknowns after its own.
 *
 *   march   a thread of a GPU has a system
 *   sweep   a thread of a CPU takes neighbouring systems, which are the lanes of vectors */
#include "solve_rows.h"

enum {
	THREADS = 128, MARCH_BLOCKS = 4,     /* of a GPU: of a block; of a multiprocessor */
	SHARES = 256, LANES = 16             /* of a CPU: of the systems, which threads draw */
};

KTEXT_HOLE(march_place)
{
	return k_value(l->k, "march_place", arg[0]);
}

KTEXT_HOLE(lane_place)
{
	return k_value(l->k, "lane_place", arg[0]);
}

static void bind_factors(const struct task *c, struct lowering *l, struct kx *taken,
                         struct kx *systems)
{
	k_bind(l->k, "factors", solve_slot(c, l, "factors", taken, systems));
	k_bind(l->k, "seconds", solve_slot(c, l, "seconds", taken, systems));
}

void solve_march_pivots(const struct task *c)
{
	const struct systems *s = c->found;
	const char *note = "A thread eliminates down a system by the greater of two pivots, then "
		"substitutes up again.";
	struct lowering *l = solve_kernel(c, ways_suffix(c), note);
	struct kx *most = x_i64((int64_t)MARCH_BLOCKS * l->target->units);
	struct kx *blocks = plan_let(c->plan, "blocks",
	                             x_min(x_div_up(s->count, x_i64(THREADS)), most));
	solve_block(l, THREADS);
	k_numbers(l->k, "BLOCK", THREADS);
	struct kx *taken = x_and(solve_no_strips(c),
	                         x_unary(OP_NOT, x_or(solve_has_group(c), solve_joins_when(c))));
	bind_factors(c, l, taken, x_mul(blocks, x_i64(THREADS)));
	k_bind_call(l->k, "factor_at", march_place, NULL);
	k_text(l->k, "march_pivots");
	lowering_launch(l, blocks, x_i64(1), x_i64(1));
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
	bind_factors(c, l, NULL, x_mul(shares, x_i64(LANES)));
	k_bind_call(l->k, "factor_at", lane_place, NULL);
	k_text(l->k, "sweep_pivots");
	lowering_launch(l, x_i64(1), x_i64(1), x_i64(1));
}
