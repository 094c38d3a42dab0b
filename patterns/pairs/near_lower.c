/* near_lower.c - pairs within a radius, whose bodies lie sorted by the cells of a grid.
 *
 * A first kernel finds where the bodies of each slot begin.  In the second a thread folds the terms
 * of a body, which come in runs of neighbours (near.kernel).  Threads are taken in the order of the
 * slots, so a warp's lanes read neighbouring runs, which lie in the first cache.  With a
 * cap, a body that has more others around it goes on a list, and a warp folds it in a third kernel
 * (Hwu's regularisation).  Cells that have a place of their own, as those of another grid, are
 * taken in their order, those of a grid by tiles (near_cells.c), and each thread computes the slot
 * of its cell.
 *
 * On an H100, forces of 2^22 bodies with 60 near ones each in three axes: 1.4 ms with cells of the
 * radius, 1.1 with cells of an eighth of it along the first axis, where 274 bodies are tested
 * instead of 387.  Cells of half the radius along the other axes, or lists of near bodies that are
 * folded together, took longer.  A cap helps where few bodies have tens of thousands around them,
 * by 14 % at best, and costs where many have thousands: nobody has one unless it is pinned. */
#include <assert.h>
#include "ask.h"
#include "near.h"
#include "../cells.h"
#include "pass.h"
#include "../ways.h"

enum {
	PARTS = 1024,                        /* of the bodies, on a CPU: cells may be crowded */
	NARROW = 16                          /* slots between two bodies that a thread fills */
};

/* ---- what can be folded so ---- */

static bool not_written(struct expr *e, void *by)
{
	return !e->var || !node_writes(by, e->var);
}

/* Folds are all computed before the first equation. */
static bool reads_targets(const struct node *node, const struct expr *fold)
{
	return !expr_walk((struct expr *)fold, not_written, (struct node *)node);
}

static bool not_checked(struct expr *e, void *term)
{
	return !e->checked || expr_uses(e, term);
}

/* Of a cell that has a place: a grid has no slot for what may be read outside an array. */
static bool is_sure(const struct near *n, const struct fold *fold)
{
	return !n->c->home || expr_walk(fold->where, not_checked, fold->index.at[0]);
}

static const char *unfit(const struct near *n)
{
	if (!n->folds.n || n->folds.overflow || !folds_fit(&n->folds))
		return "its folds take too many registers";
	for (int f = 0; f < n->folds.n; f++) {
		const struct expr *e = n->folds.at[f];
		const struct fold *fold = e->fold;
		if (fold_in_order(e) || fold->late)
			return "its terms are folded in order";
		if (!is_sure(n, fold))
			return "the position of a cell is read at a data-dependent index";
		if (reads_targets(n->node, e))
			return "a fold reads what the statement writes";
		if (!fold->op->commutative)
			return str_print("`%s` does not commute", fold->op->name);
		if (!affine_spans(fold->lo.at[0], fold->hi.at[0], &n->c->bodies))
			return "it excludes bodies";
	}
	return NULL;
}

static struct near *near_of(const struct node *node)
{
	struct near *n = NEW(struct near);
	*n = (struct near){ .node = node, .c = node->cutoff };
	for (int q = 0; q < node->equation.n; q++)
		folds_of(node->equation.at[q]->right, &n->folds);
	for (int f = 0; f < n->folds.n; f++) {
		list_add(&n->term, n->folds.at[f]->fold->index.at[0]);
		list_add(&n->condition, n->folds.at[f]->fold->where);
	}
	return n;
}

const char *near_unfit(const struct node *node)
{
	return unfit(near_of(node));
}

void near_shape(struct shape *s)
{
	s->vector = 1;
	s->no_vector = "the bodies around a body are tested one by one";
	s->piece = "body";
	s->pieces = 1;
	s->no_pieces = "threads have one body at a time";
}

/* ---- a body ---- */

