/* pass_symmetric.c - decides which pairs are computed once for both of their results.
 *
 * Needs: pins; choice.stage, since a block shares the terms of such pairs.  Leaves:
 * choice.symmetric.  Rule: only what is pinned.  The pattern proves that the term for (j, i) is the
 * one for (i, j), or its negative (patterns/reduce/mirror.c). */
#include "pass.h"
#include "remark.h"

/* Pairs are computed twice; NULL: a pin decides. */
static const char *why_not(const struct node *node, const struct shape *s)
{
	return s->no_symmetric                      ? s->no_symmetric
	       : node->choice.stage != STAGE_SHARED ? "its terms are not in shared memory"
	                                            : NULL;
}

static void told(struct node *node, const char *why)
{
	if (why)
		remark_none(node, PASS_SYMMETRIC, "%s", why);
	else if (node->choice.symmetric > 0)
		remark_did(node, PASS_SYMMETRIC, EFFICIENCY,
		           "each pair is computed once for both of its results, as pinned");
	else if (node->pin.symmetric)
		remark_not(node, PASS_SYMMETRIC, "pinned");
	else
		remark_not(node, PASS_SYMMETRIC,
		           "a pair is computed for each of its two results; the pin `symmetric` "
		           "computes it once");
}

static void choose(struct node *node, const struct options *o)
{
	const struct shape s = shape_of(node, o);
	const char *why = why_not(node, &s);
	bool wanted = node->pin.symmetric > 0;
	node->choice.symmetric = s.pairs && !why && wanted ? 1 : -1;
	if (wanted && !s.pairs)
		pin_unfit(node, PIN_SYMMETRIC, "`%s` folds no pairs whose terms a block shares",
		          node->name);
	else if (wanted && why)
		pin_unfit(node, PIN_SYMMETRIC, "the pairs of `%s` are not computed once: %s",
		          node->name, why);
	if (s.pairs)
		told(node, why);
}

void pass_symmetric(struct entry *entry, const struct options *o)
{
	pass_each(entry, choose, o);
}
