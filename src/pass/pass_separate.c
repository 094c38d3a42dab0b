/* pass_separate.c - folds a window along several axes along one axis at a time.
 *
 *     stencil y[i, j] = sum[p in -r..r+1, q in -r..r+1](x[i + p, j + q]) boundary clamp;
 *
 * becomes two statements, of 2 (2 r + 1) terms a cell instead of (2 r + 1)^2:
 *
 *     stencil t[i, j] = sum[q in -r..r+1](x[i, j + q]) boundary clamp;
 *     stencil y[i, j] = sum[p in -r..r+1](t[i + p, j]) boundary clamp;
 *
 * Needs: pins; statements as sema leaves them, before fusion.  Leaves: stencils as sema would make
 * them, which the passes after it treat as any other.  pass_separate_fold.c has the law.
 *
 * Shape: along the axis that is folded first t has the cells of the domain, along the other axes of
 * the window all rows of x, so that whatever row `boundary` finds in x it finds in t.  A window
 * along three axes is separated again.
 *
 * Boundaries: clamp, wrap, mirror and reflect replace the subscript of an axis by one inside, each
 * axis by itself, so the two statements read what the one did.  A value is what the array has
 * outside; outside of t it must be what the fold along the first axis gives of it: any value does
 * for min and max, the identity for others, which is 0 for a sum.  `keep` looks at the whole window
 * of a cell, and is left.
 *
 * Rule: a window of MOST_TOGETHER terms or fewer, in registers, costs no more than the temporary
 * does, which is written and read once more: as much as COPY_TERMS terms.  How many terms the call
 * gives is never known to be few.
 *
 * At the end patterns take back windows that were written out and that they compute as folds: now
 * it is known which windows there are, and fusion has not yet put maps into their terms. */
#include <math.h>
#include <string.h>
#include "ask.h"
#include "front.h"
#include "pass_separate.h"
#include "remark.h"

enum {
	FIRST_ID = (1 << 30) + MAX_RANK,     /* of indices: after those of layout_keep.c */
	/* Sums of 7 x 7, 9 x 9, 11 x 11 and 21 x 21 cells of 4096^2 f32 take 0.08, 0.21, 0.28 and
	 * 0.93 ms of an H100, a copy 0.045 ms. */
	MOST_TOGETHER = 49,
	COPY_TERMS = 24
};

/* ---- the shape of the temporary ---- */

static bool is_row(const struct window *w, int first, int index, int *axis)
{
	for (int k = 0; k < w->axes; k++)
		if (k != first && w->axis[k].index == index) {
			*axis = k;
			return true;
		}
	return false;
}

/* Cells of the domain along an index, from 0 on: where it ends, or of the target that it writes. */
static bool extent_along(const struct node *node, int index, struct affine *extent)
{
	const struct expr *cell = target_read(node_target(node, 0));
	if (affine_of(node->hi.at[index], extent) && affine_never_negative(extent))
		return true;
	for (int a = 0; a < cell->arg.n && cell->kind == E_READ; a++)
		if (cell->arg.at[a]->kind == E_VAR
		    && cell->arg.at[a]->var == node->index.at[index]) {
			*extent = cell->var->extent[a];
			return true;
		}
	return false;
}

static bool by_sizes_alone(const struct node *node)
{
	for (int k = 0; k < node->index.n; k++) {
		struct affine end[2], extent;
		if (!affine_of(node->lo.at[k], &end[0]) || !affine_of(node->hi.at[k], &end[1])
		    || !extent_along(node, k, &extent))
			return false;
		for (int e = 0; e < 2; e++)
			for (int t = 0; t < end[e].n; t++)
				if (end[e].term[t].var->kind != VAR_SIZE)
					return false;
	}
	return true;
}

/* The rows that cells of the domain have are those of the array, but for some: none is folded in
 * vain. */
static bool takes_rows(const struct window *w, const struct window_axis *row)
{
	struct affine rows = w->read->var->extent[row->axis], lo, hi;
	int64_t step = row->coef < 0 ? -row->coef : row->coef;
	if (!affine_of(w->node->lo.at[row->index], &lo)
	    || !affine_of(w->node->hi.at[row->index], &hi) || !affine_add(&hi, &lo, -1)
	    || step > MOST_TOGETHER)
		return false;
	if (!rows.n && !hi.n)
		return rows.constant <= 2 * step * hi.constant;
	return affine_add(&rows, &hi, -step) && !rows.n;
}

static const char *no_rows(const struct window *w, int first)
{
	if (!by_sizes_alone(w->node))
		return "the cells that it computes depend on more than sizes";
	for (int k = 0; k < w->axes; k++)
		if (k != first && !takes_rows(w, &w->axis[k]))
			return str_print("its cells may need few of the rows of `%s`",
			                 w->read->var->name);
	return NULL;
}

