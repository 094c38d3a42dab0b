/* near_lower.c - pairs within a radius, whose bodies lie sorted by the cells of a grid.
 *
 * A first kernel finds where the bodies of each slot begin.  In the second a thread folds the terms
 * of a body, which come in runs of neighbours (near.kernel).  Threads are taken in the order of the
 * slots, so a warp's lanes read neighbouring runs, which lie in the first cache.
 *
 * On an H100, forces of 2^22 bodies with 60 near ones each in three axes: 1.4 ms with cells of the
 * radius, 1.1 with cells of an eighth of it along the first axis, where 274 bodies are tested
 * instead of 387.  Cells of half the radius along the other axes, or lists of near bodies that are
 * folded together, took longer. */
#include "near.h"
#include "pass.h"
#include "../ways.h"

enum {
	PARTS = 1024,                        /* of the bodies, on a CPU: cells may be crowded */
	NARROW = 16                          /* slots between two bodies that a thread fills */
};

/* Cells that lie together, of which every term needs some: by_cell[term, 0 .. lanes]. */
struct row { const struct var *var; int lanes; struct kvar *of_term, *of_body; };

struct near {
	const struct node *node;
	const struct cutoff *c;
	struct plan *plan;
	struct folds folds;
	struct accumulators acc;
	LIST(const struct expr *) own;         /* reads of the body itself, ... */
	LIST(struct kvar *) value;             /* ... and what they give */
	LIST(struct row) row;                  /* on a GPU: what is loaded whole */
	struct kvar *begins;                   /* of the host */
	struct kx *bodies;
};

/* ---- what can be folded so ---- */

static const char *unfit(const struct near *n)
{
	if (!n->folds.n || n->folds.overflow || !folds_fit(&n->folds))
		return "its folds take too many registers";
	for (int f = 0; f < n->folds.n; f++) {
		const struct expr *e = n->folds.at[f];
		const struct fold *fold = e->fold;
		if (fold_in_order(e) || fold->late)
			return "its terms are folded in order";
		if (!fold->op->commutative)
			return str_print("`%s` does not commute", fold->op->name);
		if (!affine_spans(fold->lo.at[0], fold->hi.at[0], &n->c->bodies))
			return "a fold leaves bodies out";
	}
	return NULL;
}

static struct near *near_of(const struct node *node)
{
	struct near *n = NEW(struct near);
	*n = (struct near){ .node = node, .c = node->cutoff };
	for (int q = 0; q < node->equation.n; q++)
		folds_of(node->equation.at[q]->right, &n->folds);
	return n;
}

const char *near_unfit(const struct node *node)
{
	return unfit(near_of(node));
}

void near_shape(struct shape *s)
{
	s->vector = 1;
	s->no_vector = "a thread folds the terms of a body one by one";
	s->piece = "body";
	s->pieces = 1;
	s->no_pieces = "a thread folds the terms of a body";
}

/* ---- a body ---- */

static bool uses_term(const struct near *n, const struct expr *e)
{
	for (int f = 0; f < n->folds.n; f++)
		if (expr_uses(e, n->folds.at[f]->fold->index.at[0]))
			return true;
	return false;
}

static bool add_own(struct expr *e, void *state)
{
	struct near *n = state;
	if (e->kind != E_READ)
		return true;
	if (e->checked || e->guarded || !expr_uses_cell(n->node, e) || uses_term(n, e))
		return true;
	for (int r = 0; r < n->row.n; r++)
		if (n->row.at[r].var == e->var)
			return true;
	for (int i = 0; i < n->own.n; i++)
		if (expr_same(n->own.at[i], e))
			return true;
	list_add(&n->own, e);
	return true;
}

