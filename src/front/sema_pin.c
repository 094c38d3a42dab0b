/* sema_pin.c - schedule blocks, in the program or in the file of --schedule: what a user pins,
 * checked for form and limits (R57).
 *
 *     schedule blur for cuda sm_90 { step: stage shared, tile 8 x 128, coarsen 4, vector 4; }
 *
 * Whether a pin suits the machine and the statement is said by the pass that obeys it. */
#include <assert.h>
#include <string.h>

#include "sema_impl.h"

#define MAX_TILE 65536      /* cells along an axis */
#define MAX_BLOCK 1024      /* threads */
#define MAX_COARSEN 64
#define MAX_COPIES 128      /* of a cell */
#define MAX_FIRST 1000000   /* cells */
#define MAX_BIN 16          /* cells of a radius */
#define MAX_TIME 64         /* passes of a launch */
#define MAX_CAP 1000000     /* bodies a cell */
#define MAX_VECTOR 16       /* elements: 16 bytes of u8 */

struct phrase { struct ast *const *word; int n; struct loc at; };

static const struct { const char *name, *form; bool built; } pins[] = {
#define PIN(id, name, form, built) { name, form, built },
#include "pin.def"
#undef PIN
};

static bool word_is(const struct ast *a, const char *text)
{
	return a->kind == A_NAME && !strcmp(a->name, text);
}

/* ---- one pin ---- */

static struct like near_word(const struct ast *a)
{
	return near_begin(a->kind == A_NAME || a->kind == A_CALL ? a->name : "");
}

static void cure_leave_out(struct loc at)
{
	diag_cure("remove the pin: --remarks then shows what patc chooses");
	fix_leave_out_pin(at);
}

static bool number_of(const struct ast *a, int64_t most, int *out)
{
	struct expr *e = a->kind == A_NUMBER ? literal_number(a, false) : NULL;

	if (e && e->type->kind == T_INT_LIT && e->value.f >= 1 && e->value.f <= (double)most) {
		*out = (int)e->value.i;
		return true;
	}
	diag_error(a->at, D_PIN_VALUE, "this pin takes an integer from 1 to %lld", (long long)most);
	diag_cure("remove the pin: --remarks then shows what patc chooses");
	return false;
}

static bool misread(const struct phrase *p, enum pin pin)
{
	diag_error(p->at, D_PIN_VALUE, "the pin `%s` is written `%s`", ast_text(p->word[0]),
	           pins[pin].form);
	cure_leave_out(p->at);
	return false;
}

static bool pin_number(const struct phrase *p, enum pin pin, int64_t most, int *out)
{
	return p->n == 2 ? number_of(p->word[1], most, out) : misread(p, pin);
}

static bool is_switch(enum pin pin)
{
	return pin == PIN_FUSE || pin == PIN_REGULARISE || pin == PIN_GATHER || pin == PIN_PACK
	    || pin == PIN_BIN || pin == PIN_PRIVATISE || pin == PIN_SEPARATE
	    || pin == PIN_SYMMETRIC || pin == PIN_TIME;
}

static bool pin_switch(const struct phrase *p, enum pin pin, int *out)
{
	bool no = word_is(p->word[0], "no");

	*out = no ? -1 : 1;
	return p->n == 1 + no || misread(p, pin);
}

/* The number of the word that is pinned: 1 .. n - 1; 0 after an error, for any other word. */
static int pin_word(const struct phrase *p, enum pin pin, const char *const *word, int n)
{
	char *list = "";

	if (p->n != 2)
		return misread(p, pin);
	struct like like = near_word(p->word[1]);
	for (int k = 1; k < n; k++) {
		near_add(&like, word[k]);
		if (word_is(p->word[1], word[k]))
			return k;
		list = str_print("%s%s`%s %s`", list, *list ? ", " : "", pins[pin].name, word[k]);
	}
	diag_error(p->word[1]->at, D_PIN_VALUE, "no %s `%s`", pins[pin].name,
	           ast_text(p->word[1]));
	if (!cure_near(&like, p->word[1]->at))
		diag_cure("%s", list);
	return 0;
}

