/* pass_fuse_ranges.c - a compact that keeps every item of ranges that data decide (expansion.h), as
 * a join of two tables does, counts its ranges itself.
 *
 * Needs: what pass_fuse.c needs.  Leaves: expand->own, expand->value; the statement that counts the
 * ranges, and maps that only say where ranges begin and end, have no kernel.
 *
 * An item's place is then the number of items before it.  A block takes the next ranges, counts
 * their items, learns how many are before them, and stores them (compact_rows.c): neither the ends
 * of ranges nor the running sum is written or read.  If `where` selects items, or another statement
 * uses the same ends, the statement before it counts the ranges, as for all other patterns.
 *
 * Legal: one range for each cell of the outer indices, whatever the data; nothing is tested at run
 * time but the ends of ranges; and a map gives every cell of its targets, which bound ranges and
 * nothing else. */
#include "ask.h"
#include "expansion.h"
#include "pass.h"
#include "pass_fuse.h"
#include "remark.h"
#include "selection.h"

/* ---- the statement ---- */

static bool keeps_all(const struct node *node)
{
	return expr_true(node->where) && !selection_has(node, PART_REJECTED);
}

static bool counts_alone(struct map *users, const struct node *node, const struct node *ends)
{
	const struct expansion *x = node->expand;
	const struct users *u = map_get(users, expansion_ends(x));
	return x->outer.n && !x->after.n && x->ends == ends && ends->whole && ends->pin.fuse >= 0
	       && u && u->at.n == 2;
}

/* May statement i + 1 count the ranges that statement i counts? */
static bool may_own(struct map *users, const struct body *b, int i)
{
	const struct node *node = i + 1 < *b->n ? b->at[i + 1] : NULL;
	return node && b->options->target->gpu && node->kind == NODE_PATTERN
	       && node->pin.fuse >= 0 && node->pattern->selects && node->expand
	       && keeps_all(node) && !node_checked(node)
	       && counts_alone(users, node, b->at[i]);
}

/* ---- maps that bound ranges ---- */

static bool used_in_values(const struct node *node, const struct var *var)
{
	for (int k = 0; node_target(node, k); k++)
		if (expr_uses(node_target(node, k), var))
			return true;
	for (int q = 0; q < node->equation.n; q++)
		if (expr_uses(node->equation.at[q]->right, var))
			return true;
	return expr_uses(node->where, var);
}

struct reading { const struct node *node; const struct var *var; bool own; };

/* Every read is of the cell that the outer indices say. */
static bool reads_own(struct expr *e, void *state)
{
	struct reading *r = state;
	const struct axes *outer = &r->node->expand->outer;
	if (e->kind != E_READ || e->var != r->var)
		return true;
	r->own &= e->var->rank == outer->n;
	for (int d = 0; d < e->var->rank && r->own; d++)
		r->own = e->arg.at[d]->kind == E_VAR
		         && e->arg.at[d]->var == r->node->index.at[outer->at[d]];
	return r->own;
}

static bool bounds_own(const struct node *node, const struct var *var)
{
	const struct expansion *x = node->expand;
	struct reading r = { node, var, true };
	return !used_in_values(node, var)
	       && expr_walk(node->lo.at[x->inner], reads_own, &r)
	       && expr_walk(node->hi.at[x->inner], reads_own, &r)
	       && expr_walk(x->count[x->inner], reads_own, &r) && expr_walk(x->from, reads_own, &r);
}

static bool is_plain(const struct node *m)
{
	for (int q = 0; q < m->equation.n; q++) {
		const struct equation *eq = m->equation.at[q];
		if (eq->target.n > 1 || eq->whole || fuse_no_producer(m, eq))
			return false;
	}
	return !node_checked(m) && !m->clause.n;
}

/* Its targets bound ranges of the node, which alone reads them. */
static bool bounds_ranges(struct map *users, const struct node *m, const struct node *node)
{
	if (m->kind != NODE_PATTERN || !(m->pattern->fuse & FUSE_INTO) || m->pin.fuse < 0
	    || !is_plain(m) || fuse_writes_inputs(node, m))
		return false;
	for (int t = 0; node_target(m, t); t++) {
		const struct var *var = node_target(m, t)->var;
		const struct users *u = map_get(users, var);
		if (!u || u->at.n != 2 || u->at.at[u->at.at[0] == m] != node
		    || !bounds_own(node, var))
			return false;
	}
	return true;
}

/* ---- how it is done ---- */

static void remove_into(const struct body *b, int i, struct node *into)
{
	struct node *node = b->at[i];
	for (int t = 0; node_target(node, t); t++)
		node_target(node, t)->var->on_chip = true;
	fuse_join(node, into);
	list_add(&b->entry->inside, node);
	fuse_drop(b, i);
}

static void take_map(const struct body *b, int i, struct node *node)
{
	struct node *m = b->at[i];
	struct expansion *x = node->expand;
	struct expr *outer[MAX_RANK];
	for (int d = 0; d < x->outer.n; d++)
		outer[d] = expr_var(node->index.at[x->outer.at[d]], m->at);
	for (int q = 0; q < m->equation.n; q++) {
		const struct equation *eq = m->equation.at[q];
		struct expr *value = expr_substitute(eq->right, m->index.at, outer, m->index.n);
		list_add(&x->value, ((struct range_value){ eq->target.at[0]->var, value }));
	}
	remark_did(m, PASS_FUSE, BANDWIDTH,
	           "computed where `%s` counts its ranges: the bounds of ranges are neither "
	           "written nor read again",
	           node->name);
	remove_into(b, i, node);
}

/* The result: where the statement is then. */
static int own_ranges(struct map *users, const struct body *b, int i)
{
	struct node *ends = b->at[i], *node = b->at[i + 1];
	node->expand->own = true;
	remark_did(node, PASS_FUSE, BANDWIDTH,
	           "counts its ranges itself: it keeps every item, so the position of an item is "
	           "the number of items before it");
	remark_did(ends, PASS_FUSE, BANDWIDTH,
	           "computed tile by tile in `%s`: the ends are neither written nor read again",
	           node->name);
	fuse_forget(users, ends);
	remove_into(b, i, node);
	while (i > 0 && bounds_ranges(users, b->at[i - 1], node))
		take_map(b, --i, node);
	return i;
}

void fuse_ranges(struct map *users, const struct body *b)
{
	for (int i = 0; i < *b->n; i++)
		if (may_own(users, b, i))
			i = own_ranges(users, b, i);
}