/* ---- boundaries ---- */

static const struct expr *unconverted(const struct expr *e)
{
	while (e && e->kind == E_CAST)
		e = e->arg.at[0];
	return e;
}

static bool is_identity(const struct window *w, const struct expr *value)
{
	const struct expr *own = unconverted(op_identity(w->fold->fold->op, w->fold->type));
	value = unconverted(value);
	if (!own || own->kind != E_CONST || value->kind != E_CONST)
		return false;
	bool is_float = type_class(value->type) == 'F';
	if (is_float != (type_class(own->type) == 'F'))
		return false;
	return is_float ? value->value.f == own->value.f : value->value.i == own->value.i;
}

/* The fold of terms that are outside, all of that value, is the value. */
static bool folds_to_itself(const struct window *w, int first, const struct expr *value)
{
	return is_identity(w, value)
	       || (op_chooses(w->fold->fold->op) && window_reaches(w, first));
}

struct others { const struct window *w; int index; int n; };

/* Reads along the index, but for cells of arrays that have them. */
static bool count_others(struct expr *e, void *state)
{
	struct others *o = state;
	const struct node *node = o->w->node;
	for (int a = 0; e->kind == E_READ && a < e->arg.n; a++) {
		struct shift s;
		if (!access_shift(node, e->arg.at[a], &s) || s.k != o->index)
			continue;
		bool own = s.coef == 1 && !s.rest.n && !s.rest.constant
		           && affine_spans(node->lo.at[s.k], node->hi.at[s.k], &e->var->extent[a]);
		o->n += !own;
	}
	return true;
}

/* The value is one for all that is read there: of the temporary, and of other arrays. */
static bool one_type(const struct window *w, int first, int index)
{
	struct others all = { w, index, 0 }, own = all;
	if (window_type(w, first) == w->read->type)
		return true;
	for (int q = 0; q < w->node->equation.n; q++)
		expr_walk(w->node->equation.at[q]->right, count_others, &all);
	expr_walk(w->e, count_others, &own);
	return all.n == own.n;
}

static bool one_for_cells(const struct node *node, const struct expr *value)
{
	return !expr_uses_cell(node, value) && !expr_has(value, E_READ) && !expr_checked(value);
}

/* All values are one that all cells share. */
static bool one_value(const struct node *node)
{
	const struct expr *value = NULL;
	for (int k = 0; k < node->index.n; k++) {
		if (node->edge[k].kind != B_VALUE)
			continue;
		if (!one_for_cells(node, node->edge[k].value)
		    || (value && !expr_same(value, node->edge[k].value)))
			return false;
		value = node->edge[k].value;
	}
	return true;
}

static const char *no_edges(const struct window *w, int first)
{
	const struct node *node = w->node;
	if (node_keeps(node))
		return "`boundary keep` depends on the whole window of a cell";
	if (!one_value(node))
		return "the cells outside differ";
	for (int k = 0; k < w->axes; k++) {
		const struct edge *edge = &node->edge[w->axis[k].index];
		if (k == first || edge->kind != B_VALUE)
			continue;
		if (!window_bare(w, first) || !folds_to_itself(w, first, edge->value))
			return str_print("`%s` of cells outside is not the value that they have",
			                 fold_name(w->fold->fold));
		if (!one_type(w, first, w->axis[k].index))
			return "the value outside would have two types";
	}
	return NULL;
}

/* ---- what pays ---- */

/* Cells of the temporary for each of the domain. */
static double rows_a_cell(const struct window *w, int first)
{
	double rows = 1;
	for (int k = 0; k < w->axes; k++)
		rows *= k == first ? 1 : fabs((double)w->axis[k].coef);
	return rows;
}

/* Terms a cell, the copy of a cell counted as some. */
static double cost(const struct window *w, int first)
{
	double own = window_terms(w, first, false), rest = window_terms(w, first, true);
	if (own < 0 || rest < 0)
		return rows_a_cell(w, first);        /* the call says how many: the fewest rows */
	return rows_a_cell(w, first) * (own + COPY_TERMS) + rest;
}

static bool pays(const struct window *w, int first)
{
	double own = window_terms(w, first, false), rest = window_terms(w, first, true);
	if (own == 1 || rest == 1)
		return false;
	return own < 0 || rest < 0
	       || (own * rest > MOST_TOGETHER && cost(w, first) < own * rest);
}

/* ---- the two statements ---- */

static struct var *index_like(const struct var *v, int k)
{
	struct var *made = NEW(struct var);
	*made = *v;
	made->id = FIRST_ID + k;
	return made;
}

