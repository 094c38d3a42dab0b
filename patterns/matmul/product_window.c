/* product_window.c - a product whose terms have several indices: the channels, and places of a
 * window that slides over the left operand.  A convolution is one:
 *
 *     stencil y[n, p, q, k] = sum[c, r, s](x[n, p+r-1, q+s-1, c] * f[k, r, s, c]) boundary (0);
 *
 * All indices of the result that only the left operand uses (n, p, q) are numbered together: rows.
 * Those of the right operand (k) are columns, and those of both count products (groups).
 *
 * Such operands are read in one of two ways.  In general a thread loads a cell at a time: it finds
 * the indices of the fold from the term's number, and the reader of cells answers what lies
 * outside.  Where
 * the channels of a sum of products lie one after another (sliding_walks), they are copied:
 * product_slide.c. */
#include "../cells.h"
#include "tiled.h"

/* ---- which indices count what ---- */

static bool uses_fold(const struct expr *e, const struct fold *fold)
{
	for (int k = 0; k < fold->index.n; k++)
		if (expr_uses(e, fold->index.at[k]))
			return true;
	return false;
}

/* Does a subscript move with a cell and with the window? */
static bool slides_not(struct expr *e, void *product)
{
	const struct product *p = product;
	for (int a = 0; e->kind == E_READ && a < e->arg.n; a++)
		for (int d = 0; d < p->node->index.n; d++)
			if (expr_uses(e->arg.at[a], p->node->index.at[d])
			    && uses_fold(e->arg.at[a], p->fold->fold))
				return false;
	return true;
}

static const char *no_parts(struct product *p, const struct expr *left, const struct expr *right)
{
	p->index[ROWS] = p->index[COLUMNS] = -1;
	for (int d = 0; d < p->node->index.n; d++) {
		bool rows = expr_uses(left, p->node->index.at[d]),
		     columns = expr_uses(right, p->node->index.at[d]);
		p->part[d] = rows && columns ? PRODUCTS : rows ? ROWS : COLUMNS;
		if (!rows && !columns)
			return "an index of its result occurs in neither operand";
		if (rows != columns)
			p->index[p->part[d]] = d;
	}
	return p->index[ROWS] < 0 || p->index[COLUMNS] < 0
	               ? "an operand is the same for all rows or columns"
	               : NULL;
}

const char *sliding_parts(struct product *p)
{
	struct expr *e = p->fold->arg.at[0];
	while (e->arg.n == 1 && e->kind != E_READ)
		e = e->arg.at[0];
	if (e->kind == E_READ || e->arg.n != 2)
		return "a term is not a function of two values";
	struct expr *left = e->arg.at[0], *right = e->arg.at[1];
	bool turned = !expr_walk(right, slides_not, p) && expr_walk(left, slides_not, p);
	return turned ? no_parts(p, right, left) : no_parts(p, left, right);
}

/* ---- the channels ---- */

struct bare { const struct var *index; bool last, found; };

static bool find_bare(struct expr *e, void *state)
{
	struct bare *b = state;
	for (int a = 0; e->kind == E_READ && a < e->arg.n; a++)
		b->found |= e->arg.at[a]->kind == E_VAR && e->arg.at[a]->var == b->index
		            && (a == e->arg.n - 1 || !b->last);
	return true;
}

static bool has_bare(const struct expr *e, const struct var *index, bool last)
{
	struct bare b = { index, last, false };
	expr_walk((struct expr *)e, find_bare, &b);
	return b.found;
}

/* A subscript of their own of both operands, that of neighbours in memory if there is one. */
const char *sliding_depth(struct product *p)
{
	const struct fold *fold = p->fold->fold;
	for (int last = 1; last >= 0; last--)
		for (int k = fold->index.n - 1; k >= 0; k--) {
			const struct var *index = fold->index.at[k];
			bool is = has_bare(p->operand[ROWS].e, index, last)
			          && has_bare(p->operand[COLUMNS].e, index, last);
			if (is) {
				p->depth = index;
				p->deep_index = k;
				return NULL;
			}
		}
	return "no index of its fold is a subscript by itself of both operands";
}

/* ---- edges ---- */

static bool is_edged(struct expr *e, void *node)
{
	return e->kind != E_READ || !cell_edged(node, e);
}

struct outside { const struct product *p; bool edged; };

/* Reads of the equation beside its fold. */
static bool find_outside(struct expr *e, void *state)
{
	struct outside *o = state;
	if (e == o->p->fold)
		return true;
	if (e->kind == E_READ)
		o->edged |= cell_edged(o->p->node, e);
	for (int a = 0; a < e->arg.n; a++)
		find_outside(e->arg.at[a], o);
	return true;
}

static bool writes_not(struct expr *e, void *node)
{
	return e->kind != E_READ || !node_writes(node, e->var);
}

const char *sliding_edges(const struct product *p)
{
	struct outside o = { p, false };
	for (int d = 0; d < p->node->index.n; d++)
		if (p->node->edge[d].kind == B_KEEP)
			return "a cell at the edge keeps its value";
	find_outside(p->node->equation.at[0]->right, &o);
	if (o.edged || (p->node->where && !expr_walk(p->node->where, is_edged, (void *)p->node)))
		return "it also reads cells outside of its fold that may be out of bounds";
	return expr_walk((struct expr *)p->fold, writes_not, (void *)p->node)
	               ? NULL
	               : "it folds cells of its result";
}

