/* pass_separate_fold.c - windows as pass_separate.c sees them: op[p, q](term), where the term reads
 * x[i + p, j + q].
 *
 * Law: where p moves along one axis of x alone and q along another, and no range depends on the
 * other index, op[p, q](f(x[i + p, j + q])) is op[p](op[q](f(x[i + p, j + q]))), if op is
 * associative and commutative.  The inner fold depends on i and p through the row i + p alone, so
 * it is the cell t[i + p, j] of a temporary.  A sum has factors, too: of
 *
 *     sum[p, q](w[p] * v[q] * x[i + p, j + q])
 *
 * w[p] is the same for all terms of the inner sum, and is multiplied with t[i + p, j] instead.
 * Integers wrap, so that this changes no bit; of floats it changes how they are rounded, as another
 * order of their terms does (R13).
 *
 * A fold in a fold, sum[p](sum[q](...)), is a fold of both indices.  Of one that was written out as
 * its terms the fold is kept as it was written. */
#include <assert.h>
#include "ask.h"
#include "pass_separate.h"

static const struct expr *fold_as_written(const struct expr *e)
{
	return e->kind == E_FOLD ? e : e->written;
}

/* ---- the indices, and the factors of the term ---- */

static bool is_sum(const struct window *w)
{
	return w->fold->fold->op->kind == OPK_SUM;
}

/* A fold of the same operator, whose indices the window takes. */
static const struct expr *inner_fold(const struct window *w, const struct expr *e)
{
	const struct expr *fold = fold_as_written(e);
	bool same = fold && expr_folds(fold) && fold->fold->op == w->fold->fold->op
	            && fold->type == w->fold->type && fold->arg.at[0]->type == fold->type;
	return same && !fold->fold->where && !fold->fold->cut ? fold : NULL;
}

static void take_fold(struct window *, const struct expr *fold);

static void take_factor(struct window *w, struct expr *e)
{
	const struct expr *inner = inner_fold(w, e);
	if (inner) {
		w->nested = true;
		take_fold(w, inner);
	} else if (is_sum(w) && e->kind == E_BINARY && e->op == OP_MUL) {
		take_factor(w, e->arg.at[0]);
		take_factor(w, e->arg.at[1]);
	} else {
		list_add(&w->factor, e);
	}
}

static void take_fold(struct window *w, const struct expr *e)
{
	for (int k = 0; k < e->fold->index.n; k++) {
		list_add(&w->index, e->fold->index.at[k]);
		list_add(&w->lo, e->fold->lo.at[k]);
		list_add(&w->hi, e->fold->hi.at[k]);
	}
	take_factor(w, e->arg.at[0]);
}

/* ---- the axes ---- */

static uint64_t indices_in(const struct window *w, const struct expr *e)
{
	uint64_t mask = 0;
	for (int k = 0; k < w->index.n; k++)
		mask |= (uint64_t)expr_uses(e, w->index.at[k]) << k;
	return mask;
}

static int64_t terms_of(const struct window *w, uint64_t folds)
{
	int64_t terms = 1;
	for (int k = 0; k < w->index.n; k++) {
		int64_t n = affine_cells(w->lo.at[k], w->hi.at[k]);
		if (folds >> k & 1 && (n < 0 || __builtin_mul_overflow(terms, n, &terms)))
			return -1;
	}
	return terms;
}

/* Along which axes of what it reads the window moves with the cell. */
static void find_axes(struct window *w, const struct expr *read)
{
	w->axes = 0;
	for (int a = 0; a < read->arg.n; a++) {
		uint64_t folds = indices_in(w, read->arg.at[a]);
		struct shift s;
		if (folds && access_shift(w->node, read->arg.at[a], &s))
			w->axis[w->axes++] = (struct window_axis){ a, s.k, s.coef, folds,
				                                   terms_of(w, folds) };
	}
}

static bool find_read(struct expr *e, void *state)
{
	struct window *w = state;
	if (e->kind != E_READ || w->axes > 1)
		return w->axes <= 1;
	find_axes(w, e);
	w->read = e;
	return w->axes <= 1;
}

