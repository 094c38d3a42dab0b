/* pass_fuse_chain.c - two products, and what is folded of the rows of the first one between them,
 * become one kernel: attention.
 *
 * Needs: what pass_fuse.c leaves: a map of the first product's cells is part of that product, and a
 * map of the second one's operand is part of the second.  Leaves: a group, whose anchor is the
 * second product and whose chain are the first and the folds, one after another in the body.
 *
 * Its pattern says whether the anchor can be computed so.  Legal: nobody else uses the cells of the
 * first product, and nothing between the statements changes what they use, or uses what they write:
 * they are all computed where the last fold is.  Pays: the pattern says so; the cells of the first
 * product are more than all that is read, but may have to be computed several times. */
#include "ask.h"
#include "pass.h"
#include "pass_fuse.h"
#include "remark.h"

struct links {
	const struct body *b;
	int anchor;                          /* numbers of statements of the body */
	LIST(int) at;                        /* the chain's, in their order */
};

static const struct var *result_of(const struct node *node)
{
	return target_read(node_target(node, 0))->var;
}

static bool may_link(const struct node *node)
{
	return node->kind == NODE_PATTERN && !node->group && !node->expand && !node->selection
	       && !node->wave && !node->sorting && !node->running && node->equation.n == 1
	       && result_of(node)->rank;
}

/* The statements of the chain found so far, then the anchor: 0 to at.n. */
static struct node *member(const struct links *l, int n)
{
	return l->b->at[n < l->at.n ? l->at.at[n] : l->anchor];
}

static bool is_member(const struct links *l, const struct node *node)
{
	for (int n = 0; n <= l->at.n; n++)
		if (member(l, n) == node)
			return true;
	return false;
}

/* Does one of them read what that one computes? */
static bool is_read(const struct links *l, const struct node *node)
{
	for (int n = 0; n <= l->at.n; n++)
		if (node_reads(member(l, n), result_of(node)))
			return true;
	return false;
}

/* The last product before the anchor that it needs, itself or for statements between; -1: none. */
static int product_before(struct links *l)
{
	for (int i = l->anchor - 1; i >= 0; i--) {
		const struct node *node = l->b->at[i];
		if (!may_link(node) || !is_read(l, node))
			continue;
		if (node->pattern->chain)
			return result_of(node)->kind == VAR_LET ? i : -1;
		list_add(&l->at, i);
	}
	return -1;
}

/* That product, and the statements after it that read its cells. */
static bool find_links(struct links *l)
{
	int first = product_before(l);
	l->at.n = 0;
	for (int i = first; first >= 0 && i < l->anchor; i++)
		if (i == first || (may_link(l->b->at[i])
		                   && node_reads(l->b->at[i], result_of(l->b->at[first]))))
			list_add(&l->at, i);
	return first >= 0;
}

/* Can the two statements change places? */
static bool are_apart(const struct node *a, const struct node *b)
{
	if (a->kind != NODE_PATTERN)
		return false;
	for (int t = 0; node_target(a, t); t++) {
		const struct var *var = target_read(node_target(a, t))->var;
		if (node_reads(b, var) || node_writes(b, var))
			return false;
	}
	return !node_reads(a, result_of(b));
}

/* Those between the first and the last of the chain move before it, those after the last one after
 * the anchor. */
static const char *no_place(const struct links *l)
{
	int first = l->at.at[0], last = l->at.at[l->at.n - 1];
	for (int i = first; i < l->anchor; i++) {
		if (is_member(l, l->b->at[i]))
			continue;
		bool apart = i < last || are_apart(l->b->at[i], l->b->at[l->anchor]);
		for (int n = 0; n < l->at.n && l->at.at[n] < i && i < last; n++)
			apart &= are_apart(l->b->at[i], l->b->at[l->at.at[n]]);
		if (!apart)
			return str_print("`%s`, between them, uses what they use",
			                 l->b->at[i]->kind == NODE_PATTERN ? l->b->at[i]->name
			                                                   : "a loop");
	}
	return NULL;
}

