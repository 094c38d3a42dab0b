/* wave_folds.c - cells that fold other cells of their tables (folds.kernel), on a GPU.
 *
 * Note [early terms] Let a term of a fold read t[.., s, ..], s = +-k + rest, along rows or columns.
 * The place is in no later row or column than the cell (legal_before.c).  If along that axis it is
 * before the first row or column of the cell's tile, its tile is of an earlier anti-diagonal, which
 * a launch before has computed.  That is a bound of k; the terms between the bounds of all reads
 * are early.  A fold in a branch is folded early only where its conditions hold, so these may not
 * depend on cells of the tables.
 *
 * The others are late: a group of lanes has the cell and shares them, fold after fold; then its
 * first lane computes the cell.  Lanes whose cell is outside, or whose branch has no such fold,
 * take part with no terms, since all lanes of a warp must be there when values move between them.
 * Folds in order, and those whose operators do not commute, are the first lane's alone. */
#include "../cells.h"
#include "ask.h"
#include "ragged.h"
#include "wave_folds.h"
#include "wave_bound.h"

enum { EARLY_BYTES = 40 * 1024 };          /* of shared memory, products included */

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

/* Do its terms have bounds as in Note [early terms]? */
static bool has_early(const struct node *node, struct fold_branch *b)
{
	const struct expr *e = b->fold;
	struct finding f = { .node = node };
	int axis;
	expr_walk(e->arg.at[0], find_table, &f);
	expr_walk(e->fold->where, find_table, &f);
	if (!f.read.n || expr_has(e->arg.at[0], E_FOLD)
	    || (e->fold->where && expr_has(e->fold->where, E_FOLD)))
		return false;
	for (int r = 0; r < f.read.n; r++) {
		if (bounding_subscript(node, f.read.at[r], e->fold->index.at[0], &axis) < 0)
			return false;
		list_add(&b->read, f.read.at[r]);
	}
	return true;
}

/* One has a condition that the other has not. */
static bool exclude(const struct fold_branch *x, const struct fold_branch *y)
{
	for (int i = 0; i < x->condition.n; i++)
		for (int k = 0; k < y->condition.n; k++)
			if (x->condition.at[i].e == y->condition.at[k].e
			    && x->condition.at[i].holds != y->condition.at[k].holds)
				return true;
	return false;
}

static bool same_terms(const struct expr *x, const struct expr *y)
{
	const struct fold *a = x->fold, *b = y->fold;
	struct var *index = b->index.at[0];
	struct expr *as = expr_var(a->index.at[0], x->at);
	return a->op == b->op && x->type == y->type && !a->where && !b->where
	       && accumulator_type(x) == accumulator_type(y)
	       && expr_same(x->arg.at[0], expr_substitute(y->arg.at[0], &index, &as, 1));
}

static bool joins(const struct shared_fold *s, const struct fold_branch *b)
{
	bool same = same_terms(s->branch.at[0].fold, b->fold);
	for (int i = 0; same && i < s->branch.n; i++)
		same = exclude(&s->branch.at[i], b);
	return same;
}

static void add_fold(struct wave_folds *w, struct fold_branch *b, int equation, bool early)
{
	early = early && has_early(w->axes->node, b);
	struct shared_fold fresh = { .equation = equation, .early = early }, *to = NULL;
	for (int i = 0; i < w->shared.n; i++) {
		struct shared_fold *s = &w->shared.at[i];
		for (int k = 0; k < s->branch.n; k++)
			if (s->branch.at[k].fold == b->fold)
				return;
		if (s->equation == equation && s->early == early && joins(s, b))
			to = s;
	}
	if (!to)
		list_add(&w->shared, fresh);
	to = to ? to : &w->shared.at[w->shared.n - 1];
	list_add(&to->branch, *b);
}

struct path { struct fold_branch branch; int equation; bool early; };

static void find_folds(struct wave_folds *w, struct expr *e, const struct path *path);

static void find_lazily(struct wave_folds *w, struct expr *e, const struct path *path)
{
	bool choice = e->kind == E_COND, both = e->kind == E_BINARY && e->op == OP_LAND;
	find_folds(w, e->arg.at[0], path);
	for (int a = 1; a < e->arg.n; a++) {
		const struct fold_branch *outer = &path->branch;
		struct path inner = { .equation = path->equation };
		inner.early = path->early && !uses_tables(w->axes->node, e->arg.at[0]);
		for (int i = 0; i < outer->condition.n; i++)
			list_add(&inner.branch.condition, outer->condition.at[i]);
		list_add(&inner.branch.condition,
		         ((struct fold_condition){ e->arg.at[0], choice ? a == 1 : both }));
		find_folds(w, e->arg.at[a], &inner);
	}
}

