/* wave_bound.c - how far from 0 the values of a wavefront of integers can be, before any of them is
 * known.
 *
 * Right sides are taken apart into terms, a neighbour's value plus a weight or a value without
 * neighbours, joined by max, min and ?:.  Of weights and boundaries ranges are known: of constants
 * and their tables, of small types, of what is chosen among such; the index of a row is among the
 * rows.  So a weight has a least and a greatest value, and a boundary lies between two linear
 * functions of how many rows and columns there are.
 *
 * Note [growth] Claim: the cell at row i and column j of table q is at most a(q) + R * (i + 1) + C
 * * (j + 1) + Z, and what is outside likewise.  It holds by induction along the order if a(q) >=
 * a(p) + w - R * [a row up] - C * [a column back] for every term of q that is p's value plus w or
 * less, where for a step the boundary of p counts like a(p), and a(q) >= w for a value w; Z is what
 * boundaries grow by.  Where a right side is the min of terms, one of them is enough, so the least
 * counts. These a are found by going round from "no value" up until nothing changes; for R and C, 0
 * and the largest sum of weights of a step are tried, rows first: they are few.  The lower bound is
 * the upper one of what is negated.
 *
 * Note [from the corner] Time warping has a boundary far away on all sides but at the corner: `i <
 * 0 && j < 0 ? 0 : 1000000`.  There a cell has one way at least: along its row to the first column,
 * up to the first row, and across from the corner.  So if all three neighbours of its own table are
 * terms of a min alone, it is enough that the one on that way keeps the claim: the left one, in the
 * first column the one above, in the first cell the corner.
 *
 * Note [far boundaries] `boundary -1000000` means that a path from there never wins.  If all that
 * reads such a boundary is a term under max alone, and the bound from below holds without it (a min
 * over terms, of which it never is the least), then it may stand for any smaller number: with F +
 * slack <= the bound from below, the max is that of the others, whether the boundary is what is
 * written or -F.  So where 2 * slack more than the bound fit, it is cut to -(HALF_MOST - slack),
 * and the sums with it do not wrap.  The same for min and a boundary far above. */
#include <string.h>
#include "legal.h"
#include "wave_bound.h"
#include "wave_strips.h"

enum { MOST_LEAVES = 32, FAR_OUT = 16384 };
#define NEVER (-((int64_t)1 << 50))

struct leaf {                               /* of a right side */
	const struct neighbour *from;        /* NULL: a value without cells */
	int64_t lo, hi;                      /* what is added to it; the value */
	bool sure[2];                        /* the right side is not below it, not above it */
};
struct leaves { struct leaf at[MOST_LEAVES]; int n; };
struct bounding {
	const struct node *node;
	struct wave_bound *bound;
	struct leaves *right;                /* per equation */
	struct span *outside, *corner; /* per equation: anywhere; before the first row and column */
};

/* ---- terms ---- */

static bool is_no_cell(struct expr *e, void *state)
{
	const struct node *node = state;
	for (int r = 0; e->kind == E_VAR && r < node->wave->read.n; r++)
		if (node->wave->read.at[r]->value == e->var)
			return false;
	return true;
}

bool wave_has_cell(const struct node *node, const struct expr *e)
{
	return !expr_walk((struct expr *)e, is_no_cell, (void *)node);
}

static bool fail(struct bounding *b, const char *why)
{
	b->bound->why = b->bound->why ? b->bound->why : why;
	return false;
}

/* What is added to the cells of a part of a right side: at least, at most, on the way; joined only
 * by max, by min? */
struct path { int64_t lo, hi, way; bool sure[2]; };

static bool leaf_add(struct bounding *b, struct leaves *l, const struct neighbour *from,
                     const struct path *path)
{
	if (l->n == MOST_LEAVES)
		return fail(b, "its cells have too many terms");
	l->at[l->n++] = (struct leaf){ from, path->lo, path->hi, { path->sure[0], path->sure[1] } };
	b->bound->slack = larger(b->bound->slack, path->way);
	return true;
}

/* Its range, if no row or column makes it larger. */
static bool numbers_of(struct bounding *b, const struct expr *e, int64_t *lo, int64_t *hi)
{
	struct span s = wave_span(b->node, b->bound, e, false);
	*lo = s.lo.c;
	*hi = s.hi.c;
	if (is_number(&s.lo) && is_number(&s.hi) && *lo >= -HALF_MOST && *hi <= HALF_MOST)
		return true;
	return fail(b, str_print("`%s` may have any value", expr_text(e)));
}

