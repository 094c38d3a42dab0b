/* cells_shape.c - how a kernel over cells can be formed, and why not otherwise: what the passes ask
 * of map, stencil, and a reduce whose cells each fold their own terms. */
#include "cells.h"
#include "lowerings.h"

enum {
	MAX_ROWS = 64,                   /* or cells of a tile, a thread */
	WORDS = 160                      /* registers of what a vector of cells reads, at most */
};

static bool is_even(const struct node *node)
{
	struct cells c = { .node = node, .rank = node->index.n };
	return cells_even(&c);
}

static bool is_staged(const struct node *node)
{
	return node->choice.stage == STAGE_SHARED || node->choice.stage == STAGE_RUNS;
}

static bool moves_structs(const struct node *node)
{
	for (int q = 0; q < node->equation.n; q++)
		if (node->equation.at[q]->target.at[0]->kind != E_READ)
			return true;
	return !node_walk((struct node *)node, cells_no_struct, NULL);
}

static bool even_rows(struct expr *e, void *unused)
{
	(void)unused;
	return e->kind != E_READ || !var_tiled(e->var) || e->var->layout->tile[1] % 2 == 0;
}

/* Of the widest element: the width that cells_width() finds when nobody has chosen one. */
static int widest_access(const struct node *node)
{
	struct node open = *node;
	open.choice.vector = 0;
	return cells_width(&open);
}

/* Reads that are uniform over the cells of a vector, the weights of a filter: they may be fetched
 * again, and count half. */
struct uniform { const struct node *node; LIST(struct expr *) read; int64_t words; };

static bool find_uniform(struct expr *e, void *state)
{
	struct uniform *a = state;
	if (e->kind != E_READ || expr_uses(e, a->node->index.at[a->node->index.n - 1]))
		return true;
	for (int r = 0; r < a->read.n; r++)
		if (expr_same(a->read.at[r], e))
			return true;
	list_add(&a->read, e);
	a->words += type_words(e->type);
	return true;
}

/* Registers for what a vector of cells reads: that, and of each row the cells from the first to the
 * last. */
int64_t cells_words_read(const struct node *node, int width)
{
	struct cells c = { .node = node,
		           .rank = node->index.n,
		           .column = node->index.n - 1,
		           .width = width,
		           .march = -1 };
	struct uniform a = { .node = node };
	int64_t words = 0;
	cells_find_streams(&c);
	node_walk((struct node *)node, find_uniform, &a);
	for (int s = 0; s < c.stream.n; s++)
		words += (c.stream.at[s].hi - c.stream.at[s].lo + width)
		         * type_words(c.stream.at[s].var->type);
	return words + a.words / 2;
}

bool cells_fit(const struct node *node, int width)
{
	return cells_words_read(node, width) <= WORDS;
}

static const char *no_vector(const struct node *node, const struct target *target)
{
	if (!target->gpu)
		return "the C compiler makes vectors of the inner loop";
	if (node->index.n == 0)
		return "it computes a scalar";
	if (node->choice.stage == STAGE_RUNS)
		return "its windows are folded one by one";
	if (node->choice.stage == STAGE_SHARED)
		return "cells are read one by one from shared memory";
	if (node->mirror[0])
		return "cells are read in pairs";
	if (!is_even(node))
		return "a range depends on an index or a device scalar, so rows have different "
		       "lengths";
	if (moves_structs(node))
		return "structs are moved whole";
	if (!node_walk((struct node *)node, even_rows, NULL))
		return "the rows of an array's tiles have an odd number of cells";
	if (!node_walk((struct node *)node, cells_no_curve, NULL))
		return "an array's cells lie along a curve";
	if (widest_access(node) > 1)
		return "the reads of a vector of cells would take most registers of a thread";
	if (target_read(node->equation.at[0]->target.at[0])->var->layout)
		return "its target is stored in another layout";
	return "its target does not run along the last index";
}

/* Vectors, if a thread has the registers; a march says itself what it holds. */
static int widest(const struct node *node, const struct target *target)
{
	if (!target->gpu || !node->index.n || is_staged(node) || !is_even(node))
		return 1;
	int width = widest_access(node);
	while (width > 1 && node->choice.stage != STAGE_REGISTERS && !cells_fit(node, width))
		width /= 2;
	return width;
}

void cells_shape(const struct node *node, const struct target *target, struct shape *s)
{
	s->vector = widest(node, target);
	s->no_vector = no_vector(node, target);
	s->vectors = target->gpu && node->index.n && !is_staged(node) && !moves_structs(node);
	s->piece = "row";
	s->pieces = target->gpu && node->index.n > 1 ? MAX_ROWS : 1;
	if (!target->gpu)
		s->no_pieces = "threads share the rows, as many as OpenMP gives";
	else if (!node->index.n)
		s->no_pieces = "one thread computes a scalar";
	else if (node->choice.stage == STAGE_RUNS)
		s->no_pieces = "the host chooses the rows of a piece by the lengths of windows";
	else if (node->choice.stage == STAGE_SHARED)
		s->piece = "cell", s->pieces = MAX_ROWS,
		s->no_pieces = "the tile gives the number of cells of a thread";
	else if (node->choice.stage == STAGE_REGISTERS)
		s->piece = "step", s->pieces = MAX_ROWS,
		s->no_pieces = "the host chooses the steps of the march by the shape";
	else if (node->index.n == 1)
		s->no_pieces = "the threads share a row";
	else if (node->group && node->group->epilogue.n)
		s->no_pieces = "the host chooses the rows of a thread by the shape, since every "
			       "block pays for the fold after it";
	else if (node->index.n == 2 && !node_walk((struct node *)node, cells_no_curve, NULL))
		s->no_pieces = "the host chooses the rows of a thread by the shape; they share the "
			       "position of a column along a curve";
	else
		s->no_pieces = "rows would be read one after another, with no more bytes in flight";
}
