/* wave_lower.c - which schedule a wavefront takes: a table of ways, which answers the pass and
 * lowers what it has chosen. */
#include "../lowerings.h"
#include "../ways.h"
#include "separable.h"
#include "wave_band.h"
#include "wave_blocked.h"
#include "wave_stretch.h"

/* ---- the ways ---- */

static const char *not_separable(const struct node *node, const struct target *target)
{
	struct separable s;
	(void)target;
	return no_separable(node, &s);
}

static bool is_chosen(const struct task *c)
{
	return c->node->choice.sweep == (enum sweep)c->way->form;
}

static void lower_separable(const struct task *c)
{
	struct separable s;
	no_separable(c->node, &s);
	if (c->plan->target->gpu)
		separable_gpu(c, &s);
	else
		separable_cpu(c->plan, &s);
}

static void lower_batch(const struct task *c)
{
	wave_batch(c->plan, c->node);
}

static void lower_strips(const struct task *c)
{
	wave_strips(c->plan, c->node, NULL);
}

static void lower_rows(const struct task *c)
{
	wave_rows(c->plan, c->node);
}

static void lower_ready(const struct task *c)
{
	wave_ready(c->plan, c->node);
}

static void lower_tiles(const struct task *c)
{
	wave_tiles(c->plan, c->node);
}

static bool is_block(const struct task *c)
{
	return c->node->wave->block;
}

static void lower_solve(const struct task *c)
{
	wave_solve(c->plan, c->node);
}

static struct kx *blocks_pay(const struct task *c)
{
	return blocked_pays(c->plan, c->node);
}

static void lower_blocked(const struct task *c)
{
	plan_body(c->plan, c->node->body.at, c->node->body.n);
}

#define OTHER "`sweep` has chosen another order"            /* by a pin, or by --no-pass */

static const struct way ways[] = {
	/* a statement that wave_blocked.c has made: wave_solve.c */
	{ "solve", "a thread for each column, some of its rows in registers", .fits = is_block,
	  .lower = lower_solve, .on = ON_GPU, .form = SWEEP_BLOCKED },
	/* products, and rows of blocks: wave_blocked.c */
	{ "blocked", "by blocks of rows, as products with the results of earlier blocks",
	  "there are enough rows and columns", .fits = is_chosen, .when = blocks_pay,
	  .lower = lower_blocked, .on = ON_GPU, .form = SWEEP_BLOCKED },
	/* by a law: separable_gpu.c, separable_cpu.c */
	{ "separable", "down every column, then along every row, in one pass over memory", NULL,
	  OTHER, not_separable, is_chosen, .lower = lower_separable, .form = SWEEP_SEPARABLE },
	/* wave_batch.c */
	{ "batch",
	  "a few lanes a problem, its rows in registers; problems of many rows, or few problems, "
	  "in strips",
	  NULL, OTHER, no_batch, is_chosen, .lower = lower_batch, .on = ON_GPU,
	  .form = SWEEP_BATCH },
	/* wave_strips.c */
	{ "strips", "strips of rows, with a warp for each, its lanes one step apart", NULL, OTHER,
	  no_strips, is_chosen, .lower = lower_strips, .on = ON_GPU, .form = SWEEP_STRIPS },
	/* places that data decide: wave_ready.c */
	{ "ready",
	  "in one launch, with a lane for each cell, which waits for the cells that it reads", NULL,
	  OTHER, no_ready, is_chosen, .lower = lower_ready, .on = ON_GPU, .form = SWEEP_READY },
	/* if pinned: wave_rows.c */
	{ "rows", "row after row, with a block for each problem, each row a scan",
	  .fits = is_chosen, .why_not = no_stretch, .lower = lower_rows, .on = ON_GPU,
	  .form = SWEEP_ROWS },
	/* if pinned: wave_tiles.c */
	{ "hybrid", "tiles by anti-diagonal, with a warp for each, their rows as scans",
	  .fits = is_chosen, .why_not = no_stretch, .lower = lower_tiles, .on = ON_GPU,
	  .form = SWEEP_HYBRID },
	/* on a CPU: wave_band.c */
	{ "abreast", "tiles by anti-diagonal, their rows together in vectors", .why_not = no_band,
	  .lower = lower_tiles, .on = ON_CPU, .form = SWEEP_DIAGONAL },
	/* every wavefront: wave_tiles.c */
	{ "diagonal", "tiles by anti-diagonal, with a launch for each diagonal",
	  .lower = lower_tiles, .form = SWEEP_DIAGONAL }
};

