/* sema_pin.c - schedule blocks: what a user pins, checked for form and limits (R57).
 *
 *     schedule blur for cuda sm_90 { step: stage shared, tile 8 x 128, coarsen 4, vector 4; }
 *
 * Whether a pin suits the machine and the statement is said by the pass that obeys it. */
#include <string.h>

#include "sema_impl.h"

#define MAX_TILE 65536      /* cells along an axis */
#define MAX_COARSEN 64
#define MAX_VECTOR 16       /* elements: 16 bytes of u8 */

struct phrase { struct ast *const *word; int n; struct loc at; };

static bool word_is(const struct ast *a, const char *text)
{
	return a->kind == A_NAME && !strcmp(a->name, text);
}

static bool number_of(const struct ast *a, int64_t most, int *out)
{
	struct expr *e = a->kind == A_NUMBER ? literal_number(a, false) : NULL;

	if (e && e->type->kind == T_INT_LIT && e->value.f >= 1 && e->value.f <= (double)most) {
		*out = (int)e->value.i;
		return true;
	}
	diag_error(a->at, D_PIN_VALUE, "this pin takes a whole number from 1 to %lld", (long long)most);
	return false;
}

static bool needs(const struct phrase *p, int n, const char *form)
{
	if (p->n == n)
		return true;
	diag_error(p->at, D_PIN_VALUE, "the pin `%s` reads `%s`", ast_text(p->word[0]), form);
	return false;
}

static bool pin_stage(const struct phrase *p, struct choice *c)
{
	if (!needs(p, 2, "stage shared"))
		return false;
	if (word_is(p->word[1], "l1"))
		c->stage = STAGE_L1;
	else if (word_is(p->word[1], "shared"))
		c->stage = STAGE_SHARED;
	else if (word_is(p->word[1], "registers")) {
		diag_error(p->word[1]->at, D_PIN_NOT_BUILT, "`stage registers` is not built yet");
		diag_cure("`stage l1` and `stage shared` are");
		return false;
	} else {
		diag_error(p->word[1]->at, D_PIN_VALUE, "no stage `%s`", ast_text(p->word[1]));
		diag_cure("`stage l1` or `stage shared`");
		return false;
	}
	return true;
}

/* tile 8 x 128: slowest axis first */
static bool pin_tile(const struct phrase *p, struct choice *c)
{
	int axes = p->n / 2;

	if (p->n % 2 || axes < 1 || axes > MAX_RANK)
		return needs(p, -1, "tile 8 x 128");
	for (int k = 0; k < axes; k++) {
		if (k && !word_is(p->word[2 * k], "x"))
			return needs(p, -1, "tile 8 x 128");
		if (!number_of(p->word[2 * k + 1], MAX_TILE, &c->tile[k]))
			return false;
	}
	return true;
}

static bool pin_coarsen(const struct phrase *p, struct choice *c)
{
	return needs(p, 2, "coarsen 4") && number_of(p->word[1], MAX_COARSEN, &c->coarsen);
}

static bool pin_vector(const struct phrase *p, struct choice *c)
{
	if (!needs(p, 2, "vector 4") || !number_of(p->word[1], MAX_VECTOR, &c->vector))
		return false;
	if (!(c->vector & (c->vector - 1)))
		return true;
	diag_error(p->word[1]->at, D_PIN_VALUE, "a vector has 1, 2, 4, 8 or 16 elements, not %d",
	           c->vector);
	return false;
}

static const struct { const char *name; bool (*read)(const struct phrase *,
                                                     struct choice *); } pins[] = {
	{ "stage", pin_stage }, { "tile", pin_tile }, { "coarsen", pin_coarsen }, { "vector",
	                                                                           pin_vector },
	{ "time", NULL }, { "registers", NULL }, { "layout", NULL }, { "fuse", NULL }, { "privatise",
	                                                                                NULL },
	{ "bin", NULL }, { "gather", NULL }, { "regularise", NULL },
};
enum { PINS = sizeof pins / sizeof *pins };

static int pin_find(const struct ast *a)
{
	for (int k = 0; k < PINS; k++)
		if ((a->kind == A_NAME || a->kind == A_CALL) && !strcmp(pins[k].name, a->name))
			return k;
	return -1;
}