/* ---- may operands be copied? ---- */

enum { MOST_AXES = 4 };                  /* of rows, and with edges: they have to fit */

static bool is_zero(const struct expr *e)
{
	while (e->kind == E_CAST)
		e = e->arg.at[0];
	return e->kind == E_CONST && !(type_class(e->type) == 'F' ? e->value.f != 0 : e->value.i);
}

/* Along each axis; zeros are what is copied from outside. */
static bool is_answered(const struct product *p, const struct expr *read)
{
	for (int a = 0; a < read->arg.n; a++) {
		struct shift s;
		if (!cell_edged_along(p->node, read, a))
			continue;
		access_shift(p->node, read->arg.at[a], &s);
		if (p->node->edge[s.k].kind != B_VALUE || !is_zero(p->node->edge[s.k].value))
			return false;
	}
	return true;
}

bool sliding_walks(const struct product *p, enum side side)
{
	const struct operand *o = &p->operand[side];
	struct affine place;
	int rows = 0;
	for (int d = 0; d < p->node->index.n; d++)
		rows += p->part[d] == ROWS;
	/* zeros are no terms of a sum, in any order */
	bool adds = product_adds(p) && !fold_in_order(p->fold);
	if (rows > MOST_AXES || !o->main || !o->deep || !adds || !is_answered(p, o->main))
		return false;
	for (int a = 0; a < o->main->arg.n; a++)
		if (!affine_of(o->main->arg.at[a], &place)
		    || (a < o->main->arg.n - 1 && expr_uses(o->main->arg.at[a], p->depth)))
			return false;
	return true;
}

/* ---- numbers of the host ---- */

static struct kx *range_of(struct plan *plan, const struct product *p, int k)
{
	const struct fold *fold = p->fold->fold;
	struct kx *lo = lower_index(host_lowering(plan), fold->lo.at[k]),
		  *hi = lower_index(host_lowering(plan), fold->hi.at[k]);
	return plan_range(plan, lo, hi);
}

struct kx *sliding_channels(struct plan *plan, const struct product *p)
{
	return range_of(plan, p, p->deep_index);
}

struct kx *sliding_terms(struct plan *plan, const struct product *p, int step)
{
	struct kx *channels = sliding_channels(plan, p), *terms;
	terms = step == 1 ? channels : x_mul(x_div_up(channels, x_i64(step)), x_i64(step));
	for (int k = 0; k < p->fold->fold->index.n; k++)
		terms = k == p->deep_index ? terms : x_mul(range_of(plan, p, k), terms);
	return terms;
}

/* Which index of the fold it is, but for the channels; or -1. */
int sliding_place(const struct product *p, const struct var *v)
{
	const struct fold *fold = p->fold->fold;
	for (int k = 0; k < fold->index.n; k++)
		if (k != p->deep_index && fold->index.at[k] == v)
			return k;
	return -1;
}

/* Host: an axis has few cells, and the window is small along it. */
static struct kx *near_along(struct plan *plan, const struct product *p, const struct expr *read,
                             int axis)
{
	struct kx *extent = lower_extent(host_lowering(plan), read->var, axis);
	struct kx *near = x_le(extent, x_i64(SLIDING_FAR));
	struct affine place;
	affine_of(read->arg.at[axis], &place);
	for (int n = 0; n < place.n; n++) {
		int64_t by = place.term[n].coef < 0 ? -place.term[n].coef : place.term[n].coef;
		int64_t most = by < SLIDING_FAR ? SLIDING_FAR / MAX_RANK / by : 0;
		int k = sliding_place(p, place.term[n].var);
		if (k >= 0)
			near = x_and(near, x_lt(range_of(plan, p, k), x_i64(most)));
	}
	return near;
}

/* Host: numbers along axes that have edges, and those of the window, are small (place_number). */
struct kx *sliding_near(struct plan *plan, const struct product *p)
{
	struct kx *near = NULL;
	for (int side = ROWS; side <= COLUMNS; side++) {
		const struct expr *main = p->operand[side].main;
		for (int a = 0; a < main->arg.n; a++)
			if (cell_edged_along(p->node, main, a))
				near = x_and(near, near_along(plan, p, main, a));
	}
	return near;
}

/* ---- a term's number ---- */

struct batch sliding_axes(struct lowering *l, const struct product *p)
{
	const struct fold *fold = p->fold->fold;
	struct lowering *host = host_lowering(l->plan);
	struct batch b = { 0 };
	for (int k = fold->index.n - 1; k >= 0; k--) {
		const char *name = fold->index.at[k]->name;
		struct kx *lo = lower_index(host, fold->lo.at[k]);
		b.index[b.n] = fold->index.at[k];
		b.size[b.n] = k ? lower_argument(l, str_print("%s_terms", name), kt_scalar(T_I64),
		                                 range_of(l->plan, p, k))
		                : NULL;
		b.lo[b.n++] = lower_number(l, str_print("%s_first", name), lo);
	}
	return b;
}