static bool take_value(struct bounding *b, const struct expr *e, struct leaves *l, struct path path)
{
	int64_t lo, hi;
	if (!numbers_of(b, e, &lo, &hi))
		return false;
	path.way += larger(hi, -lo);
	path.lo += lo;
	path.hi += hi;
	if (path.way > HALF_MOST)
		return fail(b, str_print("`%s` is too large", expr_text(e)));
	int64_t slack = b->bound->slack;
	bool taken = leaf_add(b, l, NULL, &path);
	b->bound->slack = slack;
	return taken;
}

static bool take(struct bounding *, const struct expr *, struct leaves *, struct path);

static bool take_sum(struct bounding *b, const struct expr *e, struct leaves *l, struct path path)
{
	bool second = wave_has_cell(b->node, e->arg.at[1]);
	int64_t lo, hi;
	if (second && (e->op == OP_SUB || wave_has_cell(b->node, e->arg.at[0])))
		return fail(b, "a cell is added to another, or subtracted");
	if (!numbers_of(b, e->arg.at[!second], &lo, &hi))
		return false;
	path.lo += e->op == OP_SUB ? -hi : lo;
	path.hi += e->op == OP_SUB ? -lo : hi;
	path.way += larger(hi, -lo);
	return take(b, e->arg.at[second], l, path);
}

/* Both sides are computed. */
static bool is_safe(struct expr *e, void *unused)
{
	(void)unused;
	return e->kind != E_READ && e->kind != E_ELEM && e->kind != E_FOLD;
}

static bool take_choice(struct bounding *b, const struct expr *e, struct leaves *l,
                        struct path path)
{
	if (wave_has_cell(b->node, e->arg.at[0]))
		return fail(b, "a condition reads cells");
	if (!expr_walk(e->arg.at[1], is_safe, NULL) || !expr_walk(e->arg.at[2], is_safe, NULL))
		return fail(b, "a condition selects what is read");
	path.sure[0] = path.sure[1] = false;
	return take(b, e->arg.at[1], l, path) && take(b, e->arg.at[2], l, path);
}

static bool take_extreme(struct bounding *b, const struct expr *e, struct leaves *l,
                         struct path path)
{
	path.sure[e->math == M_max] = false;
	for (int a = 0; a < e->arg.n; a++)
		if (!take(b, e->arg.at[a], l, path))
			return false;
	return true;
}

/* 16 bits and more, with a sign: what fits into 16 bits goes through unchanged. */
bool wave_holds_half(const struct type *type)
{
	return type_class(type) == 'I' && type_size(type) > 1;
}

static bool take_cell(struct bounding *b, const struct expr *e, struct leaves *l,
                      const struct path *path)
{
	for (int r = 0; r < b->node->wave->read.n; r++)
		if (b->node->wave->read.at[r]->value == e->var)
			return leaf_add(b, l, b->node->wave->read.at[r], path);
	return false;
}

static bool take(struct bounding *b, const struct expr *e, struct leaves *l, struct path path)
{
	struct expr *inlined = expr_inlined(e);
	if (!wave_has_cell(b->node, e))
		return take_value(b, e, l, path);
	if (inlined)
		return take(b, inlined, l, path);
	if (!wave_holds_half(e->type))
		return fail(b, str_print("cells are used as %s", type_name(e->type)));
	if (e->kind == E_VAR)
		return take_cell(b, e, l, &path);
	if (e->kind == E_CAST)
		return take(b, e->arg.at[0], l, path);
	if (e->kind == E_BINARY && (e->op == OP_ADD || e->op == OP_SUB))
		return take_sum(b, e, l, path);
	if (e->kind == E_COND)
		return take_choice(b, e, l, path);
	if (e->kind == E_MATH && (e->math == M_max || e->math == M_min))
		return take_extreme(b, e, l, path);
	return fail(b, "cells are combined by more than max, min, + and ?:");
}

static bool take_apart(struct bounding *b)
{
	const struct path whole = { .sure = { true, true } };
	for (int q = 0; q < b->node->equation.n; q++) {
		const struct expr *table = wave_table(b->node, q),
				  *right = b->node->equation.at[q]->right;
		if (!wave_holds_half(table->type))
			return fail(b, str_print("its cells are %s", type_name(table->type)));
		if (expr_checked(right) || expr_has(right, E_FOLD))
			return fail(b, "reads of cells are tested at run time");
		if (!take(b, right, &b->right[q], whole))
			return false;
	}
	return true;
}