static void find_folds(struct wave_folds *w, struct expr *e, const struct path *path)
{
	bool lazy = e->kind == E_COND
	            || (e->kind == E_BINARY && (e->op == OP_LAND || e->op == OP_LOR));
	if (lazy) {
		find_lazily(w, e, path);
		return;
	}
	if (e->kind == E_FOLD) {
		struct fold_branch here = path->branch;
		here.fold = e;
		if (is_shared(e))
			add_fold(w, &here, path->equation, path->early);
		return;
	}
	for (int a = 0; a < e->arg.n; a++)
		find_folds(w, e->arg.at[a], path);
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

static int64_t part_cells(const struct wave_folds *w)
{
	return (int64_t)FOLDS_TILE * tile_rows(w);
}

static const struct type *part_type(const struct shared_fold *s)
{
	return accumulator_type(s->branch.at[0].fold);
}

static int64_t part_bytes(const struct wave_folds *w, const struct shared_fold *s)
{
	return part_cells(w) * type_size(part_type(s));
}

void folds_open(struct wave_folds *w, struct axes *axes)
{
	const struct node *node = axes->node;
	w->axes = axes;
	for (int q = 0; q < node->equation.n; q++) {
		const struct equation *eq = node->equation.at[q];
		struct path path = { .equation = q };
		path.early = !node->where || !uses_tables(node, node->where);
		if (node->where && path.early)
			list_add(&path.branch.condition,
			         ((struct fold_condition){ node->where, true }));
		if (eq->whole)
			find_folds(w, eq->whole, &path);
		find_folds(w, eq->right, &path);
	}
	int64_t bytes = 0;
	for (int i = 0; i < w->shared.n; i++) {
		struct shared_fold *s = &w->shared.at[i];
		s->early = s->early && bytes + part_bytes(w, s) <= EARLY_BYTES;
		bytes += s->early ? part_bytes(w, s) : 0;
		w->early |= s->early;
	}
}

void folds_declare(struct wave_folds *w, struct kx *row_first, struct kx *place_first)
{
	w->row_first = row_first;
	w->place_first = place_first;
	int64_t bytes = 0;
	for (int i = 0; i < w->shared.n; i++) {
		struct shared_fold *s = &w->shared.at[i];
		if (!s->early)
			continue;
		bytes += part_bytes(w, s);
		s->part = k_shared(w->axes->l->k, part_type(s), "early", part_cells(w));
	}
	for (int i = 0; i < w->shared.n; i++)
		if (w->shared.at[i].early)
			bytes += product_of_tiles(w, &w->shared.at[i], EARLY_BYTES - bytes);
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

static struct ranges ranges_of(struct wave_folds *w, const struct shared_fold *s,
                               const struct fold_branch *at)
{
	struct lowering *l = w->axes->l;
	const struct fold *fold = at->fold->fold;
	struct bounds b = { 0 };
	struct ranges r;
	lower_range(l, fold, 0, &r.first, &r.last);
	if (!s->early)
		return r;
	r.first = x_var(k_let(l->k, "first", r.first));
	r.last = x_var(k_let(l->k, "last", r.last));
	for (int i = 0; i < at->read.n; i++)
		bound_by(w, at->read.at[i], fold->index.at[0], &b);
	r.begin = b.lo ? x_var(k_let(l->k, "begin", x_max(r.first, b.lo))) : r.first;
	r.end = x_var(k_let(l->k, "end", x_max(r.begin, b.hi ? x_min(r.last, b.hi) : r.last)));
	return r;
}

static struct kx *warp_lane(const struct lowering *l)
{
	return x_rem(x_id(ID_THREAD_X), x_i32(l->target->lanes));
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

struct ranges folds_open_terms(struct wave_folds *w, const struct shared_fold *s, int branch)
{
	struct lowering *l = w->axes->l;
	const struct fold_branch *b = &s->branch.at[branch];
	for (int i = 0; i < b->condition.n; i++) {
		struct kx *c = lower_expr(l, b->condition.at[i].e);
		k_if(l->k, b->condition.at[i].holds ? c : kx_fold(x_unary(OP_NOT, c)));
	}
	return ranges_of(w, s, b);
}

void folds_close_terms(struct wave_folds *w, const struct shared_fold *s, int branch)
{
	for (int i = 0; i < s->branch.at[branch].condition.n; i++)
		k_end(w->axes->l->k);
}

/* Binds the index to the terms from r.first to r.last that are not from r.begin to r.end, those of
 * every `by`-th number, in a loop that it opens. */
static void open_others(struct lowering *l, struct var *index, struct ranges r, struct kx *number,
                        struct kx *by)
{
	struct kernel *k = l->k;
	if (r.begin == r.first) {
		struct kx *from = x_add(r.end, number);
		lower_bind(l, index, x_var(k_for(k, index->name, from, r.last, by, 0)));
		return;
	}
	struct kx *before = x_var(k_let(k, "before", x_max(x_i64(0), x_sub(x_min(r.begin, r.last),
	                                                                   r.first))));
	struct kx *all = x_add(before, x_max(x_i64(0), x_sub(r.last, r.end)));
	struct kx *at = x_var(k_for(k, "at", number, all, by, 0));
	struct kx *term = x_cond(x_lt(at, before), x_add(r.first, at),
	                         x_add(x_sub(at, before), r.end));
	lower_bind(l, index, x_var(k_let(k, index->name, term)));
}

/* What the product has, and the cell's other early terms. */
static void fold_others(struct wave_folds *w, const struct shared_fold *s, int branch,
                        struct ranges r, const struct accumulator *acc, struct kx *place)
{
	struct lowering *l = w->axes->l;
	const struct expr *fold = s->branch.at[branch].fold;
	const struct tile_product *p = s->product;
	k_if(l->k, x_lt(r.begin, r.end));
	product_take(p, acc, place, r.first);
	open_others(l, fold->fold->index.at[0],
	            (struct ranges){ r.begin, r.end, product_from(p), product_to(p) }, x_i64(0),
	            x_i64(1));
	add_term(l, fold, acc);
	k_end(l->k);
	k_end(l->k);
}

static void fold_all(struct wave_folds *w, const struct expr *fold, struct ranges r,
                     const struct accumulator *acc)
{
	struct lowering *l = w->axes->l;
	bool warp = tile_rows(w) == 1;
	struct kx *lane = x_cast(kt_scalar(T_I64), warp_lane(l));
	struct kx *begin = warp ? x_add(r.begin, lane) : r.begin;
	struct kx *by = x_i64(warp ? l->target->lanes : 1);
	struct var *index = fold->fold->index.at[0];
	lower_bind(l, index, x_var(k_for(l->k, index->name, begin, r.end, by, 0)));
	add_term(l, fold, acc);
	k_end(l->k);
}

static void fold_early(struct wave_folds *w, const struct shared_fold *s, struct kx *place)
{
	struct lowering *l = w->axes->l;
	struct kernel *k = l->k;
	struct folds one = { .n = 1, .at = { s->branch.at[0].fold } };
	struct accumulators acc = folds_start(l, &one);
	bool warp = tile_rows(w) == 1;
	for (int b = 0; b < s->branch.n; b++) {
		struct ranges r = folds_open_terms(w, s, b);
		if (s->product)
			fold_others(w, s, b, r, &acc.at[0], place);
		else
			fold_all(w, s->branch.at[b].fold, r, &acc.at[0]);
		folds_close_terms(w, s, b);
	}
	if (warp) {
		warp_fold(l, &acc);
		k_if(k, x_eq(warp_lane(l), x_i32(0)));
	}
	accumulator_copy(l, x_at(x_var(s->part), place), x_var(acc.at[0].var));
	if (warp)
		k_end(k);
}

void folds_early(struct wave_folds *w, struct kx *place)
{
	for (int i = 0; i < w->shared.n; i++) {
		if (!w->shared.at[i].early)
			continue;
		k_scope(w->axes->l->k);
		fold_early(w, &w->shared.at[i], place);
		k_end(w->axes->l->k);
	}
}

/* ---- late terms ---- */

int folds_lanes(const struct wave_folds *w)
{
	const struct target *t = w->axes->l->target;
	int lanes = folds_block(t) / tile_rows(w);
	return lanes < t->lanes ? lanes : t->lanes;
}

static struct kx *group_lane(const struct wave_folds *w)
{
	return x_rem(x_id(ID_THREAD_X), x_i32(folds_lanes(w)));
}

static bool has_folds(const struct wave_folds *w, int q)
{
	for (int i = 0; i < w->shared.n; i++)
		if (w->shared.at[i].equation == q)
			return true;
	return false;
}

/* What is folded so far, in expressions of the bound cell. */
static void give_folds(struct wave_folds *w)
{
	struct lowering *l = w->axes->l;
	for (int i = 0; i < w->shared.n; i++) {
		const struct shared_fold *s = &w->shared.at[i];
		for (int b = 0; s->acc.var && b < s->branch.n; b++) {
			const struct expr *fold = s->branch.at[b].fold;
			list_add(&l->folded, ((struct folded){
				fold, accumulator_value(l, &s->acc, fold->fold) }));
		}
	}
}

struct asking { const struct node *node; bool cells, folds; };

static bool ask(struct expr *e, void *state)
{
	struct asking *a = state;
	a->cells |= wave_has_cell(a->node, e);
	a->folds |= e->kind == E_FOLD;
	return true;
}

/* What the conditions of its branches use. */
static struct asking asked(const struct wave_folds *w, const struct shared_fold *s)
{
	struct asking a = { .node = w->axes->node };
	for (int n = 0; n < s->branch.n; n++)
		for (int i = 0; i < s->branch.at[n].condition.n; i++)
			expr_walk((struct expr *)s->branch.at[n].condition.at[i].e, ask, &a);
	return a;
}

/* Do all lanes use what is folded? */
static bool conditions_fold(const struct wave_folds *w)
{
	bool fold = false;
	for (int i = 0; i < w->shared.n; i++)
		fold |= asked(w, &w->shared.at[i]).folds;
	return fold;
}

static void bind_used(struct wave_folds *w, const struct shared_fold *s)
{
	struct asking conditions = asked(w, s);
	if (conditions.cells)
		wave_neighbours(w->axes->l, w->axes->node);
	if (conditions.folds)
		give_folds(w);
}

/* The group's terms of a branch. */
static void late_terms(struct wave_folds *w, const struct shared_fold *s, int branch)
{
	struct lowering *l = w->axes->l;
	const struct expr *fold = s->branch.at[branch].fold;
	struct var *index = fold->fold->index.at[0];
	struct kx *lane = x_cast(kt_scalar(T_I64), group_lane(w)), *lanes = x_i64(folds_lanes(w));
	struct ranges r = folds_open_terms(w, s, branch);
	if (s->early)
		open_others(l, index, r, lane, lanes);
	else
		lower_bind(l, index, x_var(k_for(l->k, index->name, x_add(r.first, lane), r.last,
		                                 lanes, 0)));
	add_term(l, fold, &s->acc);
	k_end(l->k);
	folds_close_terms(w, s, branch);
}

/* Its first lane begins with the early terms. */
static void late_fold(struct wave_folds *w, struct shared_fold *s, struct kx *active)
{
	struct lowering *l = w->axes->l;
	struct folds one = { .n = 1, .at = { s->branch.at[0].fold } };
	struct accumulators acc = folds_start(l, &one);
	const int lanes = folds_lanes(w);
	int known = l->folded.n;
	k_if(l->k, active);
	bind_used(w, s);
	s->acc = acc.at[0];
	if (s->early) {
		k_if(l->k, x_eq(group_lane(w), x_i32(0)));
		accumulator_copy(l, x_var(s->acc.var), x_at(x_var(s->part), w->place));
		k_end(l->k);
	}
	for (int b = 0; b < s->branch.n; b++)
		late_terms(w, s, b);
	k_end(l->k);
	l->folded.n = known;
	warp_fold_groups(l, &acc, lanes);
	if (!conditions_fold(w))
		return;
	struct kx *first = x_mul(x_div(warp_lane(l), x_i32(lanes)), x_i32(lanes));
	accumulator_copy(l, x_var(s->acc.var),
	                 accumulator_shuffle(l, &s->acc, x_var(s->acc.var), "", first));
}

static void warp_sync(struct lowering *l)
{
	k_do(l->k, x_help(kt_scalar(T_I32), "patc_warp_sync", 0, NULL));
}

/* Equation q and those after it that have no such folds; the one after them. */
static int equations_from(struct wave_folds *w, int q, struct kx *active)
{
	const struct node *node = w->axes->node;
	struct lowering *l = w->axes->l;
	int known = l->folded.n;
	k_if(l->k, x_and(active, x_eq(group_lane(w), x_i32(0))));
	wave_neighbours(l, node);
	give_folds(w);
	do {
		const struct equation *eq = node->equation.at[q];
		lower_whole(l, node, q);
		lower_store(l, eq->target.at[0], lower_result(eq, 0, lower_expr(l, eq->right)));
	} while (++q < node->equation.n && !has_folds(w, q));
	if (q == node->equation.n && births_fold(w->axes))
		births_cell(w->axes);
	k_end(l->k);
	l->folded.n = known;
	return q;
}

/* Lanes whose cell `where` leaves out are not active. */
static void ask_mask(struct wave_folds *w, struct kx *active)
{
	const struct node *node = w->axes->node;
	struct lowering *l = w->axes->l;
	if (!node->where)
		return;
	k_if(l->k, active);
	if (wave_has_cell(node, node->where))
		wave_neighbours(l, node);
	k_set(l->k, active, lower_expr(l, node->where));
	k_end(l->k);
}

/* Lanes have read before the first one stores, and it has stored before lanes read that. */
void folds_late(struct wave_folds *w, struct kx *place, struct kx *active)
{
	const struct node *node = w->axes->node;
	struct lower_context before = w->axes->l->now;
	w->place = place;
	ask_mask(w, active);
	for (int q = 0; q < node->equation.n;) {
		for (int i = 0; i < w->shared.n; i++)
			if (w->shared.at[i].equation == q)
				late_fold(w, &w->shared.at[i], active);
		warp_sync(w->axes->l);
		q = equations_from(w, q, active);
		if (q < node->equation.n)
			warp_sync(w->axes->l);
	}
	w->axes->l->now = before;
}
