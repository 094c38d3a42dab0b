/* kirnames.c - the names that variables are printed with.
 *
 * While a kernel is built its names are unique, since nobody knows yet which bodies will be open where a variable is
 * declared.  When it is complete, each variable gets its wanted name, with a number only where a variable of that name
 * is visible: a name is free again after the body that declares it.  No declaration hides another, as -Wshadow
 * requires.  Variables are named in the order of their declarations, so the text depends on nothing else. */
#include "kir.h"

/* ---- scopes that are not needed ---- */

static bool wants(const struct ks_list *list, const char *name)
{
	for (int i = 0; i < list->n; i++) {
		const struct ks *s = list->at[i];
		if ((s->var && s->var->wanted == name) || wants(&s->body, name) || wants(&s->otherwise, name))
			return true;
	}
	return false;
}

/* Nothing else in the list has a name that the scope declares. */
static bool is_loose(const struct ks_list *list, int at)
{
	const struct ks *scope = list->at[at];
	struct ks_list before = *list, after = { list->at + at + 1, list->n - at - 1, 0 };
	before.n = at;
	for (int i = 0; i < scope->body.n; i++) {
		const struct ks *s = scope->body.at[i];
		if (s->kind == KS_DECL && (wants(&before, s->var->wanted) || wants(&after, s->var->wanted)))
			return false;
	}
	return true;
}

static void open_scopes(struct ks_list *list)
{
	struct ks_list kept = { 0 };
	for (int i = 0; i < list->n; i++) {
		struct ks *s = list->at[i];
		open_scopes(&s->body);
		open_scopes(&s->otherwise);
		if (s->kind != KS_SCOPE || !is_loose(list, i)) {
			list_add(&kept, s);
			continue;
		}
		for (int b = 0; b < s->body.n; b++)
			list_add(&kept, s->body.at[b]);
	}
	*list = kept;
}

/* ---- names ---- */

struct naming { struct map visible; LIST(const char *) open; struct map used; };

static void show(struct naming *n, const char *name)
{
	*map_at(&n->visible, name) = n;
	*map_at(&n->used, name) = n;
	list_add(&n->open, name);
}

static void hide(struct naming *n, int mark)
{
	while (n->open.n > mark)
		*map_at(&n->visible, n->open.at[--n->open.n]) = NULL;
}

static void declare(struct naming *n, struct kvar *v)
{
	v->name = v->wanted;
	for (int i = 2; map_get(&n->visible, v->name); i++)
		v->name = str_name(str_print("%s_%d", v->wanted, i));
	show(n, v->name);
}

static bool is_outer(const struct kvar *v)
{
	return v->kind == KV_PARAM || v->is_given || v->is_wide;
}

static void name_body(struct naming *n, const struct ks_list *list)
{
	int mark = n->open.n;
	for (int i = 0; i < list->n; i++) {
		const struct ks *s = list->at[i];
		int loop = n->open.n;
		if (s->var && !is_outer(s->var))
			declare(n, s->var);
		name_body(n, &s->body);
		name_body(n, &s->otherwise);
		if (s->kind == KS_FOR)
			hide(n, loop);
	}
	hide(n, mark);
}

void kirnames(struct kernel *k)
{
	struct naming n = { 0 };
	open_scopes(&k->body);
	show(&n, k->name);
	for (int i = 0; i < k->var.n; i++)
		if (is_outer(k->var.at[i]))
			declare(&n, k->var.at[i]);
	name_body(&n, &k->body);
	map_free(&n.visible);
	map_free(&k->taken);
	k->taken = n.used;
}
