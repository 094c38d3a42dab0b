/* walks.c - cells on a GPU that are a call of a function with a loop, `while ... at most`, whose
 * passes data count.
 *
 * A thread that makes all passes of its cell waits for the longest walk of its warp, and the lanes
 * of a warp soon are at different places.  Two schedules make the passes otherwise; the function is
 * called pass by pass (Note [passes] in walk.c), and a lane has the state of its walk in registers.
 *
 *   refill  as many blocks as the machine holds.  Lanes whose walks have ended take the next cells,
 *           by one addition a warp to a counter in the workspace, once few lanes of the warp walk
 *           (persistent threads: T. Aila, S. Laine, Understanding the efficiency of ray traversal
 *           on GPUs, 2009).
 *   packet  the lanes of a warp make a pass together only where they are at one place: of all
 *           cursors, the i32 in the loop's condition, the least goes first.  Where walks run
 *           through an array in its order, lanes that skip a part of it wait for those that do not,
 *           and every load is one for the warp (I. Wald, S. Boulos, P. Shirley, Ray tracing
 *           deformable scenes using dynamic bounding volume hierarchies, 2007).
 *
 * Both give the bits and the status of the plain schedule: a walk knows nothing of others. */
#include "walks.h"

#include "cells.h"
#include "walk.h"

enum { FEW_PARTS = 8, FEW_OF = 5 };      /* warps with at most 5/8 of their lanes are filled up */

/* ---- which statements ---- */

/* Computed for every cell, whatever its operands: what they do not compute may not fail. */
static bool is_eager(const struct expr *e)
{
	return e->kind == E_CAST || e->kind == E_FIELD || e->kind == E_STRUCT || e->kind == E_UNARY
	    || e->kind == E_MATH || (e->kind == E_BINARY && e->op != OP_LAND && e->op != OP_LOR);
}

static const struct expr *walk_call(const struct expr *e)
{
	const struct expr *found = NULL;
	if (e->kind == E_CALL)
		return e->fn->limits ? e : NULL;
	for (int a = 0; is_eager(e) && !found && a < e->arg.n; a++)
		found = walk_call(e->arg.at[a]);
	return found;
}

static bool count_checked(struct expr *e, void *count)
{
	*(int *)count += e->checked;
	return true;
}

static bool calls_limited(struct expr *e, void *unused)
{
	(void)unused;
	return e->kind != E_CALL || !e->fn->limits;
}

static const char *no_cells(const struct node *node)
{
	struct cells c = { .node = node, .rank = node->index.n };
	const struct group *g = node->group;
	return !node->index.n           ? "it computes a scalar"
	     : node->mirror[0]          ? "it exchanges cells in place"
	     : !cells_even(&c)          ? "an index or a device scalar bounds an index"
	     : g && g->epilogue.n       ? str_print("`%s` is folded where its cells are computed: "
	                                            "pin that `no fuse`", g->epilogue.at[0]->name)
	     : g && (g->mate.n || g->chain.n) ? "other statements share its kernel"
	     : node->equation.n > 1     ? "it computes several arrays"
	                                : NULL;
}

static const char *no_call(const struct node *node, const struct walk **walk)
{
	const struct expr *call = walk_call(node->equation.at[0]->right);
	const char *why = "the call is not computed for each cell";
	int checked = 0;
	if (!call)
		return why;
	node_walk((struct node *)node, count_checked, &checked);
	if (checked > 1)
		return "other parts of its value may also fail";
	*walk = walk_of(call->fn, &why);
	return *walk ? NULL : why;
}

bool walks_scheduled(const struct node *node)
{
	return node->choice.walk > WALK_THREAD;
}

void walks_shape(const struct node *node, const struct target *target, struct shape *s)
{
	const struct walk *walk = NULL;
	s->walks = !node_walk((struct node *)node, calls_limited, NULL);
	if (!s->walks)
		return;
	const char *why = !target->gpu ? "threads of a CPU take the next rows when they are done"
	                               : no_cells(node);
	if (!why)
		why = no_call(node, &walk);
	s->no_walk[WALK_REFILL] = s->no_walk[WALK_PACKET] = why;
	if (!why && !walk->cursor)
		s->no_walk[WALK_PACKET] =
			str_print("the loop condition of `%s` reads no variable of type i32",
		                  walk->fn->name);
}

/* ---- the kernel ---- */

struct walking {
	struct cells *c;
	struct node plain;                   /* the statement without its mask */
	const struct expr *call;
	const struct walk *walk;
	struct kx *state;
	struct kx *lo[MAX_RANK], *size[MAX_RANK];
};

static struct kx *field(const struct walking *w, const struct field *f)
{
	return x_field(w->state, f);
}

KTEXT_HOLE(bind)
{
	const struct walking *w = state;
	cells_bind_row(w->c, arg[0], w->lo, w->size, 0);
	return NULL;
}

KTEXT_HOLE(chosen)
{
	return lower_expr(l, ((const struct walking *)state)->c->node->where);
}

