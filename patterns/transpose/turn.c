/* turn.c - which transposes tiles can move: reads whose cells lie along one index, and a target
 * whose cells lie along another.
 *
 * A tile then takes rows of what is read and gives rows of what is written.  All other indices
 * count tiles.  Indices that are neighbours in every array, and that nothing else uses, are one
 * axis: of a transposed cube that is B[k, i, j] = A[i, j, k], a plane is turned, and its rows are
 * as long as those of i and j together. */
#include "ask.h"
#include "../cells.h"
#include "turn.h"

/* ---- how a cell uses the indices ---- */

static int subscript_of(const struct expr *cell, const struct var *index)
{
	for (int a = 0; a < cell->var->rank; a++)
		if (expr_uses(cell->arg.at[a], index))
			return a;
	return -1;
}

/* The index along which neighbouring cells lie; -1: none. */
static int fast_index(const struct node *node, const struct expr *cell)
{
	int k;
	int64_t offset;
	int last = cell->var->rank - 1;
	return access_offset(node, cell, last, &k, &offset) && offset == 0 ? k : -1;
}

/* Every subscript moves by one cell with one index, or stands. */
static bool steps_by_one(const struct node *node, const struct expr *cell)
{
	for (int a = 0; a < cell->var->rank; a++) {
		int k, indices = 0;
		int64_t offset;
		for (int d = 0; d < node->index.n; d++)
			indices += expr_uses(cell->arg.at[a], node->index.at[d]);
		if (indices && !access_offset(node, cell, a, &k, &offset))
			return false;
	}
	return true;
}

static bool same_cell(const struct expr *a, const struct expr *b)
{
	bool same = a->var == b->var;
	for (int s = 0; same && s < a->var->rank; s++)
		same = affine_equal(&a->affine[s], &b->affine[s]);
	return same;
}

int turn_read(const struct turn *t, const struct expr *e)
{
	for (int r = 0; r < t->reads; r++)
		if (same_cell(t->read[r], e))
			return r;
	return -1;
}

bool turn_own(const struct turn *t, const struct expr *e)
{
	return same_cell(t->target, e);
}

static bool find_own(struct expr *e, void *turn)
{
	return e->kind != E_READ || !turn_own(turn, e);
}

bool turn_reads_own(const struct turn *t)
{
	return !expr_walk(t->node->equation.at[0]->right, find_own, (void *)t);
}

bool turn_pairs(const struct turn *t)
{
	return t->node->mirror[0];
}

/* ---- what is turned ---- */

/* guarded: only a guard keeps some read inside */
struct search { struct turn *t; int from, to; bool guarded; };

static bool can_stage(const struct turn *t, const struct expr *e)
{
	if (e->kind != E_READ || var_home(e->var) || e->var->ring)
		return false;
	if (turn_pairs(t) || e->var == t->target->var)
		return node_mirrors(t->node, t->target, e);
	int64_t bytes = type_size(e->type);
	for (int r = 0; r < t->reads; r++)
		bytes += type_size(t->read[r]->type);
	return bytes <= TURN_BYTES;
}

static bool find_read(struct expr *e, void *state)
{
	struct search *s = state;
	if (s->t->reads == TURN_READS || !can_stage(s->t, e) || turn_read(s->t, e) >= 0)
		return true;
	int fast = fast_index(s->t->node, e);
	bool across = subscript_of(e, s->t->node->index.at[s->to]) >= 0;
	bool turned = fast >= 0 && fast != s->to && across && steps_by_one(s->t->node, e);
	s->guarded |= turned && e->guarded;
	if (turned && !e->guarded && (s->from < 0 || s->from == fast)) {
		s->from = fast;
		s->t->read[s->t->reads++] = e;
	}
	return true;
}

static const char *no_target(const struct node *node)
{
	const struct expr *target = node_target(node, 0);
	struct cells c = { .node = node, .rank = node->index.n };
	if (node->equation.n != 1)
		return "it has several equations";
	if (target->kind != E_READ || var_home(target->var) || fast_index(node, target) < 0
	    || !steps_by_one(node, target))
		return "neighbouring cells of its target are not adjacent in memory";
	if (node_checked(node))
		return "it has accesses that are tested at run time";
	if (!cells_even(&c))
		return "a range depends on an index or a device scalar, so rows have different "
		       "lengths";
	return NULL;
}

/* ---- axes ---- */

/* Is the index asked for, but to say which cell is read or written? */
static bool is_asked(const struct turn *t, const struct expr *e, const struct var *index)
{
	if (!e || (e->kind == E_READ && (turn_read(t, e) >= 0 || turn_own(t, e))))
		return false;
	if (e->kind == E_VAR && e->var == index)
		return true;
	for (int a = 0; a < e->arg.n; a++)
		if (is_asked(t, e->arg.at[a], index))
			return true;
	return false;
}