/* In one kernel nobody may write what an earlier statement uses: other threads still read it. */
static const char *no_order(const struct links *l)
{
	for (int n = 0; n <= l->at.n; n++)
		for (int k = n + 1; k <= l->at.n; k++) {
			const struct var *var = result_of(member(l, k));
			if (node_reads(member(l, n), var) || node_writes(member(l, n), var))
				return str_print("`%s` writes `%s`, which `%s` uses",
				                 member(l, k)->name, var->name, member(l, n)->name);
		}
	return NULL;
}

static bool is_inner(struct map *users, const struct links *l, const struct var *var)
{
	const struct users *u = map_get(users, var);
	bool inner = var->kind == VAR_LET;
	for (int n = 0; inner && n < u->at.n; n++)
		inner = is_member(l, u->at.at[n]);
	return inner;
}

static const char *no_chain(struct map *users, const struct links *l, const struct group *group)
{
	const struct node *anchor = group->anchor;
	const struct var *scores = result_of(member(l, 0));
	for (int n = 0; n <= l->at.n; n++)
		if (member(l, n)->pin.fuse < 0)
			return "pinned";
	if (!is_inner(users, l, scores))
		return str_print("`%s` is used by other statements, too", scores->name);
	const char *why = no_place(l), *pays = NULL;
	why = why ? why : no_order(l);
	if (!why)
		why = anchor->pattern->chain(group, l->b->options->target, &pays);
	return fuse_wanted(anchor, why, pays) ? NULL : why ? why : pays;
}

static void gather(const struct links *l)
{
	struct node **at = l->b->at;
	LIST(struct node *) now = { 0 };
	int first = l->at.at[0], last = l->at.at[l->at.n - 1];
	for (int i = first; i < last; i++)
		if (!is_member(l, at[i]))
			list_add(&now, at[i]);
	for (int n = 0; n < l->at.n; n++)
		list_add(&now, at[l->at.at[n]]);
	list_add(&now, at[l->anchor]);
	for (int i = last + 1; i < l->anchor; i++)
		list_add(&now, at[i]);
	for (int n = 0; n < now.n; n++)
		at[first + n] = now.at[n];
}

static void make_group(struct map *users, const struct links *l, struct group *group)
{
	struct node *anchor = group->anchor;
	const char *names = "";
	for (int n = 0; n < group->chain.n; n++) {
		struct node *node = group->chain.at[n];
		struct var *var = target_read(node_target(node, 0))->var;
		var->on_chip = is_inner(users, l, var);
		names = str_print("%s%s`%s`", names, n ? ", " : "", node->name);
	}
	gather(l);
	anchor->group = group;
	remark_did(anchor, PASS_FUSE, BANDWIDTH,
	           "computes %s tile by tile: `%s` is neither written nor read again", names,
	           result_of(group->chain.at[0])->name);
	for (int n = 0; n < group->chain.n; n++) {
		struct node *node = group->chain.at[n];
		node->group = group;
		remark_did(node, PASS_FUSE, BANDWIDTH, "computed tile by tile with `%s`",
		           anchor->name);
		fuse_join(node, anchor);
	}
}

void fuse_chains(struct map *users, const struct body *b)
{
	for (int i = 0; i < *b->n; i++) {
		struct links l = { .b = b, .anchor = i };
		struct node *anchor = b->at[i];
		if (anchor->kind != NODE_PATTERN || !anchor->pattern->chain || !may_link(anchor)
		    || !find_links(&l))
			continue;
		struct group *group = NEW(struct group);
		group->anchor = anchor;
		for (int n = 0; n < l.at.n; n++)
			list_add(&group->chain, b->at[l.at.at[n]]);
		const char *why = no_chain(users, &l, group);
		if (!why)
			make_group(users, &l, group);
		else
			(b->options->target->gpu ? remark_not : remark_none)(
				anchor, PASS_FUSE, "not tile by tile with `%s`: %s",
				group->chain.at[0]->name, why);
	}
}
