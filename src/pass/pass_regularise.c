/* pass_regularise.c - decides how rows of data-dependent lengths are distributed over threads.
 *
 * Needs: pins.  Leaves: choice.regular. Rule (Hwu's regularisation): parts of equal work, whatever
 * rows they belong to, wherever the pattern can make them, since nobody knows the longest row
 * before the run.  A row a thread is as fast only where rows are short and of one length: then the
 * loads of neighbouring threads meet in the cache.
 *
 * Rows whose lengths an index decides have become rows of one length before: regularise_rows.c. */
#include "pass.h"
#include "remark.h"

static void pass_by(struct node *node, const struct shape *s)
{
	const char *none = s->level ? s->level : "none of its ranges depends on data";
	const char *why = s->irregular ? s->irregular : none;
	if (node->pin.regular > 0)
		pin_unfit(node, PIN_REGULARISE, "`%s` cannot share the work of its rows: %s",
		          node->name, why);
	(s->irregular ? remark_not : remark_none)(node, PASS_REGULARISE, "%s", why);
}

static void choose(struct node *node, const struct options *o)
{
	const struct shape s = shape_of(node, o);
	if (node->choice.regular == LEVELLED) {
		remark_did(node, PASS_REGULARISE, BANDWIDTH,
		           "rows whose lengths depend on an index are extended to one length, so "
		           "that threads can share them: a condition excludes the other terms");
		return;
	}
	if (!s.regular) {
		pass_by(node, &s);
		return;
	}
	bool pinned = node->pin.regular,
	     wanted = pinned ? node->pin.regular > 0 : pass_enabled(o, "regularise");
	node->choice.regular = wanted ? 1 : -1;
	if (wanted)
		remark_did(node, PASS_REGULARISE, BALANCE, "%s%s", s.regular,
		           pinned ? ", as pinned" : "");
	else
		remark_not(node, PASS_REGULARISE, pinned ? "pinned" : "--no-pass=regularise");
}

void pass_regularise(struct entry *entry, const struct options *o)
{
	pass_each(entry, choose, o);
}
