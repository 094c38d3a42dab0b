/* compact_lower.c - compact on a CPU or a GPU. */
#include "pass.h"
#include "../lowerings.h"
#include "compact.h"

void compact_shape(const struct node *node, const struct target *target, struct shape *s)
{
	(void)node;
	s->vector = 1;
	s->no_vector = target->gpu ? "lanes take neighbouring items, as vectors where registers "
	                             "can hold their values"
	                           : "the C compiler makes vectors of the loop that counts";
	s->piece = "item";
	s->pieces = 1;
	s->no_pieces = target->gpu
	                       ? "a thread takes as many items as keep memory busy and fit a mask"
	                       : "threads share the chunks, as many as OpenMP gives";
}

void compact_lower(struct plan *plan, const struct group *group)
{
	struct box box;
	if (!box_find(&box, plan, group->anchor))
		return;
	if (plan->target->gpu)
		compact_gpu(&box);
	else
		compact_cpu(&box);
}
