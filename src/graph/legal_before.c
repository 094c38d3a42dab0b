/* legal_before.c - reads of a wavefront's own tables that are no neighbours (wavefront.h): in
 * folds, t[i, k] with k in i..j, or at indices that are not the cell's plus a constant, a[j, j].
 *
 * The order must have reached the place before the cell: for all sizes, indices and terms of the
 * fold, with the conditions around the read, the place comes first in the order.  isl looks for a
 * term whose place does not.  Tiles by anti-diagonals need more: no such place may be in a later
 * row or a later column than the cell, unless an axis before these two, along which the host runs
 * a loop, has it earlier.  The cell itself may be read by an equation after the one that computes
 * it.
 *
 * An `out` table has no values but those that the statement writes: there the place must be one of
 * its domain, too.
 *
 * Where data decide the place along one index, x[col[e]], the run tests that it is before the cell
 * (wave_places.c), and an `out` table must be written whole. */
#include "ask.h"
#include "legal.h"
#include "ragged.h"
#include "wavefront.h"

struct far_walk {
	const struct var *const *fresh;            /* tables without values before the statement */
	int tables, equation;
	bool fine;
};

struct far_read {                        /* a question to isl */
	struct poly *p;
	struct node *node;
	const struct expr *read, *cell;      /* the cell of its table */
	isl_set *at;                         /* all terms in which it is read */
	bool own;                            /* the cell itself may be read */
};

static const struct expr *wave_cell_of(const struct node *node, int q)
{
	return target_read(node->equation.at[q]->target.at[0]);
}

int wave_data_axis(const struct node *node, const struct expr *read, int q)
{
	const struct expr *cell = wave_cell_of(node, q);
	int found = -1;
	for (int d = 0; d < read->arg.n; d++) {
		bool data = has_data(read->arg.at[d]);
		if (data ? found >= 0
		         : read->affine[d].n < 0
		                   || !affine_equal(&read->affine[d], &cell->affine[d]))
			return -1;
		found = data ? d : found;
	}
	return found;
}

/* ---- sets of terms ---- */

static isl_pw_aff *value_along(const struct far_read *f, const struct expr *cell, int d)
{
	return poly_value(f->p, cell->arg.at[d]);
}

static bool is_expressible(const struct far_read *f)
{
	for (int d = 0; d < f->read->arg.n; d++) {
		isl_pw_aff *at = value_along(f, f->read, d);
		if (!at)
			return false;
		isl_pw_aff_free(at);
	}
	return true;
}

/* Where the place is later than the cell along axis d of the order. */
static isl_set *later(const struct far_read *f, int d)
{
	isl_pw_aff *place = value_along(f, f->read, d), *cell = value_along(f, f->cell, d);
	return f->node->wave->back[f->node->wave->order[d]] ? isl_pw_aff_lt_set(place, cell)
	                                                    : isl_pw_aff_gt_set(place, cell);
}

static isl_set *same(const struct far_read *f, int d)
{
	return isl_pw_aff_eq_set(value_along(f, f->read, d), value_along(f, f->cell, d));
}

/* Where the place is not before the cell: in the order, or along rows and columns each. */
static isl_set *not_before(const struct far_read *f, bool along_both)
{
	int n = f->node->index.n;
	isl_set *bad = poly_empty(f->p), *level = poly_universe(f->p);
	for (int d = 0; d < n; d++) {
		isl_set *more = isl_set_intersect(isl_set_copy(level), later(f, d));
		bad = isl_set_union(bad, more);
		if (!along_both || d < n - 2)
			level = isl_set_intersect(level, same(f, d));
	}
	for (int d = n > 1 ? n - 2 : 0; along_both && d < n; d++)
		level = isl_set_intersect(level, same(f, d));
	if (f->own)
		isl_set_free(level);
	else
		bad = isl_set_union(bad, level);
	return isl_set_intersect(bad, isl_set_copy(f->at));
}

