/* pass_walk.c - decides which threads run the iterations of a function's loop whose number depends
 * on data.
 *
 * Needs: pins, groups.  Leaves: choice.walk.  Rule: a thread makes all passes of its cells.  How
 * long the walks of a warp differ, and how many cells of an array they share, only data say: so
 * the other schedules (walks.c) are chosen by a pin. */
#include "pass.h"
#include "remark.h"
#include "walk.h"

static void tell(struct node *node, const struct options *o)
{
	switch (node->choice.walk) {
	case WALK_REFILL:
		remark_did(node, PASS_WALK, BALANCE,
		           "refill, as pinned: lanes whose walks have ended take the next cells");
		return;
	case WALK_PACKET:
		remark_did(node, PASS_WALK, BANDWIDTH,
		           "packet, as pinned: lanes with the same cursor make a pass together");
		return;
	case WALK_AUTO: case WALK_THREAD: case WALK_COUNT: break;
	}
	(o->target->gpu
	         ? remark_not
	         : remark_none)(node, PASS_WALK, "%s",
	                        node->pin.walk ? "a thread makes all passes of its cells, as pinned"
	                                       : "a thread makes all passes of its cells: how "
	                                         "walks differ is known only at run time");
}

static void choose(struct node *node, const struct options *o)
{
	const struct shape s = shape_of(node, o);
	const enum walks pin = node->pin.walk;
	const char *why = s.walks ? s.no_walk[pin] : NULL;
	if (pin && !s.walks)
		pin_unfit(node, PIN_WALK,
		          "`%s` has no walks for the schedule `%s`: it is not a map or gather that "
		          "calls a function with a loop limited by `at most`",
		          node->name, walk_text[pin]);
	else if (pin && why)
		pin_unfit(node, PIN_WALK, "`%s` has no walks for the schedule `%s`: %s", node->name,
		          walk_text[pin], why);
	node->choice.walk = pin && s.walks && !why ? pin : WALK_THREAD;
	if (s.walks)
		tell(node, o);
}

void pass_walk(struct entry *entry, const struct options *o)
{
	pass_each(entry, choose, o);
}
