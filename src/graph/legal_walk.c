/* legal_walk.c - visits every access of a statement together with what holds there.
 *
 * A scope is a chain of facts, innermost first: an index between its bounds (of the domain, of a
 * fold), a condition that was decided (where, && || ?:, see R7), a cell inside or outside an array.
 * It is built as the walk descends and costs nothing until somebody asks what it says. */
#include "expansion.h"
#include "legal.h"
#include "ragged.h"
#include "running.h"
#include "selection.h"
#include "sorting.h"
#include "wavefront.h"

/* ---- scopes ---- */

static int64_t saturated(__int128 x)
{
	return x > INT64_MAX ? INT64_MAX : (int64_t)x;
}

static int64_t scope_reach(const struct scope *s, const struct var *index)
{
	for (; s; s = s->up)
		if (s->index == index && !s->inside)
			return s->reach;
	return INT64_MAX;
}

/* The largest |a| in this scope, INT64_MAX if that is unknown or large: Note [values that fit]. */
static int64_t affine_reach(const struct affine *a, const struct scope *s)
{
	__int128 sum = a->constant < 0 ? -(__int128)a->constant : a->constant;
	for (int k = 0; k < a->n; k++) {
		const struct var *v = a->term[k].var;
		__int128 coef = a->term[k].coef < 0 ? -(__int128)a->term[k].coef : a->term[k].coef;
		int64_t reach = INT64_MAX;
		if (v->kind == VAR_SIZE || v->kind == VAR_COUNTER)
			reach = SIZE_LIMIT;
		else if (v->kind == VAR_INDEX)
			reach = scope_reach(s, v);
		sum = saturated(sum + coef * reach);
	}
	return (int64_t)sum;
}

static bool bound_of(const struct expr *e, int64_t shift, const struct scope *up, struct affine *a)
{
	return e && affine_of(e, a) && !__builtin_add_overflow(a->constant, shift, &a->constant) &&
	       affine_reach(a, up) < INT64_MAX;
}

const struct scope *scope_index(const struct scope *up, struct var *index,
                                       const struct expr *lo, const struct expr *hi, int64_t shift)
{
	struct scope *s = NEW(struct scope);
	s->up = up;
	s->index = index;
	s->lo = lo;
	s->hi = hi;
	s->shift = shift;
	s->reach = INT64_MAX;
	s->is_affine = bound_of(lo, shift, up, &s->low) && bound_of(hi, shift, up, &s->high);
	if (s->is_affine) {
		int64_t low = affine_reach(&s->low, up), high = affine_reach(&s->high, up);
		s->reach = low > high ? low : high;
	}
	return s;
}

/* A range that data decide is some part of the array that it is cut to: ragged.h. */
const struct scope *scope_fold(const struct scope *up, const struct fold *f, int k)
{
	const struct cut *cut = fold_cut(f, k);
	struct var *index = f->index.at[k];
	if (!cut || !cut->end)
		return scope_index(up, index, f->lo.at[k], f->hi.at[k], 0);
	struct expr *none = expr_int(type_scalar(T_I64), 0, index->at);
	struct scope *s = (struct scope *)scope_index(up, index, none, cut->end, 0);
	s->part = true;
	return s;
}

const struct scope *scope_guard(const struct scope *up, const struct expr *guard, bool holds)
{
	struct scope *s = NEW(struct scope);
	s->up = up;
	s->guard = guard;
	s->holds = holds;
	return s;
}

const struct scope *scope_premises(const struct node *node)
{
	const struct scope *s = NULL;
	for (const struct premise *g = node->premise; g; g = g->up)
		s = scope_guard(s, g->condition, g->holds);
	return s;
}

const struct scope *scope_cell(const struct scope *up, struct var *index, int64_t offset,
                                      const struct var *array, int axis, bool holds)
{
	struct scope *s = NEW(struct scope);
	s->up = up;
	s->index = index;
	s->offset = offset;
	s->inside = array;
	s->axis = axis;
	s->holds = holds;
	return s;
}

/* ---- the walk ---- */

static void walk_args(struct walk *w, struct expr *e, const struct scope *s)
{
	for (int k = 0; k < e->arg.n; k++)
		walk(w, e->arg.at[k], s);
}

static void walk_choice(struct walk *w, struct expr *e, const struct scope *s)
{
	walk(w, e->arg.at[0], s);
	walk(w, e->arg.at[1], scope_guard(s, e->arg.at[0], true));
	walk(w, e->arg.at[2], scope_guard(s, e->arg.at[0], false));
}

static void walk_fold(struct walk *w, struct expr *e, const struct scope *s)
{
	struct fold *f = e->fold;
	if (f->running)         /* its terms are those of all cells: no condition around it holds */
		s = w->domain;
	for (int k = 0; k < f->index.n; k++) {
		walk(w, f->lo.at[k], s);
		walk(w, f->hi.at[k], s);
		s = scope_fold(s, f, k);
	}
	if (f->where) {
		walk(w, f->where, s);
		s = scope_guard(s, f->where, true);
	}
	walk_args(w, e, s);
}

