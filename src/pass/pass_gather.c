/* pass_gather.c - a statement whose items meet in cells becomes one that computes its cells:
 * owner-computes.
 *
 * Needs: pins.  Leaves: such statements as maps, for all passes after it; choice.gather. Rule
 * (Hwu's scatter to gather): where every index of the domain stands alone in a subscript of the
 * target, no two items have one cell, so each is its cell's owner.  Then nothing is atomic, vectors
 * of cells are read and written whole, and the statement fuses as others do.  What an item brings
 * is combined with what the cell holds, as was said.
 *
 * Items that meet as structs do so part by part where their operator works so (op_parts.c).  Where
 * data say where items go, or several indices make up a subscript (y[i + j]), they meet: how, the
 * remark says. */
#include "ask.h"
#include "op_parts.h"
#include "pass.h"
#include "remark.h"

/* The subscript moves with this index of the domain, and with no other index. */
static bool alone(const struct affine *sub, const struct var *index)
{
	bool own = false;
	for (int t = 0; t < sub->n; t++) {
		if (sub->term[t].var->kind == VAR_INDEX && sub->term[t].var != index)
			return false;
		own |= sub->term[t].var == index;
	}
	return own;
}

static const char *no_owner_of(const struct node *node, const struct expr *cell)
{
	for (int a = 0; a < cell->arg.n; a++)
		if (cell->affine[a].n < 0)
			return "what its subscripts are, only the run shows";
	for (int k = 0; k < node->index.n; k++) {
		bool own = false;
		for (int a = 0; a < cell->arg.n; a++)
			own |= alone(&cell->affine[a], node->index.at[k]);
		if (!own)
			return str_print("items of several `%s` may have one cell of `%s`",
			                 node->index.at[k]->name, cell->var->name);
	}
	return NULL;
}

static const char *no_owner(const struct node *node)
{
	if (node->expand)
		return "data decide which items there are";
	for (int q = 0; q < node->equation.n; q++) {
		const struct expr *cell = target_read(node->equation.at[q]->target.at[0]);
		const char *why = no_owner_of(node, cell);
		for (int p = 0; p < q && !why; p++)
			if (target_read(node->equation.at[p]->target.at[0])->var == cell->var)
				why = str_print("two equations go to `%s`", cell->var->name);
		if (why)
			return why;
	}
	return NULL;
}

/* y[i] op= e is y[i] = y[i] op e. */
static void own(struct equation *eq)
{
	if (!eq->combine)
		return;
	struct expr *held = eq->target.at[0];
	eq->right = expr_as(op_apply(eq->combine, expr_as(held, eq->right->type), eq->right),
	                    held->type);
	eq->combine = NULL;
}

static bool lies_apart(const struct equation *eq)
{
	const struct expr *cell = eq->target.at[0];
	return cell->kind == E_READ && cell->var->layout && cell->var->layout->block;
}

/* What machines combine as wholes in order, they combine in any order by parts. */
static bool split(struct node *node, const struct options *o)
{
	struct equations out = { { NULL, 0, 0 } };
	int wholes = node->equation.n;
	bool any_order = o->target->gpu && !node_clause(node, "strict");
	for (int q = 0; q < node->equation.n; q++) {
		struct equation *eq = node->equation.at[q];
		if (eq->combine && op_in_parts(eq->combine) && (any_order || lies_apart(eq)))
			op_split(eq, &out);
		else
			list_add(&out.at, eq);
	}
	node->equation.at = out.at.at, node->equation.n = out.at.n,
	node->equation.room = out.at.room;
	return out.at.n > wholes;
}

static void refuse(struct node *node, const char *why, const struct options *o)
{
	const char *by = split(node, o) ? "field by field " : "", *meet = shape_of(node, o).meet;
	if (node->pin.gather > 0 && why)
		pin_unfit(node, PIN_GATHER, "the cells of `%s` have no owners: %s", node->name,
		          why);
	remark_not(node, PASS_GATHER, "%s; %s%s",
	           why                    ? why
	           : node->pin.gather < 0 ? "pinned"
	                                  : "--no-pass=gather",
	           by, meet);
}

static void choose(struct node *node, const struct options *o)
{
	if (!node->pattern->combines) {
		if (node->pin.gather)
			pin_unfit(node, PIN_GATHER,
			          "`%s` computes its own cells: no items meet in them", node->name);
		return;
	}
	const char *why = no_owner(node);
	bool wanted = node->pin.gather ? node->pin.gather > 0 : pass_enabled(o, "gather");
	if (why || !wanted) {
		refuse(node, why, o);
		return;
	}
	node->choice.gather = 1;
	for (int q = 0; q < node->equation.n; q++)
		own(node->equation.at[q]);
	node->pattern = pattern_assign;
	remark_did(node, PASS_GATHER, CONTENTION,
	           "no two items have one cell: each is computed where it is written%s",
	           node->pin.gather ? ", as pinned" : "");
}

void pass_gather(struct entry *entry, const struct options *o)
{
	pass_each(entry, choose, o);
}
