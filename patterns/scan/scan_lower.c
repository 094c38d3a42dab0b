/* scan_lower.c - which lowering a scan takes. */
#include "../../src/lower.h"
#include "../lowerings.h"

void scan_lower(struct plan *plan, const struct group *group)
{
	diag_error(group->anchor->at, D_FORM_NOT_BUILT, "a scan is not built for %s yet", plan->target->name);
}