static void walk_field(struct walk *w, struct expr *e, const struct scope *s)
{
	const struct expr *outer = w->whole;
	const struct field *field = w->field;
	w->whole = e->arg.at[0];
	w->field = e->field;
	walk_args(w, e, s);
	w->whole = outer;
	w->field = field;
}

void walk(struct walk *w, struct expr *e, const struct scope *s)
{
	bool lazy = e->kind == E_BINARY && (e->op == OP_LAND || e->op == OP_LOR);
	w->visit(w, e, s);
	if (e->kind == E_COND) {
		walk_choice(w, e, s);
	} else if (e->kind == E_FOLD) {
		walk_fold(w, e, s);
	} else if (e->kind == E_FIELD) {
		walk_field(w, e, s);
	} else if (lazy) {
		walk(w, e->arg.at[0], s);
		walk(w, e->arg.at[1], scope_guard(s, e->arg.at[0], e->op == OP_LAND));
	} else {
		walk_args(w, e, s);
	}
}

/* The target itself is written; its subscripts are read. */
static void walk_target(struct walk *w, struct expr *e, const struct scope *s)
{
	w->writing = true;
	w->visit(w, e, s);
	if (e->kind == E_READ || e->arg.n == 0) {
		w->writing = false;
		walk_args(w, e, s);
		return;
	}
	walk_target(w, e->arg.at[0], s);
	for (int k = 1; k < e->arg.n; k++) /* E_ELEM: the subscripts after */
		walk(w, e->arg.at[k], s);
}

/* The first cell of a sequence reads no weights, unless `from` stands for the cell before it. */
static const struct scope *scope_behind_first(const struct walk *w)
{
	const struct running *r = w->node->running;
	struct expr *index = expr_var(w->node->index.at[r->axis], w->node->at);
	struct expr *one = expr_int(index->type, 1, w->node->at);
	if (r->from_right)
		return scope_guard(w->domain,
		                   expr_binary(OP_LT, expr_binary(OP_ADD, index, one),
		                               w->node->hi.at[r->axis]),
		                   true);
	return scope_guard(w->domain, expr_binary(OP_GT, index, w->node->lo.at[r->axis]), true);
}

static void walk_right(struct walk *w, const struct equation *eq, const struct scope *s)
{
	const struct recurrence *r = eq->recurrence;
	if (eq->right)
		walk(w, eq->right, s);
	for (int k = 0; r && k < MAX_ORDER; k++)
		if (r->weight[k])
			walk(w, r->weight[k],
			     w->node->running->froms > k ? s : scope_behind_first(w));
	if (r && r->rest)
		walk(w, r->rest, s);
}

/* What holds where an equation is computed: of a selection, some are for the cells that `where`
 * rejects. */
static const struct scope *equation_scope(const struct walk *w, const struct equation *equation)
{
	const struct node *node = w->node;
	if (!node->selection || selected_part(node, equation) != PART_REJECTED)
		return w->domain;
	return scope_guard(w->domain->up, node->where, false);
}

static void walk_equations(struct walk *w)
{
	for (int q = 0; q < w->node->equation.n; q++) {
		struct equation *equation = w->node->equation.at[q];
		const struct scope *s = equation_scope(w, equation);
		for (int t = 0; t < equation->target.n; t++)
			walk_target(w, equation->target.at[t], s);
		w->writing = false;
		walk_right(w, equation, s);
	}
}

/* What comes before a sequence, and where one begins; the offsets themselves are no cells of the
 * domain. */
static void walk_running(struct walk *w, const struct running *r)
{
	for (int k = 0; k < r->froms; k++)
		walk(w, r->from[k], w->domain);
	if (r->cell && r->segment != SEGMENT_OFFSETS)
		walk(w, r->cell, w->domain);
	if (r->length)
		walk(w, r->length, scope_premises(w->node));
}

/* An index of the domain; of a range that data decide some part of what it is cut to: wavefront.h.
 * */
static const struct scope *scope_domain(const struct scope *up, const struct node *node, int k,
                                        int64_t shift)
{
	const struct range *cut = node->wave && node->wave->cut[k].lo ? &node->wave->cut[k] : NULL;
	if (node->expand && node->expand->count[k])
		return scope_fold(up, node->expand->count[k]->fold, 0);
	if (!cut)
		return scope_index(up, node->index.at[k], node->lo.at[k], node->hi.at[k], shift);
	struct scope *s = (struct scope *)scope_index(up, node->index.at[k], cut->lo, cut->hi,
	                                              shift);
	s->part = true;
	return s;
}

/* The domain's scope, its bounds visited on the way. */
static void walk_domain(struct walk *w)
{
	const struct node *node = w->node;
	const struct scope *s = scope_premises(node);
	for (int k = 0; k < node->index.n; k++) {
		walk(w, node->lo.at[k], s);
		walk(w, node->hi.at[k], s);
		s = scope_domain(s, node, k, 0);
	}
	if (node->where) {
		w->domain = s;
		walk(w, node->where, s);
		s = scope_guard(s, node->where, true);
	}
	w->domain = s;
}

/* ---- values beyond the edge ---- */