static bool uses_term(const struct near *n, const struct expr *e)
{
	for (int t = 0; t < n->term.n; t++)
		if (expr_uses(e, n->term.at[t]))
			return true;
	return false;
}

static bool uses_cell(const struct near *n, const struct expr *e)
{
	for (int k = 0; n->c->home && k < n->node->index.n; k++)
		if (expr_uses(e, n->node->index.at[k]))
			return true;
	return !n->c->home && expr_uses(e, n->c->place);
}

static const struct near_row *row_of(const struct near *n, const struct var *var)
{
	for (int r = 0; r < n->row.n; r++)
		if (n->row.at[r].var == var)
			return &n->row.at[r];
	return NULL;
}

static bool add_own(struct expr *e, void *state)
{
	struct near *n = state;
	if (e->kind != E_READ || e->checked || e->guarded || row_of(n, e->var)
	    || !uses_cell(n, e) || uses_term(n, e))
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
		if (c->lanes > 1 && c->to == e->var && !row_of(n, e->var))
			list_add(&n->row, ((struct near_row){ .var = e->var, .lanes = c->lanes }));
	}
	return true;
}

/* Those that the distance needs: others are read where a body is near. */
static void find_rows(struct near *n)
{
	for (int k = 0; k < n->condition.n && n->plan->target->gpu; k++)
		expr_walk((struct expr *)n->condition.at[k], add_row, n);
}

static struct kvar *load_row(struct lowering *l, const struct near_row *row, const char *name,
                             struct kx *place)
{
	struct kx *first = x_mul(place, x_i64(row->lanes));
	return k_let(l->k, name, x_vload(x_offset(lower_pointer(l, row->var), first), row->lanes));
}

