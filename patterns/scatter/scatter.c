/* scatter.c - scatter y[idx[i]] += x[i]: items go to cells anywhere.
 *
 * An item is what the statement brings for the indices of its domain.  Items that meet in one cell
 * are combined, by any operator that is associative and commutes (sema_combine.c), in any order;
 * under `strict` in that of the domain. `=` says that no two items meet: `unique`.  What no item
 * goes to keeps its value; an item whose place, or what it reads, lies outside is left out and
 * recorded (R34).
 *
 * What the statement writes it does not read: how far the others have come is nobody's to say. */
#include "eval.h"
#include "front.h"
#include "../access.h"
#include "../lowerings.h"
#include "lower.h"

static const struct clause clauses[] = {
	{ .name = "unique" },  { .name = "drop" },
	{ .name = "trusted" }, { .name = "strict" },
	{ .name = "approx" },  { 0 }
};

static bool goes_somewhere(const struct node *node, const struct equation *eq)
{
	const struct expr *cell = target_read(eq->target.at[0]);
	if (cell->kind != E_READ) {
		diag_error(eq->at, D_NOT_SCATTER,
		           "all items go to `%s`: that is a reduce, not a %s", cell->var->name,
		           node->pattern->name);
		diag_cure("fold them: `reduce %s = sum[i](...)`", cell->var->name);
		return false;
	}
	if (eq->combine || node_clause(node, "unique"))
		return true;
	diag_error(eq->at, D_NOT_SCATTER,
	           "items with the same cell of `%s` would overwrite each other", cell->var->name);
	sema_instead("map");
	sema_cure("say how they are combined (`+=`, `max=`, ...); with `unique`, a scatter "
	          "promises that no two have the same cell");
	return false;
}

static bool reads_none(const struct node *node, struct expr *target)
{
	const struct var *var = target_read(target)->var;
	bool reads = expr_uses(node->where, var);
	for (int q = 0; q < node->equation.n && !reads; q++) {
		const struct expr *cell = target_read(node->equation.at[q]->target.at[0]);
		reads = expr_uses(node->equation.at[q]->right, var);
		for (int a = 0; a < cell->arg.n; a++)
			reads |= expr_uses(cell->arg.at[a], var);
	}
	if (!reads)
		return true;
	diag_error(target->at, D_IN_PLACE,
	           "`%s` is read while items are written to it, so the values read are undefined",
	           var->name);
	diag_cure("read a copy, which a map makes first");
	return false;
}

/* Two equations on one array: then all items are combined in one way. */
static bool agrees(const struct node *node, int q)
{
	const struct equation *eq = node->equation.at[q];
	for (int p = 0; p < q; p++) {
		const struct equation *other = node->equation.at[p];
		bool one = target_read(other->target.at[0])->var
		           == target_read(eq->target.at[0])->var;
		if (!one || other->combine == eq->combine
		    || access_parts(other->target.at[0], eq->target.at[0]))
			continue;
		diag_error(eq->at, D_NOT_SCATTER,
		           "`%s` combines items in two ways, in an undefined order",
		           target_read(eq->target.at[0])->var->name);
		diag_cure("write two statements");
		return false;
	}
	return true;
}

bool scatter_fits(struct node *node)
{
	for (int q = 0; q < node->equation.n; q++)
		if (!goes_somewhere(node, node->equation.at[q])
		    || !reads_none(node, node->equation.at[q]->target.at[0]) || !agrees(node, q))
			return false;
	return true;
}

const struct pattern pattern_scatter = { .name = "scatter",
	                                 .summary = "combines items in cells at computed indices",
	                                 .clauses = clauses,
	                                 .check = scatter_fits,
	                                 .lower = meet_lower,
	                                 .eval = eval_cells,
	                                 .fuse = FUSE_READS,
	                                 .shape = meet_shape,
	                                 .combines = true,
	                                 .expands = true };