static bool pin_read(const struct ast_phrase *a, struct choice *c, unsigned *seen)
{
	struct phrase p = { a->word.at, a->word.n, a->word.at[0]->at };
	int k = pin_find(p.word[0]);

	if (k < 0) {
		diag_error(p.at, D_PIN_UNKNOWN, "no pin `%s`", ast_text(p.word[0]));
		diag_cure("pins: `stage l1`, `stage shared`, `tile 8 x 128`, `coarsen 4`, `vector 4`");
		return false;
	}
	if (!pins[k].read) {
		diag_error(p.at, D_PIN_NOT_BUILT, "the pin `%s` is not built yet", pins[k].name);
		diag_cure("`stage`, `tile`, `coarsen` and `vector` are");
		return false;
	}
	if (*seen & 1u << k) {
		diag_error(p.at, D_PIN_TWICE, "`%s` is pinned twice", pins[k].name);
		return false;
	}
	*seen |= 1u << k;
	return pins[k].read(&p, c);
}

/* ---- for what it holds ---- */

static struct entry *entry_find(const struct program *p, const char *name)
{
	for (int k = 0; k < p->entry.n; k++)
		if (p->entry.at[k]->name == name)
			return p->entry.at[k];
	return NULL;
}

static bool label_in(struct node *const *node, int n, const char *label)
{
	for (int k = 0; k < n; k++)
		if (node[k]->label == label || label_in(node[k]->body.at, node[k]->body.n, label))
			return true;
	return false;
}

static bool unknown_target(const struct ast *a)
{
	char *list = "";

	for (int k = 0; targets[k]; k++)
		list = str_print("%s%s%s", list, k ? ", " : "", targets[k]->name);
	diag_error(a->at, D_PIN_TARGET, "no target `%s`", ast_text(a));
	diag_cure("targets: %s", list);
	return false;
}

static bool arch_known(const struct target *t, const struct ast *a)
{
	if (a->kind == A_NAME && target_arch(t, a->name))
		return true;
	diag_error(a->at, D_PIN_TARGET, "target %s has no architecture `%s`", t->name, ast_text(a));
	diag_cure("it has %s", target_archs(t));
	return false;
}

/* for cuda sm_90: a target, perhaps an architecture */
static bool target_check(const struct ast_decl *d, struct pin_set *set)
{
	const struct ast_phrase *p = d->claim.n ? d->claim.at[0] : NULL;
	const struct target *t;

	if (!p || !p->word.n)
		return true;
	t = p->word.at[0]->kind == A_NAME ? target_find(p->word.at[0]->name) : NULL;
	if (!t)
		return unknown_target(p->word.at[0]);
	set->target = t->name;
	if (p->word.n > 2) {
		diag_error(p->word.at[2]->at, D_PIN_TARGET, "after `for` come a target and an architecture");
		return false;
	}
	if (p->word.n < 2)
		return true;
	set->arch = p->word.at[1]->name;
	return arch_known(t, p->word.at[1]);
}

static bool label_check(const struct entry *e, const struct ast_pin *a)
{
	if (!a->label || label_in(e->body.at, e->body.n, a->label))
		return true;
	if (diag_errors())                   /* the statement may be among those that were refused */
		return false;
	diag_error(a->at, D_PIN_LABEL, "kernel `%s` has no statement labelled `%s`", e->name, a->label);
	diag_cure("write the label before the statement: `%s: ...`", a->label);
	return false;
}

static void pin_check(struct entry *e, const struct ast_pin *a, struct pin_set set)
{
	unsigned seen = 0;
	bool fine = label_check(e, a);

	set.at = a->at;
	set.label = a->label;
	for (int k = 0; k < a->phrase.n; k++)
		fine = pin_read(a->phrase.at[k], &set.choice, &seen) && fine;
	if (fine)
		list_add(&e->pin, set);
}

void pins_check(struct sema *s, const struct ast_decl *d)
{
	struct entry *e = entry_find(s->program, str_name(name_safe(d->name)));
	struct pin_set set = { .at = d->at };

	if (!e) {
		diag_error(d->at, D_PIN_KERNEL, "no kernel `%s` to schedule", d->name);
		return;
	}
	if (!target_check(d, &set))
		return;
	for (int k = 0; k < d->pin.n; k++)
		pin_check(e, d->pin.at[k], set);
}