/* In this cell's array, is a row of the second index all that is between two cells of the first? */
static bool lie_together(const struct node *node, const struct expr *cell, int slow, int fast)
{
	const struct expr *lo = node->lo.at[fast], *hi = node->hi.at[fast];
	int a = subscript_of(cell, node->index.at[slow]),
	    b = subscript_of(cell, node->index.at[fast]);
	bool whole = b >= 0 && affine_spans(lo, hi, &cell->var->extent[b]);
	bool pitched = cell->var->layout && cell->var->layout->pitched && b == cell->var->rank - 1;
	return whole && a + 1 == b && !pitched;
}

static bool is_joined(const struct turn *t, int slow, int fast)
{
	const struct expr *right = t->node->equation.at[0]->right;
	for (int k = 0; k < 2; k++) {
		const struct var *index = t->node->index.at[k ? fast : slow];
		if (is_asked(t, right, index) || is_asked(t, t->node->where, index))
			return false;
	}
	bool together = lie_together(t->node, t->target, slow, fast);
	for (int r = 0; r < t->reads; r++)
		together = together && lie_together(t->node, t->read[r], slow, fast);
	return together;
}

static int axis_with(const struct turn *t, int index)
{
	for (int x = 0; x < t->axes; x++)
		for (int k = 0; k < t->axis[x].n; k++)
			if (t->axis[x].index[k] == index)
				return x;
	return -1;
}

static void find_axes(struct turn *t, int from, int to)
{
	for (int a = 0; a < t->target->var->rank; a++) {
		struct axis *last = t->axes ? &t->axis[t->axes - 1] : NULL;
		int own = -1;
		for (int d = 0; d < t->node->index.n; d++)
			if (expr_uses(t->target->arg.at[a], t->node->index.at[d]))
				own = d;
		if (own < 0)
			continue;
		if (!last || !is_joined(t, last->index[last->n - 1], own))
			last = &t->axis[t->axes++];
		last->index[last->n++] = own;
	}
	t->from = axis_with(t, from);
	t->to = axis_with(t, to);
}

const char *turn_find(struct turn *t, const struct node *node)
{
	*t = (struct turn){ .node = node, .target = node_target(node, 0) };
	const char *why = no_target(node);
	if (why)
		return why;
	struct search s = { t, -1, fast_index(node, t->target), false };
	node_walk((struct node *)node, find_read, &s);
	if (!t->reads && s.guarded)
		return "a guard keeps its reads in bounds, but tiles would load the excluded cells";
	if (!t->reads)
		return "none of its reads exchanges rows and columns";
	find_axes(t, s.from, s.to);
	return NULL;
}

/* ---- numbers ---- */

struct kx *turn_step(struct lowering *l, const struct turn *t, const struct expr *cell, int axis)
{
	const struct axis *x = &t->axis[axis];
	int a = subscript_of(cell, t->node->index.at[x->index[x->n - 1]]);
	struct kx *step = x_i64(a >= 0);
	for (int b = a + 1; a >= 0 && b < cell->var->rank; b++)
		step = x_mul(step, lower_pitch(l, cell->var, b));
	return kx_fold(step);
}

struct kx *turn_count(struct plan *plan, const struct turn *t, int axis)
{
	struct lowering *host = host_lowering(plan);
	struct kx *count = x_i64(1);
	for (int k = 0; k < t->axis[axis].n; k++) {
		int d = t->axis[axis].index[k];
		struct kx *lo = lower_index(host, t->node->lo.at[d]);
		count = x_mul(count, plan_range(plan, lo, lower_index(host, t->node->hi.at[d])));
	}
	return kx_fold(count);
}

struct kx *turn_start(struct lowering *l, const struct turn *t, const struct expr *cell)
{
	struct kx *place = x_i64(0);
	for (int d = 0; d < t->node->index.n; d++)
		lower_bind(l, t->node->index.at[d], lower_index(l, t->node->lo.at[d]));
	for (int a = 0; a < cell->var->rank; a++) {
		struct kx *at = kx_fold(lower_index(l, cell->arg.at[a]));
		for (int b = a + 1; b < cell->var->rank && !x_is_int(at, 0); b++)
			at = x_mul(at, lower_pitch(l, cell->var, b));
		place = x_add(place, at);
	}
	place = kx_fold(place);
	struct kx *array = lower_pointer(l, cell->var);
	return x_is_int(place, 0) ? array : x_offset(array, place);
}

/* ---- where cells begin ---- */

bool turn_starts_at_zero(const struct turn *t, int axis)
{
	bool zero = true;
	for (int k = 0; k < t->axis[axis].n; k++)
		zero = zero && affine_is(t->node->lo.at[t->axis[axis].index[k]], 0);
	return zero;
}

bool turn_starts_first(const struct turn *t, const struct expr *cell)
{
	for (int x = 0; x < t->axes; x++)
		if (!turn_starts_at_zero(t, x))
			return false;
	for (int a = 0; a < cell->var->rank; a++) {
		int k;
		int64_t offset;
		if (!access_offset(t->node, cell, a, &k, &offset) || offset != 0)
			return false;
	}
	return true;
}
