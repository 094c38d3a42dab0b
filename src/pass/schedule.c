/* schedule.c - what passes share: the statements of an entry, what the user pinned for them, and
 * the dump.
 *
 * A pin beats a pass: choice starts as what was pinned, and a pass decides only what is still open.
 * */
#include <assert.h>
#include <stdarg.h>
#include <string.h>
#include "pass.h"

static void each(struct node **at, int n, void (*visit)(struct node *, const struct options *),
                 const struct options *o)
{
	for (int i = 0; i < n && program_fits(at[i]->at); i++) {
		if (at[i]->kind == NODE_PATTERN && !at[i]->into)
			visit(at[i], o);
		each(at[i]->body.at, at[i]->body.n, visit, o);
	}
}

void pass_each(struct entry *entry, void (*visit)(struct node *, const struct options *),
               const struct options *o)
{
	each(entry->body.at, entry->body.n, visit, o);
}

static void insert(struct insertion *b, struct node **at, int n,
                   void (*visit)(struct node *, struct insertion *))
{
	for (int i = 0; i < n && program_fits(at[i]->at); i++) {
		bool repeats = at[i]->kind == NODE_REPEAT_COUNT || at[i]->kind == NODE_REPEAT_UNTIL;
		struct insertion inner = { .entry = b->entry,
			              .repeat = repeats ? at[i] : b->repeat,
			              .o = b->o };
		if (at[i]->kind == NODE_PATTERN)
			visit(at[i], b);
		insert(&inner, at[i]->body.at, at[i]->body.n, visit);
		at[i]->body.at = inner.made.at;
		at[i]->body.n = inner.made.n;
		at[i]->body.room = inner.made.room;
		list_add(&b->made, at[i]);
	}
}

void pass_insert(struct entry *entry, void (*visit)(struct node *, struct insertion *),
                 const struct options *o)
{
	struct insertion b = { .entry = entry, .o = o };
	insert(&b, entry->body.at, entry->body.n, visit);
	entry->body.at = b.made.at;
	entry->body.n = b.made.n;
	entry->body.room = b.made.room;
}

static bool is_taken(const struct insertion *b, const char *name)
{
	for (int i = 0; i < b->made.n; i++)
		if (b->made.at[i]->name == name)
			return true;
	return false;
}

const char *insertion_name(const struct insertion *b, const char *plain)
{
	const char *name = str_name(plain);
	for (int k = 2; is_taken(b, name); k++)
		name = str_name(str_print("%s_%d", plain, k));
	return name;
}

/* ---- pins (R57): a tuning file beats the program, a label the kernel, a condition none, an arch
 * its target ---- */

enum { BY_ARCH = 1, BY_WHEN = 2, BY_LABEL = 4, BY_TUNING = 8 };

static int rank_of(const struct pin_set *p)
{
	return (p->arch ? BY_ARCH : 0) | (p->when ? BY_WHEN : 0) | (p->label ? BY_LABEL : 0)
	       | (p->tuning ? BY_TUNING : 0);
}

static bool applies(const struct pin_set *p, const struct node *node, const struct options *o)
{
	return !strcmp(p->target, o->target->name)
	    && (!p->arch || !strcmp(p->arch, o->target->arch))
	    && (!p->when || p->variant == node->variant)
	    && (!p->label || (node->label && !strcmp(p->label, node->label)));
}

static void copy_pin(enum pin pin, struct choice *to, const struct choice *from)
{
	switch (pin) {
	case PIN_FUSE: to->fuse = from->fuse; return;
	case PIN_STAGE: to->stage = from->stage; return;
	case PIN_TILE: memcpy(to->tile, from->tile, sizeof to->tile); return;
	case PIN_BLOCK: to->block = from->block; return;
	case PIN_VECTOR: to->vector = from->vector; return;
	case PIN_COARSEN: to->coarsen = from->coarsen; return;
	case PIN_SWEEP: to->sweep = from->sweep; return;
	case PIN_WALK: to->walk = from->walk; return;
	case PIN_PACK: to->pack = from->pack; return;
	case PIN_REGULARISE: to->regular = from->regular; return;
	case PIN_GATHER: to->gather = from->gather; return;
	case PIN_SYMMETRIC: to->symmetric = from->symmetric; return;
	case PIN_SEPARATE: to->separate = from->separate; return;
	case PIN_PRIVATISE:
		to->privatise = from->privatise, to->copies = from->copies, to->first = from->first,
		to->hot = from->hot;
		return;
	case PIN_LAYOUT: to->layout = from->layout; return;
	case PIN_BIN: to->bin = from->bin, to->cap = from->cap; return;
	case PIN_TIME: to->time = from->time; return;
	case PIN_COUNT: break;
	}
	assert(!"a pin that is built");
}

