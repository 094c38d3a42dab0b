/* ways.c - takes one of a pattern's ways to compute a statement (ways.h). */
#include "ways.h"

static bool can_take(const struct task *c)
{
	const struct way *way = c->way;
	return (!way->fits || way->fits(c))
	       && !(way->why_not && way->why_not(c->node, c->plan->target));
}

void ways_lower(const struct way *way, struct plan *plan, const struct group *group, void *found)
{
	struct task c = { plan, group, group->anchor, found, way, true };
	int open = 0;                        /* branches of the host */
	bool always = false;
	for (; !always; c.way++) {
		if (!can_take(&c))
			continue;
		struct kx *when = c.way->when ? c.way->when(&c) : NULL;
		if (when && x_is_int(when, 0))
			continue;
		always = !when || x_is_int(when, 1);
		if (!always)
			k_if(plan->host, when);
		c.way->lower(&c);
		c.first = false;
		if (!always) {
			k_else(plan->host);
			open++;
		}
	}
	while (open--)
		k_end(plan->host);
}

void ways_each(const struct way *way, struct plan *plan, const struct group *group, void *found)
{
	struct task c = { plan, group, group->anchor, found, way, true };
	for (; c.way->name; c.way++) {
		if (!can_take(&c))
			continue;
		struct kx *when = c.way->when ? c.way->when(&c) : NULL;
		if (when)
			k_if(plan->host, when);
		c.way->lower(&c);
		c.first = false;
		if (when)
			k_end(plan->host);
	}
}

const char *ways_suffix(const struct task *c)
{
	return c->first ? "" : str_print("_%s", c->way->name);
}

void ways_cells(const struct task *c)
{
	cells_lower(c->plan, c->group);
}