/* tile 8 x 128: in the order of the indices */
static bool pin_tile(const struct phrase *p, struct choice *c)
{
	int axes = p->n / 2;

	if (p->n % 2 || axes < 1 || axes > MAX_RANK)
		return misread(p, PIN_TILE);
	for (int k = 0; k < axes; k++) {
		if (k && !word_is(p->word[2 * k], "x"))
			return misread(p, PIN_TILE);
		if (!number_of(p->word[2 * k + 1], MAX_TILE, &c->tile[k]))
			return false;
	}
	return true;
}

static bool pin_vector(const struct phrase *p, struct choice *c)
{
	if (!pin_number(p, PIN_VECTOR, MAX_VECTOR, &c->vector))
		return false;
	if (!(c->vector & (c->vector - 1)))
		return true;
	diag_error(p->word[1]->at, D_PIN_VALUE,
	           "a vector must have 1, 2, 4, 8 or 16 elements, not %d", c->vector);
	cure_leave_out(p->at);
	return false;
}

static bool pin_pack(const struct phrase *p, struct choice *c)
{
	if (word_is(p->word[0], "no"))
		return pin_switch(p, PIN_PACK, &c->pack);
	if (!pin_number(p, PIN_PACK, 16, &c->pack))
		return false;
	if (c->pack == 16)
		return true;
	diag_error(p->word[1]->at, D_PIN_VALUE, "cells can be packed in 16 bits, not %d", c->pack);
	cure_leave_out(p->at);
	return false;
}

/* time 7, no time: passes of a loop */
static bool pin_time(const struct phrase *p, struct choice *c)
{
	if (word_is(p->word[0], "no"))
		return pin_switch(p, PIN_TIME, &c->time);
	return pin_number(p, PIN_TIME, MAX_TIME, &c->time);
}

/* bin 8, bin 8 cap 32: cells of a radius along the first axis; bodies a cell that a thread tests */
static bool pin_bin(const struct phrase *p, struct choice *c)
{
	bool cap = p->n == 4 && word_is(p->word[2], "cap");

	if (word_is(p->word[0], "no"))
		return pin_switch(p, PIN_BIN, &c->bin);
	if (p->n != 2 && !cap)
		return misread(p, PIN_BIN);
	if (!number_of(p->word[1], MAX_BIN, &c->bin)
	    || (cap && !number_of(p->word[3], MAX_CAP, &c->cap)))
		return false;
	if (!(c->bin & (c->bin - 1)))
		return true;
	diag_error(p->word[1]->at, D_PIN_VALUE, "a radius must have 1, 2, 4, 8 or 16 cells, not %d",
	           c->bin);
	cure_leave_out(p->at);
	return false;
}

/* privatise, privatise 8: copies of each cell; privatise first 4096: cells; privatise hot: those
 * that a sample finds */
static bool pin_privatise(const struct phrase *p, struct choice *c)
{
	bool first = p->n > 1 && word_is(p->word[1], "first");

	c->privatise = 1;
	if (p->n == 1 || word_is(p->word[0], "no"))
		return pin_switch(p, PIN_PRIVATISE, &c->privatise);
	if (first)
		return p->n == 3 ? number_of(p->word[2], MAX_FIRST, &c->first)
		                 : misread(p, PIN_PRIVATISE);
	if (p->n == 2 && word_is(p->word[1], "hot")) {
		c->hot = HOT_ALL;
		return true;
	}
	if (!pin_number(p, PIN_PRIVATISE, MAX_COPIES, &c->copies))
		return false;
	if (!(c->copies & (c->copies - 1)))
		return true;
	diag_error(p->word[1]->at, D_PIN_VALUE,
	           "the number of copies must be 1, 2, 4, ... 128, not %d", c->copies);
	cure_leave_out(p->at);
	return false;
}

