/* dense_cpu.c - a dense solve on a CPU: threads share the systems.  A thread takes some neighbours
 * at a time, which are the lanes of vectors. */
#include "ask.h"
#include "solve_rows.h"

enum {
	SHARES = 256,                        /* of the systems, which threads draw */
	BYTES = 64                           /* of a vector */
};

void dense_sweep(const struct task *c)
{
	const struct systems *s = c->found;
	const int width = BYTES / (int)type_size(solve_type(c->node));
	const char *note = str_print("Eliminates %d systems at a time.", width);
	struct lowering *l = dense_kernel(c, note);
	struct kx *tiles = x_div_up(s->count, x_i64(width));
	struct kx *shares = plan_let(c->plan, "shares", x_min(tiles, x_i64(SHARES)));
	k_bind(l->k, "shares", lower_argument(l, "shares", kt_scalar(T_I64), shares));
	k_numbers(l->k, "WIDTH, BESIDE", width, !dense_entries_beside(c->node));
	k_text(l->k, "dense_systems");
	lowering_launch(l, x_i64(1), x_i64(1), x_i64(1));
}