/* ---- Note [growth] ---- */

static struct step step_of_leaf(const struct bounding *b, const struct leaf *l)
{
	return l->from ? step_of(b->node, l->from) : (struct step){ 0 };
}

static bool is_step(const struct bounding *b, const struct leaf *l)
{
	struct step s = step_of_leaf(b, l);
	return s.row || s.column;
}

/* Above or below: how far from 0. */
static int64_t leaf_weight(const struct leaf *l, bool above)
{
	return above ? l->hi : -l->lo;
}

static int64_t outside_end(const struct bounding *b, int q, bool above)
{
	return above ? b->outside[q].hi.c : -b->outside[q].lo.c;
}

static int64_t leaf_end(const struct bounding *b, const struct leaf *l, bool above,
                        const int64_t by[2], const int64_t *end)
{
	struct step s = step_of_leaf(b, l);
	if (!l->from)
		return leaf_weight(l, above);
	int64_t at = end[l->from->equation];
	if (is_step(b, l) && b->bound->far[above][l->from->equation])
		return -NEVER;
	if (is_step(b, l))
		at = larger(at, outside_end(b, l->from->equation, above));
	return at + leaf_weight(l, above) - (s.row ? by[0] : 0) - (s.column ? by[1] : 0);
}

static const struct leaf *own_leaf(const struct bounding *b, int q, bool above, int row, int column)
{
	for (int i = 0; i < b->right[q].n; i++) {
		const struct leaf *l = &b->right[q].at[i];
		struct step s = step_of_leaf(b, l);
		if (l->from && l->from->equation == q && l->sure[above] && s.row == row
		    && s.column == column)
			return l;
	}
	return NULL;
}

/* Note [from the corner] */
static int64_t corner_end(const struct bounding *b, int q, bool above, const int64_t by[2],
                          int64_t end)
{
	const struct leaf *left = own_leaf(b, q, above, 0, -1), *up = own_leaf(b, q, above, -1, 0),
			  *across = own_leaf(b, q, above, -1, -1);
	const struct line *line = above ? &b->corner[q].hi : &b->corner[q].lo;
	int64_t corner = above ? line->c : -line->c;
	if (!b->bound->far[above][q] || !left || !up || !across || !is_number(line)
	    || corner > FAR_OUT)
		return -NEVER;
	int64_t first = corner + leaf_weight(across, above) - by[0] - by[1];
	return larger(first, larger(end + leaf_weight(left, above) - by[1],
	                            end + leaf_weight(up, above) - by[0]));
}

static int64_t right_end(const struct bounding *b, int q, bool above, const int64_t by[2],
                         const int64_t *end)
{
	int64_t most = NEVER, least = -NEVER;
	for (int i = 0; i < b->right[q].n; i++) {
		const struct leaf *l = &b->right[q].at[i];
		int64_t at = leaf_end(b, l, above, by, end);
		most = larger(most, at);
		least = l->sure[above] && at < least ? at : least;
	}
	int64_t way = corner_end(b, q, above, by, end[q]);
	least = way < least ? way : least;
	return least < -NEVER ? least : most;
}

/* false: there is no end */
static bool ends_find(const struct bounding *b, bool above, const int64_t by[2], int64_t *end)
{
	int n = b->node->equation.n;
	bool changed = true;
	for (int q = 0; q < n; q++)
		end[q] = NEVER;
	for (int round = 0; changed && round < 2 * n + 4; round++) {
		changed = false;
		for (int q = 0; q < n; q++) {
			int64_t at = right_end(b, q, above, by, end);
			changed |= at != end[q];
			end[q] = at;
		}
	}
	return !changed;
}

/* The most that a step adds, and what is added at the cell after it. */
static int64_t growth_most(const struct bounding *b, bool above)
{
	int64_t step = 0, here = 0;
	for (int q = 0; q < b->node->equation.n; q++)
		for (int i = 0; i < b->right[q].n; i++) {
			const struct leaf *l = &b->right[q].at[i];
			if (l->from && is_step(b, l))
				step = larger(step, leaf_weight(l, above));
			else if (l->from)
				here += larger(0, leaf_weight(l, above));
		}
	return step + here;
}