void wavefront_lower(struct plan *plan, const struct group *group)
{
	cells_check_ranges(plan, group->anchor);
	ways_lower(ways, plan, group, NULL);
}

/* ---- what the passes may decide ---- */

static bool solves_rows(enum sweep sweep)
{
	return sweep == SWEEP_ROWS || sweep == SWEEP_HYBRID;
}

static const char far_away[] = "cells read others that are not neighbours";

/* The first way that can be taken, of those that need no pin.  What needs a law is faster by far
 * where it may be.  On a CPU a row of the table may be one of several forms of an order. */
static void choose(const struct node *node, const struct target *target, struct shape *s)
{
	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
		const enum sweep sweep = (enum sweep)ways[i].form;
		if (ways[i].on == ON_CPU)
			continue;
		if (sweep == SWEEP_BLOCKED)
			s->no_sweep[sweep] = no_blocked(node, target);
		else if (node->wave->far && sweep != SWEEP_DIAGONAL && sweep != SWEEP_READY)
			s->no_sweep[sweep] = far_away;
		else if (ways[i].why_not)
			s->no_sweep[sweep] = ways[i].why_not(node, target);
		if (!s->sweep && !s->no_sweep[sweep] && !solves_rows(sweep))
			s->sweep = sweep;
	}
	if (node->pin.sweep && node->pin.sweep != SWEEP_SEPARABLE)
		s->law = solves_rows(node->pin.sweep) && !s->no_sweep[node->pin.sweep]
		                 ? stretch_law(node)
		                 : NULL;
	else if (!s->no_sweep[SWEEP_SEPARABLE])
		s->law = separable_law(node);
}

static void find_problems(const struct node *node, struct shape *s)
{
	for (int d = 0; d < node->index.n - 2; d++) {
		int k = node->wave->order[d];
		if (axis_waits(node, d))
			continue;
		if (!cells_exact(node, k))
			return;
		s->problem[s->problems++] = k;
	}
}

static void separable_shape(const struct node *node, const struct target *target, struct shape *s)
{
	struct node open = *node;
	open.choice.vector = 0;
	s->vector = target->gpu ? separable_width(&open) : 1;
	s->vectors = target->gpu;
	s->no_vector = target->gpu ? "its rows are not contiguous in memory"
	                           : "the C compiler makes vectors of the inner loop";
	s->piece = "row";
	s->pieces = 1;
	s->no_pieces = target->gpu ? "the registers limit the rows of a thread"
	                           : "threads share bands of rows";
}

static bool is_cut(const struct node *node)
{
	bool cut = false;
	for (int k = 0; k < node->index.n; k++)
		cut |= node->wave->cut[k].lo != NULL;
	return cut;
}

void wavefront_shape(const struct node *node, const struct target *target, struct shape *s)
{
	choose(node, target, s);
	s->split = blocked_split;
	if (s->sweep == SWEEP_BLOCKED
	    && (!node->pin.sweep || node->pin.sweep == SWEEP_BLOCKED))
		s->no_births = "with blocks of rows, cells cannot be folded in the kernel that "
			       "computes them";
	find_problems(node, s);
	if (is_cut(node))
		s->level =
			"threads that are ready take the next part, of a long or a short problem";
	s->no_pack = node->choice.sweep == SWEEP_BATCH ? no_pack(node) : NULL;
	s->pack = node->choice.sweep == SWEEP_BATCH && !s->no_pack ? pack_law(node) : NULL;
	s->no_unstored = node->wave->far ? far_away : no_unstored(node, target);
	s->ring = s->no_unstored && !node->wave->far && !s->no_sweep[node->choice.sweep]
	                  ? ring_of(node, target)
	                  : NULL;
	if (node->choice.sweep == SWEEP_SEPARABLE) {
		separable_shape(node, target, s);
		return;
	}
	s->vector = 1;
	s->no_vector = target->gpu ? "a thread takes the cells of a row one after another"
	                           : "a cell depends on the previous one in its row";
	s->piece = "row";
	s->pieces = 1;
	s->no_pieces = "a row of a tile is one thread's";
}
