/* gather_reach.c - which items reach a cell: ranges and masks of the indices that stay free.
 *
 * An index that is solved for (gather_inverse.c) has a range in the scatter.  It bounds the last of
 * the free indices in its form, where that is exact: of i = c - j in 0 .. n follows c - n < j <= c.
 * Otherwise, or if ranges are to stay numbers, it masks terms.  Of y[s * i + p] with few p the
 * fold goes over the few i that reach the cell, counted back from c / s. */
#include "ask.h"
#include "gather_reach.h"

enum {
	STEP_ID = (1 << 29) + MAX_RANK,      /* after those of gather_cells.c */
	FEW_STEPS = 1 << 20
};

static struct expr *also(struct expr *a, struct expr *b)
{
	return a && b ? expr_binary(OP_LAND, a, b) : a ? a : b;
}

static struct expr *integer(int64_t value, struct loc at)
{
	return expr_int(type_scalar(T_I64), value, at);
}

static struct expr *extreme(enum op_kind kind, struct expr *a, struct expr *b)
{
	return op_apply(op_own(kind), a, b);
}

static bool never_negative(const struct expr *e)
{
	struct affine a;
	return affine_of(e, &a) && affine_never_negative(&a);
}

/* k < end / size, or k >= end / size, rounded up; k is never negative if the size is not 1. */
static void bound_index(struct reach *r, int k, struct expr *end, int64_t size, bool below)
{
	struct loc at = r->node->at;
	if (size > 1) {
		end = expr_binary(OP_ADD, extreme(OPK_MAX, integer(0, at), end),
		                  integer(size - 1, at));
		end = expr_binary(OP_DIV, end, integer(size, at));
	}
	if (below)
		r->hi[k] = extreme(OPK_MIN, r->hi[k], end);
	else
		r->lo[k] = extreme(OPK_MAX, r->lo[k], end);
}

static bool uses_free(const struct reach *r, const struct expr *e)
{
	for (int k = 0; k < r->node->index.n; k++)
		if (r->inverse.place[k] == IS_FREE && expr_uses(e, r->node->index.at[k]))
			return true;
	return false;
}

/* form >= bound, or form < bound, by the range of the last free index in them.  False: it
 * cannot. */
static bool limit_range(struct reach *r, struct affine form, struct expr *bound, bool below)
{
	struct affine own;
	bool is_affine = affine_of(bound, &own) && affine_add(&form, &own, -1);
	int k = inverse_last_free(&r->inverse, &form);
	if (k < 0 || (!is_affine && uses_free(r, bound)))
		return false;
	int64_t factor = affine_coefficient(&form, r->node->index.at[k]);
	bool back = factor < 0;              /* -k >= b is k < 1 - b */
	struct affine end = affine_constant(back), index = affine_var(r->node->index.at[k]);
	if ((factor != 1 && factor != -1 && !never_negative(r->node->lo.at[k]))
	    || !affine_add(&form, &index, -factor) || !affine_add(&end, &form, back ? 1 : -1))
		return false;
	struct expr *e = form_expr(&end, r->node->at);
	if (!is_affine)
		e = expr_binary(back ? OP_SUB : OP_ADD, e, bound);
	bound_index(r, k, e, back ? -factor : factor, below != back);
	return true;
}

/* A subscript of the cell is inside the array. */
static bool is_inside(const struct reach *r, const struct affine *form, const struct expr *bound,
                      bool below)
{
	struct affine end;
	for (int a = 0; a < r->cell->arg.n && affine_of(bound, &end); a++) {
		struct affine own;
		if (!r->axis[a])
			continue;
		own = affine_var(r->axis[a]);
		if (affine_equal(form, &own)
		    && (below ? affine_equal(&end, &r->cell->var->extent[a])
		              : !end.n && end.constant <= 0))
			return true;
	}
	return false;
}

