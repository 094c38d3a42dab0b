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
	const char *note = "Goes down neighbouring systems, and up again.";
	struct lowering *l = solve_kernel(c, ways_suffix(c), note);
	struct kx *most = x_i64(WIDTH);
	struct kx *width = plan_let(c->plan, "width", x_min(s->count, most));
	struct kx *all = x_div_up(s->count, most);
	struct kx *shares = plan_let(c->plan, "shares", x_min(all, x_i64(SHARES)));
	k_bind(l->k, "width", lower_argument(l, "width", kt_scalar(T_I64), width));
	k_bind(l->k, "shares", lower_argument(l, "shares", kt_scalar(T_I64), shares));
	solve_factors(c, l, x_mul(width, shares));
	k_bind_call(l->k, "factor_at", factor_at, NULL);
	k_text(l->k, "sweep_systems");
	lowering_launch(l, x_i64(1), x_i64(1), x_i64(1));
}

void solve_tiles(const struct task *c)
{
	const struct systems *s = c->found;
	const char *note = "Goes down neighbouring systems by tiles, and up again.";
	struct lowering *l = solve_kernel(c, ways_suffix(c), note);
	struct kx *all = x_div_up(s->count, x_i64(LANES));
	struct kx *shares = plan_number(c->plan, "shares", x_min(all, x_i64(SHARES)));
	const struct type *type = solve_type(c->node);
	struct kx *size[] = { x_mul(shares, x_i64(LANES)), s->rows };
	struct kvar *rights = plan_slot(c->plan, "rights", type, 2, size);
	k_bind(l->k, "shares", lower_number(l, "shares", shares));
	solve_factors(c, l, x_mul(shares, x_i64(LANES)));
	k_bind(l->k, "rights",
	       lower_argument(l, "rights", kt_pointer(type, false), x_var(rights)));
	k_numbers(l->k, "WIDTH, TILE", LANES, TILE);
	k_text(l->k, "sweep_tiles");
	lowering_launch(l, x_i64(1), x_i64(1), x_i64(1));
}
