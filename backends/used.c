/* used.c - collects the helpers and the functions of the program that an output uses, and prints
 * them.
 *
 * It is found by walking the kernels; a function of the user brings its own kernel along.  On a GPU
 * the host's text may call helpers and functions as well (the limit of a repeat): those are marked.
 * */
#include "used.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>

/* ---- collecting ---- */

static size_t row_count(void)
{
	size_t n = 0;
	while (rt_rows[n].file)
		n++;
	return n;
}

static struct used *used_none(const struct target *target, enum used_part part)
{
	struct used *u = NEW(struct used);
	u->target = target;
	u->part = part;
	u->row = mem_new(row_count() + 1);
	u->row_host = mem_new(row_count() + 1);
	return u;
}

struct used *used_new(const struct options *options)
{
	struct used *u = used_none(options->target, options->helpers ? USED_OWN : USED_ALL);
	u->options = options;
	return u;
}

struct used *used_all(const struct target *target)
{
	struct used *u = used_none(target, USED_COMMON);
	u->host = true;
	for (const struct rt_row *row = rt_rows; row->file; row++)
		if (helper_known(row->name, target))
			used_helper(u, row->name);
	return u;
}

/* The next name of a list, NULL at its end. */
static const char *need_next(const char **list)
{
	size_t n = strcspn(*list, " ");
	const char *need = n ? str_intern(*list, n) : NULL;
	*list += n + ((*list)[n] == ' ');
	return need;
}

void used_helper(struct used *u, const char *name)
{
	const struct rt_row *row = helper_row(name, u->target);
	assert(row && "the helper exists");
	const size_t i = (size_t)(row - rt_rows);
	if (u->row[i] && (u->row_host[i] || !u->host))
		return;
	u->row[i] = true;
	u->row_host[i] |= u->host;
	for (const char *s = row->needs, *need; (need = need_next(&s)); )
		used_helper(u, need);
}

/* After those that its fields are. */
static void used_record(struct used *u, const struct record *r)
{
	for (int i = 0; i < u->record.n; i++)
		if (u->record.at[i] == r)
			return;
	for (int i = 0; i < r->field.n; i++)
		if (r->field.at[i].type->kind == T_STRUCT)
			used_record(u, r->field.at[i].type->record);
	if (r->made)
		list_add(&u->record, r);
}

static void used_type(struct used *u, struct ktype t)
{
	if (t.type && t.type->kind == T_STRUCT)
		used_record(u, t.type->record);
	for (int i = 0; i < u->vector.n; i++)
		if (u->vector.at[i].type == t.type && u->vector.at[i].lanes == t.lanes)
			return;
	if (t.lanes > 1)
		list_add(&u->vector, ((struct used_vector){t.type, t.lanes}));
}

/* Callees before callers: the callee's own calls are added first. */
static void used_function(struct used *u, const struct fn *fn)
{
	struct used_fn *old = map_get(&u->seen, fn), *f = old ? old : NEW(struct used_fn);
	if (old && (u->host ? f->host : f->device))
		return;
	if (!old) {
		*f = (struct used_fn){.fn = fn, .kernel = lower_function(fn, u->target)};
		divide_function(f->kernel, u->options);
	}
	*(u->host ? &f->host : &f->device) = true;
	used_kernel(u, f->kernel);
	if (!old)
		list_add(&u->fn, f);
	*map_at(&u->seen, fn) = f;
}

static void used_table(struct used *u, const struct var *table)
{
	struct used_table *t = map_get(&u->seen, table);
	if (!t) {
		t = NEW(struct used_table);
		t->table = table;
		list_add(&u->table, t);
		*map_at(&u->seen, table) = t;
	}
	*(u->host ? &t->host : &t->device) = true;
}

static void used_expr(struct kx *x, void *used)
{
	struct used *u = used;
	used_type(u, x->type);
	if (x->kind == KX_HELP)
		used_helper(u, x->name);
	if (x->kind == KX_CALL && !x->name)
		used_function(u, x->fn);
	if (x->table)
		used_table(u, x->table);
}