/* form >= bound, or form < bound, without differences: c < n + j, not c - j < n. */
static struct expr *compared(struct affine form, struct expr *bound, bool below, struct loc at)
{
	struct affine own, side[2] = { affine_constant(0), affine_constant(0) };
	if (affine_of(bound, &own) && affine_add(&form, &own, -1))
		bound = NULL;
	for (int t = 0; t < form.n; t++) {
		struct affine v = affine_var(form.term[t].var);
		int64_t factor = form.term[t].coef;
		affine_add(&side[factor < 0], &v, factor < 0 ? -factor : factor);
	}
	side[form.constant < 0].constant = form.constant < 0 ? -form.constant : form.constant;
	struct expr *right = form_expr(&side[1], at);
	if (bound)
		right = side[1].n || side[1].constant ? expr_binary(OP_ADD, bound, right) : bound;
	return expr_binary(below ? OP_LT : OP_GE, form_expr(&side[0], at), right);
}

/* ---- masks ---- */

static struct expr *times(struct expr *e, int64_t factor)
{
	return factor == 1 ? e : expr_binary(OP_MUL, e, integer(factor, e->at));
}

struct seen { const struct var *index; const struct expr *end; bool below, asks; };

/* The index itself is a subscript, and the end of its range that of the axis. */
static bool see_axis(struct expr *e, void *state)
{
	struct seen *s = state;
	struct affine end;
	for (int a = 0; e->kind == E_READ && a < e->arg.n; a++)
		if (e->arg.at[a]->kind == E_VAR && e->arg.at[a]->var == s->index
		    && affine_of(s->end, &end)
		    && (s->below ? affine_equal(&end, &e->var->extent[a])
		                 : !end.n && end.constant == 0))
			s->asks = true;
	return true;
}

/* That end of the range of index k holds if what the item reads is inside the arrays. */
static bool asks_inside(const struct reach *r, int k, bool below)
{
	struct seen s = { r->node->index.at[k],
		          below ? r->node->hi.at[k] : r->node->lo.at[k], below, false };
	expr_walk(r->item, see_axis, &s);
	return s.asks;
}

/* The value of index k is not before its range, or not after it. */
static void limit(struct reach *r, int k, bool below)
{
	const struct inverse *v = &r->inverse;
	struct expr *end = inverse_put(v, below ? r->node->hi.at[k] : r->node->lo.at[k]);
	struct expr *bound = times(end, v->divisor[k]);
	if (is_inside(r, &v->form[k], bound, below)
	    || (!r->masked && limit_range(r, v->form[k], bound, below)))
		return;
	r->unbounded |= !r->masked && inverse_last_free(v, &v->form[k]) >= 0;
	struct expr *mask = compared(v->form[k], bound, below, r->node->at);
	mask->if_inside = asks_inside(r, k, below);
	r->edges |= mask->if_inside;
	r->where = also(r->where, mask);
}

static struct expr *multiple(const struct affine *form, int64_t divisor, struct loc at)
{
	struct expr *rest = expr_binary(OP_REM, form_expr(form, at), integer(divisor, at));
	return expr_binary(OP_EQ, rest, integer(0, at));
}

/* ---- steps: p = c - s * i with few p is p = c % s + s * u and i = c / s - u with few u ---- */

static bool is_number(const struct expr *e, int64_t *value)
{
	struct affine a;
	if (!affine_of(e, &a) || a.n)
		return false;
	*value = a.constant;
	return true;
}

static int64_t floor_of(int64_t a, int64_t by)
{
	return a / by - (a % by < 0);
}

static void also_compared(struct reach *r, enum operation op, struct expr *a, struct expr *b)
{
	r->where = also(r->where, expr_binary(op, a, b));
}

