/* ways.c - takes one of a pattern's ways to compute a statement, and says which (ways.h). */
#include "remark.h"
#include "ways.h"

/* ---- the remark: the ways that are taken, and why others are not ---- */

struct sentence {
	struct node *node;
	int before;                          /* remarks that nested tables have given since */
	const char *within, *between;        /* the path of this table; between two ways */
	const char *taken, *refused;
};

static struct sentence sentence_begin(const struct task *c, const char *between)
{
	struct node *node = c->group->anchor;
	return (struct sentence){ node, node->remark.n, c->plan->way, between, "", "" };
}

static void say_taken(struct sentence *s, const struct way *way, bool tested)
{
	const char *where = tested ? str_print(" where %s", way->where) : "";
	s->taken = str_print("%s%s%s%s (%s)", s->taken, *s->taken ? s->between : "", way->name,
	                     where, way->how);
}

static void say_refused(struct sentence *s, const struct way *way, const char *why)
{
	s->refused = str_print("%s; not %s%s", s->refused, way->name, why);
}

static void sentence_end(const struct sentence *s)
{
	const char *path = s->within ? str_print("in %s: ", s->within) : "";
	if (*s->taken)
		remark_way(s->node, s->before, str_print("%s%s%s", path, s->taken, s->refused));
}

/* ---- the ways ---- */

static bool is_on(const struct way *way, const struct target *target)
{
	return way->on == ON_ANY || (way->on == ON_GPU) == target->gpu;
}

static bool can_take(const struct task *c, struct sentence *s)
{
	const struct way *way = c->way;
	if (!is_on(way, c->plan->target))
		return false;
	const char *why = way->why_not ? way->why_not(c->node, c->plan->target) : NULL;
	if (!why && (!way->fits || way->fits(c)))
		return true;
	why = why ? why : way->no;
	if (why)
		say_refused(s, way, str_print(", since %s", why));
	return false;
}

static void take(struct task *c)
{
	const char *within = c->plan->way;
	c->plan->way = within ? str_print("%s/%s", within, c->way->name) : c->way->name;
	c->way->lower(c);
	c->plan->way = within;
	c->first = false;
}

void ways_lower(const struct way *way, struct plan *plan, const struct group *group, void *found)
{
	struct task c = { plan, group, group->anchor, found, way, true };
	struct sentence s = sentence_begin(&c, ", else ");
	int open = 0;                        /* branches of the host */
	bool always = false;
	for (; !always; c.way++) {
		if (!can_take(&c, &s))
			continue;
		struct kx *when = c.way->when ? c.way->when(&c) : NULL;
		if (when && x_is_int(when, 0)) {
			say_refused(&s, c.way, str_print(": only where %s", c.way->where));
			continue;
		}
		always = !when || x_is_int(when, 1);
		say_taken(&s, c.way, !always);
		if (!always)
			k_if(plan->host, when);
		take(&c);
		if (!always) {
			k_else(plan->host);
			open++;
		}
	}
	while (open--)
		k_end(plan->host);
	sentence_end(&s);
}

void ways_each(const struct way *way, struct plan *plan, const struct group *group, void *found)
{
	struct task c = { plan, group, group->anchor, found, way, true };
	struct sentence s = sentence_begin(&c, ", and ");
	for (; c.way->name; c.way++) {
		if (!can_take(&c, &s))
			continue;
		struct kx *when = c.way->when ? c.way->when(&c) : NULL;
		say_taken(&s, c.way, when && !x_is_int(kx_fold(when), 1));
		if (when)
			k_if(plan->host, when);
		take(&c);
		if (when)
			k_end(plan->host);
	}
	sentence_end(&s);
}

const char *ways_suffix(const struct task *c)
{
	return c->first ? "" : str_print("_%s", c->way->name);
}

void ways_cells(const struct task *c)
{
	cells_lower(c->plan, c->group);
}
