/* pass_vectorise.c - how many cells one memory access moves.
 *
 * Needs: pins.  Leaves: choice.vector; 0 means "16 bytes of the widest array", which the lowering knows.
 * Rule: 16-byte accesses, the widest a lane can make, need the fewest instructions for the bytes in flight
 * (algorithms 1.4).  Switched off, every access moves one element. */
#include "pass.h"

static void one(struct node *node, const struct options *o)
{
	(void)o;
	node->choice.vector = 1;
}

void pass_vectorise(struct entry *entry, const struct options *o)
{
	if (!pass_enabled(o, "vectorise"))
		pass_each(entry, one, o);
}