static bool add_row(struct expr *e, void *state)
{
	struct near *n = state;
	if (e->kind != E_READ || !uses_term(n, e))
		return true;
	for (int k = 0; k < n->c->copied.n; k++) {
		const struct copied *c = &n->c->copied.at[k];
		bool known = c->lanes < 2 || c->to != e->var;
		for (int r = 0; r < n->row.n; r++)
			known |= n->row.at[r].var == e->var;
		if (!known)
			list_add(&n->row, ((struct row){ .var = e->var, .lanes = c->lanes }));
	}
	return true;
}

/* Those that the distance needs: others are read where a body is near. */
static void find_rows(struct near *n)
{
	for (int f = 0; f < n->folds.n && n->plan->target->gpu; f++)
		expr_walk(n->folds.at[f]->fold->where, add_row, n);
}

static struct kvar *load_row(struct lowering *l, const struct row *row, const char *name,
                             struct kx *place)
{
	struct kx *first = x_mul(place, x_i64(row->lanes));
	return k_let(l->k, name, x_vload(x_offset(lower_pointer(l, row->var), first), row->lanes));
}

static struct kx *read_row(const struct near *n, const struct expr *e)
{
	for (int r = 0; r < n->row.n; r++) {
		const struct row *row = &n->row.at[r];
		if (row->var != e->var || e->arg.at[1]->kind != E_CONST)
			continue;
		struct kvar *v = uses_term(n, e) ? row->of_term : row->of_body;
		return x_lane(x_var(v), (int)e->arg.at[1]->value.i);
	}
	return NULL;
}

static struct kx *read_own(struct lowering *l, const struct expr *e)
{
	const struct near *n = l->now.state;
	struct kx *of_row = read_row(n, e);
	if (of_row)
		return of_row;
	for (int i = 0; i < n->value.n; i++)
		if (expr_same(n->own.at[i], e))
			return x_var(n->value.at[i]);
	return lower_cell(l, e);
}

KTEXT_HOLE(open_body)
{
	struct near *n = (struct near *)state;
	lower_bind(l, n->node->index.at[0], arg[0]);
	for (int r = 0; r < n->row.n; r++)
		n->row.at[r].of_body = load_row(l, &n->row.at[r], "own", arg[0]);
	n->value.n = 0;
	for (int i = 0; i < n->own.n; i++)
		list_add(&n->value, k_let(l->k, str_print("own_%s", n->own.at[i]->var->name),
		                          lower_cell(l, n->own.at[i])));
	n->acc = folds_start(l, &n->folds);
	return NULL;
}

/* Where `for` leaves out bodies: by their numbers. */
KTEXT_HOLE(is_cell)
{
	const struct near *n = state;
	if (affine_spans(n->node->lo.at[0], n->node->hi.at[0], &n->c->bodies))
		return x_int(T_BOOL, 1);
	struct kx *cell = lower_index(l, n->c->cell);
	return x_and(x_le(lower_index(l, n->node->lo.at[0]), cell),
	             x_lt(cell, lower_index(l, n->node->hi.at[0])));
}

KTEXT_HOLE(take)
{
	struct near *n = (struct near *)state;
	for (int r = 0; r < n->row.n; r++)
		n->row.at[r].of_term = load_row(l, &n->row.at[r], "other", arg[0]);
	for (int f = 0; f < n->folds.n; f++) {
		const struct expr *e = n->folds.at[f];
		lower_bind(l, e->fold->index.at[0], arg[0]);
		if (op_is_arg(e->fold->op))
			l->term = lower_expr(l, n->c->number.at[f]);
		fold_step(l, e, &n->acc.at[f]);
	}
	l->term = NULL;
	return NULL;
}

KTEXT_HOLE(close_body)
{
	const struct near *n = state;
	fold_finish(l, n->node, &n->folds, &n->acc);
	return NULL;
}

/* ---- the grid ---- */

static struct kx *device_number(struct lowering *l, const struct var *v)
{
	return x_cast(kt_scalar(T_U32), lower_var(l, v));
}

KTEXT_HOLE(fine)
{
	return device_number(l, ((const struct near *)state)->c->fine);
}

