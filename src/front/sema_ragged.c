/* sema_ragged.c - finds data-dependent ranges, and the array to which each is cut: ragged.h. */
#include "ask.h"
#include "front.h"
#include "ragged.h"

static const struct expr *under_casts(const struct expr *e)
{
	while (e->kind == E_CAST)
		e = e->arg.at[0];
	return e;
}

static bool one_array(const struct expr *lo, const struct expr *hi)
{
	lo = under_casts(lo);
	hi = under_casts(hi);
	return lo->kind == E_READ && hi->kind == E_READ && lo->var == hi->var;
}

bool always_inside(const struct expr *e, const struct var *index, struct affine *extent)
{
	for (int a = 0; e->kind == E_READ && a < e->var->rank; a++)
		if (e->arg.at[a]->kind == E_VAR && e->arg.at[a]->var == index) {
			*extent = e->var->extent[a];
			return true;
		}
	bool lazy = expr_lazy(e);
	int n = lazy ? 1 : e->kind == E_FOLD ? 0 : e->arg.n;
	for (int a = 0; a < n; a++)
		if (always_inside(e->arg.at[a], index, extent))
			return true;
	return false;
}

static bool always_reads(const struct expr *const *e, int n, const struct var *index,
                         struct affine *extent)
{
	for (int k = 0; k < n; k++)
		if (always_inside(e[k], index, extent))
			return true;
	return false;
}

struct cut cut_of(const struct expr *lo, const struct expr *hi, const struct var *index,
                  const struct expr *const *first, int n)
{
	struct cut cut = { .data = has_data(lo) || has_data(hi) };
	struct affine extent;

	cut.rises = cut.data && one_array(lo, hi);
	if (cut.data && always_reads(first, n, index, &extent))
		cut.end = extent_expr(&extent, index->at);
	return cut;
}

struct cut *cuts_of(const struct fold *fold, const struct expr *term)
{
	struct cut *cut = mem_new(sizeof *cut * (size_t)(fold->index.n + 1));
	const struct expr *first = fold->where ? fold->where : term;
	bool some = false;

	for (int d = 0; d < fold->index.n; d++) {
		cut[d] = cut_of(fold->lo.at[d], fold->hi.at[d], fold->index.at[d], &first, 1);
		some |= cut[d].data;
	}
	return some ? cut : NULL;
}

static bool leave_out(struct expr *e, void *unused)
{
	(void)unused;
	e->checked = e->kind == E_CALL && e->fn->fails;      /* manner_statement has marked it */
	for (int d = 0; e->fold && e->fold->cut && d < e->fold->index.n; d++)
		e->fold->cut[d].trusted = true;
	return true;
}

static bool needs_none(struct expr *e, void *unused)
{
	(void)unused;
	return !e->checked && !(e->fold && e->fold->cut);
}

/* What moves whole rows, and what is near, is tested otherwise. */
bool checks_needed(struct node *node)
{
	return node->running || node->sorting || node->wave || node->expand || node->cutoff
	       || node->selection || !node_walk(node, needs_none, NULL);
}

void checks_left_out(struct node *node)
{
	node_walk(node, leave_out, NULL);
}

/* f + c and f + c + 1 */
static bool next_to(const struct affine *lo, const struct affine *hi, const struct var *outer)
{
	const struct affine one = affine_constant(1);
	struct affine next = *lo;
	int64_t coef;

	return affine_index(lo, &coef) == outer && coef == 1 && affine_add(&next, &one, 1)
	       && affine_equal(&next, hi);
}

/* a[i, f + c] and a[i, f + c + 1]: each range begins where the one before it ends. */
bool ranges_apart(const struct expr *lo, const struct expr *hi, const struct var *outer)
{
	int along = 0;

	lo = under_casts(lo);
	hi = under_casts(hi);
	if (!one_array(lo, hi))
		return false;
	for (int a = 0; a < lo->var->rank; a++) {
		if (lo->affine[a].n < 0 || hi->affine[a].n < 0)
			return false;
		if (next_to(&lo->affine[a], &hi->affine[a], outer))
			along++;
		else if (expr_uses(lo->arg.at[a], outer)
		         || !affine_equal(&lo->affine[a], &hi->affine[a]))
			return false;
	}
	return along == 1;
}
