/* dense_gpu.c - a dense solve on a GPU: lanes of a warp share a system, a row each. */
#include "ask.h"
#include "running.h"
#include "solve_rows.h"

enum { THREADS = 128 };

/* Is a cell that the entry reads beside that of the next column? */
static bool visit_beside(struct expr *e, void *column)
{
	if (e->kind != E_READ)
		return true;
	const int last = layout_turns(e->var) ? 0 : e->arg.n - 1;
	return !expr_uses(e->arg.at[last], column);
}

static bool is_staged(const struct node *node)
{
	return !expr_walk((struct expr *)dense_entry(node), visit_beside, dense_column(node));
}

void dense_groups(const struct task *c)
{
	const struct systems *s = c->found;
	const int n = dense_size(c->node);
	int group = 1;
	while (group < n)
		group *= 2;
	const char *note = str_print("%d lanes share a system, a row each.", group);
	struct lowering *l = dense_kernel(c, note);
	l->k->block[0] = THREADS;
	l->k->block[1] = l->k->block[2] = 1;
	l->k->min_blocks = 1;                    /* against spills */
	k_bind(l->k, "thread", x_var(k_let(l->k, "thread", block_thread(l))));
	k_numbers(l->k, "GROUP, GROUP_BITS, THREADS, PITCH, STAGED", group, log2_of(group), THREADS,
	          n | 1, is_staged(c->node));
	k_text(l->k, "dense_by_groups");
	struct kx *blocks = x_div_up(s->count, x_i64(THREADS / group));
	lowering_launch(l, x_min(blocks, x_i64(l->target->max_grid_x)), x_i64(1), x_i64(1));
}