KTEXT_HOLE(start)
{
	const struct walking *w = state;
	struct kx **given = lower_arguments(l, w->call);
	k_set(l->k, w->state, x_call(w->walk->start, w->call->arg.n, given));
	return NULL;
}

/* Of the arguments the arrays and the sizes; what else there is the state has. */
KTEXT_HOLE(pass)
{
	const struct walking *w = state;
	struct kx **arrays = mem_new(sizeof *arrays * (size_t)(w->call->arg.n + 1));
	int n = 0;
	arrays[n++] = w->state;
	for (int a = 0; a < w->call->arg.n; a++) {
		const struct expr *e = w->call->arg.at[a];
		if (expr_handed(e))
			arrays[n++] = lower_pointer(l, e->arg.at[0]->var);
		else if (a >= w->walk->fn->param.n)
			arrays[n++] = lower_expr(l, e);
	}
	k_set(l->k, w->state, x_call(w->walk->pass, n, arrays));
	return NULL;
}

KTEXT_HOLE(finish)
{
	const struct walking *w = state;
	const struct node *node = w->c->node;
	w->c->node = &w->plain;
	l->walked = w->call;
	cells_body(w->c, CELL_PLAIN);
	l->walked = NULL;
	w->c->node = node;
	return NULL;
}

/* How many cells there are: a variable of the host. */
static struct kx *find_cells(struct walking *w)
{
	struct plan *plan = w->c->l->plan;
	struct lowering *host = host_lowering(plan);
	struct kx *cells = x_i64(1);
	for (int d = 0; d < w->c->rank; d++) {
		struct kx *lo = cells_range_lo(w->c, d, host),
			  *size = plan_range(plan, lo, cells_range_hi(w->c, d, host));
		size = plan_let(plan, str_print("%s_cells", w->c->node->index.at[d]->name), size);
		cells = x_mul(cells, size);
		w->lo[d] = cells_argument(w->c, "%s_first", d, lo);
		w->size[d] = d ? cells_argument(w->c, "%s_cells", d, size) : NULL;
	}
	return plan_let(plan, "cells", cells);
}

static struct walking walking_open(const struct task *task, struct kx **cells)
{
	struct walking w = { .c = cells_open(task->plan, task->group, false, "") };
	struct lowering *l = w.c->l;
	const char *why;
	w.plain = *w.c->node;
	w.plain.where = NULL;
	w.call = walk_call(w.c->node->equation.at[0]->right);
	w.walk = walk_of(w.call->fn, &why);
	block_launch_bounds(l);
	l->k->min_blocks = 1;                /* as in cells_gpu.c, against spills */
	*cells = find_cells(&w);
	w.state = l->state = x_var(k_var(l->k, kt(w.walk->state), w.walk->fn->name,
	                                 lower_zero(w.walk->state)));
	k_bind(l->k, "cells", lower_argument(l, "cells", kt_scalar(T_I64), *cells));
	k_bind(l->k, "goes_on", field(&w, w.walk->goes_on));
	k_numbers(l->k, "BLOCK, WHERE", l->k->block[0], w.c->node->where != NULL);
	return w;
}

static void walking_text(struct walking *w, const char *text, struct kx *blocks)
{
	struct lowering *l = w->c->l;
	k_bind_calls(l->k, w, { "bind", bind }, { "chosen", chosen }, { "start", start },
	             { "pass", pass }, { "finish", finish });
	k_text(l->k, text);
	lowering_launch(l, blocks, x_i64(1), x_i64(1));
}

/* ---- the ways ---- */

bool walks_refill(const struct task *task)
{
	return task->node->choice.walk == WALK_REFILL;
}

bool walks_packet(const struct task *task)
{
	return task->node->choice.walk == WALK_PACKET;
}

void walks_lower_refill(const struct task *task)
{
	struct kx *cells;
	struct walking w = walking_open(task, &cells);
	struct lowering *l = w.c->l;
	struct kx *dealt = x_var(plan_slot(task->plan, "dealt", type_scalar(T_U64), 0, NULL));
	struct kx *blocks = x_min(x_div_up(cells, x_i64(l->k->block[0])),
	                          x_i64(block_most(l->target)));
	k_clear(task->plan->host, dealt, x_i64(type_size(type_scalar(T_U64))));
	k_bind(l->k, "dealt",
	       lower_argument(l, "dealt", kt_pointer(type_scalar(T_U64), false), dealt));
	k_bind(l->k, "FEW", l->target->lanes * FEW_OF / FEW_PARTS);
	walking_text(&w, "refill", blocks);
}

void walks_lower_packet(const struct task *task)
{
	struct kx *cells;
	struct walking w = walking_open(task, &cells);
	struct lowering *l = w.c->l;
	for (int k = 0; k < w.walk->kept.n; k++)
		if (w.walk->kept.at[k] == w.walk->cursor)
			k_bind(l->k, "cursor", field(&w, &w.walk->state->record->field.at[k]));
	k_bind(l->k, "MOST", INT32_MAX);
	walking_text(&w, "packet", x_div_up(cells, x_i64(l->k->block[0])));
}
