/* dense_cpu.c - a dense solve on a CPU: threads share the systems, and rows are
 * vectors. */
#include "solve_rows.h"

enum { SHARES = 256};

void dense_sweep(const struct task *c)
{
	const char *note = "Eliminates one system after another.";
	const struct systems *s = c->found;
	struct lowering *l = dense_kernel(c, note);
	struct kx *shares = plan_let(c->plan, "shares", x_min(s->count, x_i64(SHARES)));
	k_bind(l->k, "shares", lower_argument(l, "shares", kt_scalar(T_I64), shares));
	k_text(l->k, "dense_systems");
	lowering_launch(l, x_i64(1), x_i64(1), x_i64(1));
}
