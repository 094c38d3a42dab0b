/* wave_ranges.c - ranges of a wavefront that data decide: wavefront.h, Note [ranges that are cut].
 *
 * Before the proof of bounds a range is cut to the cells that all tables have.  Behind it are known
 * the reads that only the data can show to be inside; of those that every cell comes to,
 * `d[first[k] + j]` has a place for some j only, which are neighbours: the range is cut to them
 * too, and the read needs no test in the cells. */
#include <string.h>

#include "ask.h"
#include "legal.h"
#include "ragged.h"
#include "wave_sema.h"

/* ---- to the tables ---- */

/* Where all tables have the same cells along the index. */
static void range_cut(struct node *node, int k)
{
	const struct expr *cell = wave_target(node, 0);
	int d = 0;

	while (node->wave->order[d] != k)
		d++;
	for (int q = 1; q < node->equation.n; q++)
		if (wave_target(node, q)->affine[d].constant != cell->affine[d].constant
		    || !affine_equal(&wave_target(node, q)->var->extent[d], &cell->var->extent[d]))
			return;
	struct affine lo = affine_constant(-cell->affine[d].constant), hi = cell->var->extent[d];
	if (affine_add(&hi, &lo, 1))
		node->wave->cut[k] = (struct range){ extent_expr(&lo, node->at),
			                             extent_expr(&hi, node->at) };
}

void ranges_cut(struct node *node)
{
	for (int k = 0; !node->where && k < node->index.n; k++)
		if (has_data(node->lo.at[k]) || has_data(node->hi.at[k]))
			range_cut(node, k);
}

/* ---- to the arrays that every cell reads ---- */

static bool is_untested(struct expr *e, void *unused)
{
	(void)unused;
	return (e->kind != E_READ && e->kind != E_ELEM) || !e->checked;
}

/* The index, and what is added to it or taken away. */
static bool moves_along(const struct expr *e, const struct var *index)
{
	if (e->kind == E_VAR)
		return e->var == index;
	if (e->kind != E_BINARY || (e->op != OP_ADD && e->op != OP_SUB))
		return false;
	bool left = expr_uses(e->arg.at[0], index), right = expr_uses(e->arg.at[1], index);
	return left != right && (left || e->op == OP_ADD) && moves_along(e->arg.at[right], index);
}

/* It is over indices of the problem alone. */
static bool is_of_problem(const struct node *node, const struct expr *e)
{
	int n = node->index.n;

	for (int d = n > 1 ? n - 2 : 0; d < n; d++)
		if (expr_uses(e, node->index.at[node->wave->order[d]]))
			return false;
	return !expr_has_fold(e)
	       && expr_walk((struct expr *)(intptr_t)e, is_untested, NULL);
}

static bool cut_to(struct node *node, struct expr *read, int k)
{
	struct var *index = node->index.at[k];
	struct expr *zero = expr_int(type_scalar(T_I64), 0, read->at);

	if (!node->wave->cut[k].lo || !moves_along(read->arg.at[0], index))
		return false;
	struct cut_read cut = { .index = k,
		                .read = read,
		                .offset = expr_substitute(read->arg.at[0], &index, &zero, 1) };
	bool fits = is_of_problem(node, cut.offset) && is_of_problem(node, node->lo.at[k])
	            && is_of_problem(node, node->hi.at[k]);
	if (fits)
		list_add(&node->wave->within, cut);
	return fits;
}

/* Of reads that an evaluation of e always comes to. */
static void cut_reads(struct node *node, struct expr *e)
{
	bool lazy = expr_lazy(e);
	int n = lazy ? 1 : e->kind == E_FOLD ? 0 : e->arg.n;

	for (int d = node->index.n - 1; d >= 0 && d >= node->index.n - 2; d--)
		if (e->kind == E_READ && e->checked && e->arg.n == 1
		    && cut_to(node, e, node->wave->order[d]))
			break;
	for (int k = 0; k < n; k++)
		cut_reads(node, e->arg.at[k]);
}

static bool same_read(const struct expr *a, const struct expr *b)
{
	return a->var == b->var && !strcmp(expr_text(a), expr_text(b));
}

static bool visit_untest(struct expr *e, void *node)
{
	const struct wavefront *w = ((const struct node *)node)->wave;

	for (int k = 0; k < w->within.n && e->kind == E_READ; k++)
		if (e->checked && same_read(e, w->within.at[k].read))
			e->checked = false;
	return true;
}

/* ---- after the proof ---- */

/* What bounds a range is known where that begins. */
static bool bounds_proved(const struct node *node)
{
	for (int k = 0; k < 2 * node->index.n; k++) {
		struct expr *bound = (k % 2 ? node->hi : node->lo).at[k / 2];
		if (expr_walk(bound, is_untested, NULL))
			continue;
		diag_error(bound->at, D_RANGE_NOT_BUILT,
		           "%s, which bounds a range, has a data-dependent index: this is not "
		           "supported yet",
		           expr_text(bound));
		diag_cure("subscript it by an index whose range depends on sizes only");
		return false;
	}
	return true;
}

bool ranges_proved(struct node *node)
{
	if (!bounds_proved(node))
		return false;
	for (int q = 0; q < node->equation.n; q++)
		cut_reads(node, node->equation.at[q]->right);
	for (int q = 0; q < node->equation.n; q++)
		expr_walk(node->equation.at[q]->right, visit_untest, node);
	return true;
}
