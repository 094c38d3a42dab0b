/* schedule.c - what passes share: the statements of an entry, what the user pinned for them, and the dump.
 *
 * A pin beats a pass: choice starts as what was pinned, and a pass decides only what is still open. */
#include <string.h>
#include "pass.h"

static void each(struct node **at, int n, void (*visit)(struct node *, const struct options *), const struct options *o)
{
	for (int i = 0; i < n; i++) {
		if (at[i]->kind == NODE_PATTERN)
			visit(at[i], o);
		each(at[i]->body.at, at[i]->body.n, visit, o);
	}
}

void pass_each(struct entry *entry, void (*visit)(struct node *, const struct options *), const struct options *o)
{
	each(entry->body.at, entry->body.n, visit, o);
}

/* ---- pins (R57): a label beats the kernel, an arch beats its target ---- */

static void merge(struct choice *to, const struct choice *from)
{
	if (from->stage)
		to->stage = from->stage;
	if (from->vector)
		to->vector = from->vector;
	if (from->coarsen)
		to->coarsen = from->coarsen;
	for (int d = 0; d < MAX_RANK && from->tile[0]; d++)
		to->tile[d] = from->tile[d];
}

static bool applies(const struct pin_set *p, const struct node *node, const struct options *o, bool label, bool arch)
{
	if (p->target && strcmp(p->target, o->target->name))
		return false;
	if (p->arch && strcmp(p->arch, o->target->arch))
		return false;
	if (p->label && (!node->label || strcmp(p->label, node->label)))
		return false;
	return (p->label != NULL) == label && (p->arch != NULL) == arch;
}

static void pin_nodes(struct entry *entry, struct node **at, int n, const struct options *o)
{
	for (int i = 0; i < n; i++) {
		for (int rank = 0; rank < 4; rank++)
			for (int p = 0; p < entry->pin.n; p++)
				if (applies(&entry->pin.at[p], at[i], o, rank & 2, rank & 1))
					merge(&at[i]->pin, &entry->pin.at[p].choice);
		at[i]->choice = at[i]->pin;
		pin_nodes(entry, at[i]->body.at, at[i]->body.n, o);
	}
}

void schedule_pins(struct entry *entry, const struct options *o)
{
	pin_nodes(entry, entry->body.at, entry->body.n, o);
}

/* ---- dump ---- */

static void dump_choice(const struct choice *c, FILE *out)
{
	static const char *const level[] = { [STAGE_AUTO] = "auto", [STAGE_L1] = "l1", [STAGE_SHARED] = "shared" };
	fprintf(out, " stage %s", level[c->stage]);
	for (int d = 0; d < MAX_RANK && c->tile[d]; d++)
		fprintf(out, "%s%d", d ? " x " : ", tile ", c->tile[d]);
	if (c->vector)
		fprintf(out, ", vector %d", c->vector);
	if (c->coarsen)
		fprintf(out, ", coarsen %d", c->coarsen);
}

static void dump_nodes(struct node *const *at, int n, int depth, FILE *out)
{
	for (int i = 0; i < n; i++) {
		const struct node *s = at[i];
		if (s->kind != NODE_PATTERN) {
			dump_nodes(s->body.at, s->body.n, depth + 1, out);
			continue;
		}
		fprintf(out, "%*s%s:", 2 * depth, "", s->name);
		if (s->group && s->group->anchor != s)
			fprintf(out, " folded behind %s", s->group->anchor->name);
		else
			dump_choice(&s->choice, out);
		fputc('\n', out);
	}
}

void schedule_dump(const struct program *program, FILE *out)
{
	for (int e = 0; e < program->entry.n; e++) {
		fprintf(out, "schedule %s\n", program->entry.at[e]->name);
		dump_nodes(program->entry.at[e]->body.at, program->entry.at[e]->body.n, 1, out);
	}
}
