/* pass_sweep.c - in which order cells that wait for their neighbours are computed, and which of them are kept.
 *
 * Needs: pins, groups.  Leaves: choice.sweep; temporaries that have no memory (on_chip).
 * Rule: the pattern says which orders the statement's neighbours and laws allow, and which of them it takes to be the
 * fastest on the target (its shape() says by what model); --no-pass=sweep leaves the one that needs no law.
 *
 * A temporary of which all cells are computed, or all that cells look at, that no other statement uses but those folded
 * where they are born, is not stored, if the order hands on by itself what cells look back at.  Then every cell that is
 * asked for has a new value, and no old one is. */
#include "lower.h"
#include "pass.h"
#include "remark.h"
#include "wavefront.h"

static const char *const name_of[] = {
	"",
#define SWEEP(id, name, how) name,
#include "sweep.def"
#undef SWEEP
};
static const char *const how_of[] = {
	"",
#define SWEEP(id, name, how) how,
#include "sweep.def"
#undef SWEEP
};

static void pass_by(const struct node *node)
{
	if (node->pin.sweep)
		pin_refused(node, PIN_SWEEP, D_PIN_UNFIT, "`%s` has no order that could be chosen: no cell of it waits for another",
		            node->name);
	remark_not((struct node *)node, PASS_SWEEP, "no cell waits for another");
}

static enum sweep chosen(const struct node *node, const struct shape *s, const struct options *o)
{
	if (node->pin.sweep && !s->no_sweep[node->pin.sweep])
		return node->pin.sweep;
	if (node->pin.sweep && pin_refused(node, PIN_SWEEP, D_PIN_UNFIT, "`%s` cannot be swept `%s`: %s", node->name,
	                                   name_of[node->pin.sweep], s->no_sweep[node->pin.sweep]))
		return SWEEP_DIAGONAL;
	return pass_enabled(o, "sweep") ? s->sweep : SWEEP_DIAGONAL;
}

static void choose(struct node *node, const struct options *o)
{
	const struct shape s = shape_of(node, o);
	if (!s.sweep) {
		pass_by(node);
		return;
	}
	node->choice.sweep = chosen(node, &s, o);
	const char *way = node->choice.sweep == node->pin.sweep ? ", as pinned" : pass_enabled(o, "sweep") ? "" : ", by --no-pass=sweep";
	remark_did(node, PASS_SWEEP, EFFICIENCY, "%s%s: %s%s%s", name_of[node->choice.sweep], way, how_of[node->choice.sweep],
	           s.law ? "; " : "", s.law ? s.law : "");
}

/* ---- what is not stored ---- */

static bool no_read_apart(struct expr *e, void *var)
{
	return e->kind != E_READ || e->var != var;
}

/* Of a statement folded behind the cells: does it read var outside of its folds? */
static bool reads_apart(const struct expr *e, struct var *var)
{
	bool found = e->kind != E_FOLD && !no_read_apart((struct expr *)e, var);
	for (int a = 0; e->kind != E_FOLD && !found && a < e->arg.n; a++)
		found = reads_apart(e->arg.at[a], var);
	return found;
}

static bool uses_apart(const struct node *s, const struct node *node, struct var *var)
{
	if (s == node)
		return false;
	if (s->kind == NODE_SWAP)
		return s->swap[0] == var || s->swap[1] == var;
	if (s->kind == NODE_PATTERN && (s->group != node->group || !s->group))
		return node_reads(s, var) || node_writes(s, var);
	for (int q = 0; q < s->equation.n; q++)
		if (reads_apart(s->equation.at[q]->right, var))
			return true;
	for (int i = 0; i < s->body.n; i++)
		if (uses_apart(s->body.at[i], node, var))
			return true;
	return false;
}

static bool steps_along(const struct node *node, int equation, int k, int way)
{
	for (int r = 0; r < node->wave->read.n; r++)
		if (node->wave->read.at[r]->equation == equation && way * node->wave->read.at[r]->step[k] > 0)
			return true;
	return false;
}

/* Does the range of index k have a bound that is the same wherever a cell's neighbours are? */
static bool even_range(const struct node *node, int equation, int k)
{
	for (int d = 0; d < node->index.n; d++)
		if ((steps_along(node, equation, d, 1) || steps_along(node, equation, d, -1))
		    && (expr_uses(node->lo.at[k], node->index.at[d]) || expr_uses(node->hi.at[k], node->index.at[d])))
			return false;
	for (int w = 0; w < node->wave->within.n; w++)
		if (node->wave->within.at[w].index == k)
			return false;
	return true;
}

static bool is_end(const struct expr *bound, const struct affine *end)
{
	struct affine a;
	return affine_of(bound, &a) && affine_equal(&a, end);
}

/* Cells of the table that are not computed, those beside the range, have none that looks at them. */
static bool looks_inside(const struct node *node, int equation)
{
	const struct expr *cell = node_target(node, equation);
	struct affine zero = affine_constant(0);
	for (int a = 0; a < cell->arg.n; a++) {
		int k = 0;
		while (k < node->index.n && (cell->arg.at[a]->kind != E_VAR || cell->arg.at[a]->var != node->index.at[k]))
			k++;
		if (k == node->index.n || !even_range(node, equation, k)
		    || (steps_along(node, equation, k, -1) && !is_end(node->lo.at[k], &zero))
		    || (steps_along(node, equation, k, 1) && !is_end(node->hi.at[k], &cell->var->extent[a])))
			return false;
	}
	return !cell->checked;
}

/* Of a target: who else wants it, or what its own cells do. */
static const char *no_absence(const struct entry *entry, const struct node *node, int equation, const struct shape *s)
{
	struct var *var = node_target(node, equation)->var;
	for (int i = 0; i < entry->body.n; i++)
		if (uses_apart(entry->body.at[i], node, var))
			return "other statements use it";
	if (s->no_unstored)
		return s->no_unstored;
	if ((!node->whole && !looks_inside(node, equation)) || node->where || node_skips(node))
		return "some of its cells keep what they held";
	for (int r = 0; r < node->wave->read.n; r++)
		if (node->wave->read.at[r]->equation == equation && !node->wave->read.at[r]->fresh)
			return "old values of it are read";
	return NULL;
}

static void spare(struct node *node, const struct entry *entry, const struct options *o)
{
	const struct shape s = shape_of(node, o);
	for (int q = 0; node->wave && q < node->equation.n; q++) {
		struct var *var = node_target(node, q)->var;
		if (var->kind != VAR_LET || !pass_enabled(o, "sweep"))
			continue;
		const char *why = no_absence(entry, node, q, &s);
		var->on_chip = !why;
		if (why)
			remark_not(node, PASS_SWEEP, "`%s` is stored: %s", var->name, why);
		else
			remark_did(node, PASS_SWEEP, BANDWIDTH, "`%s` is not stored, %s a cell less: nothing else reads it", var->name,
			           remark_bytes((double)type_size(var->type)));
	}
}

static void spare_in(const struct entry *entry, struct node *const *at, int n, const struct options *o)
{
	for (int i = 0; i < n; i++) {
		if (at[i]->kind == NODE_PATTERN && (!at[i]->group || at[i]->group->anchor == at[i]))
			spare(at[i], entry, o);
		spare_in(entry, at[i]->body.at, at[i]->body.n, o);
	}
}

void pass_sweep(struct entry *entry, const struct options *o)
{
	pass_each(entry, choose, o);
	spare_in(entry, entry->body.at, entry->body.n, o);
}
