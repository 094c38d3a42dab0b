/* sort_lower.c - sort and segsort on a CPU; on a GPU they are refused by name. */
#include "../../src/pass.h"
#include "../lowerings.h"
#include "sort.h"

void sort_shape(const struct node *node, const struct target *target, struct shape *s)
{
	(void)node;
	(void)target;
	s->vector = 1;
	s->no_vector = "the C compiler makes vectors of short sequences side by side";
	s->piece = "sequence";
	s->pieces = 1;
	s->no_pieces = "threads share the sequences, and the parts of long ones";
}

void sort_lower(struct plan *plan, const struct group *group)
{
	const struct node *node = group->anchor;
	if (!plan->target->gpu) {
		sort_cpu(plan, node);
		return;
	}
	diag_error(node->at, D_FORM_NOT_BUILT, "`%s` is not built yet for %s", node->pattern->name, plan->target->name);
	diag_cure("--target=cpu");
}