/* Each index moves along one axis. */
static bool axes_apart(const struct window *w)
{
	uint64_t all = 0;
	for (int k = 0; k < w->axes; k++) {
		if (all & w->axis[k].folds)
			return false;
		all |= w->axis[k].folds;
	}
	return all == (UINT64_C(2) << (w->index.n - 1)) - 1;
}

static bool ranges_apart(const struct window *w)
{
	for (int k = 0; k < w->index.n; k++)
		if (indices_in(w, w->lo.at[k]) || indices_in(w, w->hi.at[k]))
			return false;
	return true;
}

/* ---- the law ---- */

const char *fold_no_parts(const struct expr *fold)
{
	const struct op *op = fold->fold->op;
	if (op_is_arg(op) || op->kind == OPK_COUNT)
		return str_print("`%s` folds other values than it gives", op->name);
	return !op->associative || fold_in_order(fold) ? "its terms are folded in order" : NULL;
}

static const char *no_law(const struct window *w)
{
	const struct op *op = w->fold->fold->op;
	const char *why = fold_no_parts(w->fold);
	if (why || op->commutative)
		return why;
	return str_print("`%s` is not claimed to be commutative", op->name);
}

bool window_of_axes(const struct node *node, struct expr *e, struct window *w, const char **why)
{
	const struct expr *fold = fold_as_written(e);
	*w = (struct window){ .node = node, .e = e, .fold = fold };
	if (!fold || !expr_folds(fold) || fold->fold->running)
		return false;
	take_fold(w, fold);
	for (int f = 0; f < w->factor.n && w->axes < 2; f++)
		expr_walk(w->factor.at[f], find_read, w);
	if (w->axes < 2 || w->index.n > 63)
		return false;
	*why = fold->fold->where || fold->fold->cut ? "terms are masked" : no_law(w);
	if (!*why && (!axes_apart(w) || !ranges_apart(w)))
		*why = "an index occurs in subscripts of several axes, or of none";
	if (!*why && (expr_guarded(e) || expr_checked(e)))
		*why = "only a condition keeps its reads in bounds";
	return true;
}

/* ---- which parts belong to the first axis ---- */

static const struct window_axis *row_of(const struct window *w, int first, const struct expr *e,
                                        int sub)
{
	for (int k = 0; e->kind == E_READ && e->var == w->read->var && k < w->axes; k++)
		if (k != first && w->axis[k].axis == sub && e->affine[sub].n >= 0
		    && affine_equal(&e->affine[sub], &w->read->affine[sub]))
			return &w->axis[k];
	return NULL;
}

/* An index of another axis: of the domain or of the window. */
static bool is_other(const struct window *w, int first, const struct var *v)
{
	for (int k = 0; k < w->axes; k++) {
		if (k == first)
			continue;
		if (v == w->node->index.at[w->axis[k].index])
			return true;
		for (int i = 0; i < w->index.n; i++)
			if (v == w->index.at[i] && w->axis[k].folds >> i & 1)
				return true;
	}
	return false;
}

/* It is the same wherever the same row of the array is read. */
static bool by_rows(const struct window *w, int first, const struct expr *e)
{
	if (e->fold || (e->kind == E_VAR && is_other(w, first, e->var)))
		return false;
	for (int a = 0; a < e->arg.n; a++)
		if (!row_of(w, first, e, a) && !by_rows(w, first, e->arg.at[a]))
			return false;
	return true;
}

static bool in_first(const struct window *w, int first, const struct expr *factor)
{
	return indices_in(w, factor) & w->axis[first].folds;
}

static bool reads_rows(const struct window *w, int first, const struct expr *e)
{
	for (int a = 0; a < e->arg.n; a++)
		if (row_of(w, first, e, a) || reads_rows(w, first, e->arg.at[a]))
			return true;
	return false;
}

const char *window_no_first(const struct window *w, int first)
{
	for (int f = 0; f < w->factor.n; f++)
		if (in_first(w, first, w->factor.at[f]) && !by_rows(w, first, w->factor.at[f]))
			return is_sum(w)
			               ? "its terms are not products with one factor for each axis"
			               : "its terms depend on the indices of several axes, apart "
			                 "from their reads";
	return NULL;
}

