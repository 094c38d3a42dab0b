/* pairs.c - pairs f[i] = sum[j](force(p[i], p[j])): folds over all pairs of a cell and a term.
 *
 * What a term reads depends on the cell or on the indices of the fold, never on both: so a block
 * can share the terms of many cells (../reduce/reduce_pairs.c).  Apart from that it is a reduce. */
#include "ask.h"
#include "eval.h"
#include "front.h"
#include "../access.h"
#include "../lowerings.h"
#include "../reduce/reduce.h"
#include "near.h"

static const struct clause clauses[] = {
	{ .name = "within", .values = 1, .then = "of" },
	{ .name = "from", .values = -1 },
	{ .name = "wrap", .values = -1 },
	{ .name = "strict" },
	{ .name = "approx" },
	{ .name = "drop" },
	{ .name = "trusted" },
	{ 0 }
};

struct sides { const struct node *node; bool cell, term; };

static bool see_side(struct expr *e, void *state)
{
	struct sides *s = state;
	bool own = false;
	for (int k = 0; k < s->node->index.n; k++)
		own |= e->kind == E_VAR && e->var == s->node->index.at[k];
	s->cell |= own;
	s->term |= !own && e->kind == E_VAR && e->var->kind == VAR_INDEX;
	return true;
}

/* Depends on one of the two. */
static bool is_of_one(struct expr *e, void *node)
{
	struct sides s = { .node = node };
	if (e->kind != E_READ)
		return true;
	expr_walk(e, see_side, &s);
	if (!s.cell || !s.term)
		return true;
	diag_error(e->at, D_NOT_PAIRS,
	           "this reads %s, which depends on the cell and on the term: that is a reduce, "
	           "not pairs",
	           access_text(e));
	sema_instead("reduce");
	sema_cure("a pair consists of a cell and a term, each with its own values: `x[i] * y[j]`");
	return false;
}

static bool check(struct node *node)
{
	for (int q = 0; q < node->equation.n; q++) {
		struct expr *right = node->equation.at[q]->right;
		if (!expr_has_fold(right)) {
			diag_error(node->equation.at[q]->at, D_NOT_PAIRS,
			           "this equation folds nothing: that is a map, not pairs");
			sema_instead("map");
			sema_cure("a fold has the form `sum[j](x[j])`");
			return false;
		}
		bool listed = node->cutoff && node->cutoff->listed;
		if (!listed && !expr_walk(right, is_of_one, node))
			return false;
	}
	return access_writes_once(node);
}

/* Why each pair is computed twice. */
static const char *not_symmetric(const struct node *node, const struct target *target)
{
	struct reduction r = { .node = node };
	if (node->cutoff && node->cutoff->binned)
		return "bodies within a radius are sorted by the cells of a grid";
	if (reduce_can_share(&r))
		return reduce_not_symmetric(&r, target);
	return node_clause(node, "strict") ? "`strict` keeps the order of its terms"
	                                   : "threads cannot share the terms of a cell";
}

/* Where a block does not share the terms of pairs, the remark is the reason. */
static void shape(const struct node *node, const struct target *target, struct shape *s)
{
	static const struct pairs_shape none = {
		.why = "threads cannot share the terms of a cell"
	};
	struct reduction r = { .node = node };
	s->pairs = true;
	s->no_symmetric = not_symmetric(node, target);
	if (node->cutoff && node->cutoff->binned) {
		near_shape(s);
		return;
	}
	if (node->cutoff)
		s->no_bins = near_unfit(node);
	reduce_shape(node, target, s);
	if (s->staging || !target->gpu || !node->index.n)
		return;
	s->staging = &pairs_staging;
	s->staged = reduce_can_share(&r) ? reduce_pairs_shape(&r, target) : &none;
}

static void lower(struct plan *plan, const struct group *group)
{
	const struct cutoff *c = group->anchor->cutoff;
	(c && c->binned ? near_lower : reduce_lower)(plan, group);
}

const struct pattern pattern_pairs = { .name = "pairs",
	                               .summary = "folds over pairs of a cell and a term",
	                               .clauses = clauses,
	                               .front = &pairs_front,
	                               .check = check,
	                               .lower = lower,
	                               .block = block_reduce,
	                               .eval = eval_cells,
	                               .shape = shape };
