/* scan_lower.c - which lowering a scan takes. */
#include "../lowerings.h"
#include "../../src/pass.h"
#include "carry.h"
#include "scan.h"

/* The last axis of the first target runs. */
static bool along_rows(const struct node *node)
{
	const struct expr *target = target_read(node_target(node, 0));
	return expr_uses(target->arg.at[target->var->rank - 1], node->index.at[node->running->axis]);
}

void scan_lower(struct plan *plan, const struct group *group)
{
	const struct node *node = group->anchor;
	if (!carry_fits(node)) {
		diag_error(node->at, D_FORM_NOT_BUILT, "more than 8 folds and recurrences in one scan are not built");
		diag_cure("write two statements");
		return;
	}
	if (!plan->target->gpu)
		scan_cpu(plan, group);
	else if (!along_rows(node))
		scan_columns(plan, node);
	else
		diag_error(node->at, D_FORM_NOT_BUILT, "a scan is not built for %s yet", plan->target->name);
}

static const char *no_vector(const struct target *target)
{
	if (!target->gpu)
		return "the C compiler makes vectors of the inner loop";
	return "its cells do not lie side by side as the domain's do";
}

void scan_shape(const struct node *node, const struct target *target, struct shape *s)
{
	struct node open = *node;
	open.choice.vector = 0;
	s->vector = target->gpu && !along_rows(node) ? columns_width(&open) : 1;
	s->no_vector = no_vector(target);
	s->piece = "vector";
	s->pieces = 1;
	s->no_pieces = target->gpu ? "as many vectors a thread as its registers hold"
	                           : "threads share the sequences, as many as OpenMP gives";
}
