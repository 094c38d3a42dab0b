/* wave_rows.c - a wavefront row by row: each is a scan (wave_stretch.c), for which no cell waits for the one before it.
 *
 * A problem, which is the rows and columns at some indices of all other axes, is a block's: its rows follow each other
 * behind a barrier, in one launch.  Rows that are longer than the block's threads reach are cut into stretchs from left
 * to right.  So it is for many problems, or for one of few rows. */
#include "wave_stretch.h"

enum {
	MOST_BLOCKS = 1 << 22,               /* of a launch: more problems take turns */
	VALUE_WORDS = 4                      /* registers of a thread for the values of a stretch */
};

/* Threads: no more than a row wants. */
static int threads_for(const struct axes *a, int cells)
{
	const struct target *t = a->plan->target;
	int64_t columns;
	if (!x_constant(axis_size(a, a->n - 1), &columns) || columns >= (int64_t)t->block * cells)
		return t->block;
	int64_t warps = (columns + (int64_t)cells * t->lanes - 1) / ((int64_t)cells * t->lanes);
	return (int)(warps < 1 ? 1 : warps) * t->lanes;
}

static void problem(struct axes *a, struct stretch *s)
{
	struct kernel *k = a->l->k;
	struct kx *columns = axes_columns(a), *wide = x_i64(stretch_columns(s));
	struct kx *row = x_var(k_for(k, "row", x_i64(0), axes_rows(a), x_i64(1), FOR_ROLLED));
	if (a->n > 1)
		axis_bind(a, a->n - 2, row);
	stretch_solve(s, x_var(k_for(k, "first", x_i64(0), columns, wide, FOR_ROLLED)), columns);
	k_end(k);
	births_columns(a, x_i64(0), columns);
	k_end(k);
}

/* Is each problem a part of what is folded?  Else all those of a block are. */
static bool apart(const struct axes *a)
{
	return a->births && a->births->each;
}

static void store_births(struct axes *a, struct kx *part)
{
	struct lowering *l = a->l;
	if (!births_fold(a))
		return;
	block_fold(l, &a->births->acc);
	k_if(l->k, x_eq(block_thread(l), x_i32(0)));
	births_store(a, part, NULL);
	k_end(l->k);
}

static void kernel(struct axes *a)
{
	struct lowering *l = a->l = lowering_new(a->plan, a->node->name);
	struct kernel *k = l->k;
	struct stretch s;
	int cells = stretch_cells(a->node, VALUE_WORDS);
	k->note = "Row after row of a problem, each by a scan.";
	k->block[0] = threads_for(a, cells);
	k->block[1] = k->block[2] = 1;
	lowering_writes(l, a->node);
	stretch_open(&s, a, cells);
	struct kx *first = x_to_i64(x_id(ID_BLOCK_X)), *step = x_to_i64(x_id(ID_GRID_X));
	bool single = x_is_int(a->host_problems, 1);
	if (!apart(a))
		births_start(a);
	if (!single)
		first = x_var(k_for(k, "problem", first, axes_argument(a, "problems", a->host_problems), step, FOR_ROLLED));
	axes_bind_outer(a, first);
	if (apart(a))
		births_start(a);
	problem(a, &s);
	if (apart(a))
		store_births(a, first);
	if (!single)
		k_end(k);
	if (!apart(a))
		store_births(a, x_to_i64(x_id(ID_BLOCK_X)));
}

void wave_rows(struct plan *plan, const struct node *node)
{
	struct axes a;
	axes_open(&a, plan, node);
	struct kx *blocks = x_min(a.host_problems, x_i64(MOST_BLOCKS));
	if (apart(&a))
		births_open(&a, axes_most_problems(&a), a.host_problems);
	else
		births_open(&a, x_min(axes_most_problems(&a), x_i64(MOST_BLOCKS)), blocks);
	k_if(plan->host, axes_some(&a));
	axes_open_loops(&a);
	kernel(&a);
	lowering_launch(a.l, blocks, x_i64(1), x_i64(1));
	axes_close_loops(&a);
	k_end(plan->host);
	births_close(&a);
}
