/* layout_gain.c - estimates how much less memory a kernel's loops would move if a caller's structs
 * were stored field by field.
 *
 * Memory moves sectors: with the fields that a statement asks for come those that lie beside them
 * (struct_use.c).  Field by field a sector holds nothing else, so the difference is saved in every
 * pass of a loop around the statement; whether that is worth two conversions is for pass_layout.c
 * to say.  Passes of a counted loop share visits of memory only if fields lie apart (pass_time.c):
 * then a part of what the statements ask for is saved as well.
 *
 * Rule: only statements inside of loops count, and only those that come to every cell: an access at
 * the statement's own indices, each of which runs over the whole axis, and no mask.  Whoever looks
 * at some cells may save nothing. Passes are counted where the limit is a constant; a loop until,
 * and one whose count a parameter gives, may make none: for them it is said what one pass saves. */
#include "layout_keep.h"
#include "ask.h"
#include "struct_use.h"

/* Of what a pass asks for: half of what the shortest visits save, since a loop may have none. */
static const double VISITED = 0.25;

struct tally { struct var *const *var; int n; int64_t sector; bool visits; struct gain gain; };

/* ---- does the statement come to every cell? ---- */

struct access { const struct node *node; const struct var *var; bool all; };

static bool spans(const struct node *node, const struct expr *cell)
{
	for (int a = 0; a < cell->var->rank; a++) {
		int k;
		int64_t offset;
		if (!access_offset(node, cell, a, &k, &offset)
		    || !affine_spans(node->lo.at[k], node->hi.at[k], &cell->var->extent[a]))
			return false;
	}
	return true;
}

static bool see(struct expr *e, void *state)
{
	struct access *a = state;
	a->all |= e->kind == E_READ && e->var == a->var && spans(a->node, e);
	return true;
}

static bool comes_to_all(const struct node *node, const struct var *v)
{
	struct access a = { .node = node, .var = v };
	if (!node->where)
		node_walk((struct node *)node, see, &a);
	return a.all;
}

/* ---- what it moves ---- */

static double beside(const struct struct_use *use, const bool *used, int64_t sector)
{
	double asked = (double)use_amount(use, used).bytes;
	return asked > 0
	               ? use_sectors(use, used, sector) * (double)type_size(use->var->type) - asked
	               : 0;
}

/* Visits hold scalars. */
static bool is_flat(const struct type *type)
{
	bool flat = true;
	for (int f = 0; f < type->record->field.n; f++) {
		const struct type *field = type->record->field.at[f].type;
		flat &= field->kind != T_ARRAY && field->kind != T_STRUCT;
	}
	return flat;
}

static double asked(const struct struct_use *use)
{
	if (!is_flat(use->var->type))
		return 0;
	return (double)(use_amount(use, use->read).bytes + use_amount(use, use->written).bytes);
}

static double saved(const struct tally *t, const struct node *node, bool visited)
{
	struct struct_uses uses = struct_uses_of(node);
	double bytes = 0;
	for (int u = 0; u < uses.at.n; u++) {
		const struct struct_use *use = &uses.at.at[u];
		for (int v = 0; v < t->n; v++)
			if (use->var == t->var[v] && comes_to_all(node, use->var))
				bytes += beside(use, use->read, t->sector)
				         + beside(use, use->written, t->sector)
				         + (visited ? VISITED * asked(use) : 0);
	}
	return bytes;
}

/* ---- how often ---- */

/* -1: only the run shows it. */
static int64_t passes_of(const struct node *loop)
{
	struct affine limit;
	if (loop->kind != NODE_REPEAT_COUNT || !affine_of(loop->limit, &limit) || limit.n)
		return -1;
	return limit.constant > 0 ? limit.constant : 0;
}

/* May pass_time.c share visits among these statements?  It tests their reads later. */
static bool may_visit(const struct node *loop)
{
	bool may = loop->kind == NODE_REPEAT_COUNT;
	for (int i = 0; may && i < loop->body.n; i++) {
		const struct node *s = loop->body.at[i];
		may = s->kind == NODE_SWAP
		      || (s->kind == NODE_PATTERN && s->pattern->passes && s->pin.time >= 0);
	}
	return may;
}

/* times: passes around the body, those known multiplied; 0: none are. */
static void add_body(struct tally *t, struct node *const *at, int n, double times, bool known,
                     bool visited)
{
	for (int i = 0; i < n; i++) {
		int64_t passes = at[i]->body.n ? passes_of(at[i]) : 0;
		if (at[i]->kind == NODE_PATTERN && times > 0)
			*(known ? &t->gain.sure : &t->gain.pass)
				+= times * saved(t, at[i], visited);
		else if (passes)
			add_body(t, at[i]->body.at, at[i]->body.n,
			         (times > 0 ? times : 1) * (double)(passes > 0 ? passes : 1),
			         known && passes > 0, t->visits && may_visit(at[i]));
	}
}

struct gain layout_gain(const struct entry *entry, struct var *const *var, int n, int64_t sector,
                        bool visits)
{
	struct tally t = { .var = var, .n = n, .sector = sector, .visits = visits };
	add_body(&t, entry->body.at, entry->body.n, 0, true, false);
	return t.gain;
}
