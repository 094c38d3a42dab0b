/* wave_folds.c - cells that fold other cells of their tables (folds.kernel), on a GPU.
 *
 * Note [early terms] Let a term of a fold read t[.., s, ..], s = +-k + rest, along rows or columns.
 * The place is in no later row or column than the cell (legal_before.c).  If along that axis it is
 * before the first row or column of the cell's tile, its tile is of an earlier anti-diagonal, which
 * a launch before has computed.  That is a bound of k; the terms between the bounds of all reads
 * are early.  A fold in a branch is folded early only where its conditions hold, so these may not
 * depend on cells of the tables.
 *
 * The others are late: a warp has the cell, its lanes share them, and all lanes compute the cell's
 * value.  Folds in order, and operators that do not commute, are computed by every lane. */
#include "../cells.h"
#include "ask.h"
#include "ragged.h"
#include "wave_folds.h"
#include "wave_bound.h"

enum { MOST_EARLY = 4, EARLY_BYTES = 40 * 1024 };

struct early {
	struct expr *fold;
	LIST(const struct expr *) if_true, if_false;     /* conditions around it */
	LIST(const struct expr *) read;      /* of tables, in its terms */
	struct kvar *part;                   /* in shared memory, of each cell of the tile */
};

/* ---- which folds ---- */

struct finding { const struct node *node; LIST(const struct expr *) read; };

/* Its equation, or -1. */
static int table_of(const struct node *node, const struct expr *read)
{
	for (int q = 0; read->kind == E_READ && q < node->equation.n; q++)
		if (wave_table(node, q)->var == read->var)
			return q;
	return -1;
}

static bool find_table(struct expr *e, void *state)
{
	struct finding *f = state;
	if (table_of(f->node, e) >= 0)
		list_add(&f->read, e);
	return true;
}

static bool uses_tables(const struct node *node, const struct expr *e)
{
	struct finding f = { .node = node };
	expr_walk((struct expr *)e, find_table, &f);
	return f.read.n || wave_has_cell(node, e) || expr_has(e, E_FOLD);
}

/* Can lanes share its terms? */
static bool is_shared(const struct expr *e)
{
	const struct fold *fold = e->fold;
	struct folds one = { .n = 1, .at = { (struct expr *)e } };
	return !fold->sorted && !fold_in_order(e) && fold->index.n == 1 && !fold_cut(fold, 0)
	       && (fold->op->commutative || op_is_arg(fold->op)) && folds_fit(&one)
	       && !expr_checked(e->arg.at[0]) && !(fold->where && expr_checked(fold->where));
}

static int64_t factor(const struct affine *a, const struct var *v)
{
	for (int t = 0; t < a->n; t++)
		if (a->term[t].var == v)
			return a->term[t].coef;
	return 0;
}

static bool is_known(const struct node *node, const struct affine *a, const struct var *k)
{
	for (int t = 0; t < a->n; t++) {
		bool known = a->term[t].var == k || a->term[t].var->kind == VAR_SIZE;
		for (int d = 0; d < node->index.n; d++)
			known |= a->term[t].var == node->index.at[d];
		if (!known)
			return false;
	}
	return a->n >= 0;
}

/* The subscript of a read that bounds the index of the fold, and its axis of the order; -1: none */
static int bounding_subscript(const struct node *node, const struct expr *read,
                              const struct var *k, int *axis)
{
	int n = node->index.n;
	for (int d = n > 1 ? n - 2 : 0; d < n; d++) {
		int a = wave_subscript(node, wave_table(node, table_of(node, read)),
		                       node->wave->order[d]);
		struct affine sub;
		*axis = d;
		if (!affine_of(read->arg.at[a], &sub) || !is_known(node, &sub, k))
			continue;
		if (factor(&sub, k) == 1 || factor(&sub, k) == -1)
			return a;
	}
	return -1;
}

static bool has_early(const struct node *node, struct early *early)
{
	const struct expr *e = early->fold;
	struct finding f = { .node = node };
	int axis;
	expr_walk(e->arg.at[0], find_table, &f);
	expr_walk(e->fold->where, find_table, &f);
	if (!f.read.n || !is_shared(e) || expr_has(e->arg.at[0], E_FOLD)
	    || (e->fold->where && expr_has(e->fold->where, E_FOLD)))
		return false;
	for (int r = 0; r < f.read.n; r++) {
		if (bounding_subscript(node, f.read.at[r], e->fold->index.at[0], &axis) < 0)
			return false;
		list_add(&early->read, f.read.at[r]);
	}
	return true;
}