/* The form is c + number - s * i, for a subscript c: what s is, and i; or 0. */
static int64_t step_of(const struct reach *r, int k, int *i, struct affine *c)
{
	const struct inverse *v = &r->inverse;
	bool is_axis = false;
	*i = inverse_last_free(v, &v->form[k]);
	if (*i < 0 || v->value[*i] || v->divisor[k] != 1
	    || affine_cells(r->lo[*i], r->hi[*i]) >= 0)
		return 0;
	struct affine index = affine_var(r->node->index.at[*i]);
	int64_t s = -affine_coefficient(&v->form[k], index.term[0].var);
	*c = v->form[k];
	for (int f = 0; f < r->node->index.n; f++)
		if (bounds_use(r->node, f, index.term[0].var))
			return 0;
	if (s < 2 || s > FEW_STEPS || !affine_add(c, &index, s) || c->n != 1
	    || c->term[0].coef != 1 || c->constant > FEW_STEPS || c->constant < -FEW_STEPS)
		return 0;
	for (int a = 0; a < r->cell->arg.n; a++)
		is_axis |= r->axis[a] && r->axis[a] == c->term[0].var;
	return is_axis ? s : 0;
}

/* False: p has another form, or not few values. */
static bool take_steps(struct reach *r, int k)
{
	struct inverse *v = &r->inverse;
	struct loc at = r->node->at;
	struct affine c;
	int i;
	int64_t lo, hi, s = step_of(r, k, &i, &c);
	if (!s || !is_number(r->node->lo.at[k], &lo) || !is_number(r->node->hi.at[k], &hi)
	    || lo < -FEW_STEPS || hi > FEW_STEPS)
		return false;
	int64_t steps = -floor_of(c.constant, s);      /* so that c is not negative */
	c.constant += steps * s;
	struct expr *whole = expr_binary(OP_DIV, form_expr(&c, at), integer(s, at));
	struct expr *part = expr_binary(OP_REM, form_expr(&c, at), integer(s, at));
	struct var *u = NEW(struct var);
	*u = *r->node->index.at[i];
	u->id = STEP_ID + i;
	r->index[i] = u;
	v->value[i] = expr_binary(OP_SUB, whole, expr_var(u, at));
	part = expr_binary(OP_ADD, part, times(expr_var(u, at), s));
	v->value[k] = steps ? expr_binary(OP_SUB, part, integer(steps * s, at)) : part;
	int64_t from = floor_of(lo + steps * s, s), to = -floor_of(-hi - steps * s, s);
	also_compared(r, OP_GE, whole, expr_binary(OP_ADD, expr_var(u, at), r->lo[i]));
	also_compared(r, OP_LT, whole, expr_binary(OP_ADD, r->hi[i], expr_var(u, at)));
	if (from * s < lo + steps * s)
		also_compared(r, OP_GE, v->value[k], integer(lo, at));
	if (to * s > hi + steps * s)
		also_compared(r, OP_LT, v->value[k], integer(hi, at));
	r->lo[i] = integer(from, at);
	r->hi[i] = integer(to, at);
	return true;
}

/* ---- all of them ---- */

/* What is solved has a value, in its range. */
static void reach_solved(struct reach *r, int k)
{
	const struct inverse *v = &r->inverse;
	int64_t divisor = v->divisor[k];
	if (r->masked && take_steps(r, k))
		return;
	if (divisor != 1)
		r->where = also(r->where, multiple(&v->form[k], divisor, r->node->at));
	limit(r, k, false);
	limit(r, k, true);
}

const char *reach_cell(struct reach *r)
{
	struct inverse *v = &r->inverse;
	const struct node *node = r->node;
	const char *why = inverse_solve(v, node, r->cell, r->axis);
	for (int k = 0; k < node->index.n && !why; k++)
		r->index[k] = node->index.at[k], r->lo[k] = node->lo.at[k],
		r->hi[k] = node->hi.at[k];
	for (int k = 0; k < node->index.n && !why; k++)
		if (v->place[k] == IS_SOLVED)
			reach_solved(r, k);
	if (r->unbounded)
		why = "a cell would visit items that do not reach it";
	if (node->where && !why)
		r->where = also(r->where, node->where);
	if (r->where && !why)
		r->where = inverse_put(v, r->where);
	return why;
}