/* The domain's index k of the new statement, which is an axis of the temporary. */
static void add_axis(struct node *made, struct var *t, const struct window *w, int first, int k)
{
	const struct node *node = w->node;
	int n = made->index.n, row;
	bool is_a_row = is_row(w, first, k, &row);
	if (is_a_row)
		t->extent[n] = w->read->var->extent[w->axis[row].axis];
	else
		extent_along(node, k, &t->extent[n]);
	t->rank = n + 1;
	struct expr *end = extent_expr(&t->extent[n], node->at);
	bool all = is_a_row || node->edge[k].kind != B_NONE;
	list_add(&made->index, index_like(node->index.at[k], k));
	list_add(&made->lo, all ? expr_int(type_scalar(T_I64), 0, node->at) : node->lo.at[k]);
	list_add(&made->hi, all ? end : node->hi.at[k]);
	if (!is_a_row)
		made->edge[n] = node->edge[k];
	made->whole &= affine_spans(made->lo.at[n], made->hi.at[n], &t->extent[n]);
}

static struct var *temporary(const struct window *w, int first, const struct insertion *b)
{
	const struct node *node = w->node;
	struct var *t = NEW(struct var);
	const char *along = node->index.at[w->axis[first].index]->name;
	*t = (struct var){ .kind = VAR_LET,
		           .name = str_name(str_print("%s_along_%s", w->read->var->name, along)),
		           .id = FIRST_ID + MAX_RANK + b->entry->let.n,
		           .at = node->at,
		           .type = window_type(w, first),
		           .mode = MODE_INOUT,
		           .scope = b->repeat };
	return t;
}

static const char *name_along(const struct window *w, int first, const struct insertion *b)
{
	const struct node *node = w->node;
	return insertion_name(b, str_print("%s_along_%s", node->name,
	                                   node->index.at[w->axis[first].index]->name));
}

struct parts { struct node *node; struct var *cell; struct expr *rest; };

/* The statement of the first axis, and what is left of the fold. */
static struct parts parts_of(const struct window *w, int first, const struct insertion *b)
{
	const struct node *node = w->node;
	struct node *made = NEW(struct node);
	struct var *t = temporary(w, first, b), *from[MAX_RANK];
	struct expr *to[MAX_RANK], *row[MAX_RANK], *own[MAX_RANK], *sub[MAX_RANK];
	struct equation *eq = NEW(struct equation);
	*made = (struct node){ .kind = NODE_PATTERN,
		               .at = node->at,
		               .premise = node->premise,
		               .name = name_along(w, first, b),
		               .pattern = node->pattern,
		               .whole = true };
	for (int k = 0; k < w->axes; k++)
		row[k] = expr_var(node->index.at[w->axis[k].index], node->at);
	struct expr *right = window_first(w, first, row);
	for (int k = 0, axis; k < node->index.n; k++) {
		if (!is_row(w, first, k, &axis) && !expr_uses(right, node->index.at[k]))
			continue;
		int n = made->index.n;
		add_axis(made, t, w, first, k);
		from[n] = node->index.at[k];
		own[n] = to[n] = expr_var(made->index.at[n], node->at);
		sub[n] = is_row(w, first, k, &axis) ? w->read->arg.at[w->axis[axis].axis]
		                                    : expr_var(node->index.at[k], node->at);
	}
	eq->at = node->at;
	list_add(&eq->target, expr_read(t, own, node->at));
	eq->right = expr_as(expr_substitute(right, from, to, made->index.n), t->type);
	list_add(&made->equation, eq);
	pins_inherit(made, node);
	return (struct parts){ made, t, window_rest(w, first, expr_read(t, sub, node->at)) };
}

static bool is_proved(struct node *made)
{
	diag_quiet(true);
	bool inside = affine_check_bounds(made);
	diag_quiet(false);
	return inside && !node_checked(made);
}

static void put(struct node *node, const struct window *w, int first, const struct parts *p)
{
	for (int k = 0; k < w->axes; k++) {
		struct edge *edge = &node->edge[w->axis[k].index];
		if (k != first && edge->kind == B_VALUE)
			edge->value = expr_as(edge->value, p->cell->type);
	}
	for (int q = 0; q < node->equation.n; q++) {
		struct equation *eq = node->equation.at[q];
		eq->right = expr_exchange(eq->right, w->e, p->rest);
	}
}

/* ---- the decision ---- */

static const char *no_statement(const struct node *node)
{
	if (node->where)
		return "`where` may exclude most of its cells";
	if ((node->pinned[PIN_STAGE].at.line && node->pin.stage != STAGE_RUNS)
	    || node->pinned[PIN_TILE].at.line)
		return "its stage or tile is pinned, for the whole window";
	return NULL;
}

static const char *no_axis(const struct window *w, int first)
{
	const char *why = window_no_first(w, first);
	why = why ? why : no_edges(w, first);
	return why ? why : no_rows(w, first);
}