static void find_early(struct wave_folds *w, struct expr *e, const struct early *path);

static void find_lazily(struct wave_folds *w, struct expr *e, const struct early *path)
{
	const struct node *node = w->axes->node;
	bool choice = e->kind == E_COND, both = e->kind == E_BINARY && e->op == OP_LAND;
	find_early(w, e->arg.at[0], path);
	if (uses_tables(node, e->arg.at[0]))
		return;
	for (int a = 1; a < e->arg.n; a++) {
		struct early inner = { 0 };
		for (int i = 0; i < path->if_true.n; i++)
			list_add(&inner.if_true, path->if_true.at[i]);
		for (int i = 0; i < path->if_false.n; i++)
			list_add(&inner.if_false, path->if_false.at[i]);
		if (choice ? a == 1 : both)
			list_add(&inner.if_true, e->arg.at[0]);
		else
			list_add(&inner.if_false, e->arg.at[0]);
		find_early(w, e->arg.at[a], &inner);
	}
}

static void find_early(struct wave_folds *w, struct expr *e, const struct early *path)
{
	bool lazy = e->kind == E_COND
	            || (e->kind == E_BINARY && (e->op == OP_LAND || e->op == OP_LOR));
	struct early here = *path;
	here.fold = e;
	if (lazy)
		find_lazily(w, e, path);
	else if (e->kind == E_FOLD && w->early.n < MOST_EARLY && has_early(w->axes->node, &here))
		list_add(&w->early, here);
	for (int a = 0; !lazy && e->kind != E_FOLD && a < e->arg.n; a++)
		find_early(w, e->arg.at[a], path);
}

bool folds_shared(const struct node *node, const struct target *target)
{
	const enum sweep sweep = node->choice.sweep;
	return target->gpu && (sweep == SWEEP_DIAGONAL || sweep == SWEEP_BLOCKED)
	       && node->wave->far && !node->wave->far_own && wave_slope(node) == 0
	       && !node_skips(node);
}

int folds_block(const struct target *target)
{
	return target->max_block < 512 ? target->max_block : 512;
}

static int tile_rows(const struct wave_folds *w)
{
	return w->axes->n > 1 ? FOLDS_TILE : 1;
}

void folds_open(struct wave_folds *w, struct axes *axes)
{
	const struct node *node = axes->node;
	struct early path = { 0 };
	w->axes = axes;
	if (node->where && uses_tables(node, node->where))
		return;
	if (node->where)
		list_add(&path.if_true, node->where);
	for (int q = 0; q < node->equation.n; q++)
		find_early(w, node->equation.at[q]->right, &path);
}

void folds_declare(struct wave_folds *w, struct kx *row_first, struct kx *place_first)
{
	w->row_first = row_first;
	w->place_first = place_first;
	int64_t cells = (int64_t)FOLDS_TILE * tile_rows(w), bytes = 0;
	int n = 0;
	for (; n < w->early.n; n++) {
		const struct type *type = accumulator_type(w->early.at[n].fold);
		bytes += cells * type_size(type);
		if (bytes > EARLY_BYTES)
			break;
		w->early.at[n].part = k_shared(w->axes->l->k, type, "early", cells);
	}
	w->early.n = n;
}

/* ---- Note [early terms] ---- */

struct bounds { struct kx *lo, *hi; };   /* of an index of a fold: lo <= k < hi; NULL: none */

static void bound_by(struct wave_folds *w, const struct expr *read, struct var *k,
                     struct bounds *b)
{
	const struct node *node = w->axes->node;
	struct lowering *l = w->axes->l;
	const struct expr *cell = wave_table(node, table_of(node, read));
	struct affine sub;
	int axis, a = bounding_subscript(node, read, k, &axis), n = node->index.n;
	bool back = node->wave->back[axis_index(w->axes, axis)];
	affine_of(read->arg.at[a], &sub);
	lower_bind(l, k, x_i64(0));
	struct kx *rest = x_sub(lower_index(l, read->arg.at[a]), x_i64(cell->affine[a].constant)),
		  *edge = axis_at(w->axes, axis, axis == n - 1 ? w->place_first : w->row_first);
	/* forward: +-k + rest < edge; backward: +-k + rest > edge */
	struct kx *room = factor(&sub, k) > 0 ? x_sub(edge, rest) : x_sub(rest, edge);
	if ((factor(&sub, k) > 0) != back)
		b->hi = b->hi ? x_min(b->hi, room) : room;
	else
		b->lo = b->lo ? x_max(b->lo, x_add(room, x_i64(1))) : x_add(room, x_i64(1));
}

