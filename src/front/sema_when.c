/* sema_when.c - lines of a schedule with a condition on sizes: `step: tile 8 x 8 when m < 64;`.
 *
 * The statements of the kernel become the blocks of `if C1 {...} else if C2 {...} else {...}`, once
 * for each different condition and once for none, as if the program had them so: all that follows
 * knows branches that the host decides.  A statement has the number of its condition, and
 * so have the pins that apply to it (src/pass/schedule.c).  The kernel has been found right without
 * variants before. */
#include <string.h>

#include "sema_impl.h"
#include "target.h"

enum { MOST_WHENS = 8 };

static bool is_name(const struct ast *a, const char *name)
{
	return a->kind == A_NAME && name && !strcmp(a->name, name);
}

/* Is the schedule for the target and the architecture that the program is compiled for, if it is
 * compiled? */
static bool is_for(const struct sema *s, const struct ast_decl *schedule)
{
	const struct ast_phrase *p = schedule->claim.at[0];
	const struct target *t = s->options->target;
	return t && is_name(p->word.at[0], t->name)
	       && (p->word.n < 2 || is_name(p->word.at[1], t->arch));
}

static bool schedules(const struct ast_decl *d, const struct ast_decl *kernel)
{
	return d->kind == DECL_SCHEDULE && !strcmp(d->name, kernel->name);
}

static bool any_in(const struct ast_file *file, const struct ast_decl *kernel)
{
	bool any = false;
	for (int k = 0; file && k < file->decl.n; k++) {
		const struct ast_decl *d = file->decl.at[k];
		for (int p = 0; schedules(d, kernel) && p < d->pin.n; p++)
			any = any || d->pin.at[p]->when;
	}
	return any;
}

bool whens_any(const struct sema *s, const struct ast_decl *kernel)
{
	return any_in(s->file, kernel) || any_in(s->program->tuning, kernel);
}

/* ---- conditions ---- */

/* The first array, or scalar of the device, that the condition names; NULL if it names none. */
static const struct ast *device_name(struct sema *s, const struct ast *a)
{
	bool is_named = a->kind == A_NAME || a->kind == A_SUBSCRIPT;
	const struct binding *b = is_named ? name_find(s, a->name) : NULL;
	const struct var *v = b ? b->var : NULL;
	const struct ast *found = v && v->kind == VAR_PARAM && (v->rank || var_on_device(v))
		? a : NULL;
	for (int k = 0; !found && k < a->arg.n; k++)
		found = device_name(s, a->arg.at[k]);
	for (int k = 0; !found && k < a->sub.n; k++)
		found = device_name(s, a->sub.at[k]->lo);
	return found;
}

/* As text, by which equal ones are one; NULL: reported. */
static const char *condition_text(struct sema *s, const struct ast *a)
{
	const struct ast *device = device_name(s, a);
	s->in_when = true;
	struct expr *e = device ? NULL : expr_bool(s, a, "`when`");
	s->in_when = false;
	if (!device)
		return e && never_fails(e) ? str_name(expr_text(e)) : NULL;
	diag_error(device->at, D_PIN_WHEN,
	           "the host evaluates this condition, so it can depend only on sizes and scalar "
	           "parameters");
	diag_cure("for example `when n < 1024`, where `n` is a size");
	return NULL;
}

static int variant_of(const struct entry *e, const char *text)
{
	for (int k = 0; k < e->when.n; k++)
		if (e->when.at[k].text == text && e->when.at[k].variant)
			return e->when.at[k].variant;
	return 0;
}

struct variants { int n; const struct ast_pin *line[MOST_WHENS]; };

static bool add_line(struct sema *s, const struct ast_pin *line, bool is_for_this,
                     struct variants *v)
{
	const char *text = condition_text(s, line->when);
	struct when w = { line, text, text && is_for_this ? variant_of(s->entry, text) : 0 };
	if (!text)
		return false;
	if (is_for_this && !w.variant && v->n == MOST_WHENS) {
		diag_error(line->when->at, D_PIN_WHEN,
		           "a kernel has variants for at most %d conditions", MOST_WHENS);
		diag_cure("remove the line, or use the condition of another line");
		fix_leave_out_line(line->when->at);
		return false;
	}
	if (is_for_this && !w.variant) {
		v->line[v->n] = line;
		w.variant = ++v->n;
	}
	list_add(&s->entry->when, w);
	return true;
}

static bool add_lines(struct sema *s, const struct ast_file *file, const struct ast_decl *kernel,
                      struct variants *v)
{
	bool fine = true;
	for (int k = 0; file && k < file->decl.n; k++) {
		const struct ast_decl *d = file->decl.at[k];
		for (int p = 0; schedules(d, kernel) && p < d->pin.n; p++)
			if (d->pin.at[p]->when)
				fine = add_line(s, d->pin.at[p], is_for(s, d), v) && fine;
	}
	return fine;
}

/* ---- the body ---- */

void variant_begin(struct sema *s, int variant)
{
	s->variant = variant;
	s->called = 0;
	memset(s->ordinal, 0, sizeof s->ordinal);
}

static void add_statements(const struct ast_decl *kernel, bool requires, struct ast_stmt *to)
{
	for (int k = 0; k < kernel->body.n; k++)
		if ((kernel->body.at[k]->kind == S_REQUIRE) == requires)
			list_add(&to->body, kernel->body.at[k]);
}

const struct ast_stmt *whens_body(struct sema *s, const struct ast_decl *kernel)
{
	struct variants v = { .n = 0 };
	struct ast_stmt *rest = NEW(struct ast_stmt), *all = NEW(struct ast_stmt);
	bool fine = add_lines(s, s->file, kernel, &v);
	if (!add_lines(s, s->program->tuning, kernel, &v) || !fine)
		return NULL;
	add_statements(kernel, true, all);
	add_statements(kernel, false, rest);
	for (int k = v.n; k-- > 0;) {
		struct ast_stmt *chosen = NEW(struct ast_stmt), *both = NEW(struct ast_stmt);
		*chosen = (struct ast_stmt){ .kind = S_IF, .at = v.line[k]->when->at,
			                     .value = v.line[k]->when, .variant = k + 1 };
		add_statements(kernel, false, chosen);
		for (int i = 0; i < rest->body.n; i++)
			list_add(&chosen->other, rest->body.at[i]);
		list_add(&both->body, chosen);
		rest = both;
	}
	for (int i = 0; i < rest->body.n; i++)
		list_add(&all->body, rest->body.at[i]);
	return all;
}