/* An expression of the node where its cell is the place that is read. */
static struct expr *there(const struct far_read *f, const struct expr *e)
{
	struct expr *at[MAX_RANK];
	for (int d = 0; d < f->cell->arg.n; d++) {
		const struct expr *sub = f->read->arg.at[d];
		int64_t shift = f->cell->affine[d].constant;
		at[f->node->wave->order[d]] =
			shift ? expr_binary(OP_SUB, (struct expr *)sub,
		                            expr_int(sub->type, shift, sub->at))
			      : (struct expr *)sub;
	}
	return expr_substitute(e, f->node->index.at, at, f->node->index.n);
}

/* Where index k of the place is not in its range, or that cannot be expressed. */
static isl_set *beside_range(const struct far_read *f, int k)
{
	struct expr *index = expr_var(f->node->index.at[k], f->read->at);
	isl_pw_aff *at = poly_value(f->p, there(f, index)),
		   *lo = poly_value(f->p, there(f, f->node->lo.at[k])),
		   *hi = poly_value(f->p, there(f, f->node->hi.at[k]));
	if (at && lo && hi)
		return isl_set_complement(poly_inside(at, lo, hi));
	isl_pw_aff_free(at);
	isl_pw_aff_free(lo);
	isl_pw_aff_free(hi);
	return poly_universe(f->p);
}

/* Where the place is not one that the statement writes. */
static isl_set *left_out(const struct far_read *f)
{
	const struct node *node = f->node;
	isl_set *out = poly_empty(f->p);
	for (int k = 0; k < node->index.n; k++)
		out = isl_set_union(out, beside_range(f, k));
	if (node->where)
		out = isl_set_union(out, poly_condition(f->p, there(f, node->where), false));
	return isl_set_intersect(out, isl_set_copy(f->at));
}

/* ---- the report ---- */

static bool show_index(const struct seen *s, const void *data)
{
	(void)data;
	return s->var->kind == VAR_INDEX;
}

/* Which term shows it; takes the set. */
static void note_term(const struct far_read *f, isl_set *bad)
{
	struct witness w;
	if (!poly_witness(f->p, bad, &w))
		return;
	char *given = witness_values(&w, show_given, NULL);
	diag_note(f->read->at, "%s%s%s%s", *given ? "with " : "", given, *given ? ": " : "",
	          witness_values(&w, show_index, NULL));
	isl_set_free(w.point);
}

static bool no_order(const struct far_read *f)
{
	diag_error(f->read->at, D_WAVEFRONT, "this reads %s, which may not be computed before %s",
	           expr_text(f->read), expr_text(f->cell));
	return false;
}

static void order_cure(void)
{
	diag_cure("bound the index of the fold by those of the cell, `sum[k in 0..j](A[i, k])`; "
	          "`from below` and `from right` reverse the order");
}

static bool no_tiles(const struct far_read *f)
{
	diag_error(f->read->at, D_FORM_NOT_BUILT,
	           "this reads %s, which may be in a later row or column than %s: such an order is "
	           "not supported yet",
	           expr_text(f->read), expr_text(f->cell));
	return false;
}

static bool no_value(const struct far_read *f)
{
	diag_error(f->read->at, D_OUT_READ,
	           "this reads %s, which the statement may not write, and `%s` is `out`, so it has "
	           "no value",
	           expr_text(f->read), f->read->var->name);
	return false;
}

/* ---- the proof ---- */

/* Is no term in the set?  Takes it; else says so. */
static bool is_none(const struct far_read *f, isl_set *bad, bool (*say)(const struct far_read *))
{
	bad = isl_set_intersect(bad, poly_facts(f->p));
	isl_bool none = isl_set_is_empty(bad);
	if (none != isl_bool_false) {
		isl_set_free(bad);
		return none == isl_bool_true;
	}
	say(f);
	note_term(f, bad);
	if (say == no_order)
		order_cure();
	else if (say == no_value)
		diag_cure("declare `inout %s` if the caller passes its values, or write all cells",
		          f->read->var->name);
	return false;
}