/* The range of a fold, and the part of it that is early: first <= begin <= end. */
struct ranges { struct kx *first, *last, *begin, *end; };

static struct ranges ranges_of(struct wave_folds *w, const struct early *early)
{
	struct lowering *l = w->axes->l;
	const struct fold *fold = early->fold->fold;
	struct bounds b = { 0 };
	struct ranges r;
	lower_range(l, fold, 0, &r.first, &r.last);
	r.first = x_var(k_let(l->k, "first", r.first));
	r.last = x_var(k_let(l->k, "last", r.last));
	for (int i = 0; i < early->read.n; i++)
		bound_by(w, early->read.at[i], fold->index.at[0], &b);
	r.begin = x_var(k_let(l->k, "begin", b.lo ? x_max(r.first, b.lo) : r.first));
	r.end = x_var(k_let(l->k, "end", x_max(r.begin, b.hi ? x_min(r.last, b.hi) : r.last)));
	return r;
}

static struct kx *lane_of(const struct lowering *l)
{
	return x_cast(kt_scalar(T_I64), x_rem(x_id(ID_THREAD_X), x_i32(l->target->lanes)));
}

/* The term at a bound index. */
static void add_term(struct lowering *l, const struct expr *fold, const struct accumulator *acc)
{
	struct kx *before = l->term;
	if (op_is_arg(fold->fold->op))
		l->term = fold_number(l, fold->fold);
	accumulate_term(l, fold, acc, x_var(acc->var));
	l->term = before;
}

static void fold_early(struct wave_folds *w, const struct early *early, struct kx *place)
{
	struct lowering *l = w->axes->l;
	struct kernel *k = l->k;
	struct folds one = { .n = 1, .at = { early->fold } };
	struct accumulators acc = folds_start(l, &one);
	bool warp = tile_rows(w) == 1;
	for (int i = 0; i < early->if_true.n; i++)
		k_if(k, lower_expr(l, early->if_true.at[i]));
	for (int i = 0; i < early->if_false.n; i++)
		k_if(k, kx_fold(x_unary(OP_NOT, lower_expr(l, early->if_false.at[i]))));
	struct ranges r = ranges_of(w, early);
	struct kx *lane = lane_of(l), *begin = warp ? x_add(r.begin, lane) : r.begin;
	struct kx *by = x_i64(warp ? l->target->lanes : 1);
	struct var *index = early->fold->fold->index.at[0];
	lower_bind(l, index, x_var(k_for(k, index->name, begin, r.end, by, 0)));
	add_term(l, early->fold, &acc.at[0]);
	k_end(k);
	for (int i = 0; i < early->if_true.n + early->if_false.n; i++)
		k_end(k);
	if (warp) {
		warp_fold(l, &acc);
		k_if(k, x_eq(lane, x_i64(0)));
	}
	accumulator_copy(l, x_at(x_var(early->part), place), x_var(acc.at[0].var));
	if (warp)
		k_end(k);
}

void folds_early(struct wave_folds *w, struct kx *place)
{
	for (int i = 0; i < w->early.n; i++) {
		k_scope(w->axes->l->k);
		fold_early(w, &w->early.at[i], place);
		k_end(w->axes->l->k);
	}
}

/* ---- late terms ---- */

static const struct early *early_of(const struct wave_folds *w, const struct expr *fold)
{
	for (int i = 0; i < w->early.n; i++)
		if (w->early.at[i].fold == fold)
			return &w->early.at[i];
	return NULL;
}

