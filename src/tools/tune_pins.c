/* tune_pins.c - pins as text: read from the file of --schedule, changed, and written.
 *
 * sema_pin.c checks them: this file only takes the text of a schedule apart. */
#include "syntax.h"
#include "tune.h"

#include <stdlib.h>
#include <string.h>

static const char *const names[PIN_COUNT] = {
#define PIN(id, name, form, built) [PIN_##id] = name,
#include "pin.def"
#undef PIN
};

/* ---- the order of a file ---- */

static int text_order(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "");
}

static int place_order(const struct pin_text *a, const struct pin_text *b)
{
	int by = text_order(a->kernel, b->kernel);
	by = by ? by : text_order(a->machine, b->machine);
	by = by ? by : text_order(a->label, b->label);
	return by ? by : text_order(a->when, b->when);
}

static int pin_order(const void *of, const void *with)
{
	const struct pin_text *a = of, *b = with;
	const int by = place_order(a, b);
	return by ? by : (int)a->pin - (int)b->pin;
}

void pins_set(struct pins *p, struct pin_text pin)
{
	for (int i = 0; i < p->n; i++)
		if (!pin_order(&p->at[i], &pin)) {
			p->at[i].text = pin.text;
			return;
		}
	list_add(p, pin);
	qsort(p->at, (size_t)p->n, sizeof *p->at, pin_order);
}

struct pins pins_copy(const struct pins *p)
{
	struct pins copy = { 0 };
	for (int i = 0; i < p->n; i++)
		list_add(&copy, p->at[i]);
	return copy;
}

bool pins_has(const struct pins *p, const char *kernel)
{
	for (int i = 0; i < p->n; i++)
		if (!strcmp(p->at[i].kernel, kernel))
			return true;
	return false;
}

/* The pin of p for the same statements, machine and condition, or NULL. */
static const struct pin_text *pin_find(const struct pins *p, const struct pin_text *like)
{
	for (int i = 0; i < p->n; i++)
		if (!pin_order(&p->at[i], like))
			return &p->at[i];
	return NULL;
}

struct pins pins_when(const struct pins *base, const struct pins *from, const char *when)
{
	struct pins all = pins_copy(base);
	for (int i = 0; i < from->n; i++) {
		struct pin_text pin = from->at[i];
		const struct pin_text *same = pin_find(base, &pin);
		pin.when = when;
		if (!same || strcmp(same->text, from->at[i].text) != 0)
			pins_set(&all, pin);
	}
	return all;
}

/* ---- reading ---- */

/* A condition, which has sizes and scalars, with parentheses where an operand has an operator. */
static const char *condition_text(const struct ast *a)
{
	LIST(const char *) arg = { 0 };
	const char *all = a->name;
	for (int i = 0; i < a->arg.n; i++) {
		const enum ast_kind kind = a->arg.at[i]->kind;
		const bool has = kind == A_UNARY || kind == A_BINARY || kind == A_COND;
		list_add(&arg, str_print(has && a->kind != A_CALL ? "(%s)" : "%s",
		                         condition_text(a->arg.at[i])));
	}
	switch (a->kind) {
	case A_UNARY: return str_print("%s%s", a->name, arg.at[0]);
	case A_BINARY: return str_print("%s %s %s", arg.at[0], a->name, arg.at[1]);
	case A_COND: return str_print("%s ? %s : %s", arg.at[0], arg.at[1], arg.at[2]);
	case A_FIELD: return str_print("%s.%s", arg.at[0], a->name);
	default: break;
	}
	for (int i = 0; i < arg.n; i++)
		all = str_print("%s%s%s", all, i ? ", " : "(", arg.at[i]);
	return arg.n ? str_print("%s)", all) : all;
}

/* As it is written, from the first word to the end of the last. */
static const char *words_text(const struct ast_phrase *phrase)
{
	const char *all = "";
	for (int k = 0; k < phrase->word.n; k++) {
		const struct ast *a = phrase->word.at[k];
		all = str_print("%s%s%s", all, k ? " " : "", a->name);
		for (int i = 0; a->kind == A_CALL && i < a->arg.n; i++)
			all = str_print("%s%s%s", all, i ? ", " : "(", a->arg.at[i]->name);
		all = str_print("%s%s", all, a->kind == A_CALL ? ")" : "");
	}
	return all;
}

static enum pin pin_named(const struct ast_phrase *phrase)
{
	const int first = phrase->word.n > 1 && phrase->word.at[0]->name
		&& !strcmp(phrase->word.at[0]->name, "no");
	const char *name = phrase->word.at[first]->name;
	enum pin pin = 0;
	while (pin < PIN_COUNT && !(name && !strcmp(name, names[pin])))
		pin++;
	return pin;
}

static void read_pin(struct pins *p, const struct ast_decl *d, const struct ast_pin *a)
{
	const char *machine = words_text(d->claim.at[0]);
	const char *when = a->when ? condition_text(a->when) : NULL;
	for (int k = 0; k < a->phrase.n; k++) {
		const enum pin pin = pin_named(a->phrase.at[k]);
		if (pin < PIN_COUNT)
			pins_set(p, (struct pin_text){ d->name, machine, a->label, when, pin,
			                               words_text(a->phrase.at[k]) });
	}
}

bool pins_read(struct pins *p, const char *path, const struct options *o)
{
	const struct ast_file *file = parse_file(path, o);
	for (int i = 0; file && i < file->decl.n; i++) {
		const struct ast_decl *d = file->decl.at[i];
		for (int k = 0; d->kind == DECL_SCHEDULE && k < d->pin.n; k++)
			read_pin(p, d, d->pin.at[k]);
	}
	return file && !diag_errors();
}

/* ---- writing ---- */

static bool same_block(const struct pin_text *a, const struct pin_text *b)
{
	return !strcmp(a->kernel, b->kernel) && !strcmp(a->machine, b->machine);
}

/* p[0..n-1] are all pins of a kernel and a machine. */
static void block_print(const struct pin_text *p, int n, FILE *out)
{
	fprintf(out, "schedule %s for %s {\n", p->kernel, p->machine);
	for (int i = 0; i < n; i++) {
		const bool first = i == 0 || place_order(&p[i - 1], &p[i]);
		const bool last = i + 1 == n || place_order(&p[i], &p[i + 1]);
		fputs(first ? "\t" : ", ", out);
		if (first && p[i].label)
			fprintf(out, "%s: ", p[i].label);
		fputs(p[i].text, out);
		if (last && p[i].when)
			fprintf(out, " when %s", p[i].when);
		fputs(last ? ";\n" : "", out);
	}
	fputs("}\n", out);
}

void pins_print(const struct pins *p, const char *kernel, FILE *out)
{
	for (int i = 0, n; i < p->n; i += n) {
		for (n = 1; i + n < p->n && same_block(&p->at[i], &p->at[i + n]);)
			n++;
		if (!kernel || !strcmp(kernel, p->at[i].kernel))
			block_print(&p->at[i], n, out);
	}
}
