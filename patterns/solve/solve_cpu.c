/* solve_cpu.c - a solve on a CPU: threads share the systems.  A thread takes some neighbours at a
 * time and goes down their rows together, then up: the systems are the lanes of vectors, which hide
 * that a row waits for the one before it. */
#include "solve_rows.h"

enum {
	SHARES = 256,                        /* of the systems, which threads draw */
	WIDTH = 64,                          /* systems whose cells of a row lie side by side */
	APART = 8                            /* likewise, of others */
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
	struct kx *most = x_i64(solve_along_rows(c->node) ? APART : WIDTH);
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