static struct kx *read_row(const struct near *n, const struct expr *e)
{
	const struct near_row *row = row_of(n, e->var);
	if (!row)
		return NULL;
	assert(e->arg.at[1]->kind == E_CONST && "pass_bin.c reads a lane by its number");
	struct kvar *v = uses_term(n, e) ? row->of_term : row->of_body;
	return x_lane(x_var(v), (int)e->arg.at[1]->value.i);
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

KTEXT_HOLE(bind_body)
{
	const struct near *n = state;
	if (n->c->home)
		near_bind(n->domain, arg[0]);
	else
		lower_bind(l, n->c->place, arg[0]);
	return NULL;
}

KTEXT_HOLE(bind_tile)
{
	struct near *n = (struct near *)state;
	(void)arg;
	n->in_tile = near_bind_tile(n->domain, n->node);
	return NULL;
}

KTEXT_HOLE(in_tile)
{
	(void)l, (void)arg;
	return ((const struct near *)state)->in_tile;
}

KTEXT_HOLE(home_of_cell)
{
	const struct near *n = state;
	struct lower_context before = l->now;
	l->now.read = NULL;
	struct kx *home = x_var(k_let(l->k, "home", lower_expr(l, n->c->home)));
	l->now = before;
	return home;
}

/* Where `for` leaves out bodies: by their numbers. */
KTEXT_HOLE(in_range)
{
	const struct near *n = state;
	if (n->c->home || affine_spans(n->node->lo.at[0], n->node->hi.at[0], &n->c->bodies))
		return x_int(T_BOOL, 1);
	struct kx *cell = lower_index(l, n->c->cell);
	return x_and(x_le(lower_index(l, n->node->lo.at[0]), cell),
	             x_lt(cell, lower_index(l, n->node->hi.at[0])));
}

/* In the range: where `where` leaves it out. */
KTEXT_HOLE(is_cell)
{
	const struct near *n = state;
	struct lower_context before = l->now;
	if (!n->node->where)
		return x_int(T_BOOL, 1);
	l->now.read = NULL;
	if (expr_checked(n->node->where))
		lower_flag(l, "outside");
	struct kx *is = lower_mask(l, n->node->where);
	l->now = before;
	return is;
}

KTEXT_HOLE(open_body)
{
	struct near *n = (struct near *)state;
	for (int r = 0; r < n->row.n && !n->c->home; r++)
		n->row.at[r].of_body = load_row(l, &n->row.at[r], "own", arg[0]);
	n->value.n = 0;
	for (int i = 0; i < n->own.n; i++)
		list_add(&n->value, k_let(l->k, str_print("own_%s", n->own.at[i]->var->name),
		                          lower_cell(l, n->own.at[i])));
	n->acc = folds_start(l, &n->folds);
	return NULL;
}

void near_term(struct lowering *l, struct near *n, struct kx *place)
{
	for (int r = 0; r < n->row.n; r++)
		n->row.at[r].of_term = load_row(l, &n->row.at[r], "other", place);
}

KTEXT_HOLE(take)
{
	struct near *n = (struct near *)state;
	near_term(l, n, arg[0]);
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
	struct lower_context before = l->now;
	struct node all = *n->node;
	all.where = NULL;                    /* is_cell() has looked at it */
	l->now.read = NULL;
	fold_finish(l, &all, &n->folds, &n->acc);
	l->now = before;
	return NULL;
}

KTEXT_HOLE(fold_lanes)
{
	const struct near *n = state;
	warp_fold(l, &n->acc);
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

/* So many bodies a thread tests at most, of all cells around one; 0: all of them. */
static int64_t tests_most(const struct near *n)
{
	int64_t most = n->node->pin.cap;
	for (int a = 0; a < n->c->axes; a++)
		most *= 3;
	return most;
}

static void bind_list(struct lowering *l, const char *name, struct kvar *slot, bool is_const)
{
	const struct ktype type = kt_pointer(type_scalar(T_U32), is_const);
	k_bind(l->k, name, lower_argument(l, name, type, x_var(slot)));
}

enum kind { BEGINS, BODIES, CROWDED };

static struct lowering *open_kernel(struct near *n, enum kind kind, const char *suffix,
                                    const char *note)
{
	struct lowering *l = lowering_new(n->plan, str_print("%s%s", n->node->name, suffix));
	bool gpu = l->target->gpu;
	l->k->note = note;
	lowering_writes(l, n->node);
	if (gpu)
		block_launch_bounds(l);
	if (gpu && n->block)
		l->k->block[0] = n->block;
	bind_list(l, "begins", n->begins, kind != BEGINS);
	if (n->crowd)
		bind_list(l, "crowd", n->crowd, kind == CROWDED);
	if (kind == BEGINS || !n->c->home) {
		struct kx *bodies = lower_argument(l, "bodies", kt_scalar(T_I64), n->bodies);
		k_bind(l->k, "slot", lower_pointer(l, n->c->slot));
		k_bind(l->k, "bodies", bodies);
		k_bind(l->k, "cells", bodies);
	} else {
		k_bind(l->k, "cells", lower_argument(l, "cells", kt_scalar(T_I64), n->cells));
	}
	k_numbers(l->k, "PLACED", n->c->home != NULL);
	k_numbers(l->k, "BLOCK, WARPS, NARROW, AXES, PARTS, CROWDED", l->k->block[0],
	          gpu ? l->k->block[0] / l->target->lanes : 1, NARROW, n->c->axes, PARTS,
	          tests_most(n));
	k_bind(l->k, "LIMITED", n->crowd != NULL);
	k_bind_calls(l->k, n, { "fine", fine }, { "cells_x", cells_x }, { "cells_y", cells_y },
	             { "cells_z", cells_z });
	return l;
}

/* Of bodies. */
static struct lowering *open_bodies(struct near *n, enum kind kind, const char *suffix,
                                    const char *note)
{
	struct lowering *l = open_kernel(n, kind, suffix, note);
	const struct affine slots = cutoff_slots(n->c);
	l->k->min_blocks = 1;                /* as in cells_gpu.c, against spills */
	n->domain = n->c->home ? cells_beside(l, n->node) : NULL;
	l->now.read = read_own;              /* not that of the domain's cells */
	l->now.state = n;
	k_bind(l->k, "nowhere", x_cast(kt_scalar(T_U32), lower_affine(l, &slots)));
	k_bind_calls(l->k, n, { "bind_body", bind_body }, { "in_range", in_range },
	             { "open_body", open_body }, { "home_of_cell", home_of_cell },
	             { "bind_tile", bind_tile }, { "in_tile", in_tile });
	return l;
}

struct lowering *near_kernel(struct near *n, const char *suffix, const char *note)
{
	return open_bodies(n, BODIES, suffix, note);
}

static void launch(struct lowering *l, struct kx *blocks, const char *text)
{
	const struct target *t = l->target;
	k_text(l->k, t->gpu ? text : str_print("%s_cpu", text));
	lowering_launch(l, t->gpu ? blocks : x_i64(1), x_i64(1), x_i64(1));
}

static struct kx *blocks_for(const struct near *n, struct kx *threads)
{
	return x_div_up(threads, x_i64(n->plan->target->block));
}

void near_begins(struct near *n)
{
	struct lowering *l = open_kernel(n, BEGINS, "_begins",
	                                 "Finds where the bodies of each slot begin.");
	launch(l, blocks_for(n, x_add(n->bodies, x_i64(1))), "near_begins");
}

static void fold_bodies(struct near *n, enum kind kind, const char *suffix, const char *note)
{
	struct lowering *l = open_bodies(n, kind, suffix, note);
	k_bind_calls(l->k, n, { "is_cell", is_cell }, { "take", take },
	             { "fold_lanes", fold_lanes }, { "close_body", close_body });
	bool tiled = l->target->gpu && !n->crowd && near_has_tiles(n->node, l->k->block[0]);
	k_numbers(l->k, "TILED", tiled);
	if (kind == CROWDED)
		launch(l, x_i64(block_most(l->target)), "near_crowded");
	else if (tiled)
		launch(l, near_tiles(n->node, host_lowering(n->plan)), "near_bodies");
	else
		launch(l, blocks_for(n, n->cells), "near_bodies");
}

static void find_reads(struct near *n)
{
	find_rows(n);
	for (int k = 0; k < n->condition.n; k++)
		expr_walk((struct expr *)n->condition.at[k], add_own, n);
	for (int f = 0; f < n->folds.n; f++)
		expr_walk(n->folds.at[f]->arg.at[0], add_own, n);
}

static void cut_slots(struct near *n)
{
	struct lowering *host = host_lowering(n->plan);
	const struct affine slots = cutoff_slots(n->c);
	const struct type *u32 = type_scalar(T_U32);
	struct kx *begins = x_add(lower_affine(host, &slots), x_i64(1));
	struct kx *crowd = x_add(n->cells, x_i64(1));
	n->begins = plan_slot(n->plan, "begins", u32, 1, &begins);
	n->crowd = n->folds.n && n->node->pin.cap ? plan_slot(n->plan, "crowd", u32, 1, &crowd)
	                                          : NULL;
}

void near_open(struct near *n, struct plan *plan)
{
	n->plan = plan;
	n->bodies = plan_let(plan, "bodies", lower_affine(host_lowering(plan), &n->c->bodies));
	n->cells = n->c->home ? plan_let(plan, "cells", near_count(n->node, host_lowering(plan)))
	                      : n->bodies;
	cut_slots(n);
	find_reads(n);
}

static void lower_near(const struct task *t)
{
	struct near *n = near_of(t->node);
	near_open(n, t->plan);
	k_if(t->plan->host, x_lt(x_i64(0), n->cells));
	near_begins(n);
	fold_bodies(n, BODIES, "", NULL);
	if (n->crowd)
		fold_bodies(n, CROWDED, "_crowded", "Folds bodies that have many around them.");
	k_end(t->plan->host);
}

static const struct way ways[] = {
	{ "near", "a thread folds the bodies in the cells around its own", .lower = lower_near }
};

void near_lower(struct plan *plan, const struct group *group)
{
	ways_lower(ways, plan, group, NULL);
}
