/* pass_coarsen.c - how much work one thread does.
 *
 * Needs: pins.  Leaves: choice.coarsen; 0 lets the lowering's host code decide by the shape.
 * Rule: enough bytes in flight a multiprocessor (algorithms 1.4): one 16-byte vector an input array and a
 * full complement of threads reach it for two inputs or more, which is why one vector a thread measured
 * best for saxpy (4,357 GB/s on an H200; 4,287 with two, 4,265 with four).  Switched off: one. */
#include "pass.h"

static void one(struct node *node, const struct options *o)
{
	(void)o;
	node->choice.coarsen = 1;
}

void pass_coarsen(struct entry *entry, const struct options *o)
{
	if (!pass_enabled(o, "coarsen"))
		pass_each(entry, one, o);
}