KTEXT_HOLE(cells_x)
{
	return device_number(l, ((const struct near *)state)->c->cells[0]);
}

KTEXT_HOLE(cells_y)
{
	return device_number(l, ((const struct near *)state)->c->cells[1]);
}

KTEXT_HOLE(cells_z)
{
	return device_number(l, ((const struct near *)state)->c->cells[2]);
}

static struct lowering *open_kernel(struct near *n, const char *suffix, const char *note,
                                    bool writes_begins)
{
	struct lowering *l = lowering_new(n->plan, str_print("%s%s", n->node->name, suffix));
	const struct type *u32 = type_scalar(T_U32);
	l->k->note = note;
	lowering_writes(l, n->node);
	if (l->target->gpu)
		block_launch_bounds(l);
	k_bind(l->k, "begins", lower_argument(l, "begins", kt_pointer(u32, !writes_begins),
	                                      x_var(n->begins)));
	k_bind(l->k, "slot", lower_pointer(l, n->c->slot));
	k_bind(l->k, "bodies", lower_argument(l, "bodies", kt_scalar(T_I64), n->bodies));
	k_numbers(l->k, "BLOCK, WARPS, NARROW, AXES, PARTS", l->k->block[0],
	          l->target->gpu ? l->k->block[0] / l->target->lanes : 1, NARROW, n->c->axes,
	          PARTS);
	k_bind_calls(l->k, n, { "fine", fine }, { "cells_x", cells_x }, { "cells_y", cells_y },
	             { "cells_z", cells_z });
	return l;
}

static void launch(struct lowering *l, struct kx *threads, const char *text)
{
	const struct target *t = l->target;
	k_text(l->k, t->gpu ? text : str_print("%s_cpu", text));
	lowering_launch(l, t->gpu ? x_div_up(threads, x_i64(t->block)) : x_i64(1), x_i64(1),
	                x_i64(1));
}

static void find_begins(struct near *n)
{
	struct lowering *l = open_kernel(n, "_begins", "Finds where the bodies of each slot begin.",
	                                 true);
	launch(l, x_add(n->bodies, x_i64(1)), "near_begins");
}

static void fold_bodies(struct near *n, struct kx *slots)
{
	struct lowering *l = open_kernel(n, "", NULL, false);
	l->k->min_blocks = 1;                /* as in cells_gpu.c, against spills */
	l->now.read = read_own;
	l->now.state = n;
	find_rows(n);
	for (int f = 0; f < n->folds.n; f++) {
		expr_walk(n->folds.at[f]->fold->where, add_own, n);
		expr_walk(n->folds.at[f]->arg.at[0], add_own, n);
	}
	k_bind(l->k, "nowhere", x_cast(kt_scalar(T_U32),
	                               lower_argument(l, "slots", kt_scalar(T_I64), slots)));
	k_bind_calls(l->k, n, { "open_body", open_body }, { "is_cell", is_cell }, { "take", take },
	             { "close_body", close_body });
	launch(l, n->bodies, "near_bodies");
}

static void lower_near(const struct task *t)
{
	struct near *n = near_of(t->node);
	struct lowering *host = host_lowering(t->plan);
	const struct affine slots = cutoff_slots(n->c);
	struct kx *some = lower_affine(host, &slots), *begins = x_add(some, x_i64(1));
	n->plan = t->plan;
	n->begins = plan_slot(t->plan, "begins", type_scalar(T_U32), 1, &begins);
	n->bodies = plan_let(t->plan, "bodies", lower_affine(host, &n->c->bodies));
	k_if(t->plan->host, x_lt(x_i64(0), n->bodies));
	find_begins(n);
	fold_bodies(n, plan_let(t->plan, "slots", some));
	k_end(t->plan->host);
}

static const struct way ways[] = {
	{ "near", "a thread folds the bodies in the cells around its own", .lower = lower_near }
};

void near_lower(struct plan *plan, const struct group *group)
{
	ways_lower(ways, plan, group, NULL);
}