/* ---- the bound ---- */

static bool looks_out(const struct bounding *b, int q)
{
	for (int p = 0; p < b->node->equation.n; p++)
		for (int i = 0; i < b->right[p].n; i++)
			if (b->right[p].at[i].from && b->right[p].at[i].from->equation == q
			    && is_step(b, &b->right[p].at[i]))
				return true;
	return false;
}

/* Note [far boundaries] */
static bool far_never_wins(struct bounding *b, int q, bool above)
{
	for (int p = 0; p < b->node->equation.n; p++)
		for (int i = 0; i < b->right[p].n; i++) {
			const struct leaf *l = &b->right[p].at[i];
			if (l->from && l->from->equation == q && is_step(b, l) && !l->sure[above])
				return fail(b, str_print("the boundary of `%s` is far away",
				                         wave_table(b->node, q)->var->name));
		}
	return true;
}

static bool take_boundary(struct bounding *b, int q, bool above)
{
	const struct line *l = above ? &b->outside[q].hi : &b->outside[q].lo;
	if (!looks_out(b, q))
		return true;
	if (is_number(l) && outside_end(b, q, above) > FAR_OUT) {
		b->bound->far[above][q] = true;
		return far_never_wins(b, q, above);
	}
	b->bound->base = larger(b->bound->base, outside_end(b, q, above));
	b->bound->row = larger(b->bound->row, above ? l->rows : -l->rows);
	b->bound->column = larger(b->bound->column, above ? l->columns : -l->columns);
	return true;
}

static bool take_growth(struct bounding *b, bool above, int64_t total[2])
{
	const int64_t most = growth_most(b, above),
		      by[4][2] = { { 0, 0 }, { most, 0 }, { 0, most }, { most, most } };
	int64_t *end = mem_new((size_t)b->node->equation.n * sizeof *end);
	int i = 0;
	while (i < 4 && !ends_find(b, above, by[i], end))
		i++;
	if (i == 4)
		return fail(b, "no bound of its values is found");
	for (int q = 0; q < b->node->equation.n; q++)
		b->bound->base = larger(b->bound->base, end[q]);
	if (b->bound->base > -NEVER / 2)
		return fail(b, "boundaries far away may win");
	total[0] = larger(total[0], by[i][0]);
	total[1] = larger(total[1], by[i][1]);
	return true;
}

static void take_outside(struct bounding *b)
{
	const struct wavefront *w = b->node->wave;
	for (int r = 0; r < w->read.n; r++)
		if (w->read.at[r]->outside) {
			b->outside[w->read.at[r]->equation] = wave_span(b->node, b->bound,
			                                                w->read.at[r]->outside,
			                                                false);
			b->corner[w->read.at[r]->equation] = wave_span(b->node, b->bound,
			                                               w->read.at[r]->outside,
			                                               true);
		}
}

static bool bound_find(struct bounding *b)
{
	int64_t growth[2] = { 0, 0 };
	bool far = false;
	if (!take_apart(b))
		return false;
	take_outside(b);
	for (int q = 0; q < b->node->equation.n; q++)
		for (int above = 0; above < 2; above++)
			if (!take_boundary(b, q, above))
				return false;
			else
				far |= b->bound->far[above][q];
	if (!take_growth(b, false, growth) || !take_growth(b, true, growth))
		return false;
	b->bound->row += growth[0];
	b->bound->column += growth[1];
	b->bound->limit = HALF_MOST - b->bound->slack * (1 + far);
	b->bound->far_value = HALF_MOST - b->bound->slack;
	int64_t first = b->bound->base + b->bound->row + b->bound->column;
	return first <= b->bound->limit
	       || fail(b, str_print("even its first cell may be %lld",
	                            (long long)(first + HALF_MOST - b->bound->limit)));
}

struct wave_bound wave_bound(const struct node *node)
{
	struct wave_bound bound = { .base = 0 };
	size_t n = (size_t)node->equation.n;
	struct bounding b = { .node = node,
		              .bound = &bound,
		              .right = mem_new(n * sizeof *b.right),
		              .outside = mem_new(n * sizeof *b.outside),
		              .corner = mem_new(n * sizeof *b.corner) };
	bound.far[0] = mem_new(n * sizeof **bound.far);
	bound.far[1] = mem_new(n * sizeof **bound.far);
	bound_find(&b);
	return bound;
}