/* aosoa(8), tiled(8, 8) */
static bool pin_cells(const struct ast *a, int n, int *out)
{
	bool fine = true;
	for (int k = 0; k < n && a->arg.n == n; k++)
		fine = number_of(a->arg.at[k], LAYOUT_CELLS, &out[k]) && fine;
	if (a->arg.n == n)
		return fine;
	diag_error(a->at, D_PIN_VALUE, n == 1 ? "`%s` takes one number" : "`%s` takes two numbers",
	           a->name);
	diag_cure(n == 1 ? "`layout aosoa(8)`: blocks of eight cells"
	                 : "`layout tiled(8, 8)`: tiles of eight rows and eight columns");
	return false;
}

/* layout col soa: the order of the axes and the place of the fields, each once, as a parameter's.
 * */
static bool pin_layout(const struct phrase *p, struct choice *c)
{
	bool order = false;

	for (int k = 1; k < p->n; k++) {
		const struct ast *a = p->word[k];
		bool blocks = a->kind == A_CALL && !strcmp(a->name, "aosoa"),
		     tiles = a->kind == A_CALL && !strcmp(a->name, "tiled");
		if (!order && (tiles || word_is(a, "row") || word_is(a, "col"))) {
			order = true;
			c->layout.col = word_is(a, "col");
			if (tiles && !pin_cells(a, 2, c->layout.tile))
				return false;
		} else if (!c->layout.fields
		           && (blocks || word_is(a, "soa") || word_is(a, "aos"))) {
			c->layout.fields = true;
			c->layout.block = word_is(a, "soa") ? -1 : 0;
			if (blocks && !pin_cells(a, 1, &c->layout.block))
				return false;
		} else {
			return misread(p, PIN_LAYOUT);
		}
	}
	return (p->n > 1 && !(c->layout.tile[0] && c->layout.block)) || misread(p, PIN_LAYOUT);
}

static bool pin_value(enum pin pin, const struct phrase *p, struct choice *c)
{
	switch (pin) {
	case PIN_FUSE: return pin_switch(p, pin, &c->fuse);
	case PIN_REGULARISE: return pin_switch(p, pin, &c->regular);
	case PIN_GATHER: return pin_switch(p, pin, &c->gather);
	case PIN_SEPARATE: return pin_switch(p, pin, &c->separate);
	case PIN_SYMMETRIC: return pin_switch(p, pin, &c->symmetric);
	case PIN_PRIVATISE: return pin_privatise(p, c);
	case PIN_STAGE:
		c->stage = (enum stage)pin_word(p, pin, stage_text, STAGE_COUNT);
		return c->stage != STAGE_AUTO;
	case PIN_PACK: return pin_pack(p, c);
	case PIN_SWEEP:
		c->sweep = (enum sweep)pin_word(p, pin, sweep_text, SWEEP_COUNT);
		return c->sweep != SWEEP_AUTO;
	case PIN_WALK:
		c->walk = (enum walks)pin_word(p, pin, walk_text, WALK_COUNT);
		return c->walk != WALK_AUTO;
	case PIN_TILE: return pin_tile(p, c);
	case PIN_BLOCK: return pin_number(p, pin, MAX_BLOCK, &c->block);
	case PIN_VECTOR: return pin_vector(p, c);
	case PIN_COARSEN: return pin_number(p, pin, MAX_COARSEN, &c->coarsen);
	case PIN_LAYOUT: return pin_layout(p, c);
	case PIN_BIN: return pin_bin(p, c);
	case PIN_TIME: return pin_time(p, c);
	case PIN_COUNT: break;
	}
	assert(!"a pin that is built");
	return false;
}

/* The pin whose name begins the phrase, after `no` if it is a switch.  PIN_COUNT: none. */
static enum pin pin_find(const struct phrase *p)
{
	const struct ast *a = p->word[p->n == 2 && word_is(p->word[0], "no")];

	for (enum pin k = 0; k < PIN_COUNT; k++)
		if ((a->kind == A_NAME || a->kind == A_CALL) && !strcmp(pins[k].name, a->name)
		    && (a == p->word[0] || is_switch(k)))
			return k;
	return PIN_COUNT;
}

static struct like pin_near(const struct ast *a)
{
	struct like like = near_word(a);

	for (enum pin k = 0; k < PIN_COUNT; k++)
		if (pins[k].built)
			near_add(&like, pins[k].name);
	return like;
}