double window_terms(const struct window *w, int first, bool others)
{
	double terms = 1;
	for (int k = 0; k < w->axes; k++)
		if ((k == first) != others) {
			if (w->axis[k].terms < 0)
				return -1;
			terms *= (double)w->axis[k].terms;
		}
	return terms;
}

bool window_reaches(const struct window *w, int first)
{
	if (w->axis[first].terms >= 0)
		return w->axis[first].terms > 0;
	return !w->nested && w->e->kind == E_FOLD && affine_nonempty(w->node, w->fold->fold);
}

bool window_bare(const struct window *w, int first)
{
	for (int f = 0; f < w->factor.n; f++)
		if (reads_rows(w, first, w->factor.at[f])
		    && expr_unwidened(w->factor.at[f])->kind != E_READ)
			return false;
	return true;
}

const struct type *window_type(const struct window *w, int first)
{
	bool held = op_chooses(w->fold->fold->op) && window_bare(w, first)
	            && window_reaches(w, first);
	return held ? w->read->type : w->fold->type;
}

/* ---- the two folds ---- */

static struct expr *with_rows(const struct window *w, int first, struct expr *e,
                              struct expr *const *row)
{
	struct expr *sub[MAX_RANK], *copy;
	if (!reads_rows(w, first, e))
		return e;
	if (e->kind == E_READ) {
		for (int a = 0; a < e->arg.n; a++) {
			const struct window_axis *other = row_of(w, first, e, a);
			sub[a] = other ? row[other - w->axis]
			               : with_rows(w, first, e->arg.at[a], row);
		}
		return expr_read(e->var, sub, e->at);
	}
	copy = expr_bare(e);
	for (int a = 0; a < e->arg.n; a++)
		list_add(&copy->arg, with_rows(w, first, e->arg.at[a], row));
	return copy;
}

static struct expr *times(struct expr *product, struct expr *factor)
{
	return product ? expr_binary(OP_MUL, product, factor) : factor;
}

static struct expr *fold_along(const struct window *w, uint64_t folds, struct expr *term)
{
	struct expr *e = expr_new(E_FOLD, w->fold->type, w->fold->at);
	e->fold = NEW(struct fold);
	e->fold->op = w->fold->fold->op;
	for (int k = 0; k < w->index.n; k++) {
		if (!(folds >> k & 1))
			continue;
		list_add(&e->fold->index, w->index.at[k]);
		list_add(&e->fold->lo, w->lo.at[k]);
		list_add(&e->fold->hi, w->hi.at[k]);
	}
	list_add(&e->arg, term);
	return w->node->pattern->write_out(e, w->fold->fold->strict);
}

struct expr *window_first(const struct window *w, int first, struct expr *const *row)
{
	struct expr *term = NULL;
	for (int f = 0; f < w->factor.n; f++)
		if (in_first(w, first, w->factor.at[f]))
			term = times(term, with_rows(w, first, w->factor.at[f], row));
	return fold_along(w, w->axis[first].folds, term);
}

/* min and max of floats that all are NaN give the identity, unless they were written out. */
static struct expr *from_identity(const struct window *w, struct expr *e)
{
	const struct op *op = w->fold->fold->op;
	bool ignores = op->kind == OPK_MIN || op->kind == OPK_MAX;
	if (!ignores || type_class(e->type) != 'F' || w->e->kind != E_FOLD || e->kind == E_FOLD)
		return e;
	return op_apply(op, op_identity(op, e->type), e);
}

struct expr *window_rest(const struct window *w, int first, struct expr *cell)
{
	uint64_t folds = 0;
	struct expr *term = NULL;
	for (int k = 0; k < w->axes; k++)
		folds |= k == first ? 0 : w->axis[k].folds;
	for (int f = 0; f < w->factor.n; f++)
		if (!in_first(w, first, w->factor.at[f]))
			term = times(term, w->factor.at[f]);
	return from_identity(w, fold_along(w, folds, times(term, expr_as(cell, w->fold->type))));
}