/* Note [where a boundary value is computed]
 * The value of `boundary e` is computed at the index outside (R44, R48): for a read a[i-1, j] whose
 * first subscript left a, i stands for i - 1.  So for every such read and axis the value is walked
 * in the domain moved by the read's offsets, where moreover that axis is outside a. */

static bool mentions_index(const struct expr *e)
{
	if (e->kind == E_VAR && e->var->kind == VAR_INDEX)
		return true;
	for (int k = 0; k < e->arg.n; k++)
		if (mentions_index(e->arg.at[k]))
			return true;
	return false;
}

static bool reads_array(const struct expr *e)
{
	if (e->kind == E_READ || e->kind == E_ELEM)
		return true;
	for (int k = 0; k < e->arg.n; k++)
		if (reads_array(e->arg.at[k]))
			return true;
	return false;
}

/* How far the read is from the cell along each index; OPEN: by what no constant says. */
#define OPEN INT64_MIN

static int64_t offset_along(const struct node *node, const struct expr *read, int index)
{
	struct shift s;
	for (int axis = 0; axis < read->arg.n; axis++)
		if (access_shift(node, read->arg.at[axis], &s) && s.k == index)
			return s.rest.n == 0 && s.coef == 1 ? s.rest.constant : OPEN;
	return 0;
}

/* A triangle's bounds speak of indices that moved too: they are given up, the access is checked. */
static const struct scope *scope_stepped(const struct node *node, const int64_t *step)
{
	const struct scope *s = scope_premises(node);
	for (int k = 0; k < node->index.n; k++) {
		bool cut = node->wave && node->wave->cut[k].lo;
		bool known = step[k] != OPEN
		             && (cut
		                 || (!mentions_index(node->lo.at[k])
		                     && !mentions_index(node->hi.at[k])));
		s = known ? scope_domain(s, node, k, step[k])
		          : scope_index(s, node->index.at[k], NULL, NULL, 0);
	}
	return s;
}

static const struct scope *scope_moved(const struct node *node, const struct expr *read)
{
	int64_t step[MAX_RANK];
	for (int k = 0; k < node->index.n; k++)
		step[k] = offset_along(node, read, k);
	return scope_stepped(node, step);
}

static void visit_behind(struct walk *w, struct expr *e, const struct scope *s)
{
	struct shift shift;
	(void)s;
	for (int axis = 0; e->kind == E_READ && !w->writing && axis < e->arg.n; axis++) {
		if (!access_shift(w->node, e->arg.at[axis], &shift))
			continue;
		const struct edge *edge = &w->node->edge[shift.k];
		if (edge->kind == B_VALUE && reads_array(edge->value))
			walk(w->behind, edge->value,
			     scope_cell(scope_moved(w->node, e), w->node->index.at[shift.k], 0,
			                e->var, axis, false));
	}
}

/* What stands outside the tables of a wavefront: likewise, for each neighbour. */
static void walk_outside(struct walk *w)
{
	const struct node *node = w->node;
	w->outside = true;
	for (int r = 0; node->wave && r < node->wave->read.n; r++) {
		const struct neighbour *n = node->wave->read.at[r];
		const struct expr *cell = target_read(node->equation.at[n->equation]->target.at[0]);
		for (int d = 0; n->outside && d < cell->arg.n; d++) {
			int k = node->wave->order[d];
			if (n->step[k])
				walk(w, n->outside,
				     scope_cell(scope_stepped(node, n->step), node->index.at[k],
				                cell->affine[d].constant, cell->var, d, false));
		}
	}
	w->outside = false;
}

static bool values_read(const struct node *node)
{
	for (int k = 0; k < node->index.n && k < MAX_RANK; k++)
		if (node->edge[k].kind == B_VALUE && reads_array(node->edge[k].value))
			return true;
	return false;
}

static void walk_values(struct walk *w)
{
	struct walk reads = { .node = w->node, .visit = visit_behind, .behind = w };
	if (!values_read(w->node))
		return;
	w->outside = true;
	walk_domain(&reads);
	walk_equations(&reads);
	w->outside = false;
}

/* The place of a kth is that of a sequence, whatever cells it has. */
static void walk_sorting(struct walk *w, const struct sorting *sorting)
{
	const struct scope *s = scope_premises(w->node);
	walk(w, sorting->key, w->domain);
	for (int k = 0; k < w->node->index.n; k++)
		if (!sorting_runs(w->node, k))
			s = scope_domain(s, w->node, k, 0);
	if (sorting->first)
		walk(w, sorting->first, s);
}

void walk_node(struct walk *w)
{
	if (w->node->limit)
		walk(w, w->node->limit, scope_premises(w->node));
	if (w->node->asks)
		walk(w, w->node->asks, scope_premises(w->node));
	if (w->node->until)
		walk(w, w->node->until, scope_premises(w->node));
	walk_domain(w);
	walk_equations(w);
	if (w->node->running)
		walk_running(w, w->node->running);
	if (w->node->sorting)
		walk_sorting(w, w->node->sorting);
	walk_values(w);
	walk_outside(w);
}