static void pin_node(struct node *node, const struct pin_set *p)
{
	for (enum pin pin = 0; pin < PIN_COUNT; pin++) {
		if (!p->at[pin].line)
			continue;
		copy_pin(pin, &node->pin, &p->choice);
		node->pinned[pin] = (struct pinned){ p->at[pin], p->label != NULL };
	}
}

/* A loop or a swap: only what it repeats decides anything. */
static void refuse_all(const struct node *node)
{
	for (enum pin pin = 0; pin < PIN_COUNT; pin++)
		if (pin_refused(node, pin, D_PIN_UNFIT, "`%s` is a %s, which has no pins",
		                node->label, node->kind == NODE_SWAP ? "swap" : "loop")) {
			diag_cure(node->body.n ? "label and pin the statements in it"
			                       : "remove the pin");
			fix_leave_out_pin(node->pinned[pin].at);
		}
}

static void pin_nodes(struct entry *entry, struct node **at, int n, const struct options *o)
{
	for (int i = 0; i < n; i++) {
		for (int rank = 0; rank < 2 * BY_TUNING; rank++)
			for (int p = 0; p < entry->pin.n; p++)
				if (rank_of(&entry->pin.at[p]) == rank
				    && applies(&entry->pin.at[p], at[i], o))
					pin_node(at[i], &entry->pin.at[p]);
		if (at[i]->kind != NODE_PATTERN)
			refuse_all(at[i]);
		at[i]->choice = at[i]->pin;
		pin_nodes(entry, at[i]->body.at, at[i]->body.n, o);
	}
}

void schedule_pins(struct entry *entry, const struct options *o)
{
	pin_nodes(entry, entry->body.at, entry->body.n, o);
}

void pins_inherit(struct node *made, const struct node *node)
{
	made->pin = node->pin;
	memcpy(made->pinned, node->pinned, sizeof made->pinned);
	for (enum pin pin = 0; pin < PIN_COUNT; pin++)
		made->pinned[pin].own = false;
	made->choice = made->pin;
}

struct shape shape_of(const struct node *node, const struct options *o)
{
	struct shape s = { .vector = 1, .pieces = 1, .piece = "cell" };
	node->pattern->shape(node, o->target, &s);
	return s;
}

int blocks_of_unit(const struct target *t, int threads, int64_t shared)
{
	int blocks = t->unit_threads / threads;
	int64_t all = shared + t->block_shared;
	if (shared > 0 && t->unit_shared / all < blocks)
		blocks = (int)(t->unit_shared / all);
	return blocks < t->unit_blocks ? blocks : t->unit_blocks;
}

static bool refused(const struct node *node, enum pin pin, enum diag code, const char *format,
                    va_list args)
{
	if (!node->pinned[pin].own)
		return false;
	FILE *text = text_open();
	vfprintf(text, format, args);
	diag_error(node->pinned[pin].at, code, "%s", text_close(text));
	return true;
}

bool pin_refused(const struct node *node, enum pin pin, enum diag code, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	bool told = refused(node, pin, code, format, args);
	va_end(args);
	return told;
}

bool pin_unfit(const struct node *node, enum pin pin, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	bool told = refused(node, pin, D_PIN_UNFIT, format, args);
	va_end(args);
	if (told) {
		diag_cure("remove the pin: --remarks then shows what patc chooses");
		fix_leave_out_pin(node->pinned[pin].at);
	}
	return told;
}

/* ---- dump ---- */

static void dump_choice(const struct choice *c, FILE *out)
{
	fprintf(out, " stage %s", stage_text[c->stage]);
	for (int d = 0; d < MAX_RANK && c->tile[d]; d++)
		fprintf(out, "%s%d", d ? " x " : ", tile ", c->tile[d]);
	if (c->vector)
		fprintf(out, ", vector %d", c->vector);
	if (c->coarsen)
		fprintf(out, ", coarsen %d", c->coarsen);
	if (c->privatise > 0)
		fputs(", privatise", out);
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
			fprintf(out, " %s %s",
			        s->group->mate.n    ? "on the rows of"
			        : s->group->chain.n ? "in the tiles of"
			                            : "folded behind",
			        s->group->anchor->name);
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
