/* solve_cpu.c - a solve on a CPU: threads share the systems.  A thread takes some neighbours at a
 * time and goes down their rows together, then up: the systems are the lanes of vectors, which hide
 * that a row waits for the one before it.
 *
 *   tiles   the cells of a system lie side by side: a tile turns their coefficients
 *   sweep   those of neighbouring systems do */
#include "solve_rows.h"

enum {
	SHARES = 256,                        /* of the systems, which threads draw */
	WIDTH = 64,                          /* systems whose cells of a row lie side by side */
	LANES = 8, TILE = 128                /* systems of a tile, and its rows */
};

KTEXT_HOLE(factor_at)
{
	return k_value(l->k, "sweep_factor", arg[0]);
}

void solve_sweep(const struct task *c)
{
	const struct systems *s = c->found;
	const char *note = "Eliminates down neighbouring systems, then substitutes up again.";
	struct lowering *l = solve_kernel(c, ways_suffix(c), note);
	struct kx *most = x_i64(WIDTH);
	struct kx *width = plan_let(c->plan, "width", x_min(s->count, most));
	struct kx *all = x_div_up(s->count, most);
	struct kx *shares = plan_let(c->plan, "shares", x_min(all, x_i64(SHARES)));
	k_bind(l->k, "width", lower_argument(l, "width", kt_scalar(T_I64), width));
	k_bind(l->k, "shares", lower_argument(l, "shares", kt_scalar(T_I64), shares));
	struct kx *tiles = solve_along_rows(c->node) ? solve_tiles_when(c) : NULL;
	k_bind(l->k, "factors",
	       solve_slot(c, l, "factors", tiles ? x_unary(OP_NOT, tiles) : NULL,
	                  x_mul(width, shares)));
	k_bind_call(l->k, "factor_at", factor_at, NULL);
	k_text(l->k, "sweep_systems");
	lowering_launch(l, x_i64(1), x_i64(1), x_i64(1));
}

bool solve_tiles_fit(const struct task *c)
{
	return solve_along_rows(c->node);
}

/* Fewer would leave lanes idle, and take workspace for them. */
struct kx *solve_tiles_when(const struct task *c)
{
	const struct systems *s = c->found;
	return kx_fold(x_le(x_i64(LANES), s->count));
}

void solve_tiles(const struct task *c)
{
	const struct systems *s = c->found;
	const char *note = "Eliminates down tiles of systems, then substitutes up again.";
	struct lowering *l = solve_kernel(c, ways_suffix(c), note);
	struct kx *all = x_div_up(s->count, x_i64(LANES));
	struct kx *shares = plan_number(c->plan, "shares", x_min(all, x_i64(SHARES)));
	struct kx *taken = solve_tiles_when(c), *lanes = x_mul(shares, x_i64(LANES));
	k_bind(l->k, "shares", lower_number(l, "shares", shares));
	k_bind(l->k, "factors", solve_slot(c, l, "factors", taken, lanes));
	k_bind(l->k, "rights", solve_slot(c, l, "rights", taken, lanes));
	k_numbers(l->k, "WIDTH, TILE", LANES, TILE);
	k_text(l->k, "sweep_tiles");
	lowering_launch(l, x_i64(1), x_i64(1), x_i64(1));
}
