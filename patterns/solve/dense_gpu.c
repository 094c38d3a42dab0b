/* dense_gpu.c - a dense solve on a GPU.
 *
 *   threads  a thread has a system in registers: a small one, or one whose neighbours lie beside it
 *   lanes    lanes of a warp share a system, a row each
 *
 * Both let neighbouring lanes compute entries that lie side by side: of one system, turned by
 * shared memory, or of several. */
#include "ask.h"
#include "running.h"
#include "solve_rows.h"

enum {
	THREADS = 128,
	SMALL = 4, MOST = 8      /* unknowns of a thread: always; if systems lie side by side */
};

/* Do neighbours along the index lie apart in all that is read?  visit: false where they do not. */
static bool visit_apart(struct expr *e, void *index)
{
	return e->kind != E_READ || !expr_uses(e->arg.at[e->arg.n - 1], index);
}

static bool lie_beside(const struct node *node, struct var *index)
{
	return !expr_walk((struct expr *)dense_entry(node), visit_apart, index);
}

bool dense_entries_beside(const struct node *node)
{
	return lie_beside(node, dense_column(node))
	       || lie_beside(node, node->index.at[node->running->axis]);
}

static struct lowering *open_kernel(const struct task *c, const char *note)
{
	struct lowering *l = dense_kernel(c, note);
	solve_block(l, THREADS);
	k_bind(l->k, "thread", x_var(k_let(l->k, "thread", block_thread(l))));
	k_numbers(l->k, "THREADS", THREADS);
	return l;
}

static void launch(const struct task *c, struct lowering *l, int each)
{
	const struct systems *s = c->found;
	lowering_launch_strided(l, x_div_up(s->count, x_i64(each)));
}

bool dense_fits_thread(const struct task *c)
{
	const int n = dense_size(c->node);
	return n <= SMALL || (n <= MOST && !dense_entries_beside(c->node));
}

void dense_threads(const struct task *c)
{
	const int n = dense_size(c->node);
	struct lowering *l = open_kernel(c, "A thread has a system in registers.");
	k_numbers(l->k, "PITCH, STAGED", n * n | 1, n > 1 && dense_entries_beside(c->node));
	k_text(l->k, "dense_by_threads");
	launch(c, l, THREADS);
}

void dense_lanes(const struct task *c)
{
	const int n = dense_size(c->node);
	int group = 1;
	while (group < n)
		group *= 2;
	const char *note = str_print("%d lanes share a system, a row each.", group);
	struct lowering *l = open_kernel(c, note);
	k_numbers(l->k, "GROUP, GROUP_BITS, PITCH, STAGED", group, log2_of(group), n | 1,
	          lie_beside(c->node, dense_column(c->node)));
	k_text(l->k, "dense_by_lanes");
	launch(c, l, THREADS / group);
}