/* The axis of least cost, of equals the last: its cells lie side by side. */
static int best_axis(const struct window *w, const char **why)
{
	int best = -1;
	for (int k = w->axes - 1; k >= 0; k--) {
		const char *no = no_axis(w, k);
		*why = *why ? *why : no;
		if (!no && (best < 0 || cost(w, k) < cost(w, best)))
			best = k;
	}
	return best;
}

static void told(struct node *node, const struct window *w, int first, const struct parts *p)
{
	double own = window_terms(w, first, false), rest = window_terms(w, first, true);
	const char *along = w->node->index.at[w->axis[first].index]->name;
	const char *pinned = node->pin.separate ? ", as pinned" : "";
	if (own < 0 || rest < 0)
		remark_did(node, PASS_SEPARATE, EFFICIENCY,
		           "the terms along `%s` are folded first, into `%s`: lengths are added, "
		           "not multiplied%s", along, p->cell->name, pinned);
	else
		remark_did(node, PASS_SEPARATE, EFFICIENCY,
		           "%s terms a cell instead of %s: those along `%s` are folded first, into "
		           "`%s`%s", remark_number(rows_a_cell(w, first) * own + rest),
		           remark_number(own * rest), along, p->cell->name, pinned);
}

static const char *few(const struct window *w, int first)
{
	double own = window_terms(w, first, false), rest = window_terms(w, first, true);
	if (own < 0 || rest < 0)
		return "along all axes but one it has a single term";
	return str_print("%s terms a cell take no longer than a temporary",
	                 remark_number(own * rest));
}

/* Why not; NULL: it is done. */
static const char *separate(struct node *node, struct window *w, struct insertion *b)
{
	const char *why = no_statement(node);
	int first = why ? -1 : best_axis(w, &why);
	if (node->pin.separate < 0)
		return "pinned";
	if (!node->pin.separate && !pass_enabled(b->o, "separate"))
		return "--no-pass=separate";
	if (first < 0)
		return why;
	w->small = node->pin.separate <= 0 && !pays(w, first);
	if (w->small)
		return few(w, first);
	struct parts p = parts_of(w, first, b);
	if (!is_proved(p.node))
		return "a row that no cell needs might be read out of bounds";
	put(node, w, first, &p);
	told(node, w, first, &p);
	list_add(&b->entry->let, p.cell);
	list_add(&b->made, p.node);
	node->choice.separate = 1;
	return NULL;
}

/* ---- the windows of a statement ---- */

struct looked { LIST(const struct expr *) at; };     /* windows that stay */

static bool is_looked(const struct looked *l, const struct expr *e)
{
	for (int k = 0; k < l->at.n; k++)
		if (l->at.at[k] == e)
			return true;
	return false;
}

/* The first window that is not looked at yet.  What is inside a fold has its index, too. */
static bool find_window(const struct node *node, struct expr *e, const struct looked *l,
                        struct window *w, const char **why)
{
	if (is_looked(l, e))
		return false;
	if (window_of_axes(node, e, w, why))
		return true;
	for (int a = 0; e->kind != E_FOLD && !e->written && a < e->arg.n; a++)
		if (find_window(node, e->arg.at[a], l, w, why))
			return true;
	return false;
}

static bool next_window(const struct node *node, const struct looked *l, struct window *w,
                        const char **why)
{
	for (int q = 0; q < node->equation.n; q++)
		if (find_window(node, node->equation.at[q]->right, l, w, why))
			return true;
	return false;
}

static void refuse(struct node *node, const char *why, bool any)
{
	if (!any && node->pin.separate)
		pin_unfit(node, PIN_SEPARATE, "`%s` has no window along several axes", node->name);
	else if (node->pin.separate > 0 && !node->choice.separate)
		pin_unfit(node, PIN_SEPARATE, "the window of `%s` is not separable: %s", node->name,
		          why);
}

static void separate_node(struct node *node, struct insertion *b)
{
	struct looked looked = { 0 };
	struct window w;
	const char *why = NULL, *last = NULL;
	bool any = false, windows = node->pattern->write_out;
	node->choice.separate = 0;
	while (windows && next_window(node, &looked, &w, &why)) {
		any = true;
		why = why ? why : separate(node, &w, b);
		if (!why)
			continue;
		list_add(&looked.at, w.e);
		if (!last || strcmp(last, why) != 0)
			(w.small ? remark_none : remark_not)(node, PASS_SEPARATE, "%s", why);
		last = why;
		why = NULL;
	}
	refuse(node, last, any);
}

static void fold_back(struct node *node, const struct options *o)
{
	if (node->pattern->fold_back)
		node->pattern->fold_back(node, o);
}

void pass_separate(struct entry *entry, const struct options *o)
{
	pass_insert(entry, separate_node, o);
	pass_each(entry, fold_back, o);
}
