/* wave_lower.c - which schedule a wavefront takes. */
#include "../lowerings.h"
#include "separable.h"
#include "wave_stretch.h"

void wavefront_lower(struct plan *plan, const struct group *group)
{
	const struct node *node = group->anchor;
	struct separable s;
	cells_check_ranges(plan, node);
	if (node->choice.sweep == SWEEP_STRIPS)
		wave_strips(plan, node, NULL);
	else if (node->choice.sweep == SWEEP_BATCH)
		wave_batch(plan, node);
	else if (node->choice.sweep == SWEEP_ROWS)
		wave_rows(plan, node);
	else if (node->choice.sweep != SWEEP_SEPARABLE || no_separable(node, &s))
		wave_tiles(plan, node);
	else if (plan->target->gpu)
		separable_gpu(plan, &s);
	else
		separable_cpu(plan, &s);
}

static bool solves_rows(enum sweep sweep)
{
	return sweep == SWEEP_ROWS || sweep == SWEEP_HYBRID;
}

/* What needs a law is faster by far where it may be. */
static void choose(const struct node *node, const struct target *target, struct shape *s)
{
	struct separable separable;
	s->no_sweep[SWEEP_SEPARABLE] = no_separable(node, &separable);
	s->no_sweep[SWEEP_STRIPS] = no_strips(node, target);
	s->no_sweep[SWEEP_ROWS] = s->no_sweep[SWEEP_HYBRID] = no_stretch(node, target);
	s->no_sweep[SWEEP_BATCH] = no_batch(node, target);
	s->sweep = !s->no_sweep[SWEEP_SEPARABLE] ? SWEEP_SEPARABLE
	           : !s->no_sweep[SWEEP_BATCH]   ? SWEEP_BATCH
	           : !s->no_sweep[SWEEP_STRIPS]  ? SWEEP_STRIPS
	                                         : SWEEP_DIAGONAL;
	if (node->pin.sweep && node->pin.sweep != SWEEP_SEPARABLE)
		s->law = solves_rows(node->pin.sweep) && !s->no_sweep[node->pin.sweep]
		                 ? stretch_law(node)
		                 : NULL;
	else if (s->no_sweep[SWEEP_SEPARABLE])
		s->law = str_print("not separable, since %s", s->no_sweep[SWEEP_SEPARABLE]);
	else
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
	s->no_vector = target->gpu ? "its rows do not lie in memory as they run"
	                           : "the C compiler makes vectors of the inner loop";
	s->piece = "row";
	s->pieces = 1;
	s->no_pieces = target->gpu ? "the registers say how many rows a thread takes"
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
	find_problems(node, s);
	if (is_cut(node))
		s->irregular = "who is ready takes the next part, of a long problem or a short one";
	s->no_pack = node->choice.sweep == SWEEP_BATCH ? no_pack(node) : NULL;
	s->pack = node->choice.sweep == SWEEP_BATCH && !s->no_pack ? pack_law(node) : NULL;
	s->no_unstored = no_unstored(node, target);
	s->ring = s->no_unstored && !s->no_sweep[node->choice.sweep] ? ring_of(node, target) : NULL;
	if (node->choice.sweep == SWEEP_SEPARABLE) {
		separable_shape(node, target, s);
		return;
	}
	s->vector = 1;
	s->no_vector = target->gpu ? "a thread takes the cells of a row one after another"
	                           : "a cell waits for the one before it in its row";
	s->piece = "row";
	s->pieces = 1;
	s->no_pieces = "a row of a tile is one thread's";
}
