/* wave_rows.c - a wavefront row by row (rows.kernel): each is a scan (wave_stretch.c), in which no
 * cell waits for the one before it.
 *
 * A problem is the rows and columns at some indices of all other axes.  A block solves its rows
 * one after another, with a barrier between them, in one launch.  Rows that are longer than the
 * block's threads reach are cut into stretches from left to right.  This is for many problems,
 * or for one of few rows. */
#include "wave_stretch.h"

enum { VALUE_WORDS = 4 };                /* registers of a thread for the values of a stretch */

/* Threads: no more than a row needs. */
static int threads_for(const struct axes *a, int cells)
{
	const struct target *t = a->plan->target;
	int64_t columns;
	if (!x_constant(axis_size(a, a->n - 1), &columns) || columns >= (int64_t)t->block * cells)
		return t->block;
	int64_t warps = (columns + (int64_t)cells * t->lanes - 1) / ((int64_t)cells * t->lanes);
	return (int)(warps < 1 ? 1 : warps) * t->lanes;
}

/* Is each problem a part of what is folded?  Else all those of a block are. */
static bool apart(const struct axes *a)
{
	return a->births && a->births->each;
}

struct row_solver { struct axes *axes; struct stretch stretch; };

/* The functions that the texts call: the name in the text, and the C function. */
#define CALLS(DO, GET) \
	DO(bind_problem, axes_bind_outer(s->axes, arg[0])) \
	DO(bind_row, axis_bind(s->axes, s->axes->n - 2, arg[0])) \
	DO(solve_stretch, stretch_solve(&s->stretch, arg[0], arg[1])) \
	DO(start_births, births_start(s->axes)) \
	DO(fold_columns, births_columns(s->axes, x_i64(0), arg[0])) \
	DO(fold_block, block_fold(l, &s->axes->births->acc)) \
	DO(store_births, births_store(s->axes, arg[0], NULL)) \
	GET(rows, axes_rows(s->axes)) \
	GET(columns, axes_columns(s->axes)) \
	GET(problems, axes_argument(s->axes, "problems", s->axes->host_problems))

#define HOLE_DO(name, call) KTEXT_CALL(struct row_solver, s, name, call; return NULL;)
#define HOLE_GET(name, value) KTEXT_CALL(struct row_solver, s, name, return value;)

CALLS(HOLE_DO, HOLE_GET)

static void kernel(struct axes *a)
{
	struct lowering *l = a->l = lowering_new(a->plan, a->node->name);
	struct kernel *k = l->k;
	struct row_solver rows = { .axes = a };
	int cells = stretch_cells(a->node, VALUE_WORDS);
	k->note = "Row after row of a problem, each by a scan.";
	k->block[0] = threads_for(a, cells);
	k->block[1] = k->block[2] = 1;
	lowering_writes(l, a->node);
	stretch_open(&rows.stretch, a, cells);
	k_numbers(k, "SINGLE, MANY_ROWS, STRETCH", x_is_int(a->host_problems, 1), a->n > 1,
	          stretch_columns(&rows.stretch));
	k_numbers(k, "FOLDS, APART", births_fold(a), apart(a));
	k_bind_calls(k, &rows, CALLS(KTEXT_ROW, KTEXT_ROW));
	k_text(k, "solve_problems");
}

void wave_rows(struct plan *plan, const struct node *node)
{
	struct axes a;
	axes_open(&a, plan, node);
	struct kx *turns = x_i64(plan->target->turn_blocks);
	struct kx *blocks = x_min(a.host_problems, turns);
	if (apart(&a))
		births_open(&a, axes_most_problems(&a), a.host_problems);
	else
		births_open(&a, x_min(axes_most_problems(&a), turns), blocks);
	k_if(plan->host, axes_some(&a));
	axes_open_loops(&a);
	kernel(&a);
	lowering_launch(a.l, blocks, x_i64(1), x_i64(1));
	axes_close_loops(&a);
	k_end(plan->host);
	births_close(&a);
}