/* Binds the fold's index to a lane's terms, one after another, in a loop that it opens. */
static void open_terms(struct wave_folds *w, const struct expr *fold, const struct early *early)
{
	struct lowering *l = w->axes->l;
	struct kernel *k = l->k;
	struct var *index = fold->fold->index.at[0];
	struct kx *lane = lane_of(l), *lanes = x_i64(l->target->lanes), *lo, *hi;
	if (!early) {
		lower_range(l, fold->fold, 0, &lo, &hi);
		lower_bind(l, index, x_var(k_for(k, index->name, x_add(lo, lane), hi, lanes, 0)));
		return;
	}
	struct ranges r = ranges_of(w, early);
	struct kx *before = x_var(k_let(k, "before", x_max(x_i64(0), x_sub(x_min(r.begin, r.last),
	                                                                   r.first))));
	struct kx *all = x_add(before, x_max(x_i64(0), x_sub(r.last, r.end)));
	struct kx *at = x_var(k_for(k, "at", lane, all, lanes, 0));
	struct kx *number = x_cond(x_lt(at, before), x_add(r.first, at),
	                           x_add(x_sub(at, before), r.end));
	lower_bind(l, index, x_var(k_let(k, index->name, number)));
}

/* A struct leaf by leaf: its padding in shared memory has no value. */
static void join_early(struct wave_folds *w, const struct early *early,
                       const struct accumulator *acc)
{
	struct lowering *l = w->axes->l;
	struct kvar *part = k_var(l->k, kt(acc->type), "part", NULL);
	accumulator_copy(l, x_var(part), x_at(x_var(early->part), w->place));
	accumulate(l, acc, x_var(part));
}

/* struct lower_context's: a fold of the cell that a warp has; NULL: every lane computes it. */
static struct kx *late_fold(struct lowering *l, const struct expr *e)
{
	struct wave_folds *w = (struct wave_folds *)l->now.fold_state;
	const struct early *early = early_of(w, e);
	struct lower_context before = l->now;
	if (!is_shared(e))
		return NULL;
	struct folds one = { .n = 1, .at = { (struct expr *)e } };
	struct accumulators acc = folds_start(l, &one);
	l->now.fold = NULL;
	open_terms(w, e, early);
	add_term(l, e, &acc.at[0]);
	k_end(l->k);
	warp_fold(l, &acc);
	if (early)
		join_early(w, early, &acc.at[0]);
	l->now = before;
	struct kx *first = accumulator_shuffle(l, &acc.at[0], x_var(acc.at[0].var), "", x_i32(0));
	accumulator_copy(l, x_var(acc.at[0].var), first);
	return accumulator_value(l, &acc.at[0], e->fold);
}

static bool is_own(const struct node *node, const struct neighbour *n, int q)
{
	for (int k = 0; k < node->index.n; k++)
		if (n->step[k])
			return false;
	return n->fresh && n->equation == q;
}

/* The first lane's, when all lanes have it and have read what it comes from. */
static struct kx *agreed(struct lowering *l, struct kx *value, const struct type *type)
{
	const struct accumulator one = { .type = type };
	struct kx *first = accumulator_shuffle(l, &one, value, "", x_i32(0));
	k_do(l->k, x_help(kt_scalar(T_I32), "patc_warp_sync", 0, NULL));
	return first;
}

/* One lane stores, after all have read; later equations have the value in a register. */
static void equations(struct wave_folds *w, struct kx *leads)
{
	const struct node *node = w->axes->node;
	struct lowering *l = w->axes->l;
	for (int q = 0; q < node->equation.n; q++) {
		const struct equation *eq = node->equation.at[q];
		lower_whole(l, node, q);
		struct kx *right = lower_result(eq, 0, lower_expr(l, eq->right));
		right = x_var(k_let(l->k, wave_table(node, q)->var->name, right));
		right = agreed(l, right, wave_table(node, q)->type);
		k_if(l->k, leads);
		lower_store(l, eq->target.at[0], right);
		k_end(l->k);
		for (int r = 0; r < node->wave->read.n; r++)
			if (is_own(node, node->wave->read.at[r], q))
				lower_bind(l, node->wave->read.at[r]->value, right);
	}
}

void folds_late(struct wave_folds *w, struct kx *place)
{
	const struct node *node = w->axes->node;
	struct lowering *l = w->axes->l;
	struct lower_context before = l->now;
	struct kx *leads = x_eq(lane_of(l), x_i64(0));
	w->place = place;
	wave_neighbours(l, node);
	l->now.fold = late_fold;
	l->now.fold_state = w;
	if (node->where)
		k_if(l->k, lower_expr(l, node->where));
	equations(w, leads);
	l->now = before;
	if (node->where)
		k_end(l->k);
	if (births_fold(w->axes)) {
		k_if(l->k, leads);
		births_cell(w->axes);
		k_end(l->k);
	}
}