static bool is_fresh(const struct far_walk *w, const struct var *table)
{
	for (int k = 0; k < w->tables; k++)
		if (w->fresh[k] == table)
			return true;
	return false;
}

static void note_axes(const struct far_read *f)
{
	isl_set *own = isl_set_copy(f->at);
	for (int d = 0; d < f->node->index.n; d++)
		own = isl_set_intersect(own, same(f, d));
	f->node->wave->far_own |= isl_set_is_empty(own) != isl_bool_true;
	isl_set_free(own);
	for (int d = 0; d < f->node->index.n; d++) {
		isl_set *other = isl_set_subtract(isl_set_copy(f->at), same(f, d));
		if (isl_set_is_empty(other) != isl_bool_true)
			f->node->wave->far_along[f->node->wave->order[d]] = true;
		isl_set_free(other);
	}
}

static bool is_before(const struct far_read *f, const struct far_walk *w)
{
	if (!is_expressible(f)) {
		no_order(f);
		order_cure();
		return false;
	}
	if (!is_none(f, not_before(f, false), no_order)
	    || !is_none(f, not_before(f, true), no_tiles)
	    || (is_fresh(w, f->read->var) && !is_none(f, left_out(f), no_value)))
		return false;
	note_axes(f);
	return true;
}

bool wave_covers(const struct node *node, int q, int k)
{
	const struct expr *cell = wave_cell_of(node, q);
	int d = 0;
	while (!expr_uses(cell->arg.at[d], node->index.at[k]))
		d++;
	return !cell->affine[d].constant
	       && affine_spans(node->lo.at[k], node->hi.at[k], &cell->var->extent[d]);
}

/* Does the statement write every cell of the table? */
static bool covers_all(const struct node *node, int q)
{
	for (int d = 0; d < wave_cell_of(node, q)->arg.n; d++)
		if (!wave_covers(node, q, node->wave->order[d]))
			return false;
	return !node->where;
}

static bool by_data(const struct far_walk *walk, struct node *node, const struct expr *read, int q)
{
	node->wave->far_along[node->wave->data_index] = true;
	if (!is_fresh(walk, read->var) || covers_all(node, q))
		return true;
	diag_error(read->at, D_OUT_READ,
	           "this may read cells of `%s` that the statement does not write, and `%s` is "
	           "`out`, so they have no value",
	           read->var->name, read->var->name);
	diag_cure("declare `inout %s` if the caller passes its values, or write all cells",
	          read->var->name);
	return false;
}

static bool prove(struct walk *w, struct expr *read, const struct scope *scope, int q)
{
	struct far_walk *walk = w->data;
	if (wave_data_axis(w->node, read, q) >= 0)
		return by_data(walk, w->node, read, q);
	struct far_read f = { .p = poly_new(w->node),
		              .node = w->node,
		              .read = read,
		              .cell = wave_cell_of(w->node, q),
		              .own = q < walk->equation };
	f.at = poly_scope(f.p, scope);
	bool fine = is_before(&f, walk);
	isl_set_free(f.at);
	return !over_report(f.p, read->at,
	                    str_print("whether %s is before the cell", expr_text(read)))
	       && fine;
}

/* The equation of a table, or -1. */
static int table_of(const struct node *node, const struct expr *e)
{
	for (int q = 0; e->kind == E_READ && q < node->equation.n; q++)
		if (wave_cell_of(node, q)->var == e->var)
			return q;
	return -1;
}

static void far_visit(struct walk *w, struct expr *e, const struct scope *scope)
{
	struct far_walk *walk = w->data;
	int q = table_of(w->node, e);
	if (q >= 0 && w->writing)
		walk->equation = q;
	else if (q >= 0 && walk->fine)
		walk->fine = prove(w, e, scope, q);
}

bool affine_check_order(struct node *node, const struct var *const *fresh, int n)
{
	struct far_walk far = { .fresh = fresh, .tables = n, .fine = true };
	struct walk w = { .node = node, .visit = far_visit, .data = &far };
	if (node->wave->far)
		walk_node(&w);
	return far.fine;
}
