/* solve_gpu.c - a solve on a GPU.
 *
 *   lanes   some lanes of a warp share a system, each with some rows in registers: one read and one
 *           write of memory.  Several numbers of lanes and rows, a kernel each: a system takes the
 *           first that has room for it.
 *   march   a thread a system.  Where the systems are the last axis, neighbouring lanes read
 *           neighbouring cells. */
#include "ask.h"
#include "running.h"
#include "solve_rows.h"

enum { THREADS = 128, MARCH_BLOCKS = 8 };        /* of a block; of a multiprocessor */

/* ---- a thread a system ---- */

KTEXT_HOLE(factor_at)
{
	return k_value(l->k, "march_factor", arg[0]);
}

static void block_of(struct lowering *l, int threads)
{
	l->k->block[0] = threads;
	l->k->block[1] = l->k->block[2] = 1;
}

void solve_march(const struct task *c)
{
	const struct systems *s = c->found;
	const char *note = "A thread goes down a system, and up again.";
	struct lowering *l = solve_kernel(c, ways_suffix(c), note);
	struct kx *most = x_i64((int64_t)MARCH_BLOCKS * l->target->units);
	struct kx *blocks = plan_let(c->plan, "blocks",
	                             x_min(x_div_up(s->count, x_i64(THREADS)), most));
	block_of(l, THREADS);
	k_numbers(l->k, "BLOCK", THREADS);
	solve_factors(c, l, x_mul(blocks, x_i64(THREADS)));
	k_bind_call(l->k, "factor_at", factor_at, NULL);
	k_text(l->k, "march_systems");
	lowering_launch(l, blocks, x_i64(1), x_i64(1));
}

/* ---- some lanes a system ---- */

/* Lanes of a system, and rows of each, by the form of a way. */
static const struct { int lanes, each; } sizes[] = { { 8, 4 }, { 16, 4 }, { 32, 4 }, { 32, 16 } };

static bool reads(const struct node *node, enum row_part part)
{
	return expr_has(row_part(node, part), E_READ);
}

bool solve_lanes_fit(const struct task *c)
{
	return solve_along_rows(c->node);
}

struct kx *solve_lanes_when(const struct task *c)
{
	const struct systems *s = c->found;
	const int form = c->way->form;
	return kx_fold(x_le(s->rows, x_i64((int64_t)sizes[form].lanes * sizes[form].each)));
}

void solve_lanes(const struct task *c)
{
	const struct systems *s = c->found;
	const int group = sizes[c->way->form].lanes, each = sizes[c->way->form].each;
	const char *note = "Some lanes share a system, by cyclic reduction.";
	struct lowering *l = solve_kernel(c, ways_suffix(c), note);
	const int lanes = l->target->lanes, together = lanes / group, warps = THREADS / lanes;
	block_of(l, THREADS);
	k_bind(l->k, "thread", x_var(k_let(l->k, "thread", block_thread(l))));
	k_numbers(l->k, "GROUP, GROUP_BITS, EACH, WARPS, TOGETHER, STAGED", group, log2_of(group),
	          each, warps, together, lanes * (each + 1));
	k_numbers(l->k, "BEFORE_READS, OWN_READS, AFTER_READS, RIGHT_READS",
	          reads(c->node, ROW_BEFORE), reads(c->node, ROW_OWN), reads(c->node, ROW_AFTER),
	          reads(c->node, ROW_RIGHT));
	k_text(l->k, "solve_by_lanes");
	struct kx *blocks = x_div_up(s->count, x_i64((int64_t)warps * together));
	lowering_launch(l, x_min(blocks, x_i64(l->target->max_grid_x)), x_i64(1), x_i64(1));
}