static const char *pins_built(void)
{
	const char *list = "";

	for (int k = 0; k < PIN_COUNT; k++)
		if (pins[k].built)
			list = str_print("%s%s`%s`", list, *list ? ", " : "", pins[k].form);
	return list;
}

/* The same pin for the same statements on the same machine, said before. */
static const struct loc *pin_before(const struct entry *e, const struct pin_set *set, enum pin pin)
{
	if (set->at[pin].line)
		return &set->at[pin];
	for (int k = 0; k < e->pin.n; k++) {
		const struct pin_set *old = &e->pin.at[k];
		if (old->label == set->label && old->target == set->target && old->arch == set->arch
		    && old->tuning == set->tuning && old->when == set->when
		    && old->at[pin].line)
			return &old->at[pin];
	}
	return NULL;
}

static bool pin_read(const struct entry *e, const struct ast_phrase *a, struct pin_set *set)
{
	struct phrase p = { a->word.at, a->word.n, a->word.at[0]->at };
	enum pin pin = pin_find(&p);
	const struct loc *before;

	if (pin == PIN_COUNT) {
		const struct like like = pin_near(p.word[0]);
		diag_error(p.at, D_PIN_UNKNOWN, "no pin `%s`", ast_text(p.word[0]));
		if (!cure_near(&like, p.at))
			diag_cure("pins: %s", pins_built());
		return false;
	}
	if (!pins[pin].built) {
		diag_error(p.at, D_PIN_NOT_BUILT, "the pin `%s` is not supported yet",
		           pins[pin].name);
		diag_cure("these are: %s", pins_built());
		fix_leave_out_pin(p.at);
		return false;
	}
	if ((before = pin_before(e, set, pin))) {
		diag_error(p.at, D_PIN_TWICE, "`%s` is pinned twice", pins[pin].name);
		diag_note(*before, "here");
		diag_cure("leave one of them out");
		fix_leave_out_pin(p.at);
		return false;
	}
	set->at[pin] = p.at;
	return pin_value(pin, &p, &set->choice);
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

static void labels_near(struct node *const *node, int n, struct like *like)
{
	for (int k = 0; k < n; k++) {
		if (node[k]->label)
			near_add(like, node[k]->label);
		labels_near(node[k]->body.at, node[k]->body.n, like);
	}
}

static bool unknown_target(const struct ast *a)
{
	char *list = "";
	struct like like = near_word(a);

	for (int k = 0; targets[k]; k++) {
		list = str_print("%s%s%s", list, k ? ", " : "", targets[k]->name);
		near_add(&like, targets[k]->name);
	}
	diag_error(a->at, D_PIN_TARGET, "no target `%s`", ast_text(a));
	if (!cure_near(&like, a->at))
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
	const struct ast_phrase *p = d->claim.at[0];
	const struct target *t = p->word.at[0]->kind == A_NAME ? target_find(p->word.at[0]->name)
	                                                       : NULL;
	if (!t)
		return unknown_target(p->word.at[0]);
	set->target = t->name;
	if (p->word.n > 2) {
		diag_error(p->word.at[2]->at, D_PIN_TARGET,
		           "`for` is followed by a target and an architecture");
		return false;
	}
	if (p->word.n < 2)
		return true;
	set->arch = p->word.at[1]->name;
	return arch_known(t, p->word.at[1]);
}

/* The labels of statements in a call, which begin with that of the call; *n: how many. */
static const char *labels_inside(struct node *const *node, int n, const char *call, int *found)
{
	const size_t length = strlen(call);
	const char *last = NULL;

	for (int k = 0; k < n; k++) {
		const char *label = node[k]->label;
		const char *inner = labels_inside(node[k]->body.at, node[k]->body.n, call, found);
		if (label && !strncmp(label, call, length) && label[length] == '_') {
			++*found;
			last = label;
		}
		last = inner ? inner : last;
	}
	return last;
}

/* The label of a call: its statements are pinned by labels of their own. */
static bool cure_call(const struct entry *e, const struct ast_pin *a)
{
	const struct named_call *c = NULL;
	int found = 0;

	for (int k = 0; k < e->called.n; k++)
		if (e->called.at[k].label == a->label)
			c = &e->called.at[k];
	if (!c)
		return false;
	const char *inside = labels_inside(e->body.at, e->body.n, c->label, &found);
	diag_error(a->at, D_PIN_LABEL,
	           "`%s` is the label of a call of `%s`, but pins apply to statements", c->label,
	           c->kernel);
	if (inside)
		diag_cure("its statements have labels, too: `%s`", inside);
	else
		diag_cure("label a statement of `%s`: of `name: ...` the label here is `%s_name`",
		          c->kernel, c->label);
	if (found == 1)
		fix_word(a->at, c->label, inside);
	return true;
}

static bool label_check(const struct entry *e, const struct ast_pin *a)
{
	if (!a->label || label_in(e->body.at, e->body.n, a->label))
		return true;
	if (diag_errors())                  /* the statement may be among those that were refused */
		return false;
	if (cure_call(e, a))
		return false;
	struct like like = near_begin(a->label);
	labels_near(e->body.at, e->body.n, &like);
	diag_error(a->at, D_PIN_LABEL, "kernel `%s` has no statement labelled `%s`", e->name,
	           a->label);
	if (!cure_near(&like, a->at))
		diag_cure("write the label before the statement: `%s: ...`", a->label);
	return false;
}

static bool when_find(const struct entry *e, const struct ast_pin *a, struct pin_set *set)
{
	for (int k = 0; k < e->when.n; k++)
		if (e->when.at[k].line == a) {
			set->when = e->when.at[k].text;
			set->variant = e->when.at[k].variant;
		}
	return set->when;
}

static void pin_check(struct entry *e, const struct ast_pin *a, struct pin_set set)
{
	bool fine = label_check(e, a);

	set.label = a->label;
	if (a->when && !when_find(e, a, &set))
		return;                             /* the kernel or the condition is wrong */
	for (int k = 0; k < a->phrase.n; k++)
		fine = pin_read(e, a->phrase.at[k], &set) && fine;
	if (fine)
		list_add(&e->pin, set);
}

void pins_check(struct program *program, const struct ast_decl *d, bool tuning)
{
	struct entry *e = entry_find(program, d->name);
	struct pin_set set = { .tuning = tuning };

	if (!e) {
		const char *all = "";
		struct like like = near_begin(d->name);
		for (int k = 0; k < program->entry.n; k++)
			near_add(&like, program->entry.at[k]->name);
		for (int k = 0; k < program->entry.n; k++)
			all = str_print("%s%s`%s`", all, *all ? ", " : "",
			                program->entry.at[k]->name);
		diag_error(d->at, D_PIN_KERNEL, "no kernel `%s` to schedule", d->name);
		if (!cure_near(&like, d->at))
			diag_cure(*all ? "there are: %s" : "the program has none%s", all);
		return;
	}
	if (!target_check(d, &set))
		return;
	for (int k = 0; k < d->pin.n; k++)
		pin_check(e, d->pin.at[k], set);
}

/* ---- a tuning file ---- */

/* It may have been read for its conditions. */
static const struct ast_file *tuning_file(const struct program *program, const struct options *o)
{
	const struct ast_file *file = program->tuning;
	return file && !strcmp(source_path(file->file), o->schedule) ? file
	                                                             : parse_file(o->schedule, o);
}

bool sema_tuning(struct program *program, const struct options *o)
{
	if (!o->schedule)
		return true;
	const struct ast_file *file = tuning_file(program, o);
	if (!file)
		return false;
	list_add(&program->include, o->schedule);
	for (int k = 0; k < file->decl.n; k++) {
		const struct ast_decl *d = file->decl.at[k];
		if (d->at.file != file->file)        /* the `use` that brought it is refused */
			continue;
		if (d->kind == DECL_SCHEDULE) {
			pins_check(program, d, true);
			continue;
		}
		diag_error(d->at, D_TUNING_FILE,
		           "a file of --schedule may contain only `schedule` blocks");
		diag_cure("name programs without --schedule");
		break;
	}
	return true;
}
