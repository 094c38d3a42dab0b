/* compact.c - compact y, count = x[i] where x[i] > 0: the cells that satisfy a condition, in order
 * (R41).
 *
 * What moves is any expression of the cell.  A statement does not read an array that it fills: a
 * cell could be overwritten before it is read. */
#include <assert.h>

#include "eval.h"
#include "../access.h"
#include "../lowerings.h"
#include "selection.h"

static const struct clause clauses[] = {
	{ .name = "stable" },  { .name = "unordered" },
	{ .name = "else" },    { .name = "rows", .values = 1 },
	{ .name = "within", .values = 1, .then = "of" },
	{ .name = "wrap", .values = -1 },
	{ .name = "drop" },    { .name = "trusted" },
	{ .name = "strict" },  { .name = "approx" },
	{ 0 }
};

struct search { const struct node *node; bool fine; };

static bool apart(struct expr *e, void *state)
{
	struct search *s = state;
	for (int k = 0; node_target(s->node, k) && s->fine; k++) {
		const struct var *v = node_target(s->node, k)->var;
		if ((e->kind != E_READ && e->kind != E_VAR) || e->var != v)
			continue;
		diag_error(e->at, D_IN_PLACE, "this reads `%s`, which the statement fills",
		           v->name);
		diag_cure("use another array, or scalar, for the result; `swap` exchanges arrays");
		s->fine = false;
	}
	return s->fine;
}

static bool reads_apart(const struct node *node)
{
	struct search s = { node, true };
	for (int k = 0; k < node->index.n; k++)
		(void)(expr_walk(node->lo.at[k], apart, &s)
		       && expr_walk(node->hi.at[k], apart, &s));
	for (int q = 0; q < node->equation.n && s.fine; q++)
		expr_walk(node->equation.at[q]->right, apart, &s);
	return s.fine && expr_walk(node->where, apart, &s);
}

static bool check(struct node *node)
{
	const struct clause_use *stable = node_clause(node, "stable");
	if (stable && node->selection->unordered) {
		diag_error(node_clause(node, "unordered")->at, D_CLAUSE_CLASH,
		           "`unordered` and `stable` contradict each other");
		diag_note(stable->at, "`stable` keeps the order, which is the default");
		return false;
	}
	return reads_apart(node);
}

const struct pattern pattern_compact = { .name = "compact",
	                                 .summary = "keeps the cells that satisfy a condition",
	                                 .clauses = clauses,
	                                 .fuse = FUSE_READS,
	                                 .front = &compact_front,
	                                 .check = check,
	                                 .lower = compact_lower,
	                                 .eval = compact_eval,
	                                 .shape = compact_shape,
	                                 .selects = true,
	                                 .expands = true };
