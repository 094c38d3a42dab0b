/* scan_lower.c - which lowering a scan takes. */
#include "../lowerings.h"
#include "carry.h"
#include "scan.h"

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
	else
		diag_error(node->at, D_FORM_NOT_BUILT, "a scan is not built for %s yet", plan->target->name);
}