void used_kernel(struct used *u, const struct kernel *k)
{
	for (int i = 0; i < k->var.n; i++)
		used_type(u, k->var.at[i]->type);
	if (k->asked_bytes)
		used_helper(u, "patc_asked");
	if (!cprint_bounds_fit(k))
		used_helper(u, "patc_fit");
	if (k->part)
		used_helper(u, "patc_own_block");
	if (k->block[0] && ks_has(&k->body, KS_LAUNCH))
		used_helper(u, "patc_block_of");
	ks_walk(&k->body, used_expr, u);
}

/* ---- the user's headers ---- */

void used_headers(const struct used *u, const struct program *p, const char *device, FILE *out)
{
	struct map wanted = {0};                 /* names are interned */
	int n = 0;
	for (int i = 0; i < u->fn.n; i++)
		if (u->fn.at[i]->fn->from)
			*map_at(&wanted, u->fn.at[i]->fn->from) = u->fn.at[i];
	for (int i = 0; i < p->fn.n; i++) {
		const char *from = p->fn.at[i]->from;
		if (!from || !map_get(&wanted, from))
			continue;
		*map_at(&wanted, from) = NULL;
		if (n++ == 0)
			fprintf(out,
			        "/* What the functions of the headers below are marked with. */\n"
			        "#define PATC_DEVICE%s%s\n", *device ? " " : "", device);
		fprintf(out, "#include \"%s\"\n", from);
	}
	if (n)
		fputc('\n', out);
}

/* ---- printing ---- */

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* from stands for a whole word, or with a `*` for the beginning of one. */
static bool word_matches(const char *s, const char *from)
{
	size_t n = strlen(from);
	bool open = from[n - 1] == '*';
	n -= open;
	return strncmp(s, from, n) == 0 && (open || !is_word(s[n]));
}

static const char *word_replace(const char *s, const char *const *replace, FILE *out)
{
	for (int i = 0; replace[i]; i += 2)
		if (word_matches(s, replace[i])) {
			fputs(replace[i + 1], out);
			return s + strcspn(replace[i], "*");
		}
	fputc(*s, out);
	return s + 1;
}

static void text_print(const char *s, const char *const *replace, FILE *out)
{
	bool inside = false;                  /* of a word */
	while (*s) {
		bool begins = is_word(*s) && !inside;
		inside = is_word(*s);
		if (begins)
			s = word_replace(s, replace, out);
		else
			fputc(*s++, out);
	}
}

enum { MAX_REPLACE = 20 };

struct printing {
	const struct used *u;
	const struct used_words *words;
	/* PATC_FN, the own helper's `static`, the target's words */
	const char *replace[MAX_REPLACE];
	bool *done;
	FILE *out;
};

static bool is_elsewhere(const struct used *u, const struct rt_row *row)
{
	return (u->part == USED_OWN && !row->own) || (u->part == USED_COMMON && row->own);
}

/* What a helper needs may follow it in the files: a target's own text of it. */
static void row_print(struct printing *p, const struct rt_row *row)
{
	const size_t i = (size_t)(row - rt_rows);
	if (p->done[i] || is_elsewhere(p->u, row))
		return;
	p->done[i] = true;
	for (const char *s = row->needs, *need; (need = need_next(&s)); )
		row_print(p, helper_row(need, p->u->target));
	p->replace[1] = p->u->row_host[i] ? p->words->prefix_host : p->words->prefix;
	text_print(row->text, p->replace, p->out);
	fputc('\n', p->out);
}

/* Functions of the host are plain in a source, which calls them; in a header that is an unused
 * function. */
static struct printing printing_new(const struct used *u, const struct used_words *words, FILE *out)
{
	struct printing p = { u,
		              words,
		              { "PATC_FN *", NULL, "PATC_HOST",
		                u->part == USED_COMMON ? "static inline" : "static" },
		              NULL,
		              out };
	for (int i = 0, n = 4; words->replace[i]; i++, n++) {
		assert(n + 1 < MAX_REPLACE && "room for the words to replace");
		p.replace[n] = words->replace[i];
	}
	p.done = mem_new(row_count() + 1);
	return p;
}

void used_print(const struct used *u, const struct used_words *words, FILE *out)
{
	struct printing p = printing_new(u, words, out);
	for (int i = 0; i < u->record.n; i++) {
		struct_print(u->record.at[i], out);
		fputc('\n', out);
	}
	for (const struct rt_row *row = rt_rows; row->file; row++)
		if (u->row[row - rt_rows])
			row_print(&p, row);
}
